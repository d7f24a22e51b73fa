#include "ui/view.h"

static const char *const reasoning_view_names[REASONING_VIEW_COUNT] = {
	[REASONING_VIEW_PANE] = "pane", [REASONING_VIEW_TAIL] = "tail", [REASONING_VIEW_FOLDED] = "folded", [REASONING_VIEW_HIDDEN] = "hidden",
};

const char *view_state_name(enum view_state state)
{
	static const char *const states[] = {
		[VIEW_READY] = "ready",         [VIEW_KEY] = "key",       [VIEW_CONNECTING] = "connecting", [VIEW_WAITING] = "waiting",
		[VIEW_STREAMING] = "streaming", [VIEW_SEARCHING] = "searching", [VIEW_RUNNING_CODE] = "running code", [VIEW_DRAWING] = "drawing",
		[VIEW_RETRYING] = "retrying",  [VIEW_PAUSED] = "paused", [VIEW_REPLAYING] = "replay", [VIEW_RUNNING_TOOLS] = "running tools",
	};

	return states[state];
}

const char *reasoning_view_name(enum reasoning_view view)
{
	return reasoning_view_names[view];
}

bool reasoning_view_find(struct str name, enum reasoning_view *view, struct error *err)
{
	for (int i = 0; i < REASONING_VIEW_COUNT; i++)
		if (str_is(name, reasoning_view_names[i])) {
			*view = (enum reasoning_view)i;
			return true;
		}
	return error_set(err, "reasoning is shown in one of these ways: pane, tail, folded, hidden (not \"%.*s\")", STR_ARG(str_head(name, 40)));
}
