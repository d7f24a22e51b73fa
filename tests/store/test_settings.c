#include "store/config/settings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

static struct settings settings;
static struct providers *providers;

static const char *environment_of_test(const char *name)
{
	return strcmp(name, "BOX_BASE_URL") ? NULL : "https://from.environment";
}

/* Reads `text` as weir.conf; on failure returns false with the error. */
static bool read_text(const char *text, struct error *err)
{
	char path[] = "/tmp/weir-conf-XXXXXX";
	int fd = mkstemp(path);
	bool good;

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_FATAL(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	settings_init(&settings);
	providers = providers_new(environment_of_test);
	err->text[0] = '\0';
	good = settings_read(&settings, providers, path, err);
	unlink(path);
	return good;
}

static void end(void)
{
	settings_fini(&settings);
	providers_free(providers);
}

static void reads_prices_of_models(void)
{
	struct prices prices = { .prompt_below = 0 };
	struct error err;

	CU_ASSERT(read_text("[price openai/*]\ninput = 0.25\noutput = 2\ncontext = 400000\n", &err));
	CU_ASSERT(price_table_prices(&settings.prices, STR("openai/gpt-5-mini"), &prices));
	CU_ASSERT(prices.of[USAGE_COMPLETION].known && prices.of[USAGE_COMPLETION].usd > 1.99 && prices.of[USAGE_COMPLETION].usd < 2.01);
	CU_ASSERT_EQUAL(price_table_context(&settings.prices, STR("openai/gpt-5-mini")), 400000);
	CU_ASSERT_FALSE(price_table_prices(&settings.prices, STR("gpt-5-mini"), &prices));
	end();
	CU_ASSERT_FALSE(read_text("theme = dark\n[price *]\ninput = cheap\n", &err));
	CHECK(strstr(err.text, ":3: input = cheap: it must be a number of dollars"), "%s", err.text);
	end();
}

static void reads_mcp_servers(void)
{
	static const struct { const char *text, *says; } wrong[] = {
		{ "[mcp a]\ncommand = x\nurl = https://e.org\n", ":3: an MCP server has command or url, not both" },
		{ "[mcp a]\nurl = e.org\n", ":2: url: it must begin with https:// or http://" },
		{ "[mcp a]\nurl = https://me:pw@e.org/\n", ":2: url: a user or a password cannot stand in it" },
		{ "[mcp a]\ncommand = 'x\n", ":2: command = 'x: it must be a command in words" },
		{ "[mcp a]\ntimeout = 0\n", ":2: timeout = 0: it must be a number of seconds above 0" },
		{ "[mcp a]\nenv = A=b\n", ":2: env: it must be names of variables" },
		{ "[mcp a]\nmodel = m\n", ":2: model: there is no such setting of an MCP server" },
		{ "[mcp a/b]\nurl = https://e.org\n", "a server's name has 1 to 40 characters" },
	};
	struct error err;

	CU_ASSERT(read_text("[mcp a]\ncommand = 'one program' x\nenv = HOME, B\n[mcp b]\nurl = https://e.org/mcp\ntimeout = 2.5\nheader.X-A = 1\n"
	                    "key_file = ~/k\n", &err));
	const struct mcp_server *a = mcp_servers_find(&settings.mcp_servers, STR("a")), *b = mcp_servers_find(&settings.mcp_servers, STR("b"));
	CU_ASSERT_FATAL(a && b);
	CU_ASSERT_STRING_EQUAL(a->command, "'one program' x");
	CU_ASSERT(!a->url && a->timeout_ms == MCP_TIMEOUT_MS && a->sending->key_optional);
	CU_ASSERT(!strcmp(a->env[0], "HOME") && !strcmp(a->env[1], "B") && !a->env[2]);
	CU_ASSERT(b->timeout_ms == 2500 && !b->sending->key_optional && b->sending->header_count == 1);
	CU_ASSERT_STRING_EQUAL(b->sending->headers[0], "X-A: 1");
	end();
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		CU_ASSERT_FALSE(read_text(wrong[i].text, &err));
		CHECK(strstr(err.text, wrong[i].says) != NULL, "\"%s\", not \"%s\"", err.text, wrong[i].says);
		end();
	}
}

static void has_defaults(void)
{
	struct error err;

	CU_ASSERT(read_text("", &err));
	CHECK_STR(str_from(settings.theme), "default");
	CU_ASSERT_PTR_NULL(settings.provider);
	CU_ASSERT_PTR_NULL(settings.model);
	CU_ASSERT_PTR_NULL(settings.system);
	CU_ASSERT_EQUAL(settings.text_width, 100);
	CU_ASSERT_EQUAL(settings.history, KEEP_ALL);
	CHECK_STR(str_from(settings.thoughts), "pane");
	CU_ASSERT_TRUE(settings.mouse);
	CU_ASSERT_TRUE(settings.remember);
	CU_ASSERT_FALSE(settings.raw);
	CHECK_STR(str_from(settings.copy), "auto");
	CU_ASSERT_EQUAL(settings.leave, LEAVE_LAST);
	CU_ASSERT_EQUAL(settings.code, CODE_WRAP);
	end();
}

