/*
 * What lint names in whole streams, each read by a person: tests/streams/lint.tsv for our own, tests/streams/lint_shared.tsv for the shared
 * ones (WEIR_STREAMS; skipped if absent). Dialect, protocol and status are those of cases.tsv.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/tape.h"
#include "support/cases.h"
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
		.asked = tape_asked(tape), .untimed = tape_is_plain(tape), .tap = lint_tap(lint),
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

struct expectation { struct list rules; bool all; }; /* all: each stream has a row */

static void check_case(void *expectation, const struct stream_case *c)
{
	const struct expectation *e = expectation;
	struct str rules = list_find(&e->rules, c->name);
	struct buf names = { 0 };

	CHECK(rules.len || !e->all, "%s has no row", c->path);
	if (!rules.len)
		return;
	lint_stream_file(c->path, c->protocol, c->dialect, c->status, &names);
	check_names(c->path, rules, buf_str(&names));
	buf_fini(&names);
}

static void in_our_streams(void)
{
	struct expectation e = { .all = false };

	CU_ASSERT_FATAL(list_read(&e.rules, "tests/streams/lint.tsv"));
	cases_of_own(check_case, &e);
	buf_fini(&e.rules.text);
}

static void in_the_shared_streams(void)
{
	struct expectation e = { .all = true };

	CU_ASSERT_FATAL(list_read(&e.rules, "tests/streams/lint_shared.tsv"));
	cases_of_shared(check_case, &e);
	buf_fini(&e.rules.text);
}

const struct suite suite_lint_streams = { "lint_streams", (const struct test[]){ TEST(in_our_streams), TEST(in_the_shared_streams), { 0 } } };
