/* Recording from the full screen: every turn its own tape, and what was recorded plays again. */
#include <stdio.h>
#include <stdlib.h>
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
	stage_ask(&s, "first");
	hand_begin(s.server);
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
	PTY_SEES(p, "out     34");
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
	pty_free(s.pty);
	hand_free(s.server);
	home_free(s.home);
}

const struct suite suite_screen_tape = { "screen_tape", (const struct test[]){
	TEST(each_turn_has_its_tape),
	TEST(a_tape_is_never_overwritten),
	{ 0 },
} };
