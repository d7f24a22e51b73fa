#include "app/command.h"

#include "app/chat/chat_commands.h"
#include "app/plain/plain_commands.h"
#include "base/array.h"

static const struct command commands[] = {
	{ .name = "help",     .key = "F1",        .help = "keys, commands, and what the demo answers to", .screen = chat_open_help,
	  .plain = plain_help, .plain_help = "the commands, and what the demo answers to" },
	{ .key = "Ctrl-P",    .help = "the palette: every command", .screen = chat_open_palette },
	{ .name = "model",    .key = "F2",        .argument = "[NAME]", .words = WORDS_MODELS, .help = "choose the model", .act = act_model,
	  .screen = chat_open_models, .plain = plain_list_models },
	{ .name = "protocol", .key = "F3",        .argument = "[NAME]", .words = WORDS_PROTOCOLS, .help = "choose the protocol", .act = act_protocol,
	  .screen = chat_open_protocols, .plain = plain_list_protocols },
	{ .name = "provider", .key = "F4",        .argument = "[NAME]", .words = WORDS_PROVIDERS, .help = "choose the provider", .act = act_provider,
	  .screen = chat_open_providers, .plain = plain_list_providers },
	{ .name = "theme",    .key = "F5",        .argument = "[NAME]", .words = WORDS_THEMES, .help = "choose the theme", .screen_words = chat_choose_theme,
	  .plain = plain_no_themes, .plain_help = "there are none here" },
	{ .name = "stop",     .key = "Esc",       .help = "stop the answer, keep what came", .screen = chat_stop,
	  .plain = plain_stop, .plain_help = "stop the answer, keep what came; Ctrl-C does it too" },
	{ .name = "retry",    .key = "Alt-r",     .letter = 'r', .help = "send the turn again", .screen = chat_retry, .plain = plain_retry },
	{ .name = "continue", .key = "Alt-c",     .letter = 'c', .help = "have an answer that broke off go on", .screen = chat_continue,
	  .plain = plain_continue },
	{ .name = "edit",     .key = "Alt-u",     .letter = 'u', .help = "edit the last prompt and send it again", .screen = chat_edit,
	  .plain_words = plain_edit, .plain_help = "read the last prompt; with a text behind it, send that in its place" },
	{ .name = "answer",   .key = "Alt-a",     .letter = 'a', .help = "answer the tool calls that wait", .screen = chat_answer,
	  .plain = plain_answer },
	{ .name = "reasoning-text", .help = "read the reasoning of the last answer", .plain = plain_tell_reasoning },
	{ .name = "calls",    .help = "read the tool calls of the last answer", .plain = plain_tell_calls },
	{ .name = "details",  .key = "Ctrl-O",    .letter = 'd', .help = "everything known about the last turn", .screen = chat_open_details,
	  .plain = plain_tell_details },
	{ .name = "fold",     .key = "Ctrl-T",    .letter = 't', .help = "unfold or fold reasoning and tool calls", .screen = chat_fold },
	{ .name = "raw",      .key = "Alt-m",     .letter = 'm', .help = "show answers as their source, or as markdown", .screen = chat_toggle_raw },
	{ .name = "wrap",     .key = "Alt-z",     .letter = 'w', .help = "long lines of code: wrap, or cut and scroll", .screen = chat_toggle_wrap },
	{ .name = "copy",     .key = "Ctrl-Y",    .letter = 'y', .argument = "[WHAT]", .words = WORDS_THINGS, .help = "copy the answer's source, code, turn or all",
	  .screen_words = chat_copy },
	{ .letter = 'b',      .help = "copy the newest code block in view", .screen = chat_copy_code },
	{ .name = "select",   .key = "Alt-v",     .letter = 'v', .help = "select lines to be copied as their source", .screen = chat_select },
	{ .name = "bare",     .key = "Alt-x",     .letter = 'x', .help = "the text alone, for the terminal to select", .screen = chat_open_bare },
	{ .name = "pager",    .letter = 'p',      .argument = "[WHAT]", .words = WORDS_THINGS, .help = "read the answer in $PAGER; or code, turn, all",
	  .screen_words = chat_open_pager },
	{ .name = "open",     .letter = 'e',      .argument = "[WHAT]", .words = WORDS_THINGS, .help = "the same in $VISUAL or $EDITOR", .screen_words = chat_open_editor },
	{ .name = "search",   .key = "Ctrl-F",    .letter = '/', .argument = "[TEXT]", .help = "search text, reasoning and tools",
	  .screen_words = chat_search },
	{ .letter = 'n',      .help = "next older hit", .screen = chat_older_hit },
	{ .letter = 'N',      .help = "next newer hit", .screen = chat_newer_hit },
	{ .letter = '{',      .help = "to the turn before", .jump = { PAGE_TURN, -1 } },
	{ .letter = '}',      .help = "to the turn behind", .jump = { PAGE_TURN, 1 } },
	{ .letter = '(',      .help = "to the code block before", .jump = { PAGE_CODE, -1 } },
	{ .letter = ')',      .help = "to the code block behind", .jump = { PAGE_CODE, 1 } },
	{ .letter = '[',      .help = "to what went wrong before", .jump = { PAGE_TROUBLE, -1 } },
	{ .letter = ']',      .help = "to what went wrong behind", .jump = { PAGE_TROUBLE, 1 } },
	{ .name = "mouse",    .key = "Alt-w",     .help = "the mouse is weir's, or the terminal's", .screen = chat_toggle_mouse },
	{ .name = "id",       .letter = 'i',      .help = "copy the response id of the last turn", .screen = chat_copy_id,
	  .plain = plain_tell_id, .plain_help = "read the response id of the last turn" },
	{ .name = "new",      .help = "begin a new conversation", .screen = chat_new, .plain = plain_new },
	{ .name = "attach",   .argument = "FILE", .words = WORDS_PATH, .reads_file = true, .help = "add a file to the next prompt; off drops them", .act = act_attach },
	{ .key = "Alt-i",     .help = "attach the @FILE that is named but was not typed", .screen = chat_attach_offered },
	{ .name = "tools",    .argument = "[FILE]", .words = WORDS_PATH, .reads_file = true, .help = "offer the tools of a file (OpenAI shape); off drops them", .act = act_tools },
	{ .name = "schema",   .argument = "[FILE]", .words = WORDS_PATH, .reads_file = true, .help = "have answers follow a JSON Schema; off drops it", .act = act_schema },
	{ .name = "system",   .argument = "[TEXT]", .help = "set the system prompt; off drops it", .act = act_system },
	{ .name = "reasoning", .argument = "LEVEL", .words = WORDS_LEVELS, .help = "how much to reason: off, low, medium or high", .act = act_reasoning },
	{ .name = "thoughts", .argument = "HOW", .words = WORDS_VIEWS,  .help = "show reasoning in a pane, tail, folded or hidden", .screen_words = chat_show_reasoning },
	{ .name = "history",  .key = "Ctrl-R",    .help = "search what was sent before", .screen = chat_search_prompts },
	{ .name = "editor",   .key = "Ctrl-G",    .help = "write in $VISUAL or $EDITOR", .screen = chat_edit_outside },
	{ .key = "Tab",       .help = "next pane", .screen = chat_next_pane },
	{ .key = "Shift-Tab", .help = "previous pane", .screen = chat_previous_pane },
	{ .name = "pause",    .letter = ' ',      .help = "replay: pause or go on", .act = act_pause },
	{ .name = "step",     .letter = '.',      .help = "replay: one frame", .act = act_step },
	{ .name = "redraw",   .key = "Ctrl-L",    .anywhere = true, .help = "draw the screen again", .screen = chat_redraw },
	{ .key = "Ctrl-Z",    .anywhere = true, .help = "suspend", .screen = chat_suspend },
	{ .name = "quit",     .letter = 'q',      .help = "leave", .screen = chat_quit, .plain = plain_quit,
	  .plain_help = "leave; Ctrl-D does it too" },
};

