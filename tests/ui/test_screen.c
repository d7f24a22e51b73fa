#include "ui/screen.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vterm.h>

#include "base/mem.h"
#include "support/check.h"

/* ncurses keeps what it made for a terminal type that it did not know. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:new_prescr\n";
}

/* A screen on a file, and libvterm as the terminal that reads it. */
struct stage {
	struct screen *screen;
	struct canvas *canvas;
	struct theme theme;
	int fd;
	off_t read_to;
	VTerm *vt;
	VTermScreen *vs;
	bool cursor_shown, alternate;
	bool joins;              /* emoji sequences, which libvterm does not by itself */
};

/* What a terminal that joins shows as one picture; libvterm is sent an ideograph of the same width in its place. */
static const struct { const char *picture, *sent; } pictures[] = {
	{ "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466", "\u7530" }, { "\U0001F44D\U0001F3FD", "\u53CB" },
	{ "\u2764\uFE0F", "\u5FC3" }, { "\U0001F1E9\U0001F1EA", "\u65D7" }, { "\U0001FAE8", "\u9707" },
};
#define PICTURES (sizeof pictures / sizeof *pictures)

static int on_property(VTermProp prop, VTermValue *value, void *user)
{
	struct stage *s = user;

	if (prop == VTERM_PROP_CURSORVISIBLE)
		s->cursor_shown = value->boolean;
	if (prop == VTERM_PROP_ALTSCREEN)
		s->alternate = value->boolean;
	return 1;
}

static const VTermScreenCallbacks callbacks = { .settermprop = on_property };

static void open_stage(struct stage *s, const char *type, unsigned rows, unsigned columns, enum colour_mode mode, const char *theme)
{
	char path[] = "/tmp/weir-screen-XXXXXX";
	struct error err = { "" };

	*s = (struct stage){ .fd = mkstemp(path), .cursor_shown = true };
	CU_ASSERT_FATAL(s->fd >= 0);
	unlink(path);
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TERM", type, 1);
	unsetenv("COLORTERM");
	unsetenv("NO_COLOR");
	CU_ASSERT_FATAL(theme_load(&s->theme, str_from(theme), NULL, NULL, &err));
	CHECK(screen_open(&s->screen, s->fd, rows, columns, mode, &err), "%s: %s", type, err.text);
	CU_ASSERT_FATAL(s->screen != NULL);
	s->canvas = canvas_new(rows, columns);
	s->vt = vterm_new((int)rows, (int)columns);
	vterm_set_utf8(s->vt, 1);
	s->vs = vterm_obtain_screen(s->vt);
	vterm_screen_set_callbacks(s->vs, &callbacks, s);
	vterm_screen_enable_altscreen(s->vs, 1);
	vterm_screen_reset(s->vs, 1);
}

static void read_joining(struct stage *s, struct str bytes)
{
	while (bytes.len) {
		size_t taken = 1;
		struct str sent = str_head(bytes, 1);

		for (size_t i = 0; i < PICTURES; i++)
			if (str_starts(bytes, pictures[i].picture)) {
				taken = strlen(pictures[i].picture);
				sent = str_from(pictures[i].sent);
			}
		vterm_input_write(s->vt, sent.ptr, sent.len);
		bytes = str_skip(bytes, taken);
	}
}

/* Lets the terminal read what was written since the last time; returns the bytes. */
static size_t pump(struct stage *s)
{
	static char bytes[65536];
	size_t all = 0;
	ssize_t len;

	while ((len = pread(s->fd, bytes, sizeof bytes, s->read_to)) > 0) {
		if (s->joins)
			read_joining(s, str_of(bytes, (size_t)len));
		else
			vterm_input_write(s->vt, bytes, (size_t)len);
		s->read_to += len;
		all += (size_t)len;
	}
	return all;
}

static size_t show(struct stage *s)
{
	CU_ASSERT(screen_show(s->screen, s->canvas, &s->theme));
	return pump(s);
}

static void close_stage(struct stage *s)
{
	screen_close(s->screen);
	canvas_free(s->canvas);
	vterm_free(s->vt);
	close(s->fd);
}

static bool wrote(struct stage *s, off_t from, const char *text)
{
	char bytes[16384];
	ssize_t len = pread(s->fd, bytes, sizeof bytes, from);

	return len > 0 && str_find(str_of(bytes, (size_t)len), str_from(text)) < (size_t)len;
}

