/* What commands do on the full screen. */
#include "app/screen/chat_commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/compare/compare.h"
#include "app/screen/chat_inside.h"
#include "app/screen/services/branches.h"
#include "app/screen/services/copying.h"
#include "app/session/session_prompts.h"
#include "app/session/session_runs.h"
#include "app/session/session_tree.h"
#include "app/session/turn_rounds.h"
#include "app/setup/parameter_change.h"
#include "app/setup/setup.h"
#include "chat/conversation/turn.h"

#define TELL_LOSS_MS 30000

/* --- menus and sheets --- */

void chat_open_palette(struct chat *c) { menus_open(&c->cards.menus, MENU_PALETTE); }
void chat_open_models(struct chat *c) { menus_open(&c->cards.menus, MENU_MODELS); }
void chat_open_protocols(struct chat *c) { menus_open(&c->cards.menus, MENU_PROTOCOLS); }

void chat_choose_provider(struct chat *c, struct str words)
{
	struct actor actor = host_actor(&c->host);
	const struct provider *p;

	if (!words.len)
		menus_open(&c->cards.menus, MENU_PROVIDERS);
	else if (act_provider(&actor, words, &p)) {
		provider_form_take(&c->provider_form, p);
		form_card_open(&c->cards.form_card, &provider_form, &c->provider_form);
	}
}

/* What makes, changes or deletes one. False: the words are for another. */
static bool chat_changes_section(struct chat *c, enum section_kind kind, struct str words)
{
	struct error sentence = { "" };
	bool opens, good;

	if (!section_form_command(&c->section_form, kind, words, &opens, &good, &sentence))
		return false;
	if (opens)
		form_card_open(&c->cards.form_card, kind == SECTION_ROLE ? &section_form_of_role : &section_form, &c->section_form);
	else if (good)
		host_say(&c->host, "%s", sentence.text);
	else
		host_fail(&c->host, "%s", sentence.text);
	return true;
}

/* Where there is none yet, a new one is made. */
static void chat_open_menu_of(struct chat *c, enum menu_kind kind, size_t count, enum section_kind section)
{
	if (count)
		menus_open(&c->cards.menus, kind);
	else
		(void)chat_changes_section(c, section, STR("new"));
}

void chat_choose_role(struct chat *c, struct str words)
{
	struct actor actor = host_actor(&c->host);

	if (!words.len)
		chat_open_menu_of(c, MENU_ROLES, c->setup->settings.roles.count, SECTION_ROLE);
	else if (!chat_changes_section(c, SECTION_ROLE, words))
		act_role(&actor, words);
}

/* A command that was refused keeps its words, to be corrected or sent later. */
static void chat_keep_line(struct chat *c, const char *name, struct str words)
{
	struct buf line = { 0 };

	buf_printf(&line, "%s %.*s ", name, STR_ARG(words));
	composer_keep_slip(&c->composer, buf_str(&line), EDIT_TYPED);
	buf_fini(&line);
}

/* The filled text stands in the input, to be looked at before it is sent. What is missing can be written there, too. */
void chat_use_template(struct chat *c, struct str words)
{
	struct actor actor = host_actor(&c->host);
	struct buf text = { 0 };

	if (!words.len) {
		chat_open_menu_of(c, MENU_TEMPLATES, c->setup->settings.templates.count, SECTION_TEMPLATE);
		return;
	}
	if (chat_changes_section(c, SECTION_TEMPLATE, words)) {
		;
	} else if (act_fill_template(&actor, words, &text)) {
		composer_fill(&c->composer, buf_str(&text));
	} else {
		chat_keep_line(c, "template", words);
	}
	buf_fini(&text);
}

void chat_choose_theme(struct chat *c, struct str words)
{
	if (words.len)
		theme_choice_choose(&c->theme, words);
	else
		menus_open(&c->cards.menus, MENU_THEMES);
}

void chat_open_help(struct chat *c)
{
	menus_open_help(&c->cards.menus, c->stack.focus == inspector_pane(c->inspector));
}

