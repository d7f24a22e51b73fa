#include "app/session/titling.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define TITLE_WORDS \
	"Write a title of at most six words for this conversation, in its language. Answer with the title only: one line, no quotes.\n\n"
#define TITLE_TOKENS 200            /* some models reason before they answer */
#define TITLE_BYTES ((size_t)2 << 10) /* of the question, and of the answer */
#define SAME "same"

void titling_init(struct titling *t, struct setup *setup, struct session *session, struct model_list *models,
                  void (*titled)(void *ctx, const char *title), void *ctx)
{
	*t = (struct titling){ .setup = setup, .session = session, .models = models, .titled = titled, .ctx = ctx };
}

static void titling_stop(struct titling *t)
{
	exchange_free(t->exchange);
	projection_fini(&t->projection);
	conversation_free(t->scratch);
	t->exchange = NULL;
	t->scratch = NULL;
	t->answer = NULL;
}

void titling_fini(struct titling *t)
{
	titling_stop(t);
}

/* --- the title --- */

/* The words without what models put around a title. */
static struct str title_inside(struct str line)
{
	static const char *const around[] = { "\"", "'", "`", "*", "_", "#", " ", "\u201C", "\u201D", "\u2018", "\u2019", "\u201E", "\u00AB", "\u00BB" };
	bool again = true;

	if (str_is_nocase(str_head(str_trim(line), sizeof "title:" - 1), "title:"))
		line = str_skip(str_trim(line), sizeof "title:" - 1);
	while (again) {
		again = false;
		for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
			size_t length = strlen(around[i]);

			if (str_starts(line, around[i])) {
				line = str_skip(line, length);
				again = true;
			}
			if (str_ends(line, around[i])) {
				line.len -= length;
				again = true;
			}
		}
	}
	return line;
}

void titling_write(struct str words, struct buf *out)
{
	struct str line = STR_NONE;
	size_t cells = 0;

	do
		if (!str_split(&words, '\n', &line))
			return;
	while (str_is_blank(line));
	line = title_inside(str_trim(line));
	while (line.len && cells < TITLE_CELLS_MOST) {
		struct utf8_cell cell;
		bool is_control = (unsigned char)*line.ptr < ' ' || *line.ptr == 0x7F;

		line = str_skip(line, utf8_cell(line, &cell));
		if (is_control)
			buf_add_byte(out, ' ');
		else
			buf_add(out, str_of(cell.text, cell.len));
		cells += is_control ? 1u : cell.width;
	}
	if (line.len)
		buf_add_z(out, "\u2026");
}

static struct str title_text(const struct turn *t)
{
	for (size_t i = t->restarted_at; i < t->part_count; i++)
		if (t->parts[i].kind == PART_TEXT && !str_is_blank(buf_str(&t->parts[i].text)))
			return buf_str(&t->parts[i].text);
	return STR_NONE;
}

/* --- whether --- */

static bool title_ended_well(const struct turn *t)
{
	return t->ended && (t->outcome == OUTCOME_COMPLETE || t->outcome == OUTCOME_LENGTH) && title_text(t).len;
}

static bool titling_is_first(const struct conversation *c, const struct turn *answer)
{
	for (size_t i = 0; i < c->node_count; i++) {
		const struct turn *t = c->nodes[i];

		if (turn_is_aside(t) || (t != answer && t->role == TURN_ASSISTANT && title_ended_well(t)))
			return false;
	}
	return title_ended_well(answer) && answer->parent && title_text(answer->parent).len;
}

/* --- whom to ask --- */

/* PROVIDER/MODEL if there is that provider, else a model of the provider in use. False: nobody is asked. */
static bool titling_find_scope(const struct titling *t, const struct turn *answer, struct scope *scope, struct provider **provider, struct str *model)
{
	const struct target *target = &t->setup->target;
	struct str name = str_from(t->setup->settings.title_model);
	size_t slash = str_find(name, STR("/"));

	*provider = str_is(name, SAME) ? providers_find(t->setup->providers, str_from(answer->scope.provider)) : target->provider;
	*model = str_is(name, SAME) ? str_from(answer->scope.model) : name;
	scope->protocol = str_is(name, SAME) ? answer->scope.protocol : target->protocol;
	struct provider *named = slash < name.len ? providers_find(t->setup->providers, str_head(name, slash)) : NULL;
	if (named) {
		*provider = named;
		*model = str_skip(name, slash + 1);
		scope->protocol = named == target->provider ? target->protocol : named->protocols[0];
	}
	return *provider && scope->protocol && model->len && !(str_is(name, SAME) && provider_is_demo(*provider));
}

