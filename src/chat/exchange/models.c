#include "chat/exchange/models.h"

#include "base/mem.h"
#include "base/redact.h"
#include "chat/exchange/outgoing.h"
#include "chat/exchange/refusal.h"
#include "chat/exchange/secret.h"
#include "chat/provider/models_read.h"
#include "net/head.h"

#define BODY_LIMIT ((size_t)8 << 20) /* of all pages: ten times the longest known list */
#define URL_LIMIT ((size_t)1 << 20)
#define PAGES_MAX 100

struct list {
	struct model *items;
	size_t count, capacity;
	bool cut;                    /* the server had more models */
};

struct models {
	struct http *http;
	struct provider *provider;
	const struct protocol *protocol;
	char *base_url;
	environment *env;
	bool allow_http;

	enum models_state state;
	struct error error;
	/* The current list, and the one being fetched. */
	struct list list, coming;
	int64_t fetched_ms;

	/* the running fetch */
	struct secret *secret;
	bool key_was_typed;
	struct source *source;
	bool page_over;              /* models_run() continues: a source cannot be freed in its own callback */
	/* Start of the fetch, and when the last bytes arrived. */
	int64_t started_ms, heard_ms;
	/* Of the pages completed so far. */
	size_t pages, bytes;
	struct buf url;              /* for display */
	struct buf body, next;
	int status;
	char *request_id;
	struct error broken;         /* why the transfer failed */
};

/* --- lists --- */

static void free_list(struct list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		mem_free(list->items[i].id);
		mem_free(list->items[i].name);
		mem_free(list->items[i].note);
	}
	mem_free(list->items);
	*list = (struct list){ 0 };
}

static char *models_copy(struct str text)
{
	return text.len ? str_dup(text) : NULL;
}

static void add_model(void *ctx, const struct model_facts *facts)
{
	struct list *list = ctx;

	if (!facts->id.len)
		return;
	if (list->count == MODELS_MOST) {
		list->cut = true;
		return;
	}
	*ARRAY_ADD(list->items, list->count, list->capacity) = (struct model){
		.id = str_dup(facts->id),
		.name = models_copy(facts->name),
		.note = models_copy(facts->note),
		.context_tokens = facts->context_tokens,
		.output_tokens = facts->output_tokens,
		.prices = facts->prices,
	};
}

/* --- end of a fetch --- */

static void clean_up(struct models *m)
{
	source_free(m->source);
	m->source = NULL;
	secret_free(m->secret);
	m->secret = NULL;
	m->page_over = false;
	free_list(&m->coming);
	buf_clear(&m->next);
	m->pages = m->bytes = 0;
}

static void models_fail(struct models *m)
{
	clean_up(m);
	m->state = MODELS_FAILED;
}

static void succeed(struct models *m, bool has_more)
{
	struct str base = STR_NONE;
	struct error err;

	(void)!provider_find_base_url(m->provider, m->protocol, str_from(m->base_url), &base, &err);
	free_list(&m->list);
	m->list = m->coming;
	for (size_t i = 0; i < m->list.count; i++)
		m->list.items[i].known = known_model_find(m->provider, m->env, base, str_from(m->list.items[i].id), NULL);
	m->list.cut |= has_more;
	m->coming = (struct list){ 0 };
	clean_up(m);
	m->state = MODELS_READY;
	m->fetched_ms = clock_now_ms();
}

/* --- one page --- */

static bool is_refused(const struct models *m)
{
	return m->status && m->status / 100 != 2;
}

static void models_on_head(void *ctx, const struct response_head *head, double at_ms)
{
	struct models *m = ctx;

	m->status = head->status;
	m->heard_ms = m->started_ms + (int64_t)at_ms;
	str_replace(&m->request_id, head_request_id(head));
}

static void models_on_body(void *ctx, struct str bytes, double at_ms)
{
	struct models *m = ctx;
	struct str kept = str_head(bytes, (is_refused(m) ? REFUSAL_BODY_LIMIT : BODY_LIMIT - m->bytes) - m->body.len);

	buf_add(&m->body, kept);
	m->heard_ms = m->started_ms + (int64_t)at_ms;
	if (kept.len == bytes.len || m->page_over)
		return;
	error_set(&m->broken, "the model list of %s is larger than %zu MB", m->provider->name, BODY_LIMIT >> 20);
	m->page_over = true;
	source_cancel(m->source);
}

static void models_on_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct models *m = ctx;

	(void)at_ms;
	m->page_over = true;
	if (how != END_CLOSED)
		error_set(&m->broken, "the model list of %s: %.*s", m->provider->name, STR_ARG(detail));
}

