#include "wire/framer.h"

#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "wire/brackets.h"
#include "wire/packer.h"

#define HEAD_BYTES 300
#define BOM "\xEF\xBB\xBF"
#define BOM_BYTES 3
#define ID_MOST 4096        /* bytes of an event's id that is kept */
#define PIECE ((size_t)64 << 10) /* of a large read that is searched for base64 */

struct framer {
	frame_sink *sink;
	framer_oddity_sink *odd; /* NULL: none */
	uint32_t noted, told;    /* bits of oddities: of what has begun, not told yet; told of what came last */
	size_t noted_at[FRAMER_ODDITIES];
	enum framer_whose last;  /* what came last: a frame (FRAMER_OF_LAST), or none */
	void *ctx;
	enum framing framing;

	size_t fed;
	size_t line_at;          /* SSE: offset of the current line */
	size_t frame_at;         /* offset of the current event or value, once it has begun */
	bool begun;              /* SSE: the event has a line */
	size_t bom_bytes;        /* bytes of a BOM matched at the start of the body */
	bool indented;           /* the first byte that is not blank is preceded by a blank in its line */

	struct buf line;         /* SSE: an incomplete line from earlier reads */
	bool after_cr;           /* SSE: the last byte was a CR; an LF that follows belongs to it */
	struct str only_data;    /* SSE: the event's only data line, not copied: it points into the current read */
	size_t data_lines;
	struct buf data;         /* SSE: joined data lines; JSON: an incomplete value */
	struct buf event;
	struct buf id, last_id;  /* SSE: of the event; of the last one that is complete */
	bool has_id;
	int64_t retry_ms;        /* -1: none came */

	struct packer packer;    /* of `data`; behind the first `data_packs` those of `line` */
	size_t data_packs;

	bool collecting;         /* SSE: collecting lines of raw JSON */
	bool in_value;           /* JSON: inside a value */
	bool array_closed;       /* ARRAY: its closing bracket has come */
	bool same_line;          /* JSON: a value has ended in this line */
	bool is_scalar;          /* JSON: the current value began with neither '{' nor '[' */
	struct brackets brackets;

	bool ending;
	bool overflowed;
	bool saw_payload;
	bool spoke;

	char head[HEAD_BYTES];
	size_t head_len;
};

struct framer *framer_new(frame_sink *sink, void *ctx)
{
	struct framer *f = mem_new(sizeof *f);

	f->sink = sink;
	f->ctx = ctx;
	buf_init(&f->line, FRAMER_EVENT_LIMIT);
	buf_init(&f->data, FRAMER_EVENT_LIMIT);
	buf_init(&f->event, FRAMER_EVENT_LIMIT);
	buf_init(&f->id, ID_MOST);
	buf_init(&f->last_id, ID_MOST);
	f->retry_ms = -1;
	return f;
}

void framer_pack(struct framer *f, size_t characters)
{
	f->packer.from = characters;
}

void framer_watch(struct framer *f, framer_oddity_sink *sink)
{
	f->odd = sink;
}

static void framer_note(struct framer *f, enum framer_oddity oddity, size_t offset)
{
	if (!(f->noted & 1u << oddity))
		f->noted_at[oddity] = offset;
	f->noted |= 1u << oddity;
}

/* Reports what was noted. */
static void framer_tell(struct framer *f, enum framer_whose whose)
{
	for (enum framer_oddity oddity = 0; f->odd && f->noted && oddity < FRAMER_ODDITIES; oddity++)
		if (f->noted & 1u << oddity)
			f->odd(f->ctx, oddity, whose, f->noted_at[oddity]);
	f->told = f->noted;
	f->noted = 0;
}

/* What makes no frame. */
static void framer_tell_none(struct framer *f, enum framer_oddity oddity, size_t offset)
{
	if (f->odd)
		f->odd(f->ctx, oddity, FRAMER_OF_NONE, offset);
	f->last = FRAMER_OF_NONE;
	framer_tell(f, FRAMER_OF_NONE);
}

