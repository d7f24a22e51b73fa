/* The player on a long tape: opening it, and the time from a key to the cells of the screen for jumps in both directions. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "bench/bench.h"
#include "chat/conversation/conversation.h"
#include "chat/player/player.h"
#include "ui/pane/stack.h"
#include "ui/pane/status.h"
#include "ui/pane/timeline.h"
#include "ui/pane/transcript.h"

#define JUMPS 400

/* A tape of about 100 bytes a frame: reasoning, then text with paragraphs, lists and code, then a call. */
static void write_tape(struct buf *text, size_t frames, size_t reasoning)
{
	static const char *const words[] = { "water ", "flows ", "over ", "the ", "**crest** ", "of ", "a ", "weir, ", "evenly. ", "and " };

	buf_add_z(text, "{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n");
	for (size_t i = 0; i < frames; i++) {
		const char *kind = i < reasoning ? "reasoning_content" : "content";
		const char *end = i % 400 == 399 ? "\\\\n\\\\n```c\\\\nint x;\\\\n```\\\\n\\\\n" : i % 80 == 79 ? "\\\\n\\\\n" : i % 40 == 39 ? "\\\\n- " : "";

		buf_printf(text, "{\"t\":%zu.5,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"%s\\\":\\\"%s%s\\\"}}]}\\n\\n\"}\n",
		           i * 3 + 2, kind, words[i % 10], end);
	}
	buf_printf(text, "{\"t\":%zu,\"body\":\"data: [DONE]\\n\\n\"}\n{\"t\":%zu,\"end\":\"closed\"}\n", frames * 3 + 3, frames * 3 + 4);
}

struct seat {
	struct conversation *conversation;
	struct player *player;
	struct transcript *transcript;
	struct stack stack;
	struct canvas *canvas;
	struct look look;
};

static void seat_draw(struct seat *s)
{
	struct turn *t = conversation_last(s->conversation);
	struct view view = {
		.conversation = s->conversation, .live = t->ended ? NULL : t, .state = VIEW_PAUSED, .replay = true, .exact = true,
		.at_ms = player_position_ms(s->player, 0), .look = &s->look,
	};

	canvas_clear(s->canvas);
	stack_layout(&s->stack, &view, s->canvas->rows, s->canvas->columns);
	stack_draw(&s->stack, &view, s->canvas);
}

static void seat_init(struct seat *s, const struct tape *tape)
{
	struct stream_options options = { .protocol = protocol_find(tape_facts(tape)->protocol) };
	struct pane *status = pane_status_new();

	*s = (struct seat){ .conversation = conversation_new(), .player = player_new(tape, &options, NULL, 0, 1, 0), .transcript = transcript_new(),
	                    .canvas = canvas_new(50, 120) };
	const struct stack_row rows[] = { { transcript_pane(s->transcript), .share = STACK_REST }, { pane_reasoning_new(), .share = 3 },
		                          { pane_tools_new(), .share = 3 }, { status, .share = 1 } };
	stack_init(&s->stack, rows, sizeof rows / sizeof *rows, status);
	player_show(s->player, conversation_answer(s->conversation, STR("box"), NULL, STR("m")));
}

static void seat_fini(struct seat *s)
{
	stack_fini(&s->stack);
	canvas_free(s->canvas);
	player_free(s->player);
	conversation_free(s->conversation);
}

static double since_ms(int64_t start_ns)
{
	return (double)(bench_now_ns() - start_ns) / 1e6;
}

/* Draws behind each jump. `place` gives the share of the tape to jump to. */
static void jump(struct seat *s, const char *what, const char *goal, double (*place)(unsigned n, double at))
{
	double times[JUMPS], at = 0;

	for (unsigned n = 0; n < JUMPS; n++) {
		int64_t start_ns = bench_now_ns();

		at = place(n, at);
		player_seek_frame(s->player, (size_t)(at * (double)player_frames(s->player)), 0);
		seat_draw(s);
		times[n] = since_ms(start_ns);
	}
	double half = bench_quantile(times, JUMPS, 0.5), most = bench_quantile(times, JUMPS, 1);
	bench_print(what, goal, "p50 %.2f ms, slowest %.1f ms", half, most);
}

static double anywhere(unsigned n, double at)
{
	static unsigned seed = 5;

	(void)n, (void)at;
	seed = seed * 1103515245u + 12345u;
	return (double)(seed >> 8 & 0xffff) / 65536;
}

static double from_end_to_start(unsigned n, double at)
{
	(void)at;
	return n % 2 ? 1 : 0;
}

static double back_by_little(unsigned n, double at)
{
	return n ? at - 1.0 / (2 * JUMPS) : 1;
}

static double on_by_little(unsigned n, double at)
{
	return n ? at + 1.0 / (2 * JUMPS) : 0.3;
}

/* Until all is decoded. Returns the longest run. */
static double decode_ahead(struct seat *s)
{
	double longest_ms = 0;

	while (player_deadline(s->player) == 0) {
		int64_t start_ns = bench_now_ns();

		player_run(s->player, 0);
		longest_ms = fmax(longest_ms, since_ms(start_ns));
	}
	return longest_ms;
}

static void run_tape(size_t frames, size_t reasoning, const char *what)
{
	struct buf text;
	struct tape *tape = NULL;
	struct error err;
	struct seat seat;

	buf_init(&text, TAPE_LIMIT);
	write_tape(&text, frames, reasoning);
	bench_print_title("The player: a tape of %.0f MB with %zu frames, %s", (double)text.len / 1e6, frames, what);
	int64_t start_ns = bench_now_ns();
	if (!tape_from_text(&tape, buf_str(&text), &err))
		abort();
	bench_print("reading the tape", "", "%.0f ms", since_ms(start_ns));
	start_ns = bench_now_ns();
	seat_init(&seat, tape);
	seat_draw(&seat);
	bench_print("then the first screen", "50 ms", "%.1f ms", since_ms(start_ns));
	start_ns = bench_now_ns();
	player_pause(seat.player, true, 0);
	double longest_ms = decode_ahead(&seat);
	double decoded_ms = since_ms(start_ns);
	bench_print("decoding it ahead", "runs below 50 ms", "%.0f ms, %.0f MB/s, longest run %.0f ms", decoded_ms, (double)text.len / 1e3 / decoded_ms, longest_ms);
	start_ns = bench_now_ns();
	struct timeline timeline = { 0 };
	timeline_draw(&timeline, seat.player, 0, false, seat.canvas, (struct area){ 0, 0, 1, 120 });
	timeline_fini(&timeline);
	bench_print("its timeline, once for a width", "50 ms", "%.1f ms", since_ms(start_ns));
	jump(&seat, "jumps to anywhere, drawn at 120x50", "50 ms", anywhere);
	jump(&seat, "from the end to the start and back", "50 ms", from_end_to_start);
	jump(&seat, "back by 0.1 %", "50 ms", back_by_little);
	jump(&seat, "on by 0.1 %", "50 ms", on_by_little);
	seat_fini(&seat);
	tape_free(tape);
	buf_fini(&text);
}

void bench_player(bool quick)
{
	size_t frames = quick ? 100000 : 1000000;

	setlocale(LC_ALL, "C.UTF-8");
	run_tape(frames, frames / 10, "mostly text");
	run_tape(frames, frames * 9 / 10, "mostly reasoning");
}
