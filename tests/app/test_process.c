/*
 * `weir ask` as a process: signals, system limits, closed descriptors, files that cannot be written. Whatever resource is missing, it
 * either continues or ends by itself with a documented status and a message.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "program.h"
#include "support/check.h"
#include "support/hand.h"
#include "support/preload.h"
#include "support/ready.h"

#define HALF "data: {\"id\":\"c-1\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Half an answer\"}}]}\n\n"
#define REST "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\", and the rest.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
#define WHOLE "Half an answer, and the rest."

/* --- a server with one answer --- */

struct served { struct program server; char base_url[80]; };

static void serve(struct served *s)
{
	char url[64];

	program_serve(&s->server, url, (const char *const[]){ folder_file("answer.txt", HALF REST), NULL });
	snprintf(s->base_url, sizeof s->base_url, "%s/v1", url);
}

static void end(struct served *s)
{
	program_free(&s->server);
	folder_remove();
}

/* Asks with a script around the program and waits for its end. */
static int ask(const struct served *s, struct program *p, const char *script)
{
	program_start_script(p, script, ARGS("ask", "--base-url", s->base_url, "-m", "m-1", "--retries", "0", "--no-stdin", "hi"), NULL);
	return program_wait(p);
}

static bool has(const struct buf *text, const char *part)
{
	return str_find(buf_str(text), str_from(part)) < text->len;
}

/* --- files of its state --- */

#define STATE ".local/state/weir"

static const char *in_folder(const char *name)
{
	static char path[600];

	snprintf(path, sizeof path, "%s/%s", folder_path(), name);
	return path;
}

/* The path of the only tape; NULL: there is none. Valid until the next call. */
static const char *only_tape(void)
{
	static char path[900];
	const struct dirent *entry;
	size_t count = 0;
	char ring[600];

	snprintf(ring, sizeof ring, "%s", in_folder(STATE "/tapes"));
	DIR *dir = opendir(ring);
	while (dir && (entry = readdir(dir)))
		if (strstr(entry->d_name, ".tape") && ++count)
			snprintf(path, sizeof path, "%s/%s", ring, entry->d_name);
	if (dir)
		closedir(dir);
	CHECK(count <= 1, "%zu tapes", count);
	return count ? path : NULL;
}

static bool tape_has(const char *part)
{
	const char *path = only_tape();
	struct error err;
	struct buf text;

	buf_init(&text, 1 << 20);
	bool found = path && buf_read_file(&text, path, &err) && has(&text, part);
	buf_fini(&text);
	return found;
}

static unsigned mode_of(const char *path)
{
	struct stat facts;

	return path && stat(path, &facts) == 0 ? facts.st_mode & 0777 : 0;
}

/* --- signals --- */

/* Sends half of an answer and keeps the connection open. */
static struct hand *ask_half(struct program *p)
{
	struct hand *server = hand_new();
	char base_url[80];

	snprintf(base_url, sizeof base_url, "http://127.0.0.1:%u/v1", hand_port(server));
	program_start(p, ARGS("ask", "--base-url", base_url, "-m", "m-1", "--no-stdin", "hi"), NULL);
	hand_accept(server);
	hand_begin(server);
	hand_text(server, "Half an answer");
	program_await_output(p, "Half an answer");
	return server;
}

static void signals_end_it_with_what_came(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct program p;
		struct hand *server = ask_half(&p);

		kill(p.pid, signals[i]);
		CHECK(program_wait(&p) == 130, "signal %d: status %d", signals[i], p.status);
		CHECK_STR(buf_str(&p.output), "Half an answer\n");
		CHECK(tape_has("Half an answer") && tape_has("\"end\":\"cancelled\""), "signal %d: the tape", signals[i]);
		program_free(&p);
		hand_free(server);
		folder_remove();
	}
}

static void a_crash_names_the_tape(void)
{
	struct program p;
	struct hand *server = ask_half(&p);

	kill(p.pid, SIGSEGV);
	CHECK(program_wait(&p) == -1, "it is ended by the signal");
	CHECK(has(&p.errors, "what had arrived is in ") && has(&p.errors, only_tape()), "%s", buf_z(&p.errors));
	CHECK(tape_has("Half an answer"), "the tape");
	program_free(&p);
	hand_free(server);
	folder_remove();
}

static void a_reader_that_leaves_ends_it_quietly(void)
{
	struct served s;
	struct program p;

	serve(&s);
	ask(&s, &p, "{ \"$0\" \"$@\"; echo \"status $?\" >&2; } | head -c 4");
	CHECK_STR(buf_str(&p.output), "Half");
	CHECK_STR(buf_str(&p.errors), "status 0\n");
	program_free(&p);
	end(&s);
}

/* --- files that cannot grow --- */

