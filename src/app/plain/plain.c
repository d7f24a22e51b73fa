#include "app/options/options.h"
#include "app/plain/plain_inside.h"

#include <string.h>
#include <unistd.h>

#include "app/command/command.h"
#include "app/keep/budget.h"
#include "app/plain/plain_commands.h"
#include "app/request/tape_choice.h"
#include "app/session/session_parallel.h"
#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "base/crash_handler.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/summary.h"
#include "chat/conversation/totals.h"
#include "ui/term/terminfo.h"

/* --- choosing the mode --- */

static bool plain_is_asked_for(const struct options *o)
{
	const char *accessible = process_environment("ACCESSIBLE");

	return o->plain || (accessible && *accessible && strcmp(accessible, "0") != 0);
}

bool plain_is_wanted(const struct options *o)
{
	return plain_is_asked_for(o) || (isatty(STDOUT_FILENO) && !terminfo_places_cursor(process_environment("TERM")));
}

/* --- input --- */

static bool plain_takes_setting(void *ctx, const char *name, struct error *err)
{
	(void)ctx, (void)name, (void)err; /* all are read where they are used */
	return true;
}

/* Not while a request runs: it may borrow from what is replaced. Not within a question: it may be about what is replaced. */
static void plain_reread(struct plain *p)
{
	struct error sentence = { "" };

	if (p->host.replay || p->host.question || session_is_busy(p->session))
		return;
	enum reread how = setup_reread(p->setup, plain_takes_setting, NULL, &sentence);
	if (how != REREAD_SAME)
		(how == REREAD_WRONG ? plain_fail : plain_say)(&p->host, sentence.text);
}

/* "/quit" is a word wherever a line is asked for, and leaves what asks. */
static bool plain_leaves(struct plain *p, struct str line)
{
	struct str word = str_trim(line);
	const struct command *command = str_starts(word, "/") ? command_by_name(COMMAND_PLAIN, str_skip(word, 1)) : NULL;
	bool leaves = command && command->plain == plain_quit;

	if (leaves) {
		plain_ask_prompt(&p->host);
		plain_quit(p);
	}
	return leaves;
}

/* A command, or a prompt of a server. */
static bool plain_run_slash(struct plain *p, struct str line)
{
	struct actor actor = plain_actor(&p->host);

	line = str_trim(line);
	return str_starts(line, "/") && (plain_run(p, line) || act_server_prompt(&actor, str_skip(line, 1)));
}

static void plain_take_line(struct plain *p, struct str line)
{
	const struct plain_question *question = p->host.question;
	char *held = p->held;

	p->held = NULL;
	p->interrupted = false;
	plain_reread(p);
	if (question) {
		bool hidden = question->hidden;

		if (!plain_leaves(p, line))
			question->take(p->host.asks, line);
		if (hidden)
			plain_lines_wipe(&p->lines);
	} else if (str_is_blank(line) && held) {
		plain_send(p, str_from(held), p->host.types);
	} else if (*line.ptr == '!' && line.len > 1 && p->alone && !p->host.replay) {
		plain_files_confirm(&p->files, str_skip(line, 1));
	} else if (!str_is_blank(line) && !plain_run_slash(p, line) && !plain_holds(p, line)) {
		plain_send(p, line, p->host.types);
	}
	mem_free(held);
}

/* Typed lines are taken at any time; lines from a pipe wait until the previous one is done. */
static bool plain_takes_lines(const struct plain *p)
{
	if (plain_edit_runs(&p->edit_request))
		return false;
	return p->host.types || (!session_is_busy(p->session) && !plain_menu_waits(&p->menu) && !provider_setup_runs(&p->provider_form.test) &&
	                         !collecting_name(&p->collecting) && (p->host.replay || !keep_is_waiting(p->host.keep)));
}

static void plain_take_lines(struct plain *p, int64_t now_ms)
{
	struct str line;

	while (!p->quit && plain_takes_lines(p) && plain_lines_next(&p->lines, now_ms, &line, &p->alone))
		plain_take_line(p, line);
	plain_lines_tell_loss(&p->lines);
	if (p->lines.over && plain_takes_lines(p))
		p->quit = true;
}

