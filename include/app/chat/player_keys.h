/*
 * The player's keys in a replay: moving in the tape by time, deltas and what one looks for, and the speed. They are a mode that is open
 * all the time, behind menus, sheets and the search. Pause and step are commands (app/command.h), which the linear mode has too.
 */
#ifndef WEIR_APP_PLAYER_KEYS_H
#define WEIR_APP_PLAYER_KEYS_H

#include "app/chat/host.h"
#include "app/chat/mode.h"

struct player_keys {
	const struct host *host;
};

void player_keys_init(struct player_keys *p, const struct host *host);
extern const struct mode player_keys_mode;

void player_keys_step_back(struct player_keys *p); /* by a frame */

/* The keys for the help: what they are and what they do. False beyond the last. */
struct player_keys_help { const char *keys, *help; };
bool player_keys_help_at(size_t index, struct player_keys_help *help);

#endif
