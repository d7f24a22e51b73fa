#include "store/export.h"

#include <stdlib.h>

#include "base/mem.h"

#define OUT_LIMIT ((size_t)1 << 30) /* one turn as text; base64 and escapes make attachments longer */

void export_init(struct export *e, const struct export_form *form, export_sink *sink, void *ctx)
{
	*e = (struct export){ .form = form, .sink = sink, .ctx = ctx };
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

static bool export_node(struct export *e, const struct export_node *node, size_t at, struct error *err)
{
	const struct turn *t = node->turn;
	size_t bytes = 0;

	for (size_t i = 0; i < t->part_count; i++)
		bytes += t->parts[i].text.len;
	if (bytes > OUT_LIMIT / 8) /* a control byte takes six as JSON */
		return error_set(err, "a turn of %zu MB is too large to export", bytes >> 20);
	e->form->node(&e->out, node, at);
	return export_flush(e, err);
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

struct row { int64_t id, parent, child; enum turn_role role; char *label; bool is_aside, taken; };

struct rows_of {
	struct row *at; /* by rising id */
	size_t count, capacity;
};

static bool note_row(void *ctx, const struct history_node *node)
{
	struct rows_of *rows = ctx;

	mem_reserve(&rows->at, &rows->capacity, rows->count + 1, sizeof *rows->at);
	rows->at[rows->count++] = (struct row){ node->id, node->parent, node->child, node->role, node->label ? mem_dup_z(node->label) : NULL,
	                                        history_node_is_aside(node), false };
	return true;
}

static void rows_fini(struct rows_of *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		mem_free(rows->at[i].label);
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

/* The leaf, or if it has been deleted the end of the newest path. */
static size_t leaf_of(const struct rows_of *rows, int64_t leaf)
{
	size_t place = place_of(rows, leaf);

	if (!place)
		for (place = rows->count; place && rows->at[place - 1].is_aside;)
			place--;
	return place;
}

/* Marks the nodes of the path to a leaf, and leaves out the others. A node is stored after its parent, so the walk ends. */
static size_t take_path(struct rows_of *rows, size_t leaf)
{
	size_t taken = 0;

	for (size_t place = leaf; place;) {
		struct row *row = &rows->at[place - 1];
		size_t parent = place_of(rows, row->parent);

		row->taken = true;
		place = parent < place ? parent : 0;
	}
	for (size_t i = 0; i < rows->count; i++) {
		if (rows->at[i].taken)
			rows->at[taken++] = rows->at[i];
		else
			mem_free(rows->at[i].label);
	}
	rows->count = taken;
	return taken;
}

static bool export_row(struct export *e, struct history *h, const struct rows_of *rows, size_t at, struct error *err)
{
	const struct row *row = &rows->at[at];
	struct conversation *c = conversation_new();
	struct turn *t = row->role == TURN_USER ? conversation_ask(c) : conversation_answer(c, STR_NONE, NULL, STR_NONE);
	struct export_node node = { at + 1, place_of(rows, row->parent), place_of(rows, row->child), row->label, t };
	bool good = history_read_turn(h, row->id, t, err) == HISTORY_OK && export_node(e, &node, at, err);

	conversation_free(c);
	return good;
}

struct facts_of { struct export *e; struct rows_of *rows; };

static bool open_facts(void *ctx, const struct history_conversation *facts)
{
	struct facts_of *of = ctx;
	size_t leaf = leaf_of(of->rows, facts->leaf);

	if (!of->e->form->whole_tree)
		leaf = take_path(of->rows, leaf);
	export_open(of->e, facts, leaf);
	return true;
}

bool export_stored(struct export *e, struct history *h, int64_t conversation, struct error *err)
{
	struct rows_of rows = { 0 };
	struct facts_of of = { e, &rows };
	bool good = history_nodes(h, conversation, note_row, &rows, err) == HISTORY_OK &&
	            history_look(h, conversation, open_facts, &of, err) == HISTORY_OK;

	for (size_t i = 0; good && i < rows.count; i++)
		good = export_row(e, h, &rows, i, err);
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
		struct export_node node = { places[i], t->parent ? places[t->parent->number] : 0, t->chosen ? places[t->chosen->number] : 0, t->label, t };

		good = !places[i] || export_node(e, &node, places[i] - 1, err);
	}
	mem_free(places);
	return good;
}

static bool export_path(struct export *e, const struct history_conversation *facts, const struct conversation *c, struct error *err)
{
	bool good = true;

	export_open(e, facts, c->count);
	for (size_t i = 0; good && i < c->count; i++) {
		struct export_node node = { i + 1, i, i + 1 < c->count ? i + 2 : 0, c->turns[i]->label, c->turns[i] };

		good = export_node(e, &node, i, err);
	}
	return good;
}

bool export_in_memory(struct export *e, const struct history_conversation *facts, const struct conversation *c, struct error *err)
{
	return (e->form->whole_tree ? export_tree(e, facts, c, err) : export_path(e, facts, c, err)) && export_close(e, err);
}
