/* What a role sets, what goes before it, and what is left when it is dropped. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/options/options.h"
#include "app/program.h"
#include "app/setup/parameter_change.h"
#include "app/setup/setting_change.h"
#include "app/setup/setup.h"
#include "support/check.h"

#define CONF \
	"provider = mine\nmodel = top\nsystem = of all\n" \
	"[provider mine]\nprotocols = openai-chat, anthropic\nbase_url = http://127.0.0.1:9/\ntemperature = 0.5\n" \
	"[provider other]\nprotocols = openai-chat, gemini\nbase_url = http://127.0.0.1:9/\n" \
	"[role full]\nsystem = of the role\nprovider = other\nmodel = m-role\nprotocol = gemini\ntemperature = 0.1\nmax_tokens = 77\nreasoning = low\n" \
	"[role part]\nmodel = m-part\n" \
	"[role tooled]\ntools = tools.json\n" \
	"[role stray]\n\nprovider = nowhere\n" \
	"[role odd]\nprotocol = ollama\n" \
	"[role seeing]\nserver_tools = web_search, image\n" \
	"[role running]\nprotocol = anthropic\nserver_tools = code\n" \
	"[role naming]\ntools = calc, look, docs__*, clock\n" \
	"[role typing]\ntools = calc, claculator\n"
#define TOOLS \
	"[tool calc]\ncommand = calc {a}\n[tool look]\ncommand = look {a}\n[tool third]\ncommand = third {a}\n" \
	"[mcp docs]\ncommand = docs\n[mcp other]\ncommand = other\n"

struct tried {
	struct options o;
	struct setup s;
	struct request request;
	struct error err;
	bool good;
};

static void begin(struct tried *t)
{
	setenv("XDG_CONFIG_HOME", folder_path(), 1);
	*t = (struct tried){ .err = { "" } };
	options_init(&t->o);
	folder_file("tools.json", "[{\"type\":\"function\",\"function\":{\"name\":\"look\"}}]");
	t->o.config = folder_file("weir.conf", CONF);
}

static void start(struct tried *t)
{
	t->good = setup_init(&t->s, &t->o, &t->err) && setup_request(&t->s, &t->request, &t->err);
}

static void end(struct tried *t)
{
	setup_fini(&t->s);
	options_fini(&t->o);
	folder_remove();
}

static void choose(struct tried *t, const char *name)
{
	const struct role *role = name ? setup_role_named(&t->s, str_from(name), &t->err) : NULL;

	t->good = (role || !name) && setup_use_role(&t->s, role, &t->err) && setup_request(&t->s, &t->request, &t->err);
}

static void check(const struct tried *t, const char *provider, const char *protocol, const char *model, const char *system, double temperature)
{
	CHECK(t->good, "%s", t->err.text);
	CHECK_STR(str_from(t->s.target.provider->name), provider);
	CHECK_STR(str_from(t->s.target.protocol->name), protocol);
	CHECK_STR(t->request.model, model);
	CHECK_STR(t->request.system, system);
	CHECK(!(t->request.temperature < temperature) && !(t->request.temperature > temperature), "temperature %g", t->request.temperature);
}

static void a_role_goes_before_the_file(void)
{
	struct tried t;

	begin(&t);
	t.o.role = "full";
	start(&t);
	check(&t, "other", "gemini", "m-role", "of the role", 0.1);
	CU_ASSERT_EQUAL(t.request.max_tokens, 77);
	CU_ASSERT_EQUAL(t.request.reasoning, REASONING_LEVEL_LOW);
	end(&t);
}

static void options_go_before_a_role(void)
{
	struct tried t;

	begin(&t);
	t.o.role = "full";
	t.o.model = "m-option";
	t.o.temperature = 0.9;
	t.o.system = "";
	start(&t);
	check(&t, "other", "gemini", "m-option", "", 0.9);
	CU_ASSERT_EQUAL(t.request.max_tokens, 77);
	setup_fini(&t.s);
	t.o.model = NULL;
	t.o.provider = "mine"; /* the role's model and protocol are those of its provider */
	start(&t);
	check(&t, "mine", "openai-chat", "top", "", 0.9);
	end(&t);
}

/* Appends the names of those that are offered. */
static void offered(const struct tried *t, struct buf *out)
{
	const struct tool_set *set = &t->s.tool_set;

	buf_clear(out);
	for (size_t i = 0; i < set->count; i++)
		if (tool_is_offered(set, &set->items[i]))
			buf_printf(out, "%s%s", out->len ? " " : "", set->items[i].name);
}

