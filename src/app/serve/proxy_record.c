#include "app/serve/proxy_record.h"

#include <string.h>
#include <unistd.h>

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "base/json.h"
#include "base/json_outline.h"
#include "base/mem.h"
#include "base/redact.h"
#include "net/tape.h"
#include "net/unpack.h"
#include "store/files/tapes.h"

#define RUN_BYTES ((size_t)64 << 10) /* that are unpacked in one run */

struct proxy_record {
	struct proxy *proxy;
	size_t number;
	struct buf method, path, model;      /* without secrets */
	const struct provider *provider;
	const struct dialect *dialect;
	const struct protocol *protocol;     /* NULL: the path names none */
	struct redact_set secrets;

	struct tape_writer *tape;            /* NULL: none */
	char *tape_path;
	struct buf lack;                     /* why there is no tape, or not all of it; empty: there is */
	struct redactor request_secret;
	struct json_outline outline;         /* of the request */
	bool in_request;                     /* its body is being recorded */

	struct unpack *unpack;               /* NULL before the head */
	bool behind, broken;                 /* not all that came is unpacked yet; it cannot be unpacked */
	double came_ms;                      /* when the bytes that are being unpacked came */
	struct redactor response_secret;
	struct lint *lint;
	struct stream *stream;               /* NULL: before the head, or there is no protocol */
	enum outcome outcome;
	int status;
	size_t findings;
	bool ended, over;                    /* the response has ended; all of it is recorded */
	enum end_how how;
	struct buf why;                      /* what broke the response */
	double end_ms;
};

static void record_lacks(struct proxy_record *r, const char *why)
{
	buf_clear(&r->lack);
	buf_add_z(&r->lack, why);
}

/* --- the tape --- */

/* The size of the ring of tapes, as in a chat; 0: the settings keep no tapes. */
static long long ring_bytes(const struct proxy *p)
{
	return setup_keeps(p->setup) ? (long long)p->setup->settings.tapes_mb << 20 : 0;
}

static bool open_in_folder(struct proxy_record *r, struct error *err)
{
	struct buf path = { 0 };

	buf_printf(&path, "%s/%ld-%06zu.tape", r->proxy->o->output, (long)getpid(), r->number);
	r->tape_path = buf_take(&path);
	return tape_writer_open_in(&r->tape, r->proxy->folder_fd, &r->tape_path, err);
}

static void make_room(const struct proxy_record *r)
{
	if (r->proxy->folder_fd < 0 && ring_bytes(r->proxy))
		tapes_clear_away(TAPES_OF_PROXY, ring_bytes(r->proxy));
}

static bool open_in_ring(struct proxy_record *r, struct error *err)
{
	struct private_folder folder = { .fd = -1 };
	bool good;

	if (!ring_bytes(r->proxy))
		return error_set(err, "the settings keep none (tapes, history); -o FOLDER does");
	if (r->number == 1) /* a program that crashed may have left too much */
		make_room(r);
	good = tapes_new_path(TAPES_OF_PROXY, &r->tape_path, &folder, err) && tape_writer_open_in(&r->tape, folder.fd, &r->tape_path, err);
	private_folder_close(&folder);
	if (good)
		tape_writer_limit(r->tape, (size_t)ring_bytes(r->proxy));
	return good;
}

static void open_tape(struct proxy_record *r)
{
	struct proxy *p = r->proxy;
	struct buf text = { 0 };
	struct error err;

	if (p->folder_fd >= 0 ? open_in_folder(r, &err) : open_in_ring(r, &err))
		return;
	mem_free(r->tape_path);
	r->tape_path = NULL;
	buf_add_z(&r->lack, "no tape");
	buf_printf(&text, "no tapes are kept: %s", err.text);
	if (!p->untaped)
		proxy_log_notice(&p->log, buf_z(&text));
	p->untaped = true;
	buf_fini(&text);
}

static void start_tape(struct proxy_record *r, struct str url, bool has_body)
{
	struct buf shown = { 0 };

	redact_add(&r->secrets, url, &shown);
	struct tape_info info = {
		.protocol = str_from(r->protocol ? r->protocol->name : NULL), .dialect = str_from(r->dialect->name),
		.provider = str_from(r->provider->name), .model = r->model.len ? buf_str(&r->model) : STR_NONE, .url = buf_str(&shown),
	};
	(has_body ? tape_start_request : tape_start)(r->tape, &info);
	buf_fini(&shown);
}

