#include "app/session/turn_rounds.h"

#include <string.h>

#include "chat/conversation/conversation.h"

/* A user turn that has nothing but results. */
static bool turn_goes_on(const struct turn *t)
{
	bool results = false;

	if (!t || t->role != TURN_USER)
		return false;
	for (size_t i = 0; i < t->part_count; i++) {
		results |= t->parts[i].kind == PART_TOOL_RESULT;
		if (t->parts[i].kind == PART_TEXT)
			return false;
	}
	return results;
}

static const struct turn *round_before(const struct turn *answer)
{
	return turn_goes_on(answer->parent) ? answer->parent->parent : NULL;
}

static const struct turn *round_behind(const struct conversation *c, const struct turn *answer)
{
	size_t at = answer->depth;

	return at + 2 < c->count && c->turns[at] == answer && turn_goes_on(c->turns[at + 1]) ? c->turns[at + 2] : NULL;
}

size_t turn_rounds(const struct conversation *c, const struct turn *answer, const struct turn *rounds[TURN_ROUNDS_MOST])
{
	const struct turn *t;
	size_t count = 1;

	rounds[0] = answer;
	for (t = round_before(answer); t && count < TURN_ROUNDS_MOST; t = round_before(t)) {
		memmove(rounds + 1, rounds, count++ * sizeof *rounds);
		rounds[0] = t;
	}
	for (t = round_behind(c, answer); t && count < TURN_ROUNDS_MOST; t = round_behind(c, t))
		rounds[count++] = t;
	return count;
}
