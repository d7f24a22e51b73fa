/*
 * Who may send requests to a server on loopback: programs of this machine, not web pages in a browser on it.
 */
#ifndef WEIR_NET_ASKER_H
#define WEIR_NET_ASKER_H

#include "net/request_head.h"

/*
 * False: `refusal` is set, to 421 for another host than loopback, 403 for a page of another origin. It must be zeroed before. `visitable`: a page
 * may send the browser here, as an authorization server does; that is the GET of a whole page, which it cannot read.
 */
MUST_USE bool asker_check(const struct request_head *head, bool visitable, struct request_refusal *refusal);

#endif
