#include "chat/conversation/conversation.h"

#include "base/array.h"
#include "base/mem.h"
#include "chat/conversation/totals.h"

struct conversation *conversation_new(void)
{
	return mem_new(sizeof(struct conversation));
}

void conversation_free(struct conversation *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->node_count; i++)
		turn_free(c->nodes[i]);
	mem_free(c->nodes);
	mem_free(c->turns);
	mem_free(c);
}

struct turn *conversation_last(const struct conversation *c)
{
	return c->count ? c->turns[c->count - 1] : NULL;
}

struct turn *conversation_last_answer(const struct conversation *c)
{
	for (size_t i = c->count; i > 0; i--)
		if (c->turns[i - 1]->role == TURN_ASSISTANT)
			return c->turns[i - 1];
	return NULL;
}

static struct turn **chosen_below(struct conversation *c, struct turn *parent)
{
	return parent ? &parent->chosen : &c->chosen;
}

/* --- adding --- */

struct turn *conversation_add(struct conversation *c, struct turn *parent, enum turn_role role)
{
	struct turn *t = mem_new(sizeof *t);

	t->role = role;
	t->ended = role == TURN_USER;
	t->wall = time(NULL);
	t->parent = parent;
	t->depth = parent ? parent->depth + 1 : 0;
	t->number = c->node_count;
	t->scope.protocol_name = "";
	*ARRAY_ADD(c->nodes, c->node_count, c->node_capacity) = t;
	struct turn **last = parent ? &parent->child : &c->first;

	while (*last)
		last = &(*last)->next;
	*last = t;
	return t;
}

/* The path goes on to a turn below its end. */
static struct turn *extend(struct conversation *c, struct turn *t)
{
	*ARRAY_ADD(c->turns, c->count, c->capacity) = t;
	*chosen_below(c, t->parent) = t;
	return t;
}

struct turn *conversation_ask(struct conversation *c)
{
	return extend(c, conversation_add(c, conversation_last(c), TURN_USER));
}

struct turn *conversation_answer(struct conversation *c, struct str provider, const struct protocol *protocol, struct str model)
{
	struct turn *t = extend(c, conversation_add(c, conversation_last(c), TURN_ASSISTANT));

	turn_set_origin(t, provider, protocol, model);
	return t;
}

/* --- siblings --- */

static struct turn *present(struct turn *t)
{
	while (t && (t->removed || turn_is_aside(t)))
		t = t->next;
	return t;
}

struct turn *conversation_child(const struct conversation *c, const struct turn *parent)
{
	return present(parent ? parent->child : c->first);
}

struct turn *conversation_next(const struct turn *t)
{
	return present(t->next);
}

struct siblings conversation_siblings(const struct conversation *c, const struct turn *t)
{
	struct siblings all = { 0, 0 };

	for (const struct turn *s = conversation_child(c, t->parent); s; s = conversation_next(s), all.count++)
		if (s == t)
			all.at = all.count;
	return all;
}

struct turn *conversation_sibling(const struct conversation *c, const struct turn *t, int step)
{
	struct turn *older = NULL;

	if (step > 0)
		return conversation_next(t);
	for (struct turn *s = conversation_child(c, t->parent); s && s != t; s = conversation_next(s))
		older = s;
	return older;
}

/* --- the path --- */

bool conversation_shows(const struct conversation *c, const struct turn *t)
{
	return t->depth < c->count && c->turns[t->depth] == t;
}

void conversation_branch(struct conversation *c, struct turn *end)
{
	c->count = end ? end->depth + 1 : 0;
	mem_reserve(&c->turns, &c->capacity, c->count, sizeof *c->turns);
	for (struct turn *t = end; t; t = t->parent) {
		c->turns[t->depth] = t;
		*chosen_below(c, t->parent) = t;
	}
}

static struct turn *latest_conversation_below(const struct conversation *c, const struct turn *parent)
{
	struct turn *newest = NULL;

	for (struct turn *t = conversation_child(c, parent); t; t = conversation_next(t))
		newest = t;
	return newest;
}

void conversation_select(struct conversation *c, struct turn *t)
{
	for (struct turn *below = t; below; below = t->chosen && !t->chosen->removed ? t->chosen : latest_conversation_below(c, t))
		t = below;
	conversation_branch(c, t);
}

/* --- removing --- */

/* A parent precedes what is below it, so one pass finds the whole subtree. */
void conversation_remove(struct conversation *c, struct turn *t)
{
	struct turn *older = conversation_sibling(c, t, -1), *instead = older ? older : conversation_sibling(c, t, 1);
	size_t removal = ++c->removals;

	t->removed = removal;
	for (size_t i = t->number + 1; i < c->node_count; i++) {
		struct turn *below = c->nodes[i];

		if (!below->removed && below->parent && below->parent->removed == removal)
			below->removed = removal;
	}
	if (conversation_shows(c, t) && instead)
		conversation_select(c, instead);
	else if (conversation_shows(c, t))
		conversation_branch(c, t->parent);
}

struct turn *conversation_restore(struct conversation *c)
{
	struct turn *top = NULL;

	if (!c->removals)
		return NULL;
	for (size_t i = c->node_count; i > 0; i--) {
		struct turn *t = c->nodes[i - 1];

		if (t->removed != c->removals)
			continue;
		t->removed = 0;
		top = t;
	}
	c->removals--;
	conversation_select(c, top);
	return top;
}

/* --- copying --- */

static struct turn *copy_below(struct conversation *copy, struct turn *parent, const struct turn *from)
{
	struct turn *t = conversation_add(copy, parent, from->role);
	size_t depth = t->depth, number = t->number;

	turn_copy(from, t);
	t->parent = parent;
	t->depth = depth;
	t->number = number;
	return t;
}

/* The turns down to `end`; heap. */
static const struct turn **path_to(const struct turn *end)
{
	const struct turn **path = mem_new((end->depth + 1) * sizeof *path);

	for (const struct turn *t = end; t; t = t->parent)
		path[t->depth] = t;
	return path;
}

/* Zero is a figure: sums over both turns are those of the original. */
static void take_nothing(struct turn *t)
{
	t->copied = true;
	t->context = 0;
	t->context_is_rough = false;
	t->usage = (struct usage){ 0 };
	t->usage.of[USAGE_PROMPT] = t->usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(0);
	t->reported = MONEY(0);
	t->spent = (struct usage){ 0 };
	t->spent_roughly = false;
	t->spent_cost = (struct cost){ 0 };
}

static struct turn *extend_with_copy(struct conversation *c, const struct turn *from)
{
	struct turn *copy = extend(c, copy_below(c, conversation_last(c), from));

	if (copy->role == TURN_ASSISTANT)
		take_nothing(copy);
	return copy;
}

struct conversation *conversation_copy(const struct turn *end)
{
	struct conversation *copy = conversation_new();
	const struct turn **path = path_to(end);

	for (size_t i = 0; i <= end->depth; i++) {
		struct turn *t = extend_with_copy(copy, path[i]);
		struct context context = turn_context(path[i]);

		t->context = context.tokens;
		t->context_is_rough = context.is_rough;
	}
	mem_free(path);
	return copy;
}

void conversation_repeat(struct conversation *c, const struct turn *from, const struct turn *end)
{
	const struct turn **path = path_to(end);

	for (size_t i = from->depth; i <= end->depth; i++)
		extend_with_copy(c, path[i]);
	mem_free(path);
}

struct turn *conversation_set_aside(struct conversation *c, const struct turn *answer)
{
	struct turn *t = copy_below(c, NULL, answer);

	turn_label(t, STR(TURN_TITLE));
	return t;
}
