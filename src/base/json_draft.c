#include "base/json_draft.h"

#include "base/base64.h"
#include "base/mem.h"

/* Bytes of an insert that are written at once; whole groups of base64. */
#define PIECE_BYTES ((size_t)3 << 13)

void json_draft_init(struct json_draft *d)
{
	*d = (struct json_draft){ .count = 0 };
	json_writer_init(&d->writer, &d->frame);
	d->writer.draft = d;
}

void json_draft_fini(struct json_draft *d)
{
	buf_fini(&d->frame);
	mem_free(d->inserts);
	*d = (struct json_draft){ .count = 0 };
}

void json_draft_insert(struct json_draft *d, enum json_insert_kind kind, struct str bytes)
{
	*ARRAY_ADD(d->inserts, d->count, d->capacity) = (struct json_insert){ kind, d->frame.len, bytes };
}

/* Appends the next bytes of the insert that was reached. */
static bool draft_write_insert(struct json_draft *d, struct buf *out)
{
	const struct json_insert *insert = &d->inserts[d->insert];
	struct str piece = str_head(str_skip(insert->bytes, d->inserted), PIECE_BYTES);

	d->inserted += piece.len;
	if (d->inserted == insert->bytes.len) {
		d->insert++;
		d->inserted = 0;
	}
	return insert->kind == JSON_INSERT_TEXT ? json_escape_piece(out, piece) : base64_encode(piece, out);
}

enum json_draft_state json_draft_write(struct json_draft *d, struct buf *out, size_t most)
{
	size_t start = out->len;

	while (out->len - start < most) {
		size_t end = d->insert < d->count ? d->inserts[d->insert].at : d->frame.len;
		struct str frame = str_head(str_skip(buf_str(&d->frame), d->framed), end - d->framed);

		if (!frame.len && d->insert == d->count)
			return d->writer.full ? JSON_DRAFT_FULL : JSON_DRAFT_DONE;
		d->framed = end;
		if (!buf_add(out, frame) || (d->insert < d->count && !draft_write_insert(d, out)))
			return JSON_DRAFT_FULL;
	}
	return JSON_DRAFT_MORE;
}
