#include "app/chat/chat_inside.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/chat/chat_commands.h"
#include "app/chat/on_exit.h"
#include "app/output.h"
#include "app/recording.h"
#include "app/signals.h"
#include "base/array.h"
#include "base/mem.h"
#include "ui/pane/status.h"
#include "ui/term/capability.h"

#define PAINT_INTERVAL_MS 8       /* minimum time between frames */
#define PAINT_INTERVAL_SSH_MS 33
#define PAINT_INTERVAL_FAST_MS 24 /* the same for a stream that is too fast to read */
#define FAST_PACE 400             /* tokens per second from which a stream is too fast to read */
#define FIGURES_MS 250            /* status figures change at most four times a second */

/* Quits as if that signal had come. */
static void chat_end_by(struct chat *c, int signal)
{
	c->quit = true;
	c->ended_by = c->ended_by ? c->ended_by : signal;
}

void chat_close_cards(struct chat *c)
{
	menus_close(&c->menus);
	sheets_close(&c->sheets);
	setup_form_close(&c->setup_form);
	settings_card_close(&c->settings_card);
	tree_card_close(&c->tree_card);
	list_card_close(&c->list_card);
	parameter_form_close(&c->parameter_form);
}

void chat_open_menu(struct chat *c, enum menu_kind kind)
{
	chat_close_cards(c);
	menus_open(&c->menus, kind);
}

/* --- the view --- */

static enum view_state chat_view_state(const struct chat *c)
{
	static const enum view_state states[] = {
		[EXCHANGE_KEY] = VIEW_KEY, [EXCHANGE_CONNECTING] = VIEW_CONNECTING, [EXCHANGE_WAITING] = VIEW_WAITING,
		[EXCHANGE_STREAMING] = VIEW_STREAMING, [EXCHANGE_RETRYING] = VIEW_RETRYING, [EXCHANGE_OVER] = VIEW_READY,
	};
	const struct exchange *x = session_exchange(c->session);

	if (!session_live(c->session))
		return VIEW_READY;
	if (c->replay)
		return player_paused(session_player(c->session)) ? VIEW_PAUSED : VIEW_REPLAYING;
	if (!x)
		return VIEW_READY;
	return states[exchange_state(x)];
}

static bool has_parameters(const struct parameters *own)
{
	bool any = false;

	for (int i = 0; i < PARAMETER_COUNT; i++)
		any |= i != PARAMETER_REASONING && parameter_is_set(own, (enum parameter)i);
	return any;
}

/* What the next request carries besides the conversation. */
static struct view_set set_of(const struct setup *s)
{
	return (struct view_set){
		.role = s->role.role ? s->role.role->name : NULL, .parameters = has_parameters(&s->parameters),
		.system = setup_system(s).len > 0, .schema = setup_has_schema(s),
		.tools = setup_has_tools(s), .tool_count = (unsigned)s->tool_count,
		.reasoning = reasoning_level_name(setup_reasoning(s)),
	};
}

/* The first ones, which go next, and the last one, which Up takes out. */
static void fill_queue(const struct chat *c, struct view *view)
{
	view->queued = session_queued(c->session);
	for (unsigned i = 0; i < VIEW_QUEUED_SHOWN && i < view->queued; i++) {
		struct view_queued *row = &view->queue[i];
		unsigned index = i + 1 < VIEW_QUEUED_SHOWN ? i : view->queued - 1;

		row->number = index + 1;
		row->prompt = session_queued_at(c->session, index, &row->files);
	}
	if (chat_input_is_empty(c))
		view->queued_keys = view->live ? "Up edit" : "Up edit   Esc take back   Enter go on";
	else if (!view->live && c->stack.focus == c->prompt && !chat_is_covered(c) && !session_is_editing(c->session))
		view->queued_keys = "Enter sends the first";
}

