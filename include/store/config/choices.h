/*
 * Choices: what the user chose in the program, kept in XDG state for the next start: provider, model, protocol, theme and view settings.
 *
 * "choices" holds one JSON object of strings, readable by its owner only (0600). It never holds a key: no names but those of
 * choices_name_at() are written or read. A choice is kept at once: the file is read again and replaced as a whole, so of two programs the
 * last one wins and a reader never sees half a file. What is not understood counts as absent. A folder or file that is not ours alone
 * (store/files/private_folder.h) is not used.
 */
#ifndef WEIR_STORE_CHOICES_H
#define WEIR_STORE_CHOICES_H

#include "base/text.h"

#define CHOICES_MOST 8
#define CHOICES_VALUE_LIMIT ((size_t)1000) /* longer values are not kept */

struct choices { char *values[CHOICES_MOST]; }; /* embedded; NULL: not chosen */

const char *choices_name_at(size_t index); /* NULL after the last */

void choices_read(struct choices *c); /* empty when there is no file that can be used */
void choices_fini(struct choices *c);

const char *choices_get(const struct choices *c, const char *name); /* NULL: not chosen. Borrowed until it is set */
void choices_set(struct choices *c, const char *name, struct str value); /* "" or too long: not chosen */

/* Writes those of `c` that are named; what the file holds of others stays. `names` ends with NULL. */
MUST_USE bool choices_keep(const struct choices *c, const char *const *names, struct error *err);

#endif
