#include "app/chat/host.h"

#include <stdarg.h>
#include <stdio.h>

#define SAY_MS 3000

void host_say(const struct host *h, const char *format, ...)
{
	char sentence[sizeof(struct error)];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	h->ops->say(h->ctx, SAY_MS, sentence);
}

void host_say_for(const struct host *h, int64_t ms, const char *sentence)
{
	h->ops->say(h->ctx, ms, sentence);
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

bool host_key_is(const struct host *h, const struct key *key, const char *command)
{
	return bindings_has(h->setup->bindings, key, command);
}

const char *host_key(const struct host *h, const char *command)
{
	return bindings_first(h->setup->bindings, command);
}

void host_settings_changed(const struct host *h, const char *name)
{
	h->ops->settings_changed(h->ctx, name);
}

static void host_say_sentence(void *host, const char *sentence)
{
	host_say(host, "%s", sentence);
}

struct actor host_actor(const struct host *h)
{
	return (struct actor){ .setup = h->setup, .session = h->session, .keeping = h->keeping, .replay = h->replay, .say = host_say_sentence, .ctx = (void *)h };
}
