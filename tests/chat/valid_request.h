/*
 * Rules that servers apply to a request's history, by protocol: the oracle for projections.
 */
#ifndef WEIR_TESTS_CHAT_VALID_REQUEST_H
#define WEIR_TESTS_CHAT_VALID_REQUEST_H

#include "wire/protocol/protocol.h"

/* NULL, or why the server would reject the body: a static string. */
const char *request_fault(const struct protocol *protocol, struct str body);

#endif
