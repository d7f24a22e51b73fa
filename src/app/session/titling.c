#include "app/session/titling.h"

#include <math.h>
#include <string.h>

#include "app/session/session_tree.h"
#include "app/setup/setup.h"
#include "app/system/loop.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/summary.h"
#include "store/config/settings.h"

#define TITLE_WORDS \
	"Write a title of at most six words for this conversation, in its language. Answer with the title only: one line, no quotes.\n\n"
#define TITLE_TOKENS 200            /* some models reason before they answer */
#define TITLE_BYTES ((size_t)2 << 10) /* of the question, and of the answer */
#define SAME "same"

void titling_init(struct titling *t, struct setup *setup, struct session *session, const struct model_list *models,
                  void (*titled)(void *ctx, const char *title), void *ctx)
{
	*t = (struct titling){ .setup = setup, .session = session, .titled = titled, .ctx = ctx };
	awaited_init(&t->awaited, setup, &(struct awaited_owner){ .models = models, .ctx = t });
}

static void titling_stop(struct titling *t)
{
	awaited_drop(&t->awaited);
	conversation_free(t->scratch);
	t->scratch = NULL;
}

void titling_fini(struct titling *t)
{
	titling_stop(t);
	awaited_fini(&t->awaited);
}

/* --- the title --- */

/* Removes quotes, markup and a leading "Title:". */
static struct str title_inside(struct str line)
{
	static const char *const around[] = { "\"", "'", "`", "*", "_", "#", " ", "\u201C", "\u201D", "\u2018", "\u2019", "\u201E", "\u00AB",
	                                      "\u00BB" };
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

/* The setting is PROVIDER/MODEL if there is that provider, else a model of the provider in use. False: no title is asked for. */
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

static void titling_begin(struct titling *t, struct provider *provider, const struct scope *scope, struct str model, struct str base_url)
{
	const struct dialect *dialect = provider == t->setup->target.provider ? t->setup->target.dialect : NULL;
	const struct target target = { .provider = provider, .protocol = scope->protocol, .dialect = dialect };
	struct owned_request *owned = &t->awaited.owned;

	owned->request = (struct request){ .max_tokens = TITLE_TOKENS, .temperature = NAN, .stream = true };
	owned->base_url = str_dup(base_url);
	owned_request_project(owned, t->scratch, scope);
	awaited_begin(&t->awaited, conversation_answer(t->scratch, str_from(provider->name), scope->protocol, model),
	              &(struct awaited_how){ .target = &target, .once = true, .limit_ms = TITLING_LIMIT_MS, .no_tape = true });
	t->conversation = session_number(t->session);
}

void titling_note(struct titling *t, const struct turn *answer)
{
	const struct settings *settings = &t->setup->settings;
	struct provider *provider;
	struct scope scope = { 0 };
	struct str model, base_url = STR("");
	struct error err;

	if (awaited_runs(&t->awaited) || !settings->title_model || settings->history == KEEP_NOTHING ||
	    session_conversation(t->session)->is_private || turn_is_summary(answer) ||
	    !titling_is_first(session_conversation(t->session), answer) ||
	    !titling_find_scope(t, answer, &scope, &provider, &model))
		return;
	if ((provider == t->setup->target.provider && !setup_base_url(t->setup, &base_url, &err)) || !session_goes_on(t->session, false))
		return;
	t->scratch = conversation_new();
	titling_ask(t->scratch, answer);
	titling_begin(t, provider, &scope, model, base_url);
}

/* --- the end --- */

static void titling_end(struct titling *t)
{
	struct turn *answer = t->awaited.turn;
	struct buf title = { 0 };

	if (answer->part_count || usage_is_known(&answer->usage))
		conversation_set_aside(session_conversation(t->session), answer);
	if (answer->outcome == OUTCOME_COMPLETE)
		titling_write(title_text(answer), &title);
	titling_stop(t);
	if (title.len)
		t->titled(t->ctx, buf_z(&title));
	buf_fini(&title);
}

/* --- the loop's member --- */

static void titling_run(void *awaited, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct titling *t = ((struct awaited *)awaited)->owner.ctx;

	if (t->scratch && t->conversation != session_number(t->session))
		titling_stop(t);
	awaited_run(awaited, fds, count, now_ms);
	if (awaited_is_over(awaited))
		titling_end(t);
}

struct loop_member titling_member(struct titling *t)
{
	struct loop_member member = awaited_member(&t->awaited);

	member.run = titling_run;
	return member;
}
