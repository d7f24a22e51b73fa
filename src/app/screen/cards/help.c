/* Help: a menu of keys and commands, on pages. A filter finds rows of all pages. A row that is chosen runs its command. */
#include "app/screen/cards/menus_inside.h"

#include <stdio.h>
#include <string.h>

#include "app/command/bindings.h"
#include "app/command/command.h"
#include "app/demo/demo.h"
#include "app/screen/replay/inspect.h"
#include "app/screen/replay/player_keys.h"
#include "app/setup/setup.h"
#include "base/array.h"
#include "base/mem.h"

enum { HELP_KEY_COLUMNS = 10, HELP_WORD_COLUMNS = 14, HELP_PROMPT_COLUMNS = 24 };

/* A row has one of these: a command, a key that is none, or words that choose an answer of the demo. */
struct help_row {
	const char *group;       /* its heading */
	unsigned page;
	const struct command *command;
	struct key_help key;
	const struct demo_help *demo;
};

/* The keys of the README, which are enough to chat. */
static const struct key_help first_keys[] = {
	{ "Enter", "send" },
	{ "Esc", "stop the answer and keep what arrived; close what is open" },
	{ "/", "list the commands, filtered as you type" },
	{ "Tab", "go to the page: j k scroll, y copies, f folds, / searches" },
	{ "?", "this help, while the input is empty" },
	{ "Ctrl-C", "stop, else clear the input; twice quits" },
};

static const char *const first_commands[] = {
	"new-line", "palette", "help", "model", "provider", "resume", "retry", "edit", "tree", "attach", "compare", "inspect", "settings",
};

static const struct key_help moving[] = {
	{ "wheel", "scroll; drag to select (with Shift the terminal selects)" },
	{ "Home End", "go to the start or the end, if the input is empty" },
	{ "j k g G", "in the page: scroll, go to the start or the end" },
};

static const struct key_help writing[] = {
	{ "Up Down", "earlier prompts, those that begin with the text before the cursor" },
	{ "Ctrl-_", "undo (also Ctrl-/); Alt-_ or Alt-/ redoes" },
	{ "Ctrl-W", "cut the word before the cursor, Alt-d the word after it" },
	{ "Ctrl-U", "cut the line before the cursor, Ctrl-K the rest of the line" },
	{ "Ctrl-Y", "insert the last cut; then Alt-y replaces it with the one before" },
	{ "Tab", "complete a slash command, a model or a file (@NAME)" },
	{ "Alt-Home", "go to the start of the text, Alt-End to its end" },
	{ "Esc", "with edit = vi (F9): letters are vi's motions and operators, / searches" },
	{ "Alt-e", "turn a [pasted ...] chip into text" },
	{ "Shift-Enter", "new line, if the terminal can report it" },
};

/* --- the rows --- */

static void help_add(struct menus *m, struct help_row row)
{
	mem_reserve(&m->help.rows, &m->help.capacity, m->help.count + 1, sizeof *m->help.rows);
	m->help.rows[m->help.count++] = row;
}

static void help_add_keys(struct menus *m, unsigned page, const char *group, const struct key_help *keys, size_t count)
{
	for (size_t i = 0; i < count; i++)
		help_add(m, (struct help_row){ .group = group, .page = page, .key = keys[i] });
}

static bool help_has(const struct menus *m, const struct command *command)
{
	for (size_t i = 0; i < m->help.count; i++)
		if (m->help.rows[i].command == command)
			return true;
	return false;
}

/* Those of a group that work here and have no row yet. */
static void help_add_commands(struct menus *m, unsigned page, const char *heading, enum command_group group)
{
	const struct command *command;

	for (size_t i = 0; (command = command_at(COMMAND_SCREEN, i)); i++)
		if (command->group == group && command_works(command, m->host->replay) && !help_has(m, command))
			help_add(m, (struct help_row){ .group = heading, .page = page, .command = command });
}

static void help_add_first(struct menus *m, unsigned page)
{
	static const char first[] = "Keys and commands";

	help_add_keys(m, page, first, first_keys, ARRAY_LEN(first_keys));
	for (size_t i = 0; i < ARRAY_LEN(first_commands); i++)
		help_add(m, (struct help_row){ .group = first, .page = page, .command = command_bound_as(str_from(first_commands[i])) });
	for (size_t i = 0; provider_is_demo(m->host->setup->target.provider) && demo_help_at(i); i++)
		help_add(m, (struct help_row){ .group = "Prompts that the demo knows", .page = page, .demo = demo_help_at(i) });
}

static void help_add_chat(struct menus *m, unsigned page)
{
	for (enum command_group group = GROUP_CONVERSATION; group < GROUP_OF_STREAMS; group++)
		help_add_commands(m, page, command_group_name(group), group);
	help_add_keys(m, page, "Moving", moving, ARRAY_LEN(moving));
	help_add_commands(m, page, "Moving", GROUP_NONE);
	help_add_keys(m, page, "Writing, with the keys of a shell's command line", writing, ARRAY_LEN(writing));
}

static void help_add_streams(struct menus *m, unsigned page)
{
	help_add_commands(m, page, "What was sent and received", GROUP_OF_STREAMS);
	for (size_t i = 0; m->host->replay && player_keys_help_at(i); i++)
		help_add_keys(m, page, "The player", player_keys_help_at(i), 1);
	for (size_t i = 0; inspect_keys_help_at(i); i++)
		help_add_keys(m, page, "The inspector", inspect_keys_help_at(i), 1);
}

