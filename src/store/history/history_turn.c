/* Turns as rows: writing what has changed, and reading. */
#include "store/history/history_inside.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/totals.h"
#include "chat/conversation/turn.h"
#include "store/history/index.h"
#include "store/history/turn_members.h"
#include "wire/protocol/protocol.h"

#define NOT_KEPT "the turn is not kept"
#define NOT_READ "the turn cannot be read"
#define PRICES_OF_THEN "that time"
#define LARGE ((size_t)1 << 20) /* bytes that are not copied into a statement */
#define PARTS_MOST ((size_t)1 << 20) /* more are damage */

/* --- the columns of a node: those of store/history/turn_members.h, and some more --- */

/* The columns that need a word more than their member. They stand before the others in each statement. */
static const char *const special[] = { "outcome", "protocol", "meter", "cost", "currency", "cost_source" };
enum special { SPECIAL_OUTCOME, SPECIAL_PROTOCOL, SPECIAL_METER, SPECIAL_COST, SPECIAL_CURRENCY, SPECIAL_COST_SOURCE, SPECIAL_COUNT };

#define COLUMN_TOTAL (SPECIAL_COUNT + turn_member_count)

static struct value column_value(const struct turn *t, const struct turn_member *c)
{
	const void *at = turn_member_of(t, c);

	switch (c->type) {
	case MEMBER_TEXT: case MEMBER_PATH: return TEXT_OR_NOTHING(*(char *const *)at);
	case MEMBER_BOOL: return INTEGER(*(const bool *)at);
	case MEMBER_INT: return INTEGER(*(const int *)at);
	case MEMBER_SIZE: return INTEGER(*(const size_t *)at);
	case MEMBER_REAL: return REAL(*(const double *)at);
	case MEMBER_INT64: return INTEGER(*(const int64_t *)at);
	case MEMBER_TIME: return INTEGER(*(const time_t *)at);
	case MEMBER_MONEY: {
		const struct money *money = at;

		return money->known ? REAL(money->usd) : NOTHING;
	}
	case MEMBER_COUNT: {
		const struct count *count = at;

		return count->sent ? INTEGER(count->number) : NOTHING;
	}
	}
	return NOTHING;
}

static void column_read(struct turn *t, const struct turn_member *c, const struct rows *row, int column)
{
	void *at = turn_member_to(t, c);
	int64_t integer = row_integer(row, column);

	switch (c->type) {
	case MEMBER_TEXT: case MEMBER_PATH:
		mem_free(*(char **)at);
		*(char **)at = row_copy(row, column);
		break;
	case MEMBER_BOOL: *(bool *)at = integer != 0; break;
	case MEMBER_INT: *(int *)at = (int)integer; break;
	case MEMBER_SIZE: *(size_t *)at = integer > 0 ? (size_t)integer : 0; break;
	case MEMBER_REAL: *(double *)at = row_real(row, column); break;
	case MEMBER_INT64: *(int64_t *)at = integer > 0 ? integer : 0; break;
	case MEMBER_TIME: *(time_t *)at = (time_t)integer; break;
	case MEMBER_MONEY:
		*(struct money *)at = row_is_null(row, column) || !(row_real(row, column) >= 0) ? MONEY_UNKNOWN : MONEY(row_real(row, column));
		break;
	case MEMBER_COUNT:
		*(struct count *)at = (struct count){ .number = integer > 0 ? integer : 0, .sent = !row_is_null(row, column) && integer >= 0 };
		break;
	}
}

static void add_names(struct buf *sql, const char *between, const char *after)
{
	for (size_t i = 0; i < COLUMN_TOTAL; i++)
		buf_printf(sql, "%s%s%s", i ? between : "", i < SPECIAL_COUNT ? special[i] : turn_members[i - SPECIAL_COUNT].name, after);
}

