/* A menu on the canvas: its card, its rows and headings, the letters that match. */
#include "ui/menu_inside.h"

#include <stdio.h>
#include <string.h>

#include "base/least.h"
#include "render/flow.h"
#include "ui/card.h"
#include "ui/rows.h"

#define GAP_COLUMNS 4
#define DOT_COLUMNS 30
#define EMPTY_ROWS 3 /* room for the text that says why the list is empty */
#define KEYS_DEFAULT "Enter choose   Esc back"

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

/* The columns of the widest item. All items count, not only the matches, so the card keeps its width while the user types. */
static unsigned menu_columns(const struct menu *menu)
{
	struct menu_facts facts = menu_measure_facts(menu);
	unsigned most = 0;

	for (size_t i = 0; i < menu->item_count; i++) {
		unsigned fact = menu_facts_columns(&menu->items[i], &facts, MENU_FACTS_MOST);
		unsigned columns = flow_columns(str_from(menu->items[i].text), MENU_COLUMNS_MOST) + (fact ? fact + GAP_COLUMNS : 0);

		most = columns > most ? columns : most;
	}
	return most + (menu->has_current ? 5 : 3) + 2;
}

unsigned menu_put_cut(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role, struct str text)
{
	if (columns == 0)
		return 0;
	if (flow_columns(text, columns + 1) <= columns)
		return canvas_put(canvas, row, column, columns, role, text);
	columns = canvas_put(canvas, row, column, columns - 1, role, text);
	return columns + canvas_put(canvas, row, column + columns, 1, role, STR("\u2026"));
}

/* --- rows --- */

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

static void menu_draw_item(const struct menu *menu, struct canvas *canvas, struct area line, const struct menu_entry *item,
                           const struct menu_facts *facts, bool chosen)
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

static void menu_draw_row(const struct menu *menu, struct canvas *canvas, struct area line, const struct menu_facts *facts, size_t row)
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
	struct menu_facts facts = menu_measure_facts(menu);
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

/* --- the card --- */

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
