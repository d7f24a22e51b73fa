/*
 * Every command on the full screen, in every way it can be given: key, letter and slash word. The test walks the table of commands and
 * fails for a row without an act here.
 */
#include <stdio.h>
#include <string.h>

#include "app/command/command.h"
#include "program.h"
#include "stage.h"
#include "support/check.h"
#include "typing.h"

enum way { BY_KEY = 1, BY_LETTER = 2, BY_WORD = 4, ANY_WAY = 7 };
/* The screen: empty; a turn with everything that folds; a running turn; a waiting call; a long text; two answers to one prompt; a replay. */
enum scene { NEW, TURN, LIVE, CALL, LONG, BRANCHES, TAPE, TABLE };
enum end { GOES_ON, ENDS, STOPS };

struct act {
	const char *of;          /* the command's slash word, else its name in [keys] */
	enum way ways;           /* ways to test; 0: all */
	enum scene scene;
	const char *argument;    /* argument of the slash word; @ stands for the home folder */
	const char *before;      /* bytes sent before the command */
	const char *then;        /* bytes sent after the command */
	const char *sees;        /* text that appears */
	const char *wrote;       /* bytes that the terminal receives */
	enum end end;
};

#define VERSION(figures) "\u2039 " figures " \u203A"

static const struct act acts[] = {
	{ "new-line", .before = "one", .then = "two", .sees = "   two" },
	{ "page-up", .scene = LONG, .sees = "row 50" },
	{ "page-down", .scene = LONG, .before = K_HOME, .sees = "row 20" },
	{ "half-page-up", .scene = LONG, .sees = "row 56" },
	{ "half-page-down", .scene = LONG, .before = K_HOME, .sees = "row 18" },
	{ "to-start", .scene = LONG, .sees = "alpha" },
	{ "to-end", .scene = LONG, .before = K_HOME, .sees = "row 80" },
	{ "help", .sees = "Help" },
	{ "palette", .sees = "Commands" },
	{ "model", .sees = "fetching ..." },
	{ "protocol", .sees = "its default" },
	{ "provider", .sees = "openrouter" },
	{ "role", .sees = "A new role" },
	{ "parameters", .sees = "now not sent; a number from 0 to 2" },
	{ "template", .sees = "A new template" },
	{ "settings", .sees = "text_width" },
	{ "theme", .sees = "colour-blind" },
	{ "stop", .scene = LIVE, .sees = "You stopped the answer" },
	{ "retry", .scene = TURN, .sees = VERSION("2/2") },
	{ "continue", .scene = TURN, .sees = "there is no broken answer to continue" },
	{ "edit", .scene = TURN, .sees = "Enter sends it in place of the old one" },
	{ "older-version", .scene = BRANCHES, .sees = VERSION("1/2") },
	{ "newer-version", .scene = BRANCHES, .before = K_ALT("<"), .sees = VERSION("2/2") },
	{ "tree", .scene = BRANCHES, .sees = "l label" },
	{ "resume", .sees = "no conversation is stored yet" },
	{ "rename", .scene = TURN, .argument = " Some words", .sees = "the title is Some words" },
	{ "undo", .scene = TURN, .sees = "there is nothing to undo" },
	{ "compact", .scene = TURN, .sees = "there is one exchange only" },
	{ "compare", .scene = TURN, .argument = " hand/a,hand/b", .sees = "2 of 2 under way" },
	{ "answer", .scene = CALL, .sees = "Tool call 1 of 1" },
	{ "details", .scene = TURN, .sees = "Details of the last turn" },
	{ "request", .scene = TURN, .sees = "Request of the last turn" },
	{ "inspect", .scene = TURN, .sees = "Esc close" },
	{ "findings", .scene = TURN, .sees = "Esc close" },
	{ "replay", .scene = TURN, .sees = "q leave" },
	{ "cost", .scene = TURN, .sees = "Last answer" },
	{ "messages", .scene = TURN, .before = "/thoughts nosuch\r", .sees = " error " },
	{ "fold", .scene = TURN, .sees = "   A quiet thought." },
	{ "raw", .scene = TURN, .sees = "**words**" },
	{ "wrap", .sees = "long lines of code are cut" },
	{ "copy", .scene = TURN, .sees = "sent the answer, ", .wrote = "\x1B]52;c;" },
	{ "copy-code", .scene = TURN, .sees = "sent the code block, 7 characters, to the terminal", .wrote = "\x1B]52;c;aW50IGE7Cg==\a" },
	{ "select", .scene = TURN, .sees = "o other end" },
	{ "search", .scene = TURN, .sees = "Esc back" },
	{ "older-hit", .scene = LONG, .before = "\x06row 1\r", .sees = "10 of 11" },
	{ "newer-hit", .scene = LONG, .before = "\x06row 1\r", .sees = "there is no newer hit" },
	{ "columns-left", .scene = TABLE, .before = K_RIGHT, .sees = "\u2502 first_measurement_of" },
	{ "columns-right", .scene = TABLE, .sees = "\u2502 \u2039second_measurement_of" }, /* a column is whole or not there */
	{ "previous-turn", .scene = LONG, .sees = "row 12" },
	{ "next-turn", .scene = LONG, .before = K_HOME, .sees = "row 12" },
	{ "previous-code", .scene = LONG, .sees = "int a;" },
	{ "next-code", .scene = LONG, .before = K_HOME, .sees = "int a;" },
	{ "previous-fold", .scene = TURN, .sees = "there is no reasoning, call or item above" },
	{ "next-fold", .scene = TURN, .sees = "there is no reasoning, call or item below" },
	{ "previous-error", .scene = LONG, .sees = "reached its token limit" },
	{ "next-error", .scene = LONG, .before = K_HOME, .sees = "row 14" },
	{ "mouse", .sees = "the mouse is the terminal's", .wrote = "\x1B[?1000l" },
	{ "id", .scene = TURN, .sees = "sent the response id chatcmpl-hand to the terminal" },
	{ "new", .scene = TURN, .sees = "a new conversation" },
	{ "private", .sees = "hand  private" },
	{ "attach-mention", .before = "\x1B[200~read @~/note.txt\x1B[201~", .sees = "goes with the next prompt" },
	{ "attach", .argument = " @/note.txt", .sees = "goes with the next prompt" },
	{ "save", .scene = TURN, .argument = " @/note.html", .sees = "saved to" },
	{ "open", .sees = "no answer here holds a picture, a sound or a file" },
	{ "save-item", .sees = "no answer here holds a picture, a sound or a file" },
	{ "copy-item", .sees = "no answer here holds a picture, a sound or a file" },
	{ "paste", .sees = "no program here reads images from the clipboard" },
	{ "tools", .argument = " @/tools.json", .sees = "from the next turn on" },
	{ "schema", .argument = " @/schema.json", .sees = "from the next turn on" },
	{ "system", .argument = " Be brief.", .sees = "system prompt set" },
	{ "reasoning", .argument = " high", .sees = "reasoning high from the next turn on" },
	{ "server-tools", .argument = " image", .sees = "server tools image, from the next turn on" },
	{ "thoughts", .argument = " hidden", .sees = "reasoning: hidden" },
	{ "prompts", .scene = TURN, .sees = "earlier prompts" },
	{ "editor", .sees = "> written outside" },
	{ "next-pane", .scene = TURN, .then = "d", .sees = "Details of the last turn" },
	{ "previous-pane", .scene = TURN, .then = "d", .sees = "Details of the last turn" },
	{ "pause", .scene = TAPE, .sees = "paused" },
	{ "step", .scene = TAPE, .before = " ", .sees = "one two" },
	{ "back", .scene = TAPE, .before = " ", .sees = "frame 0 of 2" },
	{ "seek", .scene = TAPE, .before = " ", .argument = " 50%", .sees = "50.001 s of 100.002 s" },
	{ "speed", .scene = TAPE, .argument = " max", .sees = "one two" },
	{ "redraw", .wrote = "\x1B[2J" },
	{ "suspend", .end = STOPS },
	{ "quit", .ways = BY_WORD | BY_KEY, .end = ENDS },
	{ "quit", .ways = BY_LETTER, .scene = TAPE, .end = ENDS },
};

