/*
 * Sweeps over a turn of `weir ask` that is kept: it runs repeatedly, and each time another call of the program on the files of the history
 * fails, also one of the process that maintains it. The answer is on standard output all the same. What is not kept is told in a sentence, what was
 * kept before stays, and the file opens.
 *
 * `make check` tests some of the calls, `make sweep-smoke` more, `make sweep` each of them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/kept.h"
#include "app/program.h"
#include "base/mem.h"
#include "store/history/history_inside.h"
#include "store/maintain/maintain.h"
#include "support/check.h"
#include "support/preload.h"
#include "support/ready.h"
#include "support/turned.h"

#define CALLS_MOST 20000
#define STEPS 4 /* of check_next() */
#define STEPS_MORE 8
#define LOOKS_MOST 6000
#define LOOK_US 5000
#define ANSWER "A first piece, and a second one."

static const char stream[] =
	"data: {\"id\":\"c-1\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"A first piece, \"}}]}\n\n"
	"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"and a second one.\"}}]}\n\n"
	"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":9}}\n\n"
	"data: [DONE]\n\n";

static struct error err;
static struct program server;
static char base_url[80], data[160], store[200], came[200];
static const char *preload;
static struct kept before;
static int turns_before; /* in them */

/* --- programs --- */

/* The process that maintains outlives the program. It becomes our child then; the server is the other one. */
static void await_children(void)
{
	char path[64], pids[400];
	int looks = 0;
	ssize_t n;

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	do {
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		n = fd >= 0 ? read(fd, pids, sizeof pids - 1) : 0;
		pids[n > 0 ? n : 0] = '\0';
		if (fd >= 0)
			close(fd);
		usleep(looks ? LOOK_US : 0);
	} while (strchr(pids, ' ') != strrchr(pids, ' ') && looks++ < LOOKS_MOST);
	CHECK(looks < LOOKS_MOST, "a child does not end");
}

/* The clock is turned while the program waits, unless it is NULL. */
static void ask(struct program *p, const char *option, const char *const *env, struct turned *clock)
{
	program_start(p, ARGS("ask", "--base-url", base_url, "-m", "m-1", "--no-stdin", "hi", option), env);
	program_end_input(p);
	p->turning = clock;
	program_wait(p);
	await_children();
}

