#include "app/mcp/mcp_session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/mcp/mcp_http.h"
#include "app/mcp/mcp_stdio.h"
#include "app/options/options.h"
#include "base/child.h"
#include "base/mem.h"
#include "chat/exchange/secret.h"
#include "net/tape.h"

/* Times of a question. */
struct timed {
	int64_t ticket;        /* 0: free */
	int64_t due_ms, latest_ms;
};

struct mcp_session {
	struct mcp_session_options o;
	struct mcp_session_sink sink;
	struct mcp_client *client;
	struct mcp_link *link;      /* NULL: not yet, or not any more */
	struct secret *secret;      /* NULL: it needs none, or has it */
	char **words;               /* of the command; NULL: it is given, or there is none */
	struct tape_writer *tape;
	bool tape_is_full;
	double started_ms;
	int64_t begin_ms;           /* when the handshake has taken too long; 0: it is over */
	struct timed times[MCP_QUESTIONS_MOST];
	int64_t held_ms;            /* when the server was seen to wait for a reply; 0: it does not */
	bool discovers;             /* a link that is lost may have been lost because of server/discover */
	bool lost_early;            /* it was: the program is started again */
	bool begun_anew;            /* the server has forgotten the session, and answered nothing since */
	bool failed, closing;
	enum end_how how;
};

static double session_at_ms(const struct mcp_session *s)
{
	return clock_precise_ms() - s->started_ms;
}

static int64_t session_timeout_ms(const struct mcp_session *s)
{
	return s->o.timeout_ms ? s->o.timeout_ms : s->o.server->timeout_ms;
}

static void session_notice(struct mcp_session *s, struct str words)
{
	s->sink.notice(s->sink.ctx, words);
}

/* --- tape --- */

static void session_tape(struct mcp_session *s, bool sent, struct str text)
{
	if (s->sink.message)
		s->sink.message(s->sink.ctx, sent, text);
	if (!s->tape || s->tape_is_full)
		return;
	s->tape_is_full = !tape_message(s->tape, sent, text, session_at_ms(s));
	if (s->tape_is_full)
		session_notice(s, STR("the tape is full; what follows is not recorded"));
}

static bool session_open_tape(struct mcp_session *s, struct error *err)
{
	if (!s->o.tape)
		return true;
	if (!tape_writer_open(&s->tape, s->o.tape, err))
		return false;
	tape_start(s->tape, &(struct tape_info){
		.protocol = STR("mcp"), .transport = s->o.server->url ? STR("http") : STR("stdio"), .url = str_from(s->o.server->url),
	});
	return true;
}

/* --- failure --- */

static void session_fails(struct mcp_session *s, enum mcp_ending ending, struct str words)
{
	if (s->failed || s->closing)
		return;
	s->failed = true;
	s->begin_ms = 0;
	s->how = ending == MCP_CUT ? END_CUT : ending == MCP_STALLED ? END_STALLED : s->how;
	s->sink.failed(s->sink.ctx, ending, words);
}

/* --- what the client asks for --- */

static void client_sends(void *ctx, const struct mcp_outgoing *message)
{
	struct mcp_session *s = ctx;

	session_tape(s, true, message->text);
	if (s->link)
		s->link->ops->send(s->link, message);
}

static void client_is_ready(void *ctx)
{
	struct mcp_session *s = ctx;

	s->begin_ms = 0;
	s->discovers = false;
	if (s->link)
		s->link->ops->ready(s->link, mcp_client_facts(s->client)->revision);
	s->sink.ready(s->sink.ctx);
}

static void client_has_failed(void *ctx, enum mcp_ending ending, struct str words)
{
	session_fails(ctx, ending, words);
}

static struct timed *times_of(struct mcp_session *s, int64_t ticket)
{
	for (size_t i = 0; i < MCP_QUESTIONS_MOST; i++)
		if (s->times[i].ticket == ticket)
			return &s->times[i];
	return NULL;
}

/* It goes on, but not for ever. */
static void session_renew(const struct mcp_session *s, struct timed *t)
{
	int64_t due_ms = clock_now_ms() + session_timeout_ms(s);

	t->due_ms = due_ms < t->latest_ms ? due_ms : t->latest_ms;
}

static void client_is_answered(void *ctx, int64_t ticket, const struct mcp_answer *answer)
{
	struct mcp_session *s = ctx;
	struct timed *t = times_of(s, ticket);

	if (t && answer->ending == MCP_PAGE)
		session_renew(s, t); /* the next page is another request */
	else if (t)
		*t = (struct timed){ 0 };
	if (answer->ending == MCP_CUT)
		s->how = END_CUT;
	s->begun_anew &= !answer->result;
	s->sink.answer(s->sink.ctx, ticket, answer);
}

