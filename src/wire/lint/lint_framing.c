/* Rules of bytes: event streams, UTF-8, JSON. */
#include "wire/lint/lint_inside.h"

#include <string.h>

#define STANDARD "WHATWG HTML, 9.2 Server-sent events: "
#define PARSING STANDARD "Parsing an event stream"
#define INTERPRETING STANDARD "Interpreting an event stream"

/* --- oddities --- */

static void check_bom(struct lint *l)
{
	if (l->oddity == FRAMER_BOM)
		lint_report(l, "the body begins with a byte order mark");
}

static void check_lone_cr(struct lint *l)
{
	if (l->oddity == FRAMER_LONE_CR)
		lint_report(l, "a line ends with CR alone");
}

static void check_crlf(struct lint *l)
{
	if (l->oddity == FRAMER_CRLF)
		lint_report(l, "a line ends with CR and LF");
}

static void check_no_blank(struct lint *l)
{
	if (l->oddity == FRAMER_NO_BLANK)
		lint_report(l, "a data line has no blank behind its colon");
}

static void check_data_lines(struct lint *l)
{
	if (l->oddity == FRAMER_DATA_LINES)
		lint_report(l, "an event has several data lines");
}

static void check_no_data(struct lint *l)
{
	if (l->oddity == FRAMER_NO_DATA)
		lint_report(l, "an event has a name and no data");
}

static void check_field(struct lint *l)
{
	if (l->oddity == FRAMER_FIELD)
		lint_report(l, "a line is no field of an event stream");
}

static void check_error_field(struct lint *l)
{
	if (l->oddity == FRAMER_ERROR_FIELD)
		lint_report(l, "an error came in a field named error");
}

static void check_raw_json(struct lint *l)
{
	if (l->oddity == FRAMER_RAW_JSON)
		lint_report(l, "JSON came without a field name");
}

/* --- frames --- */

static void check_utf8(struct lint *l)
{
	if (!l->frame_is_utf8)
		lint_report(l, "the bytes are not valid UTF-8");
}

static void check_empty_data(struct lint *l)
{
	if (str_is_blank(l->frame->data))
		lint_report(l, "the data of an event is empty");
}

static void check_json(struct lint *l)
{
	lint_report(l, "not JSON: %s", lint_quote(l->broken).text);
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

/* The code unit of an escape \\uXXXX at the start; 0: none. */
static unsigned unit_at(struct str text)
{
	unsigned unit = 0;

	if (text.len < 6 || !str_starts(text, "\\u"))
		return 0;
	for (size_t i = 2; i < 6; i++) {
		char c = char_lower(text.ptr[i]);

		if (!char_is_digit(c) && (c < 'a' || c > 'f'))
			return 0;
		unit = unit << 4 | (unsigned)(char_is_digit(c) ? c - '0' : c - 'a' + 10);
	}
	return unit;
}

static bool is_high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
static bool is_low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

static void check_surrogate(struct lint *l)
{
	struct str raw = l->message->raw;

	for (const char *at; raw.len && (at = memchr(raw.ptr, '\\', raw.len)); ) {
		raw = str_skip(raw, (size_t)(at - raw.ptr));
		unsigned unit = unit_at(raw);
		bool pair = is_high(unit) && is_low(unit_at(str_skip(raw, 6)));

		if (!pair && (is_high(unit) || is_low(unit))) {
			lint_report(l, "half of a surrogate pair: %.6s", raw.ptr);
			return;
		}
		raw = str_skip(raw, pair ? 12 : unit ? 6 : 2);
	}
}

static void check_array_open(struct lint *l)
{
	if (l->oddity == FRAMER_OPEN_ARRAY)
		lint_report(l, "the bracket of the array is not closed");
}

static const struct lint_rule rows[] = {
	{ "utf8", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_FRAME, check_utf8,
	  "A body is UTF-8",
	  PARSING "; RFC 8259, 8.1 Character Encoding",
	  "clients that decode strictly" },
	{ "json", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_BROKEN, check_json,
	  "Each frame is JSON, or the end mark",
	  "RFC 8259; chuizi, SSE Event Format",
	  "clients that parse each event as JSON, among them the official SDKs" },
	{ "one-value", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_VALUE, check_one_value,
	  "A frame holds one JSON value, and a blank line ends each event",
	  PARSING "; aivene, Wire format",
	  "clients that parse the data of an event as one JSON value (openai-python issue 663)" },
	{ "unclosed", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_FRAME, check_unclosed,
	  "A blank line ends each event, also the last one; brackets are closed",
	  INTERPRETING,
	  "clients that follow the standard: they discard the event" },
	{ "surrogate", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_VALUE, check_surrogate,
	  "A text has whole characters, also a delta",
	  "RFC 8259, 8.2 Unicode Characters",
	  "clients that show or store each delta: half of a pair is no character" },
	{ "array-open", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_ODDITY, check_array_open,
	  "An array is closed",
	  "RFC 8259, 5 Arrays",
	  "clients that parse the body as one JSON value" },
	{ "data-empty", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_FRAME, check_empty_data,
	  "The data of an event is a JSON value or the end mark",
	  "chuizi, SSE Event Format",
	  "clients that parse each event as JSON (coddy-agent pull 106)" },
	{ "data-lines", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_ODDITY, check_data_lines,
	  "Each event is a single data line",
	  "aivene, Wire format; opentoken, Frame format",
	  "clients that read line by line, such as the reader that aivene prints" },
	{ "data-blank", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_ODDITY, check_no_blank,
	  "A data line begins with \"data: \", with a blank",
	  "chuizi, SSE Event Format; opentoken, Frame format",
	  "clients that look for \"data: \": langchain_dart issue 778, openai-python issue 498, the reader that aivene prints" },
	{ "event-empty", LINT_UNUSUAL, LINT_ANY, LINT_EVERY, LINT_ON_ODDITY, check_no_data,
	  "An event has data; one without is never given to the client",
	  INTERPRETING,
	  NULL },
	{ "field", LINT_UNUSUAL, LINT_ANY, LINT_EVERY, LINT_ON_ODDITY, check_field,
	  "The fields of an event are data, event, id and retry",
	  INTERPRETING,
	  NULL },
	{ "error-field", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_ODDITY, check_error_field,
	  "An error comes as data: a client ignores a field named error",
	  INTERPRETING,
	  "clients that follow the standard: they see no error (llama.cpp pull 16109)" },
	{ "raw-json", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_ODDITY, check_raw_json,
	  "JSON comes as data: a client ignores lines that are no fields",
	  INTERPRETING,
	  "clients that follow the standard: they ignore the lines" },
	{ "bom", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_ODDITY, check_bom,
	  "A body begins with its first field; the standard allows a byte order mark",
	  PARSING,
	  "clients that do not drop it: they miss the first event (openai-python before pull 3819)" },
	{ "line-end", LINT_BREAKS_CLIENTS, LINT_ANY, LINT_EVERY, LINT_ON_ODDITY, check_lone_cr,
	  "A line ends with LF or CRLF; the standard allows CR alone",
	  PARSING "; opentoken, Frame format",
	  "clients that split lines at LF, such as the reader that aivene prints" },
	{ "line-feed", LINT_BREAKS_PROMISE, LINT_openai_chat, LINT_OPENTOKEN, LINT_ON_ODDITY, check_crlf,
	  "The byte sequence on the wire is data: {json}, LF, LF",
	  "opentoken, Frame format",
	  NULL },
};

const struct lint_group lint_group_framing = { rows, ARRAY_LEN(rows) };
