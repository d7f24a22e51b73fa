/*
 * `weir proxy`: between other clients and providers. Requests and responses are passed on unchanged, as their bytes arrive. Each exchange
 * is recorded as a tape; lint's findings and the end of each exchange are written to standard error.
 */
#ifndef WEIR_APP_PROXY_H
#define WEIR_APP_PROXY_H

#include "app/serve/proxy_log.h"
#include "net/httpd.h"

struct options;
struct provider;
struct proxy_exchange;
struct setup;

struct proxy {
	const struct options *o;
	struct setup *setup;                /* of run_proxy() */
	struct provider **routes;           /* of --to; with several, each has its name as the first segment of its paths */
	size_t route_count;
	struct httpd *httpd;
	struct http *http;                  /* of the setup: sends to the providers */
	struct proxy_exchange *exchanges;
	int folder_fd;                      /* of -o; -1: tapes go to the ring */
	struct proxy_log log;
	size_t count;                       /* exchanges so far */
	bool untaped;                       /* a notice has said that tapes cannot be kept */
};

/* --- proxy_route.c --- */

MUST_USE bool proxy_take_routes(struct proxy *p, struct error *err); /* after setup_init(); errors are usage errors */

struct proxy_destination {
	struct provider *provider;
	const struct dialect *dialect;
	const struct protocol *protocol;    /* NULL: the path names none */
	struct buf url;
};

/* Finds where a request goes and makes the provider the target of the setup. False: `refusal` is set; its sentence may be borrowed from `err`. */
MUST_USE bool proxy_find_destination(struct proxy *p, struct str path, struct proxy_destination *to, struct request_refusal *refusal,
                                     struct error *err);
void proxy_destination_fini(struct proxy_destination *to);

/* --- proxy_exchange.c --- */

extern const struct httpd_ops proxy_ops;    /* answers requests; its ctx is the proxy */
void proxy_run_exchanges(struct proxy *p);  /* once per pass of the loop: records a part of what arrived, and writes tapes to disk */
void proxy_end_exchanges(struct proxy *p);  /* after httpd_free(): cuts the tapes of those whose record is behind */
bool proxy_is_behind(const struct proxy *p);/* proxy_run_exchanges() has more to record */

#endif