static VTermScreenCell terminal_cell(struct stage *s, unsigned row, unsigned column)
{
	VTermScreenCell cell;

	memset(&cell, 0, sizeof cell);
	vterm_screen_get_cell(s->vs, (VTermPos){ (int)row, (int)column }, &cell);
	return cell;
}

static bool same_cell(const struct cell *want, const VTermScreenCell *have)
{
	char text[VTERM_MAX_CHARS_PER_CELL * 4];
	size_t len = 0;

	for (size_t i = 0; i < VTERM_MAX_CHARS_PER_CELL && have->chars[i]; i++)
		len += utf8_put(text + len, have->chars[i]);
	if (len == 0)
		text[len++] = ' ';
	for (size_t i = 0; i < PICTURES; i++)
		if (str_is(str_of(want->text, want->len), pictures[i].picture) && want->width == 2)
			return str_is(str_of(text, len), pictures[i].sent) && have->width == 2;
	return len == want->len && memcmp(text, want->text, len) == 0 && have->width == want->width;
}

/* Everything that is on the canvas is on the terminal, and the cursor where it belongs. */
static void check_equal(struct stage *s, const char *when, unsigned number)
{
	VTermPos cursor;

	for (unsigned r = 0; r < s->canvas->rows; r++)
		for (unsigned c = 0; c < s->canvas->columns; c++) {
			const struct cell *want = canvas_cell(s->canvas, r, c);
			VTermScreenCell have = terminal_cell(s, r, c);

			/* On some terminals there cannot be a wide cluster before the lower right corner (screen.c). */
			if (r + 1 == s->canvas->rows && c + 3 == s->canvas->columns && want->width == 2 && (!have.chars[0] || have.chars[0] == ' '))
				continue;
			if (want->width && !same_cell(want, &have)) {
				CHECK(false, "%s %u: row %u, column %u: U+%04X, not \"%.*s\"", when, number, r, c, have.chars[0], want->len, want->text);
				return;
			}
		}
	vterm_state_get_cursorpos(vterm_obtain_state(s->vt), &cursor);
	CHECK(s->cursor_shown == s->canvas->cursor_shown, "%s %u: the cursor", when, number);
	CHECK(!s->canvas->cursor_shown || (cursor.row == (int)s->canvas->cursor_row && cursor.col == (int)s->canvas->cursor_column),
		"%s %u: the cursor is at %d, %d", when, number, cursor.row, cursor.col);
}

static const char *const pieces[] = {
	"word ", "the quick brown fox ", "     ", "\xE4\xB8\xAD\xE6\x96\x87", "e\xCC\x81", "\xF0\x9F\x98\x80", "=========", "\xE2\x94\x80\xE2\x94\x80",
	"\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA", "a\xCC\x80\xCC\x81\xCC\x82\xCC\x83\xCC\x84\xCC\x85\xCC\x86", "\x1B[31m", "x",
};

static void scribble(struct canvas *canvas, unsigned *seed)
{
	unsigned changes = check_random(seed) % 12;

	for (unsigned i = 0; i < changes; i++) {
		const char *text = pieces[check_random(seed) % (sizeof pieces / sizeof *pieces)];
		enum role_name role = check_random(seed) % ROLE_COUNT;

		unsigned row = check_random(seed) % canvas->rows; /* one after another: arguments have no order */

		canvas_put(canvas, row, check_random(seed) % canvas->columns, canvas->columns, role, str_from(text));
	}
}

/* Moves all rows but the last up by a few, as a transcript does. */
static void scroll(struct canvas *canvas, unsigned by)
{
	unsigned rows = canvas->rows - 1 - by;
	size_t size = canvas->columns * sizeof **canvas->cells;
	struct cell *kept = mem_resize(NULL, rows, size);

	for (unsigned r = 0; r < rows; r++)
		memcpy(kept + r * canvas->columns, canvas->cells[r + by], size);
	/* All of them: what is known of a row does not move with its cells. */
	canvas_fill(canvas, (struct area){ 0, 0, canvas->rows - 1, canvas->columns }, ROLE_TEXT);
	for (unsigned r = 0; r < rows; r++)
		memcpy(canvas->cells[r], kept + r * canvas->columns, size);
	mem_free(kept);
}

