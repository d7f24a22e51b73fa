/* What commands do in the linear mode, and how a line becomes one. */
#include "app/plain/plain_commands.h"

#include <string.h>

#include "app/command/command.h"
#include "app/demo/demo.h"
#include "app/plain/plain_inside.h"
#include "app/session/cost_report.h"
#include "app/session/details.h"
#include "app/session/session_prompts.h"
#include "app/session/session_runs.h"
#include "app/session/session_tree.h"
#include "app/session/turn_request.h"
#include "app/session/turn_rounds.h"
#include "app/setup/parameter_change.h"
#include "app/setup/setting_change.h"
#include "app/setup/setup.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/turn.h"
#include "ui/page/page_words.h"

/* --- the target --- */

void plain_list_models(struct plain *p) { plain_menu_open(&p->menu, PLAIN_MODELS); }
void plain_list_protocols(struct plain *p) { plain_menu_open(&p->menu, PLAIN_PROTOCOLS); }

/* What makes, changes or deletes a role or a template. False: the words are for another. */
static bool plain_changes_section(struct plain *p, enum section_kind kind, struct str words)
{
	struct error sentence = { "" };
	bool opens, good;

	if (!section_form_command(&p->section_form, kind, words, &opens, &good, &sentence))
		return false;
	if (opens)
		plain_form_open(&p->form, &section_form, &p->section_form);
	else
		(good ? plain_say : plain_fail)(&p->host, sentence.text);
	return true;
}

void plain_choose_role(struct plain *p, struct str words)
{
	struct actor actor = plain_actor(&p->host);

	if (words.len && !plain_changes_section(p, SECTION_ROLE, words))
		act_role(&actor, words);
	else if (!words.len && p->setup->settings.roles.count)
		plain_menu_open(&p->menu, PLAIN_ROLES);
	else if (!words.len)
		plain_tell_line(&p->tell, "There is no role. /role new makes one.");
}

void plain_ask_parameters(struct plain *p) { plain_form_open(&p->form, &parameter_form, p->setup); }

static void plain_list_templates(struct plain *p)
{
	const struct templates *templates = &p->setup->settings.templates;
	struct buf places = { 0 };

	for (size_t i = 0; i < templates->count; i++) {
		buf_clear(&places);
		template_write_places(&templates->items[i], &places);
		plain_tell_line(&p->tell, "/template %s%s%s", templates->items[i].name, places.len ? " " : "", buf_z(&places));
	}
	if (templates->count)
		plain_tell_line(&p->tell, "With its words, a template is sent at once.");
	else
		plain_tell_line(&p->tell, "There is no template. /template new makes one.");
	buf_fini(&places);
}

/* The filled prompt is sent, and printed as the user's. */
void plain_use_template(struct plain *p, struct str words)
{
	struct actor actor = plain_actor(&p->host);
	struct buf text = { 0 };

	if (!words.len) {
		plain_list_templates(p);
	} else if (!plain_changes_section(p, SECTION_TEMPLATE, words) && act_fill_template(&actor, words, &text)) {
		plain_send(p, buf_str(&text), false);
	}
	buf_fini(&text);
}

void plain_choose_provider(struct plain *p, struct str words)
{
	struct actor actor = plain_actor(&p->host);
	const struct provider *provider;

	if (!words.len)
		plain_menu_open(&p->menu, PLAIN_PROVIDERS);
	else if (act_provider(&actor, words, &provider)) {
		provider_form_take(&p->provider_form, provider);
		plain_form_open(&p->form, &provider_form, &p->provider_form);
	}
}

/* --- settings --- */

static void plain_tell_setting(struct plain *p, const struct setting_help *setting, struct str help)
{
	struct buf value = { 0 }, origin = { 0 };

	setting_value(p->setup, setting->name, &value);
	setting_origin_words(p->setup, setting->name, &origin);
	plain_tell_line(&p->tell, "%s: %s, %s. %.*s.", setting->name, value.len ? buf_z(&value) : "not set", buf_z(&origin), STR_ARG(help));
	buf_fini(&value);
	buf_fini(&origin);
}

static void plain_tell_settings(struct plain *p)
{
	struct setting_help row;

	for (size_t i = 0; (row = settings_help_at(i)).name; i++) {
		if (row.group)
			plain_tell_line(&p->tell, "%s:", row.group);
		plain_tell_setting(p, &row, setting_brief(&row));
	}
	plain_tell_line(&p->tell, "/settings NAME says more about one. /settings NAME VALUE changes it. /settings write NAME writes it into "
	                          "weir.conf.");
}

