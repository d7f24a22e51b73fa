#include <math.h>

#include "chat/provider/presets.h"
#include "support/check.h"
#include "talk.h"

static struct providers *ps;
static struct provider *box;

static void begin(void)
{
	struct talk t;

	talk_init(&t); /* empties the environment */
	talk_fini(&t);
	ps = providers_new(talk_environment);
	box = providers_add(ps, STR("box"));
}

static void end(void)
{
	providers_free(ps);
}

static bool set(const char *name, const char *value, struct error *err)
{
	return provider_set(box, str_from(name), str_from(value), err);
}

static void accepts(const char *name, const char *value)
{
	struct error err = { "" };

	CHECK(set(name, value, &err), "%s = %s: %s", name, value, err.text);
}

static void refuses(const char *name, const char *value, const char *words)
{
	struct error err = { "" };

	CHECK(!set(name, value, &err), "%s = %s is refused", name, value);
	CHECK(str_has_nocase(str_from(err.text), str_from(words)), "%s = %s: %s", name, value, err.text);
	CHECK(!strstr(err.text, "geheim") && !strstr(err.text, "sk-0123"), "%s", err.text);
}

static void knows_the_presets(void)
{
	static const struct { const char *name, *dialect, *url; const struct protocol *first; } rows[] = {
		{ "sansa", "sansa", NULL, &protocol_openai_chat },
		{ "chuizi", "chuizi", "https://api.chuizi.ai/v1", &protocol_openai_chat },
		{ "aivene", "aivene", "https://api.aivene.com/v1", &protocol_openai_chat },
		{ "runtime", "runtime", NULL, &protocol_openai_chat },
		{ "opentoken", "opentoken", NULL, &protocol_openai_chat },
		{ "openai", "generic", "https://api.openai.com/v1", &protocol_openai_chat },
		{ "anthropic", "generic", "https://api.anthropic.com", &protocol_anthropic },
		{ "gemini", "generic", "https://generativelanguage.googleapis.com", &protocol_gemini },
		{ "openrouter", "generic", "https://openrouter.ai/api/v1", &protocol_openai_chat },
		{ "deepseek", "generic", "https://api.deepseek.com", &protocol_openai_chat },
		{ "groq", "generic", "https://api.groq.com/openai/v1", &protocol_openai_chat },
		{ "mistral", "generic", "https://api.mistral.ai/v1", &protocol_openai_chat },
		{ "xai", "generic", "https://api.x.ai/v1", &protocol_openai_chat },
		{ "azure", "generic", NULL, &protocol_openai_chat },
		{ "ollama", "generic", "http://127.0.0.1:11434", &protocol_ollama },
		{ "llamacpp", "generic", "http://127.0.0.1:8080/v1", &protocol_openai_chat },
		{ "vllm", "generic", NULL, &protocol_openai_chat },
		{ "lmstudio", "generic", "http://127.0.0.1:1234/v1", &protocol_openai_chat },
	};

	begin();
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct provider *p = providers_find(ps, str_from(rows[i].name));

		CHECK(p != NULL, "%s", rows[i].name);
		if (!p)
			continue;
		CHECK(p->is_preset && p->protocols[0] == rows[i].first && !p->model, "%s", rows[i].name);
		CHECK_STR(str_from(p->dialect->name), rows[i].dialect);
		CHECK_STR(provider_base_url(p, p->protocols[0]), rows[i].url ? rows[i].url : "");
	}
	CHECK_STR(str_from(providers_at(ps, providers_count(ps) - 1)->name), "demo");
	end();
}

/* It belongs to the preset's server: another base URL, and a provider that is no preset, have none. */
static void a_preset_model_belongs_to_its_url(void)
{
	begin();
	struct provider *openai = providers_find(ps, STR("openai")), *sansa = providers_find(ps, STR("sansa"));

	CHECK_STR(str_from(provider_preset_model(openai)), "gpt-4.1");
	provider_set_base_url(openai, STR("http://127.0.0.1:1/v1"));
	CU_ASSERT_PTR_NULL(provider_preset_model(openai));
	provider_set_base_url(sansa, STR("http://127.0.0.1:1/v1")); /* it has no URL of its own */
	CHECK_STR(str_from(provider_preset_model(sansa)), "sansa-auto");
	CU_ASSERT_PTR_NULL(provider_preset_model(providers_find(ps, STR("groq"))));
	CU_ASSERT_PTR_NULL(provider_preset_model(box));
	end();
}

