/*
 * Details: all known facts about an answer, as rows, for the details sheet and for /details of the linear mode.
 */
#ifndef WEIR_APP_DETAILS_H
#define WEIR_APP_DETAILS_H

#include "base/text.h"

struct buf;
struct turn;

/* Receives a fact with its name. Without a name (NULL), `value` is preformatted lines. Without a value (STR_NONE), `name` is a heading. */
typedef void details_row(void *ctx, const char *name, struct str value);

/* Appends a chart of the rate over the time of the answer, for a screen; nothing if too little was measured. */
void details_chart(const struct turn *t, bool ascii, struct buf *out);

void details_tell(const struct turn *t, details_row *row, void *ctx);

#endif
