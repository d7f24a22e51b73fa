/*
 * One key, every way it could get out: the server says it back in each place it can, children are started, the turn is recorded and
 * replayed. Then all files, all that was written to the terminal and what the system tells of the process are searched.
 */
#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

#include "app/program.h"
#include "app/stage.h"
#include "support/check.h"

#define KEY "sk-unique-5e1f0a77c3"
#define K_EDITOR "\x07"
#define K_DETAILS "\x0F"

static struct buf file;
static unsigned searched;

static bool holds_key(struct str text)
{
	return str_find(text, STR(KEY)) < text.len;
}

static int search_file(const char *path, const struct stat *status, int type, struct FTW *where)
{
	struct error err = { "" };

	(void)status;
	(void)where;
	if (type != FTW_F)
		return 0;
	searched++;
	CHECK(buf_read_file(&file, path, &err), "%s", err.text);
	CHECK(!holds_key(buf_str(&file)), "the key is in %s", path);
	return 0;
}

/* At least `files` of them are there to be searched. */
static void search_folder(const char *path, unsigned files)
{
	searched = 0;
	buf_init(&file, BUF_LIMIT_DEFAULT);
	nftw(path, search_file, 16, FTW_PHYS);
	buf_fini(&file);
	CHECK(searched >= files, "%u files in %s", searched, path);
}

/* What the system tells of a running process to who may ask. */
static void search_process(int pid)
{
	static const char *const names[] = { "environ", "cmdline" };
	char path[64];

	buf_init(&file, BUF_LIMIT_DEFAULT);
	for (size_t i = 0; i < 2; i++) {
		struct error err = { "" };

		snprintf(path, sizeof path, "/proc/%d/%s", pid, names[i]);
		CHECK(buf_read_file(&file, path, &err), "%s", err.text);
		CHECK(!holds_key(buf_str(&file)), "the key is in %s", names[i]);
	}
	buf_fini(&file);
}

/* The first request must have had it, or the test proves nothing. */
static void check_sent(struct hand *server)
{
	CHECK(holds_key(str_from(hand_head(server))), "%s", hand_head(server));
}

static void talk_on_screen(struct stage *s)
{
	CU_ASSERT_TRUE(stage_ask(s, "first"));
	check_sent(s->server);
	hand_begin(s->server);
	hand_text(s->server, "you sent " KEY);
	hand_reasoning(s->server, "its key is " KEY);
	hand_send(s->server, "data: {\"error\":{\"message\":\"no more for " KEY "\",\"code\":\"" KEY "\"}}\n\n");
	hand_close(s->server);
	PTY_SEES(s->pty, "no more for ****");
	PTY_SEES(s->pty, "you sent ****");
	pty_send(s->pty, K_DETAILS);
	PTY_SEES(s->pty, "Details of the last turn");
	pty_send(s->pty, K_ESC);
	PTY_LOSES(s->pty, "Esc back");
	CU_ASSERT_TRUE(stage_ask(s, "second"));
	hand_reply(s->server, 401, "application/json\r\nx-request-id: " KEY, "{\"error\":{\"message\":\"Incorrect API key provided: " KEY "\"}}");
	PTY_SEES(s->pty, "provided: ****");
	pty_send(s->pty, K_CTRL('u'));
	pty_send(s->pty, "/copy\r");
	pty_send(s->pty, K_DETAILS);
	PTY_SEES(s->pty, "Details of the last turn");
	pty_send(s->pty, K_ESC);
	PTY_LOSES(s->pty, "Esc back");
	pty_send(s->pty, K_F2);
	CU_ASSERT_TRUE(hand_accept(s->server));
	hand_reply(s->server, 403, "application/json", "{\"error\":{\"message\":\"not for " KEY "\"}}");
	PTY_SEES(s->pty, "not for ****");
	pty_send(s->pty, K_ESC);
	PTY_LOSES(s->pty, "not for ****");
}

static void play_on_screen(const char *settings, const char *key_variable)
{
	struct stage s;
	char *files = home_new();
	char editor[300], tape[300], log[300];

	snprintf(log, sizeof log, "%s", home_path(files, "wire.log"));
	snprintf(tape, sizeof tape, "%s", home_path(files, "turn.tape"));
	snprintf(editor, sizeof editor, "VISUAL=sh %s", home_write(files, "editor.sh", "env > \"$(dirname \"$0\")/environment\"; echo edited >> \"$1\"\n"));
	stage_open(&s, &(struct stage_options){
		.settings = settings, .arguments = LIST("--tape", tape, "--debug", log), .environment = LIST(editor, key_variable), .columns = 120,
	});
	talk_on_screen(&s);
	pty_send(s.pty, "a draft " K_EDITOR);
	PTY_SEES(s.pty, "edited");
	search_process(pty_pid(s.pty));
	CU_ASSERT_FALSE(holds_key(pty_output(s.pty)));
	CU_ASSERT_FALSE(holds_key(str_from(pty_dump(s.pty))));
	search_folder(files, 5); /* the editor and its environment, two tapes, the log */
	if (key_variable)
		search_folder(s.home, 1);
	stage_close(&s);
	home_free(files);
}

static void no_key_leaves_the_screen(void)
{
	play_on_screen("auth = bearer\n", "HAND_API_KEY=" KEY);
	play_on_screen("auth = x-api-key\nkey_env = OTHER\n", "OTHER=" KEY);
	play_on_screen("auth = api-key\nkey_command = echo " KEY "\n", NULL);
}

static void no_key_leaves_ask(void)
{
	struct hand *server = hand_new();
	const char *settings = folder_file("weir.conf", hand_settings(server, "auth = bearer\n")), *tape = folder_file("ask.tape", NULL);
	const char *log = folder_file("wire.log", NULL);
	struct program p;

	program_start(&p, ARGS("ask", "--config", settings, "--tape", tape, "--debug", log, "--events", "hi"), ARGS("HAND_API_KEY=" KEY));
	program_end_input(&p);
	CU_ASSERT_TRUE(hand_accept(server));
	check_sent(server);
	search_process(p.pid);
	hand_begin(server);
	hand_text(server, "you sent sk-unique");
	hand_send(server, "data: {\"error\":{\"message\":\"no more for " KEY "\"}}\n\n");
	hand_close(server);
	CU_ASSERT_EQUAL(program_wait(&p), 4);
	CU_ASSERT_TRUE(str_find(buf_str(&p.output), STR("no more for ****")) < p.output.len);
	CU_ASSERT_FALSE(holds_key(buf_str(&p.output)));
	CU_ASSERT_FALSE(holds_key(buf_str(&p.errors)));
	search_folder(folder_path(), 3);
	program_free(&p);
	folder_remove();
	hand_free(server);
}

const struct suite suite_secrets = { "secrets", (const struct test[]){
	TEST(no_key_leaves_the_screen),
	TEST(no_key_leaves_ask),
	{ 0 },
} };
