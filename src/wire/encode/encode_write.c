/* Output functions for the forms of the protocols. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/base64.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "wire/encode/encode_inside.h"

void encode_put(struct encoder *e, const char *format, ...)
{
	struct str text;
	va_list args;

	va_start(args, format);
	for (; *format; format++) {
		if (*format == '\'') {
			buf_add_byte(e->out, '"');
			continue;
		}
		if (*format != '%') {
			buf_add_byte(e->out, *format);
			continue;
		}
		switch (*++format) {
		case 's':
			text = va_arg(args, struct str);
			if (text.ptr)
				json_escape(e->out, text);
			else
				buf_add_z(e->out, "null");
			break;
		case 't':
			json_escape(e->out, va_arg(args, struct str));
			break;
		case 'j':
			buf_add(e->out, va_arg(args, struct str));
			break;
		case 'b':
			base64_encode(va_arg(args, struct str), e->out);
			break;
		case 'z':
			buf_add_z(e->out, va_arg(args, const char *));
			break;
		case 'u':
			buf_printf(e->out, "%u", va_arg(args, unsigned));
			break;
		case 'n':
			buf_printf(e->out, "%" PRId64, va_arg(args, int64_t));
			break;
		}
	}
	va_end(args);
}

struct str encode_known(const struct buf *buf)
{
	return buf->len ? buf_str(buf) : STR_NONE;
}

struct str encode_said(struct encoder *e, enum part_kind kind)
{
	buf_clear(&e->scratch);
	for (size_t i = 0; i < e->count; i++)
		if (e->blocks[i].kind == kind)
			buf_add(&e->scratch, buf_str(&e->blocks[i].text));
	return encode_known(&e->scratch);
}

struct str encode_citations(struct encoder *e)
{
	buf_clear(&e->scratch);
	for (size_t i = 0; i < e->count; i++) {
		if (e->scratch.len && e->blocks[i].citations.len)
			buf_add_byte(&e->scratch, ',');
		buf_add(&e->scratch, buf_str(&e->blocks[i].citations));
	}
	return encode_known(&e->scratch);
}

void encode_put_arguments(struct encoder *e, const struct encode_block *b)
{
	struct str text = buf_str(&b->text);

	if (str_starts(str_trim_start(text), "{") && json_scan_is_whole(text))
		json_scan_compact(text, e->out);
	else
		json_escape(e->out, text);
}

/* --- usage, by the tables that the decoders read (wire/usage.h) --- */

/* The first row whose member is that figure alone; NULL: none. */
static const struct usage_member *encode_write_row_of(const struct usage_member *table, enum usage_figure figure)
{
	for (; table->path; table++)
		if (!table->adds && table->figure == figure)
			return table;
	return NULL;
}

/* The figure that the place of a row alone gives, if any. */
static const struct usage_member *encode_write_row_at(const struct usage_member *table, const struct usage_member *place)
{
	for (; table->path; table++)
		if (!table->adds && usage_member_is_at(table, place))
			return table;
	return NULL;
}

/* A figure minus what other members add to it. */
static int64_t encode_write_number_of(const struct usage_member *table, const struct usage *usage, enum usage_figure figure)
{
	int64_t number = usage->of[figure].number;

	for (const struct usage_member *row = table; row->path; row++) {
		const struct usage_member *own = row->adds && row->figure == figure ? encode_write_row_at(table, row) : NULL;

		if (own)
			number -= usage->of[own->figure].number;
	}
	return number > 0 ? number : 0;
}

/* The member of the usage object that holds the figure with others: an object, or an array of elements. "": the figure stands alone. */
static struct str encode_write_group(const struct usage_member *row)
{
	struct str path = str_from(row->path);
	size_t dot = str_find(path, STR("."));

	return row->element.key ? path : dot < path.len ? str_head(path, dot) : STR_NONE;
}

static void encode_write_close(struct json_writer *w, const struct usage_member *open)
{
	if (open && open->element.key)
		json_close_array(w);
	else if (open && encode_write_group(open).len)
		json_close_object(w);
}

static void encode_write_open(struct json_writer *w, const struct usage_member *row)
{
	struct str group = encode_write_group(row);

	if (group.len)
		json_key_str(w, group);
	if (row->element.key)
		json_open_array(w);
	else if (group.len)
		json_open_object(w);
}

static void encode_write_figure(struct json_writer *w, const struct usage_member *row, int64_t number)
{
	struct str group = encode_write_group(row);

	if (!row->element.key) {
		json_member_integer(w, row->path + group.len + (group.len > 0), number);
		return;
	}
	json_open_object(w);
	json_member_string(w, row->element.key, str_from(row->element.value));
	json_member_integer(w, row->element.member, number);
	json_close_object(w);
}

void encode_usage_object(const struct usage_member *table, const struct usage *usage, struct buf *out)
{
	const struct usage_member *open = NULL; /* the row that was written last */
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	for (const struct usage_member *row = table; row->path; row++) {
		if (row != encode_write_row_of(table, row->figure) || !usage->of[row->figure].sent)
			continue;
		if (!open || !str_equal(encode_write_group(open), encode_write_group(row))) {
			encode_write_close(&w, open);
			encode_write_open(&w, row);
		}
		encode_write_figure(&w, row, encode_write_number_of(table, usage, row->figure));
		open = row;
	}
	encode_write_close(&w, open);
	json_close_object(&w);
}

struct str encode_usage(struct encoder *e)
{
	e->usage_due = false;
	buf_clear(&e->scratch);
	encode_usage_object(e->form->usage_members, &e->usage, &e->scratch);
	return buf_str(&e->scratch);
}
