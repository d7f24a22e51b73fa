#include "app/actions.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"
#include "store/paths.h"

static void PRINTF_LIKE(2, 3) act_say(const struct actor *a, const char *format, ...)
{
	char sentence[sizeof(struct error)];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	a->say(a->ctx, sentence);
}

/* --- whom to ask --- */

void act_model(const struct actor *a, struct str name)
{
	setup_use_model(a->setup, name);
	act_say(a, "model %s from the next turn on", a->setup->target.model);
}

void act_protocol(const struct actor *a, struct str name)
{
	const struct protocol *protocol = protocol_find(name);

	if (!protocol || !provider_offers(a->setup->target.provider, protocol)) {
		act_say(a, "%s does not offer a protocol %.*s", a->setup->target.provider->name, STR_ARG(name));
		return;
	}
	setup_use_protocol(a->setup, protocol);
	act_say(a, "protocol %s from the next turn on", protocol->name);
}

void act_provider(const struct actor *a, struct str name)
{
	struct provider *provider = providers_find(a->setup->providers, name);

	if (!provider) {
		act_say(a, "there is no provider %.*s", STR_ARG(name));
		return;
	}
	setup_use_provider(a->setup, provider);
	act_say(a, "provider %s from the next turn on", provider->name);
}

/* --- what goes with the next request --- */

void act_attach(const struct actor *a, struct str path)
{
	struct error err = { "" };
	char *name = path_expand(path);

	if (!path.len && session_attached(a->session))
		act_say(a, "nothing goes with the next prompt any more");
	else if (!path.len)
		act_say(a, "/attach FILE adds a file to the next prompt");
	if (!path.len)
		session_detach(a->session);
	else if (session_attach(a->session, name, &err))
		act_say(a, "%s goes with the next prompt", name);
	else
		act_say(a, "%s", err.text);
	mem_free(name);
}

typedef bool read_file(struct setup *s, const char *path, struct error *err);

static void act_set_file(const struct actor *a, struct str path, const char *what, read_file *read)
{
	struct error err = { "" };
	char *name = path_expand(path);

	if (!read(a->setup, path.len ? name : NULL, &err))
		act_say(a, "%s", err.text);
	else if (path.len)
		act_say(a, "%s from %s, from the next turn on", what, name);
	else
		act_say(a, "no %s any more", what);
	mem_free(name);
}

void act_tools(const struct actor *a, struct str path)
{
	act_set_file(a, path, "tools", setup_read_tools);
}

void act_schema(const struct actor *a, struct str path)
{
	act_set_file(a, path, "schema", setup_read_schema);
}

void act_system(const struct actor *a, struct str text)
{
	setup_use_system(a->setup, text);
	act_say(a, text.len ? "system prompt set, from the next turn on" : "no system prompt, from the next turn on");
}

void act_reasoning(const struct actor *a, struct str name)
{
	enum reasoning_level level;

	if (!reasoning_level_find(name, &level)) {
		act_say(a, "/reasoning takes off, low, medium or high");
		return;
	}
	setup_use_reasoning(a->setup, level);
	act_say(a, "reasoning %s from the next turn on", reasoning_level_name(level));
}

/* --- the conversation --- */

bool act_asks(const struct actor *a)
{
	if (a->replay)
		act_say(a, "this is a replay: there is nobody to ask");
	return !a->replay;
}

bool act_retry(const struct actor *a)
{
	struct error err = { "" };

	if (!act_asks(a))
		return false;
	if (session_retry(a->session, &err))
		return true;
	act_say(a, "%s", err.text);
	return false;
}

bool act_continue(const struct actor *a)
{
	struct error err = { "" };

	if (!act_asks(a))
		return false;
	if (session_continue(a->session, &err))
		return true;
	act_say(a, "%s", err.text);
	return false;
}

bool act_new(const struct actor *a)
{
	if (!act_asks(a))
		return false;
	session_forget(a->session);
	act_say(a, "a new conversation");
	return true;
}

static struct source *act_player(const struct actor *a)
{
	const struct exchange *x = session_exchange(a->session);

	return x ? exchange_player(x) : NULL;
}

void act_pause(const struct actor *a, struct str argument)
{
	struct source *player = act_player(a);

	(void)argument;
	if (player)
		tape_player_pause(player, !tape_player_paused(player), clock_now_ms());
}

void act_step(const struct actor *a, struct str argument)
{
	struct source *player = act_player(a);

	(void)argument;
	if (!player)
		return;
	tape_player_pause(player, true, clock_now_ms());
	tape_player_step(player, clock_now_ms());
}
