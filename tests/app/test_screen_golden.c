/* Golden screens of what the whole program draws: the first page, menus and sheets. Nothing on them depends on a clock. */
#include <stdio.h>
#include <string.h>

#include "stage.h"
#include "support/check.h"
#include "support/golden.h"

struct screen { const char *name, *keys, *sees; };

static size_t count(struct str text, struct str needle)
{
	size_t times = 0;
	for (size_t at; (at = str_find(text, needle)) < text.len; text = str_skip(text, at + needle.len))
		times++;
	return times;
}

/* Frames of several rows are bracketed: none is half drawn when the brackets are in balance. */
static bool is_drawn(struct pty *p, const void *ctx)
{
	struct str all = pty_output(p);
	return pty_shows(p, ctx) && count(all, STR("\x1B[?2026h")) == count(all, STR("\x1B[?2026l"));
}

static void check_screen(const struct screen *screen, unsigned rows, unsigned columns)
{
	char name[64];
	snprintf(name, sizeof name, "%s-%ux%u", screen->name, columns, rows);
	char *home = home_new();
	home_write(home, ".local/state/weir/prompts", "\"where is the river\"\n\"a poem\\nof two lines on rivers\"\n\"hello\"\n");
	struct pty *p = pty_start(&(struct pty_options){ .home = home, .rows = rows, .columns = columns });
	PTY_WAIT(p, stage_has_state, "ready");
	pty_send(p, screen->keys);
	PTY_WAIT(p, is_drawn, screen->sees);
	golden_check(name, str_from(pty_dump(p)));
	pty_free(p);
	home_free(home);
}

static void screens_look_as_they_did(void)
{
	static const struct screen screens[] = {
		{ "welcome", "", "ready" },             { "typing", "one\ntwo \u6771\u4eac", "\u4eac" }, { "palette", "\x10", "Enter choose" },
		{ "palette-filtered", "\x10" "re", "> re" }, { "help", "?", "Ctrl-J     new" },          { "themes", K_F5, "Enter choose" },
		{ "protocols", K_F3, "Enter choose" },  { "providers", K_F4 "open", "> open" },
		{ "completion", "x\x01/re\x1B[B", "> redraw" }, { "prompts", "\x12" "ri", "? ri" },
		{ "chip", "see \x1B[200~1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n\x1B[201~ ok", "ok" },
	};
	static const unsigned sizes[][2] = { { 24, 80 }, { 12, 40 }, { 6, 20 }, { 40, 120 } };
	for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
			check_screen(&screens[i], sizes[k][0], sizes[k][1]);
}

const struct suite suite_screen_golden = { "screen_golden", (const struct test[]){
	TEST(screens_look_as_they_did),
	{ 0 },
} };
