/*
 * Bytes from outside reach the terminal only as text. Random mixtures of them, in every text member of a delta, are drawn by every pane
 * and shown on a screen; the output is parsed as a terminal would.
 */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "ui/pane/stack.h"
#include "ui/pane/transcript.h"
#include "ui/term/kitty_graphics.h"
#include "ui/term/screen.h"

#define ROWS 24
#define COLUMNS 80
#define ENDS 25
#define MARK "6666" /* does not occur in our own escape sequences */

static const char *const pieces[] = {
	"\x1B[" MARK "m", "\x1B]" MARK ";x\a", "\x1B]8;;http://" MARK "\x1B\\", "\x1BP" MARK "\x1B\\", "\x1B_" MARK, "\x1B", "[" MARK "H", "\xC2\x9B" MARK "m",
	"\xC2\x9D" MARK ";x\xC2\x9C", "\xC2\x90" MARK, "\a", "\b", "\x7F", "\x0E", "\x0F", "\x05", "\f", "\v", "\x01", "\r", "\n", "\n\n", "\t",
	"\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x80\xA8", "\xF3\xA0\x81\x81", "[", "](http://a.org/\x1B]" MARK ") ", "](http://a.org/\a\xC2\x9B" MARK ") ",
	"<http://a.org/\x1B[" MARK "m> ", "```\x1B[" MARK "m\n", "`", "**", "| \x1B" MARK " |\n|---|\n", "$\\frac{\x1B}{\a}$ ", "&#27;[" MARK "m", "&#x9b;" MARK,
	"word ", "\xE4\xB8\xAD", "e\xCC\x81", "{\"a\":\"\x1B[" MARK "m\",", "\\u001b[" MARK "m", "[^\x1B]: \x07", "# ",
};

static struct str any_text(struct buf *out, unsigned *seed)
{
	buf_clear(out);
	for (unsigned i = check_random(seed) % 6; i < 6; i++)
		buf_add_z(out, pieces[check_random(seed) % (sizeof pieces / sizeof *pieces)]);
	return buf_str(out);
}

static void come(struct turn *t, unsigned *seed, unsigned *calls)
{
	struct buf words = { 0 }, more = { 0 };

	struct str a = any_text(&words, seed), b = any_text(&more, seed);
	struct delta deltas[] = {
		{ .kind = DELTA_TEXT, .part = 1, .text = a }, { .kind = DELTA_TEXT, .part = 1, .text = b }, { .kind = DELTA_REASONING, .text = a },
		{ .kind = DELTA_REFUSAL, .text = a }, { .kind = DELTA_META, .meta = { a, b } }, { .kind = DELTA_NOTICE, .notice = { STR("weir"), a } },
		{ .kind = DELTA_ROUTE, .route = { .routed_model = a } }, { .kind = DELTA_FINISH, .finish = { .reason = a } },
		{ .kind = DELTA_ERROR, .error = { a, b, a, 500 } }, { .kind = DELTA_TOOL_BEGIN, .tool = { *calls, a, b, false } },
		{ .kind = DELTA_TOOL_ARGUMENTS, .text = a, .tool = { *calls - 1, a, b, false } }, { .kind = DELTA_CITATION, .citation = { .url = a, .title = b } },
	};
	struct delta *d = &deltas[check_random(seed) % (sizeof deltas / sizeof *deltas)];
	if (d->kind != DELTA_TOOL_ARGUMENTS || *calls)
		turn_delta(t, d);
	*calls += d->kind == DELTA_TOOL_BEGIN;
	buf_fini(&words);
	buf_fini(&more);
}

/* --- parsing as a terminal does --- */

/* The length of the escape sequence at an ESC; 0 if it is not one of ours. */
static size_t sequence_of(struct str bytes)
{
	size_t at = 2;

	if (bytes.len < 2)
		return 0;
	if (bytes.ptr[1] == '[') {
		while (at < bytes.len && bytes.ptr[at] >= 0x20 && bytes.ptr[at] < 0x40)
			at++;
		return at < bytes.len && bytes.ptr[at] >= 0x40 ? at + 1 : 0;
	}
	if (bytes.ptr[1] != ']' && bytes.ptr[1] != '_') /* character set, keypad or saved cursor: one or two bytes */
		return strchr("78=>M", bytes.ptr[1]) ? 2 : strchr("()", bytes.ptr[1]) ? 3 : 0;
	while (at < bytes.len && (unsigned char)bytes.ptr[at] >= 0x20 && bytes.ptr[at] != 0x7F)
		at++;
	return str_starts(str_skip(bytes, at), "\x1B\\") ? at + 2 : 0;
}

static const char *fault_of(struct str sequence)
{
	bool link = str_starts(sequence, "\x1B]8;");

	if (str_starts(sequence, "\x1B]") && !link && !str_is(sequence, "\x1B]11;?\x1B\\") && !str_is(sequence, "\x1B]10;?\x1B\\"))
		return "an OSC that is not ours";
	if (str_starts(sequence, "\x1B_") && !str_is(sequence, KITTY_QUERY))
		return "an APC that is not ours";
	if (!link && str_find(sequence, STR(MARK)) < sequence.len)
		return "a sequence from outside";
	return str_find(sequence, STR("\xC2\x9B")) < sequence.len ? "a C1 byte in a link" : NULL;
}

