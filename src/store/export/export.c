#include "store/export/export.h"

#include <stdlib.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/title.h"

#define EMBEDDED_MOST ((size_t)64 << 20) /* bytes of media in one document */
#define OUT_LIMIT ((size_t)1 << 30) /* one turn as text; base64 and escapes make attachments longer */

void export_init(struct export *e, const struct export_form *form, export_sink *sink, void *ctx)
{
	*e = (struct export){ .form = form, .sink = sink, .ctx = ctx, .room = EMBEDDED_MOST };
	buf_init(&e->out, OUT_LIMIT);
	if (form->begin)
		form->begin(&e->out);
}

void export_fini(struct export *e)
{
	buf_fini(&e->out);
}

static bool export_flush(struct export *e, struct error *err)
{
	bool good = e->sink(e->ctx, buf_str(&e->out), err);

	if (e->out.capacity > (size_t)1 << 20)
		buf_fini(&e->out);
	buf_clear(&e->out);
	e->out.limit = OUT_LIMIT;
	return good;
}

bool export_add_beside(struct export *e, struct str bytes, struct str type, struct buf *address)
{
	if (!e->beside.add || e->failed || !bytes.len)
		return false;
	e->failed = !e->beside.add(e->beside.ctx, bytes, type, address, &e->why);
	return !e->failed;
}

static bool export_node(struct export *e, struct export_node node, size_t at, struct error *err)
{
	const struct turn *t = node.turn;
	size_t bytes = 0;

	node.document = e;
	for (size_t i = 0; i < t->part_count; i++)
		bytes += t->parts[i].text.len;
	if (bytes > OUT_LIMIT / 8) /* a control byte takes six as JSON */
		return error_set(err, "a turn of %zu MB is too large to export", bytes >> 20);
	e->form->node(&e->out, &node, at);
	if (e->failed)
		*err = e->why;
	return !e->failed && export_flush(e, err);
}

/* --- versions --- */

/* The versions of a turn: itself and those beside it. */
struct versions { struct export_version at[EXPORT_VERSIONS_MOST]; size_t count, version, versions; };

static void versions_add_own(struct versions *v)
{
	v->version = ++v->versions;
}

/* Returns where another one goes; NULL: it is only counted. */
static struct export_version *versions_add(struct versions *v)
{
	v->versions++;
	return v->count < EXPORT_VERSIONS_MOST ? &v->at[v->count++] : NULL;
}

static void versions_use(const struct versions *v, struct export_node *node)
{
	node->version = v->version;
	node->versions = v->versions;
	node->others = v->at;
	node->other_count = v->count;
}

static void versions_fini(struct versions *v)
{
	for (size_t i = 0; i < v->count; i++)
		mem_free(v->at[i].words);
}

static bool is_whole(enum outcome outcome)
{
	return outcome == OUTCOME_COMPLETE || outcome == OUTCOME_TOOL_CALLS;
}

static void export_open(struct export *e, const struct history_conversation *facts, size_t leaf)
{
	if (e->form->open)
		e->form->open(&e->out, facts, leaf, e->conversations);
}

static bool export_close(struct export *e, struct error *err)
{
	if (e->form->close)
		e->form->close(&e->out, e->conversations);
	e->conversations++;
	return export_flush(e, err);
}

bool export_end(struct export *e, struct error *err)
{
	if (e->form->end)
		e->form->end(&e->out);
	return export_flush(e, err);
}

/* --- stored conversations --- */

struct row {
	int64_t id, parent, child;
	enum turn_role role;
	char *label, *model;
	time_t wall;
	bool is_aside, is_whole;
	size_t up;             /* place of the parent, from 1; 0: none */
	size_t first, next;    /* places of the oldest child, and of the next sibling */
	size_t prompts;        /* in the tree below it, itself included */
};

struct rows_of {
	struct row *at;        /* by rising id, so a parent is before its children */
	size_t count, capacity;
	size_t first;          /* place of the first root */
};

static bool note_row(void *ctx, const struct history_node *node)
{
	struct rows_of *rows = ctx;

	*ARRAY_ADD(rows->at, rows->count, rows->capacity) = (struct row){
		.id = node->id, .parent = node->parent, .child = node->child, .role = node->role,
		.label = node->label ? mem_dup_z(node->label) : NULL,
		.model = mem_dup_z(node->model ? node->model : ""), .wall = node->wall, .is_aside = history_node_is_aside(node),
		.is_whole = node->role == TURN_USER || (node->ended && is_whole(node->outcome)),
	};
	return true;
}

