/* Completion of the word at the cursor: slash words, their arguments, and paths. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/command/command.h"
#include "app/screen/input/composer.h"
#include "app/screen/services/copying.h"
#include "app/screen/services/theme_choice.h"
#include "app/session/turn_request.h"
#include "app/setup/setup.h"
#include "base/mem.h"
#include "base/names.h"
#include "store/config/roles.h"
#include "store/config/templates.h"
#include "store/files/paths.h"

#define NAMES_MOST 5000       /* how many entries of a folder are read */
#define NAMES_CUT "the folder has more names than are read (5000)"
#define BLANKS_LEFT "names with a blank are left out: /attach takes them"
#define PATH_BYTES 4096
#define FACT_LIMIT 4096

/* --- paths --- */

void composer_forget_folder(struct composer *w)
{
	for (size_t i = 0; i < w->name_count; i++)
		mem_free(w->names[i]);
	w->name_count = 0;
	w->names_cut = false;
	mem_free(w->folder);
	w->folder = NULL;
}

/* Whether a name could not be typed or would not be read back unchanged. */
static bool is_odd(const char *name)
{
	for (const char *at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7F)
			return true;
	return !strcmp(name, ".") || !strcmp(name, "..") || !utf8_is_valid(str_from(name));
}

static void folder_add_name(struct composer *w, DIR *dir, const struct dirent *entry)
{
	struct stat facts;
	struct buf name;
	bool is_folder;

	if (is_odd(entry->d_name))
		return;
	if (w->name_count == NAMES_MOST) {
		w->names_cut = true;
		return;
	}
	is_folder = fstatat(dirfd(dir), entry->d_name, &facts, 0) == 0 && S_ISDIR(facts.st_mode);
	buf_init(&name, PATH_BYTES);
	buf_printf(&name, "%s%s", entry->d_name, is_folder ? "/" : "");
	mem_reserve(&w->names, &w->name_capacity, w->name_count + 1, sizeof *w->names);
	w->names[w->name_count++] = buf_take(&name);
}

/* Reads the entries of a folder, NAMES_MOST at most, once while the list is open. */
static void folder_read_names(struct composer *w, struct str folder)
{
	struct dirent *entry;
	char *path;
	DIR *dir;

	if (w->folder && str_is(folder, w->folder))
		return;
	composer_forget_folder(w);
	w->folder = str_dup(folder);
	path = path_expand(folder);
	dir = opendir(*path ? path : ".");
	mem_free(path);
	if (!dir)
		return;
	while (!w->names_cut && (entry = readdir(dir)))
		folder_add_name(w, dir, entry);
	closedir(dir);
	if (w->name_count)
		qsort(w->names, w->name_count, sizeof *w->names, names_compare);
}

/*
 * Lists the completions of a path: a folder and the beginning of a name in it. Returns the length of the folder's part. In the middle
 * of a prompt a space ends a path.
 */
static size_t offer_paths(struct composer *w, struct str path, bool blanks)
{
	size_t folder = str_behind_last(path, '/');
	struct str start = str_skip(path, folder);

	if (path.len >= PATH_BYTES)
		return 0;
	folder_read_names(w, str_head(path, folder));
	complete_begin(w->list, start);
	for (size_t i = 0; i < w->name_count; i++) {
		struct str name = str_from(w->names[i]);
		bool left_out = !blanks && strchr(w->names[i], ' ');

		if (w->names[i][0] == '.' && !str_starts(start, "."))
			continue;
		if (!left_out)
			complete_add(w->list, name, STR_NONE, i);
		else if (start.len && str_equal(str_head(name, start.len), start))
			complete_leave_out(w->list, BLANKS_LEFT);
	}
	if (w->names_cut)
		complete_leave_out(w->list, NAMES_CUT);
	w->offers = COMPOSER_PATHS;
	return folder;
}

/* --- arguments of slash words --- */

static void offer_models(struct composer *w)
{
	struct buf fact;
	const struct models *models = model_list_of_target(w->tools.models, w->host->setup);

	if (!models)
		return;
	buf_init(&fact, FACT_LIMIT);
	for (size_t i = 0; i < models_count(models); i++) {
		buf_clear(&fact);
		model_facts_text(models_at(models, i), &fact);
		complete_add(w->list, str_from(models_at(models, i)->id), buf_str(&fact), i);
	}
	buf_fini(&fact);
}

static void offer_protocols(struct composer *w)
{
	for (size_t i = 0; w->host->setup->target.provider->protocols[i]; i++)
		complete_add(w->list, str_from(w->host->setup->target.provider->protocols[i]->name), STR_NONE, i);
}

static void offer_providers(struct composer *w)
{
	for (size_t i = 0; i < providers_count(w->host->setup->providers); i++)
		complete_add(w->list, str_from(providers_at(w->host->setup->providers, i)->name), STR_NONE, i);
}

