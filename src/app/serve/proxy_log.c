#include "app/serve/proxy_log.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "base/json_write.h"

#define WAITING_BYTES_MOST ((size_t)1 << 20)

/* --- text --- */

static void text_end(struct buf *line, const struct proxy_entry *e)
{
	buf_printf(line, "%.*s %.*s", STR_ARG(e->method), STR_ARG(e->path));
	if (e->status)
		buf_printf(line, " %d", e->status);
	buf_printf(line, " %s %.0f ms", e->outcome, e->at_ms);
	if (e->tape)
		buf_printf(line, " %s", e->tape);
	if (e->why.len)
		buf_printf(line, " (%.*s)", STR_ARG(e->why));
	if (e->lack.len)
		buf_printf(line, " (%.*s)", STR_ARG(e->lack));
}

static void text_finding(struct buf *line, const struct proxy_entry *e, const struct lint_finding *f)
{
	buf_printf(line, "%.*s %.*s lint %s", STR_ARG(e->method), STR_ARG(e->path), lint_rule_id(f->rule));
	if (f->place.frame)
		buf_printf(line, ", frame %zu", f->place.frame);
	if (f->place.at_ms >= 0)
		buf_printf(line, ", %.1f ms", f->place.at_ms);
	buf_printf(line, ": %.*s", STR_ARG(f->message));
}

/* --- JSON --- */

static void json_begin(struct json_writer *w, struct buf *line, const struct proxy_entry *e)
{
	json_writer_init(w, line);
	json_open_object(w);
	json_member_integer(w, "exchange", (int64_t)e->number);
	json_member_string(w, "method", e->method);
	json_member_string(w, "path", e->path);
	json_member_string_or_null(w, "provider", str_from(e->provider));
	json_member_string_or_null(w, "protocol", e->protocol ? str_from(e->protocol->name) : STR_NONE);
	json_member_string_or_null(w, "model", e->model.len ? e->model : STR_NONE);
}

static void json_end(struct buf *line, const struct proxy_entry *e)
{
	struct json_writer w;

	json_begin(&w, line, e);
	json_member_count_or_null(&w, "status", e->status ? e->status : -1);
	json_member_string(&w, "outcome", str_from(e->outcome));
	json_member_milliseconds_or_null(&w, "ms", e->at_ms);
	json_member_integer(&w, "findings", (int64_t)e->findings);
	json_member_string_or_null(&w, "error", e->why.len ? e->why : STR_NONE);
	json_member_string_or_null(&w, "tape", str_from(e->tape));
	json_member_string_or_null(&w, "tape_lacks", e->lack.len ? e->lack : STR_NONE);
	json_close_object(&w);
}

static void json_finding(struct buf *line, const struct proxy_entry *e, const struct lint_finding *f)
{
	struct json_writer w;

	json_begin(&w, line, e);
	json_member_string(&w, "rule", str_from(lint_rule_id(f->rule)));
	json_member_string(&w, "severity", str_from(lint_severity_id(lint_rule_severity(f->rule))));
	json_member_count_or_null(&w, "frame", f->place.frame ? (int64_t)f->place.frame : -1);
	json_member_milliseconds_or_null(&w, "t", f->place.at_ms);
	json_member_count_or_null(&w, "offset", f->place.frame ? (int64_t)f->place.offset : -1);
	json_member_string(&w, "message", f->message);
	json_close_object(&w);
}

static void json_notice(struct buf *line, const char *text)
{
	struct json_writer w;

	json_writer_init(&w, line);
	json_open_object(&w);
	json_member_string(&w, "notice", str_from(text));
	json_close_object(&w);
}

/* --- writing --- */

void proxy_log_init(struct proxy_log *log, bool json)
{
	*log = (struct proxy_log){ .json = json };
	buf_init(&log->waiting, WAITING_BYTES_MOST);
	output_init(&log->out, STDERR_FILENO);
}

void proxy_log_fini(struct proxy_log *log)
{
	buf_fini(&log->waiting);
}

bool proxy_log_waits(const struct proxy_log *log)
{
	return log->waiting.len;
}

/* Then a write of PIPE_BUF bytes does not block. */
static bool takes_more(const struct proxy_log *log)
{
	struct pollfd room = { .fd = log->out.fd, .events = POLLOUT };

	return poll(&room, 1, 0) > 0;
}

static void write_some(struct proxy_log *log)
{
	struct str rest = buf_str(&log->waiting);

	while (rest.len && takes_more(log)) {
		struct str piece = str_head(rest, PIPE_BUF);

		piece = str_head(piece, str_find(piece, STR("\n")) + 1);
		output_text(&log->out, piece);
		rest = str_skip(rest, piece.len);
	}
	buf_drop(&log->waiting, log->waiting.len - rest.len);
}

void proxy_log_run(struct proxy_log *log)
{
	char text[80];

	write_some(log);
	if (log->waiting.len || !log->lost)
		return;
	snprintf(text, sizeof text, "%zu lines of this log are lost: nobody read them", log->lost);
	log->lost = 0;
	proxy_log_notice(log, text);
}

static void write_line(struct proxy_log *log, struct buf *line)
{
	buf_add_byte(line, '\n');
	if (!buf_add(&log->waiting, buf_str(line)))
		log->lost++;
	buf_fini(line);
	proxy_log_run(log);
}

/* --- for the proxy --- */

void proxy_log_end(struct proxy_log *log, const struct proxy_entry *entry)
{
	struct buf line = { 0 };

	(log->json ? json_end : text_end)(&line, entry);
	write_line(log, &line);
}

void proxy_log_finding(struct proxy_log *log, const struct proxy_entry *entry, const struct lint_finding *finding)
{
	struct buf line = { 0 };

	(log->json ? json_finding : text_finding)(&line, entry, finding);
	write_line(log, &line);
}

void proxy_log_notice(struct proxy_log *log, const char *text)
{
	struct buf line = { 0 };

	if (log->json)
		json_notice(&line, text);
	else
		buf_printf(&line, "weir: %s", text);
	write_line(log, &line);
}
