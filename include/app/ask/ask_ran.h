/* The member "tool_runs" of a summary: the calls that --tools-allow has run, in all rounds. */
#ifndef WEIR_APP_ASK_RAN_H
#define WEIR_APP_ASK_RAN_H

#include "base/json_write.h"

struct tool_call;

struct ask_ran { /* embedded, and not moved; all zero: nothing has run */
	struct json_writer writer; /* of an open array in `text` */
	struct buf text;
};

void ask_ran_fini(struct ask_ran *r);
const char *ask_ran_id(const char *id); /* NULL: the call has none */
void ask_ran_add(struct ask_ran *r, const struct tool_call *call, double ms);
/* Adds the member to the object at the end of `out`, once. If nothing has run, it stays as it is: what others read does not change. */
void ask_ran_close(struct ask_ran *r, struct buf *out);

#endif
