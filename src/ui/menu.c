#include "ui/menu.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/least.h"
#include "base/mem.h"
#include "render/flow.h"
#include "ui/card.h"
#include "ui/edit/edit.h"
#include "ui/fuzzy.h"
#include "ui/rows.h"

#define COLUMNS_MOST 100 /* longer texts and facts do not widen the card further */
#define GAP_COLUMNS 4
#define DOT_COLUMNS 30
#define FACTS_MOST 4u    /* columns of facts; more are part of the last one */
#define FACTS_BETWEEN "   "
#define PAGE_ROWS 8
#define EMPTY_ROWS 3 /* room for the text that says why the list is empty */
#define KEYS_DEFAULT "Enter choose   Esc back"

struct menu_entry {
	char *text, *fact;
	size_t name_at, name_len;
	const char *group;
	bool current, muted, filtered_only;
};

struct match {
	size_t item;
	int score;
};

struct menu {
	char *title, *typed_format, *figures, *keys;
	struct edit filter;
	struct menu_entry *items;
	size_t item_count, item_capacity;
	struct match *matches;   /* best score first, then in the order added */
	size_t match_count, match_capacity;
	size_t selected;         /* row index: the matches, then the typed row */
	char *kept;              /* text of the item that was selected before menu_clear(); NULL: none */
	bool anchored;           /* the selection follows its item when rows are inserted; else it stays on the first row */
	bool exact;              /* an item's text equals the filter, so there is no typed row */
	bool has_current;
	bool moved;              /* the user moved the selection since the filter changed */
	bool has_groups;
	bool waits;              /* no row is chosen until the user filters or moves */
	size_t top;              /* first visible line of the last frame; headings are lines */
};

struct menu *menu_new(const char *title, const char *typed_format)
{
	struct menu *menu = mem_new(sizeof *menu);

	menu->title = mem_dup_z(title);
	menu->typed_format = mem_dup_z(typed_format);
	edit_init(&menu->filter, true);
	return menu;
}

static void menu_free_items(struct menu *menu)
{
	assert(menu->items || !menu->item_count);
	for (size_t i = 0; i < menu->item_count; i++) {
		mem_free(menu->items[i].text);
		mem_free(menu->items[i].fact);
	}
	menu->item_count = menu->match_count = 0;
	menu->exact = menu->has_current = menu->has_groups = false;
}

void menu_free(struct menu *menu)
{
	if (!menu)
		return;
	menu_free_items(menu);
	mem_free(menu->items);
	mem_free(menu->matches);
	edit_fini(&menu->filter);
	mem_free(menu->title);
	mem_free(menu->typed_format);
	mem_free(menu->figures);
	mem_free(menu->keys);
	mem_free(menu->kept);
	mem_free(menu);
}

void menu_set_typed(struct menu *menu, const char *format)
{
	mem_free(menu->typed_format);
	menu->typed_format = mem_dup_z(format);
}

void menu_wait(struct menu *menu)
{
	menu->waits = true;
}

void menu_set_figures(struct menu *menu, struct str figures)
{
	mem_free(menu->figures);
	menu->figures = str_dup(figures);
}

void menu_set_keys(struct menu *menu, const char *keys)
{
	mem_free(menu->keys);
	menu->keys = mem_dup_z(keys);
}

/* --- filtering --- */

/* Trimmed; borrowed until the next key. */
static struct str menu_filter(const struct menu *menu)
{
	return str_trim(buf_str(&menu->filter.text));
}

const struct edit *menu_line(const struct menu *menu)
{
	return &menu->filter;
}

static struct str menu_name(const struct menu_entry *item)
{
	struct str text = str_from(item->text);

	return item->name_len ? str_head(str_skip(text, item->name_at), item->name_len) : text;
}

/* The filter, without what it shares with a text before its name: the slash of slash words. */
static struct str menu_needle(const struct menu *menu, const struct menu_entry *item)
{
	struct str needle = menu_filter(menu), before = str_head(str_from(item->text), item->name_at);

	return before.len && str_equal(str_head(needle, before.len), before) ? str_trim_start(str_skip(needle, before.len)) : needle;
}

/* The slash of slash words alone is no filter. */
static bool menu_is_filtered(const struct menu *menu)
{
	return menu_filter(menu).len && (!menu->item_count || menu_needle(menu, &menu->items[0]).len);
}

static bool menu_offers_typed(const struct menu *menu)
{
	return menu->typed_format && !menu->exact && menu_filter(menu).len;
}

