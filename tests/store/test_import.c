#include "store/import/import.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "store/export/export.h"
#include "store/history/database.h"
#include "store/import/import_inside.h"
#include "store/shelf.h"
#include "support/check.h"
#include "support/home.h"

static struct history *h;
static struct error err;

static void begin(void)
{
	shelf_begin();
	shelf_maintain();
	h = shelf_open();
}

static void end(void)
{
	history_close(h);
	shelf_end();
}

static enum import_status import_it(const char *name, struct import_counts *counts)
{
	err.text[0] = '\0';
	return import_file(h, shelf_path(name), NULL, counts, &err);
}

/* Imports again: how many were there, and what is left out, as the last line of the import says it. */
static void check_left(const char *name, const char *expected)
{
	struct import_counts c;
	struct buf left = { 0 };

	CHECK(import_it(name, &c) == IMPORT_DONE, "%s", err.text);
	import_lefts_write(&c.left, &left);
	CHECK_STR(buf_str(&left), expected);
	buf_fini(&left);
}

static void check_counts(const char *name, size_t added, size_t grown, size_t known, size_t skipped)
{
	struct import_counts c;

	CHECK(import_it(name, &c) == IMPORT_DONE, "%s", err.text);
	CHECK(c.added == added && c.grown == grown && c.known == known && c.skipped == skipped, "%zu added, %zu grown, %zu known, %zu skipped",
	      c.added, c.grown, c.known, c.skipped);
}

static bool collect(void *ctx, struct str piece, struct error *why)
{
	(void)why;
	return buf_add(ctx, piece);
}

static struct buf export_newest(const struct export_form *form)
{
	struct buf out = { 0 };
	struct export e;
	int64_t id;

	CHECK(history_find(h, STR("last"), &id, &err) == HISTORY_OK, "%s", err.text);
	export_init(&e, form, collect, &out);
	CHECK(export_stored(&e, h, id, &err) && export_end(&e, &err), "%s", err.text);
	export_fini(&e);
	return out;
}

/*
 * Nodes as "place(parent)role type=text type=text", and what is shown last. A result has the index of its call, and ! if it failed; "error" is
 * that of an answer.
 */
struct page_image { struct buf *out; int64_t ids[64]; size_t count; };

static bool draw_node(void *ctx, const struct history_node *node)
{
	static const char *const kinds[] = { "text", "think", "refusal", "call", "result", "file", "opaque" };
	struct page_image *d = ctx;
	struct conversation *c = conversation_new();
	struct turn *t = node->role == TURN_USER ? conversation_ask(c) : conversation_answer(c, STR_NONE, NULL, STR_NONE);
	size_t parent = 0;

	for (size_t i = 0; i < d->count; i++)
		if (d->ids[i] == node->parent)
			parent = i + 1;
	d->ids[d->count++] = node->id;
	CHECK(history_read_turn(h, node->id, t, &err) == HISTORY_OK, "%s", err.text);
	buf_printf(d->out, "%zu(%zu)%s", d->count, parent, node->role == TURN_USER ? "U" : "A");
	for (size_t i = 0; i < t->part_count; i++) {
		const struct part *p = &t->parts[i];

		buf_printf(d->out, " %s", kinds[p->kind]);
		if (p->kind == PART_TOOL_RESULT)
			buf_printf(d->out, "%d%s", p->call, p->is_error ? "!" : "");
		buf_printf(d->out, "=%s", buf_z(&p->text));
	}
	if (t->has_error)
		buf_printf(d->out, " error=%s", t->error_message);
	if (t->outcome == OUTCOME_CANCELLED)
		buf_add_z(d->out, " cancelled");
	buf_add_z(d->out, "\n");
	conversation_free(c);
	return true;
}

static bool draw_leaf(void *ctx, const struct history_conversation *c)
{
	struct page_image *d = ctx;
	size_t leaf = 0;

	for (size_t i = 0; i < d->count; i++)
		if (d->ids[i] == c->leaf)
			leaf = i + 1;
	buf_printf(d->out, "%s; leaf %zu; system %s\n", c->title, leaf, c->system_prompt ? c->system_prompt : "-");
	return true;
}

static void check_newest(const char *expected)
{
	struct buf out = { 0 };
	struct page_image d = { .out = &out };
	int64_t id;

	CHECK(history_find(h, STR("last"), &id, &err) == HISTORY_OK, "%s", err.text);
	CHECK(history_nodes(h, id, draw_node, &d, &err) == HISTORY_OK, "%s", err.text);
	CHECK(history_look(h, id, draw_leaf, &d, &err) == HISTORY_OK, "%s", err.text);
	CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
}

/* --- ChatGPT --- */

#define GPT(id, parent, children, message) "\"" id "\":{\"id\":\"" id "\",\"parent\":" parent ",\"children\":[" children "],\"message\":" message "}"
#define SAYS(role, rest) "{\"author\":{\"role\":\"" role "\"},\"create_time\":1700000000.5," rest "}"
#define TEXT_OF(words) "\"content\":{\"content_type\":\"text\",\"parts\":[\"" words "\"]}"

static const char chatgpt[] =
	"[{\"title\":\"Two ways\",\"create_time\":1700000000.25,\"update_time\":1700000100,\"conversation_id\":\"c-1\",\"current_node\":\"old\",\"mapping\":{"
	GPT("root", "null", "\"sys\"", "null") ","
	GPT("sys", "\"root\"", "\"hid\"", SAYS("system", "\"weight\":0," TEXT_OF("hidden"))) ","
	GPT("hid", "\"sys\"", "\"u\"", SAYS("system", TEXT_OF("Be brief."))) ","
	GPT("u", "\"hid\"", "\"th\",\"new\"", SAYS("user", "\"metadata\":{\"attachments\":[{\"name\":\"a.csv\"}]},"
	    "\"content\":{\"content_type\":\"multimodal_text\",\"parts\":[{\"content_type\":\"image_asset_pointer\"},\"Add them\"]}")) ","
	GPT("th", "\"u\"", "\"call\"", SAYS("assistant", "\"recipient\":\"all\",\"metadata\":{\"model_slug\":\"o3\"},"
	    "\"content\":{\"content_type\":\"thoughts\",\"thoughts\":[{\"summary\":\"Plan\",\"content\":\"Sum up.\"}]}")) ","
	GPT("call", "\"th\"", "\"tool\"", SAYS("assistant", "\"recipient\":\"python\",\"content\":{\"content_type\":\"code\",\"text\":\"1+1\"}")) ","
	GPT("tool", "\"call\"", "\"tool2\"", "{\"author\":{\"role\":\"tool\",\"name\":\"python\"},\"content\":{\"content_type\":\"execution_output\",\"text\":\"2\"}}") ","
	GPT("tool2", "\"tool\"", "\"old\"", "{\"author\":{\"role\":\"tool\",\"name\":\"python\"},\"content\":{\"content_type\":\"text\",\"parts\":[\"done\"]}}") ","
	GPT("old", "\"tool2\"", "", SAYS("assistant", "\"recipient\":\"all\"," TEXT_OF("It is 2."))) ","
	GPT("new", "\"u\"", "", SAYS("assistant", TEXT_OF("It is two."))) "}}]";

static void chatgpt_keeps_its_tree(void)
{
	begin();
	home_write(shelf_home(), "conversations.json", chatgpt);
	check_counts("conversations.json", 1, 0, 0, 0);
	check_newest("1(0)U text=[attached: a picture; it was not part of the export] text=Add them text=[attached: a.csv; it was not part of the export]\n"
	             "2(1)A think=Plan\n\nSum up. call={\"input\":\"1+1\"}\n"
	             "3(2)U result0=2\ndone\n"
	             "4(3)A text=It is 2.\n"
	             "5(1)A text=It is two.\n"
	             "Two ways; leaf 4; system Be brief.\n");
	check_counts("conversations.json", 0, 0, 1, 0);
	end();
}

