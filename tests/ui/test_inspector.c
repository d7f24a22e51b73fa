/* The inspector's pane, the frame that it shows, and what a frame wrote as it is marked on the page. */
#include "chat/conversation/conversation.h"
#include "ui/pane/inspector.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "ui/pane/frame_view.h"
#include "ui/pane/transcript.h"

#define CHUNK(delta) "data: {\"choices\":[{\"index\":0,\"delta\":" delta "}]}\n\n"
#define TEXT(text) CHUNK("{\"content\":\"" text "\"}")
#define BODY \
	CHUNK("{\"reasoning\":\"hm\",\"reasoning_content\":\"hm\"}") TEXT("Rain begins **when** you leave.\\n\\n") TEXT("Take the ") TEXT("train when") \
	TEXT(" it rains.") "data: [DONE]\n\n"

struct stage {
	struct tape *tape;
	struct trace *trace;
	struct inspector *inspector;
	struct view view;
};

static void begin(struct stage *s, struct str body)
{
	struct error err = { "" };

	setlocale(LC_CTYPE, "C.UTF-8");
	*s = (struct stage){ .inspector = inspector_new() };
	CHECK(tape_from_text(&s->tape, body, &err), "%s", err.text);
	s->trace = trace_new(s->tape, &(struct stream_options){ .untimed = true }, 0, LINT_LEVEL_OFF);
	while (trace_read(s->trace, SIZE_MAX))
		;
	inspector_open(s->inspector, s->trace, NULL);
}

static void end(struct stage *s)
{
	pane_free(inspector_pane(s->inspector));
	trace_free(s->trace);
	tape_free(s->tape);
}

static size_t at(const struct stage *s)
{
	size_t row;

	return inspector_at(s->inspector, &row) ? row : SIZE_MAX;
}

static void the_cursor_follows_or_holds(void)
{
	struct stage s;

	begin(&s, STR(BODY));
	CU_ASSERT_EQUAL(at(&s), 6);
	pane_key(inspector_pane(s.inspector), &s.view, &(struct key){ .code = KEY_UP });
	CU_ASSERT_EQUAL(at(&s), 5);
	CU_ASSERT_FALSE(inspector_follows(s.inspector));
	inspector_update(s.inspector);
	CU_ASSERT_EQUAL(at(&s), 5);
	pane_key(inspector_pane(s.inspector), &s.view, &(struct key){ .code = KEY_HOME });
	CU_ASSERT_EQUAL(at(&s), 0);
	inspector_follow(s.inspector, true);
	CU_ASSERT_EQUAL(at(&s), 6);
	end(&s);
}

static void a_filter_leaves_rows_of_one_kind(void)
{
	struct stage s;

	begin(&s, STR(BODY));
	inspector_follow(s.inspector, false);
	inspector_go(s.inspector, 0);
	inspector_next_filter(s.inspector); /* text */
	CU_ASSERT_EQUAL(at(&s), 1);
	pane_key(inspector_pane(s.inspector), &s.view, &(struct key){ .code = KEY_END });
	CU_ASSERT_EQUAL(at(&s), 4);
	inspector_next_filter(s.inspector); /* reasoning: one row */
	CU_ASSERT_EQUAL(at(&s), 0);
	inspector_next_filter(s.inspector); /* there are no calls: repairs */
	CU_ASSERT_EQUAL(at(&s), 0);
	inspector_go(s.inspector, 3); /* which is none: all rows again */
	CU_ASSERT_EQUAL(at(&s), 3);
	end(&s);
}

static void bytes_are_searched_both_ways(void)
{
	struct stage s;

	begin(&s, STR(BODY));
	inspector_follow(s.inspector, false);
	inspector_go(s.inspector, 4);
	inspector_search(s.inspector, STR("when"));
	CU_ASSERT_TRUE(inspector_find(s.inspector, 0)); /* a new search goes on at the start */
	CU_ASSERT_EQUAL(at(&s), 1);
	CU_ASSERT_TRUE(inspector_find(s.inspector, 1));
	CU_ASSERT_EQUAL(at(&s), 3);
	CU_ASSERT_FALSE(inspector_find(s.inspector, 1));
	CU_ASSERT_TRUE(inspector_find(s.inspector, -1));
	CU_ASSERT_EQUAL(at(&s), 1);
	end(&s);
}

