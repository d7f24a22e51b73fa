#include "app/bindings.h"

#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "base/mem.h"

#define KEY_NAME_BYTES 64

struct binding {
	const struct command *command;
	char *spelled;                    /* text that `key` borrows from */
	char *name;                       /* the key's name for people */
	struct key key;
	const struct key_setting *setting; /* the line of [keys] that binds it; NULL: bound by the table */
};

struct bindings {
	struct binding *all;
	size_t count, capacity;
};

static void bindings_add(struct bindings *b, const struct command *command, struct str spelled, const struct key_setting *setting)
{
	struct binding binding = { .command = command, .spelled = str_dup(spelled), .setting = setting };
	struct buf name;

	(void)key_from_name(str_from(binding.spelled), &binding.key); /* cannot fail: the name was checked */
	buf_init(&name, KEY_NAME_BYTES);
	key_name(&binding.key, &name);
	binding.name = buf_take(&name);
	mem_reserve(&b->all, &b->capacity, b->count + 1, sizeof *b->all);
	b->all[b->count++] = binding;
}

struct bindings *bindings_new(void)
{
	struct bindings *b = mem_new(sizeof *b);
	const struct command *command;

	for (size_t i = 0; (command = command_at(COMMAND_SCREEN, i)); i++)
		if (command->key)
			bindings_add(b, command, str_from(command->key), NULL);
	return b;
}

static void binding_fini(struct binding *binding)
{
	mem_free(binding->spelled);
	mem_free(binding->name);
}

void bindings_free(struct bindings *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->count; i++)
		binding_fini(&b->all[i]);
	mem_free(b->all);
	mem_free(b);
}

/* --- [keys] --- */

static bool bindings_is_fixed(const struct key *key)
{
	return key->code == KEY_ESCAPE || (key->code == KEY_ENTER && !key->modifiers) || (key->code == KEY_CONTROL && key->letter == 'c');
}

/* Removes the bindings of the table for a command. A key that keeps its meaning is kept. */
static void bindings_drop(struct bindings *b, const struct command *command)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->count; i++)
		if (b->all[i].command == command && !bindings_is_fixed(&b->all[i].key))
			binding_fini(&b->all[i]);
		else
			b->all[kept++] = b->all[i];
	b->count = kept;
}

static bool bindings_fail(const struct key_setting *setting, const char *why, struct str key, struct error *err)
{
	return error_set(err, "%s:%d: %s = %s: %.*s %s", setting->file, setting->line, setting->command, setting->keys,
	                 STR_ARG(str_head(key, KEY_NAME_BYTES)), why);
}

static bool bindings_check_key(const struct key_setting *setting, struct str spelled, struct error *err)
{
	struct key key;

	if (spelled.len > KEY_NAME_BYTES || !key_from_name(spelled, &key))
		return bindings_fail(setting, "is not a key; keys are written as in Ctrl-T, Alt-r, F8 or Shift-Tab", spelled, err);
	if (bindings_is_fixed(&key))
		return bindings_fail(setting, "keeps what it does", spelled, err);
	const char *why = key_why_not(spelled, &key);
	return !why || bindings_fail(setting, why, spelled, err);
}

static bool bindings_is_of(const struct bindings *b, const struct command *command, struct str spelled)
{
	struct key key;

	if (key_from_name(spelled, &key))
		for (size_t i = 0; i < b->count; i++)
			if (b->all[i].command == command && key_equal(&b->all[i].key, &key))
				return true;
	return false;
}

static bool bindings_take_setting(struct bindings *b, const struct key_setting *setting, struct error *err)
{
	const struct command *command = command_bound_as(str_from(setting->command));
	struct str rest = str_from(setting->keys), word;

	if (!command)
		return error_set(err, "%s:%d: [keys] %s: there is no such command; weir --help keys lists them", setting->file, setting->line,
		                 setting->command);
	if (str_is_blank(rest))
		return bindings_fail(setting, "there is no key; none unbinds it", STR(""), err);
	bindings_drop(b, command);
	if (str_is_nocase(str_trim(rest), "none"))
		return true;
	while (str_split(&rest, ',', &word)) {
		word = str_trim(word);
		if (bindings_is_of(b, command, word))
			continue;
		if (!bindings_check_key(setting, word, err))
			return false;
		bindings_add(b, command, word, setting);
	}
	return true;
}

/* The error names a line of the file: the table itself has no clash. */
static bool bindings_check_clashes(const struct bindings *b, struct error *err)
{
	for (size_t i = 0; i < b->count; i++)
		for (size_t j = 0; j < b->count; j++) {
			const struct binding *mine = &b->all[i], *other = &b->all[j];
			char why[160];

			if (i == j || !mine->setting || !key_equal(&mine->key, &other->key) || (other->setting && j > i))
				continue;
			snprintf(why, sizeof why, "is a key of %s already; bind that to another key, or to none", command_key_name(other->command));
			return bindings_fail(mine->setting, why, str_from(mine->spelled), err);
		}
	return true;
}

bool bindings_take(struct bindings *b, const struct settings *settings, struct error *err)
{
	for (size_t i = 0; i < settings->key_count; i++)
		if (!bindings_take_setting(b, &settings->keys[i], err))
			return false;
	return bindings_check_clashes(b, err);
}

/* --- looking up --- */

const struct command *bindings_find(const struct bindings *b, const struct key *key)
{
	for (size_t i = 0; i < b->count; i++)
		if (key_equal(&b->all[i].key, key))
			return b->all[i].command;
	return NULL;
}

/* In a burst of keys Ctrl-J is text. */
static bool bindings_is_unbound(const struct key *key)
{
	const struct command *command;

	for (size_t i = 0; !key->at_once && (command = command_at(COMMAND_SCREEN, i)); i++)
		if (command->is_key && command_own_key(command, key))
			return true;
	return false;
}

const struct key *bindings_hear(const struct bindings *b, const struct key *key, struct key *own)
{
	const struct command *command = bindings_find(b, key);

	if (!command && bindings_is_unbound(key))
		return NULL;
	if (!command || !command->is_key || command_own_key(command, key))
		return key;
	(void)key_from_name(str_from(command->key), own); /* cannot fail: names of the table are keys */
	return own;
}

bool bindings_has(const struct bindings *b, const struct key *key, const char *command)
{
	const struct command *found = bindings_find(b, key);

	return found && !strcmp(command_key_name(found), command);
}

const char *bindings_first(const struct bindings *b, const char *command)
{
	for (size_t i = 0; i < b->count; i++)
		if (!strcmp(command_key_name(b->all[i].command), command))
			return b->all[i].name;
	return "";
}

void bindings_write(const struct bindings *b, const struct command *command, struct buf *out)
{
	bool first = true;

	for (size_t i = 0; i < b->count; i++) {
		if (b->all[i].command != command)
			continue;
		buf_printf(out, "%s%s", first ? "" : ", ", b->all[i].name);
		first = false;
	}
}