static void shows_any_canvas(void)
{
	static const struct { const char *type; const char *theme; enum colour_mode mode; } terminals[] = {
		{ "xterm-256color", "default", COLOUR_AUTO }, { "xterm-256color", "dark", COLOUR_TRUE }, { "screen-256color", "light", COLOUR_AUTO },
		{ "linux", "dark", COLOUR_AUTO }, { "vt100", "default", COLOUR_AUTO }, { "xterm", "mono", COLOUR_NEVER },
	};

	for (size_t t = 0; t < sizeof terminals / sizeof *terminals; t++) {
		unsigned seed = (unsigned)t + 1;
		struct stage s;

		open_stage(&s, terminals[t].type, 12, 40, terminals[t].mode, terminals[t].theme);
		for (unsigned i = 0; i < 150; i++) {
			if (i % 40 == 39)
				canvas_clear(s.canvas);
			if (i % 7 == 3)
				scroll(s.canvas, 1 + check_random(&seed) % 3);
			scribble(s.canvas, &seed);
			s.canvas->cursor_shown = false;
			if (check_random(&seed) % 4)
				canvas_cursor(s.canvas, i % 12, check_random(&seed) % 40);
			show(&s);
			check_equal(&s, terminals[t].type, i);
		}
		close_stage(&s);
	}
}

/* A text that grows and scrolls between a header and a line of input, as an answer does; now and then something lies over it. */
static void draw_answer(struct stage *s, unsigned top, unsigned end, bool over)
{
	char text[64];

	canvas_clear(s->canvas);
	canvas_put(s->canvas, 0, 0, 40, ROLE_LABEL, STR("header"));
	for (unsigned r = 0; r < 9 && top + r < end; r++) {
		unsigned line = top + r;

		snprintf(text, sizeof text, "%u %s%s", line, pieces[line % 10], line + 1 == end ? "" : " and more");
		if (line % 7 == 6)
			*text = '\0';
		canvas_put_row(s->canvas, 1 + r, 1, 38, ROLE_TEXT, str_from(text));
	}
	if (over)
		canvas_put(s->canvas, 3, 5, 20, ROLE_SHEET, STR("over" "\xE4\xB8\xAD"));
	canvas_put(s->canvas, 11, 0, 40, ROLE_INPUT, STR("> input"));
	canvas_settle(s->canvas);
	canvas_cursor(s->canvas, 11, 7);
}

static void moves_rows(void)
{
	static const char *const types[] = { "xterm-256color", "screen-256color", "linux", "vt100" };

	for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
		unsigned seed = (unsigned)t + 5, top = 0, end = 1;
		struct stage s;

		open_stage(&s, types[t], 12, 40, COLOUR_AUTO, "default");
		for (unsigned i = 0; i < 150; i++) {
			end += check_random(&seed) % 3;
			top = check_random(&seed) % 9 == 0 ? (top > 4 ? top - 4 : 0) : end > 9 ? end - 9 : 0;
			draw_answer(&s, top, end, check_random(&seed) % 8 == 0);
			show(&s);
			check_equal(&s, types[t], i);
		}
		close_stage(&s);
	}
}

static const struct utf8_profile joining = { .joins = true, .tones = true, .variants = true, .flags = true, .recent = true };
static const struct utf8_profile nothing;

/* Rows of links, struck text and whole emoji, with more of them than there are stand-ins, over each other and scrolled. */
static void draw_mixture(struct stage *s, unsigned number, unsigned *seed)
{
	struct str destinations[3];
	char urls[3][64], text[3][64];

	canvas_clear(s->canvas);
	for (unsigned r = 0; r < 11; r++) {
		struct span spans[3];

		for (unsigned i = 0; i < 3; i++) {
			unsigned n = (number / 2 + r) * 3 + i;

			snprintf(urls[i], sizeof urls[i], "https://example.org/%u", n / 2);
			snprintf(text[i], sizeof text[i], "%u%s %s", n, pictures[n % PICTURES].picture, n % 4 ? pieces[n % 9] : "aaaaaaaaaa");
			destinations[i] = str_from(urls[i]);
			spans[i] = (struct span){ .text = str_from(text[i]), .role = ROLE_TEXT, .link = (uint16_t)(n % 3), .attributes = n % 5 ? 0 : STYLE_STRIKE };
		}
		canvas_use_links(s->canvas, destinations, 3);
		canvas_put_spans(s->canvas, r, r % 4, 36, spans, 3);
	}
	if (check_random(seed) % 8 == 0)
		canvas_put(s->canvas, 3, 5, 20, ROLE_SHEET, STR("over\u2764\uFE0F"));
	canvas_settle(s->canvas);
	canvas_cursor(s->canvas, 11, 7);
}

