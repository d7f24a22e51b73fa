#include "app/compare/compare.h"
#include "app/options/options.h"
#include "app/screen/chat_inside.h"

#include <signal.h>
#include <string.h>

#include "app/keep/budget.h"
#include "app/request/tape_choice.h"
#include "app/screen/chat_commands.h"
#include "app/screen/on_exit.h"
#include "app/screen/services/branches.h"
#include "app/session/session_prompts.h"
#include "app/session/session_runs.h"
#include "app/session/session_tree.h"
#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "base/array.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/summary.h"
#include "ui/term/capability.h"

#define TELL_WAITING_MS 3600000 /* as long as it takes */
#define TELL_START_MS 10000

/* --- events --- */

/* Quits as if that signal had come. */
static void chat_end_by(struct chat *c, int signal)
{
	c->quit = true;
	c->ended_by = c->ended_by ? c->ended_by : signal;
}

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
	struct cards *cards = &((struct chat *)ctx)->cards;

	menus_models_ran(&cards->menus);
	settings_card_models_ran(&cards->settings_card);
}

static void chat_provider_tested(void *ctx)
{
	form_card_ended(&((struct chat *)ctx)->cards.form_card);
}

static void chat_titled(void *ctx, const char *title)
{
	struct chat *c = ctx;

	keep_title(c->host.keep, title);
	c->dirty = true; /* the sums have changed */
}

/* While another program has the terminal, nothing is written to it. */
static void chat_ring(void *ctx, const char *sentence)
{
	struct chat *c = ctx;
	bool osc = !strcmp(c->setup->settings.notify, "osc");

	if (!c->terminal.lent)
		screen_notify(c->terminal.screen, osc ? capability_notify(process_environment) : NOTIFY_BELL, str_from(sentence));
}

static void chat_say_notice(void *ctx, const char *sentence)
{
	host_fail(&((struct chat *)ctx)->host, "%s", sentence);
}

/* The path leads elsewhere now. A summary that is not on it cannot tell what came of it. */
static void chat_compacted(struct chat *c, const struct turn *summary)
{
	transcript_to_end(c->transcript);
	if (!conversation_shows(session_conversation(c->session), summary))
		host_say(&c->host, "%s", summary->notes[summary->note_count - 1].text);
}

/* The card of a call that asks comes by itself, but not over something that the user does. */
static bool chat_is_free(const struct chat *c)
{
	return !cards_are_open(&c->cards) && !c->terminal.lent &&
	       (compare_view_is_open(&c->compare_view) ? compare_view_shows_columns(&c->compare_view) : chat_input_is_empty(c) && !c->find_bar.open);
}

static void chat_ask_for_calls(struct chat *c)
{
	if (c->replay || !(session_asking(c->session) || session_holds_rounds(c->session)))
		return;
	if (chat_is_free(c))
		(void)approval_card_open(&c->cards.approval_card);
	else if (!approval_card_kind.mode.is_open(&c->cards.approval_card)) /* its next question is this one */
		host_say(&c->host, "a call waits for your word: %s shows it", host_key(&c->host, "answer"));
}

static void chat_compare_began(void *ctx)
{
	struct chat *c = ctx;

	cards_close(&c->cards);
	compare_view_open(&c->compare_view);
}

static void chat_compared_answer_asks(void *ctx, struct compared_answer *a)
{
	(void)a;
	chat_ask_for_calls(ctx);
}

/* One of several that run at once. */
static void chat_compared_answer_ended(void *ctx, struct compared_answer *l)
{
	struct chat *c = ctx;

	c->dirty = true;
	if (compare_runs(&c->compare))
		return;
	notice_ended(&c->notice, l->awaited.turn);
	titling_note(&c->titling, c->compare.answers[0].awaited.turn);
	compare_view_ended(&c->compare_view);
}

#define BUDGET_MS 1000 /* by then the history is open, and has what was said */

