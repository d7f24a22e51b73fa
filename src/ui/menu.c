#include "ui/menu.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/mem.h"
#include "render/flow.h"
#include "ui/card.h"
#include "ui/list.h"
#include "ui/rows.h"

#define COLUMNS_MOST 100 /* longer texts and facts do not widen the card further */
#define FACTS_MOST 4u    /* columns of facts; more are part of the last one */
#define FACTS_BETWEEN "   "
#define PAGE_ROWS 8
#define GAP_COLUMNS 4
#define NARROW_COLUMNS 56u
#define EMPTY_ROWS 3     /* room for the text that says why the list is empty */

struct menu_entry {
	char *text, *fact;
	size_t name_at, name_len;
	const char *group;
	bool current, muted, filtered_only, fact_is_group;
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
	struct list_state list;  /* its rows: the matches, then the typed row */
	char *kept;              /* text of the item that was selected before menu_clear(); NULL: none */
	bool anchored;           /* the selection follows its item when rows are inserted; else it stays on the first row */
	bool exact;              /* an item's text equals the filter, so there is no typed row */
	bool has_current;
	bool moved;              /* the user moved the selection since the filter changed */
	bool has_groups;
	bool has_hidden;         /* items that a filter shows: the figures, which are those of the others, are not shown then */
	bool has_names;          /* names with what they say behind them: on a narrow canvas that goes on in further lines */
	bool waits;              /* no row is chosen until the user filters or moves */
	struct buf typed;        /* the typed row of the last frame */
	bool narrow;             /* the canvas of the last frame is: columns of a text stand one behind the other */
	struct buf row;          /* a text of that kind */
};

struct menu *menu_new(const char *title, const char *typed_format)
{
	struct menu *menu = mem_new(sizeof *menu);

	menu->title = mem_dup_z(title);
	menu->typed_format = mem_dup_z(typed_format);
	edit_init(&menu->filter, true);
	buf_init(&menu->typed, EDIT_LIMIT);
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
	menu->exact = menu->has_current = menu->has_groups = menu->has_hidden = menu->has_names = false;
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
	buf_fini(&menu->typed);
	buf_fini(&menu->row);
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
	return menu_has_choice(menu) && menu->list.marked < menu->match_count ? &menu->items[menu->matches[menu->list.marked].item] : NULL;
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
	menu->list.marked = 0;
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
	menu->list.marked = 0;
	menu->anchored = false;
}

void menu_add(struct menu *menu, const struct menu_item *item)
{
	size_t before = menu->match_count, row;

	mem_reserve(&menu->items, &menu->item_capacity, menu->item_count + 1, sizeof *menu->items);
	menu->items[menu->item_count] = (struct menu_entry){ .text = str_dup(item->text), .fact = str_dup(item->fact), .name_at = item->name_at,
		.name_len = item->name_len, .group = item->group, .current = item->current, .muted = item->muted,
		.filtered_only = item->filtered_only, .fact_is_group = item->fact_is_group };
	menu->has_current |= item->current;
	menu->has_groups |= item->group != NULL;
	menu->has_hidden |= item->filtered_only;
	menu->has_names |= item->group && item->name_len;
	row = menu_add_match(menu, menu->item_count++);
	if (menu->match_count == before)
		return;
	if (menu->kept ? str_is(item->text, menu->kept) : item->current && !menu->anchored && edit_is_empty(&menu->filter)) {
		menu->list.marked = row;
		menu->anchored = true;
		mem_free(menu->kept);
		menu->kept = NULL;
	} else if (menu->anchored && row <= menu->list.marked) {
		menu->list.marked++;
	}
}

/* --- keys --- */

enum menu_result menu_key(struct menu *menu, const struct key *key)
{
	size_t len = menu->filter.text.len, count = menu_count(menu);
	long rows = scroll_rows(key, SCROLL_MENU, PAGE_ROWS);

	if (key->code == KEY_ESCAPE)
		return MENU_LEFT;
	if (key->code == KEY_ENTER)
		return menu_has_choice(menu) ? MENU_CHOSEN : MENU_OPEN;
	if (rows) {
		bool first = !menu_has_choice(menu); /* else from the end that the key comes from */

		menu->list.marked = scroll_to(first ? 0 : menu->list.marked, !first ? rows : rows > 0 ? 0 : SCROLL_ALL, count ? count - 1 : 0);
		menu->anchored = menu->moved = true;
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
		return (long)menu->matches[menu->list.marked].item;
	if (menu_offers_typed(menu))
		*typed = menu_filter(menu);
	return -1;
}

/* --- drawing --- */

static struct str menu_fact(const struct menu_entry *item, size_t index)
{
	struct str rest = str_from(item->fact), between = STR(FACTS_BETWEEN);