static void close_tape(struct proxy_record *r)
{
	struct error err;

	if (!r->tape)
		return;
	tape_end(r->tape, r->lack.len ? END_CUT : r->how, r->end_ms);
	if (!tape_writer_close(r->tape, &err)) {
		proxy_log_notice(&r->proxy->log, err.text);
		record_lacks(r, "the tape is not whole");
	}
	r->tape = NULL;
	make_room(r);
}

/* --- the log --- */

static struct proxy_entry entry_of(const struct proxy_record *r)
{
	return (struct proxy_entry){
		.number = r->number, .method = buf_str(&r->method), .path = buf_str(&r->path), .provider = r->provider->name, .protocol = r->protocol,
		.model = buf_str(&r->model), .status = r->status, .outcome = r->stream ? outcome_name(r->outcome) : end_how_name(r->how),
		.at_ms = r->end_ms, .why = buf_str(&r->why), .tape = r->tape_path, .lack = buf_str(&r->lack), .findings = r->findings,
	};
}

static void take_finding(void *record, const struct lint_finding *finding)
{
	struct proxy_record *r = record;
	const struct settings *settings = &r->proxy->setup->settings;
	enum lint_level level = settings_origin(settings, "lint").from == SETTING_DEFAULT ? LINT_LEVEL_DIALECT : settings->lint;
	struct proxy_entry entry = entry_of(r);

	if (r->broken || !lint_level_counts(level, finding->rule))
		return;
	r->findings++;
	proxy_log_finding(&r->proxy->log, &entry, finding);
}

static void take_delta(void *record, const struct delta *delta)
{
	struct proxy_record *r = record;

	if (delta->kind == DELTA_END)
		r->outcome = delta->end.outcome;
}

/* --- the request --- */

static void take_body_model(struct proxy_record *r, struct str outline)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	struct str model = json_get_text(json_parse(parser, outline, &used), "model");

	redact_add(&r->secrets, model, &r->model);
	json_parser_free(parser);
}

struct proxy_record *proxy_record_new(struct proxy *p, const struct proxy_request *request)
{
	struct proxy_record *r = mem_new(sizeof *r);
	struct str path = str_head(request->path, str_find(request->path, STR("?")));
	struct str model = str_skip(path, str_find(path, STR("/models/")) + strlen("/models/"));

	*r = (struct proxy_record){ .proxy = p, .number = ++p->count, .provider = request->to->provider, .dialect = request->to->dialect };
	r->protocol = str_is(request->method, "POST") ? request->to->protocol : NULL; /* another method asks for no answer of a model */
	r->in_request = request->has_body;
	redact_set_add_all(&r->secrets, request->secrets);
	redactor_init(&r->request_secret, &r->secrets);
	redactor_init(&r->response_secret, &r->secrets);
	json_outline_init(&r->outline);
	redact_add(&r->secrets, request->method, &r->method);
	redact_add(&r->secrets, path, &r->path);
	redact_add(&r->secrets, str_head(model, str_find(model, STR(":"))), &r->model);
	open_tape(r);
	if (r->tape)
		start_tape(r, buf_str(&request->to->url), request->has_body);
	return r;
}

static void add_request(struct proxy_record *r, struct str bytes)
{
	json_outline_add(&r->outline, bytes);
	if (r->tape && !json_scan_failed(&r->outline.scan))
		tape_request(r->tape, bytes);
}

void proxy_record_request(struct proxy_record *r, struct str bytes)
{
	if (r->in_request)
		add_request(r, redactor_feed(&r->request_secret, bytes));
}

void proxy_record_request_end(struct proxy_record *r)
{
	bool is_in_path = r->model.len;

	if (!r->in_request)
		return;
	add_request(r, redactor_end(&r->request_secret));
	r->in_request = false;
	if (!is_in_path)
		take_body_model(r, json_outline_text(&r->outline));
	if (r->tape)
		tape_end_request_late(r->tape, json_scan_whole(&r->outline.scan), is_in_path ? STR_NONE : buf_str(&r->model));
}

/* --- the response --- */