static void client_drops(void *ctx, int64_t id)
{
	struct mcp_session *s = ctx;

	if (s->link)
		s->link->ops->dropped(s->link, id);
}

static void client_has_progress(void *ctx, int64_t ticket, const struct mcp_progress *progress)
{
	struct mcp_session *s = ctx;
	struct timed *t = times_of(s, ticket);

	if (t)
		session_renew(s, t);
	s->sink.progress(s->sink.ctx, ticket, progress);
}

static void client_sees_change(void *ctx, enum mcp_list list)
{
	struct mcp_session *s = ctx;

	s->sink.changed(s->sink.ctx, list);
}

static void client_wants(void *ctx, const struct mcp_want *want)
{
	struct mcp_session *s = ctx;

	s->sink.want(s->sink.ctx, want);
}

static void client_wants_no_more(void *ctx, int64_t number)
{
	struct mcp_session *s = ctx;

	s->sink.unwanted(s->sink.ctx, number);
}

static void client_notices(void *ctx, struct str words)
{
	session_notice(ctx, words);
}

/* --- what the link brings --- */

static void link_message(void *ctx, struct str text, int64_t about)
{
	struct mcp_session *s = ctx;
	struct buf room = { 0 };

	if (s->closing)
		return;
	text = redact_text(s->o.secrets, text, &room); /* a response that began before a token was renewed may hold the new one */
	session_tape(s, false, text);
	mcp_client_take(s->client, text, about);
	buf_fini(&room);
}

static bool link_waits(void *ctx, int64_t id)
{
	return mcp_client_waits_for(((struct mcp_session *)ctx)->client, id);
}

static void link_head(void *ctx, const struct response_head *head)
{
	struct mcp_session *s = ctx;

	if (s->tape && !s->tape_is_full)
		tape_head(s->tape, head, session_at_ms(s));
}

static void link_unanswered(void *ctx, int64_t id, enum mcp_ending ending, struct str words)
{
	mcp_client_end(((struct mcp_session *)ctx)->client, id, ending, words);
}

static void link_forgotten(void *ctx)
{
	struct mcp_session *s = ctx;

	if (s->begun_anew) {
		mcp_client_end_all(s->client, MCP_ERROR, STR("the server has forgotten the session again (HTTP 404)"));
		session_fails(s, MCP_ERROR, STR("the server has forgotten the session again (HTTP 404)"));
		return;
	}
	s->begun_anew = true;
	session_notice(s, STR("the server has forgotten the session (HTTP 404); it is begun anew"));
	s->begin_ms = clock_now_ms() + session_timeout_ms(s);
	mcp_client_begin_anew(s->client);
}

static void link_lost(void *ctx, enum mcp_ending ending, struct str words)
{
	struct mcp_session *s = ctx;

	/* Some older programs end at a request that they do not know. */
	if (s->discovers && ending == MCP_CUT && mcp_client_is_discovering(s->client) && s->o.revision == MCP_REVISION_COUNT) {
		s->lost_early = true;
		return;
	}
	mcp_client_end_all(s->client, ending, words);
	session_fails(s, ending, words);
}

/* --- start --- */

static const struct mcp_link_sink *session_link_sink(struct mcp_session *s, struct mcp_link_sink *sink)
{
	*sink = (struct mcp_link_sink){
		.ctx = s, .message = link_message, .waits = link_waits, .head = link_head, .unanswered = link_unanswered, .forgotten = link_forgotten,
		.lost = link_lost,
	};
	return sink;
}

static struct mcp_link *session_open_link(struct mcp_session *s, struct error *err)
{
	const struct mcp_server *server = s->o.server;
	struct mcp_link_sink sink;

	if (!server->url)
		return mcp_stdio_new(s->o.argv ? s->o.argv : (const char *const *)s->words, (const char *const *)server->env,
		                     session_link_sink(s, &sink), err);
	return mcp_http_new(&(struct mcp_http_options){
		.http = s->o.http, .server = server, .env = s->o.env, .allow_http = s->o.allow_http, .secrets = s->o.secrets,
		.key = s->secret && secret_state(s->secret) == SECRET_FOUND ? secret_value(s->secret) : STR_NONE,
	}, session_link_sink(s, &sink), err);
}

/* Starts the program or connects, and begins the handshake. */
static void session_start(struct mcp_session *s)
{
	struct error err = { "" };
	bool again = s->lost_early;

	s->lost_early = false;
	s->link = session_open_link(s, &err);
	secret_free(s->secret);
	s->secret = NULL;
	if (!s->link) {
		session_fails(s, MCP_ERROR, str_from(err.text));
		return;
	}
	s->begin_ms = clock_now_ms() + session_timeout_ms(s);
	s->discovers = !again;
	if (again)
		mcp_client_skip_discovery(s->client);
	else
		mcp_client_start(s->client);
}

