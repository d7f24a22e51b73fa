/* One exchange: a request of a client (net/httpd.h) that goes on to its provider, and the response that comes back. */
#include <string.h>

#include "app/options/options.h"
#include "app/serve/proxy.h"
#include "app/serve/proxy_record.h"
#include "app/system/environment.h"
#include "base/mem.h"
#include "chat/exchange/outgoing.h"
#include "net/chunk_reader.h"
#include "net/field.h"

struct proxy_exchange {
	struct proxy_exchange *next;
	struct proxy *proxy;
	struct visit *visit;          /* NULL: the response is over, or the client has left; then `upstream` is cancelled */
	struct source *upstream;
	struct proxy_record *record;
	struct field_list trailers;   /* of the request */
	struct field_list fields;     /* of the head of the response that comes in, then its trailers */
	unsigned status;              /* of that head */
	struct buf reason;
	double started_ms;
};

/* --- what is passed on --- */

struct passed_headers {
	char **lines;          /* heap */
	size_t count;
	struct redact_set secrets;
	bool has_key;
};

static void wipe_line(char *line)
{
	mem_wipe(line, strlen(line));
	mem_free(line);
}

static char *header_line(const struct response_header *field)
{
	struct buf line = { 0 };

	/* libcurl takes a name without a value for one that is not to be sent, unless it ends in a semicolon. */
	buf_printf(&line, field->value.len ? "%.*s: %.*s" : "%.*s;", STR_ARG(field->name), STR_ARG(field->value));
	return buf_take(&line);
}

/* The parameters of a URL, too, may hold a key. */
static void add_url_secrets(struct passed_headers *h, struct str url)
{
	size_t count = h->secrets.count;

	redact_set_add_url(&h->secrets, url, NULL);
	h->has_key |= h->secrets.count > count;
}

static void pass_headers(const struct request_head *head, struct passed_headers *h)
{
	bool trails = field_has_member(request_head_value(head, "te"), "trailers");

	*h = (struct passed_headers){ .lines = mem_new((head->field_count + 3) * sizeof *h->lines), .secrets.is_bounded = true };
	for (size_t i = 0; i < head->field_count; i++) {
		struct str name = head->fields[i].name;
		char *line = header_line(&head->fields[i]);

		outgoing_add_secrets(&h->secrets, line);
		h->has_key |= redact_is_telling(name);
		bool is_ours = str_is_nocase(name, "host") || str_is_nocase(name, "content-length") || str_is_nocase(name, "expect");
		if (is_ours || field_stays_here(name, head->fields, head->field_count))
			wipe_line(line);
		else
			h->lines[h->count++] = line;
	}
	add_url_secrets(h, head->path);
	if (!request_head_value(head, "accept").ptr)
		h->lines[h->count++] = mem_dup_z("Accept:"); /* else libcurl adds one */
	if (trails) {
		h->lines[h->count++] = mem_dup_z("TE: trailers");
		h->lines[h->count++] = mem_dup_z("Connection: TE");
	}
}

/* Wipes the lines: one may hold a key. */
static void passed_headers_fini(struct passed_headers *h)
{
	for (size_t i = 0; i < h->count; i++)
		wipe_line(h->lines[i]);
	mem_free(h->lines);
	redact_set_fini(&h->secrets);
}

/* --- the request, as curl takes it --- */

static size_t exchange_upload(void *exchange, char *to, size_t room, bool *later)
{
	struct proxy_exchange *x = exchange;
	size_t count = visit_take(x->visit, to, room);

	*later = !count && !visit_is_whole(x->visit);
	return count;
}

static bool exchange_upload_again(void *exchange)
{
	struct proxy_exchange *x = exchange;

	return visit_take_again(x->visit);
}

static void exchange_upload_trailers(void *exchange, void (*add)(void *list, const char *line), void *list)
{
	struct proxy_exchange *x = exchange;

	for (size_t i = 0; i < x->trailers.count; i++) {
		struct buf line = { 0 };

		buf_printf(&line, "%.*s: %.*s", STR_ARG(x->trailers.fields[i].name), STR_ARG(x->trailers.fields[i].value));
		add(list, buf_z(&line));
		buf_fini(&line);
	}
}

