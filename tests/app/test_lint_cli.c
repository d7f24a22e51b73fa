#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/program.h"
#include "base/json.h"
#include "support/check.h"
#include "support/pty.h"
#include "wire/lint/lint.h"

#define CHUNK(delta, finish) \
	"data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m\"," \
	"\"choices\":[{\"index\":0,\"delta\":" delta ",\"finish_reason\":" finish "}]}\n\n"
#define CLEAN CHUNK("{\"role\":\"assistant\",\"content\":\"\"}", "null") CHUNK("{\"content\":\"Hi\"}", "null") CHUNK("{}", "\"stop\"") "data: [DONE]\n\n"
#define NO_DONE CHUNK("{\"role\":\"assistant\"}", "null") CHUNK("{}", "\"stop\"")
#define RUNTIME \
	"data: {\"id\":\"stream:chat:1\",\"object\":\"chat.completion\",\"created\":1773042793,\"model\":\"\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":null}]}\n\n" \
	"data: {\"id\":\"stream:chat:1\",\"object\":\"chat.completion\",\"created\":1773042794,\"model\":\"\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"},\"finish_reason\":\"stop\"}]}\n\n"
#define SANSA_TAPE \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"dialect\":\"sansa\",\"request\":{\"model\":\"m\",\"stream\":true}}\n" \
	"{\"t\":5,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\",\"headers\":{\"content-encoding\":\"gzip\",\"set-cookie\":\"x\"}}}\n" \
	"{\"t\":12.5,\"body\":\"data: {\\\"id\\\":\\\"c\\\",\\\"object\\\":\\\"chat.completion.chunk\\\",\\\"created\\\":1,\\\"model\\\":\\\"m\\\",\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"role\\\":\\\"assistant\\\"},\\\"finish_reason\\\":\\\"stop\\\"}]}\\n\\ndata: [DONE]\\n\\n\"}\n" \
	"{\"t\":13,\"end\":\"closed\"}\n"

/* Runs lint on a file with this content; `args` follow the file. Returns the exit status. */
static int lint(struct program *p, const char *content, const char *const *options)
{
	const char *args[10] = { "lint", folder_file("x.sse", content) };

	for (size_t i = 0; options[i]; i++)
		args[i + 2] = options[i];
	return program_run(p, STR_NONE, args, NULL);
}

static bool says(const struct program *p, const char *words)
{
	return str_find(buf_str(&p->output), str_from(words)) < p->output.len;
}

