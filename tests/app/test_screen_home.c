/*
 * Home folders that are missing, read-only, full, or have unexpected contents: a message says what is lost, and the chat continues.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stage.h"
#include "support/check.h"

#define STATE ".local/state/weir"
/* Runs the program with its own mounts, if the kernel allows that to unprivileged users. */
#define APART(mounts) "exec unshare -rm sh -c 'mkdir -p \"$HOME/" STATE "\"; " mounts " && exec \"$0\" \"$@\"' \"$0\" \"$@\""

static bool has_mounts(void)
{
	if (!system("unshare -rm sh -c 'mount -t tmpfs none /tmp' 2>/dev/null"))
		return true;
	check_skip("no file systems can be mounted here");
	return false;
}

/* --- the chat continues --- */

struct home {
	const char *name, *script;
	const char *variable;   /* variable of the environment; NULL: none */
	const char *said;       /* sentence in the page about tapes that cannot be kept; NULL: tapes are kept */
	bool passing;           /* a message says that prompts cannot be saved */
	const char *lost;       /* message about a draft that cannot be saved; NULL: drafts are saved */
	bool mounts;
};

#define EXEC "exec \"$0\" \"$@\""
static const struct home homes[] = {
	{ .name = "empty", .script = EXEC },
	{ .name = "state is a file", .script = "echo mine > \"$HOME/file\"; " EXEC, .variable = "XDG_STATE_HOME=%s/file",
	  .said = "no tapes are kept: cannot create the folder ", .lost = "the draft is lost: " },
	{ .name = "state is in a file", .script = "mkdir -p \"$HOME/.local/state\"; echo mine > \"$HOME/" STATE "\"; " EXEC,
	  .said = "no tapes are kept: ", .lost = "the draft is lost: " },
	{ .name = "state is a link to a folder", .script = "mkdir -p \"$HOME/.local/state\" \"$HOME/far\"; ln -s \"$HOME/far\" \"$HOME/" STATE "\"; " EXEC },
	{ .name = "state is a link to nowhere", .script = "mkdir -p \"$HOME/.local/state\"; ln -s \"$HOME/not/there\" \"$HOME/" STATE "\"; " EXEC,
	  .said = "no tapes are kept: ", .lost = "the draft is lost: " },
	{ .name = "tapes are a link", .script = "mkdir -p \"$HOME/" STATE "\" \"$HOME/far\"; ln -s \"$HOME/far\" \"$HOME/" STATE "/tapes\"; " EXEC,
	  .said = "no tapes are kept: " },
	{ .name = "others may write to tapes", .script = "mkdir -p \"$HOME/" STATE "/tapes\"; chmod 777 \"$HOME/" STATE "/tapes\"; " EXEC,
	  .said = "no tapes are kept: " },
	{ .name = "others may write to state", .script = "mkdir -p \"$HOME/" STATE "\"; chmod 777 \"$HOME/" STATE "\"; " EXEC,
	  .said = "no tapes are kept: ", .lost = "run chmod 700 ~/" },
	{ .name = "files are links", .passing = true, .lost = "the draft is lost: ",
	  .script = "mkdir -p \"$HOME/" STATE "\"; for i in prompts draft; do ln -s \"$HOME/not/there\" \"$HOME/" STATE "/$i\"; done; " EXEC },
	{ .name = "files are folders", .script = "mkdir -p \"$HOME/" STATE "/prompts\" \"$HOME/" STATE "/draft\"; " EXEC, .passing = true, .lost = "the draft is lost: " },
	{ .name = "files are pipes", .passing = true, .lost = "the draft is lost: ", .script = "mkdir -p \"$HOME/" STATE "\"; mkfifo \"$HOME/" STATE "/prompts\" \"$HOME/" STATE "/draft\"; " EXEC },
	{ .name = "files are noise", .script = "mkdir -p \"$HOME/" STATE "\"; head -c 4096 /bin/sh | tee \"$HOME/" STATE "/prompts\" > \"$HOME/" STATE "/draft\"; " EXEC },
	{ .name = "no home", .script = "unset HOME; " EXEC, .variable = "XDG_CONFIG_HOME=%s/.config", .said = "no tapes are kept: there is no home folder",
	  .lost = "the draft is lost: there is no home folder" },
	{ .name = "home is not there", .script = "HOME=\"$HOME/not/there\"; export HOME; " EXEC, .variable = "XDG_CONFIG_HOME=%s/.config" },
	{ .name = "home is no folder", .script = "HOME=/dev/null; export HOME; " EXEC, .variable = "XDG_CONFIG_HOME=%s/.config",
	  .said = "no tapes are kept: cannot create the folder /dev/null/", .lost = "cannot create the folder /dev/null/" },
	{ .name = "read-only", .script = APART("mount --bind \"$HOME\" \"$HOME\" && mount -o remount,bind,ro \"$HOME\""), .mounts = true,
	  .said = "no tapes are kept: ", .lost = "Read-only file system" },
	{ .name = "full", .mounts = true,
	  .script = APART("mount -t tmpfs -o size=16k,mode=700 none \"$HOME/" STATE "\" && { cat /dev/zero > \"$HOME/" STATE "/zero\" 2>/dev/null; true; }"),
	  .said = "cannot write the tape ", .lost = "No space left on device" },
};

