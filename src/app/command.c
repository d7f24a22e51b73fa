#include "app/command.h"

#include <string.h>

#include "app/chat.h"
#include "base/mem.h"

/* --- what commands do --------------------------------------------------------------------------------------------- */

static void run_palette(struct chat *c, struct str argument) { (void)argument; chat_open_menu(c, MENU_PALETTE); }
static void run_help(struct chat *c, struct str argument) { (void)argument; chat_open_help(c); }
static void run_details(struct chat *c, struct str argument) { (void)argument; chat_open_details(c); }
static void run_suspend(struct chat *c, struct str argument) { (void)argument; chat_suspend(c); }
static void run_editor(struct chat *c, struct str argument) { (void)argument; composer_edit_outside(c); }
static void run_history(struct chat *c, struct str argument) { (void)argument; composer_search(c); }
static void run_quit(struct chat *c, struct str argument) { (void)argument; c->quit = true; }

static void run_model(struct chat *c, struct str argument)
{
	if (!argument.len) {
		chat_open_menu(c, MENU_MODELS);
		return;
	}
	setup_use_model(&c->setup, argument);
	chat_say(c, "model %s from the next turn on", c->setup.target.model);
}

static void run_protocol(struct chat *c, struct str argument)
{
	const struct protocol *protocol = protocol_find(argument);
	if (!argument.len) {
		chat_open_menu(c, MENU_PROTOCOLS);
	} else if (!protocol || !provider_offers(c->setup.target.provider, protocol)) {
		chat_say(c, "%s does not offer a protocol %.*s", c->setup.target.provider->name, STR_ARG(argument));
	} else {
		setup_use_protocol(&c->setup, protocol);
		chat_say(c, "protocol %s from the next turn on", protocol->name);
	}
}

static void run_provider(struct chat *c, struct str argument)
{
	struct provider *provider = providers_find(c->setup.providers, argument);
	if (!argument.len) {
		chat_open_menu(c, MENU_PROVIDERS);
	} else if (!provider) {
		chat_say(c, "there is no provider %.*s", STR_ARG(argument));
	} else {
		setup_use_provider(&c->setup, provider);
		chat_say(c, "provider %s from the next turn on", provider->name);
	}
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
	session_stop(c->session);
	c->focus = c->tape ? FOCUS_TRANSCRIPT : FOCUS_INPUT;
}

/* A replay has nobody to ask: what would begin a turn of its own is refused. */
static bool refused_in_replay(struct chat *c)
{
	if (c->tape)
		chat_say(c, "this is a replay: there is nobody to ask");
	return c->tape != NULL;
}

static void run_retry(struct chat *c, struct str argument)
{
	(void)argument;
	struct error err = { "" };
	if (refused_in_replay(c))
		return;
	chat_try_answer(c, session_retry(c->session, &err), &err);
	transcript_to_end(c->panes[CHAT_TRANSCRIPT]);
}

static void run_answer(struct chat *c, struct str argument)
{
	(void)argument;
	if (refused_in_replay(c))
		return;
	if (!chat_open_call(c, 0))
		chat_say(c, "no tool call waits for an answer");
}

static void run_fold(struct chat *c, struct str argument)
{
	(void)argument;
	struct view view;
	chat_fill_view(c, &view);
	transcript_toggle_fold(c->panes[CHAT_TRANSCRIPT], &view);
}

static void run_raw(struct chat *c, struct str argument)
{
	(void)argument;
	c->raw = !c->raw;
	transcript_set_raw(c->panes[CHAT_TRANSCRIPT], c->raw);
	chat_say(c, c->raw ? "answers as their source" : "answers as markdown");
}

static void run_new(struct chat *c, struct str argument)
{
	(void)argument;
	if (refused_in_replay(c))
		return;
	session_forget(c->session);
	transcript_forget(c->panes[CHAT_TRANSCRIPT]);
	chat_say(c, "a new conversation");
}

static void run_id(struct chat *c, struct str argument)
{
	(void)argument;
	const struct turn *t = chat_last_answer(c);
	if (!t || !t->id)
		chat_say(c, "the server sent no response id");
	else if (screen_copy(c->screen, str_from(t->id)))
		chat_say(c, "sent to the clipboard: %s", t->id);
}

static void run_attach(struct chat *c, struct str argument)
{
	struct error err = { "" };
	char *path = str_dup(argument);
	if (!argument.len && session_attached(c->session))
		chat_say(c, "nothing goes with the next prompt any more");
	else if (!argument.len)
		chat_say(c, "/attach FILE adds a file to the next prompt");
	if (!argument.len)
		session_detach(c->session);
	else if (session_attach(c->session, path, &err))
		chat_say(c, "%s goes with the next prompt", path);
	else
		chat_say(c, "%s", err.text);
	mem_free(path);
}

static void set_file(struct chat *c, struct str path, const char *what, bool (*set)(struct setup *, const char *, struct error *))
{
	struct error err = { "" };
	char *name = str_dup(path);
	if (!set(&c->setup, path.len ? name : NULL, &err))
		chat_say(c, "%s", err.text);
	else if (path.len)
		chat_say(c, "%s from %s, from the next turn on", what, name);
	else
		chat_say(c, "no %s any more", what);
	mem_free(name);
}