void chat_open_details(struct chat *c)
{
	sheets_open_details(&c->cards.sheets);
}

void chat_open_request(struct chat *c, struct str words)
{
	struct turn *t = host_answer(&c->host); /* perhaps that of the open details */

	if (str_is(words, "curl") || str_is(words, "json")) {
		copying_run(&c->host, &c->clipboard, str_is(words, "curl") ? words : STR("request"));
	} else if (words.len && !str_is(words, "edit")) {
		host_say(&c->host, "it can be curl, json or edit; without a word it shows the request");
	} else if (!t) {
		host_say(&c->host, "there is no answer yet");
	} else if (words.len) {
		request_editor_begin(&c->request_editor, t);
	} else {
		sheets_open_request(&c->cards.sheets, t);
	}
}

void chat_open_cost(struct chat *c)
{
	sheets_open_cost(&c->cards.sheets, &c->models);
}

void chat_open_messages(struct chat *c)
{
	sheets_open_messages(&c->cards.sheets, &c->messages);
}

void chat_answer(struct chat *c)
{
	struct actor actor = host_actor(&c->host);
	struct error err;

	if (!act_asks(&actor))
		return;
	if (elicit_form_take(&c->elicit)) {
		form_card_open(&c->cards.form_card, &elicit_table, &c->elicit);
		return;
	}
	session_take_up_runs(c->session);
	if (approval_card_open(&c->cards.approval_card) || sheets_open_call(&c->cards.sheets, 0))
		return;
	if (!session_runs(c->session)->count || !session_send_results(c->session, &err))
		host_say(&c->host, "no tool call waits for an answer");
}

/* --- the turn --- */

/* Leaves a replay, as q does. Stops the answer. If none runs, queued prompts return to the input, before what it holds. */
void chat_stop(struct chat *c)
{
	bool waits = !session_is_busy(c->session) && session_queued(c->session);

	if (c->replay && c->stack.focus == c->stack.home) { /* nothing but the replay is open */
		chat_quit(c);
		return;
	}
	if (collecting_stop(&c->collecting)) {
		host_say(&c->host, "stopped: nothing was attached");
		return;
	}
	if (waits && (edit_is_empty(&c->composer.input) || (!session_is_editing(c->session) && c->stack.focus == c->stack.home)))
		composer_take_queued(&c->composer);
	if (!session_is_busy(c->session))
		composer_leave_edit(&c->composer);
	else if (c->message_severity != SEVERITY_ERROR)
		c->message_until_ms = 0; /* it was about what ends now: a call or a server that waits for a word */
	session_stop(c->session);
	stack_focus(&c->stack, c->stack.home);
}

static void chat_begin_again(struct chat *c, bool (*act)(const struct actor *a))
{
	struct actor actor = host_actor(&c->host);

	actor.turn = host_turn(&c->host);
	if (!act(&actor))
		return;
	composer_drop_restored(&c->composer);
	transcript_to_end(c->transcript);
	branches_tell_left(&c->host);
}

void chat_retry(struct chat *c) { chat_begin_again(c, act_retry); }
void chat_continue(struct chat *c) { chat_begin_again(c, act_continue); }

void chat_compact(struct chat *c, struct str words)
{
	struct actor actor = host_actor(&c->host);

	if (act_compact(&actor, words))
		transcript_to_end(c->transcript);
	else if (words.len)
		chat_keep_line(c, "compact", words);
}

/* With targets: those, and the words behind them are asked. Without words the last question is asked again. Alone it opens the menu of targets. */
void chat_compare(struct chat *c, struct str words)
{
	struct actor actor = host_actor(&c->host);
	struct error err = { "" };

	if (words.len && !act_may_spend(&actor, "compare"))
		chat_keep_line(c, "compare", words);
	else if (words.len ? !compare_command(&c->compare, words, &err) : !session_is_idle(c->session, &err))
		host_fail(&c->host, "%s", err.text);
	else if (!words.len)
		menus_open(&c->cards.menus, MENU_COMPARE);
}

