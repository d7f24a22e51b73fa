#include "app/options/options.h"
#include "app/options/subcommand.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/setup/model_list.h"
#include "app/setup/setup.h"
#include "app/system/columns.h"
#include "app/system/environment.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "base/json_write.h"
#include "chat/exchange/models.h"

struct listing {
	struct models *models;
	bool stopped;
};

static size_t listing_fds(void *listing, struct pollfd *fds, size_t room)
{
	return room ? models_fds(((struct listing *)listing)->models, fds) : 0;
}

static int64_t listing_deadline(void *listing)
{
	return models_deadline(((struct listing *)listing)->models);
}

static void listing_run(void *listing, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	(void)fds, (void)count;
	models_run(((struct listing *)listing)->models, now_ms);
}

#define ID_MOST 48u /* columns; the facts of longer ids stand farther to the right */

static void listing_write_lines(const struct models *models, bool for_people, struct buf *out)
{
	struct columns columns = { .count = 2, .most = ID_MOST };
	struct buf facts = { 0 };

	for (size_t i = 0; i < models_count(models); i++) {
		buf_clear(&facts);
		model_facts_text(models_at(models, i), &facts);
		columns_add(&columns, str_from(models_at(models, i)->id));
		columns_add(&columns, buf_str(&facts));
	}
	columns_write(&columns, for_people, out);
	columns_fini(&columns);
	buf_fini(&facts);
}

/* The price of "prompt_tokens" is "prompt_price". */
static void listing_write_prices(struct json_writer *w, const struct prices *prices)
{
	for (enum usage_figure figure = 0; figure < USAGE_FIGURE_COUNT; figure++) {
		const char *member = usage_row(figure)->member;
		char key[40];

		if (!usage_price(figure)->name)
			continue;
		snprintf(key, sizeof key, "%.*sprice", (int)(strlen(member) - strlen("tokens")), member);
		json_key(w, key);
		if (prices->of[figure].known)
			json_real(w, prices->of[figure].usd);
		else
			json_null(w);
	}
}

static void listing_write_json(const struct models *models, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_array(&w);
	for (size_t i = 0; i < models_count(models); i++) {
		const struct model *model = models_at(models, i);

		json_open_object(&w);
		json_member_string(&w, "id", str_from(model->id));
		json_member_string_or_null(&w, "name", str_from(model->name));
		json_member_count_or_null(&w, "context_tokens", model->context_tokens);
		json_member_count_or_null(&w, "output_tokens", model->output_tokens);
		listing_write_prices(&w, &model->prices);
		json_member_string_or_null(&w, "note", str_from(model->note));
		json_close_object(&w);
	}
	json_close_array(&w);
	buf_add_byte(out, '\n');
}

/* --- --check-prices --- */

struct check {
	struct columns columns;
	size_t compared, differing;
};

static void check_differs(struct check *c, const char *id, const char *what, const char *here, double ours, double listed)
{
	struct buf text = { 0 };

	columns_add(&c->columns, str_from(id));
	columns_add(&c->columns, str_from(what));
	buf_printf(&text, "%.10g in %s, %.10g in the list", ours, here, listed);
	columns_add(&c->columns, buf_str(&text));
	buf_fini(&text);
	c->differing++;
}

static void check_prices(struct check *c, const struct model *model, const char *here, const struct prices *ours)
{
	for (enum usage_figure figure = 0; figure < USAGE_FIGURE_COUNT; figure++) {
		struct money own = ours->of[figure], listed = model->prices.of[figure];
		double apart = own.usd - listed.usd;

		if (own.known && listed.known && (apart > 1e-9 || apart < -1e-9))
			check_differs(c, model->id, usage_price(figure)->name, here, own.usd, listed.usd);
	}
}

/* What the list says of a model against the table and the user's prices. */
static void check_model(struct check *c, const struct price_table *user, const struct model *model)
{
	struct prices prices;
	bool by_user = price_table_prices(user, str_from(model->id), &prices);

	if (!prices_are_known(&model->prices) || (!by_user && !model->known))
		return;
	c->compared++;
	if (by_user)
		check_prices(c, model, "weir.conf", &prices);
	if (!model->known)
		return;
	prices = known_model_prices(model->known, 0);
	check_prices(c, model, "weir's table", &prices);
	if (model->context_tokens > 0 && model->context_tokens != model->known->context_tokens)
		check_differs(c, model->id, "context", "weir's table", (double)model->known->context_tokens, (double)model->context_tokens);
}

static int listing_check(const struct setup *s, const struct models *models)
{
	struct check c = { .columns = { .count = 3, .most = ID_MOST } };
	struct buf text = { 0 };

	for (size_t i = 0; i < models_count(models); i++)
		check_model(&c, &s->settings.prices, models_at(models, i));
	columns_write(&c.columns, isatty(STDOUT_FILENO), &text);
	columns_fini(&c.columns);
	int status = output_print(STDOUT_FILENO, &text, c.differing ? EXIT_LOCAL : EXIT_DONE);
	if (c.compared)
		complain("%zu of the %zu models of %s have prices to compare; %zu figures differ", c.compared, models_count(models),
		         s->target.provider->name, c.differing);
	else
		complain("the list of %s has no prices of models that weir knows: there is nothing to compare", s->target.provider->name);
	return status;
}

static int listing_print(const struct models *models, bool json)
{
	struct buf text = { 0 }; /* large enough: at most 32 MB were read, and a byte becomes at most six */

	if (json)
		listing_write_json(models, &text);
	else
		listing_write_lines(models, isatty(STDOUT_FILENO), &text);
	return output_print(STDOUT_FILENO, &text, EXIT_DONE);
}

static int listing_fetch(struct setup *s, const struct options *o)
{
	struct listing l = { 0 };
	struct signals_listener listener = { .take = signals_take_end, .ctx = &l.stopped };
	struct loop_member signals = signals_member(&listener);
	struct str base_url;
	struct error err;
	int status;

	if (!setup_base_url(s, &base_url, &err)) {
		complain("%s", err.text);
		return EXIT_LOCAL;
	}
	l.models = models_new(s->http, s->target.provider, s->target.protocol, base_url, process_environment, o->allow_http);
	loop_add(s->loop, &signals);
	loop_add(s->loop, &(struct loop_member){ .ctx = &l, .fds = listing_fds, .deadline = listing_deadline, .run = listing_run });
	models_fetch(l.models, clock_now_ms());
	while (models_state(l.models) == MODELS_FETCHING && !l.stopped)
		loop_turn(s->loop);
	loop_remove(s->loop, &l);
	loop_remove(s->loop, &listener);
	if (models_state(l.models) == MODELS_READY) {
		model_list_keep(s, s->target.provider, s->target.protocol, l.models);
		status = o->check_prices ? listing_check(s, l.models) : listing_print(l.models, o->json);
		if (models_are_cut(l.models))
			complain("note: %s has more models: these are the first %zu", s->target.provider->name, models_count(l.models));
	} else if (l.stopped) {
		status = EXIT_CANCELLED;
	} else {
		complain("%s", models_error(l.models)->text);
		status = EXIT_ERROR;
	}
	models_free(l.models);
	return status;
}

int run_models(const struct options *o)
{
	struct setup setup;
	struct error err;
	int status;

	if (o->argument_count)
		return usage_error("models takes no argument '%s'; name a provider with -p", o->arguments[0]);
	status = setup_init(&setup, o, &err) && setup_has_provider(&setup, &err) ? listing_fetch(&setup, o) : usage_error("%s", err.text);
	setup_fini(&setup);
	signals_close();
	return status;
}
