#include "store/settings.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/child.h"
#include "base/ini.h"
#include "base/mem.h"
#include "store/settings_file.h"

#define FILE_LIMIT ((size_t)1 << 20)
#define KEYS_SECTION "keys"
#define PROVIDER_SECTION "provider "
#define TEXT_WIDTH_MAX 10000
#define TAPES_MB_MAX 1000000

struct setting {
	const char *name;
	bool (*set)(void *place, const char *name, struct str value, struct error *err);
	size_t offset;
	const char *fallback, *help;
};

static bool set_setting_text(void *place, const char *name, struct str value, struct error *err)
{
	(void)name;
	(void)err;
	str_replace(place, value.len ? value : STR_NONE);
	return true;
}

static bool set_width(void *place, const char *name, struct str value, struct error *err)
{
	long long columns;

	if (!str_to_int(value, &columns) || columns > TEXT_WIDTH_MAX)
		return error_set(err, "%s = %.*s: it must be a number of columns, 0 for no limit", name, STR_ARG(value));
	*(long long *)place = columns;
	return true;
}

static bool set_megabytes(void *place, const char *name, struct str value, struct error *err)
{
	long long megabytes;

	if (!str_to_int(value, &megabytes) || megabytes > TAPES_MB_MAX)
		return error_set(err, "%s = %.*s: it must be a number of megabytes, 0 for none", name, STR_ARG(value));
	*(long long *)place = megabytes;
	return true;
}

static bool set_boolean(void *place, const char *name, struct str value, struct error *err)
{
	return str_to_bool(value, place) || error_set(err, "%s = %.*s: it must be yes or no", name, STR_ARG(value));
}

/* Sets an enum to the index of `value` in `words`, which end with NULL. */
static bool set_setting_word(void *place, const char *name, struct str value, const char *const *words, struct error *err)
{
	struct buf known;

	for (int i = 0; words[i]; i++)
		if (str_is_nocase(value, words[i])) {
			*(int *)place = i;
			return true;
		}
	buf_init(&known, 1000);
	for (int i = 0; words[i]; i++)
		buf_add_choice(&known, words[i], !words[i + 1]);
	error_set(err, "%s = %.*s: it must be %s", name, STR_ARG(value), buf_z(&known));
	buf_fini(&known);
	return false;
}

static const char *const boolean_words[] = { "yes", "no", NULL };
static const char *const sparkline_words[] = { [SPARKLINE_AUTO] = "auto", [SPARKLINE_BLOCKS] = "blocks", [SPARKLINE_ASCII] = "ascii", NULL };
static const char *const code_words[] = { [CODE_WRAP] = "wrap", [CODE_CLIP] = "clip", NULL };
static const char *const drawing_words[] = { [DRAW_ASK] = "ask", [DRAW_YES] = "yes", [DRAW_NO] = "no", NULL };
static const char *const leave_words[] = { [LEAVE_LAST] = "last", [LEAVE_ALL] = "all", [LEAVE_NOTHING] = "nothing", NULL };

static bool set_sparkline(void *place, const char *name, struct str value, struct error *err)
{
	return set_setting_word(place, name, value, sparkline_words, err);
}

static bool set_code(void *place, const char *name, struct str value, struct error *err)
{
	return set_setting_word(place, name, value, code_words, err);
}

static bool set_drawing(void *place, const char *name, struct str value, struct error *err)
{
	return set_setting_word(place, name, value, drawing_words, err);
}

static bool set_leave(void *place, const char *name, struct str value, struct error *err)
{
	return set_setting_word(place, name, value, leave_words, err);
}

static bool set_copy(void *place, const char *name, struct str value, struct error *err)
{
	struct error why = { "" };
	char **words = child_words(value, &why);

	mem_free(words);
	if (!words)
		return error_set(err, "%s = %.*s: it must be auto, osc52 or a command in words, and %s", name, STR_ARG(value), why.text);
	str_replace(place, value);
	return true;
}

static bool set_notify(void *place, const char *name, struct str value, struct error *err)
{
	struct error why = { "" };
	bool command = str_starts(value, NOTIFY_COMMAND);
	char **words = command ? child_words(str_skip(value, sizeof NOTIFY_COMMAND - 1), &why) : NULL;

	mem_free(words);
	if (!words && !str_is(value, "bell") && !str_is(value, "osc") && !str_is(value, "no"))
		return error_set(err, "%s = %.*s: it must be bell, osc, command NAME or no", name, STR_ARG(value));
	str_replace(place, value);
	return true;
}

