/* Writing prompts on the full screen: undo, earlier prompts, completion, chips, drafts, and the user's editor. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "stage.h"
#include "support/check.h"

#define K_UNDO "\x1F"
#define K_REDO "\x1B/"
#define K_SEARCH "\x12"
#define K_EDITOR "\x07"

/* Starts the program with a home folder that is kept after its end. */
static struct pty *start(const char *home)
{
	struct pty *p = pty_start(&(struct pty_options){ .home = home });

	PTY_WAIT(p, stage_has_state, "ready");
	return p;
}

static void leave(struct pty *p)
{
	pty_send(p, "\x03");
	pty_send(p, "\x03\x03");
	PTY_ENDS(p, 0);
	pty_free(p);
}

static bool row_is(struct pty *p, const void *expected)
{
	return !strcmp(pty_row(p, pty_rows(p) - 2), expected);
}

/* --- the line --- */

static void changes_are_undone_and_done_again(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "one two");
	PTY_WAIT(s.pty, row_is, " > one two");
	pty_send(s.pty, K_UNDO);
	PTY_WAIT(s.pty, row_is, " > one");
	pty_send(s.pty, K_UNDO);
	PTY_WAIT(s.pty, row_is, " >");
	pty_send(s.pty, K_REDO K_REDO);
	PTY_WAIT(s.pty, row_is, " > one two");
	pty_send(s.pty, "\x03"); /* cleared is not lost */
	PTY_WAIT(s.pty, row_is, " >");
	pty_send(s.pty, K_UNDO);
	PTY_WAIT(s.pty, row_is, " > one two");
	CU_ASSERT_EQUAL(pty_cursor_column(s.pty), 10);
	stage_close(&s);
}

/* Kitty's protocol: enabled after the terminal's reply, with keys in its encoding, and disabled at the end. */
static void shift_enter_is_a_new_line_where_the_terminal_tells(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .script = STAGE_SHELL });
	CHECK(pty_has_written(s.pty, "\x1B[?u") && !pty_has_written(s.pty, "\x1B[>5u"), "asked, and no more than that");
	pty_send(s.pty, "\x1B[?0u");
	pty_send(s.pty, "one\x1B[13;2utwo");
	PTY_WAIT(s.pty, row_is, "   two");
	CHECK(pty_has_written(s.pty, "\x1B[>5u"), "it was answered");
	pty_send(s.pty, "\x1B[98;3u" "a \x1B[45:95;6u");  /* Alt-b, and Ctrl-_ */
	PTY_WAIT(s.pty, row_is, "   two");
	pty_send(s.pty, "\x1B[122;5u");                   /* Ctrl-Z */
	STAGE_STOPS(&s);
	PTY_RESTORED(s.pty);
	CHECK(pty_has_written(s.pty, "\x1B[<u"), "taken back for the shell");
	STAGE_GOES_ON(&s);
	PTY_WAIT(s.pty, row_is, "   two");
	pty_send(s.pty, "\x1B[99;5u");                    /* Ctrl-C */
	PTY_WAIT(s.pty, row_is, " >");
	stage_close(&s);
}

/* xterm's protocol, if the terminal replies with that. */
static void shift_enter_is_a_new_line_where_xterm_tells(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .environment = LIST("XTERM_VERSION=XTerm(390)") });
	CHECK(pty_has_written(s.pty, "\x1B[?4m") && !pty_has_written(s.pty, "\x1B[>4;2m"), "asked, and no more than that");
	pty_send(s.pty, "\x1B[>4;0m");
	pty_send(s.pty, "one\x1B[27;2;13~two");
	PTY_WAIT(s.pty, row_is, "   two");
	CHECK(pty_has_written(s.pty, "\x1B[>4;2m"), "it was answered");
	pty_send(s.pty, "\x1B[27;3;98~" "a\x1B[27;5;107~" "\x1B[27;5;121~"); /* Alt-b, Ctrl-K and Ctrl-Y */
	PTY_WAIT(s.pty, row_is, "   atwo");
	pty_send(s.pty, "\x1B[27;5;99~");                /* Ctrl-C */
	PTY_WAIT(s.pty, row_is, " >");
	stage_close(&s);
}

/* --- chips --- */

static void a_large_paste_is_a_chip_and_sent_whole(void)
{
	struct stage s;
	struct buf text;

	buf_init(&text, 2 << 20);
	for (int i = 1; i <= 20000; i++)
		buf_printf(&text, "line %05d of a paste that has a lot of them, all alike\n", i);
	stage_open(&s, NULL);
	pty_send(s.pty, "look: ");
	pty_paste(s.pty, buf_z(&text));
	PTY_WAIT(s.pty, row_is, " > look: [pasted 1,094 KB, 20,000 lines]");
	pty_send(s.pty, "\x7F");
	PTY_WAIT(s.pty, row_is, " > look:");
	pty_send(s.pty, K_UNDO " done");
	PTY_WAIT(s.pty, row_is, " > look: [pasted 1,094 KB, 20,000 lines] done");
	pty_send(s.pty, "\r");
	CU_ASSERT_TRUE(hand_accept(s.server));
	CU_ASSERT_TRUE(strstr(hand_body(s.server), "look: line 00001 of") && strstr(hand_body(s.server), "line 20000 of"));
	CU_ASSERT_PTR_NULL(strstr(hand_body(s.server), "[pasted"));
	buf_fini(&text);
	stage_close(&s);
}

