#include "ui/term/frame.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

static void check_tidy(struct tidy *tidy, const struct palette *palette, const char *raw, const char *expected)
{
	struct buf out;

	buf_init(&out, 1 << 16);
	frame_tidy(tidy, str_from(raw), palette, &out);
	CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
}

static void removes_harmful_sequences(void)
{
	static const struct { const char *raw, *expected; } cases[] = {
		{ "plain", "plain" },
		{ "\x1B(B\x1B[mx", "x" },
		{ "a\x1B]104\x07" "b", "ab" },
		{ "=\x1B[4bx", "=====x" },
		{ "\x1B[3;4Hx\x1B[K\x1B[?25l", "\x1B[3;4Hx\x1B[K\x1B[?25l" },
		{ "\x1B=\x1B>", "\x1B=\x1B>" },
		{ "x\x1B[1", "x\x1B[1" },
		{ "\x1B[m\x0Fx", "x" },
	};
	static const struct palette palette;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_tidy(&(struct tidy){ 0 }, &palette, cases[i].raw, cases[i].expected);
}

static void keeps_attributes_between_frames(void)
{
	static const struct palette palette;
	struct tidy tidy = { .have = { .unknown = true } };

	check_tidy(&tidy, &palette, "\x1B[1mone\x1B[m", "\x1B[0;1mone");
	check_tidy(&tidy, &palette, "\x1B[2;3H\x1B[0;1mtwo\x1B[9;9H\x1B[m", "\x1B[2;3Htwo\x1B[9;9H");
	check_tidy(&tidy, &palette, "\r\b\x1B[3d", "\r\b\x1B[3d");
	check_tidy(&tidy, &palette, "\n", "\x1B[m\n"); /* LF may scroll, and the new row gets the current background */
	check_tidy(&tidy, &palette, "\x1B[31;48;5;7mx\x1B[39m\x1B[K", "\x1B[31;48;5;7mx\x1B[39m\x1B[K");
	check_tidy(&tidy, &palette, "\x1B[91;107;4my\x1B[24mz", "\x1B[4;91;107my\x1B[0;91;107mz");
}

static void converts_marks(void)
{
	static const struct palette palette;
	static struct cell_substitutes substitutes;
	struct links links = { .count = 0 };
	struct tidy tidy = { .substitutes = &substitutes, .links = &links };
	char picture[5] = "", raw[64];

	setlocale(LC_CTYPE, "C.UTF-8");
	picture[utf8_put(picture, cell_substitute_for(&substitutes, STR("\u2764\uFE0F")))] = '\0';
	CU_ASSERT_EQUAL(links_number(&links, STR("https://a.b/")), 1);
	check_tidy(&tidy, &palette, "a\U000E0101b\U000E0101c", "\x1B]8;id=1;https://a.b/\x1B\\ab\x1B]8;;\x1B\\c");
	check_tidy(&tidy, &palette, "x\u00E4\U000E0101\u0301y", "x\x1B]8;id=1;https://a.b/\x1B\\\u00E4\u0301\x1B]8;;\x1B\\y");
	/* A link stays open across a cursor movement. It is closed before sequences that may erase, and at the end. */
	check_tidy(&tidy, &palette, "a\U000E0101\x1B[2;2Hb\U000E0101\x1B[K", "\x1B]8;id=1;https://a.b/\x1B\\a\x1B[2;2Hb\x1B]8;;\x1B\\\x1B[K");
	check_tidy(&tidy, &palette, "a\U000E0101", "\x1B]8;id=1;https://a.b/\x1B\\a\x1B]8;;\x1B\\");
	check_tidy(&tidy, &palette, "a\U000E0102", "a");
	check_tidy(&tidy, &palette, "\x1B[1ma\U000E0100b\U000E0100c\x1B[m", "\x1B[1;9mab\x1B[0;1mc");
	check_tidy(&tidy, &palette, "\x1B[md\U000E0101\U000E0100 ", "\x1B[0;9m\x1B]8;id=1;https://a.b/\x1B\\d\x1B[m\x1B]8;;\x1B\\ ");
	snprintf(raw, sizeof raw, "\U0001F600%sx%s\U000E0101\U00018AFF", picture, picture);
	check_tidy(&tidy, &palette, raw, "\U0001F600\u2764\uFE0Fx\x1B]8;id=1;https://a.b/\x1B\\\u2764\uFE0F\x1B]8;;\x1B\\\U00018AFF");
	check_tidy(&(struct tidy){ 0 }, &palette, "\xF3\xA0\x84", "\xF3\xA0\x84");
	links_forget(&links);
}

