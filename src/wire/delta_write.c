#include "wire/delta_write.h"

void delta_write_usage(struct json_writer *w, const struct usage *usage)
{
	for (unsigned i = 0; i < USAGE_FIGURE_COUNT; i++)
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
	json_close_object(w);
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
	json_key(w, "status");
	if (error->status)
		json_integer(w, error->status);
	else
		json_null(w);
}