size_t menu_count(const struct menu *menu)
{
	return menu->match_count + menu_offers_typed(menu);
}

bool menu_has_choice(const struct menu *menu)
{
	return menu_count(menu) && (!menu->waits || menu->moved || menu_is_filtered(menu));
}

/* The item of the selected row; NULL when the typed row or no row is selected. */
static const struct menu_entry *menu_selected_item(const struct menu *menu)
{
	return menu_has_choice(menu) && menu->selected < menu->match_count ? &menu->items[menu->matches[menu->selected].item] : NULL;
}

static bool menu_begins(struct str text, struct str needle)
{
	return needle.len <= text.len && str_has_nocase(str_head(text, needle.len), needle);
}

/* Where a text has the needle as it stands; its length: nowhere. */
static size_t menu_find(struct str text, struct str needle)
{
	for (size_t at = 0; at + needle.len <= text.len; at++)
		if (menu_begins(str_skip(text, at), needle))
			return at;
	return text.len;
}

#define RANK (1 << 28) /* above any score of fuzzy_match() */

/* How well an item matches, -1: not at all; and which bytes of its text do. */
static int menu_match(const struct menu *menu, const struct menu_entry *item, bool matched[FUZZY_TEXT_BYTES])
{
	struct str text = str_head(str_from(item->text), FUZZY_TEXT_BYTES), name = menu_name(item), needle = menu_needle(menu, item);
	int score = fuzzy_match(needle, name, matched);

	if (!item->name_len || !needle.len)
		return score;
	if (score >= 0) {
		memmove(matched + item->name_at, matched, name.len * sizeof *matched);
		memset(matched, 0, item->name_at * sizeof *matched);
		return score + (menu_begins(name, needle) ? 2 * RANK : RANK);
	}
	size_t at = menu_find(text, needle);
	if (at == text.len)
		return -1;
	for (size_t i = 0; i < needle.len; i++)
		matched[at + i] = true;
	return 0;
}

/* Inserts an item into the matches if it passes the filter. Returns its row, or the unchanged `match_count` if it does not. */
static size_t menu_add_match(struct menu *menu, size_t index)
{
	const struct menu_entry *item = &menu->items[index];
	bool matched[FUZZY_TEXT_BYTES];
	int score = item->filtered_only && !menu_is_filtered(menu) ? -1 : menu_match(menu, item, matched);
	size_t at = menu->match_count;

	if (str_equal(menu_name(item), menu_needle(menu, item)))
		menu->exact = true;
	if (score < 0)
		return at;
	mem_reserve(&menu->matches, &menu->match_capacity, menu->match_count + 1, sizeof *menu->matches);
	while (at > 0 && menu->matches[at - 1].score < score)
		at--;
	memmove(&menu->matches[at + 1], &menu->matches[at], (menu->match_count - at) * sizeof *menu->matches);
	menu->matches[at] = (struct match){ index, score };
	menu->match_count++;
	return at;
}

static void menu_refilter(struct menu *menu)
{
	menu->match_count = 0;
	menu->exact = false;
	menu->selected = 0;
	menu->anchored = menu->moved = false;
	mem_free(menu->kept);
	menu->kept = NULL;
	for (size_t i = 0; i < menu->item_count; i++)
		menu_add_match(menu, i);
}

void menu_clear(struct menu *menu)
{
	const struct menu_entry *item = menu_selected_item(menu);

	if (item) {
		mem_free(menu->kept);
		menu->kept = mem_dup_z(item->text);
	}
	menu_free_items(menu);
	menu->selected = 0;
	menu->anchored = false;
}

void menu_add(struct menu *menu, const struct menu_item *item)
{
	size_t before = menu->match_count, row;

	mem_reserve(&menu->items, &menu->item_capacity, menu->item_count + 1, sizeof *menu->items);
	menu->items[menu->item_count] = (struct menu_entry){ .text = str_dup(item->text), .fact = str_dup(item->fact), .name_at = item->name_at,
		.name_len = item->name_len, .group = item->group, .current = item->current, .muted = item->muted, .filtered_only = item->filtered_only };
	menu->has_current |= item->current;
	menu->has_groups |= item->group != NULL;
	row = menu_add_match(menu, menu->item_count++);
	if (menu->match_count == before)
		return;
	if (menu->kept ? str_is(item->text, menu->kept) : item->current && !menu->anchored && edit_is_empty(&menu->filter)) {
		menu->selected = row;
		menu->anchored = true;
		mem_free(menu->kept);
		menu->kept = NULL;
	} else if (menu->anchored && row <= menu->selected) {
		menu->selected++;
	}
}