static void rows_fini(struct rows_of *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		mem_free(rows->at[i].label);
		mem_free(rows->at[i].model);
	}
	mem_free(rows->at);
}

static int by_id(const void *a, const void *b)
{
	int64_t left = ((const struct row *)a)->id, right = ((const struct row *)b)->id;

	return (left > right) - (left < right);
}

/* The place of a node, from 1; 0: it is not there. */
static size_t place_of(const struct rows_of *rows, int64_t id)
{
	struct row wanted = { .id = id };
	const struct row *found = id ? bsearch(&wanted, rows->at, rows->count, sizeof wanted, by_id) : NULL;

	return found ? (size_t)(found - rows->at) + 1 : 0;
}

/* From the newest to the oldest, so that siblings are in the order of their age, and all below a node is counted before it. */
static void rows_link(struct rows_of *rows)
{
	for (size_t place = rows->count; place; place--) {
		struct row *row = &rows->at[place - 1];
		size_t up = place_of(rows, row->parent);
		size_t *first = up && up < place ? &rows->at[up - 1].first : &rows->first;

		row->up = up < place ? up : 0;
		row->next = *first;
		*first = place;
		row->prompts += row->role == TURN_USER;
		if (row->up)
			rows->at[row->up - 1].prompts += row->prompts;
	}
}

/* The leaf, or if it has been deleted the end of the newest path. */
static size_t leaf_of(const struct rows_of *rows, int64_t leaf)
{
	size_t place = place_of(rows, leaf);

	if (!place)
		for (place = rows->count; place && rows->at[place - 1].is_aside;)
			place--;
	return place;
}

/* Reads the turn of a row; the conversation owns it. */
static struct turn *row_read(struct history *h, const struct row *row, struct conversation *c, struct error *err)
{
	struct turn *t = row->role == TURN_USER ? conversation_ask(c) : conversation_answer(c, STR_NONE, NULL, STR_NONE);

	return history_read_turn(h, row->id, t, err) == HISTORY_OK ? t : NULL;
}

static bool export_row(struct export *e, struct history *h, const struct rows_of *rows, size_t at, const struct versions *v, size_t number,
                       struct error *err)
{
	const struct row *row = &rows->at[at];
	struct conversation *c = conversation_new();
	struct turn *t = row_read(h, row, c, err);
	struct export_node node = { .id = at + 1, .parent = row->up, .child = place_of(rows, row->child), .label = row->label, .turn = t };

	if (v)
		versions_use(v, &node);
	bool good = t && export_node(e, node, number, err);
	conversation_free(c);
	return good;
}

static bool row_describe(struct history *h, const struct row *row, struct export_version *version, struct error *err)
{
	struct conversation *c = conversation_new();
	const struct turn *t = row->role == TURN_USER ? row_read(h, row, c, err) : NULL;

	*version = (struct export_version){ .words = t ? title_of_prompt(t) : mem_dup_z(row->model), .wall = row->wall,
	                                    .turns = row->prompts - (row->role == TURN_USER), .failed = !row->is_whole };
	conversation_free(c);
	return t || row->role != TURN_USER;
}

static bool rows_versions(struct history *h, const struct rows_of *rows, size_t at, struct versions *v, struct error *err)
{
	const struct row *row = &rows->at[at];
	bool good = true;

	for (size_t place = row->up ? rows->at[row->up - 1].first : rows->first; good && place; place = rows->at[place - 1].next) {
		struct export_version *version;

		if (place == at + 1)
			versions_add_own(v);
		else if (!rows->at[place - 1].is_aside && (version = versions_add(v)))
			good = row_describe(h, &rows->at[place - 1], version, err);
	}
	return good;
}

static bool export_rows_of_path(struct export *e, struct history *h, const struct rows_of *rows, size_t leaf, struct error *err)
{
	size_t *path = mem_new((rows->count + 1) * sizeof *path), count = 0;
	bool good = true;

	for (size_t place = leaf; place; place = rows->at[place - 1].up)
		path[count++] = place - 1;
	for (size_t i = 0; good && i < count; i++) {
		struct versions v = { .count = 0 };

		good = rows_versions(h, rows, path[count - 1 - i], &v, err) && export_row(e, h, rows, path[count - 1 - i], &v, i, err);
		versions_fini(&v);
	}
	mem_free(path);
	return good;
}

