/* Frames of the last answer as lines with their numbers, and one of them whole; what lint names in them. */
#include "app/plain/plain_commands.h"

#include <stdio.h>

#include "app/plain/plain_inside.h"
#include "app/session/turn_trace.h"
#include "app/setup/setup.h"
#include "chat/conversation/figure.h"
#include "ui/pane/frame_view.h"
#include "ui/pane/inspector.h"

#define LINES ((size_t)20) /* of a list; more come on request */
#define TEXT_SHOWN 60u

/* "12." for a frame, "-" or the name of what is none. */
static const char *inspect_number(char out[FIGURE_SIZE], const struct trace *trace, size_t row, bool name)
{
	size_t frame = trace_frame(trace, row);

	snprintf(out, FIGURE_SIZE, "%zu.", frame);
	return frame ? out : name ? trace_kind_name((enum trace_kind)trace_at(trace, row)->kind) : "-";
}

static void inspect_tell_row(struct plain *p, const struct trace *trace, size_t at)
{
	const struct trace_row *row = trace_at(trace, at);
	struct str text = utf8_head(inspector_text(trace, at), TEXT_SHOWN);
	char number[FIGURE_SIZE], bytes[FIGURE_SIZE], time[2 * FIGURE_SIZE] = "";
	enum role_name role;

	if (row->at_ms >= 0)
		snprintf(time, sizeof time, "%.3f s, ", row->at_ms / 1000);
	plain_tell_line(&p->tell, "%s %s%s: %s%s%.*s%s", inspect_number(number, trace, at, false), time, figure_bytes(bytes, trace_length(trace, at)),
	                inspector_word(trace, at, &role), text.len ? ", " : "", STR_ARG(text), inspector_is_odd(trace, at) ? " (deviates)" : "");
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
		plain_tell_line(&p->tell, "%u of %zu frames. /inspect more lists the next ones, /inspect N prints one.",
		                trace_at(trace, end - 1)->frames, trace_frames(trace));
}

/* The frame with the rows before it that are no frames, and after the last frame those behind it; 0: all rows of a trace without frames. */
static void inspect_tell_frame(struct plain *p, const struct trace *trace, size_t frame)
{
	size_t from = frame > 1 ? trace_row_of_frame(trace, frame - 1) + 1 : 0;
	size_t end = frame < trace_frames(trace) ? trace_row_of_frame(trace, frame) + 1 : trace_count(trace);

	for (size_t row = from; row < end; row++) {
		struct frame_view view;

		frame_view_init(&view);
		(void)frame_view_show(&view, trace, row, false);
		plain_tell_block(&p->tell, buf_str(&view.text));
		frame_view_fini(&view);
	}
}

static void inspect_tell(struct plain *p, const struct trace *trace, struct str words)
{
	long long number;

	if (!words.len || str_is(words, "more"))
		inspect_list(p, trace, words.len ? p->frames_told : 0);
	else if (str_to_int(words, &number) && number >= (trace_frames(trace) > 0) && (size_t)number <= trace_frames(trace))
		inspect_tell_frame(p, trace, (size_t)number);
	else
		plain_tell_line(&p->tell, "There is no frame %.*s: /inspect lists them, 1 to %zu.", STR_ARG(utf8_head(words, 40)),
		                trace_frames(trace));
}

/* The whole trace of the last answer. False: there is none, which is said. */
static bool inspect_open(struct plain *p, struct turn_trace *of, enum lint_level lint)
{
	const struct turn *t = session_last_answer(p->session);
	struct error err;

	if (!t) {
		plain_tell_line(&p->tell, "There is no answer yet.");
		return false;
	}
	if (!turn_trace_open(of, p->session, t, lint, &err)) {
		plain_fail(&p->host, err.text);
		return false;
	}
	while (trace_read(of->trace, SIZE_MAX))
		;
	return true;
}

void plain_inspect(struct plain *p, struct str words)
{
	struct turn_trace of;

	if (!inspect_open(p, &of, p->setup->settings.lint))
		return;
	inspect_tell(p, of.trace, words);
	turn_trace_close(&of);
}

static void findings_tell_row(struct plain *p, const struct trace *trace, size_t row)
{
	static const char form[] = "%s %s: %s (%s: %s)";
	const struct session_finding *s;
	const struct finding *f;
	char number[FIGURE_SIZE];

	inspect_number(number, trace, row, true);
	for (size_t next = 0; (f = trace_finding(trace, row, &next));)
		plain_tell_line(&p->tell, form, number, lint_severity_words(lint_rule_severity(f->rule)), f->message, lint_rule_id(f->rule),
		                lint_rule_promise(f->rule));
	for (size_t next = 0; (s = trace_session_finding(trace, row, &next));)
		plain_tell_line(&p->tell, form, number, lint_severity_words(s->rule->severity), s->words, s->rule->id, s->rule->promise);
}

void plain_findings(struct plain *p)
{
	enum lint_level set = p->setup->settings.lint;
	struct turn_trace of;

	if (!inspect_open(p, &of, set ? set : LINT_LEVEL_DIALECT))
		return;
	for (size_t row = 0; (row = trace_row_of_finding(of.trace, row)) < trace_count(of.trace); row++)
		findings_tell_row(p, of.trace, row);
	if (trace_findings(of.trace))
		plain_tell_line(&p->tell, "/inspect N prints frame N; weir lint --explain RULE says more about a rule.");
	else
		plain_tell_line(&p->tell, "Lint names nothing in this answer.");
	turn_trace_close(&of);
}