static bool plain_find_setting(struct str name, struct setting_help *setting)
{
	for (size_t i = 0; (*setting = settings_help_at(i)).name; i++)
		if (str_is(name, setting->name))
			return true;
	return false;
}

/* Those that a slash word of their own sets go there. */
static void plain_change_setting(struct plain *p, const char *name, struct str value)
{
	struct setting_help setting;
	struct buf line = { 0 };
	struct error err = { "" };

	if (setting_command(name) && strcmp(name, "theme") != 0) {
		buf_printf(&line, "/%s %.*s", setting_command(name), STR_ARG(value));
		plain_run(p, buf_str(&line));
	} else if (!setting_change(p->setup, name, value, &err)) {
		plain_fail(&p->host, err.text);
	} else if (plain_find_setting(str_from(name), &setting)) {
		plain_tell_setting(p, &setting, setting_brief(&setting));
	}
	buf_fini(&line);
}

void plain_settings(struct plain *p, struct str words)
{
	struct setting_help setting;
	struct error err = { "" };
	struct str value, name = str_first_word(words, &value);
	bool writes = str_is(name, "write") && value.len;

	if (!words.len)
		plain_tell_settings(p);
	else if (!plain_find_setting(writes ? value : name, &setting))
		plain_tell_line(&p->tell, "There is no such setting. /settings lists them.");
	else if (writes && !setting_write(p->setup, setting.name, &err))
		plain_fail(&p->host, err.text);
	else if (writes || !value.len)
		plain_tell_setting(p, &setting, str_from(setting.help));
	else
		plain_change_setting(p, setting.name, value);
}

void plain_no_themes(struct plain *p)
{
	plain_tell_line(&p->tell, "There are no themes here: the linear mode sets no colours.");
}

/* --- the turn --- */

void plain_stop(struct plain *p)
{
	if (compare_runs(&p->compare))
		compare_stop(&p->compare);
	else if (session_is_busy(p->session))
		session_stop(p->session);
	else
		plain_tell_line(&p->tell, "No answer is under way.");
}

/* Prints prompts that leave the queue, with what becomes of their files. Frees them. */
static void plain_give_back(struct plain *p, const char *why, char *prompts)
{
	plain_tell_line(&p->tell, "%s:", why);
	plain_tell_block(&p->tell, str_from(prompts));
	if (session_attached(p->session))
		plain_tell_line(&p->tell, "Their files go with the next prompt; /attach off drops them.");
	mem_free(prompts);
}

void plain_take_back(struct plain *p)
{
	struct error err = { "" };

	if (!session_can_unqueue(p->session, &err))
		plain_fail(&p->host, err.text);
	else
		plain_give_back(p, "Taken back, not sent", session_take_last_queued(p->session));
}

#define SHOWN_BYTES ((size_t)64 << 10) /* of the text of one file */

void plain_tell_attached(struct plain *p)
{
	struct actor actor = plain_actor(&p->host);
	struct buf words = { 0 };

	if (!session_attached(p->session)) {
		act_attach(&actor, STR(""));
		return;
	}
	for (size_t i = 0; i < session_attached(p->session); i++) {
		const struct part *part = session_attached_at(p->session, i);

		buf_clear(&words);
		page_words_file(part, ", ", &words);
		plain_tell_line(&p->tell, "%s%s", buf_z(&words), part_is_text_file(part) ? ":" : ".");
		if (part_is_text_file(part))
			plain_tell_block(&p->tell, utf8_head(buf_str(&part->text), SHOWN_BYTES));
	}
	buf_clear(&words);
	cost_report_attached(p->session, &p->models, NULL, &words);
	plain_tell_line(&p->tell, "With the next prompt: %s. /attach off drops all.", buf_z(&words));
	buf_fini(&words);
}

void plain_paste(struct plain *p)
{
	struct actor actor = plain_actor(&p->host);

	pasting_start(&p->pasting, &actor);
}

void plain_open_item(struct plain *p)
{
	struct actor actor = plain_actor(&p->host);

	opening_start(&p->opening, &actor);
}

void plain_retry(struct plain *p)
{
	struct actor actor = plain_actor(&p->host);

	if (act_retry(&actor))
		act_tell_left(&actor);
}

void plain_continue(struct plain *p)
{
	struct actor actor = plain_actor(&p->host);
	act_continue(&actor);
}

void plain_compact(struct plain *p, struct str words)
{
	struct actor actor = plain_actor(&p->host);
	act_compact(&actor, words);
}

void plain_seek(struct plain *p, struct str words)
{
	struct actor actor = plain_actor(&p->host);

	act_seek(&actor, words, true);
}