/* Links that libvterm does not know are checked as they stand in the bytes: none is open where a row is left. */
static void shows_whole_pictures(void)
{
	static const char *const types[] = { "xterm-256color", "screen-256color", "tmux-256color", "linux" };

	for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
		unsigned seed = (unsigned)t + 3;
		struct stage s;

		open_stage(&s, types[t], 12, 40, COLOUR_AUTO, "default");
		s.joins = true;
		utf8_set_profile(&joining);
		for (unsigned i = 0; i < 400; i++) {
			draw_mixture(&s, i, &seed);
			show(&s);
			check_equal(&s, types[t], i);
		}
		utf8_set_profile(&nothing);
		close_stage(&s);
	}
}

/* More different clusters than there are stand-ins for. */
static void never_runs_out_of_stand_ins(void)
{
	static const uint32_t people[] = { 0x1F466, 0x1F467, 0x1F468, 0x1F469, 0x1F474, 0x1F475, 0x1F476, 0x1F477, 0x1F478, 0x1F479 };
	struct stage s;
	unsigned n = 0;

	open_stage(&s, "xterm-256color", 12, 40, COLOUR_AUTO, "default");
	utf8_set_profile(&joining);
	for (unsigned i = 0; i < 100; i++) {
		char text[20] = "", *end = text;

		for (unsigned c = 0; c < 19; c++, n++) {
			off_t from = s.read_to;

			end = text;
			end += utf8_put(end, people[n % 10]);
			end += utf8_put(end, 0x200D);
			end += utf8_put(end, people[n / 10 % 10]);
			end += utf8_put(end, 0x200D);
			end += utf8_put(end, people[n / 100 % 10]);
			*end = '\0';
			canvas_put(s.canvas, i % 11, c * 2, 2, ROLE_TEXT, str_from(text));
			show(&s);
			CHECK(wrote(&s, from, text), "cluster %u", n);
		}
	}
	utf8_set_profile(&nothing);
	close_stage(&s);
}

static size_t count_in(struct stage *s, off_t from, const char *text)
{
	static char bytes[65536];
	ssize_t len = pread(s->fd, bytes, sizeof bytes, from);
	struct str rest = str_of(bytes, len > 0 ? (size_t)len : 0);
	size_t count = 0, at;

	while ((at = str_find(rest, str_from(text))) < rest.len) {
		rest = str_skip(rest, at + 1);
		count++;
	}
	return count;
}

static void put_link(struct stage *s, unsigned row, const char *text, const char *destination)
{
	struct str to = str_from(destination);

	canvas_clear(s->canvas);
	canvas_use_links(s->canvas, &to, 1);
	canvas_put_spans(s->canvas, row, 0, 40, &(struct span){ .text = str_from(text), .role = ROLE_LINK, .link = 1 }, 1);
	canvas_settle(s->canvas);
}

static void tells_links(void)
{
	static const struct { const char *type; bool told; } types[] = { { "xterm-256color", true }, { "tmux-256color", true }, { "linux", false }, { "screen", false } };
	static const char same[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

	for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
		size_t told = types[t].told;
		struct stage s;
		off_t from;

		open_stage(&s, types[t].type, 5, 40, COLOUR_AUTO, "default");
		show(&s);
		from = s.read_to;
		put_link(&s, 1, same, "https://example.org/");
		show(&s);
		check_equal(&s, types[t].type, 0);
		CHECK(count_in(&s, from, "\x1B]8;id=1;https://example.org/\x1B\\") == told, "%s", types[t].type);
		CHECK(count_in(&s, from, "\x1B]8;;\x1B\\") == told, "%s", types[t].type);
		CU_ASSERT_EQUAL(count_in(&s, from, same), 1);
		CU_ASSERT_EQUAL(show(&s), 0);
		from = s.read_to;
		put_link(&s, 1, same, "https://example.org/other"); /* looks the same, leads elsewhere */
		show(&s);
		CHECK(count_in(&s, from, "https://example.org/other") == told, "%s", types[t].type);
		from = s.read_to;
		screen_use_links(s.screen, false);
		show(&s);
		CU_ASSERT_EQUAL(count_in(&s, from, "\x1B]8"), 0);
		CU_ASSERT_EQUAL(count_in(&s, from, same), 1);
		close_stage(&s);
	}
}

