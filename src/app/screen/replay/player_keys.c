#include "app/screen/replay/player_keys.h"

#include "app/session/session.h"
#include "base/array.h"
#include "ui/term/key.h"

void player_keys_init(struct player_keys *p, const struct host *host, struct replay *replay)
{
	*p = (struct player_keys){ .host = host, .replay = replay };
}

void player_keys_fini(struct player_keys *p)
{
	timeline_fini(&p->timeline);
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

/* A digit goes to so many tenths of the tape. */
static bool takes_digit(struct player_keys *p, const struct key *key)
{
	if (key->code != KEY_TEXT || key->text.len != 1 || *key->text.ptr < '0' || *key->text.ptr > '9')
		return false;
	player_seek_share(player_of(p), (*key->text.ptr - '0') / 10.0, clock_now_ms());
	return true;
}

/* The wheel moves by a second, a press and a drag to that place. */
static bool takes_mouse(struct player_keys *p, const struct key *key)
{
	bool over = key->row >= p->area.row && key->row < p->area.row + p->area.rows;

	if (over && (key->code == KEY_WHEEL_UP || key->code == KEY_WHEEL_DOWN)) {
		by_time(p, key->code == KEY_WHEEL_UP ? -1 : 1, 1000);
		return true;
	}
	if (key->code == KEY_MOUSE_DOWN)
		p->pressed = over;
	if (!key_is_mouse(key) || !p->pressed)
		return false;
	if (key->code != KEY_MOUSE_UP)
		player_seek_share(player_of(p), timeline_share(&p->timeline, key->column > p->area.column ? key->column - p->area.column : 0),
		                  clock_now_ms());
	p->pressed = key->code != KEY_MOUSE_UP;
	return true;
}

static void show_letters(struct player_keys *p, int step, int amount)
{
	(void)step, (void)amount;
	p->timeline.letters = !p->timeline.letters;
}

/* --- loop and range --- */

static void loop(struct player_keys *p, int step, int amount)
{
	struct player *player = player_of(p);
	bool loops = !player_loops(player);
	double from_ms, to_ms;

	(void)step, (void)amount;
	player_set_loop(player, loops, clock_now_ms());
	if (!loops)
		host_say(p->host, "no loop");
	else if (player_range(player, &from_ms, &to_ms))
		host_say(p->host, "loop from %.2f s to %.2f s", from_ms / 1000, to_ms / 1000);
	else
		host_say(p->host, "loop: the whole tape");
}

/* -1: the range begins here, 1: it ends here. At the end that it has already, it is the whole tape again. */
static void range(struct player_keys *p, int step, int amount)
{
	struct player *player = player_of(p);
	int64_t now_ms = clock_now_ms();
	double at_ms = player_position_ms(player, now_ms), from_ms, to_ms;
	bool is_set = player_range(player, &from_ms, &to_ms);

	(void)amount;
	if (is_set && at_ms == (step < 0 ? from_ms : to_ms))
		player_set_range(player, 0, 0, now_ms);
	else if (step < 0)
		player_set_range(player, at_ms, at_ms < to_ms ? to_ms : 0, now_ms);
	else
		player_set_range(player, from_ms < at_ms ? from_ms : 0, at_ms, now_ms);
	if (player_range(player, &from_ms, &to_ms))
		host_say(p->host, "range from %.2f s to %.2f s", from_ms / 1000, to_ms / 1000);
	else
		host_say(p->host, "no range: the whole tape");
}

/* --- several tapes --- */

static void to_tape(struct player_keys *p, int step)
{
	struct error err;

	if (!replay_walk(p->replay, p->host->session, step, &err))
		host_fail(p->host, "%s", err.text);
}

/* A tape is one turn: where there are several, the keys that go to turns go to tapes. */
static bool takes_tape(struct player_keys *p, const struct key *key)
{
	bool next = key->code == KEY_TEXT && str_is(key->text, "}"), before = key->code == KEY_TEXT && str_is(key->text, "{");

	if ((!next && !before) || p->replay->count < 2)
		return false;
	to_tape(p, next ? 1 : -1);
	return true;
}

/* At the end of a round, what goes on with the tape goes on with the next one. */
static bool takes_next_round(struct player_keys *p, const struct key *key)
{
	bool space = key->code == KEY_TEXT && str_is(key->text, " ");

	if (!space || !p->replay->rounds || p->replay->at + 1 == p->replay->count || !player_at_end(player_of(p)))
		return false;
	to_tape(p, 1);
	return true;
}

/* --- the keys --- */

static const struct player_key {
	const char *back, *on;   /* NULL: there is none */
	void (*act)(struct player_keys *p, int step, int amount); /* step: -1 back, 1 on */
	int amount;
	struct key_help help;    /* none: those above say it */
} keys[] = {
	{ ";", ":", by_delta, 0, { "; :", "one delta back or on" } },
	{ "Left", "Right", by_time, 5000, { "Left Right", "5 s back or on; with Shift 1 s" } },
	{ "R", "r", to_stop, PLAYER_REASONING, { "r R", "next reasoning; with Shift the one before, as in the rows below" } },
	{ "C", "c", to_stop, PLAYER_CALL, { "c C", "next tool call" } },
	{ "E", "e", to_stop, PLAYER_ERROR, { "e E", "next failure" } },
	{ "W", "w", to_stop, PLAYER_GAP, { "w W", "next frame behind a gap of a second or more" } },
	{ "U", "u", to_stop, PLAYER_USAGE, { "u U", "next usage" } },
	{ "A", "a", to_stop, PLAYER_REPAIR, { "a A", "next frame that was repaired or deviates" } },
	{ "<", ">", by_speed, 0, { "< >", "slower, faster: 0.1 to 100 times, max" } },
	{ NULL, "=", own_speed, 0, { "=", "the tape's own speed" } },
	{ NULL, "L", loop, 0, { "L", "play in a loop, or not" } },
	{ "I", "O", range, 0, { "I O", "the range begins or ends here; again: no range" } },
	{ NULL, "s", show_letters, 0, { "s", "the timeline by letters: t text, r reasoning, c call, a repaired, ! failure" } },
	{ .help = { "0 to 9", "so many tenths of the tape" } },
	{ .help = { "{ }", "the tape before, the next one, where there are several (rounds of a turn)" } },
	{ .help = { "wheel", "on the timeline: by 1 s; a click goes there" } },
	{ .help = { "Esc", "leave the replay; q, too" } },
	{ "Shift-Left", "Shift-Right", by_time, 1000, { NULL, NULL } },
};

static bool player_keys_is_open(const void *part)
{
	return session_player(((const struct player_keys *)part)->host->session) != NULL;
}

static bool player_keys_takes(void *part, const struct key *key)
{
	struct player_keys *p = part;

	host_redraw(p->host);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		int step = key_is_named(key, keys[i].on) ? 1 : key_is_named(key, keys[i].back) ? -1 : 0;

		if (step)
			keys[i].act(p, step, keys[i].amount);
		if (step)
			return true;
	}
	return takes_digit(p, key) || takes_tape(p, key) || takes_next_round(p, key) || takes_mouse(p, key);
}

const struct mode player_keys_mode = { .is_open = player_keys_is_open, .takes = player_keys_takes };

const struct key_help *player_keys_help_at(size_t index)
{
	return index < ARRAY_LEN(keys) && keys[index].help.keys ? &keys[index].help : NULL;
}
