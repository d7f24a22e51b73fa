#include "bench/giants.h"

#include <math.h>
#include <png.h>
#include <stdio.h>

#include "base/base64.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "bench/decode_streams.h"

#define TEXT_MOST ((size_t)256 << 20)
#define WIRE_MOST ((size_t)1 << 30)

void giant_end(unsigned number, char end[GIANT_END_BYTES])
{
	snprintf(end, GIANT_END_BYTES, "This giant ends here (%u).", number);
}

/* --- documents --- */

static void write_section(struct buf *text, unsigned i)
{
	buf_printf(text, "## Section %u: what was asked\n\n", i);
	buf_printf(text, "A stream is a **sequence** of small pieces, each of\nthem comes when it is *ready*; see [part %u](http://a.org/%u).\n", i, i);
	buf_add_z(text, "Caf\xC3\xA9 au lait costs `3.50` here, and nothing waits\nfor what follows, however long that may take.\n\n");
	for (unsigned n = 1; n <= 6; n++)
		buf_printf(text, "%u. the step number %u of part %u, in short\n   - with a `remark` about it\n", n, n, i);
	buf_printf(text, "\n```c\nstatic int part_%u(const char *name)\n{\n", i);
	for (unsigned n = 0; n < 8; n++)
		buf_printf(text, "\tif (name[%u] == 'a') /* the first */\n\t\treturn %u + %u;\n", n, n, i);
	buf_add_z(text, "\treturn 0;\n}\n```\n\n| name | value | remark |\n|---|---:|---|\n");
	for (unsigned n = 0; n < 8; n++)
		buf_printf(text, "| row %u | %u | one of **many** rows |\n", n, n * i);
	buf_add_z(text, "\n> What is quoted is short.\n\n");
}

static void write_code_line(struct buf *text, unsigned i)
{
	buf_printf(text, "\tif (values[%u] > 0x%x) /* the %u. case */\n\t\treturn \"text %u\";\n", i, i, i, i);
}

static void write_table_row(struct buf *text, unsigned i)
{
	buf_printf(text, "| %u | a *cell* in row %u | `%x` | %u.50 |\n", i, i, i * 7919, i);
}

static void write_line_part(struct buf *text, unsigned i)
{
	buf_printf(text, "no-blanks/%u/", i);
}

static void write_stars(struct buf *text, unsigned i)
{
	buf_printf(text, "**w%03u ", i % 1000);
}

static void write_deeper_item(struct buf *text, unsigned i)
{
	for (unsigned n = 0; n < i; n++)
		buf_add_z(text, "  ");
	buf_printf(text, "- level %u\n", i);
}

static void write_deeper_quote(struct buf *text, unsigned i)
{
	for (unsigned n = 0; n <= i; n++)
		buf_add_z(text, "> ");
	buf_printf(text, "level %u\n", i);
}

static void write_member(struct buf *text, unsigned i)
{
	buf_printf(text, "\"name %u\":[%u,true,{\"text\":\"value %u\"}],", i, i, i);
}

static const struct { const char *head; void (*write)(struct buf *text, unsigned i); const char *tail; } documents[] = {
	[GIANT_PROSE] = { "", write_section, "" },
	[GIANT_CODE] = { "```c\n", write_code_line, "```\n" },
	[GIANT_TABLE] = { "| number | words | code | price |\n|--:|---|---|--:|\n", write_table_row, "" },
	[GIANT_LINE] = { "", write_line_part, "\n" },
	[GIANT_STARS] = { "", write_stars, "\n" },
	[GIANT_LISTS] = { "", write_deeper_item, "" },
	[GIANT_QUOTES] = { "", write_deeper_quote, "" },
	[GIANT_JSON] = { "{", write_member, "\"end\":null}" },
	[GIANT_STRING] = { "{\"text\":\"", write_line_part, "\"}" },
};

void giant_write(const struct giant *giant, struct buf *text)
{
	buf_add_z(text, documents[giant->kind].head);
	for (unsigned i = 0; text->len < giant->bytes; i++)
		documents[giant->kind].write(text, i);
	buf_add_z(text, documents[giant->kind].tail);
}

