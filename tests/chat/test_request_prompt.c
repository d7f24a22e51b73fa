#include "chat/conversation/conversation.h"
#include "chat/conversation/request_prompt.h"
#include "support/check.h"

static void finds_the_last_text_of_the_user(void)
{
	static const struct { const char *request, *text; } cases[] = {
		{ "{\"messages\":[{\"role\":\"user\",\"content\":\"old\"},{\"role\":\"assistant\",\"content\":\"a\"},{\"role\":\"user\",\"content\":\"new\"}]}", "new" },
		{ "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"look\"},{\"type\":\"image_url\"},{\"type\":\"text\",\"text\":\"here\"}]}]}", "look\nhere" },
		{ "{\"messages\":[{\"role\":\"user\",\"content\":\"asked\"},{\"role\":\"assistant\"},{\"role\":\"tool\",\"content\":\"22\"}]}", "asked" },
		{ "{\"messages\":[{\"role\":\"user\",\"content\":\"asked\"},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"content\":\"22\"}]}]}", "asked" },
		{ "{\"input\":\"just text\"}", "just text" },
		{ "{\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"r\"}]},{\"type\":\"function_call_output\",\"output\":\"x\"}]}", "r" },
		{ "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"g\"}]}]}", "g" },
		{ "{\"messages\":[{\"role\":\"system\",\"content\":\"s\"}]}", NULL },
		{ "{\"messages\":{\"role\":\"user\"}}", NULL },
		{ "{\"messages\":[{\"role\":\"user\",\"content\":\" \"}]}", NULL },
		{ "[]", NULL }, { "null", NULL }, { "", NULL }, { "{", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct conversation *c = conversation_new();
		struct turn *t = request_prompt_add(str_from(cases[i].request), c);

		CHECK(!t == !cases[i].text, "%s", cases[i].request);
		if (t && cases[i].text)
			CHECK_STR(buf_str(&t->parts[0].text), cases[i].text);
		CHECK(c->count == (cases[i].text ? 1 : 0), "%s", cases[i].request);
		conversation_free(c);
	}
}

const struct suite suite_request_prompt = { "request_prompt", (const struct test[]){ TEST(finds_the_last_text_of_the_user), { 0 } } };