/* --- earlier prompts --- */

static void prompts_are_searched_as_one_types(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "where is the river", "A.");
	stage_turn(&s, "the mountain", "B.");
	stage_turn(&s, "and the River bed", "C.");
	pty_send(s.pty, "draft" K_LEFT K_SEARCH);
	pty_send(s.pty, K_SEARCH);
	PTY_SEES(s.pty, "earlier prompts");
	PTY_SEES(s.pty, " > the mountain");
	pty_send(s.pty, "river");
	PTY_WAIT(s.pty, row_is, " ? river");
	PTY_SEES(s.pty, " > and the River bed");
	PTY_LOSES(s.pty, "> the mountain");
	pty_send(s.pty, "zz");
	PTY_SEES(s.pty, "none matches");
	pty_send(s.pty, K_ESC);
	PTY_WAIT(s.pty, row_is, " > draft");
	CU_ASSERT_EQUAL(pty_cursor_column(s.pty), 7);
	PTY_LOSES(s.pty, "earlier prompts");
	pty_send(s.pty, K_SEARCH);
	pty_send(s.pty, "river" "\x12" "\r"); /* the older of both matches */
	PTY_WAIT(s.pty, row_is, " > where is the river");
	PTY_REDRAWS(s.pty);
	pty_send(s.pty, K_UNDO);
	PTY_WAIT(s.pty, row_is, " > draft");
	stage_close(&s);
}

static bool lists_once(struct pty *p, const void *prompt)
{
	unsigned rows = 0;

	for (unsigned row = 0; row < pty_rows(p); row++)
		rows += strstr(pty_row(p, row), prompt) != NULL && row > 1;
	return rows == 1;
}

/* Also if other prompts were sent in between. */
static void a_prompt_that_was_sent_again_is_listed_once(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "the title", "None.");
	stage_turn(&s, "the river", "A.");
	stage_turn(&s, "the mountain", "B.");
	stage_turn(&s, "the river", "C.");
	stage_turn(&s, "the sea", "D.");
	pty_send(s.pty, "/new\r");
	PTY_LOSES(s.pty, "A.");
	pty_send(s.pty, K_SEARCH);
	PTY_SEES(s.pty, "the mountain");
	PTY_WAIT(s.pty, lists_once, "the river");
	stage_close(&s);
}

static void prompts_and_the_draft_outlive_the_program(void)
{
	char *home = home_new();
	struct pty *p = start(home);

	pty_send(p, "hello\r");
	PTY_SEES(p, "Hello! I am the built-in demo.");
	pty_send(p, "half a \n\"thought\"");
	PTY_SEES(p, "   \"thought\"");
	pty_signal(p, SIGTERM);
	PTY_ENDS(p, 128 + SIGTERM);
	pty_free(p);
	p = start(home);
	PTY_SEES(p, " > half a");
	PTY_WAIT(p, row_is, "   \"thought\"");
	pty_send(p, "\x03" K_UP);
	PTY_WAIT(p, row_is, " > hello");
	leave(p);
	p = start(home);
	PTY_WAIT(p, row_is, " >"); /* a draft is restored only once, and an earlier prompt that was walked to is not a draft */
	leave(p);
	home_free(home);
}

/* --- completion --- */

static void files_are_completed_and_attached(void)
{
	struct stage s;

	stage_open(&s, NULL);
	home_write(s.home, "files/notes/first.txt", "The note says 4711.\n");
	home_write(s.home, "files/notes/.hidden", "");
	home_write(s.home, "files/other.txt", "");
	pty_send(s.pty, "read @");
	pty_send(s.pty, home_path(s.home, "files/"));
	PTY_SEES(s.pty, "   other.txt");
	PTY_SEES(s.pty, " > notes/");
	PTY_REDRAWS(s.pty);
	pty_send(s.pty, "no\t");                   /* after a folder its entries are listed */
	PTY_SEES(s.pty, " > first.txt");
	CU_ASSERT_EQUAL(pty_find_row(s.pty, ".hidden"), -1);
	pty_send(s.pty, K_UP "\r");                /* chosen with the arrows, Enter takes */
	PTY_LOSES(s.pty, " > first.txt");
	pty_send(s.pty, "please\r");
	CU_ASSERT_TRUE(hand_accept(s.server));
	CU_ASSERT_TRUE(stage_sent(&s, "/first.txt please"));
	CU_ASSERT_TRUE(stage_sent(&s, "The note says 4711."));
	PTY_SEES(s.pty, "attached  first.txt");
	stage_close(&s);
}

