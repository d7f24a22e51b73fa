/*
 * Reads a conversation of ChatGPT's export: an object with `mapping`, a map of nodes by id, each with `message`, `parent` and `children`,
 * and `current_node`, where the user was last.
 *
 * A message is a step, not a turn: thoughts, calls and text of one answer follow one another. Steps of an answer that have no siblings
 * become one turn. Messages that ChatGPT hides (weight 0, empty system messages) are left out, but for calls and their results, which the
 * model has seen; what follows them moves up.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "chat/conversation/citations.h"
#include "chat/conversation/turn.h"
#include "store/import/import_inside.h"
#include "wire/delta.h"

#define PROVIDER "chatgpt"

static int64_t take_ms(const struct json *value)
{
	double seconds;

	return json_number(value, &seconds) && seconds > 0 && seconds < 1e11 ? (int64_t)(seconds * 1000) : 0;
}

/* --- what a message says --- */

/* A message, and where its parts go. */
struct step {
	struct import_target to;
	const struct json *message, *content, *metadata;
	struct str id, author, type; /* author: his role; type: of the content */
	enum turn_role role;
	bool is_hidden;
};

static struct step step_of(const struct import_link *link, struct imported *im, size_t place)
{
	const struct json *message = json_get(link->item, "message"), *content = json_get(message, "content"),
	                   *metadata = json_get(message, "metadata");
	struct step s = { .to = { .im = im, .place = place, .wall_ms = take_ms(json_get(message, "create_time")) }, .message = message,
	                  .content = content, .metadata = metadata, .id = link->id, .author = json_text(json_find(message, "author.role")),
	                  .type = json_get_text(content, "content_type") };
	double weight;
	bool hidden;

	s.role = str_is(s.author, "assistant") ? TURN_ASSISTANT : TURN_USER;
	s.is_hidden = (json_number(json_get(message, "weight"), &weight) && weight <= 0) ||
	              (json_flag(json_get(metadata, "is_visually_hidden_from_conversation"), &hidden) && hidden);
	return s;
}

static bool is_call(const struct step *s)
{
	struct str recipient = json_get_text(s->message, "recipient");

	return s->role == TURN_ASSISTANT && recipient.len && !str_is(recipient, "all");
}

/* The types of content, with the members that hold its words. Pictures and parts stand beside them. */
static const struct content_type { const char *name, *members[3]; } content_types[] = {
	{ "text", { "text" } }, { "multimodal_text", { "text" } }, { "code", { "text" } }, { "execution_output", { "text" } },
	{ "tether_quote", { "title", "url", "text" } }, { "sonic_webpage", { "title", "url", "text" } },
	{ "tether_browsing_display", { "result", "summary" } }, { "citable_code_output", { "output_str" } }, { "computer_output", { NULL } },
	{ "system_error", { "name", "text" } }, { "thoughts", { NULL } }, { "reasoning_recap", { "content" } },
	{ "user_editable_context", { "user_profile", "user_instructions" } }, { "model_editable_context", { "model_set_context", "repo_summary" } },
};
static const struct content_type content_unknown = { NULL, { "text", "content", "result" } };

static const struct content_type *content_type_of(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(content_types); i++)
		if (str_is(name, content_types[i].name))
			return &content_types[i];
	return name.len ? &content_unknown : &content_types[0];
}

static void add_words(struct buf *out, struct str text, const char *between)
{
	buf_add_z(out, out->len && text.len ? between : "");
	buf_add(out, text);
}

/* All words of a content, in lines; an error in one. */
static void gather(const struct step *s, struct buf *out)
{
	const struct content_type *type = content_type_of(s->type);
	const struct json *parts = json_get(s->content, "parts");

	for (size_t i = 0; i < ARRAY_LEN(type->members) && type->members[i]; i++)
		add_words(out, json_get_text(s->content, type->members[i]), str_is(s->type, "system_error") ? ": " : "\n");
	for (size_t i = 0; i < json_length(parts); i++) {
		struct str text = json_text(json_at(parts, i));

		add_words(out, text.len ? text : json_get_text(json_at(parts, i), "text"), "\n");
	}
}

