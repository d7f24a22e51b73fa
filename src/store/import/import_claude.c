/*
 * Reads a conversation of Claude's export: an object with `chat_messages`, each with `uuid`, `sender` and blocks in `content`. Where messages
 * name their parents (`parent_message_uuid`), they are a tree; else each follows the one before it.
 *
 * A message of the assistant may hold the results of its tools, which belong to the user's side: it becomes several turns, one below the
 * other. Ids of calls may be missing, on one side or on both.
 */
#include "base/array.h"
#include "base/mem.h"
#include "base/timestamp.h"
#include "chat/conversation/citations.h"
#include "chat/conversation/turn.h"
#include "store/import/import_inside.h"
#include "wire/delta.h"

#define PROVIDER "claude"

static void add_sources(struct turn *t, const struct json *list)
{
	for (size_t i = 0; i < json_length(list); i++) {
		const struct json *item = json_at(list, i), *details = json_get(item, "details");
		struct str url = json_get_text(item, "url"), title = json_get_text(item, "title");
		struct citation source = { .url = url.len ? url : json_get_text(details, "url"),
		                           .title = title.len ? title : json_get_text(details, "title"), .unit = CITATION_NO_PLACE };

		if (source.url.len)
			citations_add(&t->citations, &source, DELTA_NO_PART, 0);
	}
}

/* --- blocks --- */

/* A block, and where its parts go. */
struct block {
	struct import_target *to;
	enum turn_role role;
	const struct json *json;
	struct str type;
};

static void add_line(struct buf *out, struct str text)
{
	buf_add_z(out, out->len && text.len ? "\n" : "");
	buf_add(out, text);
}

/* A block of a result. What is found on the web is `knowledge`. */
static void gather_block(const struct json *item, struct import_lefts *left, struct buf *out)
{
	struct str type = json_get_text(item, "type"), text = json_get_text(item, "text");

	add_line(out, json_get_text(item, "title"));
	add_line(out, json_get_text(item, "url"));
	add_line(out, text);
	if (str_is(type, "image"))
		import_leave(left, IMPORT_LEFT_PICTURE, STR_NONE);
	else if (str_is(type, "local_resource")) {
		add_line(out, json_get_text(item, "file_path"));
		import_leave(left, IMPORT_LEFT_FILE, STR_NONE);
	} else if (!str_is(type, "text") && !str_is(type, "knowledge"))
		import_leave(left, text.len ? IMPORT_LEFT_TYPE_BUT_TEXT : IMPORT_LEFT_TYPE, type);
}

/* The text of a result: a string, or blocks; else what it is as JSON. */
static void gather(const struct block *b, struct buf *out)
{
	const struct json *content = json_get(b->json, "content"), *structured = json_get(b->json, "structured_content");

	if (json_kind(content) == JSON_STRING)
		buf_add(out, json_text(content));
	else if (json_kind(content) == JSON_OBJECT)
		gather_block(content, &b->to->im->left, out);
	for (size_t i = 0; i < json_length(content); i++)
		gather_block(json_at(content, i), &b->to->im->left, out);
	if (!out->len && json_kind(structured) == JSON_OBJECT)
		json_dump(structured, out);
}

static void add_text(const struct block *b)
{
	struct str text = json_get_text(b->json, "text");

	if (text.len && import_add_part(b->to, b->role, PART_TEXT, text, STR_NONE, STR_NONE))
		add_sources(import_turn(b->to->im, b->to->place), json_get(b->json, "citations"));
}

static void add_voice(const struct block *b)
{
	add_text(b);
	import_leave(&b->to->im->left, IMPORT_LEFT_VOICE, STR_NONE);
}

/* Thoughts that are cut off may have summaries only. */
static void add_thoughts(const struct block *b)
{
	const struct json *summaries = json_get(b->json, "summaries");
	struct buf text = { 0 };

	buf_add(&text, json_get_text(b->json, "thinking"));
	for (size_t i = 0; !json_get_text(b->json, "thinking").len && i < json_length(summaries); i++)
		add_line(&text, json_get_text(json_at(summaries, i), "summary"));
	if (text.len)
		import_add_part(b->to, TURN_ASSISTANT, PART_REASONING, buf_str(&text), STR_NONE, STR_NONE);
	buf_fini(&text);
}

static void leave_thoughts(const struct block *b)
{
	import_leave(&b->to->im->left, IMPORT_LEFT_REDACTED, STR_NONE);
}

static void add_call(const struct block *b)
{
	const struct json *input = json_get(b->json, "input");
	struct buf arguments = { 0 };

	json_dump(input, &arguments);
	import_add_call(b->to, input ? buf_str(&arguments) : STR("{}"), json_get_text(b->json, "id"), json_get_text(b->json, "name"));
	buf_fini(&arguments);
}

static void add_result(const struct block *b)
{
	struct buf text = { 0 };
	bool flag, is_error = json_flag(json_get(b->json, "is_error"), &flag) && flag;

	gather(b, &text);
	import_add_result(b->to, buf_str(&text), is_error, json_get_text(b->json, "tool_use_id"), json_get_text(b->json, "name"));
	buf_fini(&text);
}

static void add_picture(const struct block *b)
{
	import_add_missing(b->to, b->role, IMPORT_LEFT_PICTURE, json_get_text(b->json, "file_name"));
}

/* A mark of the program, not a part of the talk. */
static void pass_over(const struct block *b)
{
	(void)b;
}

static const struct { const char *type; void (*add)(const struct block *b); } blocks[] = {
	{ "text", add_text }, { "voice_note", add_voice }, { "thinking", add_thoughts }, { "redacted_thinking", leave_thoughts },
	{ "tool_use", add_call }, { "server_tool_use", add_call }, { "mcp_tool_use", add_call },
	{ "tool_result", add_result }, { "mcp_tool_result", add_result }, { "web_search_tool_result", add_result },
	{ "image", add_picture }, { "token_budget", pass_over },
};

