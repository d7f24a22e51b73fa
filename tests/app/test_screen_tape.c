/* Recording from the full screen: each turn has its own tape, requested or in the ring, and tapes can be replayed. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "stage.h"
#include "support/check.h"

static void record_two_turns(char *home)
{
	struct stage s = { .server = hand_new(), .home = home };
	char *tape = mem_dup_z(home_path(home, "chat.tape"));

	home_write(home, ".config/weir/weir.conf", hand_settings(s.server, ""));
	s.pty = pty_start(&(struct pty_options){ .home = home, .arguments = LIST("--tape", tape) });
	STAGE_STATE(&s, "ready");
	stage_begin(&s, "first");
	hand_reasoning(s.server, "Let me think.");
	hand_text(s.server, "Answer one.");
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "Answer one.");
	STAGE_OVER(&s);
	stage_turn(&s, "second", "Reply two.");
	pty_send(s.pty, "\x03\x03\x03");
	PTY_ENDS(s.pty, 0);
	PTY_RESTORED(s.pty);
	pty_free(s.pty);
	hand_free(s.server);
	mem_free(tape);
}

static struct pty *replay(const char *home, const char *name)
{
	char *path = mem_dup_z(home_path(home, name));
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", "--speed", "max", path) });

	PTY_SEES(p, "at the end");
	mem_free(path);
	return p;
}

static void each_turn_has_its_tape(void)
{
	struct stat facts;
	char *home = home_new();

	record_two_turns(home);
	CU_ASSERT_TRUE(home_has(home, "chat.tape"));
	CU_ASSERT_TRUE(home_has(home, "chat-2.tape"));
	CHECK(stat(home_path(home, "chat.tape"), &facts) == 0 && (facts.st_mode & 0777) == 0600, "for its owner only");
	struct pty *p = replay(home, "chat.tape");
	PTY_SEES(p, "Answer one.");
	PTY_SEES(p, "+ reasoned");
	PTY_SEES(p, "out 34");
	pty_send(p, K_CTRL('t'));
	PTY_SEES(p, "Let me think.");
	pty_send(p, "d");
	PTY_SEES(p, "response id  chatcmpl-hand");
	pty_send(p, K_ESC);
	PTY_LOSES(p, "response id");
	pty_send(p, "q");
	PTY_ENDS(p, 0);
	PTY_RESTORED(p);
	pty_free(p);
	p = replay(home, "chat-2.tape");
	PTY_SEES(p, "Reply two.");
	CHECK(pty_find_row(p, "Answer one.") < 0, "the second turn alone");
	pty_send(p, "q");
	PTY_ENDS(p, 0);
	pty_free(p);
	home_free(home);
}

static void a_tape_is_never_overwritten(void)
{
	struct stage s = { .server = hand_new(), .home = home_new() };

	home_write(s.home, ".config/weir/weir.conf", hand_settings(s.server, ""));
	char *tape = mem_dup_z(home_write(s.home, "there.tape", "precious\n"));
	struct buf kept;
	struct error err;
	s.pty = pty_start(&(struct pty_options){ .home = s.home, .arguments = LIST("--tape", tape) });
	PTY_ENDS(s.pty, 2);
	PTY_SEES(s.pty, "there.tape");
	buf_init(&kept, 4096);
	CU_ASSERT_TRUE(buf_read_file(&kept, tape, &err));
	CHECK_STR(buf_str(&kept), "precious\n");
	buf_fini(&kept);
	mem_free(tape);
	stage_drop(&s);
}

/* --- the ring --- */

/* The only tape of the ring; NULL if there is none. Valid until the next call. */
static const char *only_tape(const char *home)
{
	static char path[1300];
	const struct dirent *entry;
	DIR *ring = opendir(home_path(home, ".local/state/weir/tapes"));
	size_t count = 0;

	while (ring && (entry = readdir(ring)))
		if (strstr(entry->d_name, ".tape")) {
			snprintf(path, sizeof path, "%s/%s", home_path(home, ".local/state/weir/tapes"), entry->d_name);
			count++;
		}
	if (ring)
		closedir(ring);
	CHECK(count <= 1, "%zu tapes", count);
	return count ? path : NULL;
}

