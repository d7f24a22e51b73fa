/* `weir tape convert`: a saved stream in another form. */
#include "app/options/options.h"
#include "app/tape/tape_inside.h"

#include <string.h>

#include "app/setup/saved_stream.h"
#include "app/system/environment.h"
#include "app/tape/tape_events.h"
#include "app/tape/tape_forms.h"
#include "base/array.h"
#include "base/base64.h"
#include "base/utf8.h"
#include "chat/exchange/sent_request.h"
#include "net/tape_lines.h"
#include "wire/event.h"
#include "wire/event_read.h"

struct conversion {
	const struct options *o;
	const struct tape *tape;
	struct stream_options stream;
	struct tape_document doc;
};

/* --- tape and body --- */

static bool convert_to_tape(struct conversion *c, struct error *err)
{
	const struct tape_info *facts = tape_facts(c->tape);
	struct tape_info info = *facts;

	(void)err;
	info.protocol = c->stream.protocol ? str_from(c->stream.protocol->name) : facts->protocol;
	info.dialect = c->stream.dialect ? str_from(c->stream.dialect->name) : facts->dialect;
	tape_line_facts(&c->doc.text, &info);
	if (tape_lacks_head(c->tape) && c->o->status)
		tape_line_head(&c->doc.text, &(struct response_head){ .status = c->o->status }, 0);
	for (size_t i = 0; i < tape_length(c->tape); i++) {
		struct tape_step step = tape_at(c->tape, i);

		if (step.kind == TAPE_HEAD)
			tape_line_head(&c->doc.text, &step.head, step.at_ms);
		else if (step.kind == TAPE_BODY)
			tape_line_body(&c->doc.text, step.bytes, step.at_ms);
		else
			tape_line_end(&c->doc.text, step.how, step.at_ms);
		tape_document_add(&c->doc);
	}
	for (size_t i = 0; i < tape_behind(c->tape); i++) {
		struct tape_step step = tape_at(c->tape, tape_length(c->tape) + i);

		tape_line_behind(&c->doc.text, &step);
		tape_document_add(&c->doc);
	}
	return true;
}

static bool convert_to_body(struct conversion *c, struct error *err)
{
	(void)err;
	for (size_t i = 0; i < tape_length(c->tape); i++) {
		buf_add(&c->doc.text, tape_at(c->tape, i).bytes);
		tape_document_add(&c->doc);
	}
	return true;
}

/* --- events and asciicast --- */

static void convert_stream(struct conversion *c, delta_sink *sink)
{
	struct stream *stream = stream_new(&c->stream, sink, c);

	(void)tape_feed(c->tape, stream, c->o->status, NULL, NULL);
	stream_free(stream);
}

static void events_take_delta(void *conversion, const struct delta *delta)
{
	struct conversion *c = conversion;

	event_write(delta, &c->doc.text);
	tape_document_add(&c->doc);
}

static bool convert_to_events(struct conversion *c, struct error *err)
{
	(void)err;
	convert_stream(c, events_take_delta);
	return true;
}

#define CAST_COLUMNS 80
#define CAST_ROWS 24

/* Text as a terminal may get it: line ends are CR LF, control characters are pictures. */
static void add_shown(struct buf *out, struct str text)
{
	struct buf safe = { 0 };
	struct str line;

	for (bool first = true; text.len || first; first = false) {
		size_t end = str_find(text, STR("\n"));

		line = str_head(text, end);
		output_line(&safe, line);
		if (end < text.len)
			buf_add_z(&safe, "\r\n");
		text = str_skip(text, end + 1);
	}
	buf_add(out, buf_str(&safe));
	buf_fini(&safe);
}

