#include "screen_stage.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

/* ncurses does not free its data for an unknown terminal type. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:new_prescr\n";
}

/* Clusters that a joining terminal shows as one glyph. libvterm is sent an ideograph of the same width instead. */
static const struct { const char *picture, *sent; } pictures[] = {
	{ "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466", "\u7530" }, { "\U0001F44D\U0001F3FD", "\u53CB" },
	{ "\u2764\uFE0F", "\u5FC3" }, { "\U0001F1E9\U0001F1EA", "\u65D7" }, { "\U0001FAE8", "\u9707" },
};
#define PICTURES (sizeof pictures / sizeof *pictures)

const char *stage_picture(unsigned number)
{
	return pictures[number % PICTURES].picture;
}

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

void stage_open(struct stage *s, const char *type, unsigned rows, unsigned columns, enum colour_mode mode, const char *theme)
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

size_t stage_pump(struct stage *s)
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

size_t stage_show(struct stage *s)
{
	CU_ASSERT(screen_show(s->screen, s->canvas, &s->theme));
	return stage_pump(s);
}

void stage_close(struct stage *s)
{
	screen_close(s->screen);
	canvas_free(s->canvas);
	vterm_free(s->vt);
	close(s->fd);
}

bool stage_wrote(struct stage *s, off_t from, const char *text)
{
	char bytes[16384];
	ssize_t len = pread(s->fd, bytes, sizeof bytes, from);

	return len > 0 && str_find(str_of(bytes, (size_t)len), str_from(text)) < (size_t)len;
}

VTermScreenCell stage_cell(struct stage *s, unsigned row, unsigned column)
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

void stage_check(struct stage *s, const char *when, unsigned number)
{
	VTermPos cursor;

	for (unsigned r = 0; r < s->canvas->rows; r++)
		for (unsigned c = 0; c < s->canvas->columns; c++) {
			const struct cell *want = canvas_cell(s->canvas, r, c);
			VTermScreenCell have = stage_cell(s, r, c);

			/* On some terminals there is no wide cluster before the lower right corner (screen_rows.c). */
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

const char *stage_piece(unsigned number)
{
	return pieces[number % (sizeof pieces / sizeof *pieces)];
}

void stage_scribble(struct canvas *canvas, unsigned *seed)
{
	unsigned changes = check_random(seed) % 12;

	for (unsigned i = 0; i < changes; i++) {
		const char *text = stage_piece(check_random(seed));
		enum role_name role = check_random(seed) % ROLE_COUNT;

		unsigned row = check_random(seed) % canvas->rows; /* separate statements: the evaluation order of arguments is unspecified */

		canvas_put(canvas, row, check_random(seed) % canvas->columns, canvas->columns, role, str_from(text));
	}
}