static void chat_await_budget(struct chat *c)
{
	c->budget_due_ms = c->replay || settings_budget_usd(&c->setup->settings) <= 0 ? NO_DEADLINE : clock_now_ms() + BUDGET_MS;
}

void chat_ask_to_go_on(struct chat *c)
{
	bool holds = session_holds_rounds(c->session);

	if (holds && !c->held)
		chat_ask_for_calls(c);
	c->held = holds;
}

bool chat_has_asks(const struct chat *c)
{
	return elicit_form_has_news(&c->elicit, chat_is_free(c)) || elicit_form_is_stale(&c->elicit);
}

void chat_follow_asks(struct chat *c)
{
	struct buf words = { 0 };

	if (elicit_form_is_stale(&c->elicit)) {
		host_say(&c->host, "%s does not wait for your answer any more", c->elicit.server);
		cards_close(&c->cards);
		elicit_form_drop(&c->elicit);
	}
	if (!elicit_form_has_news(&c->elicit, chat_is_free(c)))
		return;
	if (chat_is_free(c) && elicit_form_take(&c->elicit)) {
		form_card_open(&c->cards.form_card, &elicit_table, &c->elicit);
		return;
	}
	elicit_form_tell(&c->elicit, &words);
	host_say(&c->host, "%s: %s shows it", buf_z(&words), host_key(&c->host, "answer"));
	buf_fini(&words);
}

static bool chat_open_page(void *ctx, const char *url, struct error *err)
{
	struct chat *c = ctx;
	struct actor actor = host_actor(&c->host);

	return opening_page(&c->opening, &actor, url, err);
}

static void chat_turn_ended(void *ctx, struct turn *turn)
{
	struct chat *c = ctx;

	c->dirty = true;
	session_note_change(c->session);
	model_list_price(&c->models, turn);
	if (!c->replay)
		budget_tell_missed(c->host.keep, turn);
	if (!c->replay)
		notice_ended(&c->notice, turn);
	if (!c->replay)
		titling_note(&c->titling, turn);
	if (turn_is_summary(turn))
		chat_compacted(c, turn);
	tree_card_update(&c->cards.tree_card);
	chat_await_budget(c);
	branches_tell_left(&c->host);
	if (turn->outcome == OUTCOME_ERROR)
		composer_restore_refused(&c->composer);
	chat_ask_for_calls(c);
	if (turn->model_unknown && !cards_are_open(&c->cards))
		menus_open(&c->cards.menus, MENU_MODELS);
}

/* --- start and end --- */

/* The panes from top to bottom. */
static void init_stack(struct chat *c)
{
	c->transcript = transcript_new();
	c->inspector = inspector_new();
	c->dock = chat_dock_new(c);
	c->status = pane_status_new();
	c->prompt = chat_prompt_new(c);
	const struct stack_row rows[] = {
		{ transcript_pane(c->transcript), .takes_focus = true, .share = STACK_REST },
		{ inspector_pane(c->inspector), .takes_focus = true, .share = 1, .beside = 150 },
		{ pane_reasoning_new(), .takes_focus = true, .share = 3, .margin = 150 },
		{ pane_tools_new(), .takes_focus = true, .share = 3, .margin = 150 },
		{ pane_runs_new(), .share = 3, .margin = 150 },
		{ pane_queue_new(), .share = 3, .margin = 150 },
		{ c->dock, .share = 2 },
		{ c->prompt, .takes_focus = !c->replay, .share = 1 },
		{ c->status, .share = 1 },
	};
	stack_init(&c->stack, rows, ARRAY_LEN(rows), c->replay ? transcript_pane(c->transcript) : c->prompt);
}