static void findings_are_exit_1_and_none_exit_0(void)
{
	struct program p;

	CU_ASSERT_EQUAL(lint(&p, CLEAN, ARGS(NULL)), 0);
	CHECK(says(&p, "x.sse: openai-chat: no findings\n  best fit generic"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, NO_DONE, ARGS(NULL)), 1);
	CHECK(says(&p, "1 finding\n") && says(&p, "  breaks the promise\n    no-done: A stream ends with data: [DONE] (sansa, SSE Format"),
	      "%s", buf_z(&p.output));
	CHECK_STR(buf_str(&p.errors), "");
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR(NO_DONE), ARGS("lint", "-"), NULL), 1);
	CHECK(says(&p, "standard input: openai-chat"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

static void the_best_fit_is_named_and_counts(void)
{
	struct program p;

	CU_ASSERT_EQUAL(lint(&p, RUNTIME, ARGS(NULL)), 0);
	CHECK(says(&p, "best fit runtime; nothing against it. Rules against the others: sansa "), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, RUNTIME "data: [DONE]\n\n", ARGS(NULL)), 1);
	CHECK(says(&p, "best fit runtime; against it: runtime-done"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, RUNTIME, ARGS("--dialect", "runtime")), 0);
	CHECK(says(&p, "x.sse: openai-chat, runtime: no findings\n") && !says(&p, "best fit"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, RUNTIME, ARGS("--dialect", "aivene")), 1);
	CHECK(says(&p, "no-done") && says(&p, "object is chat.completion") && !says(&p, "runtime-"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

/* A dialect of the settings, by the option and as a tape names it. It is never guessed. */
static void a_dialect_of_ones_own_is_known(void)
{
	struct program p;
	const char *conf = folder_file("w.conf", "[dialect house]\nlike = sansa\nsends_done = no\n"), *bad = folder_file("bad.conf", "[dialect house]\nlike = no\n");
	struct buf tape = { 0 };

	CU_ASSERT_EQUAL(lint(&p, NO_DONE, ARGS("--config", conf, "--dialect", "house")), 1);
	CHECK(says(&p, "x.sse: openai-chat, house: ") && says(&p, "usage-always") && !says(&p, "no-done"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, NO_DONE, ARGS("--config", conf)), 1);
	CHECK(says(&p, "no-done") && !says(&p, "house"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, NO_DONE, ARGS("--config", bad, "--dialect", "house")), 2);
	CHECK(str_find(buf_str(&p.errors), STR("bad.conf:2: like = no")) < p.errors.len, "%s", buf_z(&p.errors));
	program_free(&p);
	buf_add_z(&tape, SANSA_TAPE);
	size_t at = str_find(buf_str(&tape), STR("sansa"));
	memcpy(tape.ptr + at, "house", 5);
	CU_ASSERT_EQUAL(lint(&p, buf_z(&tape), ARGS("--config", conf)), 1);
	CHECK(says(&p, "x.sse: openai-chat, house: "), "%s", buf_z(&p.output));
	program_free(&p);
	buf_fini(&tape);
	folder_remove();
}

/* The tape's own dialect and request are checked, and of its head the headers that say how the body was sent. */
static void a_tape_names_its_dialect(void)
{
	struct program p;

	CU_ASSERT_EQUAL(lint(&p, SANSA_TAPE, ARGS(NULL)), 1);
	CHECK(says(&p, "x.sse: openai-chat, sansa: 2 findings\n") && says(&p, "usage-always") && says(&p, "5.0 ms: content-encoding is gzip\n"), "%s",
	      buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, SANSA_TAPE, ARGS("--dialect", "generic")), 1);
	CHECK(says(&p, "1 finding\n"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

static void check_finding(const struct json *finding)
{
	static const char *const texts[] = { "file", "rule", "severity", "message", "promise", "source" };
	int64_t number;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		CHECK(json_get_text(finding, texts[i]).len, "%s", texts[i]);
	CU_ASSERT(json_count(json_get(finding, "frame"), &number) && number == 2);
	CU_ASSERT(json_count(json_get(finding, "offset"), &number) && number == (int64_t)strlen(NO_DONE));
	CU_ASSERT_EQUAL(json_kind(json_get(finding, "t")), JSON_NULL);
}

static void json_is_an_array_a_file(void)
{
	struct json_parser *parser = json_parser_new();
	struct program p;
	struct str rest, line;
	size_t used;

	char first[300], second[300];

	snprintf(first, sizeof first, "%s", folder_file("a.sse", NO_DONE));
	snprintf(second, sizeof second, "%s", folder_file("b.sse", CLEAN));
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "--json", first, second), NULL), 1);
	rest = buf_str(&p.output);
	CU_ASSERT(str_split(&rest, '\n', &line));
	const struct json *value = json_parse(parser, line, &used);
	CU_ASSERT_EQUAL(json_length(value), 1);
	CHECK_STR(json_get_text(json_at(value, 0), "rule"), "no-done");
	CHECK_STR(json_get_text(json_at(value, 0), "severity"), "breaks-promise");
	check_finding(json_at(value, 0));
	CHECK_STR(json_get_text(json_at(value, 0), "file"), first);
	CHECK_STR(rest, "[]\n");
	program_free(&p);
	json_parser_free(parser);
	folder_remove();
}

/* What the schema of SARIF 2.1.0 requires of a result, and what it says about its rule. */
static void check_sarif_result(const struct json *result, const struct json *rules)
{
	static const char *const levels[] = { "error", "warning", "note" };
	const struct json *place = json_get(json_at(json_get(result, "locations"), 0), "physicalLocation");
	struct str id = json_get_text(result, "ruleId"), level = json_get_text(result, "level");
	int64_t number = -1;
	bool known = false;

	for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
		known |= str_is(level, levels[i]);
	CHECK(known, "%.*s", STR_ARG(level));
	CU_ASSERT(json_count(json_get(result, "ruleIndex"), &number));
	const struct json *rule = json_at(rules, (size_t)number);
	CHECK(id.len && str_equal(json_get_text(rule, "id"), id), "%.*s", STR_ARG(id));
	CHECK(str_equal(json_text(json_find(rule, "defaultConfiguration.level")), level), "%.*s", STR_ARG(id));
	CHECK(json_text(json_find(result, "message.text")).len > 0, "%.*s", STR_ARG(id));
	CHECK(str_starts(json_text(json_find(place, "artifactLocation.uri")), "file:///"), "%.*s", STR_ARG(id));
	CHECK(json_count(json_find(place, "region.startLine"), &number) && number > 0, "%.*s", STR_ARG(id));
	if (json_find(place, "region.byteOffset"))
		CU_ASSERT(json_count(json_find(place, "region.byteLength"), &number));
	const struct json *prints = json_get(result, "partialFingerprints");
	CHECK(json_get_text(prints, "weirFinding/v1").len == 32, "%.*s", STR_ARG(id));
}

/* Members of findings, joined with LF: a member of the nth result, for all of them. */
static void join_fingerprints(const struct json *results, struct buf *out)
{
	for (size_t i = 0; i < json_length(results); i++) {
		const struct json *prints = json_get(json_at(results, i), "partialFingerprints");

		buf_printf(out, "%.*s\n", STR_ARG(json_get_text(prints, "weirFinding/v1")));
	}
}

static void lint_fingerprints(const char *path, struct buf *out)
{
	struct json_parser *parser = json_parser_new();
	struct program p;
	size_t used;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "--sarif", path), NULL), 1);
	const struct json *log = json_parse(parser, buf_str(&p.output), &used);
	join_fingerprints(json_get(json_at(json_get(log, "runs"), 0), "results"), out);
	program_free(&p);
	json_parser_free(parser);
}

