#include "app/chat.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/finder.h"
#include "app/leaving.h"
#include "app/taping.h"
#include "base/descriptors.h"
#include "base/mem.h"
#include "store/paths.h"
#include "ui/capability.h"
#include "ui/status.h"
#include "ui/term.h"

#define PAINT_INTERVAL_MS 8       /* a frame at once when the last one is this old */
#define PAINT_INTERVAL_SSH_MS 33
#define PAINT_INTERVAL_FAST_MS 24 /* for a stream that nobody can read any more: as smooth as a film */
#define FAST_PACE 400             /* tokens a second */
#define FIGURES_MS 250            /* status figures change at most four times a second */
#define MESSAGE_MS 3000
#define READ_SIZE 65536
#define SCREEN_DESCRIPTORS 15     /* of the screen, its first request and one after it */
#define PASTE_BYTES 64            /* a read that is no key any more: its frames keep their interval */

static const struct pane_ops *const pane_table[CHAT_PANES] = {
	[CHAT_TRANSCRIPT] = &pane_transcript, [CHAT_REASONING] = &pane_reasoning, [CHAT_TOOLS] = &pane_tools, [CHAT_STATUS] = &pane_status,
};

void chat_touch(struct chat *c)
{
	c->dirty = true;
}

void chat_say(struct chat *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(c->message, sizeof c->message, format, args);
	va_end(args);
	c->message_until_ms = clock_now_ms() + MESSAGE_MS;
	c->dirty = true;
}

void chat_say_for(struct chat *c, int64_t ms, const char *sentence)
{
	chat_say(c, "%s", sentence);
	c->message_until_ms = clock_now_ms() + ms;
}

void chat_try_answer(struct chat *c, bool done, const struct error *err)
{
	if (!done)
		chat_say(c, "%s", err->text);
}

static void say_sentence(void *ctx, const char *sentence)
{
	chat_say(ctx, "%s", sentence);
}

struct actor chat_actor(struct chat *c)
{
	return (struct actor){ .setup = &c->setup, .session = c->session, .replay = c->tape != NULL, .say = say_sentence, .ctx = c };
}

static bool take_theme(struct chat *c, struct str name, struct error *err)
{
	struct error warn = { "" };
	struct theme theme;
	char *folder = path_of(PATH_CONFIG, "themes");
	bool by_background = str_is(name, THEME_BY_BACKGROUND);
	bool good = theme_load(&theme, by_background ? str_from(chat_theme_for_background(c)) : name, folder, &warn, err);

	mem_free(folder);
	if (!good)
		return false;
	c->theme = theme;
	c->theme_by_background = by_background;
	if (*warn.text)
		chat_say(c, "%s", warn.text);
	return true;
}

const char *chat_theme_at(size_t index)
{
	return index == 1 ? THEME_BY_BACKGROUND : theme_name_at(index ? index - 1 : 0);
}

void chat_use_theme(struct chat *c, struct str name)
{
	struct error err = { "" };

	if (!take_theme(c, name, &err))
		chat_say(c, "%s", err.text);
	c->dirty = true;
}

void chat_begin_trial(struct chat *c)
{
	c->trial = (struct theme_trial){ c->theme, c->theme_by_background };
}

/* What the terminal's background is may have become known since. */
void chat_end_trial(struct chat *c)
{
	c->theme = c->trial.before;
	c->theme_by_background = c->trial.by_background;
	if (c->theme_by_background)
		chat_use_theme(c, STR(THEME_BY_BACKGROUND));
	c->dirty = true;
}

/* --- the view --- */

static enum view_state state_of(const struct chat *c)
{
	static const enum view_state states[] = {
		[EXCHANGE_KEY] = VIEW_KEY, [EXCHANGE_CONNECTING] = VIEW_CONNECTING, [EXCHANGE_WAITING] = VIEW_WAITING,
		[EXCHANGE_STREAMING] = VIEW_STREAMING, [EXCHANGE_RETRYING] = VIEW_RETRYING, [EXCHANGE_OVER] = VIEW_READY,
	};
	const struct exchange *x = session_exchange(c->session);