static const struct setting table[] = {
	{ "provider", set_setting_text, offsetof(struct settings, provider), NULL, "the provider to start with" },
	{ "model", set_setting_text, offsetof(struct settings, model), NULL, "the model to start with" },
	{ "theme", set_setting_text, offsetof(struct settings, theme), "default", "colour theme: one that F5 lists or one of your own; auto is dark or light, as the terminal is" },
	{ "system", set_setting_text, offsetof(struct settings, system), NULL, "system prompt for every provider without one of its own" },
	{ "mouse", set_boolean, offsetof(struct settings, mouse), "yes", "use the mouse to scroll and select; no leaves it to the terminal (/mouse)" },
	{ "text_width", set_width, offsetof(struct settings, text_width), "100", "maximum columns of text; 0: no limit" },
	{ "code", set_code, offsetof(struct settings, code), "wrap", "long lines of code: wrap, or clip, where Left and Right scroll (/wrap)" },
	{ "images", set_drawing, offsetof(struct settings, images), "ask", "attached images as half blocks in the page: ask draws one when its line is unfolded, "
	  "yes draws all, no draws none" },
	{ "thoughts", set_setting_text, offsetof(struct settings, thoughts), "pane", "how reasoning is shown while it streams: pane, tail (its last lines in "
	  "place), folded (one line) or hidden; afterwards it is one line that unfolds (/thoughts)" },
	{ "status", set_setting_text, offsetof(struct settings, status), NULL, "fields of the status bar, in this order, of: " SETTINGS_STATUS_WORDS "; if unset, those of the running turn, or of the conversation while nothing runs, as they fit" },
	{ "sparkline", set_sparkline, offsetof(struct settings, sparkline), "auto", "characters of the speed graph: blocks, ascii, or auto, as the terminal can" },
	{ "history", set_boolean, offsetof(struct settings, history), "yes", "keep sent prompts and the draft for the next run; no keeps them in memory only" },
	{ "links", set_boolean, offsetof(struct settings, links), "yes", "send link destinations to the terminal (OSC 8), so that it can open them" },
	{ "tapes", set_megabytes, offsetof(struct settings, tapes_mb), "200", "megabytes of tapes (recorded responses) kept in the state "
	  "folder; the oldest are removed first; 0 keeps none" },
	{ "copy", set_copy, offsetof(struct settings, copy), COPY_AUTO, "where copied text goes: auto is the terminal (OSC 52) and "
	  "a clipboard program if there is one; osc52 is the terminal only; or a command that reads the text" },
	{ "leave", set_leave, offsetof(struct settings, leave), "last", "what stays in the terminal after the program exits: the last exchange, all or nothing" },
	{ "raw", set_boolean, offsetof(struct settings, raw), "no", "show answers as source instead of as markdown (/raw)" },
	{ "notify", set_notify, offsetof(struct settings, notify), "bell", "signal for the end of an answer that took longer than 10 s while "
	  "the terminal did not have the focus: bell; osc, a notification (OSC 9 or 777) if the terminal is known to support it, else the bell; "
	  "command NAME, a program that gets the message as its last argument; no" },
	{ "title", set_boolean, offsetof(struct settings, title), "yes", "show the state and the model in the title of the terminal" },
	{ "remember", set_boolean, offsetof(struct settings, remember), "yes", "start with the provider, model, protocol, theme and view (thoughts, code, mouse, raw) "
	  "that were last chosen in the program, unless an option or this file sets them; no neither reads nor stores choices" },
};

static_assert(ARRAY_LEN(table) <= SETTINGS_MOST, "each has an origin");

struct setting_help settings_help_at(size_t index)
{
	if (index >= ARRAY_LEN(table))
		return (struct setting_help){ NULL, NULL, NULL };
	return (struct setting_help){ table[index].name, table[index].fallback, table[index].help };
}

void settings_init(struct settings *s)
{
	struct error err;

	*s = (struct settings){ .provider = NULL };
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].fallback)
			(void)table[i].set((char *)s + table[i].offset, table[i].name, str_from(table[i].fallback), &err);
}

static void settings_drop_key(struct key_setting *setting)
{
	mem_free(setting->command);
	mem_free(setting->keys);
	mem_free(setting->file);
}

void settings_fini(struct settings *s)
{
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].set == set_setting_text || table[i].set == set_copy || table[i].set == set_notify)
			mem_free(*(char **)((char *)s + table[i].offset));
	for (size_t i = 0; i < s->key_count; i++)
		settings_drop_key(&s->keys[i]);
	mem_free(s->keys);
	mem_free(s->file);
}

/* --- values and their origins --- */

static size_t setting_index(struct str name)
{
	size_t i = 0;

	while (i < ARRAY_LEN(table) && !str_is(name, table[i].name))
		i++;
	return i;
}

static size_t known_setting_index(const char *name)
{
	size_t i = setting_index(str_from(name));

	assert(i < ARRAY_LEN(table));
	return i;
}

struct setting_origin settings_origin(const struct settings *s, const char *name)
{
	return s->origins[known_setting_index(name)];
}

void settings_note_origin(struct settings *s, const char *name, enum setting_from from)
{
	s->origins[known_setting_index(name)] = (struct setting_origin){ from, 0 };
}

