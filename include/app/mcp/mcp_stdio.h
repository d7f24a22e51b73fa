/*
 * The transport of MCP servers that are programs: a message is a line of its standard input or output (transports, "stdio"). What it writes to
 * its standard error is not passed on; the last line of it is told if it ends unasked.
 */
#ifndef WEIR_APP_MCP_STDIO_H
#define WEIR_APP_MCP_STDIO_H

#include "app/mcp/mcp_link.h"

/* Starts the program. `argv` and `variables` as in app/system/supervised.h. NULL, with a sentence, if that is not possible. */
struct mcp_link *mcp_stdio_new(const char *const *argv, const char *const *variables, const struct mcp_link_sink *sink, struct error *err);

#endif
