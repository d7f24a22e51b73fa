#include "ui/term/handshake.h"

#include <locale.h>
#include <string.h>

#include "support/check.h"

static struct handshake asked(unsigned rows, unsigned columns, struct buf *out)
{
	struct handshake h = { .asked = false };

	setlocale(LC_CTYPE, "C.UTF-8");
	buf_init(out, 1 << 16);
	handshake_ask(&h, rows, columns, out);
	return h;
}

static bool holds(const struct buf *out, const char *text)
{
	return str_find(buf_str(out), str_from(text)) < out->len;
}

static void sends_the_universal_query_last(void)
{
	struct buf out;

	asked(24, 80, &out);
	CU_ASSERT(holds(&out, "\x1B[?2026$p"));
	CU_ASSERT(holds(&out, "\x1B]11;?\x1B\\"));
	CU_ASSERT(holds(&out, "\x1B[?u"));
	CU_ASSERT(holds(&out, "\x1B[8m\r\n\U0001F468")); /* concealed */
	CU_ASSERT(holds(&out, "\r\n\U0001FAE8\x1B[6n\x1B[m\x1B[H\x1B[J")); /* erased immediately after the probes */
	CU_ASSERT(str_ends(buf_str(&out), "\x1B[c"));
	buf_fini(&out);
	asked(6, 80, &out);
	CU_ASSERT_FALSE(holds(&out, "\x1B[6n"));
	CU_ASSERT(str_ends(buf_str(&out), "\x1B[c"));
	buf_fini(&out);
	asked(24, 11, &out);
	CU_ASSERT_FALSE(holds(&out, "\x1B[6n"));
	buf_fini(&out);
}