	for (size_t i = 0; i < index; i++)
		rest = str_skip(rest, str_find(rest, between) + between.len);
	return index + 1 < FACTS_MOST ? str_head(rest, str_find(rest, between)) : rest;
}

/* All items count, not only the matches, so that nothing moves while the user types. Returns the columns of the widest item. */
static unsigned menu_measure(const struct menu *menu, struct list_widths *w)
{
	unsigned most = 0;

	*w = (struct list_widths){ .of = { 0 } };
	for (size_t i = 0; i < menu->item_count; i++)
		for (size_t n = 0; n < FACTS_MOST; n++) {
			unsigned fact = flow_columns(menu_fact(&menu->items[i], n), COLUMNS_MOST);

			w->of[n] = fact > w->of[n] ? fact : w->of[n];
		}
	for (size_t i = 0; i < menu->item_count; i++) {
		unsigned text = flow_columns(str_from(menu->items[i].text), COLUMNS_MOST), facts = 0;

		for (size_t n = 0; n < LIST_FACTS; n++) {
			if (facts)
				facts += w->of[n] ? w->of[n] + (unsigned)sizeof FACTS_BETWEEN - 1 : 0;
			else if (n < FACTS_MOST)
				facts = flow_columns(menu_fact(&menu->items[i], n), COLUMNS_MOST);
			w->facts[n] = facts > w->facts[n] ? facts : w->facts[n];
			w->beside[n] = text + 2 + facts > w->beside[n] ? text + 2 + facts : w->beside[n];
		}
		text += facts ? facts + GAP_COLUMNS : 0;
		most = text > most ? text : most;
	}
	return most + (menu->has_current ? 5 : 3) + 2;
}

/* Two blanks in the place of more, none at the beginning, and the fact behind the first column. */
static void menu_close_up(struct menu *menu, const struct menu_entry *item, struct list_item *out)
{
	struct str text = out->text, fact = item->fact_is_group ? STR_NONE : out->facts[0];
	bool matched[FUZZY_TEXT_BYTES] = { false };

	buf_clear(&menu->row);
	for (size_t i = 0; i < text.len; i++) {
		bool blank = text.ptr[i] == ' ', between = blank && i + 1 < text.len && text.ptr[i + 1] == ' ';

		if ((between && i + 2 < text.len && text.ptr[i + 2] == ' ') || (blank && !menu->row.len))
			continue;
		if (between && fact.len) {
			buf_printf(&menu->row, "  %.*s", STR_ARG(fact));
			fact = STR_NONE;
		}
		if (i < FUZZY_TEXT_BYTES && menu->row.len < FUZZY_TEXT_BYTES)
			matched[menu->row.len] = out->matched[i];
		buf_add_byte(&menu->row, text.ptr[i]);
	}
	out->text = buf_str(&menu->row);
	memcpy(out->matched, matched, sizeof matched);
	memset(out->facts, 0, sizeof out->facts);
}

static void menu_item(void *ctx, size_t row, struct list_item *out)
{
	struct menu *menu = ctx;

	if (row >= menu->match_count) {
		const char *place = strstr(menu->typed_format, "%s");

		buf_clear(&menu->typed);
		buf_add(&menu->typed, str_of(menu->typed_format, place ? (size_t)(place - menu->typed_format) : strlen(menu->typed_format)));
		if (place) {
			buf_add(&menu->typed, menu_filter(menu));
			buf_add_z(&menu->typed, place + 2);
		}
		out->text = buf_str(&menu->typed);
		return;
	}
	const struct menu_entry *item = &menu->items[menu->matches[row].item];
	out->text = str_from(item->text);
	for (size_t i = 0; i < FACTS_MOST && !(item->fact_is_group && !menu_is_filtered(menu)); i++)
		out->facts[i] = menu_fact(item, i);
	out->current = item->current;
	out->muted = item->muted;
	out->matches = menu_filter(menu).len && menu_match(menu, item, out->matched) >= 0;
	if (menu->narrow)
		menu_close_up(menu, item, out);
}

static const char *menu_heading(void *ctx, size_t row)
{
	const struct menu *menu = ctx;

	if (row >= menu->match_count)
		return NULL;
	const char *group = menu->items[menu->matches[row].item].group;
	return group && (!row || group != menu->items[menu->matches[row - 1].item].group) ? group : NULL;
}

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

/* Where there is hardly a row, the figures tell why: those that have no room beside the title stand below the rows. */
static void menu_draw_why_empty(const struct menu *menu, const struct list *list, struct canvas *canvas, struct area rows)
{
	const struct card card = { .title = list->title, .figures = list->figures, .keys = list->keys, .columns = list->columns };
	unsigned count = (unsigned)list->count;

	if (list->count <= menu->item_count && count < rows.rows && !card_has_room_for_figures(canvas, &card))
		rows_put_words(canvas, (struct area){ rows.row + count, rows.column + 3, rows.rows - count, rows.columns > 4 ? rows.columns - 4 : 1 },
		               ROLE_SHEET_MUTED, list->figures);
}

void menu_draw(struct menu *menu, struct canvas *canvas)
{
	bool explains = menu->figures && menu->item_count <= 1;
	size_t least = explains ? menu->item_count + EMPTY_ROWS : 0;

	menu->narrow = menu->has_names && canvas->columns < NARROW_COLUMNS;
	struct list list = {
		.title = str_from(menu->title), .filter = &menu->filter,
		.figures = menu->has_hidden && menu_is_filtered(menu) ? STR_NONE : str_from(menu->figures),
		.keys = menu->keys ? str_from(menu->keys) : STR("Enter choose   Esc back"),
		.columns = menu_measure(menu, &menu->list.widths), .rows_least = least,
		.rows_held = explains ? least : menu_lines_unfiltered(menu) + (menu->typed_format != NULL),
		.item = menu_item, .heading = menu->has_groups && !menu_is_filtered(menu) ? menu_heading : NULL, .ctx = menu,
		.wraps = menu->narrow, .count = menu_count(menu), .unmarked = !menu_has_choice(menu), .dots = menu->has_current, .fit = LIST_HALF,
		.nothing = menu->item_count ? STR("nothing matches") : STR_NONE,
	};
	struct area rows = list_draw(&list, &menu->list, canvas);

	if (explains)
		menu_draw_why_empty(menu, &list, canvas, rows);
}
