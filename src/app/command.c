#include "app/command.h"

#include "app/bare.h"
#include "app/chat.h"
#include "app/copying.h"
#include "app/finder.h"
#include "app/selecting.h"
#include "base/mem.h"

/* --- what commands do --- */

static void run_palette(struct chat *c, struct str argument) { (void)argument; chat_open_menu(c, MENU_PALETTE); }
static void run_help(struct chat *c, struct str argument) { (void)argument; chat_open_help(c); }
static void run_details(struct chat *c, struct str argument) { (void)argument; chat_open_details(c); }
static void run_suspend(struct chat *c, struct str argument) { (void)argument; chat_suspend(c); }
static void run_editor(struct chat *c, struct str argument) { (void)argument; composer_edit_outside(c); }
static void run_history(struct chat *c, struct str argument) { (void)argument; composer_search(c); }
static void run_quit(struct chat *c, struct str argument) { (void)argument; c->quit = true; }

static void run_model(struct chat *c, struct str argument)
{
	struct actor actor = chat_actor(c);

	if (argument.len)
		act_model(&actor, argument);
	else
		chat_open_menu(c, MENU_MODELS);
}

static void run_protocol(struct chat *c, struct str argument)
{
	struct actor actor = chat_actor(c);

	if (argument.len)
		act_protocol(&actor, argument);
	else
		chat_open_menu(c, MENU_PROTOCOLS);
}

static void run_provider(struct chat *c, struct str argument)
{
	struct actor actor = chat_actor(c);

	if (argument.len)
		act_provider(&actor, argument);
	else
		chat_open_menu(c, MENU_PROVIDERS);
}

static void run_theme(struct chat *c, struct str argument)
{
	if (argument.len)
		chat_use_theme(c, argument);
	else
		chat_open_menu(c, MENU_THEMES);
}

/* Stops the answer; where none runs, prompts that still wait in line come back into the input. */
static void run_stop(struct chat *c, struct str argument)
{
	(void)argument;
	if (!session_live(c->session) && session_queued(c->session) && edit_is_empty(&c->input)) {
		char *prompts = session_take_queued(c->session);

		edit_set(&c->input, str_from(prompts));
		mem_free(prompts);
	}
	if (!session_live(c->session))
		composer_leave_edit(c);
	session_stop(c->session);
	c->focus = c->tape ? FOCUS_TRANSCRIPT : FOCUS_INPUT;
}

static void run_retry(struct chat *c, struct str argument)
{
	(void)argument;
	struct actor actor = chat_actor(c);
	if (!act_retry(&actor))
		return;
	composer_take_back(c);
	transcript_to_end(c->panes[CHAT_TRANSCRIPT]);
}

static void run_continue(struct chat *c, struct str argument)
{
	(void)argument;
	struct actor actor = chat_actor(c);
	if (!act_continue(&actor))
		return;
	composer_take_back(c);
	transcript_to_end(c->panes[CHAT_TRANSCRIPT]);
}

static void run_edit(struct chat *c, struct str argument)
{
	(void)argument;
	struct actor actor = chat_actor(c);
	if (act_asks(&actor))
		composer_edit_last(c);
}

static void run_answer(struct chat *c, struct str argument)
{
	(void)argument;
	struct actor actor = chat_actor(c);
	if (act_asks(&actor) && !chat_open_call(c, 0))
		chat_say(c, "no tool call waits for an answer");
}

static void run_fold(struct chat *c, struct str argument)
{
	(void)argument;
	struct view view;
	chat_fill_view(c, &view);
	if (!transcript_toggle_fold(c->panes[CHAT_TRANSCRIPT], &view) && !view.live)
		chat_say(c, "there is no reasoning and no tool call to unfold");
}

static void run_raw(struct chat *c, struct str argument)
{
	(void)argument;
	c->raw = !c->raw;
	transcript_set_raw(c->panes[CHAT_TRANSCRIPT], c->raw);
	chat_say(c, c->raw ? "answers as their source" : "answers as markdown");
}

