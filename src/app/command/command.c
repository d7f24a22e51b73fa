#include "app/command/command.h"

#include "app/plain/plain_commands.h"
#include "app/screen/chat_commands.h"
#include "app/session/session.h"
#include "app/session/session_prompts.h"
#include "app/session/session_tree.h"
#include "base/array.h"
#include "base/names.h"

static const struct command commands[] = {
	{ .bound_as = "new-line", .key = "Ctrl-J", .is_key = true, .help = "new line (also Alt-Enter)" },
	{ .bound_as = "page-up", .key = "PgUp", .is_key = true, .help = "scroll up by a page" },
	{ .bound_as = "page-down", .key = "PgDn", .is_key = true, .help = "scroll down by a page" },
	{ .bound_as = "half-page-up", .key = "Alt-Up", .is_key = true, .help = "scroll up by half a page" },
	{ .bound_as = "half-page-down", .key = "Alt-Down", .is_key = true, .help = "scroll down by half a page" },
	{ .bound_as = "to-start", .key = "Ctrl-Home", .is_key = true, .help = "go to the start of the conversation" },
	{ .bound_as = "to-end", .key = "Ctrl-End", .is_key = true, .help = "go to the end of the conversation" },
	{ .name = "help", .key = "F1", .group = GROUP_PROGRAM,
	  .help = "show and find keys and commands",
	  .screen = chat_open_help, .plain = plain_help, .plain_help = "print the commands, and prompts for the demo" },
	{ .bound_as = "palette", .key = "Ctrl-P", .help = "open the command palette", .screen = chat_open_palette },
	{ .name = "model", .key = "F2", .argument = "[NAME]", .words = WORDS_MODELS, .group = GROUP_MODEL, .where = IN_CHAT,
	  .help = "choose the model", .act = act_model, .screen = chat_open_models, .plain = plain_list_models },
	{ .name = "protocol", .key = "F3", .argument = "[NAME]", .words = WORDS_PROTOCOLS, .group = GROUP_MODEL, .where = IN_CHAT,
	  .help = "choose the protocol", .act = act_protocol, .screen = chat_open_protocols, .plain = plain_list_protocols },
	{ .name = "provider", .key = "F4", .argument = "[NAME]", .words = WORDS_PROVIDERS, .group = GROUP_MODEL, .where = IN_CHAT,
	  .help = "choose or add a provider", .screen_words = chat_choose_provider, .plain_words = plain_choose_provider },
	{ .name = "role", .argument = "[NAME]", .words = WORDS_ROLES, .group = GROUP_MODEL, .where = IN_CHAT,
	  .help = "choose a role; new, edit or delete one", .screen_words = chat_choose_role, .plain_words = plain_choose_role },
	{ .name = "parameters", .group = GROUP_MODEL, .where = IN_CHAT,
	  .help = "set temperature, max_tokens, reasoning and others", .act = act_parameters, .screen = chat_open_parameters,
	  .plain = plain_ask_parameters },
	{ .name = "theme", .key = "F5", .argument = "[NAME]", .words = WORDS_THEMES, .group = GROUP_VIEW,
	  .help = "choose the theme", .screen_words = chat_choose_theme, .plain = plain_no_themes, .plain_help = "not available in this mode" },
	{ .name = "settings", .key = "F9", .group = GROUP_PROGRAM,
	  .help = "show all settings and change them", .screen = chat_open_settings,
	  .plain_words = plain_settings, .plain_help = "print all settings; NAME VALUE changes one, write NAME writes it to weir.conf" },
	{ .name = "stop", .key = "Esc", .group = GROUP_CONVERSATION,
	  .can = session_can_stop, .help = "stop the answer and keep what arrived",
	  .screen = chat_stop, .plain = plain_stop, .plain_help = "stop the answer and keep what arrived, as Ctrl-C does" },
	{ .name = "retry", .key = "Alt-r", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .can = session_can_retry, .help = "ask again: another answer beside this one", .screen = chat_retry, .plain = plain_retry },
	{ .name = "continue", .key = "Alt-c", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .can = session_can_continue, .help = "continue an incomplete answer", .screen = chat_continue, .plain = plain_continue },
	{ .name = "edit", .key = "Alt-u", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .can = session_can_edit, .help = "edit the prompt and send it again",
	  .screen = chat_edit, .plain_words = plain_edit, .plain_help = "print the last prompt; with a text after it, send that text instead" },
	{ .name = "take-back", .group = GROUP_CONVERSATION, .where = IN_CHAT, .can = session_can_unqueue,
	  .help = "take the last queued prompt back and print it", .plain = plain_take_back },
	{ .bound_as = "older-version", .key = "Alt-<", .where = IN_CHAT, .help = "the version of the turn before this one",
	  .screen = chat_older_version },
	{ .bound_as = "newer-version", .key = "Alt->", .where = IN_CHAT, .help = "the version of the turn after this one",
	  .screen = chat_newer_version },
	{ .name = "tree", .key = "Alt-t", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .can = session_has_turns, .help = "show all branches: open, fold, label, copy, delete", .screen = chat_open_tree,
	  .plain_words = plain_tree, .plain_help = "list all turns; /tree N opens that branch, retry, edit, label, copy or delete N works on it" },
	{ .name = "resume", .key = "F6", .argument = "[WORDS]", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .help = "open or search stored conversations", .screen_words = chat_resume,
	  .plain_words = plain_resume, .plain_help = "list stored conversations; /resume WORDS looks into titles and texts; /resume N opens one, "
	                                             "rename, pin or delete N works on it" },
	{ .name = "rename", .argument = "[TITLE]", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .help = "change the title of this conversation", .act = act_rename },
	{ .name = "undo", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .help = "bring back what was deleted (typing: Ctrl-_)", .screen = chat_undo, .plain = plain_undo },
	{ .name = "compact", .argument = "[WORDS]", .group = GROUP_CONVERSATION, .where = IN_CHAT, .can = session_can_compact,
	  .help = "summarize older turns; WORDS say what to keep", .screen_words = chat_compact, .plain_words = plain_compact },
	{ .name = "compare", .argument = "[TARGETS]", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .help = "ask several models at once, side by side: P/M,P/M...", .screen_words = chat_compare, .plain_words = plain_compare,
	  .plain_help = "ask several models at once: P/M,P/M...; /compare N goes on with answer N" },
	{ .name = "answer", .key = "Alt-a", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .can = session_can_answer, .help = "answer the pending tool calls", .screen = chat_answer, .plain = plain_answer },
	{ .name = "reasoning-text", .group = GROUP_CONVERSATION,
	  .help = "print the reasoning of the last answer", .plain = plain_tell_reasoning },
	{ .name = "calls", .group = GROUP_CONVERSATION, .help = "print the tool calls of the last answer", .plain = plain_tell_calls },
	{ .name = "details", .key = "Ctrl-O", .letter = 'd', .group = GROUP_VIEW,
	  .can = session_has_answer, .help = "show the details of the turn", .screen = chat_open_details, .plain = plain_tell_details,
	  .plain_help = "print the details of the last turn" },
	{ .name = "request", .key = "Alt-o", .letter = 'o', .argument = "[WHAT]", .words = WORDS_REQUEST, .group = GROUP_OF_STREAMS,
	  .can = session_has_answer, .help = "show the request; edit sends it changed", .screen_words = chat_open_request,
	  .plain_words = plain_tell_request, .plain_help = "print the request of the last turn; curl or json print it so, edit sends it changed" },
	{ .name = "replay", .group = GROUP_OF_STREAMS, .where = IN_CHAT,
	  .can = session_has_answer, .help = "play the recording of the turn", .screen = chat_replay, .plain = plain_tell_tape,
	  .plain_help = "print how to play the recording of the last turn" },
	{ .name = "inspect", .key = "F8", .group = GROUP_OF_STREAMS, .can = session_has_answer,
	  .help = "show the frames of the answer, raw and decoded", .screen = chat_inspect,
	  .plain_words = plain_inspect, .plain_help = "list the frames of the last answer; /inspect N prints one, /inspect more lists the next "
	                                              "ones" },
	{ .name = "findings", .group = GROUP_OF_STREAMS, .can = session_has_answer,
	  .help = "go to the next finding of lint, at its frame", .screen = chat_findings, .plain = plain_findings,
	  .plain_help = "print what lint names in the last answer, by frame" },
	{ .name = "cost", .group = GROUP_VIEW, .help = "show tokens, money and context so far", .screen = chat_open_cost, .plain = plain_tell_cost },
	{ .name = "fold", .key = "Ctrl-T", .letter = 'f', .group = GROUP_VIEW,
	  .can = session_has_answer, .help = "fold or unfold reasoning and tool calls", .screen = chat_fold },
	{ .name = "raw", .key = "Alt-m", .group = GROUP_VIEW,
	  .help = "show the source of answers and calls, or what it says", .screen = chat_toggle_raw },
	{ .bound_as = "wrap", .key = "Alt-z", .help = "wrap long lines of code, or clip them", .screen = chat_toggle_wrap },
	{ .name = "copy", .key = "Ctrl-Y", .letter = 'y', .argument = "[WHAT]", .words = WORDS_THINGS, .group = GROUP_COPY,
	  .can = session_has_answer, .help = "copy the answer's source; or code, table, turn, all", .screen_words = chat_copy },
	{ .bound_as = "copy-code", .help = "copy the newest code block in view", .screen = chat_copy_code },
	{ .name = "select", .key = "Alt-v", .group = GROUP_COPY,
	  .can = session_has_turns, .help = "select lines and copy their source", .screen = chat_select },
	{ .name = "search", .key = "Ctrl-F", .letter = '/', .argument = "[TEXT]", .group = GROUP_VIEW,
	  .can = session_has_turns, .help = "search text, reasoning and tools", .screen_words = chat_search },
	{ .bound_as = "older-hit", .key = "Alt-n", .letter = 'n', .help = "next older hit", .screen = chat_older_hit },
	{ .bound_as = "newer-hit", .key = "Alt-N", .letter = 'N', .help = "next newer hit", .screen = chat_newer_hit },
	{ .bound_as = "columns-left", .letter = '<', .where = IN_CHAT, .help = "scroll a wide table or code sideways: to the left (also Left)",
	  .screen = chat_columns_left },
	{ .bound_as = "columns-right", .letter = '>', .where = IN_CHAT, .help = "scroll a wide table or code sideways: to the right (also Right)",
	  .screen = chat_columns_right },
	{ .bound_as = "previous-turn", .letter = '{', .help = "previous turn", .jump = { PAGE_TURN, -1 } },
	{ .bound_as = "next-turn", .letter = '}', .help = "next turn", .jump = { PAGE_TURN, 1 } },
	{ .bound_as = "previous-code", .letter = '(', .help = "previous code block or table", .jump = { PAGE_BLOCK, -1 } },
	{ .bound_as = "next-code", .letter = ')', .help = "next code block or table", .jump = { PAGE_BLOCK, 1 } },
	{ .bound_as = "previous-fold", .key = "Alt-k", .letter = '[', .help = "previous reasoning, call or item; Enter unfolds it",
	  .jump = { PAGE_FOLD, -1 } },
	{ .bound_as = "next-fold", .key = "Alt-j", .letter = ']', .help = "next reasoning, call or item", .jump = { PAGE_FOLD, 1 } },
	{ .bound_as = "previous-error", .letter = '-', .help = "previous error", .jump = { PAGE_TROUBLE, -1 } },
	{ .bound_as = "next-error", .letter = '+', .help = "next error", .jump = { PAGE_TROUBLE, 1 } },
	{ .name = "messages", .group = GROUP_PROGRAM, .help = "show the last messages and errors of weir", .screen = chat_open_messages,
	  .plain = plain_tell_messages, .plain_help = "print the last messages and errors of weir" },
	{ .name = "mouse", .key = "Alt-w", .group = GROUP_PROGRAM,
	  .help = "give the mouse to weir or to the terminal", .screen = chat_toggle_mouse },
	{ .name = "id", .group = GROUP_OF_STREAMS,
	  .can = session_has_answer, .help = "copy the response id of the turn",
	  .screen = chat_copy_id, .plain = plain_tell_id, .plain_help = "print the response id of the last turn" },
	{ .name = "new", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .help = "start a new conversation", .screen = chat_new, .plain = plain_new },
	{ .name = "private", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .help = "stop storing this chat; again to resume", .act = act_private },
	{ .name = "attach", .argument = "FILE", .words = WORDS_PATH, .group = GROUP_FILES, .where = IN_CHAT, .reads_file = true,
	  .help = "attach a file, folder, address or resource; off: none",
	  .act = act_attach, .screen = chat_open_attached, .plain = plain_tell_attached,
	  .plain_help = "print what goes with the next prompt; FILE adds a file, lines of one (a.c:10-40), files (*.c), a folder, an address or "
	                "NAME:URI of an MCP server; last is an answer's picture; off drops all" },
	{ .name = "save", .argument = "FILE", .words = WORDS_PATH, .group = GROUP_FILES, .where = IN_CHAT,
	  .help = "save the conversation or a picture; the suffix says which", .act = act_save },
	{ .name = "open", .letter = 'o', .on_item = true, .group = GROUP_FILES, .where = IN_CHAT,
	  .help = "open an item: a picture, sound or file of an answer", .screen = chat_open_item, .plain = plain_open_item },
	{ .bound_as = "save-item", .letter = 's', .on_item = true, .where = IN_CHAT, .help = "save the item: /save with a name",
	  .screen = chat_save_item },
	{ .bound_as = "copy-item", .letter = 'y', .on_item = true, .where = IN_CHAT, .help = "copy the item", .screen = chat_copy_item },
	{ .name = "paste", .key = "Ctrl-V", .group = GROUP_FILES, .where = IN_CHAT,
	  .help = "attach the image in the clipboard", .screen = chat_paste, .plain = plain_paste },
	{ .bound_as = "attach-mention", .key = "Alt-i", .where = IN_CHAT,
	  .help = "attach the @FILE that pasted text names", .screen = chat_attach_offered },
	{ .name = "tools", .argument = "[FILE]", .words = WORDS_TOOLS, .group = GROUP_FILES, .where = IN_CHAT, .reads_file = true,
	  .help = "list tools; NAME on, off or ask; offer those of a file", .act = act_tools, .screen = chat_open_tools },
	{ .name = "schema", .argument = "[FILE]", .words = WORDS_PATH, .group = GROUP_FILES, .where = IN_CHAT, .reads_file = true,
	  .help = "make answers follow a JSON Schema; off removes it", .act = act_schema },
	{ .name = "system", .argument = "[TEXT]", .group = GROUP_MODEL, .where = IN_CHAT,
	  .help = "write the system prompt, or set it; off removes it", .act = act_system, .screen = chat_edit_system,
	  .plain_help = "set the system prompt, or print it; off removes it" },
	{ .name = "reasoning", .argument = "LEVEL", .words = WORDS_LEVELS, .group = GROUP_MODEL, .where = IN_CHAT,
	  .help = "reasoning effort: off, low, medium or high", .act = act_reasoning },
	{ .name = "server-tools", .argument = "[NAMES]", .words = WORDS_SERVER_TOOLS, .group = GROUP_MODEL, .where = IN_CHAT,
	  .help = "let the server search, run code, draw; off", .act = act_server_tools },
	{ .name = "thoughts", .argument = "HOW", .words = WORDS_VIEWS, .group = GROUP_VIEW,
	  .help = "show reasoning as pane, tail, folded or hidden", .screen_words = chat_show_reasoning },
	{ .name = "prompts", .key = "Ctrl-R", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .help = "search earlier prompts", .screen = chat_search_prompts },
	{ .name = "editor", .key = "Ctrl-G", .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .help = "edit the prompt in $VISUAL or $EDITOR", .screen = chat_edit_outside },
	{ .name = "template", .argument = "[NAME]", .words = WORDS_TEMPLATES, .group = GROUP_CONVERSATION, .where = IN_CHAT,
	  .help = "fill a template; new, edit or delete one", .screen_words = chat_use_template,
	  .plain_words = plain_use_template,
	  .plain_help = "list the templates; with a NAME and words, fill it and send it; new, edit or delete NAME" },
	{ .bound_as = "next-pane", .key = "Tab", .help = "next pane", .screen = chat_next_pane },
	{ .bound_as = "previous-pane", .key = "Shift-Tab", .help = "previous pane", .screen = chat_previous_pane },
	{ .name = "pause", .letter = ' ', .group = GROUP_OF_STREAMS, .where = IN_REPLAY,
	  .help = "replay: pause or resume", .act = act_pause },
	{ .name = "step", .letter = '.', .group = GROUP_OF_STREAMS, .where = IN_REPLAY,
	  .help = "replay: advance one frame", .act = act_step },
	{ .name = "back", .letter = ',', .group = GROUP_OF_STREAMS, .where = IN_REPLAY,
	  .help = "replay: take one frame back", .screen = chat_step_back },
	{ .name = "seek", .argument = "PLACE", .group = GROUP_OF_STREAMS, .where = IN_REPLAY,
	  .help = "replay: go to 12.5 (seconds), +5, -5, 50% or #118 (a frame)", .screen_words = chat_seek,
	  .plain_words = plain_seek, .plain_help = "replay: go on to 12.5 (seconds), +5, 50% or #118 (a frame)" },
	{ .name = "speed", .argument = "N", .group = GROUP_OF_STREAMS, .where = IN_REPLAY,
	  .help = "replay: play N times as fast, or max", .act = act_speed },
	{ .name = "redraw", .key = "Ctrl-L", .group = GROUP_PROGRAM, .anywhere = true,
	  .help = "draw the screen again", .screen = chat_redraw },
	{ .bound_as = "suspend", .key = "Ctrl-Z", .anywhere = true, .help = "suspend", .screen = chat_suspend },
	{ .name = "quit", .key = "Ctrl-D", .letter = 'q', .group = GROUP_PROGRAM, .when_empty = true,
	  .help = "quit; by key only while the input is empty", .screen = chat_quit, .plain = plain_quit, .plain_help = "quit, as Ctrl-D does" },
};