static void a_tape_that_cannot_grow_is_a_sentence(void)
{
	struct served s;
	struct program p;

	serve(&s);
	CHECK(ask(&s, &p, "ulimit -f 0; exec \"$0\" \"$@\"") == 0, "status %d", p.status);
	CHECK_STR(buf_str(&p.output), WHOLE "\n");
	CHECK(has(&p.errors, "weir: note: cannot write the tape ") && has(&p.errors, "File too large"), "%s", buf_z(&p.errors));
	program_free(&p);
	end(&s);
}

static void standard_output_that_cannot_grow_is_a_failure(void)
{
	static const char *const scripts[] = {
		"ulimit -f 0; exec \"$0\" \"$@\" > \"$HOME/out\"", "exec \"$0\" \"$@\" > /dev/full",
	};

	for (size_t i = 0; i < 2; i++) {
		struct served s;
		struct program p;

		serve(&s);
		CHECK(ask(&s, &p, scripts[i]) == 1, "%zu: status %d", i, p.status);
		CHECK(has(&p.errors, "weir: cannot write to standard output: "), "%zu: %s", i, buf_z(&p.errors));
		CHECK(i == 0 || tape_has("and the rest"), "%zu: the tape has what could not be shown", i);
		program_free(&p);
		end(&s);
	}
	struct program p;

	program_start_script(&p, "exec \"$0\" \"$@\" > /dev/full", ARGS("--man", "src/man/weir.1"), NULL);
	CU_ASSERT_EQUAL(program_wait(&p), 1);
	program_free(&p);
}

/* --- descriptors --- */

/* Each standard descriptor may be closed at the start: no file that the program opens takes its place. */
static void closed_descriptors_are_nobodys(void)
{
	for (unsigned set = 1; set < 8; set++) {
		struct served s;
		struct program p;
		char script[100];

		serve(&s);
		snprintf(script, sizeof script, "exec \"$0\" \"$@\" %s %s %s", set & 1 ? "<&-" : "", set & 2 ? ">&-" : "", set & 4 ? "2>&-" : "");
		CHECK(ask(&s, &p, script) == 0, "set %u: status %d, %s", set, p.status, buf_z(&p.errors));
		CHECK_STR(buf_str(&p.output), set & 2 ? "" : WHOLE "\n");
		CHECK(p.errors.len == 0, "set %u: %s", set, buf_z(&p.errors));
		CHECK(tape_has("\"end\":\"closed\""), "set %u: the tape is whole", set);
		program_free(&p);
		end(&s);
	}
}

static void few_descriptors_are_told(void)
{
	unsigned answered = 0;

	for (unsigned most = 4; most <= 24; most++) {
		struct served s;
		struct program p;
		char script[100];

		serve(&s);
		snprintf(script, sizeof script, "ulimit -n %u; exec \"$0\" \"$@\"", most);
		int status = ask(&s, &p, script);
		bool told = has(&p.errors, "too few files") || has(&p.errors, "error while loading shared libraries");
		CHECK(status == 0 || told, "%u: status %d, %s", most, status, buf_z(&p.errors));
		CHECK(status != 0 || !strcmp(buf_z(&p.output), WHOLE "\n"), "%u: %s", most, buf_z(&p.output));
		CHECK(status == 0 || most < 20, "%u are enough: %s", most, buf_z(&p.errors));
		answered += status == 0;
		program_free(&p);
		end(&s);
	}
	CHECK(answered >= 5, "%u answers", answered);
}

/* --- memory --- */

static void little_memory_is_told(void)
{
	unsigned answered = 0;

	if (!preload_variable("jumping")) {
		check_skip("a sanitizer takes terabytes of addresses");
		return;
	}
	for (unsigned most_kb = 8000; most_kb <= 200000; most_kb += most_kb / 6) {
		struct served s;
		struct program p;
		char script[100];

		serve(&s);
		snprintf(script, sizeof script, "ulimit -v %u; exec \"$0\" \"$@\"", most_kb);
		int status = ask(&s, &p, script);
		CHECK(status >= 0 && (status <= 4 || status == 127), "%u KB: status %d, %s", most_kb, status, buf_z(&p.errors));
		CHECK(status != 0 || !strcmp(buf_z(&p.output), WHOLE "\n"), "%u KB: %s", most_kb, buf_z(&p.output));
		CHECK(status == 0 || p.errors.len, "%u KB: status %d and not a word", most_kb, status);
		answered += status == 0;
		program_free(&p);
		end(&s);
	}
	CHECK(answered >= 2, "%u answers", answered);
}

/* --- clocks --- */