#define TOOL(name, content) "{\"author\":{\"role\":\"tool\",\"name\":\"" name "\"},\"content\":" content "}"
#define CALLS(name, words) SAYS("assistant", "\"recipient\":\"" name "\",\"content\":{\"content_type\":\"code\",\"text\":\"" words "\"}")
#define GPT_LINE(...) gpt_line((const char *const[]){ __VA_ARGS__, NULL })

/* A conversation whose messages follow one another. */
static void gpt_line(const char *const *messages)
{
	struct buf file = { 0 };

	buf_add_z(&file, "[{\"title\":\"T\",\"conversation_id\":\"c\",\"mapping\":{");
	for (int i = 0; messages[i]; i++)
		buf_printf(&file, "%s\"%d\":{\"parent\":\"%d\",\"message\":%s}", i ? "," : "", i, i - 1, messages[i]);
	buf_add_z(&file, "}}]");
	home_write(shelf_home(), "a.json", buf_z(&file));
	buf_fini(&file);
	check_counts("a.json", 1, 0, 0, 0);
}

/* A tool may say several things; calls in a row are answered by name; a hidden result is one too. */
static void chatgpt_results_answer_their_calls(void)
{
	begin();
	GPT_LINE(SAYS("user", TEXT_OF("go")), CALLS("browser", "search"), CALLS("python", "1"), CALLS("python", "2"),
	         "{\"author\":{\"role\":\"tool\",\"name\":\"python\"},\"content\":{\"content_type\":\"execution_output\",\"text\":\"one\"},"
	         "\"metadata\":{\"aggregate_result\":{\"messages\":[{\"message_type\":\"image\"},{\"message_type\":\"stream\"}]}}}",
	         TOOL("browser", "{\"content_type\":\"tether_quote\",\"title\":\"T\",\"url\":\"https://e.org\",\"text\":\"quote\"}"),
	         TOOL("browser", "{\"content_type\":\"tether_browsing_display\",\"result\":\"r\",\"summary\":\"s\"}"),
	         TOOL("python", "{\"content_type\":\"system_error\",\"name\":\"Timeout\",\"text\":\"too long\"}"),
	         SAYS("assistant", TEXT_OF("so")), CALLS("canmore.create_textdoc", "{\\\"name\\\":\\\"d\\\"}"),
	         "{\"author\":{\"role\":\"tool\",\"name\":\"canmore.create_textdoc\"},\"weight\":0,\"content\":{\"content_type\":\"text\",\"parts\":[\"made\"]}}",
	         CALLS("web.run", "{}"), TOOL("web", "{\"content_type\":\"sonic_webpage\",\"url\":\"https://f.org\",\"text\":\"page\"}"));
	check_newest("1(0)U text=go\n2(1)A call={\"input\":\"search\"} call={\"input\":\"1\"} call={\"input\":\"2\"}\n"
	             "3(2)U result1=one result0=T\nhttps://e.org\nquote\nr\ns result2!=Timeout: too long\n4(3)A text=so call={\"name\":\"d\"}\n5(4)U result0=made\n"
	             "6(5)A call={}\n7(6)U result0=https://f.org\npage\nT; leaf 7; system -\n");
	check_left("a.json", "1 picture");
	end();
}

/* An error is that of the call before it, else of the answer. It is no system prompt. */
static void chatgpt_errors_are_errors(void)
{
	begin();
	GPT_LINE(SAYS("system", "\"content\":{\"content_type\":\"system_error\",\"name\":\"E\",\"text\":\"at once\"}"), SAYS("user", TEXT_OF("go")),
	         SAYS("assistant", TEXT_OF("well")), SAYS("assistant", "\"content\":{\"content_type\":\"system_error\",\"name\":\"E\",\"text\":\"broke\"}"),
	         SAYS("assistant", TEXT_OF("again") ",\"metadata\":{\"finish_details\":{\"type\":\"interrupted\"}}"), SAYS("user", TEXT_OF("more")),
	         CALLS("bio", "x"), SAYS("system", "\"content\":{\"content_type\":\"system_error\",\"text\":\"no\"}"));
	check_newest("1(0)A error=E: at once\n2(1)U text=go\n3(2)A text=well error=E: broke\n4(3)A text=again cancelled\n5(4)U text=more\n"
	             "6(5)A call={\"input\":\"x\"}\n7(6)U result0!=no\nT; leaf 7; system -\n");
	check_counts("a.json", 0, 0, 1, 0);
	end();
}

static void what_chatgpt_says_otherwise_is_counted(void)
{
	begin();
	GPT_LINE(SAYS("user", "\"weight\":0,\"content\":{\"content_type\":\"user_editable_context\",\"user_profile\":\"me\",\"user_instructions\":\"be kind\"}"),
	         SAYS("user", "\"content\":{\"content_type\":\"user_editable_context\",\"user_profile\":\"\",\"user_instructions\":\"\"}"),
	         SAYS("system", "\"metadata\":{\"is_user_system_message\":true}," TEXT_OF("about me")),
	         SAYS("assistant", "\"content\":{\"content_type\":\"model_editable_context\",\"model_set_context\":\"1. likes tea\"}"),
	         SAYS("system", TEXT_OF("Be brief.")), SAYS("system", TEXT_OF("Be long.")), SAYS("system", "\"weight\":0," TEXT_OF("")),
	         SAYS("user", "\"metadata\":{\"is_visually_hidden_from_conversation\":true}," TEXT_OF("psst")),
	         SAYS("user", "\"content\":{\"content_type\":\"multimodal_text\",\"parts\":[{\"content_type\":\"audio_transcription\",\"text\":\"spoken\"},"
	              "{\"content_type\":\"real_time_user_audio_video_asset_pointer\",\"audio_asset_pointer\":{},\"video_container_asset_pointer\":{}}]}"),
	         SAYS("assistant", "\"content\":{\"content_type\":\"multimodal_text\",\"parts\":[{\"content_type\":\"audio_transcription\",\"text\":\"heard\"},"
	              "{\"content_type\":\"audio_asset_pointer\"}]}"),
	         SAYS("user", "\"metadata\":{\"attachments\":[{\"id\":\"file-7\",\"name\":\"p.png\",\"mime_type\":\"image/png\"},{\"name\":\"a.csv\"}]},"
	              "\"content\":{\"content_type\":\"multimodal_text\",\"parts\":[{\"content_type\":\"image_asset_pointer\",\"asset_pointer\":\"sediment://file-7\"},"
	              "{\"content_type\":\"audio_asset_pointer\"}]}"),
	         SAYS("assistant", "\"content\":{\"content_type\":\"holo/gram\\u001b\",\"parts\":[\"shown\"]}"),
	         SAYS("assistant", "\"content\":{\"content_type\":\"super_widget\",\"widget\":{}}"), SAYS("critic", TEXT_OF("hm")),
	         SAYS("assistant", "\"content\":{\"content_type\":\"multimodal_text\",\"parts\":[{\"content_type\":\"super_widget\"}]}"));
	check_newest("1(0)U text=spoken\n2(1)A text=heard\n3(2)U text=[attached: a recording; it was not part of the export] "
	             "text=[attached: p.png; it was not part of the export] text=[attached: a.csv; it was not part of the export]\n4(3)A text=shown\n"
	             "T; leaf 4; system Be brief.\n");
	check_left("a.json", "2 custom instructions, 1 memory note, 1 further system prompt, 1 hidden message, 3 voice notes, 1 video, 1 picture, 1 file, "
	           "1 item of the unknown type holo/gram? (all but the text), 2 items of the unknown type super_widget, 1 message of the unknown role critic");
	end();
}