static void reads_all(void)
{
	struct error err;
	struct provider *p;

	CHECK(read_text("provider = mine\nmodel = m-1\ntheme = dark\nsystem = Be brief\n  and kind.\ntext_width = 90\nlinks = No\nmouse = off\nstatus = state out\nsparkline = ASCII\nhistory = False\nthoughts = tail\n"
	                "; a comment\n[provider mine]\nprotocols = anthropic, gemini\nbase_url = https://x.example\n"
	                "base_url.gemini = https://g.example\ndialect = chuizi\nmax_tokens = 100\nheader.X-Title = weir\nidle = 2.5\n"
	                "[provider chuizi]\nmodel = c-1\n", &err), "%s", err.text);
	CHECK_STR(str_from(settings.provider), "mine");
	CHECK_STR(str_from(settings.model), "m-1");
	CHECK_STR(str_from(settings.theme), "dark");
	CHECK_STR(str_from(settings.system), "Be brief and kind.");
	CU_ASSERT_EQUAL(settings.text_width, 90);
	CHECK_STR(buf_str(&settings.gone), "links, status, sparkline"); /* of earlier versions: accepted, and told */
	CU_ASSERT_EQUAL(settings.history, KEEP_NOTHING);
	CHECK_STR(str_from(settings.thoughts), "tail");
	CU_ASSERT_FALSE(settings.mouse);
	p = providers_find(providers, STR("mine"));
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT(p->protocols[0] == &protocol_anthropic && !p->is_preset);
	CHECK_STR(provider_base_url(p, &protocol_gemini), "https://g.example");
	CHECK_STR(str_from(p->dialect->name), "chuizi");
	CU_ASSERT_EQUAL(p->max_tokens, 100);
	CU_ASSERT_EQUAL(p->limits.idle_ms, 2500);
	CHECK_STR(str_from(providers_find(providers, STR("chuizi"))->model), "c-1");
	end();
}

static void the_environment_comes_before_the_file(void)
{
	struct error err;

	CHECK(read_text("[provider box]\nbase_url = https://from.file\n", &err), "%s", err.text);
	CHECK_STR(provider_base_url(providers_find(providers, STR("box")), &protocol_openai_chat), "https://from.environment");
	end();
}

static void refuses(const char *text, const char *line, const char *words)
{
	struct error err;

	CHECK(!read_text(text, &err), "%s", text);
	CHECK(strstr(err.text, line) && strstr(err.text, words), "%s in: %s", words, err.text);
	end();
}

static void errors_name_the_line(void)
{
	refuses("colour = red\n", ":1:", "no such setting");
	refuses("\ntext_width = wide\n", ":2:", "columns");
	refuses("mouse = maybe\n", ":1:", "yes or no");
	refuses("copy = clip \"to\n", ":1:", "a double quote is not closed");
	refuses("budget = much\n", ":1:", "it must be dollars a day, such as 2.00 a day");
	refuses("budget = 0 a day\n", ":1:", "it must be dollars a day");
	refuses("budget = -1 a day\n", ":1:", "it must be dollars a day");
	refuses("copy =\n", ":1:", "it is empty");
	refuses("leave = some\n", ":1:", "last, all or nothing");
	refuses("code = cut\n", ":1:", "wrap or clip");
	refuses("[provider box]\nidle = soon\n", ":2:", "seconds");
	refuses("[provider box]\n\nnonsense = 1\n", ":3:", "no such setting");
	refuses("[providers]\na = 1\n", ":2:", "[provider NAME]");
	refuses("[provider two words]\nmodel = m\n", ":2:", "name");
	refuses("[provider ]\nmodel = m\n", ":2:", "name");
}

/* A provider may name a dialect that stands below it. Another file has others. */
static void reads_dialects_first(void)
{
	struct error err;

	CHECK(read_text("[provider mine]\ndialect = house\nreasoning_field = reasoning\n[dialect house]\nlike = aivene\nsends_done = no\n", &err), "%s", err.text);
	struct provider *p = providers_find(providers, STR("mine"));
	CHECK_STR(str_from(p->dialect->name), "house");
	CU_ASSERT(!p->dialect->sends_done && p->sending.max_tokens_field == MAX_TOKENS_COMPLETION);
	CU_ASSERT_EQUAL(p->sending.reasoning_field, REASONING_FIELD_OBJECT);
	end();
	refuses("[provider mine]\ndialect = house\n", ":2:", "opentoken or generic");
	refuses("theme = dark\n[dialect house]\nsends_done = maybe\n", ":3:", "yes or no");
	refuses("[dialect house]\nsends_done = no\nlike = aivene\n", ":3:", "first");
	dialect_forget_own();
}

static void the_file_may_be_missing(void)
{
	struct error err = { "" };

	settings_init(&settings);
	providers = providers_new(environment_of_test);
	setenv("XDG_CONFIG_HOME", "/proc/nonexistent/weir-test", 1);
	CHECK(settings_read(&settings, providers, NULL, &err), "%s", err.text);
	unsetenv("XDG_CONFIG_HOME");
	CU_ASSERT(!settings_read(&settings, providers, "/proc/nonexistent/weir.conf", &err));
	CHECK(strstr(err.text, "/proc/nonexistent/weir.conf") != NULL, "%s", err.text);
	end();
}

