/* What the chat keeps, in the linear mode: requests after opening a stored conversation, and what is private. */
#include "app/keeping.h"

#include <stdio.h>
#include <string.h>

#include "app/program.h"
#include "base/mem.h"
#include "support/check.h"
#include "support/hand.h"

static struct hand *server;
static const char *config;
static char data[160], state[160];

static void begin(void)
{
	server = hand_new();
	config = folder_file("weir.conf", hand_settings(server, ""));
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", folder_path());
	snprintf(state, sizeof state, "XDG_STATE_HOME=%s/state", folder_path());
}

static void end(void)
{
	hand_free(server);
	folder_remove();
}

/* Types the lines that are not prompts, then a prompt for each answer. The body of the last request is returned; heap. */
static char *talk(const char *first, const char *const *answers, const char *const *more)
{
	const char *args[16] = { "--plain", "--config", config, "-p", "hand" };
	struct buf lines = { 0 };
	struct program p;
	char *body = NULL;

	for (size_t i = 0; more[i]; i++)
		args[5 + i] = more[i];
	buf_add_z(&lines, first);
	for (size_t i = 0; answers[i]; i++)
		buf_printf(&lines, "about %s\n", answers[i]);
	program_start(&p, args, ARGS(data, state));
	program_send(&p, buf_str(&lines));
	program_end_input(&p);
	for (size_t i = 0; answers[i]; i++) {
		hand_say(server, answers[i]);
		mem_free(body);
		body = mem_dup_z(hand_body(server));
	}
	CHECK(program_wait(&p) == 0 && !p.errors.len, "%d: %s", p.status, buf_z(&p.errors));
	program_free(&p);
	buf_fini(&lines);
	return body;
}

/* The same prompts in one run, and in two with what is kept between them. */
static void requests_after_opening_are_the_same(void)
{
	char *whole, *resumed;

	begin();
	whole = talk("/system Be brief.\n/parameters temperature 0.25\n", ARGS("One.", "Two.", "Three."), ARGS("--no-history"));
	mem_free(talk("/system Be brief.\n/parameters temperature 0.25\n", ARGS("One.", "Two."), ARGS(NULL)));
	resumed = talk("", ARGS("Three."), ARGS("-c"));
	CHECK(!strcmp(whole, resumed), "%s\n%s", whole, resumed);
	mem_free(whole);
	mem_free(resumed);
	end();
}

/* No file below the folders holds the words. */
static bool is_on_disk(const char *words)
{
	char script[400];
	struct program p;
	int status;

	snprintf(script, sizeof script, "exec grep -rqaF '%s' '%s/data' '%s/state'", words, folder_path(), folder_path());
	program_start_script(&p, script, ARGS(NULL), ARGS(NULL));
	status = program_wait(&p);
	program_free(&p);
	return status == 0;
}

static void what_is_private_is_not_on_the_disk(void)
{
	begin();
	mem_free(talk("", ARGS("Openly."), ARGS(NULL)));
	CU_ASSERT_TRUE(is_on_disk("Openly."));
	mem_free(talk("/private\n", ARGS("Sesame."), ARGS("-c")));
	mem_free(talk("", ARGS("Quietly."), ARGS("--no-history")));
	CU_ASSERT_FALSE(is_on_disk("Sesame."));
	CU_ASSERT_FALSE(is_on_disk("Quietly."));
	end();
}

const struct suite suite_keeping = { "keeping", (const struct test[]){
	TEST(requests_after_opening_are_the_same), TEST(what_is_private_is_not_on_the_disk), { 0 },
} };
