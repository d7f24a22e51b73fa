/*
 * Seeking in a tape: at every frame and every delta of every saved stream the screen is, cell by cell, the one that a decoder and fresh
 * panes make of the stream up to there. The player goes there from the start, from the end, and by leaps; its panes are the same all the
 * time. Uses our own streams, and the shared ones (WEIR_STREAMS) if available.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/player/player.h"
#include "support/cases.h"
#include "support/check.h"
#include "ui/dump.h"
#include "ui/pane/stack.h"
#include "ui/pane/status.h"
#include "ui/pane/transcript.h"

#define FIGURES_MS 250

static struct look look;

/* Panes as in the program, without the input. */
struct panes {
	struct transcript *transcript;
	struct stack stack;
};

static void panes_init(struct panes *p)
{
	struct pane *status = pane_status_new();

	p->transcript = transcript_new();
	const struct stack_row rows[] = {
		{ transcript_pane(p->transcript), .share = STACK_REST }, { pane_reasoning_new(), .share = 3 }, { pane_tools_new(), .share = 3 },
		{ status, .share = 1 },
	};
	stack_init(&p->stack, rows, sizeof rows / sizeof *rows, status);
}

/* Draws the conversation as it is at a time of the tape. `needle`: a search that has been there all along; NULL: none. */
static void panes_draw(struct panes *p, const struct conversation *c, double at_ms, const char *needle, struct canvas *canvas)
{
	struct turn *t = conversation_last(c);
	struct view view = {
		.conversation = c, .live = t->ended ? NULL : t, .state = t->ended ? VIEW_READY : VIEW_PAUSED, .replay = true, .exact = true,
		.at_ms = t->ended ? 0 : (double)((int64_t)(at_ms / FIGURES_MS) * FIGURES_MS), .look = &look, .help_key = "?",
	};

	if (needle) {
		if (!transcript_marks(p->transcript)) { /* before the answer: a hit would unfold what it is in */
			struct conversation *before = conversation_new();

			turn_add(conversation_ask(before), PART_TEXT, STR("a prompt"), STR_NONE, STR_NONE);
			view.conversation = before;
			transcript_search_begin(p->transcript, &view);
			transcript_search(p->transcript, &view, str_from(needle));
			transcript_to_end(p->transcript);
			view.conversation = c;
			conversation_free(before);
		}
		view.hits = transcript_marks(p->transcript);
	}
	canvas_clear(canvas);
	stack_layout(&p->stack, &view, canvas->rows, canvas->columns);
	stack_draw(&p->stack, &view, canvas);
}

/* --- one tape --- */

struct tester {
	const char *path;
	const struct tape *tape;
	const struct stream_options *options;
	const char *needle;
	unsigned rows, columns;
	struct canvas *canvas;     /* what is seen after a seek */
	struct canvas **moments;     /* the screen after each number of moments */
	size_t moment_count;
	size_t *frames;              /* the number of the last frame then */
	size_t kept;                 /* frames that have their moment */
	struct stream *stream;
	struct canvas **deltas;      /* the screen after each number of deltas, at the time of its frame */
	size_t delta_count;
	double at_ms;              /* of the step that is decoded */
	bool fresh;                /* a delta has come since the last moment */
	struct conversation *reference;
};

static void keep_screen(struct tester *x, struct canvas ***list, size_t *count)
{
	struct panes fresh;

	panes_init(&fresh);
	*list = mem_resize(*list, *count + 1, sizeof **list);
	(*list)[*count] = canvas_new(x->rows, x->columns);
	panes_draw(&fresh, x->reference, x->at_ms, x->needle, (*list)[*count]);
	++*count;
	stack_fini(&fresh.stack);
}

static void keep_moment(struct tester *x)
{
	x->frames = mem_resize(x->frames, x->moment_count + 1, sizeof *x->frames);
	x->frames[x->moment_count] = x->kept;
	keep_screen(x, &x->moments, &x->moment_count);
	x->fresh = false;
}

static void keep_frames(struct tester *x, size_t frames)
{
	while (x->kept < frames) {
		x->kept++;
		keep_moment(x);
	}
}

static void on_delta(void *ctx, const struct delta *d)
{
	struct tester *x = ctx;
	struct turn *t = conversation_last(x->reference);
	size_t frames = stream_frames(x->stream);

	keep_frames(x, frames ? frames - 1 : 0);
	meter_delta(&t->meter, d);
	turn_delta(t, d);
	keep_screen(x, &x->deltas, &x->delta_count);
	x->fresh = true;
}