void history_turn_init(struct history *h)
{
	struct buf sql = { 0 };

	buf_add_z(&sql, "INSERT INTO node (");
	add_names(&sql, ", ", "");
	buf_add_z(&sql, ", conversation, parent, role) VALUES (");
	for (size_t i = 0; i < COLUMN_TOTAL; i++)
		buf_add_z(&sql, "?, ");
	buf_add_z(&sql, "?, ?, ?)");
	h->insert_node = buf_take(&sql);
	buf_add_z(&sql, "UPDATE node SET ");
	add_names(&sql, ", ", " = ?");
	buf_add_z(&sql, " WHERE id = ? AND conversation = ? AND deleted IS NULL");
	h->update_node = buf_take(&sql);
	buf_add_z(&sql, "SELECT ");
	add_names(&sql, ", ", "");
	buf_add_z(&sql, ", role FROM node WHERE id = ?");
	h->select_node = buf_take(&sql);
}

void history_turn_fini(struct history *h)
{
	mem_free(h->insert_node);
	mem_free(h->update_node);
	mem_free(h->select_node);
}

enum turn_role history_role_from(struct str name)
{
	return str_is(name, "user") ? TURN_USER : TURN_ASSISTANT;
}

/* --- writing text --- */

/* Where to cut a text that is longer than a piece: behind a line, a word, or at least a character, so that pieces can be searched. */
static size_t piece_length(struct str text)
{
	size_t at = PIECE_BYTES;

	if (text.len <= PIECE_BYTES)
		return text.len;
	for (size_t i = PIECE_BYTES; i > PIECE_BYTES * 3 / 4; i--)
		if (text.ptr[i - 1] == '\n')
			return i;
	for (size_t i = PIECE_BYTES; i > PIECE_BYTES * 3 / 4; i--)
		if (text.ptr[i - 1] == ' ')
			return i;
	while (at > PIECE_BYTES - 4 && utf8_is_inside(text.ptr[at]))
		at--;
	return at;
}

struct piece { int64_t id, position; size_t bytes; bool is_stale; };

static struct piece last_piece(struct database *db, int64_t part)
{
	struct rows *r = database_rows(db, "SELECT id, position, length(CAST(content AS BLOB)), "
	                               "EXISTS (SELECT 1 FROM stale WHERE piece = piece.id) "
	                               "FROM piece WHERE part = ? ORDER BY position DESC LIMIT 1", VALUES(INTEGER(part)));
	struct piece last = { .position = -1 };

	if (rows_next(r))
		last = (struct piece){ row_integer(r, 0), row_integer(r, 1), (size_t)row_integer(r, 2), row_integer(r, 3) != 0 };
	rows_end(r);
	return last;
}

static bool is_searched(enum part_kind kind) /* SEARCHED in C */
{
	return kind == PART_TEXT || kind == PART_REFUSAL || kind == PART_MEDIA || kind == PART_SERVER_TOOL || kind == PART_SERVER_RESULT;
}

/* Appends the text behind its first `stored` bytes. A piece that the search knows is not changed any more. */
static void append_text(struct history *h, int64_t part, enum part_kind kind, struct str text, size_t stored)
{
	struct database *db = h->db;
	struct piece last = stored ? last_piece(db, part) : (struct piece){ .position = -1 };
	bool grows = last.position >= 0 && last.bytes < PIECE_BYTES && last.bytes <= stored && (last.is_stale || !is_searched(kind));
	struct str rest = str_skip(text, grows ? stored - last.bytes : stored);

	for (int64_t position = last.position + !grows; rest.len; position++) {
		struct str piece = str_head(rest, piece_length(rest));

		rest = str_skip(rest, piece.len);
		if (grows) {
			database_do(db, "UPDATE piece SET content = ? WHERE id = ?", VALUES(TEXT(piece), INTEGER(last.id)));
			grows = false;
			continue;
		}
		database_do(db, "INSERT INTO piece (part, position, content) VALUES (?, ?, ?)",
		            VALUES(INTEGER(part), INTEGER(position), TEXT(piece)));
		if (is_searched(kind)) {
			index_note(db, database_last_row(db));
			h->fresh_bytes += piece.len;
		}
	}
}

/* Removes a part's text. */
static void drop_text(struct database *db, int64_t part)
{
	database_do(db, "INSERT OR IGNORE INTO stale SELECT id FROM piece WHERE part = ?", VALUES(INTEGER(part)));
	database_do(db, "DELETE FROM piece WHERE part = ?", VALUES(INTEGER(part)));
}