#define TAPE_TEXT \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"provider\":\"far\",\"model\":\"asked\",\"started\":\"2020-02-03T04:05:06Z\"}\n" \
	"{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n" \
	"{\"t\":2,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"one \\\"}}]}\\n\\n\"}\n" \
	"{\"t\":100000,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"two\\\"}}]}\\n\\n\"}\n" \
	"{\"t\":100002,\"end\":\"closed\"}\n"

/* --- scenes --- */

static void set_turn(struct stage *s)
{
	stage_begin(s, "hello");
	hand_reasoning(s->server, "A quiet thought.");
	hand_text(s->server, "Some **words**.\n\n```c\nint a;\n```\n");
	hand_finish(s->server, "stop");
	PTY_SEES(s->pty, "int a;");
	STAGE_OVER(s);
}

/* A table wider than the screen. */
static void set_table(struct stage *s)
{
	stage_begin(s, "hello");
	hand_text(s->server, "| one | first_measurement_of | second_measurement_of | third_measurement_of | fourth_of_them |\n|-|-|-|-|-|\n| a | b | c | d | e |\n");
	hand_finish(s->server, "stop");
	PTY_SEES(s->pty, "\u203A");
	STAGE_OVER(s);
	PTY_SEES(s->pty, "Left Right columns");
}

