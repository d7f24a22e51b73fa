#include <stdlib.h>
#include <string.h>

#include "app/demo/demo.h"
#include "app/options/options.h"
#include "app/program.h"
#include "app/setup/attachment_file.h"
#include "app/setup/setup.h"
#include "support/check.h"

/* A setup from options and the text of a settings file, without variables of the tester's environment. */
struct tried {
	struct options o;
	struct setup s;
	struct error err;
	bool good;
};

static void begin(struct tried *t)
{
	static const char *const keys[] = { "SANSA_API_KEY", "CHUIZI_API_KEY", "AIVENE_API_KEY", "RUNTIME_API_KEY", "OPENTOKEN_API_KEY",
		"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY", "DEEPSEEK_API_KEY",
		"GROQ_API_KEY", "MISTRAL_API_KEY", "XAI_API_KEY", "AZURE_OPENAI_API_KEY", "OLLAMA_API_KEY", "LLAMACPP_API_KEY", "VLLM_API_KEY",
		"LMSTUDIO_API_KEY", "WEIR_API_KEY" };

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		unsetenv(keys[i]);
	setenv("XDG_CONFIG_HOME", folder_path(), 1);
	*t = (struct tried){ .err = { "" } };
	options_init(&t->o);
}

static void try(struct tried *t)
{
	t->good = setup_init(&t->s, &t->o, &t->err);
}

static void end(struct tried *t)
{
	setup_fini(&t->s);
	options_fini(&t->o);
	folder_remove();
}

#define NAME(tried) str_from((tried).s.target.provider->name)
#define MODEL(tried) str_from((tried).s.target.model)
#define PROTOCOL(tried) str_from((tried).s.target.protocol->name)

static void without_anything_it_is_the_demo(void)
{
	struct tried t;
	struct str url;

	begin(&t);
	try(&t);
	CU_ASSERT(t.good);
	CHECK_STR(NAME(t), "demo");
	CHECK_STR(MODEL(t), DEMO_MODEL);
	CU_ASSERT(!setup_has_provider(&t.s, &t.err)); /* a script has to name it */
	CU_ASSERT(setup_base_url(&t.s, &url, &t.err));
	CU_ASSERT(str_starts(url, "http://127.0.0.1:"));
	end(&t);
}

static void a_key_in_the_environment_chooses_its_provider(void)
{
	struct tried t;

	begin(&t);
	setenv("GROQ_API_KEY", "k", 1);
	try(&t);
	CU_ASSERT(t.good);
	CHECK_STR(NAME(t), "groq");
	CHECK_STR(MODEL(t), "");
	end(&t);
}

static void options_come_before_the_settings(void)
{
	struct tried t;
	struct request request = { 0 };

	begin(&t);
	t.o.config = folder_file("weir.conf", "provider = mine\nmodel = top\nsystem = of all\n[provider mine]\nprotocols = anthropic, openai-chat\n"
	                                      "base_url = http://127.0.0.1:9/\nmax_tokens = 7\ntemperature = 0.5\n");
	try(&t);
	CU_ASSERT_FATAL(t.good);
	CHECK_STR(NAME(t), "mine");
	CHECK_STR(MODEL(t), "top");
	CHECK_STR(PROTOCOL(t), "anthropic");
	CU_ASSERT(setup_request(&t.s, &request, &t.err));
	CHECK_STR(request.system, "of all");
	CU_ASSERT_EQUAL(request.max_tokens, 7);
	CU_ASSERT_EQUAL(request.temperature, 0.5);
	CU_ASSERT(request.stream);
	setup_fini(&t.s);

	t.o.model = "chosen";
	t.o.protocol = "openai-chat";
	t.o.dialect = "chuizi";
	t.o.system = "";
	t.o.max_tokens = 0;
	t.o.temperature = 0;
	t.o.no_stream = true;
	t.o.reasoning = REASONING_LEVEL_LOW;
	try(&t);
	CU_ASSERT_FATAL(t.good);
	CHECK_STR(MODEL(t), "chosen");
	CHECK_STR(PROTOCOL(t), "openai-chat");
	CHECK_STR(str_from(t.s.target.dialect->name), "chuizi");
	CU_ASSERT(setup_request(&t.s, &request, &t.err));
	CHECK_STR(request.system, "");
	CU_ASSERT_EQUAL(request.max_tokens, 0);
	CU_ASSERT_EQUAL(request.temperature, 0);
	CU_ASSERT_EQUAL(request.reasoning, REASONING_LEVEL_LOW);
	CU_ASSERT_FALSE(request.stream);
	end(&t);
}

