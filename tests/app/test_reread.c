/* weir.conf is read again when it has changed: a word says what, the change acts, and a wrong file changes nothing. */
#include <stdio.h>
#include <string.h>

#include "lines.h"
#include "stage.h"
#include "support/check.h"

#define CONF ".config/weir/weir.conf"
#define ROLE "[role short]\nsystem = Be short.\n"

static void write_conf(const char *home, const struct hand *server, const char *top, const char *more)
{
	struct buf text = { 0 };

	buf_printf(&text, "%s%s", top, hand_settings(server, more));
	home_write(home, CONF, buf_z(&text));
	buf_fini(&text);
}

static void send_and_see(struct stage *s, const char *prompt, const char *word)
{
	char line[80];

	snprintf(line, sizeof line, "%s\r", prompt);
	pty_send(s->pty, line);
	pty_wait(s->pty, pty_tells, word, word, __FILE__, __LINE__);
	hand_say(s->server, "Good day.");
	STAGE_OVER(s);
}

static void changes_are_named_and_act(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 110, .top = "role = short\n", .settings = ROLE });
	stage_turn(&s, "hello", "First.");
	CU_ASSERT_TRUE(stage_sent(&s, "Be short."));
	/* what the conversation uses changes with the file: a setting of drawing, the role, the provider */
	write_conf(s.home, s.server, "role = short\nedit = vi\n", "max_tokens = 77\n[role short]\nsystem = Be brief.\n[template two]\nprompt = Two.\n");
	send_and_see(&s, "again", "weir.conf was read again: role short, template two, edit");
	CU_ASSERT_TRUE(stage_sent(&s, "Be brief.") && stage_sent(&s, "\"max_tokens\":77"));
	pty_send(s.pty, "x");
	pty_press(s.pty, "\x1B");
	PTY_SEES(s.pty, " : x"); /* the command state of vi */
	/* a line that is gone is its default again */
	write_conf(s.home, s.server, "", "");
	send_and_see(&s, "", "weir.conf was read again: role short, template two, edit");
	CU_ASSERT_FALSE(stage_sent(&s, "Be brief.") || stage_sent(&s, "\"max_tokens\":77"));
	pty_send(s.pty, "y");
	PTY_SEES(s.pty, " > y");
	stage_drop(&s);
}

static void a_wrong_file_changes_nothing(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 110, .top = "role = short\n", .settings = ROLE });
	write_conf(s.home, s.server, "role = short\nraw = perhaps\n", "[role short]\nsystem = Be brief.\n");
	send_and_see(&s, "hello", "weir.conf:2: raw = perhaps: it must be yes or no; the settings stay as they were");
	CU_ASSERT_TRUE(stage_sent(&s, "Be short."));
	stage_drop(&s);
}

static void the_linear_mode_reads_it_again_too(void)
{
	struct lines l;

	lines_begin(&l);
	write_conf(l.home, l.server, "system = Be kind.\n", "");
	lines_ask(&l, "hello");
	SAYS(&l, "weir.conf was read again: system.");
	CU_ASSERT_TRUE(lines_sent(&l, "Be kind."));
	hand_whole(l.server, "Good day.", "stop");
	SAYS(&l, "Status: done");
	write_conf(l.home, l.server, "sytem = Be kinder.\n", "");
	lines_ask(&l, "again");
	SAYS(&l, "weir.conf:1: sytem: there is no such setting");
	CU_ASSERT_TRUE(lines_sent(&l, "Be kind."));
	lines_close(&l);
}

const struct suite suite_reread = { "reread", (const struct test[]){
	TEST(changes_are_named_and_act),
	TEST(a_wrong_file_changes_nothing),
	TEST(the_linear_mode_reads_it_again_too),
	{ 0 },
} };