/* The time of day jumps on each call: limits and figures use the monotonic clock. */
static void jumps_of_the_clock_change_nothing(void)
{
	const char *preload = preload_variable("jumping");
	struct hand *server;
	struct program p;
	char base_url[80];

	if (!preload) {
		check_skip("a sanitizer does not allow it, or tests/jumping.so was not built");
		return;
	}
	server = hand_new();
	snprintf(base_url, sizeof base_url, "http://127.0.0.1:%u/v1", hand_port(server));
	program_start(&p, ARGS("ask", "--base-url", base_url, "-m", "m-1", "--no-stdin", "--debug", folder_file("log", NULL), "hi"), ARGS(preload));
	hand_accept(server);
	hand_begin(server);
	for (unsigned i = 0; i < 20; i++) {
		hand_text(server, "piece ");
		program_await_output(&p, "piece ");
	}
	hand_finish(server, "stop");
	CHECK(program_wait(&p) == 0 && !p.errors.len, "status %d, %s", p.status, buf_z(&p.errors));
	CHECK(tape_has("\"end\":\"closed\"") && !tape_has("\"t\":-"), "the tape");
	program_free(&p);
	hand_free(server);
	folder_remove();
}

/* --- copies of a program that waits (support/ready.h) --- */

/* What a child of the program has of variables. */
static char *variables_with(const char *settings, const char *found, const char *const *more)
{
	struct buf text = { 0 };
	struct error err = { "" };
	struct program p;

	program_run(&p, STR_NONE, ARGS("ask", "--config", settings, "-p", "none", "-m", "m-1", "--no-history", "--no-stdin", "--retries", "0", "hi"), more);
	CHECK(p.status == 4, "status %d, %s", p.status, buf_z(&p.errors));
	program_free(&p);
	CHECK(buf_read_file(&text, found, &err), "%s", err.text);
	unlink(found);
	return buf_take(&text);
}

static void a_copy_is_what_a_loaded_one_is(void)
{
	const char *found = folder_file("found", NULL);
	char script[300], settings[600];

	snprintf(script, sizeof script, "env | sort >%s; echo key\n", found);
	snprintf(settings, sizeof settings, "[provider none]\nbase_url = http://127.0.0.1:1/v1\nauth = bearer\nkey_command = sh %s\n",
	         folder_file("key.sh", script));
	const char *file = folder_file("weir.conf", settings);
	char *with = variables_with(file, found, ARGS("TERM=dumb", "FIRST=1", "SECOND=2")), *without = variables_with(file, found, NULL);

	CHECK(strstr(with, "FIRST=1\nHOME=/") && strstr(with, "SECOND=2\nTERM=dumb\n"), "%s", with);
	CHECK(!strstr(without, "FIRST") && !strstr(without, "SECOND") && strstr(without, "TERM=xterm\n"), "%s", without);
	ready_load_all();
	char *loaded = variables_with(file, found, NULL);
	CHECK_STR(str_from(loaded), without);
	mem_free(with);
	mem_free(without);
	mem_free(loaded);
	folder_remove();
}

/* --- modes of created files --- */

static void files_are_the_owners_whatever_the_mask(void)
{
	static const char *const masks[] = { "000", "022", "077", "277", "777" };

	for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
		struct served s;
		struct program p;
		char script[100];

		serve(&s);
		snprintf(script, sizeof script, "umask %s; exec \"$0\" \"$@\" --debug \"$HOME/log\"", masks[i]);
		CHECK(ask(&s, &p, script) == 0 && !p.errors.len, "%s: status %d, %s", masks[i], p.status, buf_z(&p.errors));
		CHECK(mode_of(only_tape()) == 0600, "%s: the tape %o", masks[i], mode_of(only_tape()));
		CHECK(mode_of(in_folder("log")) == 0600, "%s: the log %o", masks[i], mode_of(in_folder("log")));
		CHECK(mode_of(in_folder(STATE "/tapes")) == 0700 && mode_of(in_folder(STATE)) == 0700, "%s: the folders", masks[i]);
		CHECK(mode_of(in_folder(".local")) == 0700, "%s: those on the way", masks[i]);
		program_free(&p);
		end(&s);
	}
}

const struct suite suite_process = { "process", (const struct test[]){
	TEST(signals_end_it_with_what_came),
	TEST(a_crash_names_the_tape),
	TEST(a_reader_that_leaves_ends_it_quietly),
	TEST(a_tape_that_cannot_grow_is_a_sentence),
	TEST(standard_output_that_cannot_grow_is_a_failure),
	TEST(closed_descriptors_are_nobodys),
	TEST(few_descriptors_are_told),
	TEST(little_memory_is_told),
	TEST(jumps_of_the_clock_change_nothing),
	TEST(files_are_the_owners_whatever_the_mask),
	TEST(a_copy_is_what_a_loaded_one_is),
	{ 0 },
} };