/* These and no others, until the user says otherwise; a role that names none leaves all. */
static void a_role_names_tools_that_run(void)
{
	struct buf names = { 0 };
	struct tried t;

	begin(&t);
	t.o.config = folder_file("weir.conf", CONF TOOLS);
	t.good = setup_init_chat(&t.s, &t.o, &t.err);
	CHECK(t.good, "%s", t.err.text);
	offered(&t, &names);
	CHECK_STR(buf_str(&names), "calc look third");
	CU_ASSERT(tool_set_may_have(&t.s.tool_set, "docs") && tool_set_may_have(&t.s.tool_set, "other"));
	tool_set_wish(&t.s.tool_set, tool_set_find(&t.s.tool_set, STR("third")), TOOL_ON);
	CHECK(setup_read_tools(&t.s, folder_file("more.json", "[{\"type\":\"function\",\"function\":{\"name\":\"more\"}}]"), &t.err), "%s", t.err.text);
	choose(&t, "naming");
	CHECK(t.good, "%s", t.err.text);
	offered(&t, &names);
	CHECK_STR(buf_str(&names), "calc look clock");
	CU_ASSERT(tool_set_may_have(&t.s.tool_set, "docs") && !tool_set_may_have(&t.s.tool_set, "other"));
	CU_ASSERT_FALSE(str_find(t.request.tools, STR("\"calc\"")) == t.request.tools.len);
	CHECK(str_find(t.request.tools, STR("\"more\"")) == t.request.tools.len, "%.*s", STR_ARG(t.request.tools));
	tool_set_wish(&t.s.tool_set, tool_set_find(&t.s.tool_set, STR("third")), TOOL_ON);
	offered(&t, &names);
	CHECK_STR(buf_str(&names), "calc look third clock");
	choose(&t, "typing");
	CU_ASSERT_FALSE(t.good);
	CHECK(strstr(t.err.text, "role typing: there is no tool 'claculator'; known are calc, look, third, clock"), "%s", t.err.text);
	choose(&t, "part");
	tool_set_forget(&t.s.tool_set);
	offered(&t, &names);
	CHECK_STR(buf_str(&names), "calc look third");
	choose(&t, "tooled");
	offered(&t, &names);
	CHECK_STR(buf_str(&names), "calc look third");
	buf_fini(&names);
	end(&t);
}

static void the_setting_names_one_to_start_with(void)
{
	struct tried t;
	struct buf words = { 0 };

	begin(&t);
	t.o.config = folder_file("other.conf", "role = part\n" CONF);
	start(&t);
	check(&t, "mine", "openai-chat", "m-part", "of all", 0.5);
	setting_origin_words(&t.s, "model", &words);
	CHECK_STR(buf_str(&words), "[role part]");
	setup_fini(&t.s);
	t.o.role = "off";
	start(&t);
	check(&t, "mine", "openai-chat", "top", "of all", 0.5);
	setup_fini(&t.s);
	t.o.role = NULL;
	t.o.config = folder_file("third.conf", "role = none\n" CONF);
	start(&t);
	CU_ASSERT_FALSE(t.good);
	CHECK(strstr(t.err.text, "third.conf:1: role: there is no role 'none'; known are full, part"), "%s", t.err.text);
	buf_fini(&words);
	end(&t);
}

static void one_chosen_later_goes_before_options(void)
{
	struct tried t;
	struct parameters own = parameters_unset;

	begin(&t);
	t.o.model = "m-option";
	t.o.temperature = 0.9;
	start(&t);
	check(&t, "mine", "openai-chat", "m-option", "of all", 0.9);
	setup_use_system(&t.s, STR("mine"));
	own.temperature = 0.3;
	own.max_tokens = 5;
	setup_use_parameters(&t.s, &own);
	choose(&t, "full");
	check(&t, "other", "gemini", "m-role", "of the role", 0.1);
	CU_ASSERT_EQUAL(t.request.max_tokens, 77);
	own.temperature = 0.4;
	setup_use_parameters(&t.s, &own); /* and what is set after it goes before it */
	setup_use_model(&t.s, STR("m-later"));
	CU_ASSERT(setup_request(&t.s, &t.request, &t.err));
	check(&t, "other", "gemini", "m-later", "of the role", 0.4);
	end(&t);
}

static void dropping_it_brings_back_the_target(void)
{
	struct tried t;

	begin(&t);
	start(&t);
	choose(&t, "full");
	choose(&t, "part"); /* in place of the other: its provider goes with it */
	check(&t, "mine", "openai-chat", "m-part", "of all", 0.5);
	choose(&t, NULL);
	check(&t, "mine", "openai-chat", "top", "of all", 0.5);
	choose(&t, "full");
	setup_use_model(&t.s, STR("m-later")); /* the user's choice stays */
	choose(&t, NULL);
	check(&t, "other", "gemini", "m-later", "of all", NAN);
	end(&t);
}