static void strikes_through(void)
{
	struct stage s;
	off_t from;

	open_stage(&s, "xterm-256color", 3, 20, COLOUR_AUTO, "default");
	canvas_put_styled(s.canvas, 0, 0, 20, ROLE_LABEL, STYLE_STRIKE, STR("no e\u0301"));
	canvas_put(s.canvas, 0, 5, 20, ROLE_LABEL, STR("yes"));
	show(&s);
	check_equal(&s, "struck", 0);
	for (unsigned c = 0; c < 8; c++)
		CHECK(terminal_cell(&s, 0, c).attrs.strike == (c < 4), "column %u", c);
	close_stage(&s);
	open_stage(&s, "screen", 3, 20, COLOUR_AUTO, "default");
	from = s.read_to;
	canvas_put_styled(s.canvas, 0, 0, 20, ROLE_TEXT, STYLE_STRIKE, STR("no"));
	show(&s);
	CU_ASSERT(wrote(&s, from, "\x1B[2mno"));
	close_stage(&s);
}

/* Nothing of the questions stays, whether the terminal joins or not; they come once, and only where they are understood. */
static void asks_without_a_trace(void)
{
	static const struct { const char *type; bool asked; } types[] = { { "xterm-256color", true }, { "screen", true }, { "linux", false }, { "vt100", false } };

	for (size_t t = 0; t < sizeof types / sizeof *types; t++)
		for (unsigned joins = 0; joins < 2; joins++) {
			struct stage s;
			off_t from;

			open_stage(&s, types[t].type, 12, 40, COLOUR_AUTO, "dark");
			s.joins = joins;
			canvas_put(s.canvas, 2, 0, 40, ROLE_TEXT, STR("first"));
			canvas_cursor(s.canvas, 11, 3);
			show(&s);
			check_equal(&s, types[t].type, joins);
			CHECK(wrote(&s, 0, "\x1B[6n") == types[t].asked && wrote(&s, 0, "\x1B[c") == types[t].asked, "%s", types[t].type);
			CU_ASSERT_EQUAL(screen_frames(s.screen), 1);
			CU_ASSERT_EQUAL(show(&s), 0);
			screen_suspend(s.screen);
			pump(&s);
			from = s.read_to;
			screen_resume(s.screen, 12, 40);
			show(&s);
			check_equal(&s, types[t].type, joins);
			CU_ASSERT_FALSE(wrote(&s, from, "\x1B[6n"));
			close_stage(&s);
		}
}

static void spares_brackets_that_mean_nothing(void)
{
	struct stage s;
	off_t from;

	open_stage(&s, "xterm-256color", 12, 40, COLOUR_AUTO, "default");
	show(&s);
	CU_ASSERT(handshake_take(screen_handshake(s.screen), STR("[?2026;0$y")));
	from = s.read_to;
	canvas_put(s.canvas, 2, 0, 40, ROLE_TEXT, STR("two"));
	canvas_put(s.canvas, 3, 0, 40, ROLE_TEXT, STR("rows"));
	show(&s);
	CU_ASSERT_FALSE(wrote(&s, from, "\x1B[?2026"));
	check_equal(&s, "unbracketed", 0);
	close_stage(&s);
}

/* Bytes are exact, so they may be asserted. */
static void costs_few_bytes(void)
{
	static const char *const themes[] = { "default", "dark" };

	for (size_t t = 0; t < 2; t++) {
		struct stage s;
		size_t bytes;

		open_stage(&s, "xterm-256color", 40, 120, COLOUR_TRUE, themes[t]);
		canvas_put(s.canvas, 37, 1, 10, ROLE_ACCENT, STR("> "));
		canvas_cursor(s.canvas, 37, 3);
		show(&s);
		CU_ASSERT_EQUAL(show(&s), 0);
		for (unsigned i = 0; i < 10; i++) {
			canvas_put(s.canvas, 20, 1 + i * 5, 6, ROLE_REASONING, STR("word "));
			bytes = show(&s);
			CHECK(i == 0 || bytes <= 20, "%s: %zu bytes for a word", themes[t], bytes);
		}
		canvas_put(s.canvas, 37, 3, 6, ROLE_INPUT, STR("x"));
		canvas_cursor(s.canvas, 37, 4);
		show(&s);
		canvas_put(s.canvas, 37, 4, 6, ROLE_INPUT, STR("y"));
		canvas_cursor(s.canvas, 37, 5);
		bytes = show(&s);
		CHECK(bytes <= 8, "%s: %zu bytes for a letter", themes[t], bytes);
		check_equal(&s, themes[t], 0);
		close_stage(&s);
	}
}

