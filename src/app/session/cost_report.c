#include "app/session/cost_report.h"

#include "app/session/session_prompts.h"
#include "app/session/session_tree.h"
#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/totals.h"
#include "chat/conversation/figure.h"
#include "chat/provider/known_model.h"

#define TEXT_LIMIT ((size_t)16 << 10)

/* --- /cost --- */

struct cost_report_to {
	details_row *row;
	void *ctx;
	struct buf text;
};

static void cost_report_put(struct cost_report_to *to, const char *name)
{
	to->row(to->ctx, name, buf_str(&to->text));
	buf_clear(&to->text);
}

/* "1,204 tokens (800 cached)". Parts that are zero or unknown are left out. */
static void cost_report_put_total(struct cost_report_to *to, const struct usage *usage, enum usage_figure total, bool rough)
{
	const char *before = "  (";
	char figure[FIGURE_SIZE];

	if (!usage->of[total].sent)
		buf_add_z(&to->text, "not counted");
	else
		buf_printf(&to->text, "%s%s", rough ? "~" : "", figure_of(figure, usage->of[total].number, "token"));
	for (enum usage_figure part = 0; part < USAGE_FIGURE_COUNT; part++)
		if (part != total && usage_row(part)->part_of == total && usage->of[part].number) {
			buf_printf(&to->text, "%s%s %s", before, figure_count(figure, usage->of[part].number), usage_row(part)->label);
			before = ", ";
		}
	buf_add_z(&to->text, *before == ',' ? ")" : "");
	cost_report_put(to, usage_row(total)->label);
}

static void cost_report_put_money(struct cost_report_to *to, struct cost cost)
{
	char figure[FIGURE_SIZE];

	if (cost.is_unknown && !cost.is_reported && !cost.is_estimated)
		buf_add_z(&to->text, "price unknown");
	else
		buf_add_z(&to->text, *figure_cost(figure, cost) ? figure : "nothing");
	cost_report_put(to, "money");
}

static void cost_report_put_took(struct cost_report_to *to, const struct spending *took)
{
	cost_report_put_total(to, &took->usage, USAGE_PROMPT, took->prompt_is_rough);
	cost_report_put_total(to, &took->usage, USAGE_COMPLETION, took->completion_is_rough);
	if (took->usage.of[USAGE_SEARCHES].number) {
		buf_printf(&to->text, "%lld", (long long)took->usage.of[USAGE_SEARCHES].number);
		cost_report_put(to, usage_row(USAGE_SEARCHES)->label);
	}
	cost_report_put_money(to, took->cost);
}

/* Why nothing is known of a model at the provider. */
static void cost_report_add_no_row(struct cost_report_to *to, const struct model_list *models, const char *provider, const struct protocol *protocol)
{
	const struct setup *s = models->setup;
	const struct provider *p = provider && protocol ? providers_find(s->providers, str_from(provider)) : NULL;
	struct str url = STR_NONE;
	struct error err;

	buf_printf(&to->text, "no row fits: neither below [price PATTERN] in weir.conf, nor in the provider's model list%s, nor in weir's table",
	           p == s->target.provider && !model_list_of_target(models, s) ? " (not fetched yet; /model does it)" : "");
	if (p && !known_model_may_fit(p, process_environment))
		buf_printf(&to->text, ", which is not for a server that gets no key, as %s", p->name);
	else if (p && provider_find_base_url(p, protocol, p == s->target.provider ? str_from(s->target.base_url) : STR_NONE, &url, &err))
		buf_printf(&to->text, " for %.*s", STR_ARG(url));
}

static void cost_report_put_source(struct cost_report_to *to, const struct model_list *models, const struct turn *t, struct cost cost)
{
	bool counted = t->usage.of[USAGE_PROMPT].sent && t->usage.of[USAGE_COMPLETION].sent;

	if (cost.is_unknown && !counted)
		buf_add_z(&to->text, "the server has not counted all of its tokens");
	else if (cost.is_unknown && t->prices_from)
		buf_printf(&to->text, "the prices of %s do not hold for it", t->prices_from);
	else if (cost.is_unknown) {
		buf_add_z(&to->text, "the provider reported none, and ");
		cost_report_add_no_row(to, models, t->scope.provider, t->scope.protocol);
	} else if (cost.is_reported && cost.is_estimated)
		buf_printf(&to->text, "reported by the provider, and computed from %s", t->prices_from ? t->prices_from : "prices");
	else if (cost.is_reported)
		buf_add_z(&to->text, "reported by the provider");
	else if (cost.is_estimated)
		buf_printf(&to->text, "computed from %sthe prices of %s", counted ? "" : "estimated tokens and ",
		           t->prices_from ? t->prices_from : "earlier requests");
	if (to->text.len)
		cost_report_put(to, "from");
}

