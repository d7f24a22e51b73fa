/*
 * The conversation's projection into a request: what goes back to the server.
 *
 * Its own parts are kept in one growing array and addressed by index until the end, because that array moves.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "chat/conversation.h"

#define NOT_RUN "The tool was not run."
#define NOT_WHOLE "The tool was not run: its arguments did not arrive whole."
#define NO_NAME "unnamed" /* servers refuse a call whose name is empty */

struct span { enum turn_role role; size_t first, count; };

struct projection_memory {
	struct request_part *parts;
	size_t part_count, part_capacity;
	struct span *spans;
	size_t span_count, span_capacity;
	char **ids; /* made up for calls without one of their own */
	size_t id_count;
};

static struct request_part *add_part(struct projection_memory *m, enum turn_role role, enum part_kind kind)
{
	struct span *last = m->span_count ? &m->spans[m->span_count - 1] : NULL;

	if (!last || last->role != role) {
		mem_reserve(&m->spans, &m->span_capacity, m->span_count + 1, sizeof *m->spans);
		last = &m->spans[m->span_count++];
		*last = (struct span){ role, m->part_count, 0 };
	}
	mem_reserve(&m->parts, &m->part_capacity, m->part_count + 1, sizeof *m->parts);
	last->count++;
	struct request_part *p = &m->parts[m->part_count++];
	*p = (struct request_part){ .kind = kind };
	return p;
}

static bool same_scope(const struct scope *a, const struct scope *b)
{
	return a->protocol == b->protocol && a->provider && b->provider && !strcmp(a->provider, b->provider) && a->model &&
	       b->model && !strcmp(a->model, b->model);
}

static bool is_taken(const struct projection_memory *m, struct str id)
{
	for (size_t i = 0; i < m->part_count; i++)
		if (m->parts[i].kind == PART_TOOL_CALL && str_equal(m->parts[i].id, id))
			return true;
	return false;
}

/* One of ours, the same in every request. */
static struct str make_id(struct projection_memory *m, size_t turn, int call)
{
	char id[48];
	int len = snprintf(id, sizeof id, "call_%zu_%d", turn, call);

	m->ids = mem_resize(m->ids, m->id_count + 1, sizeof *m->ids);
	m->ids[m->id_count] = mem_dup(id, (size_t)len);
	return str_from(m->ids[m->id_count++]);
}

/* The server's id is kept unless another call has it: some count from 0 in every answer. */
static void add_call(struct projection_memory *m, size_t turn, const struct part *call)
{
	struct str id = str_from(call->id), name = str_from(call->name);
	bool ours = !id.len || is_taken(m, id);

	if (ours)
		id = make_id(m, turn, call->call);
	struct request_part *p = add_part(m, TURN_ASSISTANT, PART_TOOL_CALL);
	p->text = call->valid ? buf_str(&call->text) : STR("{}");
	p->name = name.len ? name : STR(NO_NAME);
	p->id = id;
	p->id_is_ours = ours;
}

static void add_answer_part(struct projection_memory *m, size_t turn, const struct part *part, bool same)
{
	switch (part->kind) {
	case PART_TOOL_CALL:
		add_call(m, turn, part);
		break;
	case PART_REASONING:
	case PART_OPAQUE:
		if (same) {
			struct request_part *p = add_part(m, TURN_ASSISTANT, part->kind);

			p->text = buf_str(&part->text);
			p->name = str_from(part->name);
		}
		break;
	case PART_TEXT:
	case PART_REFUSAL:
		add_part(m, TURN_ASSISTANT, PART_TEXT)->text = buf_str(&part->text);
		break;
	case PART_TOOL_RESULT:
	case PART_ATTACHMENT:
		break; /* the user's */
	}
}

/* Opaque data that came late stands right behind the part or call that it belongs to. */
static bool belongs(const struct part *opaque, const struct part *part)
{
	if (opaque->kind != PART_OPAQUE || part->kind == PART_OPAQUE)
		return false;
	return opaque->call >= 0 ? part->kind == PART_TOOL_CALL && part->call == opaque->call
	                         : part->kind != PART_TOOL_CALL && part->number == opaque->number;
}

