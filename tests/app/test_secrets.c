/*
 * All ways in which an API key and the credentials of a proxy could leak: the server echoes them in every place, children are started, the
 * turn is recorded and replayed. Then all files, all terminal output and the system's information about the process are searched.
 */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/program.h"
#include "app/stage.h"
#include "support/check.h"
#include "support/ready.h"
#include "support/secure.h"

#define KEY "sk-unique-5e1f0a77c3"
#define PASSWORD "pass-7d3c-word"
#define CREDENTIALS "somebody:" PASSWORD
#define BASIC "c29tZWJvZHk6cGFzcy03ZDNjLXdvcmQ="
#define K_EDITOR "\x07"
#define K_DETAILS "\x0F"

static struct buf file;
static unsigned searched;

static bool holds_key(struct str text)
{
	return str_find(text, STR(KEY)) < text.len;
}

static bool holds_secret(struct str text)
{
	return holds_key(text) || str_find(text, STR(PASSWORD)) < text.len || str_find(text, STR(BASIC)) < text.len;
}

static int search_file(const char *path, const struct stat *status, int type, struct FTW *where)
{
	struct error err = { "" };

	(void)status;
	(void)where;
	if (type != FTW_F)
		return 0;
	searched++;
	CHECK(buf_read_file(&file, path, &err), "%s", err.text);
	CHECK(!holds_secret(buf_str(&file)), "a secret is in %s", path);
	return 0;
}

/* Searches all files of a folder; there must be at least `files` of them. */
static void search_folder(const char *path, unsigned files)
{
	searched = 0;
	nftw(path, search_file, 16, FTW_PHYS);
	buf_fini(&file);
	CHECK(searched >= files, "%u files in %s", searched, path);
}

/* Searches the system's information about a running process; its environment may be readable only by root. */
static void search_process(int pid)
{
	static const char *const names[] = { "environ", "cmdline" };
	char path[64];

	for (size_t i = 0; i < 2; i++) {
		struct error err = { "" };

		snprintf(path, sizeof path, "/proc/%d/%s", pid, names[i]);
		if (access(path, R_OK) != 0) { /* only root may read the environment */
			CU_ASSERT_EQUAL(errno, EACCES);
			continue;
		}
		CHECK(buf_read_file(&file, path, &err), "%s", err.text);
		CHECK(!holds_key(buf_str(&file)), "the key is in %s", names[i]);
	}
	buf_fini(&file);
}

/* Checks that the first request contained the key; otherwise the test would prove nothing. */
static void check_sent(struct hand *server)
{
	CHECK(holds_key(str_from(hand_head(server))), "%s", hand_head(server));
}

static void talk_on_screen(struct stage *s)
{
	CU_ASSERT_TRUE(stage_ask(s, "first"));
	check_sent(s->server);
	hand_begin(s->server);
	hand_text(s->server, "you sent " KEY);
	hand_reasoning(s->server, "its key is " KEY);
	hand_send(s->server, "data: {\"error\":{\"message\":\"no more for " KEY "\",\"code\":\"" KEY "\"}}\n\n");
	hand_close(s->server);
	PTY_SEES(s->pty, "no more for ****");
	PTY_SEES(s->pty, "you sent ****");
	pty_send(s->pty, K_DETAILS);
	PTY_SEES(s->pty, "Details of the last turn");
	pty_send(s->pty, K_ESC);
	PTY_LOSES(s->pty, "Esc back");
	CU_ASSERT_TRUE(stage_ask(s, "second"));
	hand_reply(s->server, 401, "application/json\r\nx-request-id: " KEY, "{\"error\":{\"message\":\"Incorrect API key provided: " KEY "\"}}");
	PTY_SEES(s->pty, "provided: ****");
	pty_send(s->pty, K_CTRL('u'));
	pty_send(s->pty, "/copy\r");
	pty_send(s->pty, K_DETAILS);
	PTY_SEES(s->pty, "Details of the last turn");
	pty_send(s->pty, K_ESC);
	PTY_LOSES(s->pty, "Esc back");
	pty_send(s->pty, K_F2);
	CU_ASSERT_TRUE(hand_accept(s->server));
	hand_reply(s->server, 403, "application/json", "{\"error\":{\"message\":\"not for " KEY "\"}}");
	PTY_SEES(s->pty, "not for ****");
	pty_send(s->pty, K_ESC);
	PTY_LOSES(s->pty, "not for ****");
}

