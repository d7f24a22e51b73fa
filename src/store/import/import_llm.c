/*
 * Reads the database of llm (`logs.db`). It has two forms, and newer files hold both:
 *
 *   conversations, responses (up to 0.31): a response is a prompt with its answer; those of a conversation follow one another;
 *   threads, messages, parts, turns (from 0.32): messages are a tree that threads share; a turn is one call of a model.
 *
 * Tables and columns that a version lacks are read as empty. The file is opened read-only, and only tables are read, no views.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/timestamp.h"
#include "chat/conversation/turn.h"
#include "store/history/database.h"
#include "store/import/import_inside.h"

#define PROVIDER "llm"
#define SYSTEM_MOST ((size_t)1 << 20)
#define TOOLS_MOST 10000

struct llm {
	struct database *db;
	struct json_parser *parser;
	import_visit *visit;
	void *ctx;
	bool stopped;
	char *response_sql, *result_sql, *turn_sql;
	bool has_tools, has_fragments, has_attachments, has_result_files, has_tool_definitions, has_turn_tools, has_threads;
};

static bool has_table(struct llm *l, const char *name)
{
	return database_integer(l->db, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ? AND rootpage > 0",
	                        VALUES(TEXT(str_from(name))), 0) > 0;
}

static bool has_column(struct llm *l, const char *table, const char *name)
{
	return database_integer(l->db, "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?",
	                        VALUES(TEXT(str_from(table)), TEXT(str_from(name))), 0) > 0;
}

/* The first one is that of the conversation. */
static void add_system(struct imported *im, struct str text)
{
	if (str_is_blank(text) || (im->facts.system_prompt && str_is(text, im->facts.system_prompt)))
		return;
	if (im->facts.system_prompt || text.len >= SYSTEM_MOST)
		import_leave(&im->left, IMPORT_LEFT_SYSTEM, STR_NONE);
	else
		import_set(&im->facts.system_prompt, text);
}

/* What a request carried besides its messages: a JSON object of options, and the id of a schema. */
static void leave_settings(struct llm *l, struct imported *im, struct str options, struct str schema)
{
	size_t used;
	const struct json *object = options.len ? json_parse(l->parser, options, &used) : NULL;
	struct json_member m = { 0 };

	while (json_next(object, &m))
		import_leave(&im->left, IMPORT_LEFT_OPTION, STR_NONE);
	if (schema.len)
		import_leave(&im->left, IMPORT_LEFT_SCHEMA, STR_NONE);
}

static void set_count(struct usage *usage, enum usage_figure figure, const struct rows *r, int column)
{
	if (!row_is_null(r, column) && row_integer(r, column) >= 0)
		usage->of[figure] = (struct count)COUNT_SENT(row_integer(r, column));
}

/* Columns in this order: model, resolved_model, input_tokens, output_tokens, datetime_utc, duration_ms. */
static void set_answer(struct imported *im, size_t place, const struct rows *r, int column)
{
	struct turn *t = import_turn(im, place);

	str_replace(&t->scope.model, row_text(r, column));
	if (row_text(r, column + 1).len)
		str_replace(&t->model, row_text(r, column + 1));
	set_count(&t->usage, USAGE_PROMPT, r, column + 2);
	set_count(&t->usage, USAGE_COMPLETION, r, column + 3);
	t->ended_ms = row_integer(r, column + 5) > 0 ? row_real(r, column + 5) : 0;
	import_set(&im->facts.model, row_text(r, column));
}

/* Columns in this order: type, path, url, content. */
static void add_file(struct import_target *to, const struct rows *r)
{
	struct str path = row_text(r, 1), name = path.len ? path : row_text(r, 2), bytes = row_text(r, 3);
	struct part *p = NULL;

	for (size_t i = name.len; i > 0; i--)
		if (name.ptr[i - 1] == '/') {
			name = i < name.len ? str_skip(name, i) : name;
			break;
		}
	if (bytes.len)
		p = import_add_part(to, TURN_USER, PART_ATTACHMENT, bytes, STR_NONE, name);
	else
		import_add_missing(to, TURN_USER, str_starts(row_text(r, 0), "image/") ? IMPORT_LEFT_PICTURE : IMPORT_LEFT_FILE,
		                   path.len ? path : row_text(r, 2));
	if (p && row_text(r, 0).len)
		str_replace(&p->media, str_head(row_text(r, 0), 100));
}

