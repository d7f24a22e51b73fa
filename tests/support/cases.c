#include "support/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/check.h"

#define LIST_LIMIT (1 << 20)

static void test_line(const char *folder, struct str line, stream_case_test *test, void *ctx)
{
	struct str column[4] = { { 0 } };
	long long status = 200;
	char path[600];

	for (size_t i = 0; i < 4; i++)
		str_split(&line, '\t', &column[i]);
	str_to_int(str_trim(column[3]), &status);
	snprintf(path, sizeof path, "%s/%.*s", folder, STR_ARG(column[0]));
	test(ctx, &(struct stream_case){ folder, path, column[0], column[1], column[2], (int)status });
}

static size_t cases_in(const char *folder, const char *list, stream_case_test *test, void *ctx)
{
	char path[600];
	struct str rest, line;
	struct buf text;
	struct error err;
	size_t count = 0;

	snprintf(path, sizeof path, "%s/%s", folder, list);
	if (access(path, R_OK)) {
		char reason[700];

		snprintf(reason, sizeof reason, "no streams: %s is absent", path);
		check_skip(reason);
		return 0;
	}
	buf_init(&text, LIST_LIMIT);
	CHECK(buf_read_file(&text, path, &err), "%s", err.text);
	for (rest = buf_str(&text); str_split(&rest, '\n', &line);) {
		if (str_is_blank(line) || str_starts(line, "#"))
			continue;
		test_line(folder, line, test, ctx);
		count++;
	}
	buf_fini(&text);
	return count;
}

size_t cases_of_own(stream_case_test *test, void *ctx)
{
	return cases_in("tests/streams", "cases.tsv", test, ctx);
}

const char *cases_shared_folder(void)
{
	const char *folder = getenv("WEIR_STREAMS");

	return folder ? folder : access("../shared/streams-2", R_OK) ? "../shared/streams" : "../shared/streams-2";
}

size_t cases_of_shared(stream_case_test *test, void *ctx)
{
	return cases_in(cases_shared_folder(), "expected/cases.tsv", test, ctx);
}
