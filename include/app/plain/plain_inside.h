/*
 * Internals of the linear mode, for its own files: plain.c (start, loop, prompt, end), plain_send.c (prompts), plain_commands.c (effects of
 * commands), plain_tree.c (branches), plain_inspect.c (frames), plain_compare.c (several answers at once) and plain_list.c (stored conversations).
 *
 * Its parts have their own headers, own their state and do not include this one. They reach the rest of the program only through
 * app/plain/plain_host.h.
 */
#ifndef WEIR_APP_PLAIN_INSIDE_H
#define WEIR_APP_PLAIN_INSIDE_H

#include "app/command/opening.h"
#include "app/command/collecting.h"
#include "app/command/pasting.h"
#include "app/compare/compare.h"
#include "app/compare/compare_figures.h"
#include "app/keep/conversation_list.h"
#include "app/plain/plain.h"
#include "app/plain/plain_approval.h"
#include "app/plain/plain_edit.h"
#include "app/plain/plain_files.h"
#include "app/plain/plain_form.h"
#include "app/plain/plain_lines.h"
#include "app/plain/plain_menu.h"
#include "app/plain/plain_progress.h"
#include "app/plain/plain_results.h"
#include "app/session/notice.h"
#include "app/session/titling.h"
#include "app/setup/elicit_form.h"
#include "app/setup/provider_form.h"
#include "app/setup/section_form.h"

struct setup;

struct plain {
	struct plain_host host;
	struct messages messages;
	struct setup *setup;       /* of plain_main() */
	struct session *session;
	struct plain_tell tell;
	struct plain_lines lines;
	struct model_list models;
	struct plain_menu menu;
	struct provider_form provider_form;
	struct elicit_form elicit; /* what an MCP server asks for */
	struct section_form section_form;
	struct plain_form form;
	struct plain_progress progress;
	struct plain_edit edit_request;
	struct titling titling;
	struct notice notice;
	struct compare compare;
	struct turn *to_delete;    /* while its question is open */
	struct conversation_list conversations; /* the last list, which numbers refer to */
	size_t conversations_told; /* lines of it that were printed */
	int64_t conversation_to_delete; /* while its question is open */
	struct pasting pasting;
	struct opening opening;
	struct collecting collecting;
	struct plain_files files;
	struct plain_approval approval;
	bool alone;                /* the current line came from a terminal, and no other line with it */
	bool prompted;             /* the last line of output is the prompt */
	const struct plain_question *interrupted_question; /* the one that is open while an answer is printed; NULL: none */
	bool interrupted;          /* the last input was Ctrl-C */
	bool quit;
	bool told_loss;            /* that quitting would lose a conversation */
	int ended_by;              /* the signal that made it quit; 0: none */
	char *held;                /* a prompt that may not fit: an empty line sends it; NULL: none */
	size_t frames_told;        /* rows of the trace of the last answer that /inspect has listed */
	const char *tape_name;     /* name of the replayed tape */
};

/* Runs "/model gpt-x". False if it is not a slash word but a prompt that starts with a slash. */
bool plain_run(struct plain *p, struct str line);

/* The question whether to delete was not answered with yes. */
void plain_tell_kept_back(struct plain *p, struct str line);

/* --- plain_compare.c --- */

void plain_compared_answer_ended(void *plain, struct compared_answer *l); /* struct compare_ways */
void plain_compared_answer_asks(void *plain, struct compared_answer *a);
void plain_compare_began(void *plain);
bool plain_asks_all(struct plain *p, struct str prompt);    /* asks all targets of --compare; false: the prompt is for one */

/* --- plain_send.c --- */

/* Whether the prompt waits for an empty line. Nobody can be asked about lines from a pipe: beyond the budget they are not sent. */
bool plain_holds(struct plain *p, struct str prompt);
/* Sends a prompt, or says why not. `typed`: the terminal shows it already. */
void plain_send(struct plain *p, struct str prompt, bool typed);

/* --- plain.c --- */

void plain_tell_opened(struct plain *p); /* how long the conversation is that was opened, and its last turns */

#endif