/* Large bytes are written where they go: in a statement SQLite copies them. */
static struct value keep_attachment(struct database *db, struct str bytes)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(bytes, hex);
	const struct value hash = TEXT(str_of(hex, DIGEST_HEX));
	int64_t id = database_integer(db, "SELECT id FROM attachment WHERE sha256 = ?", VALUES(hash), 0);
	if (id)
		return INTEGER(id);
	bool is_large = bytes.len > LARGE && memchr(bytes.ptr, '\0', bytes.len);
	if (is_large)
		database_cache(db, true);
	database_do(db, "INSERT INTO attachment (sha256, content) VALUES (?, ?)", VALUES(hash, is_large ? ROOM(bytes.len) : TEXT(bytes)));
	id = database_last_row(db);
	if (is_large) {
		database_fill(db, "attachment", "content", id, bytes);
		database_cache(db, false);
	}
	return INTEGER(id);
}

/* --- writing parts --- */

struct stored_part { int64_t id; size_t bytes; bool open; };
struct stored_parts { struct stored_part *at; size_t count, capacity; };

static struct stored_parts stored_parts(struct database *db, int64_t node)
{
	struct rows *r = database_rows(db, "SELECT id, bytes, open FROM part WHERE node = ? ORDER BY position", VALUES(INTEGER(node)));
	struct stored_parts parts = { 0 };

	while (rows_next(r)) {
		*ARRAY_ADD(parts.at, parts.count, parts.capacity) =
			(struct stored_part){ row_integer(r, 0), (size_t)row_integer(r, 1), row_integer(r, 2) != 0 };
	}
	rows_end(r);
	return parts;
}

static void put_text(struct history *h, const struct part *p, struct stored_part stored)
{
	/* The end of a call replaces its arguments; else text only grows. */
	bool replaced = stored.bytes > p->text.len || (p->kind == PART_TOOL_CALL && !p->open && stored.bytes);

	if (p->kind == PART_ATTACHMENT)
		return;
	if (replaced)
		drop_text(h->db, stored.id);
	append_text(h, stored.id, p->kind, buf_str(&p->text), replaced ? 0 : stored.bytes);
}

static void put_part(struct history *h, int64_t node, size_t position, const struct part *p, const struct stored_part *stored)
{
	struct database *db = h->db;
	struct str bytes = p->kind == PART_ATTACHMENT ? buf_str(&p->text) : blob_str(p->data);
	struct value attachment = bytes.len || p->kind == PART_ATTACHMENT ? keep_attachment(db, bytes) : NOTHING;
	struct value id = stored ? INTEGER(stored->id) : NOTHING;
	struct stored_part row = stored ? *stored : (struct stored_part){ .open = true };

	database_do(db, "INSERT INTO part (id, node, position, kind, number, call, call_id, name, media, attachment, bytes, open, valid, is_error, "
	            "begun_ms, ended_ms, media_kind, partials, thought) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
	            "ON CONFLICT (id) DO UPDATE SET "
	            "kind = excluded.kind, number = excluded.number, call = excluded.call, call_id = excluded.call_id, name = excluded.name, "
	            "media = excluded.media, attachment = excluded.attachment, bytes = excluded.bytes, open = excluded.open, "
	            "valid = excluded.valid, is_error = excluded.is_error, begun_ms = excluded.begun_ms, ended_ms = excluded.ended_ms, "
	            "media_kind = excluded.media_kind, partials = excluded.partials, thought = excluded.thought",
	            VALUES(id, INTEGER(node), INTEGER(position), TEXT(str_from(turn_part_name(p->kind))), INTEGER(p->number), INTEGER(p->call),
	                   TEXT_OR_NOTHING(p->id), TEXT_OR_NOTHING(p->name), TEXT_OR_NOTHING(p->media), attachment, INTEGER(p->text.len),
	                   INTEGER(p->open), INTEGER(p->valid), INTEGER(p->is_error), REAL(p->begun_ms), REAL(p->ended_ms),
	                   INTEGER(p->media_kind), INTEGER(p->partials), INTEGER(p->thought)));
	if (!stored)
		row.id = database_last_row(db);
	put_text(h, p, row);
}