static void replaces_placeholders_by_true_colours(void)
{
	struct palette palette = { .rgb = { [255] = COLOUR_RGB(1, 2, 3), [254] = COLOUR_RGB(250, 0, 9) } };
	struct tidy tidy = { 0 };

	check_tidy(&tidy, &palette, "\x1B[38;5;255m\x1B[48;5;254mx", "\x1B[38;2;1;2;3;48;2;250;0;9mx");
	check_tidy(&tidy, &palette, "\x1B[38;5;25mx", "\x1B[38;5;25mx");
	check_tidy(&tidy, &palette, "\x1B[38;2;255;254;25mx", "\x1B[38;2;255;254;25mx");
}

static void makes_palettes(void)
{
	struct palette palette;
	struct theme theme;
	struct error err;
	int32_t index;

	CU_ASSERT_FATAL(theme_read(&theme, STR("[roles]\ntext = #d0d0d0 on 255\naccent = #0e6b66\ntool = #d0d0d0\n"), "t", NULL, &err));
	palette_make(&palette, &theme, COLOURS_TRUE);
	index = palette.styles[ROLE_TEXT].fg;
	CU_ASSERT(index >= 16 && index < 255); /* the theme uses index 255 itself */
	CU_ASSERT_EQUAL(palette.rgb[index], COLOUR_RGB(0xd0, 0xd0, 0xd0));
	CU_ASSERT_EQUAL(palette.styles[ROLE_TOOL].fg, index);
	CU_ASSERT_NOT_EQUAL(palette.styles[ROLE_ACCENT].fg, index);
	CU_ASSERT_EQUAL(palette.styles[ROLE_TEXT].bg, 255);
	CU_ASSERT_EQUAL(palette.rgb[255], 0);
	palette_make(&palette, &theme, 256);
	CU_ASSERT_EQUAL(palette.styles[ROLE_TEXT].fg, 252);
	CU_ASSERT_EQUAL(palette.rgb[index], 0);
}

static void themes_stay_distinct_without_colours(void)
{
	struct palette palette;
	struct theme theme;
	struct error err;

	CU_ASSERT_FATAL(theme_load(&theme, STR("dark"), NULL, NULL, &err));
	palette_make(&palette, &theme, 0);
	CU_ASSERT(palette.styles[ROLE_SHEET_CHOSEN].attributes & STYLE_REVERSE);
	for (size_t role = 0; role < ROLE_COUNT; role++)
		CU_ASSERT(palette.styles[role].fg == COLOUR_DEFAULT && palette.styles[role].bg == COLOUR_DEFAULT);
	for (size_t i = 0; theme_name_at(i); i++) {
		CU_ASSERT_FATAL(theme_load(&theme, str_from(theme_name_at(i)), NULL, NULL, &err));
		for (int colours = 8; colours <= 16; colours += 8) {
			palette_make(&palette, &theme, colours);
			for (size_t role = 0; role < ROLE_COUNT; role++)
				CHECK(palette.styles[role].fg != palette.styles[role].bg || palette.styles[role].fg == COLOUR_DEFAULT || role == ROLE_SHEET_EDGE,
					"%s, %d colours, role %zu", theme.name, colours, role);
		}
	}
}

static void keeps_unsent_bytes(void)
{
	struct frame_queue queue;
	char chunk[4096], got[4096];
	size_t sent = 0, read_back = 0;
	int ends[2];

	CU_ASSERT_FATAL(pipe2(ends, O_NONBLOCK) == 0);
	memset(chunk, 'x', sizeof chunk);
	frame_queue_init(&queue, ends[1]);
	CU_ASSERT(frame_queue_is_empty(&queue));
	for (; frame_queue_is_empty(&queue) && sent < (size_t)64 << 20; sent += sizeof chunk - 1) {
		buf_add(&queue.pending, str_of(chunk, sizeof chunk - 1));
		frame_queue_send(&queue);
	}
	CU_ASSERT_FALSE(frame_queue_is_empty(&queue));
	while (read_back < sent) {
		ssize_t len = read(ends[0], got, sizeof got);

		if (len <= 0)
			break;
		read_back += (size_t)len;
		frame_queue_send(&queue);
	}
	CU_ASSERT_EQUAL(read_back, sent);
	CU_ASSERT(frame_queue_is_empty(&queue));
	frame_queue_fini(&queue);
	close(ends[0]);
	close(ends[1]);
}

static void discards_output_when_the_terminal_is_gone(void)
{
	struct frame_queue queue;

	frame_queue_init(&queue, -1);
	buf_add(&queue.pending, STR("x"));
	frame_queue_send(&queue);
	CU_ASSERT(frame_queue_is_empty(&queue));
	frame_queue_drain(&queue);
	frame_queue_fini(&queue);
}

const struct suite suite_frame = { "frame", (const struct test[]){
	TEST(removes_harmful_sequences), TEST(keeps_attributes_between_frames), TEST(converts_marks),
	TEST(replaces_placeholders_by_true_colours), TEST(makes_palettes), TEST(themes_stay_distinct_without_colours),
	TEST(keeps_unsent_bytes), TEST(discards_output_when_the_terminal_is_gone), { 0 } } };
