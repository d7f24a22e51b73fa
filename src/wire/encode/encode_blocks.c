/* Converts deltas to blocks of text, calls and opaque data, and decides when their frames are written. */
#include "base/array.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "wire/encode/encode_inside.h"

void encode_set(struct buf *buf, struct str text)
{
	buf_clear(buf);
	buf_add(buf, text);
}

static void encode_blocks_add_data(struct buf *buf, const struct encode_opaque *format, struct str data)
{
	buf_clear(buf);
	if (format->is_json)
		json_scan_compact(data, buf);
	else
		buf_add(buf, data);
}

struct encode_block *encode_add_block(struct encoder *e, enum part_kind kind)
{
	mem_reserve(&e->blocks, &e->capacity, e->count + 1, sizeof *e->blocks);
	struct encode_block *b = &e->blocks[e->count];
	*b = (struct encode_block){ .kind = kind, .number = (unsigned)e->count++, .part = GUARD_NEW_PART };
	return b;
}

void encode_drop_blocks(struct encoder *e)
{
	for (size_t i = 0; i < e->count; i++) {
		struct encode_block *b = &e->blocks[i];
		struct buf *bufs[] = { &b->text, &b->id, &b->name, &b->data, &b->citations, &b->said };

		for (size_t k = 0; k < ARRAY_LEN(bufs); k++)
			buf_fini(bufs[k]);
	}
	e->count = 0;
	e->open = SIZE_MAX;
}

void encode_open_block(struct encoder *e, struct encode_block *b)
{
	b->opened = true;
	if (!e->options.whole && e->form->open)
		e->form->open(e, b);
}

void encode_close_block(struct encoder *e, struct encode_block *b)
{
	b->closed = true;
	if (!e->options.whole && e->form->close)
		e->form->close(e, b);
}

static struct encode_block *encode_blocks_open_text(struct encoder *e)
{
	return e->open != SIZE_MAX ? &e->blocks[e->open] : NULL;
}

void encode_close_text(struct encoder *e)
{
	struct encode_block *b = encode_blocks_open_text(e);

	e->open = SIZE_MAX;
	if (b)
		encode_close_block(e, b);
}

/* The current text block if it has that kind and part (GUARD_NEW_PART: any), else a new one. */
static struct encode_block *encode_blocks_take_text(struct encoder *e, enum part_kind kind, unsigned part)
{
	struct encode_block *b = encode_blocks_open_text(e);
	bool same = b && (b->part == part || part == GUARD_NEW_PART || b->part == GUARD_NEW_PART || !encoder_carries(e, ENCODE_PARTS));

	if (!same || b->kind != kind) {
		encode_close_text(e);
		b = encode_add_block(e, kind);
		e->open = b->number;
		encode_open_block(e, b);
	}
	if (part != GUARD_NEW_PART)
		b->part = part;
	return b;
}

/* Text with opaque data is a separate block. */
static void encode_blocks_give_held(struct encoder *e, const struct encode_opaque *format, struct str data)
{
	bool refusal = e->held_kind == DELTA_REFUSAL && encoder_carries(e, ENCODE_REFUSAL);
	enum part_kind kind = e->held_kind == DELTA_REASONING ? PART_REASONING : refusal ? PART_REFUSAL : PART_TEXT;

	if (format)
		encode_close_text(e);
	struct encode_block *b = encode_blocks_take_text(e, kind, e->held_part);
	if (format)
		encode_blocks_add_data(&b->data, format, data);
	e->refused |= refusal;
	buf_add(&b->text, buf_str(&e->held));
	if (!e->options.whole)
		e->form->piece(e, b, buf_str(&e->held));
	buf_clear(&e->held);
	if (format)
		encode_close_text(e);
}

/* The beginning of a call is delayed for a name in the next delta. */
void encoder_flush(struct encoder *e)
{
	struct encode_block *last;

	if (e->head_due && e->form->head && !e->options.whole)
		e->form->head(e);
	e->head_due = false;
	if (e->held.len)
		encode_blocks_give_held(e, NULL, STR_NONE);
	if (encode_held_picture(e))
		encode_close_block(e, encode_held_picture(e));
	last = e->count ? &e->blocks[e->count - 1] : NULL;
	if (last && last->kind == PART_TOOL_CALL && !last->opened && encoder_carries(e, ENCODE_PIECES))
		encode_open_block(e, last);
	if (last && !e->options.whole)
		encode_open_server_tool(e, last);
}

void encode_words(struct encoder *e, const struct delta *d)
{
	encoder_flush(e);
	buf_add(&e->held, d->text);
	e->held_kind = d->kind;
	e->held_part = d->part;
}

/* --- calls --- */

struct encode_block *encode_find_block(struct encoder *e, enum part_kind kind, unsigned call)
{
	for (size_t i = e->count; i > 0; i--)
		if (e->blocks[i - 1].kind == kind && e->blocks[i - 1].call == call)
			return &e->blocks[i - 1];
	return NULL;
}

static struct encode_block *encode_blocks_call_of(struct encoder *e, unsigned index)
{
	return encode_find_block(e, PART_TOOL_CALL, index + e->calls_before_restart);
}

void encode_begin_call(struct encoder *e, const struct delta *d)
{
	encoder_flush(e);
	encode_close_text(e);
	struct encode_block *b = encode_add_block(e, PART_TOOL_CALL);
	b->call = e->calls++;
	encode_set(&b->id, d->tool.id);
	encode_set(&b->name, d->tool.name);
}