void plain_edit(struct plain *p, struct str words)
{
	struct actor actor = plain_actor(&p->host);
	struct error err = { "" };
	struct str prompt;

	if (!act_asks(&actor) || (words.len && !act_may_spend(&actor, "edit")))
		return;
	if (!session_edit(p->session, NULL, &prompt, &err)) {
		plain_fail(&p->host, err.text);
	} else if (!words.len) {
		plain_tell_line(&p->tell, "The last prompt is: %.*s", STR_ARG(prompt));
		plain_tell_line(&p->tell, "/edit TEXT sends TEXT in its place.");
		session_leave_edit(p->session);
	} else if (!session_send(p->session, words, &err)) {
		plain_fail(&p->host, err.text);
	}
}

void plain_new(struct plain *p)
{
	struct actor actor = plain_actor(&p->host);
	if (!act_new(&actor))
		return;
	plain_tell_forget(&p->tell);
	if (session_queued(p->session))
		plain_give_back(p, "Not sent, because the conversation they were queued for has ended", session_take_queued(p->session));
}

void plain_answer(struct plain *p)
{
	struct actor actor = plain_actor(&p->host);
	struct error err;
	unsigned call = 0;

	if (!act_asks(&actor))
		return;
	if (elicit_form_take(&p->elicit)) {
		plain_form_open(&p->form, &elicit_table, &p->elicit);
		return;
	}
	session_take_up_runs(p->session);
	if (plain_approval_open(&p->approval))
		return;
	if (session_waiting_call(p->session, &call))
		plain_form_open(&p->form, &result_form, &p->host);
	else if (!session_runs(p->session)->count || !session_send_results(p->session, &err))
		plain_tell_line(&p->tell, "No tool call waits for an answer.");
}

/* --- reading --- */

static struct turn *plain_last_answer(struct plain *p)
{
	struct turn *t = session_last_answer(p->session);

	if (!t)
		plain_tell_line(&p->tell, "There is no answer yet.");
	return t;
}

