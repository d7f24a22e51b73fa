/*
 * /request edit: the request of the last answer in the user's editor, which has the terminal meanwhile. The loop keeps running.
 */
#ifndef WEIR_APP_PLAIN_EDIT_H
#define WEIR_APP_PLAIN_EDIT_H

#include "app/plain/plain_host.h"
#include "app/session/request_edit.h"
#include "app/system/temp_file.h"
#include "app/system/terminal_job.h"

struct plain_edit {
	const struct plain_host *host;
	struct terminal_job *job;             /* NULL: no editor runs */
	struct temp_file file;
	struct request_edit edit;
};

void plain_edit_fini(struct plain_edit *e); /* ends an editor; what was written in it is not sent */
void plain_edit_begin(struct plain_edit *e, struct turn *answer);
bool plain_edit_runs(const struct plain_edit *e); /* the terminal is the editor's: nothing is read or written */
struct loop_member plain_edit_member(struct plain_edit *e);

#endif
