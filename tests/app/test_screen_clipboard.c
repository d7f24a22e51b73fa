/* Destinations of copied text: the terminal, clipboard programs, a command of the settings. The programs are scripts. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "app/screen/services/copying.h"
#include "stage.h"
#include "support/check.h"

#define OSC52 "\x1B]52;c;aGVsbG8gdGhlcmU=\a" /* "hello there" */
#define BOAT "iVBORw0KGgoAAAANSUhEUgAAABAAAAAMCAIAAADkharWAAAAH0lEQVR42mP4QCJgGMwaTshp4EH01KBhc4IkNBw0AAC9y2QUs9fyEwAAAABJRU5ErkJggg=="
#define TAKES "echo \"$0\" \"$@\" > \"$OUT/arguments\"\nenv > \"$OUT/environment\"\ncat > \"$OUT/text\"\n"
#define FAILS "cat > /dev/null\nexit 3\n"
#define HANGS "echo $$ > \"$OUT/pid\"\nsleep 1000\n"

/* A home folder with scripts. PATH has no other folder: which clipboard programs the host has does not matter. */
static char *home;
static char path[600], out[300];

static void open_with(struct stage *s, const char *top, const char *const *variables)
{
	const char *environment[8] = { path, out, "OPENAI_API_KEY=sk-not-for-others", "WEIR_API_KEY=sk-not-for-others" };

	for (size_t i = 0; variables && variables[i]; i++)
		environment[4 + i] = variables[i];
	stage_open(s, &(struct stage_options){ .top = top, .environment = environment, .turns = true });
	stage_turn(s, "question", "hello there");
}

static void begin(void)
{
	home = home_new();
	snprintf(path, sizeof path, "PATH=%s/bin", home);
	snprintf(out, sizeof out, "OUT=%s", home);
}

static void script(const char *name, const char *text)
{
	char file[80], all[400];

	snprintf(file, sizeof file, "bin/%s", name);
	snprintf(all, sizeof all, "#!/bin/sh\nPATH=/usr/bin:/bin\n%s", text);
	chmod(home_write(home, file, all), 0700);
}

static void check_file(const char *name, const char *expected)
{
	struct error err = { "" };
	struct buf text;

	buf_init(&text, 1 << 20);
	bool good = buf_read_file(&text, home_path(home, name), &err);
	CHECK(good && str_find(buf_str(&text), str_from(expected)) < text.len, "%s: %s has no %s", name, good ? buf_z(&text) : err.text, expected);
	buf_fini(&text);
}

static bool file_has(const char *name, const char *text)
{
	struct error err = { "" };
	struct buf bytes;

	buf_init(&bytes, 1 << 20);
	bool has = buf_read_file(&bytes, home_path(home, name), &err) && str_find(buf_str(&bytes), str_from(text)) < bytes.len;
	buf_fini(&bytes);
	return has;
}

static void end(struct stage *s)
{
	stage_close(s);
	home_free(home);
}