/* A row with an unknown setting or dialect would otherwise be ignored silently. */
static void presets_hold_together(void)
{
	begin();
	for (size_t i = 0; preset_at(i); i++) {
		const struct preset *preset = preset_at(i);
		struct error err = { "" };

		CHECK(preset->protocols[0] != NULL, "%s", preset->name);
		CHECK(!preset->dialect || dialect_find(str_from(preset->dialect)), "%s", preset->name);
		for (size_t j = 0; j < 2 && preset->settings[j].name; j++)
			CHECK(provider_set(box, str_from(preset->settings[j].name), str_from(preset->settings[j].value), &err), "%s", err.text);
		for (size_t j = 0; j < i; j++)
			CHECK(!str_is(str_from(preset->name), preset_at(j)->name), "%s is there twice", preset->name);
	}
	end();
}

static void sends_what_the_contract_says(void)
{
	struct sending *s;

	begin();
	s = &providers_find(ps, STR("openai"))->sending;
	CU_ASSERT(s->max_tokens_field == MAX_TOKENS_COMPLETION && s->usage_opt_in);
	s = &providers_find(ps, STR("azure"))->sending;
	CU_ASSERT(s->max_tokens_field == MAX_TOKENS_COMPLETION && s->usage_opt_in);
	s = &providers_find(ps, STR("aivene"))->sending;
	CU_ASSERT(s->max_tokens_field == MAX_TOKENS_COMPLETION && s->usage_opt_in);
	s = &providers_find(ps, STR("openrouter"))->sending;
	CU_ASSERT(s->max_tokens_field == MAX_TOKENS_OLD && !s->usage_opt_in && s->reasoning_field == REASONING_FIELD_OBJECT);
	s = &providers_find(ps, STR("sansa"))->sending;
	CU_ASSERT(s->max_tokens_field == MAX_TOKENS_OLD && !s->usage_opt_in && s->reasoning_field == REASONING_FIELD_OBJECT);
	CU_ASSERT(providers_find(ps, STR("deepseek"))->sending.reasoning_back);
	CU_ASSERT_EQUAL(box->max_tokens, 8192);
	CU_ASSERT(isnan(box->temperature));
	end();
}

static void protocols_have_their_base_urls(void)
{
	struct provider *p;

	begin();
	p = providers_find(ps, STR("chuizi"));
	CHECK_STR(provider_base_url(p, &protocol_anthropic), "https://api.chuizi.ai/anthropic");
	CHECK_STR(provider_base_url(p, &protocol_gemini), "https://api.chuizi.ai/gemini");
	CHECK_STR(provider_base_url(providers_find(ps, STR("gemini")), &protocol_openai_chat),
	          "https://generativelanguage.googleapis.com/v1beta/openai");
	CHECK_STR(provider_base_url(providers_find(ps, STR("ollama")), &protocol_openai_chat), "http://127.0.0.1:11434/v1");
	end();
}