static void put_parts(struct history *h, int64_t node, const struct turn *t)
{
	struct database *db = h->db;
	struct stored_parts stored = stored_parts(db, node);

	for (size_t i = 0; i < t->part_count; i++) {
		const struct stored_part *known = i < stored.count ? &stored.at[i] : NULL;
		const struct part *p = &t->parts[i];

		if (!known || known->open || p->open || known->bytes != p->text.len)
			put_part(h, node, i, p, known);
	}
	for (size_t i = t->part_count; i < stored.count; i++) {
		drop_text(db, stored.at[i].id);
		database_do(db, "DELETE FROM part WHERE id = ?", VALUES(INTEGER(stored.at[i].id)));
	}
	mem_free(stored.at);
}

/* --- writing lists: a row is written only if it differs --- */

static void put_joints(struct database *db, int64_t node, const struct turn *t)
{
	for (size_t i = 0; i < t->joint_count; i++) {
		const struct joint *j = &t->joints[i];

		database_do(db, "INSERT INTO joint (node, position, part, by_words, outcome) VALUES (?, ?, ?, ?, ?) ON CONFLICT (node, position) "
		            "DO UPDATE SET part = excluded.part, by_words = excluded.by_words, outcome = excluded.outcome "
		            "WHERE (part, by_words, outcome) IS NOT (excluded.part, excluded.by_words, excluded.outcome)",
		            VALUES(INTEGER(node), INTEGER(i), INTEGER(j->part), INTEGER(j->by_words), TEXT(str_from(outcome_name(j->outcome)))));
	}
	database_do(db, "DELETE FROM joint WHERE node = ? AND position >= ?", VALUES(INTEGER(node), INTEGER(t->joint_count)));
}

static void put_notes(struct database *db, int64_t node, const struct turn *t)
{
	size_t count = 0;

	for (size_t i = 0; i < t->note_count; i++) {
		const struct note *n = &t->notes[i];

		if (note_is_of_run(n))
			continue;
		database_do(db, "INSERT INTO note (node, position, part, rule, text) VALUES (?, ?, ?, ?, ?) ON CONFLICT (node, position) "
		            "DO UPDATE SET part = excluded.part, rule = excluded.rule, text = excluded.text "
		            "WHERE (part, rule, text) IS NOT (excluded.part, excluded.rule, excluded.text)",
		            VALUES(INTEGER(node), INTEGER(count), INTEGER(n->part), TEXT(str_from(n->rule)), TEXT(str_from(n->text))));
		count++;
	}
	database_do(db, "DELETE FROM note WHERE node = ? AND position >= ?", VALUES(INTEGER(node), INTEGER(count)));
}

static void put_citations(struct database *db, int64_t node, const struct citations *c)
{
	for (size_t i = 0; i < c->source_count; i++) {
		const struct citation_source *s = &c->sources[i];

		database_do(db, "INSERT INTO source (node, position, url, title, text) VALUES (?, ?, ?, ?, ?) ON CONFLICT (node, position) "
		            "DO UPDATE SET url = excluded.url, title = excluded.title, text = excluded.text "
		            "WHERE (url, title, text) IS NOT (excluded.url, excluded.title, excluded.text)",
		            VALUES(INTEGER(node), INTEGER(i), TEXT(str_from(s->url)), TEXT(str_from(s->title)), TEXT(str_from(s->text))));
	}
	for (size_t i = 0; i < c->place_count; i++) {
		const struct citation_place *p = &c->places[i];

		database_do(db, "INSERT INTO place (node, position, source, part, from_part, unit, offset) VALUES (?, ?, ?, ?, ?, ?, ?) "
		            "ON CONFLICT (node, position) DO UPDATE SET source = excluded.source, part = excluded.part, "
		            "from_part = excluded.from_part, unit = excluded.unit, offset = excluded.offset WHERE (source, part, from_part, unit, "
		            "offset) IS NOT (excluded.source, excluded.part, excluded.from_part, excluded.unit, excluded.offset)",
		            VALUES(INTEGER(node), INTEGER(i), INTEGER(p->source), INTEGER(p->part), INTEGER(p->from), INTEGER(p->unit),
		                   INTEGER(p->end)));
	}
	database_do(db, "DELETE FROM source WHERE node = ? AND position >= ?", VALUES(INTEGER(node), INTEGER(c->source_count)));
	database_do(db, "DELETE FROM place WHERE node = ? AND position >= ?", VALUES(INTEGER(node), INTEGER(c->place_count)));
}

