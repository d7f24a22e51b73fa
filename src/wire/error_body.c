#include "wire/error_body.h"

#include "base/utf8.h"
#include "wire/framer.h"

/* A text in the scratch buffer. Offsets are converted to pointers when the buffer no longer grows. */
struct span {
	size_t at, len;
};

struct gathered {
	struct buf *scratch;
	struct span message, type, code;
};

static struct span error_add(struct buf *out, struct str text)
{
	struct span span = { out->len, text.len };

	return buf_add(out, text) ? span : (struct span){ 0 };
}

static struct span add_scalar(struct buf *out, const struct json *value)
{
	struct buf number = { 0 };
	struct str text;
	struct span span = { 0 };

	if (json_kind(value) != JSON_BOOL && json_scalar(value, &number, &text))
		span = error_add(out, text);
	buf_fini(&number);
	return span;
}

/* Adds a string as it is, an object or array as JSON, nothing for other values. */
static struct span error_add_text(struct buf *out, const struct json *value)
{
	struct str text = json_text(value);

	if (text.len || (json_kind(value) != JSON_OBJECT && json_kind(value) != JSON_ARRAY))
		return error_add(out, text);
	size_t at = out->len;
	json_dump(value, out);
	return (struct span){ at, out->len - at };
}

static const struct json *first_of(const struct json *object, const char *const *keys)
{
	for (; *keys; keys++) {
		const struct json *value = json_get(object, *keys);

		if (json_kind(value) == JSON_STRING ? json_text(value).len > 0 : json_kind(value) == JSON_OBJECT)
			return value;
	}
	return NULL;
}

/* Appends the message of the upstream server, which OpenRouter wraps. */
static void add_upstream(struct gathered *g, const struct json *raw)
{
	size_t before = g->scratch->len;
	bool first = !g->message.len;

	if (!raw || (json_kind(raw) == JSON_STRING && !json_text(raw).len))
		return;
	if (!first)
		buf_add(g->scratch, STR(": "));
	else
		g->message.at = before;
	error_add_text(g->scratch, raw);
	g->message.len += g->scratch->len - before;
}

/* {"message","type","code","status","metadata":{"raw"}}: OpenAI's family, Anthropic, Google, OpenRouter, Mistral. */
static void gather_object(struct gathered *g, const struct json *object)
{
	static const char *const message_keys[] = { "message", "Message", "msg", "error", "detail", "error_description", NULL };

	g->code = add_scalar(g->scratch, json_get(object, "code"));
	struct str type = json_get_text(object, "type"), word = json_get_text(object, "status");
	g->type = error_add(g->scratch, type.len ? type : word);
	g->message = error_add_text(g->scratch, first_of(object, message_keys));
	add_upstream(g, json_get(json_get(object, "metadata"), "raw"));
}

/* FastAPI: "body.model: field required; body.messages: ..." */
static void gather_validation(struct gathered *g, const struct json *items)
{
	struct buf *out = g->scratch;

	g->message.at = out->len;
	for (size_t i = 0; i < json_length(items); i++) {
		const struct json *item = json_at(items, i), *path = json_get(item, "loc");

		if (i)
			buf_add(out, STR("; "));
		for (size_t step = 0; step < json_length(path); step++) {
			if (step)
				buf_add(out, STR("."));
			add_scalar(out, json_at(path, step));
		}
		if (json_length(path))
			buf_add(out, STR(": "));
		struct str text = json_text(item);
		buf_add(out, text.len ? text : json_get_text(item, "msg"));
	}
	g->message.len = out->len - g->message.at;
}

/* If `type` stands beside the message, it may be the event's type "error", which adds no information. */
static void drop_event_type(struct gathered *g)
{
	if (g->type.len && str_is(str_of(g->scratch->ptr + g->type.at, g->type.len), "error"))
		g->type.len = 0;
}

/* `error` is a string, with other members beside it: Ollama, Venice, xAI. */
static void gather_word(struct gathered *g, const struct json *object, struct str message)
{
	g->code = add_scalar(g->scratch, json_get(object, "code"));
	g->type = error_add(g->scratch, json_get_text(object, "type"));
	g->message = error_add(g->scratch, message);
	drop_event_type(g);
}

static bool gather(struct gathered *g, const struct json *value);

static bool gather_error(struct gathered *g, const struct json *object, const struct json *error)
{
	switch (json_kind(error)) {
	case JSON_OBJECT:
		gather_object(g, error);
		return true;
	case JSON_STRING:
		gather_word(g, object, json_text(error));
		return json_text(error).len > 0;
	case JSON_ARRAY:
		if (json_kind(json_at(error, 0)) == JSON_STRING)
			gather_word(g, object, json_text(json_at(error, 0)));
		else
			gather_object(g, json_at(error, 0));
		return json_length(error) > 0;
	case JSON_NULL:
	case JSON_BOOL:
	case JSON_NUMBER:
		break;
	}
	return false;
}

static bool gather_detail(struct gathered *g, const struct json *object, const struct json *detail)
{
	if (json_kind(detail) == JSON_ARRAY)
		gather_validation(g, detail);
	else if (json_kind(detail) == JSON_OBJECT)
		gather_object(g, detail);
	else
		gather_word(g, object, json_text(detail));
	return true;
}

