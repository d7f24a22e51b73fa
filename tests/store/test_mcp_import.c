/* Servers that other clients keep, as sections of weir.conf: what is written and said, and what is not. */
#include "store/config/mcp_import.h"

#include <string.h>

#include "base/array.h"
#include "base/child.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "store/config/settings_edit.h"
#include "support/check.h"

static struct buf said;

static void say(const char *sentence)
{
	buf_printf(&said, "%s\n", sentence);
}

static bool is_key(const void *ctx, struct str variable)
{
	(void)ctx;
	return str_is(variable, "BOX_API_KEY");
}

static bool read_json(struct mcp_import *im, const struct settings *settings, struct str json, struct error *err)
{
	struct buf text = { 0 };

	buf_clear(&said);
	*err = (struct error){ "" };
	*im = (struct mcp_import){ .settings = settings, .is_key = is_key, .tell = say };
	buf_add(&text, json);
	bool good = mcp_import_read(im, &text, err);
	buf_fini(&text);
	return good;
}

#define ONE(server) "{\"mcpServers\":{\"s\":" server "}}"
#define NOT(why) "s is not taken over: " why "\n"
#define NO_VALUE "s: no value of env is taken over; weir must be started with "
#define IS_KEY NOT("argument 2 looks like a key: a program gets keys from variables that env names")
#define URL_KEY NOT("its address looks as if it held a key")
#define HEADER "s: the key in the header Authorization is not taken over: " \
	"weir reads it from the variable MCP_S_KEY, or from key_file or key_command\n"
