#include "app/command/actions_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command/collecting.h"
#include "app/keep/budget.h"
#include "app/session/session.h"
#include "app/session/session_tree.h"
#include "app/setup/parameter_change.h"
#include "app/setup/provider_setup.h"
#include "app/setup/setup.h"
#include "base/names.h"
#include "base/utf8.h"
#include "chat/conversation/conversation.h"
#include "chat/player/player.h"
#include "chat/conversation/figure.h"

static void act_say_args(const struct actor *a, enum severity severity, const char *format, va_list args)
{
	char sentence[sizeof(struct error)];

	vsnprintf(sentence, sizeof sentence, format, args);
	a->say(a->ctx, severity, sentence);
}

void act_say(const struct actor *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	act_say_args(a, SEVERITY_INFORMATION, format, args);
	va_end(args);
}

void act_fail(const struct actor *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	act_say_args(a, SEVERITY_ERROR, format, args);
	va_end(args);
}

/* --- the target --- */

/* Reports what is in use from now on, or that the choice could not be kept for later runs. */
static void act_say_chosen(const struct actor *a, const char *what, const char *name)
{
	struct error err = { "" };

	if (a->replay || setup_choose_target(a->setup, &err))
		act_say(a, "%s %s from the next turn on", what, name);
	else
		act_fail(a, "%s %s from the next turn on, for this run: %s", what, name, err.text);
}

void act_model(const struct actor *a, struct str name)
{
	setup_use_model(a->setup, name);
	act_say_chosen(a, "model", a->setup->target.model);
}

void act_protocol(const struct actor *a, struct str name)
{
	const struct protocol *protocol = protocol_find(name);

	if (!protocol || !provider_offers(a->setup->target.provider, protocol)) {
		act_say(a, "%s does not offer a protocol %.*s", a->setup->target.provider->name, STR_ARG(name));
		return;
	}
	setup_use_protocol(a->setup, protocol);
	act_say_chosen(a, "protocol", protocol->name);
}

bool act_provider(const struct actor *a, struct str words, const struct provider **p)
{
	struct str rest, first = str_first_word(words, &rest);
	bool sets_up = str_is(first, "setup");
	struct provider *provider = providers_find(a->setup->providers, sets_up ? rest : words);

	bool adds = str_is(words, "add");

	*p = adds ? NULL : provider;
	if (adds || (provider && (sets_up || provider_wants_setup(provider))))
		return true;
	if (!provider) {
		act_say(a, "there is no provider %.*s", STR_ARG(sets_up ? rest : words));
		return false;
	}
	setup_use_provider(a->setup, provider);
	act_say_chosen(a, "provider", provider->name);
	return false;
}

static void act_say_role(const struct actor *a, const struct role *role)
{
	struct buf facts = { 0 };

	role_write_facts(role, &facts);
	act_say(a, "role %s (%s) from the next turn on; /role off drops it", role->name, buf_z(&facts));
	buf_fini(&facts);
}

/* --- options of the following requests --- */

bool act_is_off(struct str argument)
{
	return str_is(argument, "off");
}

#define SYSTEM_BYTES 80u /* how much of the system prompt's beginning is shown */

static void act_tell_system(const struct actor *a)
{
	char words[SYSTEM_BYTES + 1];
	struct str text = setup_system(a->setup);
	struct str told = utf8_head(text, SYSTEM_BYTES);

	if (!text.len) {
		act_say(a, "no system prompt is set; /system TEXT sets one");
		return;
	}
	snprintf(words, sizeof words, "%.*s", STR_ARG(told));
	for (char *at = words; *at; at++)
		if (*at == '\n' || *at == '\t')
			*at = ' ';
	act_say(a, "system prompt: %s%s; /system off removes it", words, told.len < text.len ? "\u2026" : "");
}

void act_system(const struct actor *a, struct str text)
{
	if (!text.len) {
		act_tell_system(a);
		return;
	}
	setup_use_system(a->setup, act_is_off(text) ? STR("") : text);
	act_say(a, act_is_off(text) ? "no system prompt, from the next turn on" : "system prompt set, from the next turn on");
}

