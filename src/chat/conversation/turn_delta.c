/* Deltas change a turn (turn.h). */
#include "base/mem.h"
#include "chat/conversation/turn.h"

#define NO_NUMBER (~0u)
#define NUMBERS_OF_ONE 65536u /* more than the number of parts in an answer (wire/guard.h) */

/* Growing the array moves each `struct part`, but not the bytes its buffers own: borrowed text stays in place. */
static struct part *new_part(struct turn *t, enum part_kind kind, double at_ms)
{
	struct part *p = ARRAY_ADD(t->parts, t->part_count, t->part_capacity);
	*p = (struct part){ .kind = kind, .call = -1, .open = true, .begun_ms = at_ms, .ended_ms = at_ms };
	return p;
}

/* Each request numbers its parts from 0; after a joint the numbers are shifted. An opaque part without a number keeps none. */
static unsigned turn_part_number(const struct turn *t, const struct delta *d)
{
	return d->part == NO_NUMBER ? NO_NUMBER : d->part + (unsigned)t->joint_count * NUMBERS_OF_ONE;
}

/*
 * Appends text, reasoning or refusal to the part of that number, or to a new one. All stay open until the end, because blocks may overlap.
 */
static void apply_text(struct turn *t, const struct delta *d)
{
	static const enum part_kind kinds[DELTA_KIND_COUNT] = {
		[DELTA_TEXT] = PART_TEXT, [DELTA_REASONING] = PART_REASONING, [DELTA_REFUSAL] = PART_REFUSAL,
	};
	enum part_kind kind = kinds[d->kind];
	struct part *p = NULL;

	for (size_t i = t->part_count; i > t->open_from && !p; i--)
		if (t->parts[i - 1].kind == kind && t->parts[i - 1].number == turn_part_number(t, d))
			p = &t->parts[i - 1];
	if (!p) {
		p = new_part(t, kind, d->at_ms);
		p->number = turn_part_number(t, d);
	}
	buf_add(&p->text, d->text);
	estimate_add(&p->size, d->text);
	p->ended_ms = d->at_ms;
}

/* Sets the whole text of a part. If it does not begin with what came in pieces, layouts of those are of no use. */
static void apply_whole_text(struct turn *t, struct part *p, struct str text)
{
	if (!str_equal(str_head(text, p->text.len), buf_str(&p->text))) {
		buf_clear(&p->text);
		t->rewinds++;
	}
	buf_add(&p->text, str_skip(text, p->text.len));
}

static void apply_tool(struct turn *t, const struct delta *d)
{
	struct part *p = turn_call(t, d->tool.index);

	if (!p) {
		p = new_part(t, PART_TOOL_CALL, d->at_ms);
		p->call = (int)d->tool.index;
		p->number = d->part;
	}
	if (d->kind == DELTA_TOOL_BEGIN || d->kind == DELTA_TOOL_NAME) {
		str_replace(&p->id, d->tool.id.ptr ? d->tool.id : STR(""));
		str_replace(&p->name, d->tool.name.ptr ? d->tool.name : STR(""));
	} else if (d->kind == DELTA_TOOL_ARGUMENTS) {
		buf_add(&p->text, d->text);
	} else {
		apply_whole_text(t, p, d->text);
		p->valid = d->tool.valid;
		p->open = false;
	}
	p->ended_ms = d->at_ms;
}

/* The part of an item that is counted: of media or of the server's tools. Made if there is none. */
static struct part *apply_item(struct turn *t, enum part_kind kind, unsigned index, const struct delta *d)
{
	struct part *p;

	for (size_t i = t->part_count; i > t->open_from; i--)
		if (t->parts[i - 1].kind == kind && t->parts[i - 1].call == (int)index)
			return &t->parts[i - 1];
	p = new_part(t, kind, d->at_ms);
	p->call = (int)index;
	p->number = kind == PART_MEDIA ? turn_part_number(t, d) : NO_NUMBER;
	return p;
}

/* A picture replaces the one before it; pieces of other data are joined. */
static void apply_media(struct turn *t, const struct delta *d)
{
	const struct media_facts *facts = &d->media.facts;
	struct part *p = apply_item(t, PART_MEDIA, d->media.index, d);

	str_replace(&p->id, facts->id);
	str_replace(&p->name, facts->url);
	str_replace(&p->media, facts->type);
	p->media_kind = facts->kind;
	p->partials = facts->partials;
	p->thought = facts->thought;
	if (d->kind == DELTA_MEDIA)
		delta_media_collect(&d->media, &p->data);
	if (d->kind == DELTA_MEDIA_END) {
		apply_whole_text(t, p, d->text);
		p->valid = facts->whole;
		p->is_error = facts->failed;
		p->open = false;
	} else {
		buf_add(&p->text, d->text);
	}
	p->ended_ms = d->at_ms;
}

