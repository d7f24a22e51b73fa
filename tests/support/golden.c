#include "support/golden.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"

#define LIMIT ((size_t)1 << 20)

static void write_golden(const char *path, struct str text)
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

void golden_check(const char *name, struct str text)
{
	char path[256];
	struct buf expected;
	struct error err = { "" };

	snprintf(path, sizeof path, "tests/golden/%s.txt", name);
	if (getenv("WEIR_GOLDEN_WRITE")) {
		write_golden(path, text);
		return;
	}
	buf_init(&expected, LIMIT);
	bool read = buf_read_file(&expected, path, &err), equal = read && str_equal(buf_str(&expected), text);
	if (!read)
		printf("\n%s\n", err.text);
	else if (!equal)
		tell_difference(path, text, buf_str(&expected));
	CHECK(equal, "%s is not drawn as it was; if it should be so: make golden", name);
	buf_fini(&expected);
}