	if (!x || !session_live(c->session))
		return VIEW_READY;
	if (c->tape)
		return tape_player_paused(exchange_player(x)) ? VIEW_PAUSED : VIEW_REPLAYING;
	return states[exchange_state(x)];
}

void chat_fill_view(const struct chat *c, struct view *view)
{
	const struct exchange *x = session_exchange(c->session);
	const struct target *target = &c->setup.target;
	int64_t now_ms = clock_now_ms();

	*view = (struct view){
		.conversation = session_conversation(c->session),
		.live = session_live(c->session),
		.state = state_of(c),
		.provider = str_from(target->provider->name),
		.model = str_from(target->model),
		.protocol = str_from(target->protocol->name),
		.message = now_ms < c->message_until_ms ? c->message : NULL,
		.replay = c->tape != NULL,
		.is_demo = provider_is_demo(target->provider),
		.text_width = (unsigned)c->setup.settings.text_width,
		.reasoning = c->reasoning_view,
		.hits = transcript_marks(c->panes[CHAT_TRANSCRIPT]),
		.status = c->status,
		.ascii = c->ascii,
		.queued = session_queued(c->session),
	};
	if (!view->live || !x)
		return;
	double elapsed = exchange_player(x) ? tape_player_position_ms(exchange_player(x), now_ms) : exchange_elapsed_ms(x, now_ms);
	view->at_ms = (double)((int64_t)(elapsed / FIGURES_MS) * FIGURES_MS);
	if (c->tape)
		return;
	struct exchange_retry retry;
	exchange_retry(x, now_ms, &retry);
	view->retry_ms = retry.left_ms;
	view->quiet_ms = exchange_quiet_ms(x, now_ms);
	view->quiet_limit_ms = exchange_quiet_limit_ms(x);
}

/* --- painting --- */

static void paint(struct chat *c, int64_t now_ms)
{
	if (screen_has_unsent(c->screen))
		return;
	if (c->resized) {
		unsigned rows, columns;

		c->resized = false;
		term_size(c->term, &rows, &columns);
		canvas_resize(c->canvas, rows, columns);
		screen_resize(c->screen, rows, columns);
	}
	session_drain(c->session);
	chat_draw(c);
	if (screen_show(c->screen, c->canvas, &c->theme)) {
		c->dirty = c->at_once = false;
		c->last_paint_ms = now_ms;
	}
}

static int64_t paint_due_ms(const struct chat *c)
{
	const struct turn *live = session_live(c->session);
	int64_t interval_ms = c->paint_interval_ms;

	if (live && meter_pace(&live->meter) > FAST_PACE && interval_ms < PAINT_INTERVAL_FAST_MS)
		interval_ms = PAINT_INTERVAL_FAST_MS;
	return c->last_paint_ms + interval_ms;
}

/* When the clock of the status bar, a passing word or the list of models next changes what is seen. */
static int64_t figures_deadline(const struct chat *c)
{
	int64_t due = NO_DEADLINE;
	bool moves = session_live(c->session) && !(c->tape && state_of(c) == VIEW_PAUSED);

	if (moves)
		due = c->last_paint_ms + FIGURES_MS;
	if (c->message_until_ms > c->last_paint_ms && c->message_until_ms < due)
		due = c->message_until_ms;
	return due;
}

static int64_t painter_deadline(void *ctx)
{
	struct chat *c = ctx;

	if (c->lending.program)
		return session_has_news(c->session) ? c->last_paint_ms : NO_DEADLINE;
	if (c->screen && screen_has_unsent(c->screen))
		return NO_DEADLINE; /* the tty says when it can take more */
	if (c->dirty || c->resized || session_has_news(c->session))
		return c->at_once ? c->last_paint_ms : paint_due_ms(c);
	return figures_deadline(c);
}

/* News come faster than frames: nothing of them can be shown before the next one. A tape wants to know when each read came. */
static void rest(struct chat *c)
{
	if (!c->setup.options->tape)
		http_rest(c->setup.http, paint_due_ms(c));
}

