/*
 * Golden screens of conversations: a turn receives deltas, the panes draw it, and the rows are compared with tests/golden.
 *
 * Each scene is drawn at 80x24 and 40x12, a wide one at 110x40, 160x40 and 200x60, with the program's panes except the input. There is no clock: every figure is computed from
 * the times of the deltas.
 */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "chat/conversation/conversation.h"
#include "chat/conversation/summary.h"
#include "support/check.h"
#include "support/golden.h"
#include "ui/dump.h"
#include "ui/pane/stack.h"
#include "ui/pane/status.h"
#include "ui/pane/transcript.h"
#include "wire/protocol/protocol.h"

struct scene {
	struct conversation *conversation;
	struct turn *turn;            /* the turn that receives the deltas */
	struct transcript *transcript;
	struct stack stack;
	double at_ms;
	enum view_state state;
	int64_t retry_ms;
	bool unfolded;
	enum reasoning_view reasoning;
	const char *needle;           /* needle of a search; NULL: no search */
	int step;                     /* search steps from the newest hit */
	unsigned text_width;          /* 0: no limit */
	unsigned queued;
};

/* --- deltas --- */

static void deliver(struct scene *s, struct delta delta)
{
	delta.at_ms = s->at_ms;
	meter_delta(&s->turn->meter, &delta);
	turn_delta(s->turn, &delta);
}

static void ask(struct scene *s, const char *prompt)
{
	struct turn *question = conversation_ask(s->conversation);

	turn_add(question, PART_TEXT, str_from(prompt), STR_NONE, STR_NONE);
	question->wall = 43440; /* 12:04 */
	s->turn = conversation_answer(s->conversation, STR("sansa"), protocol_find(STR("openai-chat")), STR("sansa-auto"));
	s->turn->wall = 43440;
	s->at_ms = 420;
	s->state = VIEW_STREAMING;
	deliver(s, (struct delta){ .kind = DELTA_BEGIN, .meta = { STR("chatcmpl-1"), STR("gpt-5.4-mini") } });
}

static void text(struct scene *s, double at_ms, const char *words)
{
	s->at_ms = at_ms;
	deliver(s, (struct delta){ .kind = DELTA_TEXT, .part = 1, .text = str_from(words) });
}

static void reasoning(struct scene *s, double at_ms, const char *words)
{
	s->at_ms = at_ms;
	deliver(s, (struct delta){ .kind = DELTA_REASONING, .text = str_from(words) });
}

static void call(struct scene *s, double at_ms, unsigned index, const char *name, const char *arguments)
{
	s->at_ms = at_ms;
	deliver(s, (struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { .index = index, .id = STR("call_1"), .name = str_from(name) } });
	deliver(s, (struct delta){ .kind = DELTA_TOOL_ARGUMENTS, .text = str_from(arguments), .tool = { .index = index } });
}

static void call_ends(struct scene *s, double at_ms, unsigned index, const char *arguments, bool valid)
{
	s->at_ms = at_ms;
	deliver(s, (struct delta){ .kind = DELTA_TOOL_END, .text = str_from(arguments), .tool = { .index = index, .valid = valid } });
}

/* Negative figures were never sent. */
static struct count count_of(int64_t number)
{
	return number < 0 ? (struct count){ 0 } : (struct count)COUNT_SENT(number);
}

static void usage(struct scene *s, int64_t in, int64_t cached, int64_t out, int64_t thought)
{
	deliver(s, (struct delta){ .kind = DELTA_USAGE, .usage.of = {
		[USAGE_PROMPT] = count_of(in), [USAGE_CACHED] = count_of(cached), [USAGE_TOTAL] = count_of(in + out),
		[USAGE_COMPLETION] = count_of(out), [USAGE_REASONING] = count_of(thought),
	} });
}