static struct conversation *begin_answer(struct turn **answer)
{
	struct conversation *c = conversation_new();
	struct turn *question = conversation_ask(c);

	turn_add(question, PART_TEXT, STR("a prompt"), STR_NONE, STR_NONE);
	*answer = conversation_answer(c, STR("box"), NULL, STR("asked"));
	question->wall = (*answer)->wall = 43440; /* 12:04, whatever the clock says */
	return c;
}

/* What a decoder makes of the tape, step by step, as it comes from a server. */
static void decode_reference(struct tester *x)
{
	struct turn *t;

	x->reference = begin_answer(&t);
	x->stream = stream_new(x->options, on_delta, x);
	keep_moment(x);
	keep_screen(x, &x->deltas, &x->delta_count);
	for (size_t i = 0; i < tape_length(x->tape); i++) {
		struct tape_step step = tape_at(x->tape, i);

		x->at_ms = step.at_ms;
		tape_feed_step(&step, x->stream);
		if (stream_is_done(x->stream))
			stream_conclude(x->stream, step.at_ms);
		keep_frames(x, stream_frames(x->stream));
		if (x->fresh || step.kind == TAPE_END)
			keep_moment(x);
	}
	stream_free(x->stream);
	conversation_free(x->reference);
}

struct seat {
	struct tester *x;
	struct conversation *c;
	struct player *player;
	struct panes panes;
};

/* Links have numbers in the order in which a canvas met them; where they lead is what counts. */
static bool is_same_link(const struct canvas *a, unsigned of_a, const struct canvas *b, unsigned of_b)
{
	return (!of_a && !of_b) || str_equal(str_from(links_at(&a->links, of_a)), str_from(links_at(&b->links, of_b)));
}

static bool is_same_row(const struct canvas *a, const struct canvas *b, unsigned row)
{
	const struct cell *of_a = canvas_cell(a, row, 0), *of_b = canvas_cell(b, row, 0); /* those of a row stand side by side */

	for (unsigned column = 0; column < a->columns; column++) {
		struct cell x = of_a[column];

		x.link = of_b[column].link;
		if (memcmp(&x, &of_b[column], sizeof x) != 0 || !is_same_link(a, of_a[column].link, b, of_b[column].link))
			return false;
	}
	return true;
}

static bool is_same_screen(const struct canvas *a, const struct canvas *b)
{
	for (unsigned row = 0; row < a->rows; row++)
		if (!is_same_row(a, b, row))
			return false;
	return true;
}

static void look_at(struct seat *s, const struct canvas *expected, const char *way, size_t at)
{
	struct buf shown = { 0 }, wanted = { 0 };

	panes_draw(&s->panes, s->c, player_position_ms(s->player, 0), s->x->needle, s->x->canvas);
	bool same = is_same_screen(s->x->canvas, expected);
	if (!same) {
		dump_canvas(s->x->canvas, true, &shown);
		dump_canvas(expected, true, &wanted);
	}
	CHECK(same, "%s, %s %zu:\n%s\nnot:\n%s", s->x->path, way, at, buf_z(&shown), buf_z(&wanted));
	buf_fini(&shown);
	buf_fini(&wanted);
}