static bool has_words(const struct step *s)
{
	struct buf words = { 0 };
	bool any;

	gather(s, &words);
	any = !str_is_blank(buf_str(&words));
	buf_fini(&words);
	return any;
}

/* A message that is left out; without words it is nothing. */
static void leave(struct step *s, enum import_left_kind kind, struct str name)
{
	if (has_words(s))
		import_leave(&s->to.im->left, kind, name);
}

/* --- what is not text --- */

/* Objects among the parts, whose bytes are in other files. */
static const struct { const char *type; enum import_left_kind kind; } pointers[] = {
	{ "image_asset_pointer", IMPORT_LEFT_PICTURE }, { "audio_asset_pointer", IMPORT_LEFT_VOICE },
	{ "real_time_user_audio_video_asset_pointer", IMPORT_LEFT_VOICE }, { "video_container_asset_pointer", IMPORT_LEFT_VIDEO },
};

static bool pointer_find(struct str type, enum import_left_kind *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(pointers); i++)
		if (str_is(type, pointers[i].type)) {
			*kind = pointers[i].kind;
			return true;
		}
	return false;
}

/* Attached files are named by the message. */
static bool is_attached(const struct step *s, const struct json *item)
{
	const struct json *list = json_get(s->metadata, "attachments");
	struct str pointer = json_get_text(item, "asset_pointer");

	for (size_t i = 0; i < json_length(list) && i < IMPORT_PARTS_MOST; i++) {
		struct str id = json_get_text(json_at(list, i), "id");

		if (id.len && str_find(pointer, id) + id.len == pointer.len)
			return true;
	}
	return false;
}

/* Counts what is not text among the parts. `shows`: in its place stand words that say so, but for a recording whose transcript is there. */
static void leave_object(struct step *s, const struct json *item, bool shows)
{
	struct str type = json_get_text(item, "content_type"), text = json_get_text(item, "text");
	enum import_left_kind kind;

	if (str_is(type, "audio_transcription") || is_attached(s, item))
		return;
	if (!pointer_find(type, &kind)) {
		if (!type.len || !str_is(type, "text"))
			import_leave(&s->to.im->left, text.len ? IMPORT_LEFT_TYPE_BUT_TEXT : IMPORT_LEFT_TYPE, type);
	} else if (shows && (kind == IMPORT_LEFT_PICTURE || !has_words(s))) {
		import_add_missing(&s->to, s->role, kind, STR_NONE);
	} else {
		import_leave(&s->to.im->left, kind, STR_NONE);
	}
	if (json_kind(json_get(item, "video_container_asset_pointer")) == JSON_OBJECT)
		import_leave(&s->to.im->left, IMPORT_LEFT_VIDEO, STR_NONE);
}

/* The same for a whole content whose words are gathered. */
static void leave_objects(struct step *s)
{
	const struct json *parts = json_get(s->content, "parts");

	for (size_t i = 0; i < json_length(parts); i++)
		if (json_kind(json_at(parts, i)) == JSON_OBJECT)
			leave_object(s, json_at(parts, i), false);
	if (json_kind(json_get(s->content, "screenshot")) == JSON_OBJECT)
		import_leave(&s->to.im->left, IMPORT_LEFT_PICTURE, STR_NONE);
	if (content_type_of(s->type) == &content_unknown)
		import_leave(&s->to.im->left, has_words(s) ? IMPORT_LEFT_TYPE_BUT_TEXT : IMPORT_LEFT_TYPE, s->type);
}

