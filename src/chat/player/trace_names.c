/* The names of rows and of what is remarkable about them (trace.h). */
#include "chat/player/trace.h"

const char *trace_kind_name(enum trace_kind kind)
{
	static const char *const names[TRACE_KINDS] = {
		[TRACE_HEAD] = "head", [TRACE_EVENT] = "event", [TRACE_JSON] = "json", [TRACE_COMMENT] = "comment", [TRACE_FIELDS] = "fields",
		[TRACE_DROPPED] = "dropped", [TRACE_BODY] = "body", [TRACE_END] = "end",
		[TRACE_CLIENT] = "client", [TRACE_SERVER] = "server", [TRACE_RUN] = "run",
	};

	return names[kind];
}

static const struct { const char *id, *words; bool is_usual; } marks[TRACE_MARKS] = {
	[FRAMER_BOM] = { "bom", "a byte order mark stands before it", false },
	[FRAMER_LONE_CR] = { "lone-cr", "a line ends with CR alone", false },
	[FRAMER_CRLF] = { "crlf", "its lines end with CR and LF", true },
	[FRAMER_NO_BLANK] = { "no-blank", "no blank stands behind data:", true },
	[FRAMER_DATA_LINES] = { "data-lines", "its data has several lines, which were joined", true },
	[FRAMER_NO_DATA] = { "no-data", "an event without data", false },
	[FRAMER_FIELD] = { "field", "it has a field that event streams do not have", false },
	[FRAMER_ERROR_FIELD] = { "error-field", "the field error was taken as an event", false },
	[FRAMER_RAW_JSON] = { "raw-json", "JSON without a field name was taken as data", false },
	[FRAMER_OPEN_ARRAY] = { "open-array", "the array around the values is not closed", false },
	[FRAMER_SAME_LINE] = { "same-line", "it stands in the line of the value before", false },
	[FRAMER_BETWEEN] = { "between", "a comma or a bracket stands behind it", false },
	[FRAMER_COMMENT] = { "comment", "a comment", true },
	[FRAMER_FIELDS] = { "fields", "an event with neither type nor data", true },
	[FRAMER_TOO_LARGE] = { "too-large", "it is larger than the limit; it and the rest were not read", false },
	[TRACE_INVALID] = { "invalid-utf8", "it is not valid UTF-8, and was repaired", false },
	[TRACE_BROKEN] = { "broken-json", "text in it is not JSON, and was ignored", false },
	[TRACE_UNCLOSED] = { "unclosed", "the body ended inside it", false },
	[TRACE_FINISH] = { "finish", "its finish word is told with the end", true },
	[TRACE_DONE] = { "done", "the end mark", true },
	[TRACE_FINDING] = { "finding", "lint names it", false },
	[TRACE_REPAIRS + MENDED_CALL_INDEX] = { "call-index", "a call has no index, or that of another one: it was told apart by id, name or order",
		false },
	[TRACE_REPAIRS + MENDED_CALL_NAME] = { "call-name", "the name of a call came in pieces, which were joined", false },
	[TRACE_REPAIRS + MENDED_REASONING] = { "reasoning-mirrored", "the same reasoning came in several fields: one was taken", false },
	[TRACE_REPAIRS + MENDED_THINK] = { "think", "text between <think> and </think> was taken as reasoning", false },
};

const char *trace_mark_id(unsigned mark)
{
	return marks[mark].id;
}

const char *trace_mark_words(unsigned mark)
{
	return marks[mark].words;
}

bool trace_mark_is_usual(unsigned mark)
{
	return marks[mark].is_usual;
}