static void the_environment_replaces_base_urls(void)
{
	struct provider *p;
	struct error err;

	begin();
	end();
	talk_set_variable("CHUIZI_BASE_URL", "http://127.0.0.1:9/v1");
	talk_set_variable("OLLAMA_BASE_URL", "http://127.0.0.1:8/");
	talk_set_variable("AZURE_OPENAI_BASE_URL", "https://a.example/openai/v1");
	talk_set_variable("SANSA_BASE_URL", "https://s.example/v1");
	talk_set_variable("MY_BOX_BASE_URL", "https://b.example/v1");
	ps = providers_new(talk_environment);
	p = providers_find(ps, STR("chuizi"));
	CHECK_STR(provider_base_url(p, &protocol_openai_chat), "http://127.0.0.1:9/v1");
	CHECK_STR(provider_base_url(p, &protocol_anthropic), "http://127.0.0.1:9/v1");
	CU_ASSERT(provider_set(p, STR("base_url"), STR("https://x.example"), &err));
	CU_ASSERT(provider_set(p, STR("base_url.gemini"), STR("https://x.example"), &err));
	CHECK_STR(provider_base_url(p, &protocol_openai_chat), "http://127.0.0.1:9/v1");
	CHECK_STR(provider_base_url(p, &protocol_gemini), "http://127.0.0.1:9/v1");
	CHECK_STR(provider_base_url(providers_find(ps, STR("ollama")), &protocol_openai_chat), "http://127.0.0.1:8/v1");
	CHECK_STR(provider_base_url(providers_find(ps, STR("azure")), &protocol_openai_chat), "https://a.example/openai/v1");
	CHECK_STR(provider_base_url(providers_find(ps, STR("sansa")), &protocol_openai_chat), "https://s.example/v1");
	CHECK_STR(provider_base_url(providers_add(ps, STR("my-box")), &protocol_openai_chat), "https://b.example/v1");
	end();
}

static void settings_replace_base_urls(void)
{
	struct provider *p;
	struct error err;

	begin();
	p = providers_find(ps, STR("chuizi"));
	CU_ASSERT(provider_set(p, STR("base_url.gemini"), STR("https://g.example"), &err));
	CU_ASSERT(provider_set(p, STR("base_url"), STR("https://x.example/v1"), &err));
	CHECK_STR(provider_base_url(p, &protocol_openai_chat), "https://x.example/v1");
	CHECK_STR(provider_base_url(p, &protocol_anthropic), "https://x.example/v1");
	CHECK_STR(provider_base_url(p, &protocol_gemini), "https://g.example");
	end();
}

/* What is set on a copy stays there. */
static void a_copy_stands_alone(void)
{
	struct error err = { "" };

	begin();
	accepts("base_url", "https://box/v1");
	accepts("base_url.anthropic", "https://box/a");
	accepts("header.x-one", "1");
	accepts("key_file", "~/k");
	struct provider *copy = provider_copy(box);
	CHECK_STR(provider_base_url(copy, &protocol_anthropic), "https://box/a");
	CU_ASSERT(provider_set(copy, STR("base_url"), STR("https://other/v1"), &err));
	CU_ASSERT(provider_set(copy, STR("header.x-one"), STR("2"), &err));
	CU_ASSERT(provider_set(copy, STR("header.x-two"), STR("2"), &err));
	CU_ASSERT(provider_set(copy, STR("key_file"), STR(""), &err));
	CU_ASSERT_PTR_NULL(copy->key_file);
	CHECK_STR(provider_base_url(box, &protocol_openai_chat), "https://box/v1");
	CHECK_STR(str_from(box->headers[0]), "x-one: 1");
	CU_ASSERT_EQUAL(box->header_count, 1);
	CHECK_STR(str_from(box->key_file), "~/k");
	provider_free(copy);
	end();
}

static void names_are_checked(void)
{
	static const char *const bad[] = { "", "a b", "a/b", "a]", "a\n", "\x1B", "12345678901234567890123456789012345678901" };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!provider_name_is_good(str_from(bad[i])), "%s", bad[i]);
	CU_ASSERT(provider_name_is_good(STR("my-box.1")));
}

