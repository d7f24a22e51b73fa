/* What a tool of an MCP server gives back, as text for the model and for the user. */
#ifndef WEIR_APP_TOOL_REMOTE_H
#define WEIR_APP_TOOL_REMOTE_H

#include "app/tools/tool_run.h"

/* Replaces what is in `out` by a line. */
void tool_remote_write_progress(const struct mcp_progress *progress, struct buf *out);
/*
 * Appends the result: texts as they are, up to `limit_bytes` in all; a line in brackets for what is no text, for what was left out, and where
 * the structured content breaks `output_schema` (empty: there is none).
 */
enum tool_outcome tool_remote_write_result(const struct mcp_answer *answer, struct str output_schema, size_t limit_bytes, struct buf *out);

#endif