/* --- the pages --- */

static const struct help_page {
	const char *name;
	void (*add)(struct menus *m, unsigned page);
} chat_pages[] = { { "First keys", help_add_first }, { "Chat", help_add_chat }, { "Streams", help_add_streams } },
  replay_pages[] = { { "Replay", help_add_streams }, { "Other keys", help_add_chat } };

static const struct help_page *help_pages(const struct menus *m, unsigned *count)
{
	*count = m->host->replay ? ARRAY_LEN(replay_pages) : ARRAY_LEN(chat_pages);
	return m->host->replay ? replay_pages : chat_pages;
}

static void help_write_keys(const struct menus *m, const struct help_row *row, struct buf *out)
{
	if (row->command)
		bindings_write_all(m->host->setup->bindings, row->command, out);
	else
		buf_add_z(out, row->demo ? row->demo->words : row->key.keys);
}

/* A name is what one types to find the row: a slash word, else its key. */
static void help_add_item(struct menus *m, const struct help_row *row, bool shown)
{
	struct buf keys = { 0 }, text = { 0 };
	const char *word = row->command ? row->command->name : NULL;

	help_write_keys(m, row, &keys);
	buf_printf(&text, "%-*s  ", row->demo ? HELP_PROMPT_COLUMNS : HELP_KEY_COLUMNS, keys.len ? buf_z(&keys) : "");
	size_t name = word ? text.len + 1 : 0;
	if (word)
		buf_printf(&text, "/%-*s", HELP_WORD_COLUMNS, word);
	buf_add_z(&text, row->command ? row->command->help : row->demo ? row->demo->help : row->key.help);
	menu_add(m->menu, &(struct menu_item){ .text = buf_str(&text), .name_at = name, .group = row->group, .filtered_only = !shown,
	                                       .name_len = word ? strlen(word) : keys.len ? keys.len : 1 });
	buf_fini(&keys);
	buf_fini(&text);
}

static void help_show(struct menus *m)
{
	unsigned count;
	const struct help_page *pages = help_pages(m, &count);
	char keys[80], figures[40];

	menu_clear(m->menu);
	for (size_t i = 0; i < m->help.count; i++)
		help_add_item(m, &m->help.rows[i], m->help.rows[i].page == m->help.page);
	snprintf(figures, sizeof figures, "%s, %u of %u", pages[m->help.page].name, m->help.page + 1, count);
	snprintf(keys, sizeof keys, "Tab %s   type to find   Enter run   Esc back", pages[(m->help.page + 1) % count].name);
	menu_set_figures(m->menu, str_from(figures));
	menu_set_keys(m->menu, keys);
	host_redraw(m->host);
}

void help_fill(struct menus *m)
{
	unsigned count;
	const struct help_page *pages = help_pages(m, &count);

	m->help.page = 0;
	for (unsigned i = 0; i < count; i++)
		pages[i].add(m, i);
	help_show(m);
}

void menus_open_help(struct menus *m, bool streams)
{
	unsigned count;
	const struct help_page *pages = help_pages(m, &count);

	menus_open(m, MENU_HELP);
	while (streams && pages[m->help.page].add != help_add_streams)
		m->help.page++;
	help_show(m);
}

void help_left(struct menus *m)
{
	mem_free(m->help.rows);
	m->help = (struct help_rows){ 0 };
}

/* --- what is done --- */

static const struct help_row *help_chosen(const struct menus *m)
{
	struct str typed;
	long index = menu_choice(m->menu, &typed);

	return index < 0 ? NULL : &m->help.rows[index];
}

/* Whether Enter may run the row: the user moved to it, or typed, and did not paste, the beginning of its name. */
static bool help_is_meant(const struct menus *m)
{
	const struct edit *line = menu_line(m->menu);

	return menu_has_moved(m->menu) || (menu_is_meant(m->menu) && edit_origin(line, 0, line->text.len) != EDIT_FOREIGN);
}

static void help_turn(struct menus *m, const struct key *key)
{
	unsigned count;

	(void)help_pages(m, &count);
	m->help.page = (m->help.page + (key->code == KEY_TAB ? 1 : count - 1)) % count;
	help_show(m);
}

/* What cannot be run stays, and is said. */
bool help_key(struct menus *m, const struct key *key)
{
	const struct help_row *row = help_chosen(m);

	if (host_key_is(m->host, key, "help"))
		menus_close(m);
	else if (key->code == KEY_TAB || key->code == KEY_BACKTAB)
		help_turn(m, key);
	else if (key->code != KEY_ENTER || !row)
		return false;
	else if (!help_is_meant(m))
		host_say(m->host, "Down goes to a row, and Enter runs it");
	else if (!row->demo && !(row->command && row->command->name))
		host_say(m->host, "this is a key: press it where its row says");
	else
		return false;
	return true;
}

void help_choose(struct menus *m, const struct chosen *chosen)
{
	struct help_row row = m->help.rows[chosen->index];

	help_left(m);
	if (row.demo)
		composer_write(m->composer, str_head(str_from(row.demo->words), strcspn(row.demo->words, ",")));
	else
		palette_run_row(m, row.command);
}
