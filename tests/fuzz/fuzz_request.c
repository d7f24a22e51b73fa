/*
 * Reads the head of a request, and what follows it as a body in chunks, as a whole and cut anywhere. Rules: cuts change nothing; what is
 * accepted means the same when it is written again as plainly as possible; nothing that is accepted holds a control character.
 *
 * input: seed of the cuts; then the request
 */
#include "fuzz.h"
#include "net/chunk_reader.h"
#include "net/field.h"
#include "net/request_head.h"

static size_t head_length(struct str text, unsigned seed)
{
	size_t come = 0, length = 0, seen;

	while (!length && come < text.len) {
		seen = come;
		come += fuzz_cut(&seed);
		come = come < text.len ? come : text.len;
		length = request_head_length(str_head(text, come), seen);
	}
	return length;
}

static void write_again(const struct request_head *head, struct buf *out)
{
	buf_printf(out, "%.*s %s%.*s%.*s HTTP/1.%u\r\n", STR_ARG(head->method), head->authority.ptr ? "http://" : "", STR_ARG(head->authority), STR_ARG(head->path), head->minor);
	for (size_t i = 0; i < head->field_count; i++)
		buf_printf(out, "%.*s:%.*s\r\n", STR_ARG(head->fields[i].name), STR_ARG(head->fields[i].value));
	buf_add_z(out, "\r\n");
}

static void check_head(struct str text)
{
	struct request_refusal refusal = { 0 }, other_refusal = { 0 };
	struct request_head head, other;
	struct buf again = { 0 };

	if (!request_head_read(&head, text, &refusal)) {
		FUZZ_CHECK(refusal.status >= 400 && refusal.sentence, "a refusal says why");
	} else {
		FUZZ_CHECK(str_is_token(head.method) && str_starts(head.path, "/") && field_is_value(head.path), "method and path");
		FUZZ_CHECK(head.host.ptr || !head.minor, "there is a host");
		FUZZ_CHECK(!head.is_chunked || (head.has_body && !head.length && head.minor), "one length");
		for (size_t i = 0; i < head.field_count; i++)
			FUZZ_CHECK(str_is_token(head.fields[i].name) && field_is_value(head.fields[i].value), "fields");
		write_again(&head, &again);
		FUZZ_CHECK(request_head_length(buf_str(&again), 0) == again.len, "one head");
		FUZZ_CHECK(request_head_read(&other, buf_str(&again), &other_refusal), "written again");
		FUZZ_CHECK(other.field_count == head.field_count && other.length == head.length && other.is_chunked == head.is_chunked &&
		           other.has_body == head.has_body && other.keeps == head.keeps && other.expects == head.expects, "the same");
		request_head_fini(&other);
	}
	request_head_fini(&head);
	buf_fini(&again);
}

/* Returns what follows the body, or what is left where it broke. */
static struct str read_chunks(struct str text, unsigned seed, struct buf *body, struct buf *trailers, enum chunk_result *result)
{
	struct chunk_reader reader = { 0 };

	*result = CHUNK_HUNGRY;
	while (text.len && *result == CHUNK_HUNGRY) {
		size_t cut = seed ? fuzz_cut(&seed) : text.len;
		struct str in = str_head(text, cut), piece;
		size_t given = in.len;

		while ((*result = chunk_reader_step(&reader, &in, &piece)) == CHUNK_BYTES) {
			FUZZ_CHECK(piece.len, "no empty pieces");
			buf_add(body, piece);
		}
		text = str_skip(text, given - in.len);
	}
	buf_add(trailers, buf_str(&reader.trailers));
	chunk_reader_fini(&reader);
	return text;
}

static void check_chunks(struct str text, unsigned seed)
{
	struct buf body = { 0 }, cut_body = { 0 }, trailers = { 0 }, cut_trailers = { 0 };
	enum chunk_result result, cut_result;
	struct response_header field;
	struct str rest = read_chunks(text, 0, &body, &trailers, &result), cut_rest = read_chunks(text, seed, &cut_body, &cut_trailers, &cut_result), list;

	FUZZ_CHECK(result == cut_result && rest.len == cut_rest.len && str_equal(buf_str(&body), buf_str(&cut_body)) &&
	           str_equal(buf_str(&trailers), buf_str(&cut_trailers)), "cuts change nothing");
	list = buf_str(&trailers);
	while (result == CHUNK_OVER && chunk_next_trailer(&list, &field))
		FUZZ_CHECK(str_is_token(field.name) && field_is_value(field.value), "trailers are fields");
	buf_fini(&body);
	buf_fini(&cut_body);
	buf_fini(&trailers);
	buf_fini(&cut_trailers);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	unsigned seed = fuzz_byte(&in) + 1;
	size_t length = request_head_length(in.rest, 0);

	FUZZ_CHECK(head_length(in.rest, seed) == length, "cuts change nothing");
	if (length)
		check_head(str_head(in.rest, length));
	check_chunks(str_skip(in.rest, length), seed);
	return 0;
}