static void offer_themes(struct composer *w)
{
	for (size_t i = 0; theme_choice_at(i); i++) {
		const char *name = theme_choice_at(i);

		complete_add(w->list, str_from(name), theme_choice_has_forms(name) ? STR("as the terminal is") : STR_NONE, i);
	}
}

static void offer_roles(struct composer *w)
{
	const struct roles *roles = &w->host->setup->settings.roles;
	struct buf facts;

	buf_init(&facts, FACT_LIMIT);
	for (size_t i = 0; i < roles->count; i++) {
		buf_clear(&facts);
		role_write_facts(&roles->items[i], &facts);
		complete_add(w->list, str_from(roles->items[i].name), buf_str(&facts), i);
	}
	complete_add(w->list, STR(ROLE_OFF), STR("no role"), roles->count);
	buf_fini(&facts);
}

static void offer_templates(struct composer *w)
{
	const struct templates *templates = &w->host->setup->settings.templates;
	struct buf places;

	buf_init(&places, FACT_LIMIT);
	for (size_t i = 0; i < templates->count; i++) {
		buf_clear(&places);
		template_write_places(&templates->items[i], &places);
		complete_add(w->list, str_from(templates->items[i].name), buf_str(&places), i);
	}
	buf_fini(&places);
}

static void offer_levels(struct composer *w)
{
	for (size_t i = REASONING_LEVEL_OFF; i < REASONING_LEVEL_COUNT; i++)
		complete_add(w->list, str_from(reasoning_level_name((enum reasoning_level)i)), STR_NONE, i);
}

/* The last of several names, separated by commas. */
static void offer_server_tools(struct composer *w)
{
	for (size_t i = 0; server_tool_name_at(NULL, i); i++)
		complete_add(w->list, str_from(server_tool_name_at(NULL, i)), STR_NONE, i);
	complete_add(w->list, STR("off"), STR("none"), SERVER_CAN_COUNT);
}

static void offer_views(struct composer *w)
{
	for (size_t i = 0; i < REASONING_VIEW_COUNT; i++)
		complete_add(w->list, str_from(reasoning_view_name((enum reasoning_view)i)), STR_NONE, i);
}

static void offer_things(struct composer *w)
{
	for (size_t i = 0; copying_word_at(i); i++)
		complete_add(w->list, str_from(copying_word_at(i)->name), str_from(copying_word_at(i)->help), i);
}

static void offer_request_words(struct composer *w)
{
	for (size_t i = 0; turn_request_word_at(i); i++)
		complete_add(w->list, str_from(turn_request_word_at(i)->name), str_from(turn_request_word_at(i)->help), i);
}

/* --- tools --- */

static void offer_tool_words(struct composer *w)
{
	const struct act_tool_word *word;

	for (size_t i = 0; (word = act_tool_word_at(i)); i++)
		complete_add(w->list, str_from(word->name), str_from(word->help), i);
}

static void offer_tool_names(struct composer *w)
{
	struct setup *setup = w->host->setup;
	const struct tool_set *set = setup_tool_set(setup);
	struct mcp_hub_server server;

	for (size_t i = 0; i < set->count; i++)
		if (tool_set_find(set, str_from(set->items[i].name)) == &set->items[i])
			complete_add(w->list, str_from(set->items[i].name), str_from(act_tool_words(setup, &set->items[i])), i);
	for (size_t i = 0; (server = mcp_hub_at(setup->servers, i)).server; i++)
		complete_add(w->list, str_from(server.server->name), STR("all tools of the MCP server"), set->count + i);
}

/* A name, and the word behind it; what is the beginning of no name is a path. */
static void offer_tools(struct composer *w, struct str typed)
{
	struct str word, name = str_first_word(typed, &word);
	bool is_behind = name.len < typed.len;

	if (w->host->replay)
		return;
	if (is_behind && act_names_tool(w->host->setup, name)) {
		w->from += typed.len - word.len;
		complete_begin(w->list, word);
		offer_tool_words(w);
		return;
	}
	w->suffix = " ";
	if (!is_behind)
		offer_tool_names(w);
	if (is_behind || (typed.len && !complete_count(w->list))) {
		w->suffix = "";
		w->from += offer_paths(w, typed, true);
	}
}

static void (*const offers[])(struct composer *w) = {
	[WORDS_MODELS] = offer_models, [WORDS_PROTOCOLS] = offer_protocols, [WORDS_PROVIDERS] = offer_providers, [WORDS_THEMES] = offer_themes,
	[WORDS_LEVELS] = offer_levels, [WORDS_SERVER_TOOLS] = offer_server_tools, [WORDS_VIEWS] = offer_views, [WORDS_THINGS] = offer_things,
	[WORDS_REQUEST] = offer_request_words, [WORDS_ROLES] = offer_roles, [WORDS_TEMPLATES] = offer_templates,
};