/* A folder with too many names: the list says that not all were read, even if none of those matches. */
static void a_folder_with_too_many_names_is_told(void)
{
	struct stage s;

	stage_open(&s, NULL);
	for (int i = 0; i < 5001; i++) {
		char name[40];

		snprintf(name, sizeof name, "many/n%04d", i);
		home_write(s.home, name, "");
	}
	pty_send(s.pty, "read @");
	pty_send(s.pty, home_path(s.home, "many/n"));
	PTY_SEES(s.pty, " > n");
	pty_send(s.pty, K_UP);
	PTY_SEES(s.pty, "the folder has more names than are read");
	pty_send(s.pty, "ooo");
	PTY_LOSES(s.pty, " > n");
	PTY_SEES(s.pty, "the folder has more names than are read");
	stage_close(&s);
}

/* Behind /attach, too, where it is typed in the palette: Tab completes, and Enter takes what is there. */
static void paths_of_commands_are_completed(void)
{
	static const struct { const char *command, *file, *sees; } words[] = {
		{ "/attach ", "first.txt", "first.txt goes with the next prompt" }, { "/tools ", "tools.json", "tools.json, from the next turn on" },
		{ "/schema ", "schema.json", "schema.json, from the next turn on" },
	};
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 160 });
	home_write(s.home, "files/first.txt", "The note says 4711.\n");
	home_write(s.home, "files/tools.json", "[{\"type\":\"function\",\"function\":{\"name\":\"look_up\",\"parameters\":{\"type\":\"object\"}}}]");
	home_write(s.home, "files/schema.json", "{\"type\":\"object\"}");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		pty_type(s.pty, words[i].command);
		PTY_LOSES(s.pty, "Commands");
		pty_type(s.pty, "~/fi");
		PTY_SEES(s.pty, "files/");
		pty_press(s.pty, "\t");
		pty_wait(s.pty, pty_shows, words[i].file, words[i].file, __FILE__, __LINE__);
		pty_type(s.pty, (char[]){ words[i].file[0], 0 });
		pty_press(s.pty, "\t");
		pty_press(s.pty, "\t"); /* adds nothing, and the input keeps the focus */
		pty_press(s.pty, "\r");
		pty_wait(s.pty, pty_shows, words[i].sees, words[i].sees, __FILE__, __LINE__);
	}
	pty_type(s.pty, "/attach ~/none");
	pty_press(s.pty, "\t"); /* nor where nothing begins so */
	pty_type(s.pty, "-such\r");
	PTY_SEES(s.pty, "cannot open ");
	PTY_SEES(s.pty, "none-such: No such file");
	stage_ask(&s, "hi");
	CHECK(stage_sent(&s, "4711") && stage_sent(&s, "look_up"), "%s", hand_body(s.server));
	stage_close(&s);
}

/* Of several names parted by commas the last one is completed, and the status bar names what is set. */
static void each_name_of_a_list_is_completed(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_type(s.pty, "/server-tools");
	PTY_SEES(s.pty, "> server-tools");
	pty_press(s.pty, "\t"); /* from the palette into the input */
	PTY_LOSES(s.pty, "Commands");
	pty_type(s.pty, "web_search,im");
	PTY_SEES(s.pty, "Tab take");
	pty_press(s.pty, "\t");
	PTY_SEES(s.pty, "> /server-tools web_search,image");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "server tools web_search, image, from the next turn on");
	PTY_WAIT(s.pty, pty_shows, "  web_search,image ");
	stage_ask(&s, "hi");
	CHECK(stage_sent(&s, "\"web_search_options\":{},\"modalities\":[\"image\",\"text\"]"), "%s", hand_body(s.server));
	stage_close(&s);
}

/* --- the user's own editor --- */

static bool is_lent(struct pty *p, const void *ctx)
{
	(void)ctx;
	return !pty_is_alternate(p) && pty_shows(p, "EDITOR HERE");
}

static bool is_back(struct pty *p, const void *ctx)
{
	(void)ctx;
	return pty_is_alternate(p);
}

/* A script for $EDITOR, with an argument: reports that it runs, waits for a line, and adds to the text. */
static const char *editor(char *out, size_t size, const char *home, const char *script)
{
	snprintf(out, size, "VISUAL=sh %s", home_write(home, "editor.sh", script));
	return out;
}

static void open_with_editor(struct stage *s, char **home, const char *script)
{
	char variable[300];

	*home = home_new();
	stage_open(s, &(struct stage_options){ .environment = LIST(editor(variable, sizeof variable, *home, script)) });
}

