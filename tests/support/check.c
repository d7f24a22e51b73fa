#include "support/check.h"

#include <CUnit/TestRun.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/os/process.h"
#include "support/environment.h"
#include "support/preload.h"

#define SUITES_MOST 400
#define FAILURES_SHOWN 20 /* limit for one test */
#define TEST_SECONDS_MOST 1200 /* far more than any test takes; only one that waits for ever ends so, by SIGALRM */

/* Results of a suite; in memory shared with the process that runs it. */
struct tally {
	unsigned passed, failed, skipped;
	char running[200]; /* name of the running test */
};

struct job {
	const struct suite *suite;
	struct tally *tally;
	FILE *output;
	pid_t process; /* 0: not started, or ended */
	bool is_over;
	int how;       /* its exit, as returned by waitpid() */
	double start_s, took_s, worked_s; /* the last: time of processors, with the programs that it started */
};

static struct {
	struct tally *tally; /* of the suite running in this process */
	bool names_tests, has_skipped;
	double start_s;
} now;

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int64_t check_now_ms(void)
{
	return (int64_t)(now_s() * 1000);
}

/* --- assertions --- */

void check_skip(const char *reason)
{
	now.has_skipped = true;
	printf("  skipped: %s: %s\n", now.tally->running, reason);
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

	if (!condition) { /* evaluated here only, as a failure may set what the message needs */
		va_list args;
		va_start(args, format);
		vsnprintf(message, sizeof message, format, args);
		va_end(args);
		printf("\n%s:%d: %s: %s\n", file, line, text, message);
	}
	CU_assertImplementation(condition, (unsigned)line, text, file, "", CU_FALSE);
}

long check_next(long n, long steps, long more)
{
	enum check_depth depth = check_depth();

	return n + 1 + (depth == CHECK_ALL ? 0 : n / (depth == CHECK_MORE ? more : steps));
}

