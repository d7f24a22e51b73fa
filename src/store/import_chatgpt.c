/*
 * Reads a conversation of ChatGPT's export: an object with `mapping`, a map of nodes by id, each with `message`, `parent` and `children`,
 * and `current_node`, where the user was last.
 *
 * A message is a step, not a turn: thoughts, calls and text of one answer follow one another. Steps of an answer that have no siblings
 * become one turn. Messages that ChatGPT hides (weight 0, empty system messages) are left out; what follows them moves up.
 */
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "store/import_inside.h"

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
	const struct json *message;
	struct str id;
	enum turn_role role;
};

static void add(struct step *s, enum part_kind kind, struct str text)
{
	if (!str_is_blank(text))
		import_add_part(&s->to, s->role, kind, text, STR_NONE, STR_NONE);
}

/* A part that is not text: an image, a recording. */
static void add_object(struct step *s, const struct json *item)
{
	struct str type = json_get_text(item, "content_type"), text = json_get_text(item, "text");

	if (text.len)
		add(s, PART_TEXT, text);
	else if (s->role == TURN_USER && type.len) {
		import_add_missing_file(&s->to, type);
	} else if (type.len) {
		struct buf words = { 0 };

		buf_add_z(&words, "[");
		buf_add(&words, utf8_head(type, 100));
		buf_add_z(&words, "; it was not part of the export]");
		add(s, PART_TEXT, buf_str(&words));
		buf_fini(&words);
	}
}

static void add_texts(struct step *s, const struct json *content, enum part_kind kind)
{
	const struct json *parts = json_get(content, "parts");

	if (!json_length(parts))
		add(s, kind, json_get_text(content, "text"));
	for (size_t i = 0; i < json_length(parts); i++) {
		const struct json *item = json_at(parts, i);

		if (json_kind(item) == JSON_STRING)
			add(s, kind, json_text(item));
		else
			add_object(s, item);
	}
}

static void add_thoughts(struct step *s, const struct json *content)
{
	const struct json *thoughts = json_get(content, "thoughts");

	for (size_t i = 0; i < json_length(thoughts); i++) {
		const struct json *thought = json_at(thoughts, i);
		struct buf text = { 0 };

		buf_add(&text, json_get_text(thought, "summary"));
		buf_add_z(&text, text.len && json_get_text(thought, "content").len ? "\n\n" : "");
		buf_add(&text, json_get_text(thought, "content"));
		add(s, PART_REASONING, buf_str(&text));
		buf_fini(&text);
	}
}

/* All text of a message, for a call or a result. */
static void gather(const struct json *content, struct buf *out)
{
	const struct json *parts = json_get(content, "parts");

	buf_add(out, json_get_text(content, "text"));
	buf_add(out, json_get_text(content, "result"));
	for (size_t i = 0; i < json_length(parts); i++)
		buf_add(out, json_text(json_at(parts, i)));
}

static void add_call(struct step *s, const struct json *content, struct str recipient)
{
	struct buf text = { 0 };

	gather(content, &text);
	import_add_call(&s->to, buf_str(&text), s->id, recipient);
	buf_fini(&text);
}

/* A result belongs to the last call before it; further messages of the tool make it longer. */
static void add_result(struct step *s, const struct json *content, struct str name)
{
	struct turn *before = s->to.place ? import_turn(s->to.im, s->to.place) : NULL;
	struct part *last = before && before->part_count ? &before->parts[before->part_count - 1] : NULL;
	struct buf text = { 0 };

	gather(content, &text);
	if (s->to.join && last && last->kind == PART_TOOL_RESULT) {
		buf_add_byte(&last->text, '\n');
		buf_add(&last->text, buf_str(&text));
	} else {
		s->to.join = false;
		import_add_part(&s->to, TURN_USER, PART_TOOL_RESULT, buf_str(&text), last && last->kind == PART_TOOL_CALL ? str_from(last->id) : STR_NONE,
		                name);
	}
	buf_fini(&text);
}

