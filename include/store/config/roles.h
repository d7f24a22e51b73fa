/*
 * Roles: the sections [role NAME] of weir.conf. A role is a set of things to ask with, chosen together: a system prompt, a provider, a
 * model, parameters.
 *
 * Each setting of a role is a row of a table: name, setter, help. What a role names (a provider, a file) is looked at when the role is
 * used, so that a stale one does not keep the program from starting; each setting keeps its line for that message.
 */
#ifndef WEIR_STORE_ROLES_H
#define WEIR_STORE_ROLES_H

#include "base/ini.h"
#include "chat/provider/parameters.h"

#define ROLE_OFF "off" /* means "no role", so no role has this name */
#define ROLE_SETTINGS_MOST 24

struct role {
	char *name, *file;
	int line;                           /* of its first setting */
	char *system, *system_file;         /* NULL: not set; at most one is */
	char *provider, *model;
	const struct protocol *protocol;
	char *tools, *schema;               /* files */
	char *tool_names;                   /* of tools that run, in place of the file: patterns parted by commas; NULL: it names none */
	struct parameters parameters;
	int lines[ROLE_SETTINGS_MOST];      /* of each row; 0: not set */
};

struct roles { struct role *items; size_t count, capacity; }; /* a zeroed one is empty; in the order of the file */

void roles_fini(struct roles *roles);
/* NULL: there is none. Borrowed, until a role is added. */
const struct role *roles_find(const struct roles *roles, struct str name);
const char *role_name_at(const void *roles, size_t index); /* of struct roles, as base/names.h wants it */

/* Takes an entry of the section [role NAME]. Files are relative to the folder of the settings file, or begin with "~/". */
MUST_USE bool roles_set(struct roles *roles, struct str name, const struct ini_entry *entry, struct error *err);

/* Sets an error that begins with the file and the line of a setting of the role: "weir.conf:12: role NAME: WHY". Returns false. */
bool role_refuse(const struct role *role, const char *setting, const char *why, struct error *err);
/* Reads the system prompt, from its file if it is in one. `text` is empty if the role has none. */
MUST_USE bool role_read_system(const struct role *role, struct buf *text, struct error *err);
/* Appends what the role sets, as "openai gpt-x, temperature 0.2, system". */
void role_write_facts(const struct role *role, struct buf *out);

/* Appends the value of a row of the table, by its index; nothing where it is not set. */
void role_write_setting(const struct role *role, size_t index, struct buf *out);

struct ini_help role_setting_at(size_t index);

/* --- shared with templates (store/config/templates.h) --- */

#define SETTINGS_TEXT_LIMIT ((size_t)1 << 20) /* of a file that a role or a template names */

/* The path of a file that an entry names. Heap; NULL, with an error: "~/" without a home folder. */
char *settings_named_path(const char *settings_file, struct str value, struct error *err);
/* Reads such a file as valid UTF-8 text, without the line end at its end. */
MUST_USE bool settings_read_named(const char *path, struct buf *text, struct error *err);

#endif