static void add_files(struct step *s)
{
	const struct json *list = json_get(s->metadata, "attachments");

	for (size_t i = 0; i < json_length(list) && i < IMPORT_PARTS_MOST; i++) {
		const struct json *item = json_at(list, i);
		bool is_picture = str_starts(json_get_text(item, "mime_type"), "image/");

		import_add_missing(&s->to, TURN_USER, is_picture ? IMPORT_LEFT_PICTURE : IMPORT_LEFT_FILE, json_get_text(item, "name"));
	}
}

/* --- text, thoughts, calls and results --- */

static void add(struct step *s, enum part_kind kind, struct str text)
{
	if (!str_is_blank(text))
		import_add_part(&s->to, s->role, kind, text, STR_NONE, STR_NONE);
}

static void add_all(struct step *s, enum part_kind kind)
{
	struct buf text = { 0 };

	gather(s, &text);
	add(s, kind, buf_str(&text));
	leave_objects(s);
	buf_fini(&text);
}

static void add_texts(struct step *s)
{
	const struct json *parts = json_get(s->content, "parts");

	if (!json_length(parts) || content_type_of(s->type) == &content_unknown) {
		add_all(s, PART_TEXT);
		return;
	}
	for (size_t i = 0; i < json_length(parts); i++) {
		const struct json *item = json_at(parts, i);

		add(s, PART_TEXT, json_kind(item) == JSON_STRING ? json_text(item) : json_get_text(item, "text"));
		if (json_kind(item) == JSON_OBJECT)
			leave_object(s, item, true);
	}
}

static void add_thoughts(struct step *s)
{
	const struct json *thoughts = json_get(s->content, "thoughts");

	for (size_t i = 0; i < json_length(thoughts); i++) {
		const struct json *thought = json_at(thoughts, i);
		struct buf text = { 0 };

		buf_add(&text, json_get_text(thought, "summary"));
		buf_add_z(&text, text.len && json_get_text(thought, "content").len ? "\n\n" : "");
		buf_add(&text, json_get_text(thought, "content"));
		add(s, PART_REASONING, buf_str(&text));
		buf_fini(&text);
	}
	add_all(s, PART_REASONING);
}

static void add_call(struct step *s)
{
	struct buf text = { 0 };

	gather(s, &text);
	import_add_call(&s->to, buf_str(&text), s->id, json_get_text(s->message, "recipient"));
	leave_objects(s);
	buf_fini(&text);
}

static void add_result(struct step *s)
{
	struct buf text = { 0 };

	gather(s, &text);
	import_add_result(&s->to, buf_str(&text), str_is(s->type, "system_error"), STR_NONE, json_text(json_find(s->message, "author.name")));
	leave_objects(s);
	const struct json *messages = json_find(s->metadata, "aggregate_result.messages");

	for (size_t i = 0; i < json_length(messages) && i < IMPORT_PARTS_MOST; i++)
		if (str_is(json_get_text(json_at(messages, i), "message_type"), "image"))
			import_leave(&s->to.im->left, IMPORT_LEFT_PICTURE, STR_NONE);
	buf_fini(&text);
}

/* A failure: of the call before it, else of the answer. */
static void add_error(struct step *s)
{
	struct buf text = { 0 };

	if (str_is(s->author, "tool") || import_awaits_result(&s->to)) {
		add_result(s);
		return;
	}
	gather(s, &text);
	if (text.len)
		import_add_error(&s->to, buf_str(&text));
	buf_fini(&text);
}

static void add_source(struct turn *t, const struct json *item)
{
	struct citation source = { .url = json_get_text(item, "url"), .title = json_get_text(item, "title"), .unit = CITATION_NO_PLACE };

	if (source.url.len)
		citations_add(&t->citations, &source, DELTA_NO_PART, 0);
}

