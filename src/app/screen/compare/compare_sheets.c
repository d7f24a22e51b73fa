/* The sheets over a comparison: the table of all figures, and the keys (compare_view_inside.h). */
#include "app/compare/compare.h"
#include "app/screen/compare/compare_view_inside.h"

#define SHEET_MARGINS 10u /* columns of a screen beside the text of a sheet */
#define SHEET_MOST 94u    /* columns of that text */

/* Where lines have no room. */
static void table_as_facts(const struct compare_view *v, struct sheet *sheet)
{
	for (size_t i = 0; i < v->compare->count; i++) {
		sheet_add_heading(sheet, str_from(v->figures[i].label));
		for (size_t n = 0; n < COMPARED_FACT_COUNT; n++) {
			struct buf text = { 0 };

			compare_write_fact(&v->figures[i], (enum compared_fact)n, &text);
			sheet_add_fact(sheet, str_from(compared_facts[n].name), buf_str(&text));
			buf_fini(&text);
		}
	}
}

void compare_table_open(struct compare_view *v)
{
	struct buf text = { 0 };

	v->figures_ms = 0;
	compare_take_figures(v);
	v->sheet = sheet_new(STR("Compared"), "Esc back", NULL);
	unsigned columns = compare_table_columns(v->figures, v->compare->count);
	if (columns <= SHEET_MOST && columns + SHEET_MARGINS <= v->width) {
		compare_write_table(v->figures, v->compare->count, &text);
		sheet_add_text(v->sheet, buf_str(&text));
	} else {
		table_as_facts(v, v->sheet);
	}
	sheet_add_heading(v->sheet, STR("The figures"));
	for (size_t n = 0; n < COMPARED_FACT_COUNT; n++)
		sheet_add_fact(v->sheet, str_from(compared_facts[n].name), str_from(compared_facts[n].meaning));
	buf_fini(&text);
}

void compare_help_open(struct compare_view *v)
{
	const struct compare_key *key;

	v->sheet = sheet_new(STR("Comparing"), "Esc back", NULL);
	for (size_t i = 0; (key = compare_key_at(i)); i++)
		sheet_add_fact(v->sheet, str_from(key->keys ? key->keys : host_key(v->host, key->command)), str_from(key->help));
}
