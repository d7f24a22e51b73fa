#include "app/screen/services/host.h"

#include <stdarg.h>
#include <stdio.h>

#include "app/command/bindings.h"
#include "app/command/command.h"
#include "app/keep/budget.h"
#include "app/screen/services/mode.h"
#include "app/session/session.h"
#include "app/setup/setup.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"

#define SAY_MS 3000

bool host_is_over_budget(const struct host *h, struct buf *sentence)
{
	struct budget budget = budget_of_chat(h->setup, h->keep);

	if (!budget_is_spent(&budget))
		return false;
	if (sentence->len)
		buf_add_z(sentence, " ");
	budget_write_spent(&budget, sentence);
	return true;
}

static void host_say_args(const struct host *h, enum severity severity, const char *format, va_list args)
{
	char sentence[sizeof(struct error)];

	vsnprintf(sentence, sizeof sentence, format, args);
	h->ops->say(h->ctx, severity, SAY_MS, sentence);
}

void host_say(const struct host *h, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	host_say_args(h, SEVERITY_INFORMATION, format, args);
	va_end(args);
}

void host_fail(const struct host *h, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	host_say_args(h, SEVERITY_ERROR, format, args);
	va_end(args);
}

void host_say_for(const struct host *h, int64_t ms, const char *sentence)
{
	h->ops->say(h->ctx, SEVERITY_INFORMATION, ms, sentence);
}

void host_redraw(const struct host *h)
{
	h->ops->redraw(h->ctx);
}

void host_view(const struct host *h, struct view *view)
{
	h->ops->view(h->ctx, view);
}

struct turn *host_turn(const struct host *h)
{
	return h->ops->turn(h->ctx);
}

struct turn *host_answer(const struct host *h)
{
	const struct conversation *c = session_conversation(h->session);
	struct turn *t = host_turn(h);

	if (t && t->role != TURN_ASSISTANT)
		t = t->depth + 1 < c->count && conversation_shows(c, t) ? c->turns[t->depth + 1] : NULL;
	return t && t->role == TURN_ASSISTANT ? t : session_last_answer(h->session);
}

bool host_run(const struct host *h, struct str line)
{
	return h->ops->run(h->ctx, line);
}

bool host_may_run(const struct host *h, const struct command *command, const struct key *enter)
{
	if (!enter->at_once || !command->reads_file)
		return true;
	host_say(h, "/%s arrived at once, like a paste: Enter runs it", command->name);
	return false;
}

static void host_refuse_line(const struct host *h, const struct edit *line)
{
	struct buf sentence;

	buf_init(&sentence, BUF_LIMIT_DEFAULT);
	command_refuse(COMMAND_SCREEN, command_line_words(line), NULL, &sentence);
	host_say(h, "%s%s%s", buf_z(&sentence), *host_key(h, "search") ? "; to search: " : "", host_key(h, "search"));
	buf_fini(&sentence);
}

bool host_runs_line(const struct host *h, const struct edit *line, bool slashed, const struct key *enter, const struct mode *mode, void *part)
{
	const struct command *command;
	enum line_kind kind = command_line(line, slashed, &command);

	if (kind == LINE_BEGINS_COMMAND)
		host_refuse_line(h, line);
	if (kind == LINE_COMMAND && host_may_run(h, command, enter)) {
		char *words = str_dup(command_line_words(line));

		(void)mode_leave(mode, part);
		host_run(h, str_from(words));
		mem_free(words);
	}
	return kind != LINE_TEXT;
}

bool host_key_is(const struct host *h, const struct key *key, const char *command)
{
	return bindings_has(h->setup->bindings, key, command);
}

const char *host_key(const struct host *h, const char *command)
{
	return bindings_first(h->setup->bindings, command);
}

bool host_types(const struct host *h, const struct key *key)
{
	bool types = !h->replay && (key->code == KEY_TEXT || key->code == KEY_PASTE);

	if (types)
		stack_focus(h->stack, h->stack->home);
	return types;
}

void host_write(const struct host *h, struct str text)
{
	h->ops->write(h->ctx, text);
}

void host_close_cards(const struct host *h)
{
	h->ops->close_cards(h->ctx);
}

void host_settings_changed(const struct host *h, const char *name)
{
	h->ops->settings_changed(h->ctx, name);
}

static void host_say_sentence(void *host, enum severity severity, const char *sentence)
{
	const struct host *h = host;

	h->ops->say(h->ctx, severity, SAY_MS, sentence);
}

void host_reread(const struct host *h)
{
	h->ops->reread(h->ctx);
}

static void host_mark(void *host, const char *folder)
{
	const struct host *h = host;

	h->ops->mark(h->ctx, folder);
}

static void host_fill(void *host, struct str text, bool is_line)
{
	const struct host *h = host;

	h->ops->fill(h->ctx, text, is_line);
}

struct actor host_actor(const struct host *h)
{
	return (struct actor){ .setup = h->setup, .session = h->session, .keep = h->keep, .collecting = h->collecting, .replay = h->replay,
	                       .mark = host_mark, .fill = host_fill, .say = host_say_sentence, .ctx = (void *)h };
}
