/*
 * The rules of lint, by tests/wire/lint/NAME.txt: streams that break a rule, and streams that keep it. Each row of the table has both.
 *
 *   == RULE... breaks [also=RULE,RULE] [OPTION=VALUE]...      the findings are of these rules, each at least once, and of no others
 *   == RULE... keeps [OPTION=VALUE]...                       there is no finding
 *   body, up to the next ==
 *
 * Options: dialect (generic), protocol (detected), status (200), how (closed), request (JSON without blanks), fits (the dialect that fits
 * best if none is given).
 *
 * In the body: a line "@ MS" begins a read at that time; without one the stream is untimed. "@head NAME: VALUE" adds a header. <CR>, <TAB>, <BOM> and
 * <FF> are bytes. A last line "\" removes the line end before it. Shorthands of openai-chat:
 *
 *   + {DELTA}      a chunk with this delta                 . WORD    a chunk with an empty delta and this finish reason
 *   $ID            the members id, object, created and model, each with a comma
 *   DONE           data: [DONE]                             * N {DELTA}   N chunks
 *
 * and of protocols with typed events: > {"type":"NAME", ...   an event that is named as its type
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "support/check.h"
#include "wire/lint/lint.h"

#define CHUNK_ID "\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m\","
#define RULES_MOST 512
#define READS_MOST 64

struct lint_case {
	const char *file;
	struct str rules, also;
	bool breaks;
	const struct dialect *dialect, *fits; /* fits: NULL: any */
	const struct protocol *protocol;
	int status;
	enum end_how how;
	struct str request;
	struct buf body, headers;
	struct { size_t at; double ms; } reads[READS_MOST];
	size_t read_count;
};

struct result { size_t count[RULES_MOST]; struct buf lines; const struct dialect *fit; };

/* --- reading --- */

static void add_chunk(struct lint_case *c, struct str delta, struct str finish)
{
	buf_add_z(&c->body, "data: {" CHUNK_ID "\"choices\":[{\"index\":0,\"delta\":");
	buf_add(&c->body, delta);
	if (finish.len)
		buf_printf(&c->body, ",\"finish_reason\":\"%.*s\"}]}\n\n", STR_ARG(finish));
	else
		buf_add_z(&c->body, ",\"finish_reason\":null}]}\n\n");
}

static void add_bytes(struct lint_case *c, struct str line)
{
	static const struct { const char *name, *bytes; } tokens[] = {
		{ "<CR>", "\r" }, { "<BOM>", "\xEF\xBB\xBF" }, { "<FF>", "\xFF" }, { "<TAB>", "\t" }, { "$ID", CHUNK_ID },
	};

	while (line.len) {
		size_t i = 0;

		while (i < ARRAY_LEN(tokens) && !str_starts(line, tokens[i].name))
			i++;
		if (i < ARRAY_LEN(tokens))
			buf_add_z(&c->body, tokens[i].bytes);
		else
			buf_add_byte(&c->body, line.ptr[0]);
		line = str_skip(line, i < ARRAY_LEN(tokens) ? strlen(tokens[i].name) : 1);
	}
}

/* The event is named as the type, which is its first member. */
static void add_event(struct lint_case *c, struct str data)
{
	struct str type = str_skip(data, sizeof "{\"type\":\"" - 1);

	CHECK(str_starts(data, "{\"type\":\""), "%s: > %.*s", c->file, STR_ARG(data));
	buf_printf(&c->body, "event: %.*s\ndata: %.*s\n\n", STR_ARG(str_head(type, str_find(type, STR("\"")))), STR_ARG(data));
}

static void add_line(struct lint_case *c, struct str line)
{
	long long number = 0;
	struct str word, rest = str_skip(line, 2);

	if (str_starts(line, "@head ")) {
		buf_printf(&c->headers, "%.*s\n", STR_ARG(str_skip(line, 6)));
	} else if (str_starts(line, "@ ") && str_to_int(rest, &number) && c->read_count < READS_MOST) {
		c->reads[c->read_count].at = c->body.len;
		c->reads[c->read_count++].ms = (double)number;
	} else if (str_starts(line, "+ ")) {
		add_chunk(c, rest, STR_NONE);
	} else if (str_starts(line, ". ")) {
		add_chunk(c, STR("{}"), rest);
	} else if (str_starts(line, "* ") && str_split(&rest, ' ', &word) && str_to_int(word, &number)) {
		while (number-- > 0)
			add_chunk(c, rest, STR_NONE);
	} else if (str_starts(line, "> ")) {
		add_event(c, rest);
	} else if (str_is(line, "DONE")) {
		buf_add_z(&c->body, "data: [DONE]\n\n");
	} else if (str_is(line, "\\")) {
		c->body.len--;
	} else {
		add_bytes(c, line);
		buf_add_byte(&c->body, '\n');
	}
}

