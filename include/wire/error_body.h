/*
 * Errors as servers tell them, in a stream or with a status that is not 2xx. Shapes: wire.md 2.
 */
#ifndef WEIR_WIRE_ERROR_BODY_H
#define WEIR_WIRE_ERROR_BODY_H

#include "base/json.h"
#include "wire/delta.h"

#define ERROR_BODY_LIMIT ((size_t)64 << 10) /* bytes of an error body that are read */
#define ERROR_TEXT_BYTES 300                /* of plain text that become the message */

/*
 * Reads an error object or body of any shape (the value itself, not its `error` member). True when it is one. The report
 * borrows from `scratch` (cleared first).
 */
bool error_body_read(const struct json *value, struct buf *scratch, struct error_report *report);

/* The beginning of a text from outside as one line of valid UTF-8 without controls; borrows from `scratch` (cleared first). */
struct str error_text(struct str text, struct buf *scratch);

/* Sees each JSON value of the body: it may tell the protocol. */
typedef void error_value_visit(void *ctx, const struct json *value, struct str event);

/* What a body had to say: words of the server, nothing, JSON without any, a web page. */
enum error_words { ERROR_WORDS_FOUND, ERROR_WORDS_NONE, ERROR_WORDS_STRANGE, ERROR_WORDS_PAGE };

/*
 * Reads a whole body, which may also be an event stream, several values, plain text or a web page, and reports what the server
 * says (an error of its own may lack words even then). The report borrows from `scratch` (cleared first). `visit` may be NULL.
 */
enum error_words error_body_find(struct str body, struct buf *scratch, struct error_report *report, error_value_visit *visit,
                                 void *ctx);

/*
 * The same with words of ours where the server has none. Always makes a report with the status, and with a message unless the server's
 * error has none; it borrows from `scratch` (cleared first).
 */
void error_body_explain(struct str body, int status, struct buf *scratch, struct error_report *report,
                        error_value_visit *visit, void *ctx);

#endif
