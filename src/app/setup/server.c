#include "app/setup/server.h"

#include <unistd.h>

#include "app/system/output.h"
#include "app/system/signals.h"

static size_t server_fds(void *serve, struct pollfd *fds, size_t room)
{
	return serve_fds(serve, fds, room);
}

static int64_t server_deadline(void *serve)
{
	return serve_deadline(serve);
}

static void server_run(void *serve, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	(void)fds;
	(void)count;
	serve_run(serve, now_ms);
}

struct loop_member server_member(struct serve *serve)
{
	return (struct loop_member){ .ctx = serve, .fds = server_fds, .deadline = server_deadline, .run = server_run };
}

void server_until_stopped(struct serve *serve, struct loop *loop)
{
	bool over = false;
	struct signals_listener listener = { .take = signals_take_end, .ctx = &over };
	struct loop_member signals = signals_member(&listener), server = server_member(serve);
	struct output out;

	output_init(&out, STDOUT_FILENO);
	output_printf(&out, "http://127.0.0.1:%u\n", serve_port(serve));
	loop_add(loop, &server);
	loop_add(loop, &signals);
	while (!over)
		loop_turn(loop);
	loop_remove(loop, &listener);
	loop_remove(loop, serve);
}
