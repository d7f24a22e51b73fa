#include "ui/pane/arguments.h"

#include <stdio.h>

#include "chat/conversation/figure.h"

#define CHUNK ((size_t)4 << 10) /* bytes processed at a time */
#define LIMIT (ARGUMENTS_SHOWN * 2)

void arguments_init(struct arguments *a)
{
	*a = (struct arguments){ .bytes = 0 };
	buf_init(&a->text, LIMIT);
	flow_init(&a->flow);
	arguments_begin(a, false);
}

void arguments_fini(struct arguments *a)
{
	buf_fini(&a->text);
	flow_fini(&a->flow);
	member_marks_fini(&a->marks);
}

void arguments_begin(struct arguments *a, bool as_sent)
{
	a->as_sent = as_sent;
	a->members = (struct members){ .form = as_sent ? MEMBERS_AS_SENT : MEMBERS_UNKNOWN };
	a->marks.count = a->marks.columns = 0;
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
	a->notice = (size_t)snprintf(line, sizeof line, "\u2026 %s above\n", figure_bytes(figure, a->dropped));
	member_marks_drop(&a->marks, a->dropped);
	buf_drop(&a->text, drop);
	tail_drop(&a->tail, drop);
	buf_insert(&a->text, 0, str_from(line));
	flow_reset(&a->flow);
}

void arguments_update(struct arguments *a, struct str whole, unsigned columns)
{
	unsigned names = a->marks.columns;

	if (whole.len < a->bytes)
		arguments_begin(a, a->as_sent);
	for (struct str more = str_skip(whole, a->bytes); more.len; more = str_skip(more, CHUNK)) {
		members_add(&a->members, str_head(more, CHUNK), &a->text, &a->marks);
		if (a->text.len > ARGUMENTS_SHOWN)
			arguments_drop(a);
	}
	a->bytes = whole.len;
	a->marks.width = columns;
	a->marks.text = a->text.ptr;
	a->marks.shift = a->dropped - a->notice;
	if (names != a->marks.columns)
		flow_reset(&a->flow);
	a->flow.inset = member_marks_inset;
	a->flow.ctx = &a->marks;
	flow_update(&a->flow, buf_str(&a->text), columns);
}

const char *arguments_state(const struct arguments *a)
{
	return json_scan_failed(&a->members.scan) ? "not JSON" : json_scan_whole(&a->members.scan) ? "whole" : "assembling";
}

bool arguments_last(const struct arguments *a, struct str *name, struct str *value)
{
	size_t last = a->marks.count;

	while (last && a->marks.list[last - 1].kind == MEMBER_GOES_ON)
		last--;
	if (!last || a->marks.list[last - 1].at < a->dropped)
		return false;
	const struct member_mark *mark = &a->marks.list[last - 1];
	size_t at = mark->at - (a->dropped - a->notice);
	*name = str_head(str_skip(buf_str(&a->text), at), mark->name);
	*value = str_trim_start(str_skip(buf_str(&a->text), at + mark->name));
	return true;
}
