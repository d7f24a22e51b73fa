#include "chat/provider/models_read.h"

#include "base/json.h"
#include "base/json_scan.h"

#define PART_BYTES ((size_t)256 << 10) /* of models, and of what stands around them */

static bool read_whole(struct json_parser *parser, const struct protocol *protocol, struct str text, model_visit *visit, void *ctx, struct buf *next)
{
	size_t used;
	const struct json *value = json_parse(parser, text, &used);

	buf_clear(next);
	return value && protocol->read_models(value, visit, ctx, next);
}

/* The array of a valid model list; STR_NONE: there is none. */
static struct str find_array(struct str text)
{
	struct str array = str_trim(text);

	if (!str_starts(array, "["))
		array = json_scan_find(text, (const char *const[]){ "data", NULL });
	if (!str_starts(array, "["))
		array = json_scan_find(text, (const char *const[]){ "models", NULL });
	return str_starts(array, "[") ? array : STR_NONE;
}

/* Reads lists of some of the models, each with all that stands around them: the tree of a long list of small models is a hundred times its text. */
static bool read_parts(struct json_parser *parser, const struct protocol *protocol, struct str text, model_visit *visit, void *ctx, struct buf *next)
{
	struct str array = json_scan_is_whole(text) ? find_array(text) : STR_NONE, key, model = STR_NONE;
	struct str before = str_head(text, array.ptr ? (size_t)(array.ptr - text.ptr) : 0), after = str_skip(text, before.len + array.len);
	struct json_spans models = json_spans_of(array);
	bool good = array.ptr && before.len + after.len <= PART_BYTES, more = true;
	struct buf part;

	buf_init(&part, text.len + 16);
	while (good && more) {
		buf_clear(&part);
		buf_add(&part, before);
		buf_add_byte(&part, '[');
		while (part.len < before.len + PART_BYTES && (more = json_spans_next(&models, &key, &model))) {
			buf_add_z(&part, part.len > before.len + 1 ? "," : "");
			buf_add(&part, model);
		}
		buf_add_byte(&part, ']');
		buf_add(&part, after);
		good = read_whole(parser, protocol, buf_str(&part), visit, ctx, next);
	}
	buf_fini(&part);
	return good;
}

bool models_read(const struct protocol *protocol, struct str text, model_visit *visit, void *ctx, struct buf *next)
{
	struct json_parser *parser = json_parser_new();
	bool good = read_whole(parser, protocol, text, visit, ctx, next) ||
	            (json_was_too_large(parser) && read_parts(parser, protocol, text, visit, ctx, next));

	json_parser_free(parser);
	return good;
}
