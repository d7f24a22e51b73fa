/* Media and tools of the server become blocks. What opaque data of the same protocol hold is written from these. */
#include <string.h>

#include "base/json_scan.h"
#include "base/json_write.h"
#include "wire/encode/encode_inside.h"

/* --- media --- */

/* A type that can stand in a data: URL as it is; else what the first bytes tell. */
static struct str encode_items_type(const struct delta_media *media)
{
	struct str type = media->facts.type;

	for (size_t i = 0; i < type.len; i++)
		if (type.ptr[i] <= ' ' || type.ptr[i] > '~' || strchr("\"\\,%", type.ptr[i]))
			return media_sniff(str_head(media->data, MEDIA_HEAD));
	return type;
}

static struct encode_block *encode_items_add(struct encoder *e, enum part_kind kind, unsigned index)
{
	encoder_flush(e);
	encode_close_text(e);
	struct encode_block *b = encode_add_block(e, kind);
	b->call = index;
	return b;
}

static struct encode_block *encode_items_add_media(struct encoder *e, const struct delta_media *media, unsigned part)
{
	struct encode_block *b = encode_items_add(e, PART_MEDIA, media->index);

	b->media = media->facts.kind;
	b->part = part;
	b->thought = media->facts.thought;
	encode_set(&b->id, media->facts.id);
	encode_open_block(e, b);
	return b;
}

/* Where partial pictures are carried a picture is there before its data. */
void encode_begin_media(struct encoder *e, const struct delta *d)
{
	const struct media_facts *facts = &d->media.facts;

	encoder_flush(e);
	if ((facts->kind == MEDIA_IMAGE && !facts->url.len && encoder_carries(e, ENCODE_PARTIAL)) ||
	    (facts->kind == MEDIA_AUDIO && encoder_carries(e, ENCODE_SOUND)))
		encode_items_add_media(e, &d->media, d->part);
}

/* Gemini tells pictures and sounds by their type. */
static bool encode_items_takes(const struct encoder *e, const struct delta_media *media)
{
	return encode_items_type(media).len || e->form->protocol != &protocol_gemini;
}

/* Of a sound: what waited for its type, too. */
static void encode_items_add_sound(struct encoder *e, struct encode_block *b, const struct delta_media *media)
{
	buf_add(&b->text, media->data);
	if (!encode_items_takes(e, media))
		return;
	if (!e->options.whole)
		e->form->data(e, b, str_skip(buf_str(&b->text), b->written));
	b->written = b->text.len;
}

static void encode_items_add_picture(struct encoder *e, struct encode_block *b, const struct delta_media *media)
{
	if (!media->is_partial) {
		encode_set(&b->text, media->data);
		if (!e->form->signs_pictures && !encoder_carries(e, ENCODE_PARTIAL))
			encode_close_block(e, b);
		return;
	}
	if (!e->options.whole)
		e->form->data(e, b, media->data);
	b->partials++;
}

void encode_media_data(struct encoder *e, const struct delta *d)
{
	const struct delta_media *media = &d->media;
	bool is_picture = !media->is_partial && media->facts.kind == MEDIA_IMAGE && encode_items_takes(e, media);

	encoder_flush(e);
	struct encode_block *b = encode_find_block(e, PART_MEDIA, media->index);
	if ((!b || b->closed) && is_picture && encoder_carries(e, ENCODE_PICTURE))
		b = encode_items_add_media(e, media, d->part);
	if (!b || b->closed)
		return;
	encode_set(&b->name, encode_items_type(media));
	if (b->media == MEDIA_AUDIO)
		encode_items_add_sound(e, b, media);
	else
		encode_items_add_picture(e, b, media);
}

static struct encode_block *encode_items_open_media(struct encoder *e, const struct delta *d)
{
	encoder_flush(e);
	struct encode_block *b = encode_find_block(e, PART_MEDIA, d->media.index);
	return b && !b->closed ? b : NULL;
}

void encode_media_text(struct encoder *e, const struct delta *d)
{
	struct encode_block *b = encode_items_open_media(e, d);

	if (!b)
		return;
	buf_add(&b->said, d->text);
	if (!e->options.whole && e->form->said)
		e->form->said(e, b, d->text);
}

struct encode_block *encode_held_picture(struct encoder *e)
{
	struct encode_block *last = e->form->signs_pictures && e->count ? &e->blocks[e->count - 1] : NULL;