static void run_tools(struct chat *c, struct str argument) { set_file(c, argument, "tools", setup_read_tools); }
static void run_schema(struct chat *c, struct str argument) { set_file(c, argument, "schema", setup_read_schema); }

static void run_system(struct chat *c, struct str argument)
{
	setup_use_system(&c->setup, argument);
	chat_say(c, argument.len ? "system prompt set, from the next turn on" : "no system prompt any more");
}

static void run_reasoning(struct chat *c, struct str argument)
{
	static const char *const levels[] = {
		[REASONING_OFF] = "off", [REASONING_LOW] = "low", [REASONING_MEDIUM] = "medium", [REASONING_HIGH] = "high",
	};
	for (int i = REASONING_OFF; i <= REASONING_HIGH; i++) {
		if (!str_is(argument, levels[i]))
			continue;
		setup_use_reasoning(&c->setup, (enum reasoning_level)i);
		chat_say(c, "reasoning %s from the next turn on", levels[i]);
		return;
	}
	chat_say(c, "/reasoning takes off, low, medium or high");
}

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

static void run_pause(struct chat *c, struct str argument)
{
	(void)argument;
	struct source *player = session_exchange(c->session) ? exchange_player(session_exchange(c->session)) : NULL;
	if (player)
		tape_player_pause(player, !tape_player_paused(player), clock_now_ms());
}

static void run_step(struct chat *c, struct str argument)
{
	(void)argument;
	struct source *player = session_exchange(c->session) ? exchange_player(session_exchange(c->session)) : NULL;
	if (!player)
		return;
	tape_player_pause(player, true, clock_now_ms());
	tape_player_step(player, clock_now_ms());
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

static const struct command commands[] = {
	{ .name = "help",     .key = "F1",        .help = "keys, commands, and what the demo answers to", .run = run_help },
	{ .name = NULL,       .key = "Ctrl-P",    .help = "the palette: every command", .run = run_palette },
	{ .name = "model",    .key = "F2",        .argument = "[NAME]", .help = "choose the model", .run = run_model },
	{ .name = "protocol", .key = "F3",        .argument = "[NAME]", .help = "choose the protocol", .run = run_protocol },
	{ .name = "provider", .key = "F4",        .argument = "[NAME]", .help = "choose the provider", .run = run_provider },
	{ .name = "theme",    .key = "F5",        .argument = "[NAME]", .help = "choose the theme", .run = run_theme },
	{ .name = "stop",     .key = "Esc",    .help = "stop the answer, keep what came", .run = run_stop },
	{ .name = "retry",    .key = "Alt-r",     .letter = 'r', .help = "send the turn again", .run = run_retry },
	{ .name = "answer",   .key = "Alt-a",     .letter = 'a', .help = "answer the tool calls that wait", .run = run_answer },
	{ .name = "details",  .key = "Ctrl-O",    .letter = 'd', .help = "everything known about the last turn", .run = run_details },
	{ .name = "fold",     .key = "Ctrl-T",    .letter = 't', .help = "unfold or fold reasoning and tool calls", .run = run_fold },
	{ .name = "raw",      .key = "Alt-m",     .letter = 'm', .help = "show answers as their source, or as markdown", .run = run_raw },
	{ .name = "id",       .letter = 'i',      .help = "copy the response id of the last turn", .run = run_id },
	{ .name = "new",      .help = "begin a new conversation", .run = run_new },
	{ .name = "attach",   .argument = "FILE", .help = "add a file to the next prompt, or drop them", .run = run_attach },
	{ .name = "tools",    .argument = "[FILE]", .help = "offer the tools of a file (OpenAI shape), or none", .run = run_tools },
	{ .name = "schema",   .argument = "[FILE]", .help = "have answers follow a JSON Schema, or not", .run = run_schema },
	{ .name = "system",   .argument = "[TEXT]", .help = "set the system prompt", .run = run_system },
	{ .name = "reasoning", .argument = "LEVEL", .help = "off, low, medium or high", .run = run_reasoning },
	{ .name = "history",  .key = "Ctrl-R",    .help = "search what was sent before", .run = run_history },
	{ .name = "editor",   .key = "Ctrl-G",    .help = "write in $VISUAL or $EDITOR", .run = run_editor },
	{ .name = NULL,       .key = "Tab",       .help = "next pane", .run = run_next_pane },
	{ .name = NULL,       .key = "Shift-Tab", .help = "previous pane", .run = run_previous_pane },
	{ .name = "pause",    .letter = ' ',      .help = "replay: pause or go on", .run = run_pause },
	{ .name = "step",     .letter = '.',      .help = "replay: one frame", .run = run_step },
	{ .name = "redraw",   .key = "Ctrl-L",    .help = "draw the screen again", .run = run_redraw },
	{ .name = NULL,       .key = "Ctrl-Z",    .help = "suspend", .run = run_suspend },
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
		if (has_key(commands[i].key, key) || has_key(commands[i].also, key))
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
	command->run(c, str_trim(str_skip(rest, word.len)));
	return true;
}
