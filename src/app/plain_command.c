/* The slash words of the linear mode. What they are called and what they do is the full screen's, where that has them too. */
#include <assert.h>

#include "app/command.h"
#include "app/demo.h"
#include "app/details.h"
#include "app/plain.h"
#include "base/json_scan.h"

struct plain_command {
	const char *name;
	action *act;                                   /* of those that need no more than setup and session */
	void (*run)(struct plain *p, struct str argument);
	const char *help;                              /* NULL: as the full screen's table says */
};

/* --- whom to ask --- */

static void choose(struct plain *p, struct str name, action *act, enum plain_list list)
{
	struct actor actor = plain_actor(p);

	if (name.len)
		act(&actor, name);
	else
		plain_open_menu(p, list);
}

static void run_model(struct plain *p, struct str argument) { choose(p, argument, act_model, PLAIN_MODELS); }
static void run_protocol(struct plain *p, struct str argument) { choose(p, argument, act_protocol, PLAIN_PROTOCOLS); }
static void run_provider(struct plain *p, struct str argument) { choose(p, argument, act_provider, PLAIN_PROVIDERS); }

static void run_theme(struct plain *p, struct str argument)
{
	(void)argument;
	plain_tell_line(&p->tell, "There are no themes here: the linear mode sets no colours.");
}

/* --- the turn --- */

static void run_stop(struct plain *p, struct str argument)
{
	(void)argument;
	if (session_live(p->session))
		session_stop(p->session);
	else
		plain_tell_line(&p->tell, "No answer is under way.");
}

static void run_retry(struct plain *p, struct str argument)
{
	(void)argument;
	struct actor actor = plain_actor(p);
	act_retry(&actor);
}

static void run_continue(struct plain *p, struct str argument)
{
	(void)argument;
	struct actor actor = plain_actor(p);
	act_continue(&actor);
}

static void run_edit(struct plain *p, struct str argument)
{
	struct actor actor = plain_actor(p);
	struct error err = { "" };
	struct str prompt;

	if (!act_asks(&actor))
		return;
	if (!session_edit(p->session, &prompt, &err)) {
		plain_say(p, err.text);
	} else if (!argument.len) {
		plain_tell_line(&p->tell, "The last prompt is: %.*s", STR_ARG(prompt));
		plain_tell_line(&p->tell, "/edit TEXT sends TEXT in its place.");
		session_leave_edit(p->session);
	} else if (!session_send(p->session, argument, &err)) {
		plain_say(p, err.text);
	}
}

static void run_new(struct plain *p, struct str argument)
{
	(void)argument;
	struct actor actor = plain_actor(p);
	if (act_new(&actor))
		plain_tell_forget(&p->tell);
}

/* Of the next call that waits, or sends what was given. */
static void ask_result(struct plain *p)
{
	struct error err = { "" };
	const struct part *call = session_waiting_call(p->session, &p->call);
	struct buf words;

	if (!call) {
		p->asking = PLAIN_PROMPT;
		if (!session_send_results(p->session, &err))
			plain_say(p, err.text);
		return;
	}
	buf_init(&words, BUF_LIMIT_DEFAULT);
	plain_call_words(call, BUF_LIMIT_DEFAULT, &words);
	plain_tell_line(&p->tell, "Tool call %u of %zu. %s", p->call + 1, turn_call_count(session_last_answer(p->session)), buf_z(&words));
	plain_tell_line(&p->tell, "Type its result, /skip to send it back as not run, or /later.");
	buf_fini(&words);
	p->asking = PLAIN_RESULT;
}

void plain_take_result(struct plain *p, struct str line)
{
	struct str word = str_trim(line);

	if (!word.len || str_is(word, "/later")) {
		p->asking = PLAIN_PROMPT;
		plain_tell_line(&p->tell, "Left for later: /answer asks again.");
		return;
	}
	if (str_is(word, "/skip"))
		session_skip_call(p->session, p->call);
	else
		session_answer_call(p->session, p->call, line, false);
	p->call++;
	ask_result(p);
}

static void run_answer(struct plain *p, struct str argument)
{
	(void)argument;
	struct actor actor = plain_actor(p);
	p->call = 0;
	if (!act_asks(&actor))
		return;
	if (session_waiting_call(p->session, &p->call))
		ask_result(p);
	else
		plain_tell_line(&p->tell, "No tool call waits for an answer.");
}

/* --- reading --- */

static const struct turn *last_answer(struct plain *p)
{
	const struct turn *t = session_last_answer(p->session);

	if (!t)
		plain_tell_line(&p->tell, "There is no answer yet.");
	return t;
}

/* Everything of one kind in the last answer, each part under a line of its own. */
static void tell_parts(struct plain *p, enum part_kind kind, const char *title, const char *none)
{
	const struct turn *t = last_answer(p);
	struct buf text;
	size_t found = 0;

	if (!t)
		return;
	buf_init(&text, BUF_LIMIT_DEFAULT);
	for (size_t i = 0; i < t->part_count; i++) {
		const struct part *part = &t->parts[i];

		if (part->kind != kind)
			continue;
		buf_clear(&text);
		if (kind == PART_TOOL_CALL)
			json_scan_pretty(buf_str(&part->text), &text);
		else
			buf_add(&text, buf_str(&part->text));
		plain_tell_line(&p->tell, "%s %zu%s%s:", title, ++found, part->name ? ", " : "", part->name ? part->name : "");
		plain_tell_block(&p->tell, buf_str(&text));
	}
	plain_tell_line(&p->tell, "%s", found ? "That is all." : none);
	buf_fini(&text);
}