static void set_live(struct stage *s)
{
	stage_begin(s, "hello");
	hand_text(s->server, "Much to say.");
	PTY_SEES(s->pty, "Much to say.");
}

static void set_call(struct stage *s)
{
	stage_begin(s, "hello");
	hand_delta(s->server, "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}");
	hand_finish(s->server, "tool_calls");
	PTY_SEES(s->pty, "The model asks for 1 tool call.");
}

static void set_long(struct stage *s)
{
	stage_begin(s, "alpha");
	hand_text(s->server, "First.");
	hand_finish(s->server, "length");
	PTY_SEES(s->pty, "reached its token limit");
	stage_begin(s, "beta");
	stage_rows(s, 1, 40);
	hand_text(s->server, "\n```c\nint a;\n```\n\n");
	stage_rows(s, 41, 40);
	hand_finish(s->server, "stop");
	PTY_SEES(s->pty, "row 80");
	STAGE_OVER(s);
}

static void set_branches(struct stage *s)
{
	set_turn(s);
	pty_send(s->pty, K_ALT("r"));
	hand_accept(s->server);
	hand_whole(s->server, "Other words.", "stop");
	PTY_SEES(s->pty, "Other words.");
	STAGE_OVER(s);
}

static void set_tape(struct stage *s)
{
	stage_drop(s);
	*s = (struct stage){ .pty = pty_start(&(struct pty_options){ .arguments = LIST("replay", folder_file("a.tape", TAPE_TEXT)) }) };
	PTY_SEES(s->pty, "playing");
	PTY_SEES(s->pty, "one");
}

static void set_scene(struct stage *s, enum scene scene)
{
	static void (*const setters[])(struct stage *s) = {
		[TURN] = set_turn, [LIVE] = set_live, [CALL] = set_call, [LONG] = set_long, [BRANCHES] = set_branches, [TAPE] = set_tape, [TABLE] = set_table,
	};
	stage_open(s, &(struct stage_options){ .script = STAGE_SHELL, .environment = LIST("VISUAL=echo written outside >", "PAGER=echo read outside") });
	home_write(s->home, "note.txt", "A note.\n");
	home_write(s->home, "tools.json", "[{\"type\":\"function\",\"function\":{\"name\":\"look_up\",\"parameters\":{\"type\":\"object\"}}}]");
	home_write(s->home, "schema.json", "{\"type\":\"object\"}");
	if (setters[scene])
		setters[scene](s);
}

