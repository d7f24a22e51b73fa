/*
 * What servers demand of a request's history, protocol by protocol (wire.md 3, 7 to 10): the oracle for projections.
 */
#ifndef WEIR_TESTS_CHAT_VALID_REQUEST_H
#define WEIR_TESTS_CHAT_VALID_REQUEST_H

#include "wire/protocol/protocol.h"

/* NULL, or why the server would refuse the body: static text. */
const char *request_fault(const struct protocol *protocol, struct str body);

#endif
