#include "ui/term/screen.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sixel.h"
#include "ui/term/osc52.h"
#include "ui/term/screen_inside.h"

#define OUTPUT_MAPPED ((size_t)256 << 10)  /* of the memory file; a larger frame is copied from it */
#define OUTPUT_REWOUND ((size_t)64 << 10)
#define CELL_SUBSTITUTES_RENEWED_AT (CELL_SUBSTITUTES * 3 / 4)

#define SYNC_BEGIN "\x1B[?2026h"
#define SYNC_END "\x1B[?2026l"
#define MODES_ON "\x1B[?2004h\x1B[?1004h" /* bracketed paste, focus reports */
#define MODES_OFF "\x1B[?1004l\x1B[?2004l"
#define TITLE_PUSH "\x1B[22;2t"
#define TITLE_POP "\x1B[23;2t"
#define MOUSE_ON "\x1B[?1000h\x1B[?1002h\x1B[?1006h" /* buttons, drags, SGR encoding */
#define MOUSE_OFF "\x1B[?1006l\x1B[?1002l\x1B[?1000l"
#define ASK_XTERM "\x1B[?4m" /* only for xterm: some other terminals read it as underline */
#define CURSOR_ON "\x1B[?25h"
#define CURSOR_OFF "\x1B[?25l"

/* Sequences that turn a protocol on and off. kitty's flags 5: disambiguate modified keys (1), report alternate keys (4). */
static const struct { struct str on, off; } key_modes[] = {
	[KEYS_PLAIN] = { { NULL, 0 }, { NULL, 0 } },
	[KEYS_XTERM] = { { "\x1B[>4;2m", 7 }, { "\x1B[>4m", 5 } },
	[KEYS_KITTY] = { { "\x1B[>5u", 5 }, { "\x1B[<u", 4 } },
};

/* --- the cursor --- */

/*
 * ncurses would move the cursor to the input and back with each token. It believes that the cursor stays behind the text that was written
 * last, where the text goes on; the moves from and to there are ours.
 */
static void screen_move_cursor(struct screen *screen, int row, int column)
{
	buf_printf(&screen->queue.pending, "\x1B[%d;%dH", row + 1, column + 1);
}

/* After output of ncurses. A hidden cursor may be anywhere. */
static void screen_place_cursor(struct screen *screen, const struct canvas *canvas)
{
	getyx(curscr, screen->believed_row, screen->believed_column);
	if (!canvas->cursor_shown)
		return;
	bool away = screen->believed_row != (int)canvas->cursor_row || screen->believed_column != (int)canvas->cursor_column;
	if (away || screen->cursor_away)
		screen_move_cursor(screen, (int)canvas->cursor_row, (int)canvas->cursor_column);
	screen->cursor_away = away;
}

/* --- the output of ncurses --- */

void screen_rewind_output(struct screen *screen)
{
	lseek(fileno(screen->out), 0, SEEK_SET);
	screen->taken = 0;
}

/* The output of ncurses from `taken` to `end`: where the file is mapped, else a copy. Empty if it cannot be read. */
static struct str screen_output(struct screen *screen, size_t end)
{
	size_t len = end - screen->taken;

	if (!screen->mapped && (screen->mapped = mmap(NULL, OUTPUT_MAPPED, PROT_READ, MAP_SHARED, fileno(screen->out), 0)) == MAP_FAILED)
		screen->mapped = NULL;
	if (screen->mapped && end <= OUTPUT_MAPPED)
		return str_of((const char *)screen->mapped + screen->taken, len);
	mem_reserve(&screen->raw.ptr, &screen->raw.capacity, len, 1);
	return pread(fileno(screen->out), screen->raw.ptr, len, (off_t)screen->taken) == (ssize_t)len ? str_of(screen->raw.ptr, len) : STR_NONE;
}

/* Moves the new output of ncurses, tidied, to the queue. Frames follow one another in the file, which begins again once in many frames. */
static void screen_take_output(struct screen *screen)
{
	off_t end;

	fflush(screen->out);
	end = lseek(fileno(screen->out), 0, SEEK_CUR);
	if (end < 0 || (size_t)end <= screen->taken)
		return;
	if (screen->cursor_away)
		screen_move_cursor(screen, screen->believed_row, screen->believed_column);
	screen->cursor_away = false;
	frame_tidy(&screen->tidy, screen_output(screen, (size_t)end), &screen->palette, &screen->queue.pending);
	screen->taken = (size_t)end;
	if (screen->taken > OUTPUT_REWOUND)
		screen_rewind_output(screen);
}

