/*
 * Scrubs what a tape holds so that it can be shown to others: what the protocols say stays, what their users say is replaced by something
 * else of the same length. Reads and frames stay where they are, and the deltas are of the same kinds, lengths, figures and outcome.
 *
 * What stays is listed (scrub_words.c): names of the protocols' members; words of their types, roles, reasons, codes and media types; the
 * front of ids ("call_"); names of public models; segments of paths; figures of usage, limits and places, times, true, false and null. All
 * else is replaced:
 *
 * - Text: a small letter becomes x, a capital X, a digit 7, another character one of the same length in bytes that stands for its class.
 *   Blanks and punctuation stay. The replacement of a character depends on nothing around it, so text that a server sends twice, cut up in
 *   different ways, stays equal.
 * - Ids, names and unknown members become others of the same length: the same each time, and never the same for two.
 * - What is the user's (arguments of calls, metadata, the value of an unknown member) is replaced down to its keys and numbers. Arguments
 *   in strings stay valid JSON, in pieces too.
 *
 * Pure. `<think>` stays only where it comes in one piece.
 */
#ifndef WEIR_WIRE_SCRUB_H
#define WEIR_WIRE_SCRUB_H

#include <stdint.h>

#include "base/text.h"

struct scrub; /* heap */

/* `seed`: ids and names depend on it; with a random one nobody finds them by trying. */
struct scrub *scrub_new(uint64_t seed);
void scrub_free(struct scrub *s);

void scrub_body(const struct scrub *s, struct str body, struct buf *out);
void scrub_json(const struct scrub *s, struct str json, struct buf *out); /* one value, such as a request */

void scrub_text(struct str text, struct buf *out);
void scrub_id(const struct scrub *s, struct str id, struct buf *out);
void scrub_name(const struct scrub *s, struct str name, struct buf *out);
void scrub_model(const struct scrub *s, struct str model, struct buf *out);
void scrub_word(const struct scrub *s, struct str value, struct buf *out); /* what is made of the protocols' words stays; else it is text */
void scrub_figure(struct str value, struct buf *out);                      /* a number, a duration or a time stays; else it is text */
/* Base64, or a URL: the first bytes that tell the type stay; other letters change with all before and behind them, so that two stay two. */
void scrub_media(const struct scrub *s, struct str data, struct buf *out);
/* Scheme, parameters and segments of the path stay if they are listed, the host if `host_stays`. What is no URL is text. */
void scrub_url(const struct scrub *s, struct str url, bool host_stays, struct buf *out);

#endif