static void ends(struct scene *s, double at_ms, const char *reason, enum outcome outcome)
{
	s->at_ms = at_ms;
	s->state = VIEW_READY;
	if (reason)
		deliver(s, (struct delta){ .kind = DELTA_FINISH, .finish = { str_from(reason) } });
	deliver(s, (struct delta){ .kind = DELTA_END, .end = { outcome } });
}

static void fails(struct scene *s, double at_ms, struct error_report report)
{
	s->at_ms = at_ms;
	deliver(s, (struct delta){ .kind = DELTA_ERROR, .error = report });
	ends(s, at_ms, NULL, OUTCOME_ERROR);
}

/* --- scenes --- */

#define LOOK "Let me check the weather first. I'll look at rain and wind, since both matter on a bike:"

static void play_answer(struct scene *s)
{
	ask(s, "Does a weir hold water back?");
	text(s, 500, "It does, but never all of it. A weir is a low dam: the water behind it rises to its crest and flows over, evenly.\n\n");
	text(s, 900, "- it lifts the level upstream\n- it evens out the flow\n\t- and measures it\n");
	usage(s, 12, 8, 84, -1);
	ends(s, 1420, "stop", OUTCOME_COMPLETE);
}

static void play_reasoning(struct scene *s)
{
	ask(s, "What's the weather in Tokyo, and should I cycle to work?");
	reasoning(s, 600, "The user asks about cycling, so precipitation probability in the commute hours matters more than the daily total.\n\n");
	reasoning(s, 3250, "I should ask for hourly data if the tool offers it ...");
}

static void play_long_reasoning(struct scene *s)
{
	char line[64];

	ask(s, "Think long.");
	for (int i = 1; i <= 40; i++) {
		snprintf(line, sizeof line, "Thought number %d leads to the next.\n", i);
		reasoning(s, 500 + i * 50, line);
	}
}

static void play_tail(struct scene *s)
{
	play_long_reasoning(s);
	s->reasoning = REASONING_VIEW_TAIL;
}

static void play_line(struct scene *s)
{
	play_long_reasoning(s);
	s->reasoning = REASONING_VIEW_FOLDED;
}

static void play_hidden(struct scene *s)
{
	play_long_reasoning(s);
	s->reasoning = REASONING_VIEW_HIDDEN;
}

static void play_tail_over(struct scene *s)
{
	play_tail(s);
	text(s, 3000, "After all that thought: yes.");
}

static void play_call(struct scene *s)
{
	play_reasoning(s);
	text(s, 3620, LOOK);
	call(s, 4000, 0, "get_weather", "{\"city\": \"Tokyo\", \"unit\": \"cel");
	s->at_ms = 4400;
}

static void play_parallel_calls(struct scene *s)
{
	ask(s, "Weather in Lisbon, and a train to Porto?");
	text(s, 500, "Two questions, two tools.");
	call(s, 700, 0, "get_weather", "{\"city\": \"Lisbon\"}");
	call_ends(s, 900, 0, "{\"city\": \"Lisbon\"}", true);
	call(s, 1000, 1, "find_trains", "{\"from\": \"Lisbon Oriente\", \"to\": \"Por");
	s->at_ms = 1250;
}

static void play_tool_calls(struct scene *s)
{
	play_parallel_calls(s);
	call_ends(s, 1400, 1, "{\"from\": \"Lisbon Oriente\", \"to\": \"Porto\", \"changes\": [0, 1]}", true);
	usage(s, 97, 64, 78, -1);
	ends(s, 1500, "tool_calls", OUTCOME_TOOL_CALLS);
}

static void play_many_calls(struct scene *s)
{
	char city[64];

	ask(s, "Weather everywhere.");
	text(s, 500, "Six cities, six calls.");
	for (unsigned i = 0; i < 6; i++) {
		snprintf(city, sizeof city, "{\"city\": \"No. %u\", \"days\": [1, 2, %u%s", i, i, i % 2 ? "]}" : "");
		call(s, 700 + 100 * i, i, i == 4 ? "find_the_train_that_leaves_next" : "get_weather", city);
	}
	s->at_ms = 125250;
}

