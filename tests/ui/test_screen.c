/* The terminal shows exactly what the canvas contains, whatever it showed before. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "screen_stage.h"
#include "support/check.h"

/* Scrolls all rows except the last up by a few, as a transcript does. */
static void scroll(struct canvas *canvas, unsigned by)
{
	unsigned rows = canvas->rows - 1 - by;

	for (unsigned r = 0; r < rows; r++) {
		canvas_fill(canvas, (struct area){ r, 0, 1, canvas->columns }, ROLE_TEXT);
		for (unsigned c = 0; c < canvas->columns; c++) {
			struct cell cell = *canvas_cell(canvas, r + by, c);

			canvas_put_styled(canvas, r, c, cell.width, cell.role, cell.attributes, str_of(cell.text, cell.len));
		}
	}
	canvas_fill(canvas, (struct area){ rows, 0, by, canvas->columns }, ROLE_TEXT);
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

		stage_open(&s, terminals[t].type, 12, 40, terminals[t].mode, terminals[t].theme);
		for (unsigned i = 0; i < 150; i++) {
			if (i % 40 == 39)
				canvas_clear(s.canvas);
			if (i % 7 == 3)
				scroll(s.canvas, 1 + check_random(&seed) % 3);
			stage_scribble(s.canvas, &seed);
			s.canvas->cursor_shown = false;
			if (check_random(&seed) % 4)
				canvas_cursor(s.canvas, i % 12, check_random(&seed) % 40);
			stage_show(&s);
			stage_check(&s, terminals[t].type, i);
		}
		stage_close(&s);
	}
}

/* A text that grows and scrolls between a header and an input line, as an answer does, with an occasional overlay. */
static void draw_answer(struct stage *s, unsigned top, unsigned end, bool over)
{
	char text[64];

	canvas_clear(s->canvas);
	canvas_put(s->canvas, 0, 0, 40, ROLE_LABEL, STR("header"));
	for (unsigned r = 0; r < 9 && top + r < end; r++) {
		unsigned line = top + r;

		snprintf(text, sizeof text, "%u %s%s", line, stage_piece(line % 10), line + 1 == end ? "" : " and more");
		if (line % 7 == 6)
			*text = '\0';
		canvas_put(s->canvas, 1 + r, 1, 38, ROLE_TEXT, str_from(text));
	}
	if (over)
		canvas_put(s->canvas, 3, 5, 20, ROLE_SHEET, STR("over" "\xE4\xB8\xAD"));
	canvas_put(s->canvas, 11, 0, 40, ROLE_INPUT, STR("> input"));
	canvas_cursor(s->canvas, 11, 7);
}

static void scrolls_rows(void)
{
	static const char *const types[] = { "xterm-256color", "screen-256color", "linux", "vt100" };

	for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
		unsigned seed = (unsigned)t + 5, top = 0, end = 1;
		struct stage s;

		stage_open(&s, types[t], 12, 40, COLOUR_AUTO, "default");
		for (unsigned i = 0; i < 150; i++) {
			end += check_random(&seed) % 3;
			top = check_random(&seed) % 9 == 0 ? (top > 4 ? top - 4 : 0) : end > 9 ? end - 9 : 0;
			draw_answer(&s, top, end, check_random(&seed) % 8 == 0);
			stage_show(&s);
			stage_check(&s, types[t], i);
		}
		stage_close(&s);
	}
}

static const struct utf8_profile joining = { .joins = true, .tones = true, .variants = true, .flags = true, .recent = true };
static const struct utf8_profile nothing;

/* Rows of links, struck text and joined emoji, more of them than there are substitutes, overwritten and scrolled. */
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
			snprintf(text[i], sizeof text[i], "%u%s %s", n, stage_picture(n), n % 4 ? stage_piece(n % 9) : "aaaaaaaaaa");
			destinations[i] = str_from(urls[i]);
			spans[i] = (struct span){ .text = str_from(text[i]), .role = ROLE_TEXT, .link = (uint16_t)(n % 3), .attributes = n % 5 ? 0 : STYLE_STRIKE };
		}
		canvas_use_links(s->canvas, destinations, 3);
		canvas_put_spans(s->canvas, r, r % 4, 36, spans, 3);
	}
	if (check_random(seed) % 8 == 0)
		canvas_put(s->canvas, 3, 5, 20, ROLE_SHEET, STR("over\u2764\uFE0F"));
	canvas_cursor(s->canvas, 11, 7);
}