void act_reasoning(const struct actor *a, struct str name)
{
	enum reasoning_level level;

	if (!reasoning_level_find(name, &level)) {
		act_say(a, "/reasoning takes off, low, medium or high");
		return;
	}
	struct parameters own = a->setup->parameters;
	own.reasoning = level;
	setup_use_parameters(a->setup, &own);
	act_say(a, "reasoning %s from the next turn on", reasoning_level_name(level));
}

static void act_tell_server_tools(const struct actor *a, unsigned wanted)
{
	const struct target *target = &a->setup->target;
	unsigned offered = setup_offered_server_tools(a->setup);
	struct buf on = { 0 }, all = { 0 };

	server_tools_write(wanted, ", ", &on);
	server_tools_write(offered, ", ", &all);
	act_say(a, "server tools: %s; %s at %s has %s; off asks for none", on.len ? buf_z(&on) : "none", target->protocol->name,
	        target->provider->name, all.len ? buf_z(&all) : "none");
	buf_fini(&on);
	buf_fini(&all);
}

void act_server_tools(const struct actor *a, struct str names)
{
	struct buf on = { 0 };
	struct error err = { "" };

	if (!names.len) {
		act_tell_server_tools(a, setup_server_tools(a->setup));
	} else if (!parameter_change(a->setup, PARAMETER_SERVER_TOOLS, names, &err)) {
		act_fail(a, "%s", err.text);
	} else {
		server_tools_write(setup_server_tools(a->setup), ", ", &on);
		act_say(a, "server tools %s, from the next turn on", on.len ? buf_z(&on) : "off");
	}
	buf_fini(&on);
}

/* --- roles and parameters --- */

void act_role(const struct actor *a, struct str name)
{
	const struct role *old = a->setup->role.role, *role = NULL;
	struct error err = { "" };

	if (!act_is_off(name) && !(role = setup_role_named(a->setup, name, &err))) {
		act_fail(a, "%s", err.text);
		return;
	}
	if (!setup_use_role(a->setup, role, &err))
		act_fail(a, "%s", err.text);
	else if (role)
		act_say_role(a, role);
	else
		act_say(a, old ? "no role any more, from the next turn on" : "no role is set");
}

static void act_tell_parameter(const struct actor *a, enum parameter which)
{
	struct buf words = { 0 }, range = { 0 };

	parameter_words(a->setup, which, &words);
	parameter_write_range(which, a->setup->target.protocol, &range);
	act_say(a, "%s: %s; it can be %s; off resets it", parameter_name(which), buf_z(&words), buf_z(&range));
	buf_fini(&words);
	buf_fini(&range);
}

void act_parameters(const struct actor *a, struct str words)
{
	size_t end = str_find(words, STR(" "));
	struct str name = str_head(words, end), value = str_trim(str_skip(words, end));
	struct error err = { "" };
	struct buf now = { 0 };
	enum parameter which;

	if (act_is_off(words)) {
		setup_use_parameters(a->setup, &parameters_unset);
		act_say(a, "no parameter is set here any more");
	} else if (!parameter_find(name, &which)) {
		names_write_choice(parameter_name_at, NULL, &now);
		act_say(a, "/parameters takes %s, and a value", buf_z(&now));
	} else if (!value.len) {
		act_tell_parameter(a, which);
	} else if (!parameter_change(a->setup, which, value, &err)) {
		act_fail(a, "%s", err.text);
	} else {
		parameter_words(a->setup, which, &now);
		act_say(a, "%s: %s, from the next turn on", parameter_name(which), buf_z(&now));
	}
	buf_fini(&now);
}

static bool act_take_template(const struct actor *a, const struct template *t, struct error *err)
{
	const struct role *role = t->role ? setup_role_named(a->setup, str_from(t->role), err) : NULL;

	if (t->role && (!role || !setup_use_role(a->setup, role, err)))
		return false;
	if (t->model)
		setup_use_model(a->setup, str_from(t->model));
	return true;
}