static bool read_option(struct lint_case *c, struct str word)
{
	struct str name;
	long long number;

	str_split(&word, '=', &name);
	if (str_is(name, "also"))
		c->also = word;
	else if (str_is(name, "dialect"))
		return (c->dialect = dialect_find(word));
	else if (str_is(name, "fits"))
		return (c->fits = dialect_find(word));
	else if (str_is(name, "protocol"))
		return (c->protocol = protocol_find(word));
	else if (str_is(name, "request"))
		c->request = word;
	else if (str_is(name, "how"))
		return end_how_from(word, &c->how);
	else if (str_is(name, "status") && str_to_int(word, &number))
		c->status = (int)number;
	else
		return false;
	return true;
}

static void read_title(struct lint_case *c, const char *file, struct str title)
{
	struct str word, rest = title;
	bool rules = true, good = true;

	*c = (struct lint_case){ .file = file, .dialect = dialect_find(STR("generic")), .status = 200, .how = END_CLOSED };
	while (str_split(&rest, ' ', &word)) {
		if (rules && (str_is(word, "breaks") || str_is(word, "keeps"))) {
			c->breaks = str_is(word, "breaks");
			c->rules = str_trim(str_head(title, (size_t)(word.ptr - title.ptr)));
			rules = false;
		} else if (!rules) {
			good = good && read_option(c, word);
		}
	}
	CHECK(!rules && good, "%s: == %.*s", file, STR_ARG(title));
}

/* --- running --- */

static void take_finding(void *ctx, const struct lint_finding *f)
{
	struct result *r = ctx;

	r->count[lint_rule_index(f->rule)]++;
	buf_printf(&r->lines, "  %s at %zu, %zu: %.*s\n", lint_rule_id(f->rule), f->place.frame, f->place.offset, STR_ARG(f->message));
	CHECK(f->message.len && (!str_ends(f->message, ".") || str_ends(f->message, "...")), "%.*s", STR_ARG(f->message));
}

static void discard(void *ctx, const struct delta *delta)
{
	(void)ctx, (void)delta;
}

static void give_head(const struct lint_case *c, struct stream *stream)
{
	struct response_header headers[16];
	struct response_head head = { .status = c->status, .headers = headers };
	struct str lines = buf_str(&c->headers), line, name;

	while (str_split(&lines, '\n', &line) && head.header_count < ARRAY_LEN(headers)) {
		str_split(&line, ':', &name);
		headers[head.header_count++] = (struct response_header){ name, str_trim(line) };
		if (str_is(name, "content-type"))
			head.content_type = str_trim(line);
	}
	if (c->status != 200 || head.header_count)
		stream_head(stream, &head, 0);
}

/* The bytes of one read, in pieces of `size`. */
static void give_bytes(struct stream *stream, struct str bytes, size_t size, double at_ms)
{
	for (; bytes.len; bytes = str_skip(bytes, size))
		stream_body(stream, str_head(bytes, size), at_ms);
}

static void run_case(const struct lint_case *c, const struct dialect *dialect, size_t size, struct result *r)
{
	struct lint *lint = lint_new(&(struct lint_options){ .dialect = dialect, .request = c->request }, take_finding, r);
	struct stream_options options = {
		.protocol = c->protocol, .dialect = c->dialect, .untimed = !c->read_count, .tap = lint_tap(lint),
	};
	struct stream *stream = stream_new(&options, discard, NULL);
	struct str body = buf_str(&c->body);
	double at_ms = 0;

	give_head(c, stream);
	give_bytes(stream, str_head(body, c->read_count ? c->reads[0].at : body.len), size, 0);
	for (size_t i = 0; i < c->read_count; i++) {
		size_t end = i + 1 < c->read_count ? c->reads[i + 1].at : body.len;

		at_ms = c->reads[i].ms;
		give_bytes(stream, str_skip(str_head(body, end), c->reads[i].at), size, at_ms);
	}
	stream_end(stream, c->how, at_ms);
	for (size_t i = 0; lint_rule_at(i); i++)
		CHECK(lint_count(lint, lint_rule_at(i)) >= r->count[i], "%s", lint_rule_id(lint_rule_at(i)));
	r->fit = lint_fit(lint);
	stream_free(stream);
	lint_free(lint);
}

static bool names(struct str list, char separator, const char *id)
{
	struct str word;

	while (str_split(&list, separator, &word))
		if (str_is(word, id))
			return true;
	return false;
}

static void check_result(const struct lint_case *c, const struct result *r)
{
	for (size_t i = 0; lint_rule_at(i); i++) {
		const char *id = lint_rule_id(lint_rule_at(i));
		bool expected = c->breaks && (names(c->rules, ' ', id) || names(c->also, ',', id));

		CHECK(expected == (r->count[i] > 0), "%s: == %.*s: %s is %s; found:\n%s", c->file, STR_ARG(c->rules), id,
		      expected ? "not named" : "named", buf_z(&r->lines));
	}
}

