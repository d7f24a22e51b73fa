/*
 * Checks any answer against any schema. Rule: the reason for a mismatch is valid UTF-8 without control bytes.
 *
 * input: the schema, a byte of 255, the answer
 */
#include "base/utf8.h"
#include "chat/provider/schema.h"
#include "fuzz.h"

static void check_sentence(struct str rest)
{
	FUZZ_CHECK(rest.len && utf8_is_valid(rest), "a sentence is valid UTF-8");
	while (rest.len) {
		uint32_t code = utf8_next(&rest);

		FUZZ_CHECK(code >= 0x20 && !(code >= 0x7F && code < 0xA0), "no control byte in a sentence");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str schema = STR_NONE, rest = str_of((const char *)data, size);
	struct error why = { "" };
	struct buf sentence;

	str_split(&rest, '\xFF', &schema);
	if (!schema_check(schema, rest, &why))
		check_sentence(str_from(why.text));
	buf_init(&sentence, (size_t)1 << 20);
	schema_explain(schema, rest, &sentence);
	check_sentence(buf_str(&sentence));
	buf_fini(&sentence);
	return 0;
}
