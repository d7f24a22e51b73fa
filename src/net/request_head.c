#include "net/request_head.h"

#include "base/mem.h"
#include "net/field.h"

#define LENGTH_DIGITS_MOST 18

size_t request_head_length(struct str bytes, size_t seen)
{
	/* A line end may be cut in front of what is new. */
	size_t at = seen > 4 ? seen - 4 : 0;

	for (;;) {
		at += str_find(str_skip(bytes, at), STR("\n")) + 1;
		if (at > bytes.len)
			return 0;
		if (at < 2 || bytes.ptr[at - 2] != '\r' || str_ends(str_head(bytes, at), "\n\r\n"))
			return at;
	}
}

static bool request_refuse(struct request_refusal *refusal, unsigned status, const char *sentence)
{
	*refusal = (struct request_refusal){ status, sentence };
	return false;
}

/* Removes a line and its CRLF. False for another end, or a CR within it. */
static bool next_line(struct str *rest, struct str *line)
{
	size_t end = str_find(*rest, STR("\r"));

	*line = str_head(*rest, end);
	if (!str_starts(str_skip(*rest, end), "\r\n") || str_find(*line, STR("\n")) < end)
		return false;
	*rest = str_skip(*rest, end + 2);
	return true;
}

/* --- the request line --- */

static bool is_visible(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.ptr[i] <= ' ' || (unsigned char)s.ptr[i] >= 0x7F)
			return false;
	return s.len;
}

/* "/path", or "http://authority/path" (RFC 9112, 3.2). */
static bool read_target(struct request_head *head, struct str target)
{
	head->path = target;
	if (str_is_nocase(str_head(target, 7), "http://")) {
		head->authority = str_head(str_skip(target, 7), str_find(str_skip(target, 7), STR("/")));
		head->path = str_skip(target, 7 + head->authority.len);
	}
	return is_visible(target) && str_starts(head->path, "/") && str_find(target, STR("#")) == target.len;
}

static bool read_request_line(struct request_head *head, struct str line, struct request_refusal *refusal)
{
	struct str target;

	if (!str_split(&line, ' ', &head->method) || !str_is_token(head->method))
		return request_refuse(refusal, 400, "the method of the request is no token");
	if (str_is_nocase(head->method, "connect")) /* after it, a server may take what follows for the bytes of a tunnel */
		return request_refuse(refusal, 400, "CONNECT asks for a tunnel: there is none here");
	if (!str_split(&line, ' ', &target) || !read_target(head, target))
		return request_refuse(refusal, 400, "the target of the request is no path: it must begin with a slash and hold visible ASCII "
		                                    "characters only, and no #");
	head->minor = str_is(line, "HTTP/1.1");
	if (!head->minor && !str_is(line, "HTTP/1.0"))
		return request_refuse(refusal, str_starts(line, "HTTP/") ? 505 : 400, "only HTTP/1.1 and HTTP/1.0 are spoken here");
	return true;
}

/* --- fields --- */

static bool take_length(struct request_head *head, struct str value, struct request_refusal *refusal)
{
	long long length;

	if (head->has_body)
		return request_refuse(refusal, 400, "Content-Length comes twice or beside Transfer-Encoding");
	if (value.len > LENGTH_DIGITS_MOST || !str_to_int(value, &length))
		return request_refuse(refusal, 400, "Content-Length is no number");
	head->has_body = true;
	head->length = (uint64_t)length;
	return true;
}

static bool take_coding(struct request_head *head, struct str value, struct request_refusal *refusal)
{
	if (head->has_body)
		return request_refuse(refusal, 400, "Transfer-Encoding comes twice or beside Content-Length");
	if (!head->minor)
		return request_refuse(refusal, 400, "HTTP/1.0 has no Transfer-Encoding");
	if (!str_is_nocase(value, "chunked"))
		return request_refuse(refusal, 501, "the only transfer coding that is known here is chunked");
	head->has_body = head->is_chunked = true;
	return true;
}

static bool take_field(struct request_head *head, struct response_header field, struct request_refusal *refusal)
{
	/* Gateways that hand fields on as variables read these as the ones with a dash, others do not. */
	if (str_is_nocase(field.name, "content_length") || str_is_nocase(field.name, "transfer_encoding"))
		return request_refuse(refusal, 400, "Content-Length and Transfer-Encoding are written with a dash");
	if (str_is_nocase(field.name, "content-length"))
		return take_length(head, field.value, refusal);
	if (str_is_nocase(field.name, "transfer-encoding"))
		return take_coding(head, field.value, refusal);
	if (str_is_nocase(field.name, "host") && head->host.ptr)
		return request_refuse(refusal, 400, "the header Host comes twice");
	if (str_is_nocase(field.name, "host"))
		head->host = field.value.len ? field.value : STR("");
	if (str_is_nocase(field.name, "connection"))
		head->keeps &= !field_has_member(field.value, "close");
	if (str_is_nocase(field.name, "expect") && head->minor) {
		head->expects = str_is_nocase(field.value, "100-continue");
		return head->expects || request_refuse(refusal, 417, "the only expectation that is known here is 100-continue");
	}
	return true;
}

static bool read_fields(struct request_head *head, struct str rest, struct request_refusal *refusal)
{
	struct response_header field;
	struct str line;

	while (next_line(&rest, &line) && line.len) {
		if (head->field_count == REQUEST_FIELDS_MOST)
			return request_refuse(refusal, 431, "the request has too many headers");
		if (!field_read(line, &field))
			return request_refuse(refusal, 400,
			                      "a header is not of the form `Name: value`: a token, a colon behind it, no control character, in one "
			                      "line");
		*ARRAY_ADD(head->fields, head->field_count, head->field_capacity) = field;
		if (!take_field(head, field, refusal))
			return false;
	}
	return !rest.len || request_refuse(refusal, 400, "a line of the request does not end in CR and LF");
}

bool request_head_read(struct request_head *head, struct str text, struct request_refusal *refusal)
{
	struct str line;

	*head = (struct request_head){ .minor = 0 };
	if (!next_line(&text, &line))
		return request_refuse(refusal, 400, "a line of the request does not end in CR and LF");
	if (!read_request_line(head, line, refusal))
		return false;
	head->keeps = head->minor; /* not with HTTP/1.0, where a proxy before us may keep what it does not understand (RFC 9112, C.2.2) */
	if (!read_fields(head, text, refusal))
		return false;
	return head->host.ptr || !head->minor || request_refuse(refusal, 400, "the header Host is missing");
}

void request_head_fini(struct request_head *head)
{
	mem_free(head->fields);
	*head = (struct request_head){ .minor = 0 };
}

struct str request_head_value(const struct request_head *head, const char *name)
{
	for (size_t i = 0; i < head->field_count; i++)
		if (str_is_nocase(head->fields[i].name, name))
			return head->fields[i].value;
	return STR_NONE;
}
