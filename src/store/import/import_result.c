/* Results of calls in a conversation being imported, and the calls that they answer (import_inside.h). */
#include <string.h>

#include "base/mem.h"
#include "chat/conversation/turn.h"
#include "store/import/import_inside.h"

#define IMPORT_REACH 64                     /* turns that a result may be below its call */
#define IMPORT_LOOKS_MOST ((size_t)1 << 24) /* at calls, in one conversation */

/* How a result finds its call, in this order. */
enum import_fit { FIT_ID, FIT_NAME, FIT_ORDER };

/* A result, and the call that it answers: its turn, and the turn below that one on the way. */
struct import_answer {
	struct str id, name;
	size_t turn, below, call;
	bool is_named; /* a call of the exchange has its name */
};

static bool answer_fits(const struct import_answer *a, const struct part *call, enum import_fit fit)
{
	struct str id = str_from(call->id);

	if ((fit == FIT_ID) != (a->id.len > 0 && id.len > 0))
		return false;
	return fit == FIT_ID ? str_equal(id, a->id) : fit == FIT_ORDER || str_equal(str_from(call->name), a->name);
}

static bool answer_is_in(struct imported *im, struct import_answer *a, enum import_fit fit, bool in_exchange)
{
	const struct imported_turn *it = &im->turns[a->turn - 1], *below = a->below ? &im->turns[a->below - 1] : NULL;

	for (a->call = 0; a->call < it->call_count && im->looks < IMPORT_LOOKS_MOST; a->call++, im->looks++) {
		const struct part *call = &it->turn->parts[it->calls[a->call]];
		bool answered = below && a->call < below->answered_count && below->answered[a->call];

		a->is_named |= in_exchange && str_equal(str_from(call->name), a->name);
		if (!answered && answer_fits(a, call, fit))
			return true;
	}
	return false;
}

static bool has_words(const struct turn *t)
{
	size_t i = 0;

	while (i < t->part_count && t->parts[i].kind != PART_TEXT)
		i++;
	return i < t->part_count;
}

/* Looks upwards. The exchange ends at the words of a prompt, unless they are in the turn where it begins to look. */
static bool answer_find(const struct import_target *to, struct import_answer *a, enum import_fit fit)
{
	bool in_exchange = true;

	a->below = 0;
	a->turn = to->place;
	for (size_t far = 0; a->turn && far < IMPORT_REACH && (in_exchange || fit != FIT_ORDER); far++) {
		if (import_turn(to->im, a->turn)->role == TURN_ASSISTANT && answer_is_in(to->im, a, fit, in_exchange))
			return true;
		in_exchange &= !a->below || import_turn(to->im, a->turn)->role == TURN_ASSISTANT || !has_words(import_turn(to->im, a->turn));
		a->below = a->turn;
		a->turn = to->im->turns[a->turn - 1].parent;
	}
	return false;
}

/* The turn for the result: the one below the call; 0: an answer is there. */
static size_t answer_turn(struct import_target *to, const struct import_answer *a)
{
	struct imported_turn *it;
	size_t place = a->below;

	if (!place && (place = import_add_turn(to->im, a->turn, TURN_USER))) {
		to->place = place;
		import_turn(to->im, place)->wall = (time_t)(to->wall_ms / 1000);
	}
	if (!place || import_turn(to->im, place)->role != TURN_USER)
		return 0;
	it = &to->im->turns[place - 1];
	if (!it->answered_count) {
		it->answered_count = to->im->turns[a->turn - 1].call_count;
		it->answered = mem_new(it->answered_count * sizeof *it->answered);
	}
	return a->call < it->answered_count ? place : 0;
}

/* Where the result of a call goes: `to`, or a turn above it. */
static struct part *import_answer_call(struct import_target *to, const struct import_answer *a, struct str text)
{
	const struct imported_turn *asked = &to->im->turns[a->turn - 1];
	const struct part *call = &asked->turn->parts[asked->calls[a->call]];
	struct import_target there = { .im = to->im, .place = answer_turn(to, a), .join = true };
	struct part *p = there.place ? import_add_part(&there, TURN_USER, PART_TOOL_RESULT, text, str_from(call->id), str_from(call->name)) : NULL;

	if (!p)
		return NULL;
	p->call = (int)a->call;
	to->im->turns[there.place - 1].answered[a->call] = true;
	to->join |= to->place == there.place;
	return p;
}

/* The result that another one makes longer; NULL: none. */
static struct part *import_last_result(const struct import_target *to, struct str name)
{
	struct turn *t = to->place && to->join ? import_turn(to->im, to->place) : NULL;
	struct part *last = t && t->part_count ? &t->parts[t->part_count - 1] : NULL;

	return last && last->kind == PART_TOOL_RESULT && (!name.len || str_equal(str_from(last->name), name)) ? last : NULL;
}

struct part *import_add_result(struct import_target *to, struct str text, bool is_error, struct str id, struct str name)
{
	struct import_answer a = { .id = id, .name = name };
	bool found = (id.len && answer_find(to, &a, FIT_ID)) || answer_find(to, &a, FIT_NAME) || (!a.is_named && answer_find(to, &a, FIT_ORDER));
	struct part *p = found ? import_answer_call(to, &a, text) : NULL, *longer = found || id.len ? NULL : import_last_result(to, name);

	if (longer && import_has_room(to->im, text)) {
		buf_add_byte(&longer->text, '\n');
		buf_add(&longer->text, text);
		p = longer;
	} else if (!p) {
		p = import_add_part(to, TURN_USER, PART_TOOL_RESULT, text, id, name);
	}
	if (p)
		p->is_error |= is_error;
	return p;
}

bool import_awaits_result(const struct import_target *to)
{
	return to->place && to->im->turns[to->place - 1].call_count;
}