static void play_long_call(struct scene *s)
{
	ask(s, "Write the file.");
	call(s, 500, 0, "write_file", "{\"path\": \"notes.txt\", \"lines\": [");
	for (int i = 0; i < 400000; i++)
		deliver(s, (struct delta){ .kind = DELTA_TOOL_ARGUMENTS, .text = i % 100 ? STR("\"a line\", ") : STR("\"the hundredth line\", ") });
	s->at_ms = 9250;
}

static void play_found(struct scene *s)
{
	play_call(s);
	s->needle = "weather";
	s->step = -1;
}

static void play_found_live(struct scene *s)
{
	play_long_reasoning(s);
	s->needle = "number 3";
	s->step = -4;
}

static void play_unfolded(struct scene *s)
{
	play_call(s);
	call_ends(s, 4600, 0, "{\"city\":\"Tokyo\",\"unit\":\"celsius\",\"days\":[\"today\",\"tomorrow\"]}", true);
	ends(s, 4700, "tool_calls", OUTCOME_TOOL_CALLS);
	s->unfolded = true;
}

static void play_folded(struct scene *s)
{
	play_unfolded(s);
	s->unfolded = false;
}

static void play_results(struct scene *s)
{
	play_tool_calls(s);
	struct turn *results = conversation_ask(s->conversation);
	results->wall = 43440;
	turn_add(results, PART_TOOL_RESULT, STR("sunny, 24 degrees"), STR("call_1"), STR("get_weather"))->call = 0;
	struct part *skipped = turn_add(results, PART_TOOL_RESULT, STR(RESULT_SKIPPED), STR("call_2"), STR("find_trains"));
	skipped->call = 1;
	skipped->is_error = true;
	s->turn = conversation_answer(s->conversation, STR("sansa"), protocol_find(STR("openai-chat")), STR("sansa-auto"));
	s->turn->wall = 43440;
	s->state = VIEW_STREAMING;
	s->at_ms = 300;
	deliver(s, (struct delta){ .kind = DELTA_BEGIN, .meta = { STR("chatcmpl-2"), STR("sansa-auto") } });
	text(s, 400, "It is sunny in Lisbon.");
	ends(s, 700, "stop", OUTCOME_COMPLETE);
}

static void play_found_folded(struct scene *s)
{
	play_results(s);
	s->needle = "lisbon";
	s->step = -2;
}

/* It unfolds with its call, in the page before. */
static void play_found_result(struct scene *s)
{
	play_results(s);
	s->needle = "sunny";
	s->step = -1;
}

static void play_error(struct scene *s)
{
	ask(s, "Tell me everything.");
	text(s, 600, "Here is the beginning of an answer that will not end well.");
	fails(s, 900, (struct error_report){ STR("The server is overloaded."), STR("overloaded_error"), STR_NONE, 0 });
}

static void play_refused(struct scene *s)
{
	ask(s, "Tell me everything.");
	fails(s, 300, (struct error_report){ STR("Incorrect API key provided."), STR("authentication_error"), STR("invalid_api_key"), 401 });
}

static void play_cut(struct scene *s)
{
	ask(s, "Go on.");
	text(s, 600, LOOK);
	call(s, 800, 0, "get_weather", "{\"city\": \"To");
	call_ends(s, 900, 0, "{\"city\": \"To", false);
	ends(s, 900, NULL, OUTCOME_CUT);
}

static void play_cut_text(struct scene *s)
{
	ask(s, "Go on.");
	text(s, 600, "I would look at rain and wind, ");
	ends(s, 900, NULL, OUTCOME_CUT);
}

static void play_stalled(struct scene *s)
{
	ask(s, "Go on.");
	text(s, 600, "The server says this much and then falls silent.");
	ends(s, 300600, NULL, OUTCOME_STALLED);
}