static void run_wrap(struct chat *c, struct str argument)
{
	(void)argument;
	c->clips = !c->clips;
	transcript_set_clip(c->panes[CHAT_TRANSCRIPT], c->clips);
	chat_say(c, c->clips ? "long lines of code are cut: Left and Right scroll" : "long lines of code are wrapped");
}

static void run_new(struct chat *c, struct str argument)
{
	(void)argument;
	struct actor actor = chat_actor(c);
	if (act_new(&actor))
		transcript_forget(c->panes[CHAT_TRANSCRIPT]);
}

static void run_copy(struct chat *c, struct str argument) { copying_run(c, argument); }
static void run_copy_code(struct chat *c, struct str argument) { (void)argument; copying_run(c, STR("code")); }
static void run_id(struct chat *c, struct str argument) { (void)argument; copying_run(c, STR("id")); }
static void run_search(struct chat *c, struct str argument) { finder_open(c, argument); }
static void run_select(struct chat *c, struct str argument) { (void)argument; selecting_open(c); }
static void run_bare(struct chat *c, struct str argument) { (void)argument; bare_open(c); }
static void run_pager(struct chat *c, struct str argument) { lending_read(c, argument); }
static void run_open(struct chat *c, struct str argument) { lending_edit(c, argument); }
static void run_older(struct chat *c, struct str argument) { (void)argument; finder_step(c, -1); }
static void run_newer(struct chat *c, struct str argument) { (void)argument; finder_step(c, 1); }

static void run_mouse(struct chat *c, struct str argument)
{
	(void)argument;
	c->mouse = !c->mouse;
	screen_use_mouse(c->screen, c->mouse);
	chat_say(c, c->mouse ? "the mouse scrolls and selects; hold Shift for the terminal's own" :
	                       "the mouse is the terminal's: it selects text");
}

static void run_action(struct chat *c, action *act, struct str argument)
{
	struct actor actor = chat_actor(c);

	act(&actor, argument);
}

static void run_attach(struct chat *c, struct str argument) { run_action(c, act_attach, argument); }
static void run_tools(struct chat *c, struct str argument) { run_action(c, act_tools, argument); }
static void run_schema(struct chat *c, struct str argument) { run_action(c, act_schema, argument); }
static void run_system(struct chat *c, struct str argument) { run_action(c, act_system, argument); }
static void run_reasoning(struct chat *c, struct str argument) { run_action(c, act_reasoning, argument); }

static void run_reasoning_view(struct chat *c, struct str argument)
{
	struct error err = { "" };

	if (!argument.len)
		chat_say(c, "reasoning: %s; it can be pane, tail, folded or hidden", reasoning_view_name(c->reasoning_view));
	else if (reasoning_view_find(argument, &c->reasoning_view, &err))
		chat_say(c, "reasoning: %s", reasoning_view_name(c->reasoning_view));
	else
		chat_say(c, "%s", err.text);
}

static void run_pause(struct chat *c, struct str argument) { run_action(c, act_pause, argument); }
static void run_step(struct chat *c, struct str argument) { run_action(c, act_step, argument); }

static void run_redraw(struct chat *c, struct str argument)
{
	(void)argument;
	screen_redraw(c->screen);
}

static void move_focus(struct chat *c, int step)
{
	static const enum chat_pane pane_of[FOCUS_COUNT] = {
		[FOCUS_TRANSCRIPT] = CHAT_TRANSCRIPT, [FOCUS_REASONING] = CHAT_REASONING, [FOCUS_TOOLS] = CHAT_TOOLS,
	};

	for (int i = 0; i < FOCUS_COUNT; i++) {
		c->focus = (enum chat_focus)(((int)c->focus + step + FOCUS_COUNT) % FOCUS_COUNT);
		bool there = c->focus == FOCUS_INPUT ? !c->tape : c->pane_rows[pane_of[c->focus]] > 0;
		if (there)
			return;
	}
}

static void run_next_pane(struct chat *c, struct str argument) { (void)argument; move_focus(c, 1); }
static void run_previous_pane(struct chat *c, struct str argument) { (void)argument; move_focus(c, -1); }

/* --- the table --- */