/* --- writing the node --- */

/* A turn that is imported has no parent in memory. */
static bool puts_aside(int64_t parent, const struct turn *t)
{
	return !parent && turn_is_aside(t);
}

static void put_node(struct history *h, int64_t conversation, int64_t parent, const struct turn *t, int64_t *node)
{
	struct value values[SPECIAL_COUNT + TURN_MEMBERS_MOST + 3] = { { .type = VALUE_NULL } };
	bool is_answer = t->role == TURN_ASSISTANT;
	struct cost cost = is_answer ? turn_spending(t).cost : (struct cost){ 0 };
	/* An answer that nobody counted has no cost; one that brought nothing cost nothing. */
	bool costs = is_answer && t->ended && !cost.is_unknown && (cost.is_reported || cost.is_estimated || !t->part_count);
	struct buf meter = { 0 };

	turn_meter_write(&t->meter, &meter);
	values[SPECIAL_OUTCOME] = t->ended && is_answer ? TEXT(str_from(outcome_name(t->outcome))) : NOTHING;
	values[SPECIAL_PROTOCOL] = TEXT_OR_NOTHING(t->scope.protocol_name);
	values[SPECIAL_METER] = meter.len ? TEXT(buf_str(&meter)) : NOTHING;
	values[SPECIAL_COST] = costs ? REAL(cost.usd) : NOTHING;
	values[SPECIAL_CURRENCY] = costs ? TEXT(STR("USD")) : NOTHING;
	values[SPECIAL_COST_SOURCE] = costs ? TEXT(str_from(cost.is_estimated ? "estimated" : "exact")) : NOTHING;
	for (size_t i = 0; i < turn_member_count; i++)
		values[SPECIAL_COUNT + i] = column_value(t, &turn_members[i]);
	if (*node) {
		values[COLUMN_TOTAL] = INTEGER(*node);
		values[COLUMN_TOTAL + 1] = INTEGER(conversation);
		history_require_row(h, database_do(h->db, h->update_node, (struct values){ values, COLUMN_TOTAL + 2 }));
	} else {
		if (parent)
			history_require_row(h, database_integer(h->db, "SELECT count(*) FROM node WHERE id = ? AND deleted IS NULL",
			                                        VALUES(INTEGER(parent)), 0));
		values[COLUMN_TOTAL] = INTEGER(conversation);
		values[COLUMN_TOTAL + 1] = parent ? INTEGER(parent) : NOTHING;
		values[COLUMN_TOTAL + 2] = TEXT(t->role == TURN_USER ? STR("user") : STR("assistant"));
		database_do(h->db, h->insert_node, (struct values){ values, COLUMN_TOTAL + 3 });
		*node = database_last_row(h->db);
		database_do(h->db, "UPDATE node SET child = ? WHERE id = ?", VALUES(INTEGER(*node), INTEGER(parent)));
		if (!puts_aside(parent, t))
			database_do(h->db, "UPDATE conversation SET leaf = ? WHERE id = ?", VALUES(INTEGER(*node), INTEGER(conversation)));
	}
	buf_fini(&meter);
}

static void put_conversation(struct history *h, int64_t conversation, int64_t parent, const struct turn *t)
{
	bool is_answer = t->role == TURN_ASSISTANT && !puts_aside(parent, t);

	/* Changes within one millisecond keep their order. */
	int64_t changed = database_do(h->db, "UPDATE conversation SET updated = max(?1, ifnull((SELECT max(updated) + 1 FROM conversation "
	            "WHERE deleted IS NULL AND updated BETWEEN ?1 AND ?1 + 1000 AND id <> ?5), 0)), provider = ifnull(?2, provider), model = "
	            "ifnull(?3, model), protocol = ifnull(?4, protocol) WHERE id = ?5 AND deleted IS NULL",
	            VALUES(INTEGER(history_now_ms()), is_answer ? TEXT_OR_NOTHING(t->scope.provider) : NOTHING,
	                   is_answer ? TEXT_OR_NOTHING(t->scope.model) : NOTHING, is_answer ? TEXT_OR_NOTHING(t->scope.protocol_name) : NOTHING,
	                   INTEGER(conversation)));
	history_require_row(h, changed);
	if (t->ended)
		history_sum_up_later(h, conversation);
}