static void painter_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct chat *c = ctx;

	(void)fds, (void)count;
	if (!c->screen || c->quit)
		return;
	if (c->lending.program) { /* the terminal is not ours, the answer goes on */
		session_drain(c->session);
		return;
	}
	int64_t due_ms = painter_deadline(c);
	bool news = session_has_news(c->session), back_to_back = now_ms <= paint_due_ms(c) + 1;
	if (now_ms >= due_ms)
		paint(c, now_ms);
	if (news && back_to_back)
		rest(c);
}

/* --- terminal and signals --- */

static size_t tty_fds(void *ctx, struct pollfd *fds, size_t room)
{
	struct chat *c = ctx;

	if (!room || c->lending.program)
		return 0;
	fds[0] = (struct pollfd){ .fd = term_fd(c->term), .events = POLLIN };
	if (c->screen && screen_has_unsent(c->screen))
		fds[0].events |= POLLOUT;
	return 1;
}

static int64_t tty_deadline(void *ctx)
{
	struct chat *c = ctx;

	return key_decoder_deadline(c->keys);
}

static void tty_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct chat *c = ctx;
	char bytes[READ_SIZE];

	if (c->quit)
		return;
	if (count && fds[0].revents & POLLOUT)
		screen_send(c->screen);
	if (count && fds[0].revents & (POLLIN | POLLHUP | POLLERR)) {
		ssize_t n = read(term_fd(c->term), bytes, sizeof bytes);

		c->at_once |= n > 0 && n < PASTE_BYTES;
		if (n > 0)
			chat_feed_keys(c, str_of(bytes, (size_t)n), now_ms);
		else if (fds[0].revents & (POLLHUP | POLLERR))
			chat_end_by(c, SIGHUP); /* the terminal is gone */
	}
	key_decoder_tick(c->keys, now_ms, chat_key, c);
}

/* --- models in the background --- */

static void models_ran(void *ctx)
{
	struct chat *c = ctx;

	if (c->menu_kind == MENU_MODELS && c->models_shown != models_state(c->models.models))
		chat_fill_models(c);
}

/* --- life --- */

static void turn_ended(void *ctx, struct turn *turn)
{
	struct chat *c = ctx;

	c->dirty = true;
	if (turn->outcome == OUTCOME_ERROR && edit_is_empty(&c->input)) {
		struct str prompt = session_take_refused(c->session);

		if (prompt.len)
			composer_give_back(c, prompt);
	}
	if (turn->model_unknown && !c->menu && !c->sheet)
		chat_open_menu(c, MENU_MODELS);
}

static bool open_screen(struct chat *c, const struct options *o, struct error *err)
{
	unsigned rows, columns;

	if (!isatty(STDOUT_FILENO)) /* what is redirected wants text, not a screen */
		return error_set(err, "standard output is no terminal to draw on; `weir --plain` and `weir ask` write text");
	if (!descriptors_ensure(SCREEN_DESCRIPTORS, err) || !term_open(&c->term, err))
		return false;
	term_size(c->term, &rows, &columns);
	term_guard_crashes(c->term);
	while (!term_raw(c->term) && !signals_want_end())
		continue;
	if (!screen_open(&c->screen, term_fd(c->term), rows, columns, o->colour, err)) {
		term_restore(c->term);
		return false;
	}
	c->mouse = c->setup.settings.mouse;
	screen_use_mouse(c->screen, c->mouse);
	c->canvas = canvas_new(rows, columns);
	c->opened_ms = clock_now_ms();
	screen_use_links(c->screen, c->setup.settings.links);
	return true;
}

static void close_screen(struct chat *c)
{
	bool was_open = c->screen != NULL;

	signal(SIGTTOU, SIG_IGN); /* a shell that has the terminal does not keep it from ending */
	lending_end(c);
	if (was_open) {
		chat_await_answers(c);
		c->colours = screen_colours(c->screen);
	}
	screen_close(c->screen);
	if (c->term)
		term_restore(c->term);
	term_close(c->term);
	if (was_open)
		leaving_print(c);
	canvas_free(c->canvas);
}

