#include "ui/view.h"

static const char *const reasoning_view_names[REASONING_VIEWS] = {
	[REASONING_IN_PANE] = "pane", [REASONING_TAIL] = "tail", [REASONING_FOLDED] = "folded", [REASONING_HIDDEN] = "hidden",
};

const char *reasoning_view_name(enum reasoning_view view)
{
	return reasoning_view_names[view];
}

bool reasoning_view_find(struct str name, enum reasoning_view *view, struct error *err)
{
	for (int i = 0; i < REASONING_VIEWS; i++)
		if (str_is(name, reasoning_view_names[i])) {
			*view = (enum reasoning_view)i;
			return true;
		}
	return error_set(err, "reasoning is shown in one of these ways: pane, tail, folded, hidden (not \"%.*s\")", STR_ARG(str_head(name, 40)));
}