/* --- keys --- */

static void menu_move_to(struct menu *menu, long row)
{
	long count = (long)menu_count(menu);

	menu->selected = row < 0 || count == 0 ? 0 : row >= count ? (size_t)(count - 1) : (size_t)row;
	menu->anchored = menu->moved = true;
}

/* The number of rows that a key moves the selection by; 0 for other keys. */
static int menu_step_of_key(const struct key *key)
{
	if (key->code == KEY_UP || key->code == KEY_BACKTAB || (key->code == KEY_CONTROL && key->letter == 'p'))
		return -1;
	if (key->code == KEY_DOWN || key->code == KEY_TAB || (key->code == KEY_CONTROL && key->letter == 'n'))
		return 1;
	if (key->code == KEY_PAGE_UP)
		return -PAGE_ROWS;
	return key->code == KEY_PAGE_DOWN ? PAGE_ROWS : 0;
}

static enum menu_result menu_choose(struct menu *menu)
{
	return menu_has_choice(menu) ? MENU_CHOSEN : MENU_OPEN;
}

enum menu_result menu_key(struct menu *menu, const struct key *key)
{
	struct str filter = buf_str(&menu->filter.text);
	size_t len = filter.len;
	int step = menu_step_of_key(key);

	if (key->code == KEY_ESCAPE)
		return MENU_LEFT;
	if (key->code == KEY_ENTER)
		return menu_choose(menu);
	if (step) {
		menu_move_to(menu, menu_has_choice(menu) ? (long)menu->selected + step : step > 0 ? 0 : LONG_MAX);
		return MENU_OPEN;
	}
	if (!edit_key(&menu->filter, key))
		return MENU_NOT_MINE;
	if (menu->filter.text.len != len)
		menu_refilter(menu);
	return MENU_OPEN;
}

bool menu_has_moved(const struct menu *menu)
{
	return menu->moved;
}

size_t menu_matches(const struct menu *menu)
{
	return menu->match_count;
}

bool menu_is_meant(const struct menu *menu)
{
	const struct menu_entry *item = menu_selected_item(menu);

	return menu->moved || (item && menu_begins(menu_name(item), menu_needle(menu, item)));
}

long menu_choice(const struct menu *menu, struct str *typed)
{
	*typed = STR_NONE;
	if (menu_selected_item(menu))
		return (long)menu->matches[menu->selected].item;
	if (menu_offers_typed(menu))
		*typed = menu_filter(menu);
	return -1;
}

/* --- drawing --- */

/* The lines of the list while there is no filter. */
static size_t menu_lines_unfiltered(const struct menu *menu)
{
	const char *group = NULL;
	size_t lines = 0;

	for (size_t i = 0; i < menu->item_count; i++) {
		const struct menu_entry *item = &menu->items[i];

		if (item->filtered_only)
			continue;
		lines += 1 + (size_t)(item->group && item->group != group);
		group = item->group;
	}
	return lines;
}

/* The figures tell why there is hardly a row: what has no room beside the title stands below the rows. */
static bool menu_explains(const struct menu *menu)
{
	return menu->figures && menu->item_count <= 1;
}

/* --- columns of facts --- */

/* Measured once a frame. */
struct fact_columns {
	unsigned of[FACTS_MOST]; /* the widest one; 0: no row has it */
	size_t shown;
};

static struct str menu_fact(const struct menu_entry *item, size_t index)
{
	struct str rest = str_from(item->fact), between = STR(FACTS_BETWEEN);

	for (size_t i = 0; i < index; i++)
		rest = str_skip(rest, str_find(rest, between) + between.len);
	return index + 1 < FACTS_MOST ? str_head(rest, str_find(rest, between)) : rest;
}

/* All items count, not only the matches, so that nothing moves while the user types. */
static struct fact_columns menu_measure_facts(const struct menu *menu)
{
	struct fact_columns facts = { .shown = FACTS_MOST };

	for (size_t i = 0; i < menu->item_count; i++)
		for (size_t n = 0; n < FACTS_MOST; n++) {
			unsigned columns = flow_columns(menu_fact(&menu->items[i], n), COLUMNS_MOST);

			facts.of[n] = columns > facts.of[n] ? columns : facts.of[n];
		}
	return facts;
}

