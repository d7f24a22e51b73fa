/*
 * Saving: a conversation, or an item of media, into a file that the user named. The form of a conversation follows from the suffix
 * (app/export/export_forms.h). A file that is there is not overwritten; one that could not be written whole is removed.
 */
#ifndef WEIR_APP_HISTORY_SAVING_H
#define WEIR_APP_HISTORY_SAVING_H

#include "store/history/history.h"

struct conversation;

/* One that is stored. `path` may begin with "~/". */
MUST_USE bool saving_stored(struct history *h, int64_t conversation, struct str path, struct error *err);
/* One in memory, with a title made of its first prompt. */
MUST_USE bool saving_in_memory(const struct conversation *c, struct str path, struct error *err);

bool saving_has_form(struct str path); /* whether the suffix is that of a form of conversations */
/* The bytes of an item of media, as they came, into a file of any name. */
MUST_USE bool saving_bytes(struct str bytes, struct str path, struct error *err);

#endif