#define AT(role, seconds, words) "{\"author\":{\"role\":\"" role "\"},\"create_time\":" seconds "," TEXT_OF(words) "}"

/* A map may be sorted by its keys: versions are in the order of their creation all the same. */
static void chatgpt_versions_are_in_order(void)
{
	begin();
	home_write(shelf_home(), "a.json", "[{\"title\":\"T\",\"current_node\":\"b\",\"mapping\":{" GPT("a", "\"q\"", "", AT("assistant", "30", "third")) ","
	           GPT("b", "\"q\"", "", AT("assistant", "10", "first")) "," GPT("c", "\"q\"", "", AT("assistant", "20", "second")) ","
	           GPT("q", "\"r\"", "\"b\",\"c\",\"a\"", AT("user", "5", "q")) "," GPT("r", "null", "\"q\"", "null") "}}]");
	check_counts("a.json", 1, 0, 0, 0);
	check_newest("1(0)U text=q\n2(1)A text=first\n3(1)A text=second\n4(1)A text=third\nT; leaf 2; system -\n");
	end();
}

static void rings_and_orphans_end(void)
{
	begin();
	home_write(shelf_home(), "a.json", "[{\"mapping\":{" GPT("a", "\"b\"", "\"b\"", SAYS("user", TEXT_OF("one"))) ","
	           GPT("b", "\"a\"", "\"a\"", SAYS("assistant", TEXT_OF("two"))) "," GPT("c", "\"gone\"", "", SAYS("tool", TEXT_OF("three"))) ","
	           GPT("d", "\"d\"", "\"d\"", SAYS("user", TEXT_OF("four"))) "}},{\"mapping\":{}},{\"mapping\":7},3,{\"x\":1}]");
	check_counts("a.json", 1, 0, 0, 4);
	check_newest("1(0)U result-1=three\n2(0)U text=four\n3(0)U text=one\n4(3)A text=two\nfour; leaf 4; system -\n");
	end();
}

/* Nodes without a message: a ring of them, and a line that takes minutes if each is looked at from all below it. */
static void empty_nodes_end(void)
{
	struct buf file = { 0 };

	begin();
	buf_add_z(&file, "[{\"mapping\":{" GPT("a", "\"b\"", "\"b\"", "null") "," GPT("b", "\"a\"", "\"a\"", "null") "," GPT("u", "null", "\"0\"", SAYS("user", TEXT_OF("Hi"))));
	for (int i = 0; i < 60000; i++)
		buf_printf(&file, ",\"%d\":{\"parent\":\"%d\"}", i, i - 1);
	buf_add_z(&file, "}}]");
	home_write(shelf_home(), "a.json", buf_z(&file));
	check_counts("a.json", 1, 0, 0, 0);
	check_newest("1(0)U text=Hi\nHi; leaf 1; system -\n");
	buf_fini(&file);
	end();
}

#define WIDE "\u3042\u3042\u3042\u3042\u3042\u3042\u3042\u3042\u3042\u3042\u3042\u3042\u3042" /* 39 bytes */

static void a_title_splits_no_character(void)
{
	begin();
	home_write(shelf_home(), "a.json", "[{\"mapping\":{" GPT("a", "null", "", SAYS("user", TEXT_OF(WIDE WIDE WIDE))) "}}]");
	check_counts("a.json", 1, 0, 0, 0);
	check_newest("1(0)U text=" WIDE WIDE WIDE "\n" WIDE WIDE "; leaf 1; system -\n");
	end();
}

/* --- Claude --- */

#define CLAUDE_BEGIN "[{\"uuid\":\"k-1\",\"name\":\"Talk\",\"created_at\":\"2026-01-31T12:00:00.000000Z\",\"updated_at\":\"2026-01-31T12:05:00Z\",\"chat_messages\":["
#define CLAUDE_FIRST "{\"uuid\":\"1\",\"parent_message_uuid\":\"00000000-0000-4000-8000-000000000000\",\"sender\":\"human\",\"text\":\"Hi\",\"content\":" \
	"[{\"type\":\"text\",\"text\":\"Hi\"}],\"created_at\":\"2026-01-31T12:00:01Z\",\"attachments\":[{\"file_name\":\"n.txt\",\"extracted_content\":\"note\"}]," \
	"\"files\":[{\"file_name\":\"p.png\"}]}"
#define CLAUDE_SECOND ",{\"uuid\":\"2\",\"parent_message_uuid\":\"1\",\"sender\":\"assistant\",\"text\":\"\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"Hm\"}," \
	"{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"find\",\"input\":{\"q\":\"x\"}},{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"name\":\"find\"," \
	"\"content\":[{\"type\":\"text\",\"text\":\"found\"}]},{\"type\":\"text\",\"text\":\"There.\"}]}"
#define CLAUDE_BRANCH ",{\"uuid\":\"3\",\"parent_message_uuid\":\"1\",\"sender\":\"assistant\",\"text\":\"Other.\",\"content\":[]}"

static void claude_keeps_its_tree(void)
{
	begin();
	home_write(shelf_home(), "c.json", CLAUDE_BEGIN CLAUDE_FIRST CLAUDE_SECOND "]}]");
	check_counts("c.json", 1, 0, 0, 0);
	check_newest("1(0)U text=Hi file=note text=[attached: p.png; it was not part of the export]\n"
	             "2(1)A think=Hm call={\"q\":\"x\"}\n3(2)U result0=found\n4(3)A text=There.\nTalk; leaf 4; system -\n");
	home_write(shelf_home(), "c.json", CLAUDE_BEGIN CLAUDE_FIRST CLAUDE_SECOND CLAUDE_BRANCH "]}]");
	check_counts("c.json", 0, 1, 0, 0);
	check_counts("c.json", 0, 0, 1, 0);
	check_newest("1(0)U text=Hi file=note text=[attached: p.png; it was not part of the export]\n"
	             "2(1)A think=Hm call={\"q\":\"x\"}\n3(2)U result0=found\n4(3)A text=There.\n5(1)A text=Other.\nTalk; leaf 5; system -\n");
	end();
}

#define CLAUDE(...) CLAUDE_BEGIN __VA_ARGS__ "]}]"
#define HUMAN(id, blocks) "{\"uuid\":\"" id "\",\"sender\":\"human\",\"content\":[" blocks "]}"
#define ASSISTANT(id, blocks) "{\"uuid\":\"" id "\",\"sender\":\"assistant\",\"content\":[" blocks "]}"
#define WORDS(words) "{\"type\":\"text\",\"text\":\"" words "\"}"
#define USE(id, name) "{\"type\":\"tool_use\",\"id\":" id ",\"name\":\"" name "\",\"input\":{}}"
#define RESULT(id, name, text) "{\"type\":\"tool_result\",\"tool_use_id\":" id ",\"name\":" name ",\"content\":[" WORDS(text) "]}"

