#include "ui/page/members.h"

#include "base/array.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/utf8.h"

#define NAME_GAP "  "
#define NAME_GAP_COLUMNS 2u
#define NAME_STEP 8u            /* columns: "query" and "url" leave values in the same one */
#define ESCAPE_UNIT 6           /* bytes of \uXXXX */

/* --- the text --- */

struct writing { struct members *m; struct buf *out; struct member_marks *marks; size_t start; };

static size_t writing_at(const struct writing *w)
{
	return w->m->written + w->out->len - w->start;
}

static void writing_mark(const struct writing *w, enum member_kind kind)
{
	if (w->marks)
		*ARRAY_ADD(w->marks->list, w->marks->count, w->marks->capacity) = (struct member_mark){ .at = writing_at(w), .kind = kind };
}

static void writing_line(const struct writing *w, enum member_kind kind)
{
	if (writing_at(w))
		buf_add_byte(w->out, '\n');
	writing_mark(w, kind);
	w->m->in_member = true;
}

static void writing_decode(const struct writing *w, size_t bytes)
{
	struct members *m = w->m;

	json_scan_unescape(str_of(m->escape, bytes), false, w->out);
	m->escape_bytes -= bytes;
	for (size_t i = 0; i < m->escape_bytes; i++)
		m->escape[i] = m->escape[bytes + i];
}

/* True if more bytes could still change what the collected escape stands for: it is incomplete, or the first half of a pair. */
static bool escape_waits(const struct members *m)
{
	uint32_t code;

	if (m->escape_bytes < 2 || (m->escape[1] == 'u' && m->escape_bytes < ESCAPE_UNIT))
		return true;
	if (m->escape[1] != 'u' || m->escape_bytes == sizeof m->escape)
		return false;
	json_scan_escape(str_of(m->escape, ESCAPE_UNIT), &code);
	return code >= 0xD800 && code <= 0xDBFF && (m->escape_bytes < ESCAPE_UNIT + 2 || m->escape[ESCAPE_UNIT + 1] == 'u');
}

static size_t escape_length(const struct members *m)
{
	uint32_t code;

	return json_scan_escape(str_of(m->escape, m->escape_bytes), &code);
}

static void writing_end_escape(const struct writing *w)
{
	while (w->m->escape_bytes)
		writing_decode(w, escape_length(w->m));
}

/* Writes a byte of a member's string, quotes excluded. */
static void writing_string(const struct writing *w, char byte)
{
	struct members *m = w->m;

	if (m->escape_bytes == ESCAPE_UNIT && byte != '\\') /* only another escape continues the first half of a pair */
		writing_end_escape(w);
	if (byte == '\\' || m->escape_bytes) {
		m->escape[m->escape_bytes++] = byte;
		while (m->escape_bytes && !escape_waits(m))
			writing_decode(w, escape_length(m));
	} else {
		buf_add_byte(w->out, byte);
	}
}

/* Writes a byte of the object that stands outside of names and strings. `deep`: it belongs to a nested value. */
static void writing_outside(const struct writing *w, char byte, bool deep)
{
	if (deep && !char_is_blank(byte))
		buf_add_byte(w->out, byte);
	else if (byte == ':')
		buf_add_z(w->out, NAME_GAP);
	else if (byte == ',' || byte == '}')
		w->m->in_member = false;
	else if (!char_is_blank(byte) && w->m->in_member)
		buf_add_byte(w->out, byte); /* a number or a literal */
}

/* The invalid rest. Before the first member also the bracket, which is not shown otherwise. */
static void writing_rest(const struct writing *w, struct str rest)
{
	bool is_first = !writing_at(w);

	writing_end_escape(w);
	if (!w->m->in_member)
		writing_line(w, MEMBER_NONE);
	buf_add_z(w->out, is_first ? "{" : "");
	buf_add(w->out, rest);
}

/* Sets the columns of the names once a name is whole. */
static void writing_end_name(const struct writing *w)
{
	struct member_mark *mark = w->marks && w->marks->count ? &w->marks->list[w->marks->count - 1] : NULL;
	size_t end = w->out->len;

	if (!mark || mark->name > end || mark->kind != MEMBER_BEGINS)
		return;
	unsigned needed = (unsigned)utf8_width(str_of(w->out->ptr + end - mark->name, mark->name)) + NAME_GAP_COLUMNS;
	needed = (needed + NAME_STEP - 1) / NAME_STEP * NAME_STEP;
	if (needed > w->marks->columns && needed <= MEMBERS_NAMES_MOST)
		w->marks->columns = needed;
}

/* Bytes up to the next one that may end a string or begin an escape; at least 1. */
static size_t members_run(const struct members *m, struct str piece)
{
	size_t at = 0;

	if (json_scan_place(&m->scan) == JSON_SCAN_OUTSIDE || m->escape_bytes)
		return 1;
	while (at < piece.len && piece.ptr[at] != '"' && piece.ptr[at] != '\\' && (unsigned char)piece.ptr[at] >= 0x20)
		at++;
	return at ? at : 1;
}