static bool is_errors_list(const struct json *value)
{
	enum json_kind first = json_kind(json_at(value, 0));

	return first == JSON_OBJECT || first == JSON_STRING;
}

static bool gather(struct gathered *g, const struct json *value)
{
	for (size_t i = 0; i < json_length(value); i++)
		if (json_kind(json_at(value, i)) == JSON_OBJECT && gather(g, json_at(value, i)))
			return true;
	if (json_kind(value) != JSON_OBJECT)
		return false;
	if (gather_error(g, value, json_get(value, "error")))
		return true;
	const struct json *errors = json_get(value, "errors"), *detail = json_get(value, "detail");
	if (is_errors_list(errors))
		return gather_error(g, value, errors);
	if (json_kind(detail) == JSON_ARRAY || json_kind(detail) == JSON_OBJECT || json_text(detail).len)
		return gather_detail(g, value, detail);
	if (!json_get_text(value, "message").len && !json_get_text(value, "Message").len && !json_get_text(value, "msg").len)
		return false;
	gather_object(g, value);
	drop_event_type(g);
	return true;
}

static struct str view(const struct buf *scratch, struct span span)
{
	return span.len ? str_of(scratch->ptr + span.at, span.len) : STR_NONE;
}

bool error_body_read(const struct json *value, struct buf *scratch, struct error_report *report)
{
	struct gathered g = { .scratch = scratch };

	buf_clear(scratch);
	bool is_error = gather(&g, value);
	*report = (struct error_report){ 0 };
	if (is_error)
		*report = (struct error_report){
			.message = view(scratch, g.message),
			.type = view(scratch, g.type),
			.code = view(scratch, g.code),
		};
	return is_error;
}

struct body_reading {
	struct json_parser *parser;
	struct buf *scratch;
	struct error_report *report;
	error_value_visit *visit;
	void *ctx;
	bool found;
	bool is_json;
};

static void read_frame(void *ctx, const struct frame *frame)
{
	struct body_reading *r = ctx;
	size_t used;
	const struct json *value = r->found ? NULL : json_parse(r->parser, frame->data, &used);

	if (!value || json_kind(value) == JSON_NUMBER || json_kind(value) == JSON_STRING)
		return;
	r->is_json = true;
	if (r->visit)
		r->visit(r->ctx, value, frame->event);
	r->found = error_body_read(value, r->scratch, r->report);
}

struct str error_text(struct str text, struct buf *scratch)
{
	buf_clear(scratch);
	utf8_repair(str_head(text, ERROR_TEXT_BYTES), scratch);
	size_t kept = 0;
	for (size_t i = 0; i < scratch->len; i++) {
		unsigned char c = (unsigned char)scratch->ptr[i];

		if (c == '\n' || c == '\t' || c == '\r')
			scratch->ptr[kept++] = ' ';
		else if (c >= ' ' && c != 0x7F)
			scratch->ptr[kept++] = (char)c;
	}
	return str_trim(str_of(scratch->ptr, kept));
}

static struct str error_own_words(enum error_words found, int status, struct buf *scratch)
{
	static const char *const what[] = {
		[ERROR_WORDS_FOUND] = "no explanation",
		[ERROR_WORDS_NONE] = "no explanation",
		[ERROR_WORDS_STRANGE] = "an explanation that cannot be read",
		[ERROR_WORDS_PAGE] = "a web page instead of an explanation",
	};

	buf_clear(scratch);
	buf_printf(scratch, "The server answered with HTTP status %d and %s.", status, what[found]);
	return buf_str(scratch);
}

static enum error_words find_words(struct body_reading *r, struct str body, struct error_report *report)
{
	struct framer *framer = framer_new(read_frame, r);

	*report = (struct error_report){ 0 };
	framer_feed(framer, body);
	framer_end(framer);
	bool is_page = framer_framing(framer) == FRAMING_DOCUMENT;
	framer_free(framer);
	if (r->found)
		return ERROR_WORDS_FOUND;
	if (is_page || r->is_json)
		return is_page ? ERROR_WORDS_PAGE : ERROR_WORDS_STRANGE;
	report->message = error_text(body, r->scratch);
	return report->message.len ? ERROR_WORDS_FOUND : ERROR_WORDS_NONE;
}

enum error_words error_body_find(struct str body, struct buf *scratch, struct error_report *report, error_value_visit *visit,
                                 void *ctx)
{
	struct body_reading r = {
		.parser = json_parser_new(),
		.scratch = scratch,
		.report = report,
		.visit = visit,
		.ctx = ctx,
	};
	enum error_words found = find_words(&r, body, report);

	json_parser_free(r.parser);
	return found;
}

void error_body_explain(struct str body, int status, struct buf *scratch, struct error_report *report,
                        error_value_visit *visit, void *ctx)
{
	enum error_words found = error_body_find(body, scratch, report, visit, ctx);

	if (found != ERROR_WORDS_FOUND)
		report->message = error_own_words(found, status, scratch);
	report->status = status;
}
