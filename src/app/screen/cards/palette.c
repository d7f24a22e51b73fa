/* The palette: commands by their slash words, with their keys. */
#include "app/screen/cards/menus_inside.h"

#include <stdio.h>
#include <string.h>

#include "app/command/bindings.h"
#include "app/command/command.h"
#include "app/setup/setup.h"
#include "base/mem.h"
#include "base/utf8.h"

#define PALETTE_WORD_COLUMNS 21 /* of the longest command and its argument, with the slash */

static enum command_group palette_group(const struct command *command)
{
	return command->group == GROUP_NONE ? GROUP_PROGRAM : command->group;
}

/* Rows are ordered by group. Commands without a slash word and commands that do not work here have no row. */
static const struct command *palette_command(const struct menus *m, long index)
{
	for (int group = GROUP_NONE + 1; group < GROUP_COUNT; group++)
		for (size_t i = 0; command_at(COMMAND_SCREEN, i); i++) {
			const struct command *command = command_at(COMMAND_SCREEN, i);
			bool shown = command->name && (int)palette_group(command) == group && command_works(command, m->host->replay);

			if (shown && index-- == 0)
				return command;
		}
	return NULL;
}

/* Behind the commands stand the MCP servers, whose prompts are named "/NAME:PROMPT". NULL: the row is none. */
static const char *palette_server(const struct menus *m, long index)
{
	long commands = 0;

	while (palette_command(m, commands))
		commands++;
	if (index < commands || m->host->replay)
		return NULL;
	const struct mcp_server *server = mcp_hub_at(m->host->setup->servers, (size_t)(index - commands)).server;
	return server ? server->name : NULL;
}

static const char *palette_keys(const struct menus *m)
{
	if (!menu_has_choice(m->menu))
		return "type or Down to choose   Esc back";
	return m->host->replay ? "Enter choose   Esc back" : "Tab write it   Enter choose   Esc back";
}

static void palette_fill_servers(struct menus *m, long index)
{
	struct buf text = { 0 };
	const char *name;

	for (; (name = palette_server(m, index)); index++) {
		buf_clear(&text);
		buf_printf(&text, "/%s:%*s prompts of the MCP server", name, PALETTE_WORD_COLUMNS - 2 - (int)utf8_width(str_from(name)), "");
		menu_add(m->menu, &(struct menu_item){ .text = buf_str(&text), .name_at = 1, .name_len = strlen(name) + 1,
		                                       .group = command_group_name(GROUP_CONVERSATION), .filtered_only = true });
	}
	buf_fini(&text);
}

/* Commands that have nothing to act on are shown only to those who type them. */
void palette_fill(struct menus *m)
{
	long i = 0;
	struct error err;
	char word[48], text[160];
	const struct command *command;
	struct buf keys = { 0 };

	menu_set_keys(m->menu, palette_keys(m));
	for (; (command = palette_command(m, i)); i++) {
		snprintf(word, sizeof word, "/%s %s", command->name, command->argument ? command->argument : "");
		snprintf(text, sizeof text, "%-*s %s", PALETTE_WORD_COLUMNS, word, command->help);
		buf_clear(&keys);
		bool can = command_can(command, m->host->session, &err);
		if (can)
			bindings_write(m->host->setup->bindings, command, &keys);
		else
			buf_add_z(&keys, "not now");
		menu_add(m->menu, &(struct menu_item){ .text = str_from(text), .name_at = 1, .name_len = strlen(command->name),
		                                       .group = command_group_name(palette_group(command)), .fact = buf_str(&keys),
		                                       .filtered_only = !can, .muted = !can });
	}
	palette_fill_servers(m, i);
	buf_fini(&keys);
}

static const struct command *typed_command(const struct edit *line)
{
	enum edit_origin origin;
	const struct command *command = command_in(line, &origin);

	return origin != EDIT_FOREIGN ? command : NULL;
}

/* "reasoning high": a command typed with its argument is taken literally, even if its letters also match a row. */
static bool is_command_with_words(const struct edit *line)
{
	const struct command *command = typed_command(line);

	return command && str_trim(command_line_words(line)).len > strlen(command->name);
}

/* Text pasted after a command and a space is its argument. */
static bool takes_paste(const struct edit *line)
{
	const struct command *command = typed_command(line);

	return command && command_line_words(line).len > strlen(command->name) && line->cursor == line->text.len;
}

/* Writes the command into the input and opens the list of its arguments. */
static void palette_write(struct menus *m, const struct command *command)
{
	char text[64];

	snprintf(text, sizeof text, "/%s%s", command->name, command->argument ? " " : "");
	composer_write(m->composer, str_from(text));
}

