/*
 * Tapes: saved streams (weir-tape(1), "THE TAPE"). Writes one during a live turn, and plays one back as a source.
 * Its lines as text are in net/tape_lines.h.
 *
 * The reader accepts a tape, a plain body saved by other means (SSE, NDJSON, JSON), or an HTTP Archive (net/har.h). A plain body has no
 * timing; each of its pieces (net/tape_pieces.h) is a step. The same holds for the body of an archive, whose request and head are kept. A tape
 * truncated in the middle of a line plays up to that line; any other line that is not JSON is an error, and unknown members are skipped. Keys
 * are never written or read: only listed headers (net/head.h) are kept, and of a URL's parameters only those that cannot be a key.
 */
#ifndef WEIR_NET_TAPE_H
#define WEIR_NET_TAPE_H

#include "net/source.h"

/* Limits of reading: bytes of a file, and number of steps. */
#define TAPE_LIMIT ((size_t)512 << 20)
#define TAPE_STEPS_LIMIT ((size_t)4 << 20)
#define TAPE_RUNS_MOST 10000u /* numbers of runs; lines of others are not read */
#define TAPE_LATEST_MS 1e12 /* a later time is invalid, and would overflow a deadline */

/* --- writing --- */

#define TAPE_BYTES_MOST (TAPE_LIMIT - ((size_t)1 << 20)) /* limit of writing, so that the tape can be read again */

struct tape_info { /* the first line; members that are STR_NONE are omitted */
	struct str protocol, dialect, provider, model, url;
	struct str transport; /* of a tape of messages: "stdio", "http" */
	struct str request; /* the JSON body as sent */
	struct str started; /* RFC 3339, UTC; STR_NONE in a new tape: now */
};

struct tape_writer; /* heap; owns a descriptor */
struct tape_step;

/*
 * Creates `path` with mode 0600 and holds a lock (flock) on it while it is open. Fails if `path` exists, even as a link. Nothing is
 * written before tape_start(). Lines are buffered until tape_flush(), so that a fast stream costs one write per pass of the loop, not one
 * per piece. If the program crashes, the buffered lines are still written and the tape is named on standard error (base/crash_handler.h).
 */
MUST_USE bool tape_writer_open(struct tape_writer **writer, const char *path, struct error *err);
/*
 * The same in an open directory, even if the path to it has changed: uses only the last component of `*path`. Where a file of that name is there, it
 * takes another one, with a number, and `*path` (heap) is replaced.
 */
MUST_USE bool tape_writer_open_in(struct tape_writer **writer, int folder, char **path, struct error *err);
/*
 * Opens a tape that is written and closed, to add steps behind its end, of at most `bytes` bytes. Fails if the file is another one than such a
 * tape of this user, is a link, or is still being written.
 */
MUST_USE bool tape_writer_resume(struct tape_writer **writer, const char *path, size_t bytes, struct error *err);
void tape_writer_limit(struct tape_writer *w, size_t bytes); /* sets the limit; default TAPE_BYTES_MOST */
void tape_start(struct tape_writer *w, const struct tape_info *info); /* when called again, starts the file over (a retried request) */
/*
 * The same for a request that comes in pieces, of which `info` has none: a JSON value as json_write.h writes it. A request that exceeds the
 * limit is dropped, and one without its end by what is written next.
 */
void tape_start_request(struct tape_writer *w, const struct tape_info *info);
void tape_request(struct tape_writer *w, struct str piece);
void tape_end_request(struct tape_writer *w);
/* The same when it becomes known only now whether the request is JSON (else it is dropped), and its model, which `info` lacks; STR_NONE: none. */
void tape_end_request_late(struct tape_writer *w, bool is_json, struct str model);
void tape_attempts(struct tape_writer *w, struct str lines); /* after tape_start() */
void tape_head(struct tape_writer *w, const struct response_head *head, double at_ms);
/* Returns false and writes nothing once the limit is reached (the last body may have exceeded it). The tape can still be ended. */
bool tape_body(struct tape_writer *w, struct str bytes, double at_ms);
/* A message of a conversation of two programs: `sent` by us, or received. The same as tape_body() otherwise. */
bool tape_message(struct tape_writer *w, bool sent, struct str text, double at_ms);
void tape_end(struct tape_writer *w, enum end_how how, double at_ms);
/* A step behind the end (tape_behind()). The same as tape_body() otherwise. */
bool tape_add_behind(struct tape_writer *w, const struct tape_step *step);
void tape_flush(struct tape_writer *w);
/* Closes the tape. False if any write failed. NULL is allowed. */
bool tape_writer_close(struct tape_writer *w, struct error *err);

/* --- reading --- */

struct tape; /* heap: a whole tape or plain body in memory, indexed by step */