/*
 * Adds the rows that a list names by their ids, in its order. They are not joined, because SQLite would keep all that it sorts in memory, and
 * a list may name a large row many times.
 */
static void add_listed(struct llm *l, struct import_target *to, const char *list, struct value of, const char *row_of_id,
                       void (*add_row)(struct import_target *to, const struct rows *r))
{
	struct rows *ids = database_rows(l->db, list, VALUES(of));

	while (!to->im->is_too_large && rows_next(ids)) {
		struct rows *r = database_rows(l->db, row_of_id, VALUES(TEXT(row_text(ids, 0))));

		if (rows_next(r))
			add_row(to, r);
		rows_end(r);
	}
	rows_end(ids);
}

static void finish(struct llm *l, struct imported *im)
{
	if (im->facts.key && database_status(l->db) == DATABASE_OK) {
		import_set(&im->facts.provider, STR(PROVIDER));
		import_complete(im);
		l->stopped = !l->visit(l->ctx, im);
	}
	imported_fini(im);
}

/* --- conversations and responses --- */

#define ATTACHMENT "SELECT type, path, url, content FROM attachments WHERE id = ?"

/* A result that failed has an exception, and mostly words of its own. */
static void add_results(struct llm *l, struct import_target *to, struct str response)
{
	struct rows *r = !l->has_tools ? NULL : database_rows(l->db, l->result_sql, VALUES(TEXT(response)));

	while (rows_next(r)) {
		struct str output = row_text(r, 2), exception = row_text(r, 4);

		import_add_result(to, output.len ? output : exception, exception.len > 0, row_text(r, 3), row_text(r, 1));
		if (l->has_result_files)
			add_listed(l, to, "SELECT attachment_id FROM tool_results_attachments WHERE tool_result_id = ? ORDER BY \"order\"",
			           INTEGER(row_integer(r, 0)), ATTACHMENT, add_file);
	}
	rows_end(r);
}

static void add_calls(struct llm *l, struct import_target *to, struct str response)
{
	struct rows *r = !l->has_tools ? NULL :
		database_rows(l->db, "SELECT name, arguments, tool_call_id FROM tool_calls WHERE response_id = ? ORDER BY id",
		              VALUES(TEXT(response)));

	while (rows_next(r))
		import_add_call(to, row_text(r, 1), row_text(r, 2), row_text(r, 0));
	rows_end(r);
}

/* Columns in this order: content, source. */
static void add_fragment(struct import_target *to, const struct rows *r)
{
	struct part *p = row_text(r, 0).len ? import_add_part(to, TURN_USER, PART_ATTACHMENT, row_text(r, 0), STR_NONE, row_text(r, 1)) : NULL;

	if (p)
		str_replace(&p->media, STR("text/plain"));
}

#define FRAGMENT "SELECT content, source FROM fragments WHERE id = ?"

/* As llm joins it: fragments, then the prompt, with a blank line between them. */
static void add_response_system(struct llm *l, struct imported *im, struct str response, struct str system)
{
	struct rows *ids = !l->has_fragments ? NULL :
		database_rows(l->db, "SELECT fragment_id FROM system_fragments WHERE response_id = ? ORDER BY \"order\"", VALUES(TEXT(response)));
	struct buf whole;

	buf_init(&whole, SYSTEM_MOST);
	while (rows_next(ids)) {
		struct rows *r = database_rows(l->db, FRAGMENT, VALUES(INTEGER(row_integer(ids, 0))));
		struct str text = rows_next(r) ? str_trim(row_text(r, 0)) : STR_NONE;

		buf_add_z(&whole, whole.len && text.len ? "\n\n" : "");
		buf_add(&whole, text);
		rows_end(r);
	}
	rows_end(ids);
	buf_add_z(&whole, whole.len && system.len ? "\n\n" : "");
	buf_add(&whole, whole.len ? str_trim(system) : system);
	add_system(im, buf_str(&whole));
	buf_fini(&whole);
}

