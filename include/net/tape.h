/*
 * Tapes: saved streams (CONTRACT.md, "The tape"). Writing one beside a live turn, and playing one back as a source.
 *
 * The reader accepts a tape and, where it is none, a body saved by other means (SSE, NDJSON, JSON), which has no
 * timing: each of its frames is a step. A tape that was cut off in the middle of a line plays up to there; any other line
 * that is not JSON is an error, unknown members are skipped. Never a key: only listed headers (net/head.h) are written and
 * read, and of a URL's parameters only those that cannot be one.
 */
#ifndef WEIR_NET_TAPE_H
#define WEIR_NET_TAPE_H

#include "net/source.h"

/* What is read: bytes of a file, and steps. */
#define TAPE_LIMIT ((size_t)512 << 20)
#define TAPE_STEPS_LIMIT ((size_t)4 << 20)

/* --- writing --- */

#define TAPE_BYTES_MOST (TAPE_LIMIT - ((size_t)1 << 20)) /* of one that is written: it can be read again */

struct tape_info { /* the first line; STR_NONE members are left out */
	struct str protocol, dialect, provider, model, url;
	struct str request; /* the JSON body as sent */
	struct str started; /* RFC 3339, UTC; of a tape that is read */
};

struct tape_writer; /* heap, owns a descriptor */

/*
 * Creates `path` 0600, locked (flock) as long as it runs; refuses one that exists, a link too. Nothing is written before tape_start().
 * Lines wait for tape_flush(), so that a fast stream costs a write for each look at the network, not for each piece. When the
 * program dies of itself they are written still, and the tape is named on standard error (base/last_words.h).
 */
MUST_USE bool tape_writer_open(struct tape_writer **writer, const char *path, struct error *err);
/* The same in an open folder, whatever has become of the path to it: only the name behind the last slash of `path` is made. */
MUST_USE bool tape_writer_open_in(struct tape_writer **writer, int folder, const char *path, struct error *err);
void tape_writer_limit(struct tape_writer *w, size_t bytes); /* its ceiling; TAPE_BYTES_MOST unless it is told */
void tape_start(struct tape_writer *w, const struct tape_info *info); /* again: the file is started over (a retried request) */
/* An attempt before this one, a line of the tape that players pass over. */
struct tape_attempt {
	int status;                   /* 0: no answer came */
	struct str headers;           /* "name: value", a line each */
	struct str body, failure;     /* "" : none */
	double at_ms;                 /* its end, since it was sent */
	int64_t wait_ms;              /* until the next one */
};
void tape_attempt_write(struct buf *lines, const struct tape_attempt *attempt);
void tape_attempts(struct tape_writer *w, struct str lines); /* behind tape_start() */
void tape_head(struct tape_writer *w, const struct response_head *head, double at_ms);
/* False, and nothing is written: it has reached its ceiling (and may have passed it by the last body). It can still be ended. */
bool tape_body(struct tape_writer *w, struct str bytes, double at_ms);
void tape_end(struct tape_writer *w, enum end_how how, double at_ms);
void tape_flush(struct tape_writer *w);
/* Closes. False when anything could not be written. NULL is legal. */
bool tape_writer_close(struct tape_writer *w, struct error *err);

/* --- reading --- */

struct tape; /* heap: a whole tape or plain body in memory, its lines indexed */

MUST_USE bool tape_open(struct tape **tape, const char *path, struct error *err); /* "-" is standard input */
MUST_USE bool tape_from_text(struct tape **tape, struct str text, struct error *err); /* copies; for tests and the demo */
void tape_free(struct tape *tape);

bool tape_is_plain(const struct tape *tape);                   /* a body without timing */
struct str tape_plain_body(const struct tape *tape);           /* all of it; empty for a tape */
const struct tape_info *tape_facts(const struct tape *tape);   /* all STR_NONE for a plain body */
bool tape_single_choice(const struct tape *tape);              /* the request is known and asks for one answer (no n, or n 1) */

enum tape_step_kind { TAPE_HEAD, TAPE_BODY, TAPE_END };
struct tape_step {
	enum tape_step_kind kind;
	double at_ms;               /* 0 for a plain body */
	struct response_head head;
	struct str bytes;
	enum end_how how;
};
size_t tape_length(const struct tape *tape);                   /* steps, the end included (a cut one is added) */
struct tape_step tape_at(const struct tape *tape, size_t index); /* borrowed from the tape */

/*
 * Feeds all steps to a stream at once; `status` replaces a plain body's 200 when it is not 0. Asks `stop` (NULL: nobody) before each
 * step: true ends it there, and it returns false.
 */
bool tape_feed(const struct tape *tape, struct stream *stream, int status, bool (*stop)(void *ctx), void *ctx);

/*
 * A source that plays the tape by its own timing. `speed` 1.0 is the tape's, 0 is as fast as possible (then in portions,
 * so that no run takes long). Paused, it plays only what tape_player_step() asks for. The tape must outlive it.
 */
struct source *tape_player_new(const struct tape *tape, const struct source_sink *sink, double speed, int64_t now_ms);
void tape_player_pause(struct source *player, bool paused, int64_t now_ms);
bool tape_player_paused(const struct source *player);
void tape_player_step(struct source *player, int64_t now_ms);  /* the next step, at once */
bool tape_player_run_step(struct source *player, int64_t now_ms); /* as source_run(), but one step at most; false: none is due */
double tape_player_position_ms(const struct source *player, int64_t now_ms);
size_t tape_player_index(const struct source *player);         /* steps played */

#endif
