/* Exports as JSON: everything that the history keeps, so that an import makes the same conversation of it. */
#include <stddef.h>
#include <string.h>

#include "base/base64.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "chat/conversation/totals.h"
#include "chat/conversation/turn.h"
#include "store/export/export.h"
#include "store/history/turn_members.h"
#include "wire/delta_write.h"

static const char schema[] =
	"A document is {\"weir_history\": 1, \"conversations\": [...]}. Members that are null, false, 0 or empty are left out where the table\n"
	"says \"if any\". Times are RFC 3339. A text that is not valid UTF-8 is {\"base64\": \"...\"} in place of a string.\n"
	"\n"
	"conversation\n"
	"  id             16 hexadecimal digits; an import of the same id adds nothing\n"
	"  title, titled_by (prompt, model, user or import), created, updated, pinned\n"
	"  asked          true if only weir ask has spoken in it\n"
	"  leaf           id of the node that is shown last; null: none\n"
	"  provider, model, protocol   of the last answer\n"
	"  system_prompt, parameters, tools, schema   if any; as text\n"
	"  nodes          the turns; each after its parent\n"
	"node\n"
	"  id             1 and up, rising; unique in the conversation\n"
	"  parent         id of the turn before it; null at a root\n"
	"  child          id of the child shown last, if any\n"
	"  label          if any\n"
	"  role           user or assistant\n"
	"  parts          see below\n"
	"  provider, model (as requested), protocol, outcome   null in prompts\n"
	"  usage          tokens of the last request; null: not known\n"
	"  cost           {amount, currency, exact}; null: not known; not imported, because it follows from usage and prices\n"
	"  started, ended times\n"
	"  ended_ms       since the request was sent, if any\n"
	"  meter          figures while it streamed, for weir, if any\n"
	"  citations      {sources: [{url, title, text}], places: [{source, part, from, unit, end}]}, if any\n"
	"  notes          [{rule, text, part}] what weir noticed, if any\n"
	"  joints         [{part, by_words, outcome}] where another request continued the answer, if any\n"
	"  all others     columns of the table `node`, if any\n"
	"part\n"
	"  type           text, reasoning, refusal, tool_call, tool_result, attachment or opaque\n"
	"  text           the text; for attachments, and if it is not valid UTF-8, `base64` stands in its place\n"
	"  number         of the part in the stream, if any\n"
	"  call           index of the tool call it belongs to, if any\n"
	"  id, name, media, valid, error, begun_ms, ended_ms   if any\n";

const char *export_json_schema(void)
{
	return schema;
}

/* --- values --- */

static void put_base64(struct json_writer *w, struct str bytes)
{
	struct buf text = { 0 };

	buf_init(&text, SIZE_MAX / 2);
	base64_encode(bytes, &text);
	json_member_string(w, "base64", buf_str(&text));
	buf_fini(&text);
}

static void put_text(struct json_writer *w, const char *key, struct str text)
{
	json_key(w, key);
	if (!text.ptr) {
		json_null(w);
	} else if (utf8_is_valid(text)) {
		json_string(w, text);
	} else {
		json_open_object(w);
		put_base64(w, text);
		json_close_object(w);
	}
}

static void put_text_if_any(struct json_writer *w, const char *key, const char *text)
{
	if (text)
		put_text(w, key, str_from(text));
}

static void put_real_if_any(struct json_writer *w, const char *key, double number)
{
	if (number > 0 || number < 0) {
		json_key(w, key);
		json_real(w, number);
	}
}

static void put_integer_if_any(struct json_writer *w, const char *key, int64_t number)
{
	if (number)
		json_member_integer(w, key, number);
}

static void put_flag_if_set(struct json_writer *w, const char *key, bool flag)
{
	if (flag)
		json_member_boolean(w, key, true);
}

static void put_time(struct json_writer *w, const char *key, int64_t ms)
{
	char text[TIMESTAMP_BYTES];

	json_member_string_or_null(w, key, timestamp_write(ms, text) ? str_from(text) : STR_NONE);
}

static void put_place(struct json_writer *w, const char *key, size_t place)
{
	json_member_count_or_null(w, key, place ? (int64_t)place : -1);
}

/* --- parts --- */

static void put_media(struct json_writer *w, const struct part *p)
{
	json_member_string(w, "media_kind", str_from(media_kind_name(p->media_kind)));
	if (blob_str(p->data).len) {
		json_key(w, "data");
		json_open_object(w);
		put_base64(w, blob_str(p->data));
		json_close_object(w);
	}
	put_integer_if_any(w, "partials", p->partials);
	put_flag_if_set(w, "thought", p->thought);
}