static void check_home(const struct home *h)
{
	char variable[300];
	struct stage s = { .server = hand_new(), .home = home_new() };

	home_write(s.home, ".config/weir/weir.conf", hand_settings(s.server, ""));
	snprintf(variable, sizeof variable, h->variable ? h->variable : "NOTHING=%s", s.home);
	s.pty = pty_start(&(struct pty_options){ .home = s.home, .script = h->script, .environment = LIST(variable) });
	STAGE_STATE(&s, "ready");
	stage_turn(&s, "first", "Answer one.");
	if (h->said)
		pty_wait(s.pty, pty_tells, h->said, h->name, __FILE__, __LINE__);
	CHECK(h->said || h->passing == (pty_find_row(s.pty, "prompts stay in memory: ") >= 0), "%s: nothing is said\n%s", h->name, pty_dump(s.pty));
	stage_turn(&s, "second", "Reply two.");
	pty_send(s.pty, "/new\r");
	PTY_SEES(s.pty, "A live view");
	stage_turn(&s, "third", "Again three.");
	CHECK(pty_find_row(s.pty, "no tapes") < 0, "%s: it is said once\n%s", h->name, pty_dump(s.pty));
	pty_send(s.pty, "a draft");
	PTY_SEES(s.pty, "> a draft");
	size_t before = pty_output(s.pty).len;
	pty_signal(s.pty, SIGTERM);
	PTY_ENDS(s.pty, 128 + SIGTERM);
	PTY_RESTORED(s.pty);
	struct str last = str_skip(pty_output(s.pty), before);
	CHECK(!h->lost == (str_find(last, STR("weir: ")) == last.len), "%s: the draft\n%s", h->name, pty_dump(s.pty));
	CHECK(!h->lost || str_find(last, str_from(h->lost)) < last.len, "%s: the draft\n%s", h->name, pty_dump(s.pty));
	stage_drop(&s);
}

static void the_chat_goes_on(void)
{
	bool mounts = has_mounts();

	for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
		if (mounts || !homes[i].mounts)
			check_home(&homes[i]);
}

/* --- settings --- */

