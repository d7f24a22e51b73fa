#include "base/xml.h"

#include <locale.h>

#include "base/utf8.h"
#include "support/check.h"

static void check_xml(struct str text, unsigned cells, const char *expected)
{
	struct buf out = { 0 };

	xml_add_text(&out, text, cells);
	CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
}

static void markup_is_escaped(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	check_xml(STR("a<b> & \"c\" 'd' \u6c34"), XML_WHOLE, "a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; \u6c34");
	check_xml(STR("<<<<"), 2, "&lt;&lt;");
}

static void controls_are_visible(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	check_xml(STR("a\x1b[31m\x07\x7f\t\n\0z"), XML_WHOLE, "a\u241b[31m\u2407\u2421\u2409\u240a\u2400z");
	check_xml(STR("\xff\xed\xa0\x80"), XML_WHOLE, "\uFFFD\uFFFD\uFFFD\uFFFD");
	check_xml(STR("a\xef\xbf\xbez\xef\xbf\xbf"), XML_WHOLE, "a\uFFFDz\uFFFD");
}

/* XML 1.0, 2.2 and 2.4. */
static bool is_text(struct str text)
{
	while (text.len) {
		uint32_t code = utf8_next(&text);

		if (code < 0x20 || code == 0xFFFE || code == 0xFFFF || code == '<' || code == '>' ||
		    (code == '&' && str_find(text, STR(";")) > 4))
			return false;
	}
	return true;
}

static void any_bytes_are_text(void)
{
	unsigned seed = 5;

	for (int round = 0; round < 2000; round++) {
		struct buf in = { 0 }, out = { 0 };

		for (unsigned n = check_random(&seed) % 40; n; n--) {
			unsigned kind = check_random(&seed) % 4;
			char bytes[4];

			if (kind)
				buf_add_byte(&in, (char)(kind == 1 ? check_random(&seed) % 0x80 : check_random(&seed)));
			else
				buf_add(&in, str_of(bytes, utf8_put(bytes, check_random(&seed) % 0x110000)));
		}
		xml_add_text(&out, buf_str(&in), XML_WHOLE);
		CHECK(is_text(buf_str(&out)), "round %d: %s", round, buf_z(&out));
		buf_fini(&in);
		buf_fini(&out);
	}
}

const struct suite suite_xml = { "xml", (const struct test[]){
	TEST(markup_is_escaped), TEST(controls_are_visible), TEST(any_bytes_are_text), { 0 } } };