static const struct command commands[] = {
	{ .name = "help",     .key = "F1",        .help = "keys, commands, and what the demo answers to", .run = run_help },
	{ .name = NULL,       .key = "Ctrl-P",    .help = "the palette: every command", .run = run_palette },
	{ .name = "model",    .key = "F2",        .argument = "[NAME]", .help = "choose the model", .run = run_model },
	{ .name = "protocol", .key = "F3",        .argument = "[NAME]", .help = "choose the protocol", .run = run_protocol },
	{ .name = "provider", .key = "F4",        .argument = "[NAME]", .help = "choose the provider", .run = run_provider },
	{ .name = "theme",    .key = "F5",        .argument = "[NAME]", .help = "choose the theme", .run = run_theme },
	{ .name = "stop",     .key = "Esc",    .help = "stop the answer, keep what came", .run = run_stop },
	{ .name = "retry",    .key = "Alt-r",     .letter = 'r', .help = "send the turn again", .run = run_retry },
	{ .name = "continue", .key = "Alt-c",     .letter = 'c', .help = "have an answer that broke off go on", .run = run_continue },
	{ .name = "edit",     .key = "Alt-u",     .letter = 'u', .help = "edit the last prompt and send it again", .run = run_edit },
	{ .name = "answer",   .key = "Alt-a",     .letter = 'a', .help = "answer the tool calls that wait", .run = run_answer },
	{ .name = "details",  .key = "Ctrl-O",    .letter = 'd', .help = "everything known about the last turn", .run = run_details },
	{ .name = "fold",     .key = "Ctrl-T",    .letter = 't', .help = "unfold or fold reasoning and tool calls", .run = run_fold },
	{ .name = "raw",      .key = "Alt-m",     .letter = 'm', .help = "show answers as their source, or as markdown", .run = run_raw },
	{ .name = "wrap",     .key = "Alt-z",     .letter = 'w', .help = "long lines of code: wrap, or cut and scroll", .run = run_wrap },
	{ .name = "copy",     .key = "Ctrl-Y",    .letter = 'y', .argument = "[WHAT]", .help = "copy the answer's source, code, turn or all", .run = run_copy },
	{ .name = NULL,       .letter = 'b',      .help = "copy the newest code block in view", .run = run_copy_code },
	{ .name = "select",   .key = "Alt-v",     .letter = 'v', .help = "select lines to be copied as their source", .run = run_select },
	{ .name = "bare",     .key = "Alt-x",     .letter = 'x', .help = "the text alone, for the terminal to select", .run = run_bare },
	{ .name = "pager",    .letter = 'p',      .argument = "[WHAT]", .help = "read the answer in $PAGER; or code, turn, all", .run = run_pager },
	{ .name = "open",     .letter = 'e',      .argument = "[WHAT]", .help = "the same in $VISUAL or $EDITOR", .run = run_open },
	{ .name = "search",   .key = "Ctrl-F",    .letter = '/', .argument = "[TEXT]", .help = "search text, reasoning and tools", .run = run_search },
	{ .name = NULL,       .letter = 'n',      .help = "next older hit", .run = run_older },
	{ .name = NULL,       .letter = 'N',      .help = "next newer hit", .run = run_newer },
	{ .name = NULL,       .letter = '{',      .help = "to the turn before", .jump = { PAGE_TURN, -1 } },
	{ .name = NULL,       .letter = '}',      .help = "to the turn behind", .jump = { PAGE_TURN, 1 } },
	{ .name = NULL,       .letter = '(',      .help = "to the code block before", .jump = { PAGE_CODE, -1 } },
	{ .name = NULL,       .letter = ')',      .help = "to the code block behind", .jump = { PAGE_CODE, 1 } },
	{ .name = NULL,       .letter = '[',      .help = "to what went wrong before", .jump = { PAGE_TROUBLE, -1 } },
	{ .name = NULL,       .letter = ']',      .help = "to what went wrong behind", .jump = { PAGE_TROUBLE, 1 } },
	{ .name = "mouse",    .key = "Alt-w",     .help = "the mouse is weir's, or the terminal's", .run = run_mouse },
	{ .name = "id",       .letter = 'i',      .help = "copy the response id of the last turn", .run = run_id },
	{ .name = "new",      .help = "begin a new conversation", .run = run_new },
	{ .name = "attach",   .argument = "FILE", .help = "add a file to the next prompt, or drop them", .run = run_attach },
	{ .name = "tools",    .argument = "[FILE]", .help = "offer the tools of a file (OpenAI shape), or none", .run = run_tools },
	{ .name = "schema",   .argument = "[FILE]", .help = "have answers follow a JSON Schema, or not", .run = run_schema },
	{ .name = "system",   .argument = "[TEXT]", .help = "set the system prompt", .run = run_system },
	{ .name = "reasoning", .argument = "LEVEL", .help = "how much to reason: off, low, medium or high", .run = run_reasoning },
	{ .name = "thoughts", .argument = "HOW", .help = "show reasoning in a pane, tail, folded or hidden", .run = run_reasoning_view },
	{ .name = "history",  .key = "Ctrl-R",    .help = "search what was sent before", .run = run_history },
	{ .name = "editor",   .key = "Ctrl-G",    .help = "write in $VISUAL or $EDITOR", .run = run_editor },
	{ .name = NULL,       .key = "Tab",       .help = "next pane", .run = run_next_pane },
	{ .name = NULL,       .key = "Shift-Tab", .help = "previous pane", .run = run_previous_pane },
	{ .name = "pause",    .letter = ' ',      .help = "replay: pause or go on", .run = run_pause },
	{ .name = "step",     .letter = '.',      .help = "replay: one frame", .run = run_step },
	{ .name = "redraw",   .key = "Ctrl-L",    .anywhere = true, .help = "draw the screen again", .run = run_redraw },
	{ .name = NULL,       .key = "Ctrl-Z",    .anywhere = true, .help = "suspend", .run = run_suspend },
	{ .name = "quit",     .letter = 'q',      .help = "leave", .run = run_quit },
};

