/*
 * Tools that are built in. They read what weir knows and act on nothing. They are offered to the demo, and to others where the user turns them on.
 */
#ifndef WEIR_APP_TOOL_BUILT_IN_H
#define WEIR_APP_TOOL_BUILT_IN_H

#include "base/text.h"

struct tool_built_in {
	const char *name, *description, *schema;
	bool (*answer)(struct str arguments, struct buf *out); /* appends the result; false: it is an error */
};

const struct tool_built_in *tool_built_in_at(size_t index); /* NULL after the last */

#endif
