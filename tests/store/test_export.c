#include "store/export/export.h"

#include <fcntl.h>
#include <md4c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/json.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "store/export/export_words.h"
#include "store/import/import.h"
#include "store/maintain/maintain.h"
#include "store/turns.h"
#include "support/check.h"
#include "support/home.h"
#include "wire/protocol/protocol.h"

static char *home;
static struct error err;

/* Opens a history in a folder of the home; it is created if it is not there. */
static struct history *open_store(const char *folder)
{
	struct maintain_result result;
	enum history_status status;
	struct history *h;

	setenv("XDG_DATA_HOME", home_path(home, folder), 1);
	CHECK(history_maintain(&(struct maintain_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	maintain_result_fini(&result);
	h = history_open(0, &status, &err);
	CHECK(h != NULL, "%s", err.text);
	return h;
}

static void begin(void)
{
	home = home_new();
}

static void end(void)
{
	unsetenv("XDG_DATA_HOME");
	home_free(home);
}

static bool collect(void *ctx, struct str piece, struct error *why)
{
	(void)why;
	return buf_add(ctx, piece);
}

static void export_one(struct history *h, int64_t conversation, const struct export_form *form, struct buf *out)
{
	struct export e;

	export_init(&e, form, collect, out);
	CHECK(export_stored(&e, h, conversation, &err) && export_end(&e, &err), "%s", err.text);
	export_fini(&e);
}

static bool export_each(void *ctx, const struct history_conversation *c)
{
	int64_t **next = ctx;

	*(*next)++ = c->id;
	return true;
}

/* All conversations, the newest first. */
static void export_all(struct history *h, const struct export_form *form, struct buf *out)
{
	int64_t ids[64], *next = ids;
	struct export e;

	CHECK(history_list(h, NULL, ARRAY_LEN(ids), export_each, &next, &err) == HISTORY_OK, "%s", err.text);
	export_init(&e, form, collect, out);
	for (int64_t *id = ids; id < next; id++)
		CHECK(export_stored(&e, h, *id, &err), "%s", err.text);
	CHECK(export_end(&e, &err), "%s", err.text);
	export_fini(&e);
}

/* --- a random tree --- */

static void random_answer(struct turn *t, unsigned *seed)
{
	double at_ms = 3.25;

	for (unsigned events = check_random(seed) % 40; events; events--, at_ms += 11.125) {
		turns_random_event(t, seed, at_ms);
		if (check_random(seed) % 25 == 0) {
			turns_end(t, (enum outcome)(check_random(seed) % (OUTCOME_CANCELLED + 1)), at_ms);
			turn_continue(t);
			t->joints[t->joint_count - 1].by_words = check_random(seed) % 2;
		}
	}
	if (check_random(seed) % 4)
		turns_end(t, (enum outcome)(check_random(seed) % (OUTCOME_CANCELLED + 1)), at_ms);
	t->prices = (struct prices){ { [USAGE_PROMPT] = MONEY(0.1), [USAGE_COMPLETION] = { 1.0 / 3, check_random(seed) % 2 } }, check_random(seed) % 3 };
	t->reported = check_random(seed) % 3 ? MONEY_UNKNOWN : MONEY(0.01 / 3);
	t->copied = check_random(seed) % 2;
	t->context = check_random(seed) % 2 * 12345;
	t->context_is_rough = check_random(seed) % 2;
	for (size_t i = 0; i < t->part_count; i++) /* only complete arguments are valid */
		if (t->parts[i].kind == PART_TOOL_CALL)
			t->parts[i].valid = json_scan_is_whole(buf_str(&t->parts[i].text));
}

static int64_t random_conversation(struct history *h, unsigned *seed)
{
	static const char *const titles[] = { NULL, "", "A title", "\"quoted\" <b>\n# `x`", "ü\x1b[31m", "bad \xff utf-8" };
	unsigned count = check_random(seed) % 12;
	struct history_conversation facts = {
		.title = titles[check_random(seed) % ARRAY_LEN(titles)], .titled_by = check_random(seed) % 2 ? "user" : NULL,
		.created_ms = 1700000000123 + check_random(seed) % 100000, .pinned = check_random(seed) % 2,
		.held = check_random(seed) % 2 ? HISTORY_HELD_BY_ASK : HISTORY_HELD_BY_CHAT,
		.system_prompt = check_random(seed) % 2 ? "Be brief.\n" : NULL, .parameters = check_random(seed) % 2 ? "{ \"temperature\": 1.50 }" : NULL,
	};
	int64_t id = 0, nodes[16] = { 0 };

	CHECK(history_begin(h, &facts, &id, &err) == HISTORY_OK, "%s", err.text);
	for (unsigned i = 0; i < count; i++) {
		struct conversation *c = conversation_new();
		bool is_prompt = check_random(seed) % 2;
		struct turn *t = is_prompt ? conversation_ask(c) : conversation_answer(c, STR("prov"), protocol_at(check_random(seed) % PROTOCOL_COUNT), STR("m"));
		int64_t parent = i && check_random(seed) % 5 ? nodes[check_random(seed) % i] : 0;

		if (is_prompt)
			turns_random_prompt(t, seed);
		else
			random_answer(t, seed);
		t->wall = 1700000000 + (time_t)(check_random(seed) % 1000000);
		if (!is_prompt && !parent && check_random(seed) % 3 == 0)
			turn_label(t, STR(TURN_TITLE)); /* an aside */
		CHECK(history_put_turn(h, id, parent, t, &nodes[i], &err) == HISTORY_OK, "%s", err.text);
		if (t->label)
			CHECK(history_label(h, nodes[i], t->label, &err) == HISTORY_OK, "%s", err.text);
		else if (check_random(seed) % 4 == 0)
			CHECK(history_label(h, nodes[i], "a \"label\"", &err) == HISTORY_OK, "%s", err.text);
		conversation_free(c);
	}
	for (unsigned i = 0; count && i < check_random(seed) % 4; i++)
		CHECK(history_set_leaf(h, id, nodes[check_random(seed) % count], &err) == HISTORY_OK, "%s", err.text);
	return id;
}

static void import_text(struct history *h, struct str text, struct import_counts *counts, enum import_status expected)
{
	const char *path = home_path(home, "export.json");
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	CU_ASSERT_EQUAL(str_write(text, fd), 0);
	close(fd);
	path = home_path(home, "export.json");
	CHECK(import_file(h, path, NULL, counts, &err) == expected, "%s", err.text);
}

static void json_makes_the_same_conversations(void)
{
	unsigned seed = 77;

	for (int round = 0; round < 12; round++) {
		struct buf first = { 0 }, second = { 0 }, third = { 0 };
		struct import_counts counts;
		unsigned conversations = 1 + check_random(&seed) % 8, empty = 0;
		struct history *a, *b;

		begin();
		a = open_store("a");
		for (unsigned i = 0; i < conversations; i++) {
			int64_t id = random_conversation(a, &seed);
			struct buf one = { 0 };

			export_one(a, id, &export_json, &one);
			empty += strstr(buf_z(&one), "\"nodes\":[]") != NULL;
			if (strstr(buf_z(&one), "\"nodes\":[]")) { /* nothing is imported of it */
				int64_t mark;

				CHECK(history_delete(a, id, 0, &mark, &err) == HISTORY_OK, "%s", err.text);
			}
			buf_fini(&one);
		}
		export_all(a, &export_json, &first);
		CU_ASSERT(json_scan_is_whole(buf_str(&first)));
		b = open_store("b");
		import_text(b, buf_str(&first), &counts, IMPORT_DONE);
		CU_ASSERT_EQUAL(counts.added, conversations - empty);
		export_all(b, &export_json, &second);
		CHECK(str_equal(buf_str(&first), buf_str(&second)), "round %d: %zu and %zu bytes", round, first.len, second.len);
		import_text(b, buf_str(&first), &counts, IMPORT_DONE);
		CU_ASSERT_EQUAL(counts.known, conversations - empty);
		CU_ASSERT_EQUAL(counts.added + counts.grown + counts.skipped, 0);
		export_all(b, &export_json, &third);
		CU_ASSERT(str_equal(buf_str(&first), buf_str(&third)));
		history_close(a);
		history_close(b);
		end();
		buf_fini(&first);
		buf_fini(&second);
		buf_fini(&third);
	}
}

/* --- Markdown --- */

/* A document whose answers hold text that could hide what follows. */
static const char *const hostile[] = {
	"```c\nint x;", "~~~~\n```\n", "- item\n  ```\n  code", "- a\n  ```\nout\n```", "1. x\n   ```sh\n   y\n   ```\n2. z", "<!-- never", "<pre>\nx",
	"<script>\nalert(1)", "   ```\nx\n   ```", "> ```\n> quoted", "    ```\n    indented", "```\n````\n```", "``` `a`", "```\n\tx\n\t```", "\t```\nx",
	"<details>\n", "<![CDATA[", "<?php", "<!DOCTYPE", "a\n```", "*unclosed `code", "[x]: <", "| a |\n|---|\n| ``` |", "- ```\ncode\n```", "***\n---\n===",
	"1. a\n\n   ~~~\n  b\n", " <!--\n-->", "# ```\n## x", "```\r\ncode\r\n", "a  \n\\", "</details>", "-\t```\n\tx", "-   ```\n\n```\n", "`````\n```\n`````",
};

struct headings { unsigned level; bool in; struct buf text; unsigned turns; };

static int enter_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	struct headings *h = ctx;

	if (type == MD_BLOCK_H && ((MD_BLOCK_H_DETAIL *)detail)->level == 2) {
		h->in = true;
		buf_clear(&h->text);
	}
	return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	struct headings *h = ctx;

	(void)detail;
	if (type == MD_BLOCK_H && h->in) {
		h->turns += str_is(buf_str(&h->text), "turn-marker");
		h->in = false;
	}
	return 0;
}

static int span(MD_SPANTYPE type, void *detail, void *ctx)
{
	(void)type;
	(void)detail;
	(void)ctx;
	return 0;
}

static int text(MD_TEXTTYPE type, const MD_CHAR *bytes, MD_SIZE size, void *ctx)
{
	struct headings *h = ctx;

	(void)type;
	if (h->in)
		buf_add(&h->text, str_of(bytes, size));
	return 0;
}

static unsigned count_turns(struct str document)
{
	MD_PARSER parser = { .enter_block = enter_block, .leave_block = leave_block, .enter_span = span, .leave_span = span, .text = text };
	struct headings h = { 0 };

	md_parse(document.ptr, (MD_SIZE)document.len, &parser, &h);
	buf_fini(&h.text);
	return h.turns;
}

static void check_contained(struct str hostile_text)
{
	struct conversation *c = conversation_new();
	struct buf out = { 0 };
	struct export e;

	for (int i = 0; i < 3; i++) {
		struct turn *t = conversation_answer(c, STR("p"), NULL, STR("turn-marker"));

		turn_add(t, (enum part_kind[]){ PART_TEXT, PART_REASONING, PART_TOOL_CALL }[i], hostile_text, STR("1"), STR("`f` <b>"));
		turn_add(t, PART_TEXT, hostile_text, STR_NONE, STR_NONE);
	}
	export_init(&e, &export_markdown, collect, &out);
	CHECK(export_in_memory(&e, &(struct history_conversation){ .title = "t" }, c, &err) && export_end(&e, &err), "%s", err.text);
	CHECK(count_turns(buf_str(&out)) == 3, "<<%.*s>>", STR_ARG(hostile_text));
	export_fini(&e);
	buf_fini(&out);
	conversation_free(c);
}

static void markdown_holds_any_text(void)
{
	unsigned seed = 4;

	for (size_t i = 0; i < ARRAY_LEN(hostile); i++)
		check_contained(str_from(hostile[i]));
	for (int round = 0; round < 3000; round++) {
		struct buf mix = { 0 };

		for (unsigned n = 1 + check_random(&seed) % 4; n; n--) {
			buf_add_z(&mix, hostile[check_random(&seed) % ARRAY_LEN(hostile)]);
			buf_add_z(&mix, (const char *const[]){ "\n", "\n\n", "\n  ", "\n> ", "\n- " }[check_random(&seed) % 5]);
		}
		check_contained(buf_str(&mix));
		buf_fini(&mix);
	}
}

static void put_text(struct history *h, int64_t id, int64_t *node, const char *model, const char *text, bool is_aside)
{
	struct conversation *c = conversation_new();
	struct turn *t = model ? conversation_answer(c, STR("prov"), protocol_at(0), str_from(model)) : conversation_ask(c);
	int64_t parent = is_aside ? 0 : *node;

	turn_add(t, PART_TEXT, str_from(text), STR_NONE, STR_NONE);
	if (model)
		turns_end(t, OUTCOME_COMPLETE, 1);
	if (is_aside)
		turn_label(t, STR(TURN_TITLE));
	*node = 0;
	CHECK(history_put_turn(h, id, parent, t, node, &err) == HISTORY_OK, "%s", err.text);
	if (is_aside)
		CHECK(history_label(h, *node, TURN_TITLE, &err) == HISTORY_OK, "%s", err.text);
	conversation_free(c);
}

/* Texts of a document of one conversation in which an aside was stored last: it names neither its model nor its end. */
static void check_aside(struct history *h)
{
	struct buf text = { 0 }, json = { 0 };
	int64_t id = 0;

	CHECK(history_find(h, STR("last"), &id, &err) == HISTORY_OK, "%s", err.text);
	export_one(h, id, &export_text, &text);
	export_one(h, id, &export_json, &json);
	CHECK(strstr(buf_z(&text), "the answer") && !strstr(buf_z(&text), "the words of the title"), "%s", buf_z(&text));
	CHECK(strstr(buf_z(&json), "\"leaf\":2") && strstr(buf_z(&json), "\"label\":\"title\""), "%s", buf_z(&json));
	CHECK(strstr(buf_z(&json), "\"model\":\"big\",\"protocol\""), "%s", buf_z(&json));
	buf_fini(&text);
	buf_fini(&json);
}

/* Prompts by their words, answers by their model. An aside is none, and of many the first are named. */
static void a_stored_turn_names_its_other_versions(void)
{
	struct buf text = { 0 }, json = { 0 };
	int64_t id = 0, node = 0, question, aside = 0;

	begin();
	struct history *h = open_store("a");
	CHECK(history_begin(h, &(struct history_conversation){ .title = "t" }, &id, &err) == HISTORY_OK, "%s", err.text);
	put_text(h, id, &aside, "small", "the words of the title", true);
	put_text(h, id, &node, NULL, "the first\nquestion", false);
	put_text(h, id, &node, "big", "the answer", false);
	put_text(h, id, &node, NULL, "going on", false);
	put_text(h, id, &node, NULL, "and on", false);
	node = 0;
	put_text(h, id, &node, NULL, "the question", false);
	question = node;
	for (int i = 0; i < 25; i++) {
		char model[20];

		snprintf(model, sizeof model, "model-%d", i);
		node = question;
		put_text(h, id, &node, model, "an answer", false);
	}
	export_one(h, id, &export_text, &text);
	export_one(h, id, &export_json, &json);
	CHECK(strstr(buf_z(&text), "[version 2 of 2; not in this document: \"the first question\" (") && strstr(buf_z(&text), " UTC, 2 more turns)]"), "%s", buf_z(&text));
	CHECK(strstr(buf_z(&text), "[version 25 of 25; not in this document: model-0 (") && strstr(buf_z(&text), "model-19 (") && strstr(buf_z(&text), ") and 4 more]"), "%s",
	      buf_z(&text));
	CHECK(!strstr(buf_z(&text), "model-20") && !strstr(buf_z(&text), "small") && strstr(buf_z(&json), "model-20"), "%s", buf_z(&text));
	history_close(h);
	buf_fini(&text);
	buf_fini(&json);
	end();
}

static void an_aside_stays_an_aside(void)
{
	struct import_counts counts;
	struct buf out = { 0 };
	int64_t id = 0, node = 0, aside = 0;

	begin();
	struct history *h = open_store("a");
	CHECK(history_begin(h, &(struct history_conversation){ .title = "t" }, &id, &err) == HISTORY_OK, "%s", err.text);
	put_text(h, id, &node, NULL, "the question", false);
	put_text(h, id, &node, "big", "the answer", false);
	put_text(h, id, &aside, "small", "the words of the title", true);
	check_aside(h);
	export_one(h, id, &export_json, &out);
	history_close(h);
	h = open_store("b");
	import_text(h, buf_str(&out), &counts, IMPORT_DONE);
	CU_ASSERT_EQUAL(counts.added, 1);
	check_aside(h);
	import_text(h, buf_str(&out), &counts, IMPORT_DONE);
	CU_ASSERT(counts.known == 1 && !counts.added && !counts.grown);
	history_close(h);
	size_t leaf = str_find(buf_str(&out), STR("\"leaf\":2"));
	CU_ASSERT_FATAL(leaf < out.len);
	out.ptr[leaf + 7] = '9'; /* a node that is not there */
	h = open_store("c");
	import_text(h, buf_str(&out), &counts, IMPORT_DONE);
	check_aside(h);
	history_close(h);
	buf_fini(&out);
	end();
}

/* --- forms for people --- */

static struct conversation *sample(void)
{
	struct conversation *c = conversation_new();
	struct turn *prompt = conversation_ask(c), *answer;
	struct part *p;

	prompt->wall = 1769860800;
	turn_add(prompt, PART_TEXT, STR("Which file?\x1b[2J"), STR_NONE, STR_NONE);
	turn_add(prompt, PART_ATTACHMENT, STR("a = 1\n"), STR_NONE, STR("a.ini"));
	p = turn_add(prompt, PART_ATTACHMENT, str_of("\x89PNG\0\1", 6), STR_NONE, STR("b.png"));
	p->media = mem_dup_z("image/png");
	answer = conversation_answer(c, STR("p"), NULL, STR("asked"));
	answer->wall = 1769860805;
	turn_add(answer, PART_REASONING, STR("Let me see."), STR_NONE, STR_NONE);
	turn_add(answer, PART_TOOL_CALL, STR("{\"n\":\"```\"}"), STR("1"), STR("look"));
	turn_add(answer, PART_TEXT, STR("It is **a.ini**.\n\n```ini\na = 1"), STR_NONE, STR_NONE);
	turn_add(answer, PART_OPAQUE, STR("secret-blob"), STR_NONE, STR("x"));
	citations_add(&answer->citations, &(struct citation){ .url = STR("https://example.org/a?b=1"), .title = STR("A [page]") }, 0, 0);
	citations_add(&answer->citations, &(struct citation){ .url = STR("javascript:alert(1)"), .title = STR("Bad") }, 0, 0);
	turns_end(answer, OUTCOME_CUT, 900);
	return c;
}

static void check_form(const struct export_form *form, const char *expected)
{
	struct conversation *c = sample();
	struct buf out = { 0 };
	struct export e;

	export_init(&e, form, collect, &out);
	CHECK(export_in_memory(&e, &(struct history_conversation){ .title = "Files: \"a\"", .key = "0123456789abcdef", .model = "asked",
	                                                           .created_ms = 1769860800000 }, c, &err) && export_end(&e, &err), "%s", err.text);
	CHECK_STR(buf_str(&out), expected);
	export_fini(&e);
	buf_fini(&out);
	conversation_free(c);
}

static void markdown_reads_well(void)
{
	check_form(&export_markdown,
		"---\ntitle: \"Files: \\\"a\\\"\"\nmodel: \"asked\"\ncreated: \"2026-01-31 12:00 UTC\"\nid: \"0123456789abcdef\"\n---\n\n"
		"# Files: \"a\"\n\n## You\n\n*2026-01-31 12:00 UTC*\n\nWhich file?\xEF\xBF\xBD[2J\n\n"
		"<details><summary>File a.ini (6 bytes)</summary>\n\n```\na = 1\n```\n\n</details>\n\n[File b.png \\(6 bytes, image/png\\)]\n\n"
		"## asked\n\n*2026-01-31 12:00 UTC*\n\n> **Reasoning**\n>\n> Let me see.\n\n"
		"<details><summary>Call of look</summary>\n\n````json\n{\"n\":\"```\"}\n````\n\n</details>\n\n"
		"It is **a.ini**.\n\n```ini\na = 1\n```\n\n**Sources**\n\n1. [A \\[page\\]](<https://example.org/a?b=1>)\n2. Bad javascript:alert\\(1\\)\n\n"
		"*the answer broke off*\n");
}

static void text_is_plain(void)
{
	check_form(&export_text,
		"Files: \"a\"\n2026-01-31 12:00 UTC\n----------------------------------------------------------------------\n\n"
		"You, 2026-01-31 12:00 UTC:\n\nWhich file?\xEF\xBF\xBD[2J\n\n[File a.ini (6 bytes)]\na = 1\n\n[File b.png (6 bytes, image/png)]\n\n"
		"----------------------------------------------------------------------\n\n"
		"asked, 2026-01-31 12:00 UTC:\n\n[Reasoning]\nLet me see.\n\n[Call of look]\n{\"n\":\"```\"}\n\nIt is **a.ini**.\n\n```ini\na = 1\n\nSources:\n"
		"  1. A [page] https://example.org/a?b=1\n  2. Bad javascript:alert(1)\n\n[the answer broke off]\n\n"
		"----------------------------------------------------------------------\n");
}

static void only_the_path_is_shown(void)
{
	struct buf out = { 0 };
	struct history *h;
	int64_t id = 0, root = 0, nodes[2] = { 0 };

	begin();
	h = open_store("a");
	CHECK(history_begin(h, &(struct history_conversation){ .title = "t" }, &id, &err) == HISTORY_OK, "%s", err.text);
	for (int i = 0; i < 3; i++) {
		struct conversation *c = conversation_new();
		struct turn *t = i ? conversation_answer(c, STR("p"), NULL, STR("m")) : conversation_ask(c);

		turn_add(t, PART_TEXT, (struct str[]){ STR("root"), STR("older branch"), STR("newer branch") }[i], STR_NONE, STR_NONE);
		turns_end(t, OUTCOME_COMPLETE, 1);
		CHECK(history_put_turn(h, id, root, t, i ? &nodes[i - 1] : &root, &err) == HISTORY_OK, "%s", err.text);
		conversation_free(c);
	}
	CHECK(history_set_leaf(h, id, nodes[0], &err) == HISTORY_OK, "%s", err.text);
	export_one(h, id, &export_text, &out);
	CU_ASSERT(strstr(buf_z(&out), "root") && strstr(buf_z(&out), "older branch") && !strstr(buf_z(&out), "newer branch"));
	buf_clear(&out);
	export_one(h, id, &export_json, &out);
	CU_ASSERT(strstr(buf_z(&out), "older branch") && strstr(buf_z(&out), "newer branch"));
	history_close(h);
	buf_fini(&out);
	end();
}

static bool refuse(void *ctx, struct str piece, struct error *why)
{
	(void)ctx;
	(void)piece;
	return error_set(why, "the disk is full");
}

static void a_failing_sink_ends_the_export(void)
{
	struct conversation *c = sample();
	struct export e;

	export_init(&e, &export_text, refuse, NULL);
	CU_ASSERT_FALSE(export_in_memory(&e, &(struct history_conversation){ 0 }, c, &err));
	CHECK_STR(str_from(err.text), "the disk is full");
	export_fini(&e);
	conversation_free(c);
}

/* A link is written as it is: no character of it may act on a terminal, or turn the text around it. */
static void links_are_harmless(void)
{
	static const char *const bad[] = {
		"javascript:x", "https://e.org/a b", "https://e.org/\x1b[2J", "https://e.org/\x7f", "https://e.org/\xC2\x9B[2J", "https://e.org/\xE2\x80\xAEgro",
		"https://e.org/>", "https://e.org/\xFF",
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!export_is_link(str_from(bad[i])), "%s", bad[i]);
	CU_ASSERT_FALSE(export_is_link(STR("https://e.org/\0x")));
	CU_ASSERT_TRUE(export_is_link(STR("https://e.org/gr\xC3\xBC\xC3\x9F" "e?a=1#b")));
}

const struct suite suite_export = {
	"export",
	(const struct test[]){
		TEST(json_makes_the_same_conversations), TEST(a_stored_turn_names_its_other_versions), TEST(an_aside_stays_an_aside), TEST(markdown_holds_any_text), TEST(markdown_reads_well), TEST(text_is_plain),
		TEST(only_the_path_is_shown), TEST(a_failing_sink_ends_the_export), TEST(links_are_harmless), { 0 },
	},
};