/* The end of a line that was taken: unless an event goes on, it is of what the line ended. */
static void framer_note_end(struct framer *f, enum framer_oddity oddity, size_t offset)
{
	if (f->begun || f->collecting) {
		framer_note(f, oddity, offset);
		return;
	}
	if (f->odd && !(f->told & 1u << oddity))
		f->odd(f->ctx, oddity, f->last, offset);
	f->told |= 1u << oddity;
}

void framer_free(struct framer *f)
{
	if (!f)
		return;
	packer_fini(&f->packer);
	buf_fini(&f->line);
	buf_fini(&f->data);
	buf_fini(&f->event);
	buf_fini(&f->id);
	buf_fini(&f->last_id);
	mem_free(f);
}

static void framer_overflow(struct framer *f)
{
	bool in_frame = f->begun || f->collecting || f->in_value;

	if (!f->overflowed)
		framer_tell_none(f, FRAMER_TOO_LARGE, in_frame ? f->frame_at : f->line_at);
	f->overflowed = true;
}

static void framer_keep(struct framer *f, struct buf *buf, struct str bytes)
{
	if (!buf_add(buf, bytes) || f->packer.packed > FRAMER_EVENT_LIMIT - buf->len)
		framer_overflow(f);
}

/* Adds to a text that is not complete, `line` or a value in `data`. Of lines only those with data get packs. */
static void framer_collect(struct framer *f, struct buf *text, struct str bytes)
{
	for (; bytes.len && !f->overflowed; bytes = str_skip(bytes, PIECE)) {
		size_t before = text->len;

		framer_keep(f, text, str_head(bytes, PIECE));
		if (f->packer.from && !f->overflowed && (text == &f->data || (!f->collecting && str_starts(buf_str(text), "data:"))))
			packer_take(&f->packer, text, before);
	}
}

/* Whether bytes are to be collected although they are whole. */
static bool framer_may_pack(const struct framer *f, struct str whole)
{
	return f->packer.from && whole.len > PIECE;
}

static void hand_out(struct framer *f, struct str data, bool unclosed)
{
	if (data.len > FRAMER_EVENT_LIMIT - f->packer.packed)
		framer_overflow(f);
	if (f->overflowed)
		return;
	unclosed |= f->ending && f->framing == FRAMING_SSE;
	if (!unclosed && !str_is_blank(data))
		f->saw_payload = true;
	struct frame frame = {
		.data = data,
		.event = f->event.len ? buf_str(&f->event) : STR(""),
		.unclosed = unclosed,
		.offset = f->frame_at,
		.packs = f->packer.packs,
		.pack_count = f->packer.count,
	};
	framer_tell(f, FRAMER_OF_NEXT);
	f->last = FRAMER_OF_LAST;
	f->sink(f->ctx, &frame);
	f->begun = false;
	f->data_lines = 0;
	f->only_data = STR_NONE;
	buf_clear(&f->data);
	buf_clear(&f->event);
	f->data_packs = 0;
	packer_drop(&f->packer);
}

/* An event that the end of the body cut off does not count. */
static void settle_id(struct framer *f)
{
	if (!f->has_id || f->ending)
		return;
	buf_clear(&f->last_id);
	buf_add(&f->last_id, buf_str(&f->id));
	f->has_id = false;
}

static void dispatch(struct framer *f)
{
	settle_id(f);
	if (f->data_lines) {
		hand_out(f, f->only_data.ptr ? f->only_data : buf_str(&f->data), false);
		return;
	}
	if (f->begun && f->frame_at < f->line_at && !f->ending)
		framer_tell_none(f, f->event.len ? FRAMER_NO_DATA : FRAMER_FIELDS, f->frame_at);
	buf_clear(&f->event);
	f->begun = false;
}

/* Copies the only data line to `data`: a second line follows, or the read ends. */
static void settle_data(struct framer *f)
{
	if (f->only_data.ptr)
		framer_keep(f, &f->data, f->only_data);
	f->only_data = STR_NONE;
}