/* --- deltas --- */

/* The next piece; ends at a character boundary. */
static size_t piece_of(struct str text, size_t bytes)
{
	while (bytes < text.len && ((unsigned char)text.ptr[bytes] & 0xC0) == 0x80)
		bytes++;
	return bytes < text.len ? bytes : text.len;
}

static const struct { const char *before, *after; } shapes[] = {
	[GIANT_ANSWER] = { BENCH_CHAT_BEFORE, BENCH_CHAT_AFTER },
	[GIANT_REASONING] = { BENCH_CHAT_HEAD "\"delta\":{\"reasoning_content\":\"", BENCH_CHAT_AFTER },
	[GIANT_ARGUMENTS] = { BENCH_CHAT_HEAD "\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"call_1\",\"type\":\"function\",\"function\":"
	                      "{\"name\":\"write_file\",\"arguments\":\"", "\"}}]},\"finish_reason\":null}]}\n\n" },
};

/* The JSON writer adds the quotes around the piece, so those of the frame are omitted. */
static void add_piece(struct giant_wire *wire, enum giant_place place, struct str piece)
{
	struct str before = str_from(shapes[place].before);
	struct json_writer json;

	mem_reserve(&wire->starts, &wire->capacity, wire->count + 1, sizeof *wire->starts);
	wire->starts[wire->count++] = wire->bytes.len;
	buf_add(&wire->bytes, str_head(before, before.len - 1));
	json_writer_init(&json, &wire->bytes);
	json_string(&json, piece);
	buf_add_z(&wire->bytes, shapes[place].after + 1);
}

void giant_picture(size_t bytes, struct buf *out)
{
	png_image image = { .version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB };

	image.width = image.height = (png_uint_32)sqrt((double)bytes / 3);
	struct buf pixels = { 0 };
	for (uint32_t i = 0, random = 1; i < image.width * image.height * 3; i++, random = random * 1664525 + 1013904223)
		buf_add_byte(&pixels, (char)(random >> 24));
	png_alloc_size_t room = bytes + bytes / 10 + 4096;
	size_t before = out->len;
	if (!png_image_write_to_memory(&image, buf_extend(out, room), &room, 0, pixels.ptr, 0, NULL))
		fprintf(stderr, "bench: %s\n", image.message);
	buf_remove(out, before + room, out->len - before - room);
	buf_fini(&pixels);
}

static void add_picture(struct giant_wire *wire, size_t bytes)
{
	struct buf picture = { 0 };

	*ARRAY_ADD(wire->starts, wire->count, wire->capacity) = wire->bytes.len;
	giant_picture(bytes, &picture);
	buf_add_z(&wire->bytes, BENCH_CHAT_HEAD "\"delta\":{\"images\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,");
	base64_encode(buf_str(&picture), &wire->bytes);
	buf_add_z(&wire->bytes, "\"}}]},\"finish_reason\":null}]}\n\n");
	buf_fini(&picture);
}

void giant_wire_make(struct giant_wire *wire, const struct giant *giant)
{
	struct buf text;
	char end[GIANT_END_BYTES];

	*wire = (struct giant_wire){ 0 };
	buf_init(&wire->bytes, WIRE_MOST);
	buf_init(&text, TEXT_MOST);
	if (giant->kind == GIANT_PICTURE)
		add_picture(wire, giant->bytes);
	else
		giant_write(giant, &text);
	for (struct str rest = buf_str(&text); rest.len;) {
		struct str piece = str_head(rest, piece_of(rest, giant->piece_bytes));

		add_piece(wire, giant->place, piece);
		rest = str_skip(rest, piece.len);
	}
	giant_end(giant->number, end);
	add_piece(wire, GIANT_ANSWER, STR("\n\n"));
	add_piece(wire, GIANT_ANSWER, str_from(end));
	buf_fini(&text);
}

void giant_wire_fini(struct giant_wire *wire)
{
	buf_fini(&wire->bytes);
	mem_free(wire->starts);
}
