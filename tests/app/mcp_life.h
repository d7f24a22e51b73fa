/* A chat without a screen (app/life.h) that has an MCP server, tests/mcp/server.c. */
#ifndef WEIR_TESTS_MCP_LIFE_H
#define WEIR_TESTS_MCP_LIFE_H

#include "app/life.h"

/* An answer that calls a tool. */
#define CALL(name, arguments) "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"" name \
	"\",\"arguments\":\"" arguments "\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"

/* A chat whose settings have the server "fake" that does this, with more of its section. */
void mcp_life_begin(struct life *l, const char *does, const char *more);
/* Until the calls of the last answer have ended, or ask. */
void mcp_life_settle(struct life *l);

#endif
