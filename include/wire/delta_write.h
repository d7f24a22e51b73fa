/*
 * Writes values of deltas as members of the current JSON object, for the summary and the events.
 */
#ifndef WEIR_WIRE_DELTA_WRITE_H
#define WEIR_WIRE_DELTA_WRITE_H

#include "base/json_write.h"
#include "wire/delta.h"

void delta_write_usage(struct json_writer *w, const struct usage *usage);
void delta_write_usage_or_null(struct json_writer *w, const struct usage *usage); /* as an object, the member "usage"; null: nothing is known */
void delta_write_route(struct json_writer *w, const struct route *route);
/* `type_key`: the key for the error's type, because events already have a member "type". */
void delta_write_error(struct json_writer *w, const char *type_key, const struct error_report *error);

void delta_write_media(struct json_writer *w, const struct media_facts *facts, struct str text); /* an entry of the summary */
void delta_write_server_tool_result(struct json_writer *w, enum server_tool_state state, struct str output);

#endif
