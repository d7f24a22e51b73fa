/* What the screen sends in addition to cells: queries, synchronized output, modes, colours, the clipboard; how many bytes, and when. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "screen_stage.h"
#include "support/check.h"

/* The queries leave nothing on the screen, whether the terminal joins or not. They are sent once, and only to types that understand them. */
static void queries_leave_no_trace(void)
{
	static const struct { const char *type; bool asked; } types[] = { { "xterm-256color", true }, { "screen", true }, { "linux", false }, { "vt100", false } };

	for (size_t t = 0; t < sizeof types / sizeof *types; t++)
		for (unsigned joins = 0; joins < 2; joins++) {
			struct stage s;
			off_t from;

			stage_open(&s, types[t].type, 12, 40, COLOUR_AUTO, "dark");
			s.joins = joins;
			canvas_put(s.canvas, 2, 0, 40, ROLE_TEXT, STR("first"));
			canvas_cursor(s.canvas, 11, 3);
			stage_show(&s);
			stage_check(&s, types[t].type, joins);
			CHECK(stage_wrote(&s, 0, "\x1B[6n") == types[t].asked && stage_wrote(&s, 0, "\x1B[c") == types[t].asked, "%s", types[t].type);
			CU_ASSERT_EQUAL(stage_show(&s), 0);
			screen_suspend(s.screen);
			stage_pump(&s);
			from = s.read_to;
			screen_resume(s.screen, 12, 40);
			stage_show(&s);
			stage_check(&s, types[t].type, joins);
			CU_ASSERT_FALSE(stage_wrote(&s, from, "\x1B[6n"));
			stage_close(&s);
		}
}

static void omits_unsupported_synchronized_output(void)
{
	struct stage s;
	off_t from;

	stage_open(&s, "xterm-256color", 12, 40, COLOUR_AUTO, "default");
	stage_show(&s);
	CU_ASSERT(handshake_take(screen_handshake(s.screen), STR("[?2026;0$y")));
	from = s.read_to;
	canvas_put(s.canvas, 2, 0, 40, ROLE_TEXT, STR("two"));
	canvas_put(s.canvas, 3, 0, 40, ROLE_TEXT, STR("rows"));
	stage_show(&s);
	CU_ASSERT_FALSE(stage_wrote(&s, from, "\x1B[?2026"));
	stage_check(&s, "unbracketed", 0);
	stage_close(&s);
}

/* The number of bytes is deterministic, so it can be asserted. */
static void writes_few_bytes(void)
{
	static const char *const themes[] = { "default", "dark" };

	for (size_t t = 0; t < 2; t++) {
		struct stage s;
		size_t bytes;

		stage_open(&s, "xterm-256color", 40, 120, COLOUR_TRUE, themes[t]);
		canvas_put(s.canvas, 37, 1, 10, ROLE_ACCENT, STR("> "));
		canvas_cursor(s.canvas, 37, 3);
		stage_show(&s);
		CU_ASSERT_EQUAL(stage_show(&s), 0);
		for (unsigned i = 0; i < 10; i++) {
			canvas_put(s.canvas, 20, 1 + i * 5, 6, ROLE_REASONING, STR("word "));
			bytes = stage_show(&s);
			CHECK(i == 0 || bytes <= 20, "%s: %zu bytes for a word", themes[t], bytes);
		}
		canvas_put(s.canvas, 37, 3, 6, ROLE_INPUT, STR("x"));
		canvas_cursor(s.canvas, 37, 4);
		stage_show(&s);
		canvas_put(s.canvas, 37, 4, 6, ROLE_INPUT, STR("y"));
		canvas_cursor(s.canvas, 37, 5);
		bytes = stage_show(&s);
		CHECK(bytes <= 8, "%s: %zu bytes for a letter", themes[t], bytes);
		stage_check(&s, themes[t], 0);
		stage_close(&s);
	}
}

