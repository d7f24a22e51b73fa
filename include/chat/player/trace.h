/*
 * The trace of a tape: every frame that came, as a range of bytes of the body, and the deltas that it became.
 *
 * A row of the trace is a frame, or what makes none: the head, a comment, an event without data, a body that is no stream, the end. The
 * rows of a body leave no byte out: a row reaches to the next one, with the blank lines behind it. Rows are compact, and no bytes are
 * copied: they come from the tape. Deltas are those of chat/player/delta_log.h, whose memory is that of the answer.
 *
 * The trace is a tap (wire/stream.h) of its own log, so what is decoded elsewhere costs nothing more. A delta belongs to the frame whose
 * value it was decoded from, also if it came later because the protocol was not known yet; rows are in the order of their deltas.
 */
#ifndef WEIR_CHAT_TRACE_H
#define WEIR_CHAT_TRACE_H

#include "chat/exchange/findings.h"
#include "chat/player/delta_log.h"
#include "chat/player/session_findings.h"

enum trace_kind {
	TRACE_HEAD,     /* the head of the response; no bytes */
	TRACE_EVENT,    /* a frame of an event stream */
	TRACE_JSON,     /* a frame that is a JSON value without an event around it */
	TRACE_COMMENT,  /* a line that begins with a colon */
	TRACE_FIELDS,   /* an event without data */
	TRACE_DROPPED,  /* larger than FRAMER_EVENT_LIMIT, with all behind it */
	TRACE_BODY,     /* the body of an error, or one that is no stream */
	TRACE_END,      /* the end of the body; no bytes */
	TRACE_CLIENT,   /* a message of an MCP session: by us */
	TRACE_SERVER,   /* the same: by the server */
	TRACE_RUN,      /* of a run of a tool: its begin, what it wrote, its end */
	TRACE_KINDS
};
const char *trace_kind_name(enum trace_kind kind); /* "event" */

/* What is remarkable about a row, beside what deltas say: bits of `marks`. Those of the framer come first, by enum framer_oddity. */
enum trace_mark {
	TRACE_INVALID = FRAMER_ODDITIES, TRACE_BROKEN, TRACE_UNCLOSED, TRACE_FINISH, TRACE_DONE, TRACE_FINDING,
	TRACE_REPAIRS, /* by enum guard_mended */
	TRACE_MARKS = TRACE_REPAIRS + MENDED_COUNT
};
const char *trace_mark_id(unsigned mark);    /* "error-field"; stable */
const char *trace_mark_words(unsigned mark); /* a sentence without a full stop */
bool trace_mark_is_usual(unsigned mark);     /* it is no deviation: a comment, the end mark */

struct trace_row {
	double at_ms;          /* when its last bytes came; negative: the tape has no times */
	size_t offset;         /* of its first byte in all that was received, as in struct frame_place */
	uint32_t deltas_end;   /* number of deltas up to its own ones, which begin where those of the row before end */
	uint32_t kinds;        /* of its deltas: bits of enum delta_kind */
	uint32_t marks;
	uint32_t frames;       /* that have come up to it, itself included */
	uint8_t kind;          /* enum trace_kind */
	uint32_t words;        /* private */
};

struct trace; /* heap */

/* As delta_log_new(); a tap in `stream` is not used. `lint`: which findings rows have. */
struct trace *trace_new(const struct tape *tape, const struct stream_options *stream, int status, enum lint_level lint);
void trace_free(struct trace *trace);

bool trace_read(struct trace *trace, size_t bytes); /* as delta_log_read() */
bool trace_is_read(const struct trace *trace);      /* all steps that the tape has so far */

const struct delta_log *trace_log(const struct trace *trace);
size_t trace_count(const struct trace *trace);      /* number of rows; the last one may still get bytes and deltas */
/* Number of rows that get no more bytes and deltas: all at the end, none while the protocol is unknown. */
size_t trace_settled(const struct trace *trace);
const struct trace_row *trace_at(const struct trace *trace, size_t row);
size_t trace_frames(const struct trace *trace);     /* number of frames */
size_t trace_frame(const struct trace *trace, size_t row); /* the number of the frame that a row is (wire/framer.h); 0: it is none */
size_t trace_row_of_frame(const struct trace *trace, size_t frame); /* trace_count(): not known */
/* What a message is (wire/mcp/said.h), or a step of a run; empty for other rows. Borrowed until it reads on. */
struct str trace_words(const struct trace *trace, size_t row);
size_t trace_length(const struct trace *trace, size_t row);       /* bytes, with the blank lines behind it */
size_t trace_first_delta(const struct trace *trace, size_t row);  /* number of the first of its deltas, if it has one */
/* Appends bytes of a row, from an offset in it: as many as there are, at most `most`. */
void trace_bytes(const struct trace *trace, size_t row, size_t from, size_t most, struct buf *out);

/* All bytes of a row, for searching: borrowed from the tape where they lie together, else copied to `scratch`. */
struct str trace_view(const struct trace *trace, size_t row, struct buf *scratch);

/* What a row wrote: bytes of a part of the answer, none if it only began or ended a call. False: nothing that a page shows. */
struct trace_text { size_t part, from, to; };
bool trace_wrote(const struct trace *trace, size_t row, struct trace_text *text);

size_t trace_row_of_delta(const struct trace *trace, size_t delta); /* trace_count(): not known */
size_t trace_row_of_text(const struct trace *trace, size_t part, size_t offset); /* that wrote a byte of a part; trace_count(): none */
size_t trace_row_of_byte(const struct trace *trace, size_t offset); /* that has a byte; the last one if it is beyond all */

/*
 * What lint names: a row with the mark TRACE_FINDING has findings. One about the stream as a whole belongs to its head; what is found at the
 * end may be about an earlier row. Goes through those of a row: *next is 0 at first. NULL: no more.
 */
const struct finding *trace_finding(const struct trace *trace, size_t row, size_t *next);
/* The same of a session with an MCP server. What is found at its end belongs to the message that it is about, else to the last row. */
const struct session_finding *trace_session_finding(const struct trace *trace, size_t row, size_t *next);
size_t trace_findings(const struct trace *trace); /* how many there are in all rows */
/* The next row with a finding from a row on; trace_count(): none. */
size_t trace_row_of_finding(const struct trace *trace, size_t from);

/* Appends a row as a line of JSON (`weir decode --frames`): its facts, its deltas as events, its bytes. */
void trace_write(const struct trace *trace, size_t row, struct buf *out);
/* Appends what a delta says as JSON, without its time and kind. */
void trace_write_delta(const struct trace *trace, size_t delta, struct buf *out);

#endif
