#include "wire/delta_write.h"

void delta_write_usage(struct json_writer *w, const struct usage *usage)
{
	for (unsigned i = 0; i < USAGE_SUMMARY_COUNT; i++)
		json_member_count_or_null(w, usage_row((enum usage_figure)i)->member, usage->of[i].sent ? usage->of[i].number : -1);
}

void delta_write_usage_or_null(struct json_writer *w, const struct usage *usage)
{
	json_key(w, "usage");
	if (!usage_is_known(usage)) {
		json_null(w);
		return;
	}
	json_open_object(w);
	delta_write_usage(w, usage);
	for (unsigned i = USAGE_SUMMARY_COUNT; i < USAGE_FIGURE_COUNT; i++)
		if (usage->of[i].sent)
			json_member_integer(w, usage_row((enum usage_figure)i)->member, usage->of[i].number);
	json_close_object(w);
}

void delta_write_media(struct json_writer *w, const struct media_facts *facts, struct str text)
{
	json_member_string(w, "kind", str_from(media_kind_name(facts->kind)));
	json_member_string_or_null(w, "type", facts->type);
	json_member_integer(w, "bytes", (int64_t)facts->bytes);
	json_member_string_or_null(w, "sha256", facts->sha256);
	json_member_integer(w, "partials", facts->partials);
	json_member_boolean(w, "whole", facts->whole);
	json_member_boolean(w, "thought", facts->thought);
	json_member_string_or_null(w, "id", facts->id);
	json_member_string_or_null(w, "url", facts->url);
	json_member_string_or_null(w, "text", text);
}

void delta_write_server_tool_result(struct json_writer *w, enum server_tool_state state, struct str output)
{
	json_member_string(w, "state", str_from(server_tool_state_name(state)));
	json_member_string_or_null(w, "output", output);
}

void delta_write_route(struct json_writer *w, const struct route *route)
{
	json_key(w, "routed");
	if (route->routed < 0)
		json_null(w);
	else
		json_boolean(w, route->routed);
	json_member_string_or_null(w, "routed_model", route->routed_model);
	json_key(w, "routing_latency_ms");
	if (route->routing_latency_ms < 0)
		json_null(w);
	else
		json_real(w, route->routing_latency_ms);
}

void delta_write_error(struct json_writer *w, const char *type_key, const struct error_report *error)
{
	json_member_string_or_null(w, "message", error->message);
	json_member_string_or_null(w, type_key, error->type);
	json_member_string_or_null(w, "code", error->code);
	json_member_count_or_null(w, "status", error->status ? error->status : -1);
}