static void chat_parts_init(struct chat *c)
{
	const struct terminal_events events = {
		.key = chat_key, .redraw = chat_host_redraw, .background = terminal_background, .gone = terminal_gone, .ctx = c,
	};

	init_stack(c);
	c->session = session_new(c->setup, chat_turn_ended, c);
	chat_host_init(c);
	settings_watch_open(&c->watch, c->setup, chat_takes_settings_file, c);
	chat_keep(c);
	c->models = (struct model_list){ .setup = c->setup, .fetched = chat_models_fetched, .ran = chat_models_ran, .ctx = c };
	chat_await_budget(c);
	provider_form_init(&c->provider_form, c->setup, &c->models, chat_provider_tested, c);
	section_form_init(&c->section_form, c->setup);
	terminal_init(&c->terminal, &events);
	theme_choice_init(&c->theme, &c->host, &c->terminal);
	clipboard_init(&c->clipboard, &c->host);
	notice_init(&c->notice, &c->setup->settings, &(struct notice_ways){ .ring = chat_ring, .say = chat_say_notice, .ctx = c });
	titling_init(&c->titling, c->setup, c->session, &c->models, chat_titled, c);
	pasting_init(&c->pasting);
	opening_init(&c->opening);
	c->elicit = (struct elicit_form){ .setup = c->setup, .open = chat_open_page, .ctx = c };
	mcp_hub_take_asks(c->setup->servers, !c->replay);
	collecting_init(&c->collecting);
	page_images_init(&c->pictures, &c->host);
	external_init(&c->external, &c->host, &c->terminal);
	composer_init(&c->composer, &(struct composer_tools){ &c->host, &c->models, &c->external });
	find_bar_init(&c->find_bar, &c->host);
	line_select_init(&c->line_select, &c->host, &c->clipboard);
	player_keys_init(&c->player_keys, &c->host, c->replay);
	inspect_init(&c->inspect, &c->host, &c->clipboard, c->inspector);
	request_editor_init(&c->request_editor, &c->host, &c->external);
	cards_init(&c->cards, &(struct card_tools){
		.host = &c->host, .cards = &c->cards, .themes = &c->theme, .models = &c->models, .composer = &c->composer });
	latest_conversation_init(&c->newest, &c->host);
	compare_init(&c->compare, c->setup, c->session, &c->models,
	             &(struct compare_ways){ .began = chat_compare_began, .asks = chat_compared_answer_asks, .ended = chat_compared_answer_ended,
	                                     .ctx = c });
	compare_view_init(&c->compare_view, &c->host, &c->compare);
	chat_painter_init(c);
	c->last_interrupt_ms = -10000;
	c->dirty = true;
}

static void chat_parts_fini(struct chat *c)
{
	settings_watch_close(&c->watch);
	compare_view_fini(&c->compare_view);
	cards_fini(&c->cards);
	section_form_drop(&c->section_form);
	request_editor_fini(&c->request_editor);
	latest_conversation_fini(&c->newest);
	model_list_fini(&c->models);
	composer_fini(&c->composer);
	pasting_fini(&c->pasting);
	opening_fini(&c->opening);
	elicit_form_drop(&c->elicit);
	collecting_fini(&c->collecting);
	titling_fini(&c->titling);
	page_images_fini(&c->pictures);
	keep_free(c->host.keep);
	compare_fini(&c->compare);
	session_free(c->session);
	stack_fini(&c->stack);
	find_bar_fini(&c->find_bar);
	player_keys_fini(&c->player_keys);
	inspect_fini(&c->inspect);
	clipboard_fini(&c->clipboard);
	notice_fini(&c->notice);
	terminal_fini(&c->terminal);
	setup_fini(c->setup);
}

static bool open_screen(struct chat *c, const struct options *o, struct error *err)
{
	if (!terminal_open(&c->terminal, o->colour, err))
		return false;
	c->host.screen = c->terminal.screen;
	screen_use_mouse(c->terminal.screen, c->setup->settings.mouse);
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
	              c->setup->settings.leave);
}

