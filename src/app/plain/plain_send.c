/* Sending a line of the linear mode as a prompt: what may hold it back, and what could be attached to it. */
#include "app/plain/plain_inside.h"

#include "app/keep/budget.h"
#include "app/session/cost_report.h"
#include "app/session/session_parallel.h"
#include "app/session/session_prompts.h"
#include "app/setup/mention.h"
#include "app/setup/setup.h"
#include "base/mem.h"

#define OFFERED_MOST 3 /* how many mentioned files of a prompt are named */

static void plain_offer_path(struct plain *p, struct str prompt)
{
	struct buf path = { 0 };

	if (p->host.types && mention_of_paste(prompt, &path) && mention_is_file(buf_str(&path)))
		plain_tell_line(&p->tell, "That is the path of a file, and text here. /attach %s adds the file to the next prompt.", buf_z(&path));
	buf_fini(&path);
}

/* How the files could be attached that a prompt names. */
static void plain_offer_files(struct plain *p, struct str prompt)
{
	struct str mention;

	plain_tell_follow(&p->tell, session_conversation(p->session));
	plain_offer_path(p, prompt);
	for (size_t at = 0, told = 0; told < OFFERED_MOST && mention_next(prompt, &at, &mention);) {
		struct str path = mention_likely_path(mention);

		told += path.len > 0;
		if (path.len && p->host.types)
			plain_tell_line(&p->tell, "@%.*s is text here. /attach %.*s adds that file to the next prompt.", STR_ARG(path),
			                STR_ARG(path));
		else if (path.len)
			plain_tell_line(&p->tell, "@%.*s is text here. weir ask --file sends a file.", STR_ARG(path));
	}
}

bool plain_holds(struct plain *p, struct str prompt)
{
	struct buf sentence;

	buf_init(&sentence, BUF_LIMIT_DEFAULT);
	bool overflows = cost_report_overflows(p->session, &p->models, prompt, &sentence);
	struct budget budget = budget_of_chat(p->setup, p->host.keep);
	bool spent = budget_is_spent(&budget);

	if (budget_is_near(&budget)) {
		buf_printf(&sentence, "%sThe budget is %s: ", sentence.len ? " " : "", spent ? "spent" : "nearly spent");
		budget_write(&budget, &sentence);
		buf_add_z(&sentence, spent && !p->host.types ? ". Nothing was sent." : ".");
	}
	if (sentence.len && !overflows && !spent)
		plain_tell_line(&p->tell, "%s", buf_z(&sentence));
	overflows |= spent;
	if (overflows)
		plain_tell_line(&p->tell, "%s%s", buf_z(&sentence), p->host.types ? " An empty line sends it." : "");
	if (overflows && p->host.types)
		p->held = str_dup(prompt);
	buf_fini(&sentence);
	return spent || (overflows && p->host.types);
}

void plain_send(struct plain *p, struct str prompt, bool typed)
{
	struct actor actor = plain_actor(&p->host);
	struct error err = { "" };
	bool live = session_is_busy(p->session);

	if (!act_asks(&actor) || plain_asks_all(p, prompt))
		return;
	if (!live && !*p->setup->target.model) {
		plain_tell_line(&p->tell, "No model is chosen yet, so nothing was sent.");
		plain_menu_open(&p->menu, PLAIN_MODELS);
		return;
	}
	plain_tell_typed(&p->tell, typed && !live);
	if (!session_send(p->session, prompt, &err)) {
		plain_fail(&p->host, err.text);
		plain_tell_typed(&p->tell, false);
		return;
	}
	if (live)
		plain_tell_line(&p->tell, "Queued: it is sent when the answer has ended.");
	plain_offer_files(p, prompt);
}
