/*
 * Stability while streaming: every construct arrives a byte at a time, and what is shown may only be extended.
 *
 * The width is such that nothing wraps: moving a word that outgrows its row to the next one does not count. A case gives the number of
 * changes to shown text that are known, and why they cannot be avoided.
 */
#include "render/markdown_rows.h"
#include "support/check.h"

#define ROOM ((size_t)1 << 20)
#define WIDTH 200

struct construct {
	const char *text;
	unsigned flips;
	const char *why;
};

/* Writes each visible byte with its role and attributes; rows end with LF. */
static void show(struct markdown *m, struct str text, struct buf *out)
{
	markdown_update(m, text);
	buf_clear(out);
	for (size_t block = 0; block < markdown_count(m); block++) {
		const struct markdown_layout *layout = markdown_lay_out(m, block, WIDTH);

		for (size_t row = 0; row < layout->count; row++) {
			for (size_t i = 0; i < layout->rows[row].count; i++) {
				const struct span *span = &layout->rows[row].spans[i];

				for (size_t k = 0; k < span->text.len; k++)
					buf_printf(out, "%c%c%c", span->text.ptr[k], '0' + span->role, '0' + span->attributes);
			}
			buf_add_byte(out, '\n');
		}
	}
}

static bool is_blank(struct str shown)
{
	return str_starts(shown, (const char[]){ ' ', '0' + ROLE_TEXT, '0', 0 });
}

/* Whether each row extends the old one. A blank may have become something else. */
static bool goes_on(struct str before, struct str after)
{
	struct str row, grown;

	while (str_split(&before, '\n', &row) && (before.len || row.len)) {
		if (!str_split(&after, '\n', &grown))
			return false;
		for (; row.len; row = str_skip(row, 3), grown = str_skip(grown, 3))
			if (!is_blank(row) && !str_equal(str_head(row, 3), str_head(grown, 3)))
				return false;
	}
	return true;
}

/* Adds only the letters of show()'s output, for display. */
static void add_letters(struct str shown, struct buf *out)
{
	for (size_t i = 0; i < shown.len; i += shown.ptr[i] == '\n' ? 1 : 3)
		buf_add_byte(out, shown.ptr[i]);
}

static void check_still(const struct construct *construct)
{
	struct str text = str_from(construct->text);
	struct markdown *m = rows_new();
	struct buf before, after, flips;
	unsigned count = 0;

	buf_init(&before, ROOM);
	buf_init(&after, ROOM);
	buf_init(&flips, ROOM);
	for (size_t length = 1; length <= text.len; length++) {
		struct buf swap = before;

		if (length < text.len && ((unsigned char)text.ptr[length] & 0xC0) == 0x80)
			continue; /* characters arrive complete */
		show(m, str_head(text, length), &after);
		if (!goes_on(buf_str(&before), buf_str(&after))) {
			count++;
			buf_printf(&flips, "-- at \"%.*s\" from\n", (int)length, text.ptr);
			add_letters(buf_str(&before), &flips);
			buf_add_z(&flips, "-- to\n");
			add_letters(buf_str(&after), &flips);
		}
		before = after;
		after = swap;
	}
	CHECK(count == construct->flips, "\"%s\" changed %u times, not %u (%s):\n%s", construct->text, count, construct->flips,
		construct->why ? construct->why : "nothing may", buf_z(&flips));
	markdown_free(m);
	buf_fini(&before);
	buf_fini(&after);
	buf_fini(&flips);
}