static void add_data(struct framer *f, struct str value, bool lasting)
{
	if (!f->data_lines && lasting && value.len) {
		f->only_data = value;
	} else {
		settle_data(f);
		if (f->data_lines == 1)
			framer_note(f, FRAMER_DATA_LINES, f->frame_at);
		if (f->data_lines)
			framer_keep(f, &f->data, STR("\n"));
		for (; f->data_packs < f->packer.count; f->data_packs++)
			f->packer.packs[f->data_packs].at += f->data.len - (size_t)(value.ptr - f->line.ptr);
		framer_keep(f, &f->data, value);
	}
	f->data_lines++;
}

/* llama.cpp's `error: {...}`: an event, although the standard ignores the field. */
static void give_error_field(struct framer *f, struct str value)
{
	dispatch(f);
	f->frame_at = f->line_at;
	framer_note(f, FRAMER_ERROR_FIELD, f->line_at);
	framer_keep(f, &f->data, STR("{\"error\":"));
	framer_keep(f, &f->data, value);
	framer_keep(f, &f->data, STR("}"));
	hand_out(f, buf_str(&f->data), false);
}

/* True if an incomplete last line may be the beginning of a field name: then it is not a payload. */
static bool begins_field(struct str line)
{
	static const char *const names[] = { "data", "event", "id", "retry", "error" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (line.len < strlen(names[i]) && !memcmp(line.ptr, names[i], line.len))
			return true;
	return false;
}

static void take_unknown_field(struct framer *f, struct str line)
{
	if (str_is_blank(line) || (f->ending && begins_field(line)))
		return;
	f->saw_payload = true;
	framer_note(f, FRAMER_FIELD, f->line_at);
}

static bool is_standard_field(struct str name)
{
	return str_is(name, "data") || str_is(name, "event") || str_is(name, "id") || str_is(name, "retry");
}

/* What a client needs that goes on with a stream. */
static void take_place(struct framer *f, struct str name, struct str value)
{
	long long ms;

	if (str_is(name, "retry") && str_to_int(value, &ms))
		f->retry_ms = ms;
	if (!str_is(name, "id") || (value.len && memchr(value.ptr, 0, value.len)))
		return;
	buf_clear(&f->id);
	f->has_id = buf_add(&f->id, value);
}

static void take_field(struct framer *f, struct str line, bool lasting)
{
	const char *colon = memchr(line.ptr, ':', line.len);
	struct str name = colon ? str_of(line.ptr, (size_t)(colon - line.ptr)) : line;
	struct str value = colon ? str_skip(line, name.len + 1) : STR_NONE;
	bool spaced = str_starts(value, " ");

	value = str_skip(value, spaced);
	if (!f->begun) {
		f->begun = true;
		f->frame_at = f->line_at;
	}
	if (str_is(name, "data")) {
		if (!spaced && value.len)
			framer_note(f, FRAMER_NO_BLANK, f->line_at);
		add_data(f, value, lasting);
	} else if (str_is(name, "event")) {
		buf_clear(&f->event);
		framer_keep(f, &f->event, value);
	} else if (str_is(name, "error") && str_starts(value, "{")) {
		give_error_field(f, value);
	} else if (is_standard_field(name)) {
		take_place(f, name, value);
	} else {
		take_unknown_field(f, line);
	}
}

static void end_collecting(struct framer *f, bool unclosed)
{
	f->collecting = false;
	hand_out(f, buf_str(&f->data), unclosed);
}

/* Collects a line of raw JSON. False if the line is a legal field, which ends the collection even if the JSON is incomplete. */
static bool collect_line(struct framer *f, struct str line)
{
	const char *colon = memchr(line.ptr, ':', line.len);

	if (colon && colon != line.ptr && is_standard_field(str_of(line.ptr, (size_t)(colon - line.ptr)))) {
		end_collecting(f, true);
		return false;
	}
	if (colon == line.ptr)
		return true;
	if (f->data.len)
		framer_keep(f, &f->data, STR("\n"));
	framer_keep(f, &f->data, line);
	size_t used;
	if (brackets_close(&f->brackets, line, &used))
		end_collecting(f, false);
	return true;
}

static bool is_comment(struct str line)
{
	return str_starts(line, ":");
}

static void framer_take_line(struct framer *f, struct str line, bool lasting)
{
	f->spoke |= line.len && !is_comment(line);
	if (f->collecting && (!line.len || collect_line(f, line)))
		return;
	if (!line.len) {
		dispatch(f);
	} else if (line.ptr[0] == '{' || line.ptr[0] == '[') {
		dispatch(f);
		f->collecting = true;
		f->frame_at = f->line_at;
		framer_note(f, FRAMER_RAW_JSON, f->line_at);
		f->brackets = (struct brackets){ 0 };
		collect_line(f, line);
	} else if (!is_comment(line)) {
		take_field(f, line, lasting);
	} else if (!f->begun) {
		framer_tell_none(f, FRAMER_COMMENT, f->line_at);
	}
}

/* Processes a line, joined with its beginning from earlier reads. */
static void complete_line(struct framer *f, struct str rest)
{
	if (!f->line.len && !framer_may_pack(f, rest)) {
		framer_take_line(f, rest, true);
		return;
	}
	framer_collect(f, &f->line, rest);
	framer_take_line(f, buf_str(&f->line), false);
	buf_clear(&f->line);
	packer_end_text(&f->packer);
}

static const char *framer_find(const char *from, const char *end, char byte)
{
	const char *found = memchr(from, byte, (size_t)(end - from));

	return found ? found : end;
}

static void feed_lines(struct framer *f, struct str bytes)
{
	const char *at = bytes.ptr, *end = at + bytes.len;

	if (f->after_cr && at < end) {
		f->after_cr = false;
		framer_note_end(f, *at == '\n' ? FRAMER_CRLF : FRAMER_LONE_CR, f->fed - bytes.len - 1);
		at += *at == '\n';
	}
	const char *lf = framer_find(at, end, '\n'), *cr = framer_find(at, end, '\r');
	while (at < end && !f->overflowed) {
		if (lf < at)
			lf = framer_find(at, end, '\n');
		if (cr < at)
			cr = framer_find(at, end, '\r');
		const char *stop = lf < cr ? lf : cr;
		if (!f->line.len)
			f->line_at = f->fed - (size_t)(end - at);
		if (stop == end) {
			framer_collect(f, &f->line, str_of(at, (size_t)(end - at)));
			f->spoke |= !is_comment(buf_str(&f->line));
			break;
		}
		complete_line(f, str_of(at, (size_t)(stop - at)));
		at = stop + 1;
		if (*stop == '\r' && at == end) {
			f->after_cr = true;
		} else if (*stop == '\r') {
			framer_note_end(f, *at == '\n' ? FRAMER_CRLF : FRAMER_LONE_CR, f->fed - (size_t)(end - stop));
			at += *at == '\n';
		}
	}
	settle_data(f);
}

/* A stray scalar or garbage between values ends with its line; in an array, also at the next comma or closing bracket. */
static bool scalar_close(const struct framer *f, struct str text, size_t *used)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == '\n' || c == '\r' || (f->framing == FRAMING_ARRAY && (c == ',' || c == ']'))) {
			*used = i;
			return true;
		}
	}
	return false;
}