static bool begin(void)
{
	char url[64];

	preload = preload_variable("failing");
	if (!preload) {
		check_skip("a sanitizer has the allocator, or tests/failing.so was not built");
		return false;
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	ready_load_all();
	program_serve(&server, url, ARGS(folder_file("stream.txt", stream)));
	snprintf(base_url, sizeof base_url, "%s/v1", url);
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", folder_path());
	setenv("XDG_DATA_HOME", strchr(data, '=') + 1, 1);
	snprintf(store, sizeof store, "WEIR_FAIL_STORE=%s/data", folder_path());
	snprintf(came, sizeof came, "WEIR_FAIL_CAME=%s/came", folder_path());
	turns_before = 0;
	kept_restore(&before);
	return true;
}

static void begin_filled(void)
{
	struct program p;

	ask(&p, NULL, ARGS(data), NULL);
	CHECK(p.status == 0 && !p.errors.len, "%d: %s", p.status, buf_z(&p.errors));
	program_free(&p);
	kept_take(&before);
	turns_before = 2;
}

static void end(void)
{
	program_free(&server);
	unsetenv("XDG_DATA_HOME");
	kept_fini(&before);
	folder_remove();
}

/* --- what is there afterwards --- */

static void check_counts(struct history *h, bool kept, int conversations, const char *order)
{
	int64_t answers = database_integer(h->db, "SELECT count(*) FROM (SELECT part FROM piece JOIN part ON part.id = piece.part JOIN node ON node.id = part.node "
	                                   "WHERE role = 'assistant' AND outcome = 'complete' GROUP BY part HAVING group_concat(content, '') = '" ANSWER "')",
	                                   NO_VALUES, -1);
	int64_t turns = database_integer(h->db, "SELECT count(*) FROM node", NO_VALUES, -1);
	int64_t begun = database_integer(h->db, "SELECT count(*) FROM conversation", NO_VALUES, -1);

	CHECK(answers >= turns_before / 2, "%s: %lld answers are left", order, (long long)answers);
	CHECK(!kept || (answers == turns_before / 2 + 1 && turns == turns_before + 2 && begun == conversations), "%s: not a word, and %lld answers of %lld turns "
	      "in %lld conversations", order, (long long)answers, (long long)turns, (long long)begun);
	CHECK(database_is_sound(h->db), "%s: the file is not sound", order);
}

/* The next start, without failures. */
static void check_file(bool kept, int conversations, const char *order)
{
	struct maintain_result result;
	enum history_status status = history_maintain(&(struct maintain_options){ .check = true }, &result, &err);
	struct history *h;

	CHECK(status == HISTORY_OK, "%s: maintenance: %s", order, err.text);
	CHECK(!result.damaged, "%s: the file was damaged", order);
	maintain_result_fini(&result);
	h = history_open(0, &status, &err);
	CHECK(h, "%s: %s", order, err.text);
	if (h)
		check_counts(h, kept, conversations, order);
	history_close(h);
}

/* --- sweeping --- */

struct sweep {
	const char *option;     /* of ask; NULL: none */
	int failure;
	int conversations;      /* there are, if all is kept */
	bool may_refuse;        /* what it is to go on with cannot be read: nothing is asked */
};

static bool run(const struct sweep *s, const char *fail, struct turned *clock, struct program *p)
{
	const char *const came_path = strchr(came, '=') + 1;
	const char *const *of_clock = turned_variables(clock);

	unlink(came_path);
	kept_restore(&before);
	ask(p, s->option, ARGS(preload, fail, store, came, data, of_clock[0], of_clock[1]), of_clock[0] ? clock : NULL);
	return access(came_path, F_OK) == 0;
}

/* False if the call that should fail did not occur. Then it runs once more, by the real clock: where nothing fails, nothing is told. */
static bool fails_well(const struct sweep *s, const char *order)
{
	struct turned *clock = turned_new();
	struct program p;
	char fail[96];
	bool has_come;

	snprintf(fail, sizeof fail, "WEIR_FAIL=%s", order);
	has_come = run(s, fail, clock, &p);
	if (!has_come) {
		program_free(&p);
		kept_restore(&before);
		ask(&p, s->option, ARGS(data), NULL);
	}
	if (s->may_refuse && p.status == 1) {
		CHECK(p.errors.len && !p.output.len, "%s: status 1, %s%s", order, buf_z(&p.output), buf_z(&p.errors));
	} else {
		CHECK(p.status == 0, "%s: status %d, %s", order, p.status, buf_z(&p.errors));
		CHECK(str_is(buf_str(&p.output), ANSWER "\n"), "%s: %s", order, buf_z(&p.output));
	}
	CHECK(has_come || !p.errors.len, "%s: without a failure: %s", order, buf_z(&p.errors));
	check_file(p.status == 0 && !p.errors.len, s->conversations, order);
	program_free(&p);
	turned_free(clock);
	return has_come;
}

static void sweep(const struct sweep *s)
{
	long n = 1;

	for (bool goes_on = true; goes_on && n < CALLS_MOST; n = check_next(n, STEPS, STEPS_MORE)) {
		char order[64];

		snprintf(order, sizeof order, "store:%ld:%d", n, s->failure);
		goes_on = fails_well(s, order);
	}
	CHECK(n > 50, "only %ld calls were seen", n);
}

/* --- tests --- */

static void a_call_fails_in_the_first_turn(void)
{
	if (!begin())
		return;
	sweep(&(struct sweep){ .failure = EIO, .conversations = 1 });
	end();
}

static void a_call_fails_in_another_turn(void)
{
	if (!begin())
		return;
	begin_filled();
	sweep(&(struct sweep){ .failure = EIO, .conversations = 2 });
	end();
}

static void the_disk_is_full_in_another_turn(void)
{
	if (!begin())
		return;
	begin_filled();
	sweep(&(struct sweep){ .failure = ENOSPC, .conversations = 2 });
	end();
}

static void a_call_fails_while_a_conversation_goes_on(void)
{
	if (!begin())
		return;
	begin_filled();
	sweep(&(struct sweep){ .option = "-c", .failure = EIO, .conversations = 1, .may_refuse = true });
	end();
}

const struct suite suite_sweep_store = { "sweep_store", (const struct test[]){
	TEST(a_call_fails_in_the_first_turn),
	TEST(a_call_fails_in_another_turn),
	TEST(the_disk_is_full_in_another_turn),
	TEST(a_call_fails_while_a_conversation_goes_on),
	{ 0 },
} };