static size_t plain_fds(void *ctx, struct pollfd *fds, size_t room)
{
	const struct plain *p = ctx;

	return plain_takes_lines(p) ? plain_lines_fds(&p->lines, fds, room) : 0;
}

static void plain_read(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	plain_lines_run(&((struct plain *)ctx)->lines, fds, count, now_ms);
}

static void plain_host_mark_folder(void *ctx, const char *folder)
{
	plain_files_mark(&((struct plain *)ctx)->files, folder);
}

static void plain_host_fill(void *ctx, struct str text)
{
	struct plain *p = ctx;

	mem_free(p->held);
	p->held = str_dup(text);
	plain_tell_line(&p->tell, "The prompt is: %.*s", STR_ARG(text));
	plain_tell_line(&p->tell, "An empty line sends it.");
}

static bool plain_host_run(void *ctx, struct str line)
{
	return plain_run(ctx, line);
}

/* --- signals --- */

/* Stops the turn, else leaves a menu, else prints a hint. A second Ctrl-C without a line in between quits. */
static void plain_interrupt(struct plain *p)
{
	bool twice = p->interrupted;

	p->interrupted = true;
	if (p->host.types)
		plain_tell_echoed(&p->tell, false); /* ^C */
	plain_lines_drop(&p->lines);
	if (twice)
		plain_quit(p);
	else if (collecting_stop(&p->collecting))
		plain_tell_line(&p->tell, "Stopped: nothing was attached.");
	else if (session_is_busy(p->session))
		plain_stop(p);
	else if (p->host.question)
		plain_tell_line(&p->tell, "Left. Ctrl-C again leaves weir.");
	else
		plain_tell_line(&p->tell, "Ctrl-C again leaves weir; Ctrl-D and /quit do too.");
	plain_ask_prompt(&p->host);
}

static void plain_take_signals(void *ctx, struct signals came)
{
	struct plain *p = ctx;

	p->quit |= came.terminate != 0;
	p->ended_by = p->ended_by ? p->ended_by : came.terminate;
	if (came.resumed)
		p->prompted = false; /* other programs may have written to the terminal */
	for (int i = 0; i < came.interrupt && !plain_edit_runs(&p->edit_request); i++) /* Ctrl-C is the editor's */
		plain_interrupt(p);
}

/* --- the loop --- */

static const char *plain_prompt_label(const struct plain *p)
{
	if (p->lines.input.goes_on)
		return "More: ";
	if (p->host.question)
		return p->host.question->label;
	return p->host.replay ? "Command: " : "You: ";
}

/* While an answer is printed there is no label between its lines, not even that of an open question, which takes lines all the same. */
static void plain_prompt(struct plain *p)
{
	const struct plain_question *interrupted = p->interrupted_question;

	if (p->prompted && !p->tell.out.mid_line)
		p->prompted = false; /* output was printed, or a line was typed */
	if (session_is_busy(p->session) && !(p->elicit.id && p->host.question)) {
		p->interrupted_question = p->host.question;
		return;
	}
	if (!p->host.types || p->prompted || plain_edit_runs(&p->edit_request) || p->quit || p->lines.holds || local_servers_wait(&p->menu.servers))
		return;
	if (interrupted && interrupted == p->host.question)
		plain_tell_line(&p->tell, "The question before the end of the answer is still open.");
	p->interrupted_question = NULL;
	plain_tell_prompt(&p->tell, plain_prompt_label(p));
	p->prompted = true;
}

/* --- what MCP servers ask for --- */

static bool plain_open_page(void *ctx, const char *url, struct error *err)
{
	struct plain *p = ctx;
	struct actor actor = plain_actor(&p->host);

	return opening_page(&p->opening, &actor, url, err);
}

static void plain_follow_asks(struct plain *p)
{
	if (elicit_form_is_stale(&p->elicit)) {
		if (p->host.asks == &p->form && p->form.subject == &p->elicit)
			plain_ask_prompt(&p->host);
		plain_tell_line(&p->tell, "%s does not wait for your answer any more.", p->elicit.server);
		elicit_form_drop(&p->elicit);
	}
	if (!p->host.question && elicit_form_has_news(&p->elicit, true) && elicit_form_take(&p->elicit))
		plain_form_open(&p->form, &elicit_table, &p->elicit);
}