static void cost_report_put_sources(struct cost_report_to *to, struct cost cost)
{
	if (cost.is_unknown && (cost.is_reported || cost.is_estimated))
		buf_add_z(&to->text, "at least: the cost of some answers is unknown");
	else if (cost.is_reported && cost.is_estimated)
		buf_add_z(&to->text, "partly reported, partly computed from prices");
	if (to->text.len)
		cost_report_put(to, "from");
}

/* "m-1 \u00b7 provider". Imported answers may lack both. */
static void cost_report_add_model(struct cost_report_to *to, const char *model, const char *provider)
{
	buf_printf(&to->text, "%s \u00b7 %s", model && *model ? model : "unknown model", provider && *provider ? provider : "unknown provider");
}

/* "  in 1,204  out 56  $0.0012" */
static void cost_report_add_took(struct cost_report_to *to, const struct spending *took)
{
	const struct usage *usage = &took->usage;
	char figure[FIGURE_SIZE];

	buf_printf(&to->text, "  in %s", usage->of[USAGE_PROMPT].sent ? figure_count(figure, usage->of[USAGE_PROMPT].number) : "-");
	buf_printf(&to->text, "  out %s", usage->of[USAGE_COMPLETION].sent ? figure_count(figure, usage->of[USAGE_COMPLETION].number) : "-");
	if (*figure_cost(figure, took->cost))
		buf_printf(&to->text, "  %s", figure);
}

/* What the request for a title took. */
static void cost_report_put_title(struct cost_report_to *to, const struct conversation *c)
{
	for (size_t i = 0; i < c->node_count; i++) {
		const struct turn *t = c->nodes[i];

		if (!turn_is_aside(t))
			continue;
		struct spending took = turn_spending(t);
		cost_report_add_model(to, t->scope.model, t->scope.provider);
		cost_report_add_took(to, &took);
		cost_report_put(to, "title");
	}
}

static void cost_report_put_models(struct cost_report_to *to, const struct conversation *c)
{
	size_t count;
	struct cost_report_row *rows = conversation_spending(c, &count);

	count = cost_report_by_model(rows, count);
	if (count > 1)
		to->row(to->ctx, "By model", STR_NONE);
	for (size_t i = 0; count > 1 && i < count; i++) {
		cost_report_add_model(to, rows[i].model, rows[i].provider);
		char *name = str_dup(buf_str(&to->text));
		buf_clear(&to->text);
		buf_printf(&to->text, "%u answer%s", rows[i].answers, rows[i].answers == 1 ? "" : "s");
		cost_report_add_took(to, &rows[i].took);
		cost_report_put(to, name);
		mem_free(name);
	}
	mem_free(rows);
}

static void cost_report_put_context(struct cost_report_to *to, struct model_list *models, struct context used)
{
	const struct model_terms *terms = model_list_terms(models);
	const struct target *target = &models->setup->target;
	char figure[FIGURE_SIZE];

	to->row(to->ctx, "Context", STR_NONE);
	if (terms->context_tokens) {
		buf_printf(&to->text, "%s%s, from %s", terms->context_is_rough ? "~" : "", figure_of(figure, terms->context_tokens, "token"),
		           terms->context_from);
	} else {
		buf_add_z(&to->text, "unknown: ");
		cost_report_add_no_row(to, models, target->provider->name, target->protocol);
	}
	cost_report_put(to, "window");
	if (used.tokens)
		buf_printf(&to->text, "%s%s", used.is_rough ? "~" : "", figure_of(figure, used.tokens, "token"));
	else
		buf_add_z(&to->text, "unknown: the server did not count the last answer");
	if (used.tokens && terms->context_tokens)
		buf_printf(&to->text, ", %.1f %%", (double)used.tokens * 100 / (double)terms->context_tokens);
	cost_report_put(to, "in use");
}

void cost_report_tell(struct session *s, struct model_list *models, details_row *row, void *ctx)
{
	const struct conversation *c = session_conversation(s);
	const struct turn *t = session_last_answer(s);
	struct totals totals = conversation_totals(c);
	struct spending last = turn_spending(t);
	struct cost_report_to to = { .row = row, .ctx = ctx };

	buf_init(&to.text, TEXT_LIMIT);
	row(ctx, "Last answer", STR_NONE);
	cost_report_put_took(&to, &last);
	cost_report_put_source(&to, models, t, last.cost);
	row(ctx, "Conversation", STR_NONE);
	buf_printf(&to.text, "%u", totals.turns);
	cost_report_put(&to, "turns");
	cost_report_put_took(&to, &totals.took);
	cost_report_put_sources(&to, totals.took.cost);
	cost_report_put_title(&to, c);
	cost_report_put_models(&to, c);
	cost_report_put_context(&to, models, totals.context);
	buf_fini(&to.text);
}

