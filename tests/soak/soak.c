/*
 * One session on a pty for as long as $SOAK_SECONDS says, in rounds: turns of every kind and end, retries, menus, searches, programs
 * outside, windows that change. Each round begins a new conversation, so that the program may hold at its end what it held at the end
 * of the round before: memory that grows, or one more descriptor, is a leak.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "app/stage.h"
#include "store/files/prompts.h"
#include "support/check.h"
#include "support/home.h"

#define SECONDS_DEFAULT 600
#define ROWS 60
#define COLUMNS 100
#define REPORT_S 30
#define ROUNDS_LEAST 8
/*
 * What the allocator may hold more at the end of one round than at that of another, for it is asked in another order when bytes
 * come in other pieces. Two thousand turns make a few KB; what grows by 120 bytes a turn is over it in ten minutes.
 */
#define GROWTH_MOST_KB 128

#define PAGE \
	"Lanterns and *what* they **cost**:\n\n| kind | price |\n|---|---:|\n| amber | 12 |\n| pearl | 7 |\n\n" \
	"```c\nint lantern(int oil)\n{\n\treturn oil * 2; /* amber */\n}\n```\n\n1. one\n2. two $x^2$\n\n> a quote with a [link](https://example.org/amber)\n\n" \
	"Wide: \xE7\x81\xAF\xE7\xB1\xA0, joined: \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC, hostile: \x1B]0;t\x07 \xE2\x80\xAE.\n\nThe end of it."
#define CALL \
	"{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look_up\",\"arguments\":\"{\\\"city\\\": \\\"Porto\\\"}\"}}]}"
#define BUSY "{\"error\":{\"message\":\"The model is overloaded.\",\"type\":\"overloaded_error\"}}"
#define MODELS "{\"object\":\"list\",\"data\":[{\"id\":\"m-1\"},{\"id\":\"grand-large\"},{\"id\":\"petit\"}]}"
#define TAPE \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"provider\":\"far\",\"model\":\"asked\",\"started\":\"2020-02-03T04:05:06Z\"}\n" \
	"{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n" \
	"{\"t\":2,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"one \\\"}}]}\\n\\n\"}\n" \
	"{\"t\":3,\"body\":\"data: [DONE]\\n\\n\"}\n{\"t\":4,\"end\":\"closed\"}\n"

static unsigned turns;

/* --- what is done in a round: each leaves the input empty and nothing open --- */

/* Waits before anything is sent behind it: lines that come at once are a paste. */
static void command(struct stage *s, const char *line)
{
	pty_send(s->pty, line);
	pty_send(s->pty, "\r");
	pty_settle(s->pty);
}

static void turn(struct stage *s, const char *prompt, const char *answer)
{
	turns++;
	stage_turn(s, prompt, answer);
}

static void begin(struct stage *s, const char *prompt)
{
	turns++;
	stage_begin(s, prompt);
}

static void read_pages(struct stage *s)
{
	turn(s, "what do lanterns cost?", PAGE);
	turn(s, "and again", "Certainly:\n\n" PAGE);
	pty_send(s->pty, K_PGUP K_PGUP K_PGUP K_ALT("m") K_ALT("m") K_END);
	pty_settle(s->pty);
}

static void think_and_call(struct stage *s)
{
	begin(s, "look it up");
	for (unsigned i = 0; i < 40; i++)
		hand_reasoning(s->server, "A quiet thought of some length, and one more.\n");
	hand_delta(s->server, CALL);
	hand_finish(s->server, "tool_calls");
	PTY_SEES(s->pty, "The model asks for 1 tool call.");
	STAGE_STATE(s, "ready");
	pty_send(s->pty, K_ALT("a"));
	PTY_SEES(s->pty, "Tool call 1 of 1");
	pty_send(s->pty, "sunny\r");
	hand_say(s->server, "Sun in Porto.");
	PTY_SEES(s->pty, "Sun in Porto.");
	STAGE_OVER(s);
	pty_send(s->pty, K_CTRL('t'));
	pty_send(s->pty, K_CTRL('t'));
}