static void play_on_screen(const char *settings, const char *key_variable)
{
	struct stage s;
	char *files = home_new();
	char editor[300], tape[300], log[300];

	ready_load_all();
	snprintf(log, sizeof log, "%s", home_path(files, "wire.log"));
	snprintf(tape, sizeof tape, "%s", home_path(files, "turn.tape"));
	snprintf(editor, sizeof editor, "VISUAL=sh %s", home_write(files, "editor.sh", "env > \"$(dirname \"$0\")/environment\"; echo edited >> \"$1\"\n"));
	stage_open(&s, &(struct stage_options){
		.settings = settings, .arguments = LIST("--tape", tape, "--debug", log), .environment = LIST(editor, key_variable), .columns = 120,
	});
	talk_on_screen(&s);
	pty_send(s.pty, "a draft " K_EDITOR);
	PTY_SEES(s.pty, "edited");
	search_process(pty_pid(s.pty));
	CU_ASSERT_FALSE(holds_key(pty_output(s.pty)));
	CU_ASSERT_FALSE(holds_key(str_from(pty_dump(s.pty))));
	search_folder(files, 5); /* the editor and its environment, two tapes, the log */
	if (key_variable)
		search_folder(s.home, 1);
	stage_close(&s);
	home_free(files);
}

static void no_key_leaves_the_screen(void)
{
	play_on_screen("auth = bearer\n", "HAND_API_KEY=" KEY);
	play_on_screen("auth = x-api-key\nkey_env = OTHER\n", "OTHER=" KEY);
	play_on_screen("auth = api-key\nkey_command = echo " KEY "\n", NULL);
}

static void no_key_leaves_ask(void)
{
	struct hand *server = hand_new();
	const char *settings = folder_file("weir.conf", hand_settings(server, "auth = bearer\n")), *tape = folder_file("ask.tape", NULL);
	const char *log = folder_file("wire.log", NULL);
	struct program p;

	ready_load_all();
	program_start(&p, ARGS("ask", "--config", settings, "--tape", tape, "--debug", log, "--events", "hi"), ARGS("HAND_API_KEY=" KEY));
	program_end_input(&p);
	CU_ASSERT_TRUE(hand_accept(server));
	check_sent(server);
	search_process(p.pid);
	hand_begin(server);
	hand_text(server, "you sent sk-unique");
	hand_send(server, "data: {\"error\":{\"message\":\"no more for " KEY "\"}}\n\n");
	hand_close(server);
	CU_ASSERT_EQUAL(program_wait(&p), 4);
	CU_ASSERT_TRUE(str_find(buf_str(&p.output), STR("no more for ****")) < p.output.len);
	CU_ASSERT_FALSE(holds_key(buf_str(&p.output)));
	CU_ASSERT_FALSE(holds_key(buf_str(&p.errors)));
	search_folder(folder_path(), 3);
	program_free(&p);
	folder_remove();
	hand_free(server);
}