static void reads_every_setting(void)
{
	begin();
	accepts("protocols", "gemini, anthropic");
	CU_ASSERT(box->protocols[0] == &protocol_gemini && box->protocols[1] == &protocol_anthropic && !box->protocols[2]);
	accepts("dialect", "sansa");
	CU_ASSERT(box->sending.reasoning_field == REASONING_FIELD_OBJECT);
	accepts("reasoning_field", "reasoning_effort");
	accepts("max_tokens_field", "max_completion_tokens");
	accepts("usage_opt_in", "yes");
	accepts("thinking", "adaptive");
	accepts("reasoning_back", "on");
	CU_ASSERT(box->sending.reasoning_field == REASONING_FIELD_EFFORT && box->sending.max_tokens_field == MAX_TOKENS_COMPLETION);
	CU_ASSERT(box->sending.usage_opt_in && box->sending.thinking == THINKING_ADAPTIVE && box->sending.reasoning_back);
	accepts("path", "/x/{model}");
	CHECK_STR(str_from(box->path), "/x/{model}");
	accepts("auth", "api-key");
	CU_ASSERT(box->auth == AUTH_API_KEY);
	accepts("model", "m");
	accepts("system", "Be brief.");
	CHECK_STR(str_from(box->system), "Be brief.");
	accepts("max_tokens", "0");
	CU_ASSERT_EQUAL(box->max_tokens, 0);
	accepts("temperature", "0.7");
	CU_ASSERT_EQUAL(box->temperature, (double)0.7); /* without the excess precision of a constant */
	accepts("reasoning", "high");
	CU_ASSERT(box->reasoning == REASONING_LEVEL_HIGH);
	accepts("connect", "2.5");
	accepts("first_byte", "1");
	accepts("first_byte_no_stream", "60");
	accepts("idle", "0");
	accepts("finish_quiet", "0.05");
	CU_ASSERT(box->limits.connect_ms == 2500 && box->limits.first_byte_ms == 1000 && box->limits.first_byte_whole_ms == 60000);
	CU_ASSERT(box->limits.idle_ms == 0 && box->limits.finish_ms == 50);
	accepts("ca_file", "~/ca.pem");
	accepts("allow_http", "true");
	CU_ASSERT(box->allow_http);
	accepts("header.X-Title", "weir");
	accepts("header.x-title", "weir 2");
	CU_ASSERT_EQUAL_FATAL(box->header_count, 1);
	CHECK_STR(str_from(box->headers[0]), "x-title: weir 2");
	end();
}

static void refuses_wrong_settings(void)
{
	begin();
	refuses("protocols", "openai-chat, soap", "soap");
	refuses("protocols", "gemini, gemini", "twice");
	refuses("protocols", "", "list");
	refuses("dialect", "martian", "sansa");
	refuses("auth", "digest", "bearer");
	refuses("base_url", "ftp://x", "http");
	refuses("base_url", "https://u:p@x", "password");
	refuses("base_url.soap", "https://x", "soap");
	refuses("temperature", "warm", "0.7");
	refuses("temperature", "0,7", "0.7");
	refuses("idle", "1.", "seconds");
	refuses("idle", "-1", "seconds");
	refuses("idle", "1e3", "seconds");
	refuses("idle", "99999999", "seconds");
	refuses("max_tokens", "many", "whole");
	refuses("reasoning", "extreme", "medium");
	refuses("allow_http", "maybe", "yes");
	refuses("header.Authorization", "Bearer x", "key");
	refuses("header.X-Api-Key", "x", "key");
	refuses("header.Host", "x", "cannot");
	refuses("header.a b", "x", "header");
	refuses("header.", "x", "header");
	refuses("header.X", "a\rb", "control");
	refuses("colour", "blue", "no such setting");
	refuses("base_url", "htps://x?key=geheim", "'htps://x?key=...' does not begin");
	refuses("base_url", "user:geheim@x", "'...@x' does not begin");
	refuses("base_url", "https://x?key=geheim#f", "?key=");
	refuses("auth", "sk-0123", "auth = ...: it must be bearer");
	refuses("key_env", "sk-0123", "key_env = ...: it must be the name of a variable");
	refuses("key_env", "1A", "the name of a variable");
	end();
}

static void a_url_with_a_password_is_not_repeated(void)
{
	struct error err = { "" };

	begin();
	CU_ASSERT(!set("base_url", "https://user:hunter2@x.example", &err));
	CU_ASSERT(!str_has_nocase(str_from(err.text), STR("hunter2")));
	end();
}

static void says_where_the_key_comes_from(void)
{
	struct buf source;

	begin();
	buf_init(&source, 1000);
	provider_key_source(providers_find(ps, STR("chuizi")), &source);
	CHECK_STR(buf_str(&source), "the variable CHUIZI_API_KEY");
	buf_clear(&source);
	accepts("key_file", "~/k");
	provider_key_source(box, &source);
	CHECK_STR(buf_str(&source), "the file ~/k");
	buf_clear(&source);
	accepts("key_command", "echo sk-secret");
	provider_key_source(box, &source);
	CHECK_STR(buf_str(&source), "the command echo");
	buf_fini(&source);
	end();
}