static void chat_loop(struct chat *c)
{
	struct signals_listener listener = { .take = chat_take_signals, .ctx = c };
	struct loop *loop = c->setup->loop;
	const struct loop_member members[] = {
		signals_member(&listener),
		{ .ctx = &c->terminal, .fds = terminal_fds, .deadline = terminal_deadline, .run = terminal_run },
		session_member(c->session),
		compare_member(&c->compare),
		c->replay ? replay_member(c->replay) : (struct loop_member){ 0 }, /* before what looks at the tape that is played */
		inspect_member(&c->inspect),
		c->replay ? (struct loop_member){ 0 } : keep_member(c->host.keep),
		{ .ctx = &c->external, .fds = external_fds, .deadline = external_deadline, .run = external_run },
		{ .ctx = &c->clipboard, .fds = clipboard_fds, .deadline = clipboard_deadline, .run = clipboard_run },
		notice_member(&c->notice),
		pasting_member(&c->pasting), opening_member(&c->opening), collecting_member(&c->collecting), titling_member(&c->titling),
		page_images_member(&c->pictures),
		model_list_member(&c->models), provider_setup_member(&c->provider_form.test),
		latest_conversation_member(&c->newest), settings_watch_member(&c->watch),
	};
	struct loop_member painter = chat_painter(c);

	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (members[i].ctx)
			loop_add(loop, &members[i]);
	cards_add_members(&c->cards, loop);
	loop_add(loop, &painter);
	chat_paint(c, clock_now_ms());
	while (!c->quit)
		loop_turn(loop);
}

/* --template: as if it had been typed. */
static void chat_begin_template(struct chat *c)
{
	struct buf line = { 0 };

	setup_write_template_line(c->setup, &line);
	chat_run_line(c, buf_str(&line));
	buf_fini(&line);
}

/* Another tape is played. */
static void chat_walked(void *ctx, bool gone)
{
	struct chat *c = ctx;

	if (gone)
		transcript_forget(c->transcript);
	timeline_fini(&c->player_keys.timeline);
	c->dirty = true;
}

/* What the command line says to begin with. */
static void chat_begin(struct chat *c)
{
	const struct options *o = c->setup->options;
	struct error err;

	bool is_open = !o->conversation || keep_open_named(c->host.keep, str_from(o->conversation), &err);

	if (!is_open && keep_is_waiting(c->host.keep))
		host_say_for(&c->host, TELL_WAITING_MS, err.text);
	else if (!is_open)
		keep_say(c->host.keep, err.text);
	if (o->compare)
		host_say_for(&c->host, TELL_START_MS, "each prompt goes to all of them; /compare off ends that");
	if (o->resume)
		chat_run_line(c, STR("resume"));
	if (o->template)
		chat_begin_template(c);
}

int chat_main(const struct options *o, struct replay *replay)
{
	struct setup setup;
	struct chat c = { .setup = &setup, .replay = replay };
	struct error err = { "" };
	int status = EXIT_DONE;

	signals_open();
	signals_keep_stop();
	if (!setup_init_chat(&setup, o, &err)) {
		setup_fini(&setup);
		return usage_error("%s", err.text);
	}
	chat_parts_init(&c);
	if (!chat_take_settings(&c, o, &err) || !open_screen(&c, o, &err)) {
		status = usage_error("%s", err.text);
	} else {
		if (*setup.note.text)
			host_say_for(&c.host, TELL_START_MS, setup.note.text);
		if (replay) {
			replay->tell = chat_tell_kept;
			replay->walked = chat_walked;
			replay->ctx = &c;
			replay_start(replay, c.session);
		} else {
			chat_begin(&c);
		}
		chat_loop(&c);
	}
	close_screen(&c);
	if (c.ended_by)
		tape_choice_tell_broken(session_live(c.session) ? session_live(c.session) : compare_live(&c.compare));
	chat_parts_fini(&c);
	signals_close();
	return c.ended_by ? EXIT_BY_SIGNAL + c.ended_by : status;
}