const struct command *command_at(size_t index)
{
	return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

const struct command *command_by_name(struct str name)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (commands[i].name && str_is(name, commands[i].name))
			return &commands[i];
	return NULL;
}

static bool has_key(const char *name, const struct key *key)
{
	struct key own;

	return name && key_from_name(str_from(name), &own) && key_equal(&own, key);
}

const struct command *command_by_key(const struct key *key)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (has_key(commands[i].key, key))
			return &commands[i];
	return NULL;
}

const struct command *command_by_letter(char letter)
{
	for (size_t i = 0; letter && i < sizeof commands / sizeof *commands; i++)
		if (commands[i].letter == letter)
			return &commands[i];
	return NULL;
}

struct jump command_jump(char letter)
{
	const struct command *command = command_by_letter(letter);

	return command ? command->jump : (struct jump){ 0 };
}

/* Below the last turn there is the end. */
static void jump(struct chat *c, struct jump jump)
{
	static const char *const names[] = { [PAGE_TURN] = "turn", [PAGE_CODE] = "code block", [PAGE_TROUBLE] = "error" };
	struct pane *transcript = c->panes[CHAT_TRANSCRIPT];
	struct view view;

	chat_fill_view(c, &view);
	if (transcript_jump(transcript, &view, jump.to, jump.step))
		return;
	if (jump.to == PAGE_TURN && jump.step > 0)
		transcript_to_end(transcript);
	else
		chat_say(c, "there is no %s %s", names[jump.to], jump.step < 0 ? "above" : "below");
}

void command_run(struct chat *c, const struct command *command, struct str argument)
{
	if (command->jump.step)
		jump(c, command->jump);
	else
		command->run(c, argument);
}

bool command_run_line(struct chat *c, struct str line)
{
	struct str rest = str_trim(line), word = rest;

	for (size_t i = 0; i < rest.len; i++)
		if (rest.ptr[i] == ' ' || rest.ptr[i] == '\n') {
			word = str_head(rest, i);
			break;
		}
	const struct command *command = command_by_name(word);
	if (!command)
		return false;
	command_run(c, command, str_trim(str_skip(rest, word.len)));
	return true;
}