static void read_response(struct llm *l, struct imported *im, int64_t row)
{
	struct rows *r = database_rows(l->db, l->response_sql, VALUES(INTEGER(row)));
	struct import_target to = { .im = im, .place = im->count };

	if (rows_next(r)) {
		struct str id = row_text(r, 0);

		to.wall_ms = timestamp_or_zero(row_text(r, 8));
		add_response_system(l, im, id, row_text(r, 2));
		leave_settings(l, im, row_text(r, 11), row_text(r, 12));
		add_results(l, &to, id);
		if (l->has_fragments)
			add_listed(l, &to, "SELECT fragment_id FROM prompt_fragments WHERE response_id = ? ORDER BY \"order\"", TEXT(id), FRAGMENT,
			           add_fragment);
		if (l->has_attachments)
			add_listed(l, &to, "SELECT attachment_id FROM prompt_attachments WHERE response_id = ? ORDER BY \"order\"", TEXT(id),
			           ATTACHMENT, add_file);
		if (row_text(r, 1).len || !to.join)
			import_add_part(&to, TURN_USER, PART_TEXT, row_text(r, 1), STR_NONE, STR_NONE);
		to.join = false;
		if (row_text(r, 10).len)
			import_add_part(&to, TURN_ASSISTANT, PART_REASONING, row_text(r, 10), STR_NONE, STR_NONE);
		if (row_text(r, 3).len)
			import_add_part(&to, TURN_ASSISTANT, PART_TEXT, row_text(r, 3), STR_NONE, STR_NONE);
		add_calls(l, &to, id);
		if (to.join) {
			import_set_origin(im, to.place, STR(PROVIDER), STR_NONE);
			set_answer(im, to.place, r, 4);
		}
		im->facts.created_ms = im->facts.created_ms ? im->facts.created_ms : to.wall_ms;
		im->facts.updated_ms = to.wall_ms ? to.wall_ms : im->facts.updated_ms;
	}
	rows_end(r);
}

static void begin_conversation(struct llm *l, struct imported *im, struct str id)
{
	struct rows *r;

	import_set_key(im, PROVIDER, id);
	r = database_rows(l->db, "SELECT name FROM conversations WHERE id = ?", VALUES(TEXT(id)));
	if (rows_next(r))
		import_set(&im->facts.title, row_text(r, 0));
	rows_end(r);
}

/* One that belongs to no conversation is one of its own. */
#define CONVERSATION "coalesce(conversation_id, id)"
#define EACH_RESPONSE "SELECT rowid, " CONVERSATION " FROM responses "
#define IN_ORDER "ORDER BY " CONVERSATION ", datetime_utc, id"

/* Definitions of tools that its requests carried, each once. */
static void leave_tools(struct llm *l, struct imported *im, const char *count, struct str conversation)
{
	for (int64_t left = database_integer(l->db, count, VALUES(TEXT(conversation)), 0); left > 0 && left <= TOOLS_MOST; left--)
		import_leave(&im->left, IMPORT_LEFT_TOOL, STR_NONE);
}

static void finish_responses(struct llm *l, struct imported *im, const char *conversation)
{
	if (l->has_tool_definitions && conversation)
		leave_tools(l, im, "SELECT count(DISTINCT tool_id) FROM tool_responses JOIN responses ON responses.id = response_id "
		            "WHERE coalesce(conversation_id, responses.id) = ?", str_from(conversation));
	finish(l, im);
}

/* The ids are sorted by time. Only row numbers are sorted by SQLite, because the rows may be large. */
static void read_responses(struct llm *l)
{
	struct rows *r = database_rows(l->db, l->has_threads ? EACH_RESPONSE "WHERE " CONVERSATION " NOT IN (SELECT id FROM threads) " IN_ORDER
	                                                     : EACH_RESPONSE IN_ORDER, NO_VALUES);
	struct imported im = { 0 };
	char *id = NULL;

	while (!l->stopped && rows_next(r)) {
		struct str conversation = row_text(r, 1);

		if (!id || !str_equal(conversation, str_from(id))) {
			finish_responses(l, &im, id);
			str_replace(&id, str_head(conversation, 200));
			begin_conversation(l, &im, conversation);
		}
		if (!l->stopped)
			read_response(l, &im, row_integer(r, 0));
	}
	rows_end(r);
	if (!l->stopped)
		finish_responses(l, &im, id);
	imported_fini(&im);
	mem_free(id);
}

static const char *column_or_null(struct llm *l, const char *table, const char *name)
{
	return has_column(l, table, name) ? name : "NULL";
}