static bool command_is_of(const struct command *c, enum command_mode mode)
{
	return c->act || (mode == COMMAND_PLAIN ? c->plain || c->plain_words : c->screen || c->screen_words || c->jump.step || c->is_key);
}

const struct command *command_at(enum command_mode mode, size_t index)
{
	static const struct command *of[2][ARRAY_LEN(commands)]; /* by mode; filled once, because every key and every row of the palette walks them */
	static size_t counts[2];

	if (!counts[mode])
		for (size_t i = 0; i < ARRAY_LEN(commands); i++)
			if (command_is_of(&commands[i], mode))
				of[mode][counts[mode]++] = &commands[i];
	return index < counts[mode] ? of[mode][index] : NULL;
}

const char *command_group_name(enum command_group group)
{
	static const char *const names[] = {
		[GROUP_NONE] = "", [GROUP_CONVERSATION] = "Conversation", [GROUP_MODEL] = "Model", [GROUP_VIEW] = "View", [GROUP_COPY] = "Copy",
		[GROUP_FILES] = "Files", [GROUP_PROGRAM] = "Program", [GROUP_OF_STREAMS] = "Streams",
	};

	return names[group];
}

/* --- names --- */

static const struct command_alias aliases[] = {
	{ "clear", "new" }, { "exit", "quit" }, { "q", "quit" }, { "models", "model" }, { "status", "details" }, { "export", "save" },
	{ "sessions", "resume" }, { "conversations", "resume" }, { "config", "settings" }, { "params", "parameters" }, { "roles", "role" },
	{ "templates", "template" }, { "title", "rename" },
};

