/* The findings in the tape of a session with an MCP server (wire/mcp/mcp_lint.h), as a table or as JSON. */
#ifndef WEIR_APP_LINT_SESSION_H
#define WEIR_APP_LINT_SESSION_H

#include "base/text.h"
#include "net/tape.h"
#include "wire/lint/lint.h"

struct options;

struct lint_session { size_t total, of[LINT_SEVERITIES]; }; /* how many findings, in all and by severity */

/* Appends what is found. */
struct lint_session lint_session_check(const struct tape *tape, const char *path, bool json, struct buf *out);

int lint_session_run(const struct options *o, const char *path); /* `weir mcp lint PATH`; returns the exit status */

#endif