#define THRICE CHUNK("{\"content\":7}", "null") CHUNK("{\"content\":7}", "null") CHUNK("{\"content\":7}", "null") CHUNK("{}", "\"stop\"") "data: [DONE]\n\n"
#define TWO_NUMBERS CHUNK("{\"role\":\"assistant\"}", "null") CHUNK("{\"content\":7}", "null") CHUNK("{\"content\":7}", "null") CHUNK("{}", "\"stop\"")

/* A finding is the same when its file moved, or something was put before it; two in a file are never the same. */
static void sarif_knows_a_finding_again(void)
{
	struct buf first = { 0 }, later = { 0 };
	struct str rest, line, other;

	lint_fingerprints(folder_file("x.sse", TWO_NUMBERS "data: [DONE]\n\n"), &first);
	rest = buf_str(&first);
	CU_ASSERT(str_split(&rest, '\n', &line) && str_split(&rest, '\n', &other) && !str_equal(line, other));
	folder_remove();
	folder_file("notes.md", "");
	lint_fingerprints(folder_file("x.sse", ": a comment\n\n" TWO_NUMBERS "data: [DONE]\n\n"), &later);
	CHECK_STR(buf_str(&later), buf_z(&first));
	buf_clear(&later);
	lint_fingerprints(folder_file("y.sse", TWO_NUMBERS "data: [DONE]\n\n"), &later);
	CHECK(later.len == first.len && !str_equal(buf_str(&first), buf_str(&later)), "%s", buf_z(&later));
	buf_fini(&first);
	buf_fini(&later);
	folder_remove();
}