/* The same of a server, whose prompts are listed then; `typed`: what is to stand there. */
static void palette_write_server(struct menus *m, struct str typed)
{
	struct buf text = { 0 };

	buf_printf(&text, "/%.*s", STR_ARG(typed));
	composer_write(m->composer, buf_str(&text));
	buf_fini(&text);
}

static void palette_write_row(struct menus *m, const char *server)
{
	struct buf text = { 0 };

	buf_printf(&text, "%s:", server);
	palette_write_server(m, buf_str(&text));
	buf_fini(&text);
}

static void palette_keep(struct menus *m, const struct edit *line)
{
	composer_keep_slip(m->composer, command_line_words(line), edit_origin(line, 0, line->text.len));
}

static void palette_refuse(struct menus *m, const struct chosen *chosen, const struct command *nearest)
{
	struct str words, word = str_first_word(command_line_words(chosen->line), &words);
	struct buf sentence;

	buf_init(&sentence, BUF_LIMIT_DEFAULT);
	command_refuse(COMMAND_SCREEN, word, nearest ? nearest->name : NULL, &sentence);
	host_say(m->host, "%s", buf_z(&sentence));
	buf_fini(&sentence);
	palette_keep(m, chosen->line);
}

#define PASTED_WORDS "pasted text is no command: type it, or paste it into the input"

static void palette_run_typed(struct menus *m, const struct chosen *chosen, const struct command *typed)
{
	if (host_may_run(m->host, typed, chosen->enter))
		host_run(m->host, command_line_words(chosen->line));
	else
		palette_keep(m, chosen->line);
}

void palette_run_row(struct menus *m, const struct command *command)
{
	if (command->argument && *command->argument != '[' && !m->host->replay)
		palette_write(m, command);
	else
		host_run(m->host, str_from(command->name));
}

/* Whether exactly the name of the row's command was typed: it then counts as choosing the row. */
static bool is_name_of(const struct command *command, const struct edit *line)
{
	return command && str_is(str_trim(command_line_words(line)), command->name);
}

/* A typed name, or a command with its argument, is taken literally, even if its letters also match a row. */
void palette_choose(struct menus *m, const struct chosen *chosen)
{
	const struct command *typed = typed_command(chosen->line), *command = palette_command(m, chosen->index);

	const char *server = chosen->meant ? palette_server(m, chosen->index) : NULL;

	bool is_row = command && (is_name_of(typed, chosen->line) || (chosen->moved && !is_command_with_words(chosen->line)));

	if (typed && !is_row)
		palette_run_typed(m, chosen, typed);
	else if (server && edit_origin(chosen->line, 0, chosen->line->text.len) != EDIT_FOREIGN)
		palette_write_row(m, server);
	else if (!command)
		palette_refuse(m, chosen, NULL);
	else if (edit_origin(chosen->line, 0, chosen->line->text.len) == EDIT_FOREIGN)
		host_say(m->host, PASTED_WORDS);
	else if (!chosen->meant)
		palette_refuse(m, chosen, command);
	else
		palette_run_row(m, command);
}

/* The last row offers a command with its argument, or an alias. Otherwise there is such a row only if nothing matches. */
void palette_filtered(struct menus *m)
{
	const struct edit *line = menu_line(m->menu);
	const struct command *typed = typed_command(line);
	struct str prompt;
	size_t server;

	if (!m->host->replay && setup_find_server(m->host->setup, command_line_words(line), &server, &prompt) &&
	    edit_origin(line, 0, line->text.len) != EDIT_FOREIGN) {
		char *text = str_dup(command_line_words(line));

		menus_close(m); /* prompts are completed in the input, too */
		palette_write_server(m, str_from(text));
		mem_free(text);
		return;
	}
	if (typed && command_takes_path(typed) && !m->host->replay && takes_paste(menu_line(m->menu))) {
		menus_close(m); /* paths are completed in the input */
		palette_write(m, typed);
		return;
	}
	menu_set_typed(m->menu, typed ? "run \"/%s\"" : menu_matches(m->menu) ? NULL : "there is no command /%s");
	menu_set_keys(m->menu, palette_keys(m));
}

/* Tab writes the command into the input. Pasted text is never a command, only the argument of a typed one. */
bool palette_key(struct menus *m, const struct key *key)
{
	const char *server;
	struct str typed;

	if (key->code == KEY_PASTE && !takes_paste(menu_line(m->menu))) {
		host_say(m->host, PASTED_WORDS);
		return true;
	}
	long row = key->code == KEY_TAB && !m->host->replay ? menu_choice(m->menu, &typed) : -1;
	const struct command *command = row >= 0 ? palette_command(m, row) : NULL;
	server = row >= 0 && !command ? palette_server(m, row) : NULL;
	if (!command && !server)
		return false;
	menus_close(m);
	if (command)
		palette_write(m, command);
	else
		palette_write_row(m, server);
	return true;
}