/* Which result answers which call. */
static const struct { const char *messages, *nodes; } pairs[] = {
	/* by id, in any order */
	{ ASSISTANT("a", USE("\"1\"", "f") "," USE("\"2\"", "f") "," RESULT("\"2\"", "\"f\"", "r2") "," RESULT("\"1\"", "\"f\"", "r1")),
	  "1(0)A call={} call={}\n2(1)U result1=r2 result0=r1\n" },
	/* without ids by name, then in order */
	{ ASSISTANT("a", USE("null", "f") "," USE("null", "g") "," USE("null", "f") "," RESULT("null", "\"g\"", "rg") "," RESULT("null", "\"f\"", "r0") ","
	            RESULT("null", "\"f\"", "r2") "," WORDS("so")),
	  "1(0)A call={} call={} call={}\n2(1)U result1=rg result0=r0 result2=r2\n3(2)A text=so\n" },
	/* without names in order; an id on one side only */
	{ ASSISTANT("a", USE("null", "f") "," USE("\"2\"", "g") "," RESULT("\"x\"", "null", "r0") "," RESULT("null", "null", "r1")),
	  "1(0)A call={} call={}\n2(1)U result0=r0 result1=r1\n" },
	/* a name that no call has */
	{ ASSISTANT("a", USE("null", "f") "," RESULT("null", "\"other\"", "r0")), "1(0)A call={}\n2(1)U result0=r0\n" },
	/* text between them, and a result behind an answer to another call */
	{ ASSISTANT("a", USE("null", "f") "," USE("null", "g") "," WORDS("wait") "," RESULT("null", "\"f\"", "r0") "," WORDS("and") "," RESULT("null", "\"g\"", "r1") "," WORDS("so")),
	  "1(0)A call={} call={} text=wait\n2(1)U result0=r0 result1=r1\n3(2)A text=and text=so\n" },
	/* one exchange after the other */
	{ ASSISTANT("a", USE("null", "f") "," RESULT("null", "\"f\"", "r0") "," USE("null", "f") "," RESULT("null", "\"f\"", "r1")),
	  "1(0)A call={}\n2(1)U result0=r0\n3(2)A call={}\n4(3)U result0=r1\n" },
	/* in the next message of the user, before or behind his words */
	{ ASSISTANT("a", USE("null", "f")) "," HUMAN("b", RESULT("null", "null", "r0") "," WORDS("go on")), "1(0)A call={}\n2(1)U result0=r0 text=go on\n" },
	{ ASSISTANT("a", USE("null", "f")) "," HUMAN("b", WORDS("go on") "," RESULT("null", "null", "r0")), "1(0)A call={}\n2(1)U text=go on result0=r0\n" },
	/* in the next message of the assistant, at its start, within it, or behind words of the user */
	{ ASSISTANT("a", USE("null", "f")) "," ASSISTANT("b", RESULT("null", "\"f\"", "r0") "," WORDS("so")), "1(0)A call={}\n2(1)U result0=r0\n3(2)A text=so\n" },
	{ ASSISTANT("a", USE("null", "f")) "," ASSISTANT("b", WORDS("then") "," RESULT("null", "\"f\"", "r0")), "1(0)A call={} text=then\n2(1)U result0=r0\n" },
	{ ASSISTANT("a", USE("\"1\"", "f")) "," HUMAN("b", WORDS("yes")) "," ASSISTANT("c", RESULT("\"1\"", "\"f\"", "r0") "," WORDS("so")),
	  "1(0)A call={}\n2(1)U text=yes result0=r0\n3(2)A text=so\n" },
	/* two for one call, and one for none: never words of the user */
	{ ASSISTANT("a", USE("null", "f") "," RESULT("null", "\"f\"", "r0") "," RESULT("null", "\"f\"", "more")), "1(0)A call={}\n2(1)U result0=r0\nmore\n" },
	{ ASSISTANT("a", USE("\"1\"", "f") "," RESULT("\"9\"", "\"f\"", "lost")), "1(0)A call={}\n2(1)U result-1=lost\n" },
	{ HUMAN("a", RESULT("null", "null", "lost") "," WORDS("hi")), "1(0)U result-1=lost text=hi\n" },
};

static void results_answer_their_calls(void)
{
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		struct buf file = { 0 }, nodes = { 0 };
		struct page_image d = { .out = &nodes };
		int64_t id;

		begin();
		buf_printf(&file, CLAUDE("%s"), pairs[i].messages);
		home_write(shelf_home(), "c.json", buf_z(&file));
		check_counts("c.json", 1, 0, 0, 0);
		check_counts("c.json", 0, 0, 1, 0);
		CHECK(history_find(h, STR("last"), &id, &err) == HISTORY_OK && history_nodes(h, id, draw_node, &d, &err) == HISTORY_OK, "%s", err.text);
		CHECK(!strcmp(buf_z(&nodes), pairs[i].nodes), "pair %zu: %s", i, buf_z(&nodes));
		buf_fini(&file);
		buf_fini(&nodes);
		end();
	}
}

/* The two ways on from a call have a result each. */
static void each_branch_has_its_results(void)
{
	begin();
	home_write(shelf_home(), "c.json", CLAUDE("{\"uuid\":\"a\",\"sender\":\"assistant\",\"content\":[" USE("null", "f") "]},"
	           "{\"uuid\":\"b\",\"parent_message_uuid\":\"a\",\"sender\":\"assistant\",\"content\":[" RESULT("null", "\"f\"", "one") "," WORDS("so") "]},"
	           "{\"uuid\":\"c\",\"parent_message_uuid\":\"a\",\"sender\":\"assistant\",\"content\":[" RESULT("null", "\"f\"", "two") "," WORDS("or") "]}"));
	check_counts("c.json", 1, 0, 0, 0);
	check_newest("1(0)A call={}\n2(1)U result0=one\n3(2)A text=so\n4(1)U result0=two\n5(4)A text=or\nTalk; leaf 5; system -\n");
	end();
}

static void results_are_as_they_were(void)
{
	begin();
	home_write(shelf_home(), "c.json", CLAUDE(ASSISTANT("a", USE("null", "f") "," USE("null", "g") "," USE("null", "h") "," USE("null", "i") ","
	           "{\"type\":\"tool_result\",\"name\":\"f\",\"is_error\":true,\"content\":\"refused\"},"
	           "{\"type\":\"tool_result\",\"name\":\"g\",\"content\":[{\"type\":\"knowledge\",\"title\":\"T\",\"url\":\"https://e.org\",\"text\":\"page\"},"
	           "{\"type\":\"image\",\"file_uuid\":\"7\"},{\"type\":\"local_resource\",\"file_path\":\"/out/a.txt\"},{\"type\":\"new\"}]},"
	           "{\"type\":\"tool_result\",\"name\":\"h\",\"content\":[],\"structured_content\":{\"n\":1}},"
	           "{\"type\":\"tool_result\",\"name\":\"i\",\"content\":null}")));
	check_counts("c.json", 1, 0, 0, 0);
	check_newest("1(0)A call={} call={} call={} call={}\n2(1)U result0!=refused result1=T\nhttps://e.org\npage\n/out/a.txt result2={\"n\":1} result3=\n"
	             "Talk; leaf 2; system -\n");
	check_left("c.json", "1 picture, 1 file, 1 item of the unknown type new");
	end();
}