/* Each cell another colour than its neighbours: more bytes than the part of the memory file that is mapped, after and before small frames. */
static void shows_frames_of_any_size(void)
{
	static const enum role_name roles[] = { ROLE_ACCENT, ROLE_MUTED, ROLE_REASONING, ROLE_NOTICE };
	struct stage s;
	size_t most = 0;

	stage_open(&s, "xterm-256color", 200, 200, COLOUR_TRUE, "dark");
	for (unsigned i = 0; i < 12; i++) {
		unsigned rows = i % 3 == 2 ? 200 : i % 3 ? 20 : 1;

		for (unsigned cell = 0; cell < rows * 200; cell++)
			canvas_put(s.canvas, cell / 200, cell % 200, 1, roles[(cell + i) % 4], i % 2 ? STR("a") : STR("b"));
		canvas_cursor(s.canvas, 199 - i, i);
		size_t bytes = stage_show(&s);
		most = bytes > most ? bytes : most;
		stage_check(&s, "frame", i);
	}
	CHECK(most > (256u << 10), "the largest frame has %zu bytes only", most);
	stage_close(&s);
}

/* The cursor is in its cell again after each frame, wherever the text grows, and also after it was hidden or the terminal was lent. */
static void cursor_returns_to_its_cell(void)
{
	struct stage s;

	stage_open(&s, "xterm-256color", 12, 40, COLOUR_AUTO, "dark");
	for (unsigned i = 0; i < 60; i++) {
		canvas_put(s.canvas, 2 + i / 12, i % 12 * 3, 3, ROLE_TEXT, i % 4 == 1 ? STR("\u4E2D") : STR("ab"));
		if (i % 10 == 7)
			canvas_put(s.canvas, 11, i % 40, 1, ROLE_STATUS, STR("s"));
		s.canvas->cursor_shown = i % 15 < 12;
		s.canvas->cursor_row = 9 + i / 40;
		s.canvas->cursor_column = i / 5 % 40;
		if (i % 25 == 24) {
			screen_suspend(s.screen);
			screen_resume(s.screen, 12, 40);
		}
		stage_show(&s);
		stage_check(&s, "text", i);
		canvas_cursor(s.canvas, 9, i % 40);
		CHECK(stage_show(&s) <= 8 + (i % 15 < 12 ? 0 : 6), "text %u: a cursor that moves is all that is written", i);
		stage_check(&s, "cursor", i);
	}
	stage_close(&s);
}

static void synchronizes_frames_of_several_rows(void)
{
	struct stage s;
	off_t from;

	stage_open(&s, "xterm-256color", 10, 40, COLOUR_AUTO, "default");
	stage_show(&s);
	CU_ASSERT(stage_wrote(&s, 0, "\x1B[?2004h"));
	from = s.read_to;
	canvas_put(s.canvas, 1, 0, 40, ROLE_TEXT, STR("one"));
	stage_show(&s);
	CU_ASSERT_FALSE(stage_wrote(&s, from, "\x1B[?2026"));
	from = s.read_to;
	canvas_put(s.canvas, 1, 0, 40, ROLE_TEXT, STR("two"));
	canvas_put(s.canvas, 2, 0, 40, ROLE_TEXT, STR("two"));
	stage_show(&s);
	CU_ASSERT(stage_wrote(&s, from, "\x1B[?2026h"));
	CU_ASSERT(stage_wrote(&s, from, "\x1B[?2026l"));
	stage_close(&s);
}

static void restores_the_terminal(void)
{
	struct stage s;
	off_t from;

	stage_open(&s, "xterm-256color", 10, 40, COLOUR_TRUE, "dark");
	stage_show(&s);
	CU_ASSERT(s.alternate);
	CU_ASSERT_FALSE(s.cursor_shown);
	from = s.read_to;
	screen_suspend(s.screen);
	stage_pump(&s);
	CU_ASSERT_FALSE(s.alternate);
	CU_ASSERT(s.cursor_shown);
	CU_ASSERT(stage_wrote(&s, from, "\x1B[?2004l"));
	CU_ASSERT_FALSE(stage_wrote(&s, from, "\x1B]104"));
	vterm_set_size(s.vt, 8, 30);
	screen_resume(s.screen, 8, 30);
	canvas_resize(s.canvas, 8, 30);
	canvas_put(s.canvas, 7, 20, 40, ROLE_TEXT, STR("back"));
	from = s.read_to;
	stage_show(&s);
	CU_ASSERT(s.alternate);
	CU_ASSERT(stage_wrote(&s, from, "\x1B[?2004h"));
	stage_check(&s, "resumed", 0);
	screen_close(s.screen);
	s.screen = NULL;
	stage_pump(&s);
	CU_ASSERT_FALSE(s.alternate);
	CU_ASSERT(s.cursor_shown);
	stage_close(&s);
}

