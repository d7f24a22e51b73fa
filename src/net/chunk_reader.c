#include "net/chunk_reader.h"

#include "net/field.h"

#define DIGITS_MOST 15 /* no overflow */

enum state {
	SIZE,           /* the initial state */
	BEFORE_EXTENSION, /* a blank behind the size: an extension must follow */
	EXTENSION,
	SIZE_END,       /* the LF of its line */
	BYTES,
	BYTES_CR,       /* the line end behind a chunk */
	BYTES_LF,
	TRAILER,
	TRAILER_LF,
	OVER,
};

static bool take_size(struct chunk_reader *r, char c)
{
	int digit = char_hex(c);

	if (digit >= 0) {
		r->left = r->left * 16 + (uint64_t)digit;
		return ++r->digits <= DIGITS_MOST;
	}
	r->state = c == '\r' ? SIZE_END : c == ';' ? EXTENSION : BEFORE_EXTENSION;
	return r->digits && (c == '\r' || c == ';' || c == ' ' || c == '\t');
}

static bool take_extension(struct chunk_reader *r, char c)
{
	if (r->state == BEFORE_EXTENSION && c == ';')
		r->state = EXTENSION;
	else if (r->state == BEFORE_EXTENSION && c != ' ' && c != '\t')
		return false;
	else if (c == '\r')
		r->state = SIZE_END;
	return (c == '\r' || field_is_value(str_of(&c, 1))) && ++r->extension_bytes <= CHUNK_EXTENSION_BYTES_MOST;
}

/* The end of a line of the trailers: of the section, if it is empty. */
static bool end_trailer(struct chunk_reader *r)
{
	struct str line = str_skip(buf_str(&r->trailers), r->line_at);
	struct response_header field;

	r->state = line.len ? TRAILER : OVER;
	if (line.len && !field_read(line, &field))
		return false;
	if (line.len)
		buf_add_z(&r->trailers, "\r\n");
	r->line_at = r->trailers.len;
	return true;
}

/* A byte of the framing. False: it is out of place. */
static bool take_byte(struct chunk_reader *r, char c)
{
	switch ((enum state)r->state) {
	case SIZE:
		return take_size(r, c);
	case BEFORE_EXTENSION: case EXTENSION:
		return take_extension(r, c);
	case SIZE_END:
		r->state = r->left ? BYTES : TRAILER;
		r->digits = 0;
		return c == '\n';
	case BYTES_CR:
		r->state = BYTES_LF;
		return c == '\r';
	case BYTES_LF:
		r->state = SIZE;
		return c == '\n';
	case TRAILER:
		if (c == '\r')
			r->state = TRAILER_LF;
		return c == '\r' || (field_is_value(str_of(&c, 1)) && r->trailers.len < CHUNK_TRAILER_BYTES_MOST && buf_add_byte(&r->trailers, c));
	case TRAILER_LF:
		return c == '\n' && end_trailer(r);
	case BYTES: case OVER:
		break;
	}
	return false;
}

enum chunk_result chunk_reader_step(struct chunk_reader *r, struct str *in, struct str *piece)
{
	while (r->state != OVER && in->len) {
		if (r->state == BYTES) {
			*piece = str_head(*in, r->left < in->len ? (size_t)r->left : in->len);
			*in = str_skip(*in, piece->len);
			r->left -= piece->len;
			r->state = r->left ? BYTES : BYTES_CR;
			return CHUNK_BYTES;
		}
		if (!take_byte(r, *in->ptr))
			return CHUNK_BROKEN;
		*in = str_skip(*in, 1);
	}
	return r->state == OVER ? CHUNK_OVER : CHUNK_HUNGRY;
}

void chunk_reader_fini(struct chunk_reader *r)
{
	buf_fini(&r->trailers);
	*r = (struct chunk_reader){ .state = SIZE };
}

bool chunk_next_trailer(struct str *trailers, struct response_header *field)
{
	struct str line;

	while (str_split(trailers, '\n', &line))
		if (field_read(str_trim(line), field) && field_may_trail(field->name))
			return true;
	return false;
}