/* The lines of the findings of one rule in a file with this content, parted by blanks. */
static void lint_lines(const char *name, const char *content, const char *rule, struct buf *out)
{
	struct json_parser *parser = json_parser_new();
	struct program p;
	size_t used;
	int64_t line;

	buf_clear(out);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "--sarif", folder_file(name, content)), NULL), 1);
	const struct json *log = json_parse(parser, buf_str(&p.output), &used);
	const struct json *results = json_get(json_at(json_get(log, "runs"), 0), "results");
	for (size_t i = 0; i < json_length(results); i++) {
		const struct json *place = json_get(json_at(json_get(json_at(results, i), "locations"), 0), "physicalLocation");

		if (str_is(json_get_text(json_at(results, i), "ruleId"), rule) && json_count(json_find(place, "region.startLine"), &line))
			buf_printf(out, "%s%d", out->len ? " " : "", (int)line);
	}
	program_free(&p);
	json_parser_free(parser);
}

/* Of a body that of the frame, of a tape that of its read, of an archive that of its text. */
static void sarif_names_the_line_of_the_file(void)
{
	struct buf lines = { 0 };

	lint_lines("x.sse", TWO_NUMBERS "data: [DONE]\n\n", "content-type-of", &lines);
	CHECK_STR(buf_str(&lines), "3 5");
	lint_lines("x.sse", NO_DONE, "no-done", &lines);
	CHECK_STR(buf_str(&lines), "4");
	lint_lines("x.tape", SANSA_TAPE, "compression", &lines);
	CHECK_STR(buf_str(&lines), "2");
	lint_lines("x.tape", SANSA_TAPE, "usage-always", &lines);
	CHECK_STR(buf_str(&lines), "4");
	lint_lines("x.har", "{\"log\":{\"entries\":[\n{\"response\":{\"status\":200,\n\"content\":{\"text\":\n"
		"\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"x\\\"},\\\"finish_reason\\\":\\\"stop\\\"}]}\\n\\n\"\n}}}]}}", "no-done", &lines);
	CHECK_STR(buf_str(&lines), "4");
	buf_fini(&lines);
	folder_remove();
}

/* --- which findings are told --- */

static void ignored_rules_are_left_out(void)
{
	struct program p;

	CU_ASSERT_EQUAL(lint(&p, TWO_NUMBERS, ARGS("--ignore", "no-done")), 1);
	CHECK(says(&p, "2 findings (1 ignored)\n") && says(&p, "content-type-of") && !says(&p, "no-done"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, TWO_NUMBERS, ARGS("--ignore", "no-done,content-type-of")), 0);
	CHECK(says(&p, "no findings (3 ignored)\n"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, TWO_NUMBERS, ARGS("--ignore", "no-done", "--ignore", "content-type-of", "--json")), 0);
	CHECK_STR(buf_str(&p.output), "[]\n");
	program_free(&p);
	folder_remove();
}

static void only_what_is_severe_enough_fails(void)
{
	struct program p;

	CU_ASSERT_EQUAL(lint(&p, NO_DONE, ARGS("--fail-on", "breaks-clients")), 0);
	CHECK(says(&p, "1 finding\n") && says(&p, "no-done"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, NO_DONE, ARGS("--fail-on", "breaks-promise")), 1);
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, NO_DONE, ARGS("--fail-on", "unusual")), 1);
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, TWO_NUMBERS, ARGS("--fail-on", "breaks-clients")), 1);
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, TWO_NUMBERS, ARGS("--fail-on", "breaks-clients", "--ignore", "content-type-of")), 0);
	program_free(&p);
	folder_remove();
}

static void quiet_says_it_by_its_status(void)
{
	static const char *const forms[] = { NULL, "--json", "--sarif" };
	struct program p;

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		CU_ASSERT_EQUAL(lint(&p, NO_DONE, ARGS("--quiet", forms[i])), 1);
		CHECK(!p.output.len && !p.errors.len, "%s%s", buf_z(&p.output), buf_z(&p.errors));
		program_free(&p);
		CU_ASSERT_EQUAL(lint(&p, CLEAN, ARGS("-q", forms[i])), 0);
		CHECK(!p.output.len && !p.errors.len, "%s%s", buf_z(&p.output), buf_z(&p.errors));
		program_free(&p);
	}
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "-q", "/nowhere/x.sse"), NULL), 2);
	CHECK(!p.output.len && p.errors.len, "%s", buf_z(&p.errors));
	program_free(&p);
	folder_remove();
}

