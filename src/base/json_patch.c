#include "base/json_patch.h"

#include "base/json_draft.h"
#include "base/json_scan.h"

#define MERGED_MOST 32 /* levels of objects that are merged; deeper ones are replaced */

/* The value of the last member of that key. */
static struct str patch_find(struct str object, struct str key)
{
	struct json_spans spans = json_spans_of(object);
	struct str name, item, found = STR_NONE;

	while (json_spans_next(&spans, &name, &item))
		if (str_equal(name, key))
			found = item;
	return found;
}

static bool patch_merges(struct str value, struct str over)
{
	return str_starts(value, "{") && str_starts(over, "{");
}

/* Writes the patch's members that the object lacks. */
static void patch_add(struct json_writer *w, struct str object, struct str patch)
{
	struct json_spans spans = json_spans_of(patch);
	struct str key, item;

	while (json_spans_next(&spans, &key, &item))
		if (!patch_find(object, key).len && !str_is(item, "null") && patch_find(patch, key).ptr == item.ptr)
			json_member_compact(w, key, item);
}

static void patch_object(struct json_writer *w, struct str object, struct str patch)
{
	struct json_spans spans = json_spans_of(object);
	struct str key, item;

	json_open_object(w);
	while (json_spans_next(&spans, &key, &item)) {
		struct str over = patch_find(patch, key);

		if (over.len && patch_merges(item, over) && w->depth < MERGED_MOST) {
			json_key_text(w, key);
			patch_object(w, item, over);
		} else if (!str_is(over, "null")) {
			json_member_compact(w, key, over.len ? over : item);
		}
	}
	patch_add(w, object, patch);
	json_close_object(w);
}

void json_patch(struct str object, struct str patch, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	patch_object(&w, object, patch);
}

/* --- the outermost object of a writer --- */

static void patch_cut(struct buf *out, size_t len)
{
	out->len = len;
	out->ptr[len] = 0;
}

void json_patch_member(struct json_writer *w)
{
	bool borrows = w->draft && w->draft->count && w->draft->inserts[w->draft->count - 1].at > w->value_at;
	size_t key = w->member_at + (w->member_at > w->first_at) + 1; /* behind a comma and a quote */
	struct buf value = { 0 }, patched = { 0 };
	struct str over;

	if (w->value_at == w->first_at || w->full || borrows)
		return;
	over = patch_find(w->patch, str_of(w->out->ptr + key, w->value_at - key - 2));
	if (!over.len)
		return;
	buf_add(&value, str_skip(buf_str(w->out), w->value_at));
	if (str_is(over, "null")) {
		patch_cut(w->out, w->member_at);
		w->comma = w->member_at > w->first_at;
	} else {
		patch_cut(w->out, w->value_at);
		if (patch_merges(buf_str(&value), over))
			json_patch(buf_str(&value), over, &patched);
		else
			json_scan_compact(over, &patched);
		w->full |= !buf_add(w->out, buf_str(&patched));
	}
	buf_fini(&value);
	buf_fini(&patched);
}

void json_patch_rest(struct json_writer *w)
{
	struct str patch = w->patch;
	struct buf object = { 0 };

	buf_add(&object, str_skip(buf_str(w->out), w->first_at - 1));
	w->patch = STR_NONE;
	if (!w->full && buf_add(&object, STR("}")))
		patch_add(w, buf_str(&object), patch);
	buf_fini(&object);
}
