/* Opens saved streams that the user named. How one is decoded: by the options, else by what the tape says of itself. */
#ifndef WEIR_APP_SAVED_STREAM_H
#define WEIR_APP_SAVED_STREAM_H

#include "net/tape.h"

struct options;

/* The tape is the caller's. Of an HTTP Archive the entry that --entry names. It may be a session with an MCP server. */
MUST_USE bool saved_any_open(struct tape **tape, const struct options *o, const char *path, struct error *err);
bool saved_is_session(const struct tape *tape); /* with an MCP server */
MUST_USE bool saved_is_stream(const struct tape *tape, const char *path, struct error *err); /* a model's; false, with a sentence: a session */
/* The same, for what takes a model's stream only. */
MUST_USE bool saved_stream_open(struct tape **tape, const struct options *o, const char *path, struct error *err);
/* A line on standard error if the file is an archive with answers that were not taken, and nobody chose. */
void saved_stream_tell_others(const struct tape *tape, const struct options *o, const char *path);

/* Protocol and dialect come from the options, else from the tape. What neither names is NULL: detected, and generic. */
MUST_USE bool saved_stream_choose(const struct options *o, const struct tape *tape, struct stream_options *stream, struct error *err);

#endif