static void prepare_responses(struct llm *l)
{
	struct buf sql = { 0 };

	buf_printf(&sql, "SELECT id, prompt, system, response, model, %s, %s, %s, datetime_utc, duration_ms, %s, %s, %s FROM responses WHERE rowid = "
	                 "?",
	           column_or_null(l, "responses", "resolved_model"), column_or_null(l, "responses", "input_tokens"),
	           column_or_null(l, "responses", "output_tokens"), column_or_null(l, "responses", "reasoning"),
	           column_or_null(l, "responses", "options_json"), column_or_null(l, "responses", "schema_id"));
	l->response_sql = buf_take(&sql);
	buf_printf(&sql, "SELECT id, name, output, tool_call_id, %s FROM tool_results WHERE response_id = ? ORDER BY id",
	           column_or_null(l, "tool_results", "exception"));
	l->result_sql = buf_take(&sql);
	buf_printf(&sql, "SELECT model, resolved_model, input_tokens, output_tokens, datetime_utc, duration_ms, %s, %s FROM turns "
	           "WHERE tip_message_hash = ? AND thread_id = ? ORDER BY id LIMIT 1",
	           column_or_null(l, "turns", "options_json"), column_or_null(l, "turns", "schema_id"));
	l->turn_sql = buf_take(&sql);
	l->has_tools = has_table(l, "tool_calls") && has_table(l, "tool_results");
	l->has_fragments = has_table(l, "fragments") && has_table(l, "prompt_fragments") && has_table(l, "system_fragments");
	l->has_attachments = has_table(l, "attachments") && has_table(l, "prompt_attachments");
	l->has_result_files = l->has_attachments && has_table(l, "tool_results_attachments");
	l->has_tool_definitions = has_table(l, "tool_responses");
	l->has_turn_tools = has_table(l, "turn_tools");
}

/* --- threads and messages --- */

struct message { char *hash, *parent, *role; };

struct thread { struct llm *llm; struct imported *im; struct message *messages; size_t count, capacity; const char *id; };

/* A text that is made of fragments of other texts: {"text_ref": [{"fragment": 1}, {"literal": "..."}]}. */
static void gather_text(struct llm *l, const struct json *pieces, struct buf *out)
{
	bool has_room = true;

	for (size_t i = 0; has_room && i < json_length(pieces); i++) {
		const struct json *piece = json_at(pieces, i);
		int64_t fragment;
		struct rows *r;

		has_room = buf_add(out, json_get_text(piece, "literal"));
		if (!l->has_fragments || !json_count(json_get(piece, "fragment"), &fragment))
			continue;
		r = database_rows(l->db, "SELECT content FROM fragments WHERE id = ?", VALUES(INTEGER(fragment)));
		if (rows_next(r))
			has_room = has_room && buf_add(out, row_text(r, 0));
		rows_end(r);
	}
}

static void gather_json(const struct json *value, struct buf *out)
{
	if (json_kind(value) == JSON_STRING)
		buf_add(out, json_text(value));
	else if (value)
		json_dump(value, out);
}

static void add_part_files(struct llm *l, struct import_target *to, int64_t part)
{
	if (l->has_attachments)
		add_listed(l, to, "SELECT attachment_id FROM part_attachments WHERE part_id = ? ORDER BY \"order\"", INTEGER(part), ATTACHMENT,
		           add_file);
}

static void add_part_text(struct import_target *to, enum turn_role side, struct str type, struct str text, const struct json *payload)
{
	bool redacted, is_thought = str_is(type, "reasoning");

	if (text.len)
		import_add_part(to, side, is_thought ? PART_REASONING : PART_TEXT, text, STR_NONE, STR_NONE);
	if (is_thought && json_flag(json_get(payload, "redacted"), &redacted) && redacted)
		import_leave(&to->im->left, IMPORT_LEFT_REDACTED, STR_NONE);
	else if (!is_thought && !str_is(type, "text"))
		import_leave(&to->im->left, text.len ? IMPORT_LEFT_TYPE_BUT_TEXT : IMPORT_LEFT_TYPE, type);
}