static bool models_find_url(struct models *m, struct buf *url, struct error *err)
{
	struct str base;

	return provider_find_base_url(m->provider, m->protocol, str_from(m->base_url), &base, err) &&
	       protocol_models_url(m->protocol, base, buf_str(&m->next), url, err);
}

static bool start_page(struct models *m, struct error *err)
{
	struct source_sink sink = { .ctx = m, .head = models_on_head, .body = models_on_body, .end = models_on_end };
	struct outgoing o = {
		.provider = m->provider,
		.protocol = m->protocol,
		.key = secret_value(m->secret),
		.env = m->env,
		.allow_http = m->allow_http,
	};
	struct buf url;
	bool exposed;
	bool started = false;

	buf_init(&url, URL_LIMIT);
	if (models_find_url(m, &url, err)) {
		buf_clear(&m->url);
		redact_url(buf_str(&url), &m->url);
		o.url = buf_z(&url);
		started = outgoing_check(&o, &exposed, err) && outgoing_start(&o, m->http, &sink, &m->source, err);
	}
	buf_fini(&url);
	return started;
}

static void request_page(struct models *m, int64_t now_ms)
{
	source_free(m->source);
	m->source = NULL;
	m->page_over = false;
	m->status = 0;
	str_replace(&m->request_id, STR_NONE);
	buf_clear(&m->body);
	m->broken.text[0] = '\0';
	m->started_ms = now_ms;
	m->pages++;
	if (!start_page(m, &m->error))
		models_fail(m);
}

static void explain_status(struct models *m)
{
	struct refusal refusal = {
		.status = m->status,
		.body = buf_str(&m->body),
		.request_id = str_from(m->request_id),
		.url = buf_str(&m->url),
		.had_key = secret_state(m->secret) == SECRET_FOUND,
		.key_was_typed = m->key_was_typed,
		.provider = m->provider,
		.protocol = m->protocol,
	};
	struct buf hint;

	buf_init(&hint, 16384);
	refusal_hint(&refusal, &hint);
	error_set(&m->error, "the model list: %s", buf_z(&hint));
	buf_fini(&hint);
}

static bool read_page(struct models *m)
{
	bool good = models_read(m->protocol, buf_str(&m->body), add_model, &m->coming, &m->next);

	m->bytes += m->body.len;
	return good || error_set(&m->error, "%s sent no model list for %s", m->provider->name, buf_z(&m->url));
}

static void take_page(struct models *m, int64_t now_ms)
{
	bool good = false;

	if (is_refused(m)) /* whatever way the transfer ended */
		explain_status(m);
	else if (m->broken.text[0])
		m->error = m->broken;
	else
		good = read_page(m);
	if (!good)
		models_fail(m);
	else if (m->next.len && m->pages < PAGES_MAX && m->coming.count < MODELS_MOST)
		request_page(m, now_ms);
	else
		succeed(m, m->next.len > 0);
}

/* --- fetching --- */

struct models *models_new(struct http *http, struct provider *provider, const struct protocol *protocol,
                          struct str base_url, environment *env, bool allow_http)
{
	struct models *m = mem_new(sizeof *m);

	m->http = http;
	m->provider = provider;
	m->protocol = protocol;
	m->base_url = str_dup(base_url);
	m->env = env;
	m->allow_http = allow_http;
	buf_init(&m->url, URL_LIMIT);
	buf_init(&m->body, BODY_LIMIT);
	buf_init(&m->next, URL_LIMIT);
	return m;
}

void models_free(struct models *m)
{
	if (!m)
		return;
	clean_up(m);
	free_list(&m->list);
	mem_free(m->request_id);
	mem_free(m->base_url);
	buf_fini(&m->url);
	buf_fini(&m->body);
	buf_fini(&m->next);
	mem_free(m);
}

static void use_key(struct models *m, int64_t now_ms)
{
	switch (secret_state(m->secret)) {
	case SECRET_WAITING:
		break;
	case SECRET_FAILED:
		m->error = *secret_error(m->secret);
		models_fail(m);
		break;
	case SECRET_FOUND:
	case SECRET_ABSENT:
		request_page(m, now_ms);
		break;
	}
}

static void models_begin(struct models *m, struct secret *secret, bool typed, int64_t now_ms)
{
	m->key_was_typed = typed;
	m->state = MODELS_FETCHING;
	m->status = 0;
	m->error.text[0] = '\0';
	m->secret = secret;
	use_key(m, now_ms);
}

