#include "store/files/model_cache.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/regular_file.h"
#include "support/check.h"
#include "support/home.h"

#define NOW 1800000000
#define DAY 86400
#define FILE_OF_BOX "weir/models/box.openai-chat"

static char *home;

static void begin(void) { home = home_begin("XDG_CACHE_HOME"); }
static void end(void) { home_end(home); }

static struct model_cache_key key_of(const char *provider, const char *base_url)
{
	return (struct model_cache_key){ provider, &protocol_openai_chat, str_from(base_url) };
}

static bool keep(const char *provider, const char *base_url, const char *id)
{
	const struct model_cache_key key = key_of(provider, base_url);
	char name[] = "Name", one[100];
	struct error err = { "" };

	snprintf(one, sizeof one, "%s", id);
	struct model models[] = {
		{ .id = one, .name = name, .context_tokens = 400000, .output_tokens = -1,
		  .prices = { .of = { [USAGE_PROMPT] = MONEY(0.25), [USAGE_COMPLETION] = MONEY(2), [USAGE_CACHED] = MONEY(0.025) }, .prompt_below = 200000 } },
		{ .id = name, .context_tokens = -1, .output_tokens = 5 },
	};
	return model_cache_keep(&key, models, 2, NOW, &err);
}

static void tell(void *ctx, const struct model_facts *facts)
{
	struct buf *out = ctx;

	buf_printf(out, "%.*s %lld %lld", STR_ARG(facts->id), facts->context_tokens, facts->output_tokens);
	for (enum usage_figure i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (facts->prices.of[i].known)
			buf_printf(out, " %s %g", usage_price(i)->name, facts->prices.of[i].usd);
	buf_printf(out, facts->prices.prompt_below ? " below %lld\n" : "\n", (long long)facts->prices.prompt_below);
}

#define READS(provider, base_url, now, expected) reads((provider), (base_url), (now), (expected), __LINE__)
static void reads(const char *provider, const char *base_url, int64_t now, const char *expected, int line)
{
	const struct model_cache_key key = key_of(provider, base_url);
	struct buf out = { 0 };

	bool good = model_cache_read(&key, now, tell, &out);
	CHECK(good == (*expected != 0) && str_is(buf_str(&out), expected), "line %d: %d %s", line, good, buf_z(&out));
	buf_fini(&out);
}

#define BOTH "m 400000 -1 input 0.25 output 2 cached 0.025 below 200000\nName -1 5\n"

static void a_list_outlives_the_program(void)
{
	struct stat facts;

	begin();
	READS("box", "https://box/v1", NOW, "");
	CU_ASSERT(keep("box", "https://box/v1", "m"));
	READS("box", "https://box/v1", NOW, BOTH);
	READS("other", "https://box/v1", NOW, "");
	CU_ASSERT_TRUE(stat(home_path(home, FILE_OF_BOX), &facts) == 0 && (facts.st_mode & 0777) == 0600);
	CU_ASSERT(keep("box", "https://box/v1", "n"));
	READS("box", "https://box/v1", NOW, "n 400000 -1 input 0.25 output 2 cached 0.025 below 200000\nName -1 5\n");
	end();
}

static void a_list_grows_old_and_belongs_to_its_server(void)
{
	begin();
	CU_ASSERT(keep("box", "https://box/v1?key=sk-secret-123456", "m"));
	READS("box", "https://box/v1?key=sk-secret-123456", NOW + MODEL_CACHE_DAYS * DAY, BOTH);
	READS("box", "https://box/v1?key=sk-secret-123456", NOW + MODEL_CACHE_DAYS * DAY + 1, "");
	READS("box", "https://box/v1?key=sk-secret-123456", NOW - 1, "");
	READS("box", "https://elsewhere/v1", NOW, "");
	struct buf text = { 0 };
	struct error err = { "" };
	CU_ASSERT(regular_file_read(&text, home_path(home, FILE_OF_BOX), &err));
	CU_ASSERT_EQUAL(str_find(buf_str(&text), STR("sk-secret")), text.len);
	buf_fini(&text);
	end();
}

static void what_is_not_understood_is_absent(void)
{
	static const char *const bad[] = {
		"", "{", "[]", "null", "{\"weir_models\":2,\"fetched\":1800000000,\"base_url\":\"u\",\"models\":[{\"id\":\"m\"}]}",
		"{\"weir_models\":1,\"fetched\":\"x\",\"base_url\":\"u\",\"models\":[{\"id\":\"m\"}]}", "{\"weir_models\":1,\"models\":[{\"id\":\"m\"}]}",
	};

	begin();
	CU_ASSERT(keep("box", "u", "m"));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		home_write(home, FILE_OF_BOX, bad[i]);
		READS("box", "u", NOW, "");
	}
	home_write(home, FILE_OF_BOX, "{\"weir_models\":1,\"fetched\":1800000000,\"base_url\":\"u\",\"models\":[7,{},{\"id\":7},"
	           "{\"id\":\"odd\",\"context\":-5,\"input\":-1,\"output\":\"2\",\"prompt_below\":1.5}]}");
	READS("box", "u", NOW, "odd -1 -1\n");
	end();
}

static void names_are_no_paths_and_files_are_ours(void)
{
	begin();
	CU_ASSERT_FALSE(keep("../box", "u", "m"));
	CU_ASSERT_FALSE(keep(".box", "u", "m"));
	CU_ASSERT(keep("box", "u", "m"));
	CU_ASSERT_EQUAL_FATAL(chmod(home_path(home, FILE_OF_BOX), 0666), 0);
	READS("box", "u", NOW, "");
	end();
	READS("box", "u", NOW, ""); /* no home at all */
}

static void a_long_list_is_not_kept(void)
{
	const struct model_cache_key key = key_of("box", "u");
	static struct model models[20000];
	char id[] = "a-name-of-ordinary-length-that-takes-its-room/and-more";
	struct error err = { "" };

	begin();
	for (size_t i = 0; i < sizeof models / sizeof *models; i++)
		models[i] = (struct model){ .id = id, .context_tokens = -1, .output_tokens = -1 };
	CU_ASSERT_FALSE(model_cache_keep(&key, models, sizeof models / sizeof *models, NOW, &err));
	CHECK_STR(str_from(err.text), "the model list of box is too long to be kept");
	READS("box", "u", NOW, "");
	end();
}

const struct suite suite_model_cache = { "model_cache", (const struct test[]){
	TEST(a_list_outlives_the_program),
	TEST(a_list_grows_old_and_belongs_to_its_server),
	TEST(what_is_not_understood_is_absent),
	TEST(names_are_no_paths_and_files_are_ours),
	TEST(a_long_list_is_not_kept),
	{ 0 },
} };