static void play_cancelled(struct scene *s)
{
	ask(s, "Go on.");
	ends(s, 700, NULL, OUTCOME_CANCELLED);
}

static void play_continued(struct scene *s, bool by_words)
{
	play_cut_text(s);
	turn_continue(s->turn);
	s->turn->joints[0].by_words = by_words;
	s->state = VIEW_STREAMING;
	text(s, 400, "which is a pity, since both would have mattered.");
	ends(s, 900, "stop", OUTCOME_COMPLETE);
}

static void play_continued_in_words(struct scene *s)
{
	play_continued(s, true);
}

static void play_continued_without_seam(struct scene *s)
{
	play_continued(s, false);
}

static void play_edited(struct scene *s)
{
	play_cut_text(s);
	conversation_branch(s->conversation, NULL);
	play_answer(s);
}

static void play_retrying(struct scene *s)
{
	ask(s, "Go on.");
	turn_wait(s->turn, STR("HTTP 503 from sansa: The model is overloaded. Asking again in 3 s (1 of 2)."));
	s->state = VIEW_RETRYING;
	s->retry_ms = 2500;
}

static void play_recovered(struct scene *s)
{
	ask(s, "Go on.");
	deliver(s, (struct delta){ .kind = DELTA_NOTICE, .notice = { STR("retried"), STR("HTTP 503 from sansa: The model is overloaded; asked again after 0.4 s") } });
	deliver(s, (struct delta){ .kind = DELTA_NOTICE, .notice = { STR("retried"), STR("HTTP 503 from sansa: The model is overloaded; asked again after 3.2 s") } });
	deliver(s, (struct delta){ .kind = DELTA_NOTICE, .notice = { STR("retried"), STR("HTTP 502 from sansa; asked again after 3.4 s") } });
	text(s, 600, "It was only a moment.");
	ends(s, 700, "stop", OUTCOME_COMPLETE);
}

static void play_length(struct scene *s)
{
	ask(s, "Go on.");
	text(s, 600, "The most important thing about all this is");
	usage(s, 24, 0, 80, -1);
	ends(s, 800, "max_tokens", OUTCOME_LENGTH);
}

static void play_filtered(struct scene *s)
{
	ask(s, "Go on.");
	s->at_ms = 600;
	deliver(s, (struct delta){ .kind = DELTA_REFUSAL, .text = STR("I am sorry, but I will not help with that.") });
	ends(s, 800, "refusal", OUTCOME_FILTERED);
}

static void play_paused(struct scene *s)
{
	ask(s, "Go on.");
	text(s, 600, "I have searched half of it.");
	ends(s, 800, "pause_turn", OUTCOME_PAUSED);
}

static void play_routed(struct scene *s)
{
	ask(s, "Who answers?");
	deliver(s, (struct delta){ .kind = DELTA_ROUTE, .route = { 1, STR("openai/gpt-5.4-mini"), 287 } });
	text(s, 600, "A router chose the model for this answer.");
	s->at_ms = 1000;
}

static void cite(struct scene *s, const char *url, const char *title, int64_t end)
{
	deliver(s, (struct delta){ .kind = DELTA_CITATION, .part = DELTA_NO_PART, .citation = {
		.url = str_from(url), .title = str_from(title), .unit = end ? CITATION_CHARACTERS : CITATION_NO_PLACE, .end = end } });
}

static void play_sources(struct scene *s)
{
	ask(s, "Should I cycle?");
	text(s, 600, "Rain begins at five. Take the **train**, which leaves at ten past five.\n\n```sh\nls\n```\n");
	cite(s, "https://www.jma.go.jp/bosai/forecast/", "Tokyo forecast", 20);
	cite(s, "https://tokyometro.jp@evil.example/x", "Timetable\n\x1b[31m of the Tozai line", 71);
	cite(s, "https://www.jma.go.jp/bosai/forecast/", "Tokyo forecast", 71);
	cite(s, "javascript:alert(1)", "Press me", 0);
	cite(s, "", "A document without an address", 79);
	ends(s, 900, "stop", OUTCOME_COMPLETE);
}

