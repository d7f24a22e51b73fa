/*
 * Golden screens of markdown: the documents of tests/markdown, one construct each, as the transcript shows them at 80x24 and 40x12.
 *
 * A golden file contains every screen of the document: its rows, the role of each cell (the letters of dump_canvas()), the attributes
 * that cells have in addition to their role's (only rows that have any), and the styles of the roles in colour and in mono.
 */
#include <locale.h>
#include <stdio.h>

#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "support/golden.h"
#include "ui/dump.h"
#include "ui/pane/transcript.h"
#include "ui/term/palette.h"
#include "wire/protocol/protocol.h"

#define ROOM ((size_t)1 << 20)
#define SCREENS_MOST 40

static const char *const role_names[] = {
#define X(upper, name) name,
	ROLES(X)
#undef X
};

static const struct { unsigned attributes; const char *letter, *name; } attribute_names[] = {
	{ STYLE_BOLD, "b", "bold" }, { STYLE_DIM, "d", "dim" }, { STYLE_ITALIC, "i", "italic" }, { STYLE_UNDERLINE, "u", "underline" },
	{ STYLE_REVERSE, "r", "reverse" }, { STYLE_STRIKE, "s", "strike" }, { STYLE_BOLD | STYLE_ITALIC, "B", "bold italic" },
	{ STYLE_BOLD | STYLE_UNDERLINE, "U", "bold underline" }, { STYLE_ITALIC | STYLE_UNDERLINE, "I", "italic underline" },
	{ STYLE_BOLD | STYLE_STRIKE, "S", "bold strike" },
};

static const char *letter_of(unsigned attributes)
{
	for (size_t i = 0; i < sizeof attribute_names / sizeof *attribute_names; i++)
		if (attribute_names[i].attributes == attributes)
			return attribute_names[i].letter;
	return attributes ? "?" : " ";
}

static void add_attributes(const struct canvas *canvas, unsigned row, struct buf *out)
{
	size_t start = out->len, end;

	buf_printf(out, "%2u ", row + 1);
	end = out->len;
	for (unsigned column = 0; column < canvas->columns; column++) {
		unsigned attributes = canvas_cell(canvas, row, column)->attributes;

		buf_add_z(out, letter_of(attributes));
		end = attributes ? out->len : end;
	}
	buf_remove(out, end, out->len - end);
	if (end > start + 3)
		buf_add_byte(out, '\n');
	else
		buf_remove(out, start, out->len - start);
}

static void add_colour(struct buf *out, int32_t colour)
{
	if (colour == COLOUR_DEFAULT)
		buf_add_z(out, "default");
	else if (colour < 256)
		buf_printf(out, "%d", colour);
	else
		buf_printf(out, "#%06x", (unsigned)colour & 0xFFFFFFu);
}

/* "#d3d8df on #15181d bold italic" */
static void add_style(struct buf *out, const struct style *style)
{
	add_colour(out, style->fg);
	if (style->bg != COLOUR_DEFAULT) {
		buf_add_z(out, " on ");
		add_colour(out, style->bg);
	}
	for (size_t i = 0; i < 6; i++)
		if (style->attributes & attribute_names[i].attributes)
			buf_printf(out, " %s", attribute_names[i].name);
}

static void add_legend(const bool *used, struct buf *out)
{
	struct theme dark;
	struct palette mono;
	struct error err, warn;

	CU_ASSERT_TRUE_FATAL(theme_load(&dark, STR("dark"), NULL, &warn, &err));
	palette_make(&mono, &dark, 0);
	buf_add_z(out, "== in colour | in mono\n");
	for (size_t role = 0; role < ROLE_COUNT; role++) {
		if (!used[role])
			continue;
		buf_printf(out, "%c %s = ", dump_role_letter((enum role_name)role), role_names[role]);
		add_style(out, &dark.styles[role]);
		buf_add_z(out, " | ");
		add_style(out, &mono.styles[role]);
		buf_add_byte(out, '\n');
	}
}