/* The words that a setter takes; those of other setters are free. */
static const struct {
	bool (*set)(void *place, const char *name, struct str value, struct error *err);
	const char *const *words;
} takes[] = {
	{ set_boolean, boolean_words }, { set_sparkline, sparkline_words }, { set_code, code_words }, { set_drawing, drawing_words },
	{ set_leave, leave_words },
};

const char *const *settings_words(const char *name)
{
	const struct setting *row = &table[known_setting_index(name)];

	for (size_t i = 0; i < ARRAY_LEN(takes); i++)
		if (takes[i].set == row->set)
			return takes[i].words;
	return NULL;
}

void settings_value(const struct settings *s, const char *name, struct buf *out)
{
	const struct setting *row = &table[known_setting_index(name)];
	const char *const *words = settings_words(name);
	const void *value = (const char *)s + row->offset;

	if (row->set == set_boolean)
		buf_add_z(out, *(const bool *)value ? "yes" : "no");
	else if (words)
		buf_add_z(out, words[*(const int *)value]);
	else if (row->set == set_width || row->set == set_megabytes)
		buf_printf(out, "%lld", *(const long long *)value);
	else
		buf_add(out, str_from(*(char *const *)value));
}

void settings_note_line(struct settings *s, const char *name, int line)
{
	s->origins[known_setting_index(name)] = (struct setting_origin){ SETTING_FILE, line };
}

const char *settings_file(const struct settings *s)
{
	return s->file;
}

static bool setting_put(struct settings *s, size_t index, struct str value, struct setting_origin origin, struct error *err)
{
	if (!table[index].set((char *)s + table[index].offset, table[index].name, value, err))
		return false;
	s->origins[index] = origin;
	return true;
}

bool settings_set(struct settings *s, const char *name, struct str value, enum setting_from from, struct error *err)
{
	return setting_put(s, known_setting_index(name), value, (struct setting_origin){ from, 0 }, err);
}

void settings_reset(struct settings *s, const char *name)
{
	size_t i = known_setting_index(name);
	struct error err;

	(void)setting_put(s, i, str_from(table[i].fallback), (struct setting_origin){ SETTING_DEFAULT, 0 }, &err);
}

/* --- reading --- */

struct reader {
	struct settings *settings;
	struct providers *providers;
};

static bool set_own(struct settings *s, const struct ini_entry *entry, struct error *err)
{
	size_t i = setting_index(str_from(entry->name));

	if (i < ARRAY_LEN(table))
		return setting_put(s, i, str_from(entry->value), (struct setting_origin){ SETTING_FILE, entry->line }, err);
	return error_set(err, "%s: there is no such setting (those of a provider belong below [provider NAME])", entry->name);
}

/* The last word about a command counts, as with other settings. */
static bool settings_add_keys(struct settings *s, const struct ini_entry *entry)
{
	size_t at = 0;

	while (at < s->key_count && strcmp(s->keys[at].command, entry->name) != 0)
		at++;
	mem_reserve(&s->keys, &s->key_capacity, s->key_count + 1, sizeof *s->keys);
	if (at == s->key_count)
		s->key_count++;
	else
		settings_drop_key(&s->keys[at]);
	s->keys[at] = (struct key_setting){ mem_dup_z(entry->name), mem_dup_z(entry->value), mem_dup_z(entry->file), entry->line };
	return true;
}

static bool take_setting(void *ctx, const struct ini_entry *entry, struct error *err)
{
	struct reader *reader = ctx;
	struct str section = str_from(entry->section);
	struct str provider = str_trim(str_skip(section, sizeof PROVIDER_SECTION - 1));

	if (!section.len)
		return set_own(reader->settings, entry, err);
	if (str_is(section, KEYS_SECTION))
		return settings_add_keys(reader->settings, entry);
	if (!str_starts(section, PROVIDER_SECTION))
		return error_set(err, "[%s]: there is no such section, only [provider NAME] and [keys]", entry->section);
	if (!provider_name_is_good(provider))
		return error_set(err, "[%s]: a provider's name has 1 to %d characters and no blank or slash", entry->section,
		                 PROVIDER_NAME_MOST);
	return provider_set(providers_add(reader->providers, provider), str_from(entry->name), str_from(entry->value), err);
}

static bool read_default_file(struct reader *reader, struct error *err)
{
	struct buf text;
	char *path;
	bool good;

	buf_init(&text, FILE_LIMIT);
	good = settings_file_read(&text, &path, err) && ini_read_text(buf_str(&text), path, take_setting, reader, err);
	if (text.len)
		str_replace(&reader->settings->file, str_from(path));
	buf_fini(&text);
	mem_free(path);
	return good;
}

bool settings_read(struct settings *s, struct providers *providers, const char *path, struct error *err)
{
	struct reader reader = { s, providers };

	if (path)
		str_replace(&s->file, str_from(path));
	return path ? ini_read_file(path, take_setting, &reader, err) : read_default_file(&reader, err);
}