/* Each request of a probe but one has the key; that one has a wrong key, and none of the answers, tapes and tables has it. */
static void no_key_leaves_a_probe(void)
{
	struct hand *server = hand_new();
	const char *settings = folder_file("weir.conf", hand_settings(server, "auth = bearer\n")), *tapes = folder_file("tapes", NULL);
	struct program p;

	ready_load_all();
	program_start(&p, ARGS("probe", "-p", "hand", "--protocol", "openai-chat", "--yes", "--cases", "text,bad-key", "-o", tapes, "--config", settings, "--debug",
	                       folder_file("wire.log", NULL)), ARGS("HAND_API_KEY=" KEY));
	program_end_input(&p);
	CU_ASSERT_TRUE(hand_accept(server));
	check_sent(server);
	search_process(p.pid);
	hand_reply(server, 400, "application/json", "{\"error\":{\"message\":\"no more for " KEY "\"}}");
	CU_ASSERT_TRUE(hand_accept(server));
	CU_ASSERT_FALSE(holds_key(str_from(hand_head(server))));
	hand_reply(server, 401, "application/json", "{\"error\":{\"message\":\"no\"}}");
	CU_ASSERT_EQUAL(program_wait(&p), 1);
	CHECK(str_find(buf_str(&p.output), STR("no more for ****")) < p.output.len, "%s", buf_z(&p.output));
	CU_ASSERT_FALSE(holds_key(buf_str(&p.output)));
	CU_ASSERT_FALSE(holds_key(buf_str(&p.errors)));
	search_folder(folder_path(), 4);
	program_free(&p);
	folder_remove();
	hand_free(server);
}

/* Custom headers and parameters whose names indicate a secret. */
static void what_stands_for_a_key_is_one(void)
{
	struct hand *server = hand_new();
	const char *tape = folder_file("ask.tape", NULL), *log = folder_file("wire.log", NULL);
	char more[300];
	struct program p;

	snprintf(more, sizeof more, "header.X-Session-Token = Bearer " KEY "\nheader.X-Feature = ordinary\n"
	         "base_url.openai-chat = http://127.0.0.1:%u/v1?mode=ordinary&sig=" PASSWORD "\n", hand_port(server));
	program_start(&p, ARGS("ask", "--config", folder_file("weir.conf", hand_settings(server, more)), "--tape", tape, "--debug", log, "hi"), NULL);
	program_end_input(&p);
	CU_ASSERT_TRUE(hand_accept(server));
	check_sent(server);
	CHECK(strstr(hand_head(server), "sig=" PASSWORD) != NULL, "%s", hand_head(server));
	CU_ASSERT_EQUAL(unlink(folder_file("weir.conf", NULL)), 0);
	hand_begin(server);
	hand_text(server, "ordinary " KEY " and " PASSWORD);
	hand_finish(server, "stop");
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CHECK_STR(str_trim(buf_str(&p.output)), "ordinary ******************** and **************");
	CU_ASSERT_FALSE(holds_secret(buf_str(&p.errors)));
	search_folder(folder_path(), 2);
	program_free(&p);
	folder_remove();
	hand_free(server);
}

/* --- credentials of a proxy --- */

static const char *proxied_settings(void)
{
	return folder_file("weir.conf", "provider = box\n[provider box]\nbase_url = http://box.invalid/v1\nmodel = m\nretries = 0\n");
}

static void say_credentials(struct hand *proxy)
{
	CHECK(strstr(hand_head(proxy), BASIC) != NULL, "%s", hand_head(proxy));
	hand_begin(proxy);
	hand_text(proxy, "you are " CREDENTIALS " or " BASIC);
	hand_send(proxy, "data: {\"error\":{\"message\":\"nothing for " PASSWORD "\",\"code\":\"" BASIC "\"}}\n\n");
	hand_close(proxy);
}