void encode_name_call(struct encoder *e, const struct delta *d)
{
	struct encode_block *b = encode_blocks_call_of(e, d->tool.index);

	if (!b || (b->opened && !e->options.whole && !encoder_carries(e, ENCODE_LATE_NAME)))
		return;
	struct str id = b->id.len ? STR_NONE : d->tool.id, rest = STR_NONE;
	if (str_starts(d->tool.name, buf_z(&b->name)) && d->tool.name.len > b->name.len && !(b->name.len && b->text.len))
		rest = str_skip(d->tool.name, b->name.len);
	if (b->opened && e->form->named && !e->options.whole)
		e->form->named(e, b, id, rest);
	encode_set(&b->id, d->tool.id);
	encode_set(&b->name, d->tool.name);
}

void encode_add_arguments(struct encoder *e, const struct delta *d)
{
	encoder_flush(e);
	struct encode_block *b = encode_blocks_call_of(e, d->tool.index);
	if (!b)
		return;
	buf_add(&b->text, d->text);
	if (!e->options.whole && encoder_carries(e, ENCODE_PIECES))
		e->form->piece(e, b, d->text);
}

/* If the protocol sends calls whole, a call waits for those before it. */
static void encode_blocks_close_call(struct encoder *e, struct encode_block *b)
{
	if (encoder_carries(e, ENCODE_PIECES)) {
		encode_close_block(e, b);
		return;
	}
	b->closed = true;
	while ((b = encode_find_block(e, PART_TOOL_CALL, e->calls_written)) && b->closed) {
		e->calls_written++;
		encode_close_text(e);
		encode_close_block(e, b);
	}
}

void encode_end_call(struct encoder *e, const struct delta *d)
{
	encoder_flush(e);
	struct encode_block *b = encode_blocks_call_of(e, d->tool.index);
	if (!b)
		return;
	/* Without arguments: clients parse what they joined, and "" is no JSON. */
	if (!b->text.len && d->text.len && !e->options.whole && encoder_carries(e, ENCODE_PIECES))
		e->form->piece(e, b, d->text);
	encode_set(&b->text, d->text);
	encode_blocks_close_call(e, b);
}

void encode_close_calls(struct encoder *e)
{
	for (size_t i = 0; i < e->count; i++)
		if (e->blocks[i].kind == PART_TOOL_CALL && !e->blocks[i].closed)
			encode_blocks_close_call(e, &e->blocks[i]);
}

/* --- opaque data and citations --- */

static void encode_blocks_add_item(struct encoder *e, const struct encode_opaque *format, struct str data)
{
	encoder_flush(e);
	encode_close_text(e);
	struct encode_block *b = encode_add_block(e, PART_OPAQUE);
	encode_set(&b->name, str_from(format->name));
	encode_blocks_add_data(&b->data, format, data);
	encode_open_block(e, b);
	encode_close_block(e, b);
}

/* Gemini's signature belongs to a text or a picture, which waits for it. Other protocols sign a block at its end. */
static void encode_blocks_sign(struct encoder *e, const struct encode_opaque *format, const struct delta *d)
{
	struct encode_block *picture = encode_held_picture(e);

	if (picture && picture->part == d->part) {
		encode_blocks_add_data(&picture->data, format, d->opaque.data);
		encode_close_block(e, picture);
		return;
	}
	if (format->protocol == &protocol_gemini) {
		if (e->held.len && e->held_part == d->part)
			encode_blocks_give_held(e, format, d->opaque.data);
		return;
	}
	encoder_flush(e);
	struct encode_block *b = encode_blocks_open_text(e);
	if (!b || b->part != d->part)
		return;
	encode_blocks_add_data(&b->data, format, d->opaque.data);
	encode_close_text(e);
}

void encode_take_opaque(struct encoder *e, const struct delta *d)
{
	const struct encode_opaque *format = encode_opaque_format(e->form->protocol, d->opaque.format);

	if (!format || (format->is_json && !json_scan_is_whole(d->opaque.data)))
		return;
	if (str_is(d->opaque.format, OPAQUE_REASONING_CONTENT)) {
		e->reasoning_content = true;
	} else if (d->opaque.tool_index >= 0) {
		encoder_flush(e);
		struct encode_block *b = encode_blocks_call_of(e, (unsigned)d->opaque.tool_index);
		if (b)
			encode_blocks_add_data(&b->data, format, d->opaque.data);
		if (b && !e->options.whole && e->form->call_data)
			e->form->call_data(e, b);
	} else if (d->part != GUARD_NEW_PART) {
		encode_blocks_sign(e, format, d);
	} else {
		encode_blocks_add_item(e, format, d->opaque.data);
	}
}

void encode_citation(struct encoder *e, const struct delta *d)
{
	struct buf *out = e->out, text = { 0 };

	if (!encoder_carries(e, ENCODE_CITATION))
		return;
	encoder_flush(e);
	struct encode_block *b = encode_blocks_take_text(e, PART_TEXT, GUARD_NEW_PART);
	e->out = &text;
	encode_put(e, e->form->citation, d->citation.url, d->citation.title, d->citation.text);
	e->out = out;
	if (!e->options.whole)
		e->form->cited(e, b, buf_str(&text));
	if (b->citations.len)
		buf_add_byte(&b->citations, ',');
	buf_add(&b->citations, buf_str(&text));
	buf_fini(&text);
}