static void feed_values(struct framer *f, struct str bytes)
{
	while (bytes.len && !f->overflowed) {
		char c = bytes.ptr[0];

		if (!f->in_value && (char_is_blank(c) || c == ',' || c == ']')) {
			f->saw_payload |= c == ']'; /* an empty array is not an empty body */
			f->array_closed |= c == ']';
			if (f->framing == FRAMING_JSON && !char_is_blank(c))
				framer_note_end(f, FRAMER_BETWEEN, f->fed - bytes.len);
			f->same_line = f->same_line && c != '\n';
			bytes = str_skip(bytes, 1);
			continue;
		}
		if (!f->in_value) {
			f->in_value = true;
			f->is_scalar = c != '{' && c != '[';
			f->brackets = (struct brackets){ 0 };
			f->frame_at = f->fed - bytes.len;
			if (f->same_line && f->framing == FRAMING_JSON)
				framer_note(f, FRAMER_SAME_LINE, f->frame_at);
		}
		size_t used;
		if (!(f->is_scalar ? scalar_close(f, bytes, &used) : brackets_close(&f->brackets, bytes, &used))) {
			framer_collect(f, &f->data, bytes);
			return;
		}
		struct str value = str_head(bytes, used);
		if (f->data.len || framer_may_pack(f, value)) {
			framer_collect(f, &f->data, value);
			value = buf_str(&f->data);
		}
		f->in_value = false;
		f->same_line = true;
		hand_out(f, value, false);
		bytes = str_skip(bytes, used);
	}
}

