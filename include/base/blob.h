/*
 * Large bytes, such as a picture, that several owners hold without copying them: the value of a frame, a delta's consumers, copies of a turn.
 *
 * A blob lives until its last holder drops it. Bytes that several hold do not change: blob_add() then makes a copy. NULL is an empty blob.
 */
#ifndef WEIR_BASE_BLOB_H
#define WEIR_BASE_BLOB_H

#include "base/text.h"

struct blob {
	struct buf bytes;
	size_t holders;
};

struct blob *blob_of(struct buf *bytes);   /* takes over the memory of the buffer, which is empty then. The caller holds it */
struct blob *blob_hold(struct blob *blob); /* one holder more; returns the blob */
void blob_drop(struct blob *blob);
struct str blob_str(const struct blob *blob);

/* Of a member that holds a blob or NULL: holds `blob` in place of what it held; appends. */
void blob_set(struct blob **to, struct blob *blob);
void blob_add(struct blob **to, struct str bytes);

#endif