/* Writes bytes that the lexer accepted. `was`, `depth`: its place and depth before them. */
static void writing_add(const struct writing *w, struct str bytes, enum json_scan_place was, unsigned depth)
{
	enum json_scan_place is = json_scan_place(&w->m->scan);
	char byte = *bytes.ptr;

	if (depth > 1 || w->m->scan.depth > 1) {
		if (was != JSON_SCAN_OUTSIDE)
			buf_add(w->out, bytes);
		else
			writing_outside(w, byte, true);
	} else if (was == JSON_SCAN_OUTSIDE && is == JSON_SCAN_IN_KEY) {
		writing_line(w, MEMBER_BEGINS);
	} else if (was != is) { /* the other quotes */
		writing_end_escape(w);
		if (was == JSON_SCAN_IN_KEY)
			writing_end_name(w);
	} else if (was == JSON_SCAN_OUTSIDE) {
		writing_outside(w, byte, false);
	} else if (was == JSON_SCAN_IN_KEY) { /* as sent: a name stays in its line */
		buf_add(w->out, bytes);
		if (w->marks)
			w->marks->list[w->marks->count - 1].name += bytes.len;
	} else if (bytes.len == 1) {
		writing_string(w, byte);
	} else {
		buf_add(w->out, bytes);
	}
}

static void writing_members(const struct writing *w, struct str piece)
{
	struct json_scan *scan = &w->m->scan;

	while (piece.len && !scan->failed) {
		struct str bytes = str_head(piece, members_run(w->m, piece));
		enum json_scan_place was = json_scan_place(scan);
		unsigned depth = scan->depth;

		json_scan_feed(scan, bytes);
		if (scan->failed)
			break;
		writing_add(w, bytes, was, depth);
		piece = str_skip(piece, bytes.len);
	}
	if (piece.len)
		writing_rest(w, piece);
}

void members_add(struct members *m, struct str piece, struct buf *out, struct member_marks *marks)
{
	struct writing w = { m, out, marks, out->len };

	if (m->form == MEMBERS_UNKNOWN) {
		piece = str_trim_start(piece);
		if (!piece.len)
			return;
		m->form = *piece.ptr == '{' ? MEMBERS_LINES : MEMBERS_AS_SENT;
	}
	if (m->form == MEMBERS_LINES) {
		writing_members(&w, piece);
	} else {
		json_scan_feed(&m->scan, piece);
		buf_add(out, piece);
	}
	m->written = writing_at(&w);
}

/* --- marks --- */

void member_marks_fini(struct member_marks *marks)
{
	mem_free(marks->list);
	*marks = (struct member_marks){ .width = 0 };
}

/* The number of marks at or before an offset. */
static size_t marks_to(const struct member_marks *marks, size_t at)
{
	struct search s = search_in(0, marks->count);

	while (search_next(&s))
		search_take(&s, marks->list[s.middle].at <= at);
	return s.low;
}

void member_marks_drop(struct member_marks *marks, size_t at)
{
	size_t gone = marks_to(marks, at), kept = 0;

	if (gone && marks->list[--gone].at < at) {
		marks->list[gone].at = at;
		marks->list[gone].name = 0;
		if (marks->list[gone].kind == MEMBER_BEGINS)
			marks->list[gone].kind = MEMBER_GOES_ON;
	}
	for (size_t i = gone; i < marks->count; i++)
		marks->list[kept++] = marks->list[i];
	marks->count = kept;
}

/* The columns before values. */
static unsigned marks_indent(const struct member_marks *marks)
{
	return marks->columns < marks->width / 3 ? marks->columns : marks->width / 3;
}

/* The mark that a row belongs to; NULL: it is no line of a member. `*begins`: it is the first row of it. */
static const struct member_mark *marks_of_row(const struct member_marks *marks, const char *row, bool *begins)
{
	size_t at = (size_t)(row - marks->text) + marks->shift, to = marks_to(marks, at);
	const struct member_mark *mark = to ? &marks->list[to - 1] : NULL;

	*begins = mark && mark->at == at && mark->kind == MEMBER_BEGINS;
	return mark && mark->kind != MEMBER_NONE ? mark : NULL;
}

/* Columns between the name and the value, beyond those of the gap in the text. */
static unsigned marks_pad(const struct member_marks *marks, struct str name)
{
	unsigned used = (unsigned)utf8_width(name) + NAME_GAP_COLUMNS, indent = marks_indent(marks);

	return used < indent ? indent - used : 0;
}

unsigned member_marks_inset(const void *ctx, const char *row)
{
	const struct member_marks *marks = ctx;
	bool begins;
	const struct member_mark *mark = marks_of_row(marks, row, &begins);

	return !mark ? 0 : begins ? marks_pad(marks, str_of(row, mark->name)) : marks_indent(marks);
}

struct member_row member_marks_row(const struct member_marks *marks, struct str row)
{
	bool begins;
	const struct member_mark *mark = marks_of_row(marks, row.ptr, &begins);

	if (!mark || !begins)
		return (struct member_row){ .indent = mark ? marks_indent(marks) : 0 };
	size_t name = mark->name < row.len ? mark->name : row.len;
	return (struct member_row){ .name = name, .pad = name < row.len ? marks_pad(marks, str_head(row, name)) : 0 };
}