/* A settings file that exists but cannot be read is reported; a missing one is not. */
static void settings_may_be_missing_but_not_broken(void)
{
	static const struct { const char *script; int status; const char *said; } cases[] = {
		{ "mkdir -p \"$HOME/.config/weir/weir.conf\"; " EXEC, 2, "weir.conf" },
		{ "mkdir -p \"$HOME/.config\"; echo > \"$HOME/.config/weir\"; " EXEC, -1, "A live view" },
		{ "mkdir -p \"$HOME/.config/weir\"; ln -s \"$HOME/nowhere\" \"$HOME/.config/weir/weir.conf\"; " EXEC, -1, "A live view" },
		{ "mkdir -p \"$HOME/.config/weir\"; head -c 4096 /bin/sh > \"$HOME/.config/weir/weir.conf\"; " EXEC, 2, "weir.conf:1:" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pty *p = pty_start(&(struct pty_options){ .script = cases[i].script });

		pty_wait(p, pty_shows, cases[i].said, cases[i].said, __FILE__, __LINE__);
		if (cases[i].status >= 0)
			PTY_ENDS(p, cases[i].status);
		CHECK(cases[i].status < 0 || !pty_has_written(p, "\x1B"), "case %zu: in a line", i);
		pty_free(p);
	}
}

/* --- modes --- */

static unsigned mode_of(const struct stage *s, const char *name)
{
	struct stat facts;

	return stat(home_path(s->home, name), &facts) == 0 ? facts.st_mode & 0777 : 0;
}

/* Also for files that exist with other modes. */
static void what_is_kept_is_the_owners(void)
{
	static const char *const scripts[] = {
		"umask 000; " EXEC, "umask 777; " EXEC,
		"umask 022; mkdir -p \"$HOME/" STATE "\"; echo '\"old\"' > \"$HOME/" STATE "/prompts\"; " EXEC,
	};

	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .script = scripts[i] });
		stage_turn(&s, "first", "Answer one.");
		pty_send(s.pty, "a draft");
		PTY_SEES(s.pty, "> a draft");
		pty_signal(s.pty, SIGTERM);
		PTY_ENDS(s.pty, 128 + SIGTERM);
		CHECK(mode_of(&s, STATE) == 0700, "%zu: the folder %o", i, mode_of(&s, STATE));
		CHECK(mode_of(&s, STATE "/tapes") == 0700, "%zu: tapes %o", i, mode_of(&s, STATE "/tapes"));
		CHECK(mode_of(&s, STATE "/prompts") == 0600, "%zu: prompts %o", i, mode_of(&s, STATE "/prompts"));
		CHECK(mode_of(&s, STATE "/draft") == 0600, "%zu: the draft %o", i, mode_of(&s, STATE "/draft"));
		stage_drop(&s);
	}
}

/* --- few descriptors --- */

static bool starts_or_tells(struct pty *p, const void *ctx)
{
	(void)ctx;
	return stage_has_state(p, "ready") || (pty_shows(p, "weir: ") && (pty_shows(p, "too few files") || pty_shows(p, "Too many open")));
}

static void few_descriptors_are_told(void)
{
	for (unsigned most = 4; most <= 26; most++) {
		char script[80];
		struct stage s = { .server = hand_new(), .home = home_new() };

		home_write(s.home, ".config/weir/weir.conf", hand_settings(s.server, ""));
		snprintf(script, sizeof script, "ulimit -n %u; " EXEC, most);
		s.pty = pty_start(&(struct pty_options){ .home = s.home, .script = script });
		PTY_WAIT(s.pty, starts_or_tells, NULL);
		if (pty_shows(s.pty, "weir: ")) {
			CHECK(most < 22, "%u are enough\n%s", most, pty_dump(s.pty));
			CHECK(!pty_has_written(s.pty, "\x1B["), "%u: in a line", most);
		} else {
			stage_turn(&s, "first", "Answer one.");
			stage_turn(&s, "second", "Reply two.");
			pty_send(s.pty, "\x03\x03\x03");
			PTY_ENDS(s.pty, 0);
		}
		PTY_RESTORED(s.pty);
		stage_drop(&s);
	}
}

/* The temporary file for frames could not hold one. */
static void files_that_cannot_grow_are_told(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .script = "ulimit -f 8; " EXEC });

	PTY_SEES(p, "weir: files may not grow beyond 4 KB here");
	PTY_ENDS(p, 2);
	PTY_RESTORED(p);
	pty_free(p);
}

const struct suite suite_screen_home = { "screen_home", (const struct test[]){
	TEST(the_chat_goes_on),
	TEST(settings_may_be_missing_but_not_broken),
	TEST(what_is_kept_is_the_owners),
	TEST(few_descriptors_are_told),
	TEST(files_that_cannot_grow_are_told),
	{ 0 },
} };