static void cast_take_delta(void *conversion, const struct delta *delta)
{
	struct conversion *c = conversion;
	bool dim = delta->kind == DELTA_REASONING || delta->kind == DELTA_TOOL_ARGUMENTS;
	struct buf shown = { 0 };
	struct json_writer w;

	if (delta->kind == DELTA_TOOL_BEGIN || delta->kind == DELTA_ERROR)
		buf_add_z(&shown, "\r\n");
	if (delta->kind == DELTA_TOOL_BEGIN) {
		output_field(&shown, delta->tool.name);
		buf_add_byte(&shown, ' ');
	} else if (delta->kind == DELTA_ERROR)
		add_shown(&shown, delta->error.message);
	else if (delta->kind == DELTA_TEXT || delta->kind == DELTA_REFUSAL || dim)
		add_shown(&shown, delta->text);
	if (shown.len) {
		json_writer_init(&w, &c->doc.text);
		json_open_array(&w);
		json_milliseconds(&w, delta->at_ms > 0 ? delta->at_ms / 1000 : 0);
		json_string(&w, STR("o"));
		if (dim) {
			buf_insert(&shown, 0, STR("\x1b[2m"));
			buf_add_z(&shown, "\x1b[22m");
		}
		json_string(&w, buf_str(&shown));
		json_close_array(&w);
		buf_add_byte(&c->doc.text, '\n');
		tape_document_add(&c->doc);
	}
	buf_fini(&shown);
}

/* asciicast v2: a line of facts, then one a piece: time in seconds, "o", what the terminal gets. */
static bool convert_to_cast(struct conversion *c, struct error *err)
{
	struct json_writer w;

	if (tape_is_plain(c->tape))
		return error_set(err, "a plain body has no times: an asciicast cannot be made of it");
	json_writer_init(&w, &c->doc.text);
	json_open_object(&w);
	json_member_integer(&w, "version", 2);
	json_member_integer(&w, "width", CAST_COLUMNS);
	json_member_integer(&w, "height", CAST_ROWS);
	json_member_string(&w, "title", tape_facts(c->tape)->model);
	json_close_object(&w);
	buf_add_byte(&c->doc.text, '\n');
	convert_stream(c, cast_take_delta);
	return true;
}

/* --- HAR --- */

static void har_add_empty(struct json_writer *w, const char *name)
{
	json_key(w, name);
	json_open_array(w);
	json_close_array(w);
}

static void har_add_request(struct json_writer *w, const struct tape_info *facts)
{
	json_key(w, "request");
	json_open_object(w);
	json_member_string(w, "method", STR("POST"));
	json_member_string(w, "url", facts->url);
	json_member_string(w, "httpVersion", STR(""));
	har_add_empty(w, "cookies");
	har_add_empty(w, "headers");
	har_add_empty(w, "queryString");
	if (facts->request.len) {
		json_key(w, "postData");
		json_open_object(w);
		json_member_string(w, "mimeType", STR("application/json"));
		json_member_string(w, "text", facts->request);
		json_close_object(w);
	}
	json_member_integer(w, "headersSize", -1);
	json_member_integer(w, "bodySize", (int64_t)facts->request.len);
	json_close_object(w);
}

static void har_add_header(struct json_writer *w, struct str name, struct str value)
{
	json_open_object(w);
	json_member_string(w, "name", name);
	json_member_string(w, "value", value);
	json_close_object(w);
}

static void har_add_content(struct json_writer *w, struct str body, struct str type)
{
	struct buf coded;

	json_key(w, "content");
	json_open_object(w);
	json_member_integer(w, "size", (int64_t)body.len);
	json_member_string(w, "mimeType", type);
	if (utf8_is_valid(body)) {
		json_member_string(w, "text", body);
	} else {
		buf_init(&coded, 2 * TAPE_LIMIT);
		base64_encode(body, &coded);
		json_member_string(w, "text", buf_str(&coded));
		json_member_string(w, "encoding", STR("base64"));
		buf_fini(&coded);
	}
	json_close_object(w);
}

static void har_add_response(struct json_writer *w, const struct tape *tape, const struct response_head *head)
{
	struct buf bytes;
	struct str body;

	buf_init(&bytes, TAPE_LIMIT);
	body = tape_whole_body(tape, &bytes);
	json_key(w, "response");
	json_open_object(w);
	json_member_integer(w, "status", head->status);
	json_member_string(w, "statusText", STR(""));
	json_member_string(w, "httpVersion", STR(""));
	har_add_empty(w, "cookies");
	json_key(w, "headers");
	json_open_array(w);
	if (head->content_type.len)
		har_add_header(w, STR("content-type"), head->content_type);
	for (size_t i = 0; i < head->header_count; i++)
		har_add_header(w, head->headers[i].name, head->headers[i].value);
	json_close_array(w);
	har_add_content(w, body, head->content_type);
	json_member_string(w, "redirectURL", STR(""));
	json_member_integer(w, "headersSize", -1);
	json_member_integer(w, "bodySize", (int64_t)body.len);
	json_close_object(w);
	buf_fini(&bytes);
}