static void no_credentials_leave_ask(void)
{
	static const struct { const char *proxy, *words; int status; bool answers; } cases[] = {
		{ "foo://" CREDENTIALS "@127.0.0.1:%u", "the proxy in http_proxy cannot be used", 4, false },
		{ "http://" CREDENTIALS "@127.0.0.1:%u", "nothing for ****", 4, true },
		{ "http://" CREDENTIALS "@proxy.invalid:%u", "the name of the proxy cannot be resolved", 4, false },
		{ CREDENTIALS "@127.0.0.1:%u", "nothing for ****", 4, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct hand *proxy = hand_new();
		const char *tape = folder_file("ask.tape", NULL), *log = folder_file("wire.log", NULL);
		char variable[200] = "http_proxy=", *end = variable + strlen(variable);
		struct program p;

		snprintf(end, sizeof variable - strlen(variable), cases[i].proxy, hand_port(proxy));
		program_start(&p, ARGS("ask", "--config", proxied_settings(), "--tape", tape, "--debug", log, "hi"), ARGS(variable));
		program_end_input(&p);
		if (cases[i].answers && hand_accept(proxy))
			say_credentials(proxy);
		CHECK(program_wait(&p) == cases[i].status, "%s: %d", cases[i].proxy, p.status);
		CHECK(strstr(buf_z(&p.errors), cases[i].words) != NULL, "%s: %s", cases[i].proxy, buf_z(&p.errors));
		CHECK(!holds_secret(buf_str(&p.output)), "%s: %s", cases[i].proxy, buf_z(&p.output));
		CHECK(!holds_secret(buf_str(&p.errors)), "%s: %s", cases[i].proxy, buf_z(&p.errors));
		search_folder(folder_path(), 3);
		program_free(&p);
		folder_remove();
		hand_free(proxy);
	}
}

static void no_credentials_leave_the_screen(void)
{
	struct hand *proxy = hand_new();
	char *home = home_new();
	char variable[100], log[300];
	struct pty *pty;

	snprintf(variable, sizeof variable, "http_proxy=" CREDENTIALS "@127.0.0.1:%u", hand_port(proxy));
	snprintf(log, sizeof log, "%s", home_path(home, "wire.log"));
	pty = pty_start(&(struct pty_options){ .home = home, .arguments = LIST("--config", proxied_settings(), "--debug", log),
	                                       .environment = LIST(variable), .columns = 120 });
	PTY_SEES(pty, "ready");
	pty_send(pty, "first\r");
	CU_ASSERT_TRUE(hand_accept(proxy));
	say_credentials(proxy);
	PTY_SEES(pty, "nothing for ****");
	pty_send(pty, K_DETAILS);
	PTY_SEES(pty, "Details of the last turn");
	pty_send(pty, K_ESC);
	PTY_LOSES(pty, "Esc back");
	CU_ASSERT_FALSE(holds_secret(pty_output(pty)));
	CU_ASSERT_FALSE(holds_secret(str_from(pty_dump(pty))));
	search_folder(home, 2); /* the tape, the log */
	pty_send(pty, "\x03\x03\x03");
	PTY_ENDS(pty, 0);
	pty_free(pty);
	home_free(home);
	folder_remove();
	hand_free(proxy);
}

/* --- keys of TLS sessions --- */

/* Asks a server behind TLS, with SSLKEYLOGFILE set to `keys`. */
static int ask_over_tls(const char *keys, bool debug, struct program *p)
{
	struct secure *server = secure_new(SECURE_BYTES, SECURE_OURS);
	char settings[300], variable[200];
	const char *log = folder_file("wire.log", NULL);

	if (!server)
		return -1;
	unlink(log);
	snprintf(settings, sizeof settings, "[provider box]\nbase_url = https://127.0.0.1:%u/v1\nmodel = m\nca_file = %s\n", secure_port(server),
	         secure_ca_file(server));
	snprintf(variable, sizeof variable, "SSLKEYLOGFILE=%s", keys);
	secure_send(server, STR("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\nContent-Length: 88\r\n\r\n"
	                        "data: {\"choices\":[{\"delta\":{\"content\":\"hello\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"));
	program_run(p, STR_NONE, ARGS("ask", "--no-stdin", "--config", folder_file("box.conf", settings), "-p", "box", "hi", debug ? "--debug" : NULL, log),
	            ARGS(variable));
	secure_free(server);
	return p->status;
}

static void keys_of_tls_are_told_on_demand_only(void)
{
	const char *keys = folder_file("keys", NULL);
	struct stat status;
	struct program p;
	struct error err;

	if (ask_over_tls(keys, false, &p) < 0)
		return;
	CHECK_STR(str_trim(buf_str(&p.output)), "hello");
	CU_ASSERT_NOT_EQUAL(lstat(keys, &status), 0);
	program_free(&p);
	CU_ASSERT_EQUAL(ask_over_tls(keys, true, &p), 0);
	CHECK_STR(str_trim(buf_str(&p.output)), "hello");
	CU_ASSERT_EQUAL(lstat(keys, &status), 0);
	CHECK((status.st_mode & 07777) == 0600 && S_ISREG(status.st_mode), "%o", status.st_mode);
	CHECK(buf_read_file(&file, keys, &err), "%s", err.text);
	CHECK(strstr(buf_z(&file), "CLIENT_") != NULL, "%s", buf_z(&file));
	buf_fini(&file);
	program_free(&p);
	folder_remove();
}

static void keys_of_tls_go_to_a_file_of_ours_only(void)
{
	const char *target = folder_file("target", NULL), *link = folder_file("link", NULL), *there = folder_file("there", "a line\n");
	const char *const names[] = { link, there };
	struct program p;

	CU_ASSERT_EQUAL(symlink(target, link), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		int status = ask_over_tls(names[i], true, &p);

		if (status < 0)
			return;
		CU_ASSERT_EQUAL(status, 2);
		CHECK(strstr(buf_z(&p.errors), "SSLKEYLOGFILE: ") && strstr(buf_z(&p.errors), "exists already"), "%s", buf_z(&p.errors));
		CU_ASSERT_NOT_EQUAL(access(target, F_OK), 0);
		program_free(&p);
	}
	CHECK(buf_read_file(&file, there, &(struct error){ "" }) && str_is(buf_str(&file), "a line\n"), "%s", buf_z(&file));
	buf_fini(&file);
	folder_remove();
}

/* --- values that are not keys --- */

/* Such a key is not masked, because it also occurs in the text of answers. */
static void a_key_of_one_character_changes_no_answer(void)
{
	static const char *const keys[] = { "********", "*****************", "aaaaaaaaaa", "s", "sk-1234" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct hand *server = hand_new();
		const char *settings = folder_file("weir.conf", hand_settings(server, "auth = bearer\n"));
		char variable[64], said[100];
		struct program p;

		snprintf(variable, sizeof variable, "HAND_API_KEY=%s", keys[i]);
		snprintf(said, sizeof said, "*** %s%s ***", keys[i], keys[i]);
		program_start(&p, ARGS("ask", "--config", settings, "hi"), ARGS(variable));
		program_end_input(&p);
		CU_ASSERT_TRUE(hand_accept(server));
		CHECK(strstr(hand_head(server), keys[i]) != NULL, "%s", hand_head(server));
		hand_begin(server);
		hand_text(server, said);
		hand_finish(server, "stop");
		CU_ASSERT_EQUAL(program_wait(&p), 0);
		CHECK_STR(str_trim(buf_str(&p.output)), said);
		program_free(&p);
		folder_remove();
		hand_free(server);
	}
}

const struct suite suite_secrets = { "secrets", (const struct test[]){
	TEST(no_key_leaves_the_screen),
	TEST(no_key_leaves_ask),
	TEST(no_key_leaves_a_probe),
	TEST(what_stands_for_a_key_is_one),
	TEST(no_credentials_leave_ask),
	TEST(no_credentials_leave_the_screen),
	TEST(keys_of_tls_are_told_on_demand_only),
	TEST(keys_of_tls_go_to_a_file_of_ours_only),
	TEST(a_key_of_one_character_changes_no_answer),
	{ 0 },
} };
