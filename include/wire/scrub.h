/*
 * Scrubs a body: what was said is replaced, what the stream is made of stays. The result has the same length, so that reads and frames
 * stay where they are.
 *
 * - Text: a small letter becomes x, a capital X, a digit 7, another character one of the same length in bytes that stands for its
 *   class. Blanks and punctuation stay. The replacement of a character depends on nothing around it, so text that a server sends twice,
 *   cut up in different ways, stays equal.
 * - Ids and names become others of the same length, the same each time. What a colon, dash or underscore closes at the front of an id
 *   stays ("call_", "stream:chat:").
 * - Arguments of calls stay valid JSON where they are: their keys stay.
 * - Keys, numbers, and the strings that are words of the protocol (type, role, finish reason, model ...) stay, and so do the fields of
 *   an event stream. A model of one's own is text: its name holds that of the organization.
 *
 * Pure. `<think>` stays only where it comes in one piece.
 */
#ifndef WEIR_WIRE_SCRUB_H
#define WEIR_WIRE_SCRUB_H

#include <stdint.h>

#include "base/text.h"

/* `seed`: ids and names depend on it; with a random one nobody finds them by trying. */
void scrub_body(struct str body, uint64_t seed, struct buf *out);
void scrub_json(struct str json, uint64_t seed, struct buf *out); /* one value, such as a request */
void scrub_id(struct str id, uint64_t seed, struct buf *out);
void scrub_text(struct str text, struct buf *out);

/* "ft:gpt-4o-mini:acme::9x7": a model that was fine-tuned. */
bool scrub_model_is_own(struct str model);

#endif