const struct command_alias *command_alias_at(size_t index)
{
	return index < ARRAY_LEN(aliases) ? &aliases[index] : NULL;
}

static const struct command *command_find(enum command_mode mode, struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (commands[i].name && str_is_nocase(name, commands[i].name) && command_is_of(&commands[i], mode))
			return &commands[i];
	return NULL;
}

const struct command *command_by_name(enum command_mode mode, struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
		if (str_is_nocase(name, aliases[i].name))
			return command_find(mode, str_from(aliases[i].command));
	return command_find(mode, name);
}

bool command_works(const struct command *command, bool replay)
{
	return command->where == IN_BOTH || (command->where == IN_REPLAY) == replay;
}

const char *command_why_not(const struct command *command)
{
	return command->where == IN_REPLAY ? "this works in a replay only" : "this does not work in a replay";
}

bool command_can(const struct command *command, const struct session *session, struct error *err)
{
	return !command->can || command->can(session, err);
}

/* --- words that are not commands --- */

/* Words of earlier versions. `plain` NULL: the linear mode never had it. */
static const struct { const char *word, *screen, *plain; } gone[] = {
	{ "bare", "/select marks lines, and /mouse leaves the mouse to the terminal", NULL },
	{ "pager", "/raw shows answers as their source, and /save writes a file", NULL },
	{ "wrap", "it is code in /settings", NULL },
	{ "take-back", "Up in an empty input takes the last queued prompt out, and Esc takes all of them back", NULL },
	{ "older-version", "/tree opens any version", "/tree opens any version" },
	{ "newer-version", "/tree opens any version", "/tree opens any version" },
	{ "history", "/prompts searches earlier prompts, and /resume stored conversations", "/resume lists stored conversations" },
};