/* Prints all parts of one kind of the last answer, each with a title line. */
static void plain_tell_parts(struct plain *p, enum part_kind kind, const char *title, const char *none)
{
	const struct turn *t = plain_last_answer(p);
	struct buf text = { 0 };
	size_t found = 0;

	if (!t)
		return;
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

void plain_tell_reasoning(struct plain *p)
{
	plain_tell_parts(p, PART_REASONING, "Reasoning", "The last answer has no reasoning.");
}

void plain_tell_calls(struct plain *p)
{
	plain_tell_parts(p, PART_TOOL_CALL, "Tool call", "The last answer has no tool calls.");
}

static void plain_tell_detail(void *ctx, const char *name, struct str value)
{
	if (!value.ptr)
		plain_tell_line(ctx, "%s", name);
	else if (name)
		plain_tell_line(ctx, "  %s: %.*s", name, STR_ARG(value));
	else
		plain_tell_block(ctx, value);
}

void plain_tell_details(struct plain *p)
{
	const struct turn *t = plain_last_answer(p);
	if (t)
		details_tell(t, plain_tell_detail, &p->tell);
}

static void plain_tell_form(struct plain *p, const struct sent_request *r, void (*form)(const struct sent_request *r, struct buf *out))
{
	struct buf text;

	buf_init(&text, 4 * TAPE_LIMIT);
	form(r, &text);
	plain_tell_block(&p->tell, buf_str(&text));
	buf_fini(&text);
}

void plain_tell_request(struct plain *p, struct str words)
{
	struct turn *t = plain_last_answer(p);
	struct sent_request request;
	struct error err;

	if (t && str_is(words, "edit"))
		plain_edit_begin(&p->edit_request, t);
	if (!t || str_is(words, "edit"))
		return;
	if (!turn_request_find(&request, p->setup, p->session, t, &err)) {
		plain_fail(&p->host, err.text);
		return;
	}
	if (str_is(words, "curl"))
		plain_tell_form(p, &request, sent_request_write_curl);
	else if (str_is(words, "json"))
		plain_tell_form(p, &request, sent_request_write_json);
	else if (words.len)
		plain_tell_line(&p->tell, "It can be curl, json or edit. Without a word it prints the whole request.");
	else
		turn_request_tell(&request, p->session, t, plain_tell_detail, &p->tell);
	sent_request_fini(&request);
}

void plain_tell_cost(struct plain *p)
{
	if (plain_last_answer(p))
		cost_report_tell(p->session, &p->models, plain_tell_detail, &p->tell);
}

void plain_tell_messages(struct plain *p)
{
	size_t count = p->messages.count < MESSAGES_MOST ? p->messages.count : MESSAGES_MOST;
	char words[40];

	for (size_t i = count; i-- > 0;) {
		const struct logged_message *message = messages_at(&p->messages, i);

		message_words(message, words, sizeof words);
		plain_tell_line(&p->tell, "%s: %s", words, message->text);
	}
	plain_tell_line(&p->tell, "%s", count ? "That is all." : "There was no message yet.");
}

void plain_tell_id(struct plain *p)
{
	const struct turn *t = plain_last_answer(p);
	if (t)
		plain_tell_line(&p->tell, t->id ? "Response id: %s" : "The server sent no response id.", t->id);
}

void plain_tell_tape(struct plain *p)
{
	const struct turn *t = plain_last_answer(p), *rounds[TURN_ROUNDS_MOST];
	size_t count = t ? turn_rounds(session_conversation(p->host.session), t, rounds) : 0;

	if (t && !t->tape)
		plain_tell_line(&p->tell, "This turn has no tape.");
	else if (count == 1)
		plain_tell_line(&p->tell, "weir replay --plain '%s' plays it.", t->tape);
	for (size_t i = 0; count > 1 && t->tape && i < count; i++)
		if (rounds[i]->tape)
			plain_tell_line(&p->tell, "weir replay --plain '%s' plays round %zu of %zu.", rounds[i]->tape, i + 1, count);
}

/* What would be lost is told to a person, and quitting again loses it. */
void plain_quit(struct plain *p)
{
	struct error sentence;

	if (p->host.types && !p->host.replay && !p->told_loss && keep_would_lose(p->host.keep, &sentence)) {
		p->told_loss = true;
		plain_say(&p->host, sentence.text);
		return;
	}
	p->quit = true;
}

/* --- help --- */

/* Those that work here, of the chat or of the laboratory for streams. */
static void plain_tell_commands(struct plain *p, bool streams)
{
	for (size_t i = 0; command_at(COMMAND_PLAIN, i); i++) {
		const struct command *c = command_at(COMMAND_PLAIN, i);
		bool takes = c->argument && !c->plain_help;

		if ((c->group == GROUP_OF_STREAMS) == streams && command_works(c, p->host.replay))
			plain_tell_line(&p->tell, "/%s%s%s: %s.", c->name, takes ? " " : "", takes ? c->argument : "",
			                c->plain_help ? c->plain_help : c->help);
	}
}

void plain_help(struct plain *p)
{
	plain_tell_line(&p->tell, "A line is sent as a prompt. A backslash at its end continues it in the next line. /attach adds a file.");
	plain_tell_line(&p->tell, "Ctrl-C stops the answer; twice, it leaves. A line that is typed while an answer runs is sent after it.");
	plain_tell_commands(p, false);
	if (provider_is_demo(p->setup->target.provider)) {
		plain_tell_line(&p->tell, "Words in a prompt that choose the demo's answer:");
		for (size_t i = 0; demo_help_at(i); i++)
			plain_tell_line(&p->tell, "%s: %s.", demo_help_at(i)->words, demo_help_at(i)->help);
	}
	plain_tell_line(&p->tell, "Streams, what was sent and received:");
	plain_tell_commands(p, true);
}

/* --- a line --- */

static void plain_run_command(struct plain *p, const struct command *command, struct str words)
{
	struct actor actor = plain_actor(&p->host);
	struct error err;

	if (!p->host.replay && !keep_read_all(p->host.keep, &err)) /* it may need any turn */
		plain_fail(&p->host, err.text);

	if (!command_works(command, p->host.replay))
		plain_say(&p->host, command_why_not(command));
	else if (command_reads(command, words) && !p->alone)
		plain_tell_line(&p->tell, "/%s reads a file, so it is accepted only from a terminal, in a line that arrives alone.", command->name);
	else if (command->act && (words.len || !(command->plain || command->plain_words)))
		command->act(&actor, words);
	else if (command->plain_words)
		command->plain_words(p, words);
	else
		command->plain(p);
}

static void plain_refuse(struct plain *p, struct str word)
{
	struct buf sentence;

	buf_init(&sentence, BUF_LIMIT_DEFAULT);
	command_refuse(COMMAND_PLAIN, word, NULL, &sentence);
	if (*buf_z(&sentence) == 't')
		*sentence.ptr = 'T';
	plain_say(&p->host, buf_z(&sentence));
	buf_fini(&sentence);
}

/* "/usr/bin is full" is a prompt, "/modle" a misspelled command. */
bool plain_run(struct plain *p, struct str line)
{
	struct str words, name = str_first_word(str_skip(str_trim(line), 1), &words);
	const struct command *command = command_by_name(COMMAND_PLAIN, name);

	if (!command && !command_is_word(name))
		return false;
	if (command)
		plain_run_command(p, command, words);
	else
		plain_refuse(p, name);
	return true;
}