static void is_ready_with_url_and_key(void)
{
	struct provider *p;

	begin();
	p = providers_find(ps, STR("aivene"));
	CU_ASSERT(!provider_has_key(p, talk_environment) && !provider_is_ready(p, talk_environment));
	talk_set_variable("AIVENE_API_KEY", "k");
	CU_ASSERT(provider_has_key(p, talk_environment) && provider_is_ready(p, talk_environment));
	talk_set_variable("SANSA_API_KEY", "k");
	CU_ASSERT(!provider_is_ready(providers_find(ps, STR("sansa")), talk_environment));
	CU_ASSERT(provider_is_ready(providers_find(ps, STR("llamacpp")), talk_environment));
	CU_ASSERT(provider_is_ready(providers_find(ps, STR("demo")), talk_environment));
	CU_ASSERT(!provider_has_key(providers_find(ps, STR("demo")), talk_environment));
	end();
}

static void chooses_a_provider(void)
{
	begin();
	CHECK_STR(str_from(providers_default(ps, STR_NONE, talk_environment)->name), "demo");
	CHECK_STR(str_from(providers_default(ps, STR("groq"), talk_environment)->name), "groq");
	CU_ASSERT_PTR_NULL(providers_default(ps, STR("nobody"), talk_environment));
	talk_set_variable("SANSA_API_KEY", "k");
	CHECK_STR(str_from(providers_default(ps, STR_NONE, talk_environment)->name), "sansa");
	talk_set_variable("MISTRAL_API_KEY", "k");
	CHECK_STR(str_from(providers_default(ps, STR_NONE, talk_environment)->name), "mistral");
	end();
}

static void googles_key_has_two_names(void)
{
	begin();
	end();
	talk_set_variable("GOOGLE_API_KEY", "g");
	ps = providers_new(talk_environment);
	CHECK_STR(str_from(providers_find(ps, STR("gemini"))->key_env), "GOOGLE_API_KEY");
	end();
	talk_set_variable("GEMINI_API_KEY", "g");
	ps = providers_new(talk_environment);
	CHECK_STR(str_from(providers_find(ps, STR("gemini"))->key_env), "GEMINI_API_KEY");
	end();
}

static void own_providers_come_before_the_demo(void)
{
	begin();
	CHECK_STR(str_from(providers_at(ps, providers_count(ps) - 2)->name), "box");
	CU_ASSERT_PTR_EQUAL(providers_add(ps, STR("box")), box);
	CU_ASSERT(box->protocols[0] == &protocol_openai_chat && !box->is_preset);
	CHECK_STR(str_from(box->key_env), "BOX_API_KEY");
	end();
}

static void every_setting_has_help(void)
{
	for (size_t i = 0; provider_setting_at(i).name; i++)
		CHECK(provider_setting_at(i).help && provider_setting_at(i).help[0], "%s", provider_setting_at(i).name);
}

const struct suite suite_provider = { "provider",
	(const struct test[]){
		TEST(knows_the_presets),
		TEST(a_preset_model_belongs_to_its_url),
		TEST(presets_hold_together),
		TEST(sends_what_the_contract_says),
		TEST(protocols_have_their_base_urls),
		TEST(the_environment_replaces_base_urls),
		TEST(settings_replace_base_urls),
		TEST(reads_every_setting),
		TEST(refuses_wrong_settings),
		TEST(a_url_with_a_password_is_not_repeated),
		TEST(says_where_the_key_comes_from),
		TEST(is_ready_with_url_and_key),
		TEST(chooses_a_provider),
		TEST(googles_key_has_two_names),
		TEST(own_providers_come_before_the_demo),
		TEST(a_copy_stands_alone),
		TEST(names_are_checked),
		TEST(every_setting_has_help),
		{ 0 },
	} };
