/*
 * What the summary and the events share: facts of deltas as members of the JSON object that is open.
 */
#ifndef WEIR_WIRE_DELTA_WRITE_H
#define WEIR_WIRE_DELTA_WRITE_H

#include "base/json_write.h"
#include "wire/delta.h"

void delta_write_usage(struct json_writer *w, const struct usage *usage);
void delta_write_route(struct json_writer *w, const struct route *route);
/* `type_key` names the error's type where the object has a type of its own. */
void delta_write_error(struct json_writer *w, const char *type_key, const struct error_report *error);

#endif
