/*
 * Everything that is known about an answer, as rows: the details sheet and the linear mode's /details.
 */
#ifndef WEIR_APP_DETAILS_H
#define WEIR_APP_DETAILS_H

#include "chat/conversation.h"

/* A fact and its name; without a name (NULL) lines as they stand; without a value (STR_NONE) the heading of a group. */
typedef void details_row(void *ctx, const char *name, struct str value);

void details_tell(const struct turn *t, details_row *row, void *ctx);

#endif