static void init(struct chat *c)
{
	for (int i = 0; i < CHAT_PANES; i++)
		c->panes[i] = pane_table[i]->new();
	c->keys = key_decoder_new();
	edit_init(&c->input, false);
	c->composer = composer_new(c);
	finder_init(&c->finder);
	clipboard_init(&c->clipboard);
	c->paint_interval_ms = getenv("SSH_CONNECTION") ? PAINT_INTERVAL_SSH_MS : PAINT_INTERVAL_MS;
	c->models = (struct model_list){ .ran = models_ran, .ctx = c };
	c->last_interrupt_ms = -10000;
	c->last_paint_ms = -1000000;
	c->session = session_new(&c->setup, turn_ended, c);
	c->dirty = true;
}

static void fini(struct chat *c)
{
	chat_close_menu(c);
	chat_close_sheet(c);
	model_list_fini(&c->models);
	composer_free(c->composer, c);
	session_free(c->session);
	for (int i = 0; i < CHAT_PANES; i++)
		if (c->panes[i])
			pane_table[i]->free(c->panes[i]);
	key_decoder_free(c->keys);
	finder_fini(&c->finder);
	if (c->bare)
		pane_transcript.free(c->bare);
	lending_fini(&c->lending);
	clipboard_fini(&c->clipboard);
	edit_fini(&c->input);
	setup_fini(&c->setup);
}

static void run(struct chat *c)
{
	struct signals_listener listener = { chat_take_signals, c };
	struct loop *loop = c->setup.loop;
	struct loop_member signals = signals_member(&listener), session = session_member(c->session), models = model_list_member(&c->models);

	loop_add(loop, &signals);
	loop_add(loop, &(struct loop_member){ c, tty_fds, tty_deadline, tty_run });
	loop_add(loop, &session);
	loop_add(loop, &(struct loop_member){ c, lending_fds, lending_deadline, lending_run });
	loop_add(loop, &(struct loop_member){ c, clipboard_fds, clipboard_deadline, clipboard_run });
	loop_add(loop, &models);
	loop_add(loop, &(struct loop_member){ c, NULL, painter_deadline, painter_run });
	paint(c, clock_now_ms());
	while (!c->quit)
		loop_turn(loop);
}

static bool wants_ascii(const struct settings *settings)
{
	bool has_blocks = capability_blocks(process_environment("TERM"));

	return settings->sparkline == SPARKLINE_AUTO ? !has_blocks : settings->sparkline == SPARKLINE_ASCII;
}

int chat_main(const struct options *o, const struct tape *tape, const struct stream_options *stream, const char *tape_name)
{
	struct chat c = { .tape = tape, .tape_name = tape_name };
	struct error err = { "" };
	int status = EXIT_DONE;

	signals_open();
	signals_keep_stop();
	if (!setup_init(&c.setup, o, &err)) {
		setup_fini(&c.setup);
		return usage_error("%s", err.text);
	}
	init(&c);
	struct str theme = str_from(o->theme ? o->theme : c.setup.settings.theme);
	bool knows_views = status_choose(&c.status, str_from(c.setup.settings.status), &err) &&
	                   reasoning_view_find(str_from(c.setup.settings.thoughts), &c.reasoning_view, &err);
	c.ascii = wants_ascii(&c.setup.settings);
	c.clips = c.setup.settings.code == CODE_CLIP;
	transcript_set_clip(c.panes[CHAT_TRANSCRIPT], c.clips);
	bool may_record = tape || setup_check_tape(&c.setup, &err);
	if (!knows_views || !may_record || !take_theme(&c, theme, &err) || !open_screen(&c, o, &err)) {
		status = usage_error("%s", err.text);
	} else {
		c.focus = tape ? FOCUS_TRANSCRIPT : FOCUS_INPUT;
		if (tape)
			session_replay(c.session, tape, stream, o->speed);
		run(&c);
	}
	close_screen(&c);
	if (c.ended_by)
		taping_tell_broken(session_live(c.session));
	fini(&c);
	signals_close();
	return c.ended_by ? EXIT_BY_SIGNAL + c.ended_by : status;
}
