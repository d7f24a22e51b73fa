#include "store/config/settings.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/child.h"
#include "base/ini.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/regular_file.h"
#include "chat/provider/dialect_set.h"
#include "store/config/settings_file.h"

#define FILE_LIMIT ((size_t)1 << 20)
#define GONE_LIMIT 200
#define KEYS_SECTION "keys"
#define DIALECT_SECTION "dialect "
#define TEXT_WIDTH_MAX 10000
#define TAPES_MB_MAX 1000000
#define MEDIA_MB_MAX 1024
#define TOOL_ROUNDS_MAX 1000
#define MEDIA_LIMIT "media_limit"

struct setting {
	const char *name;
	const struct setting_type *type;
	size_t offset;
	const char *fallback, *help;
};

struct setting_type {
	enum { STORED_TEXT /* char *, owned; NULL: unset */, STORED_NUMBER /* long long */, STORED_BOOLEAN, STORED_WORD /* int */ } stored;
	const char *const *words; /* those it takes, NULL after the last; a STORED_WORD is an index of it. NULL: it takes others */
	bool (*set)(const struct setting *setting, void *place, struct str value, struct error *err);
};

static bool set_text(const struct setting *setting, void *place, struct str value, struct error *err)
{
	(void)setting;
	(void)err;
	str_replace(place, value.len ? value : STR_NONE);
	return true;
}

static bool set_width(const struct setting *setting, void *place, struct str value, struct error *err)
{
	long long columns;

	if (!str_to_int(value, &columns) || columns > TEXT_WIDTH_MAX)
		return error_set(err, "%s = %.*s: it must be a number of columns, 0 for no limit", setting->name, STR_ARG(value));
	*(long long *)place = columns;
	return true;
}

static bool set_megabytes(const struct setting *setting, void *place, struct str value, struct error *err)
{
	long long megabytes;

	if (!str_to_int(value, &megabytes) || megabytes > TAPES_MB_MAX)
		return error_set(err, "%s = %.*s: it must be a number of megabytes, 0 for none", setting->name, STR_ARG(value));
	*(long long *)place = megabytes;
	return true;
}

static bool set_media_limit(const struct setting *setting, void *place, struct str value, struct error *err)
{
	long long megabytes;

	if (!str_to_int(value, &megabytes) || megabytes < 1 || megabytes > MEDIA_MB_MAX)
		return error_set(err, "%s = %.*s: it must be a number of megabytes from 1 to %d", setting->name, STR_ARG(value), MEDIA_MB_MAX);
	*(long long *)place = megabytes;
	return true;
}

static bool set_rounds(const struct setting *setting, void *place, struct str value, struct error *err)
{
	long long rounds;

	if (!str_to_int(value, &rounds) || rounds < 1 || rounds > TOOL_ROUNDS_MAX)
		return error_set(err, "%s = %.*s: it must be a number from 1 to %d", setting->name, STR_ARG(value), TOOL_ROUNDS_MAX);
	*(long long *)place = rounds;
	return true;
}

static bool set_boolean(const struct setting *setting, void *place, struct str value, struct error *err)
{
	return str_to_bool(value, place) || error_set(err, "%s = %.*s: it must be yes or no", setting->name, STR_ARG(value));
}

static bool set_word(const struct setting *setting, void *place, struct str value, struct error *err)
{
	const char *const *words = setting->type->words;

	for (int i = 0; words[i]; i++)
		if (str_is_nocase(value, words[i])) {
			*(int *)place = i;
			return true;
		}
	return names_refuse_value(str_from(setting->name), value, name_in_words, words, err);
}

/* The words of other settings that are yes or no are taken too. */
static bool set_keep(const struct setting *setting, void *place, struct str value, struct error *err)
{
	bool keeps;

	if (!str_to_bool(value, &keeps))
		return set_word(setting, place, value, err);
	*(enum keep_history *)place = keeps ? KEEP_ALL : KEEP_NOTHING;
	return true;
}

static bool set_copy(const struct setting *setting, void *place, struct str value, struct error *err)
{
	struct error why = { "" };
	char **words = child_words(value, &why);

	mem_free(words);
	if (!words)
		return error_set(err, "%s = %.*s: it must be auto, osc52 or a command in words, and %s", setting->name, STR_ARG(value), why.text);
	str_replace(place, value);
	return true;
}

/* "": the default. */
static bool set_program(const struct setting *setting, void *place, struct str value, struct error *err)
{
	struct error why = { "" };
	char **words = value.len ? child_words(value, &why) : NULL;

	mem_free(words);
	if (value.len && !words)
		return error_set(err, "%s = %.*s: it must be a command in words, and %s", setting->name, STR_ARG(value), why.text);
	return set_text(setting, place, value, err);
}

