/*
 * Shows any deltas on a page. Rules: incremental layout equals layout from scratch; a mark leads back to its row; cells contain whole
 * characters without control bytes; nothing exceeds the width.
 *
 * input: operations, one byte each, followed by their arguments: a delta, another width, unfolding, another look. After an operation of
 * 128 or more, the rules are checked at once, not only at the end.
 */
#include <locale.h>
#include <stdlib.h>

#include "chat/conversation/conversation.h"
#include "fuzz.h"
#include "ui/page/page.h"

#define ROWS_MOST 60
#define COLUMNS_MOST 130
#define STEPS_MOST 200

struct stage {
	struct conversation *conversation;
	struct turn *turn;
	struct page page;
	unsigned width, calls;
	enum reasoning_view reasoning;
	double at_ms;
	bool live;
};

/* --- deltas --- */

/* The guard guarantees valid UTF-8. */
static void repair(struct fuzz_input *in, struct buf *out)
{
	unsigned len = fuzz_byte(in);

	utf8_repair(fuzz_bytes(in, len % 64), out);
	if (len >= 250 && out->len)
		for (int i = 0; i < 4; i++) {
			struct str copy = { str_dup(buf_str(out)), out->len };

			buf_add(out, copy);
			free((void *)(uintptr_t)copy.ptr);
		}
}

static void put_call(struct stage *s, struct fuzz_input *in, struct str text)
{
	unsigned kind = fuzz_byte(in);

	if (!s->calls || kind % 4 == 0) {
		turn_delta(s->turn, &(struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { s->calls++, STR("id"), text, false } });
		return;
	}
	struct delta d = { .kind = kind % 4 == 1 ? DELTA_TOOL_END : DELTA_TOOL_ARGUMENTS, .text = text,
	                   .tool = { kind / 4 % s->calls, STR("id"), STR("name"), kind & 64 } };
	const struct part *call = turn_call(s->turn, d.tool.index);
	if (call && call->open) /* the guard drops fragments of a call that has ended */
		turn_delta(s->turn, &d);
}

static void put_delta(struct stage *s, unsigned operation, struct fuzz_input *in)
{
	static const enum delta_kind kinds[] = { DELTA_TEXT, DELTA_TEXT, DELTA_REASONING, DELTA_REFUSAL };
	struct buf text = { 0 };

	repair(in, &text);
	struct str words = buf_str(&text);
	if (operation < 8)
		turn_delta(s->turn, &(struct delta){ .kind = kinds[operation % 4], .part = fuzz_byte(in) % 4, .text = words });
	else if (operation < 11)
		put_call(s, in, words);
	else if (operation == 11)
		turn_delta(s->turn, &(struct delta){ .kind = DELTA_NOTICE, .notice = { STR("weir"), words } });
	else if (operation == 12)
		turn_delta(s->turn, &(struct delta){ .kind = DELTA_BEGIN, .meta = { words, words } });
	else if (operation == 13)
		turn_delta(s->turn, &(struct delta){ .kind = DELTA_ERROR, .error = { words, words, STR_NONE, 500 } });
	else if (operation == 14)
		turn_delta(s->turn, &(struct delta){ .kind = DELTA_RESTART });
	else
		turn_delta(s->turn, &(struct delta){ .kind = DELTA_END, .end = { (enum outcome)(fuzz_byte(in) % (OUTCOME_CANCELLED + 1)) } });
	if (operation == 14)
		s->calls = 0;
	buf_fini(&text);
}

/* --- rules --- */

static void check_cell(const struct cell *cell, unsigned left)
{
	FUZZ_CHECK(cell->len <= sizeof cell->text && utf8_is_valid(str_of(cell->text, cell->len)), "a cell holds whole characters");
	FUZZ_CHECK(cell->width <= left, "nothing beyond the width");
	for (struct str rest = str_of(cell->text, cell->len); rest.len;) {
		uint32_t code = utf8_next(&rest);

		FUZZ_CHECK(code >= 0x20 && !(code >= 0x7F && code < 0xA0), "no control byte in a cell");
	}
}

static size_t rows_of(struct page *p)
{
	size_t rows = 0;

	for (size_t piece = 0; piece < page_pieces(p); piece++)
		rows += page_piece_rows(p, piece);
	return rows;
}