static void brackets_frames_of_several_rows(void)
{
	struct stage s;
	off_t from;

	open_stage(&s, "xterm-256color", 10, 40, COLOUR_AUTO, "default");
	show(&s);
	CU_ASSERT(wrote(&s, 0, "\x1B[?2004h"));
	from = s.read_to;
	canvas_put(s.canvas, 1, 0, 40, ROLE_TEXT, STR("one"));
	show(&s);
	CU_ASSERT_FALSE(wrote(&s, from, "\x1B[?2026"));
	from = s.read_to;
	canvas_put(s.canvas, 1, 0, 40, ROLE_TEXT, STR("two"));
	canvas_put(s.canvas, 2, 0, 40, ROLE_TEXT, STR("two"));
	show(&s);
	CU_ASSERT(wrote(&s, from, "\x1B[?2026h"));
	CU_ASSERT(wrote(&s, from, "\x1B[?2026l"));
	CU_ASSERT_EQUAL(screen_frames(s.screen), 3);
	CU_ASSERT_EQUAL(screen_bytes(s.screen), (size_t)s.read_to);
	close_stage(&s);
}

static void leaves_the_terminal_as_it_was(void)
{
	struct stage s;
	off_t from;

	open_stage(&s, "xterm-256color", 10, 40, COLOUR_TRUE, "dark");
	show(&s);
	CU_ASSERT(s.alternate);
	CU_ASSERT_FALSE(s.cursor_shown);
	from = s.read_to;
	screen_suspend(s.screen);
	pump(&s);
	CU_ASSERT_FALSE(s.alternate);
	CU_ASSERT(s.cursor_shown);
	CU_ASSERT(wrote(&s, from, "\x1B[?2004l"));
	CU_ASSERT_FALSE(wrote(&s, from, "\x1B]104"));
	vterm_set_size(s.vt, 8, 30);
	screen_resume(s.screen, 8, 30);
	canvas_resize(s.canvas, 8, 30);
	canvas_put(s.canvas, 7, 20, 40, ROLE_TEXT, STR("back"));
	from = s.read_to;
	show(&s);
	CU_ASSERT(s.alternate);
	CU_ASSERT(wrote(&s, from, "\x1B[?2004h"));
	check_equal(&s, "resumed", 0);
	screen_close(s.screen);
	s.screen = NULL;
	pump(&s);
	CU_ASSERT_FALSE(s.alternate);
	CU_ASSERT(s.cursor_shown);
	close_stage(&s);
}

static void follows_the_size(void)
{
	unsigned seed = 5;
	struct stage s;

	open_stage(&s, "xterm-256color", 24, 80, COLOUR_AUTO, "dark");
	for (unsigned i = 0; i < 40; i++) {
		unsigned rows = 1 + check_random(&seed) % 50;
		unsigned columns = 2 + check_random(&seed) % 150;

		vterm_set_size(s.vt, (int)rows, (int)columns);
		screen_resize(s.screen, rows, columns);
		canvas_resize(s.canvas, rows, columns);
		scribble(s.canvas, &seed);
		show(&s);
		check_equal(&s, "resized", i);
	}
	close_stage(&s);
}

static void repaints_on_request(void)
{
	struct stage s;

	open_stage(&s, "xterm-256color", 10, 40, COLOUR_AUTO, "dark");
	canvas_put(s.canvas, 3, 4, 40, ROLE_TEXT, STR("kept"));
	show(&s);
	vterm_input_write(s.vt, "\x1B[H\x1B[31mnoise\x1B[5;5Hnoise", 27);
	screen_redraw(s.screen);
	CU_ASSERT(show(&s) > 0);
	check_equal(&s, "redrawn", 0);
	CU_ASSERT_EQUAL(show(&s), 0);
	close_stage(&s);
}

