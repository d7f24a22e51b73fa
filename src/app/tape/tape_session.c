/* `weir tape info` of a session with an MCP server. */
#include "app/options/options.h"
#include "app/setup/saved_stream.h"
#include "app/tape/tape_inside.h"
#include "chat/conversation/figure.h"
#include "wire/mcp/said.h"

struct session_figures {
	size_t sent[SAID_KINDS], came[SAID_KINDS], bytes;
	double total_ms;
	enum end_how how;
};

static struct session_figures session_count(const struct tape *tape)
{
	struct session_figures f = { .how = END_CUT };
	struct said *said = said_new();
	struct buf line = { 0 };

	for (size_t i = 0; i < tape_length(tape); i++) {
		struct tape_step step = tape_at(tape, i);

		f.total_ms = step.at_ms;
		if (step.kind == TAPE_END)
			f.how = step.how;
		if (step.kind != TAPE_SENT && step.kind != TAPE_CAME)
			continue;
		buf_clear(&line);
		f.bytes += step.bytes.len;
		(step.kind == TAPE_SENT ? f.sent : f.came)[said_read(said, step.kind == TAPE_SENT, step.bytes, false, &line)]++;
	}
	buf_fini(&line);
	said_free(said);
	return f;
}

static const char *const plural[SAID_KINDS] = { "requests", "notifications", "answers", "errors", "others" };

static void session_write_kinds(struct json_writer *w, const char *key, const size_t counts[SAID_KINDS])
{
	json_key(w, key);
	json_open_object(w);
	for (size_t i = 0; i < SAID_KINDS; i++)
		json_member_integer(w, plural[i], (int64_t)counts[i]);
	json_close_object(w);
}

static void session_write_json(const struct tape *tape, const char *path, const struct session_figures *f, struct buf *out)
{
	const struct tape_info *facts = tape_facts(tape);
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_member_string(&w, "file", str_from(path));
	json_member_string(&w, "kind", STR("tape"));
	json_member_string(&w, "protocol", facts->protocol);
	json_member_string_or_null(&w, "transport", facts->transport);
	json_member_string_or_null(&w, "url", facts->url);
	json_member_string_or_null(&w, "started", facts->started);
	session_write_kinds(&w, "client", f->sent);
	session_write_kinds(&w, "server", f->came);
	json_member_integer(&w, "bytes", (int64_t)f->bytes);
	json_member_milliseconds_or_null(&w, "total_ms", f->total_ms);
	json_member_string(&w, "end", str_from(end_how_name(f->how)));
	json_close_object(&w);
	buf_add_byte(out, '\n');
}

static void session_add_kinds(struct buf *out, const char *label, const size_t counts[SAID_KINDS])
{
	const char *between = "";

	buf_printf(out, "%-10s", label);
	for (size_t i = 0; i < SAID_KINDS; i++)
		if (counts[i]) {
			buf_printf(out, "%s%zu %s", between, counts[i], counts[i] == 1 ? said_kind_name((enum said_kind)i) : plural[i]);
			between = ", ";
		}
	buf_add_z(out, *between ? "\n" : "nothing\n");
}

static void session_add_row(struct buf *out, const char *label, struct str value)
{
	if (!value.len)
		return;
	buf_printf(out, "%-10s", label);
	output_field(out, value);
	buf_add_byte(out, '\n');
}

static void session_write_lines(const struct tape *tape, const struct session_figures *f, struct buf *out)
{
	const struct tape_info *facts = tape_facts(tape);
	char bytes[FIGURE_SIZE];

	buf_printf(out, "%-10sa tape of a session with an MCP server%s", "what", facts->transport.len ? " over " : "");
	output_field(out, facts->transport);
	buf_add_byte(out, '\n');
	session_add_row(out, "started", facts->started);
	session_add_row(out, "url", facts->url);
	session_add_kinds(out, "client", f->sent);
	session_add_kinds(out, "server", f->came);
	buf_printf(out, "%-10s%s\n%-10sended after ", "messages", figure_bytes(bytes, f->bytes), "time");
	tape_say_ms(out, f->total_ms);
	buf_printf(out, "\n%-10s%s\n", "end", end_how_name(f->how));
}

int tape_info_session(const struct tape *tape, struct tape_call *call)
{
	struct session_figures figures = session_count(tape);
	struct tape_document doc;
	int status;

	if (call->o->svg)
		return usage_error("%s has no charts: it holds a session with an MCP server", call->arguments[0]);
	if (!tape_document_open(&doc, call->o, &status))
		return status;
	if (call->o->json)
		session_write_json(tape, call->arguments[0], &figures, &doc.text);
	else
		session_write_lines(tape, &figures, &doc.text);
	return tape_document_close(&doc);
}
