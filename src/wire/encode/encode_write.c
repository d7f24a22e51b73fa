/* Output functions for the forms of the protocols. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

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

/* The figure that a member alone gives, if any. */
static const struct usage_member *encode_write_row_at(const struct usage_member *table, const char *path)
{
	for (; table->path; table++)
		if (!table->adds && !strcmp(table->path, path))
			return table;
	return NULL;
}

/* A figure minus what other members add to it. */
static int64_t encode_write_number_of(const struct usage_member *table, const struct usage *usage, enum usage_figure figure)
{
	int64_t number = usage->of[figure].number;

	for (const struct usage_member *row = table; row->path; row++) {
		const struct usage_member *own = row->adds && row->figure == figure ? encode_write_row_at(table, row->path) : NULL;

		if (own)
			number -= usage->of[own->figure].number;
	}
	return number > 0 ? number : 0;
}

struct str encode_usage(struct encoder *e)
{
	const struct usage_member *table = e->form->usage_members;
	struct str object = STR_NONE; /* the open one, with its dot */
	struct json_writer w;

	e->usage_due = false;
	buf_clear(&e->scratch);
	json_writer_init(&w, &e->scratch);
	json_open_object(&w);
	for (const struct usage_member *row = table; row->path; row++) {
		struct str path = str_from(row->path);
		struct str outer = str_head(path, str_find(path, STR(".")) + 1);

		if (row != encode_write_row_of(table, row->figure) || !e->usage.of[row->figure].sent)
			continue;
		bool nested = outer.len < path.len;
		if (object.len && !(nested && str_equal(object, outer)))
			json_close_object(&w);
		if (nested && !str_equal(object, outer)) {
			json_key_str(&w, str_head(outer, outer.len - 1));
			json_open_object(&w);
		}
		object = nested ? outer : STR_NONE;
		json_member_integer(&w, row->path + object.len, encode_write_number_of(table, &e->usage, row->figure));
	}
	if (object.len)
		json_close_object(&w);
	json_close_object(&w);
	return buf_str(&e->scratch);
}
