/* Rules of bytes: event streams, UTF-8, JSON. */
#include "wire/lint/lint_inside.h"

#include <string.h>

/* --- oddities --- */

static void check_oddity(struct lint *l)
{
	static const struct { enum framer_oddity oddity; const char *rule, *words; } oddities[] = {
		{ FRAMER_BOM, "bom", "the body begins with a byte order mark" },
		{ FRAMER_LONE_CR, "line-end", "a line ends with CR alone" },
		{ FRAMER_CRLF, "line-feed", "a line ends with CR and LF" },
		{ FRAMER_NO_BLANK, "data-blank", "a data line has no blank behind its colon" },
		{ FRAMER_DATA_LINES, "data-lines", "an event has several data lines" },
		{ FRAMER_ERROR_FIELD, "error-field", "an error came in a field named error" },
		{ FRAMER_RAW_JSON, "raw-json", "JSON came without a field name" },
		{ FRAMER_SAME_LINE, "ollama-same-line", "a line holds several JSON values" },
		{ FRAMER_BETWEEN, "ollama-same-line", "a line holds a comma or a bracket besides its JSON value" },
		{ FRAMER_OPEN_ARRAY, "array-open", "the bracket of the array is not closed" },
	};

	for (size_t i = 0; i < ARRAY_LEN(oddities); i++)
		if (oddities[i].oddity == l->oddity && !strcmp(oddities[i].rule, l->rule->id))
			lint_report(l, "%s", oddities[i].words);
}

/* --- frames --- */

static void check_utf8(struct lint *l)
{
	if (!l->frame_is_utf8)
		lint_report(l, "the bytes are not valid UTF-8");
}

static void check_data_empty(struct lint *l)
{
	if (str_is_blank(l->frame->data))
		lint_report(l, "the data of an event is empty");
}

static void check_json(struct lint *l)
{
	lint_report(l, "not JSON: %s", lint_quote(l->broken).text);
}

/* An array of values is accepted as these values. */
static void check_event_array(struct lint *l)
{
	struct str data = str_trim_start(l->frame->data);

	if (l->first != '{' && l->first != '[' && str_starts(data, "[") && !str_starts(data, "[DONE]"))
		lint_report(l, "the data of an event is an array");
}

/* Where a text stops being JSON by the standard. */
static size_t strict_length(struct str text)
{
	struct json_scan scan;
	size_t at = 0;

	json_scan_init(&scan);
	while (at < text.len && !json_scan_failed(&scan))
		json_scan_feed(&scan, str_of(text.ptr + at++, 1));
	return at ? at - 1 : 0;
}

static void check_json_strict(struct lint *l)
{
	struct str raw = l->message->raw;

	if (!raw.len || json_scan_is_whole(raw) || json_scan_is_too_deep(raw))
		return;
	size_t at = strict_length(raw);
	unsigned char byte = (unsigned char)raw.ptr[at];
	if (byte < ' ')
		lint_report(l, "a string has the control byte %02X", byte);
	else
		lint_report(l, "not JSON by the standard: %s",
		            lint_quote(str_skip(raw, at > LINT_QUOTE_BYTES / 2 ? at - LINT_QUOTE_BYTES / 2 : 0)).text);
}

/* Members as they stand in the text: a colon that is in no string belongs to one. */
static size_t count_members(struct str raw)
{
	size_t count = 0;
	bool in_string = false;

	for (size_t i = 0; i < raw.len; i++) {
		in_string ^= raw.ptr[i] == '"';
		i += in_string && raw.ptr[i] == '\\';
		count += !in_string && raw.ptr[i] == ':';
	}
	return count;
}

/* Members of the tree, in which a name stands once. */
static size_t count_kept(const struct json *value)
{
	struct json_member member = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < json_length(value); i++)
		count += count_kept(json_at(value, i));
	while (json_next(value, &member))
		count += 1 + count_kept(member.value);
	return count;
}

static void check_json_names(struct lint *l)
{
	size_t sent = count_members(l->message->raw), kept = count_kept(l->message->value);

	if (sent > kept && !json_scan_is_too_deep(l->message->raw))
		lint_report(l, "an object has a member twice");
}

static void check_unclosed(struct lint *l)
{
	if (l->frame->unclosed)
		lint_report(l, "the body ends inside a frame");
}

static void check_one_value(struct lint *l)
{
	if (l->values_in_frame == 2)
		lint_report(l, "a frame holds several JSON values");
}

static void check_surrogate(struct lint *l)
{
	struct str raw = l->message->raw;
	uint32_t code;

	for (const char *at; raw.len && (at = memchr(raw.ptr, '\\', raw.len));) {
		raw = str_skip(raw, (size_t)(at - raw.ptr));
		size_t len = json_scan_escape(raw, &code);

		if (code >= 0xD800 && code <= 0xDFFF) {
			lint_report(l, "half of a surrogate pair: %.6s", raw.ptr);
			return;
		}
		raw = str_skip(raw, len);
	}
}

static const struct lint_rule rows[] = {
#include "lint_framing.inc"
};

const struct lint_group lint_group_framing = { rows, ARRAY_LEN(rows) };