/* With its default, or any text where it has none; what a row allocates is freed (make check-asan). */
static void every_setting_is_read(void)
{
	for (size_t i = 0; settings_help_at(i).name; i++) {
		const struct setting_help row = settings_help_at(i);
		struct buf line = { 0 };
		struct error err;

		buf_printf(&line, "%s = %s\n", row.name, row.fallback ? row.fallback : "words");
		CHECK(read_text(buf_z(&line), &err), "%s: %s", row.name, err.text);
		end();
		buf_fini(&line);
	}
}

static void every_setting_has_help(void)
{
	for (size_t i = 0; settings_help_at(i).name; i++)
		CHECK(settings_help_at(i).help && settings_help_at(i).help[0], "%s", settings_help_at(i).name);
	CU_ASSERT_PTR_NOT_NULL(settings_help_at(0).name);
}

static void check_origin(const struct settings *s, const char *name, enum setting_from from, int line)
{
	struct setting_origin origin = settings_origin(s, name);

	CHECK(origin.from == from && origin.line == line, "%s: %d, line %d", name, (int)origin.from, origin.line);
}

static void every_value_tells_where_it_comes_from(void)
{
	struct settings *s = &settings;
	struct error err = { "" };

	settings_init(s);
	check_origin(s, "theme", SETTING_DEFAULT, 0);
	CU_ASSERT_PTR_NULL(settings_file(s));
	settings_fini(s);
	CHECK(read_text("# mine\ntheme = dark\n\nmouse = no\n[provider x]\nmodel = m\n", &err), "%s", err.text);
	check_origin(s, "theme", SETTING_FILE, 2);
	check_origin(s, "mouse", SETTING_FILE, 4);
	check_origin(s, "model", SETTING_DEFAULT, 0);
	CHECK(settings_file(s) && strstr(settings_file(s), "/tmp/weir-conf-"), "%s", settings_file(s));
	CU_ASSERT_TRUE(settings_set(s, "mouse", STR("yes"), SETTING_CHOSEN, &err));
	CU_ASSERT_TRUE(s->mouse);
	check_origin(s, "mouse", SETTING_CHOSEN, 0);
	CU_ASSERT_FALSE(settings_set(s, "mouse", STR("perhaps"), SETTING_OPTION, &err));
	check_origin(s, "mouse", SETTING_CHOSEN, 0);
	settings_reset(s, "theme");
	check_origin(s, "theme", SETTING_DEFAULT, 0);
	CHECK_STR(str_from(s->theme), "default");
	settings_note_origin(s, "theme", SETTING_OPTION);
	check_origin(s, "theme", SETTING_OPTION, 0);
	end();
}

/* Each value is told as the file would have it: read again, it is the same. */
static void values_are_told_as_they_are_read(void)
{
	static const struct { const char *name, *value; } values[] = {
		{ "provider", "box" }, { "mouse", "no" }, { "text_width", "64" }, { "code", "clip" }, { "images", "yes" }, { "tapes", "0" }, { "media_limit", "8" },
		{ "copy", "xclip -i" }, { "leave", "nothing" }, { "notify", "command say" },
	};
	struct error err;
	struct buf text = { 0 };

	CU_ASSERT(read_text("", &err));
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		buf_clear(&text);
		CHECK(settings_set(&settings, values[i].name, str_from(values[i].value), SETTING_CHOSEN, &err), "%s", err.text);
		settings_value(&settings, values[i].name, &text);
		CHECK_STR(buf_str(&text), values[i].value);
	}
	for (size_t i = 0; settings_help_at(i).name; i++) { /* a default that it does not take would be a wrong row */
		const char *const *words = settings_words(settings_help_at(i).name);

		for (size_t k = 0; words && words[k]; k++)
			CHECK(settings_set(&settings, settings_help_at(i).name, str_from(words[k]), SETTING_CHOSEN, &err), "%s", err.text);
		buf_clear(&text);
		settings_reset(&settings, settings_help_at(i).name);
		settings_value(&settings, settings_help_at(i).name, &text);
		CHECK_STR(buf_str(&text), settings_help_at(i).fallback ? settings_help_at(i).fallback : "");
	}
	buf_fini(&text);
	end();
}

const struct suite suite_settings = { "settings",
	(const struct test[]){
		TEST(has_defaults), TEST(reads_mcp_servers),
	TEST(reads_prices_of_models),
		TEST(reads_all),
		TEST(the_environment_comes_before_the_file),
		TEST(errors_name_the_line),
		TEST(reads_dialects_first),
		TEST(the_file_may_be_missing),
		TEST(every_setting_is_read),
		TEST(values_are_told_as_they_are_read),
		TEST(every_setting_has_help),
		TEST(every_value_tells_where_it_comes_from),
		{ 0 },
	} };
