#include "app/screen/cards/cards.h"

#include <assert.h>
#include <stddef.h>

#include "base/array.h"

static const struct {
	size_t at; /* of the part in struct cards */
	const struct card_kind *kind;
} rows[] = {
#define CARDS_ROW(name) { offsetof(struct cards, name), &name##_kind },
	CARDS(CARDS_ROW)
#undef CARDS_ROW
};

static void *cards_part(const struct cards *cards, size_t row)
{
	return (char *)cards + rows[row].at;
}

void cards_init(struct cards *cards, const struct card_tools *tools)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct card_kind *kind = rows[i].kind;

		assert(kind->mode.is_open && kind->mode.takes && kind->mode.close && kind->mode.paste && kind->init && kind->draw);
		kind->init(cards_part(cards, i), tools);
	}
}

void cards_fini(struct cards *cards)
{
	cards_close(cards);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].kind->fini)
			rows[i].kind->fini(cards_part(cards, i));
}

void cards_add_members(struct cards *cards, struct loop *loop)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].kind->member) {
			struct loop_member member = rows[i].kind->member(cards_part(cards, i));

			loop_add(loop, &member);
		}
}

/* The row of the open card, or ARRAY_LEN(rows). */
static size_t cards_open(const struct cards *cards)
{
	size_t open = ARRAY_LEN(rows);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].kind->mode.is_open(cards_part(cards, i))) {
			assert(open == ARRAY_LEN(rows)); /* what opens a card closes the others first */
			open = i;
		}
	return open;
}

bool cards_are_open(const struct cards *cards)
{
	return cards_open(cards) < ARRAY_LEN(rows);
}

void cards_close(struct cards *cards)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		rows[i].kind->mode.close(cards_part(cards, i));
}

struct sheet *cards_docked(const struct cards *cards)
{
	size_t open = cards_open(cards);

	return open < ARRAY_LEN(rows) && rows[open].kind->docked ? rows[open].kind->docked(cards_part(cards, open)) : NULL;
}

void cards_draw(struct cards *cards, struct canvas *canvas)
{
	size_t open = cards_open(cards);

	if (open < ARRAY_LEN(rows) && !cards_docked(cards))
		rows[open].kind->draw(cards_part(cards, open), canvas);
}
