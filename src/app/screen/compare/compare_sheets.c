/* The sheets over a comparison: the table of all figures, and the keys (compare_view_inside.h). */
#include "app/compare/compare.h"
#include "app/screen/compare/compare_view_inside.h"

#define TABLE_COLUMNS 96u /* of a screen for the table with a line for each */

static void add_fact(struct sheet *sheet, const char *label, struct buf *value)
{
	sheet_add_fact(sheet, str_from(label), buf_str(value));
	buf_clear(value);
}

/* Where lines have no room. */
static void table_as_facts(const struct compare_view *v, struct sheet *sheet)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < v->compare->count; i++) {
		sheet_add_heading(sheet, str_from(v->figures[i].label));
		buf_add_z(&text, *v->figures[i].outcome ? v->figures[i].outcome : "under way");
		add_fact(sheet, "outcome", &text);
		compare_write_figures(&v->figures[i], &text);
		add_fact(sheet, "figures", &text);
	}
	buf_fini(&text);
}

void compare_table_open(struct compare_view *v)
{
	struct buf text = { 0 };

	v->figures_ms = 0;
	compare_take_figures(v);
	v->sheet = sheet_new(STR("Compared"), "Esc back", NULL);
	if (v->width >= TABLE_COLUMNS) {
		compare_write_table(v->figures, v->compare->count, &text);
		sheet_add_text(v->sheet, buf_str(&text));
	} else {
		table_as_facts(v, v->sheet);
	}
	buf_fini(&text);
}

void compare_help_open(struct compare_view *v)
{
	const struct compare_key *key;

	v->sheet = sheet_new(STR("Comparing"), "Esc back", NULL);
	for (size_t i = 0; (key = compare_key_at(i)); i++)
		sheet_add_fact(v->sheet, str_from(key->keys ? key->keys : host_key(v->host, key->command)), str_from(key->help));
}
