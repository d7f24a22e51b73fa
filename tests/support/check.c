#include "support/check.h"

#include <CUnit/Basic.h>
#include <CUnit/TestRun.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static unsigned skipped;

void check_skip(const char *reason)
{
	skipped++;
	printf("skipped: %s\n", reason);
}

void check_str(struct str actual, const char *expected, const char *file, int line)
{
	bool equal = str_is(actual, expected);

	if (!equal)
		printf("\n%s:%d: got      \"%.*s\"\n%*s expected \"%s\"\n", file, line, STR_ARG(actual), (int)strlen(file) + 4, "", expected);
	CU_assertImplementation(equal, (unsigned)line, "texts are equal", file, "", CU_FALSE);
}

void check_that(bool condition, const char *text, const char *file, int line, const char *format, ...)
{
	char message[512] = "";

	if (!condition) { /* what the message names may be set by a failure only */
		va_list args;
		va_start(args, format);
		vsnprintf(message, sizeof message, format, args);
		va_end(args);
		printf("\n%s:%d: %s: %s\n", file, line, text, message);
	}
	CU_assertImplementation(condition, (unsigned)line, message, file, "", CU_FALSE);
}

unsigned check_random(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static bool is_wanted(const char *suite, const char *test, int argc, char **argv)
{
	char full[256];
	bool is_named = false, is_any_named = false;

	snprintf(full, sizeof full, "%s/%s", suite, test);
	for (int i = 1; i < argc; i++) {
		bool leaves_out = *argv[i] == '-';
		const char *name = argv[i] + leaves_out;
		bool is_it = !strcmp(name, suite) || !strcmp(name, full);

		if (is_it && leaves_out)
			return false;
		is_named |= is_it;
		is_any_named |= !leaves_out;
	}
	return is_named || !is_any_named;
}

int check_run(const char *layer, const struct suite *const *suites, int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (CU_initialize_registry() != CUE_SUCCESS)
		return 2;
	for (; *suites; suites++) {
		CU_pSuite suite = CU_add_suite((*suites)->name, NULL, NULL);
		for (const struct test *t = (*suites)->tests; t->name; t++)
			if (is_wanted((*suites)->name, t->name, argc, argv) && !CU_add_test(suite, t->name, t->run))
				return 2;
	}
	CU_basic_set_mode(CU_BRM_VERBOSE);
	CU_basic_run_tests();
	unsigned failed = CU_get_number_of_tests_failed();
	unsigned ran = CU_get_number_of_tests_run();
	printf("%s: %u passed, %u failed, %u skipped\n", layer, ran - failed - skipped, failed, skipped);
	CU_cleanup_registry();
	return failed || !ran;
}