void screen_suspend(struct screen *screen)
{
	if (isendwin())
		return;
	if (!screen->entering) {
		if (*screen->title_shown)
			buf_add(&screen->queue.pending, STR(TITLE_POP));
		*screen->title_shown = 0;
		kitty_images_delete_all(&screen->images, &screen->queue.pending);
		sixels_forget(&screen->sixels);
		buf_add(&screen->queue.pending, key_modes[screen->keys].off); /* first: the alternate screen has its own keyboard mode */
		buf_add(&screen->queue.pending, STR(MODES_OFF));
		if (screen->mouse)
			buf_add(&screen->queue.pending, STR(MOUSE_OFF));
		endwin();
		screen_take_output(screen);
		pen_change(&screen->tidy.have, &(struct pen){ 0 }, &screen->queue.pending);
		/* Always, because libvterm saves the visibility with the cursor, and ncurses saves the cursor for scrolling. */
		buf_add(&screen->queue.pending, STR(CURSOR_ON));
	}
	frame_queue_drain(&screen->queue);
	screen->entering = true;
	screen->cursor_hidden = screen->cursor_away = false;
}

void screen_resume(struct screen *screen, unsigned rows, unsigned columns)
{
	screen_resize(screen, rows, columns);
}

void screen_close(struct screen *screen)
{
	if (!screen)
		return;
	if (screen->shown)
		screen_suspend(screen);
	if (screen->curses)
		delscreen(screen->curses);
	if (screen->mapped)
		munmap(screen->mapped, OUTPUT_MAPPED);
	if (screen->out)
		fclose(screen->out);
	if (screen->in)
		fclose(screen->in);
	canvas_free(screen->shown);
	mem_free(screen->line);
	mem_free(screen->differs);
	mem_free(screen->versions);
	buf_fini(&screen->raw);
	frame_queue_fini(&screen->queue);
	kitty_images_fini(&screen->images);
	mem_free(screen);
}

void screen_resize(struct screen *screen, unsigned rows, unsigned columns)
{
	rows = rows ? rows : 1;
	columns = columns ? columns : 1;
	/* Shrinks first: resizeterm() grows before it shrinks, so a change from wide to high would briefly allocate both. */
	resizeterm((int)rows < LINES ? (int)rows : LINES, (int)columns < COLS ? (int)columns : COLS);
	resizeterm((int)rows, (int)columns);
	canvas_resize(screen->shown, rows, columns);
	screen->line = mem_resize(screen->line, columns, sizeof *screen->line);
	screen->differs = mem_resize(screen->differs, rows, sizeof *screen->differs);
	screen->versions = mem_resize(screen->versions, rows, sizeof *screen->versions);
	memset(screen->versions, 0, rows * sizeof *screen->versions);
	screen->whole = true;
}

void screen_redraw(struct screen *screen)
{
	screen->whole = true;
}

/* --- frames --- */

/*
 * Sends the handshake in the same write as the first frame. Queries that draw run on the empty screen, which is cleared before
 * anything is shown.
 */
static void screen_ask_terminal(struct screen *screen)
{
	struct buf *pending = &screen->queue.pending;

	screen->begun = true;
	buf_add(pending, STR(SYNC_BEGIN));
	clearok(curscr, TRUE);
	wnoutrefresh(stdscr);
	doupdate();
	screen_take_output(screen);
	if (getenv("XTERM_VERSION"))
		buf_add(pending, STR(ASK_XTERM));
	handshake_ask(&screen->handshake, screen->shown->rows, screen->shown->columns, pending);
}

/* The one that was there before waits on the terminal's stack. */
static void screen_put_title(struct screen *screen)
{
	struct buf *pending = &screen->queue.pending;

	if (!screen->asks || !*screen->title || !strcmp(screen->title, screen->title_shown))
		return;
	if (!*screen->title_shown)
		buf_add(pending, STR(TITLE_PUSH));
	buf_printf(pending, "\x1B]2;%s\x1B\\", screen->title);
	memcpy(screen->title_shown, screen->title, sizeof screen->title);
}

/*
 * Adds what surrounds the output of ncurses: synchronized output if the terminal could show half a frame, cursor visibility, modes. The
 * cursor is hidden after the output of ncurses, because entering the alternate screen saves the cursor's visibility.
 */