/* Starts an answer and stops in the middle. */
static void stage_half(struct stage *s)
{
	stage_open(s, NULL);
	stage_begin(s, "go");
	hand_text(s->server, "Half an");
	hand_text(s->server, " answer");
	PTY_SEES(s->pty, "Half an answer");
}

/* Checks that the tape contains what was on the screen, however the program ended. */
static void check_half(struct stage *s)
{
	const char *tape = only_tape(s->home);
	struct stat facts;

	CU_ASSERT_PTR_NOT_NULL_FATAL(tape);
	CHECK(stat(tape, &facts) == 0 && (facts.st_mode & 0777) == 0600, "for its owner only");
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", "--speed", "max", tape) });
	PTY_SEES(p, "Half an answer");
	PTY_SEES(p, "at the end");
	pty_send(p, "q");
	PTY_ENDS(p, 0);
	pty_free(p);
}

static void a_killed_program_leaves_a_tape(void)
{
	struct stage s;

	stage_half(&s);
	pty_signal(s.pty, SIGKILL);
	PTY_ENDS(s.pty, 128 + SIGKILL);
	check_half(&s);
	stage_drop(&s);
}

static void a_signal_names_the_tape(void)
{
	static const struct { int number, status; } signals[] = { { SIGTERM, 128 + SIGTERM }, { SIGHUP, 128 + SIGHUP }, { SIGQUIT, 128 + SIGQUIT },
		{ SIGSEGV, 128 + SIGSEGV }, { SIGABRT, 128 + SIGABRT } };
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct stage s;
		char name[64];

		stage_half(&s);
		snprintf(name, sizeof name, "%.20s", strrchr(only_tape(s.home), '/') + 1);
		pty_signal(s.pty, signals[i].number);
		PTY_ENDS(s.pty, signals[i].status);
		PTY_RESTORED(s.pty);
		PTY_SEES(s.pty, "what had arrived is in");
		CHECK(pty_has_written(s.pty, name), "signal %d does not name %s", signals[i].number, name);
		check_half(&s);
		stage_drop(&s);
	}
}

static void the_setting_turns_it_off(void)
{
	struct stage s = { .server = hand_new(), .home = home_new() };
	char settings[1000];

	snprintf(settings, sizeof settings, "tapes = 0\n%s", hand_settings(s.server, ""));
	home_write(s.home, ".config/weir/weir.conf", settings);
	s.pty = pty_start(&(struct pty_options){ .home = s.home });
	STAGE_STATE(&s, "ready");
	stage_turn(&s, "first", "Answer one.");
	CU_ASSERT_PTR_NULL(only_tape(s.home));
	stage_close(&s);
}

/* A program that always crashes never reaches the end of a turn, so the first turn must remove old tapes. */
static void the_first_turn_makes_room(void)
{
	struct stage s = { .server = hand_new(), .home = home_new() };
	char settings[1000], *megabyte = mem_new((1 << 20) + 1);

	memset(megabyte, '\n', 1 << 20);
	snprintf(settings, sizeof settings, "tapes = 1\n%s", hand_settings(s.server, ""));
	home_write(s.home, ".config/weir/weir.conf", settings);
	home_write(s.home, ".local/state/weir/tapes/1.tape", megabyte);
	home_write(s.home, ".local/state/weir/tapes/2.tape", megabyte);
	s.pty = pty_start(&(struct pty_options){ .home = s.home });
	STAGE_STATE(&s, "ready");
	stage_begin(&s, "go");
	hand_text(s.server, "Half an answer");
	PTY_SEES(s.pty, "Half an answer");
	CHECK(!home_has(s.home, ".local/state/weir/tapes/1.tape"), "the oldest is gone before the turn is over");
	CHECK(home_has(s.home, ".local/state/weir/tapes/2.tape"), "one may be left");
	pty_signal(s.pty, SIGKILL);
	PTY_ENDS(s.pty, 128 + SIGKILL);
	mem_free(megabyte);
	stage_drop(&s);
}

const struct suite suite_screen_tape = { "screen_tape", (const struct test[]){
	TEST(each_turn_has_its_tape),
	TEST(a_tape_is_never_overwritten),
	TEST(a_killed_program_leaves_a_tape),
	TEST(a_signal_names_the_tape),
	TEST(the_first_turn_makes_room),
	TEST(the_setting_turns_it_off),
	{ 0 },
} };