static void what_claude_says_otherwise_is_counted(void)
{
	begin();
	home_write(shelf_home(), "c.json", "[{\"uuid\":\"k\",\"name\":\"Talk\",\"summary\":\"They talk.\",\"chat_messages\":["
	           HUMAN("1", "{\"type\":\"voice_note\",\"text\":\"spoken\"},{\"type\":\"image\",\"file_name\":\"p.png\"}") ","
	           ASSISTANT("2", "{\"type\":\"redacted_thinking\",\"data\":\"x\"},{\"type\":\"thinking\",\"thinking\":\"\",\"summaries\":[{\"summary\":\"Hm\"}]},"
	                     "{\"type\":\"hologram\",\"text\":\"shown\"},{\"type\":\"token_budget\"},{\"type\":\"flag\",\"flag\":\"f\"}") ","
	           "{\"uuid\":\"3\",\"sender\":\"narrator\",\"text\":\"Meanwhile\"},"
	           "{\"uuid\":\"4\",\"sender\":\"human\",\"text\":\"see\",\"content\":[],\"files\":[{\"file_name\":\"a.pdf\"},{\"file_kind\":\"image\"}]},"
	           "{\"uuid\":\"5\",\"sender\":\"assistant\",\"content\":\"plain\",\"files\":[{\"file_name\":\"made.docx\"}]}]}]");
	check_counts("c.json", 1, 0, 0, 0);
	check_newest("1(0)U text=spoken text=[attached: p.png; it was not part of the export]\n2(1)A think=Hm text=shown\n"
	             "3(2)U text=see text=[attached: a.pdf; it was not part of the export] text=[attached: a picture; it was not part of the export]\n"
	             "4(3)A text=plain text=[made.docx; it was not part of the export]\nTalk; leaf 4; system -\n");
	check_left("c.json", "1 summary text, 1 voice note, 2 pictures, 1 redacted thought, 1 item of the unknown type hologram (all but the text), "
	           "1 item of the unknown type flag, 1 message of the unknown role narrator, 2 files");
	end();
}

/* Names are cut, and what would make the list endless is of other types. */
static void the_list_of_what_is_left_out_ends(void)
{
	struct import_lefts lefts = { 0 };
	struct buf out = { 0 };

	for (int i = 0; i < 100; i++) {
		char name[60];

		snprintf(name, sizeof name, i < 50 ? "%d" : "%050d", i);
		import_leave(&lefts, IMPORT_LEFT_TYPE, str_from(name));
	}
	import_lefts_write(&lefts, &out);
	CU_ASSERT_EQUAL(lefts.count, IMPORT_LEFT_MOST);
	CHECK(str_starts(buf_str(&out), "1 item of the unknown type 0, 1 item of the unknown type 1, "), "%s", buf_z(&out));
	CHECK(str_ends(buf_str(&out), ", 69 items of other types"), "%s", buf_z(&out));
	CHECK(strlen(lefts.at[0].name) == 1 && sizeof lefts.at[0].name == 41, "%s", lefts.at[0].name);
	buf_fini(&out);
}

/* Results that look for calls in vain take a bounded time. */
static void many_calls_and_results_end(void)
{
	struct buf file;

	begin();
	buf_init(&file, (size_t)64 << 20);
	buf_add_z(&file, CLAUDE_BEGIN "{\"uuid\":\"1\",\"sender\":\"assistant\",\"content\":[");
	for (int i = 0; i < 6000; i++)
		buf_add_z(&file, USE("\"a\"", "f") ",");
	for (int i = 0; i < 6000; i++)
		buf_add_z(&file, RESULT("\"b\"", "\"f\"", "r") ",");
	buf_add_z(&file, WORDS("so") "]}]}]");
	home_write(shelf_home(), "c.json", buf_z(&file));
	check_counts("c.json", 1, 0, 0, 0);
	buf_fini(&file);
	end();
}

static void messages_without_parents_are_a_line(void)
{
	begin();
	home_write(shelf_home(), "c.json", "{\"uuid\":\"k\",\"name\":\"\",\"chat_messages\":[{\"uuid\":\"1\",\"sender\":\"human\",\"text\":\"\\u001b[31mred\\nline\"},"
	           "{\"uuid\":\"2\",\"sender\":\"assistant\",\"text\":\"a\\ud83d\"},{\"uuid\":\"3\",\"sender\":\"human\",\"text\":\"b\"}]}");
	check_counts("c.json", 1, 0, 0, 0);
	check_newest("1(0)U text=\x1b[31mred\nline\n2(1)A text=a\xEF\xBF\xBD\n3(2)U text=b\n\x1b[31mred; leaf 3; system -\n");
	end();
}

/* --- weir --- */

static void what_was_deleted_is_imported_again(void)
{
	struct buf json;
	int64_t id, mark;

	begin();
	home_write(shelf_home(), "c.json", CLAUDE_BEGIN CLAUDE_FIRST "]}]");
	check_counts("c.json", 1, 0, 0, 0);
	json = export_newest(&export_json);
	home_write(shelf_home(), "w.json", buf_z(&json));
	check_counts("w.json", 0, 0, 1, 0);
	CHECK(history_find(h, STR("last"), &id, &err) == HISTORY_OK && history_delete(h, id, 0, &mark, &err) == HISTORY_OK, "%s", err.text);
	check_counts("w.json", 1, 0, 0, 0);
	check_counts("c.json", 0, 0, 1, 0);
	buf_fini(&json);
	end();
}

/* A file names no file of this machine, and no place beyond a turn's parts. */
static void a_file_cannot_name_what_it_does_not_own(void)
{
	begin();
	home_write(shelf_home(), "w.json", "{\"conversations\":[{\"id\":\"last\",\"nodes\":[{\"id\":1,\"role\":\"assistant\",\"tape\":\"/etc/passwd\",\"restarted_at\":99,"
	           "\"open_from\":-4,\"started\":\"x\",\"parts\":[{\"type\":\"tool_call\",\"text\":\"{\",\"valid\":true,\"call\":-9},{\"type\":\"nothing\"},"
	           "{\"type\":\"text\",\"base64\":\"//8=\"}],\"joints\":[{\"part\":1e300}],\"notes\":[{\"part\":7}],\"citations\":{\"places\":[{\"source\":3}]}},"
	           "{\"id\":2,\"parent\":2},{\"id\":3,\"parent\":1,\"child\":1}]}],\"weir_history\":1}");
	check_counts("w.json", 1, 0, 0, 0);
	struct buf json = export_newest(&export_json);
	CU_ASSERT(!strstr(buf_z(&json), "passwd") && !strstr(buf_z(&json), "\"valid\"") && strstr(buf_z(&json), "\"restarted_at\":2"));
	CU_ASSERT(strstr(buf_z(&json), "{\"id\":2,\"parent\":null") && strstr(buf_z(&json), "{\"id\":3,\"parent\":1"));
	CU_ASSERT(!strstr(buf_z(&json), "\"id\":\"last\"") && strstr(buf_z(&json), "\"base64\":\"//8=\""));
	buf_fini(&json);
	end();
}

/* --- llm --- */

static void make_database(const char *name, const char *sql)
{
	enum database_status status;
	struct database *db;

	home_write(shelf_home(), name, "");
	db = database_open(shelf_path(name), DATABASE_CREATE, 0, &status, &err);
	CHECK(db != NULL, "%s", err.text);
	database_script(db, "PRAGMA journal_mode = DELETE");
	database_script(db, sql);
	CHECK(database_status(db) == DATABASE_OK, "%s", database_message(db));
	database_close(db);
}

