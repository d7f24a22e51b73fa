/* Lists of conversations, finding one, and the nodes of one. */
#include "store/history/history_inside.h"

#include <string.h>

#include "base/mem.h"
#include "chat/conversation/turn.h"
#include "store/history/turn_members.h"

#define DIGITS_OF_KEY 6
#define NOT_LISTED "the history cannot be read"

#define X_NAME(upper, member, part_of, label, word, rank) ", " member
#define LISTED "id, key, title, titled_by, created, updated, pinned, leaf, provider, model, protocol, turns, cost, currency, cost_source, asked" \
	USAGE_FIGURES(X_NAME)
#define ALL LISTED ", system_prompt, parameters, tools, schema"
enum { AT_USAGE = 16, AT_SYSTEM = AT_USAGE + USAGE_FIGURE_COUNT, AT_END = AT_SYSTEM + 4 };

/* Texts that SQLite lends end with a NUL, but one within them would hide their rest, so they are copied. */
struct borrowed { char *texts[AT_END]; };

static const char *borrow(struct borrowed *b, const struct rows *r, int column)
{
	mem_free(b->texts[column]);
	b->texts[column] = row_copy(r, column);
	return b->texts[column];
}

static struct history_conversation read_conversation(struct borrowed *b, const struct rows *r, bool all)
{
	struct history_conversation c = {
		.id = row_integer(r, 0), .key = borrow(b, r, 1), .title = borrow(b, r, 2), .titled_by = borrow(b, r, 3),
		.created_ms = row_integer(r, 4), .updated_ms = row_integer(r, 5), .pinned = row_integer(r, 6) != 0, .leaf = row_integer(r, 7),
		.provider = borrow(b, r, 8), .model = borrow(b, r, 9), .protocol = borrow(b, r, 10), .turns = row_integer(r, 11),
		.cost = { .known = !row_is_null(r, 12) && !row_is_null(r, 13), .amount = row_real(r, 12), .currency = borrow(b, r, 13),
		          .exact = str_is(row_text(r, 14), "exact") },
		.held = row_integer(r, 15) ? HISTORY_HELD_BY_ASK : HISTORY_HELD_BY_CHAT,
	};

	history_read_usage(r, AT_USAGE, &c.usage);
	if (all) {
		c.system_prompt = borrow(b, r, AT_SYSTEM);
		c.parameters = borrow(b, r, AT_SYSTEM + 1);
		c.tools = borrow(b, r, AT_SYSTEM + 2);
		c.schema = borrow(b, r, AT_SYSTEM + 3);
	}
	return c;
}

void history_read_usage(const struct rows *r, int first, struct usage *usage)
{
	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (!row_is_null(r, first + i) && row_integer(r, first + i) >= 0)
			usage->of[i] = (struct count)COUNT_SENT(row_integer(r, first + i));
}

static bool visit_rows(struct rows *r, bool all, history_visit_conversation *visit, void *ctx)
{
	struct borrowed b = { { NULL } };
	bool any = false, is_wanted = true;

	while (is_wanted && rows_next(r)) {
		struct history_conversation c = read_conversation(&b, r, all);

		is_wanted = visit(ctx, &c);
		any = true;
	}
	rows_end(r);
	for (int i = 0; i < AT_END; i++)
		mem_free(b.texts[i]);
	return any;
}

enum history_status history_list(struct history *h, const struct history_conversation *after, size_t limit, history_visit_conversation *visit,
                                 void *ctx, struct error *err)
{
	struct value updated = INTEGER(after ? after->updated_ms : INT64_MAX), id = INTEGER(after ? after->id : INT64_MAX);

	visit_rows(database_rows(h->db, "SELECT " LISTED " FROM conversation WHERE deleted IS NULL AND (updated, id) < (?, ?) "
	                         "ORDER BY updated DESC, id DESC LIMIT ?", VALUES(updated, id, INTEGER(limit))), false, visit, ctx);
	return history_end_reading(h, NOT_LISTED, err);
}

enum history_status history_list_pinned(struct history *h, size_t limit, history_visit_conversation *visit, void *ctx, struct error *err)
{
	visit_rows(database_rows(h->db, "SELECT " LISTED " FROM conversation WHERE pinned AND deleted IS NULL ORDER BY updated DESC, id DESC LIMIT ?",
	                         VALUES(INTEGER(limit))), false, visit, ctx);
	return history_end_reading(h, NOT_LISTED, err);
}

enum history_status history_look(struct history *h, int64_t conversation, history_visit_conversation *visit, void *ctx, struct error *err)
{
	history_require_row(h, visit_rows(database_rows(h->db, "SELECT " ALL " FROM conversation WHERE id = ? AND deleted IS NULL",
	                                                VALUES(INTEGER(conversation))), true, visit, ctx));
	return history_end_reading(h, NOT_LISTED, err);
}

