/*
 * The inside of the linear mode, for its own files: plain.c (start, loop, prompt, end) and plain_commands.c (what commands do).
 *
 * The parts that it is composed of have headers of their own, own their state and do not know it: what one of them may ask of the rest
 * is app/plain/plain_host.h.
 */
#ifndef WEIR_APP_PLAIN_INSIDE_H
#define WEIR_APP_PLAIN_INSIDE_H

#include "app/plain/plain.h"
#include "app/plain/plain_lines.h"
#include "app/plain/plain_menu.h"
#include "app/plain/plain_progress.h"
#include "app/plain/plain_results.h"
#include "app/plain/plain_setup.h"

struct plain {
	struct plain_host host;
	struct setup setup;
	struct session *session;
	struct plain_tell tell;
	struct plain_lines lines;
	struct model_list models;
	struct plain_menu menu;
	struct plain_results results;
	struct plain_setup provider_form;
	struct plain_progress progress;
	bool alone;                /* the line that is taken came from a terminal, and no other with it */
	bool prompted;             /* the prompt stands at the end of the last line */
	bool interrupted;          /* the last thing typed was Ctrl-C */
	bool quit;
	int ended_by;              /* the signal that made it quit; 0 */
	const char *tape_name;     /* of a replay */
};

/* Runs "/model gpt-x". False when it is no slash word but a prompt that begins with a slash. */
bool plain_run(struct plain *p, struct str line);

#endif
