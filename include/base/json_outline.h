/*
 * The outline of a JSON text that is too large to keep: its first two levels. Deeper containers are null, strings of 1000 bytes and more are
 * empty. It keeps the parameters of a request without its messages.
 */
#ifndef WEIR_BASE_JSON_OUTLINE_H
#define WEIR_BASE_JSON_OUTLINE_H

#include "base/json_scan.h"

struct json_outline {
	struct json_scan scan;
	struct buf text;
	bool deep;         /* within what is left out */
	bool is_long;      /* within a string that is left out */
	size_t string_at;  /* where the last string begins */
};

void json_outline_init(struct json_outline *o);
void json_outline_fini(struct json_outline *o);
void json_outline_add(struct json_outline *o, struct str piece);
/* The outline, which is JSON; STR_NONE unless what was added is exactly one value. Borrowed. */
struct str json_outline_text(const struct json_outline *o);

#endif
