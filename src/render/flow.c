#include "render/flow.h"

#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/search.h"

#define TAB_COLUMNS 8

/* Line breaking class of a cluster. */
enum kind {
	KIND_WORD,    /* letters, digits and their marks */
	KIND_BLANK,
	KIND_HYPHEN,
	KIND_SIGN,    /* ASCII punctuation that neither opens nor closes */
	KIND_OPENING,
	KIND_CLOSING,
	KIND_IDEOGRAPH,
	KIND_NOTHING, /* the start of a row */
};

/* Closing punctuation and small kana, sorted: no row begins with one (UAX #14: CL, CP, EX, NS, CJ). */
static const uint16_t closing[] = {
	0x2019, 0x201D, 0x2025, 0x2026, 0x2030, 0x203A, 0x203C, 0x2047, 0x2048, 0x2049, 0x2103,
	0x3001, 0x3002, 0x3005, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B, 0x301C, 0x301E, 0x301F,
	0x303B, 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E, 0x3095, 0x3096, 0x309B, 0x309C, 0x309D, 0x309E,
	0x30A0, 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30F5, 0x30F6, 0x30FB, 0x30FC, 0x30FD, 0x30FE,
	0xFF01, 0xFF05, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF3D, 0xFF5D, 0xFF5E, 0xFF60, 0xFF61, 0xFF63, 0xFF64,
};

/* Opening punctuation and currency before a number, sorted: no row ends with one (OP, PR). */
static const uint16_t opening[] = {
	0x2018, 0x201C, 0x2039, 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0x301D,
	0xFF04, 0xFF08, 0xFF3B, 0xFF5B, 0xFF5F, 0xFF62, 0xFFE1, 0xFFE5,
};

static bool is_in_codes(const uint16_t *table, size_t count, uint32_t code)
{
	struct search s = search_in(0, count);

	while (search_next(&s))
		search_take(&s, table[s.middle] < code);
	return s.low < count && table[s.low] == code;
}
#define IS_IN(table, code) is_in_codes((table), ARRAY_LEN(table), (code))

static const uint8_t ascii_kinds[128] = {
	[' '] = KIND_BLANK, ['\t'] = KIND_BLANK, ['-'] = KIND_HYPHEN, ['('] = KIND_OPENING, ['['] = KIND_OPENING, ['{'] = KIND_OPENING,
	[')'] = KIND_CLOSING, [']'] = KIND_CLOSING, ['}'] = KIND_CLOSING, ['!'] = KIND_CLOSING, [','] = KIND_CLOSING, ['.'] = KIND_CLOSING,
	[':'] = KIND_CLOSING, [';'] = KIND_CLOSING, ['?'] = KIND_CLOSING, ['%'] = KIND_CLOSING,
	['"'] = KIND_SIGN, ['#'] = KIND_SIGN, ['$'] = KIND_SIGN, ['&'] = KIND_SIGN, ['\''] = KIND_SIGN, ['*'] = KIND_SIGN, ['+'] = KIND_SIGN,
	['/'] = KIND_SIGN, ['<'] = KIND_SIGN, ['='] = KIND_SIGN, ['>'] = KIND_SIGN, ['@'] = KIND_SIGN, ['\\'] = KIND_SIGN, ['^'] = KIND_SIGN,
	['_'] = KIND_SIGN, ['`'] = KIND_SIGN, ['|'] = KIND_SIGN, ['~'] = KIND_SIGN,
};

/* A blank with a combining mark is not a blank. */
static enum kind flow_kind_of(struct str text, unsigned columns)
{
	uint32_t code;

	if (text.ptr[0] == ' ' && text.len > 1)
		return KIND_WORD;
	if (!((unsigned char)text.ptr[0] & 0x80))
		return ascii_kinds[(unsigned char)text.ptr[0]];
	code = utf8_next(&text);
	if (code == 0x2010 || code == 0x2014) /* hyphen and em dash; not the non-breaking U+2011 and U+00A0 */
		return KIND_HYPHEN;
	if (IS_IN(closing, code))
		return KIND_CLOSING;
	if (IS_IN(opening, code))
		return KIND_OPENING;
	return columns == 2 ? KIND_IDEOGRAPH : KIND_WORD;
}

/* Whether a row may end between `left` and `right`; `before_that` is the class before `left`. */
static bool may_break(enum kind before_that, enum kind left, enum kind right)
{
	if (left == KIND_NOTHING || right == KIND_BLANK)
		return false;
	if (left == KIND_BLANK)
		return true;
	if (right == KIND_CLOSING || left == KIND_OPENING)
		return false;
	if (left == KIND_HYPHEN)
		return before_that == KIND_WORD && right == KIND_WORD;
	return left == KIND_IDEOGRAPH || right == KIND_IDEOGRAPH;
}

/* ASCII that no combining mark can follow needs no segmentation. */
static bool is_plain_flow(struct str text)
{
	unsigned char first = (unsigned char)text.ptr[0];

	return first >= ' ' && first < 0x7F && (text.len == 1 || !((unsigned char)text.ptr[1] & 0x80));
}

