#include "wire/delta.h"

#include "base/array.h"

static const char *const kind_names[DELTA_KIND_COUNT] = {
#define X(upper, lower) [DELTA_##upper] = #lower,
	DELTA_KINDS(X)
#undef X
};

const char *delta_kind_name(enum delta_kind kind)
{
	return kind_names[kind];
}

static const char *const state_names[] = {
#define X(upper, word) [SERVER_TOOL_##upper] = word,
	SERVER_TOOL_STATES(X)
#undef X
};

const char *server_tool_state_name(enum server_tool_state state)
{
	return state_names[state];
}

bool server_tool_state_find(struct str name, enum server_tool_state *state)
{
	for (size_t i = 0; i < ARRAY_LEN(state_names); i++)
		if (str_is(name, state_names[i])) {
			*state = (enum server_tool_state)i;
			return true;
		}
	return false;
}

/* A picture takes the place of the one before it; of data in pieces the facts count all bytes so far. */
void delta_media_collect(const struct delta_media *media, struct blob **data)
{
	bool replaces = media->facts.bytes == media->data.len;

	if (replaces)
		blob_set(data, media->blob);
	if (!replaces || !media->blob)
		blob_add(data, media->data);
}

static size_t media_strings(struct delta_media *media, struct str **out)
{
	size_t n = 0;

	media->blob = NULL; /* what is copied needs none, and does not hold it */
	out[n++] = &media->data;
	out[n++] = &media->facts.id;
	out[n++] = &media->facts.type;
	out[n++] = &media->facts.url;
	out[n++] = &media->facts.sha256;
	return n;
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
	case DELTA_MEDIA_BEGIN:
	case DELTA_MEDIA:
	case DELTA_MEDIA_TEXT:
	case DELTA_MEDIA_END:
		n += media_strings(&d->media, out + n);
		break;
	case DELTA_SERVER_TOOL_BEGIN:
	case DELTA_SERVER_TOOL_INPUT:
	case DELTA_SERVER_TOOL_END:
		out[n++] = &d->server_tool.id;
		out[n++] = &d->server_tool.name;
		out[n++] = &d->server_tool.output;
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