/* What does the work of a word of earlier versions now; NULL: it never was one of the mode. */
static const char *command_instead(enum command_mode mode, struct str word)
{
	for (size_t i = 0; i < ARRAY_LEN(gone); i++)
		if (str_is_nocase(word, gone[i].word))
			return mode == COMMAND_PLAIN ? gone[i].plain : gone[i].screen;
	return NULL;
}

bool command_is_gone(struct str name)
{
	return command_instead(COMMAND_SCREEN, name) && !command_bound_as(name);
}

bool command_is_word(struct str word)
{
	for (size_t i = 0; i < word.len; i++)
		if ((!char_is_word(word.ptr[i]) || char_is_digit(word.ptr[i])) && word.ptr[i] != '-')
			return false;
	return word.len > 0;
}

#define CLOSE_SLIPS 2 /* a name with fewer slips is nearer than anything that a list shows */

/* NULL: no command is near. */
static const char *command_nearest(enum command_mode mode, struct nearest nearest)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (commands[i].name && command_is_of(&commands[i], mode))
			nearest_try(&nearest, commands[i].name);
	for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
		if (aliases[i].command && command_find(mode, str_from(aliases[i].command)))
			nearest_try(&nearest, aliases[i].name);
	return nearest.name;
}

void command_refuse(enum command_mode mode, struct str word, const char *nearest, struct buf *out)
{
	enum command_mode other = mode == COMMAND_PLAIN ? COMMAND_SCREEN : COMMAND_PLAIN;
	const char *close = command_nearest(mode, nearest_below(word, CLOSE_SLIPS)), *instead = command_instead(mode, word);

	if (close || !nearest)
		nearest = close ? close : command_nearest(mode, nearest_to(word));
	word = str_head(word, 60);
	if (instead)
		buf_printf(out, "there is no /%.*s any more: %s", STR_ARG(word), instead);
	else if (command_by_name(other, word))
		buf_printf(out, "/%.*s belongs to the %s", STR_ARG(word), mode == COMMAND_PLAIN ? "full screen" : "linear mode (--plain)");
	else if (nearest)
		buf_printf(out, "there is no command /%.*s; the nearest is /%s", STR_ARG(word), nearest);
	else
		buf_printf(out, "there is no command /%.*s; /help lists them", STR_ARG(word));
}