static void check_colour(struct stage *s, unsigned column, int r, int g, int b)
{
	VTermScreenCell cell = terminal_cell(s, 0, column);
	VTermColor colour = cell.bg;

	vterm_screen_convert_color_to_rgb(s->vs, &colour);
	CHECK(colour.rgb.red == r && colour.rgb.green == g && colour.rgb.blue == b, "%d,%d,%d", colour.rgb.red, colour.rgb.green, colour.rgb.blue);
}

static void switches_themes(void)
{
	struct stage s;
	struct error err;

	open_stage(&s, "xterm-256color", 3, 20, COLOUR_TRUE, "dark");
	CU_ASSERT_EQUAL(screen_colours(s.screen), 1 << 24);
	canvas_put(s.canvas, 0, 0, 20, ROLE_TEXT, STR("text"));
	canvas_put(s.canvas, 0, 4, 20, ROLE_SHEET_CHOSEN, STR("chosen"));
	show(&s);
	check_colour(&s, 0, 0x15, 0x18, 0x1d);
	check_colour(&s, 4, 0x2b, 0x5f, 0x59);
	CU_ASSERT_FATAL(theme_load(&s.theme, STR("light"), NULL, NULL, &err));
	show(&s);
	check_colour(&s, 0, 0xfa, 0xf9, 0xf5);
	check_colour(&s, 4, 0x0e, 0x6b, 0x66);
	CU_ASSERT_EQUAL(show(&s), 0);
	close_stage(&s);
}

static void adds_attributes(void)
{
	struct stage s;
	VTermScreenCell cell;

	open_stage(&s, "xterm-256color", 3, 20, COLOUR_AUTO, "default");
	canvas_put_styled(s.canvas, 0, 0, 20, ROLE_LABEL, STYLE_UNDERLINE | STYLE_ITALIC | STYLE_REVERSE, STR("x"));
	show(&s);
	cell = terminal_cell(&s, 0, 0);
	CU_ASSERT(cell.attrs.bold && cell.attrs.underline && cell.attrs.italic && cell.attrs.reverse);
	CU_ASSERT_FALSE(terminal_cell(&s, 0, 1).attrs.reverse);
	close_stage(&s);
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

	open_stage(&s, "xterm-256color", 3, 20, COLOUR_AUTO, "default");
	show(&s);
	from = s.read_to;
	CU_ASSERT(screen_copy(s.screen, STR("h\xC3\xA9llo\n")));
	CU_ASSERT(screen_has_unsent(s.screen));
	screen_send(s.screen);
	CU_ASSERT_FALSE(screen_has_unsent(s.screen));
	CU_ASSERT(wrote(&s, from, "\x1B]52;c;aMOpbGxvCg==\x07"));
	CU_ASSERT_FALSE(screen_copy(s.screen, str_of(large, sizeof large)));
	CU_ASSERT_FALSE(screen_has_unsent(s.screen));
	close_stage(&s);
}

static void asks_for_keys_and_takes_them_back(void)
{
	static const struct { enum key_protocol protocol; const char *on, *off; } cases[] = {
		{ KEYS_KITTY, "\x1B[>5u", "\x1B[<u" }, { KEYS_XTERM, "\x1B[>4;2m", "\x1B[>4m" },
	};

	for (size_t i = 0; i < 2; i++) {
		struct stage s;
		off_t from;

		open_stage(&s, "xterm-256color", 3, 20, COLOUR_AUTO, "default");
		show(&s);
		CU_ASSERT(wrote(&s, 0, "\x1B[?u"));
		CU_ASSERT_FALSE(wrote(&s, 0, cases[i].on));
		screen_use_keys(s.screen, cases[i].protocol);
		screen_use_keys(s.screen, cases[i].protocol);
		screen_send(s.screen);
		CU_ASSERT(wrote(&s, 0, cases[i].on));
		from = lseek(s.fd, 0, SEEK_END);
		screen_suspend(s.screen);
		CU_ASSERT(wrote(&s, from, cases[i].off));
		from = lseek(s.fd, 0, SEEK_END);
		screen_resume(s.screen, 3, 20);
		show(&s);
		CU_ASSERT(wrote(&s, from, cases[i].on));
		CU_ASSERT_FALSE(wrote(&s, from, "\x1B[?u")); /* asked once */
		close_stage(&s);
	}
}