bool history_list_one(struct history *h, int64_t conversation, history_visit_conversation *visit, void *ctx)
{
	return visit_rows(database_rows(h->db, "SELECT " LISTED " FROM conversation WHERE id = ? AND deleted IS NULL",
	                                VALUES(INTEGER(conversation))), false, visit, ctx);
}

/* --- finding --- */

static int64_t find_place(struct history *h, long long place)
{
	return database_integer(h->db, "SELECT id FROM conversation WHERE deleted IS NULL ORDER BY updated DESC, id DESC LIMIT 1 OFFSET ?",
	                        VALUES(INTEGER(place - 1)), 0);
}

static int64_t find_last_chat(struct history *h)
{
	return database_integer(h->db, "SELECT id FROM conversation WHERE deleted IS NULL AND asked IS NULL ORDER BY updated DESC, id DESC LIMIT 1",
	                        NO_VALUES, 0);
}

/* Keys that begin with the name; an equal one is the only one. */
static int64_t find_key(struct history *h, struct str name, bool *several)
{
	struct rows *r = database_rows(h->db, "SELECT id, key FROM conversation WHERE deleted IS NULL AND substr(key, 1, length(?1)) = ?1 "
	                               "ORDER BY length(key) LIMIT 2", VALUES(TEXT(name)));
	int64_t id = 0;
	bool equal = false;

	if (rows_next(r)) {
		id = row_integer(r, 0);
		equal = str_equal(row_text(r, 1), name);
	}
	*several = id && !equal && rows_next(r);
	rows_end(r);
	return id;
}

enum history_status history_find(struct history *h, struct str name, int64_t *conversation, struct error *err)
{
	bool several = false;
	enum history_status status;
	long long place;
	bool number = str_to_int(name, &place);

	*conversation = 0;
	if (str_is(name, HISTORY_LAST) || str_is(name, HISTORY_LAST_CHAT))
		*conversation = str_is(name, HISTORY_LAST) ? find_place(h, 1) : find_last_chat(h);
	else if (number && place > 0 && name.len < 10)
		*conversation = find_place(h, place);
	if (!*conversation && name.len && (!number || name.len >= DIGITS_OF_KEY)) /* a short number beyond the list is no key */
		*conversation = find_key(h, name, &several);
	status = history_end_reading(h, NOT_LISTED, err);
	if (status != HISTORY_OK)
		return status;
	if (several)
		error_set(err, "several conversations have an id that begins with %.*s: give more of it", STR_ARG(str_head(name, 40)));
	else if (!*conversation && str_is(name, HISTORY_LAST_CHAT))
		error_set(err, "there is no chat to go on with: see weir history list");
	else if (!*conversation)
		error_set(err, "there is no conversation %.*s: see weir history list", STR_ARG(str_head(name, 40)));
	return several || !*conversation ? HISTORY_GONE : HISTORY_OK;
}

enum history_status history_find_key(struct history *h, struct str key, int64_t *conversation, struct error *err)
{
	*conversation = database_integer(h->db, "SELECT id FROM conversation WHERE key = ? AND deleted IS NULL", VALUES(TEXT(key)), 0);
	return history_end_reading(h, NOT_LISTED, err);
}

/* --- nodes --- */

bool history_node_is_aside(const struct history_node *node)
{
	return !node->parent && node->role == TURN_ASSISTANT && node->label && str_is(str_from(node->label), TURN_TITLE);
}

enum history_status history_newest_node(struct history *h, int64_t conversation, int64_t *node, struct error *err)
{
	*node = database_integer(h->db, "SELECT id FROM node WHERE conversation = ? AND deleted IS NULL ORDER BY id DESC LIMIT 1",
	                         VALUES(INTEGER(conversation)), 0);
	return history_end_reading(h, NOT_LISTED, err);
}

/* Rows are in the order of their ids, and a node is stored after its parent. */
enum history_status history_nodes(struct history *h, int64_t conversation, history_visit_node *visit, void *ctx, struct error *err)
{
	struct rows *r = database_rows(h->db, "SELECT id, parent, child, role, started, outcome, model, label "
	                               "FROM node WHERE conversation = ?1 AND deleted IS NULL ORDER BY id",
	                               VALUES(INTEGER(conversation)));
	bool is_wanted = true;

	while (is_wanted && rows_next(r)) {
		struct history_node node = {
			.id = row_integer(r, 0), .parent = row_integer(r, 1), .child = row_integer(r, 2),
			.role = history_role_from(row_text(r, 3)), .wall = (time_t)row_integer(r, 4),
		};
		char *model = row_copy(r, 6), *label = row_copy(r, 7);

		node.ended = turn_outcome_find(row_text(r, 5), &node.outcome) || node.role == TURN_USER;
		node.model = model;
		node.label = label;
		is_wanted = visit(ctx, &node);
		mem_free(model);
		mem_free(label);
	}
	rows_end(r);
	return history_end_reading(h, NOT_LISTED, err);
}
