/* Patches: of a text, and of what a writer writes, whole or as a draft. */
#include "base/json_patch.h"

#include "base/json_draft.h"
#include "base/json_scan.h"
#include "support/check.h"

static const struct { const char *object, *patch, *result; } cases[] = {
	{ "{}", "{}", "{}" },
	{ "{'a':1,'b':2}", "{'b':3}", "{'a':1,'b':3}" },
	{ "{'a':1,'b':2}", "{'a':null}", "{'b':2}" },
	{ "{'a':1,'b':2}", "{'a':null,'b':null}", "{}" },
	{ "{'a':1}", "{'c':[1,2],'b':{'x':null}}", "{'a':1,'c':[1,2],'b':{'x':null}}" },
	{ "{'a':{'x':1,'y':{'z':1}},'b':2}", "{'a':{'y':{'z':2,'q':3},'x':null},'c':4}", "{'a':{'y':{'z':2,'q':3}},'b':2,'c':4}" },
	{ "{'a\\'b':{'x':1}}", "{'a\\'b':{'y':2}}", "{'a\\'b':{'x':1,'y':2}}" },
	{ "{'a':{'x':1}}", "{'a':[1]}", "{'a':[1]}" },
	{ "{'a':[1]}", "{'a':{'x':1}}", "{'a':{'x':1}}" },
	{ "{'a':1}", "{'c':1,'c':2}", "{'a':1,'c':2}" },
	{ "{'a':'x,}\\'y'}", "{'b':'{'}", "{'a':'x,}\\'y','b':'{'}" },
};

static void quoted(const char *text, struct buf *out)
{
	for (; *text; text++)
		buf_add_byte(out, *text == '\'' ? '"' : *text);
}

/* Members as a writer gets them. */
static void write_object(struct json_writer *w, struct str object)
{
	struct json_spans spans = json_spans_of(object);
	struct str key, item;

	json_open_object(w);
	while (json_spans_next(&spans, &key, &item)) {
		json_key_text(w, key);
		json_verbatim(w, item);
	}
	json_close_object(w);
}

static void a_patch_replaces_completes_and_removes(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf object = { 0 }, patch = { 0 }, expected = { 0 }, out = { 0 }, written = { 0 };
		struct json_writer w;

		quoted(cases[i].object, &object);
		quoted(cases[i].patch, &patch);
		quoted(cases[i].result, &expected);
		json_patch(buf_str(&object), buf_str(&patch), &out);
		CHECK_STR(buf_str(&out), buf_z(&expected));
		buf_add_z(&written, "before");
		json_writer_init(&w, &written);
		w.patch = buf_str(&patch);
		write_object(&w, buf_str(&object));
		CHECK_STR(str_skip(buf_str(&written), 6), buf_z(&expected));
		buf_fini(&object), buf_fini(&patch), buf_fini(&expected), buf_fini(&out), buf_fini(&written);
	}
}

/* Its strings stay where they belong although members in front of them grow, and it is not replaced itself. */
static void a_draft_is_patched_around_its_strings(void)
{
	char large[JSON_DRAFT_LEAST + 1];
	struct json_draft d;
	struct buf out = { 0 };

	memset(large, 'x', sizeof large - 1);
	large[sizeof large - 1] = 0;
	json_draft_init(&d);
	d.writer.patch = STR("{\"a\":\"much longer than before\",\"text\":1,\"b\":null,\"c\":true}");
	json_open_object(&d.writer);
	json_member_integer(&d.writer, "a", 1);
	json_member_borrowed(&d.writer, "text", str_from(large));
	json_member_integer(&d.writer, "b", 2);
	json_close_object(&d.writer);
	while (json_draft_write(&d, &out, 100) == JSON_DRAFT_MORE)
		continue;
	CHECK(json_scan_is_whole(buf_str(&out)) && str_starts(buf_str(&out), "{\"a\":\"much longer than before\",\"text\":\"xxx") &&
	      str_ends(buf_str(&out), "xxx\",\"c\":true}") && out.len == sizeof large - 1 + strlen("{\"a\":\"much longer than before\",\"text\":\"\",\"c\":true}"),
	      "%s", buf_z(&out));
	json_draft_fini(&d);
	buf_fini(&out);
}

const struct suite suite_json_patch = { "json_patch", (const struct test[]){
	TEST(a_patch_replaces_completes_and_removes),
	TEST(a_draft_is_patched_around_its_strings),
	{ 0 },
} };