/* --- acts --- */

static const char *name_of(const struct command *c)
{
	return c->name ? c->name : c->bound_as;
}

static const struct act *act_of(const struct command *c, enum way way)
{
	for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
		if (!strcmp(acts[i].of, name_of(c)) && (!acts[i].ways || acts[i].ways & way))
			return &acts[i];
	return NULL;
}

/* A replay has no input: slash words are typed into the palette. */
static void give_word(struct stage *s, const struct command *c, const struct act *act)
{
	const char *argument = act->argument ? act->argument : "", *at = strchr(argument, '@');
	char line[512];

	snprintf(line, sizeof line, "%s%s%.*s%s%s", act->scene == TAPE ? "\x10" : "/", c->name, (int)(at ? at - argument : 0), argument,
	         at ? "~/" : "", at ? at + 1 : argument);
	pty_enter(s->pty, line);
}

static void give(struct stage *s, const struct command *c, const struct act *act, enum way way, const char *key)
{
	char bytes[TYPING_BYTES];

	if (way == BY_LETTER && act->scene != TAPE)
		pty_send(s->pty, "\t");
	if (act->before) {
		pty_press(s->pty, act->before);
		pty_settle(s->pty);
	}
	CHECK(!act->sees || pty_hides(s->pty, act->sees), "%s: \"%s\" is not there before", act->of, act->sees);
	if (way == BY_KEY)
		pty_send(s->pty, typing(key, bytes));
	else if (way == BY_LETTER)
		pty_send(s->pty, (char[]){ c->letter, 0 });
	else
		give_word(s, c, act);
	if (act->then)
		pty_send(s->pty, act->then);
}

struct written { size_t start; const char *bytes; };

static bool has_written_since(struct pty *p, const void *ctx)
{
	const struct written *w = ctx;
	struct str later = str_skip(pty_output(p), w->start);

	return str_find(later, str_from(w->bytes)) < later.len;
}

static void check_act(const struct command *c, enum way way, const char *key)
{
	const struct act *act = act_of(c, way);
	struct stage s;

	CHECK(act != NULL, "no act of this table does \"%s\" (%s)", name_of(c), way == BY_KEY ? key : way == BY_LETTER ? "letter" : "word");
	if (!act)
		return;
	set_scene(&s, act->scene);
	size_t start = pty_output(s.pty).len;
	give(&s, c, act, way, key);
	if (act->sees)
		pty_wait(s.pty, pty_shows, act->sees, act->sees, __FILE__, __LINE__);
	if (act->wrote)
		pty_wait(s.pty, has_written_since, &(struct written){ start, act->wrote }, act->of, __FILE__, __LINE__);
	if (act->end == ENDS)
		PTY_ENDS(s.pty, 0);
	if (act->end == STOPS)
		STAGE_STOPS(&s);
	if (act->end != GOES_ON)
		PTY_RESTORED(s.pty);
	if (pty_has_failed(s.pty))
		printf("(the command \"%s\", given by %s)\n", act->of, way == BY_KEY ? key : way == BY_LETTER ? "its letter" : "its word");
	stage_drop(&s);
	if (act->scene == TAPE)
		folder_remove();
}

static void keys_do_what_they_say(void)
{
	for (size_t i = 0; command_at(COMMAND_SCREEN, i); i++)
		if (command_at(COMMAND_SCREEN, i)->key)
			check_act(command_at(COMMAND_SCREEN, i), BY_KEY, command_at(COMMAND_SCREEN, i)->key);
}

/* Those on an item of media: screen_media. */
static void letters_do_what_they_say(void)
{
	for (size_t i = 0; command_at(COMMAND_SCREEN, i); i++)
		if (command_at(COMMAND_SCREEN, i)->letter && !command_at(COMMAND_SCREEN, i)->on_item)
			check_act(command_at(COMMAND_SCREEN, i), BY_LETTER, NULL);
}

