/* JSON, and bodies made of it. */
#include <string.h>

#include "base/array.h"
#include "base/json_scan.h"
#include "base/utf8.h"
#include "wire/scrub_inside.h"

#define DEPTH_MOST 64
#define CALLS_MOST 64

/* Whose the names and values of a container are. */
enum mode { MODE_PROTOCOL, MODE_DATA, MODE_SCHEMA, MODE_SCHEMAS /* by name */ };

/* JSON within strings: the arguments of a call, in pieces. */
struct inner {
	int64_t index;
	struct json_scan scan;
	bool escaped;       /* behind a backslash */
	unsigned hex_left;  /* of \uXXXX */
};

struct level {
	bool is_object, at_key;
	enum mode mode;
	struct str key;     /* of the value that comes; of an array: that of the array */
	enum scrub_kind kind; /* of that key, in MODE_PROTOCOL */
	int64_t index;      /* the member index or output_index; -1: none so far */
};

struct walk {
	const struct scrub *scrub;
	struct buf *out;
	struct level levels[DEPTH_MOST];
	unsigned depth;     /* may exceed DEPTH_MOST: what is deeper is data */
	bool broken;        /* not JSON: the rest is text */
	bool delta_is_arguments; /* of an event whose type says so */
	struct inner inner[CALLS_MOST];
	size_t inner_count;
};

static struct level *level_of(struct walk *w)
{
	return w->depth && w->depth <= DEPTH_MOST ? &w->levels[w->depth - 1] : NULL;
}

/* Length of the content of a string that begins at `text`; text.len if it does not end. */
static size_t content_length(struct str text)
{
	size_t at = 0;

	while (at < text.len && text.ptr[at] != '"')
		at += text.ptr[at] == '\\' && at + 1 < text.len ? 2 : 1;
	return at;
}

/* The index that stands behind the arguments, in their object or the one around it; -1: none. */
static int64_t index_behind(struct str text)
{
	long long index;

	for (int depth = 0; text.len && depth >= -1; text = str_skip(text, 1)) {
		depth += *text.ptr == '{' || *text.ptr == '[' ? 1 : *text.ptr == '}' || *text.ptr == ']' ? -1 : 0;
		if (*text.ptr != '"')
			continue;
		struct str content = str_head(str_skip(text, 1), content_length(str_skip(text, 1))), value = str_skip(text, content.len + 2);
		size_t digits = 0;

		value = str_trim_start(str_skip(value, str_starts(value, ":")));
		while (digits < value.len && char_is_digit(value.ptr[digits]))
			digits++;
		if (depth <= 0 && (str_is(content, "index") || str_is(content, "output_index")) && str_to_int(str_head(value, digits), &index))
			return index;
		text = str_skip(text, content.len + 1);
	}
	return -1;
}

/* The call that the arguments belong to; `behind`: what follows them. */
static struct inner *inner_of(struct walk *w, struct str behind)
{
	unsigned top = w->depth < DEPTH_MOST ? w->depth : DEPTH_MOST;
	int64_t index = -1;

	for (unsigned i = top; index < 0 && i-- > 0;) {
		if (top - i == 3)
			index = index_behind(behind);
		if (index < 0)
			index = w->levels[i].index;
	}
	for (size_t i = 0; i < w->inner_count; i++)
		if (w->inner[i].index == index)
			return &w->inner[i];
	if (w->inner_count == CALLS_MOST)
		w->inner_count = 0;
	struct inner *inner = &w->inner[w->inner_count++];
	*inner = (struct inner){ .index = index };
	json_scan_init(&inner->scan);
	return inner;
}

