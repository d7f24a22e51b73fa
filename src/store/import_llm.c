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
#include "store/database.h"
#include "store/import_inside.h"

#define PROVIDER "llm"
#define SYSTEM_MOST ((size_t)1 << 20)

struct llm {
	struct database *db;
	struct json_parser *parser;
	import_visit *visit;
	void *ctx;
	bool stopped;
	char *response_sql;
	bool has_tools, has_fragments, has_attachments, has_threads;
};

static bool has_table(struct llm *l, const char *name)
{
	return database_integer(l->db, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ? AND rootpage > 0",
	                        VALUES(TEXT(str_from(name))), 0) > 0;
}

static bool has_column(struct llm *l, const char *table, const char *name)
{
	return database_integer(l->db, "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?", VALUES(TEXT(str_from(table)), TEXT(str_from(name))),
	                        0) > 0;
}

static int64_t take_ms(struct str text)
{
	int64_t ms;

	return timestamp_read(text, &ms) ? ms : 0;
}

static void add_system(struct imported *im, struct str text)
{
	if (text.len && text.len < SYSTEM_MOST && !im->facts.system_prompt)
		import_set(&im->facts.system_prompt, text);
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

	import_set_origin(im, place, STR(PROVIDER), row_text(r, column));
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
		import_add_missing_file(to, path.len ? path : row_text(r, 2));
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

static void add_results(struct llm *l, struct import_target *to, struct str response)
{
	struct rows *r = !l->has_tools ? NULL :
		database_rows(l->db, "SELECT name, output, tool_call_id FROM tool_results WHERE response_id = ? ORDER BY id", VALUES(TEXT(response)));

	while (rows_next(r))
		import_add_part(to, TURN_USER, PART_TOOL_RESULT, row_text(r, 1), row_text(r, 2), row_text(r, 0));
	rows_end(r);
}

static void add_calls(struct llm *l, struct import_target *to, struct str response)
{
	struct rows *r = !l->has_tools ? NULL :
		database_rows(l->db, "SELECT name, arguments, tool_call_id FROM tool_calls WHERE response_id = ? ORDER BY id", VALUES(TEXT(response)));

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

static void add_system_fragment(struct import_target *to, const struct rows *r)
{
	add_system(to->im, row_text(r, 0));
}

#define FRAGMENT "SELECT content, source FROM fragments WHERE id = ?"

static void add_fragments(struct llm *l, struct import_target *to, struct str response)
{
	if (!l->has_fragments)
		return;
	add_listed(l, to, "SELECT fragment_id FROM prompt_fragments WHERE response_id = ? ORDER BY \"order\"", TEXT(response), FRAGMENT, add_fragment);
	add_listed(l, to, "SELECT fragment_id FROM system_fragments WHERE response_id = ? ORDER BY \"order\" LIMIT 1", TEXT(response), FRAGMENT,
	           add_system_fragment);
}

#define ATTACHMENT "SELECT type, path, url, content FROM attachments WHERE id = ?"

static void add_files(struct llm *l, struct import_target *to, struct str response)
{
	if (l->has_attachments)
		add_listed(l, to, "SELECT attachment_id FROM prompt_attachments WHERE response_id = ? ORDER BY \"order\"", TEXT(response), ATTACHMENT, add_file);
}

static void read_response(struct llm *l, struct imported *im, int64_t row)
{
	struct rows *r = database_rows(l->db, l->response_sql, VALUES(INTEGER(row)));
	struct import_target to = { .im = im, .place = im->count };

	if (rows_next(r)) {
		struct str id = row_text(r, 0);

		to.wall_ms = take_ms(row_text(r, 8));
		add_system(im, row_text(r, 2));
		add_results(l, &to, id);
		add_fragments(l, &to, id);
		add_files(l, &to, id);
		if (row_text(r, 1).len || !to.join)
			import_add_part(&to, TURN_USER, PART_TEXT, row_text(r, 1), STR_NONE, STR_NONE);
		to.join = false;
		if (row_text(r, 10).len)
			import_add_part(&to, TURN_ASSISTANT, PART_REASONING, row_text(r, 10), STR_NONE, STR_NONE);
		if (row_text(r, 3).len)
			import_add_part(&to, TURN_ASSISTANT, PART_TEXT, row_text(r, 3), STR_NONE, STR_NONE);
		add_calls(l, &to, id);
		if (to.join)
			set_answer(im, to.place, r, 4);
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

#define EACH_RESPONSE "SELECT rowid, conversation_id FROM responses WHERE conversation_id IS NOT NULL "
#define IN_ORDER "ORDER BY conversation_id, datetime_utc, id"

/* The ids are sorted by time. Only row numbers are sorted by SQLite, because the rows may be large. */
static void read_responses(struct llm *l)
{
	struct rows *r = database_rows(l->db, l->has_threads ? EACH_RESPONSE "AND conversation_id NOT IN (SELECT id FROM threads) " IN_ORDER
	                                                     : EACH_RESPONSE IN_ORDER, NO_VALUES);
	struct imported im = { 0 };
	char *id = NULL;

	while (!l->stopped && rows_next(r)) {
		struct str conversation = row_text(r, 1);

		if (!id || !str_equal(conversation, str_from(id))) {
			finish(l, &im);
			str_replace(&id, str_head(conversation, 200));
			begin_conversation(l, &im, conversation);
		}
		if (!l->stopped)
			read_response(l, &im, row_integer(r, 0));
	}
	rows_end(r);
	if (!l->stopped)
		finish(l, &im);
	imported_fini(&im);
	mem_free(id);
}

static const char *column_or_null(struct llm *l, const char *name)
{
	return has_column(l, "responses", name) ? name : "NULL";
}

static void prepare_responses(struct llm *l)
{
	struct buf sql = { 0 };

	buf_printf(&sql, "SELECT id, prompt, system, response, model, %s, %s, %s, datetime_utc, duration_ms, %s FROM responses WHERE rowid = ?",
	           column_or_null(l, "resolved_model"), column_or_null(l, "input_tokens"), column_or_null(l, "output_tokens"),
	           column_or_null(l, "reasoning"));
	l->response_sql = buf_take(&sql);
	l->has_tools = has_table(l, "tool_calls") && has_table(l, "tool_results");
	l->has_fragments = has_table(l, "fragments") && has_table(l, "prompt_fragments") && has_table(l, "system_fragments");
	l->has_attachments = has_table(l, "attachments") && has_table(l, "prompt_attachments");
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
		add_listed(l, to, "SELECT attachment_id FROM part_attachments WHERE part_id = ? ORDER BY \"order\"", INTEGER(part), ATTACHMENT, add_file);
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
		if (!text.len)
			gather_json(json_get(payload, "output"), &text);
		import_add_part(to, TURN_USER, PART_TOOL_RESULT, buf_str(&text), id, name);
	} else if (str_is(type, "attachment")) {
		add_part_files(l, to, row_integer(r, 0));
	} else if (text.len) {
		import_add_part(to, side, str_is(type, "reasoning") ? PART_REASONING : PART_TEXT, buf_str(&text), STR_NONE, STR_NONE);
	}
	buf_fini(&text);
}

static void date_answer(struct thread *th, size_t place, struct str hash)
{
	struct rows *r = database_rows(th->llm->db, "SELECT model, resolved_model, input_tokens, output_tokens, datetime_utc, duration_ms FROM turns "
	                               "WHERE tip_message_hash = ? AND thread_id = ? ORDER BY id LIMIT 1", VALUES(TEXT(hash), TEXT(str_from(th->id))));

	if (rows_next(r)) {
		int64_t ms = take_ms(row_text(r, 4));

		set_answer(th->im, place, r, 0);
		import_turn(th->im, place)->wall = (time_t)(ms / 1000);
		th->im->facts.updated_ms = ms > th->im->facts.updated_ms ? ms : th->im->facts.updated_ms;
	} else {
		import_set_origin(th->im, place, STR(PROVIDER), STR_NONE);
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
	struct rows *r = database_rows(th->llm->db, "SELECT id, type, tool_name, text, payload FROM parts WHERE message_hash = ? ORDER BY position",
	                               VALUES(TEXT(link->id)));

	/* An assistant's message after another one goes on with its turn; so do results. */
	to.join = alone && turn && (answers ? import_turn(th->im, turn)->role == TURN_ASSISTANT : str_is(role, "tool"));
	while (!th->im->is_too_large && rows_next(r))
		add_message_part(th->llm, &to, role, r);
	rows_end(r);
	if (to.place && to.place != turn && answers)
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
		mem_reserve(&th->messages, &th->capacity, th->count + 1, sizeof *th->messages);
		th->messages[th->count++] = (struct message){ str_dup(row_text(r, 0)), str_dup(row_text(r, 1)), str_dup(row_text(r, 2)) };
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
	im.facts.created_ms = take_ms(created);
	read_messages(&th);
	for (size_t i = 0; i < th.count; i++)
		import_links_add(&links, str_from(th.messages[i].hash), str_from(th.messages[i].parent), &th.messages[i]);
	order = import_link(&links);
	turns = mem_new((links.count + 1) * sizeof *turns);
	import_links_walk(&links, visit_message, &th, turns);
	leaf = import_links_find(&links, order, tip);
	im.leaf = leaf ? turns[leaf - 1] : 0;
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
	return status;
}
