#include "store/config/templates.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "chat/provider/provider.h"
#include "store/config/roles.h"

#define INPUT "input"

/* --- places --- */

/* A piece of a prompt: text as it is, or a place. */
struct piece {
	struct str text;
	size_t word;      /* 1 to TEMPLATE_WORDS_MOST; 0: none */
	bool input;
};

/* Removes the next piece from `*rest`; "{{" and "}}" are a brace. False: at the end, or with `err` set for a brace that is neither. */
static bool piece_next(struct str *rest, struct piece *piece, struct error *err)
{
	struct str all = *rest, name;
	size_t plain = 0;

	*piece = (struct piece){ .text = STR_NONE };
	if (!all.len)
		return false;
	while (plain < all.len && all.ptr[plain] != '{' && all.ptr[plain] != '}')
		plain++;
	if (plain || str_starts(all, "{{") || str_starts(all, "}}")) {
		piece->text = plain ? str_head(all, plain) : str_head(all, 1);
		*rest = str_skip(all, plain ? plain : 2);
		return true;
	}
	name = str_head(str_skip(all, 1), str_find(str_skip(all, 1), STR("}")));
	piece->input = str_is(name, INPUT);
	if (name.len == 1 && *name.ptr >= '1' && *name.ptr <= '9')
		piece->word = (size_t)(*name.ptr - '0');
	if (*all.ptr == '}' || name.len + 2 > all.len || (!piece->input && !piece->word))
		return error_set(err, "\"%.*s\" is no place of a template: there are {input} and {1} to {9}, and {{ and }} stand for braces",
		                 STR_ARG(str_head(all, name.len + 2 < 20 ? name.len + 2 : 20)));
	*rest = str_skip(all, name.len + 2);
	return true;
}

/* What a prompt asks for: the highest number, and whether it takes the input. */
struct places { size_t words; bool input; };

static bool places_of(struct str prompt, struct places *places, struct error *err)
{
	struct piece piece;
	struct error why = { "" };

	*places = (struct places){ 0 };
	while (piece_next(&prompt, &piece, &why)) {
		places->input |= piece.input;
		places->words = piece.word > places->words ? piece.word : places->words;
	}
	return !*why.text || error_set(err, "%s", why.text);
}

/* --- the table --- */

static bool template_set_prompt(struct template *t, const struct ini_entry *entry, struct error *err)
{
	struct places places;

	if (t->prompt_file)
		return error_set(err, "a template has prompt or prompt_file, not both");
	t->prompt_line = entry->line;
	str_replace(&t->prompt, str_from(entry->value));
	return places_of(str_from(entry->value), &places, err);
}

static bool template_set_file(struct template *t, const struct ini_entry *entry, struct error *err)
{
	char *path;

	if (t->prompt)
		return error_set(err, "a template has prompt or prompt_file, not both");
	if (!*entry->value)
		return error_set(err, "prompt_file needs the path of a file");
	path = settings_named_path(entry->file, str_from(entry->value), err);
	mem_free(t->prompt_file);
	t->prompt_file = path;
	t->prompt_line = entry->line;
	return path != NULL;
}

static bool template_set_role(struct template *t, const struct ini_entry *entry, struct error *err)
{
	(void)err;
	str_replace(&t->role, str_from(entry->value));
	return true;
}

static bool template_set_model(struct template *t, const struct ini_entry *entry, struct error *err)
{
	(void)err;
	str_replace(&t->model, str_from(entry->value));
	return true;
}

static const struct {
	const char *name;
	bool (*set)(struct template *t, const struct ini_entry *entry, struct error *err);
	const char *help;
} rows[] = {
	{ "prompt", template_set_prompt, "the prompt, with {1} to {9} for words, {input} for the rest or for piped text, and {{ and }} for braces" },
	{ "prompt_file", template_set_file, "a file with the prompt, for longer ones; relative to the folder of weir.conf" },
	{ "role", template_set_role, "the role to use with it" },
	{ "model", template_set_model, "the model to use with it" },
};

struct ini_help template_setting_at(size_t index)
{
	return index < ARRAY_LEN(rows) ? (struct ini_help){ rows[index].name, NULL, rows[index].help } : (struct ini_help){ 0 };
}

void template_write_setting(const struct template *t, size_t index, struct buf *out)
{
	const char *const values[] = { t->prompt, t->prompt_file, t->role, t->model };

	static_assert(ARRAY_LEN(values) == ARRAY_LEN(rows), "one a row, in their order");
	buf_add_z(out, values[index] ? values[index] : "");
}

/* --- the list --- */

void templates_fini(struct templates *templates)
{
	for (size_t i = 0; i < templates->count; i++) {
		struct template *t = &templates->items[i];
		char *const texts[] = { t->name, t->file, t->prompt, t->prompt_file, t->role, t->model };

		for (size_t n = 0; n < ARRAY_LEN(texts); n++)
			mem_free(texts[n]);
	}
	mem_free(templates->items);
	*templates = (struct templates){ 0 };
}

const struct template *templates_find(const struct templates *templates, struct str name)
{
	for (size_t i = 0; i < templates->count; i++)
		if (str_is(name, templates->items[i].name))
			return &templates->items[i];
	return NULL;
}

