#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/title.h"
#include "support/check.h"
#include "wire/part.h"

static void a_title_is_one_short_line(void)
{
	static const struct { const char *prompt, *title; } cases[] = {
		{ "  Hello,\r\n\n\tworld!  ", "Hello, world!" },
		{ "", "" },
		{ "\n \n", "" },
		{ "x\a\x1b]0;y", "x ]0;y" },
		{ "123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 ",
		  "123456789 123456789 123456789 123456789 123456789 123456789 123456789 12…" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct conversation *c = conversation_new();
		struct turn *t = conversation_ask(c);

		turn_add(t, PART_TEXT, str_from(cases[i].prompt), STR_NONE, STR_NONE);
		char *title = title_of_prompt(t);
		CHECK_STR(str_from(title), cases[i].title);
		mem_free(title);
		conversation_free(c);
	}
}

const struct suite suite_title = { "title", (const struct test[]){
	TEST(a_title_is_one_short_line),
	{ 0 },
} };