/* Between a column and the one at its left, if there is one. */
static unsigned menu_gap_before(const struct fact_columns *facts, size_t index)
{
	while (index-- > 0)
		if (facts->of[index])
			return sizeof FACTS_BETWEEN - 1;
	return 0;
}

/* From the first fact that an item has to the end of the first `most` columns. */
static unsigned menu_facts_columns(const struct menu_entry *item, const struct fact_columns *facts, size_t most)
{
	unsigned columns = 0;

	for (size_t i = 0; i < most; i++) {
		if (columns)
			columns += facts->of[i] ? facts->of[i] + menu_gap_before(facts, i) : 0;
		else
			columns = flow_columns(menu_fact(item, i), COLUMNS_MOST);
	}
	return columns;
}

/* The columns of the widest item. All items count, not only the matches, so the card keeps its width while the user types. */
static unsigned menu_columns(const struct menu *menu)
{
	struct fact_columns facts = menu_measure_facts(menu);
	unsigned most = 0;

	for (size_t i = 0; i < menu->item_count; i++) {
		unsigned fact = menu_facts_columns(&menu->items[i], &facts, FACTS_MOST);
		unsigned columns = flow_columns(str_from(menu->items[i].text), COLUMNS_MOST) + (fact ? fact + GAP_COLUMNS : 0);

		most = columns > most ? columns : most;
	}
	return most + (menu->has_current ? 5 : 3) + 2;
}

/* Text that does not fit is cut and ends in an ellipsis. */
static unsigned menu_put_cut(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role, struct str text)
{
	if (columns == 0)
		return 0;
	if (flow_columns(text, columns + 1) <= columns)
		return canvas_put(canvas, row, column, columns, role, text);
	columns = canvas_put(canvas, row, column, columns - 1, role, text);
	return columns + canvas_put(canvas, row, column + columns, 1, role, STR("\u2026"));
}

/* Redraws the letters that matched: highlighted, or underlined on the chosen row. */
static void menu_mark_matches(const struct menu *menu, struct canvas *canvas, unsigned row, unsigned column, unsigned columns, bool chosen,
                              const struct menu_entry *item)
{
	bool matched[FUZZY_TEXT_BYTES];
	struct str text = str_from(item->text), rest = text;
	struct flow_cell next;
	unsigned used = 0;

	if (!menu_filter(menu).len || menu_match(menu, item, matched) < 0)
		return;
	while (used < columns && text.len - rest.len < FUZZY_TEXT_BYTES) {
		size_t at = text.len - rest.len;

		if (!flow_next(&rest, used, &next))
			return;
		if (matched[at])
			canvas_put_styled(canvas, row, column + used, columns - used, chosen ? ROLE_SHEET_CHOSEN : ROLE_SHEET_MATCH,
				chosen ? STYLE_UNDERLINE : 0, str_of(text.ptr + at, text.len - rest.len - at));
		used += next.columns;
	}
}

/* A row's text is preceded by the marker of the chosen row and, where there is room, the dot of the current item. */
static unsigned menu_indent_of(const struct menu *menu, struct area line)
{
	return menu->has_current && line.columns >= DOT_COLUMNS ? 5 : 3;
}

static bool menu_facts_fit(const struct menu *menu, const struct fact_columns *facts, unsigned room, size_t most)
{
	bool beside = true, half = true; /* beside each text, or in half of the room */

	for (size_t i = 0; i < menu->item_count && (beside || half); i++) {
		unsigned fact = menu_facts_columns(&menu->items[i], facts, most);

		beside &= flow_columns(str_from(menu->items[i].text), room) + 2 + fact <= room;
		half &= fact <= room / 2;
	}
	return beside || half;
}

/* How many facts all rows show, so that they stand in line: at least one, which may be cut. */
static size_t menu_facts_shown(const struct menu *menu, const struct fact_columns *facts, unsigned room)
{
	size_t most = FACTS_MOST, first = 0;

	while (first + 1 < FACTS_MOST && !facts->of[first])
		first++;
	while (most > first + 1 && !menu_facts_fit(menu, facts, room, most))
		most--;
	return most;
}

/* Each fact ends where its column ends. */
static void menu_draw_facts(struct canvas *canvas, struct area place, enum role_name role, const struct menu_entry *item,
                            const struct fact_columns *facts)
{
	unsigned end = place.columns;

	for (size_t i = facts->shown; i-- > 0 && end;) {
		struct str fact = menu_fact(item, i);
		unsigned columns = flow_columns(fact, end);

		menu_put_cut(canvas, place.row, place.column + end - columns, columns, role, fact);
		end -= least(end, facts->of[i] ? facts->of[i] + menu_gap_before(facts, i) : 0);
	}
}