static const char old_llm[] =
	"CREATE TABLE conversations (id TEXT PRIMARY KEY, name TEXT, model TEXT);"
	"CREATE TABLE responses (id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, response TEXT, conversation_id TEXT, duration_ms INTEGER, "
	"datetime_utc TEXT, input_tokens INTEGER, output_tokens INTEGER);"
	"CREATE TABLE tool_calls (id INTEGER PRIMARY KEY, response_id TEXT, name TEXT, arguments TEXT, tool_call_id TEXT);"
	"CREATE TABLE tool_results (id INTEGER PRIMARY KEY, response_id TEXT, name TEXT, output TEXT, tool_call_id TEXT);"
	"CREATE TABLE fragments (id INTEGER PRIMARY KEY, content TEXT, source TEXT);"
	"CREATE TABLE prompt_fragments (response_id TEXT, fragment_id INTEGER, \"order\" INTEGER);"
	"CREATE TABLE system_fragments (response_id TEXT, fragment_id INTEGER, \"order\" INTEGER);"
	"CREATE TABLE attachments (id TEXT, type TEXT, path TEXT, url TEXT, content BLOB);"
	"CREATE TABLE prompt_attachments (response_id TEXT, attachment_id TEXT, \"order\" INTEGER);"
	"INSERT INTO conversations VALUES ('b', 'Later', 'm'), ('a', 'Sums', 'm');"
	"INSERT INTO responses VALUES ('2', 'm', 'go on', NULL, 'Two.', 'a', 20, '2026-01-31T12:00:02.5', NULL, NULL),"
	"('1', 'm', 'add', 'Be brief.', '', 'a', 1500, '2026-01-31T12:00:00', 7, 3), ('3', 'm', 'hello', NULL, 'Hi.', 'b', 1, 'never', NULL, NULL);"
	"INSERT INTO tool_calls VALUES (1, '1', 'sum', '{\"n\":[1,1]}', 'c1');"
	"INSERT INTO tool_results VALUES (1, '2', 'sum', '2', 'c1');"
	"INSERT INTO fragments VALUES (1, 'a = 1', '/x/a.ini'); INSERT INTO prompt_fragments VALUES ('1', 1, 0);"
	"INSERT INTO attachments VALUES ('x', 'image/png', '/x/p.png', NULL, x'89504e47'), ('y', NULL, NULL, 'https://e.org/q.png', NULL);"
	"INSERT INTO prompt_attachments VALUES ('1', 'x', 0), ('1', 'y', 1);";

static void llm_is_read(void)
{
	int64_t id;

	begin();
	make_database("logs.db", old_llm);
	check_counts("logs.db", 2, 0, 0, 0);
	check_newest("1(0)U text=hello\n2(1)A text=Hi.\nLater; leaf 2; system -\n");
	CHECK(history_find(h, STR("2"), &id, &err) == HISTORY_OK && history_date(h, id, INT64_C(4000000000000), &err) == HISTORY_OK, "%s", err.text);
	check_newest("1(0)U file=a = 1 file=\x89PNG text=[attached: https://e.org/q.png; it was not part of the export] text=add\n"
	             "2(1)A call={\"n\":[1,1]}\n3(2)U result0=2 text=go on\n4(3)A text=Two.\nSums; leaf 4; system Be brief.\n");
	check_counts("logs.db", 0, 0, 2, 0);
	end();
}

/* Fragments of the system prompt, results without ids, one that failed; a response that belongs to no conversation. */
static const char whole_llm[] =
	"CREATE TABLE conversations (id TEXT PRIMARY KEY, name TEXT, model TEXT);"
	"CREATE TABLE responses (id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, prompt_json TEXT, options_json TEXT, response TEXT, response_json TEXT, "
	"conversation_id TEXT, duration_ms INTEGER, datetime_utc TEXT, input_tokens INTEGER, output_tokens INTEGER, token_details TEXT, schema_id TEXT, "
	"resolved_model TEXT, reasoning TEXT);"
	"CREATE TABLE attachments (id TEXT PRIMARY KEY, type TEXT, path TEXT, url TEXT, content BLOB);"
	"CREATE TABLE prompt_attachments (response_id TEXT, attachment_id TEXT, \"order\" INTEGER);"
	"CREATE TABLE fragments (id INTEGER PRIMARY KEY, hash TEXT, content TEXT, datetime_utc TEXT, source TEXT);"
	"CREATE TABLE prompt_fragments (response_id TEXT, fragment_id INTEGER, \"order\" INTEGER);"
	"CREATE TABLE system_fragments (response_id TEXT, fragment_id INTEGER, \"order\" INTEGER);"
	"CREATE TABLE tool_responses (tool_id INTEGER, response_id TEXT);"
	"CREATE TABLE tool_calls (id INTEGER PRIMARY KEY, response_id TEXT, tool_id INTEGER, name TEXT, arguments TEXT, tool_call_id TEXT);"
	"CREATE TABLE tool_results (id INTEGER PRIMARY KEY, response_id TEXT, tool_id INTEGER, name TEXT, output TEXT, tool_call_id TEXT, instance_id INTEGER, "
	"exception TEXT);"
	"CREATE TABLE tool_results_attachments (tool_result_id INTEGER, attachment_id TEXT, \"order\" INTEGER);"
	"INSERT INTO conversations VALUES ('a', 'Sums', 'm');"
	"INSERT INTO responses (id, model, prompt, system, options_json, response, conversation_id, datetime_utc, schema_id) VALUES "
	"('1', 'm', 'add', 'And brief.', '{\"temperature\":0,\"seed\":7}', '', 'a', '2026-01-31T12:00:00', 's'), ('2', 'm', '', '', '{}', 'So.', 'a', '2026-01-31T12:00:01', NULL),"
	"('3', 'm', 'more', 'Otherwise.', 'no json', 'Well.', 'a', '2026-01-31T12:00:02', NULL), ('4', 'm', 'alone', NULL, NULL, 'Yes.', NULL, '2026-02-01T00:00:00', NULL);"
	"INSERT INTO fragments VALUES (1, 'h', 'Be kind.', NULL, 'kind.txt'), (2, 'h', ' Be true. ', NULL, NULL), (3, 'h', 'a = 1', NULL, '/x/a.ini');"
	"INSERT INTO system_fragments VALUES ('1', 2, 1), ('1', 1, 0); INSERT INTO prompt_fragments VALUES ('1', 3, 0), ('1', 2, 1);"
	"INSERT INTO tool_responses VALUES (1, '1'), (2, '1'), (1, '2');"
	"INSERT INTO tool_calls VALUES (1, '1', 1, 'sum', '{}', NULL), (2, '1', 2, 'div', '{}', NULL), (3, '1', 1, 'sum', '{\"n\":1}', NULL);"
	"INSERT INTO tool_results VALUES (1, '2', 2, 'div', '', NULL, NULL, 'ZeroDivisionError: no'), (2, '2', 1, 'sum', '2', NULL, NULL, NULL), "
	"(3, '2', 1, 'sum', '3', NULL, NULL, NULL);"
	"INSERT INTO attachments VALUES ('x', 'image/png', NULL, NULL, x'89504e47'), ('y', 'image/png', '/x/p.png', NULL, NULL);"
	"INSERT INTO tool_results_attachments VALUES (3, 'x', 0); INSERT INTO prompt_attachments VALUES ('3', 'y', 0);";

static void llm_is_read_whole(void)
{
	int64_t id;

	begin();
	make_database("logs.db", whole_llm);
	check_counts("logs.db", 2, 0, 0, 0);
	check_newest("1(0)U text=alone\n2(1)A text=Yes.\nalone; leaf 2; system -\n");
	CHECK(history_find(h, STR("2"), &id, &err) == HISTORY_OK && history_date(h, id, INT64_C(4000000000000), &err) == HISTORY_OK, "%s", err.text);
	check_newest("1(0)U file=a = 1 file= Be true.  text=add\n2(1)A call={} call={} call={\"n\":1}\n"
	             "3(2)U result1!=ZeroDivisionError: no result0=2 result2=3 file=\x89PNG\n4(3)A text=So.\n"
	             "5(4)U text=[attached: /x/p.png; it was not part of the export] text=more\n6(5)A text=Well.\n"
	             "Sums; leaf 6; system Be kind.\n\nBe true.\n\nAnd brief.\n");
	check_left("logs.db", "2 options, 1 schema, 1 further system prompt, 1 picture, 2 tool definitions");
	end();
}

