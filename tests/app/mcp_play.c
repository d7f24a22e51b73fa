#include "app/mcp_play.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/percent.h"
#include "support/check.h"
#include "support/connect.h"

/* --- the play --- */

void play_begin(struct play *play, const char *more)
{
	char settings[500];

	*play = (struct play){ .h = hand_new() };
	snprintf(play->origin, sizeof play->origin, "http://127.0.0.1:%u", hand_port(play->h));
	snprintf(settings, sizeof settings, "[mcp web]\nurl = %s/mcp\n%s", play->origin, more);
	play->config = folder_file("weir.conf", settings);
}

void play_end(struct play *play)
{
	buf_fini(&play->told);
	hand_free(play->h);
	folder_remove();
}

void play_start(struct play *play, const char *const *words)
{
	const char *all[20] = { "mcp" };
	size_t count = 1;

	while (*words)
		all[count++] = *words++;
	all[count++] = "--config";
	all[count++] = play->config;
	program_start(&play->p, all, (const char *const[]){ "BROWSER=", "WEB_SECRET=s3cr3t&", NULL });
}

void play_stop(struct play *play, int status, const char *words)
{
	program_wait(&play->p);
	CHECK(play->p.status == status, "status %d, not %d: %s", play->p.status, status, buf_z(&play->p.errors));
	CHECK(strstr(buf_z(&play->p.errors), words) != NULL, "\"%s\" is not in \"%s\"", words, buf_z(&play->p.errors));
	buf_add(&play->told, buf_str(&play->p.errors));
	buf_add(&play->told, buf_str(&play->p.output));
	program_free(&play->p);
}

void play_reply(struct play *play, int status, const char *header, const char *body)
{
	struct buf text = { 0 }, all = { 0 };
	const char *const parts[] = { header, body };
	size_t body_at = 0;

	for (size_t i = 0; i < 2; i++) {
		body_at = text.len;
		for (const char *c = parts[i]; *c; c++)
			if (*c == '@')
				buf_add_z(&text, play->origin);
			else
				buf_add_byte(&text, *c);
	}
	buf_printf(&all, "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %zu\r\nConnection: close\r\n%.*s\r\n%s", status,
	           text.len - body_at, (int)body_at, buf_z(&text), buf_z(&text) + body_at);
	hand_send_bytes(play->h, buf_str(&all));
	hand_close(play->h);
	buf_fini(&text);
	buf_fini(&all);
}

/* --- a login --- */

const struct step play_good[STEPS] = {
	[PROBE] = { "POST /mcp ", 401, "WWW-Authenticate: Bearer resource_metadata=\"@/.well-known/oauth-protected-resource/mcp\", scope=\"read\"\r\n", "" },
	[RESOURCE] = { "GET /.well-known/oauth-protected-resource/mcp ", 200, "", "{\"resource\":\"@/mcp\",\"authorization_servers\":[\"@\"]}" },
	[ISSUER] = { "GET /.well-known/oauth-authorization-server ", 200, "",
	             "{\"issuer\":\"@\",\"authorization_endpoint\":\"@/agree\",\"token_endpoint\":\"@/token\",\"registration_endpoint\":\"@/register\","
	             "\"code_challenge_methods_supported\":[\"S256\"],\"authorization_response_iss_parameter_supported\":true}" },
	[REGISTER] = { "POST /register ", 201, "", "{\"client_id\":\"c-1\"}" },
	[TOKENS] = { "POST /token ", 200, "", "{\"access_token\":\"" TOKEN "\",\"token_type\":\"Bearer\",\"refresh_token\":\"" REFRESH "\",\"expires_in\":3600}" },
};

bool play_step(struct play *play, const struct step *step)
{
	bool came = hand_accept(play->h) && str_starts(str_from(hand_head(play->h)), step->request);

	CHECK(came, "%s was awaited, and came: %s", step->request, hand_head(play->h));
	play_reply(play, step->status, step->header, step->body);
	return came;
}

void play_steps(struct play *play, int end)
{
	for (int at = PROBE; at < end; at++)
		(void)!play_step(play, &play_good[at]);
}

