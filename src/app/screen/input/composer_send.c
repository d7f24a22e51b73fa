/* Sending what the input holds: a prompt, a command, or a prompt of an MCP server. */
#include "app/screen/input/composer.h"

#include "app/command/actions.h"
#include "app/command/command.h"
#include "app/compare/compare.h"
#include "app/screen/services/branches.h"
#include "app/session/cost_report.h"
#include "app/session/session_prompts.h"
#include "app/session/session_tree.h"
#include "app/setup/setup.h"
#include "base/mem.h"

#define OVERFLOW_MS 12000

/* Says once that a prompt may not fit, or that the budget is spent; the next Enter sends it. */
static bool composer_asks_about_limits(struct composer *w, struct str prompt)
{
	struct buf sentence;

	if (w->overflowed == w->input.version)
		return false;
	buf_init(&sentence, BUF_LIMIT_DEFAULT);
	bool asks = cost_report_overflows(w->host->session, w->tools.models, prompt, &sentence);
	asks |= host_is_over_budget(w->host, &sentence);
	if (asks) {
		w->overflowed = w->input.version;
		buf_add_z(&sentence, " Enter sends it.");
		host_say_for(w->host, OVERFLOW_MS, buf_z(&sentence));
	}
	buf_fini(&sentence);
	return asks;
}

/* To the target, or to all that are compared. */
static bool composer_pass(struct composer *w, struct str prompt, struct error *err)
{
	if (w->host->compare && w->host->compare->asks_all && !session_is_busy(w->host->session))
		return compare_ask(w->host->compare, prompt, err);
	return session_send(w->host->session, prompt, err);
}

/* False: the prompt stays in the input, and the reason is shown. */
static bool composer_send(struct composer *w, struct str prompt)
{
	struct error err = { "" };
	bool has_model = *w->host->setup->target.model || session_live(w->host->session);

	if (has_model && (composer_waits(w) || composer_collects(w)))
		return false;
	bool attached = !has_model || composer_attach_typed(w, &err);
	if (attached && composer_asks_about_limits(w, prompt))
		return false;
	if (!attached || !composer_pass(w, prompt, &err)) {
		host_fail(w->host, "%s", err.text);
		if (!has_model) {
			host_run(w->host, STR("model"));
			w->lacks_model = w->input.version;
		}
		return false;
	}
	if (!prompts_add(w->prompts, prompt, &err) && !w->told_unkept) {
		host_fail(w->host, "%s", err.text);
		w->told_unkept = true;
	}
	transcript_to_end(w->host->transcript);
	branches_tell_left(w->host);
	return true;
}

/* After a stop: the answer that was stopped is followed by the oldest prompt in line. */
static void composer_send_waiting(struct composer *w)
{
	struct actor actor = host_actor(w->host);
	struct error err = { "" };

	if (!act_may_send_queued(&actor))
		return;
	if (session_send_waiting(w->host->session, &err))
		transcript_to_end(w->host->transcript);
	else
		host_fail(w->host, "%s", err.text);
}

/* A misspelled command is not sent but stays in the input to be corrected. "/usr/bin is full" and pasted text are prompts. */
static bool composer_refuses_slip(struct composer *w)
{
	struct str text = buf_str(&w->input.text), line = str_trim_start(text), words, word = str_first_word(str_skip(line, 1), &words);
	struct buf sentence;

	if (!command_has_slash(line) || !command_is_word(word) || char_is_blank(line.ptr[1]) ||
	    edit_origin(&w->input, 0, text.len - line.len + 1 + word.len) == EDIT_FOREIGN)
		return false;
	buf_init(&sentence, BUF_LIMIT_DEFAULT);
	command_refuse(COMMAND_SCREEN, word, NULL, &sentence);
	host_say(w->host, "%s", buf_z(&sentence));
	buf_fini(&sentence);
	return true;
}

/* A prompt of an MCP server, typed as a command is: "/NAME:PROMPT words". */
static bool composer_asks_server(struct composer *w)
{
	struct str text = buf_str(&w->input.text), line = str_trim_start(text), words, word = str_first_word(str_skip(line, 1), &words), prompt;
	struct actor actor = host_actor(w->host);
	size_t server;

	if (!command_has_slash(line) || !setup_find_server(w->host->setup, word, &server, &prompt) || !prompt.len || composer_waits(w) ||
	    edit_origin(&w->input, 0, text.len - line.len + 1 + word.len) == EDIT_FOREIGN)
		return false;
	char *copy = str_dup(str_skip(line, 1));
	edit_reset(&w->input);
	if (w->walking)
		composer_drop_walked(w);
	composer_unstash(w);
	(void)act_server_prompt(&actor, str_from(copy));
	mem_free(copy);
	return true;
}

/* It was sent. */
static void composer_forget_input(struct composer *w)
{
	edit_reset(&w->input);
	w->walking = false;
	composer_unstash(w);
	edit_forget_stashed(&w->input);
	w->restored_files = 0;
}

void composer_send_input(struct composer *w, const struct key *enter)
{
	host_reread(w->host);
	const struct command *command = composer_command(w);
	bool has_waiting = session_queued(w->host->session) && !session_is_busy(w->host->session) && !session_is_editing(w->host->session);
	const char *unseen = enter->at_once ? composer_offer_file(w) : NULL; /* the offer was not on the screen yet */
	struct buf prompt = { 0 };

	if (command ? !host_may_run(w->host, command, enter) : composer_asks_to_run(w, enter) || composer_asks_server(w) || composer_refuses_slip(w))
		return;
	edit_expand(&w->input, &prompt);
	if (command) {
		edit_reset(&w->input);
		if (w->walking)
			composer_drop_walked(w);
		composer_unstash(w);
		host_run(w->host, str_skip(str_trim_start(buf_str(&prompt)), 1));
	} else if (has_waiting && edit_is_empty(&w->input)) {
		composer_send_waiting(w);
	} else if (!str_is_blank(buf_str(&prompt)) && composer_send(w, buf_str(&prompt))) {
		if (unseen)
			host_say(w->host, "%s%s was sent as text, because it arrived at once", w->offered_paste ? "" : "@", unseen);
		else
			composer_tell_missing(w);
		composer_forget_input(w);
	}
	buf_fini(&prompt);
}

void composer_take_model(struct composer *w, const struct key *enter)
{
	bool waits = w->lacks_model == w->input.version && *w->host->setup->target.model && !enter->at_once;

	w->lacks_model = 0;
	if (waits)
		composer_send_input(w, enter);
}