static void add_block(const struct block *b)
{
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++)
		if (str_is(b->type, blocks[i].type)) {
			blocks[i].add(b);
			return;
		}
	add_text(b);
	import_leave(&b->to->im->left, json_get_text(b->json, "text").len ? IMPORT_LEFT_TYPE_BUT_TEXT : IMPORT_LEFT_TYPE, b->type);
}

/* --- messages --- */

static void add_attachments(struct import_target *to, enum turn_role role, const struct json *message)
{
	const struct json *attachments = json_get(message, "attachments"), *files = json_get(message, "files");

	for (size_t i = 0; i < json_length(attachments) && i < IMPORT_PARTS_MOST; i++) {
		const struct json *item = json_at(attachments, i);
		struct str text = json_get_text(item, "extracted_content"), name = json_get_text(item, "file_name");
		struct part *p = text.len ? import_add_part(to, TURN_USER, PART_ATTACHMENT, text, STR_NONE, name) : NULL;

		if (p)
			str_replace(&p->media, STR("text/plain"));
		else
			import_add_missing(to, role, IMPORT_LEFT_FILE, name);
	}
	for (size_t i = 0; i < json_length(files) && i < IMPORT_PARTS_MOST; i++) {
		const struct json *item = json_at(files, i);
		bool is_picture = str_is(json_get_text(item, "file_kind"), "image");

		import_add_missing(to, role, is_picture ? IMPORT_LEFT_PICTURE : IMPORT_LEFT_FILE, json_get_text(item, "file_name"));
	}
}

static bool is_person(struct str sender)
{
	return !sender.len || str_is(sender, "human") || str_is(sender, "user");
}

/* An answer goes on with the one before it as long as that one's calls wait for results, which may be in this message. */
static bool continues_turn(const struct import_links *links, const struct import_link *link, const struct import_target *to, enum turn_role role)
{
	return role == TURN_ASSISTANT && link->up && links->at[link->up - 1].children == 1 && import_awaits_result(to);
}

/* A link's `item` is its message. */
static size_t visit_message(void *ctx, const struct import_links *links, size_t place, size_t turn)
{
	struct imported *im = ctx;
	const struct json *message = links->at[place - 1].item, *content = json_get(message, "content");
	struct str sender = json_get_text(message, "sender"),
	           whole = json_kind(content) == JSON_STRING ? json_text(content) : json_get_text(message, "text");
	enum turn_role role = str_is(sender, "assistant") ? TURN_ASSISTANT : TURN_USER;
	struct import_target to = { .im = im, .place = turn, .wall_ms = timestamp_or_zero(json_get_text(message, "created_at")) };
	size_t before = im->bytes;

	if (role == TURN_USER && !is_person(sender)) {
		import_leave(&im->left, IMPORT_LEFT_ROLE, sender);
		return turn;
	}
	to.join = continues_turn(links, &links->at[place - 1], &to, role);
	size_t from = to.join ? turn : im->count + 1;
	for (size_t i = 0; i < json_length(content); i++)
		add_block(&(struct block){ &to, role, json_at(content, i), json_get_text(json_at(content, i), "type") });
	if (im->bytes == before && to.place == turn && !str_is_blank(whole))
		import_add_part(&to, role, PART_TEXT, whole, STR_NONE, STR_NONE);
	add_attachments(&to, role, message);
	import_set_origin(im, from, STR(PROVIDER), str_from(im->facts.model));
	return to.place;
}

static void add_messages(struct import_links *links, const struct json *messages)
{
	struct str before = STR_NONE;

	for (size_t i = 0; i < json_length(messages) && links->count < IMPORT_TURNS_MOST; i++) {
		const struct json *message = json_at(messages, i);
		struct str id = json_get_text(message, "uuid"), parent = json_get_text(message, "parent_message_uuid");

		if (json_kind(message) != JSON_OBJECT)
			continue;
		import_links_add(links, id, parent.len ? parent : before, message);
		before = id;
	}
}

static bool claude_read(struct json_parser *parser, const struct json *value, struct str text, struct imported *im)
{
	struct str id = json_get_text(value, "uuid"), leaf = json_get_text(value, "current_leaf_message_uuid");
	struct import_links links = { 0 };
	size_t *order, *turns, current;

	(void)parser;
	if (json_kind(json_get(value, "chat_messages")) != JSON_ARRAY)
		return false;
	import_set_key(im, "claude", id.len ? id : text);
	import_set(&im->facts.title, json_get_text(value, "name"));
	import_set(&im->facts.model, json_get_text(value, "model"));
	import_set(&im->facts.provider, STR(PROVIDER));
	im->facts.created_ms = timestamp_or_zero(json_get_text(value, "created_at"));
	im->facts.updated_ms = timestamp_or_zero(json_get_text(value, "updated_at"));
	if (!str_is_blank(json_get_text(value, "summary")))
		import_leave(&im->left, IMPORT_LEFT_SUMMARY, STR_NONE);
	add_messages(&links, json_get(value, "chat_messages"));
	order = import_link(&links);
	turns = mem_new((links.count + 1) * sizeof *turns);
	import_links_walk(&links, visit_message, im, turns);
	current = leaf.len ? import_links_find(&links, order, leaf) : links.count;
	im->leaf = current ? turns[current - 1] : 0;
	mem_free(turns);
	mem_free(order);
	mem_free(links.at);
	return true;
}

const struct import_form import_claude = { .name = "Claude", .member = "chat_messages", .read = claude_read };