/* The settings' model belongs to the settings' provider. */
static void another_provider_does_not_take_the_settings_model(void)
{
	struct tried t;

	begin(&t);
	t.o.config = folder_file("weir.conf", "provider = openai\nmodel = gpt\n[provider groq]\nmodel = llama\n");
	t.o.provider = "groq";
	try(&t);
	CHECK_STR(MODEL(t), "llama");
	setup_use_provider(&t.s, providers_find(t.s.providers, STR("sansa")));
	CHECK_STR(MODEL(t), "");
	CHECK_STR(str_from(t.s.target.dialect->name), "sansa");
	setup_use_provider(&t.s, providers_find(t.s.providers, STR("openai")));
	CHECK_STR(MODEL(t), "gpt");
	end(&t);
}

static void a_base_url_alone_makes_a_provider_of_any_protocol(void)
{
	struct tried t;
	struct str url;

	begin(&t);
	setenv("OPENAI_API_KEY", "k", 1);
	setenv("WEIR_API_KEY", "w", 1);
	t.o.base_url = "http://127.0.0.1:9/v1";
	t.o.protocol = "gemini";
	try(&t);
	CU_ASSERT(t.good);
	CHECK_STR(NAME(t), "custom");
	CHECK_STR(PROTOCOL(t), "gemini");
	CHECK_STR(str_from(t.s.target.provider->key_env), "WEIR_API_KEY");
	CU_ASSERT(t.s.target.provider->key_optional);
	CU_ASSERT(setup_base_url(&t.s, &url, &t.err));
	CHECK_STR(url, "http://127.0.0.1:9/v1");
	end(&t);
}

static void with_a_provider_only_the_url_is_replaced(void)
{
	struct tried t;
	struct str url;

	begin(&t);
	t.o.base_url = "http://127.0.0.1:9";
	t.o.provider = "chuizi";
	t.o.protocol = "anthropic";
	try(&t);
	CU_ASSERT(t.good);
	CHECK_STR(NAME(t), "chuizi");
	CHECK_STR(str_from(t.s.target.provider->key_env), "CHUIZI_API_KEY");
	CU_ASSERT(setup_base_url(&t.s, &url, &t.err));
	CHECK_STR(url, "http://127.0.0.1:9");
	setup_use_provider(&t.s, providers_find(t.s.providers, STR("openai")));
	CU_ASSERT(setup_base_url(&t.s, &url, &t.err));
	CHECK_STR(url, "");
	setup_use_provider(&t.s, providers_find(t.s.providers, STR("chuizi")));
	CU_ASSERT(setup_base_url(&t.s, &url, &t.err));
	CHECK_STR(url, "http://127.0.0.1:9");
	end(&t);
}

