/* Responses: their heads, and how their bodies are framed. */
#include "net/httpd_inside.h"

#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/json_write.h"
#include "net/field.h"

/* --- heads --- */

static const char *reason_of(unsigned status)
{
	static const struct { unsigned status; const char *reason; } reasons[] = {
		{ 100, "Continue" }, { 103, "Early Hints" }, { 200, "OK" }, { 204, "No Content" }, { 304, "Not Modified" }, { 400, "Bad Request" },
		{ 401, "Unauthorized" }, { 403, "Forbidden" }, { 404, "Not Found" }, { 413, "Content Too Large" }, { 417, "Expectation Failed" },
		{ 421, "Misdirected Request" }, { 429, "Too Many Requests" }, { 431, "Request Header Fields Too Large" },
		{ 500, "Internal Server Error" }, { 501, "Not Implemented" }, { 502, "Bad Gateway" }, { 503, "Service Unavailable" },
		{ 504, "Gateway Timeout" }, { 505, "HTTP Version Not Supported" },
	};

	for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
		if (reasons[i].status == status)
			return reasons[i].reason;
	return "";
}

/* A browser would store or act on these for this origin, which all servers on this machine share. An entry that ends in '-' is a prefix. */
static bool is_for_browsers(struct str name)
{
	static const char *const names[] = { "accept-ch", "access-control-", "activate-storage-access", "alt-svc", "attribution-reporting-",
		"clear-site-data", "content-security-policy", "content-security-policy-report-only", "critical-ch", "cross-origin-",
		"document-policy", "expect-ct", "feature-policy", "integrity-policy", "link", "nel", "observe-browsing-topics",
		"origin-agent-cluster", "origin-trial", "permissions-policy", "public-key-pins", "public-key-pins-report-only", "referrer-policy",
		"refresh", "report-to", "reporting-endpoints", "sec-", "secure-session-", "service-worker-allowed", "set-cookie", "set-cookie2",
		"set-login", "shared-storage-write", "sourcemap", "speculation-rules",
		"strict-transport-security", "supports-loading-mode", "timing-allow-origin", "use-as-dictionary", "x-dns-prefetch-control",
		"x-frame-options", "x-permitted-cross-domain-policies", "x-sourcemap" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_is_nocase(name, names[i]) || (str_ends(str_from(names[i]), "-") && str_is_nocase(str_head(name, strlen(names[i])), names[i])))
			return true;
	return false;
}

static void write_status_line(struct buf *out, const struct visit_head *head)
{
	struct str reason = head->reason.ptr && field_is_value(head->reason) ? head->reason : str_from(reason_of(head->status));

	buf_printf(out, "HTTP/1.1 %u %.*s\r\n", head->status, STR_ARG(reason));
}

/* Returns whether a Date is among them. */
static bool write_fields(struct buf *out, const struct response_header *fields, size_t count)
{
	bool has_date = false;

	for (size_t i = 0; i < count; i++) {
		if (!str_is_token(fields[i].name) || !field_is_value(fields[i].value) || field_is_for_one_hop(fields[i].name) ||
		    is_for_browsers(fields[i].name) || str_is_nocase(fields[i].name, "content-length"))
			continue;
		buf_printf(out, "%.*s: %.*s\r\n", STR_ARG(fields[i].name), STR_ARG(fields[i].value));
		has_date |= str_is_nocase(fields[i].name, "date");
	}
	return has_date;
}