static void offer_argument(struct composer *w, struct str word, struct str typed, size_t at)
{
	const struct command *command = command_by_name(COMMAND_SCREEN, word);

	if (!command || command->words == WORDS_FREE || (command->act == act_attach && composer_offer_server(w, typed, at, false)))
		return;
	w->from = at;
	w->suffix = "";
	w->offers = COMPOSER_WORDS;
	if (command->words == WORDS_SERVER_TOOLS)
		for (struct str list = typed, item; str_split(&list, ',', &item);)
			w->from = at + (size_t)(str_trim_start(item).ptr - typed.ptr);
	complete_begin(w->list, str_skip(typed, w->from - at));
	if (command->words == WORDS_TOOLS)
		offer_tools(w, typed);
	else if (command->words == WORDS_PATH)
		w->from += offer_paths(w, typed, true);
	else
		offers[command->words](w);
	complete_end(w->list);
}

/* --- the word at the cursor --- */

size_t composer_word_start(struct str before)
{
	size_t start = before.len;

	while (start && !char_is_blank(before.ptr[start - 1]))
		start--;
	return start;
}

static void offer_commands(struct composer *w, struct str typed)
{
	w->word = 1;
	if (composer_offer_server(w, typed, 1, true))
		return;
	w->from = 1;
	w->suffix = " ";
	w->offers = COMPOSER_WORDS;
	complete_begin(w->list, typed);
	for (size_t i = 0; command_at(COMMAND_SCREEN, i); i++) {
		const struct command *command = command_at(COMMAND_SCREEN, i);

		if (command->name && command_works(command, w->host->replay))
			complete_add(w->list, str_from(command->name), str_from(command->help), i);
	}
	if (typed.len)
		composer_offer_servers(w, "prompts of the MCP server");
	complete_end(w->list);
}

static void offer_for_slash(struct composer *w, struct str before)
{
	struct str line = str_skip(before, 1), word = str_head(line, str_find(line, STR(" ")));
	struct str rest = str_skip(line, word.len), typed = str_trim_start(rest);

	if (rest.len && !composer_offer_argument(w, word, typed, before.len - typed.len))
		offer_argument(w, word, typed, before.len - typed.len);
	else if (!rest.len)
		offer_commands(w, word);
}

static void offer_for_mention(struct composer *w, struct str before)
{
	size_t start = composer_word_start(before);

	if (start == before.len || before.ptr[start] != '@')
		return;
	w->word = start;
	if (composer_offer_server(w, str_skip(before, start + 1), start + 1, false))
		return;
	w->from = start + 1;
	w->suffix = " ";
	w->from += offer_paths(w, str_skip(before, start + 1), false);
	if (w->from == start + 1)
		composer_offer_servers(w, "resources of the MCP server");
	complete_end(w->list);
}

/* What is completed where a slash begins the input. */
static bool completes_command(const struct composer *w, struct str before)
{
	struct str rest, prompt;
	size_t server;

	if (!str_starts(before, "/") || str_find(before, STR("\n")) < before.len || edit_origin(&w->input, 0, before.len) == EDIT_FOREIGN)
		return false;
	struct str word = str_first_word(str_skip(before, 1), &rest);
	const struct command *command = command_by_name(COMMAND_SCREEN, word);
	return str_find(before, STR(" ")) == before.len || (command && command->words != WORDS_FREE) ||
	       (!w->host->replay && setup_find_server(w->host->setup, word, &server, &prompt));
}

bool composer_completes(const struct composer *w)
{
	struct str before = str_head(buf_str(&w->input.text), w->input.cursor);
	size_t start = composer_word_start(before);

	return completes_command(w, before) ||
	       (start < before.len && before.ptr[start] == '@' && edit_origin(&w->input, start, before.len) != EDIT_FOREIGN);
}

/* Whether the list would hold only what is already typed. That a name may be left out is told below an empty list, too. */
static bool is_complete(const struct composer *w, struct str typed)
{
	size_t id;

	if (!complete_count(w->list))
		return !complete_is_cut(w->list);
	return complete_count(w->list) == 1 && str_equal(complete_choice(w->list, &id), typed);
}

void composer_offer(struct composer *w)
{
	struct str before = str_head(buf_str(&w->input.text), w->input.cursor);
	bool is_slash = str_starts(before, "/") && str_find(before, STR("\n")) == before.len;
	size_t start = is_slash ? 0 : composer_word_start(before);

	bool is_foreign = edit_origin(&w->input, start, before.len) == EDIT_FOREIGN; /* foreign text must not cause a folder to be read */

	w->offers = COMPOSER_CLOSED;
	w->listed = w->input.version;
	if (is_slash && !is_foreign)
		offer_for_slash(w, before);
	else if (!is_foreign)
		offer_for_mention(w, before);
	if (w->offers == COMPOSER_CLOSED || w->from != w->dismissed)
		w->dismissed = SIZE_MAX;
	if (w->offers == COMPOSER_CLOSED || w->from == w->dismissed || is_complete(w, str_skip(before, w->from))) {
		complete_close(w->list);
		w->offers = COMPOSER_CLOSED;
	}
	if (w->offers != COMPOSER_PATHS)
		composer_forget_folder(w);
}