struct mcp_session *mcp_session_new(const struct mcp_session_options *options, const struct mcp_session_sink *sink, struct error *err)
{
	struct mcp_session *s = mem_new(sizeof *s);
	struct mcp_client_options client = { .version = WEIR_VERSION, .revision = options->revision, .tells_cancelled = !options->server->url,
	                                     .shows_pages = options->shows_pages };
	struct mcp_client_sink wires = {
		.ctx = s, .send = client_sends, .ready = client_is_ready, .failed = client_has_failed, .answer = client_is_answered,
		.dropped = client_drops, .progress = client_has_progress, .changed = client_sees_change,
		.want = sink->want ? client_wants : NULL, .unwanted = sink->unwanted ? client_wants_no_more : NULL, .notice = client_notices,
	};

	s->o = *options;
	s->sink = *sink;
	s->started_ms = clock_precise_ms();
	s->client = mcp_client_new(&client, &wires);
	if (!options->server->url && !options->argv)
		s->words = child_shell_words(str_from(options->server->command), err);
	if (!options->server->url && !options->argv && !s->words) {
		mcp_session_free(s, NULL);
		return NULL;
	}
	if (!session_open_tape(s, err)) {
		mcp_session_free(s, NULL);
		return NULL;
	}
	if (options->server->url)
		s->secret = secret_new(options->server->sending, options->env, clock_now_ms());
	return s;
}

const struct mcp_facts *mcp_session_facts(const struct mcp_session *s)
{
	return mcp_client_facts(s->client);
}

bool mcp_session_is_ready(const struct mcp_session *s)
{
	return mcp_client_is_ready(s->client) && !s->failed && !s->closing;
}

/* --- questions --- */

/* Who is asked takes the time that it takes. */
static void session_hold(struct mcp_session *s, int64_t now_ms)
{
	int64_t gone_ms = s->held_ms ? now_ms - s->held_ms : 0;

	for (size_t i = 0; gone_ms && i < MCP_QUESTIONS_MOST; i++) {
		s->times[i].due_ms += gone_ms;
		s->times[i].latest_ms += gone_ms;
	}
	s->held_ms = mcp_client_is_asked(s->client) ? now_ms : 0;
}

int64_t mcp_session_ask(struct mcp_session *s, const struct mcp_question *question)
{
	int64_t now_ms = clock_now_ms(), timeout_ms = session_timeout_ms(s);
	int64_t ticket = mcp_client_ask(s->client, question);
	struct timed *t = ticket && !question->stands ? times_of(s, 0) : NULL;

	if (t)
		*t = (struct timed){ ticket, now_ms + timeout_ms, now_ms + timeout_ms * MCP_PROGRESS_TIMES };
	return ticket;
}

int64_t mcp_session_ticket(const struct mcp_session *s, int64_t id)
{
	return s->client ? mcp_client_ticket(s->client, id) : 0;
}

void mcp_session_cancel(struct mcp_session *s, int64_t ticket, struct str why)
{
	struct timed *t = ticket ? times_of(s, ticket) : NULL;

	if (t)
		*t = (struct timed){ 0 };
	mcp_client_cancel(s->client, ticket, why);
	session_hold(s, clock_now_ms());
}

void mcp_session_reply(struct mcp_session *s, int64_t number, struct str result)
{
	mcp_client_reply(s->client, number, result);
	session_hold(s, clock_now_ms());
}

static void session_write_seconds(int64_t ms, char *text, size_t size)
{
	if (ms % 1000)
		snprintf(text, size, "%.1f s", (double)ms / 1000);
	else
		snprintf(text, size, "%lld s", (long long)(ms / 1000));
}

static void question_is_late(struct mcp_session *s, struct timed *t, int64_t now_ms)
{
	int64_t ticket = t->ticket, waited_ms = session_timeout_ms(s);
	bool for_good = now_ms >= t->latest_ms;
	char seconds[40];
	struct error words;

	session_write_seconds(for_good ? waited_ms * MCP_PROGRESS_TIMES : waited_ms, seconds, sizeof seconds);
	error_set(&words, for_good ? "no answer came within %s, in spite of progress" : "no answer came within %s", seconds);
	mcp_session_cancel(s, ticket, STR("timeout"));
	s->how = END_STALLED;
	s->sink.answer(s->sink.ctx, ticket, &(struct mcp_answer){ .ending = MCP_STALLED, .words = str_from(words.text) });
}

/* --- end --- */