static void repaints_on_request(void)
{
	struct stage s;

	stage_open(&s, "xterm-256color", 10, 40, COLOUR_AUTO, "dark");
	canvas_put(s.canvas, 3, 4, 40, ROLE_TEXT, STR("kept"));
	stage_show(&s);
	vterm_input_write(s.vt, "\x1B[H\x1B[31mnoise\x1B[5;5Hnoise", 27);
	screen_redraw(s.screen);
	CU_ASSERT(stage_show(&s) > 0);
	stage_check(&s, "redrawn", 0);
	CU_ASSERT_EQUAL(stage_show(&s), 0);
	stage_close(&s);
}

static void check_colour(struct stage *s, unsigned column, int r, int g, int b)
{
	VTermScreenCell cell = stage_cell(s, 0, column);
	VTermColor colour = cell.bg;

	vterm_screen_convert_color_to_rgb(s->vs, &colour);
	CHECK(colour.rgb.red == r && colour.rgb.green == g && colour.rgb.blue == b, "%d,%d,%d", colour.rgb.red, colour.rgb.green, colour.rgb.blue);
}

static void switches_themes(void)
{
	struct stage s;
	struct error err;

	stage_open(&s, "xterm-256color", 3, 20, COLOUR_TRUE, "dark");
	CU_ASSERT_EQUAL(screen_colours(s.screen), 1 << 24);
	canvas_put(s.canvas, 0, 0, 20, ROLE_TEXT, STR("text"));
	canvas_put(s.canvas, 0, 4, 20, ROLE_SHEET_CHOSEN, STR("chosen"));
	stage_show(&s);
	check_colour(&s, 0, 0x15, 0x18, 0x1d);
	check_colour(&s, 4, 0x2b, 0x5f, 0x59);
	CU_ASSERT_FATAL(theme_load(&s.theme, STR("light"), NULL, NULL, &err));
	stage_show(&s);
	check_colour(&s, 0, 0xfa, 0xf9, 0xf5);
	check_colour(&s, 4, 0x0e, 0x6b, 0x66);
	CU_ASSERT_EQUAL(stage_show(&s), 0);
	stage_close(&s);
}

static void adds_attributes(void)
{
	struct stage s;
	VTermScreenCell cell;

	stage_open(&s, "xterm-256color", 3, 20, COLOUR_AUTO, "default");
	canvas_put_styled(s.canvas, 0, 0, 20, ROLE_HEADING, STYLE_UNDERLINE | STYLE_ITALIC | STYLE_REVERSE, STR("x"));
	stage_show(&s);
	cell = stage_cell(&s, 0, 0);
	CU_ASSERT(cell.attrs.bold && cell.attrs.underline && cell.attrs.italic && cell.attrs.reverse);
	CU_ASSERT_FALSE(stage_cell(&s, 0, 1).attrs.reverse);
	stage_close(&s);
}

static int colours_of(const char *type, const char *colorterm, const char *no_color, enum colour_mode mode)
{
	struct screen *screen;
	struct error err = { "" };
	int colours = -1, fd = open("/dev/null", O_WRONLY);

	setenv("TERM", type, 1);
	unsetenv("COLORTERM");
	unsetenv("NO_COLOR");
	if (colorterm)
		setenv("COLORTERM", colorterm, 1);
	if (no_color)
		setenv("NO_COLOR", no_color, 1);
	if (screen_open(&screen, fd, 24, 80, mode, &err))
		colours = screen_colours(screen);
	screen_close(screen);
	close(fd);
	unsetenv("NO_COLOR");
	return colours;
}

