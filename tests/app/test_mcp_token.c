/* The token of an MCP server in use: when it is renewed, and that it stands nowhere where it does not belong. */
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/mcp_play.h"
#include "base/array.h"
#include "support/check.h"
#include "support/pty.h"

static void a_token_is_renewed_once_and_then_a_login_is_asked_for(void)
{
	struct play play;

	play_begin(&play, "");
	play_login(&play);
	play_start(&play, ARGS("ping", "web"));
	play_is_asked_with(&play, TOKEN, 401, "WWW-Authenticate: Bearer error=\"invalid_token\"\r\n", "");
	CU_ASSERT(hand_accept(play.h));
	CHECK(str_starts(str_from(hand_head(play.h)), "POST /token ") && strstr(hand_body(play.h), "grant_type=refresh_token&refresh_token=" REFRESH), "%s",
	      hand_body(play.h));
	play_reply(&play, 200, "", "{\"access_token\":\"" SECOND "\",\"token_type\":\"Bearer\"}");
	play_is_asked_with(&play, SECOND, 200, "", PONG);
	play_is_asked_with(&play, SECOND, 200, "", PONG_AGAIN);
	play_stop(&play, 0, "");
	play_ping(&play, SECOND); /* it was kept, and so was what renews it */
	play_start(&play, ARGS("ping", "web"));
	play_is_asked_with(&play, SECOND, 401, "", "");
	CU_ASSERT(hand_accept(play.h));
	play_reply(&play, 400, "", "{\"error\":\"invalid_grant\"}");
	play_is_asked_with(&play, SECOND, 401, "", "");
	play_stop(&play, 4, "does not take the kept token (HTTP 401), it could not be renewed (HTTP 400, invalid_grant): weir mcp login web gets another one");
	CHECK(!strstr(buf_z(&play.told), TOKEN) && !strstr(buf_z(&play.told), REFRESH), "%s", buf_z(&play.told));
	play_end(&play);
}

/* With a token that expires at once: the next request renews it. */
static void play_begin_renewing(struct play *play)
{
	struct step soon = play_good[TOKENS];

	play_begin(play, "");
	soon.body = "{\"access_token\":\"" TOKEN "\",\"token_type\":\"Bearer\",\"refresh_token\":\"" REFRESH "\",\"expires_in\":1}";
	play_start(play, ARGS("login", "web"));
	play_agree(play, &soon);
	play_stop(play, 0, "logged in");
	play_start(play, ARGS("ping", "web"));
	CU_ASSERT(hand_accept(play->h));
	CHECK(str_starts(str_from(hand_head(play->h)), "POST /token ") && strstr(hand_body(play->h), REFRESH), "%s", hand_head(play->h));
}

/* It is renewed before it is refused. */
static void a_token_that_has_expired_is_not_sent(void)
{
	struct play play;

	play_begin_renewing(&play);
	play_reply(&play, 200, "", "{\"access_token\":\"" SECOND "\",\"token_type\":\"Bearer\",\"expires_in\":3600}");
	play_is_asked_with(&play, SECOND, 200, "", PONG);
	play_is_asked_with(&play, SECOND, 200, "", PONG_AGAIN);
	play_stop(&play, 0, "");
	play_end(&play);
}

/* Answers a request by its number, with the new token; there is no second renewal. */
static void play_serve(struct play *play)
{
	bool begins;

	CU_ASSERT(hand_accept(play->h));
	begins = strstr(hand_body(play->h), "\"id\":1") != NULL;
	CHECK(hand_head_has(play->h, "authorization: Bearer " SECOND), "%s", hand_head(play->h));
	play_reply(play, str_starts(str_from(hand_head(play->h)), "POST /token ") ? 400 : 200, "", begins ? PONG : PONG_AGAIN);
}

/* The server takes what renews a token once: who comes second waits for the first one, and takes what that one got. */
static void two_programs_renew_a_token_once(void)
{
	struct program first;
	struct play play;

	play_begin_renewing(&play);
	first = play.p;
	play_start(&play, ARGS("ping", "web"));
	usleep(300000); /* in which it would ask, too */
	play_reply(&play, 200, "", "{\"access_token\":\"" SECOND "\",\"token_type\":\"Bearer\",\"refresh_token\":\"next\",\"expires_in\":3600}");
	for (size_t i = 0; i < 4; i++)
		play_serve(&play);
	play_stop(&play, 0, "");
	play.p = first;
	play_stop(&play, 0, "");
	play_end(&play);
}

