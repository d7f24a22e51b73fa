/* What stands beside the page while an answer comes: the status bar, reasoning, tool calls. */
#include <string.h>

#include "stage.h"
#include "support/check.h"

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* The program's own settings stand above those of a provider, in a file of their own. */
static struct pty *start_with(char *home, const char *settings)
{
	const char *path = home_write(home, "own.conf", settings);
	return pty_start(&(struct pty_options){ .home = home, .arguments = LIST("--config", path), .rows = 24, .columns = 120 });
}

static bool ends_with_state(struct pty *p, const void *state)
{
	const char *bar = pty_row(p, 23), *at = strstr(bar, state);
	return at && strspn(at + strlen(state), " ") == strlen(at + strlen(state));
}

static void the_status_bar_shows_what_was_chosen(void)
{
	char *home = home_new();
	struct pty *p = start_with(home, "status = out sparkline state\nsparkline = ascii\n");
	PTY_WAIT(p, ends_with_state, "ready");
	pty_send(p, "hello\r");
	PTY_SEES(p, "out ");
	PTY_WAIT(p, ends_with_state, "ready");
	CHECK(strpbrk(strstr(pty_row(p, 23), "out"), ".:-=+*#@") != NULL, "'%s' has a line of speed", pty_row(p, 23));
	CHECK(!strstr(pty_row(p, 23), "demo"), "'%s' names nobody", pty_row(p, 23));
	pty_send(p, "\x03\x03");
	PTY_ENDS(p, 0);
	pty_free(p);
	home_free(home);
}

static void the_status_bar_refuses_what_it_does_not_know(void)
{
	char *home = home_new();
	struct pty *p = start_with(home, "status = state speed\n");
	PTY_ENDS(p, 2);
	CHECK(pty_has_written(p, "there is no field \"speed\"; there are state, provider"), "%s", pty_dump(p));
	CHECK(!pty_has_written(p, "\x1B"), "the screen is left alone");
	pty_free(p);
	home_free(home);
}

const struct suite suite_screen_panes = { "screen_panes", (const struct test[]){
	TEST(the_status_bar_shows_what_was_chosen),
	TEST(the_status_bar_refuses_what_it_does_not_know),
	{ 0 },
} };