static void write_date(struct buf *out)
{
	static const char days[][4] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
	static const char months[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	buf_printf(out, "Date: %s, %02d %s %d %02d:%02d:%02d GMT\r\n", days[utc.tm_wday], utc.tm_mday, months[utc.tm_mon], utc.tm_year + 1900,
	           utc.tm_hour, utc.tm_min, utc.tm_sec);
}

/* Chooses and writes how the end of the body is marked (RFC 9112, 6.3). */
static void write_framing(struct visit *v, const struct visit_head *head, struct buf *out)
{
	bool is_empty = v->is_head || head->status == 204 || head->status == 304;

	v->length_left = head->length >= 0 ? (uint64_t)head->length : 0;
	v->framing = is_empty ? VISIT_EMPTY : head->length >= 0 ? VISIT_LENGTH : v->minor ? VISIT_CHUNKS : VISIT_TO_THE_END;
	if (head->length >= 0 && head->status != 204)
		buf_printf(out, "Content-Length: %lld\r\n", (long long)head->length);
	if (v->framing == VISIT_CHUNKS)
		buf_add_z(out, "Transfer-Encoding: chunked\r\n");
	if (!v->keeps)
		buf_add_z(out, "Connection: close\r\n");
}

/* --- for who answers --- */

void visit_send_interim(struct visit *v, const struct visit_head *head)
{
	struct buf *out = &v->peer->out;

	if (!v->minor || v->framing != VISIT_NO_HEAD || v->over)
		return;
	write_status_line(out, head);
	(void)write_fields(out, head->fields, head->field_count);
	buf_add_z(out, "\r\n");
}

void visit_send_head(struct visit *v, const struct visit_head *head)
{
	struct buf *out = &v->peer->out;

	if (v->framing != VISIT_NO_HEAD || v->over)
		return;
	write_status_line(out, head);
	if (!write_fields(out, head->fields, head->field_count) && !head->passed_on)
		write_date(out);
	write_framing(v, head, out);
	buf_add_z(out, "\r\n");
}

bool visit_has_head(const struct visit *v)
{
	return v->framing != VISIT_NO_HEAD;
}

void visit_send(struct visit *v, struct str bytes)
{
	struct buf *out = &v->peer->out;

	if (v->framing == VISIT_LENGTH) {
		bytes = str_head(bytes, v->length_left < bytes.len ? (size_t)v->length_left : bytes.len);
		v->length_left -= bytes.len;
	}
	if (v->over || !bytes.len || v->framing == VISIT_NO_HEAD || v->framing == VISIT_EMPTY)
		return;
	if (v->framing == VISIT_CHUNKS)
		buf_printf(out, "%zx\r\n", bytes.len);
	buf_add(out, bytes);
	if (v->framing == VISIT_CHUNKS)
		buf_add_z(out, "\r\n");
	v->peer->httpd->held_bytes += bytes.len;
	v->full |= visit_waiting(v) > visit_share(v);
}

bool visit_is_full(const struct visit *v)
{
	return v->full;
}

size_t visit_waiting(const struct visit *v)
{
	return v->peer->out.len - v->peer->out_sent;
}

void visit_break(struct visit *v, bool reset)
{
	v->over = v->broken = true;
	v->reset = reset || v->framing == VISIT_TO_THE_END; /* a close would look like the end of a complete response */
}

void visit_end(struct visit *v, const struct response_header *trailers, size_t trailer_count)
{
	if (v->over)
		return;
	if (v->framing == VISIT_NO_HEAD || (v->framing == VISIT_LENGTH && v->length_left)) {
		visit_break(v, false);
		return;
	}
	if (v->framing == VISIT_CHUNKS) {
		buf_add_z(&v->peer->out, "0\r\n");
		for (size_t i = 0; i < trailer_count; i++)
			if (field_may_trail(trailers[i].name))
				(void)write_fields(&v->peer->out, &trailers[i], 1);
		buf_add_z(&v->peer->out, "\r\n");
	}
	v->over = true;
}

void visit_refuse(struct visit *v, unsigned status, const char *sentence)
{
	const struct response_header type = { STR("Content-Type"), STR("application/json") };
	struct json_writer w;
	struct buf json = { 0 };

	json_writer_init(&w, &json);
	json_open_object(&w);
	json_key(&w, "error");
	json_open_object(&w);
	json_member_string(&w, "message", str_from(sentence));
	json_close_object(&w);
	json_close_object(&w);
	visit_send_head(v, &(struct visit_head){ .status = status, .fields = &type, .field_count = 1, .length = (int64_t)json.len });
	visit_send(v, buf_str(&json));
	visit_end(v, NULL, 0);
	buf_fini(&json);
}