static void add_files(struct step *s, const struct json *list)
{
	for (size_t i = 0; i < json_length(list) && i < IMPORT_PARTS_MOST; i++)
		import_add_missing_file(&s->to, json_get_text(json_at(list, i), "name"));
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

static void add_answer(struct step *s, const struct json *content, struct str type)
{
	struct str recipient = json_get_text(s->message, "recipient");
	const struct json *metadata = json_get(s->message, "metadata");

	if (recipient.len && !str_is(recipient, "all"))
		add_call(s, content, recipient);
	else if (str_is(type, "thoughts"))
		add_thoughts(s, content);
	else if (str_is(type, "reasoning_recap"))
		add(s, PART_REASONING, json_get_text(content, "content"));
	else
		add_texts(s, content, PART_TEXT);
	if (!s->to.place || import_turn(s->to.im, s->to.place)->role != TURN_ASSISTANT)
		return;
	import_set_origin(s->to.im, s->to.place, STR(PROVIDER), json_get_text(metadata, "model_slug"));
	add_sources(import_turn(s->to.im, s->to.place), metadata);
}

/* --- messages --- */

static bool is_hidden(const struct json *message)
{
	const struct json *metadata = json_get(message, "metadata");
	double weight;
	bool hidden;

	return (json_number(json_get(message, "weight"), &weight) && weight <= 0) ||
	       (json_flag(json_get(metadata, "is_visually_hidden_from_conversation"), &hidden) && hidden);
}

static void add_message(struct step *s)
{
	const struct json *content = json_get(s->message, "content");
	struct str role = json_find(s->message, "author.role") ? json_text(json_find(s->message, "author.role")) : STR_NONE;
	struct str type = json_get_text(content, "content_type");

	if (str_is(role, "assistant")) {
		s->role = TURN_ASSISTANT;
		add_answer(s, content, type);
	} else if (str_is(role, "tool")) {
		s->role = TURN_USER;
		add_result(s, content, json_text(json_find(s->message, "author.name")));
	} else if (str_is(role, "user")) {
		s->role = TURN_USER;
		add_texts(s, content, PART_TEXT);
		add_files(s, json_find(s->message, "metadata.attachments"));
	} else if (str_is(role, "system") && !s->to.im->facts.system_prompt) {
		struct buf text = { 0 };

		gather(content, &text);
		import_set(&s->to.im->facts.system_prompt, str_trim(buf_str(&text)));
		buf_fini(&text);
	}
}

static bool holds_results(const struct turn *t)
{
	return t->part_count && t->parts[t->part_count - 1].kind == PART_TOOL_RESULT;
}

/* Whether a message goes on with the turn of the one before it. */
static bool goes_on(const struct imported *im, size_t turn, struct str role)
{
	const struct turn *t = turn ? import_turn(im, turn) : NULL;

	return t && (t->role == TURN_ASSISTANT ? str_is(role, "assistant") : str_is(role, "tool") && holds_results(t));
}

/* The walk over the nodes. `alone`: by their places, what is_alone() found; false for nodes that were not visited. */
struct walk { struct imported *im; bool *alone; };

/* Whether the message before it has no other message behind it. Hidden ones between them do not count. The node above was visited before. */
static bool is_alone(const struct walk *walk, const struct import_links *links, const struct import_link *link)
{
	const struct import_link *above = link->up ? &links->at[link->up - 1] : NULL;
	const struct json *message = above ? json_get(above->item, "message") : NULL;

	return above && above->children == 1 && ((message && !is_hidden(message)) || walk->alone[link->up]);
}

/* A link's `item` is its node. */
static size_t visit_node(void *ctx, const struct import_links *links, size_t place, size_t turn)
{
	struct walk *walk = ctx;
	const struct import_link *link = &links->at[place - 1];
	const struct json *message = json_get(link->item, "message");
	struct str role = json_text(json_find(message, "author.role"));
	struct step s = { .to = { .im = walk->im, .place = turn, .wall_ms = take_ms(json_get(message, "create_time")) }, .message = message, .id = link->id };

	walk->alone[place] = is_alone(walk, links, link);
	s.to.join = walk->alone[place] && goes_on(walk->im, turn, role);
	if (message && !is_hidden(message))
		add_message(&s);
	return s.to.place;
}

/* Nodes are in the order of the map, which is that of their creation. */
static void add_nodes(struct import_links *links, const struct json *mapping)
{
	struct json_member m = { 0 };

	while (json_next(mapping, &m))
		if (json_kind(m.value) == JSON_OBJECT && links->count < IMPORT_TURNS_MOST)
			import_links_add(links, m.key, json_get_text(m.value, "parent"), m.value);
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