static void menu_draw_item(const struct menu *menu, struct canvas *canvas, struct area line, const struct menu_entry *item,
                           const struct fact_columns *facts, bool chosen)
{
	enum role_name role = chosen ? ROLE_SHEET_CHOSEN : item->muted ? ROLE_SHEET_MUTED : ROLE_SHEET;
	unsigned indent = menu_indent_of(menu, line);
	unsigned room = line.columns > indent + 1 ? line.columns - indent - 1 : 0;
	struct str text = str_from(item->text);
	unsigned wanted = menu_facts_columns(item, facts, facts->shown);
	unsigned fact_columns = room >= 24 ? least(wanted, room / 2) : 0;
	unsigned text_columns = fact_columns ? room - fact_columns - 2 : room, shown;

	if (flow_columns(text, room) + 2 + wanted <= room) {
		fact_columns = wanted;
		text_columns = room - fact_columns;
	}
	if (item->current && (!chosen || indent > 3)) /* with room for one marker only, the chosen row's wins */
		canvas_put(canvas, line.row, line.column + indent - 2, 1, chosen ? role : ROLE_SHEET_MATCH, STR("\u25CF"));
	shown = menu_put_cut(canvas, line.row, line.column + indent, text_columns, role, text);
	if (shown && flow_columns(text, text_columns + 1) > text_columns)
		shown--; /* the ellipsis is not part of the text */
	menu_mark_matches(menu, canvas, line.row, line.column + indent, shown, chosen, item);
	menu_draw_facts(canvas, (struct area){ line.row, line.column + line.columns - 1 - fact_columns, 1, fact_columns }, chosen ? role : ROLE_SHEET_MUTED,
		item, facts);
}

static void menu_draw_typed(const struct menu *menu, struct canvas *canvas, struct area line, bool chosen)
{
	unsigned indent = menu_indent_of(menu, line);
	const char *place = strstr(menu->typed_format, "%s");
	struct buf text;

	buf_init(&text, EDIT_LIMIT);
	buf_add(&text, str_of(menu->typed_format, place ? (size_t)(place - menu->typed_format) : strlen(menu->typed_format)));
	if (place) {
		buf_add(&text, menu_filter(menu));
		buf_add_z(&text, place + 2);
	}
	menu_put_cut(canvas, line.row, line.column + indent, line.columns > indent + 1 ? line.columns - indent - 1 : 0,
		chosen ? ROLE_SHEET_CHOSEN : ROLE_SHEET, buf_str(&text));
	buf_fini(&text);
}

/* Figures that do not fit beside the title are drawn below the rows. */
static void menu_draw_why_empty(const struct menu *menu, struct canvas *canvas, struct area list)
{
	struct str words = str_from(menu->figures);
	unsigned columns = list.columns > 4 ? list.columns - 4 : 1;
	struct flow flow;

	flow_init(&flow);
	flow_update(&flow, words, columns);
	for (unsigned r = 0; r < list.rows && r < flow.count; r++)
		canvas_put(canvas, list.row + r, list.column + 3, columns, ROLE_SHEET_MUTED, flow_row(&flow, words, r));
	flow_fini(&flow);
}

/* The heading above a row; NULL: none. */
static const char *menu_heading(const struct menu *menu, size_t row)
{
	if (!menu->has_groups || menu_is_filtered(menu) || row >= menu->match_count)
		return NULL;
	const char *group = menu->items[menu->matches[row].item].group;
	return group && (!row || group != menu->items[menu->matches[row - 1].item].group) ? group : NULL;
}

/* Lines of the list up to a row, headings included. */
static size_t menu_lines_before(const struct menu *menu, size_t row)
{
	size_t lines = row;

	for (size_t i = 0; i < row; i++)
		lines += menu_heading(menu, i) != NULL;
	return lines;
}

static void menu_draw_row(const struct menu *menu, struct canvas *canvas, struct area line, const struct fact_columns *facts, size_t row)
{
	bool chosen = row == menu->selected && menu_has_choice(menu);

	if (chosen) {
		canvas_fill(canvas, line, ROLE_SHEET_CHOSEN);
		canvas_put(canvas, line.row, line.column + 1, 1, ROLE_SHEET_CHOSEN, STR(">"));
	}
	if (row < menu->match_count)
		menu_draw_item(menu, canvas, line, &menu->items[menu->matches[row].item], facts, chosen);
	else
		menu_draw_typed(menu, canvas, line, chosen);
}