const char *play_page_value(const struct play *play, const char *name, char value[300])
{
	char key[40];
	const char *at;
	struct buf text = { 0 };

	snprintf(key, sizeof key, "%s=", name);
	for (at = strchr(play->page, '?'); at && strncmp(at + 1, key, strlen(key)) != 0;)
		at = strchr(at + 1, '&');
	value[0] = '\0';
	if (at) {
		at += 1 + strlen(key);
		percent_decode(str_of(at, strcspn(at, "&")), &text);
		snprintf(value, 300, "%s", buf_z(&text));
	}
	buf_fini(&text);
	return value;
}

bool play_await_page(struct play *play)
{
	const char *at;
	struct buf start = { 0 };

	buf_printf(&start, "%s/agree?", play->origin);
	bool came = program_await_errors(&play->p, "code_challenge_method=S256&state=") && program_await_errors(&play->p, "&scope=");
	CHECK(came, "%s", buf_z(&play->p.errors));
	while (came && !strchr(strstr(buf_z(&play->p.errors), "&scope="), '\n'))
		came = program_await_errors(&play->p, "\n");
	at = strstr(buf_z(&play->p.errors), buf_z(&start));
	CHECK(at != NULL, "%s", buf_z(&play->p.errors));
	if (at)
		snprintf(play->page, sizeof play->page, "%.*s", (int)strcspn(at, "\n"), at);
	buf_fini(&start);
	return at != NULL;
}

int play_browse(struct play *play, const char *query)
{
	char redirect[300], state[300], bytes[300] = "";
	struct buf request = { 0 };
	unsigned port = 0;
	int fd;

	play_page_value(play, "redirect_uri", redirect);
	play_page_value(play, "state", state);
	CHECK(sscanf(redirect, "http://127.0.0.1:%u/callback", &port) == 1, "%s", redirect);
	buf_add_z(&request, "GET /callback?");
	for (const char *c = query; *c; c++)
		if (*c == '$')
			buf_add_z(&request, state);
		else if (*c == '@')
			percent_encode(str_from(play->origin), "", &request);
		else
			buf_add_byte(&request, *c);
	buf_printf(&request, " HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\r\n", port);
	fd = connect_to(port);
	CU_ASSERT_EQUAL(str_write(buf_str(&request), fd), 0);
	buf_fini(&request);
	CU_ASSERT(read(fd, bytes, sizeof bytes - 1) > 12);
	close(fd);
	return str_starts(str_from(bytes), "HTTP/1.1 ") ? (bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + bytes[11] - '0' : 0;
}

void play_agree(struct play *play, const struct step *tokens)
{
	play_steps(play, TOKENS);
	if (play_await_page(play))
		CU_ASSERT_EQUAL(play_browse(play, "code=the-code&state=$&iss=@"), 200);
	(void)!play_step(play, tokens);
}

void play_login(struct play *play)
{
	play_start(play, ARGS("login", "web"));
	play_agree(play, &play_good[TOKENS]);
	play_stop(play, 0, "web: logged in at http://127.0.0.1:");
}

/* --- the token in use --- */

void play_is_asked_with(struct play *play, const char *token, int status, const char *header, const char *body)
{
	char line[100];

	snprintf(line, sizeof line, "authorization: Bearer %s", token);
	CU_ASSERT(hand_accept(play->h));
	CHECK(hand_head_has(play->h, line), "%s is not in %s", line, hand_head(play->h));
	play_reply(play, status, header, body);
}

void play_ping(struct play *play, const char *token)
{
	play_start(play, ARGS("ping", "web"));
	play_is_asked_with(play, token, 200, "", PONG);
	play_is_asked_with(play, token, 200, "", PONG_AGAIN);
	play_stop(play, 0, "");
}

glob_t play_tokens(void)
{
	glob_t found;
	char pattern[400];

	snprintf(pattern, sizeof pattern, "%s/.local/state/weir/mcp-tokens/*", folder_path());
	if (glob(pattern, 0, NULL, &found) != 0)
		found.gl_pathc = 0;
	return found;
}
