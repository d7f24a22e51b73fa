/* What the files of `weir tape` share. */
#ifndef WEIR_APP_TAPE_INSIDE_H
#define WEIR_APP_TAPE_INSIDE_H

#include "app/system/output_file.h"
#include "base/json_write.h"
#include "chat/conversation/meter.h"
#include "net/tape.h"
#include "wire/scrub.h"
#include "wire/summary.h"

/* A call of a verb: `weir tape VERB FILE...`. */
struct tape_call {
	const struct options *o;
	char **arguments; /* behind the verb */
	size_t count;
};

int tape_info_run(struct tape_call *call);
int tape_info_session(const struct tape *tape, struct tape_call *call); /* of a session with an MCP server */
int tape_cut_run(struct tape_call *call);
int tape_join_run(struct tape_call *call);
int tape_scrub_run(struct tape_call *call);
int tape_convert_run(struct tape_call *call);
int tape_diff_run(struct tape_call *call);
int tape_stats_run(struct tape_call *call);

/* --- documents --- */

/* What is written to the file of --output, else to standard output, as it is made. */
struct tape_document { /* embedded */
	struct output_file destination;
	struct buf text;  /* append here */
	bool failed;
	struct error err; /* why it failed */
};

/* On failure a line on standard error; `*status` is the exit status then. */
MUST_USE bool tape_document_open(struct tape_document *doc, const struct options *o, int *status);
void tape_document_add(struct tape_document *doc);   /* after each piece: writes the text once it is long */
int tape_document_close(struct tape_document *doc);  /* returns the exit status */
/* Closes it without leaving a file, and says why; returns EXIT_USAGE. */
int tape_document_refuse(struct tape_document *doc, const struct error *err);

/* Appends a step behind the end as a line, scrubbed. */
void tape_scrub_behind(const struct scrub *s, const struct tape_step *step, struct buf *out);

/* The body of a tape, all reads one behind the other; owned by `*bytes`, or borrowed from a plain body. */
struct str tape_whole_body(const struct tape *tape, struct buf *bytes);

/* --- what a tape holds --- */

struct tape_times { double *at; size_t count, capacity; }; /* milliseconds */
void tape_times_add(struct tape_times *times, double ms);
void tape_times_sort(struct tape_times *times);
double tape_times_at(const struct tape_times *sorted, double share); /* nearest rank; NAN without times */

/* How much content there was at a time. */
struct tape_moment { double at_ms, tokens; }; /* tokens are estimated */

/* A tape, decoded. All zero is none. */
struct tape_reading {
	struct tape *tape;
	const struct protocol *protocol; /* NULL: not detected */
	const struct dialect *dialect;   /* NULL: generic */
	size_t reads, frames, bytes;
	int status;                      /* of HTTP; 0: no head */
	struct response_head head;       /* the last one, borrowed from the tape; all zero: none */
	size_t deltas[DELTA_KIND_COUNT];
	struct meter meter;
	struct usage usage;              /* the last one */
	struct summary *summary;
	char *model;                     /* as the server names it, else as asked; "" if neither is known */
	double total_ms;                 /* until the end */
	struct tape_times gaps;          /* between pieces of content */
	struct { struct tape_moment *at; size_t count, capacity; } course; /* after each piece of content */
};

/* Opens and decodes a tape. `also`: gets the deltas too, or NULL. On failure a sentence for a usage error. */
MUST_USE bool tape_read(struct tape_reading *r, const struct options *o, const char *path, delta_sink *also, void *ctx, struct error *err);
/* The same for a tape that is open already, and is owned from now on. */
MUST_USE bool tape_read_open(struct tape_reading *r, const struct options *o, struct tape *tape, delta_sink *also, void *ctx, struct error *err);
void tape_reading_fini(struct tape_reading *r);
double tape_reading_rate(const struct tape_reading *r); /* tokens per second; negative: unknown */

void tape_say_ms(struct buf *out, double ms); /* "320 ms", "3.2 s"; "-" if it is negative or not finite */
/* The members of a JSON object that hold the times of a tape. */
void tape_write_times(struct json_writer *w, const struct tape_reading *r);

#endif
