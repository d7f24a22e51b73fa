/*
 * External programs: lends the terminal to the user's editor or to weir replay, with a file that only the user can read. The loop keeps running,
 * so a running answer does not wait. When the program ends, the screen is as it was before.
 */
#ifndef WEIR_APP_EXTERNAL_H
#define WEIR_APP_EXTERNAL_H

#include "app/screen/services/terminal.h"
#include "app/system/temp_file.h"
#include "app/system/terminal_job.h"

/* What to run. All strings except `command` and `text` must outlive the program. */
struct external_offer {
	const char *command;
	const char *variables;   /* the variables that name such a program, for error messages */
	const char *kept;        /* added to the message when it failed: "the prompt is unchanged"; NULL: nothing to add */
	struct str text;         /* the file's content */
	const char *name;        /* the file's name, from which editors know its kind; NULL: "weir.md" */
	const char *path;        /* a file that is there already, in its place; NULL: `text` */
	void (*back)(void *ctx, const char *path); /* called when it exits with status 0; NULL: none */
	void *ctx;
	bool not_at_end;         /* `back` is not called for a program that is ended together with weir */
};

struct external {
	const struct host *host;
	struct terminal *terminal;
	struct terminal_job *program; /* NULL: none is running */
	struct temp_file file;  /* the program's file; removed when it ends */
	char *command;
	struct external_offer offer; /* `text` and `command` in it are not used after the start */
};

void external_init(struct external *l, const struct host *host, struct terminal *terminal);
/* False: the program did not start and the terminal is still weir's; the reason is shown. */
bool external_begin(struct external *l, const struct external_offer *offer);
/*
 * Reads a text that the user has edited: valid UTF-8, LF, and without the final line end that editors add, unless `before` had one. At most
 * EDIT_LIMIT bytes of the file.
 */
MUST_USE bool external_read_text(const char *path, struct str before, struct buf *text, struct error *err);
/* Call when weir ends. Ends a program that still has the terminal and takes what the user saved in it. */
void external_end(struct external *l);

/*
 * Plays the tapes of a turn, by `weir replay`, from that of the round `at` on. The last one must outlive the program. `follow`: that one is being
 * written.
 */
void external_replay(struct external *l, const char *const *tapes, size_t count, size_t at, bool follow);

size_t external_fds(void *external, struct pollfd *fds, size_t room); /* a member of the loop */
int64_t external_deadline(void *external);
void external_run(void *external, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