static void lose_the_connection(struct stage *s)
{
	begin(s, "cut me off");
	hand_text(s->server, "Half of an ans");
	PTY_SEES(s->pty, "Half of an ans");
	hand_close(s->server);
	PTY_SEES(s->pty, "Alt-r retry");
	STAGE_OVER(s);
	pty_send(s->pty, K_ALT("r"));
	hand_say(s->server, "Whole again.");
	PTY_SEES(s->pty, "Whole again.");
	STAGE_OVER(s);
}

static void meet_errors(struct stage *s)
{
	begin(s, "fail in the middle");
	hand_text(s->server, "So far.");
	hand_send(s->server, "data: " BUSY "\n\n");
	hand_close(s->server);
	PTY_SEES(s->pty, "overloaded");
	STAGE_OVER(s);
	command(s, "\x15/new");
	turns++;
	stage_ask(s, "be refused");
	hand_reply(s->server, 400, "application/json", "{\"error\":{\"message\":\"No such parameter.\"}}");
	PTY_SEES(s->pty, "No such parameter.");
	PTY_SEES(s->pty, "> be refused");
}

static void be_asked_again(struct stage *s)
{
	turns++;
	stage_ask(s, "be busy");
	hand_reply(s->server, 503, "application/json\r\nRetry-After-Ms: 10", BUSY);
	hand_say(s->server, "Third time lucky.");
	PTY_SEES(s->pty, "Third time lucky.");
	STAGE_OVER(s);
}

static void stop_it(struct stage *s)
{
	begin(s, "go on for ever");
	hand_text(s->server, "For ever");
	PTY_SEES(s->pty, "For ever");
	pty_send(s->pty, K_ESC);
	hand_is_left(s->server);
	PTY_SEES(s->pty, "You stopped the answer");
}

static void resize_while_it_streams(struct stage *s)
{
	static const unsigned sizes[][2] = { { 12, 40 }, { 50, 160 }, { 3, 10 }, { 30, 100 }, { 1, 1 }, { ROWS, COLUMNS } };

	begin(s, "many rows");
	for (unsigned i = 0; i < 24; i++) {
		stage_rows(s, 1 + i * 25, 25);
		pty_resize(s->pty, sizes[i % 6][0], sizes[i % 6][1]);
		pty_pump(s->pty);
	}
	hand_finish(s->server, "stop");
	PTY_SEES(s->pty, "row 600");
	STAGE_OVER(s);
}

static void search(struct stage *s)
{
	turn(s, "what do lanterns cost?", PAGE);
	pty_send(s->pty, K_CTRL('f'));
	pty_send(s->pty, "amber");
	PTY_SEES(s->pty, "3 of 3");
	pty_send(s->pty, "\rnnNN" K_ESC);
	PTY_LOSES(s->pty, "n older");
	pty_send(s->pty, K_ALT("v"));
	PTY_SEES(s->pty, "o other end");
	pty_send(s->pty, K_UP K_UP K_ESC);
	PTY_LOSES(s->pty, "o other end");
	pty_send(s->pty, K_ESC);
	PTY_LOSES(s->pty, "Esc back");
}

static void look_at_menus(struct stage *s)
{
	static const char *const openers[] = { K_F1, "\x10", K_F3, K_F4, K_F5, "\x0F" };
	static const char *const commands[] = { "/theme light", "/theme default", "/thoughts folded", "/thoughts pane", "/copy", "/copy code" };

	turn(s, "what do lanterns cost?", PAGE);
	for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
		pty_send(s->pty, openers[i]);
		PTY_SEES(s->pty, "Esc back");
		pty_send(s->pty, K_DOWN K_PGDN K_ESC);
		PTY_LOSES(s->pty, "Esc back");
	}
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		command(s, commands[i]);
}

