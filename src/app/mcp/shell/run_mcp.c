#include "app/options/options.h"
#include "app/options/subcommand.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/mcp/shell/mcp_shell.h"
#include "app/setup/setup.h"
#include "app/system/signals.h"
#include "base/json_place.h"
#include "base/mem.h"
#include "base/names.h"

#define PROGRESS_MS 500 /* between two lines about it */
#define TOLD_MOST 600u  /* bytes of a sentence of a server */

/* --- words --- */

void mcp_shell_complain(const struct mcp_shell *m, struct str words)
{
	complain("%s: %.*s", m->server->name, STR_ARG(words));
}

void mcp_shell_end(struct mcp_shell *m, int status)
{
	m->over = true;
	m->status = status;
}

static int status_of(enum mcp_ending ending)
{
	return ending == MCP_CUT || ending == MCP_STALLED ? EXIT_CUT : EXIT_ERROR;
}

void mcp_shell_fail(struct mcp_shell *m, const struct mcp_answer *answer)
{
	struct str words = str_without_stop(str_head(str_trim(answer->words), TOLD_MOST));

	if (answer->ending == MCP_ERROR && answer->code)
		complain("%s: %.*s (error %lld)", m->server->name, STR_ARG(words.len ? words : STR("the server reports an error")),
		         (long long)answer->code);
	else
		mcp_shell_complain(m, words);
	mcp_shell_end(m, status_of(answer->ending));
}

bool mcp_shell_ask(struct mcp_shell *m, const char *method, struct str params, struct str name, struct str headers)
{
	m->asked_ms = clock_now_ms();
	m->ticket = mcp_session_ask(m->session, &(struct mcp_question){
		.method = method, .params = params, .name = name, .headers = headers, .progress = true,
	});
	return m->ticket != 0;
}

/* --- the session --- */

static void shell_ready(void *ctx)
{
	struct mcp_shell *m = ctx;

	if (!m->ticket && !m->over) /* not when the session was begun anew */
		m->verb->begin(m);
}

static void shell_failed(void *ctx, enum mcp_ending ending, struct str words)
{
	struct mcp_shell *m = ctx;

	if (m->over)
		return;
	mcp_shell_complain(m, str_head(words, 2 * TOLD_MOST));
	mcp_shell_end(m, status_of(ending));
}

static void shell_answer(void *ctx, int64_t ticket, const struct mcp_answer *answer)
{
	struct mcp_shell *m = ctx;

	if (ticket == m->ticket && !m->over)
		m->verb->answer(m, answer);
}

/* On a terminal only, as it is for those who wait. */
static void shell_progress(void *ctx, int64_t ticket, const struct mcp_progress *progress)
{
	struct mcp_shell *m = ctx;
	int64_t now_ms = clock_now_ms();
	char total[40] = "";

	(void)ticket;
	if (!isatty(STDERR_FILENO) || now_ms - m->told_ms < PROGRESS_MS)
		return;
	m->told_ms = now_ms;
	if (progress->total >= 0)
		snprintf(total, sizeof total, " of %g", progress->total);
	complain("%s: %g%s%s%.*s", m->server->name, progress->done, total, progress->words.len ? ", " : "",
	         STR_ARG(str_head(progress->words, TOLD_MOST)));
}

static void shell_changed(void *ctx, enum mcp_list list)
{
	(void)ctx, (void)list;
}

static void shell_want(void *ctx, const struct mcp_want *want)
{
	struct mcp_shell *m = ctx;
	struct error why = { "" }, words;
	struct buf result = { 0 };

	mcp_elicit(want->params, m->o->elicit, &result, &why);
	if (!m->o->elicit)
		mcp_shell_complain(m, STR("the server asked for input in a form; it was declined (--elicit answers it)"));
	else if (*why.text) {
		error_set(&words, "the server asked for input; it was declined: %s", why.text);
		mcp_shell_complain(m, str_from(words.text));
	}
	mcp_session_reply(m->session, want->number, buf_str(&result));
	buf_fini(&result);
}

static void shell_notice(void *ctx, struct str words)
{
	mcp_shell_complain(ctx, str_head(words, 2 * TOLD_MOST));
}

