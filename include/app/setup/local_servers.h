/*
 * Which servers of the provider list that would run on this machine are there: asked in the background when a menu lists them (net/port_probe.h).
 */
#ifndef WEIR_APP_LOCAL_SERVERS_H
#define WEIR_APP_LOCAL_SERVERS_H

#include "app/system/loop.h"
#include "chat/provider/provider.h"
#include "net/port_probe.h"

#define LOCAL_SERVERS_MOST 8

struct local_servers {
	void (*ran)(void *ctx);          /* set by the owner: an answer is known */
	void *ctx;
	struct { const struct provider *provider; struct port_probe probe; } items[LOCAL_SERVERS_MOST];
	size_t count;
};

/* Asks all of them (so many at most) anew. */
void local_servers_ask(struct local_servers *l, struct providers *providers);
void local_servers_fini(struct local_servers *l);
bool local_servers_wait(const struct local_servers *l); /* for an answer, 300 ms at most */

/* "listening", "not running"; for others what the list says of any provider: "ready", "needs a key" (app/setup/model_list.h). */
const char *local_servers_words(const struct local_servers *l, const struct provider *p);

struct loop_member local_servers_member(struct local_servers *l);

#endif
