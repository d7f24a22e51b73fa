/* Reading in the user's pager or editor. The programs are scripts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "stage.h"
#include "support/check.h"

/* Reports that it runs, saves the file and its own arguments, and waits for a line. */
#define READER "#!/bin/sh\necho READER HERE\n[ \"$1\" != -x ] || shift\ncp \"$1\" \"$OUT/text\"\nstat -c 'mode %a' \"$1\" > \"$OUT/facts\"\necho \"$1\" >> \"$OUT/facts\"\n" \
               "env > \"$OUT/environment\"\nread line\nprintf '\\033[2J'\n"

static char *home;
static char path[600], out[300];

static void open_with(struct stage *s, const char *name, const char *script, const char *variable, const char *more)
{
	char file[80];

	home = home_new();
	snprintf(path, sizeof path, "PATH=%s/bin:%s", home, getenv("PATH"));
	snprintf(out, sizeof out, "OUT=%s", home);
	snprintf(file, sizeof file, "bin/%s", name);
	chmod(home_write(home, file, script), 0700);
	stage_open(s, &(struct stage_options){ .environment = LIST(path, out, "OPENAI_API_KEY=sk-not-for-others", variable, more) });
	stage_begin(s, "question");
	stage_rows(s, 1, 60);
	hand_text(s->server, "\x1B[31mred\x1B\ttab");
	hand_finish(s->server, "stop");
	PTY_SEES(s->pty, "tab");
	STAGE_OVER(s);
}

static void read_file(const char *name, struct buf *text)
{
	struct error err = { "" };

	buf_init(text, 1 << 20);
	CHECK(buf_read_file(text, home_path(home, name), &err), "%s", err.text);
}

static bool file_has(const char *name, const char *part)
{
	struct buf text;

	read_file(name, &text);
	bool has = str_find(buf_str(&text), str_from(part)) < text.len;
	buf_fini(&text);
	return has;
}

static bool reads(struct pty *p, const void *ctx)
{
	(void)ctx;
	return !pty_is_alternate(p) && pty_shows(p, "READER HERE");
}

static bool is_back(struct pty *p, const void *row)
{
	return pty_is_alternate(p) && pty_shows(p, row);
}

static void end(struct stage *s)
{
	stage_close(s);
	home_free(home);
}

static void the_answer_is_read_in_the_pager(void)
{
	struct stage s;
	struct buf facts;

	open_with(&s, "page", READER, "PAGER=page -x", "LESS=-FRX");
	pty_send(s.pty, K_PGUP);
	PTY_SEES(s.pty, "End for the latest");
	char *before = strdup(pty_row(s.pty, 0));
	pty_send(s.pty, "/pager\r");
	PTY_WAIT(s.pty, reads, NULL);
	pty_send(s.pty, "\r");
	PTY_WAIT(s.pty, is_back, "End for the latest");
	CHECK(str_is(str_from(pty_row(s.pty, 0)), before), "the same place: %s", before);
	CHECK(file_has("text", "row 1\nrow 2\n") && file_has("text", "\xE2\x90\x9B[31mred\xE2\x90\x9B\ttab\n"), "the answer, its control bytes as signs");
	CHECK(!file_has("environment", "sk-not-for-others") && file_has("environment", "LESS=-FRX -+F\n"), "less stays until it is left");
	read_file("facts", &facts);
	CHECK(str_starts(buf_str(&facts), "mode 600\n"), "%s", buf_z(&facts));
	buf_fini(&facts);
	free(before);
	end(&s);
}

static void less_and_more_stand_in(void)
{
	static const char *const names[] = { "less", "more" };

	for (size_t i = 0; i < 2; i++) {
		struct stage s;

		open_with(&s, names[i], READER, "PAGER=", NULL);
		if (i) { /* nothing else is there */
			stage_close(&s);
			char only[300];
			snprintf(only, sizeof only, "%s/bin", home);
			home_write(home, "bin/more", "#!/bin/sh\necho READER HERE\nread line\n");
			snprintf(path, sizeof path, "PATH=%s", only);
			stage_open(&s, &(struct stage_options){ .environment = LIST(path, out) });
			stage_turn(&s, "question", "answer");
		}
		pty_send(s.pty, "\t");
		PTY_SEES(s.pty, "Esc back");
		pty_type(s.pty, "/pager");
		pty_press(s.pty, "\r");
		PTY_WAIT(s.pty, reads, NULL);
		pty_send(s.pty, "\r");
		PTY_WAIT(s.pty, is_back, "Esc back");
		end(&s);
	}
}

static void the_conversation_is_opened_in_the_editor(void)
{
	struct stage s;

	open_with(&s, "edit", READER, "EDITOR=edit", NULL);
	pty_send(s.pty, "/open all\r");
	PTY_WAIT(s.pty, reads, NULL);
	pty_send(s.pty, "\r");
	PTY_WAIT(s.pty, is_back, "row 60");
	CHECK(file_has("text", "## You\n\nquestion\n\n## m-1\n\nrow 1\n"), "all of it as markdown");
	CHECK(file_has("text", "\x1B[31mred"), "as it was written");
	pty_send(s.pty, "\t");
	PTY_SEES(s.pty, "Esc back");
	pty_type(s.pty, "/open");
	pty_press(s.pty, "\r");
	PTY_WAIT(s.pty, reads, NULL);
	pty_send(s.pty, "\r");
	PTY_WAIT(s.pty, is_back, "Esc back");
	CHECK(!file_has("text", "question") && file_has("text", "row 1\n"), "the answer");
	struct buf facts;
	read_file("facts", &facts);
	struct str rest = buf_str(&facts), line;
	str_split(&rest, '\n', &line);
	char *file = str_split(&rest, '\n', &line) ? str_dup(line) : NULL;
	CHECK(file && strstr(file, "/weir-") && access(file, F_OK) != 0, "it is gone: %s", file);
	mem_free(file);
	buf_fini(&facts);
	end(&s);
}

static void what_is_not_there_is_told(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .environment = LIST("PAGER=no-such-pager") });
	pty_send(s.pty, "/pager\r");
	PTY_SEES(s.pty, "there is no answer yet");
	pty_send(s.pty, "/pager sense\r");
	PTY_SEES(s.pty, "it can be answer, code, turn, all, reasoning, calls, id, tape, request or curl");
	stage_turn(&s, "question", "answer");
	pty_send(s.pty, "/pager\r");
	PTY_SEES(s.pty, "cannot start no-such-pager");
	PTY_SEES(s.pty, "($PAGER)");
	stage_close(&s);
}

const struct suite suite_screen_lend = { "screen_lend", (const struct test[]){
	TEST(the_answer_is_read_in_the_pager),
	TEST(less_and_more_stand_in),
	TEST(the_conversation_is_opened_in_the_editor),
	TEST(what_is_not_there_is_told),
	{ 0 } } };
