/* How a saved stream is decoded: by the options, else by what the tape says of itself. */
#ifndef WEIR_APP_SAVED_STREAM_H
#define WEIR_APP_SAVED_STREAM_H

#include "app/options.h"
#include "net/tape.h"

/* Protocol and dialect come from the options, else from the tape. What neither names is NULL: detected, and generic. */
MUST_USE bool saved_stream_choose(const struct options *o, const struct tape *tape, struct stream_options *stream, struct error *err);

#endif