static void put_part(struct json_writer *w, const struct part *p)
{
	struct str text = buf_str(&p->text);

	json_open_object(w);
	json_member_string(w, "type", str_from(turn_part_name(p->kind)));
	if (p->kind == PART_ATTACHMENT || !utf8_is_valid(text))
		put_base64(w, text);
	else
		json_member_string(w, "text", text);
	put_integer_if_any(w, "number", p->number);
	if (p->call >= 0)
		json_member_integer(w, "call", p->call);
	put_text_if_any(w, "id", p->id);
	put_text_if_any(w, "name", p->name);
	put_text_if_any(w, "media", p->media);
	if (p->kind == PART_MEDIA)
		put_media(w, p);
	put_flag_if_set(w, "valid", p->valid);
	put_flag_if_set(w, "error", p->is_error);
	put_real_if_any(w, "begun_ms", p->begun_ms);
	put_real_if_any(w, "ended_ms", p->ended_ms);
	json_close_object(w);
}

static void put_parts(struct json_writer *w, const struct turn *t)
{
	json_key(w, "parts");
	json_open_array(w);
	for (size_t i = 0; i < t->part_count; i++)
		put_part(w, &t->parts[i]);
	json_close_array(w);
}

/* --- lists --- */

static void put_citations(struct json_writer *w, const struct citations *c)
{
	if (!c->source_count)
		return;
	json_key(w, "citations");
	json_open_object(w);
	json_key(w, "sources");
	json_open_array(w);
	for (size_t i = 0; i < c->source_count; i++) {
		json_open_object(w);
		put_text(w, "url", str_from(c->sources[i].url));
		put_text(w, "title", str_from(c->sources[i].title));
		put_text(w, "text", str_from(c->sources[i].text));
		json_close_object(w);
	}
	json_close_array(w);
	json_key(w, "places");
	json_open_array(w);
	for (size_t i = 0; i < c->place_count; i++) {
		const struct citation_place *p = &c->places[i];

		json_open_object(w);
		json_member_integer(w, "source", (int64_t)p->source);
		json_member_integer(w, "part", p->part);
		json_member_integer(w, "from", (int64_t)p->from);
		json_member_integer(w, "unit", p->unit);
		json_member_integer(w, "end", p->end);
		json_close_object(w);
	}
	json_close_array(w);
	json_close_object(w);
}

static bool has_notes(const struct turn *t)
{
	size_t i = 0;

	while (i < t->note_count && note_is_of_run(&t->notes[i]))
		i++;
	return i < t->note_count;
}

static void put_notes(struct json_writer *w, const struct turn *t)
{
	if (!has_notes(t))
		return;
	json_key(w, "notes");
	json_open_array(w);
	for (size_t i = 0; i < t->note_count; i++) {
		if (note_is_of_run(&t->notes[i]))
			continue;
		json_open_object(w);
		put_text(w, "rule", str_from(t->notes[i].rule));
		put_text(w, "text", str_from(t->notes[i].text));
		json_member_integer(w, "part", (int64_t)t->notes[i].part);
		json_close_object(w);
	}
	json_close_array(w);
}

static void put_joints(struct json_writer *w, const struct turn *t)
{
	if (!t->joint_count)
		return;
	json_key(w, "joints");
	json_open_array(w);
	for (size_t i = 0; i < t->joint_count; i++) {
		json_open_object(w);
		json_member_integer(w, "part", (int64_t)t->joints[i].part);
		json_member_boolean(w, "by_words", t->joints[i].by_words);
		json_member_string(w, "outcome", str_from(outcome_name(t->joints[i].outcome)));
		json_close_object(w);
	}
	json_close_array(w);
}

/* --- members --- */

/* Those that are members of the node. */
static bool is_named(const struct turn_member *m)
{
	bool is_usage = m->at >= offsetof(struct turn, usage) && m->at < offsetof(struct turn, usage) + sizeof(struct usage);

	return m->type == MEMBER_PATH || m->type == MEMBER_TIME || is_usage || !strcmp(m->name, "provider") || !strcmp(m->name, "model");
}

static void put_member(struct json_writer *w, const struct turn *t, const struct turn_member *m)
{
	const void *at = turn_member_of(t, m);

	switch (m->type) {
	case MEMBER_TEXT: put_text_if_any(w, m->name, *(char *const *)at); break;
	case MEMBER_BOOL: put_flag_if_set(w, m->name, *(const bool *)at); break;
	case MEMBER_INT: put_integer_if_any(w, m->name, *(const int *)at); break;
	case MEMBER_SIZE: put_integer_if_any(w, m->name, (int64_t)*(const size_t *)at); break;
	case MEMBER_REAL: put_real_if_any(w, m->name, *(const double *)at); break;
	case MEMBER_COUNT:
		if (((const struct count *)at)->sent)
			json_member_integer(w, m->name, ((const struct count *)at)->number);
		break;
	case MEMBER_INT64: put_integer_if_any(w, m->name, *(const int64_t *)at); break;
	case MEMBER_MONEY:
		if (((const struct money *)at)->known) {
			json_key(w, m->name);
			json_real(w, ((const struct money *)at)->usd);
		}
		break;
	case MEMBER_PATH: case MEMBER_TIME: break;
	}
}