static int64_t teller_deadline(void *ctx)
{
	const struct plain *p = ctx;
	int64_t news_ms = compare_has_news(&p->compare) ? 0 : plain_progress_deadline(&p->progress), held_ms = plain_lines_deadline(&p->lines);

	return news_ms < held_ms ? news_ms : held_ms;
}

static void teller_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct plain *p = ctx;

	(void)fds, (void)count;
	plain_take_lines(p, now_ms);
	compare_drain(&p->compare);
	if (session_is_held(p->session)) /* the answers are printed one after another, as they end */
		plain_tell_work(&p->tell, compare_live(&p->compare), (struct plain_quiet){ 0 }, now_ms);
	else
		plain_progress_tell(&p->progress, now_ms);
	plain_follow_asks(p);
	plain_take_lines(p, now_ms); /* lines from a pipe continue after the end of a turn */
	plain_prompt(p);
	p->quit |= p->tell.out.closed;
}

static void plain_models_ran(void *ctx)
{
	plain_menu_models_ran(&((struct plain *)ctx)->menu);
}

static void plain_provider_tested(void *plain)
{
	struct plain *p = plain;

	if (!plain_form_ended(&p->form, &p->provider_form))
		provider_form_drop(&p->provider_form);
}

static void plain_models_fetched(void *ctx)
{
	struct plain *p = ctx;

	model_list_price_all(&p->models, session_conversation(p->session));
	session_note_change(p->session);
}

/* The bell for both ways of the terminal: linear output is text, and the bell takes no column of the line under way. */
static void plain_ring(void *ctx, const char *sentence)
{
	struct output *out = &((struct plain *)ctx)->tell.out;
	bool mid_line = out->mid_line;

	(void)sentence;
	if (out->terminal)
		output_safe(out, STR("\a"));
	out->mid_line = mid_line;
}

static void plain_say_notice(void *ctx, const char *sentence)
{
	plain_fail(&((struct plain *)ctx)->host, sentence);
}

static void plain_titled(void *ctx, const char *title)
{
	keep_title(((struct plain *)ctx)->host.keep, title); /* /cost has what it took */
}

/* Lines cannot report the focus: who has typed nothing for as long as a long answer takes counts as elsewhere. */
static void plain_turn_ended(void *ctx, struct turn *turn)
{
	struct plain *p = ctx;

	model_list_price(&p->models, turn);
	session_note_change(p->session);
	if (turn_is_summary(turn))
		plain_tell_over(&p->tell, session_conversation(p->session), turn);
	plain_progress_turn_ended(&p->progress, turn);
	if (!p->host.replay)
		budget_tell_missed(p->host.keep, turn);
	if (!p->host.replay)
		titling_note(&p->titling, turn);
	p->notice.away = p->host.types && clock_now_ms() - p->lines.read_ms > NOTICE_AFTER_MS;
	if (!p->host.replay)
		notice_ended(&p->notice, turn);
}

/* --- start and end --- */

static void plain_greet(struct plain *p, const struct options *o)
{
	const struct target *target = &p->setup->target;

	if (!plain_is_asked_for(o))
		plain_tell_line(&p->tell, "This terminal cannot place its cursor (TERM is \"%s\"), so weir writes lines.",
		                process_environment("TERM") ? process_environment("TERM") : "");
	if (p->host.replay)
		plain_tell_line(&p->tell, "weir, linear mode. Replay of %s. /help lists the commands.", p->tape_name);
	else
		plain_tell_line(&p->tell, "weir, linear mode. Provider %s, %s%s, protocol %s. /help lists the commands.", target->provider->name,
		                *target->model ? "model " : "no model chosen yet", target->model, target->protocol->name);
}

