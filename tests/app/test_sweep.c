/*
 * Sweeps: a turn without a screen is run repeatedly, and each time another allocation or system call fails. The program must end by
 * itself with a documented status, say why if the status is not 0, and leave a readable tape.
 *
 * `make check` tests some of the calls, `make sweep-smoke` more, `make sweep` each of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/program.h"
#include "support/check.h"
#include "support/preload.h"

#define CALLS_MOST 20000
#define STEPS 6 /* of check_next() */
#define STEPS_MORE 12

static const char stream[] =
	"data: {\"id\":\"c-1\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"reasoning_content\":\"Hm. \"}}]}\n\n"
	"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"A first piece, \"}}]}\n\n"
	/* enough members to make json-c's table grow */
	"data: {\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"j\":10,\"k\":[[1],[2]],"
	"\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a second one, which is longer than what json-c has room for at first.\"}}]}\n\n"
	"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"t-1\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"}}]}}]}\n\n"
	"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":9}}\n\n"
	"data: [DONE]\n\n";

struct sweep {
	struct program server;
	char base_url[80], came[128], tape[128];
	const char *saved, *preload;
	bool live;               /* a request to the server; else the saved stream is decoded */
	bool ring;               /* the turn is recorded in the state folder */
	bool mute;               /* writes fail, so no message can be expected */
};

/* False, and the test is skipped, if calls cannot be made to fail. */
static bool begin(struct sweep *s)
{
	char url[64];

	s->preload = preload_variable("failing");
	if (!s->preload) {
		check_skip("a sanitizer has the allocator, or tests/failing.so was not built");
		return false;
	}
	s->saved = folder_file("stream.txt", stream);
	program_serve(&s->server, url, (const char *const[]){ s->saved, NULL });
	snprintf(s->base_url, sizeof s->base_url, "%s/v1", url);
	snprintf(s->came, sizeof s->came, "%s", folder_file("came", NULL));
	snprintf(s->tape, sizeof s->tape, "%s", folder_file("sweep.tape", NULL));
	return true;
}

static void end(struct sweep *s)
{
	program_free(&s->server);
	folder_remove();
}

/* Checks that the tape is readable, complete or truncated. */
static void check_tape(const struct sweep *s, const char *order)
{
	struct program p;
	struct stat status;

	if (stat(s->tape, &status) != 0 || status.st_size == 0)
		return;
	program_run(&p, STR_NONE, ARGS("decode", s->tape), NULL);
	CHECK(p.status == 0 || p.status == 3 || p.status == 4, "%s: the tape gives %d: %s", order, p.status, buf_z(&p.errors));
	program_free(&p);
}

static void run(const struct sweep *s, struct program *p, const char *const *env)
{
	if (s->live && s->ring)
		program_run(p, STR_NONE, ARGS("ask", "--base-url", s->base_url, "-m", "m-1", "--summary", "--no-stdin", "hi"), env);
	else if (s->live)
		program_run(p, STR_NONE, ARGS("ask", "--base-url", s->base_url, "-m", "m-1", "--tape", s->tape, "--summary", "--no-stdin", "hi"), env);
	else
		program_run(p, STR_NONE, ARGS("decode", s->saved), env);
}

/* Whether the output has the complete answer. */
static bool is_told_whole(struct str output)
{
	static const char *const pieces[] = { "\"Hm. \"", "\"A first piece, a second one, which is longer than what json-c has room for at first.\"",
		                              "{\\\"a\\\":1}", "\"completion_tokens\":9" };

	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
		if (str_find(output, str_from(pieces[i])) == output.len)
			return false;
	return true;
}

/* Performs one run; false if the call that should fail did not occur. */
static bool fails_well(const struct sweep *s, const char *order)
{
	char fail[96], came[160];
	struct program p;
	bool has_come;

	snprintf(fail, sizeof fail, "WEIR_FAIL=%s", order);
	snprintf(came, sizeof came, "WEIR_FAIL_CAME=%s", s->came);
	unlink(s->came);
	unlink(s->tape);
	run(s, &p, ARGS(s->preload, fail, came));
	has_come = access(s->came, F_OK) == 0;
	CHECK(p.status >= 0 && p.status <= 4, "%s: status %d, %s", order, p.status, buf_z(&p.errors));
	CHECK(p.status != 0 || is_told_whole(buf_str(&p.output)), "%s: status 0, and only %s", order, buf_z(&p.output));
	CHECK(p.status == 0 || s->mute || p.errors.len || p.output.len, "%s: status %d and not a word", order, p.status);
	CHECK(has_come || p.status == 0, "%s: status %d without a failure, %s", order, p.status, buf_z(&p.errors));
	program_free(&p);
	check_tape(s, order);
	return has_come;
}

static void sweep(struct sweep s, const char *kind, const char *rest)
{
	char order[64];
	long n = 1;

	if (!begin(&s))
		return;
	for (bool came = true; came && n < CALLS_MOST; n = check_next(n, STEPS, STEPS_MORE)) {
		snprintf(order, sizeof order, "%s:%ld%s", kind, n, rest);
		came = fails_well(&s, order);
	}
	CHECK(n > 2, "no %s was seen", kind);
	end(&s);
}

static const struct sweep asking = { .live = true }, decoding = { .live = false };

static void one_allocation_fails(void) { sweep(asking, "malloc", ""); }
static void all_allocations_fail_from_one_on(void) { sweep(asking, "malloc", ":12:on"); }
static void one_allocation_of_decode_fails(void) { sweep(decoding, "malloc", ""); }
static void a_write_fails(void) { sweep(asking, "write", ":28"); }
static void all_writes_fail_from_one_on(void) { sweep((struct sweep){ .live = true, .mute = true }, "write", ":28:on"); }
static void a_read_fails(void) { sweep(decoding, "read", ":5"); }
static void an_open_fails(void) { sweep(asking, "open", ":24:on"); }
static void an_open_for_the_ring_of_tapes_fails(void) { sweep((struct sweep){ .live = true, .ring = true }, "open", ":24"); }
static void a_socket_fails(void) { sweep(asking, "socket", ":24:on"); }
static void a_pipe_fails(void) { sweep(asking, "pipe2", ":24:on"); }
static void receiving_fails(void) { sweep(asking, "recv", ":104"); }
static void sending_fails(void) { sweep(asking, "send", ":104"); }

const struct suite suite_sweep = { "sweep", (const struct test[]){
	TEST(one_allocation_fails),
	TEST(all_allocations_fail_from_one_on),
	TEST(one_allocation_of_decode_fails),
	TEST(a_write_fails),
	TEST(all_writes_fail_from_one_on),
	TEST(a_read_fails),
	TEST(an_open_fails),
	TEST(an_open_for_the_ring_of_tapes_fails),
	TEST(a_socket_fails),
	TEST(a_pipe_fails),
	TEST(receiving_fails),
	TEST(sending_fails),
	{ 0 },
} };