static void run_reasoning_text(struct plain *p, struct str argument)
{
	(void)argument;
	tell_parts(p, PART_REASONING, "Reasoning", "The last answer has no reasoning.");
}

static void run_calls(struct plain *p, struct str argument)
{
	(void)argument;
	tell_parts(p, PART_TOOL_CALL, "Tool call", "The last answer has no tool calls.");
}

static void tell_detail(void *ctx, const char *name, struct str value)
{
	if (name)
		plain_tell_line(ctx, "%s: %.*s", name, STR_ARG(value));
	else if (value.len)
		plain_tell_block(ctx, value);
}

static void run_details(struct plain *p, struct str argument)
{
	(void)argument;
	const struct turn *t = last_answer(p);
	if (t)
		details_tell(t, tell_detail, &p->tell);
}

static void run_id(struct plain *p, struct str argument)
{
	(void)argument;
	const struct turn *t = last_answer(p);
	if (t)
		plain_tell_line(&p->tell, t->id ? "Response id: %s" : "The server sent no response id.", t->id);
}

static void run_quit(struct plain *p, struct str argument)
{
	(void)argument;
	p->quit = true;
}

static void run_help(struct plain *p, struct str argument);

/* --- the table --- */

static const struct plain_command commands[] = {
	{ .name = "help",           .run = run_help, .help = "the commands, and what the demo answers to" },
	{ .name = "model",          .run = run_model },
	{ .name = "protocol",       .run = run_protocol },
	{ .name = "provider",       .run = run_provider },
	{ .name = "theme",          .run = run_theme, .help = "there are none here" },
	{ .name = "stop",           .run = run_stop, .help = "stop the answer, keep what came; Ctrl-C does it too" },
	{ .name = "retry",          .run = run_retry },
	{ .name = "continue",       .run = run_continue },
	{ .name = "edit",           .run = run_edit, .help = "read the last prompt; with a text behind it, send that in its place" },
	{ .name = "answer",         .run = run_answer },
	{ .name = "reasoning-text", .run = run_reasoning_text, .help = "read the reasoning of the last answer" },
	{ .name = "calls",          .run = run_calls, .help = "read the tool calls of the last answer" },
	{ .name = "details",        .run = run_details },
	{ .name = "id",             .run = run_id, .help = "read the response id of the last turn" },
	{ .name = "new",            .run = run_new },
	{ .name = "attach",         .act = act_attach },
	{ .name = "tools",          .act = act_tools },
	{ .name = "schema",         .act = act_schema },
	{ .name = "system",         .act = act_system },
	{ .name = "reasoning",      .act = act_reasoning },
	{ .name = "pause",          .act = act_pause },
	{ .name = "step",           .act = act_step },
	{ .name = "quit",           .run = run_quit, .help = "leave; Ctrl-D does it too" },
};
#define COMMANDS (sizeof commands / sizeof *commands)

static void run_help(struct plain *p, struct str argument)
{
	(void)argument;
	plain_tell_line(&p->tell, "A line is sent as a prompt. A backslash at its end goes on in the next line. @PATH in it attaches a file.");
	plain_tell_line(&p->tell, "Ctrl-C stops the answer; twice, it leaves. A line that is typed while an answer runs is sent after it.");
	for (size_t i = 0; i < COMMANDS; i++) {
		const struct command *same = command_by_name(str_from(commands[i].name));

		assert(commands[i].help || same);
		bool takes = same && same->argument && !commands[i].help;
		plain_tell_line(&p->tell, "/%s%s%s: %s.", commands[i].name, takes ? " " : "", takes ? same->argument : "",
		                commands[i].help ? commands[i].help : same->help);
	}
	if (!provider_is_demo(p->setup.target.provider))
		return;
	plain_tell_line(&p->tell, "The demo answers to words in your prompt:");
	for (size_t i = 0; demo_help_at(i); i++)
		plain_tell_line(&p->tell, "%s: %s.", demo_help_at(i)->words, demo_help_at(i)->help);
}

static const struct plain_command *find(struct str name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (str_is(name, commands[i].name))
			return &commands[i];
	return NULL;
}

/* "/usr/bin is full" is a prompt, "/modle" a slip. */
static bool looks_like_command(struct str word)
{
	for (size_t i = 0; i < word.len; i++)
		if ((word.ptr[i] < 'a' || word.ptr[i] > 'z') && word.ptr[i] != '-')
			return false;
	return word.len > 0;
}

bool plain_run(struct plain *p, struct str line)
{
	struct str rest = str_skip(str_trim(line), 1);
	size_t end = 0;

	while (end < rest.len && !char_is_blank(rest.ptr[end]))
		end++;
	struct str word = str_head(rest, end), argument = str_trim(str_skip(rest, end));
	const struct plain_command *command = find(word);
	struct actor actor = plain_actor(p);
	if (!command && !looks_like_command(word))
		return false;
	if (!command)
		plain_tell_line(&p->tell, command_by_name(word) ? "/%.*s belongs to the full screen." : "There is no command /%.*s; /help lists them.",
		                STR_ARG(word));
	else if (command->act)
		command->act(&actor, argument);
	else
		command->run(p, argument);
	return true;
}