static void open_stream(struct proxy_record *r)
{
	struct str outline = json_outline_text(&r->outline);
	struct stream_options options = { .protocol = r->protocol, .dialect = r->dialect, .asked = tape_asked_by(outline) };

	if (!r->protocol || r->stream)
		return;
	r->lint = lint_new(&(struct lint_options){ .dialect = r->dialect, .request = outline }, take_finding, r);
	options.tap = lint_tap(r->lint);
	r->stream = stream_new(&options, take_delta, r);
}

void proxy_record_head(struct proxy_record *r, const struct response_head *head, double at_ms)
{
	r->in_request = false; /* the tape drops what has come of a request that is not whole */
	r->status = head->status;
	r->unpack = unpack_new(head);
	if (r->tape)
		tape_head(r->tape, head, at_ms);
	open_stream(r);
	if (r->stream)
		stream_head(r->stream, head, at_ms);
}

static void record_plain(struct proxy_record *r, struct str bytes, double at_ms)
{
	if (!bytes.len)
		return;
	if (r->tape && !r->lack.len && !tape_body(r->tape, bytes, at_ms))
		record_lacks(r, "the tape is full");
	if (r->stream)
		stream_body(r->stream, bytes, at_ms);
}

/* Unpacks what was fed, at most about RUN_BYTES of it. The rest is kept. */
static void unpack_some(struct proxy_record *r)
{
	enum unpack_result result = UNPACK_STEP;
	size_t left = RUN_BYTES, cost;
	struct error why;
	struct str piece;

	while (result == UNPACK_STEP && left) {
		result = unpack_step(r->unpack, &piece, &cost, &why);
		record_plain(r, redactor_feed(&r->response_secret, piece), r->came_ms);
		left -= cost < left ? cost : left;
	}
	r->behind = result == UNPACK_STEP;
	r->broken = result == UNPACK_BROKEN || result == UNPACK_EXCESS;
	if (r->behind)
		unpack_keep(r->unpack);
	if (r->broken) {
		record_lacks(r, "the response cannot be unpacked: ");
		buf_add_z(&r->lack, why.text);
	}
}

void proxy_record_body(struct proxy_record *r, struct str bytes, double at_ms)
{
	if (r->broken)
		return;
	r->came_ms = at_ms;
	unpack_feed(r->unpack, bytes);
	unpack_some(r);
}

/* --- the end --- */

/* Records the end. What is not unpacked by then is left out. */
static void finish(struct proxy_record *r)
{
	struct proxy_entry entry;

	r->over = true;
	if (r->behind)
		record_lacks(r, "weir ended before it had recorded the response");
	record_plain(r, redactor_end(&r->response_secret), r->end_ms);
	open_stream(r);
	if (r->stream)
		stream_end(r->stream, r->broken || r->behind ? END_CUT : r->how, r->end_ms);
	close_tape(r);
	entry = entry_of(r);
	proxy_log_end(&r->proxy->log, &entry);
}

void proxy_record_end(struct proxy_record *r, enum end_how how, struct str why, double at_ms)
{
	if (r->ended)
		return;
	r->ended = true;
	buf_add(&r->why, why);
	r->how = how;
	r->end_ms = at_ms;
	if (!r->behind)
		finish(r);
}

void proxy_record_run(struct proxy_record *r)
{
	if (r->behind)
		unpack_some(r);
	if (r->tape)
		tape_flush(r->tape);
	if (r->ended && !r->over && !r->behind)
		finish(r);
}

bool proxy_record_is_behind(const struct proxy_record *r)
{
	return r->behind;
}

bool proxy_record_is_over(const struct proxy_record *r)
{
	return r->over;
}

void proxy_record_free(struct proxy_record *r)
{
	if (!r)
		return;
	if (!r->over)
		finish(r);
	stream_free(r->stream);
	lint_free(r->lint);
	unpack_free(r->unpack);
	redactor_fini(&r->request_secret);
	redactor_fini(&r->response_secret);
	redact_set_fini(&r->secrets);
	json_outline_fini(&r->outline);
	buf_fini(&r->method);
	buf_fini(&r->path);
	buf_fini(&r->model);
	buf_fini(&r->lack);
	buf_fini(&r->why);
	mem_free(r->tape_path);
	mem_free(r);
}