static bool command_is_of(const struct command *c, enum command_mode mode)
{
	return c->act || (mode == COMMAND_PLAIN ? c->plain || c->plain_words : c->screen || c->screen_words || c->jump.step);
}

const struct command *command_at(enum command_mode mode, size_t index)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (command_is_of(&commands[i], mode) && index-- == 0)
			return &commands[i];
	return NULL;
}

const struct command *command_by_name(enum command_mode mode, struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (commands[i].name && str_is(name, commands[i].name) && command_is_of(&commands[i], mode))
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
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (has_key(commands[i].key, key))
			return &commands[i];
	return NULL;
}

const struct command *command_by_letter(char letter)
{
	for (size_t i = 0; letter && i < ARRAY_LEN(commands); i++)
		if (commands[i].letter == letter)
			return &commands[i];
	return NULL;
}

struct jump command_jump(char letter)
{
	const struct command *command = command_by_letter(letter);

	return command ? command->jump : (struct jump){ 0 };
}

bool command_reads(const struct command *command, struct str words)
{
	return command->reads_file && words.len && !str_is(words, "off");
}

struct str command_split(struct str line, struct str *words)
{
	struct str rest = str_trim(line);
	size_t end = 0;

	while (end < rest.len && !char_is_blank(rest.ptr[end]))
		end++;
	*words = str_trim(str_skip(rest, end));
	return str_head(rest, end);
}

const struct command *command_in(const struct edit *line, enum edit_origin *origin)
{
	struct str text = buf_str(&line->text), rest = str_trim_start(text), words;

	rest = str_trim_start(str_skip(rest, str_starts(rest, "/")));
	struct str name = command_split(rest, &words);
	*origin = edit_origin(line, 0, text.len - rest.len + name.len);
	return command_by_name(COMMAND_SCREEN, name);
}