unsigned check_random(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* --- one suite in this process --- */

enum check_depth check_depth(void)
{
	const char *how = getenv("WEIR_SWEEP");

	return !how ? CHECK_SOME : strcmp(how, "full") ? CHECK_MORE : CHECK_ALL;
}

/* A variable that multiplies what a test does: `make sweep` and its like. */
static bool is_asked_to_take_long(void)
{
	return check_depth() == CHECK_ALL || getenv("WEIR_KILLS") || getenv("WEIR_DAMAGES") || getenv("WEIR_TURNS");
}

static void on_start(const CU_pTest test, const CU_pSuite suite)
{
	snprintf(now.tally->running, sizeof now.tally->running, "%s/%s", suite->pName, test->pName);
	now.has_skipped = false;
	now.start_s = now_s();
	if (!is_asked_to_take_long())
		alarm(TEST_SECONDS_MOST);
}

static void tell_failures(const CU_FailureRecord *failure)
{
	unsigned count = 0;

	for (; failure; failure = failure->pNext)
		if (count++ < FAILURES_SHOWN)
			printf("  %s:%u: %s\n", failure->strFileName, failure->uiLineNumber, failure->strCondition);
	if (count > FAILURES_SHOWN)
		printf("  and %u more\n", count - FAILURES_SHOWN);
}

static void on_complete(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord failure)
{
	struct tally *tally = now.tally;

	(void)test, (void)suite;
	if (failure)
		tally->failed++;
	else if (now.has_skipped)
		tally->skipped++;
	else
		tally->passed++;
	if (failure || now.names_tests)
		printf("  %s: %s (%.2f s)\n", failure ? "FAILED" : "passed", tally->running, now_s() - now.start_s);
	tell_failures(failure);
}

/* A word of the command line, "suite", "suite/test" or "-suite", names this test. */
static bool is_named(const char *word, const char *suite, const char *test)
{
	char full[256];

	snprintf(full, sizeof full, "%s/%s", suite, test);
	word += *word == '-';
	return !strcmp(word, suite) || !strcmp(word, full);
}

static bool is_wanted(const char *suite, const char *test, int argc, char **argv)
{
	bool is_it_named = false, is_any_named = false;

	for (int i = 1; i < argc; i++) {
		bool leaves_out = *argv[i] == '-', is_it = is_named(argv[i], suite, test);

		if (is_it && leaves_out)
			return false;
		is_it_named |= is_it;
		is_any_named |= !leaves_out;
	}
	return is_it_named || !is_any_named;
}

static int run_suite(const struct suite *suite, struct tally *tally, int argc, char **argv)
{
	now.tally = tally;
	if (CU_initialize_registry() != CUE_SUCCESS)
		return 2;
	CU_pSuite of_cunit = CU_add_suite(suite->name, NULL, NULL);
	for (const struct test *t = suite->tests; t->name; t++)
		if (is_wanted(suite->name, t->name, argc, argv) && !CU_add_test(of_cunit, t->name, t->run))
			return 2;
	CU_set_test_start_handler(on_start);
	CU_set_test_complete_handler(on_complete);
	CU_run_all_tests();
	*tally->running = '\0';
	CU_cleanup_registry();
	return tally->failed > 0;
}

/* --- several suites in parallel --- */

static void start_job(struct job *job, int argc, char **argv)
{
	pid_t parent = getpid();

	job->output = tmpfile();
	job->start_s = now_s();
	if (!job->output)
		abort();
	fflush(stdout);
	job->process = fork();
	if (job->process < 0)
		abort();
	if (job->process)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(2);
	dup2(fileno(job->output), STDOUT_FILENO);
	dup2(fileno(job->output), STDERR_FILENO);
	close_range(STDERR_FILENO + 1, ~0U, 0); /* also the output of other jobs */
	exit(run_suite(job->suite, job->tally, argc, argv));
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void await_job(struct job *jobs, size_t count)
{
	int how;
	struct rusage used;
	pid_t process = wait4(-1, &how, 0, &used);

	for (size_t i = 0; i < count; i++) {
		if (process <= 0 || jobs[i].process != process)
			continue;
		jobs[i].process = 0;
		jobs[i].is_over = true;
		jobs[i].how = how;
		jobs[i].took_s = now_s() - jobs[i].start_s;
		jobs[i].worked_s = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
	}
}

static void copy_output(FILE *from)
{
	char bytes[4096];
	size_t count;

	rewind(from);
	while ((count = fread(bytes, 1, sizeof bytes, from)))
		fwrite(bytes, 1, count, stdout);
	fclose(from);
}

/* Reports a job. A test that ends its process, and a leak found at exit, are failures too. */
static void report_job(const struct job *job)
{
	struct tally *tally = job->tally;
	bool is_well = WIFEXITED(job->how) && WEXITSTATUS(job->how) == 0;

	if (!is_well && (!tally->failed || *tally->running)) {
		tally->failed++;
		printf("  FAILED: %s ended with %s %d%s%s\n", job->suite->name, WIFSIGNALED(job->how) ? "signal" : "status",
		       WIFSIGNALED(job->how) ? WTERMSIG(job->how) : WEXITSTATUS(job->how), *tally->running ? " in " : "", tally->running);
	}
	printf("%s: %u passed, %u failed, %u skipped (%.1f s, worked %.1f s)\n", job->suite->name, tally->passed, tally->failed, tally->skipped,
	       job->took_s, job->worked_s);
	copy_output(job->output);
}

/* Runs up to `side_by_side` jobs at once, and reports them in order. */
static void run_jobs(struct job *jobs, size_t count, size_t side_by_side, int argc, char **argv)
{
	size_t started = 0, over = 0, told = 0;

	while (told < count) {
		while (started < count && started - over < side_by_side)
			start_job(&jobs[started++], argc, argv);
		await_job(jobs, started);
		over = 0;
		for (size_t i = 0; i < started; i++)
			over += jobs[i].is_over;
		for (; told < started && jobs[told].is_over; told++)
			report_job(&jobs[told]);
	}
}

/* More jobs than processors, because tests spend much time waiting. Sanitizers take much memory. */
static size_t side_by_side(void)
{
	const char *wanted = getenv("WEIR_JOBS");
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t each = preload_is_sanitized() ? 4 : 8;

	if (wanted && atoi(wanted) > 0)
		return (size_t)atoi(wanted);
	return processors > 0 ? each * (size_t)processors : each;
}

/* --- all suites of the layer --- */

static size_t wanted_suites(const struct suite *const *suites, struct job *jobs, int argc, char **argv)
{
	size_t count = 0;

	for (; *suites; suites++) {
		bool wanted = false;

		for (const struct test *t = (*suites)->tests; t->name && !wanted; t++)
			wanted = is_wanted((*suites)->name, t->name, argc, argv);
		if (wanted)
			jobs[count++].suite = *suites;
	}
	return count;
}

/* The first word of the command line that names no test; NULL: each names one. */
static const char *unknown_name(const struct suite *const *suites, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		bool found = false;

		for (size_t s = 0; suites[s] && !found; s++)
			for (const struct test *t = suites[s]->tests; t->name && !found; t++)
				found = is_named(argv[i], suites[s]->name, t->name);
		if (!found)
			return argv[i];
	}
	return NULL;
}

static int list_tests(const char *layer, const struct suite *const *suites)
{
	for (; *suites; suites++)
		for (const struct test *t = (*suites)->tests; t->name; t++)
			printf("%s/%s/%s\n", layer, (*suites)->name, t->name);
	return 0;
}

/* `count` jobs that are not started; never freed. */
static struct job *new_jobs(size_t count)
{
	struct job *jobs = calloc(count + 1, sizeof *jobs);
	struct tally *tallies = mmap(NULL, (count + 1) * sizeof *tallies, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (!jobs || tallies == MAP_FAILED)
		abort();
	for (size_t i = 0; i < count; i++)
		jobs[i].tally = &tallies[i];
	return jobs;
}

static int tell_layer(const char *layer, const struct job *jobs, size_t count)
{
	struct tally sum = { 0 };

	for (size_t i = 0; i < count; i++) {
		sum.passed += jobs[i].tally->passed;
		sum.failed += jobs[i].tally->failed;
		sum.skipped += jobs[i].tally->skipped;
	}
	printf("%s: %u passed, %u failed, %u skipped\n", layer, sum.passed, sum.failed, sum.skipped);
	return sum.failed || !count;
}

static size_t add_suites(const struct suite **all, size_t count, const struct suite *const *suites)
{
	for (; *suites; suites++) {
		if (count == SUITES_MOST)
			abort();
		all[count++] = *suites;
	}
	return count;
}

int check_run(const char *layer, const struct suite *const *suites, int argc, char **argv)
{
	struct job *jobs;
	static const struct suite *all[SUITES_MOST + 1];
	size_t count = add_suites(all, 0, suites);

	if (check_more)
		count = add_suites(all, count, check_more());
	suites = all;
	if (argc == 2 && !strcmp(argv[1], "--list"))
		return list_tests(layer, suites);
	const char *unknown = unknown_name(suites, argc, argv);
	if (unknown) {
		printf("%s: no suite or test is named %s; --list lists them\n", layer, unknown);
		return 1;
	}
	process_started_as(argv[0]);
	environment_clean();
	setvbuf(stdout, NULL, _IOLBF, 0);
	jobs = new_jobs(count);
	count = wanted_suites(suites, jobs, argc, argv);
	now.names_tests = argc > 1;
	if (count == 1)
		run_suite(jobs->suite, jobs->tally, argc, argv);
	else
		run_jobs(jobs, count, side_by_side(), argc, argv);
	int status = tell_layer(layer, jobs, count);
	free(jobs);
	return status;
}