/* --- before a prompt is sent --- */

static int64_t cost_report_estimate(const struct session *s, struct str prompt)
{
	struct estimate e = { 0 };

	estimate_add(&e, prompt);
	session_estimate_attached(s, &e);
	return estimate_tokens(&e);
}

/* 0 for a server that answered a prompt which, with the maximum, exceeded the window: it does not count the maximum. */
static int64_t cost_report_reserved(const struct session *s, const struct setup *setup, int64_t window)
{
	const struct turn *t = session_last_answer(s);
	int64_t most = setup_max_tokens(setup);
	bool same = str_is(str_from(setup->target.model), t->scope.model) && str_is(str_from(t->scope.provider), setup->target.provider->name);

	if (!setup->target.protocol->window_holds_maximum || (same && t->usage.of[USAGE_PROMPT].number + most > window))
		return 0;
	return most;
}

bool cost_report_overflows(struct session *s, struct model_list *models, struct str prompt, struct buf *sentence)
{
	int64_t used = conversation_context(session_conversation(s)).tokens;
	const struct model_terms *terms = model_list_terms(models);
	char needs[FIGURE_SIZE], window[FIGURE_SIZE], most[FIGURE_SIZE];
	struct error no_room;

	if (!used || !terms->context_tokens || session_is_editing(s))
		return false;
	int64_t reserved = cost_report_reserved(s, models->setup, terms->context_tokens);
	int64_t need = used + cost_report_estimate(s, prompt);
	if (need + reserved <= terms->context_tokens)
		return false;
	buf_printf(sentence, "This may not fit: it needs about %s", figure_of(needs, need, "token"));
	if (reserved)
		buf_printf(sentence, " and %s for the answer", figure_count(most, reserved));
	buf_printf(sentence, ", and the window of %s holds %s. ", models->setup->target.model, figure_count(window, terms->context_tokens));
	buf_printf(sentence, "A shorter prompt, %sa model with a larger window (/model) or a new conversation (/new) fits.",
	           session_can_compact(s, &no_room) ? "a summary of older turns (/compact), " : "");
	return true;
}

/* What Enter asks about or fetches first. */
static void cost_report_later(const struct context_size *named, struct buf *out)
{
	const struct estimate e = { .narrow = named->folders.text_bytes };
	char figure[FIGURE_SIZE];

	if (named->folders.count)
		buf_printf(out, "%s%s of %s%zu file%s, ~%s: chosen at Enter", out->len ? "   " : "",
		           named->folders.count == 1 ? "folder" : "folders", named->folders.cut ? "more than " : "", named->folders.files,
		           named->folders.files == 1 ? "" : "s", figure_of(figure, estimate_tokens(&e), "token"));
	if (named->fetched == 1)
		buf_printf(out, "%saddress: fetched at Enter", out->len ? "   " : "");
	else if (named->fetched)
		buf_printf(out, "%s%zu addresses: fetched at Enter", out->len ? "   " : "", named->fetched);
}

void cost_report_attached(const struct session *s, struct model_list *models, const struct context_size *named, struct buf *out)
{
	const struct model_terms *terms = model_list_terms(models);
	size_t count = session_attached(s) + (named ? named->files : 0);
	struct usage usage = { 0 };
	char figure[FIGURE_SIZE];
	struct estimate e = { .narrow = named ? named->text_bytes : 0 };

	session_estimate_attached(s, &e);
	int64_t tokens = estimate_tokens(&e);

	if (count)
		buf_printf(out, "%zu file%s", count, count == 1 ? "" : "s");
	if (tokens)
		buf_printf(out, "  ~%s", figure_of(figure, tokens, "token"));
	usage.of[USAGE_PROMPT] = (struct count)COUNT_SENT(tokens);
	usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(0);
	struct cost cost = cost_of(&usage, MONEY_UNKNOWN, &terms->prices);
	if (tokens && terms->prices_from && !cost.is_unknown)
		buf_printf(out, "  %s", figure_cost(figure, cost));
	if (named)
		cost_report_later(named, out);
}

#define NEARLY_FULL 80u /* percent */

unsigned cost_report_percent_to_compact(struct session *s, struct model_list *models)
{
	int64_t window = model_list_terms(models)->context_tokens, used = conversation_context(session_conversation(s)).tokens;
	int64_t percent = window > 0 && used > 0 && used < INT64_MAX / 100 ? used * 100 / window : 0;
	struct error err;

	if (percent < NEARLY_FULL || !session_can_compact(s, &err))
		return 0;
	return percent > 999 ? 999 : (unsigned)percent;
}
