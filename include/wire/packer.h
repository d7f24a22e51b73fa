/*
 * Packs (base/json.h) of a text that arrives in pieces: base64 in it is decoded as it arrives and taken out of the text, so that a picture is
 * not kept twice. For the framer, which owns the text; the packer owns the packs.
 */
#ifndef WEIR_WIRE_PACKER_H
#define WEIR_WIRE_PACKER_H

#include "base/json.h"

struct packer { /* embedded; zeroed: it makes none */
	size_t from;             /* base64 of so many characters becomes a pack; 0: none does */
	struct json_pack *packs; /* in the order of the text */
	size_t count, capacity;
	size_t packed;           /* characters in them, which the text lacks */
	size_t run_at;           /* where the base64 begins at the end of the text */
	bool is_open;            /* the last pack reaches that end, but for up to three characters */
};

void packer_fini(struct packer *p);
/* Bytes were added to the text behind `before`: the last pack goes on, or a run at the end has become long enough for one. */
void packer_take(struct packer *p, struct buf *text, size_t before);
void packer_end_text(struct packer *p); /* what comes belongs to another text; the packs stay */
void packer_drop(struct packer *p);     /* the packs were given away: none is left, and another text begins */

#endif
