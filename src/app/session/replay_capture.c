#include "app/session/replay_capture.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "app/options/options.h"
#include "app/session/played_runs.h"
#include "app/session/session.h"
#include "app/system/output.h"
#include "app/system/save_file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "chat/player/player.h"
#include "store/files/paths.h"
#include "ui/capture.h"
#include "ui/pane/stack.h"
#include "ui/pane/status.h"
#include "ui/pane/transcript.h"
#include "ui/term/palette.h"

#define ROWS 24u
#define COLUMNS 80u
#define FIGURES_MS 250     /* status figures change at most four times a second */
#define FIGURES_MOST 20000 /* screens of a cast for figures alone; a tape of more than 80 minutes has them further apart */
#define FRAME_MS 33.0      /* least distance of two screens of a cast */
#define UNTIMED_MS 50.0    /* distance of the frames of a body without times */
#define THEME "dark"
#define PICTURE_LIMIT ((size_t)64 << 20)

bool replay_captures(const struct options *o)
{
	return o->to || o->text || o->as_svg || o->frame >= 0;
}

/* --- the screen --- */

struct stage {
	struct replay *replay;
	struct session *session;
	struct transcript *transcript;
	struct stack stack;
	struct look look;
	struct theme theme;
	struct canvas *canvas;
};

static bool stage_load_theme(struct stage *s, struct error *err)
{
	const struct options *o = s->replay->options;
	struct error warn = { "" };
	char *folder = path_of(PATH_CONFIG, "themes");
	bool good = theme_load(&s->theme, str_from(o->theme ? o->theme : THEME), folder, &warn, err);

	mem_free(folder);
	return good;
}

static void stage_init(struct stage *s)
{
	const struct options *o = s->replay->options;
	struct pane *status = pane_status_new();

	s->session = session_new(NULL, NULL, NULL);
	s->transcript = transcript_new();
	const struct stack_row rows[] = {
		{ transcript_pane(s->transcript), .share = STACK_REST }, { pane_reasoning_new(), .share = 3 }, { pane_tools_new(), .share = 3 },
		{ pane_runs_new(), .share = 3 },
		{ status, .share = 1 },
	};
	stack_init(&s->stack, rows, sizeof rows / sizeof *rows, status);
	s->look.strikes = true;
	s->look.code_band = theme_has_band(&s->theme, ROLE_CODE, COLOURS_TRUE);
	s->canvas = canvas_new(o->size_rows ? o->size_rows : ROWS, o->size_columns ? o->size_columns : COLUMNS);
	replay_start(s->replay, s->session);
	player_pause(session_player(s->session), true, clock_now_ms());
	(void)player_seek_ms(session_player(s->session), 0, 0);
}

static void stage_fini(struct stage *s)
{
	session_free(s->session);
	stack_fini(&s->stack);
	canvas_free(s->canvas);
}

static void stage_draw(struct stage *s)
{
	session_drain(s->session);
	struct turn *live = session_live(s->session);
	double at_ms = player_position_ms(session_player(s->session), 0);
	struct view view = {
		.conversation = session_conversation(s->session), .live = live, .state = live ? VIEW_STREAMING : VIEW_READY, .replay = true,
		.of_messages = session_plays_messages(s->session),
		.exact = true, .at_ms = live ? (double)((int64_t)(at_ms / FIGURES_MS) * FIGURES_MS) : 0, .look = &s->look,
	};

	played_runs_show(session_played_runs(s->session), at_ms, &view);
	canvas_clear(s->canvas);
	stack_layout(&s->stack, &view, s->canvas->rows, s->canvas->columns);
	stack_draw(&s->stack, &view, s->canvas);
}

/* --- one screen --- */

static void capture_still(struct stage *s, bool as_svg, struct buf *out)
{
	const struct options *o = s->replay->options;
	struct player *player = session_player(s->session);
	struct buf title = { 0 };

	(void)player_seek_frame(player, SIZE_MAX, 0); /* then it is known how many there are */
	if (o->frame >= 0)
		(void)player_seek_frame(player, (size_t)o->frame, 0);
	stage_draw(s);
	buf_printf(&title, "%s, frame %zu of %zu", s->replay->name, player_frame(player), player_frames(player));
	if (as_svg)
		capture_svg(s->canvas, &s->theme, buf_str(&title), out);
	else
		capture_text(s->canvas, out);
	buf_fini(&title);
}

/* --- a cast --- */

/* Writes a cast: screens at most every FRAME_MS, only what changed of each. */
struct cast {
	struct stage *stage;
	struct canvas *before;     /* the screen so far; NULL: none */
	double clock_ms;           /* time of the cast */
	double figures_ms;         /* distance of the screens in a silence */
	double frame_ms, frame_clock_ms; /* of the last frame: times of the tape and of the cast */
	struct buf line;
	void (*add)(void *ctx, struct str line);
	void *ctx;
};

static void cast_write_line(struct cast *c)
{
	buf_add_byte(&c->line, '\n');
	c->add(c->ctx, buf_str(&c->line));
	buf_clear(&c->line);
}

static void cast_write_head(struct cast *c)
{
	struct json_writer json;

	json_writer_init(&json, &c->line);
	json_open_object(&json);
	json_member_integer(&json, "version", 2);
	json_member_integer(&json, "width", c->stage->canvas->columns);
	json_member_integer(&json, "height", c->stage->canvas->rows);
	json_key(&json, "title");
	json_string(&json, str_from(c->stage->replay->name));
	json_close_object(&json);
	cast_write_line(c);
}