/* What stands for a character of arguments: those of keys, strings and numbers are replaced, escapes and literals stay. */
static uint32_t inner_replace(struct inner *inner, uint32_t code, struct str bytes)
{
	enum json_scan_place place;
	bool within;

	if (json_scan_whole(&inner->scan) && code == '{')
		json_scan_init(&inner->scan); /* another call under the same index */
	place = json_scan_place(&inner->scan);
	json_scan_feed(&inner->scan, bytes);
	if (json_scan_failed(&inner->scan))
		return scrub_code(code);
	if (place == JSON_SCAN_OUTSIDE)
		return code < 0x80 && char_is_digit((char)code) ? '7' : code;
	if (inner->hex_left) {
		inner->hex_left--;
		return inner->hex_left > 1 ? '0' : inner->hex_left ? '7' : '8'; /* \u0078 is x */
	}
	within = inner->escaped;
	inner->escaped = !within && code == '\\';
	inner->hex_left = within && code == 'u' ? 4 : 0;
	return within || inner->escaped ? code : scrub_code(code);
}

static void add_hex(struct buf *out, uint32_t code)
{
	buf_printf(out, "\\u%04x", code);
}

/* What an escape stands for, replaced. Halves of pairs stay halves. */
static void replace_escape(struct str escape, uint32_t code, struct inner *inner, struct buf *out)
{
	char byte = code < 0x80 ? (char)code : '?';
	uint32_t replaced = inner ? inner_replace(inner, code, str_of(&byte, 1)) : scrub_code(code);

	if (escape.len == 12 || (code >= 0xD800 && code <= 0xDFFF)) {
		if (escape.len == 12 || code < 0xDC00)
			add_hex(out, 0xD83D);
		if (escape.len == 12 || code >= 0xDC00)
			add_hex(out, 0xDE00);
	} else if (escape.len == 6) {
		add_hex(out, replaced);
	} else {
		buf_add(out, escape);
	}
}

/* The content of a string, between its quotes. */
static void scrub_content(struct str content, struct inner *inner, struct buf *out)
{
	while (content.len) {
		struct str before = content;
		size_t tag = inner ? 0 : scrub_tag(content);
		uint32_t code;

		if (tag) {
			buf_add(out, str_head(content, tag));
			content = str_skip(content, tag);
		} else if (*content.ptr == '\\') {
			struct str escape = str_head(content, json_scan_escape(content, &code));

			replace_escape(escape, code, inner, out);
			content = str_skip(content, escape.len);
		} else if (!inner) {
			size_t plain = str_find(content, STR("\\"));

			scrub_text(str_head(content, plain), out);
			content = str_skip(content, plain);
		} else {
			code = utf8_next(&content);
			struct str bytes = str_head(before, before.len - content.len);

			scrub_bytes(out, bytes, code, inner_replace(inner, code, bytes));
		}
	}
}

/* --- values --- */

/* The kind of a member of a protocol. */
static enum scrub_kind member_kind(struct walk *w, struct str key)
{
	const struct level *parent = w->depth > 1 && w->depth <= DEPTH_MOST ? &w->levels[w->depth - 2] : NULL;

	if (w->delta_is_arguments && str_is(key, "delta"))
		return SCRUB_ARGUMENTS;
	if (parent && str_is(key, "response") && (str_is(parent->key, "functionResponse") || str_is(parent->key, "toolResponse")))
		return SCRUB_DATA; /* what a function returned */
	return scrub_member(w->scrub->words, key);
}

