/* Choices made in the program are kept for its next start. */
#include <stdio.h>
#include <string.h>

#include "stage.h"
#include "support/check.h"

#define KEY "sk-this-is-a-key-4711"

static void restart(struct stage *s, const char *const *arguments, const char *const *environment)
{
	pty_send(s->pty, "\x03\x03\x03");
	PTY_ENDS(s->pty, 0);
	pty_free(s->pty);
	s->pty = pty_start(&(struct pty_options){ .home = s->home, .arguments = arguments, .environment = environment });
	STAGE_STATE(s, "ready");
}

static void the_next_start_is_as_the_last_end(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .top = "leave = nothing\n" });
	pty_enter(s.pty, "/theme dark");
	pty_enter(s.pty, "/thoughts tail");
	pty_enter(s.pty, "/protocol anthropic");
	PTY_SEES(s.pty, "protocol anthropic from the next turn on");
	pty_send(s.pty, K_ALT("m") K_ALT("z"));
	PTY_SEES(s.pty, "are cut");
	restart(&s, NULL, NULL);
	PTY_SEES(s.pty, "m-1 \u00b7 anthropic");
	pty_send(s.pty, K_ALT("m"));
	PTY_SEES(s.pty, "answers as markdown"); /* so they were shown as source before */
	pty_send(s.pty, K_F5);
	PTY_SEES(s.pty, "\u25CF dark"); /* not auto, which changes with the terminal */
	pty_type(s.pty, "fjord");
	PTY_SEES(s.pty, "> fjord");
	pty_send(s.pty, "\r");
	PTY_LOSES(s.pty, "fjord");
	restart(&s, LIST("--protocol", "openai-chat"), NULL);
	PTY_SEES(s.pty, "m-1 \u00b7 openai-chat");
	stage_begin(&s, "why?");
	hand_reasoning(s.server, "A thought.\n");
	PTY_SEES(s.pty, "A thought.");
	CHECK(pty_find_row(s.pty, "\u2500 reasoning") < 0, "its tail: %s", pty_dump(s.pty));
	hand_text(s.server, "So.");
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, K_F5);
	PTY_SEES(s.pty, "\u25CF fjord");
	pty_type(s.pty, "plum");
	PTY_SEES(s.pty, "> plum");
	pty_send(s.pty, K_ESC); /* previewed, not chosen */
	PTY_LOSES(s.pty, "plum");
	restart(&s, NULL, NULL);
	pty_send(s.pty, K_F5);
	PTY_SEES(s.pty, "\u25CF fjord");
	pty_send(s.pty, K_ESC);
	stage_close(&s);
}

/* A choice that no longer exists does not keep the program from starting. */
static void a_choice_that_is_gone_is_no_error(void)
{
	struct stage s;

	stage_open(&s, NULL);
	home_write(s.home, ".local/state/weir/choices", "{\"theme\":\"gone\",\"thoughts\":\"sideways\",\"mouse\":\"perhaps\",\"provider\":\"gone\"}");
	restart(&s, NULL, NULL);
	PTY_SEES(s.pty, "hand \u00b7 m-1");
	stage_close(&s);
}

static void choices_that_cannot_be_kept_are_told_once(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .script = "mkdir -p \"$HOME/.local/state/weir/choices\"; exec \"$0\" \"$@\"" });
	pty_send(s.pty, "/thoughts tail\r");
	PTY_WAIT(s.pty, pty_tells, "reasoning: tail, for this run: remove ");
	pty_send(s.pty, "/thoughts folded\r");
	PTY_SEES(s.pty, "reasoning: folded \u2500");
	stage_close(&s);
}

static void no_key_is_kept(void)
{
	struct error err = { "" };
	struct buf kept;
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = "auth = bearer\n", .environment = LIST("HAND_API_KEY=" KEY) });
	pty_enter(s.pty, "/model m-2");
	pty_enter(s.pty, "/theme dark");
	pty_enter(s.pty, "/provider hand");
	PTY_SEES(s.pty, "provider hand from the next turn on");
	pty_settle(s.pty);
	buf_init(&kept, 1 << 16);
	CHECK(buf_read_file(&kept, home_path(s.home, ".local/state/weir/choices"), &err), "%s", err.text);
	CHECK(strstr(buf_z(&kept), "\"dark\"") && !strstr(buf_z(&kept), KEY) && !strstr(buf_z(&kept), "key"), "%s", buf_z(&kept));
	buf_fini(&kept);
	stage_close(&s);
}

/* The linear mode and the full screen share choices. */
static void the_linear_mode_remembers_too(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	pty_free(s.pty);
	s.pty = pty_start(&(struct pty_options){ .columns = PTY_WIDE, .home = s.home, .arguments = LIST("--plain") });
	PTY_SEES(s.pty, "You:");
	pty_send(s.pty, "/protocol anthropic\n");
	PTY_SEES(s.pty, "protocol anthropic from the next turn on");
	pty_send(s.pty, "\x04");
	PTY_ENDS(s.pty, 0);
	pty_free(s.pty);
	s.pty = pty_start(&(struct pty_options){ .columns = PTY_WIDE, .home = s.home, .arguments = LIST("--plain") });
	PTY_SEES(s.pty, "protocol anthropic.");
	stage_drop(&s);
}

const struct suite suite_screen_choices = { "screen_choices", (const struct test[]){
	TEST(the_next_start_is_as_the_last_end),
	TEST(a_choice_that_is_gone_is_no_error),
	TEST(choices_that_cannot_be_kept_are_told_once),
	TEST(no_key_is_kept),
	TEST(the_linear_mode_remembers_too),
	{ 0 },
} };
