/*
 * A consumer of deltas that builds the summary object (weir-ask(1), "SUMMARY").
 */
#ifndef WEIR_WIRE_SUMMARY_H
#define WEIR_WIRE_SUMMARY_H

#include "wire/delta.h"

struct summary; /* heap; owns copies of all texts */

struct summary *summary_new(void);
void summary_free(struct summary *s);
void summary_delta(void *summary, const struct delta *delta); /* a delta_sink */
enum outcome summary_outcome(const struct summary *s);        /* after the end */
struct str summary_text(const struct summary *s);
struct str summary_finish(const struct summary *s);           /* the finish reason; STR_NONE: none */
const struct media_facts *summary_media(const struct summary *s, size_t index); /* in the order of the list; NULL: there are no more */
const struct error_report *summary_error(const struct summary *s); /* NULL: none */

/* Appends the object as one line without LF. `protocol` may be "" (null in JSON). */
void summary_write(const struct summary *s, struct str protocol, struct str dialect, struct buf *out);

#endif
