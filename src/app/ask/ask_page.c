#include "app/ask/ask_page.h"

#include <sys/ioctl.h>

#include "app/system/environment.h"
#include "base/mem.h"
#include "render/markdown/markdown.h"
#include "store/config/settings.h"
#include "store/files/paths.h"
#include "ui/pane/printout.h"
#include "ui/term/terminfo.h"

#define DRAW_MS 40
#define ROWS_DEFAULT 24
#define FRAME_LIMIT ((size_t)16 << 20)

struct ask_page {
	struct output *out;
	struct markdown *markdown;
	struct buf text, frame;
	struct canvas *canvas;     /* one row */
	struct palette palette;
	unsigned text_width;       /* 0: that of the terminal */
	size_t block, row;         /* the first row that may be drawn again */
	size_t drawn;              /* how many rows from there on stand in the terminal */
	int64_t draw_ms;           /* when the next frame is due; NO_DEADLINE: nothing is new */
	int64_t drawn_ms;
};

/* A theme with a background of its own has the terminal's colours here: what the text stands on is not known. */
static bool ask_page_load_theme(const char *name, struct theme *theme)
{
	struct error warn = { "" }, err = { "" };
	char *folder = path_of(PATH_CONFIG, "themes");
	bool good = theme_load(theme, str_from(name), folder, &warn, &err);

	if (!good || theme->styles[ROLE_TEXT].bg != COLOUR_DEFAULT)
		good = theme_load(theme, str_from(theme_name_at(0)), NULL, &warn, &err);
	mem_free(folder);
	return good;
}

struct ask_page *ask_page_new(const struct options *o, const struct settings *settings, struct output *out)
{
	const char *type = process_environment("TERM");
	struct ask_page *p;
	struct theme theme;

	if (!terminfo_places_cursor(type) || !ask_page_load_theme(o->theme ? o->theme : settings->theme, &theme))
		return NULL;
	p = mem_new(sizeof *p);
	*p = (struct ask_page){ .out = out, .markdown = markdown_new(), .canvas = canvas_new(1, output_columns()),
	                        .text_width = (unsigned)settings->text_width, .draw_ms = NO_DEADLINE };
	buf_init(&p->text, FRAME_LIMIT * 4);
	buf_init(&p->frame, FRAME_LIMIT);
	palette_make(&p->palette, &theme, terminfo_colours(type, o->colour));
	return p;
}

void ask_page_free(struct ask_page *p)
{
	if (!p)
		return;
	markdown_free(p->markdown);
	canvas_free(p->canvas);
	buf_fini(&p->text);
	buf_fini(&p->frame);
	mem_free(p);
}

static void ask_page_add_row(struct ask_page *p, const struct markdown_layout *layout, size_t row)
{
	buf_add_z(&p->frame, "\x1B[K");
	canvas_clear(p->canvas);
	canvas_use_links(p->canvas, layout->links, layout->link_count);
	canvas_put_spans(p->canvas, 0, 0, p->canvas->columns, layout->rows[row].spans, layout->rows[row].count);
	printout_row(p->canvas, 0, &p->palette, &p->frame);
}

/* In another width the block that grows begins anew below what stands there. */
static void ask_page_fit(struct ask_page *p)
{
	unsigned columns = output_columns();

	if (columns == p->canvas->columns)
		return;
	canvas_resize(p->canvas, 1, columns);
	p->row = p->drawn = 0;
}

static unsigned ask_page_width(const struct ask_page *p)
{
	return p->text_width && p->text_width < p->canvas->columns ? p->text_width : p->canvas->columns;
}

/* Leaves that many rows of what is drawn as they are. */
static void ask_page_keep(struct ask_page *p, size_t rows)
{
	p->drawn -= rows;
	while (rows && p->block < markdown_count(p->markdown)) {
		size_t all = markdown_rows(p->markdown, p->block, ask_page_width(p)), left = all > p->row ? all - p->row : 0;
		bool whole = rows >= left && p->block + 1 < markdown_count(p->markdown);

		p->row = whole ? 0 : p->row + rows;
		p->block += whole;
		rows = whole ? rows - left : 0;
	}
}

static void ask_page_draw(struct ask_page *p)
{
	struct winsize size = { .ws_row = ROWS_DEFAULT };
	size_t final = 0;
	bool open = false;

	ask_page_fit(p);
	(void)ioctl(p->out->fd, TIOCGWINSZ, &size);
	size_t most = size.ws_row > 2 ? size.ws_row - 2u : 1; /* rows above have left the window, or soon will */
	buf_clear(&p->frame);
	if (p->drawn)
		buf_printf(&p->frame, "\r\x1B[%zuA", p->drawn);
	p->drawn = 0;
	for (size_t i = p->block; i < markdown_count(p->markdown); i++) {
		const struct markdown_layout *layout = markdown_lay_out(p->markdown, i, ask_page_width(p));

		open |= markdown_block_at(p->markdown, i)->open;
		for (size_t row = i == p->block ? p->row : 0; row < layout->count; row++, p->drawn++)
			ask_page_add_row(p, layout, row);
		final = open ? final : p->drawn;
	}
	buf_add_z(&p->frame, "\x1B[J"); /* behind the rows: from the top of the window, tmux would keep what it erases */
	ask_page_keep(p, p->drawn > most && p->drawn - most > final ? p->drawn - most : final);
	p->draw_ms = NO_DEADLINE;
	p->drawn_ms = clock_now_ms();
	output_safe(p->out, buf_str(&p->frame));
	p->out->mid_line = false;
}

void ask_page_add(struct ask_page *p, struct str text)
{
	if (!buf_add(&p->text, text))
		return;
	markdown_update(p->markdown, buf_str(&p->text));
	if (p->draw_ms == NO_DEADLINE)
		p->draw_ms = p->drawn_ms + DRAW_MS;
}

void ask_page_settle(struct ask_page *p)
{
	if (p->draw_ms != NO_DEADLINE)
		ask_page_draw(p);
	ask_page_keep(p, p->drawn);
}

void ask_page_restart(struct ask_page *p)
{
	ask_page_settle(p);
	markdown_reset(p->markdown);
	buf_clear(&p->text);
	p->block = p->row = 0;
}

void ask_page_finish(struct ask_page *p)
{
	markdown_finish(p->markdown);
	ask_page_draw(p);
	p->drawn = 0;
}

/* --- the loop --- */

static int64_t ask_page_deadline(void *page)
{
	return ((struct ask_page *)page)->draw_ms;
}

static void ask_page_run(void *page, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct ask_page *p = page;

	(void)fds, (void)count;
	if (now_ms >= p->draw_ms)
		ask_page_draw(p);
}

struct loop_member ask_page_member(struct ask_page *p)
{
	return (struct loop_member){ .ctx = p, .deadline = ask_page_deadline, .run = ask_page_run };
}
