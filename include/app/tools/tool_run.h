/*
 * A run: one plan (app/tools/tool_plan.h) under way, and its result. A program runs under a supervisor (app/system/supervised.h): no shell, no
 * terminal, no keys, and no process is left when it has ended, was stopped, or weir is gone. What it writes is kept up to a limit and counted
 * beyond it. The tool of an MCP server is called through the hub (app/mcp/mcp_hub.h), which keeps its time.
 */
#ifndef WEIR_APP_TOOL_RUN_H
#define WEIR_APP_TOOL_RUN_H

#include "app/system/supervised.h"
#include "app/tools/tool_plan.h"
#include "wire/media_keeper.h"

enum tool_outcome { TOOL_RUN_OK, TOOL_RUN_ERROR, TOOL_RUN_REFUSED, TOOL_RUN_TIMEOUT, TOOL_RUN_CUT };
const char *tool_outcome_name(enum tool_outcome outcome); /* "ok", "error", "refused", "timeout", "cut" */

struct tool_run { /* embedded, and not moved while it runs; all zero: it never ran */
	struct supervised process;
	char *what;                     /* the program and its folder, for the sentence that it did not start; NULL: no program */
	struct mcp_call call;           /* of a tool of an MCP server, in place of a process */
	char *output_schema;            /* the same: of its structured result; NULL: none */
	size_t media_bytes;             /* the same: how much of its pictures, sounds and files is kept */
	bool runs;
	struct buf output, errors;      /* as they came, within the limit; of a call to a server, the line about its progress */
	char share[12];                 /* of such a call, how far it is: "30 %"; "": not known */
	size_t left_out;                /* bytes that were not kept */
	int64_t begun_ms, ended_ms;     /* ended_ms: 0 while it runs */
	int64_t deadline_ms, timeout_ms;
	bool late, stopped;
	enum tool_outcome outcome;      /* of one that has ended */
	struct buf result;              /* then: text for the model */
	struct media_keeper media;      /* then: pictures, sounds and files that came with it */
	bool news;                      /* it has changed; cleared by who shows it */
};

/* The plan was approved: whoever calls this has seen to it. It may have ended when this returns. */
void tool_run_start(struct tool_run *run, const struct tool_plan *plan);
void tool_run_stop(struct tool_run *run);  /* ends it in time, as the user wishes; no effect on one that has ended */
void tool_run_fini(struct tool_run *run);  /* ends it at once */
double tool_run_ms(const struct tool_run *run, int64_t now_ms); /* how long it has run */

/* Its part of the loop; `fds` of tool_run_turn() may hold those of others, too. */
size_t tool_run_fds(const struct tool_run *run, struct pollfd *fds, size_t room);
int64_t tool_run_deadline(const struct tool_run *run, int64_t now_ms);
void tool_run_turn(struct tool_run *run, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