/* --- the response --- */

/* Removes the fields that concern the connection to the provider only. */
static void drop_hop_fields(struct field_list *list)
{
	struct field_list kept = { 0 };

	for (size_t i = 0; i < list->count; i++)
		if (!field_stays_here(list->fields[i].name, list->fields, list->count))
			field_list_add(&kept, list->fields[i].name, list->fields[i].value);
	field_list_clear(list);
	*list = kept;
}

/* "HTTP/1.1 200 OK" */
static void take_status_line(struct proxy_exchange *x, struct str line)
{
	struct str word = STR_NONE;
	long long status = 0;

	field_list_clear(&x->fields);
	buf_clear(&x->reason);
	str_split(&line, ' ', &word);
	str_split(&line, ' ', &word);
	x->status = str_to_int(word, &status) ? (unsigned)status : 0;
	buf_add(&x->reason, line);
}

static void send_interim(struct proxy_exchange *x)
{
	drop_hop_fields(&x->fields);
	if (x->status != 101) /* Upgrade is not passed on, so nobody asked for it */
		visit_send_interim(x->visit, &(struct visit_head){ x->status, buf_str(&x->reason), x->fields.fields, x->fields.count, -1, true });
	field_list_clear(&x->fields);
}

static void upstream_on_line(void *exchange, struct str line)
{
	struct proxy_exchange *x = exchange;
	bool is_head = !visit_has_head(x->visit);

	while (str_ends(line, "\n") || str_ends(line, "\r"))
		line.len--;
	if (is_head && str_starts(line, "HTTP/"))
		take_status_line(x, line);
	else if (line.len)
		field_list_add_line(&x->fields, line);
	else if (is_head && x->status >= 100 && x->status < 200)
		send_interim(x);
}

/*
 * Sets the length of the body as the provider says it; -1: it does not, and libcurl finds its end. False for what libcurl's versions read
 * differently: several lengths, a transfer coding that was not asked for.
 */
static bool find_length(const struct field_list *fields, int64_t *length)
{
	bool is_chunked = false;
	long long number;

	*length = -1;
	for (size_t i = 0; i < fields->count; i++) {
		struct response_header field = fields->fields[i];

		if (str_is_nocase(field.name, "transfer-encoding") && !str_is_nocase(field.value, "chunked"))
			return false;
		is_chunked |= str_is_nocase(field.name, "transfer-encoding");
		if (!str_is_nocase(field.name, "content-length"))
			continue;
		if (!str_to_int(field.value, &number) || (*length >= 0 && number != *length))
			return false;
		*length = number;
	}
	if (is_chunked)
		*length = -1;
	return true;
}

static void send_head(struct proxy_exchange *x, int64_t length)
{
	struct visit_head head = { .status = x->status, .reason = buf_str(&x->reason), .length = length, .passed_on = true };

	drop_hop_fields(&x->fields);
	head.fields = x->fields.fields;
	head.field_count = x->fields.count;
	visit_send_head(x->visit, &head);
	visit_forget(x->visit);
	field_list_clear(&x->fields); /* trailers follow */
}

/* The callbacks of the transfer forward first: recording must not delay a byte. */
static void upstream_on_head(void *exchange, const struct response_head *head, double at_ms)
{
	struct proxy_exchange *x = exchange;

	static const char unclear[] = "the head of the provider's response does not say clearly where its body ends";
	int64_t length;

	if (!find_length(&x->fields, &length)) {
		source_cancel(x->upstream);
		visit_refuse(x->visit, 502, unclear);
		proxy_record_end(x->record, END_CUT, str_from(unclear), at_ms);
		return;
	}
	send_head(x, length);
	proxy_record_head(x->record, head, at_ms);
}

static void hold_if_full(struct proxy_exchange *x)
{
	http_hold(x->upstream, (x->visit && visit_is_full(x->visit)) || proxy_record_is_behind(x->record));
}

