/*
 * Every slash word of the linear mode and its output. The words are taken from /help. The test fails for a word without an act here,
 * and for a word of the full screen that is neither handled nor refused.
 */
#include <stdio.h>
#include <string.h>

#include "app/command/command.h"
#include "lines.h"
#include "program.h"
#include "support/check.h"

/* The conversation: empty; a turn with reasoning; a running turn; a waiting call; a replay. */
enum scene { NEW, TURN, LIVE, CALL, TAPE };

static const struct act {
	const char *word;
	enum scene scene;
	const char *argument; /* @ stands for the home folder */
	const char *says;     /* expected output; NULL: the program ends */
} acts[] = {
	{ "help", NEW, "", "A line is sent as a prompt." },
	{ "model", NEW, " m-9", "model m-9 from the next turn on." },
	{ "model", NEW, "", "The models of hand are being fetched." },
	{ "protocol", NEW, "", "1. openai-chat, its default, the current one" },
	{ "provider", NEW, "", "demo, ready" },
	{ "role", NEW, "", "There is no role. /role new makes one." },
	{ "role", NEW, " new", "A new role. An empty line keeps what is there" },
	{ "parameters", NEW, "", "temperature: now not sent. It can be a number from 0 to 2." },
	{ "parameters", NEW, " top_p 0.5", "top_p: 0.5, set here, from the next turn on." },
	{ "template", NEW, "", "There is no template." },
	{ "settings", NEW, "", "text_width: 100, default." },
	{ "theme", NEW, "", "There are no themes here" },
	{ "stop", LIVE, "", "You stopped the answer after" },
	{ "take-back", LIVE, "", "No prompt is queued." },
	{ "retry", TURN, "", "Status: waiting." },
	{ "continue", TURN, "", "There is no broken answer to continue" },
	{ "edit", TURN, "", "The last prompt is: hello" },
	{ "edit", TURN, " another", "Status: waiting." },
	{ "tree", TURN, "", "2. Answer of m-1, complete, now, current: Some words." },
	{ "tree", TURN, " 9", "/tree lists the turns with their numbers." },
	{ "tree", LIVE, " delete 1", "An answer is under way" },
	{ "resume", NEW, "", "o conversation is stored yet." },
	{ "rename", TURN, " Some words", "he title is Some words." },
	{ "rename", TURN, "", "he title is hello; /rename TITLE changes it." },
	{ "rename", NEW, "", "o title yet: the first prompt makes one; /rename TITLE sets another." },
	{ "rename", NEW, " Soda bread", "he title is Soda bread, from the first prompt on." },
	{ "undo", TURN, "", "There is nothing to undo" },
	{ "compact", TURN, "", "there is one exchange only" },
	{ "compare", TURN, "", "Name what to compare" },
	{ "compare", TURN, " hand/a,hand/b", "Asked at once: 1 hand/a, 2 hand/b." },
	{ "compare", NEW, " hand/a,hand/b", "Each prompt goes to all 2" },
	{ "answer", CALL, "", "Tool call 1 of 1. The model calls look" },
	{ "reasoning-text", TURN, "", "Reasoning 1:\r\nA quiet thought." },
	{ "calls", CALL, "", "Tool call 1, look:" },
	{ "details", TURN, "", "outcome: complete" },
	{ "request", TURN, "", "content-type: application/json" },
	{ "request", TURN, " curl", "curl -N --http1.1 'http://127.0.0.1:" },
	{ "request", TURN, " json", "\"content\": \"hello\"" },
	{ "request", TURN, " xml", "It can be curl, json or edit." },
	{ "inspect", TURN, "", "text, Some words" },
	{ "inspect", TURN, " 1", "\"content\":" },
	{ "inspect", TURN, " 0", "There is no frame 0: /inspect lists them, 1 to" },
	{ "inspect", TURN, " 99", "There is no frame 99: /inspect lists them, 1 to" },
	{ "findings", TURN, "", "breaks the promise: created is absent" },
	{ "cost", TURN, "", "Last answer" },
	{ "messages", NEW, "", "There was no message yet." },
	{ "id", TURN, "", "Response id: chatcmpl-hand" },
	{ "replay", TURN, "", "weir replay --plain '" },
	{ "new", TURN, "", "A new conversation" },
	{ "private", TURN, "", "Private from here on" },
	{ "attach", NEW, "", "/attach FILE adds a file to the next prompt." },
	{ "attach", NEW, " @/note.txt", "goes with the next prompt." },
	{ "attach", NEW, " @/", "Type the numbers of those to attach" },
	{ "attach", NEW, " last", "answer here holds" },
	{ "save", TURN, " @/note.html", "saved to" },
	{ "save", TURN, " @/note.txt", "exists" },
	{ "open", NEW, "", "No answer here holds a picture" },
	{ "paste", NEW, "", "No program here reads images from the clipboard" },
	{ "tools", NEW, " @/tools.json", "from the next turn on." },
	{ "schema", NEW, " @/schema.json", "from the next turn on." },
	{ "system", NEW, " Be brief.", "System prompt set" },
	{ "reasoning", NEW, " high", "reasoning high from the next turn on." },
	{ "server-tools", NEW, " image", "server tools image, from the next turn on." },
	{ "pause", TAPE, "", "Status: paused." },
	{ "step", TAPE, "", "two" },
	{ "seek", TAPE, " #3", "two" },
	{ "seek", TAPE, " -1", "In this mode a replay only goes on" },
	{ "speed", TAPE, " max", "two" },
	{ "quit", NEW, "", NULL },
	{ "quit", LIVE, "", NULL },
	{ "quit", TAPE, "", NULL },
};
#define ACTS (sizeof acts / sizeof *acts)