static void slash_words_do_what_they_say(void)
{
	for (size_t i = 0; command_at(COMMAND_SCREEN, i); i++)
		if (command_at(COMMAND_SCREEN, i)->name)
			check_act(command_at(COMMAND_SCREEN, i), BY_WORD, NULL);
}

/* What each command says that has nothing to act on yet. */
static const struct { const char *of, *sees; } idle[] = {
	{ "stop", "no answer is under way" },
	{ "retry", "there is nothing to retry yet" },
	{ "continue", "there is no broken answer to continue" },
	{ "edit", "there is no prompt to edit yet" },
	{ "answer", "no tool call waits for an answer" },
	{ "tree", "the conversation is empty" },
	{ "compact", "the conversation is empty" },
	{ "details", "there is no answer yet" },
	{ "request", "there is no answer yet" },
	{ "inspect", "there is no answer yet" },
	{ "findings", "there is no answer yet" },
	{ "replay", "there is no answer yet" },
	{ "fold", "there is no answer yet" },
	{ "copy", "there is no answer yet" },
	{ "select", "the conversation is empty" },
	{ "search", "the conversation is empty" },
	{ "id", "there is no answer yet" },
};

static const char *idle_words(const struct command *c)
{
	for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
		if (!strcmp(idle[i].of, name_of(c)))
			return idle[i].sees;
	return NULL;
}

/* It is no row of the palette then, but for those who type its name. */
static void what_has_nothing_to_act_on_says_so(void)
{
	struct stage s;
	char line[64];

	stage_open(&s, &(struct stage_options){ .rows = 50 });
	pty_send(s.pty, "\x10");
	PTY_SEES(s.pty, "/settings");
	for (size_t i = 0; command_at(COMMAND_SCREEN, i); i++) {
		const struct command *c = command_at(COMMAND_SCREEN, i);

		snprintf(line, sizeof line, "/%s ", c->name ? c->name : "");
		CHECK(!c->name || !c->can || pty_find_row(s.pty, line) < 0, "%s is offered", line);
	}
	pty_send(s.pty, "stop");
	PTY_SEES(s.pty, "not now");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Commands");
	for (size_t i = 0; command_at(COMMAND_SCREEN, i); i++) {
		const struct command *c = command_at(COMMAND_SCREEN, i);
		const char *sees = idle_words(c);

		if (!c->can)
			continue;
		CHECK(sees != NULL, "no row of this table has \"%s\"", name_of(c));
		snprintf(line, sizeof line, "/%s", c->name);
		pty_enter(s.pty, line);
		pty_wait(s.pty, pty_shows, sees ? sees : "", line, __FILE__, __LINE__);
		pty_enter(s.pty, "/reasoning low"); /* another message */
		PTY_SEES(s.pty, "reasoning low");
	}
	stage_close(&s);
}

/* Redrawing and suspending must work whatever is open. */
static void some_keys_work_whatever_is_open(void)
{
	static const char *const openers[] = { K_F1, "\x10", K_F5, "\x06", "x\x1B[D/the" };

	for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .script = STAGE_SHELL });
		pty_send(s.pty, openers[i]);
		PTY_REDRAWS(s.pty);
		pty_send(s.pty, K_CTRL('z'));
		STAGE_STOPS(&s);
		STAGE_GOES_ON(&s);
		PTY_REDRAWS(s.pty);
		stage_drop(&s);
	}
}

const struct suite suite_screen_commands = { "screen_commands", (const struct test[]){
	TEST(keys_do_what_they_say),
	TEST(letters_do_what_they_say),
	TEST(what_has_nothing_to_act_on_says_so),
	TEST(slash_words_do_what_they_say),
	TEST(some_keys_work_whatever_is_open),
	{ 0 },
} };