/* A terminal that takes nothing: frames are left out, none is half sent, and the last one shown is whole. */
static void never_waits_for_the_terminal(void)
{
	struct stage s;
	struct error err;
	unsigned seed = 9, skipped = 0;
	char bytes[4096];
	ssize_t len;
	int ends[2];

	open_stage(&s, "xterm-256color", 30, 100, COLOUR_AUTO, "dark");
	screen_close(s.screen);
	CU_ASSERT_FATAL(pipe2(ends, O_NONBLOCK) == 0);
	CU_ASSERT_FATAL(screen_open(&s.screen, ends[1], 30, 100, COLOUR_AUTO, &err));
	for (unsigned i = 0; i < 2000; i++) {
		scribble(s.canvas, &seed);
		skipped += !screen_show(s.screen, s.canvas, &s.theme);
		if (i % 4 == 0 && (len = read(ends[0], bytes, 100)) > 0)
			vterm_input_write(s.vt, bytes, (size_t)len);
	}
	CU_ASSERT(skipped > 0);
	for (bool shown = false; !shown || screen_has_unsent(s.screen);) {
		while ((len = read(ends[0], bytes, sizeof bytes)) > 0)
			vterm_input_write(s.vt, bytes, (size_t)len);
		screen_send(s.screen);
		if (!screen_has_unsent(s.screen))
			shown = screen_show(s.screen, s.canvas, &s.theme);
	}
	while ((len = read(ends[0], bytes, sizeof bytes)) > 0)
		vterm_input_write(s.vt, bytes, (size_t)len);
	check_equal(&s, "caught up", 0);
	close_stage(&s);
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

/* A socket that keeps writes apart: each frame is one packet, in brackets when it changes several rows, and nothing is none. */
static void writes_once_a_frame(void)
{
	static char bytes[256 << 10];
	static struct cell before[30 * 100];
	struct stage s;
	struct error err;
	unsigned seed = 11, changed;
	size_t frames;
	int ends[2];

	open_stage(&s, "xterm-256color", 30, 100, COLOUR_AUTO, "dark");
	screen_close(s.screen);
	CU_ASSERT_FATAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends) == 0);
	CU_ASSERT_FATAL(screen_open(&s.screen, ends[1], 30, 100, COLOUR_AUTO, &err));
	for (unsigned i = 0; i < 300; i++) {
		ssize_t len;

		memcpy(before, canvas_cell(s.canvas, 0, 0), sizeof before);
		if (i && i % 3 == 0)
			canvas_put(s.canvas, i % 30, 3, 10, ROLE_TEXT, i % 2 ? STR("odd") : STR("even"));
		else if (i % 10 != 1)
			scribble(s.canvas, &seed);
		changed = i ? rows_changed(before, s.canvas) : 30;
		frames = screen_frames(s.screen);
		CU_ASSERT(screen_show(s.screen, s.canvas, &s.theme));
		len = recv(ends[0], bytes, sizeof bytes, 0);
		CHECK((len > 0) == (screen_frames(s.screen) > frames), "frame %u: written when there is one", i);
		CHECK(recv(ends[0], bytes + (len > 0 ? len : 0), 1, 0) < 0, "frame %u: one write", i);
		if (len <= 0)
			continue;
		CHECK(changed < 2 || (!memcmp(bytes, "\x1B[?2026h", 8) && !memcmp(bytes + len - 8, "\x1B[?2026l", 8)), "frame %u: brackets around all of it", i);
		vterm_input_write(s.vt, bytes, (size_t)len);
		check_equal(&s, "after a write", i);
		CU_ASSERT(screen_show(s.screen, s.canvas, &s.theme));
		CHECK(recv(ends[0], bytes, sizeof bytes, 0) < 0, "frame %u: nothing has changed, nothing is written", i);
	}
	close_stage(&s);
	close(ends[0]);
	close(ends[1]);
}

const struct suite suite_screen = { "screen", (const struct test[]){
	TEST(shows_any_canvas), TEST(moves_rows), TEST(shows_whole_pictures), TEST(never_runs_out_of_stand_ins), TEST(tells_links), TEST(strikes_through),
	TEST(asks_without_a_trace), TEST(spares_brackets_that_mean_nothing), TEST(costs_few_bytes), TEST(brackets_frames_of_several_rows), TEST(leaves_the_terminal_as_it_was), TEST(follows_the_size),
	TEST(repaints_on_request), TEST(switches_themes), TEST(adds_attributes), TEST(honours_colours), TEST(copies), TEST(asks_for_keys_and_takes_them_back),
	TEST(writes_once_a_frame), TEST(never_waits_for_the_terminal), { 0 } } };