static void unknown_names_list_the_known_ones(void)
{
	static const struct { const char *provider, *protocol, *dialect, *base_url, *words[2]; } cases[] = {
		{ .provider = "nobody", .words = { "'nobody'", "chuizi" } },
		{ .protocol = "smoke", .words = { "'smoke'", "openai-responses" } },
		{ .dialect = "slang", .words = { "'slang'", "opentoken" } },
		{ .provider = "openai", .protocol = "gemini", .words = { "openai does not offer gemini", "openai-chat" } },
		{ .base_url = "ftp://127.0.0.1", .words = { "--base-url", "http" } },
		{ .base_url = "http://me:secret@127.0.0.1", .words = { "--base-url", "" } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tried t;

		begin(&t);
		t.o.provider = cases[i].provider;
		t.o.protocol = cases[i].protocol;
		t.o.dialect = cases[i].dialect;
		t.o.base_url = cases[i].base_url;
		try(&t);
		CHECK(!t.good, "case %zu", i);
		for (size_t j = 0; j < 2; j++)
			CHECK(strstr(t.err.text, cases[i].words[j]) != NULL, "%s", t.err.text);
		CHECK(!strstr(t.err.text, "secret"), "%s", t.err.text);
		end(&t);
	}
}

/* What a dialect of the settings promises about requests is sent, by the provider's setting and by the option. */
static void a_dialect_of_ones_own_makes_the_request(void)
{
	struct tried t;

	begin(&t);
	t.o.config = folder_file("weir.conf", "provider = mine\nmodel = m\n[provider mine]\nbase_url = http://127.0.0.1:9/\ndialect = house\n"
	                                      "[dialect house]\nlike = aivene\nusage_opt_in = no\n[dialect other]\nreasoning_field = reasoning\n");
	try(&t);
	CHECK(t.good, "%s", t.err.text);
	CHECK_STR(str_from(t.s.target.dialect->name), "house");
	CU_ASSERT_EQUAL(t.s.target.provider->sending.max_tokens_field, MAX_TOKENS_COMPLETION);
	CU_ASSERT_FALSE(t.s.target.provider->sending.usage_opt_in);
	setup_fini(&t.s);
	t.o.dialect = "other";
	try(&t);
	CHECK(t.good, "%s", t.err.text);
	CU_ASSERT_EQUAL(t.s.target.dialect->sending.reasoning_field, REASONING_FIELD_OBJECT);
	end(&t);
	dialect_forget_own();
}

static void later_tapes_count_before_the_suffix(void)
{
	static const struct { const char *tape; unsigned n; const char *path; } cases[] = {
		{ "a.tape", 1, "a.tape" },     { "a.tape", 2, "a-2.tape" },   { "a", 3, "a-3" },
		{ "x.d/a", 2, "x.d/a-2" },     { ".tape", 2, ".tape-2" },     { "x/.tape", 2, "x/.tape-2" },
		{ "a.b.tape", 10, "a.b-10.tape" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct options o = { .tape = cases[i].tape };
		struct setup s = { .options = &o };
		char *path = setup_tape_path(&s, cases[i].n);

		CHECK_STR(str_from(path), cases[i].path);
		free(path);
	}
}

static void tools_and_schema_must_be_what_they_are(void)
{
	static const struct { const char *text; bool tools, schema; } cases[] = {
		{ "[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]", true, false },
		{ "[]", true, false },
		{ "{\"type\":\"object\"}", false, true },
		{ "[{\"name\":\"f\"}]", true, false },
		{ "[{\"type\":\"function\"}]", false, false },
		{ "[7]", false, false },
		{ "{\"tools\":[{\"name\":\"f\",\"input_schema\":{}}]}", true, true },
		{ "{'type':1}", false, false },
		{ "", false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tried t;
		const char *path;

		begin(&t);
		path = folder_file("f.json", cases[i].text);
		try(&t);
		CHECK(setup_read_tools(&t.s, path, &t.err) == cases[i].tools, "case %zu", i);
		CHECK(setup_read_schema(&t.s, path, &t.err) == cases[i].schema, "case %zu", i);
		CHECK(cases[i].tools == (t.s.tools.len > 0), "case %zu", i);
		CU_ASSERT(setup_read_tools(&t.s, NULL, &t.err));
		CU_ASSERT_EQUAL(t.s.tools.len, 0);
		end(&t);
	}
}

static void attachments_are_known_by_content_and_name(void)
{
	static const struct { const char *name, *text, *media; } cases[] = {
		{ "a.txt", "\x89PNG\r\n\x1a\n....", "image/png" }, { "b", "%PDF-1.7", "application/pdf" }, { "c.md", "# x", "text/markdown" },
		{ "d", "plain", "text/plain" },                    { "e.png", "\xff\xfe", "application/octet-stream" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error err;
		struct buf bytes;
		const char *media = "";

		buf_init(&bytes, 1000);
		CHECK(attachment_read(folder_file(cases[i].name, cases[i].text), &bytes, &media, &err), "%s", cases[i].name);
		CHECK_STR(str_from(media), cases[i].media);
		buf_fini(&bytes);
		folder_remove();
	}
}

/* --- choices of earlier runs --- */

#define OWN "[provider mine]\nprotocols = openai-chat, anthropic\nbase_url = http://127.0.0.1:9/\n[provider other]\nbase_url = http://127.0.0.1:9/\n"

static void start_chat(struct tried *t, const char *settings)
{
	begin(t);
	setenv("XDG_STATE_HOME", folder_path(), 1);
	t->o.config = folder_file("weir.conf", settings);
	t->good = setup_init_chat(&t->s, &t->o, &t->err);
	CHECK(t->good, "%s", t->err.text);
}

/* Starts the chat again, as in the next run. */
static void start_again(struct tried *t, const char *settings)
{
	setup_fini(&t->s);
	options_fini(&t->o);
	start_chat(t, settings);
}

static void choose(struct tried *t, const char *provider, const char *protocol, const char *model)
{
	setup_use_provider(&t->s, providers_find(t->s.providers, str_from(provider)));
	setup_use_protocol(&t->s, protocol_find(str_from(protocol)));
	setup_use_model(&t->s, str_from(model));
	CHECK(setup_choose_target(&t->s, &t->err), "%s", t->err.text);
}

static void check_target(const struct tried *t, const char *provider, const char *protocol, const char *model)
{
	CHECK_STR(NAME(*t), provider);
	CHECK_STR(PROTOCOL(*t), protocol);
	CHECK_STR(MODEL(*t), model);
}

static void check_from(const struct tried *t, const char *name, enum setting_from from)
{
	CHECK(settings_origin(&t->s.settings, name).from == from, "%s: %d", name, (int)settings_origin(&t->s.settings, name).from);
}

static void what_was_chosen_stays(void)
{
	struct tried t;

	start_chat(&t, OWN);
	CHECK_STR(NAME(t), "demo");
	check_from(&t, "provider", SETTING_DEFAULT);
	choose(&t, "mine", "anthropic", "m-7");
	CU_ASSERT(setup_choose(&t.s, "theme", STR("dark"), &t.err));
	start_again(&t, OWN);
	check_target(&t, "mine", "anthropic", "m-7");
	CHECK_STR(str_from(t.s.settings.theme), "dark");
	check_from(&t, "provider", SETTING_CHOSEN);
	check_from(&t, "model", SETTING_CHOSEN);
	check_from(&t, "theme", SETTING_CHOSEN);
	check_from(&t, "mouse", SETTING_DEFAULT);
	setup_fini(&t.s);
	CU_ASSERT(setup_init(&t.s, &t.o, &t.err)); /* a script asks whom the chat asks; its looks do not matter there */
	check_target(&t, "mine", "anthropic", "m-7");
	CU_ASSERT(setup_has_provider(&t.s, &t.err));
	CHECK_STR(str_from(t.s.settings.theme), "default");
	setup_fini(&t.s);
	t.o.provider = "mine"; /* that it names itself is not what was chosen in a chat */
	CU_ASSERT(setup_init(&t.s, &t.o, &t.err));
	check_target(&t, "mine", "openai-chat", "");
	end(&t);
}

static void options_win_over_choices_and_those_over_the_settings(void)
{
	struct tried t;

	start_chat(&t, OWN);
	choose(&t, "mine", "anthropic", "m-7");
	CU_ASSERT(setup_choose(&t.s, "theme", STR("dark"), &t.err));
	start_again(&t, "provider = other\nmodel = top\ntheme = light\n" OWN);
	check_target(&t, "mine", "anthropic", "m-7");
	CHECK_STR(str_from(t.s.settings.theme), "light");
	check_from(&t, "provider", SETTING_CHOSEN);
	check_from(&t, "model", SETTING_CHOSEN);
	check_from(&t, "theme", SETTING_FILE);
	start_again(&t, "[provider mine]\nmodel = of-the-file\n" OWN);
	check_target(&t, "mine", "anthropic", "m-7");
	setup_fini(&t.s);
	t.o.provider = "mine";
	CU_ASSERT(setup_init_chat(&t.s, &t.o, &t.err));
	check_target(&t, "mine", "anthropic", "of-the-file");
	start_again(&t, OWN);
	setup_fini(&t.s);
	t.o.model = "m-8";
	t.o.protocol = "openai-chat";
	CU_ASSERT(setup_init_chat(&t.s, &t.o, &t.err));
	check_target(&t, "mine", "openai-chat", "m-8");
	check_from(&t, "model", SETTING_OPTION);
	setup_fini(&t.s);
	t.o.provider = "other";
	t.o.model = t.o.protocol = NULL;
	CU_ASSERT(setup_init_chat(&t.s, &t.o, &t.err));
	check_target(&t, "other", "openai-chat", "");
	check_from(&t, "provider", SETTING_OPTION);
	end(&t);
}

/* A preset's model is the last resort of a chat. A script names its own. */
static void a_chat_without_a_model_takes_that_of_the_preset(void)
{
	struct tried t;

	begin(&t);
	setenv("OPENAI_API_KEY", "k", 1);
	try(&t);
	CHECK_STR(NAME(t), "openai");
	CHECK_STR(MODEL(t), "");
	setup_fini(&t.s);
	setenv("OPENAI_API_KEY", "k", 1);
	options_fini(&t.o);
	start_chat(&t, "provider = openai\n");
	check_target(&t, "openai", "openai-chat", "gpt-4.1");
	choose(&t, "openai", "openai-chat", "m-7");
	start_again(&t, "provider = openai\n");
	check_target(&t, "openai", "openai-chat", "m-7");
	start_again(&t, "provider = openai\nmodel = mine\n");
	check_target(&t, "openai", "openai-chat", "m-7");
	setup_fini(&t.s);
	t.o.base_url = "http://127.0.0.1:9/v1";
	t.o.provider = "anthropic";
	t.good = setup_init_chat(&t.s, &t.o, &t.err);
	check_target(&t, "anthropic", "anthropic", "");
	end(&t);
}

/* A missing key is said when something is sent: another provider must not get the prompt instead. */
static void a_choice_that_is_not_ready_stays(void)
{
	struct tried t;

	start_chat(&t, OWN);
	choose(&t, "openai", "openai-chat", "m-7");
	setup_fini(&t.s);
	setenv("GROQ_API_KEY", "k", 1);
	CU_ASSERT(setup_init_chat(&t.s, &t.o, &t.err));
	CHECK_STR(NAME(t), "openai");
	choose(&t, "mine", "openai-chat", "m-7");
	setup_fini(&t.s);
	setenv("GROQ_API_KEY", "k", 1);
	CU_ASSERT(setup_init(&t.s, &t.o, &t.err));
	CHECK_STR(NAME(t), "mine");
	setup_fini(&t.s);
	setenv("GROQ_API_KEY", "k", 1);
	t.o.config = folder_file("weir.conf", "[provider other]\nbase_url = http://127.0.0.1:9/\n"); /* the chosen provider no longer exists */
	CU_ASSERT(setup_init_chat(&t.s, &t.o, &t.err));
	CHECK_STR(NAME(t), "groq");
	check_from(&t, "provider", SETTING_ENVIRONMENT);
	end(&t);
}

/* It answers where it is named, and in a chat where nothing else was ever chosen. */
static void the_demo_is_no_choice(void)
{
	struct tried t;

	start_chat(&t, OWN);
	choose(&t, "demo", "anthropic", "m-d");
	start_again(&t, OWN);
	check_target(&t, "demo", "anthropic", "m-d");
	setup_fini(&t.s);
	CU_ASSERT(setup_init(&t.s, &t.o, &t.err));
	CU_ASSERT(!setup_has_provider(&t.s, &t.err));
	CHECK(strstr(t.err.text, "F4") && strstr(t.err.text, "-p"), "%s", t.err.text);
	start_again(&t, "provider = other\n" OWN);
	CHECK_STR(NAME(t), "other");
	choose(&t, "mine", "anthropic", "m-7");
	choose(&t, "demo", "openai-chat", "m-d");
	start_again(&t, "provider = other\n" OWN);
	check_target(&t, "mine", "anthropic", "m-7");
	start_again(&t, OWN "[role r]\nprovider = demo\n");
	setup_fini(&t.s);
	t.o.role = "r";
	CU_ASSERT(setup_init(&t.s, &t.o, &t.err));
	CHECK_STR(NAME(t), "demo");
	CU_ASSERT(setup_has_provider(&t.s, &t.err));
	end(&t);
}

static void nothing_is_remembered_where_it_is_not_wanted(void)
{
	struct tried t;

	start_chat(&t, OWN);
	choose(&t, "mine", "anthropic", "m-7");
	start_again(&t, "remember = no\n" OWN);
	CHECK_STR(NAME(t), "demo");
	choose(&t, "other", "openai-chat", "m-9");
	CU_ASSERT(setup_choose(&t.s, "theme", STR("dark"), &t.err));
	CHECK_STR(str_from(t.s.settings.theme), "dark"); /* in use for this run */
	start_again(&t, OWN);
	check_target(&t, "mine", "anthropic", "m-7");
	CHECK_STR(str_from(t.s.settings.theme), "default");
	end(&t);
}

const struct suite suite_setup = { "setup", (const struct test[]){
	TEST(without_anything_it_is_the_demo), TEST(a_key_in_the_environment_chooses_its_provider), TEST(options_come_before_the_settings),
	TEST(another_provider_does_not_take_the_settings_model), TEST(a_base_url_alone_makes_a_provider_of_any_protocol),
	TEST(with_a_provider_only_the_url_is_replaced), TEST(unknown_names_list_the_known_ones), TEST(a_dialect_of_ones_own_makes_the_request), TEST(later_tapes_count_before_the_suffix),
	TEST(tools_and_schema_must_be_what_they_are), TEST(attachments_are_known_by_content_and_name), TEST(what_was_chosen_stays),
	TEST(options_win_over_choices_and_those_over_the_settings), TEST(a_chat_without_a_model_takes_that_of_the_preset), TEST(a_choice_that_is_not_ready_stays), TEST(the_demo_is_no_choice),
	TEST(nothing_is_remembered_where_it_is_not_wanted), { 0 } } };