#define HOLD NOT("weir.conf cannot hold it: a value there has no \" ;\", and no word longer than 180 bytes")
#define LONG "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/* Each secret of the file is SECRET, or looks like one by itself. */
static const struct { const char *json, *shown, *said; } cases[] = {
	{ ONE("{\"command\":\"npx\",\"args\":[\"-y\",\"@a/b\",\"/my docs\",7,true]}"), "[mcp s]\ncommand = npx -y @a/b '/my docs' 7 true\n", "" },
	{ "// mine\n{/* \" */\"servers\":{\"s\":{\"command\":\"a//b\",\"args\":[\",]\",],},},}", "[mcp s]\ncommand = a//b ',]'\n", "" },
	{ "\xEF\xBB\xBF{\"mcp\":{\"servers\":{\"s\":{\"type\":\"stdio\",\"command\":\"a\"}}}}", "[mcp s]\ncommand = a\n", "" },
	{ ONE("{\"command\":\"a\",\"env\":{\"TOKEN\":\"SECRET\",\"MODE\":\"SECRET\"}}"), "[mcp s]\ncommand = a\nenv = TOKEN, MODE\n",
	  NO_VALUE "TOKEN, MODE set\n" },
	{ ONE("{\"command\":\"a\",\"env\":{\"A\\nB\":\"SECRET\"}}"), "", NOT("env has a name that is none of a variable") },
	{ ONE("{\"command\":\"a\",\"env\":{\"BOX_API_KEY\":\"SECRET\"}}"), "",
	  NOT("env names BOX_API_KEY, which holds a key of weir's: no program gets it") },
	{ ONE("{\"command\":\"a\",\"env\":{\"OLD_KEY\":\"SECRET\"}}"), "", NOT("env names OLD_KEY, which holds a key of weir's: no program gets it") },
	{ ONE("{\"command\":\"a\",\"args\":[\"--api-key\",\"SECRET\"]}"), "", IS_KEY },
	{ ONE("{\"command\":\"a\",\"args\":[\"-e\",\"TOKEN=SECRET\"]}"), "", IS_KEY },
	{ ONE("{\"command\":\"a\",\"args\":[\"--header\",\"Authorization: Bearer SECRET\"]}"), "", IS_KEY },
	{ ONE("{\"command\":\"a\",\"args\":[\"x\",\"sk-SECRET\"]}"), "", IS_KEY },
	{ ONE("{\"command\":\"a\",\"args\":[\"x\",\"a8f93kd02mfk3920dkfm\"]}"), "", IS_KEY },
	{ ONE("{\"command\":\"a\",\"args\":[\"-e\",\"TOKEN\",\"/a8f93kd02mfk3920dkfm/x\",\"-v\",\"/my/code:/code\"]}"),
	  "[mcp s]\ncommand = a -e TOKEN /a8f93kd02mfk3920dkfm/x -v /my/code:/code\n", "" },
	{ ONE("{\"command\":\"a\",\"args\":[\"${workspaceFolder}\"]}"), "", NOT("an argument holds ${...}, which weir does not replace") },
	{ ONE("{\"command\":\"a\",\"args\":[\"x\\ncommand = evil\"]}"), "", NOT("an argument holds a control character") },
	{ ONE("{\"command\":\"a\\u0000b\"}"), "", NOT("its command holds a control character") },
	{ ONE("{\"command\":\"a\",\"args\":\"b\"}"), "", NOT("args is no list") },
	{ ONE("{\"command\":\"a\",\"args\":[{}]}"), "", NOT("argument 1 is no text") },
	{ ONE("{\"command\":\"a\",\"args\":[\"" LONG LONG LONG LONG "\"]}"), "", HOLD },
	{ ONE("{\"url\":\"https://h/mcp\",\"headers\":{\"Authorization\":\"Bearer SECRET\",\"X-Tenant\":\" blue \"}}"),
	  "[mcp s]\nurl = https://h/mcp\nkey_env = MCP_S_KEY\nheader.X-Tenant = blue\n", HEADER },
	{ ONE("{\"url\":\"https://h/\",\"headers\":{\"X-API-KEY\":\"${env:FAR_KEY}\"}}"),
	  "[mcp s]\nurl = https://h/\nauth = x-api-key\nkey_env = FAR_KEY\n", "" },
	{ ONE("{\"url\":\"https://h/\",\"headers\":{\"Authorization\":\"Bearer ${BOX_API_KEY}\"}}"),
	  "[mcp s]\nurl = https://h/\nkey_env = MCP_S_KEY\n", HEADER },
	{ ONE("{\"url\":\"https://h/\",\"headers\":{\"Authorization\":\"Bearer ${PASSED}\"}}"), "[mcp s]\nurl = https://h/\nkey_env = MCP_S_KEY\n", HEADER },
	{ ONE("{\"url\":\"https://h/\",\"headers\":{\"Authorization\":\"Basic SECRET\"}}"), "",
	  NOT("the header Authorization may hold a key, and weir sends a key as authorization: Bearer, x-api-key, x-goog-api-key or api-key") },
	{ ONE("{\"url\":\"https://h/\",\"headers\":{\"x-api-key\":\"SECRET\",\"X-Other-Key\":\"SECRET\"}}"), "",
	  "s: the key in the header x-api-key is not taken over: weir reads it from the variable MCP_S_KEY, or from key_file or key_command\n"
	  NOT("the header X-Other-Key may hold a key, and weir sends one key only") },
	{ ONE("{\"url\":\"https://h/\",\"headers\":{\"X-A\":\"ghp_SECRET\"}}"), "",
	  NOT("the header X-A may hold a key, and weir sends a key as authorization: Bearer, x-api-key, x-goog-api-key or api-key") },
	{ ONE("{\"url\":\"https://h/\",\"headers\":{\"X-A\":\"${x}\"}}"), "", NOT("the header X-A holds ${...}, which weir does not replace") },
	{ ONE("{\"url\":\"https://h/\",\"headers\":{\"X-A\":\"b\\nurl = evil\"}}"), "", NOT("header.X-A: the value holds a control character") },
	{ ONE("{\"url\":\"https://h/\",\"headers\":{\"X=A\":\"b\"}}"), "", NOT("header.X=A: that is not a valid header name") },
	{ ONE("{\"url\":\"https://h/\",\"headers\":{\"X-A\":\"b ; c\"}}"), "", HOLD },
	{ ONE("{\"url\":\"https://h/?token=SECRET\"}"), "", URL_KEY },
	{ ONE("{\"url\":\"https://me:SECRET@h/\"}"), "", URL_KEY },
	{ ONE("{\"url\":\"https://h/a8f93kd02mfk3920dkfm/mcp\"}"), "", URL_KEY },
	{ ONE("{\"url\":\"ftp://h/\"}"), "", NOT("url: it must begin with https:// or http://") },
	{ ONE("{\"type\":\"sse\",\"url\":\"https://h/\",\"command\":\"a\"}"), "[mcp s]\nurl = https://h/\n", "" },
	{ ONE("{\"type\":\"stdio\",\"url\":\"https://h/\",\"command\":\"a\"}"), "[mcp s]\ncommand = a\n", "" },
	{ ONE("{\"url\":\"https://h/\",\"command\":\"a\"}"), "", NOT("it has a command and an address, and no type") },
	{ ONE("{\"type\":\"http\",\"command\":\"a\"}"), "", NOT("it has no address") },
	{ ONE("{\"type\":\"ws\",\"url\":\"https://h/\"}"), "", NOT("weir does not know its type \"ws\"") },
	{ ONE("7"), "", NOT("it has no command and no address") },
	{ ONE("{\"command\":\"a\",\"disabled\":true}"), "", "s is switched off there; it is left out\n" },
	{ ONE("{\"command\":\"a\",\"cwd\":\"/x\",\"alwaysAllow\":[\"t\"]}"), "[mcp s]\ncommand = a\n", "s: left out: cwd, alwaysAllow\n" },
	{ "{\"mcpServers\":{\"old\":{\"command\":\"evil\"},\"b\":{\"command\":\"c\"}}}", "[mcp b]\ncommand = c\n",
	  "old: weir.conf has [mcp old] already; it stays as it is\n" },
	{ "{\"mcpServers\":{\"a b\":{\"command\":\"c\"},\"a/b\":{\"command\":\"d\"},\"--\":{\"command\":\"e\"}}}",
	  "[mcp a-b]\ncommand = c\n\n[mcp a-b-2]\ncommand = d\n\n[mcp server]\ncommand = e\n",
	  "\"a b\" is named a-b: weir.conf cannot hold that name, or has another of it\n"
	  "\"a/b\" is named a-b-2: weir.conf cannot hold that name, or has another of it\n"
	  "\"--\" is named server: weir.conf cannot hold that name, or has another of it\n" },
	{ "{\"mcpServers\":{\"Z\xC3\xBCrich\":{\"command\":\"c\"}}}", "[mcp Z\xC3\xBCrich]\ncommand = c\n", "" },
};

