/*
 * What lint names in whole streams, each read by a person: tests/streams/lint.tsv for our own, tests/streams/lint_shared.tsv for the shared
 * ones (WEIR_STREAMS; skipped if absent). Dialect, protocol and status are those of cases.tsv.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/tape.h"
#include "support/check.h"
#include "wire/lint/lint.h"

#define FILE_LIMIT ((size_t)4 << 20)

struct list { struct buf text; };

static bool list_read(struct list *list, const char *path)
{
	struct error err;

	buf_init(&list->text, FILE_LIMIT);
	return buf_read_file(&list->text, path, &err);
}

/* The rest of the line that begins with this path; STR_NONE if there is none. */
static struct str list_find(const struct list *list, struct str path)
{
	struct str rest = buf_str(&list->text), line, first;

	while (str_split(&rest, '\n', &line))
		if (str_split(&line, '\t', &first) && str_equal(first, path))
			return line;
	return STR_NONE;
}

static void take_finding(void *ctx, const struct lint_finding *f)
{
	struct buf *names = ctx;
	char name[64];

	snprintf(name, sizeof name, " %s ", lint_rule_id(f->rule));
	if (str_find(buf_str(names), str_from(name)) == names->len)
		buf_printf(names, "%s", name);
}

static void discard(void *ctx, const struct delta *delta)
{
	(void)ctx, (void)delta;
}

/* The rules that are named, each between blanks. */
static void lint_stream_file(const char *path, struct str protocol, struct str dialect, int status, struct buf *names)
{
	struct tape *tape;
	struct error err;
	bool opened = tape_open(&tape, path, &err);

	CHECK(opened, "%s", err.text);
	if (!opened)
		return;
	struct lint_options lint_options = { .dialect = dialect_find(dialect), .request = tape_facts(tape)->request };
	struct lint *lint = lint_new(&lint_options, take_finding, names);
	struct stream_options options = {
		.protocol = status != 200 ? protocol_find(protocol) : protocol_find(tape_facts(tape)->protocol), .dialect = lint_options.dialect,
		.single_choice = tape_single_choice(tape), .untimed = tape_is_plain(tape), .tap = lint_tap(lint),
	};
	struct stream *stream = stream_new(&options, discard, NULL);
	tape_feed(tape, stream, status, NULL, NULL);
	stream_free(stream);
	lint_free(lint);
	tape_free(tape);
}

/* `expected`: rules between single blanks, or "-". */
static void check_names(const char *path, struct str expected, struct str names)
{
	struct str rest = str_is(expected, "-") ? STR_NONE : expected, word;
	size_t count = 0, found = 0;

	while (str_split(&rest, ' ', &word)) {
		char name[64];

		snprintf(name, sizeof name, " %.*s ", STR_ARG(word));
		CHECK(str_find(names, str_from(name)) < names.len, "%s: %.*s is not named; found:%.*s", path, STR_ARG(word), STR_ARG(names));
		count++;
	}
	for (rest = names; str_split(&rest, ' ', &word);)
		found += word.len > 0;
	CHECK(found == count, "%s: expected %.*s; found:%.*s", path, STR_ARG(expected), STR_ARG(names));
}

static void check_case(const char *folder, struct str line, const struct list *expected, bool all)
{
	struct str column[4] = { { 0 } };
	struct buf names = { 0 };
	char path[600];
	long long status = 200;

	for (size_t i = 0; i < 4; i++)
		str_split(&line, '\t', &column[i]);
	struct str rules = list_find(expected, column[0]);
	str_to_int(str_trim(column[3]), &status);
	snprintf(path, sizeof path, "%s/%.*s", folder, STR_ARG(column[0]));
	CHECK(rules.len || !all, "%s has no row", path);
	if (!rules.len)
		return;
	lint_stream_file(path, column[1], column[2], (int)status, &names);
	check_names(path, rules, buf_str(&names));
	buf_fini(&names);
}

/* `all`: each stream has a row in `expected`. */
static void check_folder(const char *folder, const char *cases_name, const char *expected_name, bool all)
{
	struct list cases, expected;
	struct str rest, line;
	char path[600];

	snprintf(path, sizeof path, "%s/%s", folder, cases_name);
	if (access(path, R_OK)) {
		check_skip("no streams: their list is absent");
		return;
	}
	CU_ASSERT_FATAL(list_read(&cases, path) && list_read(&expected, expected_name));
	for (rest = buf_str(&cases.text); str_split(&rest, '\n', &line);)
		if (!str_is_blank(line) && !str_starts(line, "#"))
			check_case(folder, line, &expected, all);
	buf_fini(&cases.text);
	buf_fini(&expected.text);
}

static void in_our_streams(void)
{
	check_folder("tests/streams", "cases.tsv", "tests/streams/lint.tsv", false);
}

static void in_the_shared_streams(void)
{
	const char *folder = getenv("WEIR_STREAMS");

	check_folder(folder ? folder : "../shared/streams", "expected/cases.tsv", "tests/streams/lint_shared.tsv", true);
}

const struct suite suite_lint_streams = { "lint_streams", (const struct test[]){ TEST(in_our_streams), TEST(in_the_shared_streams), { 0 } } };
