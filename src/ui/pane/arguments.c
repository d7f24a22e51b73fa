#include "ui/pane/arguments.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/search.h"
#include "chat/conversation/figure.h"

#define CHUNK ((size_t)4 << 10) /* bytes processed at a time: pretty-printed, they may be a hundred times as many */
#define LIMIT (ARGUMENTS_SHOWN * 2)
#define MARK_BYTES 256          /* least distance of marks within a member */
#define NAME_GAP "  "
#define ESCAPE_UNIT 6           /* bytes of \uXXXX */

void arguments_init(struct arguments *a)
{
	*a = (struct arguments){ .bytes = 0 };
	buf_init(&a->text, LIMIT);
	flow_init(&a->flow);
	arguments_begin(a);
}

void arguments_fini(struct arguments *a)
{
	buf_fini(&a->text);
	buf_fini(&a->scratch);
	flow_fini(&a->flow);
	mem_free(a->marks);
}

void arguments_begin(struct arguments *a)
{
	a->form = ARGUMENTS_UNKNOWN;
	a->pretty = (struct json_pretty){ .pending = false };
	a->in_member = false;
	buf_clear(&a->text);
	flow_reset(&a->flow);
	tail_begin(&a->tail);
	a->bytes = a->dropped = a->notice = a->pretty_bytes = a->escape_bytes = a->mark_count = 0;
}

/* --- marks --- */

static void arguments_mark(struct arguments *a, struct arguments_mark mark)
{
	*ARRAY_ADD(a->marks, a->mark_count, a->mark_capacity) = mark;
}

/* The number of marks at or before an offset in the text. */
static size_t arguments_marks_to(const struct arguments *a, size_t text)
{
	struct search s = search_in(0, a->mark_count);

	while (search_next(&s))
		search_take(&s, a->marks[s.middle].text <= text);
	return s.low;
}

size_t arguments_pretty_offset(const struct arguments *a, size_t text)
{
	size_t next = arguments_marks_to(a, text);
	size_t last = next < a->mark_count ? a->marks[next].pretty : a->pretty_bytes;

	if (!next)
		return 0;
	size_t at = a->marks[next - 1].pretty + (text - a->marks[next - 1].text);
	return at < last ? at : last;
}

size_t arguments_text_offset(const struct arguments *a, size_t pretty)
{
	struct search s = search_in(0, a->mark_count);

	while (search_next(&s))
		search_take(&s, a->marks[s.middle].pretty <= pretty);
	if (!s.low)
		return 0;
	size_t at = a->marks[s.low - 1].text + (pretty - a->marks[s.low - 1].pretty),
	       last = s.low < a->mark_count ? a->marks[s.low].text : a->text.len;
	return at < last ? at : last;
}

/* --- members --- */

static void arguments_decode(struct arguments *a, size_t bytes)
{
	json_scan_unescape(str_of(a->escape, bytes), false, &a->text);
	a->escape_bytes -= bytes;
	for (size_t i = 0; i < a->escape_bytes; i++)
		a->escape[i] = a->escape[bytes + i];
}

/* True if more bytes could still change what the collected escape stands for: it is incomplete, or the first half of a pair. */
static bool arguments_escape_waits(const struct arguments *a)
{
	uint32_t code;

	if (a->escape_bytes < 2 || (a->escape[1] == 'u' && a->escape_bytes < ESCAPE_UNIT))
		return true;
	if (a->escape[1] != 'u' || a->escape_bytes == sizeof a->escape)
		return false;
	json_scan_escape(str_of(a->escape, ESCAPE_UNIT), &code);
	return code >= 0xD800 && code <= 0xDBFF && (a->escape_bytes < ESCAPE_UNIT + 2 || a->escape[ESCAPE_UNIT + 1] == 'u');
}

static size_t arguments_escape_length(const struct arguments *a)
{
	uint32_t code;

	return json_scan_escape(str_of(a->escape, a->escape_bytes), &code);
}

static void arguments_end_escape(struct arguments *a)
{
	while (a->escape_bytes)
		arguments_decode(a, arguments_escape_length(a));
}

