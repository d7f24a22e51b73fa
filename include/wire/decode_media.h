/*
 * Media and results of server tools as several decoders read them: base64 is decoded here, once, and goes to the guard at once.
 */
#ifndef WEIR_WIRE_DECODE_MEDIA_H
#define WEIR_WIRE_DECODE_MEDIA_H

#include "base/base64.h"
#include "base/json.h"
#include "wire/guard.h"

/*
 * An item that is whole in itself, from begin to end. `facts`: what guard_media_begin() takes; the reference adds type or URL. Data that cannot
 * be read leaves the item empty.
 */
void decode_media_item(struct guard *g, const struct media_facts *facts, const struct media_reference *reference);
/* The final picture of an open item, or its URL; it is not ended. */
void decode_media_picture(struct guard *g, unsigned index, const struct media_reference *reference);
/* A partial picture in base64. */
void decode_media_partial(struct guard *g, unsigned index, int64_t number, const struct json *base64);
/* The next piece of an item: of one base64 text that may be cut anywhere, or (`reader` is NULL) base64 of its own. */
void decode_media_piece(struct guard *g, unsigned index, struct base64_reader *reader, const struct json *base64);

/* Appends an object as JSON without its member `key`. */
void decode_dump_without(const struct json *object, const char *key, struct buf *out);
/*
 * Appends the result of a server tool as text. Nothing and false if there is none (absent or null). A string is itself, text blocks are their
 * texts, an object with stdout or stderr is both; anything else is JSON without what nobody can read: members `encrypted_...` at any depth, the
 * `data` of objects of type base64, and members named `without` (NULL: none).
 */
bool decode_result(const struct json *value, const char *without, struct buf *out);
/* The same as the output of a call, whose state becomes completed. False: there was no result. */
bool decode_output(struct guard *g, unsigned tool, const struct json *value);

#endif