static void queries_only_types_that_understand(void)
{
	static const struct { const char *type; bool may; } cases[] = {
		{ "xterm-256color", true }, { "tmux-256color", true }, { "screen", true }, { "vte-256color", true }, { "alacritty", true },
		{ "xterm-kitty", true }, { "linux", false }, { "linux-16color", false }, { "vt100", false }, { "vt220", false }, { "ansi", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK(handshake_may_ask(cases[i].type) == cases[i].may, "%s", cases[i].type);
}

static bool same_profile(const struct utf8_profile *a, const struct utf8_profile *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

static void measures_widths(void)
{
	static const struct { const char *positions[PROBES]; struct utf8_profile profile; } cases[] = {
		{ { NULL }, { 0 } },
		{ { "[2;9R", "[3;5R", "[4;2R", "[5;3R", "[6;1R" }, { 0 } },                       /* the terminal joins nothing */
		{ { "[2;3R", "[3;3R", "[4;3R", "[5;3R", "[6;3R" }, { true, true, true, true, true, false } },
		{ { "[6;2R", "[2;3R" }, { .joins = true, .not_recent = true } },                  /* in any order, some missing */
		{ { "[3;3R", "[4;3R", "[5;3R" }, { .tones = true, .variants = true } },
		{ { "[1;3R", "[7;3R", "[2;R", "[2;0R", "[2R" }, { 0 } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out;
		struct handshake h = asked(24, 80, &out);
		struct utf8_profile profile;

		for (size_t p = 0; p < PROBES && cases[i].positions[p]; p++)
			handshake_take(&h, str_from(cases[i].positions[p]));
		profile = handshake_profile(&h);
		CHECK(same_profile(&profile, &cases[i].profile), "case %zu", i);
		buf_fini(&out);
	}
}

static void ignores_widths_without_stand_ins(void)
{
	struct buf out;
	struct handshake h = asked(24, 80, &out);
	struct utf8_profile none = { 0 }, profile;

	CU_ASSERT(handshake_take(&h, STR("[2;3R")));
	setlocale(LC_CTYPE, "C"); /* in this locale, wcwidth() knows none of the characters */
	profile = handshake_profile(&h);
	CU_ASSERT(same_profile(&profile, &none));
	setlocale(LC_CTYPE, "C.UTF-8");
	buf_fini(&out);
}

static void reads_the_background(void)
{
	static const struct { const char *reply; bool good; int r, g, b; } cases[] = {
		{ "]11;rgb:ffff/ffff/ffff", true, 255, 255, 255 }, { "]11;rgb:0000/0000/0000", true, 0, 0, 0 },
		{ "]11;rgb:f/8/0", true, 255, 136, 0 }, { "]11;rgb:1E/1e/2E", true, 30, 30, 46 }, { "]11;rgba:1e1e/0000/ffff/8000", true, 30, 0, 255 },
		{ "]11;rgb:ffff/ffff", false, 0, 0, 0 }, { "]11;rgb:fffff/0/0", false, 0, 0, 0 }, { "]11;rgb:x/0/0", false, 0, 0, 0 },
		{ "]11;rgb:/0/0", false, 0, 0, 0 }, { "]11;#102030", false, 0, 0, 0 }, { "]10;rgb:0/0/0", false, 0, 0, 0 }, { "", false, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out;
		struct handshake h = asked(24, 80, &out);

		CHECK(handshake_take(&h, str_from(cases[i].reply)) == cases[i].good, "%s", cases[i].reply);
		CHECK(h.has_background == cases[i].good && h.r == cases[i].r && h.g == cases[i].g && h.b == cases[i].b, "%s: %d %d %d", cases[i].reply,
			h.r, h.g, h.b);
		buf_fini(&out);
	}
}

static void asks_for_images_only_where_it_may(void)
{
	struct handshake h = { .asks_images = true };
	struct buf with, without;

	buf_init(&with, 1 << 16);
	handshake_ask(&h, 24, 80, &with);
	CU_ASSERT(holds(&with, "\x1B_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1B\\\x1B[>q"));
	CU_ASSERT(str_find(buf_str(&with), STR("AAAA")) < str_find(buf_str(&with), STR("\x1B[J"))); /* where it is printed, it is erased */
	CU_ASSERT(str_ends(buf_str(&with), "\x1B[c"));
	h = asked(24, 80, &without);
	CU_ASSERT(!holds(&without, "\x1B_") && !holds(&without, "\x1B[>q"));
	CU_ASSERT(!handshake_take(&h, STR("_Gi=31;OK")) && handshake_take(&h, STR("P>|kitty(0.40.0)")) && !handshake_draws_images(&h));
	buf_fini(&with);
	buf_fini(&without);
}

static void knows_the_terminals_that_draw_images(void)
{
	static const struct { const char *replies[2]; bool draws; } cases[] = {
		{ { "_Gi=31;OK", "P>|kitty(0.28.0)" }, true }, { { "P>|kitty(0.42.1)", "_Gi=31;OK" }, true }, { { "_Gi=31;OK", "P>|kitty(1.0.0)" }, true },
		{ { "_Gi=31;OK", "P>|ghostty 1.1.3" }, true }, { { "_Gi=31;OK", "P>|ghostty 1.2.0-dev+abc" }, true },
		{ { "_Gi=31;OK", "P>|kitty(0.26.5)" }, false }, { { "_Gi=31;OK", "P>|WezTerm 20240203-110809" }, false },
		{ { "_Gi=31;OK", "P>|kitty(x.y)" }, false }, { { "_Gi=31;OK", "P>|kitty(" }, false }, { { "_Gi=31;OK", "P>|" }, false },
		{ { "_Gi=31;OK", "P>|Konsole 23.04.3" }, false }, { { "_Gi=31;OK", "[?62c" }, false }, { { "P>|kitty(0.42.1)", "[?62c" }, false },
		{ { "P>|kitty(0.42.1)", "_Gi=31;ENOTSUP:x" }, false }, { { "P>|kitty(0.42.1)", "_Gi=32;OK" }, false },
		{ { "P>|XTerm(379)", "[?62;4c" }, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct handshake h = { .asked = true, .asks_images = true };

		for (size_t r = 0; r < 2; r++)
			handshake_take(&h, str_from(cases[i].replies[r]));
		CHECK(handshake_draws_images(&h) == cases[i].draws, "case %zu", i);
	}
}

static void reads_the_other_replies(void)
{
	struct buf out;
	struct handshake h = asked(24, 80, &out), unasked = { .asked = false };

	CU_ASSERT_FALSE(handshake_take(&h, STR("[?2026;2$y")));
	CU_ASSERT_FALSE(h.no_sync);
	CU_ASSERT(handshake_take(&h, STR("[?2026;0$y")));
	CU_ASSERT(h.no_sync);
	CU_ASSERT_FALSE(handshake_take(&h, STR("[>41;354;0c")));
	CU_ASSERT_FALSE(h.answered);
	CU_ASSERT(handshake_take(&h, STR("[?62;1c")));
	CU_ASSERT(h.answered);
	CU_ASSERT_FALSE(handshake_take(&unasked, STR("[?62;1c")));
	buf_fini(&out);
}

/* Sizes and colours that no terminal has are not believed, nor what was not asked for. */
static void asks_a_terminal_with_sixels_for_more(void)
{
	static const char *const wrong[] = { "[6;0;10t", "[6;20;65t",
		                                   "[6;99999999999999999999;10t", "[6;20t", "[6;t", "[6;;t", "[4;20;10t", "[?1;3;256S", "[?1;0;1S", "[?1;0;-5S", "[?1;0S" };
	struct buf out;
	struct handshake h = asked(24, 80, &out);

	buf_clear(&out);
	CU_ASSERT(!handshake_take(&h, STR("[6;20;10t")) && !handshake_take(&h, STR("[?1;0;256S")));
	CU_ASSERT(handshake_take(&h, STR("[?4;62;44c")) && !h.knows_sixels && h.answered);
	handshake_ask_more(&h, &out);
	CU_ASSERT(out.len == 0);
	CU_ASSERT(handshake_take(&h, STR("[?62;4;22c")) && h.knows_sixels && !h.answered);
	handshake_ask_more(&h, &out);
	handshake_ask_more(&h, &out);
	CU_ASSERT(str_is(buf_str(&out), "\x1B[16t\x1B[?1;1;0S\x1B[c"));
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK(!handshake_take(&h, str_from(wrong[i])) && !h.cell_width && !h.sixel_colours, "%s", wrong[i]);
	CU_ASSERT(handshake_take(&h, STR("[6;20;10t")) && h.cell_width == 10 && h.cell_height == 20);
	CU_ASSERT(handshake_take(&h, STR("[?1;0;65536S")) && h.sixel_colours == 256);
	CU_ASSERT(handshake_take(&h, STR("[?62;4;22c")) && h.answered);
	buf_fini(&out);
}

const struct suite suite_handshake = { "handshake", (const struct test[]){
	TEST(sends_the_universal_query_last), TEST(queries_only_types_that_understand), TEST(measures_widths),
	TEST(ignores_widths_without_stand_ins), TEST(reads_the_background), TEST(asks_for_images_only_where_it_may),
	TEST(knows_the_terminals_that_draw_images), TEST(reads_the_other_replies),
	TEST(asks_a_terminal_with_sixels_for_more), { 0 } } };