enum history_status history_put_turn(struct history *h, int64_t conversation, int64_t parent, const struct turn *t, int64_t *node, struct error *err)
{
	enum history_status status;
	int64_t row = *node;

	history_open_transaction(h);
	put_node(h, conversation, parent, t, &row);
	put_parts(h, row, t);
	put_joints(h->db, row, t);
	put_notes(h->db, row, t);
	put_citations(h->db, row, &t->citations);
	put_conversation(h, conversation, parent, t);
	status = history_close_transaction(h, NOT_KEPT, err);
	if (status == HISTORY_OK)
		*node = h->last_node = row;
	return status;
}

/* --- reading --- */

static void read_node(struct history *h, int64_t node, struct turn *t)
{
	struct rows *r = database_rows(h->db, h->select_node, VALUES(INTEGER(node)));

	if (!rows_next(r)) {
		history_require_row(h, 0);
	} else {
		if (history_role_from(row_text(r, (int)COLUMN_TOTAL)) != t->role)
			database_fail(h->db, DATABASE_FAILED, "it is of the other role");
		for (size_t i = 0; i < turn_member_count; i++)
			column_read(t, &turn_members[i], r, (int)(SPECIAL_COUNT + i));
		if (!row_is_null(r, SPECIAL_PROTOCOL))
			turn_set_protocol(t, protocol_find(row_text(r, SPECIAL_PROTOCOL)));
		turn_meter_read(&t->meter, row_text(r, SPECIAL_METER));
		t->route.routed_model = str_from(t->routed_model);
		t->prices_from = prices_are_known(&t->prices) ? PRICES_OF_THEN : NULL;
		t->ended = true;
		if (!turn_outcome_find(row_text(r, SPECIAL_OUTCOME), &t->outcome) && t->role == TURN_ASSISTANT)
			t->outcome = OUTCOME_CUT; /* whoever wrote it was interrupted */
	}
	rows_end(r);
}

/* False: of no kind that there is, which is damage. */
static bool read_part(struct turn *t, const struct rows *r)
{
	enum part_kind kind;
	struct part *p;
	char **texts[3];

	if (t->part_count == PARTS_MOST || !turn_part_find(row_text(r, 0), &kind))
		return false;
	p = turn_add(t, kind, kind == PART_MEDIA ? STR_NONE : row_text(r, 10), STR_NONE, STR_NONE);
	if (kind == PART_MEDIA)
		blob_add(&p->data, row_text(r, 10));
	texts[0] = &p->id;
	texts[1] = &p->name;
	texts[2] = &p->media;
	for (int i = 0; i < 3; i++) {
		mem_free(*texts[i]);
		*texts[i] = row_copy(r, 3 + i);
	}
	p->number = (unsigned)row_integer(r, 1);
	p->call = (int)row_integer(r, 2);
	p->valid = row_integer(r, 6) != 0;
	p->is_error = row_integer(r, 7) != 0;
	p->begun_ms = row_real(r, 8);
	p->ended_ms = row_real(r, 9);
	p->media_kind = row_integer(r, 12) >= 0 && row_integer(r, 12) < MEDIA_FILE ? (enum media_kind)row_integer(r, 12) : MEDIA_FILE;
	p->partials = (unsigned)row_integer(r, 13);
	p->thought = row_integer(r, 14) != 0;
	return true;
}

