#include "app/actions.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"
#include "store/paths.h"

static void PRINTF_LIKE(2, 3) say(const struct actor *a, const char *format, ...)
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
	say(a, "model %s from the next turn on", a->setup->target.model);
}

void act_protocol(const struct actor *a, struct str name)
{
	const struct protocol *protocol = protocol_find(name);

	if (!protocol || !provider_offers(a->setup->target.provider, protocol)) {
		say(a, "%s does not offer a protocol %.*s", a->setup->target.provider->name, STR_ARG(name));
		return;
	}
	setup_use_protocol(a->setup, protocol);
	say(a, "protocol %s from the next turn on", protocol->name);
}

void act_provider(const struct actor *a, struct str name)
{
	struct provider *provider = providers_find(a->setup->providers, name);

	if (!provider) {
		say(a, "there is no provider %.*s", STR_ARG(name));
		return;
	}
	setup_use_provider(a->setup, provider);
	say(a, "provider %s from the next turn on", provider->name);
}

/* --- what goes with the next request --- */

void act_attach(const struct actor *a, struct str path)
{
	struct error err = { "" };
	char *name = path_expand(path);

	if (!path.len && session_attached(a->session))
		say(a, "nothing goes with the next prompt any more");
	else if (!path.len)
		say(a, "/attach FILE adds a file to the next prompt");
	if (!path.len)
		session_detach(a->session);
	else if (session_attach(a->session, name, &err))
		say(a, "%s goes with the next prompt", name);
	else
		say(a, "%s", err.text);
	mem_free(name);
}

typedef bool read_file(struct setup *s, const char *path, struct error *err);

static void set_file(const struct actor *a, struct str path, const char *what, read_file *read)
{
	struct error err = { "" };
	char *name = path_expand(path);

	if (!read(a->setup, path.len ? name : NULL, &err))
		say(a, "%s", err.text);
	else if (path.len)
		say(a, "%s from %s, from the next turn on", what, name);
	else
		say(a, "no %s any more", what);
	mem_free(name);
}

void act_tools(const struct actor *a, struct str path)
{
	set_file(a, path, "tools", setup_read_tools);
}

void act_schema(const struct actor *a, struct str path)
{
	set_file(a, path, "schema", setup_read_schema);
}

void act_system(const struct actor *a, struct str text)
{
	setup_use_system(a->setup, text);
	say(a, text.len ? "system prompt set, from the next turn on" : "no system prompt, from the next turn on");
}

void act_reasoning(const struct actor *a, struct str name)
{
	enum reasoning_level level;

	if (!reasoning_level_find(name, &level)) {
		say(a, "/reasoning takes off, low, medium or high");
		return;
	}
	setup_use_reasoning(a->setup, level);
	say(a, "reasoning %s from the next turn on", reasoning_level_name(level));
}

/* --- the conversation --- */

bool act_asks(const struct actor *a)
{
	if (a->replay)
		say(a, "this is a replay: there is nobody to ask");
	return !a->replay;
}

bool act_retry(const struct actor *a)
{
	struct error err = { "" };

	if (!act_asks(a))
		return false;
	if (session_retry(a->session, &err))
		return true;
	say(a, "%s", err.text);
	return false;
}

bool act_continue(const struct actor *a)
{
	struct error err = { "" };

	if (!act_asks(a))
		return false;
	if (session_continue(a->session, &err))
		return true;
	say(a, "%s", err.text);
	return false;
}

bool act_new(const struct actor *a)
{
	if (!act_asks(a))
		return false;
	session_forget(a->session);
	say(a, "a new conversation");
	return true;
}

static struct source *player_of(const struct actor *a)
{
	const struct exchange *x = session_exchange(a->session);

	return x ? exchange_player(x) : NULL;
}

void act_pause(const struct actor *a, struct str argument)
{
	struct source *player = player_of(a);

	(void)argument;
	if (player)
		tape_player_pause(player, !tape_player_paused(player), clock_now_ms());
}

void act_step(const struct actor *a, struct str argument)
{
	struct source *player = player_of(a);

	(void)argument;
	if (!player)
		return;
	tape_player_pause(player, true, clock_now_ms());
	tape_player_step(player, clock_now_ms());
}