	return last && last->kind == PART_MEDIA && last->media == MEDIA_IMAGE && !last->closed ? last : NULL;
}

void encode_end_media(struct encoder *e, const struct delta *d)
{
	struct encode_block *held = encode_held_picture(e), *b;

	if ((held && held->call == d->media.index) || !(b = encode_items_open_media(e, d)))
		return;
	b->is_whole = d->media.facts.whole;
	encode_close_block(e, b);
}

/* --- tools of the server --- */

void encode_begin_server_tool(struct encoder *e, const struct delta *d)
{
	bool told = e->form->tools_are_opaque && e->options.words == e->form->protocol;

	encoder_flush(e);
	if (told || !encoder_carries(e, ENCODE_SERVER_TOOL))
		return;
	struct encode_block *b = encode_items_add(e, PART_SERVER_TOOL, d->server_tool.index);
	b->ran = e->ran++;
	encode_set(&b->id, d->server_tool.id);
	encode_set(&b->name, d->server_tool.name);
	if (encoder_carries(e, ENCODE_SERVER_PIECES))
		encode_open_block(e, b);
}

/* An input that comes in one piece is written as soon as it is a whole object. */
void encode_open_server_tool(struct encoder *e, struct encode_block *b)
{
	struct str text = buf_str(&b->text);

	if (b->kind == PART_SERVER_TOOL && !b->opened && str_starts(text, "{") && str_ends(text, "}") && json_scan_is_whole(text))
		encode_open_block(e, b);
}

static void encode_items_add_input(struct encoder *e, struct encode_block *b, struct str text)
{
	buf_add(&b->text, text);
	if (!e->options.whole && encoder_carries(e, ENCODE_SERVER_PIECES) && text.len)
		e->form->piece(e, b, text);
}

void encode_server_tool_input(struct encoder *e, const struct delta *d)
{
	struct encode_block *b = encode_find_block(e, PART_SERVER_TOOL, d->server_tool.index);

	if (b && !b->closed)
		encode_items_add_input(e, b, d->text);
	encoder_flush(e);
}

static void encode_items_close_tool(struct encoder *e, struct encode_block *b)
{
	unsigned number = b->number;

	encode_close_text(e);
	if (!b->opened)
		encode_open_block(e, b);
	encode_close_block(e, b);
	if (!e->form->result_apart || b->state == SERVER_TOOL_INCOMPLETE)
		return;
	struct encode_block *result = encode_add_block(e, PART_SERVER_RESULT);
	b = &e->blocks[number];
	encode_set(&result->id, buf_str(&b->id));
	encode_set(&result->name, buf_str(&b->name));
	encode_set(&result->said, buf_str(&b->said));
	result->ran = b->ran;
	result->state = b->state;
	encode_open_block(e, result);
	encode_close_block(e, result);
}

void encode_end_server_tool(struct encoder *e, const struct delta *d)
{
	const struct delta_server_tool *tool = &d->server_tool;

	encoder_flush(e);
	struct encode_block *b = encode_find_block(e, PART_SERVER_TOOL, tool->index);
	if (!b || b->closed)
		return;
	if (!b->opened) {
		encode_set(&b->id, tool->id);
		encode_set(&b->name, tool->name);
	}
	if (!b->text.len)
		encode_items_add_input(e, b, d->text);
	encode_set(&b->text, d->text);
	b->state = tool->state;
	if (b->state != SERVER_TOOL_INCOMPLETE)
		encode_set(&b->said, tool->output);
	encode_items_close_tool(e, b);
}

void encode_close_server_tools(struct encoder *e)
{
	for (size_t i = 0; i < e->count; i++)
		if (e->blocks[i].kind == PART_SERVER_TOOL && !e->blocks[i].closed)
			encode_items_close_tool(e, &e->blocks[i]);
}

void encode_tool_object(const struct encode_block *b, struct buf *out)
{
	struct str text = buf_str(&b->text);

	if (str_starts(text, "{")) {
		buf_add(out, text);
	} else if (text.len) {
		buf_add_z(out, "{\"code\":");
		json_escape(out, text);
		buf_add_byte(out, '}');
	}
}

bool encode_is_list(struct str output)
{
	static const char *const first[] = { "#0", NULL }, *const type[] = { "#0", "type", NULL };

	return str_starts(output, "[") && json_scan_is_whole(output) && str_starts(json_scan_find(output, first), "{") &&
	       !str_has_nocase(json_scan_find(output, type), STR("text"));
}
