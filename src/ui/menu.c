#include "ui/menu_inside.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/mem.h"

#define PAGE_ROWS 8

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

struct str menu_filter(const struct menu *menu)
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

bool menu_is_filtered(const struct menu *menu)
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

int menu_match(const struct menu *menu, const struct menu_entry *item, bool matched[FUZZY_TEXT_BYTES])
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
