/*
 * The text of a request that is edited to be sent again: what the user's editor gets, and what becomes of it.
 *
 * A text that cannot be sent is kept: the next edit of the same answer's request goes on with it.
 */
#ifndef WEIR_APP_REQUEST_EDIT_H
#define WEIR_APP_REQUEST_EDIT_H

#include "app/session/session.h"

struct request_edit { /* embedded; zero is legal */
	struct turn *answer;     /* whose request it is; borrowed from the conversation */
	uint64_t conversation;   /* session_number() */
	char *offered;           /* what the editor got; NULL: nothing is edited */
	char *kept;              /* what it gave back and could not be sent; NULL: nothing */
};

void request_edit_fini(struct request_edit *e);

/* Begins an edit: `*text` is for the editor, borrowed until the edit ends. False: the request is not known or cannot be sent. */
MUST_USE bool request_edit_begin(struct request_edit *e, struct setup *setup, struct session *s, struct turn *answer, struct str *text,
                                 struct error *err);

/* Takes the file that the editor left. With EDIT_REFUSED, `err` says why; the text is kept then. */
enum request_edit_end { REQUEST_EDIT_SENT, REQUEST_EDIT_SAME /* nothing was changed: nothing is sent */, REQUEST_EDIT_REFUSED };
enum request_edit_end request_edit_take(struct request_edit *e, struct session *s, const char *path, struct error *err);

/* What to say about an edit that has ended. `again`: how it is begun again: "e" or "/request edit". */
void request_edit_words(enum request_edit_end end, const struct error *err, const char *again, struct buf *out);

#endif