/* The time between two steps of the connection; -1, as the format wants it, without one of them. */
static void har_add_step(struct json_writer *w, const char *key, double from_ms, double to_ms)
{
	json_key(w, key);
	if (to_ms > 0)
		json_milliseconds(w, to_ms - from_ms);
	else
		json_integer(w, -1);
}

/* `connect` includes `ssl`. */
static void har_add_connection(struct json_writer *w, const struct response_timings *t)
{
	double connected_ms = t->tls_ms > 0 ? t->tls_ms : t->connect_ms;

	har_add_step(w, "dns", 0, t->name_ms);
	har_add_step(w, "connect", t->name_ms, connected_ms);
	har_add_step(w, "ssl", t->connect_ms, t->tls_ms);
	har_add_step(w, "send", connected_ms, t->sent_ms);
}

static void har_add_times(struct json_writer *w, const struct response_head *head, double head_ms, double end_ms)
{
	double sent_ms = head->is_timed && head->timings.sent_ms < head_ms ? head->timings.sent_ms : 0;

	json_key(w, "cache");
	json_open_object(w);
	json_close_object(w);
	json_key(w, "timings");
	json_open_object(w);
	if (sent_ms > 0)
		har_add_connection(w, &head->timings);
	else
		json_member_integer(w, "send", 0);
	json_member_milliseconds_or_null(w, "wait", head_ms - sent_ms);
	json_member_milliseconds_or_null(w, "receive", end_ms - head_ms);
	json_close_object(w);
}

/* Adds a line of a tape as a value. */
static void har_add_line(struct json_writer *w, const char *key, struct buf *line)
{
	json_member_verbatim(w, key, str_trim(buf_str(line)));
	buf_clear(line);
}

/*
 * Members of our own, which other programs skip: the lines of the tape around its body, and time and length of each read. With them the
 * tape can be restored from the archive.
 */
static void har_add_tape(struct json_writer *w, const struct tape *tape)
{
	struct tape_info facts = *tape_facts(tape);
	struct buf line = { 0 };

	if (tape_is_plain(tape))
		return;
	facts.request = STR_NONE; /* it is in postData */
	json_key(w, "_weir");
	json_open_object(w);
	tape_line_facts(&line, &facts);
	har_add_line(w, "tape", &line);
	json_key(w, "reads");
	json_open_array(w);
	for (size_t i = 0; i < tape_length(tape); i++)
		if (tape_at(tape, i).kind == TAPE_BODY) {
			json_open_array(w);
			json_milliseconds(w, tape_at(tape, i).at_ms);
			json_integer(w, (int64_t)tape_at(tape, i).bytes.len);
			json_close_array(w);
		}
	json_close_array(w);
	for (size_t i = 0; i < tape_length(tape); i++) {
		struct tape_step step = tape_at(tape, i);

		if (step.kind == TAPE_HEAD) {
			tape_line_head(&line, &step.head, step.at_ms);
			har_add_line(w, "head", &line);
		} else if (step.kind == TAPE_END) {
			tape_line_end(&line, step.how, step.at_ms);
			har_add_line(w, "end", &line);
		}
	}
	json_close_object(w);
	buf_fini(&line);
}

static void har_add_entry(struct json_writer *w, const struct tape *tape)
{
	struct response_head head = { .status = 200 };
	double head_ms = 0, end_ms = 0;

	for (size_t i = 0; i < tape_length(tape); i++) {
		struct tape_step step = tape_at(tape, i);

		if (step.kind == TAPE_HEAD) {
			head = step.head;
			head_ms = step.at_ms;
		}
		end_ms = step.at_ms;
	}
	json_open_object(w);
	json_member_string(w, "startedDateTime", tape_facts(tape)->started);
	json_member_milliseconds_or_null(w, "time", end_ms);
	har_add_request(w, tape_facts(tape));
	har_add_response(w, tape, &head);
	har_add_times(w, &head, head_ms, end_ms);
	har_add_tape(w, tape);
	json_close_object(w);
}