MUST_USE bool tape_open(struct tape **tape, const char *path, struct error *err); /* "-" is standard input */
/* The same. Of an HTTP Archive it takes the entry of that number, from 1; 0 is the first that holds a model's answer. */
MUST_USE bool tape_open_entry(struct tape **tape, const char *path, size_t entry, struct error *err);
MUST_USE bool tape_from_text(struct tape **tape, struct str text, struct error *err); /* copies `text`; for tests and the demo */
/* The same for the facts only: its steps are not read. Regular files only. */
MUST_USE bool tape_open_facts(struct tape **tape, const char *path, struct error *err);
void tape_free(struct tape *tape);

bool tape_is_plain(const struct tape *tape);                   /* a body without timing */
struct str tape_plain_body(const struct tape *tape);           /* the whole body; empty for a tape */
const struct tape_info *tape_facts(const struct tape *tape);   /* all STR_NONE for a plain body of no archive */
bool tape_lacks_head(const struct tape *tape);                 /* a body of which nobody recorded the HTTP status */
struct asked_for tape_asked_by(struct str request);                /* asked_for_by() of a JSON body */
struct asked_for tape_asked(const struct tape *tape);              /* what is known of its request */

#define TAPE_ANSWERS_NAMED 8
struct tape_archive { /* numbers are from 1 */
	size_t entry, entries;                      /* the one that was taken, and how many there are */
	size_t line;                                /* of the file, from 1: where the body of that entry begins */
	size_t answers[TAPE_ANSWERS_NAMED];         /* the first entries that hold a model's answer */
	size_t answer_count;                        /* of all */
};
const struct tape_archive *tape_archive(const struct tape *tape); /* where it was found; NULL: the file is no HTTP Archive */

/*
 * What ran because the answer asked for it: a step of the kind TAPE_RUN, which has in `bytes` the arguments, a piece of output, the progress, or the
 * result; or a message of an MCP server meanwhile. `name` is that of the tool, or of the server.
 */
enum tape_run_kind { TAPE_RUN_BEGUN, TAPE_RUN_OUTPUT, TAPE_RUN_ERRORS, TAPE_RUN_PROGRESS, TAPE_RUN_ENDED };
struct tape_run {
	enum tape_run_kind kind;
	uint32_t number;            /* of the run, from 1; 0: of a message. One that begins again replaces the earlier one */
	uint32_t call;              /* TAPE_RUN_BEGUN: the index of the call in the answer */
	struct str name, id, origin; /* the same */
	struct str state;           /* TAPE_RUN_ENDED: "ok", "error", "refused", "timeout", "cut" */
	double ms;                  /* the same: how long it ran */
};

/* TAPE_SENT, TAPE_CAME: a message of ours, of the other side (tape_message()); their text is in `bytes`. */
enum tape_step_kind { TAPE_HEAD, TAPE_BODY, TAPE_SENT, TAPE_CAME, TAPE_RUN, TAPE_END };
struct tape_step {
	enum tape_step_kind kind;
	double at_ms;               /* 0 for a plain body */
	size_t line;                /* of the tape, from 1; 0: the file is none */
	struct response_head head;
	struct str bytes;
	const struct tape_run *run; /* of a step behind the end; NULL: another one */
	enum end_how how;
};
size_t tape_length(const struct tape *tape);                   /* number of steps, including the end (added if the tape was cut) */
struct tape_step tape_at(const struct tape *tape, size_t index); /* borrowed from the tape */
/*
 * Number of steps behind the end, which follow it in tape_at(): runs of tools and messages of MCP servers. They stand there because they come later,
 * and because readers that do not know them read no further. What is no such line ends them.
 */
size_t tape_behind(const struct tape *tape);

/*
 * A tape that is still being written. It has the complete lines so far, and grows with tape_tail_read(): steps are added behind those that
 * it has, which stay. Only a tape can be followed, not a plain body. There is no end before its line has come.
 */
struct tape_tail; /* heap; owns the tape and a descriptor */
MUST_USE bool tape_tail_open(struct tape_tail **tail, const char *path, struct error *err);
void tape_tail_free(struct tape_tail *tail);
const struct tape *tape_tail_tape(const struct tape_tail *tail); /* borrowed */
/* Reads what was added. False: it was started over (a retried request) or is not a tape any more; what was read stays. */
MUST_USE bool tape_tail_read(struct tape_tail *tail, bool *grew, struct error *err);
bool tape_tail_ended(const struct tape_tail *tail); /* its last line has come */

/*
 * Feeds all steps to a stream at once. `status` replaces the 200 of a body without a head unless it is 0. Calls `stop` (may be NULL) before
 * each step; if that returns true, feeding ends there and the function returns false.
 */
bool tape_feed(const struct tape *tape, struct stream *stream, int status, bool (*stop)(void *ctx), void *ctx);
void tape_feed_step(const struct tape_step *step, struct stream *stream);

/*
 * A source that plays the tape with its timing. `speed` 1.0 is the original; 0 is as fast as possible, in portions that keep each run
 * short. The tape must outlive the player. (A player that goes back, too, is chat/player/player.h.)
 */
struct source *tape_player_new(const struct tape *tape, const struct source_sink *sink, double speed, int64_t now_ms);
bool tape_player_run_step(struct source *player, int64_t now_ms); /* like source_run(), but at most one step; false: none is due */

#endif
