/*
 * Arguments of a call that are of another kind than the schema says, but say the same: a number or a truth value where it wants a text, and a text
 * that is a number where it wants one. Only members of the object itself, with one type in "properties", are recast.
 */
#ifndef WEIR_APP_TOOL_RECAST_H
#define WEIR_APP_TOOL_RECAST_H

#include "base/text.h"

/* Appends the object with those recast, numbers digit by digit as sent. False: nothing is to be recast, or it is no object. */
bool tool_recast(struct str schema, struct str arguments, struct buf *out);

#endif