/* Dollars, of "2.00 a day" or "2"; 0 of "no"; negative: it is neither. */
static double budget_usd(struct str value)
{
	static const char day[] = " a day";
	long long millionths;
	struct str number = str_ends(value, day) ? str_head(value, value.len - (sizeof day - 1)) : value;

	if (str_is(value, "no"))
		return 0;
	return str_to_millionths(str_trim(number), &millionths) && millionths > 0 ? (double)millionths / 1e6 : -1;
}

static bool set_budget(const struct setting *setting, void *place, struct str value, struct error *err)
{
	if (budget_usd(value) < 0)
		return error_set(err, "%s = %.*s: it must be dollars a day, such as 2.00 a day, or no", setting->name, STR_ARG(value));
	str_replace(place, value);
	return true;
}

double settings_budget_usd(const struct settings *s)
{
	return s->budget ? budget_usd(str_from(s->budget)) : 0;
}

static bool set_notify(const struct setting *setting, void *place, struct str value, struct error *err)
{
	struct error why = { "" };
	bool command = str_starts(value, NOTIFY_COMMAND);
	char **words = command ? child_words(str_skip(value, sizeof NOTIFY_COMMAND - 1), &why) : NULL;

	mem_free(words);
	if (!words && !str_is(value, "bell") && !str_is(value, "osc") && !str_is(value, "no"))
		return error_set(err, "%s = %.*s: it must be bell, osc, command NAME or no", setting->name, STR_ARG(value));
	str_replace(place, value);
	return true;
}

static const char *const boolean_words[] = { "yes", "no", NULL };
static const char *const code_words[] = { [CODE_WRAP] = "wrap", [CODE_CLIP] = "clip", NULL };
static const char *const drawing_words[] = { [DRAW_ASK] = "ask", [DRAW_YES] = "yes", [DRAW_NO] = "no", NULL };
static const char *const edit_words[] = { [EDIT_AS_EMACS] = "emacs", [EDIT_AS_VI] = "vi", NULL };
static const char *const lint_words[] = { [LINT_LEVEL_OFF] = "off", [LINT_LEVEL_DIALECT] = "dialect", [LINT_LEVEL_STRICT] = "strict", NULL };
static const char *const keep_words[] = { [KEEP_NOTHING] = "no", [KEEP_CHAT] = "chat", [KEEP_ALL] = "yes", NULL };
static const char *const leave_words[] = { [LEAVE_LAST] = "last", [LEAVE_ALL] = "all", [LEAVE_NOTHING] = "nothing", NULL };

static const struct setting_type
	type_text = { .stored = STORED_TEXT, .set = set_text },
	type_budget = { .stored = STORED_TEXT, .set = set_budget },
	type_copy = { .stored = STORED_TEXT, .set = set_copy },
	type_program = { .stored = STORED_TEXT, .set = set_program },
	type_notify = { .stored = STORED_TEXT, .set = set_notify },
	type_width = { .stored = STORED_NUMBER, .set = set_width },
	type_megabytes = { .stored = STORED_NUMBER, .set = set_megabytes },
	type_media_limit = { .stored = STORED_NUMBER, .set = set_media_limit },
	type_rounds = { .stored = STORED_NUMBER, .set = set_rounds },
	type_boolean = { .stored = STORED_BOOLEAN, .words = boolean_words, .set = set_boolean },
	type_code = { .stored = STORED_WORD, .words = code_words, .set = set_word },
	type_drawing = { .stored = STORED_WORD, .words = drawing_words, .set = set_word },
	type_edit = { .stored = STORED_WORD, .words = edit_words, .set = set_word },
	type_leave = { .stored = STORED_WORD, .words = leave_words, .set = set_word },
	type_keep = { .stored = STORED_WORD, .words = keep_words, .set = set_keep },
	type_lint = { .stored = STORED_WORD, .words = lint_words, .set = set_word };

