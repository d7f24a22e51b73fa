/* Reads weir's own JSON, which export_json.c writes. */
#include <stddef.h>
#include <string.h>

#include "base/base64.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "chat/conversation/turn.h"
#include "store/history/turn_members.h"
#include "store/import/import_inside.h"
#include "wire/protocol/protocol.h"

/* --- values --- */

/* A text, which may be base64. The result is borrowed from the value or from `scratch`. */
static struct str take_text(const struct json *value, struct buf *scratch)
{
	buf_clear(scratch);
	if (json_kind(value) == JSON_STRING)
		return json_text(value);
	if (json_kind(value) == JSON_OBJECT && base64_decode(json_get_text(value, "base64"), scratch))
		return buf_str(scratch);
	return STR_NONE;
}

/* Sets a text that ends at a NUL, if there is one; else NULL. */
static void take_z(const struct json *object, const char *key, char **text)
{
	struct buf scratch = { 0 };
	struct str value = take_text(json_get(object, key), &scratch);

	if (json_get(object, key))
		str_replace(text, value.ptr ? str_head(value, strnlen(value.ptr, value.len)) : STR(""));
	else
		str_replace(text, STR_NONE);
	buf_fini(&scratch);
}

static bool take_flag(const struct json *object, const char *key)
{
	bool flag;

	return json_flag(json_get(object, key), &flag) && flag;
}

static int64_t take_integer(const struct json *object, const char *key, int64_t least, int64_t most, int64_t otherwise)
{
	const struct json *value = json_get(object, key);
	int64_t number;
	double real;

	if (!json_count(value, &number)) {
		if (!json_number(value, &real) || !(real >= -9e15 && real <= 9e15))
			return otherwise;
		number = (int64_t)real;
	}
	return number < least || number > most ? otherwise : number;
}

static double take_real(const struct json *object, const char *key)
{
	double number;

	return json_number(json_get(object, key), &number) ? number : 0;
}

/* --- parts --- */

static void take_media(struct part *p, const struct json *value)
{
	struct buf data = { 0 };

	(void)media_kind_find(json_get_text(value, "media_kind"), &p->media_kind);
	blob_add(&p->data, take_text(json_get(value, "data"), &data));
	buf_fini(&data);
	p->partials = (unsigned)take_integer(value, "partials", 0, UINT32_MAX, 0);
	p->thought = take_flag(value, "thought");
}

static void take_part(struct turn *t, const struct json *value, struct import_lefts *left)
{
	struct buf scratch = { 0 };
	enum part_kind kind;
	struct str text = take_text(json_get(value, "text"), &scratch);
	struct part *p;

	if (t->part_count == IMPORT_PARTS_MOST || !turn_part_find(json_get_text(value, "type"), &kind)) {
		import_leave(left, IMPORT_LEFT_TYPE, json_get_text(value, "type"));
		buf_fini(&scratch);
		return;
	}
	if (json_get(value, "base64"))
		text = take_text(value, &scratch);
	p = turn_add(t, kind, text, STR_NONE, STR_NONE);
	buf_fini(&scratch);
	take_z(value, "id", &p->id);
	take_z(value, "name", &p->name);
	take_z(value, "media", &p->media);
	p->number = (unsigned)take_integer(value, "number", 0, UINT32_MAX, 0);
	p->call = (int)take_integer(value, "call", 0, (int64_t)IMPORT_PARTS_MOST, -1);
	p->valid = take_flag(value, "valid") && (kind != PART_TOOL_CALL || json_scan_is_whole(buf_str(&p->text)));
	p->is_error = take_flag(value, "error");
	if (kind == PART_MEDIA)
		take_media(p, value);
	p->begun_ms = take_real(value, "begun_ms");
	p->ended_ms = take_real(value, "ended_ms");
}

/* --- lists --- */

static void take_citations(struct turn *t, const struct json *value)
{
	const struct json *sources = json_get(value, "sources"), *places = json_get(value, "places");
	struct citations *c = &t->citations;

	for (size_t i = 0; i < json_length(sources) && c->source_count < CITATION_SOURCES_MAX; i++) {
		const struct json *item = json_at(sources, i);
		struct citation_source *s;

		s = ARRAY_ADD(c->sources, c->source_count, c->source_capacity);
		*s = (struct citation_source){ mem_dup_z(""), mem_dup_z(""), mem_dup_z("") };
		if (json_get(item, "url"))
			take_z(item, "url", &s->url);
		if (json_get(item, "title"))
			take_z(item, "title", &s->title);
		if (json_get(item, "text"))
			take_z(item, "text", &s->text);
	}
	for (size_t i = 0; i < json_length(places) && c->place_count < CITATION_PLACES_MAX; i++) {
		const struct json *item = json_at(places, i);
		int64_t source = take_integer(item, "source", 0, (int64_t)c->source_count - 1, -1);

		if (source < 0)
			continue;
		*ARRAY_ADD(c->places, c->place_count, c->place_capacity) = (struct citation_place){
			(size_t)source, (unsigned)take_integer(item, "part", 0, UINT32_MAX, 0), (size_t)take_integer(item, "from", 0, INT64_MAX, 0),
			(enum citation_unit)take_integer(item, "unit", 0, CITATION_CHARACTERS, 0), take_integer(item, "end", 0, INT64_MAX, 0),
		};
	}
}

