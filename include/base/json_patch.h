/*
 * A patch: a JSON object whose members replace or complete those of another one. Objects are merged, everything else is replaced, and null
 * removes a member. Keys are compared as they are written.
 *
 * The writer applies its patch to the outermost object while it writes that, because a draft (base/json_draft.h) has no whole text. A member
 * that holds a borrowed string stays as it is.
 */
#ifndef WEIR_BASE_JSON_PATCH_H
#define WEIR_BASE_JSON_PATCH_H

#include "base/json_write.h"

void json_patch(struct str object, struct str patch, struct buf *out); /* appends the result; both are valid objects */

/* For the writer. The last member of the outermost object is complete; that object is. */
void json_patch_member(struct json_writer *w);
void json_patch_rest(struct json_writer *w);

#endif
