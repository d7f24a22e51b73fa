/*
 * Bindings: which keys run which command. Each has the key of its row in the table (app/command.h), unless [keys] in weir.conf names
 * others for it. Enter, Esc, Ctrl-C and text keep what they do; letters in a pane are text.
 *
 * Whoever shows or hears a key of a command asks here: dispatch, help, palette, hints.
 */
#ifndef WEIR_APP_BINDINGS_H
#define WEIR_APP_BINDINGS_H

#include "store/settings.h"
#include "ui/term/key.h"

struct command;
struct bindings; /* heap */

struct bindings *bindings_new(void); /* the table's own */
void bindings_free(struct bindings *b);

/* Takes what [keys] says. False: an unknown name, a key that cannot be bound or that two commands have; with file and line. */
MUST_USE bool bindings_take(struct bindings *b, const struct settings *settings, struct error *err);

const struct command *bindings_find(const struct bindings *b, const struct key *key);    /* NULL: it is no command's */
/*
 * The key that is heard for one that was pressed: the own key of a command that is one (`own` holds it), where another was bound to it;
 * NULL: that own key itself, which is bound no more; else `key`.
 */
const struct key *bindings_hear(const struct bindings *b, const struct key *key, struct key *own);
/* Whether it is one of a command by its name in [keys]. */
bool bindings_has(const struct bindings *b, const struct key *key, const char *command);

/* The keys of a command as people write them: the first ("" : it has none), or all of them, appended: "Alt-R, F8". */
const char *bindings_first(const struct bindings *b, const char *command);
void bindings_write(const struct bindings *b, const struct command *command, struct buf *out);

#endif