/* However large a frame is, what is laid out of it is bounded. */
static void a_giant_is_shown_in_part(void)
{
	static const char *const fills[] = { "x", "[[", "\\n", "\xff", "{\\\"a\\\":" };

	for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
		struct stage s;
		struct frame_view v;
		struct buf body;

		buf_init(&body, TAPE_LIMIT);
		buf_add_z(&body, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"");
		while (body.len < (size_t)3 << 20)
			buf_add_z(&body, fills[i]);
		buf_add_z(&body, "\"}}]}\n\n");
		begin(&s, buf_str(&body));
		frame_view_init(&v);
		(void)frame_view_show(&v, s.trace, 0, i % 2);
		CHECK(v.text.len < (size_t)1 << 20, "%zu: %zu bytes", i, v.text.len);
		CHECK(utf8_is_valid(buf_str(&v.text)), "%zu", i);
		CHECK(frame_view_rows(&v, 40) > 100, "%zu", i);
		CHECK(str_find(buf_str(&v.text), STR("MB more")) < v.text.len, "%zu", i);
		frame_view_fini(&v);
		end(&s);
		buf_fini(&body);
	}
}

/* Nested JSON becomes longer by its indentation. */
static void deep_json_stays_bounded(void)
{
	struct stage s;
	struct frame_view v;
	struct buf body = { 0 };

	buf_add_z(&body, "data: ");
	for (int i = 0; i < 30000; i++)
		buf_add_z(&body, "[1,");
	buf_add_z(&body, "\n\n");
	begin(&s, buf_str(&body));
	frame_view_init(&v);
	(void)frame_view_show(&v, s.trace, 0, false);
	CHECK(v.text.len <= (size_t)4 << 20, "%zu bytes", v.text.len);
	CHECK(frame_view_rows(&v, 40) > 10, "%zu rows", frame_view_rows(&v, 40));
	frame_view_fini(&v);
	end(&s);
	buf_fini(&body);
}

/* --- on the page --- */

/* The text of the cells in ROLE_SELECTED, rows parted by a bar. */
static void add_marked(const struct canvas *canvas, struct buf *out)
{
	for (unsigned row = 0; row < canvas->rows; row++) {
		size_t before = out->len;

		for (unsigned column = 0; column < canvas->columns; column++) {
			const struct cell *cell = canvas_cell(canvas, row, column);

			if (cell->role == ROLE_SELECTED && cell->len)
				buf_add(out, str_of(cell->text, cell->len));
		}
		if (out->len > before)
			buf_add_byte(out, '|');
	}
}

static void the_words_of_a_frame_are_marked(void)
{
	static const struct { size_t row; unsigned columns; const char *marked; } cases[] = {
		{ 1, 60, "Rain begins when you leave.|" }, { 2, 60, "Take the|" }, { 3, 60, "train when|" }, { 4, 60, "it rains.|" },
		{ 3, 16, "train|when|" }, { 4, 16, "it rains.|" }, { 5, 60, "" },
	};
	struct look look = { .text_width = 60 };
	struct stage s;

	begin(&s, STR(BODY));
	struct conversation *c = conversation_new();
	conversation_ask(c);
	struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
	for (size_t i = 0; i < delta_log_count(trace_log(s.trace)); i++) {
		struct delta d = delta_log_at(trace_log(s.trace), i);

		turn_delta(t, &d);
	}
	struct view view = { .conversation = c, .look = &look };
	struct transcript *page = transcript_new();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct canvas *canvas = canvas_new(20, cases[i].columns);
		struct trace_text text = { 0 };
		struct buf marked = { 0 };

		if (trace_wrote(s.trace, cases[i].row, &text))
			transcript_set_written(page, t, (struct page_written){ text.part, text.from, text.to });
		else
			transcript_set_written(page, NULL, (struct page_written){ 0 });
		pane_draw(transcript_pane(page), &view, canvas, (struct area){ 0, 0, 20, cases[i].columns }, false);
		add_marked(canvas, &marked);
		CHECK_STR(buf_str(&marked), cases[i].marked);
		buf_fini(&marked);
		canvas_free(canvas);
	}
	transcript_free(page);
	conversation_free(c);
	end(&s);
}

const struct suite suite_inspector = { "inspector", (const struct test[]){
	TEST(the_cursor_follows_or_holds), TEST(a_filter_leaves_rows_of_one_kind), TEST(bytes_are_searched_both_ways), TEST(a_giant_is_shown_in_part),
	TEST(deep_json_stays_bounded), TEST(the_words_of_a_frame_are_marked), { 0 },
} };