/* --- asking --- */

static void titling_ask(struct conversation *scratch, const struct turn *answer)
{
	struct turn *question = conversation_ask(scratch);
	struct buf text = { 0 };
	struct str asked = utf8_head(title_text(answer->parent), TITLE_BYTES), said = utf8_head(title_text(answer), TITLE_BYTES);

	buf_printf(&text, TITLE_WORDS "User:\n%.*s\n\nAssistant:\n%.*s", STR_ARG(asked), STR_ARG(said));
	turn_add(question, PART_TEXT, buf_str(&text), STR_NONE, STR_NONE);
	buf_fini(&text);
}

static void titling_to_answer(void *ctx, const struct delta *delta)
{
	struct titling *t = ctx;

	meter_delta(&t->answer->meter, delta);
	turn_delta(t->answer, delta);
}

static void titling_begin(struct titling *t, struct provider *provider, const struct scope *scope, struct str model, struct str base_url)
{
	t->answer = conversation_answer(t->scratch, str_from(provider->name), scope->protocol, model);
	conversation_project(t->scratch, 1, &t->answer->scope, &t->projection);
	t->request = (struct request){
		.model = str_from(t->answer->scope.model), .messages = t->projection.messages, .message_count = t->projection.count,
		.max_tokens = TITLE_TOKENS, .temperature = NAN, .stream = true,
	};
	struct exchange_options options = {
		.http = t->setup->http, .provider = provider, .protocol = scope->protocol,
		.dialect = provider == t->setup->target.provider ? t->setup->target.dialect : NULL, .base_url = base_url, .request = &t->request,
		.env = process_environment, .allow_http = t->setup->options->allow_http, .sink = titling_to_answer, .ctx = t,
	};
	t->exchange = exchange_new(&options, clock_now_ms());
	t->end_ms = clock_now_ms() + TITLING_LIMIT_MS;
	t->conversation = session_number(t->session);
}

void titling_note(struct titling *t, const struct turn *answer)
{
	const struct settings *settings = &t->setup->settings;
	struct provider *provider;
	struct scope scope = { 0 };
	struct str model, base_url = STR("");
	struct error err;

	if (t->exchange || !settings->title_model || settings->history == KEEP_NOTHING || session_conversation(t->session)->is_private || session_is_summary(answer) ||
	    !titling_is_first(session_conversation(t->session), answer) || !titling_find_scope(t, answer, &scope, &provider, &model))
		return;
	if (provider == t->setup->target.provider && !setup_base_url(t->setup, &base_url, &err))
		return;
	t->scratch = conversation_new();
	titling_ask(t->scratch, answer);
	titling_begin(t, provider, &scope, model, base_url);
}

/* --- the end --- */

static void titling_end(struct titling *t)
{
	struct buf title = { 0 };
	bool took = t->answer->part_count || usage_is_known(&t->answer->usage);

	if (took) {
		model_list_price(t->models, t->answer);
		conversation_set_aside(session_conversation(t->session), t->answer);
	}
	if (t->answer->outcome == OUTCOME_COMPLETE)
		titling_write(title_text(t->answer), &title);
	titling_stop(t);
	if (title.len)
		t->titled(t->ctx, buf_z(&title));
	buf_fini(&title);
}

/* --- the loop's member --- */

static size_t titling_fds(void *ctx, struct pollfd *fds, size_t room)
{
	struct titling *t = ctx;

	return t->exchange && room ? exchange_fds(t->exchange, fds) : 0;
}

static int64_t titling_deadline(void *ctx)
{
	struct titling *t = ctx;
	int64_t due_ms = t->exchange ? exchange_deadline(t->exchange) : NO_DEADLINE;

	return t->exchange && t->end_ms < due_ms ? t->end_ms : due_ms;
}

static void titling_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct titling *t = ctx;

	(void)fds, (void)count;
	if (!t->exchange)
		return;
	if (t->conversation != session_number(t->session)) {
		titling_stop(t);
		return;
	}
	exchange_run(t->exchange, now_ms);
	if (now_ms >= t->end_ms && !t->answer->ended)
		exchange_cancel(t->exchange, now_ms);
	if (t->answer->ended)
		titling_end(t);
}

struct loop_member titling_member(struct titling *t)
{
	return (struct loop_member){ t, titling_fds, titling_deadline, titling_run };
}