void models_fetch(struct models *m, int64_t now_ms)
{
	if (m->state != MODELS_FETCHING)
		models_begin(m, secret_new(m->provider, m->env, now_ms), false, now_ms);
}

void models_fetch_with(struct models *m, struct str key, int64_t now_ms)
{
	if (m->state != MODELS_FETCHING)
		models_begin(m, secret_given(m->provider, key), true, now_ms);
}

void models_move(struct models *m, struct provider *provider)
{
	m->provider = provider;
}

size_t models_fds(const struct models *m, struct pollfd *fds)
{
	return m->secret && secret_fd(m->secret, fds) ? 1 : 0;
}

int64_t models_deadline(const struct models *m)
{
	const struct limits *limits = &m->provider->limits;

	if (m->state != MODELS_FETCHING)
		return NO_DEADLINE;
	if (m->page_over)
		return 0;
	if (!m->source)
		return secret_deadline(m->secret);
	if (is_refused(m) && limits->finish_ms > 0)
		return m->heard_ms + limits->finish_ms;
	return limits->first_byte_ms > 0 ? m->started_ms + limits->first_byte_ms : NO_DEADLINE;
}

void models_run(struct models *m, int64_t now_ms)
{
	if (m->state != MODELS_FETCHING)
		return;
	if (m->page_over) {
		take_page(m, now_ms);
	} else if (!m->source) {
		secret_run(m->secret, now_ms);
		use_key(m, now_ms);
	} else if (now_ms >= models_deadline(m) && is_refused(m)) {
		source_cancel(m->source);
		take_page(m, now_ms);
	} else if (now_ms >= models_deadline(m)) {
		error_set(&m->error, "the model list of %s did not come within %lld s (setting first_byte)", m->provider->name,
		          (long long)m->provider->limits.first_byte_ms / 1000);
		models_fail(m);
	}
}

/* --- public functions --- */

enum models_state models_state(const struct models *m)
{
	return m->state;
}

const struct error *models_error(const struct models *m)
{
	return &m->error;
}

int64_t models_fetched_ms(const struct models *m)
{
	return m->fetched_ms;
}

int models_status(const struct models *m)
{
	return m->status;
}

size_t models_count(const struct models *m)
{
	return m->list.count;
}

const struct model *models_at(const struct models *m, size_t index)
{
	return index < m->list.count ? &m->list.items[index] : NULL;
}

bool models_are_cut(const struct models *m)
{
	return m->list.cut;
}

static void add_price(struct buf *out, double price)
{
	buf_printf(out, price > 0 && price < 0.1 ? "$%.3g" : "$%.2f", price);
}

static void add_context(struct buf *out, long long tokens)
{
	if (tokens >= 1000000)
		buf_printf(out, "%.3g M context", (double)tokens / 1000000);
	else if (tokens >= 1000)
		buf_printf(out, "%lld k context", tokens / 1000);
	else if (tokens >= 0)
		buf_printf(out, "%lld context", tokens);
}

static void add_prices(struct buf *out, const struct model *model)
{
	bool listed = prices_are_known(&model->prices);
	struct prices prices = listed || !model->known ? model->prices : known_model_prices(model->known, 0);

	if (!prices_are_known(&prices))
		return;
	buf_add_z(out, listed ? "" : "~");
	add_price(out, prices.of[USAGE_PROMPT].usd);
	buf_add_z(out, " / ");
	add_price(out, prices.of[USAGE_COMPLETION].usd);
}

void model_facts_row(const struct model *model, struct buf *out)
{
	bool listed = model->context_tokens >= 0 || !model->known;

	buf_add_z(out, listed ? "" : "~");
	add_context(out, listed ? model->context_tokens : model->known->context_tokens);
	buf_add_z(out, MODEL_FACTS_BETWEEN);
	add_prices(out, model);
	buf_add_z(out, MODEL_FACTS_BETWEEN);
	if (model->note)
		buf_add_z(out, model->note);
}

void model_facts_text(const struct model *model, struct buf *out)
{
	struct buf row = { 0 };
	struct str rest, between = STR(MODEL_FACTS_BETWEEN);
	const char *gap = "";

	model_facts_row(model, &row);
	for (rest = buf_str(&row); rest.len;) {
		struct str fact = str_head(rest, str_find(rest, between));

		buf_printf(out, "%s%.*s", fact.len ? gap : "", STR_ARG(fact));
		gap = fact.len ? MODEL_FACTS_BETWEEN : gap;
		rest = str_skip(rest, fact.len + between.len);
	}
	buf_fini(&row);
}