static void settings_of_the_test(struct settings *settings)
{
	const struct ini_entry command = { .section = "mcp old", .name = "command", .value = "x" }, url = { .name = "url", .value = "https://h/" },
	                       env = { .name = "env", .value = "PASSED" }, key = { .name = "key_env", .value = "OLD_KEY" };
	struct error err;

	settings_init(settings);
	CU_ASSERT(mcp_servers_set(&settings->mcp_servers, STR("old"), &command, &err) && mcp_servers_set(&settings->mcp_servers, STR("old"), &env, &err));
	CU_ASSERT(mcp_servers_set(&settings->mcp_servers, STR("far"), &url, &err) && mcp_servers_set(&settings->mcp_servers, STR("far"), &key, &err));
}

static void servers_become_sections(void)
{
	struct settings settings;

	settings_of_the_test(&settings);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct mcp_import im;
		struct error err;

		CHECK(read_json(&im, &settings, str_from(cases[i].json), &err), "%s: %s", cases[i].json, err.text);
		CHECK(str_is(buf_str(&im.shown), cases[i].shown), "%s: %s", cases[i].json, buf_z(&im.shown));
		CHECK(str_is(buf_str(&said), cases[i].said), "%s: %s", cases[i].json, buf_z(&said));
		CHECK(str_find(buf_str(&said), STR("SECRET")) == said.len, "%s: %s", cases[i].json, buf_z(&said));
		CHECK(im.refused == (strstr(cases[i].said, "not taken over: ") && !*cases[i].shown), "%s", cases[i].json);
		mcp_import_fini(&im);
	}
	settings_fini(&settings);
	buf_fini(&said);
}

static void what_is_no_list_is_an_error(void)
{
	static const struct { const char *json, *error; } bad[] = {
		{ "", "it is no JSON, at byte 0" }, { "{\"mcpServers\":{}} x", "it is no JSON, at byte 18" }, { "/*", "it is no JSON, at byte 2" },
		{ "[]", "it has no servers: neither mcpServers nor servers" }, { "{\"servers\":[]}", "it has no servers: neither mcpServers nor servers" },
	};
	struct settings settings;
	struct mcp_import im;
	struct buf many = { 0 };
	struct error err;

	settings_of_the_test(&settings);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		CHECK(!read_json(&im, &settings, str_from(bad[i].json), &err), "%s", bad[i].json);
		CHECK_STR(str_from(err.text), bad[i].error);
		mcp_import_fini(&im);
	}
	buf_add_z(&many, "{\"servers\":{");
	for (unsigned i = 0; i <= MCP_IMPORT_SERVERS; i++)
		buf_printf(&many, "%s\"s%u\":{\"command\":\"a\"}", i ? "," : "", i);
	buf_add_z(&many, "}}");
	CU_ASSERT(!read_json(&im, &settings, buf_str(&many), &err));
	CHECK_STR(str_from(err.text), "it has more than 100 servers");
	mcp_import_fini(&im);
	settings_fini(&settings);
	buf_fini(&many);
	buf_fini(&said);
}

/* --- random --- */

static void add_random(struct buf *out, unsigned *seed, bool controls)
{
	static const char *const pieces[] = { /* the last four are controls */
		" ", ";", "#", "'", "\"", "\\", "[", "]", "=", ":", "$", "a", "bc", "-", "\xC3\xBC", "''", "\n", "\r\n", "\t", "\n[mcp x]",
	};
	size_t count = check_random(seed) % 30;

	while (count--)
		buf_add_z(out, pieces[check_random(seed) % (ARRAY_LEN(pieces) - (controls ? 0 : 4))]);
}

struct found { const struct mcp_import *im; size_t count; const char *value; };