static void constructs_stand_still(void)
{
	static const struct construct constructs[] = {
		{ "plain text! (1) It & she, 42 of them: https. And more.\nh\n\n2024 is a year\n", 0, NULL },
		{ "plain text, and more of it.\nAnd another line.\n\nA paragraph.\n", 0, NULL },
		{ "# Heading with *stress* and `code`\ntext\n### Third ###\n", 0, NULL },
		{ "a **strong word** and *one* and ***both*** b\n", 0, NULL },
		{ "a __strong__ and _one_ and snake_case_name b\n", 0, NULL },
		{ "5 * 3 * 2 = 30 and 2*3*4\n", 0, NULL },
		{ "a ~~struck~~ b\n", 0, NULL },
		{ "`code` and ``code ` tick`` b\n", 0, NULL },
		{ "`` `tick` `` and ` blank` b\n", 0, NULL },
		{ "**strong `code` *both* more** b\n", 0, NULL },
		{ "see [text](https://example.org/a_b) b\n", 0, NULL },
		{ "see [text](https://example.org/a \"title\") b\n", 0, NULL },
		{ "see <https://example.org/a> b\n", 0, NULL },
		{ "see https://example.org/a_b. b\n", 0, NULL },
		{ "see \"http://localhost:80/a_b\", (www.example.org/a(b)c) b\n", 0, NULL },
		{ "write to me@example.org or <me@example.org> b\n", 3, "a name is one of mail when its host has a full stop, or its `>`" },
		{ "![picture](https://example.org/p.png) b\n", 0, NULL },
		{ "see [one][a] b\n\n[a]: https://example.org\n", 3, "a bracket is taken for a link, the commoner case, until no destination follows; and a reference is styled when its definition is there" },
		{ "a note[^1] and[^two] b\n\n[^1]: text\n[^two]: more\n", 0, NULL },
		{ "- one\n- two\n  - three\n- [ ] task\n- [x] done\n\ntext\n", 0, NULL },
		{ "1. one\n2. two\n   - in\n10. ten\n", 0, NULL },
		{ "* one\n+ two\n", 0, NULL },
		{ "> quote\n> more\n>\n> - list\n>\n> > inner\n\ntext\n", 0, NULL },
		{ "text\n\n---\n\nmore\n\n***\n", 0, NULL },
		{ "```c\nint x = 1; /* note */\n\"string\"\n```\ntext\n", 2, "a word is coloured when all of it is there" },
		{ "```\nplain\n```\ntext\n", 0, NULL },
		{ "~~~~\n```\n~~~\n~~~~\ntext\n", 0, NULL },
		{ "- item\n\n  ```sh\n  ls\n  ```\n\n  more\n", 1, "a word is coloured when all of it is there" },
		{ "text\n```c\nx\n```\nmore\n# Head\ntext\n---\n- a\n## Head\n", 1, "a line below text may be its underline" },
		{ "Heading\n=======\ntext\n", 1, "only the line below tells that it is a heading" },
		{ "| a | b |\n|---|---|\n| c | d |\n\ntext\n", 0, NULL },
		{ "|a|b|\n|-|-|\n|c **d** e|f|\n", 2, "columns grow with their cells" },
		{ "costs $5 and $10 b\n", 0, NULL },
		{ "so $x^2$ and $y$ b\n", 2, "a dollar is money until a sign of math or its other dollar has come" },
		{ "so \\(x^2\\) and \\[y\\] b\n", 0, NULL },
		{ "$$\nx^2 + \\frac{a}{b}\n$$\ntext\n", 0, NULL },
		{ "\\[\nx^2\n\\]\ntext\n", 0, NULL },
		{ "a &amp; b &copy; c &#65; d &unknown; e\n", 0, NULL },
		{ "a<br>b <b>c</b> <!-- d --> e\n", 0, NULL },
		{ "one\\\ntwo  \nthree\n", 0, NULL },
		{ "\\*no\\* a\\_b\n", 0, NULL },
		{ "**\u4F60\u597D\uFF1A**\u4E16\u754C **\u91CD\u70B9**\u5185\u5BB9\n", 0, NULL },
		{ 0 },
	};

	for (const struct construct *construct = constructs; construct->text; construct++)
		check_still(construct);
}

const struct suite suite_markdown_still = { "markdown_still", (const struct test[]){ TEST(constructs_stand_still), { 0 } } };
