#include "app/setup/parameter_change.h"

#include "app/setup/setup.h"

#define PARAMETER_DEFAULT "default" /* the word for one that is not set here */
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
	struct error err;
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
	if (which == PARAMETER_SERVER_TOOLS && !setup_check_server_tools(s, value.server_tools, &err))
		buf_printf(out, ", but %s", err.text);
}

static bool parameter_try(const struct setup *s, enum parameter which, struct str value, struct parameters *own, struct error *err)
{
	bool resets = !value.len || str_is(value, PARAMETER_DEFAULT) || (!parameter_has_off(which) && str_is(value, "off"));

	*own = s->parameters;
	if (resets)
		parameter_copy(own, &parameters_unset, which);
	else if (!parameter_set(own, which, value, s->target.protocol, err))
		return false;
	return resets || which != PARAMETER_SERVER_TOOLS || setup_check_server_tools(s, own->server_tools, err);
}

bool parameter_change(struct setup *s, enum parameter which, struct str value, struct error *err)
{
	struct parameters own;

	if (!parameter_try(s, which, value, &own, err))
		return false;
	setup_use_parameters(s, &own);
	return true;
}

/* --- the form: its fields are the parameters, in their order --- */

static bool parameter_field(void *setup, size_t field, struct form_field *out)
{
	(void)setup;
	if (field >= PARAMETER_COUNT)
		return false;
	out->kind = field == PARAMETER_REASONING ? FORM_CHOICE : FORM_TEXT;
	out->label = parameter_name((enum parameter)field);
	out->prompt = "Value: ";
	out->empty = FORM_EMPTY_KEEPS;
	return true;
}

static void parameter_title(void *setup, bool by_line, struct buf *out)
{
	(void)setup;
	if (!by_line)
		buf_add_z(out, "Parameters");
}

static void parameter_value(void *setup, size_t field, struct buf *out)
{
	parameter_write(&((struct setup *)setup)->parameters, (enum parameter)field, out);
}

static const char *parameter_level(void *setup, size_t field, size_t index, struct buf *text)
{
	(void)setup, (void)field, (void)text;
	if (index == REASONING_LEVEL_UNSET)
		return PARAMETER_DEFAULT;
	return index < REASONING_LEVEL_COUNT ? reasoning_level_name((enum reasoning_level)index) : NULL;
}

/* What it can be; of server tools those that the target has. */
static void parameter_offer(const struct setup *s, enum parameter which, struct buf *out)
{
	unsigned here = which == PARAMETER_SERVER_TOOLS ? setup_offered_server_tools(s) : 0;

	if (which != PARAMETER_SERVER_TOOLS) {
		parameter_write_range(which, s->target.protocol, out);
		return;
	}
	server_tools_write(here, ", ", out);
	buf_add_z(out, here ? ", separated by commas, or off" : "off: there are none here");
}

static void parameter_note(void *setup, size_t field, struct buf *out)
{
	const struct setup *s = setup;

	buf_add_z(out, "now ");
	parameter_words(s, (enum parameter)field, out);
	if (field != PARAMETER_REASONING) { /* its words stand there */
		buf_add_z(out, "; ");
		parameter_offer(s, (enum parameter)field, out);
	}
}

static void parameter_ask(void *setup, size_t field, struct buf *out)
{
	const struct setup *s = setup;

	buf_printf(out, "%s: now ", parameter_name((enum parameter)field));
	parameter_words(s, (enum parameter)field, out);
	buf_add_z(out, ". It can be ");
	parameter_offer(s, (enum parameter)field, out);
	buf_add_z(out, ". An empty line keeps it, default resets it, a command such as /help ends the questions.");
}

static bool parameter_check(void *setup, size_t field, struct str value, struct error *err)
{
	struct parameters own;

	return parameter_try(setup, (enum parameter)field, value, &own, err);
}

static bool parameter_take(void *setup, size_t field, struct str value, struct error *err)
{
	return parameter_change(setup, (enum parameter)field, str_trim(value), err);
}

static bool parameter_finish(void *setup, struct form_end *end)
{
	(void)setup;
	buf_add_z(&end->said, end->by_line ? "The parameters are set, from the next turn on." : "parameters set, from the next turn on");
	return true;
}

const struct form_table parameter_form = {
	.keys = "Tab next field   empty or off resets   Enter set   Esc back", .repeats = true,
	.field = parameter_field, .title = parameter_title, .value = parameter_value, .word = parameter_level, .note = parameter_note,
	.ask = parameter_ask, .check = parameter_check, .take = parameter_take, .finish = parameter_finish,
};