/* Columns: id, type, tool_name, text, payload. */
static void add_message_part(struct llm *l, struct import_target *to, struct str role, const struct rows *r)
{
	struct str type = row_text(r, 1), tool = row_text(r, 2), payload_text = row_text(r, 4);
	size_t used;
	const struct json *payload = payload_text.len ? json_parse(l->parser, payload_text, &used) : NULL;
	enum turn_role side = str_is(role, "assistant") ? TURN_ASSISTANT : TURN_USER;
	struct str name = tool.len ? tool : json_get_text(payload, "name"), id = json_get_text(payload, "tool_call_id");
	struct buf text = { 0 };

	buf_add(&text, row_text(r, 3));
	if (!text.len)
		gather_text(l, json_get(payload, "text_ref"), &text);
	if (str_is(role, "system")) {
		add_system(to->im, buf_str(&text));
	} else if (str_is(type, "tool_call")) {
		gather_json(json_get(payload, "arguments"), &text);
		import_add_call(to, buf_str(&text), id, name);
	} else if (str_is(type, "tool_result")) {
		struct str exception = json_get_text(payload, "exception");

		if (!text.len)
			gather_json(json_get(payload, "output"), &text);
		import_add_result(to, text.len ? buf_str(&text) : exception, exception.len > 0, id, name);
		add_part_files(l, to, row_integer(r, 0));
	} else if (str_is(type, "attachment")) {
		add_part_files(l, to, row_integer(r, 0));
	} else {
		add_part_text(to, side, type, buf_str(&text), payload);
	}
	buf_fini(&text);
}

static void date_answer(struct thread *th, size_t place, struct str hash)
{
	struct rows *r = database_rows(th->llm->db, th->llm->turn_sql, VALUES(TEXT(hash), TEXT(str_from(th->id))));

	if (rows_next(r)) {
		int64_t ms = timestamp_or_zero(row_text(r, 4));

		set_answer(th->im, place, r, 0);
		leave_settings(th->llm, th->im, row_text(r, 6), row_text(r, 7));
		import_turn(th->im, place)->wall = (time_t)(ms / 1000);
		th->im->facts.updated_ms = ms > th->im->facts.updated_ms ? ms : th->im->facts.updated_ms;
	}
	rows_end(r);
}

static size_t visit_message(void *ctx, const struct import_links *links, size_t place, size_t turn)
{
	struct thread *th = ctx;
	const struct import_link *link = &links->at[place - 1];
	const struct message *m = link->item;
	struct str role = str_from(m->role);
	bool alone = link->up && links->at[link->up - 1].children == 1, answers = str_is(role, "assistant");
	struct import_target to = { .im = th->im, .place = turn };
	size_t before = th->im->count;
	struct rows *r = database_rows(th->llm->db, "SELECT id, type, tool_name, text, payload FROM parts WHERE message_hash = ? ORDER BY position",
	                               VALUES(TEXT(link->id)));

	/* An assistant's message after another one goes on with its turn; so do results. */
	to.join = alone && turn && (answers ? import_turn(th->im, turn)->role == TURN_ASSISTANT : str_is(role, "tool"));
	while (!th->im->is_too_large && rows_next(r))
		add_message_part(th->llm, &to, role, r);
	rows_end(r);
	if (answers && to.place)
		import_set_origin(th->im, to.place == turn ? turn : before + 1, STR(PROVIDER), STR_NONE);
	if (answers && to.place && import_turn(th->im, to.place)->role == TURN_ASSISTANT)
		date_answer(th, to.place, link->id);
	return to.place;
}

static void read_messages(struct thread *th)
{
	struct rows *r = database_rows(th->llm->db, "WITH RECURSIVE chain (hash) AS (SELECT tip_message_hash FROM threads WHERE id = ?1 UNION "
	                               "SELECT tip_message_hash FROM turns WHERE thread_id = ?1 UNION "
	                               "SELECT parent_hash FROM messages JOIN chain ON messages.hash = chain.hash WHERE parent_hash IS NOT NULL) "
	                               "SELECT messages.hash, parent_hash, role FROM chain JOIN messages ON messages.hash = chain.hash "
	                               "ORDER BY messages.rowid LIMIT ?2", VALUES(TEXT(str_from(th->id)), INTEGER(IMPORT_TURNS_MOST)));

	while (rows_next(r)) {
		*ARRAY_ADD(th->messages, th->count, th->capacity) =
			(struct message){ str_dup(row_text(r, 0)), str_dup(row_text(r, 1)), str_dup(row_text(r, 2)) };
	}
	rows_end(r);
}