void chat_edit(struct chat *c)
{
	struct actor actor = host_actor(&c->host);

	if (act_asks(&actor))
		composer_edit(&c->composer, host_turn(&c->host));
}

void chat_older_version(struct chat *c) { branches_step(&c->host, -1); }
void chat_newer_version(struct chat *c) { branches_step(&c->host, 1); }

void chat_undo(struct chat *c)
{
	struct actor actor = host_actor(&c->host);
	struct error err = { "" };

	if (!act_asks(&actor))
		return;
	if (!keep_undoes(c->host.keep, session_removals(c->session)))
		branches_undo(&c->host);
	else if (keep_undo(c->host.keep, &err))
		host_say(&c->host, "the conversation that was deleted is back");
	else
		host_fail(&c->host, "%s", err.text);
}

/* With words: those that titles and texts are searched for. */
void chat_resume(struct chat *c, struct str words)
{
	list_card_open(&c->cards.list_card, words);
}

void chat_open_tree(struct chat *c)
{
	tree_card_open(&c->cards.tree_card);
}

/* Queued prompts belong to the conversation that ends: they return to the input. */
void chat_new(struct chat *c)
{
	struct actor actor = host_actor(&c->host);
	unsigned queued = session_queued(c->session);

	if ((queued && composer_refuses_other(&c->composer)) || !act_new(&actor))
		return;
	if (!queued)
		return;
	composer_take_queued(&c->composer);
	host_say(&c->host, "a new conversation; %u prompt%s taken back into the input", queued, queued == 1 ? "" : "s");
}

/* --- settings --- */

void chat_open_settings(struct chat *c)
{
	settings_card_open(&c->cards.settings_card);
}

/* Files of the command line are read first, so that they cannot replace what is set there. */
void chat_open_tools(struct chat *c)
{
	struct error err = { "" };

	if (setup_read_files(c->setup, &err))
		tools_card_open(&c->cards.tools_card);
	else
		host_fail(&c->host, "%s", err.text);
}

void chat_open_parameters(struct chat *c)
{
	form_card_open(&c->cards.form_card, &parameter_form, c->setup);
}

/* --- the prompt --- */

void chat_edit_system(struct chat *c)
{
	if (!c->replay)
		composer_edit_system(&c->composer);
}

void chat_edit_outside(struct chat *c) { composer_edit_outside(&c->composer); }
void chat_search_prompts(struct chat *c) { composer_search(&c->composer); }
void chat_attach_offered(struct chat *c) { composer_attach_offered(&c->composer); }

void chat_open_attached(struct chat *c)
{
	struct actor actor = host_actor(&c->host);

	if (session_attached(c->session))
		sheets_open_attached(&c->cards.sheets, &c->models);
	else
		act_attach(&actor, STR(""));
}

void chat_paste(struct chat *c)
{
	struct actor actor = host_actor(&c->host);

	pasting_start(&c->pasting, &actor);
}

/* --- a replay --- */

#define TELL_ROUNDS_MS 10000

void chat_seek(struct chat *c, struct str words)
{
	struct actor actor = host_actor(&c->host);

	act_seek(&actor, words, false);
}

/* The recording of a turn, in a program of its own: what runs here goes on meanwhile. */
void chat_replay(struct chat *c)
{
	const struct turn *t = host_answer(&c->host), *live = session_live(c->session), *rounds[TURN_ROUNDS_MOST];
	const char *tapes[TURN_ROUNDS_MOST];
	char sentence[100];
	bool marked = host_turn(&c->host) || t == live; /* else the whole turn is played */
	size_t count = t ? turn_rounds(session_conversation(c->session), t, rounds) : 0, played = 0, at = 0;

	if (!t || !t->tape) {
		host_say(&c->host, "this turn has no tape");
		return;
	}
	if (access(t->tape, R_OK)) {
		host_fail(&c->host, "its tape cannot be read: %s: %s", t->tape, strerror(errno));
		return;
	}
	for (size_t i = 0; i < count; i++) {
		at = marked && rounds[i] == t ? played : at;
		if (rounds[i]->tape && access(rounds[i]->tape, R_OK) == 0)
			tapes[played++] = rounds[i]->tape;
	}
	if (played < count) {
		snprintf(sentence, sizeof sentence, "%zu of the %zu rounds of this turn ha%s no tape any more", count - played, count,
		         count - played == 1 ? "s" : "ve");
		host_say_for(&c->host, TELL_ROUNDS_MS, sentence); /* also after the replay */
	}
	external_replay(&c->external, tapes, played, at, live && live->tape == tapes[played - 1]);
}