void mcp_session_close(struct mcp_session *s, enum end_how how)
{
	if (s->closing)
		return;
	s->closing = true;
	s->begin_ms = 0;
	if (how != END_CLOSED)
		s->how = how;
	memset(s->times, 0, sizeof s->times);
	if (s->link)
		s->link->ops->close(s->link);
}

bool mcp_session_is_over(const struct mcp_session *s)
{
	return s->closing && (!s->link || s->link->ops->is_over(s->link));
}

bool mcp_session_free(struct mcp_session *s, struct error *err)
{
	bool good;

	if (!s)
		return true;
	if (s->link)
		s->link->ops->free(s->link);
	if (s->tape)
		tape_end(s->tape, s->how, session_at_ms(s));
	good = tape_writer_close(s->tape, err);
	secret_free(s->secret);
	mcp_client_free(s->client);
	mem_free(s->words);
	mem_free(s);
	return good;
}

/* --- the loop --- */

static size_t session_fds(void *ctx, struct pollfd *fds, size_t room)
{
	const struct mcp_session *s = ctx;

	if (s->link)
		return s->link->ops->fds(s->link, fds, room);
	return s->secret && room && secret_fd(s->secret, fds) ? 1 : 0;
}

/* When the handshake is given up, or looking for the revision. */
static int64_t session_begin_due(const struct mcp_session *s)
{
	int64_t discover_ms = s->begin_ms - session_timeout_ms(s) + MCP_DISCOVER_MS;

	if (!s->begin_ms)
		return NO_DEADLINE;
	return mcp_client_is_discovering(s->client) && s->o.revision == MCP_REVISION_COUNT && discover_ms < s->begin_ms ? discover_ms : s->begin_ms;
}

static int64_t session_deadline(void *ctx)
{
	const struct mcp_session *s = ctx;
	int64_t now_ms = clock_now_ms(), due_ms = session_begin_due(s), link_ms = NO_DEADLINE;

	if (!s->link && !s->failed && !s->closing)
		link_ms = s->secret && secret_state(s->secret) == SECRET_WAITING ? secret_deadline(s->secret) : now_ms;
	else if (s->link)
		link_ms = s->lost_early ? now_ms : s->link->ops->deadline(s->link, now_ms);
	if (link_ms < due_ms)
		due_ms = link_ms;
	for (size_t i = 0; i < MCP_QUESTIONS_MOST; i++)
		if (s->times[i].ticket && !s->held_ms && s->times[i].due_ms < due_ms)
			due_ms = s->times[i].due_ms;
	return due_ms;
}

static void session_find_key(struct mcp_session *s, int64_t now_ms)
{
	if (s->secret && secret_state(s->secret) == SECRET_WAITING)
		secret_run(s->secret, now_ms);
	if (s->secret && secret_state(s->secret) == SECRET_WAITING)
		return;
	if (s->secret && secret_state(s->secret) == SECRET_FAILED)
		session_fails(s, MCP_ERROR, str_from(secret_error(s->secret)->text));
	else
		session_start(s);
}

static void session_keep_time(struct mcp_session *s, int64_t now_ms)
{
	char seconds[40], words[160];

	if (now_ms >= session_begin_due(s)) {
		if (mcp_client_is_discovering(s->client) && s->o.revision == MCP_REVISION_COUNT) {
			s->begin_ms = now_ms + session_timeout_ms(s);
			mcp_client_skip_discovery(s->client);
		} else {
			session_write_seconds(session_timeout_ms(s), seconds, sizeof seconds);
			snprintf(words, sizeof words, "the server does not answer: the session did not begin within %s", seconds);
			mcp_client_end_all(s->client, MCP_STALLED, str_from(words));
			session_fails(s, MCP_STALLED, str_from(words));
		}
	}
	for (size_t i = 0; i < MCP_QUESTIONS_MOST; i++)
		if (s->times[i].ticket && !s->held_ms && now_ms >= s->times[i].due_ms)
			question_is_late(s, &s->times[i], now_ms);
}

static void session_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct mcp_session *s = ctx;

	if (s->link)
		s->link->ops->run(s->link, fds, count, now_ms);
	else if (!s->failed && !s->closing)
		session_find_key(s, now_ms);
	if (s->lost_early && !s->closing) {
		s->link->ops->free(s->link);
		s->link = NULL;
		session_start(s);
	}
	session_hold(s, now_ms);
	session_keep_time(s, now_ms);
	if (s->tape)
		tape_flush(s->tape);
}

struct loop_member mcp_session_member(struct mcp_session *s)
{
	return (struct loop_member){ .ctx = s, .fds = session_fds, .deadline = session_deadline, .run = session_run };
}
