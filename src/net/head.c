#include "net/head.h"

#include "base/mem.h"

static const char *const ids[] = {
	"x-request-id", "request-id", "apim-request-id", "x-generation-id", "x-ds-trace-id", "cf-ray", NULL,
};

/* An entry that ends in '-' is a prefix. */
static const char *const hints[] = {
	"retry-after", "retry-after-ms", "x-should-retry", "x-ratelimit-", "anthropic-ratelimit-", NULL,
};

/* How the body is sent, for `weir lint`. */
static const char *const sending[] = { "cache-control", "content-encoding", "content-length", "x-accel-buffering", NULL };

static bool is_among(struct str name, const char *const *list)
{
	for (; *list; list++)
		if (str_is(name, *list) || (str_ends(str_from(*list), "-") && str_starts(name, *list)))
			return true;
	return false;
}

bool head_is_id(struct str name)
{
	return is_among(name, ids);
}

bool head_is_listed(struct str name)
{
	return head_is_id(name) || is_among(name, hints);
}

bool head_is_taped(struct str name)
{
	return head_is_listed(name) || is_among(name, sending);
}

struct str head_value(const struct response_head *head, const char *name)
{
	for (size_t i = 0; i < head->header_count; i++)
		if (str_is(head->headers[i].name, name))
			return head->headers[i].value;
	return STR_NONE;
}

struct str head_request_id(const struct response_head *head)
{
	struct str id = STR_NONE;

	for (size_t i = 0; ids[i] && !id.len; i++)
		id = head_value(head, ids[i]);
	return id.len ? id : STR_NONE;
}

static void head_write_step(struct buf *out, const char *step, double ms)
{
	if (ms >= 0.05)
		buf_printf(out, ", %s %.1f ms", step, ms);
}

void head_write_timings(const struct response_head *head, struct buf *out)
{
	const struct response_timings *t = &head->timings;

	if (!head->http.len && !head->is_timed)
		return;
	buf_printf(out, "HTTP/%.*s%s", STR_ARG(head->http.len ? head->http : STR("?")), head->reused ? ", connection kept" : "");
	head_write_step(out, "name", t->name_ms);
	head_write_step(out, "connect", t->connect_ms);
	head_write_step(out, "TLS", t->tls_ms);
	head_write_step(out, "sent", t->sent_ms);
	head_write_step(out, "first byte", t->first_byte_ms);
}

void head_reader_init(struct head_reader *reader)
{
	*reader = (struct head_reader){ .whole = false };
	buf_init(&reader->text, HEAD_LIMIT);
}

void head_reader_fini(struct head_reader *reader)
{
	buf_fini(&reader->text);
	mem_free(reader->headers);
}

static void head_start_over(struct head_reader *reader, struct str status_line)
{
	struct str version;
	long long status = 0;

	str_split(&status_line, ' ', &version);
	if (!str_to_int(str_head(str_trim(status_line), 3), &status))
		status = 0;
	reader->status = (int)status;
	reader->count = 0;
	buf_clear(&reader->text);
}

/* Until the head is complete, `ptr` of a view is not valid, because the text may move: only the lengths are. */
static void head_add(struct head_reader *reader, struct str line)
{
	struct str name, value;
	size_t start = reader->text.len;
	size_t colon = str_find(line, STR(":"));

	/* A leading blank is a folded line, which is obsolete in HTTP. */
	if (colon == 0 || colon == line.len || line.ptr[0] == ' ' || line.ptr[0] == '\t')
		return;
	name = str_head(line, colon);
	value = str_trim(str_skip(line, colon + 1));
	if (name.len + value.len > HEAD_LIMIT - start)
		return;
	buf_add(&reader->text, name);
	for (size_t i = start; i < reader->text.len; i++)
		reader->text.ptr[i] = char_lower(reader->text.ptr[i]);
	buf_add(&reader->text, value);
	*ARRAY_ADD(reader->headers, reader->count, reader->capacity) = (struct response_header){ { NULL, name.len }, { NULL, value.len } };
}

static void place_views(struct head_reader *reader)
{
	const char *at = reader->text.ptr;

	for (size_t i = 0; i < reader->count; i++) {
		reader->headers[i].name.ptr = at;
		at += reader->headers[i].name.len;
		reader->headers[i].value.ptr = at;
		at += reader->headers[i].value.len;
	}
}

bool head_reader_line(struct head_reader *reader, struct str line, struct response_head *head)
{
	if (reader->whole)
		return false;
	if (str_starts(line, "HTTP/")) {
		head_start_over(reader, line);
		return false;
	}
	if (!str_is_blank(line)) {
		head_add(reader, line);
		return false;
	}
	if (reader->status < 200)
		return false;
	place_views(reader);
	reader->whole = true;
	*head = (struct response_head){ .status = reader->status, .headers = reader->headers, .header_count = reader->count };
	head->content_type = head_value(head, "content-type");
	return true;
}