#define TAPE_TEXT \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"provider\":\"far\",\"model\":\"asked\",\"started\":\"2020-02-03T04:05:06Z\"}\n" \
	"{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n" \
	"{\"t\":2,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"One. \\\"}}]}\\n\\n\"}\n" \
	"{\"t\":100000,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"And two. \\\"}}]}\\n\\n\"}\n" \
	"{\"t\":100002,\"end\":\"closed\"}\n"

/* --- scenes --- */

static void set_turn(struct lines *l)
{
	lines_ask(l, "hello");
	hand_begin(l->server);
	hand_reasoning(l->server, "A quiet thought.");
	hand_text(l->server, "Some words.");
	hand_finish(l->server, "stop");
	SAYS(l, "m-1: Some words.");
	SAYS(l, "You: ");
}

static void set_live(struct lines *l)
{
	lines_ask(l, "hello");
	hand_begin(l->server);
	hand_text(l->server, "Much to say. ");
	SAYS(l, "Much to say. ");
}

static void set_call(struct lines *l)
{
	lines_ask(l, "hello");
	hand_begin(l->server);
	hand_delta(l->server, "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}");
	hand_finish(l->server, "tool_calls");
	SAYS(l, "The model asks for 1 tool call.");
	SAYS(l, "You: ");
}

static void set_tape(struct lines *l)
{
	lines_drop(l);
	*l = (struct lines){ .pty = pty_start(&(struct pty_options){ .columns = PTY_WIDE,
	                               .arguments = LIST("replay", "--plain", folder_file("a.tape", TAPE_TEXT)) }) };
	SAYS(l, "One. ");
}

static void set_scene(struct lines *l, enum scene scene)
{
	static void (*const setters[])(struct lines *l) = { [TURN] = set_turn, [LIVE] = set_live, [CALL] = set_call, [TAPE] = set_tape };
	lines_begin(l);
	home_write(l->home, "note.txt", "A note.\n");
	home_write(l->home, "tools.json", "[{\"type\":\"function\",\"function\":{\"name\":\"look_up\",\"parameters\":{\"type\":\"object\"}}}]");
	home_write(l->home, "schema.json", "{\"type\":\"object\"}");
	if (setters[scene])
		setters[scene](l);
}

/* --- words --- */

static void slash_words_are_answered(void)
{
	for (size_t i = 0; i < ACTS; i++) {
		const char *at = strchr(acts[i].argument, '@');
		struct lines l;
		char line[512];

		set_scene(&l, acts[i].scene);
		snprintf(line, sizeof line, "/%s%s%s%s\n", acts[i].word, at ? " " : acts[i].argument, at ? home_path(l.home, "") : "", at ? at + 1 : "");
		pty_send(l.pty, line);
		if (acts[i].says)
			SAYS(&l, acts[i].says);
		else
			PTY_ENDS(l.pty, 0);
		if (pty_has_failed(l.pty))
			printf("(the word %s)\n", acts[i].word);
		CHECK_PLAIN(pty_output(l.pty));
		lines_drop(&l);
		if (acts[i].scene == TAPE)
			folder_remove();
	}
}

static bool has_act(struct str word)
{
	for (size_t i = 0; i < ACTS; i++)
		if (str_is(word, acts[i].word))
			return true;
	return false;
}

static void no_word_that_help_tells_is_left_out(void)
{
	struct lines l;
	unsigned told = 0;

	lines_begin(&l);
	pty_send(l.pty, "/help\n");
	SAYS(&l, "/quit: ");
	struct str rest = pty_output(l.pty), line;
	while (str_split(&rest, '\n', &line)) {
		struct str word = str_head(str_skip(line, 1), str_find(str_skip(line, 1), STR(":")));

		word = str_head(word, str_find(word, STR(" ")));
		if (!str_starts(line, "/"))
			continue;
		told++;
		CHECK(has_act(word), "no act says /%.*s", STR_ARG(word));
	}
	CHECK(told > 15, "%u words", told);
	lines_close(&l);
}

static void words_of_the_full_screen_are_told_or_refused(void)
{
	struct lines l;

	lines_begin(&l);
	for (size_t i = 0; command_at(COMMAND_SCREEN, i); i++) {
		const char *name = command_at(COMMAND_SCREEN, i)->name;
		char line[64];

		if (!name || command_by_name(COMMAND_PLAIN, str_from(name)))
			continue;
		snprintf(line, sizeof line, "/%s\n", name);
		pty_send(l.pty, line);
		snprintf(line, sizeof line, "/%s belongs to the full screen.", name);
		SAYS(&l, line);
	}
	lines_close(&l);
}

/* What is taken back is printed and not sent; so is what a new conversation would have got. */
static void queued_prompts_are_given_back(void)
{
	struct lines l;

	set_scene(&l, LIVE);
	pty_send(l.pty, "second\n");
	SAYS(&l, "Queued: it is sent when the answer has ended.");
	pty_send(l.pty, "third\n");
	SAYS(&l, "Queued: it is sent when the answer has ended.");
	pty_send(l.pty, "/take-back\n");
	SAYS(&l, "Taken back, not sent:\r\nthird");
	pty_send(l.pty, "/new\n");
	SAYS(&l, "A new conversation");
	SAYS(&l, "Not sent, because the conversation they were queued for has ended:\r\nsecond");
	lines_ask(&l, "fourth");
	CHECK(strstr(hand_body(l.server), "fourth") && !strstr(hand_body(l.server), "second"), "%s", hand_body(l.server));
	lines_drop(&l);
}

const struct suite suite_plain_words = { "plain_words", (const struct test[]){
	TEST(slash_words_are_answered),
	TEST(no_word_that_help_tells_is_left_out),
	TEST(words_of_the_full_screen_are_told_or_refused),
	TEST(queued_prompts_are_given_back),
	{ 0 },
} };
