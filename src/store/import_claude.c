/*
 * Reads a conversation of Claude's export: an object with `chat_messages`, each with `uuid`, `sender` and blocks in `content`. Where messages
 * name their parents (`parent_message_uuid`), they are a tree; else each follows the one before it.
 *
 * A message of the assistant may hold the results of its tools, which belong to the user's side: it becomes several turns, one below the
 * other.
 */
#include "base/mem.h"
#include "base/timestamp.h"
#include "store/import_inside.h"

#define PROVIDER "claude"

static int64_t take_ms(const struct json *object, const char *key)
{
	int64_t ms;

	return timestamp_read(json_get_text(object, key), &ms) ? ms : 0;
}

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

/* The text of a result: a string, or blocks of text. */
static void gather(const struct json *content, struct buf *out)
{
	if (json_kind(content) == JSON_STRING)
		buf_add(out, json_text(content));
	for (size_t i = 0; i < json_length(content); i++) {
		struct str text = json_get_text(json_at(content, i), "text");

		buf_add_z(out, out->len && text.len ? "\n" : "");
		buf_add(out, text);
	}
}

static void add_call(struct import_target *to, const struct json *block)
{
	struct buf arguments = { 0 };

	json_dump(json_get(block, "input"), &arguments);
	import_add_call(to, json_get(block, "input") ? buf_str(&arguments) : STR("{}"), json_get_text(block, "id"), json_get_text(block, "name"));
	buf_fini(&arguments);
}

static void add_result(struct import_target *to, const struct json *block)
{
	struct buf text = { 0 };
	struct part *p;
	bool is_error;

	gather(json_get(block, "content"), &text);
	p = import_add_part(to, TURN_USER, PART_TOOL_RESULT, buf_str(&text), json_get_text(block, "tool_use_id"), json_get_text(block, "name"));
	if (p)
		p->is_error = json_flag(json_get(block, "is_error"), &is_error) && is_error;
	buf_fini(&text);
}

static void add_block(struct import_target *to, enum turn_role role, const struct json *block)
{
	struct str type = json_get_text(block, "type");

	if (str_is(type, "text") && json_get_text(block, "text").len) {
		if (import_add_part(to, role, PART_TEXT, json_get_text(block, "text"), STR_NONE, STR_NONE))
			add_sources(import_turn(to->im, to->place), json_get(block, "citations"));
	} else if (str_is(type, "thinking") && json_get_text(block, "thinking").len)
		import_add_part(to, TURN_ASSISTANT, PART_REASONING, json_get_text(block, "thinking"), STR_NONE, STR_NONE);
	else if (str_is(type, "tool_use"))
		add_call(to, block);
	else if (str_is(type, "tool_result"))
		add_result(to, block);
}

static void add_attachments(struct import_target *to, const struct json *message)
{
	const struct json *attachments = json_get(message, "attachments"), *files = json_get(message, "files");

	for (size_t i = 0; i < json_length(attachments) && i < IMPORT_PARTS_MOST; i++) {
		const struct json *item = json_at(attachments, i);
		struct str text = json_get_text(item, "extracted_content"), name = json_get_text(item, "file_name");
		struct part *p = text.len ? import_add_part(to, TURN_USER, PART_ATTACHMENT, text, STR_NONE, name) : NULL;

		if (p)
			str_replace(&p->media, STR("text/plain"));
		else
			import_add_missing_file(to, name);
	}
	for (size_t i = 0; i < json_length(files) && i < IMPORT_PARTS_MOST; i++)
		import_add_missing_file(to, json_get_text(json_at(files, i), "file_name"));
}

/* A link's `item` is its message. */
static size_t visit_message(void *ctx, const struct import_links *links, size_t place, size_t turn)
{
	struct imported *im = ctx;
	const struct json *message = links->at[place - 1].item, *content = json_get(message, "content");
	enum turn_role role = str_is(json_get_text(message, "sender"), "assistant") ? TURN_ASSISTANT : TURN_USER;
	struct import_target to = { .im = im, .place = turn, .wall_ms = take_ms(message, "created_at") };
	size_t before = im->count;

	for (size_t i = 0; i < json_length(content); i++)
		add_block(&to, role, json_at(content, i));
	if (!to.join && !str_is_blank(json_get_text(message, "text")))
		import_add_part(&to, role, PART_TEXT, json_get_text(message, "text"), STR_NONE, STR_NONE);
	if (role == TURN_USER)
		add_attachments(&to, message);
	for (size_t i = before; i < im->count; i++)
		if (im->turns[i].turn->role == TURN_ASSISTANT)
			import_set_origin(im, i + 1, STR(PROVIDER), str_from(im->facts.model));
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
	im->facts.created_ms = take_ms(value, "created_at");
	im->facts.updated_ms = take_ms(value, "updated_at");
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
