#include "app/setup/local_servers.h"

#include "app/setup/model_list.h"
#include "app/system/environment.h"

void local_servers_ask(struct local_servers *l, struct providers *providers)
{
	int64_t now_ms = clock_now_ms();

	local_servers_fini(l);
	for (size_t i = 0; i < providers_count(providers) && l->count < LOCAL_SERVERS_MOST; i++) {
		const struct provider *p = providers_at(providers, i);

		if (provider_is_demo(p)) /* it starts when it is asked */
			continue;
		l->items[l->count].provider = p;
		port_probe_begin(&l->items[l->count].probe, provider_base_url(p, p->protocols[0]), now_ms);
		l->count += l->items[l->count].probe.state != PORT_PROBE_NONE;
	}
}

void local_servers_fini(struct local_servers *l)
{
	for (size_t i = 0; i < l->count; i++)
		port_probe_end(&l->items[i].probe);
	l->count = 0;
}

bool local_servers_wait(const struct local_servers *l)
{
	bool waits = false;

	for (size_t i = 0; i < l->count; i++)
		waits |= l->items[i].probe.state == PORT_PROBE_WAITING;
	return waits;
}

const char *local_servers_words(const struct local_servers *l, const struct provider *p)
{
	static const char *const words[] = { [PORT_PROBE_LISTENS] = "listening", [PORT_PROBE_SILENT] = "not running" };

	for (size_t i = 0; i < l->count; i++)
		if (l->items[i].provider == p && l->items[i].probe.state >= PORT_PROBE_LISTENS && provider_is_ready(p, process_environment))
			return words[l->items[i].probe.state];
	return provider_state_words(p);
}

/* --- the loop --- */

static size_t member_fds(void *ctx, struct pollfd *fds, size_t room)
{
	const struct local_servers *l = ctx;
	size_t count = 0;

	for (size_t i = 0; i < l->count && count < room; i++)
		count += port_probe_fd(&l->items[i].probe, &fds[count]);
	return count;
}

static int64_t member_deadline(void *ctx)
{
	const struct local_servers *l = ctx;
	int64_t due = NO_DEADLINE;

	for (size_t i = 0; i < l->count; i++)
		if (l->items[i].probe.state == PORT_PROBE_WAITING && l->items[i].probe.deadline_ms < due)
			due = l->items[i].probe.deadline_ms;
	return due;
}

static void member_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct local_servers *l = ctx;
	bool news = false;

	(void)fds, (void)count;
	for (size_t i = 0; i < l->count; i++) {
		bool waited = l->items[i].probe.state == PORT_PROBE_WAITING;

		port_probe_run(&l->items[i].probe, now_ms);
		news |= waited && l->items[i].probe.state != PORT_PROBE_WAITING;
	}
	if (news)
		l->ran(l->ctx);
}

struct loop_member local_servers_member(struct local_servers *l)
{
	return (struct loop_member){ .ctx = l, .fds = member_fds, .deadline = member_deadline, .run = member_run };
}
