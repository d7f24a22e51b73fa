#include "ui/pane/arguments.h"

#include <stdio.h>

#include "ui/figure.h"

#define CHUNK ((size_t)4 << 10) /* bytes processed at a time: pretty-printed, they may be a hundred times as many */
#define LIMIT (ARGUMENTS_SHOWN * 2)

void arguments_init(struct arguments *a)
{
	*a = (struct arguments){ .bytes = 0 };
	buf_init(&a->text, LIMIT);
	flow_init(&a->flow);
	arguments_begin(a);
}

void arguments_fini(struct arguments *a)
{
	buf_fini(&a->text);
	flow_fini(&a->flow);
}

void arguments_begin(struct arguments *a)
{
	a->pretty = (struct json_pretty){ .pending = false };
	buf_clear(&a->text);
	flow_reset(&a->flow);
	tail_begin(&a->tail);
	a->bytes = a->dropped = a->notice = 0;
}

/* Drops the front of the text at a character boundary and inserts the notice. */
static void arguments_drop(struct arguments *a)
{
	char line[FIGURE_SIZE + 40], figure[FIGURE_SIZE];
	size_t drop = a->text.len - ARGUMENTS_SHOWN / 2;

	while (drop < a->text.len && utf8_is_inside(a->text.ptr[drop]))
		drop++;
	a->dropped += drop - a->notice;
	buf_drop(&a->text, drop);
	tail_drop(&a->tail, drop);
	a->notice = (size_t)snprintf(line, sizeof line, "\u2026 %s above\n", figure_bytes(figure, a->dropped));
	buf_insert(&a->text, 0, str_from(line));
	flow_reset(&a->flow);
}

void arguments_update(struct arguments *a, struct str whole, unsigned width_cells)
{
	if (whole.len < a->bytes)
		arguments_begin(a);
	for (struct str more = str_skip(whole, a->bytes); more.len; more = str_skip(more, CHUNK)) {
		json_pretty_add(&a->pretty, str_head(more, CHUNK), &a->text);
		if (a->text.len > ARGUMENTS_SHOWN)
			arguments_drop(a);
	}
	a->bytes = whole.len;
	flow_update(&a->flow, buf_str(&a->text), width_cells);
}

const char *arguments_state(const struct arguments *a)
{
	return json_scan_failed(&a->pretty.scan) ? "not JSON" : json_scan_whole(&a->pretty.scan) ? "whole" : "assembling";
}

size_t arguments_shift(const struct arguments *a)
{
	return a->dropped - a->notice;
}