static const struct setting table[] = {
	{ "provider", &type_text, offsetof(struct settings, provider), NULL, "the provider to start with" },
	{ "model", &type_text, offsetof(struct settings, model), NULL,
	  "the model to start with. Without it a chat starts with the last one chosen, else with that of the provider's preset, if it has one" },
	{ "role", &type_text, offsetof(struct settings, role), NULL, "the role to start with: NAME of a section [role NAME] (/role)" },
	{ "system", &type_text, offsetof(struct settings, system), NULL, "system prompt of providers without their own" },
	{ "title_model", &type_text, offsetof(struct settings, title_model), NULL, "the model that writes conversations' titles (after the first "
	  "answer): same, a MODEL of the provider in use, or PROVIDER/MODEL; its request is counted in /cost and weir usage; if unset, the title is "
	  "the beginning of the first prompt" },
	{ "budget", &type_budget, offsetof(struct settings, budget), "no", "what answers may cost a day: 2.00 a day is two dollars. From 80 % "
	  "on the status bar shows what was spent, from 100 % on a prompt is sent after a question only (ask: with --yes); answers that are not "
	  "kept in the history or have no price do not count" },
	{ "tool_rounds", &type_rounds, offsetof(struct settings, tool_rounds), "8", "rounds of tool calls that run by themselves, each with a "
	  "request of its own, before weir asks whether to go on" },
	{ "theme", &type_text, offsetof(struct settings, theme), "default",
	  "colour theme: one that F5 lists or one of your own. Some have a dark and a light form and follow the background of the terminal, as auto "
	  "does, which is dark or light; NAME-dark and NAME-light are one form" },
	{ "text_width", &type_width, offsetof(struct settings, text_width), "100", "maximum columns of text; 0: no limit" },
	{ "code", &type_code, offsetof(struct settings, code), "wrap", "long lines of code: wrap, or clip, where Left and Right scroll (Alt-z)" },
	{ "edit", &type_edit, offsetof(struct settings, edit), "emacs", "keys of the input: emacs or vi, as in a shell. With vi, which has text "
	  "objects (ciw, di\"), Esc goes to the command state, whose sign is a colon; Esc there does what Esc does elsewhere" },
	{ "images", &type_drawing, offsetof(struct settings, images), "ask",
	  "attached images in the page: ask draws one when its line is unfolded, yes draws all, no draws none. The terminal draws them where it has "
	  "kitty's graphics protocol with Unicode placeholders (kitty from 0.28 on, Ghostty; not within tmux or screen) or sixels; else they are "
	  "half blocks" },
	{ "thoughts", &type_text, offsetof(struct settings, thoughts), "pane",
	  "how reasoning is shown while it streams: pane, tail (its last lines in place), folded (one line) or hidden; afterwards it is one line "
	  "that unfolds (/thoughts)" },
	{ "raw", &type_boolean, offsetof(struct settings, raw), "no", "show answers as source, not as markdown (/raw)" },
	{ "lint", &type_lint, offsetof(struct settings, lint), "off", "findings of lint in the status bar: how many the running answer has, or a "
	  "replay up to its position, with their rules below it (weir lint explains them): dialect checks what the dialect of the provider "
	  "promises; strict counts what is unusual, too" },
	{ "mouse", &type_boolean, offsetof(struct settings, mouse), "yes",
	  "use the mouse to scroll and select; no leaves it to the terminal (/mouse)" },
	{ "copy", &type_copy, offsetof(struct settings, copy), COPY_AUTO, "where copied text goes: auto is the terminal (OSC 52) and "
	  "a clipboard program if there is one; osc52 is the terminal only; or a command that reads the text" },
	{ "opener", &type_program, offsetof(struct settings, opener), NULL, "what opens pictures and files of answers (/open): a program that gets "
	  "the name of a temporary file as its last argument; unset, that of the desktop (" OPENER_DEFAULT ")" },
	{ "player", &type_program, offsetof(struct settings, player), NULL, "what plays sounds of answers: such a program; unset, the opener. "
	  "Raw samples (audio/L16, audio/pcm) are opened and saved as WAV" },
	{ "notify", &type_notify, offsetof(struct settings, notify), "bell", "signal that a long answer has ended: it took more than 10 s while "
	  "the terminal did not have the focus (in the linear mode: while nothing was typed for 10 s, and osc is the bell). It is bell; osc, a "
	  "notification (OSC 9 or 777) if the terminal is known to support it, else the bell; command NAME, a program that gets the message as its "
	  "last argument; or no" },
	{ "title", &type_boolean, offsetof(struct settings, title), "yes", "show the state and the model in the terminal's title" },
	{ "leave", &type_leave, offsetof(struct settings, leave), "last",
	  "what stays in the terminal at exit: the last exchange, all or nothing" },
	{ "history", &type_keep, offsetof(struct settings, history), "yes",
	  "keep conversations (weir history), tapes, sent prompts and the draft; chat keeps nothing of weir ask, no nothing at all" },
	{ "tapes", &type_megabytes, offsetof(struct settings, tapes_mb), "200", "megabytes of tapes (recorded responses) kept in the state "
	  "folder; the oldest are removed first; 0 keeps none" },
	{ MEDIA_LIMIT, &type_media_limit, offsetof(struct settings, media_mb), "64", "megabytes of media kept of an answer: pictures, sounds and "
	  "files; what does not fit is left out, with a notice" },
	{ "remember", &type_boolean, offsetof(struct settings, remember), "yes",
	  "start with what was last chosen: provider, model, protocol, theme and view (thoughts, code, mouse, raw), unless an option sets them, "
	  "or this file the theme or the view; no neither reads nor stores choices" },
};