/* Makes base.out of what lint names now in a.sse and b.sse of the folder. */
static void make_baseline(const char *a, const char *b)
{
	struct program p;

	folder_file("a.sse", a);
	folder_file("b.sse", b);
	program_run(&p, STR_NONE, ARGS("lint", "--json", folder_path()), NULL);
	folder_file("base.out", buf_z(&p.output));
	program_free(&p);
}

static int lint_against(struct program *p)
{
	char base[300];

	snprintf(base, sizeof base, "%s/base.out", folder_path());
	return program_run(p, STR_NONE, ARGS("lint", "--baseline", base, folder_path()), NULL);
}

static void known_findings_are_left_out(void)
{
	struct program p;

	make_baseline(TWO_NUMBERS, CLEAN);
	CU_ASSERT_EQUAL(lint_against(&p), 0);
	CHECK(says(&p, "a.sse: openai-chat: no findings (3 known)\n"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_file("a.sse", CHUNK("{\"role\":\"assistant\"}", "null") THRICE); /* once more what is known */
	CU_ASSERT_EQUAL(lint_against(&p), 1);
	CHECK(says(&p, "a.sse: openai-chat: 1 finding (2 known)\n"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_file("a.sse", TWO_NUMBERS);
	folder_file("b.sse", NO_DONE);                               /* the same in another file */
	CU_ASSERT_EQUAL(lint_against(&p), 1);
	CHECK(says(&p, "a.sse: openai-chat: no findings (3 known)\n") && says(&p, "b.sse: openai-chat: 1 finding\n"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

/* What was only counted is known where the baseline has as many as are told. */
static void findings_beyond_those_told_are_known_too(void)
{
	struct buf many = { 0 };
	struct program p;

	for (unsigned i = 0; i < 30; i++)
		buf_add_z(&many, CHUNK("{\"content\":7}", "null"));
	buf_add_z(&many, CLEAN);
	make_baseline(buf_z(&many), CLEAN);
	buf_fini(&many);
	CU_ASSERT_EQUAL(lint_against(&p), 0);
	CHECK(says(&p, "a.sse: openai-chat: no findings (30 known)\n"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

/* All members that are required, in what several files of several protocols and forms have. */
static void sarif_is_whole_for_many_files(void)
{
	struct json_parser *parser = json_parser_new();
	struct program p;
	size_t used, rules = 0;
	char folder[300], cwd[200];

	while (lint_rule_at(rules))
		rules++;
	CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(cwd, sizeof cwd));
	snprintf(folder, sizeof folder, "%s/tests/streams/errors", cwd);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "--sarif", folder, folder_file("b c.sse", NO_DONE)), NULL), 1);
	const struct json *log = json_parse(parser, buf_str(&p.output), &used);
	CHECK(used == p.output.len && str_is(json_get_text(log, "version"), "2.1.0"), "%zu of %zu bytes", used, p.output.len);
	CU_ASSERT(json_get_text(log, "$schema").len > 0 && json_length(json_get(log, "runs")) == 1);
	const struct json *run = json_at(json_get(log, "runs"), 0), *results = json_get(run, "results");
	CU_ASSERT_EQUAL(json_length(json_find(run, "tool.driver.rules")), rules);
	CU_ASSERT(json_length(results) > 1);
	for (size_t i = 0; i < json_length(results); i++)
		check_sarif_result(json_at(results, i), json_find(run, "tool.driver.rules"));
	CHECK(strstr(buf_z(&p.output), "/b%20c.sse\""), "%s", buf_z(&p.output));
	program_free(&p);
	json_parser_free(parser);
	folder_remove();
}

static void sarif_has_what_the_standard_requires(void)
{
	struct json_parser *parser = json_parser_new();
	struct program p;
	size_t used;
	int64_t number;

	CU_ASSERT_EQUAL(lint(&p, NO_DONE, ARGS("--sarif")), 1);
	const struct json *log = json_parse(parser, buf_str(&p.output), &used);
	CHECK_STR(json_get_text(log, "version"), "2.1.0");
	const struct json *run = json_at(json_get(log, "runs"), 0), *result = json_at(json_get(run, "results"), 0);
	CHECK_STR(json_text(json_find(run, "tool.driver.name")), "weir");
	CU_ASSERT_EQUAL(json_length(json_get(run, "results")), 1);
	CHECK_STR(json_get_text(result, "ruleId"), "no-done");
	CHECK_STR(json_get_text(result, "level"), "warning");
	CU_ASSERT(json_count(json_get(result, "ruleIndex"), &number));
	const struct json *rule = json_at(json_find(run, "tool.driver.rules"), (size_t)number);
	CHECK_STR(json_get_text(rule, "id"), "no-done");
	CU_ASSERT(json_text(json_find(rule, "shortDescription.text")).len > 0);
	CU_ASSERT(json_text(json_find(result, "message.text")).len > 0);
	const struct json *place = json_get(json_at(json_get(result, "locations"), 0), "physicalLocation");
	CU_ASSERT(str_ends(json_text(json_find(place, "artifactLocation.uri")), "/x.sse"));
	CU_ASSERT(json_count(json_find(place, "region.byteOffset"), &number) && number == (int64_t)strlen(NO_DONE));
	program_free(&p);
	json_parser_free(parser);
	folder_remove();
}

static void folders_are_walked(void)
{
	struct program p;
	char folder[300];

	folder_file("a.sse", NO_DONE);
	folder_file("notes.md", "not a stream");
	folder_file(".hidden.sse", NO_DONE);
	snprintf(folder, sizeof folder, "%s/inside", folder_path());
	CU_ASSERT_EQUAL(mkdir(folder, 0700), 0);
	folder_file("inside/b.sse", CLEAN);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", folder_path()), NULL), 1);
	CHECK(says(&p, "/a.sse: ") && says(&p, "/inside/b.sse: ") && says(&p, "1 finding in 1 of 2 files\n"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

/* Why it cannot be read is the only message, also after another failure. */
static void a_folder_that_cannot_be_read_is_told_once(void)
{
	struct program p;
	char path[400];
	int len = snprintf(path, sizeof path, "%s", folder_path());

	for (int i = 0; i < 20; i++) {
		len += snprintf(path + len, sizeof path - (size_t)len, "/d");
		CU_ASSERT_EQUAL_FATAL(mkdir(path, 0700), 0);
	}
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", folder_file("missing.sse", NULL), folder_path()), NULL), 2);
	CHECK(strstr(buf_z(&p.errors), "too many folders") && !strstr(buf_z(&p.errors), "has no streams"), "%s", buf_z(&p.errors));
	program_free(&p);
	folder_remove();
}

static void a_folder_without_streams_is_told(void)
{
	struct program p;

	folder_file("notes.md", "not a stream");
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", folder_path()), NULL), 2);
	CHECK(!p.output.len && strstr(buf_z(&p.errors), "has no streams: the names of such files end with .tape, .sse,"), "%s", buf_z(&p.errors));
	program_free(&p);
	folder_remove();
}

static void rules_are_listed_and_explained(void)
{
	struct json_parser *parser = json_parser_new();
	struct program p;
	size_t used, rules = 0;

	while (lint_rule_at(rules))
		rules++;
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "--rules"), NULL), 0);
	for (size_t i = 0; i < rules; i++)
		CHECK(says(&p, lint_rule_id(lint_rule_at(i))), "%s", lint_rule_id(lint_rule_at(i)));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "--rules", "--json"), NULL), 0);
	CU_ASSERT_EQUAL(json_length(json_parse(parser, buf_str(&p.output), &used)), rules);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "--explain", "no-done"), NULL), 0);
	CHECK(says(&p, "no-done: breaks the promise\n\nA stream ends with data: [DONE].\n\nsource: sansa") &&
	      says(&p, "\npromised by: sansa, chuizi, aivene, opentoken, generic\n"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "--explain", "utf8"), NULL), 0);
	CHECK(says(&p, "\nof: every protocol\npromised by: every dialect\n"), "%s", buf_z(&p.output));
	program_free(&p);
	json_parser_free(parser);
}