const char *template_name_at(const void *templates, size_t index)
{
	const struct templates *all = templates;

	return index < all->count ? all->items[index].name : NULL;
}

static struct template *template_of(struct templates *templates, struct str name, const struct ini_entry *entry)
{
	const struct template *known = templates_find(templates, name);

	if (known)
		return &templates->items[known - templates->items];
	struct template *t = ARRAY_ADD(templates->items, templates->count, templates->capacity);
	*t = (struct template){ .name = str_dup(name), .file = mem_dup_z(entry->file), .line = entry->line };
	return t;
}

bool templates_set(struct templates *templates, struct str name, const struct ini_entry *entry, struct error *err)
{
	if (!provider_name_is_good(name))
		return error_set(err, "[%s]: a template's name has 1 to %d characters and no blank or slash", entry->section, PROVIDER_NAME_MOST);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (!strcmp(rows[i].name, entry->name))
			return rows[i].set(template_of(templates, name, entry), entry, err);
	return error_set(err, "%s: there is no such setting of a template", entry->name);
}

/* --- filling --- */

static bool template_read(const struct template *t, struct buf *prompt, struct error *err)
{
	struct error why = { "" };

	if (!t->prompt && !t->prompt_file)
		return error_set(err, "%s:%d: template %s has no prompt", t->file, t->line, t->name);
	if (!t->prompt_file)
		return buf_add_z(prompt, t->prompt);
	return settings_read_named(t->prompt_file, prompt, &why) ||
	       error_set(err, "%s:%d: template %s: %s", t->file, t->prompt_line, t->name, why.text);
}

/* What {input} stands for. */
static bool input_write(const struct template_words *with, struct buf *out)
{
	return buf_add(out, with->rest) && (!with->rest.len || !with->piped.len || buf_add_z(out, "\n\n")) && buf_add(out, with->piped);
}

static bool template_has_input(const struct template_words *with)
{
	return with->rest.len || with->piped.len;
}

static bool pieces_write(const struct template *t, struct str prompt, const struct template_words *with, const struct places *places, struct buf *out,
                         struct error *err)
{
	struct error why = { "" };
	struct piece piece;
	bool good = true;

	while (good && piece_next(&prompt, &piece, &why))
		good = piece.word ? buf_add(out, with->words[piece.word - 1]) : piece.input ? input_write(with, out) : buf_add(out, piece.text);
	if (good && !places->input && template_has_input(with))
		good = buf_add_z(out, "\n\n") && input_write(with, out);
	return good || error_set(err, "the prompt of template %s is too large", t->name);
}

/* Names the first argument that is missing. */
static bool template_has_all(const struct template *t, const struct template_words *with, const struct places *places, struct error *err)
{
	if (with->count < places->words)
		return error_set(err, "template %s needs {%zu}: %zu word%s given, %zu needed", t->name, with->count + 1, with->count,
		                 with->count == 1 ? " was" : "s were", places->words);
	if (places->input && !template_has_input(with))
		return error_set(err, "template %s needs {input}: give words for it%s, or pipe a text into weir ask", t->name,
		                 places->words ? " after the others" : "");
	return true;
}

bool template_fill(const struct template *t, const struct template_words *with, struct buf *out, struct error *err)
{
	struct error why = { "" };
	struct places places;
	struct buf prompt;
	bool good;

	buf_init(&prompt, SETTINGS_TEXT_LIMIT);
	good = template_read(t, &prompt, err);
	if (good && !places_of(buf_str(&prompt), &places, &why))
		good = error_set(err, "%s:%d: template %s: %s", t->file, t->prompt_line, t->name, why.text);
	good = good && template_has_all(t, with, &places, err) && pieces_write(t, buf_str(&prompt), with, &places, out, err);
	buf_fini(&prompt);
	return good;
}

/* Those of the prompt; none where it cannot be read. */
static struct places template_places(const struct template *t)
{
	struct places places = { 0 };
	struct error err = { "" };
	struct buf prompt;

	buf_init(&prompt, SETTINGS_TEXT_LIMIT);
	if (!template_read(t, &prompt, &err) || !places_of(buf_str(&prompt), &places, &err))
		places = (struct places){ 0 };
	buf_fini(&prompt);
	return places;
}

size_t template_word_count(const struct template *t)
{
	return template_places(t).words;
}

void template_split(const struct template *t, struct str line, struct template_words *with)
{
	size_t most = template_word_count(t);

	*with = (struct template_words){ .count = 0 };
	for (line = str_trim(line); line.len && with->count < most; line = str_trim_start(line)) {
		bool quoted = str_starts(line, "\"") && str_find(str_skip(line, 1), STR("\"")) < line.len - 1;
		size_t end = 0;

		line = str_skip(line, quoted);
		while (end < line.len && (quoted ? line.ptr[end] != '"' : !char_is_blank(line.ptr[end])))
			end++;
		with->words[with->count++] = str_head(line, end);
		line = str_skip(line, end + quoted);
	}
	with->rest = line;
}

void template_write_places(const struct template *t, struct buf *out)
{
	struct places places = template_places(t);

	for (size_t i = 1; i <= places.words; i++)
		buf_printf(out, "%s{%zu}", i > 1 ? " " : "", i);
	if (places.input)
		buf_printf(out, "%s{" INPUT "}", places.words ? " " : "");
}
