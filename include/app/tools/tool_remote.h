/* What a tool of an MCP server gives back, as text for the model and for the user. */
#ifndef WEIR_APP_TOOL_REMOTE_H
#define WEIR_APP_TOOL_REMOTE_H

#include "app/tools/tool_run.h"

/* Replaces what is in `out` by a line. */
void tool_remote_write_progress(const struct mcp_progress *progress, struct buf *out);
void tool_remote_write_share(const struct mcp_progress *progress, char *out, size_t size); /* "30 %"; "" where no total is known */
/* What a result has to be, and how much of it is kept. */
struct tool_remote_limits {
	struct str output_schema; /* empty: none */
	size_t text_bytes;
	size_t media_bytes;       /* of pictures, sounds and files, decoded */
};
#define TOOL_MEDIA_MOST 32u   /* such items of a result that are kept */

/*
 * Appends the result: texts as they are; a line in brackets for what is no text, for what was left out, and where the structured content breaks
 * the schema. Adds pictures, sounds and files to `media`.
 */
enum tool_outcome tool_remote_write_result(const struct mcp_answer *answer, const struct tool_remote_limits *limits, struct media_keeper *media,
                                           struct buf *out);

#endif
