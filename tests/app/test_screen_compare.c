/* Several answers to one question at once, on the full screen: columns, what each can do alone, and what becomes of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "stage.h"
#include "support/check.h"
#include "support/golden.h"

#define VERSION(figures) "\u2039 " figures " \u203A"

/* The stage's server is that of the provider "hand"; the provider "two" has one of its own. */
struct pair { struct stage s; struct hand *two; };

static void pair_open_in(struct pair *p, unsigned rows, unsigned columns, const char *const *arguments, const char *const *environment)
{
	char more[256];

	p->two = hand_new();
	snprintf(more, sizeof more, "[provider two]\nbase_url = http://127.0.0.1:%u/v1\nauth = none\nretries = 0\nmodel = m-2\n", hand_port(p->two));
	stage_open(&p->s, &(struct stage_options){ .settings = more, .rows = rows, .columns = columns, .arguments = arguments, .environment = environment,
	                                               .turns = true });
}

static void pair_open(struct pair *p, unsigned rows, unsigned columns, const char *const *arguments)
{
	pair_open_in(p, rows, columns, arguments, NULL);
}

static void pair_close(struct pair *p)
{
	stage_close(&p->s);
	hand_free(p->two);
}

/* Asks both; their answers have begun. */
static void pair_begin(struct pair *p)
{
	pty_send(p->s.pty, "/compare hand/a,two which river?\r");
	hand_accept(p->s.server);
	hand_accept(p->two);
	hand_begin(p->s.server);
	hand_text(p->s.server, "The long river Amur");
	hand_begin(p->two);
	hand_text(p->two, "The short river Ob");
	PTY_SEES(p->s.pty, "The long river Amur");
	PTY_SEES(p->s.pty, "The short river Ob");
	PTY_SEES(p->s.pty, "2 of 2 under way");
}

static void pair_finish(struct pair *p)
{
	hand_finish(p->s.server, "stop");
	PTY_SEES_LATER(p->s.pty, "1 of 2 under way");
	hand_finish(p->two, "stop");
	PTY_SEES(p->s.pty, "2 answers");
}

static void answers_stream_side_by_side(void)
{
	struct pair p;
	unsigned rows[2], columns[2];

	pair_open(&p, 24, 100, NULL);
	pair_begin(&p);
	CHECK(stage_sent(&p.s, "which river?") && strstr(hand_body(p.two), "which river?"), "%s", hand_body(p.two));
	CHECK(strstr(hand_body(p.s.server), "\"a\"") && strstr(hand_body(p.two), "\"m-2\""), "%s", hand_body(p.two));
	CHECK(pty_find(p.s.pty, "The long", &rows[0], &columns[0]) && pty_find(p.s.pty, "The short", &rows[1], &columns[1]), "no columns");
	CHECK(rows[0] == rows[1] && columns[1] >= 50, "%u, %u", columns[0], columns[1]);
	PTY_SEES(p.s.pty, "streaming");
	pair_finish(&p);
	PTY_SEES(p.s.pty, "complete");
	pty_send(p.s.pty, "t");
	PTY_SEES(p.s.pty, "Compared");
	PTY_SEES(p.s.pty, "two/m-2   complete");
	PTY_SEES(p.s.pty, "time from the request to the first token");
	pty_send(p.s.pty, K_ESC);
	PTY_LOSES(p.s.pty, "Compared");
	PTY_REDRAWS(p.s.pty);
	pair_close(&p);
}

/* A tape of `words` words, one every `gap_ms`. */
static const char *tape_of(const char *name, unsigned words, unsigned gap_ms)
{
	struct buf text = { 0 };
	unsigned t = gap_ms;

	buf_add_z(&text, "{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n");
	for (unsigned i = 0; i < words; i++, t += gap_ms)
		buf_printf(&text, "{\"t\":%u,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"word%u \\\"}}]}\\n\\n\"}\n", t, i);
	buf_printf(&text, "{\"t\":%u,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{},\\\"finish_reason\\\":\\\"stop\\\"}],\\\"usage\\\":{\\\"prompt_tokens\\\":100,"
	           "\\\"completion_tokens\\\":%u,\\\"total_tokens\\\":%u}}\\n\\ndata: [DONE]\\n\\n\"}\n{\"t\":%u,\"end\":\"closed\"}\n", t, words, 100 + words, t);
	const char *path = folder_file(name, buf_z(&text));
	buf_fini(&text);
	return path;
}