/* Writes a byte of a member's string, quotes excluded. */
static void arguments_add_string(struct arguments *a, char byte)
{
	if (a->escape_bytes == ESCAPE_UNIT && byte != '\\') /* only another escape continues the first half of a pair */
		arguments_end_escape(a);
	if (byte == '\\' || a->escape_bytes) {
		a->escape[a->escape_bytes++] = byte;
		while (a->escape_bytes && !arguments_escape_waits(a))
			arguments_decode(a, arguments_escape_length(a));
	} else {
		buf_add_byte(&a->text, byte);
	}
}

/* Writes a byte of the object that stands outside of names and strings. `deep`: it belongs to a nested value. */
static void arguments_add_outside(struct arguments *a, char byte, bool deep)
{
	if (deep && !char_is_blank(byte))
		buf_add_byte(&a->text, byte);
	else if (byte == ':')
		buf_add_z(&a->text, NAME_GAP);
	else if (byte == ',' || byte == '}')
		a->in_member = false;
	else if (!char_is_blank(byte) && a->in_member)
		buf_add_byte(&a->text, byte); /* a number or a literal */
}

/* The invalid rest. Before the first member also the bracket, which is not shown otherwise. */
static void arguments_add_rest(struct arguments *a, struct str rest)
{
	arguments_end_escape(a);
	if (!a->in_member && a->text.len > a->notice)
		buf_add_byte(&a->text, '\n');
	bool is_first = !a->mark_count;
	if (!a->in_member)
		arguments_mark(a, (struct arguments_mark){ a->text.len, a->pretty_bytes - is_first, 0, true });
	a->in_member = true;
	buf_add(&a->text, is_first ? STR("{") : STR_NONE);
	buf_add(&a->text, rest);
}

/* Bytes up to the next one that may end a string or begin an escape; at least 1. */
static size_t arguments_run(const struct arguments *a, struct str piece)
{
	size_t at = 0;

	if (json_scan_place(&a->pretty.scan) == JSON_SCAN_OUTSIDE || a->escape_bytes)
		return 1;
	while (at < piece.len && piece.ptr[at] != '"' && piece.ptr[at] != '\\' && (unsigned char)piece.ptr[at] >= 0x20)
		at++;
	return at ? at : 1;
}

/* Writes bytes that the lexer accepted. `was`, `depth`: its place and depth before them. */
static void arguments_write(struct arguments *a, struct str bytes, enum json_scan_place was, unsigned depth)
{
	const struct json_scan *scan = &a->pretty.scan;
	enum json_scan_place is = json_scan_place(scan);
	char byte = *bytes.ptr;

	if (depth > 1 || scan->depth > 1) {
		if (was != JSON_SCAN_OUTSIDE)
			buf_add(&a->text, bytes);
		else
			arguments_add_outside(a, byte, true);
	} else if (was == JSON_SCAN_OUTSIDE && is == JSON_SCAN_IN_KEY) {
		if (a->text.len > a->notice)
			buf_add_byte(&a->text, '\n');
		arguments_mark(a, (struct arguments_mark){ a->text.len, a->pretty_bytes, 0, true });
		a->in_member = true;
	} else if (was != is) { /* the other quotes */
		arguments_end_escape(a);
	} else if (was == JSON_SCAN_OUTSIDE) {
		arguments_add_outside(a, byte, false);
	} else if (was == JSON_SCAN_IN_KEY) { /* as sent: a name stays in its line */
		buf_add(&a->text, bytes);
		a->marks[a->mark_count - 1].name += bytes.len;
	} else if (bytes.len == 1) {
		arguments_add_string(a, byte);
	} else {
		buf_add(&a->text, bytes);
	}
}

static void arguments_add_members(struct arguments *a, struct str piece)
{
	const struct json_scan *scan = &a->pretty.scan;

	while (piece.len && !scan->failed) {
		struct str bytes = str_head(piece, arguments_run(a, piece));
		enum json_scan_place was = json_scan_place(scan);
		unsigned depth = scan->depth;

		buf_clear(&a->scratch);
		json_pretty_add(&a->pretty, bytes, &a->scratch);
		if (scan->failed)
			break;
		a->pretty_bytes += a->scratch.len;
		arguments_write(a, bytes, was, depth);
		if (a->in_member && json_scan_place(scan) != JSON_SCAN_IN_KEY && a->text.len - a->marks[a->mark_count - 1].text > MARK_BYTES)
			arguments_mark(a, (struct arguments_mark){ a->text.len, a->pretty_bytes, 0, false });
		piece = str_skip(piece, bytes.len);
	}
	if (piece.len) {
		arguments_add_rest(a, piece);
		a->pretty_bytes += piece.len;
	}
}

