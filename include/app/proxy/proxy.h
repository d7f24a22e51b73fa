/*
 * `weir proxy`: between other clients and providers. A request goes on to its provider as it is, the response comes back as it is, both as
 * they come; each exchange becomes a tape, and lint's findings and the end of each are told on standard error.
 */
#ifndef WEIR_APP_PROXY_H
#define WEIR_APP_PROXY_H

#include "app/proxy/proxy_log.h"
#include "app/setup.h"
#include "net/httpd.h"

struct proxy_exchange;

struct proxy {
	const struct options *o;
	struct setup setup;
	struct provider **routes;           /* of --to; with several, each has its name as the first segment of its paths */
	size_t route_count;
	struct httpd *httpd;
	struct proxy_exchange *exchanges;
	int folder_fd;                      /* of -o; -1: tapes go to the ring */
	struct proxy_log log;
	size_t count;                       /* exchanges so far */
	bool untaped;                       /* it was said that tapes cannot be kept */
};

/* --- proxy_route.c --- */

MUST_USE bool proxy_take_routes(struct proxy *p, struct error *err); /* after setup_init(); errors are usage errors */

struct proxy_destination {
	struct provider *provider;
	const struct dialect *dialect;
	const struct protocol *protocol;    /* NULL: the path names none */
	struct buf url;
};

/* Finds where a request goes and makes the provider the target. False: `refusal` is the answer, borrowed from `err`. */
MUST_USE bool proxy_find_destination(struct proxy *p, struct str path, struct proxy_destination *to, struct request_refusal *refusal,
                                     struct error *err);
void proxy_destination_fini(struct proxy_destination *to);

/* --- proxy_exchange.c --- */

extern const struct httpd_ops proxy_ops;    /* what answers requests; its ctx is the proxy */
void proxy_run_exchanges(struct proxy *p);  /* before the loop sleeps: what arrived goes to disk */
void proxy_end_exchanges(struct proxy *p);  /* after httpd_free(): cuts the tapes of those whose record is behind */
bool proxy_is_behind(const struct proxy *p);/* recording has more to do */

#endif