static void play_many_sources(struct scene *s)
{
	char url[64], title[32];

	ask(s, "Which masts are tall?");
	text(s, 600, "These are.");
	for (int i = 1; i <= 9; i++) {
		snprintf(url, sizeof url, "https://mast-%d.example/", i);
		snprintf(title, sizeof title, "The mast %d of a long row", i);
		cite(s, url, title, 0);
	}
	ends(s, 900, "stop", OUTCOME_COMPLETE);
}

static void play_unfolded_sources(struct scene *s)
{
	play_many_sources(s);
	s->unfolded = true;
}

static void play_summary(struct scene *s)
{
	ask(s, SUMMARY_WORDS);
	text(s, 600, "## What was asked\n\n- the height of a mast\n- which boats have one\n");
	ends(s, 900, "stop", OUTCOME_COMPLETE);
}

static void play_unfolded_summary(struct scene *s)
{
	play_summary(s);
	s->unfolded = true;
}

static void play_wide(struct scene *s)
{
	ask(s, "\u6c34\u3068\u306f\u4f55\u3067\u3059\u304b\uff1f");
	text(s, 600, "\u5c4f\u5e55\u4e0a\u7684\u6bcf\u4e2a\u6c49\u5b57\u5360\u4e24\u683c\u3002\u7ec8\u7aef\u53ea\u8ba4\u683c\u5b50\uff0c\u4e0d\u8ba4\u5b57\uff0c"
	             "\u6240\u4ee5\u6392\u7248\u65f6\u8981\u5148\u91cf\u597d\u5bbd\u5ea6\uff0c\u518d\u51b3\u5b9a\u5728\u54ea\u91cc\u6362\u884c\u3002\n\n"
	             "\u5ddd\u306e\u6c34\u304c\u6d41\u308c\u308b\u3088\u3046\u306b\u3001\u6587\u5b57\u306f\u4e00\u3064\u305a\u3064\u5c4a\u304d\u307e\u3059\u3002\n\n"
	             "\U0001F30A a wave, \U0001F469\u200D\U0001F680 an astronaut, \U0001F1EF\U0001F1F5 a flag, e\u0301 one letter.");
	ends(s, 900, "stop", OUTCOME_COMPLETE);
}

static void media(struct scene *s, enum delta_kind kind, struct delta_media media, const char *words)
{
	deliver(s, (struct delta){ .kind = kind, .text = str_from(words), .media = media });
}

static void server_tool(struct scene *s, double at_ms, enum delta_kind kind, const char *words, struct delta_server_tool tool)
{
	s->at_ms = at_ms;
	deliver(s, (struct delta){ .kind = kind, .text = str_from(words), .server_tool = tool });
}

/* No terminal here decodes pictures: their lines stand alone. */
static void play_media(struct scene *s)
{
	static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x0c\x08\2\0\0\0";
	struct delta_media image = { .data = str_of(png, sizeof png - 1), .facts =
	                             { .kind = MEDIA_IMAGE, .type = STR("image/png"), .bytes = sizeof png - 1, .whole = true } };
	struct delta_media audio = { .index = 1, .data = STR("0123456789"), .facts =
	                             { .kind = MEDIA_AUDIO, .type = STR("audio/pcm;rate=2"), .bytes = 10, .whole = true } };
	struct delta_media file = { .index = 2, .facts = { .kind = MEDIA_FILE, .id = STR("cfile_m5b"), .whole = true } };
	struct delta_media cut = { .index = 3, .is_partial = true, .data = str_of(png, sizeof png - 1), .facts = { .kind = MEDIA_IMAGE, .type = STR("image/png"), .bytes = sizeof png - 1 } };

	ask(s, "Draw me a boat.");
	text(s, 500, "Here it is:\n");
	media(s, DELTA_MEDIA, image, "");
	media(s, DELTA_MEDIA_END, image, "A small red boat on a blue sea");
	media(s, DELTA_MEDIA, audio, "");
	media(s, DELTA_MEDIA_TEXT, audio, "Good morning, ");
	media(s, DELTA_MEDIA_END, audio, "Good morning, sailor. The tide is in.");
	media(s, DELTA_MEDIA_END, file, "squares.csv");
	media(s, DELTA_MEDIA, cut, "");
	media(s, DELTA_MEDIA_END, cut, "");
	ends(s, 1420, "stop", OUTCOME_COMPLETE);
}

