/* What the files of `weir history` share. */
#ifndef WEIR_APP_HISTORY_INSIDE_H
#define WEIR_APP_HISTORY_INSIDE_H

#include "app/system/pager.h"
#include "base/json_write.h"

struct history_conversation;
struct history_cost;

/* A call of a verb: `weir history VERB ARGUMENT...`. */
struct history_call {
	const struct options *o;
	char **arguments;    /* behind the verb */
	size_t count;
	struct history *h;   /* NULL: there is no history yet. A verb that has the file maintained closes it first */
};

/* Opens the history, with what has to be done on its file before. Absent is no failure: `*h` is NULL then. Else a line on standard error. */
MUST_USE bool history_call_open(struct history **h, enum exit_status *status);
/* Closes it. One that was found damaged is recovered, and a line on standard error says what to do. */
void history_call_close(struct history *h); /* NULL is allowed */
/* Writes a line on standard error, none after an interrupt. Returns the exit status. */
int history_call_failed(const struct error *err);
/* Finds the conversation that an argument names. Otherwise a line on standard error. */
MUST_USE bool history_call_find(const struct history_call *call, const char *name, int64_t *conversation);

int history_show_run(struct history_call *call);
int history_export_run(struct history_call *call);
int history_import_run(struct history_call *call);
int history_delete_run(struct history_call *call);
int history_backup_run(struct history_call *call);

/* --- conversations as lines and as JSON --- */

/* A list that is printed while it is read. `columns`: of the terminal; 0: fields separated by tabs, for other programs. */
struct history_lines {
	struct pager pager;
	unsigned columns;
	bool bold;           /* what was searched for */
	size_t count;        /* printed so far */
	bool json;
	struct buf text;
	struct json_writer writer;
};

void history_lines_open(struct history_lines *l, bool json);
/* Adds a conversation. `snippet`: as in struct history_hit, without other control characters unless `json`; NULL: none. False once nobody reads. */
bool history_lines_add(struct history_lines *l, const struct history_conversation *c, const char *snippet);
int history_lines_close(struct history_lines *l, int status);

/* Appends untrusted text as one line of at most `columns` cells, with "…" where it is cut. Returns the cells. */
unsigned history_add_cells(struct buf *line, struct str text, unsigned columns);

void history_write_cost(struct json_writer *w, const struct history_cost *cost); /* the member "cost" of an open object */

#endif
