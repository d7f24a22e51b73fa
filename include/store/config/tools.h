/*
 * Tools of one's own: the sections [tool NAME] of weir.conf. Each is a program that may run when a model calls it (app/tools/tool_set.h).
 *
 * `command` is split into words as a shell would, without a shell. {name} in a word is that argument of the call. With `input = json` the
 * arguments are one JSON object on the program's standard input instead.
 */
#ifndef WEIR_STORE_TOOLS_H
#define WEIR_STORE_TOOLS_H

#include "base/ini.h"
#include "base/text.h"

#define TOOL_SETTINGS_MOST 12
#define TOOL_NAME_MOST 64       /* the least limit of providers; letters, digits, _ and - */
#define TOOL_TIMEOUT_S 30
#define TOOL_OUTPUT_BYTES 65536

/* Whether a call is asked for before it runs (app/tools/approval.h). TOOL_NEVER: it is not offered, and never runs. */
enum tool_approve { TOOL_ASK, TOOL_ONCE, TOOL_ALWAYS, TOOL_NEVER };
enum tool_input { TOOL_ARGUMENTS, TOOL_JSON };

struct tool_section {
	char *name, *file;
	int line;                       /* of its first setting */
	char *command, *description;    /* NULL: not set */
	char *schema, *schema_file;     /* of the arguments; at most one is set */
	char *folder;                   /* where it runs; NULL: where weir does */
	char *env;                      /* names of variables, parted by blanks or commas */
	enum tool_input input;
	enum tool_approve approve;
	long long timeout_s;            /* 0: TOOL_TIMEOUT_S */
	long long output_bytes;         /* that are kept; 0: TOOL_OUTPUT_BYTES */
	int lines[TOOL_SETTINGS_MOST];  /* of each row; 0: not set */
};

struct tool_sections { struct tool_section *items; size_t count, capacity; }; /* a zeroed one is empty; in the order of the file */

void tool_sections_fini(struct tool_sections *tools);
const struct tool_section *tool_sections_find(const struct tool_sections *tools, struct str name); /* NULL: there is none */
bool tool_name_is_good(struct str name);
const char *tool_approve_name(enum tool_approve approve);

/* Takes an entry of the section [tool NAME]. Files and folders are relative to the folder of the settings file, or begin with "~/". */
MUST_USE bool tool_sections_set(struct tool_sections *tools, struct str name, const struct ini_entry *entry, struct error *err);
/* Whether each has what it needs, a command; called when all entries were read. */
MUST_USE bool tool_sections_check(const struct tool_sections *tools, struct error *err);
/* Sets an error that begins with the file and the line of a setting of the tool. Returns false. */
bool tool_section_refuse(const struct tool_section *tool, const char *setting, const char *why, struct error *err);
bool tool_section_next_variable(struct str *names, struct str *name); /* removes the next name of `env`; false: there is none left */

/* Appends the value of a row of the table, by its index; nothing where it is not set. */
void tool_section_write(const struct tool_section *tool, size_t index, struct buf *out);

struct ini_help tool_setting_at(size_t index);

#endif