static void upstream_on_body(void *exchange, struct str bytes, double at_ms)
{
	struct proxy_exchange *x = exchange;

	visit_send(x->visit, bytes);
	proxy_record_body(x->record, bytes, at_ms);
	hold_if_full(x);
}

static void upstream_on_end(void *exchange, enum end_how how, struct str detail, double at_ms)
{
	struct proxy_exchange *x = exchange;
	char *sentence = str_dup(detail);

	if (!visit_has_head(x->visit))
		visit_refuse(x->visit, 502, sentence);
	else if (how == END_CLOSED)
		visit_end(x->visit, x->fields.fields, x->fields.count);
	else
		visit_break(x->visit, false);
	mem_free(sentence);
	proxy_record_end(x->record, how, detail, at_ms);
}

/* --- the start --- */

/* Whether the key in a request may go to this URL. */
static bool may_send(const struct proxy *p, const struct proxy_destination *to, const struct passed_headers *headers, struct error *err)
{
	if (!headers->has_key || !outgoing_is_exposed(buf_str(&to->url)) || p->o->allow_http || to->provider->allow_http)
		return true;
	return error_set(err, "the key of a request is not sent on over plain http: use https, or allow it with --allow-http");
}

static bool start_upstream(struct proxy_exchange *x, const struct request_head *head, const struct proxy_destination *to,
                           const struct passed_headers *headers, struct error *err)
{
	const struct source_sink sink = { .ctx = x, .head = upstream_on_head, .body = upstream_on_body, .end = upstream_on_end };
	char *method = str_dup(head->method), *ca_file = outgoing_ca_file(to->provider, process_environment);
	const struct http_relay relay = {
		.ctx = x, .has_body = head->has_body, .length = head->is_chunked ? -1 : (int64_t)head->length, .expects = head->expects,
		.upload = exchange_upload, .trailers = exchange_upload_trailers, .again = visit_keep(x->visit) ? exchange_upload_again : NULL,
		.line = upstream_on_line,
	};
	const struct http_request upstream = {
		.method = method, .url = buf_z(&to->url), .headers = (const char *const *)headers->lines, .header_count = headers->count,
		.connect_timeout_ms = to->provider->limits.connect_ms, .ca_file = ca_file, .proxy_ca_file = process_environment("SSL_CERT_FILE"),
		.secrets = &headers->secrets, .relay = &relay,
	};
	bool good = may_send(x->proxy, to, headers, err) && http_start(x->proxy->http, &upstream, &sink, &x->upstream, err);

	mem_free(ca_file);
	mem_free(method);
	return good;
}

static void exchange_free(struct proxy_exchange *x)
{
	struct proxy_exchange **link = &x->proxy->exchanges;

	while (*link && *link != x)
		link = &(*link)->next;
	if (*link)
		*link = x->next;
	source_free(x->upstream);
	proxy_record_free(x->record);
	field_list_clear(&x->trailers);
	field_list_clear(&x->fields);
	buf_fini(&x->reason);
	mem_free(x);
}

static void refuse(struct proxy *p, struct visit *v, const struct request_head *head, const struct redact_set *secrets,
                   struct request_refusal refusal)
{
	struct proxy_entry entry = { .number = ++p->count, .status = (int)refusal.status, .outcome = "refused", .why = str_from(refusal.sentence) };
	struct buf method = { 0 }, path = { 0 };

	if (!secrets->excess) { /* else a secret in them may not be masked */
		redact_add(secrets, head->method, &method);
		redact_add(secrets, str_head(head->path, str_find(head->path, STR("?"))), &path);
	}
	entry.method = buf_str(&method);
	entry.path = buf_str(&path);
	proxy_log_end(&p->log, &entry);
	visit_refuse(v, refusal.status, refusal.sentence);
	buf_fini(&method);
	buf_fini(&path);
}