void chat_fill_view(const struct chat *c, struct view *view)
{
	const struct exchange *x = session_exchange(c->session);
	const struct target *target = &c->setup.target;
	int64_t now_ms = clock_now_ms();

	*view = (struct view){
		.conversation = session_conversation(c->session),
		.live = session_live(c->session),
		.state = chat_view_state(c),
		.provider = str_from(target->provider->name),
		.model = str_from(target->model),
		.protocol = str_from(target->protocol->name),
		.message = now_ms < c->message_until_ms ? c->message : NULL,
		.unkept = c->replay ? NULL : keeping_unkept(&c->keeping),
		.replay = c->replay != NULL,
		.is_demo = provider_is_demo(target->provider),
		.look = &c->look,
		.hits = transcript_marks(c->transcript),
		.pictures = &c->pictures.found,
		.help_key = c->stack.focus != c->prompt || edit_is_empty(&c->composer.input) ? "?" : host_key(&c->host, "help"),
	};
	unsigned help_columns = (unsigned)utf8_width(str_from(host_key(&c->host, "help")));
	view->help_key_columns = help_columns ? help_columns : 1;
	fill_queue(c, view);
	if (!view->live) {
		view->set = set_of(&c->setup);
		view->context_tokens = c->models.known.terms.context_tokens;
	}
	if (!view->live || (!x && !c->replay))
		return;
	double elapsed = c->replay ? player_position_ms(session_player(c->session), now_ms) : exchange_elapsed_ms(x, now_ms);
	view->findings = x ? exchange_findings(x) : 0;
	view->at_ms = (double)((int64_t)(elapsed / FIGURES_MS) * FIGURES_MS);
	view->exact = c->replay && player_paused(session_player(c->session));
	if (c->replay)
		return;
	struct exchange_retry retry;
	exchange_retry(x, now_ms, &retry);
	view->retry_ms = retry.left_ms;
	view->quiet_ms = exchange_quiet_ms(x, now_ms);
	view->quiet_limit_ms = exchange_quiet_limit_ms(x);
}

/* --- the host of the parts --- */

static void chat_host_say(void *ctx, int64_t ms, const char *sentence)
{
	struct chat *c = ctx;

	snprintf(c->message, sizeof c->message, "%s", sentence);
	c->message_since_ms = clock_now_ms();
	c->message_until_ms = c->message_since_ms + ms;
	c->dirty = true;
}

static void chat_host_redraw(void *ctx)
{
	((struct chat *)ctx)->dirty = true;
}

static void chat_host_view(void *ctx, struct view *view)
{
	chat_fill_view(ctx, view);
}

static struct turn *chat_host_turn(void *ctx)
{
	struct chat *c = ctx;
	struct view view;

	if (sheets_turn(&c->sheets))
		return sheets_turn(&c->sheets);
	if (c->stack.focus != transcript_pane(c->transcript))
		return NULL;
	chat_fill_view(c, &view);
	return transcript_turn(c->transcript, &view);
}

static bool chat_host_run(void *ctx, struct str line)
{
	return chat_run_line(ctx, line);
}

static void chat_host_settings_changed(void *ctx, const char *name);

/* --- what is kept --- */

#define TELL_KEPT_MS 10000
#define TELL_WAITING_MS 3600000 /* as long as it takes */

static void chat_tell_kept(void *ctx, const char *sentence)
{
	struct chat *c = ctx;

	host_say_for(&c->host, TELL_KEPT_MS, sentence);
	c->kept_until_ms = c->message_until_ms;
}

/* What stands in the page is not told above the input, too. */
static void chat_noted(void *ctx)
{
	struct chat *c = ctx;

	if (c->message_until_ms == c->kept_until_ms)
		c->message_until_ms = 0;
	c->dirty = true;
}

/* "recovering ..." is over. */
static void chat_resumed(void *ctx, bool good)
{
	struct chat *c = ctx;

	if (good)
		host_say_for(&c->host, 0, "");
	c->dirty = true;
}

static void chat_entered(void *ctx)
{
	struct chat *c = ctx;

	transcript_forget(c->transcript);
	c->dirty = true;
}

static void chat_toggled(void *ctx)
{
	struct chat *c = ctx;

	prompts_set_keeps(c->composer.prompts, setup_keeps(&c->setup));
	c->dirty = true;
}

static void chat_keep(struct chat *c)
{
	if (c->replay)
		return;
	keeping_init(&c->keeping, &c->setup, c->session, &(struct keeping_ways){
		chat_tell_kept, chat_noted, chat_entered, chat_resumed, chat_toggled, c });
	c->host.keeping = &c->keeping;
	c->host.keeper = c->keeping.keeper;
	c->host.resume = c->keeping.resume;
}

static const struct host_ops host_ops = {
	chat_host_say, chat_host_redraw, chat_host_view, chat_host_turn, chat_host_run, chat_host_settings_changed,
};

/* --- painting --- */

