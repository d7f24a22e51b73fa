/*
 * A knock: whether anything listens where a local server would, by a connection that is closed at once and carries nothing.
 *
 * Only loopback addresses are tried, as they stand in a base URL: no name is looked up, and no other host learns anything.
 */
#ifndef WEIR_NET_KNOCK_H
#define WEIR_NET_KNOCK_H

#include <poll.h>
#include <stdint.h>

#include "base/text.h"

enum knock_state { KNOCK_NONE /* it is not on loopback */, KNOCK_WAITING, KNOCK_LISTENS, KNOCK_SILENT };

struct knock { /* embedded */
	enum knock_state state;
	int fd;
	int64_t deadline_ms;
};

void knock_begin(struct knock *k, struct str base_url, int64_t now_ms); /* waits 300 ms at most */
void knock_end(struct knock *k);                                        /* legal at any time */
bool knock_fd(const struct knock *k, struct pollfd *fd);                /* false: nothing to wait for */
void knock_run(struct knock *k, int64_t now_ms);

#endif