/* --- the run --- */

static void shell_fini(struct mcp_shell *m)
{
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++)
		buf_fini(&m->lists[list]);
	buf_fini(&m->headers);
	buf_fini(&m->output_schema);
	buf_fini(&m->text);
	media_keeper_fini(&m->media);
	media_folder_close(&m->folder);
}

/* Runs until the answer is there, then until the session is closed; a second signal ends that at once. */
static void shell_loop(struct mcp_shell *m, struct setup *setup)
{
	bool stopped = false, again = false;
	struct signals_listener listener = { .take = signals_take_end, .ctx = &stopped };
	struct loop_member signals = signals_member(&listener), session = mcp_session_member(m->session);

	loop_add(setup->loop, &signals);
	loop_add(setup->loop, &session);
	while (!m->over && !stopped && !m->out.closed)
		loop_turn(setup->loop);
	if (!m->over) {
		mcp_session_cancel(m->session, m->ticket, STR("interrupted"));
		mcp_shell_end(m, m->out.closed ? EXIT_DONE : EXIT_CANCELLED);
	}
	mcp_session_close(m->session, stopped ? END_CANCELLED : END_CLOSED);
	listener.ctx = &again;
	while (!mcp_session_is_over(m->session) && !again)
		loop_turn(setup->loop);
	loop_remove(setup->loop, m->session);
	loop_remove(setup->loop, &listener);
	if (m->out.terminal)
		output_break(&m->out); /* a resource may end within a line */
}

static int shell_run(struct mcp_shell *m, struct setup *setup, const char *const *argv, enum mcp_revision revision)
{
	struct redact_set secrets = { 0 };
	struct mcp_session_options options = {
		.server = m->server, .argv = argv, .http = setup->http, .env = process_environment, .allow_http = setup_allows_http(setup),
		.timeout_ms = (int64_t)(m->o->timeout_s * 1000 + 0.999), .revision = revision, .tape = m->o->tape, .secrets = &secrets,
	};
	struct mcp_session_sink sink = {
		.ctx = m, .ready = shell_ready, .failed = shell_failed, .answer = shell_answer, .progress = shell_progress, .changed = shell_changed,
		.want = shell_want, .notice = shell_notice,
	};
	struct error err = { "" };

	if (!media_folder_open(&m->folder, m->o->media, &err))
		return usage_error("%s", err.text);
	m->session = mcp_session_new(&options, &sink, &err);
	if (!m->session)
		return usage_error("%s", err.text);
	output_init(&m->out, STDOUT_FILENO);
	shell_loop(m, setup);
	if (!mcp_session_free(m->session, &err) || !media_folder_write(&m->folder, &m->media, &err)) {
		complain("%s", err.text);
		m->status = m->status ? m->status : EXIT_LOCAL;
	}
	redact_set_fini(&secrets);
	return output_status(&m->out, m->status);
}

/* --- the command line --- */

static const char *verb_name_at(const void *unused, size_t index)
{
	(void)unused;
	return mcp_verb_at(index) ? mcp_verb_at(index)->name : NULL;
}

static const struct mcp_verb *verb_named(const char *name)
{
	size_t i = 0;

	while (mcp_verb_at(i) && strcmp(mcp_verb_at(i)->name, name) != 0)
		i++;
	return mcp_verb_at(i);
}

static int refuse_verb(const char *name)
{
	struct buf known = { 0 };

	names_write_choice(verb_name_at, NULL, &known);
	int status = name ? usage_error("mcp has no '%s'; it has %s", name, buf_z(&known))
	                  : usage_error("mcp needs one of %s; weir mcp --help says what they do", buf_z(&known));
	buf_fini(&known);
	return status;
}

/* A program, for which a section is not needed, or an address. Heap; NULL: it is neither. */
static struct mcp_server *unnamed_server(const char *const *argv, const char *target, struct error *err)
{
	const char *slash = argv ? strrchr(argv[0], '/') : NULL;
	struct str url = str_from(target);
	struct error why = { "" };
	struct mcp_server *server;