static void play_server_tools(struct scene *s)
{
	struct delta_server_tool search = { .index = 0, .id = STR("ws_1"), .name = STR("web_search") };
	struct delta_server_tool code = { .index = 1, .name = STR("code_execution") };
	struct delta_server_tool fetch = { .index = 2, .name = STR("web_fetch") };

	ask(s, "Which is the tallest mast?");
	server_tool(s, 500, DELTA_SERVER_TOOL_BEGIN, "", search);
	server_tool(s, 600, DELTA_SERVER_TOOL_INPUT, "{\"query\":\"tallest mast\"}", search);
	search.state = SERVER_TOOL_COMPLETED;
	search.output = STR("[{\"url\":\"https://ships.example/masts\",\"title\":\"Masts\"},{\"url\":\"https://b.example/\"},{\"url\":\"https://c.example/\"}]");
	server_tool(s, 1700, DELTA_SERVER_TOOL_END, "{\"query\":\"tallest mast\"}", search);
	text(s, 1800, "I will compute it:\n");
	server_tool(s, 1900, DELTA_SERVER_TOOL_BEGIN, "", code);
	code.state = SERVER_TOOL_FAILED;
	code.output = STR("ZeroDivisionError\nline 1");
	server_tool(s, 2900, DELTA_SERVER_TOOL_END, "print(1 / 0)\nprint(2)", code);
	server_tool(s, 3000, DELTA_SERVER_TOOL_BEGIN, "", fetch);
	server_tool(s, 3100, DELTA_SERVER_TOOL_INPUT, "{\"url\":\"https://ships", fetch);
}

static void play_retried(struct scene *s)
{
	play_cut(s);
	conversation_branch(s->conversation, s->turn->parent);
	s->turn = conversation_answer(s->conversation, STR("sansa"), protocol_find(STR("openai-chat")), STR("sansa-auto"));
	s->turn->wall = 43500;
	s->state = VIEW_WAITING;
	s->at_ms = 250;
}

/* An increasing rate, then a pause. */
static void play_pace(struct scene *s)
{
	ask(s, "Tell me everything.");
	for (int i = 0; i < 60; i++)
		text(s, 700 + 2600 * sqrt(i / 60.0), "and some more words ");
	text(s, 4100, "and again ");
	s->at_ms = 4250;
}

static void play_course(struct scene *s)
{
	play_pace(s);
	usage(s, 12, -1, 301, -1);
	ends(s, 4300, "stop", OUTCOME_COMPLETE);
}