static void change_the_model(struct stage *s)
{
	static bool is_known;

	pty_send(s->pty, K_F2);
	PTY_SEES(s->pty, "Esc back");
	if (is_known)
		pty_send(s->pty, K_CTRL('r'));
	is_known = true;
	hand_accept(s->server);
	hand_reply(s->server, 200, "application/json", MODELS);
	PTY_SEES(s->pty, "petit");
	pty_send(s->pty, "petit\r");
	PTY_SEES(s->pty, "hand \u00b7 petit");
	turn(s, "who are you?", "Petit.");
	command(s, "/model m-1");
	PTY_SEES(s->pty, "hand \u00b7 m-1");
}

static void ask_the_demo(struct stage *s)
{
	command(s, "/provider demo");
	PTY_SEES(s->pty, "demo \u00b7 demo-1");
	turns++;
	pty_send(s->pty, "hello\r");
	PTY_SEES(s->pty, "Esc stop");
	pty_send(s->pty, K_ESC);
	PTY_LOSES(s->pty, "Esc stop");
	command(s, "\x15/provider hand");
	PTY_SEES(s->pty, "hand \u00b7 m-1");
}

static bool is_back(struct pty *p, const void *text)
{
	return pty_is_alternate(p) && pty_shows(p, text);
}

static void go_outside(struct stage *s)
{
	turn(s, "say something", "Something.");
	pty_send(s->pty, "/editor\r");
	PTY_WAIT(s->pty, is_back, "> written outside");
}

static void send_files(struct stage *s)
{
	static const char *const words[] = { "attach", "tools", "schema" };
	static const char *const files[] = { "note.txt", "tools.json", "schema.json" };
	char line[600];

	for (size_t i = 0; i < 3; i++) {
		snprintf(line, sizeof line, "/%s %s", words[i], home_path(s->home, files[i]));
		command(s, line);
	}
	turn(s, "read this", "{\"n\": 1}");
	command(s, "/tools");
	command(s, "/schema");
}

/* Ctrl-C empties the input. */
static void edit_much(struct stage *s)
{
	pty_paste(s->pty, PAGE PAGE PAGE);
	pty_send(s->pty, "and more\x17\x17\x19\x1F\x1F\x1F\x17one\ntwo" K_UP K_LEFT "\x0B\x19\x03");
	pty_settle(s->pty);
	pty_send(s->pty, K_CTRL('r'));
	PTY_SEES(s->pty, "earlier prompts");
	pty_send(s->pty, "lan" K_ESC);
	PTY_LOSES(s->pty, "earlier prompts");
}

/* Another process, which must end well; its tape is the session's own kind. */
static void replay(struct stage *s)
{
	struct pty *p = pty_start(&(struct pty_options){ .home = s->home, .arguments = LIST("replay", "--speed", "max", home_path(s->home, "a.tape")) });

	PTY_SEES(p, "at the end");
	pty_send(p, "q");
	PTY_ENDS(p, 0);
	PTY_RESTORED(p);
	pty_free(p);
}

static void (*const acts[])(struct stage *s) = {
	read_pages, think_and_call, lose_the_connection, meet_errors, be_asked_again, stop_it, resize_while_it_streams, search,
	look_at_menus, change_the_model, ask_the_demo, go_outside, send_files, edit_much, replay,
};

/* --- what the program holds --- */

struct sample { double s; unsigned turns; long rss_kb, descriptors; };

static struct sample samples[100000];
static size_t count;

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long rss_kb_of(int pid)
{
	char path[64], line[256];
	long kb = -1;

	snprintf(path, sizeof path, "/proc/%d/status", pid);
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file) && sscanf(line, "VmRSS: %ld", &kb) != 1)
		;
	if (file)
		fclose(file);
	return kb;
}

/* -1 where they may not be seen: the program closes its memory, and only root looks into it then. */
static long descriptors_of(int pid)
{
	char path[64];
	long found = 0;

	snprintf(path, sizeof path, "/proc/%d/fd", pid);
	DIR *folder = opendir(path);
	if (!folder)
		return -1;
	for (struct dirent *entry; (entry = readdir(folder));)
		found += *entry->d_name != '.';
	closedir(folder);
	return found;
}