static bool find_value(void *ctx, const struct ini_entry *entry, struct error *err)
{
	struct found *f = ctx;

	(void)err;
	f->count++;
	f->value = f->value ? f->value : str_dup(str_from(entry->value));
	return true;
}

/* Words of any text come back from weir.conf as they were. */
static void a_command_keeps_its_words(void)
{
	unsigned seed = 1;

	for (int round = 0; round < 2000; round++) {
		struct buf words[8] = { 0 }, command = { 0 }, text = { 0 };
		size_t count = 1 + check_random(&seed) % ARRAY_LEN(words);
		struct found found = { 0 };
		struct error err = { "" };

		for (size_t i = 0; i < count; i++) {
			add_random(&words[i], &seed, false);
			buf_add_z(&command, i ? " " : "");
			mcp_import_quote(buf_str(&words[i]), &command);
		}
		const struct settings_change change = { "mcp x", "command", buf_str(&command) };
		CHECK(settings_edit_text(STR(""), &change, 1, &text, &err), "%s: %s", buf_z(&command), err.text);
		CU_ASSERT(ini_read_text(buf_str(&text), "f", find_value, &found, &err));
		char **back = child_shell_words(str_from(found.value), &err);
		for (size_t i = 0; i < count && back && back[i]; i++)
			CHECK(str_is(buf_str(&words[i]), back[i]), "%s: word %zu is %s", buf_z(&command), i, back[i]);
		CHECK(back && !back[count], "%s: %s", buf_z(&command), err.text);
		mem_free(back);
		mem_free((char *)found.value);
		for (size_t i = 0; i < ARRAY_LEN(words); i++)
			buf_fini(&words[i]);
		buf_fini(&command);
		buf_fini(&text);
	}
}

static bool is_expected(void *ctx, const struct ini_entry *entry, struct error *err)
{
	struct found *f = ctx;
	const struct mcp_import_entry *e = &f->im->entries[f->count];

	return (f->count++ < f->im->count && !strcmp(e->section, entry->section) && !strcmp(e->name, entry->name) && !strcmp(e->value, entry->value)) ||
	       error_set(err, "[%s] %s = %s", entry->section, entry->name, entry->value);
}

static void write_random(struct json_writer *w, unsigned *seed, const char *key, const char *before, bool free)
{
	struct buf text = { 0 };

	buf_add_z(&text, before);
	if (free)
		add_random(&text, seed, check_random(seed) % 4 == 0);
	if (key)
		json_member_string(w, key, buf_str(&text));
	else
		json_string(w, buf_str(&text));
	buf_fini(&text);
}

/* Whatever names and values are, what is written reads as these entries and no others. */
static void nothing_injects_a_setting(void)
{
	struct settings settings;
	unsigned seed = 7;
	size_t taken = 0;

	settings_of_the_test(&settings);
	for (int round = 0; round < 2000; round++) {
		struct buf json = { 0 }, name = { 0 }, header = { 0 };
		unsigned where = check_random(&seed) % 5;
		struct found found = { 0 };
		struct json_writer w;
		struct mcp_import im;
		struct error err;

		add_random(&name, &seed, true);
		buf_add_z(&header, "X");
		if (where == 1)
			add_random(&header, &seed, true);
		json_writer_init(&w, &json);
		json_open_object(&w);
		json_key(&w, "servers");
		json_open_object(&w);
		json_key_str(&w, buf_str(&name));
		json_open_object(&w);
		if (round % 2) {
			write_random(&w, &seed, "url", "https://h/", where == 0);
			json_key(&w, "headers");
			json_open_object(&w);
			json_key_str(&w, buf_str(&header));
			write_random(&w, &seed, NULL, "v", where == 2);
			json_close_object(&w);
		} else {
			write_random(&w, &seed, "command", "c", true);
			json_key(&w, "args");
			json_open_array(&w);
			write_random(&w, &seed, NULL, "", true);
			json_close_array(&w);
		}
		json_close_object(&w);
		json_close_object(&w);
		json_close_object(&w);
		CHECK(read_json(&im, &settings, buf_str(&json), &err), "%s: %s", buf_z(&json), err.text);
		found.im = &im;
		CHECK(ini_read_text(buf_str(&im.shown), "f", is_expected, &found, &err), "%s: %s", buf_z(&json), err.text);
		CHECK(found.count == im.count, "%s: %s", buf_z(&json), buf_z(&im.shown));
		taken += im.servers;
		mcp_import_fini(&im);
		buf_fini(&json);
		buf_fini(&name);
		buf_fini(&header);
	}
	CHECK(taken > 500, "%zu", taken);
	settings_fini(&settings);
	buf_fini(&said);
}

const struct suite suite_mcp_import = { "mcp_import", (const struct test[]){
	TEST(servers_become_sections), TEST(what_is_no_list_is_an_error), TEST(a_command_keeps_its_words), TEST(nothing_injects_a_setting), { 0 } } };