static void plain_loop(struct plain *p)
{
	struct signals_listener listener = { .take = plain_take_signals, .ctx = p };
	struct loop *loop = p->setup->loop;
	struct loop_member keep = keep_member(p->host.keep);
	struct loop_member compare = compare_member(&p->compare);
	struct loop_member signals = signals_member(&listener), session = session_member(p->session), models = model_list_member(&p->models),
	                   form = provider_setup_member(&p->provider_form.test), notice = notice_member(&p->notice),
	                   pasting = pasting_member(&p->pasting), collecting = collecting_member(&p->collecting),
	                   opening = opening_member(&p->opening), titling = titling_member(&p->titling),
	                   servers = plain_menu_servers_member(&p->menu),
	                   edit = plain_edit_member(&p->edit_request);

	loop_add(loop, &signals);
	loop_add(loop, &(struct loop_member){ .ctx = p, .fds = plain_fds, .run = plain_read });
	loop_add(loop, &session);
	loop_add(loop, &compare);
	if (!p->host.replay)
		loop_add(loop, &keep);
	loop_add(loop, &edit);
	loop_add(loop, &models);
	loop_add(loop, &servers);
	loop_add(loop, &form);
	loop_add(loop, &notice);
	loop_add(loop, &pasting);
	loop_add(loop, &opening);
	loop_add(loop, &collecting);
	loop_add(loop, &titling);
	loop_add(loop, &(struct loop_member){ .ctx = p, .deadline = teller_deadline, .run = teller_run });
	plain_prompt(p);
	while (!p->quit)
		loop_turn(loop);
	plain_ask_prompt(&p->host);
	output_break(&p->tell.out);
}

static void plain_tell_kept(void *ctx, const char *sentence)
{
	struct plain *p = ctx;

	messages_add(&p->messages, SEVERITY_INFORMATION, sentence);
	plain_tell_line(&p->tell, "Note: %s%s", sentence, str_ends(str_from(sentence), ".") ? "" : ".");
}

static void plain_begin_template(struct plain *p);

static void plain_resumed(void *ctx, bool good)
{
	struct plain *p = ctx;

	if (good)
		plain_tell_opened(p);
	if (p->setup->options->template) /* it waited, too */
		plain_begin_template(p);
}

/* What is to be told of it is told by whoever asked for it. */
static void plain_entered(void *ctx)
{
	struct plain *p = ctx;

	plain_tell_forget(&p->tell);
	p->tell.nodes = session_conversation(p->session)->node_count;
	p->tell.turn = session_conversation(p->session)->count;
}

static void plain_init(struct plain *p, bool replay)
{
	p->session = session_new(p->setup, plain_turn_ended, p);
	p->host = (struct plain_host){ .setup = p->setup, .session = p->session, .tell = &p->tell, .messages = &p->messages, .replay = replay,
	                               .types = isatty(STDIN_FILENO), .mark = plain_host_mark_folder, .fill = plain_host_fill,
	                               .run = plain_host_run, .ctx = p };
	p->host.collecting = replay ? NULL : &p->collecting;
	if (!replay)
		p->host.keep = keep_new(p->setup, p->session, &(struct keep_ways){
			.tell = plain_tell_kept, .entered = plain_entered, .resumed = plain_resumed, .ctx = p });
	p->models = (struct model_list){ .setup = p->setup, .fetched = plain_models_fetched, .ran = plain_models_ran, .ctx = p };
	plain_tell_init(&p->tell, STDOUT_FILENO);
	conversation_list_init(&p->conversations, p->host.keep);
	plain_lines_init(&p->lines, &p->host);
	pasting_init(&p->pasting);
	opening_init(&p->opening);
	p->elicit = (struct elicit_form){ .setup = p->setup, .open = plain_open_page, .ctx = p };
	mcp_hub_take_asks(p->setup->servers, p->host.types && !p->host.replay);
	collecting_init(&p->collecting);
	section_form_init(&p->section_form, p->setup);
	p->files = (struct plain_files){ .host = &p->host };
	titling_init(&p->titling, p->setup, p->session, &p->models, plain_titled, p);
	plain_menu_init(&p->menu, &p->host, &p->models);
	provider_form_init(&p->provider_form, p->setup, &p->models, plain_provider_tested, p);
	notice_init(&p->notice, &p->setup->settings, &(struct notice_ways){ .ring = plain_ring, .say = plain_say_notice, .ctx = p });
	compare_init(&p->compare, p->setup, p->session, &p->models,
	             &(struct compare_ways){ .began = plain_compare_began, .asks = plain_compared_answer_asks, .ended = plain_compared_answer_ended,
	                                     .ctx = p });
	p->form = (struct plain_form){ .host = &p->host, .alone = &p->alone };
	p->edit_request = (struct plain_edit){ .host = &p->host };
	p->approval = (struct plain_approval){ .host = &p->host, .alone = &p->alone };
	p->progress = (struct plain_progress){ .host = &p->host, .menu = &p->menu, .approval = &p->approval, .models = &p->models };
}