static void apply_server_tool(struct turn *t, const struct delta *d)
{
	const struct delta_server_tool *tool = &d->server_tool;
	struct part *p = apply_item(t, PART_SERVER_TOOL, tool->index, d);
	bool ends = d->kind == DELTA_SERVER_TOOL_END;

	str_replace(&p->id, tool->id);
	str_replace(&p->name, tool->name);
	if (p->open) /* its output ends it: some protocols tell its end with that of the answer */
		p->ended_ms = d->at_ms;
	if (ends)
		apply_whole_text(t, p, d->text);
	else
		buf_add(&p->text, d->text);
	if (!ends && !tool->output.ptr)
		return;
	p->open = false;
	p->valid = tool->state == SERVER_TOOL_COMPLETED;
	p->is_error = tool->state == SERVER_TOOL_FAILED;
	if (!tool->output.ptr)
		return;
	p = apply_item(t, PART_SERVER_RESULT, tool->index, d);
	str_replace(&p->name, tool->name);
	apply_whole_text(t, p, tool->output);
	p->is_error = tool->state == SERVER_TOOL_FAILED;
	p->open = false;
}

static void apply_opaque(struct turn *t, const struct delta *d)
{
	struct part *p = new_part(t, PART_OPAQUE, d->at_ms);

	p->number = turn_part_number(t, d);
	p->call = d->opaque.tool_index;
	p->name = str_dup(d->opaque.format);
	buf_add(&p->text, d->opaque.data);
	p->open = false;
}

static void apply_route(struct turn *t, const struct delta *d)
{
	str_replace(&t->routed_model, d->route.routed_model);
	t->route = d->route;
	t->route.routed_model = str_from(t->routed_model);
	t->routed_known = true;
}

static void apply_error(struct turn *t, const struct delta *d)
{
	t->has_error = true;
	str_replace(&t->error_message, d->error.message);
	str_replace(&t->error_type, d->error.type);
	str_replace(&t->error_code, d->error.code);
	t->error_status = d->error.status;
}

/* Withdrawn parts stay readable. Ids and counts are cleared, because the server sends them again; those of an earlier request are kept. */
static void apply_restart(struct turn *t)
{
	for (size_t i = 0; i < t->part_count; i++)
		t->parts[i].open = false;
	t->open_from = t->part_count;
	if (!t->joint_count)
		t->restarted_at = t->part_count;
	if (!t->joint_count)
		citations_fini(&t->citations);
	t->usage = (struct usage){ 0 };
	t->reported = MONEY_UNKNOWN;
	t->routed_known = false;
	t->route = (struct route){ 0 };
	str_replace(&t->routed_model, STR_NONE);
	str_replace(&t->id, STR_NONE);
	str_replace(&t->model, STR_NONE);
}

static void apply_end(struct turn *t, const struct delta *d)
{
	for (size_t i = 0; i < t->part_count; i++)
		t->parts[i].open = false;
	t->ended = true;
	t->outcome = d->end.outcome;
	t->ended_ms = d->at_ms;
}

void turn_delta(void *turn, const struct delta *d)
{
	struct turn *t = turn;

	t->revision++;
	switch (d->kind) {
	case DELTA_BEGIN:
	case DELTA_META:
		str_replace(&t->id, d->meta.id);
		str_replace(&t->model, d->meta.model);
		break;
	case DELTA_TEXT:
	case DELTA_REASONING:
	case DELTA_REFUSAL:
		apply_text(t, d);
		break;
	case DELTA_TOOL_BEGIN:
	case DELTA_TOOL_NAME:
	case DELTA_TOOL_ARGUMENTS:
	case DELTA_TOOL_END:
		apply_tool(t, d);
		break;
	case DELTA_MEDIA_BEGIN:
	case DELTA_MEDIA:
	case DELTA_MEDIA_TEXT:
	case DELTA_MEDIA_END:
		apply_media(t, d);
		break;
	case DELTA_SERVER_TOOL_BEGIN:
	case DELTA_SERVER_TOOL_INPUT:
	case DELTA_SERVER_TOOL_END:
		apply_server_tool(t, d);
		break;
	case DELTA_OPAQUE:
		apply_opaque(t, d);
		break;
	case DELTA_USAGE:
		t->usage = d->usage;
		t->reported = d->cost;
		break;
	case DELTA_ROUTE:
		apply_route(t, d);
		break;
	case DELTA_NOTICE:
		turn_note(t, d->notice.rule, d->notice.text);
		break;
	case DELTA_RESTART:
		apply_restart(t);
		break;
	case DELTA_FINISH:
		str_replace(&t->finish_reason, d->finish.reason);
		break;
	case DELTA_ERROR:
		apply_error(t, d);
		break;
	case DELTA_END:
		apply_end(t, d);
		break;
	case DELTA_CITATION:
		citations_add(&t->citations, &d->citation, turn_part_number(t, d), t->open_from);
		break;
	}
}