static void put_meter(struct json_writer *w, const struct meter *m)
{
	struct buf words = { 0 };

	turn_meter_write(m, &words);
	if (words.len)
		json_member_string(w, "meter", buf_str(&words));
	buf_fini(&words);
}

static void put_cost(struct json_writer *w, const struct turn *t)
{
	struct cost cost = t->role == TURN_ASSISTANT ? turn_spending(t).cost : (struct cost){ .is_unknown = true };

	json_key(w, "cost");
	if (!t->ended || cost.is_unknown) {
		json_null(w);
		return;
	}
	json_open_object(w);
	json_key(w, "amount");
	json_real(w, cost.usd);
	json_member_string(w, "currency", STR("USD"));
	json_member_boolean(w, "exact", !cost.is_estimated);
	json_close_object(w);
}

static void put_facts(struct json_writer *w, const struct turn *t)
{
	bool is_answer = t->role == TURN_ASSISTANT, has_protocol = t->scope.protocol_name && t->scope.protocol_name[0];

	put_text(w, "provider", str_from(t->scope.provider));
	put_text(w, "model", str_from(t->scope.model));
	json_member_string_or_null(w, "protocol", has_protocol ? str_from(t->scope.protocol_name) : STR_NONE);
	json_member_string_or_null(w, "outcome", is_answer ? str_from(outcome_name(t->outcome)) : STR_NONE);
	delta_write_usage_or_null(w, &t->usage);
	put_cost(w, t);
	put_time(w, "started", (int64_t)t->wall * 1000);
	put_time(w, "ended", is_answer && t->ended_ms > 0 && t->ended_ms < 1e15 ? (int64_t)t->wall * 1000 + (int64_t)t->ended_ms : -1);
	for (size_t i = 0; i < turn_member_count; i++)
		if (!is_named(&turn_members[i]))
			put_member(w, t, &turn_members[i]);
	put_meter(w, &t->meter);
}

/* --- the form --- */

static void json_begin(struct buf *out)
{
	buf_add_z(out, "{\"weir_history\":1,\"conversations\":[");
}

static void json_open(struct buf *out, const struct history_conversation *facts, size_t leaf, size_t at)
{
	struct json_writer w;

	buf_add_z(out, at ? ",\n" : "\n");
	json_writer_init(&w, out);
	json_open_object(&w);
	put_text(&w, "id", str_from(facts->key));
	put_text(&w, "title", str_from(facts->title));
	put_text_if_any(&w, "titled_by", facts->titled_by);
	put_time(&w, "created", facts->created_ms);
	put_time(&w, "updated", facts->updated_ms);
	put_flag_if_set(&w, "pinned", facts->pinned);
	put_flag_if_set(&w, "asked", facts->held == HISTORY_HELD_BY_ASK);
	put_place(&w, "leaf", leaf);
	put_text(&w, "provider", str_from(facts->provider));
	put_text(&w, "model", str_from(facts->model));
	put_text(&w, "protocol", str_from(facts->protocol));
	put_text_if_any(&w, "system_prompt", facts->system_prompt);
	put_text_if_any(&w, "parameters", facts->parameters);
	put_text_if_any(&w, "tools", facts->tools);
	put_text_if_any(&w, "schema", facts->schema);
	json_key(&w, "nodes");
	json_open_array(&w); /* closed by json_close() */
}

static void json_node(struct buf *out, const struct export_node *node, size_t at)
{
	const struct turn *t = node->turn;
	struct json_writer w;

	buf_add_z(out, at ? ",\n" : "\n");
	json_writer_init(&w, out);
	json_open_object(&w);
	put_place(&w, "id", node->id);
	put_place(&w, "parent", node->parent);
	put_integer_if_any(&w, "child", (int64_t)node->child);
	put_text_if_any(&w, "label", node->label);
	json_member_string(&w, "role", t->role == TURN_USER ? STR("user") : STR("assistant"));
	put_parts(&w, t);
	put_facts(&w, t);
	put_citations(&w, &t->citations);
	put_notes(&w, t);
	put_joints(&w, t);
	json_close_object(&w);
}

static void json_close(struct buf *out, size_t at)
{
	(void)at;
	buf_add_z(out, "]}");
}

static void json_end(struct buf *out)
{
	buf_add_z(out, "\n]}\n");
}

const struct export_form export_json = {
	.name = "json", .suffix = ".json", .whole_tree = true,
	.begin = json_begin, .open = json_open, .node = json_node, .close = json_close, .end = json_end,
};