/* The chosen row is in view, with the heading above it where there is room. */
static void menu_scroll(struct menu *menu, unsigned rows)
{
	size_t count = menu_lines_before(menu, menu_count(menu)), from = menu_lines_before(menu, menu->selected), to = from;

	to += menu_heading(menu, menu->selected) != NULL;
	from = rows > 1 ? from : to;
	if (menu->top + rows > count)
		menu->top = count > rows ? count - rows : 0;
	if (from < menu->top)
		menu->top = from;
	if (rows && to >= menu->top + rows)
		menu->top = to - rows + 1;
}

static void menu_draw_list(struct menu *menu, struct canvas *canvas, struct area list)
{
	size_t count = menu_count(menu), line = 0;
	struct fact_columns facts = menu_measure_facts(menu);
	unsigned indent = menu_indent_of(menu, list);

	facts.shown = menu_facts_shown(menu, &facts, list.columns > indent + 1 ? list.columns - indent - 1 : 0);
	menu_scroll(menu, list.rows);
	for (size_t row = 0; row < count; row++) {
		const char *heading = menu_heading(menu, row);

		if (heading && line >= menu->top && line < menu->top + list.rows)
			menu_put_cut(canvas, list.row + (unsigned)(line - menu->top), list.column + 1, list.columns - 2, ROLE_SHEET_MUTED, str_from(heading));
		line += heading != NULL;
		if (line >= menu->top && line < menu->top + list.rows)
			menu_draw_row(menu, canvas, (struct area){ list.row + (unsigned)(line - menu->top), list.column, 1, list.columns },
				&facts, row);
		line++;
	}
	if (count == 0 && menu->item_count && list.rows)
		menu_put_cut(canvas, list.row, list.column + 3, list.columns > 4 ? list.columns - 4 : 0, ROLE_SHEET_MUTED, STR("nothing matches"));
}

/* With the line of the filter. */
static unsigned menu_card_rows(size_t lines)
{
	return 1 + (lines < 1 ? 1 : lines > UINT16_MAX ? UINT16_MAX : (unsigned)lines);
}

/* While the user types, the card ends below its last row and keeps its place. */
static struct card menu_card(const struct menu *menu, char *place, size_t size)
{
	size_t most = menu_lines_unfiltered(menu) + (menu->typed_format != NULL), wanted = menu_lines_before(menu, menu_count(menu));
	struct card card = { .title = str_from(menu->title), .figures = str_from(menu->figures), .columns = menu_columns(menu) };

	if (menu_explains(menu))
		wanted = most = menu->item_count + EMPTY_ROWS;
	card.rows = menu_card_rows(wanted);
	card.held = menu_card_rows(most);
	card.keys = str_from(menu->keys ? menu->keys : KEYS_DEFAULT);
	if (menu_has_choice(menu))
		snprintf(place, size, "%zu of %zu", menu->selected + 1, menu_count(menu));
	else
		snprintf(place, size, "%zu in all", menu_count(menu));
	return card;
}

void menu_draw(struct menu *menu, struct canvas *canvas)
{
	char place[48];
	struct card card = menu_card(menu, place, sizeof place);
	struct area area = card_area(canvas, &card), list = { area.row + 1, area.column, area.rows - 1, area.columns };

	if (!canvas->rows || area.columns < 4)
		return;
	if (menu_lines_before(menu, menu_count(menu)) > list.rows)
		card.place = str_from(place);
	card_draw(canvas, &card);
	canvas_put(canvas, area.row, area.column + 1, 1, ROLE_SHEET_MATCH, STR(">"));
	edit_draw(&menu->filter, canvas, (struct area){ area.row, area.column + 3, 1, area.columns - 4 + (area.columns == 4) }, ROLE_SHEET, true);
	menu_draw_list(menu, canvas, list);
	if (!card_has_room_for_figures(canvas, &card) && menu_explains(menu) && menu_count(menu) <= menu->item_count &&
	    menu_count(menu) < list.rows)
		menu_draw_why_empty(menu, canvas, (struct area){ list.row + (unsigned)menu_count(menu), list.column,
		                                                 list.rows - (unsigned)menu_count(menu), list.columns });
}
