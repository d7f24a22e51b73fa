/*
 * The deltas of a tape, decoded once and kept, so that an answer can be shown as it was after any of them, in both directions.
 *
 * Decoders cannot go back, but the answer that deltas make only grows: its texts, which are nearly all of it, are prefixes of what they are
 * at the end. So the log keeps the answer at its end, a short record of each delta without its text, and marks (chat/player/turn_mark.h) on the
 * way. Going anywhere costs the change of the texts, one mark, and the deltas behind it. Marks are bounded in number and memory: when
 * there are too many, every second one goes, and the distance of later ones is doubled.
 *
 * A place in the log is a number of deltas: the answer has received those before it. Deltas count from 0. A moment is a place where a
 * replay can stand: after each frame (wire/framer.h), after a read that brought deltas without a frame, and at the end of the tape. A message of an
 * MCP session counts as a frame, and so does each step behind the end (net/tape.h), which brings no deltas.
 */
#ifndef WEIR_CHAT_DELTA_LOG_H
#define WEIR_CHAT_DELTA_LOG_H

#include "net/tape.h"

struct delta_log; /* heap */

/* The tape must outlive the log. `status`: the HTTP status of a plain body, which cannot tell it; 0: 200. Nothing is decoded yet. */
struct delta_log *delta_log_new(const struct tape *tape, const struct stream_options *stream, int status);
void delta_log_free(struct delta_log *log);

/*
 * For observers of the stream (`stream->tap`). Call it before anything is read: the end delta then comes with the end of the tape instead of
 * the server's end mark. The deltas are the same.
 */
void delta_log_read_beyond(struct delta_log *log);

/* Decodes the next steps of the tape, at least one, about `bytes` bytes of them. False: there is none. */
bool delta_log_read(struct delta_log *log, size_t bytes);
bool delta_log_is_read(const struct delta_log *log); /* all steps that the tape has so far were decoded */

const struct tape *delta_log_tape(const struct delta_log *log);
/* The same that delta_log_new() was given, to decode the tape once more; without a tap. */
const struct stream_options *delta_log_stream(const struct delta_log *log, int *status);
size_t delta_log_frames(const struct delta_log *log);          /* number of frames decoded */
size_t delta_log_count(const struct delta_log *log);           /* number of deltas */

/* What has come up to a moment. */
struct log_moment {
	double at_ms;            /* time of the step that brought it */
	uint32_t deltas, frames; /* how many there are then */
	uint32_t behind;         /* steps of the tape behind its end */
	size_t bytes;            /* received with that step */
};
size_t delta_log_moments(const struct delta_log *log);         /* number of moments so far */
struct log_moment delta_log_moment(const struct delta_log *log, size_t moments); /* the last of so many; all zero: 0 */
size_t delta_log_moment_of(const struct delta_log *log, size_t delta); /* the number of moments up to the first that has the delta */

enum delta_kind delta_log_kind(const struct delta_log *log, size_t delta);
size_t delta_log_text(const struct delta_log *log, size_t delta);  /* bytes of text, reasoning, refusal or arguments in it, else 0 */
unsigned delta_log_part(const struct delta_log *log, size_t delta); /* if it brought text: index of the part in the answer, else 0 */
size_t delta_log_start(const struct delta_log *log, size_t delta); /* if it brought text: its offset in that part, else 0 */
/* The delta that brought a byte of a part of the answer; delta_log_count(): none has so far. */
size_t delta_log_find(const struct delta_log *log, size_t part, size_t offset);
/* A delta as it was given. Its strings are borrowed until the log reads on. */
struct delta delta_log_at(const struct delta_log *log, size_t delta);

const struct turn *delta_log_answer(const struct delta_log *log);  /* the answer after all deltas so far */
const struct protocol *delta_log_protocol(const struct delta_log *log); /* NULL: not known yet */
bool delta_log_finish_seen(const struct delta_log *log); /* a finish word has come; its delta comes with the end */
/* For the details sheet, once the answer has ended: status, timings of the connection, listed headers and raw error body, one per line. */
void delta_log_details(const struct delta_log *log, struct buf *out);

/*
 * Brings a turn from one place to another. It must be as conversation_answer() made it, with the deltas before `from`. Going back leaves no
 * trace of what is behind `to`, but for the revision. False if nothing changed.
 */
bool delta_log_move(struct delta_log *log, struct turn *t, size_t from, size_t to);

#endif
