#include "wire/delta.h"

static const char *const kind_names[DELTA_KIND_COUNT] = {
#define X(upper, lower) [DELTA_##upper] = #lower,
	DELTA_KINDS(X)
#undef X
};

const char *delta_kind_name(enum delta_kind kind)
{
	return kind_names[kind];
}
