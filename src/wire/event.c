#include "wire/event.h"

#include "wire/delta_write.h"

static void event_write_media(struct json_writer *w, const struct delta *d)
{
	const struct media_facts *facts = &d->media.facts;

	json_member_integer(w, "index", d->media.index);
	if (d->kind == DELTA_MEDIA_BEGIN) {
		json_member_string(w, "kind", str_from(media_kind_name(facts->kind)));
		json_member_string_or_null(w, "id", facts->id);
	} else if (d->kind == DELTA_MEDIA) {
		json_member_boolean(w, "partial", d->media.is_partial);
		json_member_integer(w, "bytes", (int64_t)d->media.data.len);
	} else if (d->kind == DELTA_MEDIA_TEXT) {
		json_member_string(w, "text", d->text);
	} else {
		json_key(w, "media");
		json_open_object(w);
		delta_write_media(w, facts, d->text);
		json_close_object(w);
	}
}

static void event_write_server_tool(struct json_writer *w, const struct delta *d)
{
	json_member_integer(w, "index", d->server_tool.index);
	if (d->kind == DELTA_SERVER_TOOL_BEGIN) {
		json_member_string_or_null(w, "id", d->server_tool.id);
		json_member_string(w, "name", d->server_tool.name);
	} else if (d->kind == DELTA_SERVER_TOOL_INPUT) {
		json_member_string(w, "text", d->text);
	} else {
		delta_write_server_tool_result(w, d->server_tool.state, d->server_tool.output);
	}
}

void event_write_own(struct json_writer *w, const struct delta *d)
{
	switch (d->kind) {
	case DELTA_BEGIN:
	case DELTA_META:
		json_member_string_or_null(w, "id", d->meta.id);
		json_member_string_or_null(w, "model", d->meta.model);
		break;
	case DELTA_TEXT:
	case DELTA_REASONING:
	case DELTA_REFUSAL:
		json_member_string(w, "text", d->text);
		break;
	case DELTA_TOOL_BEGIN:
	case DELTA_TOOL_NAME:
		json_member_integer(w, "index", d->tool.index);
		json_member_string_or_null(w, "id", d->tool.id);
		json_member_string(w, "name", d->tool.name);
		break;
	case DELTA_TOOL_ARGUMENTS:
		json_member_integer(w, "index", d->tool.index);
		json_member_string(w, "text", d->text);
		break;
	case DELTA_TOOL_END:
		json_member_integer(w, "index", d->tool.index);
		break;
	case DELTA_MEDIA_BEGIN:
	case DELTA_MEDIA:
	case DELTA_MEDIA_TEXT:
	case DELTA_MEDIA_END:
		event_write_media(w, d);
		break;
	case DELTA_SERVER_TOOL_BEGIN:
	case DELTA_SERVER_TOOL_INPUT:
	case DELTA_SERVER_TOOL_END:
		event_write_server_tool(w, d);
		break;
	case DELTA_OPAQUE:
		json_member_string(w, "format", d->opaque.format);
		json_member_string(w, "data", d->opaque.data);
		break;
	case DELTA_CITATION:
		json_member_string_or_null(w, "url", d->citation.url);
		json_member_string_or_null(w, "title", d->citation.title);
		json_member_string_or_null(w, "text", d->citation.text);
		break;
	case DELTA_USAGE:
		delta_write_usage(w, &d->usage);
		break;
	case DELTA_ROUTE:
		delta_write_route(w, &d->route);
		break;
	case DELTA_NOTICE:
		json_member_string(w, "rule", d->notice.rule);
		json_member_string(w, "text", d->notice.text);
		break;
	case DELTA_RESTART:
		break;
	case DELTA_FINISH:
		json_member_string(w, "reason", d->finish.reason);
		break;
	case DELTA_ERROR:
		delta_write_error(w, "error_type", &d->error); /* `type` is the event's own */
		break;
	case DELTA_END:
		json_member_string(w, "outcome", str_from(outcome_name(d->end.outcome)));
		break;
	}
}

void event_write_members(struct json_writer *w, const struct delta *d)
{
	if (d->at_ms >= 0)
		json_member_milliseconds_or_null(w, "t", d->at_ms);
	json_member_string(w, "type", str_from(delta_kind_name(d->kind)));
	event_write_own(w, d);
}

bool event_is_of(const struct delta *d)
{
	return d->kind != DELTA_SERVER_TOOL_INPUT || d->text.len > 0;
}

void event_write(const struct delta *d, struct buf *out)
{
	struct json_writer w;

	if (!event_is_of(d))
		return;
	json_writer_init(&w, out);
	json_open_object(&w);
	event_write_members(&w, d);
	json_close_object(&w);
	buf_add_byte(out, '\n');
}