static void take_notes(struct turn *t, const struct json *list)
{
	for (size_t i = 0; i < json_length(list) && i < IMPORT_PARTS_MOST; i++) {
		const struct json *item = json_at(list, i);
		struct note *n;

		turn_note(t, STR(""), STR(""));
		n = &t->notes[t->note_count - 1];
		if (json_get(item, "rule"))
			take_z(item, "rule", &n->rule);
		if (json_get(item, "text"))
			take_z(item, "text", &n->text);
		n->part = (size_t)take_integer(item, "part", 0, INT64_MAX, 0);
	}
}

static void take_joints(struct turn *t, const struct json *list)
{
	for (size_t i = 0; i < json_length(list) && i < IMPORT_PARTS_MOST; i++) {
		const struct json *item = json_at(list, i);
		struct joint joint = { .part = (size_t)take_integer(item, "part", 0, INT64_MAX, 0), .by_words = take_flag(item, "by_words"),
		                       .outcome = OUTCOME_CUT };

		turn_outcome_find(json_get_text(item, "outcome"), &joint.outcome);
		t->joints = mem_resize(t->joints, t->joint_count + 1, sizeof *t->joints);
		t->joints[t->joint_count++] = joint;
	}
}

/* --- nodes --- */

static struct count take_count(const struct json *object, const char *key)
{
	int64_t number;

	return json_count(json_get(object, key), &number) ? (struct count)COUNT_SENT(number) : (struct count){ 0 };
}

static struct money take_money(const struct json *object, const char *key)
{
	double usd;

	return json_number(json_get(object, key), &usd) && usd >= 0 ? MONEY(usd) : MONEY_UNKNOWN;
}

static void take_member(struct turn *t, const struct json *node, const struct turn_member *m)
{
	bool is_usage = m->at >= offsetof(struct turn, usage) && m->at < offsetof(struct turn, usage) + sizeof(struct usage);
	void *at = turn_member_to(t, m);

	switch (m->type) {
	case MEMBER_TEXT: take_z(node, m->name, at); break;
	case MEMBER_BOOL: *(bool *)at = take_flag(node, m->name); break;
	case MEMBER_INT: *(int *)at = (int)take_integer(node, m->name, INT32_MIN, INT32_MAX, 0); break;
	case MEMBER_SIZE: *(size_t *)at = (size_t)take_integer(node, m->name, 0, INT64_MAX, 0); break;
	case MEMBER_REAL: *(double *)at = take_real(node, m->name); break;
	case MEMBER_COUNT: *(struct count *)at = take_count(is_usage ? json_get(node, "usage") : node, m->name); break;
	case MEMBER_TIME: *(time_t *)at = (time_t)(timestamp_or_zero(json_get_text(node, m->name)) / 1000); break;
	case MEMBER_INT64: *(int64_t *)at = take_integer(node, m->name, 0, INT64_MAX, 0); break;
	case MEMBER_MONEY: *(struct money *)at = take_money(node, m->name); break;
	case MEMBER_PATH: break;
	}
}

static void take_turn(struct turn *t, const struct json *node, struct import_lefts *left)
{
	const struct json *parts = json_get(node, "parts");

	for (size_t i = 0; i < json_length(parts); i++)
		take_part(t, json_at(parts, i), left);
	for (size_t i = 0; i < turn_member_count; i++)
		take_member(t, node, &turn_members[i]);
	t->route.routed_model = str_from(t->routed_model);
	turn_set_protocol(t, protocol_find(json_get_text(node, "protocol")));
	t->ended = true;
	if (!turn_outcome_find(json_get_text(node, "outcome"), &t->outcome) && t->role == TURN_ASSISTANT)
		t->outcome = OUTCOME_CUT;
	turn_meter_read(&t->meter, json_get_text(node, "meter"));
	take_citations(t, json_get(node, "citations"));
	take_notes(t, json_get(node, "notes"));
	take_joints(t, json_get(node, "joints"));
	turn_bound_places(t);
}

/* The nodes' ids, which rise, and where they stand. */
struct ids { int64_t *at; size_t count, capacity; };

static size_t place_of(const struct ids *ids, int64_t id)
{
	struct search s = search_in(0, ids->count);

	while (search_next(&s))
		search_take(&s, ids->at[s.middle] < id);
	return s.low < ids->count && ids->at[s.low] == id && id ? s.low + 1 : 0;
}