	if (argv)
		return mcp_server_new(str_from(slash ? slash + 1 : argv[0]));
	if (str_find(url, STR("://")) == url.len)
		return NULL;
	if (!mcp_url_check(url, &why)) {
		error_set(err, "the URL of the server: %s", why.text);
		return NULL;
	}
	struct str host = str_skip(url, str_find(url, STR("://")) + 3);
	server = mcp_server_new(str_head(host, str_find(host, STR("/"))));
	str_replace(&server->url, url);
	return server;
}

static const struct mcp_server *named_server(const struct setup *setup, const char *name, struct error *err)
{
	const struct mcp_servers *servers = &setup->settings.mcp_servers;
	const struct mcp_server *server = mcp_servers_find(servers, str_from(name));

	if (!server && !servers->count)
		error_set(err, "there is no MCP server %s: name one as [mcp %s] in weir.conf, or give its URL, or -- COMMAND", name, name);
	else if (!server)
		names_refuse("MCP server", str_from(name), mcp_server_name_at, servers, err);
	else if (!server->command && !server->url) {
		error_set(err, "[mcp %s] has neither command nor url", name);
		server = NULL;
	}
	return server;
}

const struct mcp_server *mcp_shell_server(const struct setup *setup, const char *const *argv, const char *target, struct mcp_server **unnamed,
                                          struct error *err)
{
	*unnamed = unnamed_server(argv, target, err);
	return *unnamed ? *unnamed : *err->text ? NULL : named_server(setup, target, err);
}

static bool check_json(const char *what, const char *text, struct error *err)
{
	struct error why = { "" };

	if (!json_place_check(str_from(text), &why))
		return error_set(err, "%s: %s", what, why.text);
	return str_starts(str_trim(str_from(text)), "{") || error_set(err, "%s: it must be a JSON object", what);
}

static bool check_options(const struct mcp_shell *m, enum mcp_revision *revision, struct error *err)
{
	const struct options *o = m->o;

	*revision = o->revision ? mcp_revision_find(str_from(o->revision)) : MCP_REVISION_COUNT;
	if (o->revision && *revision == MCP_REVISION_COUNT)
		return names_refuse("revision", str_from(o->revision), mcp_revision_at, NULL, err);
	if (o->elicit && strcmp(o->elicit, "defaults") != 0 && !check_json("--elicit", o->elicit, err))
		return false;
	return m->argument_count < 2 || check_json("the arguments", m->arguments[1], err);
}

int run_mcp(const struct options *o)
{
	const char *name = o->argument_count > o->behind_dashes ? o->arguments[0] : NULL;
	struct mcp_shell m = { .o = o, .verb = name ? verb_named(name) : NULL, .arguments = o->arguments + 1 };
	size_t left = o->argument_count - o->behind_dashes - 1;
	const char *const *argv = o->behind_dashes ? (const char *const *)o->arguments + 1 + left : NULL;
	struct mcp_server *unnamed = NULL;
	struct setup setup;
	enum mcp_revision revision;
	struct error err = { "" };
	int status;

	if (!m.verb)
		return refuse_verb(name);
	const char *target = !argv && left ? m.arguments[0] : NULL;
	m.arguments += target ? 1 : 0;
	m.argument_count = left - (target ? 1 : 0);
	if ((!argv && !target) || m.argument_count < m.verb->least || m.argument_count > m.verb->most)
		return usage_error("usage: weir mcp %s %s", m.verb->name, m.verb->arguments);
	if (m.verb->run)
		return target ? m.verb->run(o, target) : usage_error("usage: weir mcp %s %s", m.verb->name, m.verb->arguments);
	bool is_set_up = check_options(&m, &revision, &err), good = is_set_up && setup_init(&setup, o, &err);
	if (good) {
		m.server = mcp_shell_server(&setup, argv, target, &unnamed, &err);
		good = m.server != NULL;
	}
	status = good ? shell_run(&m, &setup, argv, revision) : usage_error("%s", err.text);
	shell_fini(&m);
	if (is_set_up)
		setup_fini(&setup);
	signals_close();
	mcp_server_free(unnamed);
	return status;
}