static void plain_fini(struct plain *p)
{
	plain_edit_fini(&p->edit_request);
	pasting_fini(&p->pasting);
	opening_fini(&p->opening);
	elicit_form_drop(&p->elicit);
	collecting_fini(&p->collecting);
	section_form_drop(&p->section_form);
	plain_files_fini(&p->files);
	titling_fini(&p->titling);
	plain_menu_fini(&p->menu);
	provider_form_drop(&p->provider_form);
	model_list_fini(&p->models);
	plain_lines_fini(&p->lines);
	notice_fini(&p->notice);
	mem_free(p->held);
	plain_tell_fini(&p->tell);
	keep_free(p->host.keep);
	compare_fini(&p->compare);
	session_free(p->session);
	conversation_list_fini(&p->conversations);
	setup_fini(p->setup);
}

/* --template: as if it had been typed. */
static void plain_begin_template(struct plain *p)
{
	struct buf line = { 0 };

	buf_add_byte(&line, '/');
	setup_write_template_line(p->setup, &line);
	plain_run(p, buf_str(&line));
	buf_fini(&line);
}

/* Its last turns are told, so that one knows where it ended. */
void plain_tell_opened(struct plain *p)
{
	const struct conversation *c = session_conversation(p->session);
	size_t count = c->count;
	unsigned prompts = conversation_totals(c).turns;

	plain_tell_line(&p->tell, "A stored conversation of %u turn%s%s.", prompts, prompts == 1 ? "" : "s", count > 2 ? ". The last one" : "");
	for (size_t i = count > 2 ? count - 2 : 0; i < count; i++)
		plain_tell_again(&p->tell, c, c->turns[i]);
}

static void plain_begin(struct plain *p)
{
	const struct options *o = p->setup->options;
	struct error err;

	if (o->conversation && !keep_open_named(p->host.keep, str_from(o->conversation), &err))
		plain_fail(&p->host, err.text);
	else if (o->conversation)
		plain_tell_opened(p);
	if (o->compare)
		plain_tell_line(&p->tell, "Each prompt goes to all %zu of %s. /compare off ends that.", p->compare.targets.count, o->compare);
	if (o->resume)
		(void)plain_run(p, STR("/resume"));
	if (o->template && !keep_is_waiting(p->host.keep))
		plain_begin_template(p);
}

int plain_main(const struct options *o, struct replay *replay)
{
	struct setup setup;
	struct plain p = { .setup = &setup, .tape_name = replay ? replay->name : NULL };
	struct error err = { "" };
	int status;

	crash_handlers_install();
	signals_open();
	if (!setup_init_chat(&setup, o, &err)) {
		setup_fini(&setup);
		return usage_error("%s", err.text);
	}
	plain_init(&p, replay != NULL);
	if (o->compare && !compare_begin(&p.compare, str_from(o->compare), &err)) {
		plain_fini(&p);
		signals_close();
		return usage_error("%s", err.text);
	}
	plain_greet(&p, o);
	if (replay) {
		struct loop_member member = replay_member(replay);

		replay_start(replay, p.session);
		loop_add(setup.loop, &member);
	} else {
		plain_begin(&p);
	}
	plain_loop(&p);
	status = output_status(&p.tell.out, EXIT_DONE);
	if (p.ended_by)
		tape_choice_tell_broken(session_live(p.session) ? session_live(p.session) : compare_live(&p.compare));
	plain_fini(&p);
	signals_close();
	return p.ended_by ? EXIT_BY_SIGNAL + p.ended_by : status;
}