static void the_prompt_is_written_in_an_editor_while_the_answer_goes_on(void)
{
	struct stage s;
	char *home;

	open_with_editor(&s, &home, "echo EDITOR HERE; stat -c 'mode %a' \"$1\"; read line; echo \"and $line\" >> \"$1\"\n");
	stage_begin(&s, "hello");
	hand_text(s.server, "Before. ");
	PTY_SEES(s.pty, "Before.");
	pty_send(s.pty, "in line\r");
	PTY_SEES(s.pty, "1 queued");
	pty_send(s.pty, "first line" K_EDITOR);
	PTY_WAIT(s.pty, is_lent, NULL);
	PTY_SEES(s.pty, "mode 600");
	hand_text(s.server, "Meanwhile.");
	hand_finish(s.server, "stop");
	CU_ASSERT_TRUE(hand_accept(s.server)); /* the answer was read while the editor ran, and the queued prompt was sent */
	CU_ASSERT_TRUE(stage_sent(&s, "Before. Meanwhile."));
	pty_send(s.pty, "second\n");
	PTY_WAIT(s.pty, is_back, NULL);
	PTY_SEES(s.pty, " > first line");
	PTY_SEES(s.pty, "   and second");
	PTY_SEES(s.pty, "Before. Meanwhile.");
	CU_ASSERT_TRUE(pty_takes_paste(s.pty));
	PTY_REDRAWS(s.pty);
	pty_send(s.pty, K_UNDO);
	PTY_WAIT(s.pty, row_is, " > first line");
	stage_close(&s);
	home_free(home);
}

static void an_editor_that_fails_changes_nothing(void)
{
	struct stage s;
	char *home;

	open_with_editor(&s, &home, "echo other > \"$1\"; exit 3\n");
	pty_send(s.pty, "kept" K_EDITOR);
	PTY_SEES(s.pty, "the editor failed (status 3)");
	PTY_SEES(s.pty, " > kept");
	stage_close(&s);
	home_free(home);
}

static void an_editor_that_is_not_there_is_told(void)
{
	static const char *const editors[] = { "VISUAL=no-such-editor", "VISUAL=no-such-editor --wait" };

	for (size_t i = 0; i < 2; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .environment = LIST(editors[i]) });
		pty_send(s.pty, "kept" K_EDITOR);
		PTY_SEES(s.pty, i ? "could not be run" : "cannot start no-such-editor");
		PTY_SEES(s.pty, " > kept");
		PTY_REDRAWS(s.pty);
		stage_close(&s);
	}
}

static void a_command_of_one_word_needs_no_shell(void)
{
	char variable[300];
	char *home = home_new();
	struct stage s;
	const char *path = home_write(home, "editor", "#!/bin/sh\necho from an editor > \"$1\"\n");

	chmod(path, 0700);
	snprintf(variable, sizeof variable, "EDITOR=%s", path);
	stage_open(&s, &(struct stage_options){ .environment = LIST(variable) });
	pty_send(s.pty, K_EDITOR);
	PTY_WAIT(s.pty, row_is, " > from an editor");
	stage_close(&s);
	home_free(home);
}

static void on_exit_while_an_editor_has_the_terminal_ends_it(void)
{
	struct stage s;
	char *home;

	open_with_editor(&s, &home, "echo EDITOR HERE; read line\n");
	pty_send(s.pty, "kept" K_EDITOR);
	PTY_WAIT(s.pty, is_lent, NULL);
	pty_signal(s.pty, SIGTERM);
	PTY_ENDS(s.pty, 128 + SIGTERM);
	CU_ASSERT_TRUE(home_has(s.home, ".local/state/weir/draft"));
	stage_drop(&s);
	home_free(home);
}

const struct suite suite_screen_compose = { "screen_compose", (const struct test[]){
	TEST(changes_are_undone_and_done_again),
	TEST(shift_enter_is_a_new_line_where_the_terminal_tells),
	TEST(shift_enter_is_a_new_line_where_xterm_tells),
	TEST(a_large_paste_is_a_chip_and_sent_whole),
	TEST(prompts_are_searched_as_one_types),
	TEST(a_prompt_that_was_sent_again_is_listed_once),
	TEST(prompts_and_the_draft_outlive_the_program),
	TEST(files_are_completed_and_attached), TEST(a_folder_with_too_many_names_is_told), TEST(paths_of_commands_are_completed), TEST(each_name_of_a_list_is_completed),
	TEST(the_prompt_is_written_in_an_editor_while_the_answer_goes_on),
	TEST(an_editor_that_fails_changes_nothing),
	TEST(an_editor_that_is_not_there_is_told),
	TEST(a_command_of_one_word_needs_no_shell),
	TEST(on_exit_while_an_editor_has_the_terminal_ends_it),
	{ 0 },
} };