/* HTTP Archive 1.2 with one entry. */
static bool convert_to_har(struct conversion *c, struct error *err)
{
	struct json_writer w;

	if (!tape_facts(c->tape)->started.len)
		return error_set(err, "the file does not say when it was recorded, which a HAR needs");
	json_writer_init(&w, &c->doc.text);
	json_open_object(&w);
	json_key(&w, "log");
	json_open_object(&w);
	json_member_string(&w, "version", STR("1.2"));
	json_key(&w, "creator");
	json_open_object(&w);
	json_member_string(&w, "name", STR("weir"));
	json_member_string(&w, "version", STR(WEIR_VERSION));
	json_close_object(&w);
	json_key(&w, "entries");
	json_open_array(&w);
	har_add_entry(&w, c->tape);
	json_close_array(&w);
	json_close_object(&w);
	json_close_object(&w);
	buf_add_byte(&c->doc.text, '\n');
	return true;
}

/* --- the forms --- */

/* --- the request --- */

static bool convert_request(struct conversion *c, void (*write)(const struct sent_request *r, struct buf *out), struct error *err)
{
	struct providers *providers = providers_new(process_environment);
	struct tape_info facts = *tape_facts(c->tape);
	struct sent_request request;

	if (c->stream.protocol)
		facts.protocol = str_from(c->stream.protocol->name);
	bool good = sent_request_of_tape(&request, &facts, providers, process_environment, true, err);

	if (good) {
		write(&request, &c->doc.text);
		sent_request_fini(&request);
	}
	providers_free(providers);
	return good;
}

static bool convert_to_request(struct conversion *c, struct error *err)
{
	return convert_request(c, sent_request_write_json, err);
}

static bool convert_to_curl(struct conversion *c, struct error *err)
{
	return convert_request(c, sent_request_write_curl, err);
}

static const struct form {
	const char *name;
	bool (*convert)(struct conversion *c, struct error *err);
	bool is_answer; /* it holds the answer, but not what ran because of it */
} forms[] = {
	{ "tape", convert_to_tape, false }, { "body", convert_to_body, true }, { "events", convert_to_events, true }, { "har", convert_to_har, true },
	{ "cast", convert_to_cast, true }, { "request", convert_to_request, false }, { "curl", convert_to_curl, false },
};

const char *tape_form_at(size_t index)
{
	return index < ARRAY_LEN(forms) ? forms[index].name : NULL;
}

static int convert_into(struct conversion *c, const struct form *form)
{
	struct error err;
	int status;

	if (!tape_document_open(&c->doc, c->o, &status))
		return status;
	if (form->is_answer && tape_behind(c->tape))
		complain("note: the tools that ran are left out: %zu lines that only a tape has", tape_behind(c->tape));
	return form->convert(c, &err) ? tape_document_close(&c->doc) : tape_document_refuse(&c->doc, &err);
}

/* Lines of events are read back into the stream that they could have come from. */
static bool convert_from_events(struct tape **tape, const struct options *o, struct error *err)
{
	struct tape *given = *tape;
	const struct protocol *protocol;

	if (!tape_is_plain(given) || !event_read_begins(tape_plain_body(given)))
		return true;
	protocol = protocol_named(o->protocol ? o->protocol : "openai-chat", err);
	if (!protocol || !tape_from_events(tape, tape_plain_body(given), protocol, err))
		return false;
	tape_free(given);
	return true;
}

static int convert_tape(struct conversion *c, const struct form *form, struct tape **tape)
{
	struct error err;

	if (!convert_from_events(tape, c->o, &err))
		return usage_error("%s", err.text);
	c->tape = *tape;
	return saved_stream_choose(c->o, *tape, &c->stream, &err) ? convert_into(c, form) : usage_error("%s", err.text);
}

int tape_convert_run(struct tape_call *call)
{
	struct conversion c = { .o = call->o };
	const struct form *form = NULL;
	struct tape *tape = NULL;
	struct error err;

	for (size_t i = 0; call->o->to && i < ARRAY_LEN(forms); i++)
		if (!strcmp(forms[i].name, call->o->to))
			form = &forms[i];
	if (!form)
		return usage_error("tape convert needs --to tape, body, events, har, cast, request or curl%s%s",
		                   call->o->to ? ", not " : "", call->o->to ? call->o->to : "");
	if (!saved_stream_open(&tape, call->o, call->arguments[0], &err))
		return usage_error("%s", err.text);
	saved_stream_tell_others(tape, call->o, call->arguments[0]);
	int status = convert_tape(&c, form, &tape);
	tape_free(tape);
	return status;
}
