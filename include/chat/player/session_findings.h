/*
 * What lint names in a session with an MCP server (wire/mcp/mcp_lint.h), kept as the steps of its tape are read. Of one session at most
 * SESSION_FINDINGS_MOST are kept.
 */
#ifndef WEIR_CHAT_SESSION_FINDINGS_H
#define WEIR_CHAT_SESSION_FINDINGS_H

#include "net/tape.h"
#include "wire/mcp/mcp_lint.h"

#define SESSION_FINDINGS_MOST 1000u

struct session_finding {
	const struct mcp_rule *rule;
	size_t message;    /* its number in the session, from 1; 0: the end */
	const char *words; /* what came */
};

struct session_findings; /* heap */

/* NULL, which all functions take as a session that is not checked, for LINT_LEVEL_OFF and for a tape that is no such session. */
struct session_findings *session_findings_new(enum lint_level level, const struct tape *tape);
void session_findings_free(struct session_findings *f);
void session_findings_step(struct session_findings *f, const struct tape_step *step); /* each step of the tape, in order */
size_t session_findings_count(const struct session_findings *f);
const struct session_finding *session_findings_at(const struct session_findings *f, size_t index); /* in the order in which they were made */

#endif