/* The file comes while the first request is on its way, as from a login in another terminal. */
static void a_login_elsewhere_is_used_without_a_restart(void)
{
	struct play play;
	glob_t found;
	const char *away;

	play_begin(&play, "");
	play_login(&play);
	away = folder_file("away", NULL);
	found = play_tokens();
	CU_ASSERT_EQUAL_FATAL(found.gl_pathc, 1);
	CU_ASSERT(rename(found.gl_pathv[0], away) == 0);
	play_start(&play, ARGS("ping", "web"));
	CU_ASSERT(hand_accept(play.h));
	CHECK(!str_has_nocase(str_from(hand_head(play.h)), STR("authorization:")), "%s", hand_head(play.h));
	CU_ASSERT(rename(away, found.gl_pathv[0]) == 0);
	globfree(&found);
	play_reply(&play, 401, "", "");
	play_is_asked_with(&play, TOKEN, 200, "", PONG);
	play_is_asked_with(&play, TOKEN, 200, "", PONG_AGAIN);
	play_stop(&play, 0, "");
	play_end(&play);
}

/* The servers of the chat and of `weir ask` are asked as those of `weir tools` are. */
static void a_source_of_tools_has_the_token(void)
{
	struct play play;

	play_begin(&play, "");
	play_login(&play);
	program_start(&play.p, ARGS("tools", "--config", play.config), NULL);
	play_is_asked_with(&play, TOKEN, 200, "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}}");
	play_is_asked_with(&play, TOKEN, 200, "", "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"look\",\"inputSchema\":{\"type\":\"object\"}}]}}");
	play_stop(&play, 0, "");
	CHECK(strstr(buf_z(&play.told), "web__look") != NULL, "%s", buf_z(&play.told));
	play_end(&play);
}

/* What it wants is told, and is asked for in the next login, with what was asked for before. */
static void a_token_that_allows_too_little_is_asked_for_again(void)
{
	struct play play;
	char scope[300];

	play_begin(&play, "");
	play_login(&play);
	play_start(&play, ARGS("ping", "web"));
	play_is_asked_with(&play, TOKEN, 403, "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"write\"\r\n", "{}");
	play_stop(&play, 4, "the server wants more: write (HTTP 403): weir mcp login web asks for it");
	play_start(&play, ARGS("login", "web"));
	play_steps(&play, TOKENS);
	if (play_await_page(&play))
		CHECK(!strcmp(play_page_value(&play, "scope", scope), "read write"), "%s", scope);
	program_free(&play.p);
	play_end(&play);
}

/* A token of this test is looked for in all that is written, but for its own file. */
static void a_token_stands_in_no_tape_and_no_log(void)
{
	struct play play;
	const char *tape, *logs[2];
	struct buf text = { 0 };

	play_begin(&play, "");
	tape = folder_file("t.tape", NULL);
	logs[0] = folder_file("0.log", NULL);
	logs[1] = folder_file("1.log", NULL);
	play_start(&play, ARGS("login", "web", "--debug", logs[0]));
	play_agree(&play, &play_good[TOKENS]);
	play_stop(&play, 0, "logged in");
	play_start(&play, ARGS("ping", "web", "--debug", logs[1], "--tape", tape));
	play_is_asked_with(&play, TOKEN, 401, "", "");
	CU_ASSERT(hand_accept(play.h));
	play_reply(&play, 200, "", "{\"access_token\":\"" SECOND "\",\"token_type\":\"Bearer\"}");
	play_is_asked_with(&play, SECOND, 200, "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{},"
	                   "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"" SECOND "\"}}}}");
	play_is_asked_with(&play, SECOND, 200, "", PONG_AGAIN);
	play_stop(&play, 0, "");
	CU_ASSERT(buf_read_file(&text, tape, NULL) && buf_read_file(&text, logs[0], NULL) && buf_read_file(&text, logs[1], NULL));
	buf_add(&text, buf_str(&play.told));
	CHECK(strstr(buf_z(&text), "POST /token") != NULL, "%zu bytes", text.len);
	CHECK(!strstr(buf_z(&text), TOKEN) && !strstr(buf_z(&text), SECOND) && !strstr(buf_z(&text), REFRESH) && !strstr(buf_z(&text), "code_verifier"), "%s",
	      buf_z(&text));
	buf_fini(&text);
	play_end(&play);
}

/* --- what servers repeat --- */

static bool holds_token(struct str text)
{
	return str_find(text, STR(TOKEN)) < text.len || str_find(text, STR(SECOND)) < text.len || str_find(text, STR(REFRESH)) < text.len;
}

#define RENEWED "{\"access_token\":\"" SECOND "\",\"token_type\":\"Bearer\"}"

