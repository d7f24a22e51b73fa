/* When the screen is painted. */
#include "app/compare/compare.h"
#include "app/options/options.h"
#include "app/session/session_runs.h"
#include "app/screen/chat_inside.h"
#include "app/setup/setup.h"
#include "chat/conversation/turn.h"

#include <stdio.h>
#include <stdlib.h>

#define PAINT_INTERVAL_MS 8       /* minimum time between frames */
#define PAINT_INTERVAL_COLUMNS_MS 4 /* the same while several answers arrive, one shortly after another */
#define PAINT_INTERVAL_SSH_MS 33
#define PAINT_INTERVAL_FAST_MS 24 /* the same for a stream that is too fast to read; but not for a table, where only the newest cells change */
#define FAST_PACE 400             /* tokens per second from which a stream is too fast to read */

void chat_painter_init(struct chat *c)
{
	c->paint_interval_ms = getenv("SSH_CONNECTION") ? PAINT_INTERVAL_SSH_MS : PAINT_INTERVAL_MS;
	c->last_paint_ms = -1000000;
}

/* Sets the title to the state and the model. It depends on nothing else, so it changes rarely. */
static void painter_name_state(struct chat *c, const struct view *view)
{
	char title[SCREEN_TITLE];

	if (!c->setup->settings.title)
		return;
	snprintf(title, sizeof title, "weir: %s, %.*s", view_state_name(view->state),
	         STR_ARG(view->model.len ? str_head(view->model, 80) : STR("no model")));
	screen_set_title(c->terminal.screen, str_from(title));
}

/* What has arrived since the last frame. */
static bool painter_has_news(const struct chat *c)
{
	return session_has_news(c->session) || compare_has_news(&c->compare) || chat_has_asks(c);
}

static void painter_drain(struct chat *c)
{
	if (session_drain(c->session))
		chat_ask_to_go_on(c);
	chat_follow_asks(c);
	compare_drain(&c->compare);
}

void chat_paint(struct chat *c, int64_t now_ms)
{
	struct terminal *t = &c->terminal;
	struct view view;

	if (screen_has_unsent(t->screen))
		return;
	terminal_fit(t);
	painter_drain(c);
	(void)model_list_terms(&c->models);
	chat_read_budget(c, now_ms);
	chat_fill_view(c, &view);
	chat_draw(c, &view);
	painter_name_state(c, &view);
	term_note_title(t->term, screen_has_title(t->screen)); /* before the frame is written: a crash may come right after */
	if (screen_draws_images(t->screen))
		term_note_images(t->term);
	if (screen_show(t->screen, t->canvas, &c->theme.theme)) {
		c->dirty = t->key_pressed = false;
		c->last_paint_ms = now_ms;
		screen_draw_still(t->screen, t->canvas, now_ms);
	}
}

static int64_t painter_due_ms(const struct chat *c)
{
	const struct turn *live = session_live(c->session);
	int64_t interval_ms = c->paint_interval_ms;

	if (live && meter_pace(&live->meter) > FAST_PACE && interval_ms < PAINT_INTERVAL_FAST_MS && !transcript_grows_table(c->transcript))
		interval_ms = PAINT_INTERVAL_FAST_MS;
	if (compare_view_is_open(&c->compare_view) && interval_ms == PAINT_INTERVAL_MS)
		interval_ms = PAINT_INTERVAL_COLUMNS_MS;
	return c->last_paint_ms + interval_ms;
}

/* When the status bar's figures, the temporary message, the budget or the model list next changes the screen. */
static int64_t painter_figures_deadline(const struct chat *c)
{
	int64_t due = NO_DEADLINE;
	bool moves = session_runs_tools(c->session) || (session_live(c->session) && !(c->replay && player_paused(session_player(c->session))));

	if (moves)
		due = c->last_paint_ms + CHAT_FIGURES_MS;
	if (c->message_until_ms > c->last_paint_ms && c->message_until_ms < due)
		due = c->message_until_ms;
	if (c->budget_due_ms < due)
		due = c->budget_due_ms;
	int64_t columns_ms = compare_view_deadline(&c->compare_view);
	return columns_ms < due ? columns_ms : due;
}

static int64_t painter_deadline(void *ctx)
{
	struct chat *c = ctx;

	if (c->terminal.lent)
		return painter_has_news(c) ? c->last_paint_ms : NO_DEADLINE;
	if (screen_has_unsent(c->terminal.screen))
		return NO_DEADLINE; /* poll() reports when the terminal accepts more */
	if (c->dirty || c->terminal.resized || painter_has_news(c))
		return c->terminal.key_pressed ? c->last_paint_ms : painter_due_ms(c);
	int64_t figures_ms = painter_figures_deadline(c), still_ms = screen_still_due(c->terminal.screen);
	return figures_ms < still_ms ? figures_ms : still_ms;
}

static void painter_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct chat *c = ctx;

	(void)fds, (void)count;
	if (c->quit)
		return;
	if (c->terminal.lent) { /* the answer keeps running */
		painter_drain(c);
		return;
	}
	composer_follow_servers(&c->composer);
	composer_heed_place(&c->composer);
	int64_t due_ms = painter_deadline(c);
	bool news = painter_has_news(c), back_to_back = now_ms <= painter_due_ms(c) + 1;
	if (now_ms >= due_ms)
		chat_paint(c, now_ms);
	/* Transfers rest until the next frame, since nothing can be shown earlier; but not if --tape records the time of each read. */
	if (news && back_to_back && !c->setup->options->tape)
		http_defer_reading(c->setup->http, painter_due_ms(c));
}

struct loop_member chat_painter(struct chat *c)
{
	return (struct loop_member){ .ctx = c, .deadline = painter_deadline, .run = painter_run };
}