static void add_sources(struct turn *t, const struct json *metadata)
{
	const struct json *citations = json_get(metadata, "citations"), *references = json_get(metadata, "content_references");

	for (size_t i = 0; i < json_length(citations); i++)
		add_source(t, json_get(json_at(citations, i), "metadata"));
	for (size_t i = 0; i < json_length(references); i++) {
		const struct json *items = json_get(json_at(references, i), "items");

		add_source(t, json_at(references, i));
		for (size_t j = 0; j < json_length(items); j++)
			add_source(t, json_at(items, j));
	}
}

/* How ChatGPT says that an answer ended, where it did not end well. */
static const struct { const char *word; enum outcome outcome; } endings[] = {
	{ "interrupted", OUTCOME_CANCELLED }, { "max_tokens", OUTCOME_LENGTH }, { "content_filter", OUTCOME_FILTERED },
};

static void set_ending(struct step *s, struct turn *t)
{
	struct str word = json_text(json_find(s->metadata, "finish_details.type"));

	for (size_t i = 0; i < ARRAY_LEN(endings); i++)
		if (str_is(word, endings[i].word) && t->outcome == OUTCOME_COMPLETE)
			t->outcome = endings[i].outcome;
}

static void add_answer(struct step *s)
{
	if (is_call(s))
		add_call(s);
	else if (str_is(s->type, "thoughts"))
		add_thoughts(s);
	else if (str_is(s->type, "reasoning_recap"))
		add_all(s, PART_REASONING);
	else
		add_texts(s);
	if (!s->to.place || import_turn(s->to.im, s->to.place)->role != TURN_ASSISTANT)
		return;
	import_set_origin(s->to.im, s->to.place, STR(PROVIDER), json_get_text(s->metadata, "model_slug"));
	add_sources(import_turn(s->to.im, s->to.place), s->metadata);
	set_ending(s, import_turn(s->to.im, s->to.place));
}

/* The first one is that of the conversation. */
static void add_system(struct step *s)
{
	struct buf text = { 0 };

	gather(s, &text);
	if (s->to.im->facts.system_prompt)
		leave(s, IMPORT_LEFT_SYSTEM, STR_NONE);
	else
		import_set(&s->to.im->facts.system_prompt, str_trim(buf_str(&text)));
	buf_fini(&text);
}

/* --- messages --- */

static bool is_instruction(const struct step *s)
{
	bool of_user;

	return str_is(s->type, "user_editable_context") || (json_flag(json_get(s->metadata, "is_user_system_message"), &of_user) && of_user);
}

static void add_message(struct step *s)
{
	if (is_instruction(s))
		leave(s, IMPORT_LEFT_INSTRUCTION, STR_NONE);
	else if (str_is(s->type, "model_editable_context"))
		leave(s, IMPORT_LEFT_MEMORY, STR_NONE);
	else if (str_is(s->type, "system_error"))
		add_error(s);
	else if (str_is(s->author, "tool"))
		add_result(s);
	else if (s->is_hidden && !is_call(s))
		leave(s, IMPORT_LEFT_HIDDEN, STR_NONE);
	else if (str_is(s->author, "assistant"))
		add_answer(s);
	else if (str_is(s->author, "system"))
		add_system(s);
	else if (str_is(s->author, "user")) {
		add_texts(s);
		add_files(s);
	} else {
		leave(s, IMPORT_LEFT_ROLE, s->author);
	}
}

/* Whether a message goes on with the turn of the one before it. */
static bool continues_turn(const struct imported *im, size_t turn, struct str role)
{
	const struct turn *t = turn ? import_turn(im, turn) : NULL;

	return t && !t->has_error && (t->role == TURN_ASSISTANT ? str_is(role, "assistant") : str_is(role, "tool") && t->part_count &&
	                              t->parts[t->part_count - 1].kind == PART_TOOL_RESULT);
}

/* The walk over the nodes. `alone`: by their places, what is_alone() found; false for nodes that were not visited. */
struct walk { struct imported *im; bool *alone; };

/*
 * Whether the message before it has no other message behind it. Hidden ones between them do not count. The node above was visited before; a
 * node without a message is as a hidden one.
 */
