/*
 * Who may ask a server on loopback: programs of this machine, not web pages, which a browser would let ask for its user.
 */
#ifndef WEIR_NET_ASKER_H
#define WEIR_NET_ASKER_H

#include "net/request_head.h"

/* False: 421 for another host than loopback, 403 for a page of another origin. */
MUST_USE bool asker_check(const struct request_head *head, struct request_refusal *refusal);

#endif
