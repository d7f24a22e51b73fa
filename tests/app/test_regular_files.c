/* Files that the user names are read only if reading cannot block: FIFOs, terminals and folders are refused. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lines.h"
#include "program.h"
#include "stage.h"
#include "support/check.h"

static const char *make_fifo(const char *home)
{
	const char *path = home_path(home, "fifo");

	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	return path;
}

/* --- while there is a screen --- */

static const char *const words[] = { "attach", "tools", "schema" };
#define WORDS (sizeof words / sizeof *words)

static void the_keyboard_goes_on(void)
{
	static const struct { const char *path, *says; } files[] = {
		{ "~/fifo", "/fifo is a pipe: only a regular file is read" }, { "/dev/tty", "/dev/tty is a device" }, { "~", " is a folder" },
	};
	struct stage s;
	char line[200];

	stage_open(&s, NULL);
	make_fifo(s.home);
	for (size_t i = 0; i < WORDS * 3; i++) {
		snprintf(line, sizeof line, "/%s %s", words[i / 3], files[i % 3].path);
		pty_enter(s.pty, line);
		const char *says = i == 2 ? " holds no files to attach" : files[i % 3].says; /* /attach takes a folder */
		pty_wait(s.pty, pty_shows, says, line, __FILE__, __LINE__);
		pty_send(s.pty, "/raw\r");
		PTY_SEES(s.pty, "answers as ");
	}
	stage_close(&s);
}

/* A theme file can be chosen by its name while the program runs. */
static void a_theme_is_a_file(void)
{
	struct stage s;

	stage_open(&s, NULL);
	home_write(s.home, ".config/weir/themes/other.ini", "text = red\n");
	CU_ASSERT_EQUAL(mkfifo(home_path(s.home, ".config/weir/themes/mine.ini"), 0600), 0);
	pty_send(s.pty, "/theme mine\r");
	PTY_SEES(s.pty, "/mine.ini is a pipe");
	stage_close(&s);
}

static void the_linear_mode_goes_on(void)
{
	struct lines l;
	char line[80];

	lines_begin(&l);
	make_fifo(l.home);
	for (size_t i = 0; i < WORDS; i++) {
		snprintf(line, sizeof line, "/%s ~/fifo\n", words[i]);
		pty_send(l.pty, line);
		SAYS(&l, "/fifo is a pipe: only a regular file is read.");
	}
	lines_close(&l);
}

/* --- on the command line --- */

static void options_name_files(void)
{
	static const char *const options[] = { "--file", "--tools", "--schema", "--config" };

	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		struct program p;
		const char *fifo = make_fifo(folder_path());

		program_run(&p, STR(""), ARGS("ask", "-p", "demo", options[i], fifo, "hello"), NULL);
		CHECK(p.status == 2, "%s: status %d", options[i], p.status);
		CHECK(strstr(buf_z(&p.errors), "/fifo is a pipe: only a regular file is read"), "%s: %s", options[i], buf_z(&p.errors));
		program_free(&p);
		folder_remove();
	}
}

/* A stream that is read completely before anything else happens may be a pipe. */
static void a_stream_may_come_from_a_pipe(void)
{
	struct program p;

	program_start_script(&p, "mkfifo \"$HOME/fifo\"; printf 'data: {\"choices\":[{\"delta\":{\"content\":\"Told.\"},\"finish_reason\":\"stop\"}]}\\n\\ndata: [DONE]\\n\\n' > \"$HOME/fifo\" & "
	                         "exec \"$0\" \"$@\" \"$HOME/fifo\"", ARGS("decode"), NULL);
	CHECK(program_wait(&p) == 0 && strstr(buf_z(&p.output), "Told."), "%d: %s", p.status, buf_z(&p.errors));
	program_free(&p);
	folder_remove();
}

const struct suite suite_regular_files = { "regular_files", (const struct test[]){
	TEST(the_keyboard_goes_on), TEST(a_theme_is_a_file), TEST(the_linear_mode_goes_on), TEST(options_name_files),
	TEST(a_stream_may_come_from_a_pipe), { 0 } } };