static void take_node(struct imported *im, struct ids *ids, const struct json *node)
{
	enum turn_role role = str_is(json_get_text(node, "role"), "assistant") ? TURN_ASSISTANT : TURN_USER;
	size_t parent = place_of(ids, take_integer(node, "parent", 1, INT64_MAX, 0)), place = import_add_turn(im, parent, role);
	struct imported_turn *it;

	if (!place)
		return;
	*ARRAY_ADD(ids->at, ids->count, ids->capacity) = take_integer(node, "id", 1, INT64_MAX, 0);
	it = &im->turns[place - 1];
	it->child = (size_t)take_integer(node, "child", 1, INT64_MAX, 0); /* an id until all are read */
	take_z(node, "label", &it->label);
	if (it->label)
		str_replace(&it->label, utf8_head(str_from(it->label), IMPORT_LABEL_MOST));
	take_turn(it->turn, node, &im->left);
}

static void take_nodes(struct json_parser *parser, struct str list, struct imported *im, const struct json *head)
{
	int64_t leaf = take_integer(head, "leaf", 1, INT64_MAX, 0);
	struct json_spans spans = json_spans_of(list);
	struct str key, item;
	struct ids ids = { 0 };
	size_t used;

	while (json_spans_next(&spans, &key, &item)) {
		const struct json *node = json_parse(parser, item, &used);

		if (json_kind(node) == JSON_OBJECT)
			take_node(im, &ids, node);
		else
			import_leave(&im->left, IMPORT_LEFT_TURN, STR_NONE);
	}
	for (size_t i = 0; i < im->count; i++) {
		size_t child = place_of(&ids, (int64_t)im->turns[i].child);

		im->turns[i].child = child && im->turns[child - 1].parent == i + 1 ? child : 0;
	}
	im->leaf = place_of(&ids, leaf);
	mem_free(ids.at);
}

/* --- the conversation --- */

static void take_fact(const struct json *head, const char *key, const char **text)
{
	char *copy = NULL;

	take_z(head, key, &copy);
	mem_free((char *)(uintptr_t)*text);
	*text = copy;
}

static bool is_key(struct str id)
{
	for (size_t i = 0; i < id.len; i++)
		if (!char_is_digit(id.ptr[i]) && !(id.ptr[i] >= 'a' && id.ptr[i] <= 'f'))
			return false;
	return id.len == 16;
}

static void take_facts(const struct json *head, struct str text, struct imported *im)
{
	const struct { const char *key; const char **at; } facts[] = {
		{ "title", &im->facts.title }, { "titled_by", &im->facts.titled_by }, { "provider", &im->facts.provider },
		{ "model", &im->facts.model }, { "protocol", &im->facts.protocol }, { "system_prompt", &im->facts.system_prompt },
		{ "parameters", &im->facts.parameters }, { "tools", &im->facts.tools }, { "schema", &im->facts.schema },
	};
	struct str id = json_get_text(head, "id");

	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		take_fact(head, facts[i].key, facts[i].at);
	if (is_key(id))
		import_set(&im->facts.key, id);
	else
		import_set_key(im, "weir", id.len ? id : text);
	im->facts.created_ms = timestamp_or_zero(json_get_text(head, "created"));
	im->facts.updated_ms = timestamp_or_zero(json_get_text(head, "updated"));
	im->facts.pinned = take_flag(head, "pinned");
	im->facts.held = take_flag(head, "asked") ? HISTORY_HELD_BY_ASK : HISTORY_HELD_AS_BEFORE;
}

/* The nodes are parsed one by one: a tree of all would take several times their size. */
static bool weir_read(struct json_parser *parser, const struct json *value, struct str text, struct imported *im)
{
	struct json_spans spans = json_spans_of(text);
	struct buf head = { 0 };
	struct str key, item, nodes = STR_NONE;
	const struct json *facts;
	size_t used;

	(void)value;
	while (json_spans_next(&spans, &key, &item)) {
		if (str_is(key, "nodes") && str_starts(item, "[")) {
			nodes = item;
			continue;
		}
		buf_add_z(&head, head.len ? ",\"" : "{\"");
		buf_add(&head, key);
		buf_add_z(&head, "\":");
		buf_add(&head, item);
	}
	buf_add_z(&head, head.len ? "}" : "{}");
	facts = json_parse(parser, buf_str(&head), &used);
	if (facts && nodes.ptr) {
		struct json_parser *other = json_parser_new(); /* `facts` is valid until the next parse */

		take_facts(facts, text, im);
		take_nodes(other, nodes, im, facts);
		json_parser_free(other);
	}
	buf_fini(&head);
	return facts && nodes.ptr;
}

const struct import_form import_weir = { .name = "weir", .member = "nodes", .read = weir_read, .reads_text = true };
