#include "bench/look.h"

#include <string.h>
#include <vterm.h>

#include "base/mem.h"

struct look {
	const struct program *program;
	unsigned columns;
	size_t at;                /* index of the next read */
	VTerm *vt;
	VTermScreen *screen;
	bool cursor_visible;
	int first_row, end_row;   /* range of changed rows */
};

static int on_damage(VTermRect rect, void *ctx)
{
	struct look *look = ctx;

	if (rect.start_row < look->first_row)
		look->first_row = rect.start_row;
	if (rect.end_row > look->end_row)
		look->end_row = rect.end_row;
	return 1;
}

static int on_property(VTermProp property, VTermValue *value, void *ctx)
{
	struct look *look = ctx;

	if (property == VTERM_PROP_CURSORVISIBLE)
		look->cursor_visible = value->boolean;
	return 1;
}

static const VTermScreenCallbacks callbacks = { .damage = on_damage, .settermprop = on_property };

struct look *look_new(const struct program *p)
{
	return look_new_wide(p, PROGRAM_COLUMNS);
}

struct look *look_new_wide(const struct program *p, unsigned columns)
{
	struct look *look = mem_new(sizeof *look);

	look->program = p;
	look->columns = columns;
	look->cursor_visible = true;
	look->vt = vterm_new(PROGRAM_ROWS, (int)columns);
	vterm_set_utf8(look->vt, 1);
	look->screen = vterm_obtain_screen(look->vt);
	vterm_screen_set_callbacks(look->screen, &callbacks, look);
	vterm_screen_enable_altscreen(look->screen, 1);
	vterm_screen_reset(look->screen, 1);
	return look;
}

void look_free(struct look *look)
{
	vterm_free(look->vt);
	mem_free(look);
}

/* Applies the next read to the screen and returns its time; 0 if there is none. */
static int64_t next(struct look *look)
{
	const struct program *p = look->program;

	if (look->at == p->count)
		return 0;
	const struct program_read *read = &p->reads[look->at++];
	look->first_row = PROGRAM_ROWS;
	look->end_row = 0;
	vterm_input_write(look->vt, p->bytes.ptr + read->at, read->len);
	vterm_screen_flush_damage(look->screen);
	return read->at_ns;
}

void look_skip(struct look *look)
{
	while (next(look))
		;
}

static struct str row_text(const struct look *look, int row, char *text, size_t size)
{
	VTermRect rect = { .start_row = row, .end_row = row + 1, .start_col = 0, .end_col = (int)look->columns };

	return str_of(text, vterm_screen_get_text(look->screen, text, size, rect));
}

/* The page may stand in the middle of the window. */
static bool is_input(struct str row)
{
	return str_starts(str_trim_start(row), ">");
}

int64_t look_for_input(struct look *look)
{
	char text[LOOK_COLUMNS_MOST * 8];
	VTermPos cursor;

	for (int64_t at; (at = next(look));) {
		vterm_state_get_cursorpos(vterm_obtain_state(look->vt), &cursor);
		if (look->cursor_visible && cursor.col >= 2 && is_input(row_text(look, cursor.row, text, sizeof text)))
			return at;
	}
	return 0;
}

int64_t look_for_text(struct look *look, const char *wanted)
{
	char text[LOOK_COLUMNS_MOST * 8];

	for (int64_t at; (at = next(look));)
		for (int row = look->first_row; row < look->end_row; row++) {
			struct str line = row_text(look, row, text, sizeof text);

			if (str_find(line, str_from(wanted)) < line.len)
				return at;
		}
	return 0;
}

static int digit(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' : c >= '0' && c <= '9' ? c - '0' + 26 : -1;
}

/* The index of the token that a word is; -1 if it is none. */
static int token_index(struct str word, const struct sender *sender)
{
	char text[TOKEN_BYTES_MOST];

	if (word.len < 3 || word.len > 5 || digit(word.ptr[0]) < 0 || digit(word.ptr[1]) < 0 || digit(word.ptr[2]) < 0)
		return -1;
	unsigned number = (unsigned)((digit(word.ptr[0]) * 36 + digit(word.ptr[1])) * 36 + digit(word.ptr[2]));
	unsigned index = (number + TOKEN_NUMBERS - sender->base % TOKEN_NUMBERS) % TOKEN_NUMBERS;
	unsigned len = sender_token(number, text);
	bool same = len == word.len + 1 && !memcmp(text, word.ptr, word.len);
	return same && index < sender->count ? (int)index : -1;
}

static int newest_token(struct str row, const struct sender *sender)
{
	int newest = -1;
	struct str word;

	while (str_split(&row, ' ', &word)) {
		int index = token_index(word, sender);

		newest = index > newest ? index : newest;
	}
	return newest;
}

unsigned look_for_tokens(struct look *look, const struct sender *sender, int64_t *shown_ns)
{
	char text[LOOK_COLUMNS_MOST * 8];
	unsigned seen = 0;

	memset(shown_ns, 0, sender->count * sizeof *shown_ns);
	for (int64_t at; seen < sender->count && (at = next(look));) {
		int newest = -1;

		for (int row = look->first_row; row < look->end_row; row++) {
			int index = newest_token(row_text(look, row, text, sizeof text), sender);

			newest = index > newest ? index : newest;
		}
		while ((int)seen <= newest)
			shown_ns[seen++] = at;
	}
	return seen;
}

static unsigned letters_of_input(const struct look *look, char letter)
{
	char text[LOOK_COLUMNS_MOST * 8];
	unsigned count = 0;

	for (int row = PROGRAM_ROWS - 1; row >= 0; row--) {
		struct str line = row_text(look, row, text, sizeof text);

		if (!is_input(line))
			continue;
		for (size_t i = 0; i < line.len; i++)
			count += line.ptr[i] == letter;
		return count;
	}
	return 0;
}

unsigned look_for_letters(struct look *look, char letter, unsigned count, int64_t *shown_ns)
{
	unsigned seen = 0;

	for (int64_t at; seen < count && (at = next(look));) {
		unsigned now = letters_of_input(look, letter);

		while (seen < now && seen < count)
			shown_ns[seen++] = at;
	}
	return seen;
}
