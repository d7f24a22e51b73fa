#include "app/screen/compare/compare_diff.h"

#include "base/mem.h"
#include "base/search.h"
#include "base/word_diff.h"
#include "chat/conversation/turn.h"
#include "ui/rows.h"
#include "ui/scroll.h"
#include "wire/part.h"

#define TEXT_LIMIT ((size_t)16 << 20)

static void add_stretch(struct compare_diff *d, enum role_name role)
{
	mem_reserve(&d->stretches, &d->capacity, d->count + 1, sizeof *d->stretches);
	d->stretches[d->count++] = (struct diff_stretch){ d->text.len, (uint8_t)role };
}

static void add_run(struct compare_diff *d, const struct word_run *run)
{
	static const struct { const char *open, *close; enum role_name role; } looks[] = {
		[WORDS_SAME] = { "", "", ROLE_TEXT }, [WORDS_REMOVED] = { "[-", "-]", ROLE_REMOVED }, [WORDS_ADDED] = { "{+", "+}", ROLE_ADDED },
	};
	struct str words = str_trim(run->text), blanks = str_skip(run->text, (size_t)(words.ptr - run->text.ptr) + words.len);

	if (run->kind == WORDS_SAME || !words.len) {
		buf_add(&d->text, run->text);
		add_stretch(d, ROLE_TEXT);
		return;
	}
	buf_add_z(&d->text, looks[run->kind].open);
	buf_add(&d->text, words);
	buf_add_z(&d->text, looks[run->kind].close);
	add_stretch(d, looks[run->kind].role);
	d->differs = true;
	buf_add(&d->text, blanks.len ? blanks : STR(" "));
	add_stretch(d, ROLE_TEXT);
}

void compare_diff_open(struct compare_diff *d, const char *title, const struct turn *first, const struct turn *second)
{
	struct buf before, after;
	struct word_diff words = { 0 };

	compare_diff_close(d);
	d->open = true;
	d->title = mem_dup_z(title);
	buf_init(&before, TEXT_LIMIT);
	buf_init(&after, TEXT_LIMIT);
	buf_init(&d->text, 4 * TEXT_LIMIT);
	flow_init(&d->flow);
	turn_write_text(first, &before);
	turn_write_text(second, &after);
	word_diff_make(&words, buf_str(&before), buf_str(&after));
	for (size_t i = 0; i < words.count; i++)
		add_run(d, &words.runs[i]);
	word_diff_fini(&words);
	buf_fini(&before);
	buf_fini(&after);
}

void compare_diff_close(struct compare_diff *d)
{
	if (!d->open)
		return;
	mem_free(d->title);
	mem_free(d->stretches);
	buf_fini(&d->text);
	flow_fini(&d->flow);
	*d = (struct compare_diff){ 0 };
}

static size_t most_top(const struct compare_diff *d)
{
	return d->flow.count > d->height ? d->flow.count - d->height : 0;
}

/* The stretch that a byte of the text is in. */
static size_t stretch_at(const struct compare_diff *d, size_t offset)
{
	struct search s = search_in(0, d->count);

	while (search_next(&s))
		search_take(&s, d->stretches[s.middle].end <= offset);
	return s.low;
}

static void draw_row(const struct compare_diff *d, struct canvas *canvas, struct area inside, size_t row)
{
	struct str text = flow_row(&d->flow, buf_str(&d->text), row);
	size_t offset = (size_t)(text.ptr - d->text.ptr);
	unsigned used = 0;

	for (size_t i = stretch_at(d, offset); text.len && i < d->count && used < inside.columns; i++) {
		struct str piece = str_head(text, d->stretches[i].end - offset);

		used += canvas_put(canvas, inside.row, inside.column + used, inside.columns - used, (enum role_name)d->stretches[i].role, piece);
		text = str_skip(text, piece.len);
		offset += piece.len;
	}
}

void compare_diff_draw(struct compare_diff *d, struct canvas *canvas, struct area area)
{
	struct area body = { area.row + 1, area.column, area.rows - 1, area.columns }, inside = rows_inside(body);
	unsigned columns = rows_width(area.columns, 0);

	canvas_hairline_focused(canvas, (struct area){ area.row, area.column, 1, area.columns }, str_from(d->title),
	                        d->differs ? STR("[-first-] {+second+}") : STR("the same words"));
	flow_update(&d->flow, buf_str(&d->text), columns);
	d->height = body.rows;
	d->top = d->top < most_top(d) ? d->top : most_top(d);
	for (unsigned r = 0; r < body.rows && d->top + r < d->flow.count; r++)
		draw_row(d, canvas, (struct area){ inside.row + r, inside.column, 1, columns }, d->top + r);
}

bool compare_diff_key(struct compare_diff *d, const struct key *key)
{
	long rows = scroll_rows(key, SCROLL_TEXT, d->height > 2 ? d->height - 2 : 1);

	d->top = scroll_to(d->top, rows, most_top(d));
	return rows != 0;
}