/* Each begins with a row. */
static const struct { const char *first, *heading; } groups[] = {
	{ "provider", "Model" }, { "theme", "Page" }, { "mouse", "Terminal" }, { "history", "What is kept" },
};

/* Settings of earlier versions: a file that has them goes on working. */
static const char *const gone[] = { "status", "sparkline", "links" };

static_assert(ARRAY_LEN(table) <= SETTINGS_MOST, "each has an origin");

struct setting_help settings_help_at(size_t index)
{
	if (index >= ARRAY_LEN(table))
		return (struct setting_help){ .name = NULL };
	struct setting_help row = { table[index].name, table[index].fallback, table[index].help, NULL };
	for (size_t i = 0; i < ARRAY_LEN(groups); i++)
		row.group = strcmp(groups[i].first, row.name) != 0 ? row.group : groups[i].heading;
	return row;
}

static void *setting_place(struct settings *s, const struct setting *setting)
{
	return (char *)s + setting->offset;
}

void settings_init(struct settings *s)
{
	struct error err;

	*s = (struct settings){ .provider = NULL };
	buf_init(&s->gone, GONE_LIMIT);
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].fallback)
			(void)table[i].type->set(&table[i], setting_place(s, &table[i]), str_from(table[i].fallback), &err);
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
		if (table[i].type->stored == STORED_TEXT)
			mem_free(*(char **)setting_place(s, &table[i]));
	for (size_t i = 0; i < s->key_count; i++)
		settings_drop_key(&s->keys[i]);
	mem_free(s->keys);
	roles_fini(&s->roles);
	templates_fini(&s->templates);
	mcp_servers_fini(&s->mcp_servers);
	tool_sections_fini(&s->tools);
	price_table_fini(&s->prices);
	buf_fini(&s->gone);
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

const char *const *settings_words(const char *name)
{
	return table[known_setting_index(name)].type->words;
}