/* --- keys --- */

const char *command_key_name(const struct command *command)
{
	return command->name ? command->name : command->bound_as;
}

const struct command *command_bound_as(struct str name)
{
	if (str_is(name, "history")) /* its name in earlier versions */
		name = STR("prompts");
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (command_is_of(&commands[i], COMMAND_SCREEN) && str_is(name, command_key_name(&commands[i])))
			return &commands[i];
	return NULL;
}

bool command_own_key(const struct command *command, const struct key *key)
{
	struct key own;

	return command->key && key_from_name(str_from(command->key), &own) && key_equal(&own, key);
}

static const struct command *command_with_letter(char letter, bool on_item)
{
	for (size_t i = 0; letter && i < ARRAY_LEN(commands); i++)
		if (commands[i].letter == letter && commands[i].on_item == on_item)
			return &commands[i];
	return NULL;
}

const struct command *command_by_letter(char letter)
{
	return command_with_letter(letter, false);
}

const struct command *command_of_item(char letter)
{
	return command_with_letter(letter, true);
}

struct jump command_jump(char letter)
{
	const struct command *command = command_by_letter(letter);

	return command ? command->jump : (struct jump){ 0 };
}

bool command_takes_path(const struct command *command)
{
	return command->words == WORDS_PATH || command->words == WORDS_TOOLS;
}

