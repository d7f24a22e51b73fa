/*
 * Bindings: which keys run which command. A command has the key of its row in the table (app/command/command.h), unless [keys] in weir.conf
 * names others. Enter, Esc, Ctrl-C and text keys, including the letters of panes, cannot be bound.
 *
 * Dispatch, help, palette and hints all take a command's keys from here.
 */
#ifndef WEIR_APP_BINDINGS_H
#define WEIR_APP_BINDINGS_H

#include "store/config/settings.h"
#include "ui/term/key.h"

struct command;
struct bindings; /* heap */

struct bindings *bindings_new(void); /* with the keys of the table */
void bindings_free(struct bindings *b);

/*
 * Applies [keys]. A key is taken from the command that has it by default. If two lines bind one key, the first one holds. `note` names file
 * and line of the first key or line without effect; "": there is none. All else is applied. False for an unknown name and a key that cannot
 * be bound; `err` names file and line.
 */
MUST_USE bool bindings_take(struct bindings *b, const struct settings *settings, struct error *note, struct error *err);

const struct command *bindings_find(const struct bindings *b, const struct key *key);    /* NULL: the key is not bound */
/*
 * Translates a pressed key. Commands with `is_key` act as their own key does: for a key that is bound to such a command, the result is
 * the command's own key, stored in `own`. NULL for that own key itself if [keys] replaced it. Any other key is returned as it is.
 */
const struct key *bindings_hear(const struct bindings *b, const struct key *key, struct key *own);
/* Whether `key` is bound to a command, given by its name in [keys]. */
bool bindings_has(const struct bindings *b, const struct key *key, const char *command);

/* The first key of a command, as text; "" if it has none. */
const char *bindings_first(const struct bindings *b, const char *command);
/* Appends all its keys: "Alt-R, F8". */
void bindings_write(const struct bindings *b, const struct command *command, struct buf *out);
/* The same, then the letter that runs it in a pane. `out` is empty. */
void bindings_write_all(const struct bindings *b, const struct command *command, struct buf *out);

#endif