static void play_renew(struct play *play, int status, const char *body)
{
	play_is_asked_with(play, TOKEN, 401, "", "");
	CU_ASSERT(hand_accept(play->h));
	play_reply(play, status, "", body);
}

static void a_token_that_was_replaced_is_masked_too(void)
{
	struct play play;

	play_begin(&play, "");
	play_login(&play);
	play_start(&play, ARGS("ping", "web"));
	play_renew(&play, 200, RENEWED);
	for (size_t i = 0; i < 2; i++) /* as a server of either kind */
		play_is_asked_with(&play, SECOND, 500, "", "not " TOKEN ", from " REFRESH);
	play_stop(&play, 4, "the server answers with HTTP 500: not ********************, from ****************************");
	play_end(&play);
}

static void what_renews_a_token_is_masked_where_it_is_refused(void)
{
	static const struct step refused = {
		"POST /token ", 400, "", "{\"error\":\"invalid_grant\",\"error_description\":\"" REFRESH " is old, the-code is not\"}",
	};
	struct play play;

	play_begin(&play, "");
	play_login(&play);
	play_start(&play, ARGS("ping", "web"));
	play_renew(&play, 400, refused.body);
	play_is_asked_with(&play, TOKEN, 401, "", "");
	play_stop(&play, 4, "(HTTP 400, invalid_grant: **************************** is old, the-code is not)");
	play_start(&play, ARGS("login", "web"));
	play_agree(&play, &refused);
	play_stop(&play, 4, "HTTP 400, invalid_grant: **************************** is old, ******** is not");
	play_end(&play);
}

/* The stream began with the first one. */
static void a_new_token_is_masked_on_a_stream_that_is_open(void)
{
	struct play play;
	const char *tape;
	struct buf text = { 0 };

	play_begin(&play, "");
	play_login(&play);
	tape = folder_file("t.tape", NULL);
	play_start(&play, ARGS("ping", "web", "--protocol-version", "2025-11-25", "--tape", tape));
	play_is_asked_with(&play, TOKEN, 200, "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
	                   "\"serverInfo\":{\"name\":\"web\",\"version\":\"3\"}}}");
	play_is_asked_with(&play, TOKEN, 202, "", "");
	CU_ASSERT(hand_accept(play.h));
	CHECK(str_starts(str_from(hand_head(play.h)), "GET /mcp "), "%s", hand_head(play.h));
	hand_answer(play.h, 200, "text/event-stream");
	hand_swap(play.h);
	play_renew(&play, 200, RENEWED);
	CU_ASSERT(hand_accept(play.h));
	hand_swap(play.h);
	hand_send(play.h, "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"x\":\"seen " SECOND "\"}}\n\n");
	hand_swap(play.h);
	play_reply(&play, 200, "", PONG_AGAIN);
	CU_ASSERT(hand_accept(play.h));
	CHECK(strstr(hand_body(play.h), "\"id\":7") != NULL, "%s", hand_body(play.h));
	play_reply(&play, 202, "", "");
	play_stop(&play, 0, "");
	CU_ASSERT(buf_read_file(&text, tape, NULL));
	CHECK(strstr(buf_z(&text), "seen ****") && !holds_token(buf_str(&text)), "%s", buf_z(&text));
	buf_fini(&text);
	play_end(&play);
}

/* --- in the chat --- */

/* weir.conf with a provider, too, and more of the server. */
static void play_set(struct play *play, const char *more)
{
	struct buf settings = { 0 };

	buf_printf(&settings, "%s\n[mcp web]\nurl = %s/mcp\n%s", hand_settings(play->h, ""), play->origin, more);
	play->config = folder_file("weir.conf", buf_z(&settings));
	buf_fini(&settings);
}

static struct pty *play_chat(struct play *play, const char *log)
{
	play_set(play, "");
	struct pty *p = pty_start(&(struct pty_options){
		.home = folder_path(), .arguments = LIST("--config", play->config, "--debug", log), .columns = 120, .turns = true,
	});
	PTY_SEES(p, "ready");
	return p;
}