void chat_inspect(struct chat *c)
{
	cards_close(&c->cards);
	inspect_command(&c->inspect);
}

void chat_findings(struct chat *c)
{
	cards_close(&c->cards);
	inspect_findings(&c->inspect);
}

void chat_step_back(struct chat *c)
{
	player_keys_step_back(&c->player_keys);
}

/* --- the page --- */

void chat_fold(struct chat *c)
{
	struct view view;

	chat_fill_view(c, &view);
	if (c->stack.focus == transcript_pane(c->transcript) && transcript_fold_one(c->transcript, &view))
		return;
	if (!transcript_toggle_fold(c->transcript, &view))
		host_say(&c->host, "there is no reasoning and no tool call to unfold");
}

/* Keeps a setting of the view for later runs. If that fails, the error is shown in place of `sentence`. */
static void chat_choose(struct chat *c, const char *name, const char *value, const char *sentence)
{
	struct error err = { "" };

	if (setup_choose(c->setup, name, str_from(value), &err))
		host_say(&c->host, "%s", sentence);
	else
		host_fail(&c->host, "%s, for this run: %s", sentence, err.text);
}

void chat_toggle_raw(struct chat *c)
{
	c->look.raw = !c->look.raw;
	chat_choose(c, "raw", c->look.raw ? "yes" : "no", c->look.raw ? "answers as their source" : "answers as markdown");
}

void chat_toggle_wrap(struct chat *c)
{
	c->look.clip_code = !c->look.clip_code;
	chat_choose(c, "code", c->look.clip_code ? "clip" : "wrap",
	            c->look.clip_code ? "long lines of code are cut: Left and Right scroll" : "long lines of code are wrapped");
}

void chat_show_reasoning(struct chat *c, struct str words)
{
	struct error err = { "" };
	char sentence[64];

	if (words.len && !reasoning_view_find(words, &c->look.reasoning, &err)) {
		host_fail(&c->host, "%s", err.text);
		return;
	}
	const char *name = reasoning_view_name(c->look.reasoning);
	snprintf(sentence, sizeof sentence, "reasoning: %s", name);
	if (words.len)
		chat_choose(c, "thoughts", name, sentence);
	else
		host_say(&c->host, "%s; it can be pane, tail, folded or hidden", sentence);
}

void chat_search(struct chat *c, struct str words) { find_bar_open(&c->find_bar, words, false); }
void chat_older_hit(struct chat *c) { find_bar_step(&c->find_bar, -1); }
void chat_newer_hit(struct chat *c) { find_bar_step(&c->find_bar, 1); }
void chat_select(struct chat *c) { line_select_open(&c->line_select); }
void chat_next_pane(struct chat *c) { stack_move_focus(&c->stack, 1); }
void chat_previous_pane(struct chat *c) { stack_move_focus(&c->stack, -1); }

bool chat_goes_to(struct chat *c, struct jump jump)
{
	struct view view;

	chat_fill_view(c, &view);
	return jump.to == PAGE_FOLD ? transcript_step_fold(c->transcript, &view, jump.step)
	                            : transcript_jump(c->transcript, &view, jump.to, jump.step);
}