/* Whose a container is that stands at the current place. */
static enum mode mode_within(const struct walk *w, const struct level *level, bool is_object)
{
	if (!level)
		return w->depth ? MODE_DATA : MODE_PROTOCOL;
	switch (level->mode) {
	case MODE_DATA:
		return MODE_DATA;
	case MODE_SCHEMAS:
		return MODE_SCHEMA;
	case MODE_SCHEMA:
		switch (scrub_schema_member(w->scrub->words, level->key)) {
		case SCRUB_SCHEMA_BY_NAME:
			return MODE_SCHEMAS;
		case SCRUB_SCHEMA_WITHIN: case SCRUB_SCHEMA_NAMES: case SCRUB_SCHEMA_WORDS:
			return MODE_SCHEMA;
		case SCRUB_SCHEMA_UNKNOWN: case SCRUB_SCHEMA_DATA: case SCRUB_SCHEMA_KINDS:
			break;
		}
		return MODE_DATA;
	case MODE_PROTOCOL:
		break;
	}
	if (level->kind == SCRUB_UNKNOWN || level->kind == SCRUB_DATA || level->kind == SCRUB_ARGUMENTS)
		return MODE_DATA;
	if (level->kind == SCRUB_INPUT)
		return is_object ? MODE_DATA : MODE_PROTOCOL;
	return level->kind == SCRUB_SCHEMA ? MODE_SCHEMA : MODE_PROTOCOL;
}

static void walk_open(struct walk *w, bool is_object)
{
	struct level *level = level_of(w);
	struct level within = { .is_object = is_object, .at_key = is_object, .mode = mode_within(w, level, is_object), .kind = SCRUB_TEXT,
	                        .index = -1 };

	if (level && !is_object) {
		within.key = level->key;
		within.kind = level->kind == SCRUB_INPUT ? SCRUB_TEXT : level->kind;
	}
	if (w->depth++ < DEPTH_MOST)
		w->levels[w->depth - 1] = within;
}

/* A member of data that became the name of a protocol's would be read as one. */
static void add_unknown_key(struct walk *w, struct str key, bool protocols)
{
	struct buf name = { 0 };

	scrub_name(w->scrub, key, &name);
	while (protocols && scrub_member(w->scrub->words, buf_str(&name)) != SCRUB_UNKNOWN) {
		struct buf again = { 0 };

		scrub_name(w->scrub, buf_str(&name), &again);
		buf_fini(&name);
		name = again;
	}
	buf_add(w->out, buf_str(&name));
	buf_fini(&name);
}

static void walk_key(struct walk *w, struct level *level, struct str key)
{
	bool is_known = false;

	level->key = key;
	level->kind = SCRUB_UNKNOWN;
	if (level->mode == MODE_PROTOCOL) {
		level->kind = member_kind(w, key);
		is_known = level->kind != SCRUB_UNKNOWN;
	} else if (level->mode == MODE_SCHEMA) {
		is_known = scrub_schema_member(w->scrub->words, key) != SCRUB_SCHEMA_UNKNOWN;
	}
	if (is_known)
		buf_add(w->out, key);
	else if (str_find(key, STR("\\")) < key.len)
		scrub_content(key, NULL, w->out);
	else
		add_unknown_key(w, key, level->mode == MODE_PROTOCOL);
}

/* The kind of a string or number here. */
static enum scrub_kind kind_here(const struct walk *w, const struct level *level)
{
	if (!level || level->mode == MODE_DATA || level->mode == MODE_SCHEMAS)
		return SCRUB_TEXT;
	if (level->mode == MODE_PROTOCOL)
		return level->kind;
	enum scrub_schema_kind kind = scrub_schema_member(w->scrub->words, level->key);
	return kind == SCRUB_SCHEMA_WORDS ? SCRUB_WORD : kind == SCRUB_SCHEMA_NAMES ? SCRUB_NAME : SCRUB_TEXT;
}

/* The content of a string without escapes. */
static void walk_plain_string(struct walk *w, enum scrub_kind kind, struct str content)
{
	switch (kind) {
	case SCRUB_FIGURE: case SCRUB_TIME:
		scrub_figure(content, w->out);
		break;
	case SCRUB_WORD: case SCRUB_CODE: case SCRUB_SCHEMA:
		scrub_word(w->scrub, content, w->out);
		break;
	case SCRUB_ID:
		scrub_id(w->scrub, content, w->out);
		break;
	case SCRUB_NAME:
		scrub_name(w->scrub, content, w->out);
		break;
	case SCRUB_MODEL:
		scrub_model(w->scrub, content, w->out);
		break;
	case SCRUB_URL:
		scrub_url(w->scrub, content, false, w->out);
		break;
	case SCRUB_MEDIA:
		scrub_media(w->scrub, content, w->out);
		break;
	case SCRUB_PATH:
		scrub_path(w->scrub, content, w->out);
		break;
	case SCRUB_UNKNOWN: case SCRUB_TEXT: case SCRUB_ARGUMENTS: case SCRUB_INPUT: case SCRUB_DATA: case SCRUB_KINDS:
		scrub_text(content, w->out);
		break;
	}
}