static void go_through(struct tester *x)
{
	struct seat s = { .x = x };
	struct turn *answer;
	unsigned seed = 7;

	s.c = begin_answer(&answer);
	s.player = player_new(x->tape, x->options, NULL, 0, 1, 0);
	player_show(s.player, answer);
	panes_init(&s.panes);
	CHECK(delta_log_moments(player_log(s.player)) + 1 == x->moment_count && player_frames(s.player) == x->kept, "%s: %zu moments of %zu, %zu frames of %zu",
	      x->path, delta_log_moments(player_log(s.player)), x->moment_count, player_frames(s.player), x->kept);
	CHECK(delta_log_count(player_log(s.player)) + 1 == x->delta_count, "%s: %zu deltas of %zu", x->path, delta_log_count(player_log(s.player)), x->delta_count);
	look_at(&s, x->moments[0], "start", 0);
	for (size_t i = 1; player_step_frame(s.player, 1, 0) && i < x->moment_count; i++) {
		CHECK(player_frame(s.player) == x->frames[i], "%s: frame %zu, not %zu", x->path, player_frame(s.player), x->frames[i]);
		look_at(&s, x->moments[i], "frame on to", i);
	}
	CU_ASSERT(player_at_end(s.player));
	for (size_t i = x->moment_count - 1; player_step_frame(s.player, -1, 0) && i-- > 0;)
		look_at(&s, x->moments[i], "frame back to", i);
	CU_ASSERT_EQUAL(player_frame(s.player), 0);
	for (size_t i = 1; player_step_delta(s.player, 1, 0) && i < x->delta_count; i++)
		look_at(&s, x->deltas[i], "delta on to", i);
	for (size_t i = x->delta_count - 1; player_step_delta(s.player, -1, 0) && i-- > 1;)
		look_at(&s, x->deltas[i], "delta back to", i);
	for (unsigned n = 0; n < 20; n++) {
		size_t frame = check_random(&seed) % (x->kept + 2), at = 0;

		player_seek_frame(s.player, frame, 0);
		while (at + 1 < x->moment_count && x->frames[at] < frame)
			at++;
		look_at(&s, x->moments[at], "leap to frame", frame);
	}
	stack_fini(&s.panes.stack);
	player_free(s.player);
	conversation_free(s.c);
}

static void check_tape(const char *path, const struct tape *tape, const struct stream_options *options, unsigned rows, unsigned columns,
                       const char *needle)
{
	struct tester x = { .path = path, .tape = tape, .options = options, .needle = needle, .rows = rows, .columns = columns, .canvas = canvas_new(rows, columns) };

	decode_reference(&x);
	go_through(&x);
	for (size_t i = 0; i < x.moment_count; i++)
		canvas_free(x.moments[i]);
	for (size_t i = 0; i < x.delta_count; i++)
		canvas_free(x.deltas[i]);
	mem_free(x.moments);
	mem_free(x.frames);
	mem_free(x.deltas);
	canvas_free(x.canvas);
}

static void set_place(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	setenv("TZ", "UTC", 1);
	tzset();
	look = (struct look){ .keys = { .palette = "Ctrl-P", .fold = "Ctrl-T", .details = "Ctrl-O" } };
}

/* --- the collections --- */

static void check_stream(const char *path, struct str protocol, bool is_told)
{
	static const enum reasoning_view views[] = { REASONING_VIEW_PANE, REASONING_VIEW_TAIL, REASONING_VIEW_FOLDED, REASONING_VIEW_HIDDEN };
	struct tape *tape = NULL;
	struct error err;
	static unsigned turn;
	bool opened = tape_open(&tape, path, &err);

	CHECK(opened, "%s", err.text);
	if (!opened)
		return;
	struct stream_options options = { .protocol = protocol_find(tape_is_plain(tape) ? is_told ? protocol : STR_NONE : tape_facts(tape)->protocol),
		                          .asked = tape_asked(tape), .untimed = tape_is_plain(tape) };
	look.reasoning = REASONING_VIEW_PANE;
	look.raw = look.code_band = false;
	check_tape(path, tape, &options, 24, 80, NULL);
	look.reasoning = views[++turn % 4];
	look.raw = turn % 3 == 0;
	look.code_band = turn % 2;
	check_tape(path, tape, &options, 12, 40, turn % 5 ? NULL : "e");
	tape_free(tape);
}

static void check_case(void *ctx, const struct stream_case *c)
{
	(void)ctx;
	check_stream(c->path, c->protocol, c->status != 200);
}

static void own_streams(void)
{
	size_t count;

	set_place();
	count = cases_of_own(check_case, NULL);
	CHECK(count >= 300, "%zu", count);
}

static void shared_streams(void)
{
	size_t count;

	set_place();
	count = cases_of_shared(check_case, NULL);
	CHECK(!count || count >= 100, "%zu", count);
}

/* --- long answers --- */