/* Sets the title to the state and the model. It depends on nothing else, so it changes rarely. */
static void chat_name_state(struct chat *c)
{
	char title[SCREEN_TITLE];
	struct view view;

	if (!c->setup.settings.title)
		return;
	chat_fill_view(c, &view);
	snprintf(title, sizeof title, "weir: %s, %.*s", view_state_name(view.state), STR_ARG(view.model.len ? str_head(view.model, 80) : STR("no model")));
	screen_set_title(c->terminal.screen, str_from(title));
}

static void painter_paint(struct chat *c, int64_t now_ms)
{
	struct terminal *t = &c->terminal;

	if (screen_has_unsent(t->screen))
		return;
	terminal_fit(t);
	session_drain(c->session);
	(void)model_list_terms(&c->models);
	chat_draw(c);
	chat_name_state(c);
	term_note_title(t->term, screen_has_title(t->screen)); /* before the frame is written: a crash may come right after */
	if (screen_draws_images(t->screen))
		term_note_images(t->term);
	if (screen_show(t->screen, t->canvas, &c->theme.theme)) {
		c->dirty = t->key_pressed = false;
		c->last_paint_ms = now_ms;
		screen_draw_still(t->screen, t->canvas, now_ms);
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

/* When the status bar's figures, the temporary message or the model list next changes the screen. */
static int64_t figures_deadline(const struct chat *c)
{
	int64_t due = NO_DEADLINE;
	bool moves = session_live(c->session) && !(c->replay && chat_view_state(c) == VIEW_PAUSED);

	if (moves)
		due = c->last_paint_ms + FIGURES_MS;
	if (c->message_until_ms > c->last_paint_ms && c->message_until_ms < due)
		due = c->message_until_ms;
	return due;
}

static int64_t painter_deadline(void *ctx)
{
	struct chat *c = ctx;

	if (c->terminal.lent)
		return session_has_news(c->session) ? c->last_paint_ms : NO_DEADLINE;
	if (screen_has_unsent(c->terminal.screen))
		return NO_DEADLINE; /* poll() reports when the terminal accepts more */
	if (c->dirty || c->terminal.resized || session_has_news(c->session))
		return c->terminal.key_pressed ? c->last_paint_ms : paint_due_ms(c);
	int64_t figures_ms = figures_deadline(c), still_ms = screen_still_due(c->terminal.screen);
	return figures_ms < still_ms ? figures_ms : still_ms;
}

/* Lets transfers rest until the next frame, since nothing can be shown earlier; but not if --tape records the time of each read. */
static void painter_rest(struct chat *c)
{
	if (!c->setup.options->tape)
		http_defer_reading(c->setup.http, paint_due_ms(c));
}

static void painter_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct chat *c = ctx;

	(void)fds, (void)count;
	if (c->quit)
		return;
	if (c->terminal.lent) { /* the answer keeps running */
		session_drain(c->session);
		return;
	}
	int64_t due_ms = painter_deadline(c);
	bool news = session_has_news(c->session), back_to_back = now_ms <= paint_due_ms(c) + 1;
	if (now_ms >= due_ms)
		painter_paint(c, now_ms);
	if (news && back_to_back)
		painter_rest(c);
}

/* --- events --- */

static void terminal_background(void *ctx)
{
	theme_choice_background(&((struct chat *)ctx)->theme);
}

static void terminal_gone(void *ctx, int signal)
{
	chat_end_by(ctx, signal);
}

static void chat_take_signals(void *ctx, struct signals came)
{
	struct chat *c = ctx;

	if (came.terminate)
		chat_end_by(c, came.terminate);
	c->terminal.resized |= came.window || came.resumed;
	for (int i = 0; i < came.interrupt && !c->terminal.lent; i++) /* else Ctrl-C was meant for the program that has the terminal */
		chat_interrupt_from_outside(c);
	if (came.stop && !c->quit)
		chat_suspend(c);
	if (came.resumed && !c->quit)
		terminal_resumed(&c->terminal);
}

static void chat_models_fetched(void *ctx)
{
	struct chat *c = ctx;

	model_list_price_all(&c->models, session_conversation(c->session));
	session_note_change(c->session);
}

static void chat_models_ran(void *ctx)
{
	menus_models_ran(&((struct chat *)ctx)->menus);
}

static void chat_titled(void *ctx, const char *title)
{
	struct chat *c = ctx;

	keeping_title(&c->keeping, title);
	c->dirty = true; /* the sums have changed */
}

/* While another program has the terminal, nothing is written to it. */
static void chat_ring(void *ctx, const char *sentence)
{
	struct chat *c = ctx;
	bool osc = !strcmp(c->setup.settings.notify, "osc");

	if (!c->terminal.lent)
		screen_notify(c->terminal.screen, osc ? capability_notify(process_environment) : NOTIFY_BELL, str_from(sentence));
}

static void chat_say_notice(void *ctx, const char *sentence)
{
	host_say(&((struct chat *)ctx)->host, "%s", sentence);
}

/* The path leads elsewhere now. A summary that is not on it cannot tell what came of it. */
static void chat_compacted(struct chat *c, const struct turn *summary)
{
	transcript_to_end(c->transcript);
	if (!conversation_shows(session_conversation(c->session), summary))
		host_say(&c->host, "%s", summary->notes[summary->note_count - 1].text);
}

static void chat_turn_ended(void *ctx, struct turn *turn)
{
	struct chat *c = ctx;

	c->dirty = true;
	session_note_change(c->session);
	if (!c->replay)
		notice_ended(&c->notice, turn);
	if (!c->replay)
		titling_note(&c->titling, turn);
	if (session_is_summary(turn))
		chat_compacted(c, turn);
	tree_card_update(&c->tree_card);
	model_list_price(&c->models, turn);
	if (turn->outcome == OUTCOME_ERROR && edit_is_empty(&c->composer.input) && !composer_writes_system(&c->composer)) {
		struct str prompt = session_take_refused(c->session);

		if (prompt.len)
			composer_restore_refused(&c->composer, prompt);
	}
	if (turn->model_unknown && !chat_is_covered(c))
		chat_open_menu(c, MENU_MODELS);
}

/* --- start and end --- */

/* The panes from top to bottom. */
static void init_stack(struct chat *c)
{
	c->transcript = transcript_new();
	c->dock = chat_dock_new(c);
	c->prompt = chat_prompt_new(c);
	const struct stack_row rows[] = {
		{ transcript_pane(c->transcript), .takes_focus = true, .share = STACK_REST },
		{ pane_reasoning_new(), .takes_focus = true, .share = 3 },
		{ pane_tools_new(), .takes_focus = true, .share = 3 },
		{ pane_queue_new(), .share = 3 },
		{ c->dock, .share = 2 },
		{ c->prompt, .takes_focus = !c->replay, .share = 1 },
		{ pane_status_new(), .share = 1 },
	};
	stack_init(&c->stack, rows, ARRAY_LEN(rows), c->replay ? transcript_pane(c->transcript) : c->prompt);
}

static void chat_parts_init(struct chat *c)
{
	const struct terminal_events events = { chat_key, chat_host_redraw, terminal_background, terminal_gone, c };

	init_stack(c);
	c->session = session_new(&c->setup, chat_turn_ended, c);
	c->host = (struct host){ .setup = &c->setup, .session = c->session, .stack = &c->stack, .transcript = c->transcript,
	                         .replay = c->replay != NULL, .ops = &host_ops, .ctx = c };
	chat_keep(c);
	c->models = (struct model_list){ .setup = &c->setup, .fetched = chat_models_fetched, .ran = chat_models_ran, .ctx = c };
	terminal_init(&c->terminal, &events);
	theme_choice_init(&c->theme, &c->host, &c->terminal);
	clipboard_init(&c->clipboard, &c->host);
	notice_init(&c->notice, &c->setup.settings, &(struct notice_ways){ chat_ring, chat_say_notice, c });
	titling_init(&c->titling, &c->setup, c->session, &c->models, chat_titled, c);
	pasting_init(&c->pasting);
	drawings_init(&c->pictures, &c->host);
	external_init(&c->external, &c->host, &c->terminal);
	composer_init(&c->composer, &(struct composer_tools){ &c->host, &c->models, &c->external });
	find_bar_init(&c->find_bar, &c->host);
	line_select_init(&c->line_select, &c->host, &c->clipboard);
	player_keys_init(&c->player_keys, &c->host, c->replay);
	bare_init(&c->bare, &c->host);
	menus_init(&c->menus, &c->host, &c->theme, &c->models, &c->composer);
	sheets_init(&c->sheets, &c->host);
	setup_form_init(&c->setup_form, &c->host, &c->models);
	settings_card_init(&c->settings_card, &c->host);
	tree_card_init(&c->tree_card, &c->host);
	library_init(&c->library, &keeping_library, &c->keeping);
	list_card_init(&c->list_card, &c->host, &c->library);
	newest_init(&c->newest, &c->host, &c->library);
	parameter_form_init(&c->parameter_form, &c->host);
	c->paint_interval_ms = getenv("SSH_CONNECTION") ? PAINT_INTERVAL_SSH_MS : PAINT_INTERVAL_MS;
	c->last_interrupt_ms = -10000;
	c->last_paint_ms = -1000000;
	c->dirty = true;
}

static void chat_parts_fini(struct chat *c)
{
	menus_fini(&c->menus);
	sheets_close(&c->sheets);
	setup_form_close(&c->setup_form);
	settings_card_close(&c->settings_card);
	tree_card_close(&c->tree_card);
	list_card_close(&c->list_card);
	newest_fini(&c->newest);
	library_fini(&c->library);
	parameter_form_close(&c->parameter_form);
	model_list_fini(&c->models);
	composer_fini(&c->composer);
	pasting_fini(&c->pasting);
	titling_fini(&c->titling);
	drawings_fini(&c->pictures);
	keeping_fini(&c->keeping);
	session_free(c->session);
	stack_fini(&c->stack);
	find_bar_fini(&c->find_bar);
	player_keys_fini(&c->player_keys);
	bare_fini(&c->bare);
	clipboard_fini(&c->clipboard);
	notice_fini(&c->notice);
	terminal_fini(&c->terminal);
	setup_fini(&c->setup);
}

static bool wants_ascii(const struct settings *settings)
{
	bool has_blocks = capability_blocks(process_environment("TERM"));

	return settings->sparkline == SPARKLINE_AUTO ? !has_blocks : settings->sparkline == SPARKLINE_ASCII;
}

static const enum images images_of[] = { [DRAW_ASK] = IMAGES_ASK, [DRAW_YES] = IMAGES_YES, [DRAW_NO] = IMAGES_NO };

/* Copies the settings for drawing. */
static bool take_look(struct look *look, const struct settings *settings, struct error *err)
{
	*look = (struct look){
		.text_width = (unsigned)settings->text_width,
		.raw = settings->raw,
		.clip_code = settings->code == CODE_CLIP,
		.images = images_of[settings->images],
		.links = settings->links,
		.ascii = wants_ascii(settings),
	};
	return status_choose(&look->status, str_from(settings->status), err) &&
	       reasoning_view_find(str_from(settings->thoughts), &look->reasoning, err);
}

/* What others read from the settings each time needs no word. */
static void chat_host_settings_changed(void *ctx, const char *name)
{
	struct chat *c = ctx;
	const struct settings *settings = &c->setup.settings;
	struct look look;
	struct error err;

	if (take_look(&look, settings, &err)) {
		look.keys = c->look.keys;
		look.code_band = c->look.code_band;
		look.strikes = c->look.strikes;
		c->look = look;
	}
	if (!strcmp(name, "mouse"))
		screen_use_mouse(c->terminal.screen, settings->mouse);
	screen_use_links(c->terminal.screen, settings->links);
	prompts_set_keeps(c->composer.prompts, setup_keeps(&c->setup));
	if (!settings->title)
		screen_set_title(c->terminal.screen, STR("weir"));
	c->dirty = true;
}

static void take_keys(struct view_keys *keys, const struct host *h)
{
	*keys = (struct view_keys){
		.palette = host_key(h, "palette"), .fold = host_key(h, "fold"), .details = host_key(h, "details"), .retry = host_key(h, "retry"),
		.edit = host_key(h, "edit"), .proceed = host_key(h, "continue"), .answer = host_key(h, "answer"),
	};
}

/* Drops choices of earlier runs that no longer exist, such as a removed theme, so that the program starts. */
static void drop_stale_choices(struct chat *c)
{
	struct settings *settings = &c->setup.settings;
	enum reasoning_view view;
	struct error err;

	if (settings_origin(settings, "thoughts").from == SETTING_CHOSEN && !reasoning_view_find(str_from(settings->thoughts), &view, &err))
		settings_reset(settings, "thoughts");
	if (settings_origin(settings, "theme").from == SETTING_CHOSEN && !theme_choice_load(&c->theme, str_from(settings->theme), &err))
		settings_reset(settings, "theme");
}

static bool take_settings(struct chat *c, const struct options *o, struct error *err)
{
	drop_stale_choices(c);
	const struct settings *settings = &c->setup.settings;

	if (!take_look(&c->look, settings, err))
		return false;
	take_keys(&c->look.keys, &c->host);
	return theme_choice_load(&c->theme, str_from(o->theme ? o->theme : settings->theme), err) &&
	       (c->replay || setup_check_tape(&c->setup, err));
}

static bool open_screen(struct chat *c, const struct options *o, struct error *err)
{
	if (!terminal_open(&c->terminal, o->colour, err))
		return false;
	c->host.screen = c->terminal.screen;
	screen_use_mouse(c->terminal.screen, c->setup.settings.mouse);
	screen_use_links(c->terminal.screen, c->look.links);
	c->look.strikes = screen_strikes(c->terminal.screen);
	return true;
}

/* Closes the screen and prints what remains in the terminal. */
static void close_screen(struct chat *c)
{
	bool was_open = c->terminal.screen != NULL;

	external_end(&c->external);
	int colours = terminal_close(&c->terminal);
	if (!was_open || c->ended_by)
		return;
	struct view view;
	chat_fill_view(c, &view);
	on_exit_print(&view, &(struct printout){ .columns = c->terminal.canvas->columns, .theme = &c->theme.theme, .colours = colours },
	              c->setup.settings.leave);
}

static void chat_loop(struct chat *c)
{
	struct signals_listener listener = { chat_take_signals, c };
	struct loop *loop = c->setup.loop;
	const struct loop_member members[] = {
		signals_member(&listener),
		{ &c->terminal, terminal_fds, terminal_deadline, terminal_run },
		session_member(c->session),
		c->replay ? replay_member(c->replay) : (struct loop_member){ 0 },
		c->replay ? (struct loop_member){ 0 } : keeping_member(&c->keeping),
		{ &c->external, external_fds, external_deadline, external_run },
		{ &c->clipboard, clipboard_fds, clipboard_deadline, clipboard_run },
		notice_member(&c->notice),
		pasting_member(&c->pasting), titling_member(&c->titling),
		drawings_member(&c->pictures),
		model_list_member(&c->models),
		provider_setup_member(&c->setup_form.test),
		local_servers_member(&c->menus.servers),
		list_card_member(&c->list_card),
		newest_member(&c->newest),
		{ c, NULL, painter_deadline, painter_run },
	};

	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (members[i].ctx)
			loop_add(loop, &members[i]);
	painter_paint(c, clock_now_ms());
	while (!c->quit)
		loop_turn(loop);
}

/* --template: as if it had been typed. */
static void chat_begin_template(struct chat *c)
{
	struct buf line = { 0 };

	setup_write_template_line(&c->setup, &line);
	chat_run_line(c, buf_str(&line));
	buf_fini(&line);
}

/* What the command line says to begin with. */
static void chat_begin(struct chat *c)
{
	const struct options *o = c->setup.options;
	struct error err;

	bool is_open = !o->conversation || resume_open_named(c->keeping.resume, str_from(o->conversation), &err);

	if (!is_open && resume_waits(c->keeping.resume))
		host_say_for(&c->host, TELL_WAITING_MS, err.text);
	else if (!is_open)
		keeping_say(&c->keeping, err.text);
	if (o->resume)
		chat_run_line(c, STR("resume"));
	if (o->template)
		chat_begin_template(c);
}

static void chat_begin_replay(struct chat *c)
{
	c->replay->tell = chat_tell_kept;
	c->replay->ctx = c;
	replay_start(c->replay, c->session);
}

int chat_main(const struct options *o, struct replay *replay)
{
	struct chat c = { .replay = replay };
	struct error err = { "" };
	int status = EXIT_DONE;

	signals_open();
	signals_keep_stop();
	if (!setup_init_chat(&c.setup, o, &err)) {
		setup_fini(&c.setup);
		return usage_error("%s", err.text);
	}
	chat_parts_init(&c);
	if (!take_settings(&c, o, &err) || !open_screen(&c, o, &err)) {
		status = usage_error("%s", err.text);
	} else {
		if (replay)
			chat_begin_replay(&c);
		else
			chat_begin(&c);
		chat_loop(&c);
	}
	close_screen(&c);
	if (c.ended_by)
		recording_tell_broken(session_live(c.session));
	chat_parts_fini(&c);
	signals_close();
	return c.ended_by ? EXIT_BY_SIGNAL + c.ended_by : status;
}
