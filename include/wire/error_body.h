/*
 * Reads the errors that servers report, in a stream or with a status that is not 2xx. Forms: src/wire/README.md, "HTTP".
 */
#ifndef WEIR_WIRE_ERROR_BODY_H
#define WEIR_WIRE_ERROR_BODY_H

#include "base/json.h"
#include "wire/delta.h"

#define ERROR_BODY_LIMIT ((size_t)64 << 10) /* bytes of an error body that are read; the rest is ignored */
#define ERROR_TEXT_BYTES 300                /* bytes of a plain-text body that become the message */

/*
 * Reads an error object or body in any known format. `value` is the whole value, not its `error` member. False if it is not an error.
 * The report borrows from `scratch` (cleared first).
 */
bool error_body_read(const struct json *value, struct buf *scratch, struct error_report *report);

/* The first ERROR_TEXT_BYTES of a text as one line of valid UTF-8 without control characters. Borrows from `scratch` (cleared first). */
struct str error_text(struct str text, struct buf *scratch);

/* Called with each JSON value of the body, to detect the protocol. */
typedef void error_value_visit(void *ctx, const struct json *value, struct str event);

/* Contents of an error body: a message of the server, nothing, JSON without a message, a web page. */
enum error_words { ERROR_WORDS_FOUND, ERROR_WORDS_NONE, ERROR_WORDS_STRANGE, ERROR_WORDS_PAGE };

/*
 * Reads a whole body: an error object, an event stream, several values, plain text or a web page. An error object may lack a message
 * even if the result is ERROR_WORDS_FOUND. The report borrows from `scratch` (cleared first). `visit` may be NULL.
 */
enum error_words error_body_find(struct str body, struct buf *scratch, struct error_report *report, error_value_visit *visit,
                                 void *ctx);

/*
 * Like error_body_find(), but supplies a message of our own if the body has none. Always sets the status, and a message unless the
 * server's error object has none. The report borrows from `scratch` (cleared first).
 */
void error_body_explain(struct str body, int status, struct buf *scratch, struct error_report *report,
                        error_value_visit *visit, void *ctx);

#endif
