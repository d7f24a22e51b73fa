#include "app/chat/player_keys.h"

#include "base/array.h"
#include "ui/term/key.h"

void player_keys_init(struct player_keys *p, const struct host *host)
{
	*p = (struct player_keys){ .host = host };
}

static struct player *player_of(const struct player_keys *p)
{
	return session_player(p->host->session);
}

/* --- what keys do --- */

static void say_no_more(const struct player_keys *p, int step)
{
	host_say(p->host, step > 0 ? "the replay is at its end" : "the replay is at its start");
}

void player_keys_step_back(struct player_keys *p)
{
	if (!player_step_frame(player_of(p), -1, clock_now_ms()))
		say_no_more(p, -1);
}

static void by_delta(struct player_keys *p, int step, int amount)
{
	(void)amount;
	if (!player_step_delta(player_of(p), step, clock_now_ms()))
		say_no_more(p, step);
}

/* By `amount` milliseconds of the tape. */
static void by_time(struct player_keys *p, int step, int amount)
{
	struct player *player = player_of(p);
	int64_t now_ms = clock_now_ms();

	if (!player_seek_ms(player, player_position_ms(player, now_ms) + (double)step * amount, now_ms))
		say_no_more(p, step);
}

static void to_stop(struct player_keys *p, int step, int what)
{
	static const char *const names[PLAYER_STOP_COUNT] = {
		[PLAYER_REASONING] = "reasoning", [PLAYER_CALL] = "tool call", [PLAYER_ERROR] = "error", [PLAYER_GAP] = "gap of a second or more",
		[PLAYER_USAGE] = "usage", [PLAYER_REPAIR] = "repair",
	};

	if (!player_find(player_of(p), (enum player_stop)what, step, clock_now_ms()))
		host_say(p->host, "no %s %s", names[what], step > 0 ? "ahead" : "before this");
}

/* --- the speed --- */

static const double speeds[] = { 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 0 /* as fast as possible */ };

/* The place of a speed among those; of another one, the place of the next higher one. */
static size_t speed_at(double speed)
{
	size_t at = 0;

	while (at + 1 < ARRAY_LEN(speeds) && (speed <= 0 || speeds[at] < speed))
		at++;
	return at;
}

static void by_speed(struct player_keys *p, int step, int amount)
{
	struct player *player = player_of(p);
	double speed = player_speed(player);
	size_t at = speed_at(speed);
	bool between = speeds[at] > speed && speed > 0;

	(void)amount;
	if (step > 0)
		at += !between && at + 1 < ARRAY_LEN(speeds);
	else
		at -= at > 0;
	player_set_speed(player, speeds[at], clock_now_ms());
}

static void own_speed(struct player_keys *p, int step, int amount)
{
	(void)step, (void)amount;
	player_set_speed(player_of(p), 1, clock_now_ms());
}

/* --- the keys --- */

static const struct player_key {
	const char *back, *on;   /* NULL: there is none */
	void (*act)(struct player_keys *p, int step, int amount); /* step: -1 back, 1 on */
	int amount;
	const char *keys, *help;
} keys[] = {
	{ ";", ":", by_delta, 0, "; :", "one delta back or on" },
	{ "Left", "Right", by_time, 5000, "Left Right", "5 s back or on; with Shift 1 s" },
	{ "Shift-Left", "Shift-Right", by_time, 1000, NULL, NULL },
	{ "R", "r", to_stop, PLAYER_REASONING, "r R", "next reasoning; with Shift the one before, as in the rows below" },
	{ "C", "c", to_stop, PLAYER_CALL, "c C", "next tool call" },
	{ "F", "f", to_stop, PLAYER_ERROR, "f F", "next failure" },
	{ "G", "g", to_stop, PLAYER_GAP, "g G", "next frame behind a gap of a second or more" },
	{ "U", "u", to_stop, PLAYER_USAGE, "u U", "next usage" },
	{ "A", "a", to_stop, PLAYER_REPAIR, "a A", "next frame that was repaired or deviates" },
	{ "[", "]", by_speed, 0, "[ ]", "slower, faster: 0.1 to 100 times, max" },
	{ NULL, "=", own_speed, 0, "=", "the tape's own speed" },
};

static bool is_key(const struct key *key, const char *name)
{
	struct key own;

	return name && key_from_name(str_from(name), &own) && key_equal(&own, key);
}

/* A digit goes to so many tenths of the tape. */
static bool takes_digit(struct player_keys *p, const struct key *key)
{
	struct player *player = player_of(p);

	if (key->code != KEY_TEXT || key->text.len != 1 || *key->text.ptr < '0' || *key->text.ptr > '9')
		return false;
	player_seek_ms(player, player_length_ms(player) * (*key->text.ptr - '0') / 10, clock_now_ms());
	return true;
}

static bool player_keys_is_open(const void *part)
{
	return session_player(((const struct player_keys *)part)->host->session) != NULL;
}

static bool player_keys_takes(void *part, const struct key *key)
{
	struct player_keys *p = part;

	host_redraw(p->host);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		int step = is_key(key, keys[i].on) ? 1 : is_key(key, keys[i].back) ? -1 : 0;

		if (step)
			keys[i].act(p, step, keys[i].amount);
		if (step)
			return true;
	}
	return takes_digit(p, key);
}

const struct mode player_keys_mode = { player_keys_is_open, player_keys_takes, NULL, NULL };

bool player_keys_help_at(size_t index, struct player_keys_help *help)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i].keys && index-- == 0) {
			*help = (struct player_keys_help){ keys[i].keys, keys[i].help };
			return true;
		}
	if (index == 0)
		*help = (struct player_keys_help){ "0 to 9", "so many tenths of the tape" };
	return index == 0;
}