/* Three servers: a fast one, a slow one, and one that falls silent. What each cost is named. */
static void lanes_have_speeds_of_their_own(void)
{
	struct program fast, slow;
	struct stage s;
	char urls[2][64], more[700];

	program_serve(&fast, urls[0], ARGS(tape_of("fast.tape", 50, 4)));
	program_serve(&slow, urls[1], ARGS(tape_of("slow.tape", 10, 60)));
	snprintf(more, sizeof more, "idle = 1\n[provider fast]\nbase_url = %s\nauth = none\n[provider slow]\nbase_url = %s\nauth = none\n"
	         "[price costly]\ninput = 1000\noutput = 2000\n", urls[0], urls[1]);
	stage_open(&s, &(struct stage_options){ .settings = more, .columns = 160, .rows = 30 });
	pty_send(s.pty, "/compare slow/cheap,fast/costly,hand/mute count\r");
	hand_accept(s.server);
	hand_begin(s.server);
	hand_text(s.server, "Well,");
	PTY_SEES(s.pty, "word49");
	PTY_SEES(s.pty, "The stream stalled");
	PTY_SEES(s.pty, "3 answers");
	pty_send(s.pty, "t");
	PTY_SEES(s.pty, "fast/costly  complete");
	PTY_SEES(s.pty, "slow/cheap   complete");
	PTY_SEES(s.pty, "hand/mute    stalled");
	PTY_SEES(s.pty, "~$0.20");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Compared");
	pty_send(s.pty, K_ESC); /* the first one that ended well goes on */
	STAGE_STATE(&s, "ready");
	PTY_SEES(s.pty, VERSION("1/3"));
	stage_close(&s);
	program_free(&fast);
	program_free(&slow);
	folder_remove();
}

static void an_option_sends_each_prompt_to_all(void)
{
	struct pair p;

	pair_open(&p, 24, 100, ARGS("--compare", "hand/a,two"));
	for (int round = 0; round < 3; round++) {
		if (round == 1) {
			pty_send(p.s.pty, K_ALT("u"));
			PTY_SEES(p.s.pty, "Enter sends it in place of the old one");
		}
		pty_send(p.s.pty, round == 1 ? "\r" : "which river?\r");
		hand_accept(p.s.server);
		hand_accept(p.two);
		hand_whole(p.s.server, "Amur.", "stop");
		hand_whole(p.two, "Ob.", "stop");
		PTY_SEES(p.s.pty, "2 answers");
		pty_send(p.s.pty, round == 2 ? "\t\r" : K_ESC);
		STAGE_STATE(&p.s, "ready");
	}
	pty_send(p.s.pty, "once\r");
	hand_accept(p.two);
	hand_whole(p.two, "Only one.", "stop");
	PTY_SEES(p.s.pty, "Only one.");
	STAGE_STATE(&p.s, "ready");
	pair_close(&p);
}

/* "/compare" alone: a list in which the model in use is marked at first, later those of the comparison before. */
static void a_menu_marks_what_is_compared(void)
{
	struct pair p;

	pair_open(&p, 24, 100, NULL);
	pty_send(p.s.pty, "/compare\r");
	hand_accept(p.s.server);
	hand_reply(p.s.server, 200, "application/json", "{\"object\":\"list\",\"data\":[{\"id\":\"m-1\"},{\"id\":\"petit\"}]}");
	PTY_SEES(p.s.pty, "hand/petit");
	PTY_SEES(p.s.pty, "1 of 6 marked");
	pty_send(p.s.pty, " ");
	PTY_SEES(p.s.pty, "0 of 6 marked");
	pty_send(p.s.pty, "\r");
	PTY_SEES(p.s.pty, "at least two");
	PTY_SEES(p.s.pty, "1 of 6 marked");
	pty_send(p.s.pty, "m-2 ");
	PTY_SEES(p.s.pty, "2 of 6 marked");
	pty_send(p.s.pty, "\r");
	PTY_SEES(p.s.pty, "each prompt goes to all 2");
	pty_send(p.s.pty, "which river?\r");
	for (int round = 0; round < 2; round++) {
		hand_accept(p.s.server);
		hand_accept(p.two);
		CHECK(strstr(hand_body(p.s.server), "\"m-1\"") && strstr(hand_body(p.two), "\"m-2\""), "%s", hand_body(p.two));
		hand_whole(p.s.server, "Amur.", "stop");
		hand_whole(p.two, "Ob.", "stop");
		PTY_SEES(p.s.pty, "2 answers");
		pty_send(p.s.pty, K_ESC);
		STAGE_STATE(&p.s, "ready");
		if (round)
			break;
		pty_send(p.s.pty, "/compare\r");
		PTY_SEES(p.s.pty, "2 of 6 marked");
		pty_send(p.s.pty, "\r");
	}
	pair_close(&p);
}

