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

size_t delta_strings(struct delta *d, struct str *out[DELTA_STRINGS_MAX])
{
	size_t n = 0;

	out[n++] = &d->text;
	switch (d->kind) {
	case DELTA_BEGIN:
	case DELTA_META:
		out[n++] = &d->meta.id;
		out[n++] = &d->meta.model;
		break;
	case DELTA_TOOL_BEGIN:
	case DELTA_TOOL_NAME:
	case DELTA_TOOL_ARGUMENTS:
	case DELTA_TOOL_END:
		out[n++] = &d->tool.id;
		out[n++] = &d->tool.name;
		break;
	case DELTA_OPAQUE:
		out[n++] = &d->opaque.format;
		out[n++] = &d->opaque.data;
		break;
	case DELTA_CITATION:
		out[n++] = &d->citation.url;
		out[n++] = &d->citation.title;
		out[n++] = &d->citation.text;
		break;
	case DELTA_ROUTE:
		out[n++] = &d->route.routed_model;
		break;
	case DELTA_NOTICE:
		out[n++] = &d->notice.rule;
		out[n++] = &d->notice.text;
		break;
	case DELTA_FINISH:
		out[n++] = &d->finish.reason;
		break;
	case DELTA_ERROR:
		out[n++] = &d->error.message;
		out[n++] = &d->error.type;
		out[n++] = &d->error.code;
		break;
	case DELTA_TEXT:
	case DELTA_REASONING:
	case DELTA_REFUSAL:
	case DELTA_USAGE:
	case DELTA_RESTART:
	case DELTA_END:
		break;
	}
	return n;
}
