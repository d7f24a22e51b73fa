#include "app/mcp_life.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/program.h"
#include "app/session/session_inside.h"
#include "support/check.h"

void mcp_life_begin(struct life *l, const char *does, const char *more)
{
	char text[1200], path[300];

	snprintf(path, sizeof path, "mkdir -p '%s/weir'", folder_path());
	CU_ASSERT_EQUAL(system(path), 0);
	snprintf(text, sizeof text, "[mcp fake]\ncommand = %s %s\n%s", mcp_server_path(), does, more);
	folder_file("weir/weir.conf", text);
	life_begin(l);
	l->setup.tool_set.closed = false;
}

void mcp_life_settle(struct life *l)
{
	while (session_runs_tools(l->session) || session_live(l->session)) {
		loop_turn(l->setup.loop);
		session_drain(l->session);
	}
}