bool act_fill_template(const struct actor *a, struct str line, struct buf *out)
{
	size_t end = str_find(line, STR(" "));
	struct template_words with;
	struct error err = { "" };
	const struct template *t = setup_template_named(a->setup, str_head(line, end), &err);
	bool good = t != NULL;

	if (good) {
		template_split(t, str_skip(line, end), &with);
		good = template_fill(t, &with, out, &err) && act_take_template(a, t, &err);
	}
	if (!good)
		act_fail(a, "%s", err.text);
	else if (t->role || t->model)
		act_say(a, "template %s: %s%s%s%s%s from the next turn on", t->name, t->role ? "role " : "", t->role ? t->role : "",
		        t->role && t->model ? ", " : "", t->model ? "model " : "", t->model ? t->model : "");
	return good;
}

bool act_server_prompt(const struct actor *a, struct str line)
{
	struct str words, word = str_first_word(line, &words), prompt;
	size_t server;

	if (a->replay || !setup_find_server(a->setup, word, &server, &prompt) || !prompt.len)
		return false;
	collecting_ask_prompt(a->collecting, a, server, line);
	return true;
}

/* --- the conversation --- */

bool act_asks(const struct actor *a)
{
	if (a->replay)
		act_say(a, "this does not work in a replay");
	return !a->replay;
}

bool act_may_spend(const struct actor *a, const char *what)
{
	struct buf sentence = { 0 };
	bool may = budget_lets(a->setup, a->keep, a->unattended ? NULL : what, &sentence);

	if (!may)
		act_say(a, "%s %s", buf_z(&sentence), a->unattended ? "Nothing was sent." : "Once more sends it.");
	buf_fini(&sentence);
	return may;
}

bool act_may_send_queued(const struct actor *a)
{
	return act_may_spend(a, BUDGET_QUEUE);
}

void act_tell_left(const struct actor *a)
{
	unsigned left = session_left(a->session);

	if (left)
		act_say(a, "%u later turn%s in another branch: /tree lists it", left, left == 1 ? " is" : "s are");
}

bool act_retry(const struct actor *a)
{
	struct error err = { "" };

	if (!act_asks(a) || (session_can_retry(a->session, &err) && !act_may_spend(a, "retry")))
		return false;
	if (session_retry(a->session, a->turn, &err))
		return true;
	act_fail(a, "%s", err.text);
	return false;
}

bool act_continue(const struct actor *a)
{
	struct error err = { "" };

	if (!act_asks(a) || (session_can_continue(a->session, &err) && !act_may_spend(a, "continue")))
		return false;
	if (session_continue(a->session, &err))
		return true;
	act_fail(a, "%s", err.text);
	return false;
}

bool act_compact(const struct actor *a, struct str words)
{
	char figure[FIGURE_SIZE];
	struct error err = { "" };

	if (!act_asks(a))
		return false;
	if (session_can_compact(a->session, &err) && !act_may_spend(a, "compact"))
		return false;
	int64_t tokens = session_compact_tokens(a->session); /* of the path that is left now */
	if (!session_compact(a->session, words, &err)) {
		act_fail(a, "%s", err.text);
		return false;
	}
	act_say(a, "%s summarizes ~%s of earlier turns; /stop leaves all as it was", a->setup->target.model, figure_of(figure, tokens, "token"));
	return true;
}

bool act_new(const struct actor *a)
{
	if (!act_asks(a))
		return false;
	session_forget(a->session);
	act_say(a, "a new conversation");
	return true;
}