static void add_screen(const struct canvas *canvas, bool *used, struct buf *out)
{
	buf_add_z(out, "== rows, roles, attributes\n");
	dump_canvas(canvas, true, out);
	for (unsigned row = 0; row < canvas->rows; row++)
		for (unsigned column = 0; column < canvas->columns; column++)
			used[canvas_cell(canvas, row, column)->role] = true;
	for (unsigned row = 0; row < canvas->rows; row++)
		add_attributes(canvas, row, out);
}

static struct conversation *answer_with(struct str text)
{
	struct conversation *conversation = conversation_new();
	struct turn *turn = conversation_answer(conversation, STR("sansa"), protocol_find(STR("openai-chat")), STR("sansa-auto"));

	turn->wall = 0; /* no time of day in the header */
	turn_delta(turn, &(struct delta){ .kind = DELTA_BEGIN });
	turn_delta(turn, &(struct delta){ .kind = DELTA_TEXT, .text = text });
	turn_delta(turn, &(struct delta){ .kind = DELTA_FINISH, .finish = { STR("stop") } });
	turn_delta(turn, &(struct delta){ .kind = DELTA_END, .end = { OUTCOME_COMPLETE } });
	return conversation;
}

static void draw_document(struct str text, unsigned rows, unsigned columns, bool clip, struct buf *out)
{
	const struct look look = { .clip_code = clip };
	struct view view = { .conversation = answer_with(text), .look = &look, .provider = STR("sansa"), .model = STR("sansa-auto"), .protocol = STR("openai-chat") };
	struct transcript *pane = transcript_new();
	struct canvas *canvas = canvas_new(rows, columns);
	bool used[ROLE_COUNT] = { false };
	size_t before = 0, start;

	for (unsigned screen = 0; screen < SCREENS_MOST && (!screen || !transcript_at_end(pane)); screen++) {
		const struct key next = { .code = screen ? KEY_PAGE_DOWN : KEY_HOME };

		canvas_clear(canvas); /* drawing sets the pane's size */
		pane_draw(transcript_pane(pane), &view, canvas, (struct area){ 0, 0, rows, columns }, false);
		pane_key(transcript_pane(pane), &view, &next);
		canvas_clear(canvas);
		pane_draw(transcript_pane(pane), &view, canvas, (struct area){ 0, 0, rows, columns }, false);
		start = out->len;
		add_screen(canvas, used, out);
		if (screen && str_equal(str_skip(buf_str(out), start), str_head(str_skip(buf_str(out), before), start - before))) {
			buf_remove(out, start, out->len - start); /* the previous screen already showed everything */
			break;
		}
		before = start;
	}
	add_legend(used, out);
	transcript_free(pane);
	canvas_free(canvas);
	conversation_free((struct conversation *)view.conversation);
}

static void constructs_match(void)
{
	static const char *const names[] = { "answer", "code", "emphasis", "footnotes", "headings", "hidden", "html", "links", "lists", "math", "quotes",
		"rtl", "tables", "unicode" };
	static const unsigned sizes[][2] = { { 24, 80 }, { 12, 40 } };
	struct buf text, out;
	char name[64];

	setlocale(LC_ALL, "C.UTF-8");
	buf_init(&text, ROOM);
	buf_init(&out, ROOM);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct error err = { "" };

		buf_clear(&text);
		snprintf(name, sizeof name, "tests/markdown/%s.md", names[i]);
		CHECK(buf_read_file(&text, name, &err), "%s", err.text);
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			snprintf(name, sizeof name, "markdown-%s-%ux%u", names[i], sizes[k][1], sizes[k][0]);
			buf_clear(&out);
			draw_document(buf_str(&text), sizes[k][0], sizes[k][1], false, &out);
			golden_check(name, buf_str(&out));
		}
	}
	buf_clear(&text);
	buf_clear(&out);
	CHECK(buf_read_file(&text, "tests/markdown/code.md", &(struct error){ "" }), "code.md");
	draw_document(buf_str(&text), 12, 40, true, &out);
	golden_check("markdown-code-clipped-40x12", buf_str(&out));
	buf_fini(&text);
	buf_fini(&out);
}

const struct suite suite_golden_markdown = { "golden_markdown", (const struct test[]){ TEST(constructs_match), { 0 } } };
