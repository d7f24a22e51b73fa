#include "app/plain/plain_parameters.h"

#include "app/setup/parameter_change.h"

static void parameters_take(void *part, struct str line);

static const struct plain_question parameter_question = { .label = "Value: ", .take = parameters_take };

static void parameters_ask_one(struct plain_parameters *p)
{
	enum parameter which = (enum parameter)p->at;
	struct buf now = { 0 }, range = { 0 };

	parameter_words(p->host->setup, which, &now);
	parameter_write_range(which, p->host->setup->target.protocol, &range);
	plain_tell_line(p->host->tell, "%s: now %s. It can be %s. An empty line keeps it, default resets it, a command such as /help ends the questions.", parameter_name(which), buf_z(&now),
	                buf_z(&range));
	buf_fini(&now);
	buf_fini(&range);
	plain_ask(p->host, &parameter_question, p);
}

static void parameters_take(void *part, struct str line)
{
	struct plain_parameters *p = part;
	struct error err = { "" };

	line = str_trim(line);
	if (str_starts(line, "/")) {
		plain_ask_prompt(p->host);
		p->host->run(p->host->ctx, line);
		return;
	}
	if (line.len && !parameter_change(p->host->setup, (enum parameter)p->at, line, &err))
		plain_fail(p->host, err.text); /* and it is asked for again */
	else
		p->at++;
	if (p->at < PARAMETER_COUNT) {
		parameters_ask_one(p);
		return;
	}
	plain_ask_prompt(p->host);
	plain_tell_line(p->host->tell, "The parameters are set, from the next turn on.");
}

void plain_parameters_ask(struct plain_parameters *p)
{
	p->at = 0;
	parameters_ask_one(p);
}