static void honours_colours(void)
{
	static const struct { const char *type, *colorterm, *no_color; enum colour_mode mode; int colours; } cases[] = {
		{ "xterm-256color", NULL, NULL, COLOUR_AUTO, 256 }, { "xterm-256color", "truecolor", NULL, COLOUR_AUTO, 1 << 24 },
		{ "xterm-256color", "24bit", "", COLOUR_AUTO, 1 << 24 }, { "xterm-256color", "truecolor", "1", COLOUR_AUTO, 0 },
		{ "xterm-256color", NULL, "1", COLOUR_16, 16 }, { "xterm-256color", "truecolor", NULL, COLOUR_256, 256 },
		{ "xterm-256color", "truecolor", NULL, COLOUR_NEVER, 0 }, { "xterm", NULL, NULL, COLOUR_AUTO, 8 }, { "xterm", NULL, NULL, COLOUR_TRUE, 1 << 24 },
		{ "xterm", NULL, NULL, COLOUR_256, 256 }, { "vt100", NULL, NULL, COLOUR_AUTO, 0 }, { "vt100", NULL, NULL, COLOUR_16, 0 },
		{ "no-such-terminal", NULL, NULL, COLOUR_AUTO, 256 }, { "dumb", NULL, NULL, COLOUR_AUTO, -1 }, { "", NULL, NULL, COLOUR_AUTO, -1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int found = colours_of(cases[i].type, cases[i].colorterm, cases[i].no_color, cases[i].mode);

		CHECK(found == cases[i].colours, "case %zu, %s: %d colours", i, cases[i].type, found);
	}
}

static void copies(void)
{
	static char large[80 << 10];
	struct stage s;
	off_t from;

	stage_open(&s, "xterm-256color", 3, 20, COLOUR_AUTO, "default");
	stage_show(&s);
	from = s.read_to;
	CU_ASSERT(screen_copy(s.screen, STR("h\xC3\xA9llo\n")));
	CU_ASSERT(screen_has_unsent(s.screen));
	screen_send(s.screen);
	CU_ASSERT_FALSE(screen_has_unsent(s.screen));
	CU_ASSERT(stage_wrote(&s, from, "\x1B]52;c;aMOpbGxvCg==\x07"));
	CU_ASSERT_FALSE(screen_copy(s.screen, str_of(large, sizeof large)));
	CU_ASSERT_FALSE(screen_has_unsent(s.screen));
	stage_close(&s);
}

static void sets_and_resets_the_keyboard_protocol(void)
{
	static const struct { enum key_protocol protocol; const char *on, *off; } cases[] = {
		{ KEYS_KITTY, "\x1B[>5u", "\x1B[<u" }, { KEYS_XTERM, "\x1B[>4;2m", "\x1B[>4m" },
	};

	for (size_t i = 0; i < 2; i++) {
		struct stage s;
		off_t from;

		stage_open(&s, "xterm-256color", 3, 20, COLOUR_AUTO, "default");
		stage_show(&s);
		CU_ASSERT(stage_wrote(&s, 0, "\x1B[?u"));
		CU_ASSERT_FALSE(stage_wrote(&s, 0, cases[i].on));
		screen_use_keys(s.screen, cases[i].protocol);
		screen_use_keys(s.screen, cases[i].protocol);
		screen_send(s.screen);
		CU_ASSERT(stage_wrote(&s, 0, cases[i].on));
		from = lseek(s.fd, 0, SEEK_END);
		screen_suspend(s.screen);
		CU_ASSERT(stage_wrote(&s, from, cases[i].off));
		from = lseek(s.fd, 0, SEEK_END);
		screen_resume(s.screen, 3, 20);
		stage_show(&s);
		CU_ASSERT(stage_wrote(&s, from, cases[i].on));
		CU_ASSERT_FALSE(stage_wrote(&s, from, "\x1B[?u")); /* queried only once */
		stage_close(&s);
	}
}

/* A terminal that accepts nothing: frames are skipped, none is sent partially, and the last frame shown is complete. */
static void never_waits_for_the_terminal(void)
{
	struct stage s;
	struct error err;
	unsigned seed = 9, skipped = 0;
	char bytes[4096];
	struct buf sent = { 0 }; /* libvterm loses marks of a letter that a call begins with: it gets all in one */
	ssize_t len;
	int ends[2];

	stage_open(&s, "xterm-256color", 30, 100, COLOUR_AUTO, "dark");
	screen_close(s.screen);
	CU_ASSERT_FATAL(pipe2(ends, O_NONBLOCK) == 0);
	CU_ASSERT_FATAL(screen_open(&s.screen, ends[1], 30, 100, COLOUR_AUTO, &err));
	for (unsigned i = 0; i < 2000; i++) {
		stage_scribble(s.canvas, &seed);
		skipped += !screen_show(s.screen, s.canvas, &s.theme);
		if (i % 4 == 0 && (len = read(ends[0], bytes, 100)) > 0)
			buf_add(&sent, str_of(bytes, (size_t)len));
	}
	CU_ASSERT(skipped > 0);
	for (bool shown = false; !shown || screen_has_unsent(s.screen);) {
		while ((len = read(ends[0], bytes, sizeof bytes)) > 0)
			buf_add(&sent, str_of(bytes, (size_t)len));
		screen_send(s.screen);
		if (!screen_has_unsent(s.screen))
			shown = screen_show(s.screen, s.canvas, &s.theme);
	}
	while ((len = read(ends[0], bytes, sizeof bytes)) > 0)
		buf_add(&sent, str_of(bytes, (size_t)len));
	vterm_input_write(s.vt, sent.ptr, sent.len);
	buf_fini(&sent);
	stage_check(&s, "caught up", 0);
	stage_close(&s);
	close(ends[0]);
	close(ends[1]);
}

static unsigned rows_changed(const struct cell *before, const struct canvas *canvas)
{
	unsigned changed = 0;

	for (unsigned r = 0; r < canvas->rows; r++)
		changed += memcmp(before + (size_t)r * canvas->columns, canvas_cell(canvas, r, 0), canvas->columns * sizeof *before) != 0;
	return changed;
}

/* On a packet socket each frame is one packet, in synchronized output if several rows changed. An unchanged frame sends no packet. */
static void writes_once_a_frame(void)
{
	static char bytes[256 << 10];
	static struct cell before[30 * 100];
	struct stage s;
	struct error err;
	unsigned seed = 11, changed;
	int ends[2];

	stage_open(&s, "xterm-256color", 30, 100, COLOUR_AUTO, "dark");
	screen_close(s.screen);
	CU_ASSERT_FATAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends) == 0);
	CU_ASSERT_FATAL(screen_open(&s.screen, ends[1], 30, 100, COLOUR_AUTO, &err));
	for (unsigned i = 0; i < 300; i++) {
		ssize_t len;

		memcpy(before, canvas_cell(s.canvas, 0, 0), sizeof before);
		if (i && i % 3 == 0)
			canvas_put(s.canvas, i % 30, 3, 10, ROLE_TEXT, i % 2 ? STR("odd") : STR("even"));
		else if (i % 10 != 1)
			stage_scribble(s.canvas, &seed);
		changed = i ? rows_changed(before, s.canvas) : 30;
		CU_ASSERT(screen_show(s.screen, s.canvas, &s.theme));
		len = recv(ends[0], bytes, sizeof bytes, 0);
		CHECK((len > 0) == (changed > 0), "frame %u: written when there is one", i);
		CHECK(recv(ends[0], bytes + (len > 0 ? len : 0), 1, 0) < 0, "frame %u: one write", i);
		if (len <= 0)
			continue;
		CHECK(changed < 2 || (!memcmp(bytes, "\x1B[?2026h", 8) && !memcmp(bytes + len - 8, "\x1B[?2026l", 8)), "frame %u: brackets around all of it", i);
		vterm_input_write(s.vt, bytes, (size_t)len);
		stage_check(&s, "after a write", i);
		CU_ASSERT(screen_show(s.screen, s.canvas, &s.theme));
		CHECK(recv(ends[0], bytes, sizeof bytes, 0) < 0, "frame %u: nothing has changed, nothing is written", i);
	}
	stage_close(&s);
	close(ends[0]);
	close(ends[1]);
}

const struct suite suite_screen_terminal = { "screen_terminal", (const struct test[]){
	TEST(queries_leave_no_trace), TEST(omits_unsupported_synchronized_output), TEST(writes_few_bytes),
	TEST(shows_frames_of_any_size), TEST(cursor_returns_to_its_cell), TEST(synchronizes_frames_of_several_rows), TEST(restores_the_terminal), TEST(repaints_on_request), TEST(switches_themes),
	TEST(adds_attributes), TEST(honours_colours), TEST(copies), TEST(sets_and_resets_the_keyboard_protocol),
	TEST(writes_once_a_frame), TEST(never_waits_for_the_terminal), { 0 } } };
