/* Where requests go: the provider of a path, and the URL there. */
#include "app/options/options.h"
#include "app/serve/proxy.h"

#include <string.h>

#include "app/setup/setup.h"
#include "base/mem.h"
#include "base/percent.h"

static bool is_route(const struct proxy *p, const struct provider *provider)
{
	for (size_t i = 0; i < p->route_count; i++)
		if (p->routes[i] == provider)
			return true;
	return false;
}

bool proxy_take_routes(struct proxy *p, struct error *err)
{
	const struct options *o = p->o;

	if (o->base_url && o->target_count > 1)
		return error_set(err, "--base-url is of one provider: with several --to, set base_url in their sections of weir.conf");
	p->routes = mem_new(o->target_count * sizeof(struct provider *));
	for (size_t i = 0; i < o->target_count; i++) {
		struct provider *provider = providers_find(p->setup->providers, str_from(o->targets[i]));

		if (!provider)
			return error_set(err, "there is no provider '%s'; `weir providers` lists them", o->targets[i]);
		if (is_route(p, provider))
			return error_set(err, "--to names %s twice", provider->name);
		p->routes[p->route_count++] = provider;
	}
	return true;
}

/* With several providers, the one that the first segment of the path names, which is removed. */
static struct provider *find_route(const struct proxy *p, struct str *path)
{
	struct str rest = str_skip(*path, 1);
	size_t end = str_find(rest, STR("/"));
	struct provider *found = p->route_count == 1 ? p->routes[0] : NULL;
	struct buf name = { 0 };

	if (found)
		return found;
	percent_decode(str_head(rest, end), &name);
	for (size_t i = 0; end < rest.len && i < p->route_count; i++)
		if (str_is(buf_str(&name), p->routes[i]->name))
			found = p->routes[i];
	buf_fini(&name);
	*path = str_skip(rest, end);
	return found;
}

static bool refuse_route(const struct proxy *p, struct request_refusal *refusal, struct error *err)
{
	struct buf names = { 0 };

	for (size_t i = 0; i < p->route_count; i++)
		buf_printf(&names, "%s/%s", i ? ", " : "", p->routes[i]->name);
	error_set(err, "the path must begin with the name of a provider: %s", buf_z(&names));
	buf_fini(&names);
	*refusal = (struct request_refusal){ 404, err->text };
	return false;
}

bool proxy_find_destination(struct proxy *p, struct str path, struct proxy_destination *to, struct request_refusal *refusal, struct error *err)
{
	struct str given, base;

	*to = (struct proxy_destination){ .provider = NULL };
	if (protocol_path_leaves(path)) {
		*refusal = (struct request_refusal){ 400, "the path leaves the base URL of the provider" };
		return false;
	}
	to->provider = find_route(p, &path);
	if (!to->provider)
		return refuse_route(p, refusal, err);
	if (p->route_count > 1)
		setup_use_provider(p->setup, to->provider);
	to->dialect = p->setup->target.dialect;
	to->protocol = protocol_of_path(path);
	*refusal = (struct request_refusal){ 502, err->text };
	return setup_base_url(p->setup, &given, err) &&
	       provider_find_base_url(to->provider, to->protocol ? to->protocol : p->setup->target.protocol, given, &base, err) &&
	       protocol_pass_url(base, path, &to->url, err);
}

void proxy_destination_fini(struct proxy_destination *to)
{
	buf_fini(&to->url);
}