/* A small file may name a large text many times. */
static void a_conversation_that_would_fill_the_memory_is_skipped(void)
{
	begin();
	make_database("logs.db", "CREATE TABLE conversations (id TEXT PRIMARY KEY, name TEXT, model TEXT);"
	              "CREATE TABLE responses (id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, response TEXT, conversation_id TEXT, "
	              "duration_ms INTEGER, datetime_utc TEXT);"
	              "CREATE TABLE fragments (id INTEGER PRIMARY KEY, content BLOB, source TEXT);"
	              "CREATE TABLE prompt_fragments (response_id TEXT, fragment_id INTEGER, \"order\" INTEGER);"
	              "CREATE TABLE system_fragments (response_id TEXT, fragment_id INTEGER, \"order\" INTEGER);"
	              "INSERT INTO responses VALUES ('1', 'm', 'q', NULL, 'a', 'large', 1, '1'), ('2', 'm', 'q', NULL, 'a', 'small', 1, '1');"
	              "INSERT INTO fragments VALUES (1, zeroblob(8000000), 'f');"
	              "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO prompt_fragments SELECT '1', 1, i FROM n");
	check_counts("logs.db", 1, 0, 0, 1);
	end();
}

static const char new_llm[] =
	"CREATE TABLE fragments (id INTEGER PRIMARY KEY, content TEXT, source TEXT);"
	"CREATE TABLE prompt_fragments (response_id TEXT, fragment_id INTEGER, \"order\" INTEGER);"
	"CREATE TABLE system_fragments (response_id TEXT, fragment_id INTEGER, \"order\" INTEGER);"
	"CREATE TABLE messages (hash TEXT PRIMARY KEY, parent_hash TEXT, role TEXT);"
	"CREATE TABLE parts (id INTEGER PRIMARY KEY, message_hash TEXT, position INTEGER, type TEXT, tool_name TEXT, text TEXT, payload TEXT);"
	"CREATE TABLE threads (id TEXT PRIMARY KEY, name TEXT, tip_message_hash TEXT, datetime_utc TEXT);"
	"CREATE TABLE turns (id TEXT PRIMARY KEY, thread_id TEXT, parent_message_hash TEXT, tip_message_hash TEXT, model TEXT, resolved_model TEXT, "
	"input_tokens INTEGER, output_tokens INTEGER, datetime_utc TEXT, duration_ms INTEGER);"
	"INSERT INTO fragments VALUES (1, 'long text', NULL);"
	"INSERT INTO messages VALUES ('s', NULL, 'system'), ('1', 's', 'user'), ('2', '1', 'assistant'), ('3', '2', 'tool'), ('4', '3', 'assistant'), "
	"('5', '1', 'assistant'), ('ring', 'ring', 'user');"
	"INSERT INTO parts VALUES (1, 's', 0, 'text', NULL, 'Be brief.', NULL),"
	"(2, '1', 0, 'text', NULL, NULL, '{\"text_ref\":[{\"fragment\":1},{\"literal\":\", why?\"}]}'),"
	"(3, '2', 0, 'reasoning', NULL, 'Hm', NULL), (4, '2', 1, 'tool_call', 'find', NULL, '{\"arguments\":{\"q\":1},\"tool_call_id\":\"c\"}'),"
	"(5, '3', 0, 'tool_result', 'find', NULL, '{\"output\":\"found\",\"tool_call_id\":\"c\"}'), (6, '4', 0, 'text', NULL, 'So.', NULL),"
	"(7, '5', 0, 'text', NULL, 'Because.', NULL), (8, 'ring', 0, 'text', NULL, 'round', NULL);"
	"INSERT INTO threads VALUES ('t', 'Why', '4', '2026-07-30T10:00:00+00:00'), ('u', 'Ring', 'ring', NULL);"
	"INSERT INTO turns VALUES ('a', 't', '1', '2', 'm', 'm-1', 5, 6, '2026-07-30T10:00:01', 10), ('b', 't', '3', '4', 'm', NULL, 7, 8, NULL, 1), "
	"('c', 't', '1', '5', 'other', NULL, 1, 2, '2026-07-30T10:00:09', 5);";

static const char whole_threads[] =
	"CREATE TABLE attachments (id TEXT PRIMARY KEY, type TEXT, path TEXT, url TEXT, content BLOB);"
	"CREATE TABLE prompt_attachments (response_id TEXT, attachment_id TEXT, \"order\" INTEGER);"
	"CREATE TABLE part_attachments (part_id INTEGER, attachment_id TEXT, \"order\" INTEGER);"
	"CREATE TABLE messages (hash TEXT PRIMARY KEY, parent_hash TEXT, role TEXT);"
	"CREATE TABLE parts (id INTEGER PRIMARY KEY, message_hash TEXT, position INTEGER, type TEXT, tool_name TEXT, text TEXT, payload TEXT);"
	"CREATE TABLE threads (id TEXT PRIMARY KEY, name TEXT, tip_message_hash TEXT, forked_from TEXT, datetime_utc TEXT);"
	"CREATE TABLE turns (id TEXT PRIMARY KEY, thread_id TEXT, parent_message_hash TEXT, tip_message_hash TEXT, model TEXT, resolved_model TEXT, options_json TEXT, "
	"schema_id TEXT, input_tokens INTEGER, output_tokens INTEGER, token_details TEXT, duration_ms INTEGER, datetime_utc TEXT, response_json TEXT);"
	"CREATE TABLE turn_tools (turn_id TEXT, tool_id INTEGER, instance_id INTEGER);"
	"INSERT INTO messages VALUES ('1', NULL, 'user'), ('2', '1', 'assistant'), ('3', '2', 'tool'), ('4', '3', 'assistant');"
	"INSERT INTO parts VALUES (1, '1', 0, 'text', NULL, 'go', NULL), (2, '2', 0, 'reasoning', NULL, '', '{\"redacted\":true}'),"
	"(3, '2', 1, 'tool_call', 'search', NULL, '{\"name\":\"search\",\"arguments\":{},\"server_executed\":true}'),"
	"(4, '2', 2, 'tool_result', 'search', NULL, '{\"name\":\"search\",\"output\":\"found\",\"server_executed\":true}'),"
	"(5, '2', 3, 'tool_call', 'draw', NULL, '{\"name\":\"draw\",\"arguments\":{\"a\":1}}'), (6, '2', 4, 'hologram', NULL, 'shown', NULL), (7, '2', 5, 'widget', NULL, NULL, '{}'),"
	"(8, '3', 0, 'tool_result', 'draw', NULL, '{\"name\":\"draw\",\"output\":\"Error: x\",\"exception\":\"X: x\",\"attachments\":[{\"id\":\"x\"}]}'),"
	"(9, '4', 0, 'text', NULL, 'So.', NULL);"
	"INSERT INTO attachments VALUES ('x', 'image/png', NULL, NULL, x'89504e47'); INSERT INTO part_attachments VALUES (8, 'x', 0);"
	"INSERT INTO threads VALUES ('t', 'Draw', '4', NULL, '2026-07-30T10:00:00+00:00');"
	"INSERT INTO turns (id, thread_id, tip_message_hash, model, options_json, schema_id, datetime_utc) VALUES "
	"('a', 't', '2', 'm', '{\"temperature\":1}', 's', '2026-07-30T10:00:01'), ('b', 't', '4', 'm', NULL, NULL, NULL);"
	"INSERT INTO turn_tools VALUES ('a', 1, NULL), ('b', 1, NULL);";