void settings_value(const struct settings *s, const char *name, struct buf *out)
{
	const struct setting *row = &table[known_setting_index(name)];
	const void *value = (const char *)s + row->offset;

	switch (row->type->stored) {
	case STORED_TEXT:
		buf_add(out, str_from(*(char *const *)value));
		break;
	case STORED_NUMBER:
		buf_printf(out, "%lld", *(const long long *)value);
		break;
	case STORED_BOOLEAN:
		buf_add_z(out, *(const bool *)value ? "yes" : "no");
		break;
	case STORED_WORD:
		buf_add_z(out, row->type->words[*(const int *)value]);
		break;
	}
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
	if (!table[index].type->set(&table[index], setting_place(s, &table[index]), value, err))
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
	for (i = 0; i < ARRAY_LEN(gone); i++)
		if (!strcmp(entry->name, gone[i])) {
			buf_printf(&s->gone, "%s%s", s->gone.len ? ", " : "", entry->name);
			return true;
		}
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

static bool take_provider(struct reader *reader, struct str name, const struct ini_entry *entry, struct error *err)
{
	if (!provider_name_is_good(name))
		return error_set(err, "[%s]: a provider's name has 1 to %d characters and no blank or slash", entry->section,
		                 PROVIDER_NAME_MOST);
	return provider_set(providers_add(reader->providers, name), str_from(entry->name), str_from(entry->value), err);
}

static bool take_role(struct reader *reader, struct str name, const struct ini_entry *entry, struct error *err)
{
	return roles_set(&reader->settings->roles, name, entry, err);
}

static bool take_template(struct reader *reader, struct str name, const struct ini_entry *entry, struct error *err)
{
	return templates_set(&reader->settings->templates, name, entry, err);
}

static bool take_mcp_server(struct reader *reader, struct str name, const struct ini_entry *entry, struct error *err)
{
	return mcp_servers_set(&reader->settings->mcp_servers, name, entry, err);
}

static bool take_tool(struct reader *reader, struct str name, const struct ini_entry *entry, struct error *err)
{
	return tool_sections_set(&reader->settings->tools, name, entry, err);
}

static bool take_price(struct reader *reader, struct str pattern, const struct ini_entry *entry, struct error *err)
{
	return price_table_set(&reader->settings->prices, pattern, str_from(entry->name), str_from(entry->value), err);
}

/* Sections with a name of their own. */
static const struct {
	const char *begins;
	bool (*take)(struct reader *reader, struct str name, const struct ini_entry *entry, struct error *err);
} sections[] = { { "provider ", take_provider }, { "role ", take_role }, { "template ", take_template }, { "mcp ", take_mcp_server },
	{ "tool ", take_tool }, { "price ", take_price } };

static bool take_setting(void *ctx, const struct ini_entry *entry, struct error *err)
{
	struct reader *reader = ctx;
	struct str section = str_from(entry->section);

	if (str_starts(section, DIALECT_SECTION))
		return true;
	if (!section.len)
		return set_own(reader->settings, entry, err);
	if (str_is(section, KEYS_SECTION))
		return settings_add_keys(reader->settings, entry);
	for (size_t i = 0; i < ARRAY_LEN(sections); i++)
		if (str_starts(section, sections[i].begins))
			return sections[i].take(reader, str_trim(str_skip(section, strlen(sections[i].begins))), entry, err);
	return error_set(err, "[%s]: there is no such section, only [provider NAME], [role NAME], [template NAME], [mcp NAME], [tool NAME], "
	                      "[price PATTERN], [dialect NAME] and [keys]", entry->section);
}

/* The bytes of `path`, or of the default file, and the name of it; NULL: there is none. */
static bool settings_load(struct buf *text, const char *path, char **name, struct error *err)
{
	buf_init(text, FILE_LIMIT);
	*name = NULL;
	if (!path)
		return settings_file_read(text, name, err);
	*name = mem_dup_z(path);
	return regular_file_read(text, path, err);
}

static bool take_dialect(void *ctx, const struct ini_entry *entry, struct error *err)
{
	struct str section = str_from(entry->section);

	(void)ctx;
	if (!str_starts(section, DIALECT_SECTION))
		return true;
	return dialect_set(str_trim(str_skip(section, strlen(DIALECT_SECTION))), str_from(entry->name), str_from(entry->value), err);
}

/* They come before everything else, because a provider above them in the file may name one. */
static bool settings_take_dialects(const struct buf *text, const char *name, struct error *err)
{
	dialect_forget_own();
	return settings_file_visit(buf_str(text), name, take_dialect, NULL, err);
}

static bool settings_read_dialects(const char *path, struct error *err)
{
	struct buf text;
	char *name;
	bool good = settings_load(&text, path, &name, err) && settings_take_dialects(&text, name, err);

	buf_fini(&text);
	mem_free(name);
	return good;
}

const struct dialect *settings_dialect(const char *path, struct str name, struct error *err)
{
	const struct dialect *dialect = dialect_find(name);

	*err->text = '\0';
	return dialect || !name.len || !settings_read_dialects(path, err) ? dialect : dialect_find(name);
}

const struct dialect *settings_dialect_named(const char *path, const char *name, struct error *err)
{
	const struct dialect *dialect = settings_dialect(path, str_from(name), err);

	if (!dialect && !*err->text)
		names_refuse("dialect", str_from(name), dialect_name_at, NULL, err);
	return dialect;
}

static bool take_media_limit(void *s, const struct ini_entry *entry, struct error *err)
{
	return *entry->section || strcmp(entry->name, MEDIA_LIMIT) || set_own(s, entry, err);
}

size_t settings_media_bytes(const char *path)
{
	struct settings s = { 0 };
	struct error ignored;
	struct buf text;
	char *name;

	if (settings_load(&text, path, &name, &ignored))
		(void)!settings_file_visit(buf_str(&text), name, take_media_limit, &s, &ignored);
	buf_fini(&text);
	mem_free(name);
	return (size_t)s.media_mb << 20;
}

static bool settings_read_all(struct settings *s, struct providers *providers, const char *path, bool dialects, struct error *err)
{
	struct reader reader = { s, providers };
	struct buf text;
	char *name;
	bool good = settings_load(&text, path, &name, err) && (!dialects || settings_take_dialects(&text, name, err)) &&
	            settings_file_visit(buf_str(&text), name, take_setting, &reader, err) && tool_sections_check(&s->tools, err);

	if (path || text.len)
		str_replace(&s->file, str_from(name));
	buf_fini(&text);
	mem_free(name);
	return good;
}

bool settings_read(struct settings *s, struct providers *providers, const char *path, struct error *err)
{
	return settings_read_all(s, providers, path, true, err);
}

bool settings_read_again(struct settings *s, struct providers *providers, const char *path, struct error *err)
{
	return settings_read_all(s, providers, path, false, err);
}