static void the_menu_takes_what_is_typed_and_six_at_most(void)
{
	struct pair p;

	pair_open(&p, 24, 100, NULL);
	pty_send(p.s.pty, "/compare\r");
	hand_accept(p.s.server);
	hand_reply(p.s.server, 404, "application/json", "{}");
	PTY_SEES(p.s.pty, "1 of 6 marked");
	for (char letter = 'c'; letter < 'h'; letter++) {
		char typed[] = { 'x', letter, ' ', '\0' }, row[] = "hand/x?";

		row[6] = letter;
		pty_send(p.s.pty, typed);
		PTY_WAIT(p.s.pty, pty_shows, row);
		pty_send(p.s.pty, "\x15");
		CU_ASSERT(pty_settle(p.s.pty));
	}
	PTY_SEES(p.s.pty, "6 of 6 marked");
	pty_send(p.s.pty, "xh ");
	PTY_SEES(p.s.pty, "at most 6");
	pty_send(p.s.pty, K_ESC);
	PTY_LOSES(p.s.pty, "6 of 6 marked");
	pair_close(&p);
}

/* --- looks --- */

/* Times and figures differ from run to run. */
static void mask_digits(char *text)
{
	for (; *text; text++)
		*text = *text >= '0' && *text <= '9' ? '#' : *text == '<' ? ' ' : *text; /* "<0.01 s" */
}

/* The figures of both are on the screen, where it has room for them. */
static bool has_figures(struct pty *p, const void *ctx)
{
	const char *bar = strstr(pty_dump(p), "\u2586");

	(void)ctx;
	return bar && (pty_rows(p) < 12 || strstr(strchr(bar, '\n'), "\u2586"));
}

static void columns_look_as_they_did(void)
{
	static const unsigned sizes[][2] = { { 40, 120 }, { 24, 80 }, { 12, 40 }, { 6, 20 } };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct pair p;
		char name[64], *dump;

		pair_open(&p, sizes[i][0], sizes[i][1], NULL);
		pty_send(p.s.pty, "/compare hand/a,two which river?\r");
		hand_accept(p.s.server);
		hand_accept(p.two);
		hand_begin(p.two);
		hand_text(p.two, "The **short** river Ob");
		hand_begin(p.s.server);
		hand_text(p.s.server, "The long river");
		PTY_SEES(p.s.pty, "The long river");
		CU_ASSERT(pty_settle(p.s.pty));
		pty_turn(p.s.pty, 10000);
		hand_text(p.two, " and what it passes on its way to the sea");
		hand_text(p.s.server, " Amur and its delta");
		PTY_SEES(p.s.pty, "delta");
		PTY_WAIT(p.s.pty, has_figures, NULL);
		CU_ASSERT(pty_settle(p.s.pty));
		dump = strdup(pty_dump(p.s.pty));
		mask_digits(dump);
		snprintf(name, sizeof name, "compare-%ux%u", sizes[i][1], sizes[i][0]);
		golden_check(name, str_from(dump));
		free(dump);
		PTY_REDRAWS(p.s.pty);
		pair_finish(&p);
		pair_close(&p);
	}
}

/* Bars are drawn for whatever number of tokens a server reports. */
static void a_huge_number_of_tokens_fits_in_a_bar(void)
{
	static const unsigned widths[] = { 97, 98, 99, 100, 101, 102, 103, 104 }; /* products of each remainder */

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		struct pair p;

		pair_open(&p, 24, widths[i], NULL);
		pty_send(p.s.pty, "/compare hand/a,two which river?\r");
		hand_accept(p.s.server);
		hand_accept(p.two);
		hand_counted(p.s.server, "Amur", HAND_USAGE(12, 4611686018427387904, ""));
		hand_counted(p.two, "Ob", HAND_USAGE(12, 9223372036854775807, ""));
		PTY_SEES(p.s.pty, "2 answers");
		PTY_REDRAWS(p.s.pty);
		pair_close(&p);
	}
}

/* The setting `sparkline` is auto there. */
static void bars_are_ascii_where_the_font_has_no_blocks(void)
{
	struct pair p;

	pair_open_in(&p, 24, 100, NULL, LIST("TERM=linux"));
	pair_begin(&p);
	pty_turn(p.s.pty, 1000);
	hand_text(p.s.server, ", and where it ends");
	PTY_SEES_LATER(p.s.pty, " ##########");
	CU_ASSERT_PTR_NULL(strstr(pty_dump(p.s.pty), "\u2586"));
	pair_finish(&p);
	pair_close(&p);
}

const struct suite suite_screen_compare = { "screen_compare", (const struct test[]){
	TEST(answers_stream_side_by_side), TEST(lanes_have_speeds_of_their_own), TEST(an_option_sends_each_prompt_to_all), TEST(a_menu_marks_what_is_compared),
	TEST(the_menu_takes_what_is_typed_and_six_at_most), TEST(a_huge_number_of_tokens_fits_in_a_bar), TEST(bars_are_ascii_where_the_font_has_no_blocks), TEST(columns_look_as_they_did), { 0 },
} };
