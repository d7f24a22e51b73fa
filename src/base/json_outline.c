#include "base/json_outline.h"

#define LEVELS 2
#define STRING_BYTES_MOST 1000
#define OUTLINE_BYTES_MOST ((size_t)256 << 10)

void json_outline_init(struct json_outline *o)
{
	*o = (struct json_outline){ .deep = false };
	json_scan_init(&o->scan);
	buf_init(&o->text, OUTLINE_BYTES_MOST);
}

void json_outline_fini(struct json_outline *o)
{
	buf_fini(&o->text);
}

static void outline_string(struct json_outline *o, struct str bytes, bool begins, bool ends)
{
	if (begins) {
		o->string_at = o->text.len;
		o->is_long = false;
	}
	if (!o->is_long || ends)
		buf_add(&o->text, bytes);
	if (ends || o->is_long || o->text.len - o->string_at < STRING_BYTES_MOST)
		return;
	buf_remove(&o->text, o->string_at + 1, o->text.len - o->string_at - 1);
	o->is_long = true;
}

/* Bytes of a string, or one other byte. */
static void outline_take(struct json_outline *o, struct str bytes)
{
	bool was_string = json_scan_place(&o->scan) != JSON_SCAN_OUTSIDE;

	json_scan_feed(&o->scan, bytes);
	bool is_string = json_scan_place(&o->scan) != JSON_SCAN_OUTSIDE;
	if (o->deep) {
		o->deep = o->scan.depth > LEVELS;
	} else if (o->scan.depth > LEVELS) {
		buf_add_z(&o->text, "null");
		o->deep = true;
	} else if (was_string || is_string) {
		outline_string(o, bytes, !was_string, !is_string);
	} else {
		buf_add(&o->text, bytes);
	}
}

void json_outline_add(struct json_outline *o, struct str piece)
{
	while (piece.len && !json_scan_failed(&o->scan)) {
		size_t plain = json_scan_place(&o->scan) == JSON_SCAN_OUTSIDE ? 0 : json_scan_plain(piece);
		struct str bytes = str_head(piece, plain ? plain : 1);

		outline_take(o, bytes);
		piece = str_skip(piece, bytes.len);
	}
}

struct str json_outline_text(const struct json_outline *o)
{
	return json_scan_whole(&o->scan) && json_scan_is_whole(buf_str(&o->text)) ? buf_str(&o->text) : STR_NONE;
}