static void read_thread(struct llm *l, struct str id, struct str title, struct str tip, struct str created)
{
	struct imported im = { 0 };
	char *copy = str_dup(id);
	struct thread th = { .llm = l, .im = &im, .id = copy };
	struct import_links links = { 0 };
	size_t *order, *turns, leaf;

	import_set_key(&im, PROVIDER, id);
	import_set(&im.facts.title, title);
	im.facts.created_ms = timestamp_or_zero(created);
	read_messages(&th);
	for (size_t i = 0; i < th.count; i++)
		import_links_add(&links, str_from(th.messages[i].hash), str_from(th.messages[i].parent), &th.messages[i]);
	order = import_link(&links);
	turns = mem_new((links.count + 1) * sizeof *turns);
	import_links_walk(&links, visit_message, &th, turns);
	leaf = import_links_find(&links, order, tip);
	im.leaf = leaf ? turns[leaf - 1] : 0;
	if (l->has_turn_tools)
		leave_tools(l, &im, "SELECT count(DISTINCT tool_id) FROM turn_tools JOIN turns ON turns.id = turn_id WHERE thread_id = ?",
		            str_from(copy));
	finish(l, &im);
	for (size_t i = 0; i < th.count; i++) {
		mem_free(th.messages[i].hash);
		mem_free(th.messages[i].parent);
		mem_free(th.messages[i].role);
	}
	mem_free(th.messages);
	mem_free(links.at);
	mem_free(order);
	mem_free(turns);
	mem_free(copy);
}

static void read_threads(struct llm *l)
{
	struct rows *r = database_rows(l->db, "SELECT id, name, tip_message_hash, datetime_utc FROM threads ORDER BY id", NO_VALUES);

	while (!l->stopped && rows_next(r))
		read_thread(l, row_text(r, 0), row_text(r, 1), row_text(r, 2), row_text(r, 3));
	rows_end(r);
}

/* --- the file --- */

static void name_tables(struct llm *l, struct error *err)
{
	struct rows *r = database_rows(l->db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
	                               "ORDER BY name LIMIT 6", NO_VALUES);
	struct buf names = { 0 };
	bool ours = has_table(l, "conversation") && has_table(l, "piece");

	while (rows_next(r)) {
		struct str name = str_head(row_text(r, 0), 40);

		buf_add_z(&names, names.len ? ", " : "");
		for (size_t i = 0; i < name.len; i++)
			buf_add_byte(&names, char_is_word(name.ptr[i]) || name.ptr[i] == '_' ? name.ptr[i] : '?');
	}
	rows_end(r);
	if (ours)
		error_set(err, "it is a history of weir: export it as JSON there (weir history export all), and import that");
	else if (names.len)
		error_set(err, "it is a SQLite database with the tables %s, not one of llm", buf_z(&names));
	else
		error_set(err, "it is a SQLite database without tables");
	buf_fini(&names);
}

static enum import_status read_tables(struct llm *l, struct error *err)
{
	bool has_responses = has_table(l, "conversations") && has_table(l, "responses") && has_column(l, "responses", "conversation_id") &&
	                     has_column(l, "responses", "datetime_utc");

	l->has_threads = has_table(l, "threads") && has_table(l, "messages") && has_table(l, "parts") && has_table(l, "turns");
	if (database_status(l->db) == DATABASE_OK && !has_responses && !l->has_threads) {
		name_tables(l, err);
		return IMPORT_OTHER_KIND;
	}
	prepare_responses(l);
	if (has_responses)
		read_responses(l);
	if (l->has_threads && !l->stopped)
		read_threads(l);
	if (database_status(l->db) != DATABASE_OK) {
		error_set(err, "the database cannot be read: %s", database_message(l->db));
		return IMPORT_FAILED;
	}
	return IMPORT_DONE;
}

enum import_status import_read_llm(const char *path, import_visit *visit, void *ctx, struct error *err)
{
	char *real = realpath(path, NULL); /* SQLite follows no links */
	struct llm l = { .visit = visit, .ctx = ctx };
	enum database_status opened;
	enum import_status status;
	struct error why = { "" };

	l.db = real ? database_open(real, DATABASE_FOREIGN, 1000, &opened, &why) : NULL;
	free(real);
	if (!l.db) {
		error_set(err, "the database cannot be opened: %s", why.text[0] ? why.text : "it is not there any more");
		return IMPORT_FAILED;
	}
	l.parser = json_parser_new();
	database_hold(l.db);
	status = read_tables(&l, err);
	database_release(l.db);
	database_close(l.db);
	json_parser_free(l.parser);
	mem_free(l.response_sql);
	mem_free(l.result_sql);
	mem_free(l.turn_sql);
	return status;
}
