#include "app/command/bindings.h"

#include <stdio.h>
#include <string.h>

#include "app/command/command.h"
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

/* Removes bindings of the table: those of a command, or those to a key. A key that keeps its meaning is kept. */
static void bindings_drop(struct bindings *b, const struct command *command, const struct key *key)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->count; i++) {
		struct binding *binding = &b->all[i];
		bool meant = binding->command == command || (key && key_equal(&binding->key, key));

		if (meant && !binding->setting && !bindings_is_fixed(&binding->key))
			binding_fini(binding);
		else
			b->all[kept++] = *binding;
	}
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

/* The binding to a key by an earlier line of [keys], or by the table where that key keeps its meaning; NULL: the key is free. */
static const struct binding *bindings_holder(const struct bindings *b, const struct key *key)
{
	for (size_t i = 0; i < b->count; i++)
		if (key_equal(&b->all[i].key, key) && (b->all[i].setting || bindings_is_fixed(key)))
			return &b->all[i];
	return NULL;
}

/* Keeps the first note only; the next is told when that is mended. */
static void bindings_tell_note(const struct key_setting *setting, struct str word, const struct binding *holder, struct error *note)
{
	char why[200];

	snprintf(why, sizeof why, "is bound to %s in line %d, which holds; bind one of the two to another key", command_key_name(holder->command),
	         holder->setting->line);
	if (!*note->text)
		(void)bindings_fail(setting, why, word, note);
}

/* Binds a key, which is taken from the default that has it. False, with `err` set: the word is no key that can be bound. */
static bool bindings_take_key(struct bindings *b, const struct key_setting *setting, const struct command *command, struct str word,
                              struct error *note, struct error *err)
{
	struct key key;
	const struct binding *holder = key_from_name(word, &key) ? bindings_holder(b, &key) : NULL;

	if (holder && holder->command == command)
		return true;
	if (!bindings_check_key(setting, word, err))
		return false;
	if (holder) {
		bindings_tell_note(setting, word, holder, note);
		return true;
	}
	bindings_drop(b, command, &key);
	bindings_add(b, command, word, setting);
	return true;
}

/* A line of which every key is held by earlier ones leaves the command its default. */
static bool bindings_take_setting(struct bindings *b, const struct key_setting *setting, struct error *note, struct error *err)
{
	const struct command *command = command_bound_as(str_from(setting->command));
	struct str rest = str_from(setting->keys), word;
	bool good = true;

	if (!command && command_is_gone(str_from(setting->command))) {
		if (!*note->text)
			error_set(note, "%s:%d: [keys] %s has no effect: this command is gone", setting->file, setting->line, setting->command);
		return true;
	}
	if (!command)
		return error_set(err, "%s:%d: [keys] %s: there is no such command; weir --help keys lists them", setting->file, setting->line,
		                 setting->command);
	if (str_is_blank(rest))
		return bindings_fail(setting, "there is no key; none unbinds it", STR(""), err);
	if (str_is_nocase(str_trim(rest), "none")) {
		bindings_drop(b, command, NULL);
		return true;
	}
	while (good && str_split(&rest, ',', &word))
		good = bindings_take_key(b, setting, command, str_trim(word), note, err);
	return good;
}

bool bindings_take(struct bindings *b, const struct settings *settings, struct error *note, struct error *err)
{
	bool good = true;

	*note = (struct error){ "" };
	for (size_t i = 0; good && i < settings->key_count; i++)
		good = bindings_take_setting(b, &settings->keys[i], note, err);
	return good;
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

void bindings_write_all(const struct bindings *b, const struct command *command, struct buf *out)
{
	bindings_write(b, command, out);
	if (command->letter)
		buf_printf(out, "%s%s%s", out->len ? ", " : "", command->on_item ? "item: " : "",
		           command->letter == ' ' ? "space" : (char[]){ command->letter, 0 });
}
