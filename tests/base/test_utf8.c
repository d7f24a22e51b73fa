#include "base/utf8.h"

#include <locale.h>
#include <unistr.h>
#include <wchar.h>

#include "support/check.h"

#define FFFD "\xEF\xBF\xBD"

static void repairs_maximal_subparts(void)
{
	static const struct { const char *sent, *repaired; } cases[] = {
		{ "plain \xC3\xA9 \xE6\xBC\xA2 \xF0\x9F\x98\x80", "plain \xC3\xA9 \xE6\xBC\xA2 \xF0\x9F\x98\x80" },
		{ "a\xFFz", "a" FFFD "z" },
		{ "\xC0\x80", FFFD FFFD },
		{ "\xE0\x80\x80", FFFD FFFD FFFD },
		{ "\xED\xA0\x80", FFFD FFFD FFFD },
		{ "\xF0\x80\x80\x41", FFFD FFFD FFFD "A" },
		{ "\xF0\x9F\x98", FFFD },
		{ "\xF0\x9F\x98z\xE2\x82z\xC3z", FFFD "z" FFFD "z" FFFD "z" },
		{ "\xF4\x90\x80\x80", FFFD FFFD FFFD FFFD },
		{ "\xF5\x80", FFFD FFFD },
		{ "12345678\x80", "12345678" FFFD },
		{ "\xE2\x82", FFFD },
	};
	struct buf out;

	buf_init(&out, 100);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		buf_clear(&out);
		CU_ASSERT(utf8_repair(str_from(cases[i].sent), &out));
		CHECK_STR(buf_str(&out), cases[i].repaired);
	}
	CU_ASSERT_FALSE(utf8_repair(str_of("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"
					   "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 33), &out));
	buf_fini(&out);
}

static void agrees_with_libunistring(void)
{
	unsigned seed = 5;
	struct buf out;

	buf_init(&out, 1000);
	for (int round = 0; round < 20000; round++) {
		static const unsigned char likely[] = { 0x41, 0x80, 0xBF, 0xC2, 0xE0, 0xE2, 0xED, 0xEF, 0xF0, 0xF4, 0x9F, 0x90, 0xA0, 0x8F };
		char bytes[24];
		size_t len = check_random(&seed) % sizeof bytes;
		bool valid;

		for (size_t i = 0; i < len; i++)
			bytes[i] = check_random(&seed) % 8 ? (char)likely[check_random(&seed) % sizeof likely] : (char)check_random(&seed);
		valid = u8_check((const uint8_t *)bytes, len) == NULL;
		CHECK(utf8_is_valid(str_of(bytes, len)) == valid, "round %d", round);
		buf_clear(&out);
		utf8_repair(str_of(bytes, len), &out);
		CHECK(u8_check((const uint8_t *)out.ptr, out.len) == NULL, "round %d", round);
		CHECK(!valid || str_equal(buf_str(&out), str_of(bytes, len)), "round %d", round);
	}
	buf_fini(&out);
}

static void codes_survive(void)
{
	for (uint32_t code = 0; code < 0x110000; code++) {
		bool surrogate = code >= 0xD800 && code <= 0xDFFF;
		char bytes[4];
		struct str rest = str_of(bytes, utf8_put(bytes, code));
		struct str text = rest;
		uint32_t back = utf8_next(&rest);

		if (back != (surrogate ? UTF8_REPLACEMENT : code) || utf8_is_valid(text) == surrogate || rest.len != (surrogate ? 2 : 0))
			CHECK(false, "U+%04X", code);
	}
}

static void clusters_both_ways(void)
{
	static const struct { const char *text; size_t lengths[6]; } cases[] = {
		{ "ab", { 1, 1 } },
		{ "e\xCC\x81\xCC\xA7x", { 5, 1 } },
		{ "\r\nx", { 2, 1 } },
		{ "\xE6\xBC\xA2\xE5\xAD\x97", { 3, 3 } },
		{ "\xE3\x81\x8B\xE3\x82\x99x", { 6, 1 } },
		/* a family, then a letter */
		{ "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7z", { 18, 1 } },
		/* three regional indicators: one flag and a half */
		{ "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA\xF0\x9F\x87\xAB", { 8, 4 } },
		{ "\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD!", { 8, 1 } },
		{ "\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8.", { 9, 1 } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct str text = str_from(cases[i].text);
		size_t at = 0;

		for (const size_t *len = cases[i].lengths; *len; len++) {
			CHECK(utf8_cluster(str_skip(text, at)) == *len, "case %zu at %zu", i, at);
			CHECK(utf8_cluster_before(text, at + *len) == at, "case %zu before %zu", i, at + *len);
			at += *len;
		}
		CHECK(at == text.len, "case %zu", i);
	}
	CU_ASSERT_EQUAL(utf8_cluster(STR_NONE), 0);
	CU_ASSERT_EQUAL(utf8_cluster_before(STR("abc"), 0), 0);
	CU_ASSERT_EQUAL(utf8_cluster(STR("\xFF\xFF")), 1);
}

static void long_clusters_are_bounded(void)
{
	struct buf text;

	buf_init(&text, 1 << 20);
	buf_add_byte(&text, 'a');
	for (int i = 0; i < 100; i++)
		buf_add_z(&text, "\xCC\x81");
	buf_add_byte(&text, 'b');
	CU_ASSERT_EQUAL(utf8_cluster(buf_str(&text)), 201);
	CU_ASSERT_EQUAL(utf8_cluster_before(buf_str(&text), 201), 0);
	CU_ASSERT_EQUAL(utf8_width(buf_str(&text)), 2);
	while (text.len < 200000)
		buf_add_z(&text, "\xCC\x81");
	CU_ASSERT_EQUAL(utf8_cluster(str_skip(buf_str(&text), 201)), 65535);
	CU_ASSERT_EQUAL(utf8_width(buf_str(&text)), 2);
	buf_fini(&text);
}

static void shows_cells(void)
{
	static const struct { const char *sent, *shown; size_t taken; unsigned width; } cases[] = {
		{ "a", "a", 1, 1 },
		{ "ab", "a", 1, 1 },
		{ "\xE6\xBC\xA2", "\xE6\xBC\xA2", 3, 2 },
		{ "e\xCC\x81x", "e\xCC\x81", 3, 1 },
		{ "a\xCC\x81\xCC\x82\xCC\x83\xCC\x84\xCC\x85\xCC\x86z", "a\xCC\x81\xCC\x82\xCC\x83\xCC\x84", 13, 1 },
		{ "\x1b[0m", "\xE2\x90\x9B", 1, 1 },
		{ "\r\n", "\xE2\x90\x8D", 1, 1 },
		{ "\n", "\xE2\x90\x8A", 1, 1 },
		{ "\t", "\xE2\x90\x89", 1, 1 },
		{ "\x7F", "\xE2\x90\xA1", 1, 1 },
		{ "\xC2\x9B", FFFD, 2, 1 },             /* C1 CSI */
		{ "\xE2\x80\xAE", FFFD, 3, 1 },         /* right-to-left override */
		{ "\xD8\x9C", FFFD, 2, 1 },             /* Arabic letter mark */
		{ "\xE2\x81\xA6", FFFD, 3, 1 },         /* isolate */
		{ "\xE2\x80\xA8", FFFD, 3, 1 },         /* line separator */
		{ "\xF0\x98\xA0\x80", FFFD, 4, 1 },     /* Tangut component */
		{ "\xFF", FFFD, 1, 1 },
		{ "o\xF3\xA0\x81\xA1\xF3\xA0\x81\xA2", "o", 1, 1 },  /* tags cannot hide behind a letter */
		{ "\xF3\xA0\x81\xA1\xF3\xA0\x81\xA2z", FFFD, 8, 1 },
		{ "\xE2\x9D\xA4\xEF\xB8\x8F", "\xE2\x9D\xA4", 6, 1 }, /* a heart; VS16 is dropped */
		{ "\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD", "\xF0\x9F\x91\x8D", 8, 2 },
		{ "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9", "\xF0\x9F\x91\xA8", 11, 2 },
		{ "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA", "\xF0\x9F\x87\xA9", 4, 1 },
		{ "\xE0\xA4\x95\xE0\xA4\xBF", "\xE0\xA4\x95", 3, 1 }, /* a spacing vowel sign is the next cell */
		{ "\xE2\x80\x8B", "", 3, 0 },
		{ "\xC2\xAD", "", 2, 0 },
		{ "\xCC\x81", "", 2, 0 },
		{ "", "", 0, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct utf8_cell cell;
		size_t taken = utf8_cell(str_from(cases[i].sent), &cell);

		CHECK(taken == cases[i].taken && cell.width == cases[i].width, "case %zu takes %zu, width %u", i, taken, cell.width);
		CHECK_STR(str_of(cell.text, cell.len), cases[i].shown);
	}
}

struct codes { uint32_t first, last; };

/* Controls, directional controls, foreign line ends, tags and fillers, as of Unicode 15. */
static const struct codes stood_for[] = {
	{ 0x80, 0x9F }, { 0x61C, 0x61C }, { 0x115F, 0x1160 }, { 0x180E, 0x180E }, { 0x200E, 0x200F }, { 0x2028, 0x202E }, { 0x2061, 0x206F },
	{ 0x3164, 0x3164 }, { 0xFEFF, 0xFEFF }, { 0xFFA0, 0xFFA0 }, { 0xFFFA, 0xFFFA }, { 0x13430, 0x13438 }, { 0x1BCA0, 0x1BCA3 },
	{ 0x1D173, 0x1D17A }, { 0xE0001, 0xE0001 }, { 0xE0020, 0xE007F }, { 0 },
};
/* Invisible characters that are legitimate one at a time. */
static const struct codes unseen[] = {
	{ 0xAD, 0xAD }, { 0x34F, 0x34F }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180D }, { 0x180F, 0x180F }, { 0x200B, 0x200D }, { 0x2060, 0x2060 },
	{ 0xFE00, 0xFE0F }, { 0xFFF9, 0xFFF9 }, { 0xFFFB, 0xFFFB }, { 0xE0100, 0xE01EF }, { 0 },
};

static bool is_of(uint32_t code, const struct codes *codes)
{
	for (; codes->last; codes++)
		if (code >= codes->first && code <= codes->last)
			return true;
	return false;
}

/* Renders the cells of `times` times `code` between two letters, as text. */
static void look_at(uint32_t code, unsigned times, struct buf *shown)
{
	char bytes[64] = "a";
	size_t len = 1;
	struct utf8_cell cell;

	while (times--)
		len += utf8_put(bytes + len, code);
	bytes[len++] = 'b';
	buf_clear(shown);
	for (struct str rest = str_of(bytes, len); rest.len;) {
		rest = str_skip(rest, utf8_cell(rest, &cell));
		buf_add(shown, str_of(cell.text, cell.len));
	}
}

/* None of these code points reaches the terminal. Those that could deceive are visible everywhere. */
static void shows_hidden_characters(void)
{
	struct buf shown;

	buf_init(&shown, 256);
	for (uint32_t code = 0x80; code < 0x110000; code++) {
		bool stood = is_of(code, stood_for);
		struct utf8_cell cell;
		char bytes[4];

		if (code >= 0xD800 && code < 0xE000)
			continue;
		utf8_cell(str_of(bytes, utf8_put(bytes, code)), &cell);
		for (struct str text = str_of(cell.text, cell.len); text.len;)
			CHECK(!is_of(utf8_next(&text), stood_for), "U+%04X", code);
		if (stood) {
			look_at(code, 1, &shown);
			CHECK(str_is(buf_str(&shown), "a" FFFD "b"), "U+%04X is shown as %s", code, buf_z(&shown));
		} else if (is_of(code, unseen)) {
			look_at(code, 1, &shown);
			CHECK(str_find(buf_str(&shown), STR(FFFD)) == shown.len, "one U+%04X is shown as %s", code, buf_z(&shown));
			look_at(code, 9, &shown);
			CHECK(str_find(buf_str(&shown), STR(FFFD)) < shown.len, "nine U+%04X are shown as %s", code, buf_z(&shown));
		}
	}
	buf_fini(&shown);
}

/* Random text of marks, joiners, letters and bytes that do not form clusters. */
static struct str random_mixture(char *bytes, size_t size, unsigned *seed)
{
	static const uint32_t likely[] = { 'a', ' ', '\n', 0x1B, 0x301, 0x200D, 0xFE0F, 0x1F468, 0x1F3FD, 0x1F1E9, 0x4E00, 0x93F,
					   0x915, 0xE0061, 0x202E, 0x1100, 0x1161, 0x11A8, 0xAD, 0x600, 0xE33, 0x18800 };
	size_t len = 0;

	while (len + 4 < size && check_random(seed) % 24) {
		uint32_t code = check_random(seed) % 4 ? likely[check_random(seed) % (sizeof likely / sizeof likely[0])]
						       : check_random(seed) % 0x110000;

		if (check_random(seed) % 16 == 0)
			bytes[len++] = (char)check_random(seed);
		else
			len += utf8_put(bytes + len, code);
	}
	return str_of(bytes, len);
}

static void cells_are_as_wide_as_in_curses(void)
{
	unsigned seed = 11;
	char bytes[200];

	for (int round = 0; round < 5000; round++) {
		struct str text = random_mixture(bytes, sizeof bytes, &seed);
		size_t width = 0;

		for (struct str rest = text; rest.len;) {
			struct utf8_cell cell;
			size_t taken = utf8_cell(rest, &cell);
			struct str shown = str_of(cell.text, cell.len);
			int columns = 0, codes = 0;

			CHECK(taken > 0 && taken <= rest.len && utf8_is_valid(shown), "round %d", round);
			if (!taken)
				return;
			for (; shown.len; codes++) {
				int w = wcwidth((wchar_t)utf8_next(&shown));

				CHECK(w >= 0 && (codes == 0) == (w > 0), "round %d: one base, then marks", round);
				columns += w;
			}
			CHECK(columns == cell.width && codes <= 5, "round %d: %d columns", round, columns);
			width += cell.width;
			rest = str_skip(rest, taken);
		}
		CHECK(utf8_width(text) == width, "round %d", round);
	}
}

static void walking_back_meets_the_same_ends(void)
{
	unsigned seed = 3;
	char bytes[200];

	for (int round = 0; round < 3000; round++) {
		struct str text = random_mixture(bytes, sizeof bytes, &seed);
		size_t at = 0;

		if (!utf8_is_valid(text))
			continue;
		while (at < text.len) {
			size_t end = at + utf8_cluster(str_skip(text, at));

			CHECK(utf8_cluster_before(text, end) == at, "round %d: before %zu", round, end);
			at = end;
		}
	}
}

static void in_utf8(void (*test)(void))
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test();
	setlocale(LC_CTYPE, "C");
}

static void cells(void) { in_utf8(shows_cells); }
static void cells_that_hide(void) { in_utf8(shows_hidden_characters); }
static void cells_fit_curses(void) { in_utf8(cells_are_as_wide_as_in_curses); }
static void bounds(void) { in_utf8(long_clusters_are_bounded); }

static void a_head_splits_no_character(void)
{
	struct str text = STR("a\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x98\x80");
	static const size_t lengths[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10 };

	for (size_t most = 0; most < sizeof lengths / sizeof *lengths; most++)
		CHECK(utf8_head(text, most).len == lengths[most], "%zu: %zu", most, utf8_head(text, most).len);
	CU_ASSERT_EQUAL(utf8_head(STR_NONE, 5).len, 0);
	CU_ASSERT_EQUAL(utf8_head(STR("\x80\x80\x80"), 2).len, 0);
	for (size_t came = 0; came <= text.len; came++)
		CU_ASSERT_EQUAL(utf8_arrived(str_head(text, came)).len, lengths[came]);
	CU_ASSERT_EQUAL(utf8_arrived(STR("a\x80\x80\x80\x80")).len, 5); /* what is broken does not wait */
}

static void what_hides_is_shown(void)
{
	static const struct { const char *text, *shown; } cases[] = {
		{ "a\tb\nc", "a\tb\nc" }, { "\x1b[2J\r", "\u241b[2J\u240d" }, { "\x7f\xc2\x9b", "\u2421\uFFFD" }, { "\u202ex\u2069", "\uFFFDx\uFFFD" },
		{ "a\xff", "a\uFFFD" }, { "\U0001F468\u200d\U0001F469", "\U0001F468\u200d\U0001F469" }, { "\U000E0041", "\uFFFD" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf shown = { 0 };

		CU_ASSERT_TRUE(utf8_show(str_from(cases[i].text), &shown));
		CHECK_STR(buf_str(&shown), cases[i].shown);
		buf_fini(&shown);
	}
}

const struct suite suite_utf8 = { "utf8", (const struct test[]){ TEST(what_hides_is_shown),
	TEST(repairs_maximal_subparts),
	TEST(agrees_with_libunistring),
	TEST(codes_survive),
	TEST(a_head_splits_no_character),
	TEST(clusters_both_ways),
	TEST(walking_back_meets_the_same_ends),
	TEST(bounds),
	TEST(cells),
	TEST(cells_that_hide),
	TEST(cells_fit_curses),
	{ 0 },
} };