static bool is_alone(const struct walk *walk, const struct import_links *links, const struct import_link *link)
{
	const struct import_link *above = link->up ? &links->at[link->up - 1] : NULL;
	struct step s = above ? step_of(above, walk->im, 0) : (struct step){ .is_hidden = true };

	return above && above->children == 1 && ((s.message && (!s.is_hidden || is_call(&s) || str_is(s.author, "tool"))) || walk->alone[link->up]);
}

/* A link's `item` is its node. */
static size_t visit_node(void *ctx, const struct import_links *links, size_t place, size_t turn)
{
	struct walk *walk = ctx;
	struct step s = step_of(&links->at[place - 1], walk->im, turn);

	walk->alone[place] = is_alone(walk, links, &links->at[place - 1]);
	s.to.join = walk->alone[place] &&
	            continues_turn(walk->im, turn, str_is(s.type, "system_error") && !str_is(s.author, "tool") ? STR("assistant") : s.author);
	if (s.message)
		add_message(&s);
	return s.to.place;
}

/* A node of the map, with when its message was made; 0: it has none, or no time. */
struct dated { struct json_member node; int64_t ms; size_t at; };

static int by_time(const void *a, const void *b)
{
	const struct dated *left = a, *right = b;

	if (left->ms != right->ms)
		return left->ms < right->ms ? -1 : 1;
	return (left->at > right->at) - (left->at < right->at);
}

/* In the order of their creation, which that of the map need not be. */
static void add_nodes(struct import_links *links, const struct json *mapping)
{
	struct dated *nodes = NULL;
	size_t count = 0, capacity = 0;
	struct json_member m = { 0 };

	while (json_next(mapping, &m)) {
		if (json_kind(m.value) != JSON_OBJECT || count == IMPORT_TURNS_MOST)
			continue;
		mem_reserve(&nodes, &capacity, count + 1, sizeof *nodes);
		nodes[count] = (struct dated){ m, take_ms(json_find(m.value, "message.create_time")), count };
		count++;
	}
	if (count)
		qsort(nodes, count, sizeof *nodes, by_time);
	for (size_t i = 0; i < count; i++)
		import_links_add(links, nodes[i].node.key, json_get_text(nodes[i].node.value, "parent"), nodes[i].node.value);
	mem_free(nodes);
}

static bool chatgpt_read(struct json_parser *parser, const struct json *value, struct str text, struct imported *im)
{
	const struct json *mapping = json_get(value, "mapping");
	struct str id = json_get_text(value, "conversation_id");
	struct import_links links = { 0 };
	struct walk walk = { .im = im };
	size_t *order, *turns, current;

	(void)parser;
	if (json_kind(mapping) != JSON_OBJECT)
		return false;
	id = id.len ? id : json_get_text(value, "id");
	import_set_key(im, "chatgpt", id.len ? id : text);
	import_set(&im->facts.title, json_get_text(value, "title"));
	import_set(&im->facts.model, json_get_text(value, "default_model_slug"));
	import_set(&im->facts.provider, STR(PROVIDER));
	im->facts.created_ms = take_ms(json_get(value, "create_time"));
	im->facts.updated_ms = take_ms(json_get(value, "update_time"));
	add_nodes(&links, mapping);
	order = import_link(&links);
	turns = mem_new((links.count + 1) * sizeof *turns);
	walk.alone = mem_new((links.count + 1) * sizeof *walk.alone);
	import_links_walk(&links, visit_node, &walk, turns);
	current = import_links_find(&links, order, json_get_text(value, "current_node"));
	im->leaf = current ? turns[current - 1] : 0;
	mem_free(walk.alone);
	mem_free(turns);
	mem_free(order);
	mem_free(links.at);
	return true;
}

const struct import_form import_chatgpt = { .name = "ChatGPT", .member = "mapping", .read = chatgpt_read };