/* A jump below the last turn goes to the end. */
static void chat_jump(struct chat *c, struct jump jump)
{
	static const char *const names[] = {
		[PAGE_TURN] = "turn", [PAGE_BLOCK] = "code block or table", [PAGE_TROUBLE] = "error", [PAGE_FOLD] = "reasoning, call or item",
	};

	if (jump.to == PAGE_FOLD) /* Enter unfolds it there */
		stack_focus(&c->stack, transcript_pane(c->transcript));
	if (chat_goes_to(c, jump))
		return;
	if (jump.to == PAGE_TURN && jump.step > 0)
		transcript_to_end(c->transcript);
	else
		host_say(&c->host, "there is no %s %s", names[jump.to], jump.step < 0 ? "above" : "below");
}

/* --- copying --- */

/* What y copies: a block of the page that was gone to, else what the focused pane shows. */
static struct str chat_thing(struct chat *c)
{
	static const char *const blocks[] = { [TRANSCRIPT_CODE] = "code", [TRANSCRIPT_TABLE] = "table" };
	enum transcript_block block = chat_block(c);

	return str_from(block ? blocks[block] : c->stack.focus->ops->thing);
}

/* Without an argument, copies what is marked in the input, else what the focused pane shows. */
void chat_copy(struct chat *c, struct str words)
{
	const struct edit *input = &c->composer.input;
	size_t from, to;

	if (!words.len && c->stack.focus == c->prompt && edit_marked(input, &from, &to)) {
		clipboard_send(&c->clipboard, "what is marked", str_head(str_skip(buf_str(&input->text), from), to - from), false);
		return;
	}
	copying_run(&c->host, &c->clipboard, words.len ? words : chat_thing(c));
}

void chat_copy_code(struct chat *c) { copying_run(&c->host, &c->clipboard, STR("code")); }
void chat_copy_id(struct chat *c) { copying_run(&c->host, &c->clipboard, STR("id")); }

/* --- the terminal --- */

void chat_toggle_mouse(struct chat *c)
{
	bool on = !screen_has_mouse(c->terminal.screen);

	screen_use_mouse(c->terminal.screen, on);
	chat_choose(c, "mouse", on ? "yes" : "no",
	            on ? "the mouse scrolls and selects; hold Shift for the terminal's own" : "the mouse is the terminal's: it selects text");
}

void chat_redraw(struct chat *c) { screen_redraw(c->terminal.screen); }

void chat_suspend(struct chat *c)
{
	if (!terminal_suspend(&c->terminal))
		host_say(&c->host, "weir cannot be suspended: no shell started it");
}

/* What would be lost is told, and quitting again loses it. */
void chat_quit(struct chat *c)
{
	struct error sentence;

	if (!c->told_loss && !c->replay && keep_would_lose(c->host.keep, &sentence)) {
		c->told_loss = true;
		host_say_for(&c->host, TELL_LOSS_MS, sentence.text);
		return;
	}
	c->quit = true;
}

/* --- running --- */

/* A command may need any turn, not only those that are shown. */
static void chat_read_all(struct chat *c)
{
	struct error err;

	if (!c->replay && !keep_read_all(c->host.keep, &err))
		host_fail(&c->host, "%s", err.text);
}

void chat_run(struct chat *c, const struct command *command, struct str words)
{
	struct actor actor = host_actor(&c->host);
	bool has_own = command->screen || command->screen_words;

	chat_read_all(c);
	if (!command_works(command, c->replay != NULL)) {
		host_say(&c->host, "%s", command_why_not(command));
	} else if (command->jump.step) {
		chat_jump(c, command->jump);
	} else if (command->act && (words.len || !has_own)) {
		actor = chat_item_actor(c);
		command->act(&actor, words);
	} else if (command->screen_words) {
		command->screen_words(c, words);
	} else {
		command->screen(c);
	}
}

bool chat_run_line(struct chat *c, struct str line)
{
	struct str words;
	const struct command *command = command_by_name(COMMAND_SCREEN, str_first_word(line, &words));

	struct error err = { "" };

	chat_read_all(c);
	if (command && !words.len && command_works(command, c->replay != NULL) && !command_can(command, c->session, &err))
		host_say(&c->host, "%s", err.text);
	else if (command)
		chat_run(c, command, words);
	return command != NULL;
}