/* libvterm does not support links, so they are checked in the bytes: no link is open when the cursor leaves a row. */
static void shows_joined_emoji(void)
{
	static const char *const types[] = { "xterm-256color", "screen-256color", "tmux-256color", "linux" };

	for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
		unsigned seed = (unsigned)t + 3;
		struct stage s;

		stage_open(&s, types[t], 12, 40, COLOUR_AUTO, "default");
		s.joins = true;
		utf8_set_profile(&joining);
		for (unsigned i = 0; i < 400; i++) {
			draw_mixture(&s, i, &seed);
			stage_show(&s);
			stage_check(&s, types[t], i);
		}
		utf8_set_profile(&nothing);
		stage_close(&s);
	}
}

/* More different clusters than substitutes. */
static void never_runs_out_of_stand_ins(void)
{
	static const uint32_t people[] = { 0x1F466, 0x1F467, 0x1F468, 0x1F469, 0x1F474, 0x1F475, 0x1F476, 0x1F477, 0x1F478, 0x1F479 };
	struct stage s;
	unsigned n = 0;

	stage_open(&s, "xterm-256color", 12, 40, COLOUR_AUTO, "default");
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
			stage_show(&s);
			CHECK(stage_wrote(&s, from, text), "cluster %u", n);
		}
	}
	utf8_set_profile(&nothing);
	stage_close(&s);
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
}

static void writes_links(void)
{
	static const struct { const char *type; bool told; } types[] = { { "xterm-256color", true }, { "tmux-256color", true }, { "linux", false }, { "screen", false } };
	static const char same[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

	for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
		size_t told = types[t].told;
		struct stage s;
		off_t from;

		stage_open(&s, types[t].type, 5, 40, COLOUR_AUTO, "default");
		stage_show(&s);
		from = s.read_to;
		put_link(&s, 1, same, "https://example.org/");
		stage_show(&s);
		stage_check(&s, types[t].type, 0);
		CHECK(count_in(&s, from, "\x1B]8;id=1;https://example.org/\x1B\\") == told, "%s", types[t].type);
		CHECK(count_in(&s, from, "\x1B]8;;\x1B\\") == told, "%s", types[t].type);
		CU_ASSERT_EQUAL(count_in(&s, from, same), 1);
		CU_ASSERT_EQUAL(stage_show(&s), 0);
		from = s.read_to;
		put_link(&s, 1, same, "https://example.org/other"); /* same text, other destination */
		stage_show(&s);
		CHECK(count_in(&s, from, "https://example.org/other") == told, "%s", types[t].type);
		stage_close(&s);
	}
}

static void strikes_through(void)
{
	struct stage s;
	off_t from;

	stage_open(&s, "xterm-256color", 3, 20, COLOUR_AUTO, "default");
	canvas_put_styled(s.canvas, 0, 0, 20, ROLE_LABEL, STYLE_STRIKE, STR("no e\u0301"));
	canvas_put(s.canvas, 0, 5, 20, ROLE_LABEL, STR("yes"));
	stage_show(&s);
	stage_check(&s, "struck", 0);
	for (unsigned c = 0; c < 8; c++)
		CHECK(stage_cell(&s, 0, c).attrs.strike == (c < 4), "column %u", c);
	stage_close(&s);
	stage_open(&s, "screen", 3, 20, COLOUR_AUTO, "default");
	from = s.read_to;
	canvas_put_styled(s.canvas, 0, 0, 20, ROLE_TEXT, STYLE_STRIKE, STR("no"));
	stage_show(&s);
	CU_ASSERT(stage_wrote(&s, from, "\x1B[2mno"));
	stage_close(&s);
}

static void follows_the_size(void)
{
	unsigned seed = 5;
	struct stage s;

	stage_open(&s, "xterm-256color", 24, 80, COLOUR_AUTO, "dark");
	for (unsigned i = 0; i < 40; i++) {
		unsigned rows = 1 + check_random(&seed) % 50;
		unsigned columns = 2 + check_random(&seed) % 150;

		vterm_set_size(s.vt, (int)rows, (int)columns);
		screen_resize(s.screen, rows, columns);
		canvas_resize(s.canvas, rows, columns);
		stage_scribble(s.canvas, &seed);
		stage_show(&s);
		stage_check(&s, "resized", i);
	}
	stage_close(&s);
}

const struct suite suite_screen = { "screen", (const struct test[]){
	TEST(shows_any_canvas), TEST(scrolls_rows), TEST(shows_joined_emoji), TEST(never_runs_out_of_stand_ins), TEST(writes_links),
	TEST(strikes_through), TEST(follows_the_size), { 0 } } };
