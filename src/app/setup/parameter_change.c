#include "app/setup/parameter_change.h"

#define MAX_TOKENS_DEFAULT 8192 /* of providers, as chat/provider/provider_set.c documents it */

static const char *parameter_origin(const struct setup *s, enum parameter which, enum parameter_from from)
{
	if (from == PARAMETER_FROM_PROVIDER && which == PARAMETER_MAX_TOKENS && s->target.provider->max_tokens == MAX_TOKENS_DEFAULT)
		return "default";
	return from == PARAMETER_FROM_USER ? "set here" : from == PARAMETER_FROM_OPTION ? "option" : NULL;
}

/* Why it would not be sent; NULL: it is. */
static const char *parameter_obstacle(const struct setup *s, enum parameter which)
{
	const struct provider *p = s->target.provider;
	struct parameters all;

	setup_all_parameters(s, &all);
	if (which == PARAMETER_TEMPERATURE ? p->refuses_temperature : which == PARAMETER_REASONING && p->refuses_reasoning)
		return "the server refused it: not sent";
	return parameter_why_not_sent(&all, which, s->target.protocol);
}

void parameter_words(const struct setup *s, enum parameter which, struct buf *out)
{
	struct parameters value = parameters_unset;
	enum parameter_from from = setup_parameter(s, which, &value);
	const char *origin = parameter_origin(s, which, from), *obstacle = parameter_obstacle(s, which);

	if (from == PARAMETER_FROM_NOWHERE) {
		buf_add_z(out, "not sent");
		return;
	}
	parameter_write(&value, which, out);
	if (from == PARAMETER_FROM_ROLE)
		buf_printf(out, ", [role %s]", s->role.role->name);
	else if (origin)
		buf_printf(out, ", %s", origin);
	else
		buf_printf(out, ", [provider %s]", s->target.provider->name);
	if (obstacle)
		buf_printf(out, ", %s", obstacle);
}

bool parameter_change(struct setup *s, enum parameter which, struct str value, struct error *err)
{
	struct parameters own = s->parameters;
	bool resets = !value.len || str_is(value, "default") || (which != PARAMETER_REASONING && str_is(value, "off"));

	if (resets)
		parameter_copy(&own, &parameters_unset, which);
	else if (!parameter_set(&own, which, value, s->target.protocol, err))
		return false;
	setup_use_parameters(s, &own);
	return true;
}