static void screen_make_frame(struct screen *screen, const struct canvas *canvas, bool several_rows)
{
	struct buf *pending = &screen->queue.pending;
	size_t before = pending->len, start;
	bool hide = !canvas->cursor_shown;
	bool synchronized = (several_rows || screen->entering) && !screen->handshake.no_sync;

	if (synchronized && !screen->begun)
		buf_add(pending, STR(SYNC_BEGIN));
	start = pending->len;
	screen_take_output(screen);
	screen_place_cursor(screen, canvas);
	if (hide != screen->cursor_hidden)
		buf_add(pending, hide ? STR(CURSOR_OFF) : STR(CURSOR_ON));
	if (screen->entering) {
		buf_add(pending, STR(MODES_ON));
		if (screen->mouse)
			buf_add(pending, STR(MOUSE_ON));
		buf_add(pending, key_modes[screen->keys].on);
	}
	screen_put_title(screen);
	screen->cursor_hidden = hide;
	screen->entering = false;
	screen->begun = false;
	if (pending->len == start)
		buf_remove(pending, before, pending->len - before);
	else if (synchronized)
		buf_add(pending, STR(SYNC_END));
}

/* Repaints everything when substitutes are about to run out, or when link numbers were reassigned: drawn cells refer to old numbers. */
static void screen_renew_numbers(struct screen *screen, const struct canvas *canvas)
{
	bool renew = screen->substitutes.used > CELL_SUBSTITUTES_RENEWED_AT;

	if (renew)
		cell_substitutes_forget(&screen->substitutes);
	screen->whole |= renew || screen->links_age != canvas->links_age;
	screen->links_age = canvas->links_age;
	screen->tidy.links = &canvas->links;
}

/* Every cell of the rows is written again, also where its text is the same. */
static void screen_rewrite(const struct placed *place)
{
	wredrawln(stdscr, (int)place->row, (int)place->rows);
}

bool screen_show(struct screen *screen, const struct canvas *canvas, const struct theme *theme)
{
	struct canvas *shown = screen->shown;
	unsigned changed;
	bool pixels_go;

	assert(canvas->rows == shown->rows && canvas->columns == shown->columns);
	frame_queue_send(&screen->queue);
	if (!frame_queue_is_empty(&screen->queue))
		return false;
	screen_take_theme(screen, theme);
	if (!screen->handshake.asked && screen->asks)
		screen_ask_terminal(screen);
	screen_renew_numbers(screen, canvas);
	if (screen->whole) {
		clearok(curscr, TRUE);
		screen->tidy.have.unknown = true;
		sixels_forget(&screen->sixels);
	}
	pixels_go = sixels_follow(&screen->sixels, canvas, screen_rewrite);
	changed = screen_push_rows(screen, canvas, !pixels_go);
	sixels_note_rows(&screen->sixels, screen->differs);
	if (!changed && !pixels_go && canvas->cursor_shown == shown->cursor_shown && canvas->cursor_row == shown->cursor_row &&
		canvas->cursor_column == shown->cursor_column && !screen->whole)
		return true;
	if (!screen->ansi_moves && canvas->cursor_shown)
		wmove(stdscr, (int)canvas->cursor_row, (int)canvas->cursor_column);
	if (pixels_go) /* terminals do not agree on whether pixels scroll with the text */
		idlok(stdscr, FALSE);
	wnoutrefresh(stdscr);
	doupdate();
	idlok(stdscr, TRUE);
	screen_make_frame(screen, canvas, changed > 1 || pixels_go);
	screen->whole = false;
	shown->cursor_shown = canvas->cursor_shown;
	shown->cursor_row = canvas->cursor_row;
	shown->cursor_column = canvas->cursor_column;
	frame_queue_send(&screen->queue);
	return true;
}

bool screen_has_unsent(const struct screen *screen)
{
	return !frame_queue_is_empty(&screen->queue);
}

bool screen_wants_to_send(const struct screen *screen)
{
	return screen_has_unsent(screen) || kitty_images_has_work(&screen->images);
}

bool screen_send(struct screen *screen)
{
	bool complete;

	frame_queue_send(&screen->queue);
	if (!frame_queue_is_empty(&screen->queue))
		return false;
	complete = kitty_images_step(&screen->images, &screen->queue.pending);
	frame_queue_send(&screen->queue);
	return complete;
}

/* --- images --- */

bool screen_draws_images(const struct screen *screen)
{
	return screen->colours >= 256 && handshake_draws_images(&screen->handshake);
}

bool screen_has_image(struct screen *screen, const struct picture *picture)
{
	bool has = kitty_images_has(&screen->images, picture->image);

	if (!has)
		kitty_images_begin(&screen->images, picture->image, picture);
	return has;
}

void screen_drop_image(struct screen *screen, unsigned number)
{
	kitty_images_drop(&screen->images, number);
}

