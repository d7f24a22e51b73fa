#include "store/config/roles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/config/settings.h"
#include "support/check.h"

static struct settings settings;
static struct providers *providers;
static char folder[] = "/tmp/weir-roles-XXXXXX", conf[64];

static const char *no_environment(const char *name)
{
	(void)name;
	return NULL;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	CU_ASSERT_FATAL(f != NULL);
	fputs(text, f);
	fclose(f);
}

/* Reads `text` as a settings file of a folder of its own. */
static bool begin(const char *text, struct error *err)
{
	strcpy(folder, "/tmp/weir-roles-XXXXXX");
	CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
	snprintf(conf, sizeof conf, "%s/w.conf", folder);
	write_file(conf, text);
	settings_init(&settings);
	providers = providers_new(no_environment);
	*err = (struct error){ "" };
	return settings_read(&settings, providers, conf, err);
}

static void end(void)
{
	char command[96];

	settings_fini(&settings);
	providers_free(providers);
	snprintf(command, sizeof command, "rm -r %s", folder);
	CU_ASSERT_EQUAL(system(command), 0);
}

#define HAS(text, words) CHECK(str_find(str_from(text), STR(words)) < str_from(text).len, "%s", text)

static void all_settings_are_read(void)
{
	struct error err;
	struct buf text = { 0 };

	CHECK(begin("role = coder\n[role coder]\nsystem = Be brief\nprovider = groq\nmodel = m-1\nprotocol = anthropic\ntemperature = 0.5\ntop_p = 0.9\n"
	            "max_tokens = 7\nreasoning = low\ntools = t.json\nschema = /s.json\n", &err), "%s", err.text);
	CHECK_STR(str_from(settings.role), "coder");
	const struct role *r = roles_find(&settings.roles, STR("coder"));
	CU_ASSERT_FATAL(r != NULL);
	CHECK_STR(str_from(r->provider), "groq");
	CHECK_STR(str_from(r->model), "m-1");
	CU_ASSERT_PTR_EQUAL(r->protocol, &protocol_anthropic);
	CHECK_STR(str_from(r->schema), "/s.json");
	CHECK(!strncmp(r->tools, folder, strlen(folder)) && str_ends(str_from(r->tools), "/t.json"), "%s", r->tools);
	role_write_facts(r, &text);
	CHECK_STR(buf_str(&text), "groq m-1 anthropic, temperature 0.5, max_tokens 7, reasoning low, top_p 0.9, system, tools, schema");
	CU_ASSERT(role_read_system(r, &text, &err));
	CHECK_STR(buf_str(&text), "Be brief");
	buf_fini(&text);
	end();
}

/* The last one counts. */
static void tools_are_names_or_a_file(void)
{
	static const struct { const char *value, *names, *file; } cases[] = {
		{ "calc", "calc", NULL }, { "calc, docs__*", "calc, docs__*", NULL }, { "./calc", NULL, "/./calc" }, { "t.json", NULL, "/t.json" },
		{ "t.json\ntools = calc", "calc", NULL }, { "calc\ntools = t.json", NULL, "/t.json" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[100];
		struct error err;
		struct buf value = { 0 };

		snprintf(text, sizeof text, "[role a]\ntools = %s\n", cases[i].value);
		CHECK(begin(text, &err), "%s", err.text);
		const struct role *r = roles_find(&settings.roles, STR("a"));
		CHECK_STR(str_from(r->tool_names), cases[i].names ? cases[i].names : "");
		CHECK(cases[i].file ? str_ends(str_from(r->tools), cases[i].file) : !r->tools, "%s: %s", cases[i].value, r->tools);
		for (size_t row = 0; role_setting_at(row).name; row++)
			role_write_setting(r, row, &value);
		CHECK_STR(buf_str(&value), cases[i].names ? cases[i].names : r->tools);
		buf_fini(&value);
		end();
	}
}

static void errors_name_file_and_line(void)
{
	static const struct { const char *text, *says; } cases[] = {
		{ "[role a]\ntemperature = 3\n", "w.conf:2: temperature = 3: it must be a number from 0 to 2" },
		{ "[role a]\n\nprotocol = x\n", "w.conf:3: protocol = x: it must be openai-chat" },
		{ "[role a]\ncolour = red\n", "w.conf:2: colour: there is no such setting of a role" },
		{ "[role off]\nmodel = m\n", "w.conf:2: [role off]: a role's name" },
		{ "[role a b]\nmodel = m\n", "w.conf:2: [role a b]: a role's name" },
		{ "[role a]\nsystem = s\nsystem_file = f\n", "w.conf:3: a role has system or system_file, not both" },
		{ "[rôle a]\nmodel = m\n", "only [provider NAME], [role NAME], [template NAME], [mcp NAME], [tool NAME], [price PATTERN], [dialect NAME] and [keys]" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err;

		CU_ASSERT_FALSE(begin(cases[i].text, &err));
		CHECK(strstr(err.text, cases[i].says), "%s", err.text);
		end();
	}
}

/* The file is looked at when the role is used. */
static void a_system_prompt_comes_from_a_file(void)
{
	struct error err;
	struct buf text = { 0 };
	char path[96];

	CHECK(begin("[role a]\nmodel = m\nsystem_file = a.txt\n", &err), "%s", err.text);
	const struct role *r = roles_find(&settings.roles, STR("a"));
	CU_ASSERT_FALSE(role_read_system(r, &text, &err));
	HAS(err.text, "w.conf:3: role a: cannot open ");
	snprintf(path, sizeof path, "%s/a.txt", folder);
	write_file(path, "Line one.\nLine two.\n");
	CU_ASSERT(role_read_system(r, &text, &err));
	CHECK_STR(buf_str(&text), "Line one.\nLine two.");
	write_file(path, "\xFF\n");
	CU_ASSERT_FALSE(role_read_system(r, &text, &err));
	HAS(err.text, "is not text in UTF-8");
	unlink(path);
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	CU_ASSERT_FALSE(role_read_system(r, &text, &err));
	HAS(err.text, "only a regular file is read");
	buf_fini(&text);
	end();
}

const struct suite suite_roles = { "roles", (const struct test[]){
	TEST(all_settings_are_read), TEST(tools_are_names_or_a_file), TEST(errors_name_file_and_line), TEST(a_system_prompt_comes_from_a_file), { 0 } } };
