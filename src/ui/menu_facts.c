/* The facts at the right of a menu's rows, in columns. */
#include "ui/menu_inside.h"

#include "base/least.h"
#include "render/flow.h"

#define FACTS_BETWEEN "   "

static struct str menu_fact(const struct menu_entry *item, size_t index)
{
	struct str rest = str_from(item->fact), between = STR(FACTS_BETWEEN);

	for (size_t i = 0; i < index; i++)
		rest = str_skip(rest, str_find(rest, between) + between.len);
	return index + 1 < MENU_FACTS_MOST ? str_head(rest, str_find(rest, between)) : rest;
}

struct menu_facts menu_measure_facts(const struct menu *menu)
{
	struct menu_facts facts = { .shown = MENU_FACTS_MOST };

	for (size_t i = 0; i < menu->item_count; i++)
		for (size_t n = 0; n < MENU_FACTS_MOST; n++) {
			unsigned columns = flow_columns(menu_fact(&menu->items[i], n), MENU_COLUMNS_MOST);

			facts.of[n] = columns > facts.of[n] ? columns : facts.of[n];
		}
	return facts;
}

/* Between a column and the one at its left, if there is one. */
static unsigned menu_gap_before(const struct menu_facts *facts, size_t index)
{
	while (index-- > 0)
		if (facts->of[index])
			return sizeof FACTS_BETWEEN - 1;
	return 0;
}

unsigned menu_facts_columns(const struct menu_entry *item, const struct menu_facts *facts, size_t most)
{
	unsigned columns = 0;

	for (size_t i = 0; i < most; i++) {
		if (columns)
			columns += facts->of[i] ? facts->of[i] + menu_gap_before(facts, i) : 0;
		else
			columns = flow_columns(menu_fact(item, i), MENU_COLUMNS_MOST);
	}
	return columns;
}

static bool menu_facts_fit(const struct menu *menu, const struct menu_facts *facts, unsigned room, size_t most)
{
	bool beside = true, half = true; /* beside each text, or in half of the room */

	for (size_t i = 0; i < menu->item_count && (beside || half); i++) {
		unsigned fact = menu_facts_columns(&menu->items[i], facts, most);

		beside &= flow_columns(str_from(menu->items[i].text), room) + 2 + fact <= room;
		half &= fact <= room / 2;
	}
	return beside || half;
}

size_t menu_facts_shown(const struct menu *menu, const struct menu_facts *facts, unsigned room)
{
	size_t most = MENU_FACTS_MOST, first = 0;

	while (first + 1 < MENU_FACTS_MOST && !facts->of[first])
		first++;
	while (most > first + 1 && !menu_facts_fit(menu, facts, room, most))
		most--;
	return most;
}

void menu_draw_facts(struct canvas *canvas, struct area place, enum role_name role, const struct menu_entry *item,
                            const struct menu_facts *facts)
{
	unsigned end = place.columns;

	for (size_t i = facts->shown; i-- > 0 && end;) {
		struct str fact = menu_fact(item, i);
		unsigned columns = flow_columns(fact, end);

		menu_put_cut(canvas, place.row, place.column + end - columns, columns, role, fact);
		end -= least(end, facts->of[i] ? facts->of[i] + menu_gap_before(facts, i) : 0);
	}
}
