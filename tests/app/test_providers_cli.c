#include <string.h>

#include "app/program.h"
#include "base/json.h"
#include "support/check.h"
#include "support/pty.h"

#define SETTINGS "[provider mine]\nprotocols = anthropic, openai-chat\nbase_url = http://127.0.0.1:9\n" \
	"base_url.openai-chat = http://127.0.0.1:9/v1\nkey_env = MY_KEY\nmodel = m\n"

static const struct json *find(const struct json *list, const char *name)
{
	for (size_t i = 0; i < json_length(list); i++)
		if (str_is(json_get_text(json_at(list, i), "name"), name))
			return json_at(list, i);
	return NULL;
}

static bool flag(const struct json *object, const char *key)
{
	bool value = false;

	CHECK(json_flag(json_get(object, key), &value), "%s", key);
	return value;
}

static void json_tells_all_but_the_key(void)
{
	static const char *const five[] = { "sansa", "chuizi", "aivene", "runtime", "opentoken" };
	struct json_parser *parser = json_parser_new();
	const struct json *list, *mine, *chuizi;
	struct program p;
	size_t used;

	program_run(&p, STR_NONE, ARGS("providers", "--json", "--config", folder_file("weir.conf", SETTINGS)),
	            ARGS("MY_KEY=geheim-1", "CHUIZI_API_KEY=geheim-2", "AIVENE_BASE_URL=http://127.0.0.1:9?token=geheim-3"));
	CU_ASSERT_EQUAL(p.status, 0);
	CU_ASSERT_EQUAL(str_find(buf_str(&p.output), STR("geheim")), p.output.len);
	list = json_parse(parser, buf_str(&p.output), &used);
	for (size_t i = 0; i < sizeof five / sizeof five[0]; i++) {
		CHECK_STR(json_get_text(find(list, five[i]), "dialect"), five[i]);
		CHECK(flag(find(list, five[i]), "key_found") == (i == 1), "%s", five[i]);
	}
	chuizi = find(list, "chuizi");
	CU_ASSERT_EQUAL(json_length(json_get(chuizi, "protocols")), 3);
	CU_ASSERT(flag(chuizi, "ready"));
	CU_ASSERT_FALSE(flag(find(list, "sansa"), "ready"));
	CU_ASSERT_PTR_NULL(json_get(find(list, "sansa"), "base_url"));
	CHECK_STR(json_get_text(find(list, "aivene"), "base_url"), "http://127.0.0.1:9?token=...");
	CHECK_STR(json_get_text(json_get(find(list, "aivene"), "base_urls"), "openai-chat"), "http://127.0.0.1:9?token=...");
	mine = find(list, "mine");
	CHECK_STR(json_text(json_at(json_get(mine, "protocols"), 0)), "anthropic");
	CHECK_STR(json_get_text(mine, "base_url"), "http://127.0.0.1:9");
	CHECK_STR(json_get_text(json_get(mine, "base_urls"), "openai-chat"), "http://127.0.0.1:9/v1");
	CHECK_STR(json_get_text(mine, "key_source"), "the variable MY_KEY");
	CU_ASSERT(flag(mine, "key_found"));
	program_free(&p);
	json_parser_free(parser);
	folder_remove();
}

static void a_line_is_fields_parted_by_tabs(void)
{
	struct program p;
	struct str rest, line, field;
	bool found = false;

	program_run(&p, STR_NONE, ARGS("providers"), ARGS("CHUIZI_API_KEY=geheim", "SANSA_BASE_URL=http://127.0.0.1:9?key=geheim&a=b"));
	CU_ASSERT_EQUAL(p.status, 0);
	CU_ASSERT_EQUAL(str_find(buf_str(&p.output), STR("geheim")), p.output.len);
	rest = buf_str(&p.output);
	while (str_split(&rest, '\n', &line)) {
		if (!str_starts(line, "chuizi\t"))
			continue;
		found = true;
		str_split(&line, '\t', &field);
		str_split(&line, '\t', &field);
		CHECK_STR(field, "found in the variable CHUIZI_API_KEY");
		str_split(&line, '\t', &field);
		CHECK_STR(field, "openai-chat,anthropic,gemini");
		str_split(&line, '\t', &field);
		CHECK_STR(field, "chuizi");
		CU_ASSERT(str_starts(line, "https://"));
	}
	CU_ASSERT(found);
	CHECK(strstr(buf_z(&p.output), "openai-chat\tsansa\thttp://127.0.0.1:9?key=...&a=b\n") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

static void a_terminal_gets_rows_that_fit(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .arguments = ARGS("providers"), .environment = ARGS("OPENAI_API_KEY=geheim"), .rows = 60 });

	PTY_ENDS(p, 0);
	CU_ASSERT(pty_shows(p, "provider    key                            base URL, protocols, dialect"));
	CU_ASSERT(pty_shows(p, "openai      found in OPENAI_API_KEY        https://api.openai.com/v1,"));
	CU_ASSERT(pty_shows(p, "                                           openai-chat, openai-responses"));
	CU_ASSERT(pty_shows(p, "ollama      optional: OLLAMA_API_KEY       http://127.0.0.1:11434, ollama,"));
	CU_ASSERT(pty_shows(p, "demo        none needed "));
	pty_free(p);
}

const struct suite suite_providers_cli = { "providers_cli", (const struct test[]){
	TEST(json_tells_all_but_the_key), TEST(a_line_is_fields_parted_by_tabs), TEST(a_terminal_gets_rows_that_fit), { 0 } } };