static void tell(const struct sample *sample)
{
	printf("  %4.0f s  %6u turns  %6ld KB  %3ld descriptors\n", sample->s, sample->turns, sample->rss_kb, sample->descriptors);
}

static double mean_kb(size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += (double)samples[i].rss_kb;
	return sum / (double)(to - from);
}

/* The first third fills what fills once: caches and the allocator's spare blocks. */
static void check_samples(void)
{
	size_t from = count / 3, part = (count - from) / 3;

	CHECK(count >= ROUNDS_LEAST, "only %zu rounds: give it more seconds", count);
	if (count < ROUNDS_LEAST)
		return;
	double first = mean_kb(from, from + part), last = mean_kb(count - part, count);
	long least = samples[from].descriptors, most = least;
	for (size_t i = from; i < count; i++) {
		least = samples[i].descriptors < least ? samples[i].descriptors : least;
		most = samples[i].descriptors > most ? samples[i].descriptors : most;
	}
	printf("soak: %zu rounds, %u turns; after warm-up %.0f KB, at the end %.0f KB: %+.0f KB (at most %+d); descriptors %ld to %ld%s\n", count,
	       turns, first, last, last - first, GROWTH_MOST_KB, least, most, most < 0 ? " (not to be seen: only root may)" : "");
	CHECK(last - first <= GROWTH_MOST_KB, "memory grows");
	CHECK(least == most, "descriptors are not constant");
}

static double wanted_s(void)
{
	const char *text = getenv("SOAK_SECONDS");

	return text && atof(text) > 0 ? atof(text) : SECONDS_DEFAULT;
}

/* As many as are kept, so that those of this session take the place of others: this list is meant to grow up to there. */
static void write_prompts(const struct stage *s)
{
	struct buf lines;

	buf_init(&lines, 1 << 20);
	for (unsigned i = 0; i < PROMPTS_MOST; i++)
		buf_printf(&lines, "\"an old prompt, number %u\"\n", i);
	home_write(s->home, ".local/state/weir/prompts", buf_z(&lines));
	buf_fini(&lines);
}

static void a_session_stays_as_small_as_it_was(void)
{
	struct stage s;
	double start_s = now_s(), told_s = start_s - REPORT_S, end_s = start_s + wanted_s();

	stage_open(&s, &(struct stage_options){ .rows = ROWS, .columns = COLUMNS, .settings = "retries = 2\n",
	                                          .environment = LIST("VISUAL=echo written outside >", "PAGER=cat") });
	write_prompts(&s);
	home_write(s.home, "note.txt", "A note.\n");
	home_write(s.home, "a.tape", TAPE);
	home_write(s.home, "tools.json", "[{\"type\":\"function\",\"function\":{\"name\":\"look_up\",\"parameters\":{\"type\":\"object\"}}}]");
	home_write(s.home, "schema.json", "{\"type\":\"object\"}");
	while (now_s() < end_s && !pty_has_failed(s.pty) && count < sizeof samples / sizeof *samples) {
		for (size_t i = 0; i < sizeof acts / sizeof *acts && !pty_has_failed(s.pty); i++) {
			acts[i](&s);
			command(&s, "\x15/new");
		}
		samples[count++] = (struct sample){ now_s() - start_s, turns, rss_kb_of(pty_pid(s.pty)), descriptors_of(pty_pid(s.pty)) };
		if (now_s() - told_s >= REPORT_S)
			tell(&samples[count - 1]);
		told_s = now_s() - told_s >= REPORT_S ? now_s() : told_s;
	}
	printf("  the terminal got %.1f MB\n", (double)pty_output(s.pty).len / 1e6);
	check_samples();
	stage_close(&s);
}

int main(int argc, char **argv)
{
	static const struct test tests[] = { TEST(a_session_stays_as_small_as_it_was), { 0 } };
	static const struct suite soak = { "soak", tests };

	return check_run("soak", (const struct suite *const[]){ &soak, NULL }, argc, argv);
}