/* Both queries have the parts in the same order. Where a part was lost or is damaged, their positions have a gap. */
static void read_parts(struct database *db, int64_t node, struct turn *t)
{
	struct rows *r = database_rows(db, "SELECT kind, number, call, call_id, name, media, valid, is_error, begun_ms, ended_ms, "
	                               "attachment.content, position, media_kind, partials, thought FROM part LEFT JOIN attachment ON attachment.id "
	                               "= part.attachment WHERE node = ? ORDER BY position", VALUES(INTEGER(node)));

	size_t *positions = NULL, capacity = 0, at = 0;

	while (rows_next(r)) {
		if (!read_part(t, r))
			continue;
		mem_reserve(&positions, &capacity, t->part_count, sizeof *positions);
		positions[t->part_count - 1] = (size_t)row_integer(r, 11);
	}
	rows_end(r);
	r = database_rows(db, "SELECT part.position, piece.content FROM part JOIN piece ON piece.part = part.id WHERE part.node = ? "
	                  "ORDER BY part.position, piece.position", VALUES(INTEGER(node)));
	while (rows_next(r)) {
		size_t position = (size_t)row_integer(r, 0);

		while (at < t->part_count && positions[at] < position)
			at++;
		if (at < t->part_count && positions[at] == position)
			buf_add(&t->parts[at].text, row_text(r, 1));
	}
	rows_end(r);
	mem_free(positions);
	for (size_t i = 0; i < t->part_count; i++) {
		struct part *p = &t->parts[i];

		p->size = (struct estimate){ 0 };
		if (p->kind == PART_TEXT || p->kind == PART_REASONING || p->kind == PART_REFUSAL)
			estimate_add(&p->size, buf_str(&p->text));
	}
}

static void read_notes(struct database *db, int64_t node, struct turn *t)
{
	struct rows *r = database_rows(db, "SELECT rule, text, part FROM note WHERE node = ? ORDER BY position", VALUES(INTEGER(node)));

	while (rows_next(r)) {
		turn_note(t, row_text(r, 0), row_text(r, 1));
		t->notes[t->note_count - 1].part = (size_t)row_integer(r, 2);
	}
	rows_end(r);
}

static void read_joints(struct database *db, int64_t node, struct turn *t)
{
	struct rows *r = database_rows(db, "SELECT part, by_words, outcome FROM joint WHERE node = ? ORDER BY position", VALUES(INTEGER(node)));

	while (rows_next(r)) {
		struct joint joint = { .part = (size_t)row_integer(r, 0), .by_words = row_integer(r, 1) != 0, .outcome = OUTCOME_CUT };

		turn_outcome_find(row_text(r, 2), &joint.outcome);
		t->joints = mem_resize(t->joints, t->joint_count + 1, sizeof *t->joints);
		t->joints[t->joint_count++] = joint;
	}
	rows_end(r);
}

static void read_citations(struct database *db, int64_t node, struct citations *c)
{
	struct rows *r = database_rows(db, "SELECT url, title, text FROM source WHERE node = ? ORDER BY position", VALUES(INTEGER(node)));

	while (rows_next(r) && c->source_count < CITATION_SOURCES_MAX) {
		*ARRAY_ADD(c->sources, c->source_count, c->source_capacity) =
			(struct citation_source){ str_dup(row_text(r, 0)), str_dup(row_text(r, 1)), str_dup(row_text(r, 2)) };
	}
	rows_end(r);
	r = database_rows(db, "SELECT source, part, from_part, unit, offset FROM place WHERE node = ? ORDER BY position", VALUES(INTEGER(node)));
	while (rows_next(r) && c->place_count < CITATION_PLACES_MAX) {
		struct citation_place place = { (size_t)row_integer(r, 0), (unsigned)row_integer(r, 1), (size_t)row_integer(r, 2), CITATION_NO_PLACE,
		                                row_integer(r, 4) };

		if (row_integer(r, 3) >= 0 && row_integer(r, 3) <= CITATION_CHARACTERS)
			place.unit = (enum citation_unit)row_integer(r, 3);
		if (place.source >= c->source_count)
			continue;
		*ARRAY_ADD(c->places, c->place_count, c->place_capacity) = place;
	}
	rows_end(r);
}

/* A turn of which a part cannot be read is left empty: the next try begins anew. */
enum history_status history_read_turn(struct history *h, int64_t node, struct turn *t, struct error *err)
{
	enum history_status status;

	database_hold(h->db);
	read_node(h, node, t);
	read_parts(h->db, node, t);
	read_notes(h->db, node, t);
	read_joints(h->db, node, t);
	read_citations(h->db, node, &t->citations);
	database_release(h->db);
	turn_bound_places(t);
	status = history_end_reading(h, NOT_READ, err);
	if (status != HISTORY_OK)
		turn_clear(t);
	return status;
}
