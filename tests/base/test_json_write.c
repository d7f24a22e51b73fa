#include "base/json_write.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static void writes_commas_and_members(void)
{
	struct json_writer w;
	struct buf out;

	buf_init(&out, 1000);
	json_writer_init(&w, &out);
	json_open_object(&w);
	json_member_string(&w, "s", STR("x"));
	json_member_string(&w, "none", STR_NONE);
	json_member_string_or_null(&w, "null", STR_NONE);
	json_member_string_or_null(&w, "empty", STR(""));
	json_member_integer(&w, "i", INT64_MIN);
	json_member_boolean(&w, "b", true);
	json_member_verbatim(&w, "v", STR("[ 1 ]"));
	json_key(&w, "a");
	json_open_array(&w);
	json_open_array(&w);
	json_close_array(&w);
	json_null(&w);
	json_open_object(&w);
	json_close_object(&w);
	json_boolean(&w, false);
	json_close_array(&w);
	json_key_str(&w, STR("k\"y"));
	json_integer(&w, 1);
	json_close_object(&w);
	CHECK_STR(buf_str(&out), "{\"s\":\"x\",\"none\":\"\",\"null\":null,\"empty\":\"\",\"i\":-9223372036854775808,\"b\":true,"
				 "\"v\":[ 1 ],\"a\":[[],null,{},false],\"k\\\"y\":1}");
	CU_ASSERT_FALSE(w.full);
	buf_fini(&out);
}

static void escapes_as_promised(void)
{
	struct buf out;

	buf_init(&out, 1000);
	CU_ASSERT(json_escape(&out, str_of("\b\t\n\f\r\"\\/\0\x1f\x7f\xC3\xA9<", 14)));
	CHECK_STR(buf_str(&out), "\"\\b\\t\\n\\f\\r\\\"\\\\/\\u0000\\u001f\x7f\xC3\xA9<\"");
	buf_fini(&out);
}

static char letter_of(char byte)
{
	static const char pairs[][2] = { { '\b', 'b' }, { '\t', 't' }, { '\n', 'n' }, { '\f', 'f' }, { '\r', 'r' }, { '"', '"' }, { '\\', '\\' } };

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (pairs[i][0] == byte)
			return pairs[i][1];
	return 0;
}

static void escape_slowly(struct str text, struct buf *out)
{
	buf_add_z(out, "\"");
	for (size_t i = 0; i < text.len; i++) {
		char byte = text.ptr[i];

		if (letter_of(byte))
			buf_printf(out, "\\%c", letter_of(byte));
		else if ((unsigned char)byte < 0x20)
			buf_printf(out, "\\u%04x", (unsigned)byte);
		else
			buf_add_byte(out, byte);
	}
	buf_add_z(out, "\"");
}

/* Wherever the special bytes stand, and however little room there is. */
static void escapes_at_every_offset(void)
{
	static const char specials[] = { '"', '\\', '\n', '\x01', '\0', '\x1f', '\x7f', '\x80', '\xff', ' ', '!', '#', '[', ']' };
	unsigned seed = 1;

	for (unsigned round = 0; round < 20000; round++) {
		char bytes[48];
		size_t len = check_random(&seed) % sizeof bytes;
		struct buf out, expected = { 0 };

		for (size_t i = 0; i < len; i++)
			bytes[i] = check_random(&seed) % 4 ? (char)('a' + i % 26) : specials[check_random(&seed) % sizeof specials];
		escape_slowly(str_of(bytes, len), &expected);
		for (size_t less = 0; less < 2; less++) {
			buf_init(&out, expected.len - less);
			CU_ASSERT_EQUAL(json_escape(&out, str_of(bytes, len)), !less);
			CHECK(str_equal(buf_str(&out), less ? STR("") : buf_str(&expected)), "round %u: %s", round, buf_z(&out));
			buf_fini(&out);
		}
		buf_init(&out, 1000);
		json_escape(&out, str_of(bytes, len));
		CHECK(str_equal(buf_str(&out), buf_str(&expected)), "round %u: %s", round, buf_z(&out));
		buf_fini(&out);
		buf_fini(&expected);
	}
}

static void reports_when_it_does_not_fit(void)
{
	struct json_writer w;
	struct buf out;

	buf_init(&out, 8);
	json_writer_init(&w, &out);
	json_open_array(&w);
	json_string(&w, STR("long enough"));
	json_close_array(&w);
	CU_ASSERT(w.full);
	CU_ASSERT(out.len <= 8);
	buf_fini(&out);
}

static void check_number(bool milliseconds, double number, const char *expected)
{
	struct json_writer w;
	struct buf out;

	buf_init(&out, 1000);
	json_writer_init(&w, &out);
	if (milliseconds)
		json_milliseconds(&w, number);
	else
		json_real(&w, number);
	CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
}

static void writes_numbers(void)
{
	check_number(false, 0.1, "0.1");
	check_number(false, 1, "1");
	check_number(false, 1.0 / 3, "0.3333333333333333");
	check_number(false, 5e-324, "4.94065645841247e-324");
	check_number(false, 1e300, "1e+300");
	check_number(false, NAN, "null");
	check_number(false, -INFINITY, "null");
	check_number(true, 12, "12");
	check_number(true, 12.3, "12.3");
	check_number(true, 12.34567, "12.346");
	check_number(true, 100, "100");
	check_number(true, 0, "0");
	check_number(true, NAN, "null");
}

static void numbers_are_independent_of_the_locale(void)
{
	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
		check_skip("no locale with a decimal comma");
		return;
	}
	check_number(false, 0.1, "0.1");
	check_number(true, 1234.5, "1234.5");
	setlocale(LC_NUMERIC, "C");
}

static void reals_read_back_the_same(void)
{
	unsigned seed = 2;

	for (int i = 0; i < 2000; i++) {
		double number = ldexp((double)check_random(&seed) * 1e9 + (double)check_random(&seed), (int)(check_random(&seed) % 200) - 100);
		struct json_writer w;
		struct buf out;

		buf_init(&out, 100);
		json_writer_init(&w, &out);
		json_real(&w, number);
		CHECK(fabs(strtod(buf_z(&out), NULL) - number) <= 0, "%a became %s", number, buf_z(&out));
		buf_fini(&out);
	}
}

const struct suite suite_json_write = { "json_write", (const struct test[]){
	TEST(writes_commas_and_members),
	TEST(escapes_as_promised),
	TEST(escapes_at_every_offset),
	TEST(reports_when_it_does_not_fit),
	TEST(writes_numbers),
	TEST(numbers_are_independent_of_the_locale),
	TEST(reals_read_back_the_same),
	{ 0 },
} };
