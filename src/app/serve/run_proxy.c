#include "app/options/options.h"
#include "app/options/subcommand.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/serve/proxy.h"
#include "app/setup/server.h"
#include "app/setup/setup.h"
#include "app/system/signals.h"
#include "base/mem.h"

/* --- the folder of -o --- */

/* Makes a folder and its parents. Failures are ignored: open_folder() reports those that matter. */
static void make_folders(const char *path)
{
	char *part = mem_dup_z(path);

	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)!mkdir(part, 0700);
		*slash = '/';
	}
	(void)!mkdir(part, 0700);
	mem_free(part);
}

static bool open_folder(struct proxy *p, struct error *err)
{
	const char *path = p->o->output;

	if (!path)
		return true;
	make_folders(path);
	p->folder_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->folder_fd < 0 || faccessat(p->folder_fd, ".", W_OK | X_OK, AT_EACCESS) != 0)
		return error_set(err, "the folder %s cannot be used for tapes: %s", path, strerror(errno));
	return true;
}

/* --- the loop --- */

static int64_t proxy_deadline(void *proxy)
{
	const struct proxy *p = proxy;

	return proxy_is_behind(p) ? 0 : httpd_deadline(p->httpd);
}

static size_t proxy_fds(void *proxy, struct pollfd *fds, size_t room)
{
	const struct proxy *p = proxy;

	if (room < 2)
		return 0;
	size_t count = httpd_fds(p->httpd, fds, room - 1);
	if (proxy_log_waits(&p->log))
		fds[count++] = (struct pollfd){ .fd = STDERR_FILENO, .events = POLLOUT };
	return count;
}

/* Forwarding comes first. */
static void proxy_run(void *proxy, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct proxy *p = proxy;

	(void)fds;
	(void)count;
	httpd_run(p->httpd, now_ms);
	proxy_run_exchanges(p);
	proxy_log_run(&p->log);
}

static void print_addresses(const struct proxy *p)
{
	struct output out;

	output_init(&out, STDOUT_FILENO);
	output_printf(&out, "http://127.0.0.1:%u\n", httpd_port(p->httpd));
	for (size_t i = 0; p->route_count > 1 && i < p->route_count; i++)
		output_printf(&out, "http://127.0.0.1:%u/%s\n", httpd_port(p->httpd), p->routes[i]->name);
}

static void proxy_until_stopped(struct proxy *p)
{
	bool over = false;
	struct signals_listener listener = { .take = signals_take_end, .ctx = &over };
	struct loop_member signals = signals_member(&listener), proxy = { .ctx = p, .fds = proxy_fds, .deadline = proxy_deadline, .run = proxy_run };

	print_addresses(p);
	loop_add(p->setup->loop, &proxy);
	loop_add(p->setup->loop, &signals);
	while (!over)
		loop_turn(p->setup->loop);
	loop_remove(p->setup->loop, &listener);
	loop_remove(p->setup->loop, p);
}

static int proxy_serve(struct proxy *p)
{
	struct error err;
	bool good;

	p->http = p->setup->http;
	proxy_log_init(&p->log, p->o->json);
	signals_open();
	good = httpd_open(&p->httpd, p->o->port, &proxy_ops, p, &err);
	if (good)
		proxy_until_stopped(p);
	else
		complain("%s", err.text);
	httpd_free(p->httpd);
	proxy_end_exchanges(p);
	proxy_log_fini(&p->log);
	return good ? EXIT_DONE : EXIT_LOCAL;
}

int run_proxy(const struct options *o)
{
	struct options target = *o;
	struct setup setup;
	struct proxy p = { .o = o, .setup = &setup, .folder_fd = -1 };
	struct error err;
	int status;

	if (!o->target_count || o->argument_count)
		return usage_error("proxy needs --to NAME, a provider (`weir providers` lists them), and takes no arguments");
	target.provider = o->targets[0];
	if (setup_init(&setup, &target, &err) && proxy_take_routes(&p, &err) && open_folder(&p, &err))
		status = proxy_serve(&p);
	else
		status = usage_error("%s", err.text);
	setup_fini(&setup);
	if (p.folder_fd >= 0)
		close(p.folder_fd);
	mem_free(p.routes);
	signals_close();
	return status;
}