static void check_written(struct str bytes, unsigned seed)
{
	struct str all = bytes;
	const char *fault = NULL;

	while (bytes.len && !fault) {
		unsigned char c = (unsigned char)bytes.ptr[0];
		size_t length = c == 0x1B ? sequence_of(bytes) : 1;

		if (c == 0x1B)
			fault = length ? fault_of(str_head(bytes, length)) : "half a sequence";
		else if ((c < 0x20 && c != '\r' && c != '\n' && c != '\b') || c == 0x7F)
			fault = "a control byte";
		else if (c == 0xC2 && bytes.len > 1 && (unsigned char)bytes.ptr[1] < 0xA0)
			fault = "a C1 control character";
		if (!fault)
			bytes = str_skip(bytes, length);
	}
	CHECK(!fault, "seed %u: %s at byte %zu", seed, fault, all.len - bytes.len);
}

/* --- drawing --- */

static bool is_clean(struct str text)
{
	while (text.len) {
		uint32_t code = utf8_next(&text);

		if (code < 0x20 || (code >= 0x7F && code < 0xA0))
			return false;
	}
	return true;
}

static void check_cells(const struct canvas *canvas, unsigned seed)
{
	bool clean = true;

	for (unsigned row = 0; row < ROWS; row++)
		for (unsigned column = 0; column < COLUMNS; column++) {
			const struct cell *cell = canvas_cell(canvas, row, column);

			clean &= is_clean(str_of(cell->text, cell->len));
		}
	CHECK(clean, "seed %u: a control character in a cell", seed);
}

static void read_file(int fd, struct buf *out)
{
	char block[65536];

	buf_clear(out);
	lseek(fd, 0, SEEK_SET);
	for (ssize_t n; (n = read(fd, block, sizeof block)) > 0;)
		buf_add(out, str_of(block, (size_t)n));
}

static void show_answers(struct screen *screen, const struct theme *theme, unsigned seed)
{
	struct conversation *c = conversation_new();
	struct canvas *canvas = canvas_new(ROWS, COLUMNS);
	struct transcript *transcript = transcript_new();
	const struct stack_row rows[] = {
		{ transcript_pane(transcript), .share = STACK_REST }, { pane_reasoning_new(), .share = 3 }, { pane_tools_new(), .share = 3 },
		{ pane_status_new(), .share = 1 },
	};
	struct stack stack;
	unsigned state = seed, calls = 0;
	struct buf words = { 0 };

	stack_init(&stack, rows, sizeof rows / sizeof *rows, rows[0].pane);
	turn_add(conversation_ask(c), PART_TEXT, any_text(&words, &state), STR_NONE, STR_NONE);
	char *model = str_dup(any_text(&words, &state));
	struct turn *t = conversation_answer(c, any_text(&words, &state), NULL, str_from(model));
	struct look look = { 0 };
	struct view view = { .conversation = c, .live = t, .state = VIEW_STREAMING, .model = str_from(model), .provider = str_from(model),
	                     .message = seed % 5 ? NULL : model, .look = &look };
	for (unsigned step = 0; step <= ENDS; step++) {
		come(t, &state, &calls);
		if (step == ENDS) {
			turn_delta(t, &(struct delta){ .kind = DELTA_END, .end = { (enum outcome)(seed % (OUTCOME_CANCELLED + 1)) } });
			view.live = NULL;
			transcript_toggle_fold(transcript, &view);
		}
		look.raw = step % 9 == 8;
		canvas_clear(canvas);
		stack_layout(&stack, &view, ROWS, COLUMNS);
		stack_draw(&stack, &view, canvas);
		check_cells(canvas, seed);
		screen_show(screen, canvas, theme);
	}
	stack_fini(&stack);
	mem_free(model);
	buf_fini(&words);
	canvas_free(canvas);
	conversation_free(c);
}

static void text_from_outside_contains_no_controls(void)
{
	char path[] = "/tmp/weir-outside-XXXXXX";
	int fd = mkstemp(path);
	struct screen *screen;
	struct theme theme;
	struct error err = { "" };
	struct buf written = { 0 };

	unlink(path);
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TERM", "xterm-256color", 1);
	unsetenv("NO_COLOR");
	CU_ASSERT_FATAL(fd >= 0 && theme_load(&theme, STR("dark"), NULL, NULL, &err));
	CU_ASSERT_FATAL(screen_open(&screen, fd, ROWS, COLUMNS, COLOUR_AUTO, &err));
	for (unsigned seed = 1; seed <= 150; seed++) {
		CU_ASSERT(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
		show_answers(screen, &theme, seed);
		read_file(fd, &written);
		CHECK(written.len > 1000, "seed %u: %zu bytes", seed, written.len);
		check_written(buf_str(&written), seed);
	}
	buf_fini(&written);
	screen_close(screen);
	close(fd);
}

const struct suite suite_outside = { "outside", (const struct test[]){ TEST(text_from_outside_contains_no_controls), { 0 } } };