struct image_size screen_sixel_cell(const struct screen *screen)
{
	const struct handshake *h = &screen->handshake;
	struct image_size answered = { h->cell_width, h->cell_height };
	bool known = screen->cell.width && screen->cell.height;

	return h->knows_sixels && h->answered && screen->colours >= 256 ? known ? screen->cell : answered : (struct image_size){ 0, 0 };
}

void screen_set_cell(struct screen *screen, struct image_size cell)
{
	screen->cell = cell.width <= CELL_EDGE_MOST && cell.height <= CELL_EDGE_MOST ? cell : (struct image_size){ 0, 0 };
}

void screen_ask_more(struct screen *screen)
{
	handshake_ask_more(&screen->handshake, &screen->queue.pending);
}

int64_t screen_still_due(const struct screen *screen)
{
	return sixels_due(&screen->sixels);
}

void screen_draw_still(struct screen *screen, const struct canvas *canvas, int64_t now_ms)
{
	struct buf *pending = &screen->queue.pending;
	struct image_size cell = screen_sixel_cell(screen);
	unsigned colours = screen->handshake.sixel_colours ? screen->handshake.sixel_colours : SIXEL_COLOURS_MOST;
	size_t before = pending->len;

	sixels_note_time(&screen->sixels, now_ms);
	if (!cell.width || !cell.height || screen->entering || screen_has_unsent(screen) || sixels_due(&screen->sixels) > now_ms)
		return;
	if (!screen->handshake.no_sync)
		buf_add(pending, STR(SYNC_BEGIN));
	if (!sixels_draw(&screen->sixels, canvas, cell, colours, now_ms, pending)) {
		buf_remove(pending, before, pending->len - before);
		return;
	}
	screen->cursor_away = true;
	screen_place_cursor(screen, canvas);
	if (!screen->handshake.no_sync)
		buf_add(pending, STR(SYNC_END));
	frame_queue_send(&screen->queue);
}

/* --- state --- */

int screen_colours(const struct screen *screen)
{
	return screen->colours;
}

bool screen_strikes(const struct screen *screen)
{
	return screen->strikes;
}

struct handshake *screen_handshake(struct screen *screen)
{
	return &screen->handshake;
}

void screen_use_keys(struct screen *screen, enum key_protocol protocol)
{
	if (protocol == screen->keys)
		return;
	if (!screen->entering) {
		buf_add(&screen->queue.pending, key_modes[screen->keys].off);
		buf_add(&screen->queue.pending, key_modes[protocol].on);
	}
	screen->keys = protocol;
}

bool screen_has_mouse(const struct screen *screen)
{
	return screen->mouse;
}

void screen_use_mouse(struct screen *screen, bool on)
{
	if (on == screen->mouse)
		return;
	if (!screen->entering)
		buf_add(&screen->queue.pending, on ? STR(MOUSE_ON) : STR(MOUSE_OFF));
	screen->mouse = on;
}

/* A terminal takes what ends a string of its own for the end of ours: only printable ASCII goes out. */
static void screen_write_clean(char *out, size_t size, struct str text)
{
	size_t length = text.len < size - 1 ? text.len : size - 1;

	for (size_t i = 0; i < length; i++)
		out[i] = text.ptr[i] >= ' ' && text.ptr[i] <= '~' ? text.ptr[i] : '?';
	out[length] = 0;
}

void screen_set_title(struct screen *screen, struct str title)
{
	screen_write_clean(screen->title, sizeof screen->title, title);
}

bool screen_has_title(const struct screen *screen)
{
	return *screen->title_shown || (screen->asks && *screen->title);
}

void screen_notify(struct screen *screen, enum notify_way way, struct str sentence)
{
	static const char *const forms[] = { [NOTIFY_BELL] = "\a", [NOTIFY_OSC_9] = "\x1B]9;%s\x1B\\",
	                                     [NOTIFY_OSC_777] = "\x1B]777;notify;weir;%s\x1B\\" };
	const char *form = forms[way], *place = strstr(form, "%s");
	char clean[200];

	screen_write_clean(clean, sizeof clean, sentence);
	buf_add(&screen->queue.pending, place ? str_of(form, (size_t)(place - form)) : str_from(form));
	if (place) {
		buf_add_z(&screen->queue.pending, clean);
		buf_add_z(&screen->queue.pending, place + 2);
	}
}

bool screen_copy(struct screen *screen, struct str text)
{
	if (!osc52_fits(text))
		return false;
	osc52_add(&screen->queue.pending, text, osc52_way_here());
	return true;
}