/* A string at the front of `text`, behind its quote; returns what follows it. */
static struct str walk_string(struct walk *w, struct str text)
{
	struct level *level = level_of(w);
	size_t len = content_length(text);
	struct str content = str_head(text, len), behind = str_skip(text, len + 1);
	enum scrub_kind kind = kind_here(w, level);

	if (len == text.len) { /* no closing quote: also where a key is expected, it may be text behind an unescaped quote */
		scrub_content(content, NULL, w->out);
		return STR_NONE;
	}
	if (level && level->is_object && level->at_key)
		walk_key(w, level, content);
	else if (kind == SCRUB_ARGUMENTS)
		scrub_content(content, inner_of(w, behind), w->out);
	else if (str_find(content, STR("\\")) < content.len)
		scrub_content(content, NULL, w->out);
	else
		walk_plain_string(w, kind, content);
	buf_add_byte(w->out, '"');
	return behind;
}

static size_t number_length(struct str text)
{
	size_t len = 0;

	while (len < text.len && (char_is_digit(text.ptr[len]) || (text.ptr[len] && strchr("+-.eE", text.ptr[len]))))
		len++;
	return len;
}

/* A number may say which call arguments belong to. */
static void walk_number(struct walk *w, struct str number)
{
	struct level *level = level_of(w);
	enum scrub_kind kind = kind_here(w, level);
	bool stays = kind == SCRUB_FIGURE || kind == SCRUB_TIME || (kind == SCRUB_CODE && number.len <= 3);
	long long index;

	if (level && (str_is(level->key, "index") || str_is(level->key, "output_index")) && str_to_int(number, &index))
		level->index = index;
	if (stays)
		buf_add(w->out, number);
	else
		scrub_number(number, w->out);
}

/* Letters outside of strings are literals, or no JSON; other characters than those of ASCII are never JSON there. */
static struct str walk_outside(struct walk *w, struct str text)
{
	static const char *const literals[] = { "true", "false", "null", "NaN", "Infinity" };
	size_t number = char_is_digit(*text.ptr) || *text.ptr == '-' ? number_length(text) : 0, len = 1;

	for (size_t i = 0; i < ARRAY_LEN(literals); i++)
		if (str_starts(text, literals[i]))
			len = strlen(literals[i]);
	w->broken = !number && len == 1 && (char_is_word(*text.ptr) || (unsigned char)*text.ptr >= 0x80);
	if (w->broken)
		return text;
	if (number)
		walk_number(w, str_head(text, number));
	else
		buf_add(w->out, str_head(text, len));
	return str_skip(text, number ? number : len);
}

/* A line, or all, of a JSON text. What stands behind a mistake is treated as text. */
static void scrub_piece(struct walk *w, struct str text)
{
	while (text.len && !w->broken) {
		struct level *level = level_of(w);
		char c = *text.ptr;

		if (c == '"') {
			buf_add_byte(w->out, c);
			text = walk_string(w, str_skip(text, 1));
			continue;
		}
		if (!strchr("{}[],:", c)) {
			text = walk_outside(w, text);
			continue;
		}
		if (c == '{' || c == '[')
			walk_open(w, c == '{');
		else if (c == '}' || c == ']')
			w->depth -= w->depth > 0;
		else if (level)
			level->at_key = c == ',' && level->is_object;
		buf_add_byte(w->out, c);
		text = str_skip(text, 1);
	}
	scrub_text(text, w->out);
}