/* All that is live at once, and a table wider than the text. */
static void play_live(struct scene *s)
{
	ask(s, "Compare the trains and the bicycle.");
	s->text_width = 100;
	s->queued = 2;
	text(s, 500, "All that the timetables say, and what the weather does to them:\n\n"
	             "| from | to | leaves | what the operator says about it today | what the weather does to it | price |\n|---|---|--:|---|---|--:|\n"
	             "| Shibuya | Otemachi | 17:10 | runs on time, every four minutes | nothing at all, it is below | 180 |\n"
	             "| Shibuya | Tokyo | 17:12 | delayed by up to three minutes | leaves on the rails | 208 |\n\n"
	             "The train it is:\n\n```c\nint minutes_of_the_way(const struct train *train, const struct way *way, struct clock *now);\nint leaves;\n```\n\n"
	             "The names are long:\n\n```c\nint minutes_of_the_way(const struct train *train, const struct way *way, struct clock *now, "
	             "const struct weather *weather, unsigned flags);\nint leaves;\n```\n\nLet me look again.");
	call(s, 900, 0, "get_weather", "{\"city\": \"Tokyo\", \"unit\": \"cel");
	call(s, 1000, 1, "find_trains", "{\"from\": \"Shibuya\", \"to\": \"Tok");
	reasoning(s, 1100, "The user asks about cycling, so precipitation probability in the commute hours matters more than the daily total. ");
	reasoning(s, 3250, "I should compare the trains that leave around five ...");
}

/* --- drawing --- */

/* The program's stack without the input. No pane draws a focus. */
static void init_stack(struct scene *s)
{
	struct pane *status = pane_status_new();

	s->transcript = transcript_new();
	const struct stack_row rows[] = {
		{ transcript_pane(s->transcript), .share = STACK_REST }, { pane_reasoning_new(), .share = 3, .margin = 150 },
		{ pane_tools_new(), .share = 3, .margin = 150 }, { pane_queue_new(), .share = 3, .margin = 150 }, { status, .share = 1 },
	};
	stack_init(&s->stack, rows, sizeof rows / sizeof *rows, status);
}

static void draw(struct scene *s, struct canvas *canvas)
{
	struct turn *live = s->turn->ended ? NULL : s->turn;
	struct look look = { .reasoning = s->reasoning, .code_band = s->text_width, .text_width = s->text_width, .keys = { .palette = "Ctrl-P", .fold = "Ctrl-T", .details = "Ctrl-O", .retry = "Alt-r",
	                     .edit = "Alt-u", .proceed = "Alt-c", .answer = "Alt-a" } };
	struct view view = {
		.conversation = s->conversation, .live = live, .state = s->state, .at_ms = s->at_ms, .retry_ms = s->retry_ms,
		.provider = STR("sansa"), .model = STR("sansa-auto"), .protocol = STR("openai-chat"),
		.look = &look,
		.help_key = "?",
		.queued = s->queued,
		.queue = { { 1, STR("and on the way back, where the wind comes from ahead?"), 0 }, { 2, STR("write it as a table"), 1 } },
		.queued_keys = "Up edit",
	};

	if (s->needle) {
		transcript_search_begin(s->transcript, &view);
		transcript_search(s->transcript, &view, str_from(s->needle));
		for (int i = 0; i > s->step; i--)
			transcript_search_step(s->transcript, &view, -1);
		view.hits = transcript_marks(s->transcript);
	}
	canvas_clear(canvas);
	stack_layout(&s->stack, &view, canvas->rows, canvas->columns);
	if (s->unfolded)
		transcript_toggle_fold(s->transcript, &view);
	stack_draw(&s->stack, &view, canvas);
}

/* Widths depend on the locale, times on the time zone. */
static void set_place(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	setenv("TZ", "UTC", 1);
	tzset();
}

static void draw_scene(void (*play)(struct scene *s), unsigned rows, unsigned columns, struct buf *out)
{
	set_place();
	struct scene s = { .conversation = conversation_new() };
	struct canvas *canvas = canvas_new(rows, columns);
	init_stack(&s);
	play(&s);
	draw(&s, canvas);
	dump_canvas(canvas, true, out);
	stack_fini(&s.stack);
	canvas_free(canvas);
	conversation_free(s.conversation);
}

