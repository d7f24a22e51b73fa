#include "store/config/tool_words.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"

#define WORD_LIMIT ((size_t)128 << 10) /* the kernel's limit of one word */

/* --- places --- */

struct place { size_t at, len; struct str name; bool is_path; }; /* of "{name}" or "{./name}" in a word */

/* The first place at or behind `from`. False: there is none. */
static bool place_find(struct str word, size_t from, struct place *place)
{
	for (size_t i = from; i < word.len; i++) {
		struct str rest = str_skip(word, i + 1), name;
		size_t len = 0;

		if (word.ptr[i] != '{')
			continue;
		place->is_path = str_starts(rest, "./");
		name = str_skip(rest, place->is_path ? 2 : 0);
		while (len < name.len && (char_is_word(name.ptr[len]) || name.ptr[len] == '_' || name.ptr[len] == '-'))
			len++;
		if (!len || len == name.len || name.ptr[len] != '}')
			continue;
		place->at = i;
		place->name = str_head(name, len);
		place->len = len + 2 + (place->is_path ? 2 : 0);
		return true;
	}
	return false;
}

bool tool_words_has_place(struct str word)
{
	struct place place;

	return place_find(word, 0, &place);
}

void tool_words_schema(const char *const *words, struct buf *out)
{
	struct json_writer w;
	struct place place;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_member_string(&w, "type", STR("object"));
	json_key(&w, "properties");
	json_open_object(&w);
	for (size_t i = 0; words && words[i]; i++)
		for (size_t at = 0; place_find(str_from(words[i]), at, &place); at = place.at + place.len) {
			json_key_str(&w, place.name);
			json_verbatim(&w, STR("{\"type\":\"string\"}"));
		}
	json_close_object(&w);
	json_close_object(&w);
}

/* --- values --- */

struct filling {
	const struct tool_command *command;
	const struct json *schema, *arguments;
	bool literal;             /* a word -- stands before this one */
	char **paths;             /* of {./name} so far; NULL after the last */
	size_t path_count;
	struct error *why;
};

/* The path of a file below the folder, all links followed. */
static bool value_add_path(struct filling *f, struct str value, struct buf *out)
{
	const char *folder = f->command->folder;
	char top[PATH_MAX], found[PATH_MAX];
	struct buf path = { 0 };
	bool good = realpath(folder ? folder : ".", top) != NULL;

	buf_printf(&path, "%s/%.*s", good ? top : ".", STR_ARG(value));
	good = good && value.len && *value.ptr != '/' && realpath(buf_z(&path), found) != NULL;
	size_t len = good ? strlen(top) : 0;
	buf_fini(&path);
	if (good && !strncmp(found, top, len) && (len == 1 || found[len] == '/')) {
		f->paths = mem_resize(f->paths, f->path_count + 2, sizeof *f->paths);
		f->paths[f->path_count++] = mem_dup_z(found);
		f->paths[f->path_count] = NULL;
		return buf_add_z(out, found);
	}
	return error_set(f->why, "%.*s is no file below the folder of this tool", STR_ARG(str_head(value, 200)));
}

/* Appends the value of a place. */
static bool value_add(struct filling *f, const struct place *place, const struct json *value, struct buf *out)
{
	struct buf text = { 0 }; /* what is too long for it is not cut, but refused below */

	if (json_kind(value) == JSON_STRING)
		buf_add(&text, json_text(value));
	else
		json_dump(value, &text);
	bool good = !text.len || !memchr(text.ptr, '\0', text.len);
	if (!good)
		error_set(f->why, "%.*s holds a NUL byte, which no argument of a program can", STR_ARG(place->name));
	else if (place->is_path)
		good = value_add_path(f, buf_str(&text), out);
	else
		good = buf_add(out, buf_str(&text)) || error_set(f->why, "%.*s is too long for an argument of a program", STR_ARG(place->name));
	buf_fini(&text);
	return good;
}

/* Whether a value that begins a word with a dash would be taken for an option. */
static bool value_is_option(const struct json *value, bool literal)
{
	return !literal && json_kind(value) == JSON_STRING && str_starts(json_text(value), "-");
}

/* --- words --- */

/* Whether the place is one: braces with other names are text, such as a program for awk. */
static bool place_counts(const struct filling *f, const struct place *place)
{
	const struct json *properties = json_get(f->schema, "properties");
	struct json_member member = { 0 };

	if (!f->command->knows_arguments)
		return true;
	while (json_next(properties, &member))
		if (str_equal(member.key, place->name))
			return true;
	return false;
}

enum filled { FILLED, FILLED_LEFT_OUT, FILLED_REFUSED };

static const struct json *argument_of(const struct json *arguments, struct str name)
{
	struct json_member member = { 0 };

	while (json_next(arguments, &member))
		if (str_equal(member.key, name))
			return member.value;
	return NULL;
}

static enum filled word_fill(struct filling *f, struct str word, struct buf *out)
{
	struct place place;
	size_t done = 0, at = 0;
	bool by_number = false; /* what it begins with: a number may be below 0 */

	for (; place_find(word, at, &place); at = place.at + place.len) {
		if (!place_counts(f, &place))
			continue;
		const struct json *value = argument_of(f->arguments, place.name);
		if (!value)
			return FILLED_LEFT_OUT;
		buf_add(out, str_head(str_skip(word, done), place.at - done));
		done = place.at + place.len;
		if (!place.is_path && !out->len && value_is_option(value, f->literal)) {
			error_set(f->why, "%.*s begins with a dash, which %s could take for an option", STR_ARG(place.name), f->command->words[0]);
			return FILLED_REFUSED;
		}
		by_number |= !out->len && json_kind(value) != JSON_STRING;
		if (!value_add(f, &place, value, out))
			return FILLED_REFUSED;
	}
	if (!buf_add(out, str_skip(word, done))) {
		error_set(f->why, "an argument is too long for a program");
		return FILLED_REFUSED;
	}
	if (!f->literal && !by_number && !str_starts(word, "-") && str_starts(buf_str(out), "-")) { /* a value before its dash is empty */
		error_set(f->why, "an argument begins with a dash, which %s could take for an option", f->command->words[0]);
		return FILLED_REFUSED;
	}
	return FILLED;
}

void tool_words_free(char **words)
{
	for (size_t i = 0; words && words[i]; i++)
		mem_free(words[i]);
	mem_free(words);
}

const char *tool_words_moved(char *const *paths)
{
	char found[PATH_MAX];

	while (paths && *paths && realpath(*paths, found) && !strcmp(found, *paths))
		paths++;
	return paths ? *paths : NULL;
}

char **tool_words_fill(const struct tool_command *command, const struct json *arguments, char ***paths, struct error *why)
{
	struct json_parser *parser = json_parser_new();
	size_t count = 0, filled = 0, used;
	struct filling f = { .command = command, .schema = json_parse(parser, str_from(command->schema), &used), .arguments = arguments, .why = why };
	bool good = true;

	while (command->words[count])
		count++;
	char **words = mem_new((count + 1) * sizeof *words);
	for (size_t i = 0; good && i < count; i++) {
		struct buf word;

		buf_init(&word, WORD_LIMIT);
		enum filled how = word_fill(&f, str_from(command->words[i]), &word);
		good = how != FILLED_REFUSED;
		f.literal |= !strcmp(command->words[i], "--");
		if (how == FILLED)
			words[filled++] = str_dup(buf_str(&word));
		buf_fini(&word);
	}
	json_parser_free(parser);
	*paths = f.paths;
	if (good)
		return words;
	tool_words_free(words);
	return NULL;
}
