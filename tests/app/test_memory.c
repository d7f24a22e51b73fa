/*
 * No key remains in memory after a turn. The test searches all writable memory of the program from inside (tests/sweep/searching.c),
 * including freed heap memory.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/program.h"
#include "app/stage.h"
#include "support/check.h"
#include "support/preload.h"
#include "support/secure.h"

#define KEY "sk-unique-b7e20d94f1"
#define TRIES 3000
#define TRY_US 10000

static char search[100], found[200];

/* The variables for starting the program; NULL, and the test is skipped, if preloading is not possible. */
static const char *const *variables(const char *more)
{
	static const char *list[5];
	char *end = search + sprintf(search, "WEIR_SEARCH=");

	for (const char *c = KEY; *c; c++)
		end += sprintf(end, "%02x", (unsigned char)~*c);
	snprintf(found, sizeof found, "WEIR_FOUND=%s", folder_file("found", NULL));
	list[0] = preload_variable("searching");
	list[1] = search;
	list[2] = found;
	list[3] = more;
	if (!list[0])
		check_skip("nothing can be preloaded here");
	return list[0] ? list : NULL;
}

static const char *key_file(void)
{
	const char *path = folder_file("key", KEY "\n");

	CU_ASSERT_EQUAL(chmod(path, 0600), 0);
	return path;
}

/* Counts the copies of the key in memory; stores their locations in `places`. */
static unsigned count_keys(struct pty *pty, struct buf *places)
{
	const char *path = found + strlen("WEIR_FOUND=");
	struct str rest, line;
	struct error err;
	unsigned count = 0;

	unlink(path);
	CU_ASSERT_EQUAL(kill(pty_pid(pty), SIGURG), 0);
	for (int tries = 0; tries < TRIES && !(buf_read_file(places, path, &err) && str_ends(buf_str(places), "done\n")); tries++)
		usleep(TRY_US);
	CHECK(str_ends(buf_str(places), "done\n"), "%s", buf_z(places));
	rest = buf_str(places);
	while (str_split(&rest, '\n', &line))
		count++;
	return count - 1;
}

static void expect_keys(struct pty *pty, unsigned count, const char *when)
{
	struct buf places;
	unsigned keys;

	buf_init(&places, 1 << 20);
	keys = count_keys(pty, &places);
	CHECK(keys == count, "%s: %u keys in memory\n%s", when, keys, buf_z(&places));
	buf_fini(&places);
}

/* Checks that the search works: finds the key while the program waits for an answer and may still repeat its request. */
static void expect_some(struct pty *pty)
{
	struct buf places;

	buf_init(&places, 1 << 20);
	CU_ASSERT_NOT_EQUAL(count_keys(pty, &places), 0);
	buf_fini(&places);
}

/* --- plain http, and all outcomes of a turn --- */

static void play(struct stage *s, unsigned kept)
{
	CU_ASSERT_TRUE(stage_ask(s, "first"));
	CHECK(strstr(hand_head(s->server), KEY) != NULL, "%s", hand_head(s->server));
	expect_some(s->pty);
	hand_begin(s->server);
	hand_text(s->server, "you sent " KEY);
	hand_finish(s->server, "stop");
	PTY_SEES(s->pty, "you sent ****");
	STAGE_OVER(s);
	expect_keys(s->pty, kept, "an answer that says it back");
	CU_ASSERT_TRUE(stage_ask(s, "second"));
	hand_reply(s->server, 401, "application/json\r\nx-request-id: " KEY, "{\"error\":{\"message\":\"Incorrect API key provided: " KEY "\"}}");
	PTY_SEES(s->pty, "provided: ****");
	STAGE_OVER(s);
	expect_keys(s->pty, kept, "a refusal");
	pty_send(s->pty, "\x15");
	CU_ASSERT_TRUE(stage_ask(s, "third"));
	hand_begin(s->server);
	hand_text(s->server, "and so on");
	PTY_SEES(s->pty, "and so on");
	pty_send(s->pty, K_ESC);
	STAGE_OVER(s);
	expect_keys(s->pty, kept, "an answer that was stopped");
	pty_send(s->pty, K_F2);
	CU_ASSERT_TRUE(hand_accept(s->server));
	hand_reply(s->server, 200, "application/json", "{\"data\":[{\"id\":\"m-77\"}]}");
	PTY_SEES(s->pty, "m-77");
	expect_keys(s->pty, kept, "a list of models");
	pty_send(s->pty, K_ESC);
}

static void no_key_of_a_file_or_command_stays(void)
{
	static const char *const settings[] = { "auth = bearer\nkey_file = %s\n", "auth = x-api-key\nkey_command = cat %s\n" };

	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		const char *const *environment = variables(NULL);
		char lines[300];
		struct stage s;

		if (!environment)
			return;
		snprintf(lines, sizeof lines, settings[i], key_file());
		stage_open(&s, &(struct stage_options){ .settings = lines, .environment = environment, .columns = 120 });
		play(&s, 0);
		stage_close(&s);
		folder_remove();
	}
}

/* Exactly one copy of a key from a variable is kept, for the next turn. */
static void a_key_of_a_variable_is_there_once(void)
{
	const char *const *environment = variables("HAND_API_KEY=" KEY);
	struct stage s;

	if (!environment)
		return;
	stage_open(&s, &(struct stage_options){ .settings = "auth = bearer\n", .environment = environment, .columns = 120 });
	play(&s, 1);
	stage_close(&s);
	folder_remove();
}

/* --- behind TLS --- */

static void no_key_stays_behind_tls(void)
{
	const char *const *environment = variables(NULL);
	struct secure *server = environment ? secure_new(SECURE_BYTES, SECURE_OURS) : NULL;
	char settings[400];
	struct stage s;

	if (!server)
		return;
	snprintf(settings, sizeof settings, "auth = bearer\nbase_url.openai-chat = https://127.0.0.1:%u/v1\nkey_file = %s\nca_file = %s\n",
	         secure_port(server), key_file(), secure_ca_file(server));
	stage_open(&s, &(struct stage_options){ .settings = settings, .environment = environment });
	secure_send(server, STR("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 88\r\n\r\n"
	                        "data: {\"choices\":[{\"delta\":{\"content\":\"hello\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"));
	pty_send(s.pty, "hi\r");
	PTY_SEES(s.pty, "hello");
	STAGE_OVER(&s);
	CU_ASSERT_TRUE(secure_await(server, KEY));
	expect_keys(s.pty, 0, "a turn over TLS");
	stage_close(&s);
	secure_free(server);
	folder_remove();
}

const struct suite suite_memory = { "memory", (const struct test[]){
	TEST(no_key_of_a_file_or_command_stays),
	TEST(a_key_of_a_variable_is_there_once),
	TEST(no_key_stays_behind_tls),
	{ 0 },
} };
