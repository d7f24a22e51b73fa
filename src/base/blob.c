#include "base/blob.h"

#include "base/mem.h"

struct blob *blob_of(struct buf *bytes)
{
	struct blob *blob = mem_new(sizeof *blob);

	*blob = (struct blob){ *bytes, 1 };
	buf_init(bytes, bytes->limit);
	return blob;
}

struct blob *blob_hold(struct blob *blob)
{
	if (blob)
		blob->holders++;
	return blob;
}

void blob_drop(struct blob *blob)
{
	if (!blob || --blob->holders)
		return;
	buf_fini(&blob->bytes);
	mem_free(blob);
}

struct str blob_str(const struct blob *blob)
{
	return blob ? buf_str(&blob->bytes) : STR_NONE;
}

void blob_set(struct blob **to, struct blob *blob)
{
	struct blob *before = *to;

	*to = blob_hold(blob);
	blob_drop(before);
}

void blob_add(struct blob **to, struct str bytes)
{
	struct blob *before = *to;

	if (!before || before->holders > 1) {
		struct buf copy = { 0 };

		buf_add(&copy, blob_str(before));
		*to = blob_of(&copy);
		blob_drop(before);
	}
	buf_add(&(*to)->bytes, bytes);
}