static struct canvas *draw(struct page *p)
{
	size_t rows = rows_of(p);
	unsigned row = 0;
	struct canvas *canvas = canvas_new((unsigned)(rows < ROWS_MOST ? rows : ROWS_MOST), p->width);

	canvas_clear(canvas);
	for (size_t piece = 0; piece < page_pieces(p); piece++)
		for (size_t inside = 0; inside < page_piece_rows(p, piece) && row < canvas->rows; inside++)
			page_draw_row(p, piece, inside, canvas, row++, 0, p->width);
	for (row = 0; row < canvas->rows; row++)
		for (unsigned column = 0; column < canvas->columns; column++)
			check_cell(canvas_cell(canvas, row, column), canvas->columns - column);
	return canvas;
}

static bool same_mark(struct page_mark a, struct page_mark b)
{
	return a.part == b.part && a.ordinal == b.ordinal && a.offset == b.offset && a.on_line == b.on_line;
}

/* Rows that show the same source (the rule of a table) have the same mark. */
static void check_marks(struct page *p)
{
	for (size_t piece = 0; piece < page_pieces(p); piece++)
		for (size_t row = 0; row < page_piece_rows(p, piece); row++) {
			struct page_mark mark = page_mark_of(p, piece, row);
			size_t found_piece, found_row;

			page_find(p, mark, &found_piece, &found_row);
			FUZZ_CHECK(found_row < page_piece_rows(p, found_piece), "a mark leads to a row");
			FUZZ_CHECK(same_mark(page_mark_of(p, found_piece, found_row), mark), "a mark leads back to its row");
		}
}

static void look(struct stage *s)
{
	s->at_ms += 100; /* figures change with the clock only */
	page_set_reasoning(&s->page, s->reasoning, s->at_ms);
	page_update(&s->page, s->turn, s->live, s->width);
}

static void check(struct stage *s)
{
	struct page fresh;

	page_init(&fresh);
	fresh.unfolded = s->page.unfolded;
	page_set_options(&fresh, &s->page.options);
	page_set_reasoning(&fresh, s->reasoning, s->at_ms);
	page_update(&fresh, s->turn, s->live, s->width);
	FUZZ_CHECK(rows_of(&fresh) == rows_of(&s->page), "as many rows as at once");
	struct canvas *grown = draw(&s->page), *at_once = draw(&fresh);
	for (unsigned row = 0; row < grown->rows; row++)
		FUZZ_CHECK(canvas_row_equal(grown, at_once, row), "the same rows as at once");
	check_marks(&s->page);
	canvas_free(grown);
	canvas_free(at_once);
	page_fini(&fresh);
}

static void change_look(struct stage *s, unsigned look)
{
	page_set_options(&s->page, &(struct markdown_options){ .raw = look & 1, .clip_code = look & 2, .code_band = look & 4, .strikes = look & 8, .sideways = look >> 4 });
	s->reasoning = (enum reasoning_view)((look >> 2) % REASONING_VIEW_COUNT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool ready;
	struct fuzz_input in = { str_of((const char *)data, size) };

	if (!ready)
		ready = setlocale(LC_CTYPE, "C.UTF-8") != NULL;
	struct stage s = { .conversation = conversation_new(), .width = 40, .live = true };
	s.turn = conversation_answer(s.conversation, STR("p"), NULL, STR("m"));
	page_init(&s.page);
	for (int steps = 0; in.rest.len && steps < STEPS_MOST; steps++) {
		unsigned byte = fuzz_byte(&in), operation = byte % 20;

		if (operation < 16)
			put_delta(&s, operation, &in);
		else if (operation == 16)
			s.width = 1 + fuzz_byte(&in) % COLUMNS_MOST;
		else if (operation == 17)
			page_fold_all(&s.page, !s.page.unfolded);
		else if (operation == 18)
			s.live = !s.live;
		else if (operation == 19)
			change_look(&s, fuzz_byte(&in));
		look(&s);
		if (byte & 128 || !in.rest.len)
			check(&s);
	}
	page_fini(&s.page);
	conversation_free(s.conversation);
	return 0;
}
