/*
 * Helpers shared by the decoders: dispatch by type, errors inside a stream, counts, usage, ids, arguments of any JSON type. The members
 * of an object are read with a table too: json_take() reads them in one pass.
 */
#ifndef WEIR_WIRE_DECODE_H
#define WEIR_WIRE_DECODE_H

#include "base/array.h"
#include "wire/protocol/protocol.h"

/* The type of an event: the value's `type` member, else the event name of the event stream. */
struct str decode_type(const struct message *m);

/*
 * The row of a table that has this name, or NULL. A row is a struct whose first member is its name, a `const char *`.
 * DECODE_ROW(table, type) looks in an array.
 */
const void *decode_row(const void *rows, size_t count, size_t size, struct str name);
#define DECODE_ROW(table, name) decode_row(table, ARRAY_LEN(table), sizeof (table)[0], name)

/*
 * True if the value reports an error: a non-empty top-level `error`, or type `error`. Its other members are valid too,
 * so a protocol decodes them first and then calls decode_error().
 */
bool decode_has_error(const struct message *m);
void decode_error(struct decoder *d, const struct message *m);

/* A token count; -1 if it is absent or not a count. */
int64_t decode_count(const struct json *object, const char *key);
/* An index: a count, or a count in a string; -1 if it is neither. */
int64_t decode_index(const struct json *value);
/*
 * Whether a choice or candidate with this index is of the answer that is shown: index 0, or that of the first one that came if the
 * request is known to ask for one answer; or none. Tells in a notice that others are ignored.
 */
bool decode_is_of_answer(struct decoder *d, const struct json *index);
/* An id that is a string or a number; else STR_NONE. Borrows from the object or from `scratch` (cleared first). */
struct str decode_id(const struct json *object, const char *key, struct buf *scratch);
/* Sets counts[i] for each row of the table that the object has. Other counts stay unchanged. True if any count read is positive. */
bool decode_counts(const struct json *object, const struct usage_member *table, struct count *counts);
/* Reports a complete usage object, with the cost in it, to the guard. Does nothing if it contains no figure. */
void decode_usage(struct decoder *d, const struct json *object, const struct usage_member *table);

/*
 * The cost that a usage object reports: `cost` (OpenRouter, also for a key of one's own, where the upstream provider's part is added),
 * `cost.total_cost` (Perplexity), `cost_in_usd_ticks` (xAI).
 */
struct money decode_cost(const struct json *usage);

/*
 * Arguments of a call for the guard: the content of a string, any other value as JSON, STR_NONE if absent or null.
 * Borrows from the value or from `scratch` (cleared first).
 */
struct str decode_arguments(const struct json *value, struct buf *scratch);

/* The place of an OpenAI annotation: `end_index`, or `index` of a file, in characters. An empty range means none. */
void decode_citation_range(const struct json *annotation, struct citation *citation);

#endif
