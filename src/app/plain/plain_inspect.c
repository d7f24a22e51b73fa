/* Frames of the last answer as numbered lines, and one of them whole; what lint names in them. */
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
		plain_say(&p->host, err.text);
		return false;
	}
	while (trace_read(of->trace, SIZE_MAX))
		;
	return true;
}

void plain_inspect(struct plain *p, struct str words)
{
	struct turn_trace of;

	if (!inspect_open(p, &of, p->setup.settings.lint))
		return;
	inspect_tell(p, of.trace, words);
	turn_trace_close(&of);
}

static void findings_tell_row(struct plain *p, const struct trace *trace, size_t row)
{
	const struct finding *f;

	for (size_t next = 0; (f = trace_finding(trace, row, &next));)
		plain_tell_line(&p->tell, "%zu. %s: %s (%s: %s)", row + 1, lint_severity_words(lint_rule_severity(f->rule)), f->message,
		                lint_rule_id(f->rule), lint_rule_promise(f->rule));
}

void plain_findings(struct plain *p)
{
	enum lint_level set = p->setup.settings.lint;
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