/* The session with the first token is over, and so are its settings, but the server may still speak of it. */
static void a_token_of_an_earlier_session_is_masked(void)
{
	struct step next = play_good[TOKENS];
	struct play play;

	play_begin(&play, "");
	play_login(&play);
	struct pty *p = play_chat(&play, folder_file("0.log", NULL));
	pty_enter(p, "look");
	play_renew(&play, 400, "{}");
	play_is_asked_with(&play, TOKEN, 401, "", "");
	hand_say(play.h, "Without tools.");
	PTY_SEES(p, "Without tools.");
	PTY_SEES(p, "the server does not take the kept token (HTTP 401)");
	play_start(&play, ARGS("login", "web"));
	next.body = RENEWED;
	play_agree(&play, &next);
	play_stop(&play, 0, "logged in");
	play_set(&play, "timeout = 20\n");
	PTY_SEES_LATER(p, "weir.conf was read again");
	pty_enter(p, "look again");
	for (size_t i = 0; i < 2; i++)
		play_is_asked_with(&play, SECOND, 500, "", "gone: " TOKEN);
	hand_say(play.h, "Without tools again.");
	PTY_SEES(p, "HTTP 500: gone:");
	PTY_SEES(p, "****************");
	pty_send(p, "\x03\x03");
	PTY_ENDS(p, 0);
	CU_ASSERT(!holds_token(pty_output(p)));
	pty_free(p);
	play_end(&play);
}

static unsigned searched;

static int search_file(const char *path, const struct stat *status, int type, struct FTW *where)
{
	struct buf file = { 0 };
	struct error err = { "" };

	(void)status, (void)where;
	if (type != FTW_F || strstr(path, "/mcp-tokens/"))
		return 0;
	searched++;
	CHECK(buf_read_file(&file, path, &err), "%s", err.text);
	CHECK(!holds_token(buf_str(&file)), "a token is in %s", path);
	buf_fini(&file);
	return 0;
}

#define RESULT(text) "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"" text "\"}]}}"

/* The server refuses the token in the middle of the turn, and says in its result which one it got then. */
static void a_call_in_a_turn_has_the_token_and_nothing_else_has(void)
{
	struct play play;

	play_begin(&play, "");
	play_login(&play);
	struct pty *p = play_chat(&play, folder_file("0.log", NULL));
	pty_enter(p, "look");
	play_is_asked_with(&play, TOKEN, 200, "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}}");
	play_is_asked_with(&play, TOKEN, 200, "", "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"look\",\"inputSchema\":{\"type\":\"object\"}}]}}");
	CU_ASSERT(hand_accept(play.h));
	CHECK(strstr(hand_body(play.h), "web__look") != NULL && !str_has_nocase(str_from(hand_head(play.h)), STR("authorization:")), "%s", hand_head(play.h));
	hand_begin(play.h);
	hand_delta(play.h, "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"web__look\",\"arguments\":\"{}\"}}]}");
	hand_finish(play.h, "tool_calls");
	PTY_SEES(p, "Run web__look?");
	PTY_SEES_LATER(p, "y once");
	pty_send(p, "y");
	play_renew(&play, 200, RENEWED);
	play_is_asked_with(&play, SECOND, 200, "", RESULT("seen with " SECOND " and not " TOKEN));
	CU_ASSERT(hand_accept(play.h));
	CHECK(strstr(hand_body(play.h), "seen with ***************") != NULL && !holds_token(str_from(hand_body(play.h))), "%s", hand_body(play.h));
	hand_whole(play.h, "Looked.", "stop");
	PTY_SEES(p, "Looked.");
	pty_send(p, "\t[\x1b[19~"); /* the inspector, on the answer with the call */
	PTY_SEES(p, "web: request");
	CU_ASSERT(!holds_token(pty_output(p)));
	pty_send(p, K_ESC);
	PTY_LOSES(p, "web: request");
	pty_send(p, "\x03\x03");
	PTY_ENDS(p, 0);
	pty_free(p);
	searched = 0;
	nftw(folder_path(), search_file, 16, FTW_PHYS);
	CHECK(searched >= 4, "%u files: the settings, the log, two tapes, the history", searched);
	play_end(&play);
}

const struct suite suite_mcp_token = { "mcp_token", (const struct test[]){
	TEST(a_token_is_renewed_once_and_then_a_login_is_asked_for), TEST(a_token_that_has_expired_is_not_sent), TEST(two_programs_renew_a_token_once),
	TEST(a_login_elsewhere_is_used_without_a_restart), TEST(a_source_of_tools_has_the_token), TEST(a_token_that_allows_too_little_is_asked_for_again),
	TEST(a_token_stands_in_no_tape_and_no_log), TEST(a_token_that_was_replaced_is_masked_too), TEST(what_renews_a_token_is_masked_where_it_is_refused),
	TEST(a_new_token_is_masked_on_a_stream_that_is_open), TEST(a_token_of_an_earlier_session_is_masked), TEST(a_call_in_a_turn_has_the_token_and_nothing_else_has), { 0 } } };
