/*
 * The inspector: the frames of an answer, from its tape. It is a mode while its pane has the focus, so that its letters come before those of
 * other panes and of the player, and a member of the loop, which decodes the tape in portions and reads what is added to it while the answer
 * is still running. While it is closed it costs nothing.
 *
 * What the frame under the cursor wrote is marked on the page. In a replay the cursor follows the player, and moving it moves the player.
 */
#ifndef WEIR_APP_INSPECT_H
#define WEIR_APP_INSPECT_H

#include "app/screen/services/clipboard.h"
#include "app/screen/services/mode.h"
#include "app/session/turn_trace.h"
#include "ui/edit/edit.h"
#include "ui/pane/inspector.h"

struct inspect {
	const struct host *host;
	struct clipboard *clipboard;
	struct inspector *pane;      /* owned by the stack */
	struct turn_trace of;        /* its trace is NULL: there is no tape */
	struct turn *turn;           /* whose frames they are; NULL: closed */
	uint64_t session;            /* session_number() of its conversation */
	enum lint_level lint;        /* which findings its frames have */
	bool grows;                  /* more may come: the answer is still running, or calls that it asks for */
	struct inspect_seen { const struct turn *live, *last; bool runs; } seen; /* the session when the growing tape was last read */
	bool follows;                /* in a replay: the player */
	int64_t read_ms;             /* when the growing tape was last read */
	size_t marked;               /* the row whose text is marked on the page */
	uint64_t moves;              /* player_moves() that the cursor has followed */
	bool types;                  /* the words of a search are being typed */
	bool slashed;                /* a slash began them: they may be a command (command_line()) */
	struct pane *before;         /* had the focus */
	struct edit needle;
	char keys[200];
};

void inspect_init(struct inspect *i, const struct host *host, struct clipboard *clipboard, struct inspector *pane);
void inspect_fini(struct inspect *i);

/*
 * F8. Opens it, or, if it is open, gives it the focus; closes it if it has that. From the page: goes to the frame that wrote the text at
 * the place that keys act on.
 */
void inspect_command(struct inspect *i);
/* Opens it with what lint names in the answer, also if the setting is off, and goes to the next frame that has such a finding. */
void inspect_findings(struct inspect *i);
/* A press of the mouse while it is open: on a row of the list goes there, on a row of the page to the frame that wrote its text. */
void inspect_press(struct inspect *i, const struct key *key);
struct turn *inspect_turn(const struct inspect *i); /* whose frames are shown; NULL: none are */
void inspect_draw_words(struct inspect *i); /* before the pane is drawn */

const struct key_help *inspect_keys_help_at(size_t index); /* for the help; NULL beyond the last */

struct loop_member inspect_member(struct inspect *i);
extern const struct mode inspect_mode;

#endif