void act_rename(const struct actor *a, struct str title)
{
	struct error err = { "" };
	struct buf now = { 0 };
	int64_t row = keep_current(a->keep);

	if (!row && !title.len) {
		act_say(a, keep_unkept(a->keep) ? "nothing of this conversation is kept, so it has no title"
		                                : "no title yet: the first prompt makes one; /rename TITLE sets another");
	} else if ((title.len && !keep_rename(a->keep, row, title, &err)) || (row && !keep_read_title(a->keep, row, &now, &err))) {
		act_fail(a, "%s", err.text);
	} else if (!row) {
		error_set(&err, "the title is %.*s, from the first prompt on", STR_ARG(title));
		act_say(a, "%s", err.text);
	} else {
		error_set(&err, "the title is %s%s", buf_z(&now), title.len ? "" : "; /rename TITLE changes it"); /* clean of what it may hold */
		act_say(a, "%s", err.text);
	}
	buf_fini(&now);
}

void act_private(const struct actor *a, struct str argument)
{
	struct error sentence = { "" };

	(void)argument;
	if (!act_asks(a))
		return;
	keep_toggle_private(a->keep, &sentence);
	act_say(a, "%s", sentence.text);
}

#define REPLAY_ENDED "the replay is at its end"

void act_pause(const struct actor *a, struct str argument)
{
	struct player *player = session_player(a->session);

	(void)argument;
	if (player && !player_at_end(player))
		player_pause(player, !player_paused(player), clock_now_ms());
	else
		act_say(a, REPLAY_ENDED);
}

void act_step(const struct actor *a, struct str argument)
{
	struct player *player = session_player(a->session);

	(void)argument;
	if (player && !player_step_frame(player, 1, clock_now_ms()))
		act_say(a, REPLAY_ENDED);
}

/* A number without an exponent, as people type it. False: it is not one. */
static bool act_number(struct str text, double *number)
{
	char copy[32], *end;

	if (!text.len || text.len >= sizeof copy)
		return false;
	memcpy(copy, text.ptr, text.len);
	copy[text.len] = 0;
	*number = strtod(copy, &end);
	return !*end && strspn(copy, "0123456789.") == text.len;
}

void act_speed(const struct actor *a, struct str words)
{
	struct player *player = session_player(a->session);
	double speed = 0;

	if (!player)
		return;
	if (!str_is(words, "max") && (!act_number(words, &speed) || speed <= 0 || speed > 1000)) {
		act_say(a, "/speed takes a number above 0, at most 1000, or max");
		return;
	}
	player_set_speed(player, speed, clock_now_ms());
	act_say(a, "speed %.*s", STR_ARG(words));
}

/* The time that a place means. */
static bool act_place_ms(const struct player *player, struct str place, int64_t now_ms, double *at_ms)
{
	bool ahead = str_starts(place, "+"), back = str_starts(place, "-"), share = str_ends(place, "%");
	struct str digits = str_skip(place, ahead || back);
	double number;

	if (share)
		digits.len--;
	if (!act_number(digits, &number))
		return false;
	double by_ms = share ? number / 100 * player_length_ms(player) : number * 1000;
	*at_ms = ahead ? player_position_ms(player, now_ms) + by_ms : back ? player_position_ms(player, now_ms) - by_ms : by_ms;
	return true;
}

#define FRAMES_BEYOND 1e15 /* more than any tape has */

void act_seek(const struct actor *a, struct str place, bool on)
{
	struct player *player = session_player(a->session);
	int64_t now_ms = clock_now_ms();
	double at_ms, frame;

	if (!player)
		return;
	bool is_frame = str_starts(place, "#") && act_number(str_skip(place, 1), &frame);
	if (!is_frame && !act_place_ms(player, place, now_ms, &at_ms))
		act_say(a, "/seek takes seconds (12.5, +5, -5), a percentage (50%%) or a frame (#118)");
	else if (on && (is_frame ? frame < (double)player_frame(player) : at_ms < player_position_ms(player, now_ms)))
		act_say(a, "in this mode a replay only goes on: what was printed stays; weir replay --frame N --text prints an earlier state");
	else if (is_frame)
		(void)player_seek_frame(player, frame < FRAMES_BEYOND ? (size_t)frame : SIZE_MAX, now_ms);
	else
		(void)player_seek_ms(player, at_ms, now_ms);
}