static void a_failure_of_its_own_is_exit_2(void)
{
	static const struct { const char *args[6]; const char *named; } cases[] = {
		{ { "lint" }, "lint takes saved streams" },
		{ { "lint", "/nowhere/x.sse" }, "/nowhere/x.sse" },
		{ { "lint", "--dialect", "slang", "-" }, "slang" },
		{ { "lint", "--protocol", "smoke", "-" }, "smoke" },
		{ { "lint", "--explain", "no-such-rule" }, "no-such-rule" },
		{ { "lint", "--json", "--sarif", "-" }, "exclude each other" },
		{ { "lint", "--speed", "1", "-" }, "--speed" },
		{ { "lint", "--ignore", "no-done,no-such-rule", "-" }, "no-such-rule" },
		{ { "lint", "--ignore", "", "-" }, "--ignore takes" },
		{ { "lint", "--fail-on", "anything", "-" }, "--fail-on takes breaks-clients, breaks-promise or unusual" },
		{ { "lint", "--baseline", "/nowhere/base.json", "-" }, "/nowhere/base.json" },
		{ { "lint", "--baseline", "tests/streams/cases.tsv", "-" }, "which --baseline takes" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct program p;

		program_run(&p, STR(CLEAN), cases[i].args, NULL);
		CHECK(p.status == 2, "case %zu: %d", i, p.status);
		CHECK(strstr(buf_z(&p.errors), cases[i].named) != NULL, "case %zu: %s", i, buf_z(&p.errors));
		program_free(&p);
	}
	folder_remove();
}

/* A file that cannot be read does not keep the others from being checked. */
static void a_file_that_is_missing_is_told(void)
{
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("lint", "/nowhere/x.sse", folder_file("a.sse", CLEAN)), NULL), 2);
	CHECK(says(&p, "a.sse: openai-chat: no findings"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

static void a_status_makes_an_error_of_a_body(void)
{
	struct program p;

	CU_ASSERT_EQUAL(lint(&p, "{\"error\":{\"message\":\"m\",\"type\":\"t\",\"code\":\"c\"}}", ARGS("--protocol", "openai-chat")), 1);
	CHECK(says(&p, "error-status"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(lint(&p, "{\"error\":{\"message\":\"m\",\"type\":\"t\",\"code\":\"c\"}}", ARGS("--status", "429")), 0);
	program_free(&p);
	folder_remove();
}

static void findings_break_no_word_on_a_terminal(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .arguments = ARGS("lint", "tests/streams/anthropic/after-stop.sse"), .columns = 80 });

	PTY_ENDS(p, 1);
	CU_ASSERT(pty_shows(p, "    anthropic-late: message_stop is the last event (Anthropic API, Streaming"));
	CU_ASSERT(pty_shows(p, "      Messages: Event types: a final message_stop event)"));
	CU_ASSERT(pty_shows(p, "      frame 7, byte 732: an event came after message_stop"));
	pty_free(p);
}

const struct suite suite_lint_cli = { "lint_cli", (const struct test[]){
	TEST(findings_are_exit_1_and_none_exit_0), TEST(the_best_fit_is_named_and_counts), TEST(a_tape_names_its_dialect), TEST(a_dialect_of_ones_own_is_known),
	TEST(json_is_an_array_a_file), TEST(sarif_has_what_the_standard_requires), TEST(sarif_is_whole_for_many_files),
	TEST(sarif_knows_a_finding_again), TEST(sarif_names_the_line_of_the_file), TEST(ignored_rules_are_left_out),
	TEST(only_what_is_severe_enough_fails), TEST(quiet_says_it_by_its_status), TEST(known_findings_are_left_out),
	TEST(findings_beyond_those_told_are_known_too), TEST(a_folder_without_streams_is_told), TEST(a_folder_that_cannot_be_read_is_told_once),
	TEST(folders_are_walked), TEST(rules_are_listed_and_explained),
	TEST(a_failure_of_its_own_is_exit_2), TEST(a_file_that_is_missing_is_told), TEST(a_status_makes_an_error_of_a_body),
	TEST(findings_break_no_word_on_a_terminal), { 0 } } };
