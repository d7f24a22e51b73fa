/*
 * What the decoders of several protocols read alike: types that have a row, errors inside a stream, counts, arguments that come
 * as a value. The members of an object have a table, too: json_take() reads them in one walk.
 */
#ifndef WEIR_WIRE_DECODE_H
#define WEIR_WIRE_DECODE_H

#include "base/array.h"
#include "wire/protocol/protocol.h"

/* The type of an event: the value's own, else the name that the event stream gave it. */
struct str decode_type(const struct message *m);

/*
 * The row of a table that has this name, or NULL. A row is a struct whose first member is its name, a `const char *`.
 * DECODE_ROW(table, type) looks in an array.
 */
const void *decode_row(const void *rows, size_t count, size_t size, struct str name);
#define DECODE_ROW(table, name) decode_row(table, ARRAY_LEN(table), sizeof (table)[0], name)

/*
 * True when the value reports an error whatever else it holds: a top-level `error` that says something (wire.md 11, 2), or
 * type `error`. What else it holds counts too, so a protocol decodes that first and then calls decode_error().
 */
bool decode_has_error(const struct message *m);
void decode_error(struct decoder *d, const struct message *m);

/* A token count, -1 when it is absent or no count. */
int64_t decode_count(const struct json *object, const char *key);
/* A place among others: a count, or the same in a string; -1 when it is neither. */
int64_t decode_index(const struct json *value);
/* An id, whether a string or a number; STR_NONE for the rest. Borrows from the object, or from `scratch` (cleared). */
struct str decode_id(const struct json *object, const char *key, struct buf *scratch);
/* Reads what a usage object has of the table's members, a count a row; the others stay. True when one of them is more than zero. */
bool decode_counts(const struct json *object, const struct usage_member *table, struct count *counts);
/* Gives the guard what a usage object says that is whole by itself; nothing if it says nothing. */
void decode_usage(struct decoder *d, const struct json *object, const struct usage_member *table);

/*
 * Arguments of a call as the guard takes them: a string's content, any other value serialised, STR_NONE when absent.
 * Borrows from the value, or from `scratch` (cleared first).
 */
struct str decode_arguments(const struct json *value, struct buf *scratch);

/* Appends an object without its member `key`. */
void decode_dump_without(const struct json *object, const char *key, struct buf *out);

#endif
