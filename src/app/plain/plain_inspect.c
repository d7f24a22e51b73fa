/* Frames of the last answer as numbered lines, and one of them whole. */
#include "app/plain/plain_commands.h"

#include <stdio.h>

#include "app/plain/plain_inside.h"
#include "app/turn_trace.h"
#include "ui/figure.h"
#include "ui/pane/frame_view.h"
#include "ui/pane/inspector.h"

#define LINES ((size_t)20) /* of a list; more come on request */
#define TEXT_SHOWN 60u

static void inspect_tell_row(struct plain *p, const struct trace *trace, size_t at)
{
	const struct trace_row *row = trace_at(trace, at);
	struct str text = utf8_head(inspector_text(trace, at), TEXT_SHOWN);
	char bytes[FIGURE_SIZE], time[2 * FIGURE_SIZE] = "";
	enum role_name role;

	if (row->at_ms >= 0)
		snprintf(time, sizeof time, "%.3f s, ", row->at_ms / 1000);
	plain_tell_line(&p->tell, "%zu. %s%s: %s%s%.*s%s", at + 1, time, figure_bytes(bytes, trace_length(trace, at)), inspector_word(trace, at, &role),
	                text.len ? ", " : "", STR_ARG(text), inspector_is_odd(trace, at) ? " (deviates)" : "");
}

static void inspect_list(struct plain *p, const struct trace *trace, size_t from)
{
	size_t end = from + LINES < trace_count(trace) ? from + LINES : trace_count(trace);

	if (from >= end)
		plain_tell_line(&p->tell, "There are no more: /inspect lists the frames.");
	for (size_t at = from; at < end; at++)
		inspect_tell_row(p, trace, at);
	p->frames_told = end;
	if (end < trace_count(trace))
		plain_tell_line(&p->tell, "%zu of %zu. /inspect more lists the next ones, /inspect N prints one.", end, trace_count(trace));
}

static void inspect_tell(struct plain *p, const struct trace *trace, struct str words)
{
	struct frame_view view;
	long long number;

	if (!words.len || str_is(words, "more")) {
		inspect_list(p, trace, words.len ? p->frames_told : 0);
		return;
	}
	if (!str_to_int(words, &number) || number < 1 || (size_t)number > trace_count(trace)) {
		plain_tell_line(&p->tell, "There is no frame %.*s: /inspect lists them, 1 to %zu.", STR_ARG(utf8_head(words, 40)), trace_count(trace));
		return;
	}
	frame_view_init(&view);
	(void)frame_view_show(&view, trace, (size_t)number - 1, false);
	plain_tell_block(&p->tell, buf_str(&view.text));
	frame_view_fini(&view);
}

void plain_inspect(struct plain *p, struct str words)
{
	const struct turn *t = session_last_answer(p->session);
	struct turn_trace of;
	struct error err;

	if (!t) {
		plain_tell_line(&p->tell, "There is no answer yet.");
		return;
	}
	if (!turn_trace_open(&of, p->session, t, &err)) {
		plain_say(&p->host, err.text);
		return;
	}
	while (trace_read(of.trace, SIZE_MAX))
		;
	inspect_tell(p, of.trace, words);
	turn_trace_close(&of);
}