/* Converts a time of the tape to the time of the cast: silences are shortened to their limit, the speed is that of the options. */
static void cast_set_time(struct cast *c, double tape_ms)
{
	const struct options *o = c->stage->replay->options;
	double passed_ms = tape_ms - c->frame_ms;

	if (o->idle_s > 0)
		passed_ms = fmin(passed_ms, o->idle_s * 1000);
	c->clock_ms = c->frame_clock_ms + (o->speed > 0 ? passed_ms / o->speed : passed_ms);
}

static void cast_add_screen(struct cast *c)
{
	struct buf bytes;
	struct canvas *canvas = c->stage->canvas;

	buf_init(&bytes, PICTURE_LIMIT);
	stage_draw(c->stage);
	if (!c->before)
		buf_add_z(&bytes, "\x1b[?25l\x1b[2J");
	capture_ansi(canvas, c->before, &c->stage->theme, &bytes);
	if (bytes.len) {
		buf_printf(&c->line, "[%.3f, \"o\", ", c->clock_ms / 1000);
		json_escape(&c->line, buf_str(&bytes));
		buf_add_z(&c->line, "]");
		cast_write_line(c);
	}
	buf_fini(&bytes);
	/* The next screen is drawn into the other canvas. */
	c->stage->canvas = c->before ? c->before : canvas_new(canvas->rows, canvas->columns);
	c->before = canvas;
}

/* The time of the next screen: a frame, or the next figures in a silence that is not capped. */
static double cast_next_ms(const struct cast *c, const struct player *player, double at_ms, double to_ms)
{
	double idle_ms = player_idle_ms(player), figures_ms = at_ms + c->figures_ms;
	bool ticks = session_live(c->stage->session) && (idle_ms <= 0 || figures_ms - c->frame_ms <= idle_ms);
	double next_ms = ticks ? fmin(figures_ms, player_next_ms(player)) : player_next_ms(player);

	return fmin(to_ms, fmax(at_ms + FRAME_MS, next_ms));
}

/* Frames as far apart as in the tape. */
static void cast_play_timed(struct cast *c, struct player *player, double from_ms, double to_ms)
{
	double at_ms = from_ms;
	size_t frame = 0;

	c->frame_ms = from_ms;
	c->figures_ms = fmax(FIGURES_MS, (to_ms - from_ms) / FIGURES_MOST);
	for (;;) {
		(void)player_seek_ms(player, at_ms, 0);
		cast_set_time(c, at_ms);
		cast_add_screen(c);
		if (player_frame(player) != frame) {
			c->frame_ms = at_ms;
			c->frame_clock_ms = c->clock_ms;
		}
		frame = player_frame(player);
		if (at_ms >= to_ms)
			return;
		at_ms = cast_next_ms(c, player, at_ms, to_ms);
	}
}

static void cast_play_untimed(struct cast *c, struct player *player)
{
	double at_ms = 0;

	(void)player_seek_frame(player, 0, 0);
	do {
		cast_set_time(c, at_ms);
		cast_add_screen(c);
		at_ms += UNTIMED_MS;
	} while (player_step_frame(player, 1, 0));
}

static void capture_cast(struct stage *s, void (*add)(void *ctx, struct str line), void *ctx)
{
	struct cast c = { .stage = s, .add = add, .ctx = ctx };
	struct player *player = session_player(s->session);
	double from_ms, to_ms;

	buf_init(&c.line, PICTURE_LIMIT);
	cast_write_head(&c);
	(void)player_range(player, &from_ms, &to_ms);
	if (player_length_ms(player) > 0)
		cast_play_timed(&c, player, from_ms, to_ms);
	else
		cast_play_untimed(&c, player);
	canvas_free(c.before);
	buf_fini(&c.line);
}

/* --- where to --- */

enum form { FORM_TEXT, FORM_SVG, FORM_CAST };

static bool ends_in(const char *path, const char *suffix)
{
	return str_ends(str_from(path), suffix);
}

static bool form_of(const struct options *o, enum form *form, struct error *err)
{
	*form = o->as_svg || (o->to && ends_in(o->to, ".svg")) ? FORM_SVG : o->to && ends_in(o->to, ".cast") ? FORM_CAST : FORM_TEXT;
	if (o->to && *form == FORM_TEXT && !ends_in(o->to, ".txt") && !o->text)
		return error_set(err, "--to takes a file that ends in .cast, .svg or .txt, not %s", o->to);
	return true;
}

static void add_to_file(void *ctx, struct str text) { save_file_add(ctx, text); }
static void add_to_output(void *ctx, struct str text) { output_text(ctx, text); }

static void stage_capture(struct stage *s, enum form form, void (*add)(void *ctx, struct str text), void *ctx)
{
	struct buf out;

	if (form == FORM_CAST) {
		capture_cast(s, add, ctx);
		return;
	}
	buf_init(&out, PICTURE_LIMIT);
	capture_still(s, form == FORM_SVG, &out);
	add(ctx, buf_str(&out));
	buf_fini(&out);
}

static int capture_to_file(struct stage *s, enum form form)
{
	const struct options *o = s->replay->options;
	struct save_file file = { 0 };
	struct error err;

	if (!save_file_open(&file, o->to, o->force, &err))
		return usage_error("%s", err.text);
	stage_capture(s, form, add_to_file, &file);
	if (save_file_close(&file, &err))
		return EXIT_DONE;
	complain("%s", err.text);
	return EXIT_LOCAL;
}

int replay_capture(struct replay *r)
{
	struct stage s = { .replay = r };
	struct output out;
	struct error err;
	enum form form;
	int status = EXIT_DONE;

	if (!form_of(r->options, &form, &err) || !stage_load_theme(&s, &err))
		return usage_error("%s", err.text);
	output_init(&out, STDOUT_FILENO);
	stage_init(&s);
	if (r->options->to)
		status = capture_to_file(&s, form);
	else
		stage_capture(&s, form, add_to_output, &out);
	stage_fini(&s);
	return output_status(&out, status);
}