/* --- the text --- */

static void arguments_add(struct arguments *a, struct str piece)
{
	if (a->form == ARGUMENTS_UNKNOWN) {
		piece = str_trim_start(piece);
		if (!piece.len)
			return;
		a->form = *piece.ptr == '{' ? ARGUMENTS_MEMBERS : ARGUMENTS_RAW;
		if (a->form == ARGUMENTS_RAW)
			arguments_mark(a, (struct arguments_mark){ 0 });
	}
	if (a->form == ARGUMENTS_MEMBERS) {
		arguments_add_members(a, piece);
		return;
	}
	size_t before = a->text.len;
	json_pretty_add(&a->pretty, piece, &a->text);
	a->pretty_bytes += a->text.len - before;
}

/* Moves the marks by the bytes that were dropped. One stands where the kept text begins. */
static void arguments_move_marks(struct arguments *a, size_t drop, size_t notice)
{
	size_t gone = arguments_marks_to(a, drop), kept = 0;
	struct arguments_mark first = { drop, arguments_pretty_offset(a, drop), 0, false };

	if (gone && a->marks[gone - 1].text == drop)
		first = a->marks[gone - 1];
	if (gone)
		a->marks[--gone] = first;
	for (size_t i = gone; i < a->mark_count; i++) {
		a->marks[kept] = a->marks[i];
		a->marks[kept++].text += notice - drop;
	}
	a->mark_count = kept;
}

/* Drops the front of the text at a character boundary and inserts the notice. */
static void arguments_drop(struct arguments *a)
{
	char line[FIGURE_SIZE + 40], figure[FIGURE_SIZE];
	size_t drop = a->text.len - ARGUMENTS_SHOWN / 2;

	while (drop < a->text.len && utf8_is_inside(a->text.ptr[drop]))
		drop++;
	a->dropped += drop - a->notice;
	a->notice = (size_t)snprintf(line, sizeof line, "\u2026 %s above\n", figure_bytes(figure, a->dropped));
	arguments_move_marks(a, drop, a->notice);
	buf_drop(&a->text, drop);
	tail_drop(&a->tail, drop);
	buf_insert(&a->text, 0, str_from(line));
	flow_reset(&a->flow);
}

void arguments_update(struct arguments *a, struct str whole, unsigned columns)
{
	if (whole.len < a->bytes)
		arguments_begin(a);
	for (struct str more = str_skip(whole, a->bytes); more.len; more = str_skip(more, CHUNK)) {
		arguments_add(a, str_head(more, CHUNK));
		if (a->text.len > ARGUMENTS_SHOWN)
			arguments_drop(a);
	}
	a->bytes = whole.len;
	unsigned indent = a->form == ARGUMENTS_MEMBERS ? ARGUMENTS_INDENT : 0;
	flow_update(&a->flow, buf_str(&a->text), columns > indent ? columns - indent : 1);
}

const char *arguments_state(const struct arguments *a)
{
	return json_scan_failed(&a->pretty.scan) ? "not JSON" : json_scan_whole(&a->pretty.scan) ? "whole" : "assembling";
}

struct arguments_row arguments_row(const struct arguments *a, size_t row)
{
	size_t start = row < a->flow.count ? a->flow.starts[row] : 0, marks = arguments_marks_to(a, start);
	const struct arguments_mark *mark = marks ? &a->marks[marks - 1] : NULL;

	if (a->form != ARGUMENTS_MEMBERS || start < a->notice)
		return (struct arguments_row){ 0 };
	bool begins = mark && mark->begins && mark->text == start;
	return begins ? (struct arguments_row){ .name = mark->name } : (struct arguments_row){ .indent = ARGUMENTS_INDENT };
}

bool arguments_last(const struct arguments *a, struct str *name, struct str *value)
{
	size_t last = a->mark_count;

	while (last && !a->marks[last - 1].begins)
		last--;
	if (!last)
		return false;
	const struct arguments_mark *mark = &a->marks[last - 1];
	*name = str_head(str_skip(buf_str(&a->text), mark->text), mark->name);
	*value = str_trim_start(str_skip(buf_str(&a->text), mark->text + mark->name));
	return true;
}
