#include "app/plain/plain_approval.h"

#include "app/session/session_runs.h"
#include "chat/conversation/turn.h"

static void approval_take(void *approval, struct str line);

static const struct plain_question call_question = { .label = "Run it? y, a, n WORDS or e ARGUMENTS: ", .take = approval_take, .alone = true };
static const struct plain_question rounds_question = { .label = "Go on? y or n: ", .take = approval_take, .alone = true };

static void approval_tell(void *ctx, const char *name, struct str value)
{
	const struct plain_approval *a = ctx;
	struct str line;

	while (value.len && str_split(&value, '\n', &line)) {
		plain_tell_line(a->host->tell, "%s: %.*s", name, STR_ARG(line));
		name = "  and";
	}
}

static void approval_ask_call(struct plain_approval *a, const struct tool_call *call)
{
	struct plain_tell *tell = a->host->tell;
	struct str change = str_from(call->change), line;

	a->shown = call->shown;
	plain_tell_line(tell, "Call %u of %zu%s%s would run %s (%s):", call->call + 1, call->of, call->asker ? ", asked by " : "",
	                call->asker ? call->asker : "", call->name, tool_source_name(call->tool.source));
	tool_call_tell(call, approval_tell, a);
	if (change.len)
		plain_tell_line(tell, "It is not what was allowed before:");
	while (change.len && str_split(&change, '\n', &line))
		plain_tell_line(tell, "%.*s", STR_ARG(line));
	if (!a->host->types) {
		plain_tell_line(tell, "It does not run: only a line that is typed can allow it.");
		return;
	}
	plain_tell_line(tell, "y: once. a: always %s. n: not run; WORDS go to the model. e: other ARGUMENTS (JSON). Empty: later.",
	                call->tool.approve == TOOL_ASK ? "in this conversation" : "from now on");
	plain_ask(a->host, &call_question, a);
}

bool plain_approval_open(struct plain_approval *a)
{
	const struct tool_call *asks = session_asking(a->host->session);
	struct buf why = { 0 };

	if (asks)
		approval_ask_call(a, asks);
	else if (session_holds_rounds(a->host->session) && a->host->types) {
		session_write_hold(a->host->session, &why);
		plain_tell_line(a->host->tell, "%s", buf_z(&why));
		buf_fini(&why);
		plain_ask(a->host, &rounds_question, a);
	} else
		return false;
	return true;
}

/* A sentence may begin with such a word; it was begun before the question was there, and allows nothing. */
static bool says(struct str word, struct str rest, const char *wanted)
{
	return str_is_nocase(word, wanted) && str_is_blank(rest);
}

static bool says_yes(struct str word, struct str rest)
{
	return says(word, rest, "y") || says(word, rest, "yes");
}

static bool approval_decide_all(struct plain_approval *a, struct error *err)
{
	struct session *session = a->host->session;
	struct buf words = { 0 };
	const char *name = session_shown(session, a->shown)->name;

	buf_printf(&words, "%s runs without a question now: /tools %s ask takes that back.", name, name);
	bool kept = session_approve_all(session, a->shown, err);
	if (kept)
		plain_tell_line(a->host->tell, "%s", buf_z(&words));
	buf_fini(&words);
	return kept;
}

/* The user's word for the call that was told last. */
static bool approval_decide(struct plain_approval *a, struct str word, struct str rest, struct error *err)
{
	struct session *session = a->host->session;

	if (!session_shown(session, a->shown))
		return error_set(err, "that call does not ask any more");
	if (says_yes(word, rest))
		session_approve(session, a->shown);
	else if (says(word, rest, "a"))
		return approval_decide_all(a, err);
	else if (str_is_nocase(word, "n") || str_is_nocase(word, "no"))
		session_refuse(session, a->shown, rest);
	else if (str_is_nocase(word, "e"))
		return session_edit_arguments(session, a->shown, rest, err);
	else
		return error_set(err, "that is none of y, a, n and e");
	return true;
}

static void approval_take(void *approval, struct str line)
{
	struct plain_approval *a = approval;
	bool is_call = a->host->question == &call_question;
	struct str rest, word = str_first_word(line, &rest);
	struct error err = { "" };

	plain_ask_prompt(a->host);
	if (!word.len) {
		plain_tell_line(a->host->tell, "Left for later: /answer asks again.");
		return;
	}
	if (!*a->alone)
		error_set(&err, "it came with other lines, so it decides nothing");
	else if (is_call ? approval_decide(a, word, rest, &err) : !says_yes(word, rest) || session_go_on(a->host->session, &err))
		*err.text = '\0';
	if (*err.text)
		plain_fail(a->host, err.text);
	if (is_call)
		(void)plain_approval_open(a);
}
