/* The terminal is lent to the user's editor. The programs are scripts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "stage.h"
#include "support/check.h"

#define EDIT "\x07" /* Ctrl-G */

/* Reports that it runs, saves the file and what it was started with, and waits for a line. */
#define EDITOR "#!/bin/sh\necho EDITOR HERE\n[ \"$1\" != -x ] || shift\ncp \"$1\" \"$OUT/text\"\nstat -c 'mode %a' \"$1\" > \"$OUT/facts\"\necho \"$1\" >> \"$OUT/facts\"\n" \
               "env > \"$OUT/environment\"\nread line\nprintf '\\033[2J'\n"

static char *home;
static char path[600], out[300];

static void open_with(struct stage *s, const char *variable)
{
	home = home_new();
	snprintf(path, sizeof path, "PATH=%s/bin:%s", home, getenv("PATH"));
	snprintf(out, sizeof out, "OUT=%s", home);
	chmod(home_write(home, "bin/edit", EDITOR), 0700);
	stage_open(s, &(struct stage_options){ .environment = LIST(path, out, "OPENAI_API_KEY=sk-not-for-others", variable) });
	stage_turn_rows(s, "question", 60);
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

static bool is_lent(struct pty *p, const void *ctx)
{
	(void)ctx;
	return !pty_is_alternate(p) && pty_shows(p, "EDITOR HERE");
}

static bool is_back(struct pty *p, const void *row)
{
	return pty_is_alternate(p) && pty_shows(p, row);
}

static void the_editor_gets_a_private_file_and_no_key(void)
{
	struct stage s;
	struct buf facts;

	open_with(&s, "EDITOR=edit -x");
	pty_type(s.pty, "a draft");
	pty_send(s.pty, K_PGUP);
	PTY_SEES(s.pty, "End for the latest");
	char *before = strdup(pty_row(s.pty, 0));
	pty_send(s.pty, EDIT);
	PTY_WAIT(s.pty, is_lent, NULL);
	pty_send(s.pty, "\r");
	PTY_WAIT(s.pty, is_back, "> a draft");
	CHECK(str_is(str_from(pty_row(s.pty, 0)), before), "the same place: %s", before);
	CHECK(file_has("text", "a draft") && !file_has("environment", "sk-not-for-others"), "the prompt, and no key");
	read_file("facts", &facts);
	struct str rest = buf_str(&facts), line;
	CHECK(str_split(&rest, '\n', &line) && str_is(line, "mode 600"), "%s", buf_z(&facts));
	char *file = str_split(&rest, '\n', &line) ? str_dup(line) : NULL;
	CHECK(file && strstr(file, "/weir-") && access(file, F_OK) != 0, "it is gone: %s", file);
	mem_free(file);
	buf_fini(&facts);
	free(before);
	stage_close(&s);
	home_free(home);
}

static void an_editor_that_is_not_there_is_told(void)
{
	struct stage s;

	open_with(&s, "EDITOR=no-such-editor");
	pty_send(s.pty, EDIT);
	PTY_SEES(s.pty, "cannot start no-such-editor");
	PTY_SEES(s.pty, "($VISUAL, $EDITOR)");
	stage_close(&s);
	home_free(home);
}

const struct suite suite_screen_lend = { "screen_lend", (const struct test[]){
	TEST(the_editor_gets_a_private_file_and_no_key),
	TEST(an_editor_that_is_not_there_is_told),
	{ 0 } } };