/* Timing looks at reads, so a timed stream is not cut in other ways. */
static void check_case(const struct lint_case *c)
{
	static const size_t sizes[] = { SIZE_MAX, 1, 7 };

	for (size_t i = 0; i < (c->read_count ? 1 : ARRAY_LEN(sizes)); i++) {
		struct result r = { 0 };

		run_case(c, c->dialect, sizes[i], &r);
		check_result(c, &r);
		CHECK(r.fit == c->dialect, "%s: == %.*s", c->file, STR_ARG(c->rules));
		buf_fini(&r.lines);
	}
	if (!c->fits)
		return;
	struct result all = { 0 };
	run_case(c, NULL, SIZE_MAX, &all);
	CHECK(all.fit == c->fits, "%s: == %.*s: %s fits best", c->file, STR_ARG(c->rules), all.fit->name);
	buf_fini(&all.lines);
}

struct seen { bool breaks[RULES_MOST], keeps[RULES_MOST]; };

static void note_case(const struct lint_case *c, struct seen *seen)
{
	struct str rest = c->rules, word;

	while (str_split(&rest, ' ', &word)) {
		const struct lint_rule *rule = lint_rule_find(word);

		CHECK(rule != NULL, "%s: there is no rule %.*s", c->file, STR_ARG(word));
		if (rule)
			*(c->breaks ? &seen->breaks[lint_rule_index(rule)] : &seen->keeps[lint_rule_index(rule)]) = true;
	}
}

static void end_case(struct lint_case *c, struct seen *seen)
{
	check_case(c);
	note_case(c, seen);
	buf_fini(&c->body);
	buf_fini(&c->headers);
}

static void run_file(const char *file, struct seen *seen)
{
	struct buf text = { 0 };
	struct lint_case c;
	struct error err;
	struct str line;
	bool open = false;

	CHECK(buf_read_file(&text, file, &err), "%s", err.text);
	struct str rest = buf_str(&text);
	while (str_split(&rest, '\n', &line)) {
		if (str_starts(line, "== ")) {
			if (open)
				end_case(&c, seen);
			read_title(&c, file, str_skip(line, 3));
			open = true;
		} else if (open && !str_starts(line, "# ")) {
			add_line(&c, line);
		}
	}
	if (open)
		end_case(&c, seen);
	buf_fini(&text);
}

static void every_rule_has_streams_that_break_and_keep_it(void)
{
	struct seen seen = { 0 };
	glob_t found;

	CU_ASSERT_FATAL(glob("tests/wire/lint/*.txt", 0, NULL, &found) == 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		run_file(found.gl_pathv[i], &seen);
	globfree(&found);
	for (size_t i = 0; lint_rule_at(i); i++)
		CHECK(seen.breaks[i] && seen.keeps[i], "%s: no stream %s it", lint_rule_id(lint_rule_at(i)), seen.breaks[i] ? "keeps" : "breaks");
}

static void rows_are_complete(void)
{
	const struct lint_rule *rule;

	for (size_t i = 0; (rule = lint_rule_at(i)); i++) {
		const char *id = lint_rule_id(rule);
		size_t protocols = 0, dialects = 0;

		CU_ASSERT(i < RULES_MOST);
		CU_ASSERT_PTR_EQUAL(lint_rule_find(str_from(id)), rule);
		CU_ASSERT_EQUAL(lint_rule_index(rule), i);
		CHECK(strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(id), "%s", id);
		CHECK(*lint_rule_promise(rule) && !str_ends(str_from(lint_rule_promise(rule)), "."), "%s", id);
		CHECK(*lint_rule_source(rule), "%s", id);
		CHECK(lint_rule_severity(rule) != LINT_BREAKS_CLIENTS || lint_rule_breaks(rule), "%s: which clients?", id);
		for (size_t p = 0; protocol_at(p); p++)
			protocols += lint_rule_is_of(rule, protocol_at(p));
		for (size_t d = 0; dialect_at(d); d++)
			dialects += lint_rule_holds(rule, dialect_at(d));
		CHECK(protocols && dialects, "%s", id);
	}
	for (size_t d = 0; dialect_at(d); d++)
		CHECK(lint_rule_holds(lint_rule_find(STR("utf8")), dialect_at(d)), "%s has no name in LINT_DIALECTS", dialect_at(d)->name);
}

/* A rule that is named after a gateway is of that one only: a finding would name a gateway that the stream is not of. */
static void gateways_keep_their_names(void)
{
	const struct lint_rule *rule;

	for (size_t i = 0; (rule = lint_rule_at(i)); i++)
		for (size_t named = 0; dialect_at(named); named++)
			for (size_t d = 0; str_starts(str_from(lint_rule_id(rule)), dialect_at(named)->name) && dialect_at(d); d++)
				CHECK(lint_rule_holds(rule, dialect_at(d)) == (d == named), "%s is promised by %s", lint_rule_id(rule), dialect_at(d)->name);
}

const struct suite suite_lint = { "lint", (const struct test[]){
	TEST(every_rule_has_streams_that_break_and_keep_it), TEST(rows_are_complete), TEST(gateways_keep_their_names), { 0 } } };
