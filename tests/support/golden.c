#include "support/golden.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"

#define LIMIT ((size_t)1 << 20)

static void write_anew(const char *path, struct str text)
{
	FILE *file = fopen(path, "w");
	bool written = file && fwrite(text.ptr, 1, text.len, file) == text.len;
	written = (!file || fclose(file) == 0) && written;
	CHECK(written, "%s cannot be written", path);
}

static void tell_difference(const char *path, struct str text, struct str expected)
{
	struct str a = STR(""), b = STR(""), all = text;
	unsigned row = 0;
	do {
		row++;
		bool more = str_split(&text, '\n', &a), expects = str_split(&expected, '\n', &b);
		if (!more && !expects)
			break;
		a = more ? a : STR("(no such row)");
		b = expects ? b : STR("(no such row)");
	} while (str_equal(a, b));
	printf("\n%s:%u: drawn    \"%.*s\"\n%s:%u: expected \"%.*s\"\n%.*s", path, row, STR_ARG(a), path, row, STR_ARG(b), STR_ARG(all));
}

static bool read_expected(const char *path, struct buf *expected, struct error *err)
{
	buf_init(expected, LIMIT);
	return buf_read_file(expected, path, err);
}

static const char *path_of_golden(const char *name)
{
	static char path[256];
	snprintf(path, sizeof path, "tests/golden/%s.txt", name);
	return path;
}

bool golden_is_written(void)
{
	return getenv("WEIR_GOLDEN_WRITE") != NULL;
}

bool golden_matches(const char *name, struct str text)
{
	struct buf expected;
	struct error err = { "" };
	bool equal = read_expected(path_of_golden(name), &expected, &err) && str_equal(buf_str(&expected), text);
	buf_fini(&expected);
	return equal;
}

void golden_check(const char *name, struct str text)
{
	const char *path = path_of_golden(name);
	struct buf expected;
	struct error err = { "" };
	if (golden_is_written()) {
		write_anew(path, text);
		return;
	}
	bool read = read_expected(path, &expected, &err), equal = read && str_equal(buf_str(&expected), text);
	if (!read)
		printf("\n%s\n", err.text);
	else if (!equal)
		tell_difference(path, text, buf_str(&expected));
	CHECK(equal, "%s is drawn as it was; make golden draws it anew", name);
	buf_fini(&expected);
}