static void scenes_match(void)
{
	static const struct { const char *name; void (*play)(struct scene *s); } scenes[] = {
		{ "answer", play_answer },       { "reasoning", play_reasoning },   { "reasoning-long", play_long_reasoning },
		{ "call", play_call },           { "calls", play_parallel_calls },  { "tool-calls", play_tool_calls },
		{ "folded", play_folded },       { "unfolded", play_unfolded },     { "results", play_results },
		{ "error", play_error },         { "refused", play_refused },       { "cut", play_cut },
		{ "stalled", play_stalled },     { "cancelled", play_cancelled },   { "length", play_length },
		{ "filtered", play_filtered },   { "paused", play_paused },         { "routed", play_routed },
		{ "calls-many", play_many_calls }, { "call-long", play_long_call }, { "found", play_found },
		{ "found-live", play_found_live }, { "found-folded", play_found_folded }, { "found-result", play_found_result },
		{ "reasoning-tail", play_tail }, { "reasoning-folded", play_line }, { "reasoning-hidden", play_hidden },
		{ "reasoning-tail-over", play_tail_over },
		{ "sources", play_sources }, { "sources-many", play_many_sources }, { "sources-unfolded", play_unfolded_sources },
		{ "summary", play_summary }, { "summary-unfolded", play_unfolded_summary }, { "wide", play_wide },           { "retried", play_retried },
		{ "retrying", play_retrying },   { "recovered", play_recovered },
		{ "cut-text", play_cut_text },   { "edited", play_edited },
		{ "media", play_media }, { "server-tools", play_server_tools },
		{ "continued-in-words", play_continued_in_words }, { "continued-without-seam", play_continued_without_seam },
	};
	static const unsigned sizes[][2] = { { 24, 80 }, { 12, 40 } };
	char name[64];
	struct buf out;
	buf_init(&out, (size_t)1 << 20);
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
		for (size_t k = 0; k < 2; k++) {
			snprintf(name, sizeof name, "%s-%ux%u", scenes[i].name, sizes[k][1], sizes[k][0]);
			buf_clear(&out);
			draw_scene(scenes[i].play, sizes[k][0], sizes[k][1], &out);
			golden_check(name, buf_str(&out));
		}
	}
	buf_fini(&out);
}

/* From 150 columns on, live panes stand beside the text. */
static void wide_scenes_match(void)
{
	static const unsigned sizes[][2] = { { 40, 110 }, { 40, 160 }, { 60, 200 } };
	struct buf out;

	buf_init(&out, (size_t)1 << 20);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char name[64];

		snprintf(name, sizeof name, "live-%ux%u", sizes[i][1], sizes[i][0]);
		buf_clear(&out);
		draw_scene(play_live, sizes[i][0], sizes[i][1], &out);
		golden_check(name, buf_str(&out));
	}
	buf_fini(&out);
}

/* The fields that the status bar drops as the window narrows. */
static void narrow_status_bars_match(void)
{
	static void (*const plays[])(struct scene *s) = {
		play_call, play_answer, play_routed, play_long_reasoning, play_pace, play_course,
	};
	static const unsigned widths[] = { 140, 120, 100, 80, 60, 50, 40, 30, 20 };
	struct buf all, out;
	buf_init(&all, (size_t)1 << 20);
	buf_init(&out, (size_t)1 << 20);
	for (size_t i = 0; i < sizeof plays / sizeof *plays; i++) {
		for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
			struct str rest, row = STR("");

			buf_clear(&out);
			draw_scene(plays[i], 12, widths[k], &out);
			rest = buf_str(&out);
			for (int r = 0; r < 12; r++)
				CU_ASSERT_TRUE(str_split(&rest, '\n', &row));
			buf_printf(&all, "%.*s\n", STR_ARG(row));
		}
		buf_add_byte(&all, '\n');
	}
	golden_check("status", buf_str(&all));
	buf_fini(&all);
	buf_fini(&out);
}

const struct suite suite_golden = { "golden", (const struct test[]){
	TEST(scenes_match),
	TEST(wide_scenes_match),
	TEST(narrow_status_bars_match),
	{ 0 },
} };
