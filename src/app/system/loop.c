#include "app/system/loop.h"

#include <assert.h>
#include <limits.h>

#include "base/mem.h"

struct loop {
	struct http *http;
	struct loop_member members[LOOP_MEMBERS]; /* `run` NULL: removed; the entry is reclaimed between two turns */
	size_t count;
};

/* The descriptors of one turn, grouped by member. */
struct poll_set {
	struct pollfd fds[LOOP_FDS];
	size_t first[LOOP_MEMBERS + 1]; /* index of each member's first descriptor; the last entry is the end */
};

struct loop *loop_new(struct http *http)
{
	struct loop *loop = mem_new(sizeof *loop);

	loop->http = http;
	return loop;
}

void loop_free(struct loop *loop)
{
	mem_free(loop);
}

static void loop_forget_removed(struct loop *loop)
{
	size_t kept = 0;

	for (size_t i = 0; i < loop->count; i++)
		if (loop->members[i].run)
			loop->members[kept++] = loop->members[i];
	loop->count = kept;
}

void loop_add(struct loop *loop, const struct loop_member *member)
{
	assert(member->run && loop->count < LOOP_MEMBERS);
	loop->members[loop->count++] = *member;
}

void loop_remove(struct loop *loop, const void *ctx)
{
	for (size_t i = 0; i < loop->count; i++)
		if (loop->members[i].ctx == ctx)
			loop->members[i].run = NULL;
}

static void poll_set_gather(struct poll_set *set, const struct loop *loop)
{
	size_t used = 0;

	for (size_t i = 0; i < loop->count; i++) {
		const struct loop_member *m = &loop->members[i];

		set->first[i] = used;
		if (m->fds)
			used += m->fds(m->ctx, set->fds + used, LOOP_FDS - used);
		assert(used <= LOOP_FDS);
	}
	set->first[loop->count] = used;
	for (size_t i = 0; i < used; i++)
		set->fds[i].revents = 0;
}

static int loop_timeout_ms(const struct loop *loop, int64_t now_ms)
{
	int64_t first = NO_DEADLINE;

	for (size_t i = 0; i < loop->count; i++) {
		const struct loop_member *m = &loop->members[i];
		int64_t deadline = m->deadline ? m->deadline(m->ctx) : NO_DEADLINE;

		if (deadline < first)
			first = deadline;
	}
	if (first == NO_DEADLINE)
		return -1;
	if (first <= now_ms)
		return 0;
	return first - now_ms > INT_MAX ? INT_MAX : (int)(first - now_ms);
}

void loop_turn(struct loop *loop)
{
	struct poll_set set;
	size_t count;
	int64_t now_ms;

	loop_forget_removed(loop);
	poll_set_gather(&set, loop);
	http_wait(loop->http, set.fds, set.first[loop->count], loop_timeout_ms(loop, clock_now_ms()));
	now_ms = clock_now_ms();
	/* Members added during this turn run in the next one: their descriptors were not polled. */
	count = loop->count;
	for (size_t i = 0; i < count; i++) {
		struct loop_member m = loop->members[i];

		if (m.run)
			m.run(m.ctx, set.fds + set.first[i], set.first[i + 1] - set.first[i], now_ms);
	}
}