static void its_tools_come_and_go(void)
{
	struct tried t;

	begin(&t);
	t.o.role = "tooled";
	start(&t);
	CHECK(t.good && str_find(t.request.tools, STR("look")) < t.request.tools.len, "%s", t.err.text);
	choose(&t, "part");
	CU_ASSERT_EQUAL(t.request.tools.len, 0);
	choose(&t, "tooled");
	CU_ASSERT(t.request.tools.len > 0);
	choose(&t, NULL);
	CU_ASSERT_EQUAL(t.request.tools.len, 0);
	end(&t);
}

static void what_cannot_be_used_changes_nothing(void)
{
	static const struct { const char *role, *says; } cases[] = {
		{ "stray", "weir.conf:25: role stray: there is no provider 'nowhere'" },
		{ "odd", "weir.conf:27: role odd: mine does not offer ollama" },
		{ "none", "there is no role 'none'; known are full, part, tooled, stray, odd, seeing, running" },
	};
	struct tried t;

	begin(&t);
	start(&t);
	choose(&t, "part");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		choose(&t, cases[i].role);
		CHECK(!t.good && strstr(t.err.text, cases[i].says), "%s", t.err.text);
		CU_ASSERT(setup_request(&t.s, &t.request, &t.err));
		t.good = true;
		check(&t, "mine", "openai-chat", "m-part", "of all", 0.5);
	}
	end(&t);
}

static void parameters_tell_their_origin(void)
{
	static const struct { const char *role; double option; const char *change, *words; } cases[] = {
		{ NULL, NAN, NULL, "0.5, [provider mine]" }, { "full", NAN, NULL, "0.1, [role full]" }, { "full", 0.9, NULL, "0.9, option" },
		{ "full", 0.9, "0.7", "0.7, set here" }, { "full", 0.9, "off", "0.9, option" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tried t;
		struct buf words = { 0 };

		begin(&t);
		t.o.role = cases[i].role;
		t.o.temperature = cases[i].option;
		start(&t);
		CU_ASSERT(!cases[i].change || parameter_change(&t.s, PARAMETER_TEMPERATURE, str_from(cases[i].change), &t.err));
		parameter_words(&t.s, PARAMETER_TEMPERATURE, &words);
		CHECK_STR(buf_str(&words), cases[i].words);
		buf_fini(&words);
		end(&t);
	}
}

/* Of the role, the option and what was chosen here, as with any parameter; what the target does not have is refused before it is sent. */
static void server_tools_are_a_parameter(void)
{
	struct tried t;

	begin(&t);
	start(&t);
	CU_ASSERT(t.good && !t.request.added.len && !t.request.server_tools);
	choose(&t, "seeing");
	CHECK_STR(t.request.added, "{\"web_search_options\":{},\"modalities\":[\"image\",\"text\"]}");
	CU_ASSERT(parameter_change(&t.s, PARAMETER_SERVER_TOOLS, STR("off"), &t.err) && setup_request(&t.s, &t.request, &t.err));
	CU_ASSERT(!t.request.added.ptr && !setup_server_tools(&t.s));
	CU_ASSERT_FALSE(parameter_change(&t.s, PARAMETER_SERVER_TOOLS, STR("code"), &t.err));
	CHECK(strstr(t.err.text, "openai-chat has no server tool code at mine"), "%s", t.err.text);
	CU_ASSERT(t.s.parameters.server_tools == SERVER_TOOLS_OFF);
	CU_ASSERT(parameter_change(&t.s, PARAMETER_SERVER_TOOLS, STR("default"), &t.err) && setup_request(&t.s, &t.request, &t.err));
	CU_ASSERT_EQUAL(t.request.server_tools, 1u << SERVER_CAN_WEB_SEARCH | 1u << SERVER_CAN_IMAGE);
	choose(&t, "running");
	CHECK_STR(t.request.added, "{\"tools\":[{\"type\":\"code_execution_20250825\",\"name\":\"code_execution\"}]}");
	setup_use_protocol(&t.s, &protocol_openai_chat);
	CU_ASSERT_FALSE(setup_request(&t.s, &t.request, &t.err));
	CHECK(strstr(t.err.text, "ask for it with the protocol anthropic"), "%s", t.err.text);
	end(&t);
	begin(&t);
	t.o.role = "seeing";
	t.o.server_tools = 1u << SERVER_CAN_AUDIO;
	start(&t);
	CHECK(t.good && strstr(buf_z(&t.s.added), "\"audio\""), "%s", buf_z(&t.s.added));
	end(&t);
}

const struct suite suite_setup_role = { "setup_role", (const struct test[]){
	TEST(a_role_goes_before_the_file), TEST(options_go_before_a_role), TEST(the_setting_names_one_to_start_with),
	TEST(one_chosen_later_goes_before_options), TEST(dropping_it_brings_back_the_target), TEST(its_tools_come_and_go), TEST(a_role_names_tools_that_run),
	TEST(what_cannot_be_used_changes_nothing), TEST(parameters_tell_their_origin), TEST(server_tools_are_a_parameter), { 0 } } };
