/*
 * Approvals: which tools may run without a question. An approval holds for what a tool is, its facts (app/tools/tool_set.h): when one of them
 * changes, it holds no longer. No approval is ever taken from a text of a tool, a model or a server.
 *
 * Approvals of this conversation are in memory. Those that are remembered (`once`, `always`) are in "approvals" in the state folder, which only
 * its owner can read: a JSON object with the facts that were approved, by the name of the tool. The file is read again when another program has
 * changed it, so that what was taken back there asks here, too; and it is replaced as a whole, by one program at a time. What is not understood
 * counts as not approved.
 */
#ifndef WEIR_APP_APPROVAL_H
#define WEIR_APP_APPROVAL_H

#include "app/tools/tool_set.h"

struct approved { char *name, *facts; bool is_kept; }; /* is_kept: it stands in the file */
struct approved_list { struct approved *items; size_t count, capacity; };

struct approvals { /* embedded; all zero: none */
	bool keeps;                      /* the file is used */
	bool is_private;                 /* but not written now */
	struct approvals_file { uint64_t number, bytes; int64_t changed_ns; } file; /* the one that was read; all zero: none */
	struct approved_list remembered, conversation;
	struct approved_list asked;      /* the user took back what was allowed: they ask in this conversation, whatever else is said */
	uint64_t plans;                  /* that were asked for so far: each has a number of its own (app/tools/tool_calls.h) */
};

enum approval {
	APPROVAL_GIVEN,    /* it runs without a question */
	APPROVAL_ASKED,    /* the user is asked */
	APPROVAL_CHANGED,  /* the same: what was approved was another tool of that name */
	APPROVAL_REFUSED,  /* it never runs */
};

void approvals_fini(struct approvals *a);
/* A tool that is `always` is remembered as it is when it is met for the first time. */
enum approval approval_of(struct approvals *a, const struct tool *tool);
/* From now on it runs in this conversation; one that is `once` or `always`, in all. False, with a sentence: that could not be kept. */
MUST_USE bool approval_give(struct approvals *a, const struct tool *tool, struct error *err);
/*
 * Takes back what was allowed: from now on it asks in this conversation; one that is `once` asks in all. False, with a sentence: that could not be
 * kept, and only this conversation asks.
 */
MUST_USE bool approval_take_back(struct approvals *a, const struct tool *tool, struct error *err);
bool approval_is_given(struct approvals *a, const struct tool *tool); /* it would run without a question; nothing changes */
/* What holds now, in a word or a few: "ask", "always in this conversation", "never". Whether it is offered is no part of it. */
const char *approval_words(struct approvals *a, const struct tool *tool);
void approvals_forget(struct approvals *a); /* another conversation */
/* Appends how the facts differ from those that were approved: lines that begin with "- " or "+ ". */
void approval_write_change(struct approvals *a, const struct tool *tool, struct buf *out);

#endif