static void walk_begin(struct walk *w, struct str json)
{
	struct str type = json_scan_is_whole(json) ? json_scan_find(json, (const char *const[]){ "type", NULL }) : STR_NONE;

	w->depth = 0;
	w->broken = false;
	w->delta_is_arguments = str_find(type, STR("arguments")) < type.len;
}

void scrub_json(const struct scrub *s, struct str json, struct buf *out)
{
	struct walk w = { .scrub = s, .out = out };

	walk_begin(&w, json);
	scrub_piece(&w, json);
}

/* --- bodies --- */

/* The value of a field `data`; several lines of an event are one JSON text. */
static void scrub_data(struct walk *w, struct str value, bool begins)
{
	struct str seen = str_trim(value);

	if (str_is(seen, "[DONE]")) {
		buf_add(w->out, value);
		return;
	}
	if (begins)
		walk_begin(w, seen);
	if (begins && !str_starts(seen, "{") && !str_starts(seen, "[") && !json_scan_is_whole(seen))
		w->broken = true;
	scrub_piece(w, value);
}

/* Where a line of an event stream stands. */
struct place {
	bool data;  /* the event has a line of data already */
	bool raw;   /* in JSON that is no field, over several lines */
};

/* A line without its end. */
static void scrub_line(struct walk *w, struct str line, struct place *place)
{
	size_t colon = str_find(line, STR(":"));
	struct str field = str_head(line, colon), value = str_skip(line, colon);

	if (place->raw) {
		scrub_piece(w, line);
	} else if (str_starts(line, "{") || str_starts(line, "[")) {
		scrub_data(w, line, true);
		place->raw = true;
	} else if (str_is(field, "data") || (str_is(field, "error") && value.len)) {
		buf_add(w->out, str_head(line, colon + 1)); /* a field may have no colon */
		scrub_data(w, str_skip(value, 1), !place->data);
		place->data = true;
	} else if (!field.len || str_is(field, "event") || str_is(field, "retry") || str_is(field, "id")) { /* without a field, a comment */
		struct str plain = str_trim_start(str_skip(value, 1));

		buf_add(w->out, str_head(line, line.len - plain.len));
		walk_plain_string(w, str_is(field, "retry") ? SCRUB_FIGURE : str_is(field, "id") ? SCRUB_ID : SCRUB_WORD, plain);
	} else {
		scrub_text(line, w->out);
	}
	place->raw = place->raw && w->depth && !w->broken;
}

static void scrub_event_stream(struct walk *w, struct str body)
{
	struct place place = { false, false };

	while (body.len) {
		size_t end = 0;

		while (end < body.len && body.ptr[end] != '\n' && body.ptr[end] != '\r')
			end++;
		if (end)
			scrub_line(w, str_head(body, end), &place);
		place.data = place.data && end;
		buf_add(w->out, str_head(str_skip(body, end), 1));
		if (end + 1 < body.len && body.ptr[end] == '\r' && body.ptr[end + 1] == '\n')
			buf_add_byte(w->out, '\n'), end++;
		body = str_skip(body, end + 1);
	}
}

void scrub_body(const struct scrub *s, struct str body, struct buf *out)
{
	struct walk w = { .scrub = s, .out = out };
	struct str seen = str_trim_start(str_starts(body, "\xef\xbb\xbf") ? str_skip(body, 3) : body), line;

	buf_add(out, str_head(body, body.len - seen.len));
	if (!str_starts(seen, "{") && !str_starts(seen, "[")) {
		scrub_event_stream(&w, seen);
		return;
	}
	while (str_split(&seen, '\n', &line)) { /* one value, or one a line */
		if (!w.depth)
			walk_begin(&w, line);
		scrub_piece(&w, line);
		if (line.ptr + line.len < body.ptr + body.len)
			buf_add_byte(out, '\n');
	}
}