struct facts_of { struct export *e; const struct rows_of *rows; size_t leaf; };

static bool open_facts(void *ctx, const struct history_conversation *facts)
{
	struct facts_of *of = ctx;

	of->leaf = leaf_of(of->rows, facts->leaf);
	export_open(of->e, facts, of->leaf);
	return true;
}

bool export_stored(struct export *e, struct history *h, int64_t conversation, struct error *err)
{
	struct rows_of rows = { 0 };
	struct facts_of of = { e, &rows, 0 };
	bool good = history_nodes(h, conversation, note_row, &rows, err) == HISTORY_OK;

	rows_link(&rows);
	good = good && history_look(h, conversation, open_facts, &of, err) == HISTORY_OK;
	for (size_t i = 0; good && e->form->whole_tree && i < rows.count; i++)
		good = export_row(e, h, &rows, i, NULL, i, err);
	if (good && !e->form->whole_tree)
		good = export_rows_of_path(e, h, &rows, of.leaf, err);
	rows_fini(&rows);
	return good && export_close(e, err);
}

/* --- conversations in memory --- */

/* The nodes' places: removed turns have none. */
static size_t *places_in_memory(const struct conversation *c)
{
	size_t *places = mem_new((c->node_count + 1) * sizeof *places), count = 0;

	for (size_t i = 0; i < c->node_count; i++)
		places[i] = c->nodes[i]->removed ? 0 : ++count;
	return places;
}

static bool export_tree(struct export *e, const struct history_conversation *facts, const struct conversation *c, struct error *err)
{
	size_t *places = places_in_memory(c);
	const struct turn *last = conversation_last(c);
	bool good = true;

	export_open(e, facts, last ? places[last->number] : 0);
	for (size_t i = 0; good && i < c->node_count; i++) {
		const struct turn *t = c->nodes[i];
		struct export_node node = { .id = places[i], .parent = t->parent ? places[t->parent->number] : 0,
		                            .child = t->chosen ? places[t->chosen->number] : 0, .label = t->label, .turn = t };

		good = !places[i] || export_node(e, node, places[i] - 1, err);
	}
	mem_free(places);
	return good;
}

/* Prompts below each turn, itself included, by its number. A parent precedes what is below it. */
static size_t *prompts_in_memory(const struct conversation *c)
{
	size_t *prompts = mem_new((c->node_count + 1) * sizeof *prompts);

	for (size_t i = c->node_count; i > 0; i--) {
		const struct turn *t = c->nodes[i - 1];

		prompts[i - 1] += !t->removed && t->role == TURN_USER;
		if (!t->removed && t->parent)
			prompts[t->parent->number] += prompts[i - 1];
	}
	return prompts;
}

static void versions_in_memory(const struct conversation *c, const struct turn *own, const size_t *prompts, struct versions *v)
{
	for (const struct turn *t = conversation_child(c, own->parent); t; t = conversation_next(t)) {
		struct export_version *version;

		if (t == own)
			versions_add_own(v);
		else if (!turn_is_aside(t) && (version = versions_add(v)))
			*version = (struct export_version){ t->role == TURN_USER ? title_of_prompt(t)
			                                                         : mem_dup_z(t->scope.model ? t->scope.model : ""), t->wall,
			                                    prompts[t->number] - (t->role == TURN_USER),
			                                    t->role == TURN_ASSISTANT && !is_whole(t->outcome) };
	}
}

static bool export_path(struct export *e, const struct history_conversation *facts, const struct conversation *c, struct error *err)
{
	size_t *prompts = prompts_in_memory(c);
	bool good = true;

	export_open(e, facts, c->count);
	for (size_t i = 0; good && i < c->count; i++) {
		struct export_node node = { .id = i + 1, .parent = i, .child = i + 1 < c->count ? i + 2 : 0, .label = c->turns[i]->label,
		                            .turn = c->turns[i] };
		struct versions v = { .count = 0 };

		versions_in_memory(c, c->turns[i], prompts, &v);
		versions_use(&v, &node);
		good = export_node(e, node, i, err);
		versions_fini(&v);
	}
	mem_free(prompts);
	return good;
}

bool export_in_memory(struct export *e, const struct history_conversation *facts, const struct conversation *c, struct error *err)
{
	return (e->form->whole_tree ? export_tree(e, facts, c, err) : export_path(e, facts, c, err)) && export_close(e, err);
}