static void programs_are_given_the_text_beside_the_terminal(void)
{
	static const struct { const char *name, *variable, *arguments; } cases[] = {
		{ "wl-copy", "WAYLAND_DISPLAY=wayland-0", "wl-copy\n" }, { "xclip", "DISPLAY=:0", "xclip -selection clipboard\n" },
		{ "xsel", "DISPLAY=:0", "xsel --clipboard --input\n" }, { "pbcopy", "A=b", "pbcopy\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stage s;
		char says[100];

		begin();
		script(cases[i].name, TAKES);
		open_with(&s, NULL, LIST(cases[i].variable));
		pty_send(s.pty, "/copy\r");
		snprintf(says, sizeof says, "copied the answer, 11 characters, via %s and the terminal", cases[i].name);
		PTY_WAIT(s.pty, pty_tells, says);
		check_file("arguments", cases[i].arguments);
		check_file("text", "hello there");
		CHECK(!file_has("environment", "sk-not-for-others") && file_has("environment", "OUT="), "keys are not passed on");
		CHECK(pty_has_written(s.pty, OSC52), "%s", cases[i].name);
		end(&s);
	}
}

static void a_picture_goes_to_a_program_that_takes_its_type(void)
{
	static const struct { const char *name, *variable, *arguments; } cases[] = {
		{ "wl-copy", "WAYLAND_DISPLAY=wayland-0", "wl-copy --type image/png\n" },
		{ "xclip", "DISPLAY=:0", "xclip -selection clipboard -t image/png\n" }, { "xsel", "DISPLAY=:0", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stage s;
		char says[80];

		begin();
		script(cases[i].name, TAKES);
		open_with(&s, NULL, LIST(cases[i].variable));
		stage_begin(&s, "draw");
		hand_delta(s.server, "{\"images\":[{\"image_url\":{\"url\":\"data:image/png;base64," BOAT "\"}}]}");
		hand_finish(s.server, "stop");
		PTY_SEES(s.pty, "image 1  png  16x12  88 B");
		pty_send(s.pty, "/copy picture\r");
		snprintf(says, sizeof says, "copied image 1, 88 B, to the clipboard via %s", cases[i].name);
		PTY_WAIT(s.pty, pty_tells, cases[i].arguments ? says : "copied the line of image 1, 27 characters, via xsel and the terminal");
		if (cases[i].arguments) {
			check_file("arguments", cases[i].arguments);
			check_file("text", "\x89PNG\r\n");
		}
		end(&s);
	}
}

static void a_program_that_fails_leaves_it_to_the_next(void)
{
	struct stage s;

	begin();
	script("wl-copy", FAILS);
	script("xclip", "kill -9 $$\n");
	script("xsel", TAKES);
	open_with(&s, NULL, LIST("WAYLAND_DISPLAY=w", "DISPLAY=:0"));
	pty_send(s.pty, "/copy\r");
	PTY_SEES(s.pty, "copied the answer, 11 characters, via xsel and the terminal");
	script("xsel", FAILS);
	pty_send(s.pty, "/copy\r");
	PTY_WAIT(s.pty, pty_tells, "sent the answer, 11 characters, to the terminal (OSC 52); xsel failed (status 3)");
	end(&s);
}

/* As one in a forbidden folder of PATH: it is not there. */
static void a_program_that_may_not_be_run_is_passed_over(void)
{
	struct stage s;

	begin();
	chmod(home_write(home, "bin/xclip", TAKES), 0600);
	open_with(&s, NULL, LIST("DISPLAY=:0"));
	pty_send(s.pty, "/copy\r");
	PTY_SEES(s.pty, "sent the answer, 11 characters, to the terminal (OSC 52)");
	CHECK(pty_find_row(s.pty, "could not be started") < 0, "%s", pty_dump(s.pty));
	script("xsel", TAKES);
	pty_send(s.pty, "/copy\r");
	PTY_SEES(s.pty, "copied the answer, 11 characters, via xsel and the terminal");
	end(&s);
}

static void a_program_that_hangs_is_ended(void)
{
	struct stage s;

	begin();
	script("xclip", HANGS);
	open_with(&s, NULL, LIST("DISPLAY=:0"));
	pty_send(s.pty, "/copy");
	PTY_SEES(s.pty, "> /copy");
	pty_send(s.pty, "\r");
	PTY_LOSES(s.pty, "> /copy");
	pty_send(s.pty, "typed");
	PTY_SEES(s.pty, "> typed");
	PTY_SEES_LATER(s.pty, "sent the answer, 11 characters, to the terminal (OSC 52); xclip hung and was ended");
	struct error err = { "" };
	struct buf pid;
	buf_init(&pid, 100);
	/* On a slow machine its time may be over before it has written its id. */
	if (buf_read_file(&pid, home_path(home, "pid"), &err) && pid.len)
		CHECK(atoi(buf_z(&pid)) > 1 && kill(atoi(buf_z(&pid)), 0) != 0, "it is gone: %s", buf_z(&pid));
	buf_fini(&pid);
	end(&s);
}

static void tmux_has_a_command_for_it(void)
{
	struct stage s;

	begin();
	script("tmux", TAKES);
	open_with(&s, NULL, LIST("TMUX=/tmp/none,1,0"));
	pty_send(s.pty, "/copy\r");
	PTY_SEES(s.pty, "copied the answer, 11 characters, to the clipboard via tmux");
	check_file("arguments", "tmux load-buffer -w -\n");
	CU_ASSERT_FALSE(pty_has_written(s.pty, OSC52));
	script("tmux", "[ \"$2\" != -w ] || exit 1\ncat > \"$OUT/text\"\necho \"$@\" > \"$OUT/arguments\"\n");
	pty_send(s.pty, "/copy turn\r");
	PTY_SEES(s.pty, "copied the question and its answer, 21 characters, to the clipboard via tmux");
	check_file("arguments", "load-buffer -\n");
	script("tmux", FAILS);
	pty_send(s.pty, "/copy\r");
	PTY_WAIT(s.pty, pty_tells, "sent the answer, 11 characters, to the terminal (OSC 52); tmux failed (status 3)");
	CU_ASSERT(pty_has_written(s.pty, OSC52));
	CHECK(pty_has_written(s.pty, "\x1BPtmux;\x1B" OSC52 "\x1B\\"), "handed on");
	end(&s);
}

static void screen_hands_it_on(void)
{
	struct stage s;

	begin();
	open_with(&s, NULL, LIST("STY=1.pts"));
	pty_send(s.pty, "/copy\r");
	PTY_SEES(s.pty, "sent the answer, 11 characters, to the terminal (OSC 52)");
	CHECK(pty_has_written(s.pty, "\x1BP" OSC52 "\x1B\\"), "in a wrapping");
	end(&s);
}

static void the_setting_chooses(void)
{
	struct stage s;

	begin();
	script("xclip", TAKES);
	script("clip", TAKES);
	open_with(&s, "copy = osc52\n", LIST("DISPLAY=:0"));
	pty_send(s.pty, "/copy\r");
	PTY_SEES(s.pty, "sent the answer, 11 characters, to the terminal (OSC 52)");
	CU_ASSERT(pty_has_written(s.pty, OSC52) && !home_has(home, "text"));
	stage_close(&s);
	open_with(&s, "copy = clip --to \"my board; $HOME\"\n", LIST("DISPLAY=:0"));
	pty_send(s.pty, "/copy\r");
	PTY_SEES(s.pty, "copied the answer, 11 characters, to clip");
	check_file("arguments", "clip --to my board; $HOME\n");
	CU_ASSERT_FALSE(pty_has_written(s.pty, "\x1B]52;"));
	stage_close(&s);
	open_with(&s, "copy = no-such-clip\n", NULL);
	pty_send(s.pty, "/copy\r");
	PTY_SEES(s.pty, "nothing was copied: no-such-clip could not be started: No such file");
	CU_ASSERT_FALSE(pty_has_written(s.pty, "\x1B]52;"));
	end(&s);
}

static void a_program_takes_what_is_too_long_for_terminals(void)
{
	struct stage s;

	begin();
	script("xclip", TAKES);
	open_with(&s, NULL, LIST("DISPLAY=:0"));
	stage_turn_rows(&s, "rows", 30000);
	pty_send(s.pty, "/copy\r");
	PTY_SEES(s.pty, "copied the answer, 288,894 characters, to the clipboard via xclip");
	check_file("text", "\nrow 30000\n");
	CU_ASSERT_FALSE(pty_has_written(s.pty, "\x1B]52;"));
	end(&s);
}

static void what_was_copied_last_is_whole_when_one_leaves(void)
{
	struct stage s;

	begin();
	script("xclip", "sleep 0.1\ncat > \"$OUT/text\"\n");
	open_with(&s, NULL, LIST("DISPLAY=:0"));
	pty_send(s.pty, "/copy");
	PTY_SEES(s.pty, "> /copy");
	pty_send(s.pty, "\r");
	PTY_LOSES(s.pty, "> /copy");
	pty_send(s.pty, "\x04");
	PTY_ENDS(s.pty, 0);
	check_file("text", "hello there");
	pty_free(s.pty);
	hand_free(s.server);
	home_free(s.home);
	home_free(home);
}

/* Each word of /copy has a row. */
static const struct copies { const char *word, *says; } words[] = {
	{ "answer", "sent the answer, 63 characters, to" }, { "code", "sent the code block, 7 characters, to" },
	{ "table", "sent the table, as Markdown, 18 characters, to" },
	{ "turn", "sent the question and its answer, 67 characters, to" }, { "all", "sent the whole conversation, 82 characters, to" },
	{ "reasoning", "sent the reasoning, 4 characters, to" }, { "calls", "sent the tool calls, 8 characters, to" },
	{ "picture", "sent the line of image 1, 27 characters, to" }, { "id", "sent the response id chatcmpl-hand to" },
	{ "tape", "sent the path of the tape /" }, { "request", "sent the request's JSON, " }, { "curl", "sent the curl command, " },
};

/* And each key that copies: with the keys that lead there. NULL: it closes a sheet. */
static const struct copies keys[] = {
	{ "\ty", "sent the answer, 63 characters, to" }, { "\t\x19", "sent the answer, 63 characters, to" },
	{ "\x0Fy", "sent the response id chatcmpl-hand to" }, { "p", "sent the path of the tape /" }, { "oy", "sent the request's JSON, " },
	{ "c", "sent the curl command, " }, { K_ESC, NULL }, { K_ALT("v") "y", "sent 1 line, 6 characters, to" },
	{ "one two" "\x1B[1;2D\x19", "sent what is marked, 1 character, to" },
};

static void check_copies(struct stage *s, const char *typed, const char *says)
{
	pty_send(s->pty, typed);
	if (!says) {
		PTY_LOSES(s->pty, "Esc back");
		return;
	}
	PTY_WAIT(s->pty, pty_tells, says);
	PTY_WAIT(s->pty, pty_tells, "the terminal (OSC 52)");
}

static void every_copy_says_what_was_copied(void)
{
	const struct copying_word *word;
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	hand_reasoning(s.server, "why?");
	hand_text(s.server, "| a |\n|--:|\n| 1 |\n\n```c\nint a;\n```\n");
	hand_delta(s.server, "{\"images\":[{\"image_url\":{\"url\":\"data:image/png;base64," BOAT "\"}}]}");
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}");
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	for (size_t i = 0; (word = copying_word_at(i)); i++) {
		char line[40];

		CU_ASSERT_FATAL(i < sizeof words / sizeof *words);
		CU_ASSERT_STRING_EQUAL(word->name, words[i].word);
		snprintf(line, sizeof line, "/copy %s\r", word->name);
		check_copies(&s, line, words[i].says);
	}
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		check_copies(&s, keys[i].word, keys[i].says);
	stage_close(&s);
}

const struct suite suite_screen_clipboard = { "screen_clipboard", (const struct test[]){
	TEST(every_copy_says_what_was_copied),
	TEST(programs_are_given_the_text_beside_the_terminal),
	TEST(a_picture_goes_to_a_program_that_takes_its_type), TEST(a_program_that_fails_leaves_it_to_the_next),
	TEST(a_program_that_may_not_be_run_is_passed_over),
	TEST(a_program_that_hangs_is_ended),
	TEST(tmux_has_a_command_for_it),
	TEST(screen_hands_it_on),
	TEST(the_setting_chooses),
	TEST(a_program_takes_what_is_too_long_for_terminals),
	TEST(what_was_copied_last_is_whole_when_one_leaves),
	{ 0 } } };
