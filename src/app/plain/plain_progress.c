#include "app/plain/plain_progress.h"

#include "app/session/cost_report.h"
#include "app/session/session_prompts.h"
#include "app/session/session_runs.h"
#include "base/mem.h"
#include "chat/conversation/turn.h"

#define TELL_INTERVAL_MS 50 /* deltas are collected this long, so that more sentences are complete */

static bool progress_is_paused(const struct plain_host *h)
{
	return h->replay && session_live(h->session) && player_paused(session_player(h->session));
}

static const char *progress_state(const struct plain_host *h)
{
	static const char *const states[] = {
		[EXCHANGE_HELD] = "waiting for the tools of the MCP servers", [EXCHANGE_KEY] = "fetching the key",
		[EXCHANGE_CONNECTING] = "connecting", [EXCHANGE_WAITING] = "waiting",
		[EXCHANGE_STREAMING] = "streaming", [EXCHANGE_RETRYING] = "waiting to ask again", [EXCHANGE_OVER] = NULL,
	};
	const struct exchange *x = session_exchange(h->session);

	const struct turn *live = session_live(h->session);

	if (session_runs_tools(h->session))
		return "running tools";
	if (!live || live->ended) /* its end was told already */
		return NULL;
	if (h->replay)
		return progress_is_paused(h) ? "paused" : "replaying";
	if (!x)
		return NULL;
	return states[exchange_state(x)];
}

static struct plain_quiet progress_quiet(const struct plain_host *h, int64_t now_ms)
{
	const struct exchange *x = session_exchange(h->session);

	if (!x || exchange_state(x) == EXCHANGE_RETRYING || exchange_state(x) <= EXCHANGE_KEY)
		return (struct plain_quiet){ 0 };
	return (struct plain_quiet){ .ms = exchange_quiet_ms(x, now_ms), .limit_ms = exchange_quiet_limit_ms(x) };
}

/* Reports each retry once; the line about the state follows it. */
static void progress_tell_retry(struct plain_progress *g, int64_t now_ms)
{
	const struct plain_host *h = g->host;
	struct exchange_retry retry;
	const struct exchange *x = session_exchange(h->session);
	bool waits = x && exchange_retry(x, now_ms, &retry);

	if (waits && g->retry != retry.number)
		plain_tell_line(h->tell, "Attention: %.*s. Asking again in %.1f seconds, %u of %u.", STR_ARG(retry.why),
		                (double)retry.wait_ms / 1000, retry.number, retry.most);
	g->retry = waits ? retry.number : session_live(h->session) ? g->retry : 0;
}

/* After a failed turn queued prompts are not sent. */
static void progress_give_back_queued(const struct plain_host *h)
{
	if (session_is_busy(h->session) || !session_queued(h->session))
		return;
	char *prompts = session_take_queued(h->session);
	plain_tell_line(h->tell, "Not sent, because the previous answer did not end well:");
	plain_tell_block(h->tell, str_from(prompts));
	mem_free(prompts);
}

static void progress_offer_compact(const struct plain_progress *g)
{
	unsigned percent = cost_report_percent_to_compact(g->host->session, g->models);

	if (percent)
		plain_tell_line(g->host->tell, "The context window is %u percent full. /compact replaces older turns by a summary.", percent);
}

/* It is asked by itself: no line can have been pasted with its answer. */
static void progress_ask(struct plain_progress *g)
{
	if (plain_approval_open(g->approval))
		g->host->asked_ms = clock_now_ms();
}

static void progress_offer_help(struct plain_progress *g)
{
	const struct plain_host *h = g->host;
	const struct turn *t = session_last_answer(h->session);
	unsigned call = 0;
	const char *again = h->replay ? "" : "/retry sends it again, ", *prompt = h->replay ? "" : "/edit TEXT sends another prompt, ";

	if (!h->replay)
		progress_offer_compact(g);
	if (turn_can_continue(t) || outcome_is_trouble(t->outcome))
		plain_tell_line(h->tell, "%s%s%s/details says more.", again, !h->replay && turn_can_continue(t) ? "/continue has it go on, " : "",
		                prompt);
	if (!h->replay && session_waiting_call(h->session, &call))
		plain_tell_line(h->tell, "/answer takes the results of the tool calls; with another prompt they go back as not run.");
	if (g->model_unknown && h->types)
		plain_menu_open(g->menu, PLAIN_MODELS);
	g->model_unknown = false;
	if (!h->replay && session_asking(h->session) && h->question)
		plain_tell_line(h->tell, "A call waits for your word: /answer shows it.");
	else if (!h->replay)
		progress_ask(g);
}

/* Once for each time that rounds are held. */
static void progress_ask_to_go_on(struct plain_progress *g)
{
	bool holds = session_holds_rounds(g->host->session);

	if (holds && !g->held && !g->host->question)
		progress_ask(g);
	g->held = holds;
}

static void progress_follow(struct plain_progress *g, int64_t now_ms)
{
	const struct plain_host *h = g->host;
	bool was_live = session_live(h->session) != NULL;

	if (session_drain(h->session))
		g->last_told_ms = now_ms;
	plain_tell_follow(h->tell, session_conversation(h->session));
	if (was_live && !session_live(h->session)) {
		progress_offer_help(g);
		progress_give_back_queued(h);
	}
	progress_ask_to_go_on(g);
}

void plain_progress_turn_ended(struct plain_progress *g, const struct turn *turn)
{
	g->model_unknown |= turn->model_unknown;
}

int64_t plain_progress_deadline(const struct plain_progress *g)
{
	int64_t news_ms = session_has_news(g->host->session) ? g->last_told_ms + TELL_INTERVAL_MS : NO_DEADLINE;
	int64_t work_ms = plain_tell_deadline(g->host->tell);

	return news_ms < work_ms ? news_ms : work_ms;
}

void plain_progress_tell(struct plain_progress *g, int64_t now_ms)
{
	const struct plain_host *h = g->host;

	plain_tell_follow(h->tell, session_conversation(h->session)); /* prints the question before the states of its answer */
	progress_tell_retry(g, now_ms);
	plain_tell_state(h->tell, progress_state(h));
	if (session_has_news(h->session) && now_ms >= g->last_told_ms + TELL_INTERVAL_MS)
		progress_follow(g, now_ms);
	plain_tell_work(h->tell, progress_is_paused(h) ? NULL : session_live(h->session), progress_quiet(h, now_ms), now_ms);
}
