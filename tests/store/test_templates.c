#include "store/config/templates.h"

#include <string.h>

#include "support/check.h"

/* A template "t" with this prompt; false with an error. */
static bool begin(struct templates *all, const char *prompt, struct error *err)
{
	struct ini_entry entry = { .file = "w.conf", .section = "template t", .name = "prompt", .value = prompt, .line = 4 };

	*all = (struct templates){ 0 };
	*err = (struct error){ "" };
	return templates_set(all, STR("t"), &entry, err);
}

static const struct {
	const char *prompt, *line, *piped;
	const char *filled, *error; /* one of them */
} cases[] = {
	{ "Say {1}.", "hello", NULL, "Say hello.", NULL },
	{ "{2} {1} {2}", "a b", NULL, "b a b", NULL },
	{ "To {1}: {input}", "French good  morning \"x\"", NULL, "To French: good  morning \"x\"", NULL },
	{ "To {1}: {input}", "\"Old English\" hi", NULL, "To Old English: hi", NULL },
	{ "To {1}: {input}", "French", "piped", "To French: piped", NULL },
	{ "To {1}: {input}", "French words", "piped", "To French: words\n\npiped", NULL },
	{ "Fix it", "this one", NULL, "Fix it\n\nthis one", NULL },
	{ "Fix it", "", "text", "Fix it\n\ntext", NULL },
	{ "Fix it", "", NULL, "Fix it", NULL },
	{ "{{\"a\": {1}}}", "1", NULL, "{\"a\": 1}", NULL },
	{ "{{1}}", "", NULL, "{1}", NULL },
	{ "{1}", "{input} {{", NULL, "{input}\n\n{{", NULL }, /* what is filled in is not read again */
	{ "{1} {3}", "a b", NULL, NULL, "template t needs {3}: 2 words were given, 3 needed" },
	{ "{1}", "", NULL, NULL, "template t needs {1}: 0 words were given, 1 needed" },
	{ "{input}", "", NULL, NULL, "template t needs {input}: give words for it, or pipe a text into weir ask" },
	{ "{1}{input}", "a", NULL, NULL, "template t needs {input}: give words for it after the others, or pipe a text into weir ask" },
};

static void places_are_filled(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct templates all;
		struct template_words with;
		struct error err;
		struct buf out = { 0 };

		CHECK(begin(&all, cases[i].prompt, &err), "%s", err.text);
		template_split(&all.items[0], str_from(cases[i].line), &with);
		with.piped = str_from(cases[i].piped);
		bool good = template_fill(&all.items[0], &with, &out, &err);
		CHECK(good == !cases[i].error, "%s: %s", cases[i].prompt, err.text);
		if (good)
			CHECK_STR(buf_str(&out), cases[i].filled);
		else if (cases[i].error)
			CHECK_STR(str_from(err.text), cases[i].error);
		buf_fini(&out);
		templates_fini(&all);
	}
}

static void a_lone_brace_is_refused(void)
{
	static const char *const prompts[] = { "a {name}", "{0}", "{10}", "{", "}", "{1", "a } b", "{}", "{{{" };

	for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++) {
		struct templates all;
		struct error err;

		CHECK(!begin(&all, prompts[i], &err), "%s", prompts[i]);
		CHECK(strstr(err.text, "is no place of a template"), "%s", err.text);
		templates_fini(&all);
	}
}

static void its_places_are_told(void)
{
	struct templates all;
	struct error err;
	struct buf out = { 0 };

	CU_ASSERT(begin(&all, "{2} {input}", &err));
	template_write_places(&all.items[0], &out);
	CHECK_STR(buf_str(&out), "{1} {2} {input}");
	CU_ASSERT_EQUAL(template_word_count(&all.items[0]), 2);
	buf_fini(&out);
	templates_fini(&all);
}

const struct suite suite_templates = { "templates", (const struct test[]){
	TEST(places_are_filled), TEST(a_lone_brace_is_refused), TEST(its_places_are_told), { 0 } } };