/* Marks, blocks and rows of a long answer: each kind of block, cut at every word. */
static void a_long_answer(void)
{
	static const char *const words[] = {
		"word ", "**bold** ", "a\\n\\nparagraph ", "\\n- item ", "\\n\\n```c\\nint x;\\n", "return 1;\\n", "```\\n", "| a | b |\\n|---|---|\\n", "| 1 | 2 |\\n",
		"\\n> quote ", "\\n# head\\n", "[link](http://a.b/) ", "`code` ", "[ref] ", "\\n\\n[ref]: http://c.d/\\n\\n", "$x^2$ ", "\\u6c34 ", "1. one\\n2. two\\n",
	};
	struct buf text = { 0 };
	struct tape *tape = NULL;
	struct error err;
	unsigned seed = 3;

	set_place();
	buf_add_z(&text, "{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n{\"t\":1,\"head\":{\"status\":200}}\n");
	for (int i = 0; i < 700; i++) {
		struct buf word = { 0 };

		for (const char *at = words[check_random(&seed) % (sizeof words / sizeof *words)]; *at; at++) /* once more: JSON in JSON */
			buf_printf(&word, *at == '\\' ? "\\\\" : "%c", *at);
		buf_printf(&text, "{\"t\":%d,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"%s\\\":\\\"%s\\\"}}]}\\n\\n\"}\n", 10 * i,
		           i > 100 && i < 200 ? "reasoning_content" : "content", buf_z(&word));
		buf_fini(&word);
	}
	CHECK(tape_from_text(&tape, buf_str(&text), &err), "%s", err.text);
	struct stream_options options = { .protocol = protocol_find(STR("openai-chat")) };
	check_tape("a long answer", tape, &options, 12, 60, NULL);
	tape_free(tape);
	buf_fini(&text);
}

/* --- keys meanwhile --- */

static void press(struct seat *s, const struct view *view, unsigned n)
{
	static const char *const letters[] = { "j", "k", "t" };
	static const enum key_code codes[] = { KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_HOME, KEY_END, KEY_ENTER, KEY_UP };
	struct transcript *t = s->panes.transcript;

	switch (n % 9) {
	case 0: pane_key(transcript_pane(t), view, &(struct key){ .code = KEY_TEXT, .text = str_from(letters[n / 9 % 2]) }); break;
	case 1: pane_key(transcript_pane(t), view, &(struct key){ .code = codes[n / 9 % 6] }); break;
	case 2: (void)transcript_step_fold(t, view, n / 9 % 2 ? 1 : -1); break;
	case 3: (void)transcript_toggle_fold(t, view); break;
	case 4: (void)transcript_jump(t, view, (enum page_landmark)(n / 9 % 4), n / 36 % 2 ? 1 : -1); break;
	case 5: (void)transcript_search_step(t, view, n / 9 % 2 ? 1 : -1); break;
	case 6: (void)transcript_select(t, view); break;
	case 7: transcript_select_move(t, view, n / 9 % 2 ? 3 : -3); break;
	case 8: transcript_select_leave(t, view); break;
	}
}

/* What the user was at may be gone after a seek: a fold, a hit, the selection, the rows in view. Sanitizers look on. */
static void keys_between_leaps_do_no_harm(void)
{
	static const char *const paths[] = {
		"tests/streams/openai-responses/calls-parallel.sse", "tests/streams/anthropic/start-spliced-in-call.sse",
		"tests/streams/anthropic/blocks-overlap.sse", "tests/streams/openai-responses/reasoning-summary.sse",
	};
	unsigned seed = 11;

	set_place();
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct tester x = { .canvas = canvas_new(10, 40) };
		struct seat s = { .x = &x };
		struct tape *tape = NULL;
		struct error err;
		struct turn *answer;

		CHECK(tape_open(&tape, paths[i], &err), "%s", err.text);
		struct stream_options options = { .untimed = tape_is_plain(tape) };
		s.c = begin_answer(&answer);
		s.player = player_new(tape, &options, NULL, 0, 1, 0);
		player_show(s.player, answer);
		panes_init(&s.panes);
		for (unsigned n = 0; n < 3000; n++) {
			struct view view = { .conversation = s.c, .live = answer->ended ? NULL : answer, .replay = true, .exact = n % 2, .look = &look };

			player_seek_frame(s.player, check_random(&seed) % (player_frames(s.player) + 1), 0);
			view.live = answer->ended ? NULL : answer;
			press(&s, &view, check_random(&seed) >> 4);
			panes_draw(&s.panes, s.c, 0, n % 7 ? "e" : NULL, x.canvas);
		}
		CU_ASSERT_TRUE(transcript_marks(s.panes.transcript) != NULL);
		stack_fini(&s.panes.stack);
		player_free(s.player);
		conversation_free(s.c);
		tape_free(tape);
		canvas_free(x.canvas);
	}
}

const struct suite suite_seek = { "seek", (const struct test[]){
	TEST(own_streams), TEST(shared_streams), TEST(a_long_answer), TEST(keys_between_leaps_do_no_harm), { 0 } } };