/* Skips a BOM and blanks, and chooses the framing by the next byte. Returns the bytes to be framed. */
static struct str framer_sniff(struct framer *f, struct str bytes)
{
	while (bytes.len) {
		char c = bytes.ptr[0];
		size_t at = f->fed - bytes.len;

		if (at < BOM_BYTES && at == f->bom_bytes && c == BOM[at]) {
			f->bom_bytes++;
		} else if (char_is_blank(c) && (!f->bom_bytes || f->bom_bytes == BOM_BYTES)) {
			f->indented = c == ' ' || c == '\t';
		} else {
			break;
		}
		bytes = str_skip(bytes, 1);
	}
	if (!bytes.len)
		return bytes;
	char c = bytes.ptr[0];
	if (f->bom_bytes == BOM_BYTES)
		framer_note(f, FRAMER_BOM, 0);
	else
		framer_keep(f, &f->line, str_of(BOM, f->bom_bytes));
	f->framing = c == '{' ? FRAMING_JSON : c == '[' ? FRAMING_ARRAY : c == '<' ? FRAMING_DOCUMENT : FRAMING_SSE;
	if (f->line.len)
		f->framing = FRAMING_SSE;
	else if (f->framing == FRAMING_SSE && f->indented)
		framer_keep(f, &f->line, STR(" "));
	return f->framing == FRAMING_ARRAY ? str_skip(bytes, 1) : bytes;
}

void framer_feed(struct framer *f, struct str bytes)
{
	if (!bytes.len)
		return;
	f->fed += bytes.len;
	f->spoke = false;
	if (f->head_len < HEAD_BYTES) {
		struct str more = str_head(bytes, HEAD_BYTES - f->head_len);

		memcpy(f->head + f->head_len, more.ptr, more.len);
		f->head_len += more.len;
	}
	if (f->framing == FRAMING_UNKNOWN)
		bytes = framer_sniff(f, bytes);
	if (f->framing == FRAMING_DOCUMENT)
		f->saw_payload = true;
	else if (f->framing == FRAMING_SSE)
		feed_lines(f, bytes);
	else
		feed_values(f, bytes);
	f->spoke |= f->framing != FRAMING_SSE && !str_is_blank(bytes);
}

void framer_end(struct framer *f)
{
	if (f->ending)
		return;
	f->ending = true;
	if (f->framing == FRAMING_SSE) {
		if (f->line.len)
			complete_line(f, STR(""));
		if (f->collecting)
			end_collecting(f, true);
		dispatch(f);
	} else if (f->in_value) {
		hand_out(f, buf_str(&f->data), !f->is_scalar);
	} else if (f->framing == FRAMING_ARRAY && !f->array_closed) {
		framer_note(f, FRAMER_OPEN_ARRAY, f->fed - 1);
	}
	framer_tell(f, f->last);
}

enum framing framer_framing(const struct framer *f)
{
	return f->framing;
}

bool framer_overflowed(const struct framer *f)
{
	return f->overflowed;
}

size_t framer_bytes(const struct framer *f)
{
	return f->fed;
}

bool framer_saw_payload(const struct framer *f)
{
	return f->saw_payload;
}

bool framer_spoke(const struct framer *f)
{
	return f->spoke;
}

struct str framer_last_id(const struct framer *f)
{
	return buf_str(&f->last_id);
}

int64_t framer_retry_ms(const struct framer *f)
{
	return f->retry_ms;
}

struct str framer_head(const struct framer *f)
{
	return str_of(f->head, f->head_len);
}