static const struct part *owner_of(const struct turn *t, const struct part *opaque)
{
	for (size_t i = t->restarted_at; i < t->part_count; i++)
		if (belongs(opaque, &t->parts[i]))
			return &t->parts[i];
	return NULL;
}

static void project_answer(struct projection_memory *m, size_t index, const struct turn *t, const struct scope *scope)
{
	bool same = same_scope(&t->scope, scope);

	for (size_t i = t->restarted_at; i < t->part_count; i++) {
		const struct part *part = &t->parts[i];
		const struct joint *joint = turn_joint_at(t, i);

		if (joint && joint->by_words)
			add_part(m, TURN_USER, PART_TEXT)->text = STR(CONTINUE_WORDS);
		if (part->kind == PART_OPAQUE && owner_of(t, part))
			continue;
		add_answer_part(m, index, part, same);
		for (size_t j = t->restarted_at; j < t->part_count; j++)
			if (belongs(&t->parts[j], part))
				add_answer_part(m, index, &t->parts[j], same);
	}
}

static const struct part *result_of(const struct turn *user, int call)
{
	for (size_t i = 0; user && i < user->part_count; i++)
		if (user->parts[i].kind == PART_TOOL_RESULT && user->parts[i].call == call)
			return &user->parts[i];
	return NULL;
}

/*
 * Every call gets a result, because every protocol refuses a turn whose calls hang in the air. `first` is the first of the
 * answer's parts here, among which its calls stand in their order.
 */
static void project_results(struct projection_memory *m, size_t first, const struct turn *answer, const struct turn *next)
{
	for (size_t i = answer->restarted_at; i < answer->part_count; i++) {
		const struct part *call = &answer->parts[i];

		if (call->kind != PART_TOOL_CALL)
			continue;
		while (m->parts[first].kind != PART_TOOL_CALL)
			first++;
		const struct request_part asked = m->parts[first++];
		const struct part *result = result_of(next, call->call);
		struct request_part *p = add_part(m, TURN_USER, PART_TOOL_RESULT);
		p->id = asked.id;
		p->id_is_ours = asked.id_is_ours;
		p->name = asked.name;
		p->text = result ? buf_str(&result->text) : call->valid ? STR(NOT_RUN) : STR(NOT_WHOLE);
		p->is_error = result ? result->is_error : true;
	}
}

static void project_question(struct projection_memory *m, const struct turn *t)
{
	for (size_t i = 0; i < t->part_count; i++) {
		const struct part *part = &t->parts[i];

		if (part->kind != PART_TEXT && part->kind != PART_ATTACHMENT)
			continue;
		struct request_part *p = add_part(m, TURN_USER, part->kind);
		p->text = buf_str(&part->text);
		p->name = str_from(part->name);
		p->media = str_from(part->media);
	}
}

static const struct turn *next_turn(const struct conversation *c, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++)
		if (!c->turns[i]->superseded)
			return c->turns[i];
	return NULL;
}

void conversation_project(const struct conversation *c, size_t end, const struct scope *scope, struct projection *out)
{
	struct projection_memory *m = mem_new(sizeof *m);

	for (size_t i = 0; i < end; i++) {
		const struct turn *t = c->turns[i];

		if (t->superseded)
			continue;
		if (t->role == TURN_USER) {
			project_question(m, t);
		} else {
			const struct turn *next = next_turn(c, i + 1, end);
			size_t first = m->part_count;

			project_answer(m, i, t, scope);
			project_results(m, first, t, next && next->role == TURN_USER ? next : NULL);
		}
	}
	*out = (struct projection){ .memory = m, .count = m->span_count };
	out->messages = mem_new((m->span_count + 1) * sizeof *out->messages);
	for (size_t i = 0; i < m->span_count; i++)
		out->messages[i] = (struct request_message){ m->spans[i].role, m->parts + m->spans[i].first, m->spans[i].count };
}

void projection_fini(struct projection *p)
{
	if (!p->memory)
		return;
	for (size_t i = 0; i < p->memory->id_count; i++)
		mem_free(p->memory->ids[i]);
	mem_free(p->memory->ids);
	mem_free(p->memory->parts);
	mem_free(p->memory->spans);
	mem_free(p->memory);
	mem_free(p->messages);
	*p = (struct projection){ 0 };
}