bool command_reads(const struct command *command, struct str words)
{
	return command->reads_file && words.len && !str_is(words, "off") && !(command->act == act_attach && str_is(words, "last")) &&
	       !(command->act == act_tools && act_names_tool_word(words));
}

bool command_has_slash(struct str line)
{
	return str_starts(str_trim_start(line), "/");
}

struct str command_line_words(const struct edit *line)
{
	struct str text = str_trim_start(buf_str(&line->text));

	return str_trim_start(str_skip(text, str_starts(text, "/")));
}

const struct command *command_in(const struct edit *line, enum edit_origin *origin)
{
	struct str text = buf_str(&line->text), rest = command_line_words(line), words;

	struct str name = str_first_word(rest, &words);
	*origin = edit_origin(line, 0, text.len - rest.len + name.len);
	return command_by_name(COMMAND_SCREEN, name);
}

/* Whether the name of a command of the full screen, or an alias, begins with the word, in any case. */
static bool command_begins(struct str word)
{
	bool begins = false;

	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		begins |= command_is_of(&commands[i], COMMAND_SCREEN) && str_has_nocase(str_head(str_from(commands[i].name), word.len), word);
	for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
		begins |= str_has_nocase(str_head(str_from(aliases[i].name), word.len), word);
	return begins && word.len;
}

enum line_kind command_line(const struct edit *line, bool slashed, const struct command **command)
{
	enum edit_origin origin;

	*command = command_in(line, &origin);
	if ((!slashed && !command_has_slash(buf_str(&line->text))) || origin == EDIT_FOREIGN)
		return LINE_TEXT;
	if (*command)
		return LINE_COMMAND;
	return slashed && command_begins(command_line_words(line)) ? LINE_BEGINS_COMMAND : LINE_TEXT;
}
