/*
 * A port probe: whether anything listens where a local server would, by a connection that is closed at once and carries nothing.
 *
 * Only loopback addresses are tried, as they stand in a base URL: no name is looked up, and no other host learns anything.
 */
#ifndef WEIR_NET_PORT_PROBE_H
#define WEIR_NET_PORT_PROBE_H

#include <poll.h>
#include <stdint.h>

#include "base/text.h"

enum port_probe_state { PORT_PROBE_NONE /* it is not on loopback */, PORT_PROBE_WAITING, PORT_PROBE_LISTENS, PORT_PROBE_SILENT };

struct port_probe { /* embedded */
	enum port_probe_state state;
	int fd;
	int64_t deadline_ms;
};

void port_probe_begin(struct port_probe *p, struct str base_url, int64_t now_ms); /* waits 300 ms at most */
void port_probe_end(struct port_probe *p);                                        /* legal at any time */
bool port_probe_fd(const struct port_probe *p, struct pollfd *fd);                /* false: nothing to wait for */
void port_probe_run(struct port_probe *p, int64_t now_ms);

#endif
