/*
 * The player's keys in a replay: moving in the tape by time, deltas and what one looks for, and the speed. They are a mode that is open
 * all the time, behind menus, sheets and the search, and gets the wheel and the clicks on the timeline. Pause and step are commands
 * (app/command/command.h), which the linear mode has too.
 */
#ifndef WEIR_APP_PLAYER_KEYS_H
#define WEIR_APP_PLAYER_KEYS_H

#include "app/screen/services/host.h"
#include "app/screen/services/mode.h"
#include "app/session/replay.h"
#include "ui/pane/timeline.h"

struct player_keys {
	const struct host *host;
	struct replay *replay;   /* borrowed; NULL: it is a chat */
	struct timeline timeline;
	struct area area;        /* of the timeline on the screen, as last drawn, for the mouse; 0 rows: it is not shown */
	bool pressed;            /* the mouse button was pressed on it */
};

void player_keys_init(struct player_keys *p, const struct host *host, struct replay *replay);
void player_keys_fini(struct player_keys *p);
extern const struct mode player_keys_mode;

void player_keys_step_back(struct player_keys *p); /* by a frame */

const struct key_help *player_keys_help_at(size_t index); /* for the help; NULL beyond the last */

#endif