static void llm_with_threads_is_read_whole(void)
{
	begin();
	make_database("logs.db", whole_threads);
	check_counts("logs.db", 1, 0, 0, 0);
	check_newest("1(0)U text=go\n2(1)A call={}\n3(2)U result0=found\n4(3)A call={\"a\":1} text=shown\n5(4)U result0!=Error: x file=\x89PNG\n6(5)A text=So.\n"
	             "Draw; leaf 6; system -\n");
	check_left("logs.db", "1 redacted thought, 1 item of the unknown type hologram (all but the text), 1 item of the unknown type widget, 1 option, 1 schema, "
	           "1 tool definition");
	end();
}

static void llm_with_threads_is_read(void)
{
	int64_t id;

	begin();
	make_database("logs.db", new_llm);
	check_counts("logs.db", 2, 0, 0, 0);
	check_newest("1(0)U text=round\nRing; leaf 1; system -\n");
	CHECK(history_find(h, STR("2"), &id, &err) == HISTORY_OK && history_date(h, id, INT64_C(4000000000000), &err) == HISTORY_OK, "%s", err.text);
	check_newest("1(0)U text=long text, why?\n2(1)A think=Hm call={\"q\":1}\n3(2)U result0=found\n4(3)A text=So.\n5(1)A text=Because.\n"
	             "Why; leaf 4; system Be brief.\n");
	check_counts("logs.db", 0, 0, 2, 0);
	end();
}

/* --- other files --- */

static const struct { const char *name, *content, *words; enum import_status status; } others[] = {
	{ "a", "PK\3\4rest of it", "it is a zip archive: unpack it first", IMPORT_OTHER_KIND },
	{ "a", "", "it is empty", IMPORT_OTHER_KIND },
	{ "a", "hello", "it is neither JSON nor a SQLite database", IMPORT_OTHER_KIND },
	{ "a", "<html>", "it is HTML or XML", IMPORT_OTHER_KIND },
	{ "a", "{\"a\":1,\"b\\u001b\":[2],\"c\":\"x\"}", "it is a JSON object with the members a, b?u001b, c, not an export", IMPORT_OTHER_KIND },
	{ "a", "{}", "it is a JSON object without members", IMPORT_OTHER_KIND },
	{ "a", "[{\"role\":\"user\",\"content\":1}]", "holds an object with the members role, content in place of a conversation", IMPORT_OTHER_KIND },
	{ "a", "[1,2]", "holds a number in place of a conversation", IMPORT_OTHER_KIND },
	{ "a", "[{\"mapping\":{", "the file ends within the value that begins at byte 1", IMPORT_FAILED },
	{ "a", "[{\"mapping\":{}} {", "the array does not go on as JSON at byte 16", IMPORT_FAILED },
	{ "gone/b", NULL, "cannot open", IMPORT_FAILED },
};

static void other_files_are_named(void)
{
	begin();
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		struct import_counts counts;

		if (others[i].content)
			home_write(shelf_home(), others[i].name, others[i].content);
		CHECK(import_it(others[i].name, &counts) == others[i].status, "%zu: %s", i, err.text);
		CHECK(strstr(err.text, others[i].words), "%zu: %s", i, err.text);
		CU_ASSERT_EQUAL(counts.added, 0);
	}
	end();
}

static void other_databases_are_named(void)
{
	struct import_counts counts;

	begin();
	make_database("x.db", "CREATE TABLE \"a b\" (x); CREATE VIEW responses AS SELECT 1 AS conversation_id; CREATE TABLE conversations (id)");
	CU_ASSERT_EQUAL(import_it("x.db", &counts), IMPORT_OTHER_KIND);
	CHECK(strstr(err.text, "a SQLite database with the tables a?b, conversations, not one of llm"), "%s", err.text);
	CU_ASSERT_EQUAL(import_it("data/weir/history.db", &counts), IMPORT_OTHER_KIND);
	CHECK(strstr(err.text, "it is a history of weir"), "%s", err.text);
	home_write(shelf_home(), "y.db", "SQLite format 3");
	CU_ASSERT_EQUAL(import_it("y.db", &counts), IMPORT_OTHER_KIND); /* without the NUL that ends it */
	end();
}

static void an_empty_list_is_no_failure(void)
{
	begin();
	home_write(shelf_home(), "a", " [ ] ");
	check_counts("a", 0, 0, 0, 0);
	home_write(shelf_home(), "a", "\xEF\xBB\xBF{\"weir_history\":1,\"conversations\":[]}");
	check_counts("a", 0, 0, 0, 0);
	end();
}

/* --- many --- */

/* `sentences` of 23 bytes in each. */
static void write_many(const char *name, int conversations, int sentences)
{
	struct buf file;
	int fd;

	buf_init(&file, (size_t)100 << 20);
	buf_add_byte(&file, '[');
	for (int i = 0; i < conversations; i++) {
		buf_printf(&file, "%s{\"uuid\":\"n%d\",\"name\":\"N\",\"chat_messages\":[{\"uuid\":\"1\",\"sender\":\"human\",\"text\":\"", i ? "," : "", i);
		for (int j = 0; j < sentences; j++)
			buf_add_z(&file, "many words \\\"quoted\\\\ ");
		buf_add_z(&file, "\"}]}");
	}
	buf_add_byte(&file, ']');
	fd = open(shelf_path(name), O_WRONLY | O_CREAT, 0600);
	CU_ASSERT_EQUAL(str_write(buf_str(&file), fd), 0);
	close(fd);
	buf_fini(&file);
}

static void many_conversations_need_little_memory(void)
{
	begin();
	write_many("many", 400, 300);
	check_counts("many", 400, 0, 0, 0);
	check_counts("many", 0, 0, 400, 0);
	end();
}

static bool see_wal(void *ctx, const struct import_counts *counts)
{
	off_t *most = ctx;
	struct stat facts;

	(void)counts;
	if (stat(shelf_path("data/weir/history.db-wal"), &facts) == 0 && facts.st_size > *most)
		*most = facts.st_size;
	return true;
}

static void the_wal_stays_small(void)
{
	struct import_counts counts;
	off_t most = 0;

	begin();
	write_many("many", 60, 50000);
	const struct import_options options = { see_wal, &most };
	CHECK(import_file(h, shelf_path("many"), &options, &counts, &err) == IMPORT_DONE, "%s", err.text);
	CU_ASSERT_EQUAL(counts.added, 60);
	CHECK(most > 16 << 20 && most < 20 << 20, "%lld bytes", (long long)most);
	end();
}

const struct suite suite_import = {
	"import",
	(const struct test[]){
		TEST(chatgpt_keeps_its_tree), TEST(chatgpt_versions_are_in_order), TEST(chatgpt_results_answer_their_calls), TEST(chatgpt_errors_are_errors), TEST(what_chatgpt_says_otherwise_is_counted), TEST(rings_and_orphans_end), TEST(empty_nodes_end), TEST(a_title_splits_no_character), TEST(claude_keeps_its_tree), TEST(results_answer_their_calls),
		TEST(each_branch_has_its_results), TEST(results_are_as_they_were), TEST(what_claude_says_otherwise_is_counted), TEST(the_list_of_what_is_left_out_ends), TEST(many_calls_and_results_end),
		 TEST(messages_without_parents_are_a_line),
		TEST(what_was_deleted_is_imported_again), TEST(a_file_cannot_name_what_it_does_not_own), TEST(llm_is_read), TEST(a_conversation_that_would_fill_the_memory_is_skipped),
		TEST(llm_with_threads_is_read), TEST(llm_is_read_whole), TEST(llm_with_threads_is_read_whole),
		TEST(other_files_are_named), TEST(other_databases_are_named), TEST(an_empty_list_is_no_failure), TEST(many_conversations_need_little_memory), TEST(the_wal_stays_small),
		{ 0 },
	},
};