bool flow_next(struct str *rest, unsigned column, struct flow_cell *next)
{
	unsigned char first;

	if (!rest->len)
		return false;
	first = (unsigned char)rest->ptr[0];
	next->blank = first == '\t' || first == '\n' || str_starts(*rest, "\r\n");
	if (next->blank) {
		next->columns = first == '\t' ? TAB_COLUMNS - column % TAB_COLUMNS : 1;
		*rest = str_skip(*rest, first == '\r' ? 2 : 1);
		return true;
	}
	if (is_plain_flow(*rest)) {
		memset(&next->cell, 0, sizeof next->cell);
		next->cell.text[0] = rest->ptr[0];
		next->cell.len = next->cell.width = 1;
		next->columns = 1;
		*rest = str_skip(*rest, 1);
		return true;
	}
	memset(&next->cell, 0, sizeof next->cell);
	*rest = str_skip(*rest, utf8_cell(*rest, &next->cell));
	next->columns = next->cell.width;
	return true;
}

unsigned flow_columns(struct str text, unsigned most)
{
	struct flow_cell next;
	unsigned used = 0;

	while (used < most && flow_next(&text, used, &next))
		used += next.columns;
	return used < most ? used : most;
}

void flow_init(struct flow *flow)
{
	*flow = (struct flow){ 0 };
}

void flow_fini(struct flow *flow)
{
	mem_free(flow->starts);
	flow_init(flow);
}

void flow_reset(struct flow *flow)
{
	flow->count = 0;
	flow->length = 0;
}

struct step {
	size_t len;
	unsigned columns;
	enum kind kind;
	bool ends_row;
};

/* Determines the next step of wrapping at `column`. */
static struct step next_step(struct str rest, unsigned column)
{
	struct step step = { .len = 1, .columns = 1 };
	struct str behind = rest;
	struct flow_cell next = { .columns = 0 };

	if (is_plain_flow(rest)) {
		step.kind = ascii_kinds[(unsigned char)rest.ptr[0]];
		return step;
	}
	flow_next(&behind, column, &next);
	step.len = rest.len - behind.len;
	step.columns = next.columns;
	step.ends_row = next.blank && rest.ptr[0] != '\t';
	if (rest.ptr[0] == '\r' && !behind.len)
		step.ends_row = true; /* the LF of a CRLF may not have arrived yet */
	step.kind = flow_kind_of(str_head(rest, step.len), step.columns);
	return step;
}

/* Offset of the end of the row that begins at `start`, which is the start of the next row or the text's end. */
static size_t lay_flow_row(const struct flow *flow, struct str text, size_t start)
{
	enum kind before_that = KIND_NOTHING, left = KIND_NOTHING;
	size_t at = start, break_at = start, gap_at = start;
	unsigned column = 0, free = flow->inset ? flow->inset(flow->ctx, text.ptr + start) : 0;
	unsigned width = flow->width_cells > free ? flow->width_cells - free : 1;

	while (at < text.len) {
		struct step step = next_step(str_of(text.ptr + at, text.len - at), column);
		bool too_wide = step.kind != KIND_BLANK && column + step.columns > width;

		if (step.ends_row)
			return at + step.len;
		if (may_break(before_that, left, step.kind) && !(left == KIND_HYPHEN && flow->holds && flow->holds(flow->ctx, at)))
			break_at = at;
		if (flow->by_gaps && break_at == at && at >= 2 && text.ptr[at - 1] == ' ' && text.ptr[at - 2] == ' ')
			gap_at = at;
		if (at > start && (too_wide || at - start >= FLOW_ROW_BYTES))
			return gap_at > start ? gap_at : break_at > start ? break_at : at;
		at += step.len;
		column += step.columns;
		if (step.columns) {
			before_that = left;
			left = step.kind;
		}
	}
	return text.len;
}

void flow_update(struct flow *flow, struct str text, unsigned width_cells)
{
	size_t at = 0;

	if (width_cells != flow->width_cells || text.len < flow->length || flow->profile != utf8_profile_number())
		flow_reset(flow);
	flow->width_cells = width_cells;
	flow->profile = utf8_profile_number();
	if (flow->count && text.len > flow->length)
		at = flow->starts[--flow->count];
	else if (flow->count)
		return;
	while (at < text.len) {
		*ARRAY_ADD(flow->starts, flow->count, flow->capacity) = at;
		at = lay_flow_row(flow, text, at);
	}
	flow->length = text.len;
}

void flow_cut(struct flow *flow, size_t offset)
{
	size_t row = flow_row_of(flow, offset);

	if (offset > flow->length)
		return;
	/* The row above may take in a word that became shorter. Whether a line end between them prevents that is not known here. */
	flow->count = row > 0 ? row - 1 : 0;
	flow->length = flow->count ? flow->starts[flow->count] : 0;
}

struct str flow_row(const struct flow *flow, struct str text, size_t row)
{
	size_t end = row + 1 < flow->count ? flow->starts[row + 1] : flow->length;
	struct str line = row < flow->count ? str_of(text.ptr + flow->starts[row], end - flow->starts[row]) : STR_NONE;

	if (str_ends(line, "\n"))
		line.len -= str_ends(line, "\r\n") ? 2 : 1;
	while (line.len && (line.ptr[line.len - 1] == ' ' || line.ptr[line.len - 1] == '\t'))
		line.len--;
	return line;
}

size_t flow_row_of(const struct flow *flow, size_t offset)
{
	struct search s = search_in(1, flow->count);

	while (search_next(&s))
		search_take(&s, flow->starts[s.middle] <= offset);
	return s.low - 1;
}