static struct proxy_exchange *exchange_new(struct proxy *p, struct visit *v, const struct request_head *head, const struct proxy_destination *to,
                                           const struct passed_headers *headers, struct error *err)
{
	const struct proxy_request request = { head->method, head->path, head->has_body, to, &headers->secrets };
	struct proxy_exchange *x = mem_new(sizeof *x);

	*x = (struct proxy_exchange){ .next = p->exchanges, .proxy = p, .visit = v, .started_ms = clock_precise_ms() };
	if (!start_upstream(x, head, to, headers, err)) {
		exchange_free(x);
		return NULL;
	}
	p->exchanges = x;
	x->record = proxy_record_new(p, &request);
	return x;
}

/* --- what the server calls --- */

static void *exchange_begin(void *proxy, struct visit *v, const struct request_head *head)
{
	bool has_body = head->is_chunked || head->length;
	struct proxy_destination to = { .provider = NULL };
	struct passed_headers headers;
	struct request_refusal refusal;
	struct error err = { "" };
	void *answer = NULL;

	pass_headers(head, &headers);
	if (str_is(head->method, "HEAD") && has_body) {
		refusal = (struct request_refusal){ 400, "a HEAD has no body" };
	} else if (proxy_find_destination(proxy, head->path, &to, &refusal, &err)) {
		add_url_secrets(&headers, buf_str(&to.url));
		refusal = (struct request_refusal){ 431,
		                                    "the request has more keys, cookies or parameters of the kind than can be masked in what is "
		                                    "kept" };
		if (!headers.secrets.excess) {
			answer = exchange_new(proxy, v, head, &to, &headers, &err);
			refusal = (struct request_refusal){ 502, err.text };
		}
	}
	if (!answer)
		refuse(proxy, v, head, &headers.secrets, refusal);
	passed_headers_fini(&headers);
	proxy_destination_fini(&to);
	return answer;
}

/* Nothing of a request that the server has refused is logged. */
static void tell_refused(void *proxy, const struct request_refusal *refusal)
{
	struct proxy *p = proxy;
	struct buf text = { 0 };

	buf_printf(&text, "a request was refused with %u: %s", refusal->status, refusal->sentence);
	proxy_log_notice(&p->log, buf_z(&text));
	buf_fini(&text);
}

static void exchange_body(void *exchange, struct str bytes)
{
	struct proxy_exchange *x = exchange;

	proxy_record_request(x->record, bytes);
	http_upload(x->upstream);
}

static void exchange_whole(void *exchange, struct str trailers)
{
	struct proxy_exchange *x = exchange;
	struct response_header field;

	while (chunk_next_trailer(&trailers, &field))
		field_list_add(&x->trailers, field.name, field.value);
	proxy_record_request_end(x->record);
	http_upload(x->upstream);
}

static void exchange_room(void *exchange)
{
	hold_if_full(exchange);
}

/* The response is over, or the client has left. The record is completed first if bytes wait in it. */
static void exchange_left(void *exchange)
{
	struct proxy_exchange *x = exchange;

	x->visit = NULL;
	source_cancel(x->upstream);
	proxy_record_end(x->record, END_CANCELLED, STR_NONE, clock_precise_ms() - x->started_ms);
	if (proxy_record_is_over(x->record))
		exchange_free(x);
}

const struct httpd_ops proxy_ops = {
	.begin = exchange_begin,
	.body = exchange_body,
	.whole = exchange_whole,
	.room = exchange_room,
	.free = exchange_left,
	.refused = tell_refused,
	.waits_for_bodies = true,
};

void proxy_run_exchanges(struct proxy *p)
{
	for (struct proxy_exchange *x = p->exchanges, *next; x; x = next) {
		bool was_behind = proxy_record_is_behind(x->record);

		next = x->next;
		proxy_record_run(x->record);
		if (!x->visit && proxy_record_is_over(x->record))
			exchange_free(x);
		else if (was_behind)
			hold_if_full(x);
	}
}

void proxy_end_exchanges(struct proxy *p)
{
	while (p->exchanges)
		exchange_free(p->exchanges);
}

bool proxy_is_behind(const struct proxy *p)
{
	for (const struct proxy_exchange *x = p->exchanges; x; x = x->next)
		if (proxy_record_is_behind(x->record))
			return true;
	return false;
}
