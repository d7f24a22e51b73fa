/*
 * Lint for sessions of the Model Context Protocol: names where a server breaks its specification. It looks at the messages of a session in their
 * order, both directions, as a tape has them. A rule is a row of a table. Pure: no descriptor, no clock.
 */
#ifndef WEIR_WIRE_MCP_LINT_H
#define WEIR_WIRE_MCP_LINT_H

#include "base/json.h"
#include "wire/lint/lint.h"

struct mcp_rule {
	const char *id;             /* "answer-unknown"; stable */
	enum lint_severity severity;
	const char *promise;        /* a sentence without a full stop */
	const char *source;         /* the page of the specification, and its section */
};
const struct mcp_rule *mcp_rule_at(size_t index); /* NULL after the last */

/* `words`: what came, a sentence without a full stop. `message`: its number, from 1; 0: the end. */
typedef void mcp_lint_sink(void *ctx, const struct mcp_rule *rule, size_t message, struct str words);

struct mcp_lint; /* heap */

/* `lines`: each message is a line of a program's output, on which nothing else may stand. */
struct mcp_lint *mcp_lint_new(bool lines, mcp_lint_sink *sink, void *ctx);
void mcp_lint_free(struct mcp_lint *l);
void mcp_lint_message(struct mcp_lint *l, bool sent, struct str text);
void mcp_lint_end(struct mcp_lint *l, bool closed); /* closed: in order, by the client */

#endif
