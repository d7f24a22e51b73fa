#include "app/life.h"

#include <string.h>

#include "app/program.h"
#include "app/session/session_prompts.h"
#include "app/session/session_tree.h"
#include "app/setup/setup.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/totals.h"
#include "support/check.h"

static void sends_earlier_turns_too(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	life_answer_with(&l, ANSWER("two"));
	struct turn *t = life_send(&l, "first");
	CU_ASSERT_EQUAL(t->outcome, OUTCOME_COMPLETE);
	CHECK_STR(buf_str(&t->parts[0].text), "one");
	life_send(&l, "second");
	CU_ASSERT_TRUE(life_asked(&l, "{\"role\":\"user\",\"content\":\"first\"},{\"role\":\"assistant\",\"content\":\"one\"},"
	                              "{\"role\":\"user\",\"content\":\"second\"}"));
	CU_ASSERT_EQUAL(l.ended, 2);
	life_end(&l);
}

static void retries_the_last_prompt(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER("wrong"));
	life_answer_with(&l, ANSWER("right"));
	CU_ASSERT_FALSE(session_retry(l.session, NULL, &l.err));
	struct turn *wrong = life_send(&l, "first");
	CHECK(session_retry(l.session, NULL, &l.err), "%s", l.err.text);
	struct turn *right = life_settle(&l);
	CU_ASSERT_FALSE(conversation_shows(session_conversation(l.session), wrong));
	CU_ASSERT_PTR_EQUAL(conversation_sibling(session_conversation(l.session), right, -1), wrong);
	CHECK_STR(buf_str(&right->parts[0].text), "right");
	CU_ASSERT_FALSE(life_asked(&l, "wrong"));
	life_end(&l);
}

/* --- requests that were edited --- */

#define EDITED "{\n \"model\":\"m-2\", \"messages\":[] , \"stream\":false}\n"

/* The new answer is a sibling; what cannot be sent changes nothing. */
static void an_edited_request_is_sent_byte_for_byte(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	life_answer_with(&l, "{\"model\":\"m-2\",\"choices\":[{\"message\":{\"content\":\"whole\"},\"finish_reason\":\"stop\"}]}");
	life_answer_with(&l, ANSWER("three"));
	struct turn *first = life_send(&l, "hello");
	CU_ASSERT_FALSE(session_send_edited(l.session, first, STR("{\n oops"), &l.err));
	CHECK_STR(str_from(l.err.text), "line 2, column 2: this is not JSON");
	setup_use_protocol(&l.setup, &protocol_anthropic);
	CU_ASSERT_FALSE(session_send_edited(l.session, first, STR(EDITED), &l.err));
	CHECK(strstr(l.err.text, "openai-chat: choose them again") != NULL, "%s", l.err.text);
	setup_use_protocol(&l.setup, &protocol_openai_chat);
	CU_ASSERT_PTR_EQUAL(conversation_last(session_conversation(l.session)), first);
	CU_ASSERT_EQUAL(l.asked, 1);
	CHECK(session_send_edited(l.session, first, STR(EDITED), &l.err), "%s", l.err.text);
	CU_ASSERT_FALSE(session_send_edited(l.session, first, STR(EDITED), &l.err)); /* an answer runs */
	struct turn *second = life_settle(&l);
	CHECK_STR(str_head(str_from(buf_z(&l.bodies) + l.body_at), strlen(EDITED)), EDITED);
	CHECK_STR(buf_str(&second->parts[0].text), "whole");
	CHECK_STR(str_from(second->scope.model), "m-2");
	CHECK_STR(str_from(life_note(second, "sent-as-edited")), "Sent as edited: the request's JSON was changed by hand.");
	CU_ASSERT_PTR_EQUAL(conversation_sibling(session_conversation(l.session), second, -1), first);
	life_send(&l, "on"); /* the turns are sent, not what was edited */
	CU_ASSERT_TRUE(life_asked(&l, "\"content\":\"hello\"") && life_asked(&l, "\"content\":\"whole\"") && life_asked(&l, "\"model\":\"m\""));
	life_end(&l);
}

static void lets_a_broken_answer_go_on(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER_CUT("one,"));
	life_answer_with(&l, ANSWER("two"));
	CU_ASSERT_FALSE(session_continue(l.session, &l.err));
	struct turn *t = life_send(&l, "first");
	CU_ASSERT_EQUAL(t->outcome, OUTCOME_CUT);
	char *tape = mem_dup_z(t->tape);
	CHECK(session_continue(l.session, &l.err), "%s", l.err.text);
	CU_ASSERT_PTR_EQUAL(session_live(l.session), t);
	CU_ASSERT_PTR_EQUAL(life_settle(&l), t);
	CU_ASSERT_EQUAL(t->outcome, OUTCOME_COMPLETE);
	CU_ASSERT_EQUAL(t->part_count, 2);
	CHECK_STR(buf_str(&t->parts[0].text), "one,");
	CHECK_STR(buf_str(&t->parts[1].text), "two");
	CU_ASSERT_TRUE(t->joints[0].by_words && t->joints[0].outcome == OUTCOME_CUT);
	CU_ASSERT_TRUE(life_asked(&l, "{\"role\":\"assistant\",\"content\":\"one,\"},{\"role\":\"user\",\"content\":\"" CONTINUE_WORDS "\"}]"));
	CHECK(strstr(t->earlier, "outcome: cut") && strstr(t->earlier, tape) && strcmp(t->tape, tape), "%s", t->earlier);
	CU_ASSERT_FALSE(session_continue(l.session, &l.err));
	life_send(&l, "more");
	CU_ASSERT_TRUE(life_asked(&l, CONTINUE_WORDS "\"},{\"role\":\"assistant\",\"content\":\"two\"},{\"role\":\"user\",\"content\":\"more\"}]"));
	mem_free(tape);
	life_end(&l);
}

static void another_model_does_not_go_on_with_it(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER_CUT("one,"));
	life_send(&l, "first");
	setup_use_model(&l.setup, STR("other"));
	CU_ASSERT_FALSE(session_continue(l.session, &l.err));
	CHECK(strstr(l.err.text, "choose it again"), "%s", l.err.text);
	CU_ASSERT_EQUAL(l.asked, 1);
	life_end(&l);
}

static void another_prompt_takes_the_place_of_the_last(void)
{
	struct life l;
	struct str prompt;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	CU_ASSERT_FALSE(session_edit(l.session, NULL, &prompt, &l.err));
	life_send(&l, "first");
	CHECK(session_attach(l.session, folder_file("a.txt", "inside"), &l.err), "%s", l.err.text);
	struct turn *wrong = life_send(&l, "secnod");
	CHECK(session_edit(l.session, NULL, &prompt, &l.err), "%s", l.err.text);
	CHECK_STR(prompt, "secnod");
	CU_ASSERT_TRUE(session_is_editing(l.session));
	CU_ASSERT_EQUAL(session_attached(l.session), 1);
	session_leave_edit(l.session);
	CU_ASSERT_EQUAL(session_attached(l.session), 0);
	CU_ASSERT_TRUE(conversation_shows(session_conversation(l.session), wrong));
	CHECK(session_edit(l.session, NULL, &prompt, &l.err), "%s", l.err.text);
	life_send(&l, "second");
	CU_ASSERT_FALSE(session_is_editing(l.session));
	CU_ASSERT_FALSE(conversation_shows(session_conversation(l.session), wrong));
	CU_ASSERT_EQUAL(conversation_siblings(session_conversation(l.session), wrong->parent).count, 2);
	CU_ASSERT_TRUE(life_asked(&l, "first") && life_asked(&l, "second") && life_asked(&l, "inside"));
	CU_ASSERT_FALSE(life_asked(&l, "secnod"));
	CU_ASSERT_EQUAL(session_conversation(l.session)->count, 4);
	life_end(&l);
}

/* --- what a turn carries --- */

static size_t notes_with(const struct session *s, const char *words)
{
	struct conversation *c = session_conversation((struct session *)(uintptr_t)s);
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++)
		for (size_t n = 0; n < c->turns[i]->note_count; n++)
			count += !strcmp(c->turns[i]->notes[n].text, words);
	return count;
}

/* In mid-chat, from a protocol that carries a PDF to one that does not, and back. */
static void what_is_not_carried_is_told_once(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	life_answer_with(&l, "{\"message\":{\"role\":\"assistant\",\"content\":\"two\"},\"done\":true,\"done_reason\":\"stop\"}\n");
	life_answer_with(&l, "{\"message\":{\"role\":\"assistant\",\"content\":\"three\"},\"done\":true,\"done_reason\":\"stop\"}\n");
	life_answer_with(&l, ANSWER("four"));
	session_attach_bytes(l.session, STR("%PDF-1.7"), "/tmp/paper.pdf", "application/pdf");
	life_send(&l, "read");
	CU_ASSERT_TRUE(life_asked(&l, "JVBERi0xLjc="));
	setup_use_protocol(&l.setup, &protocol_ollama);
	CU_ASSERT_EQUAL(life_send(&l, "again")->outcome, OUTCOME_COMPLETE);
	CU_ASSERT_FALSE(life_asked(&l, "JVBERi0xLjc="));
	CU_ASSERT_TRUE(life_asked(&l, "(The file paper.pdf of type application/pdf was left out: it cannot be sent here.)"));
	CU_ASSERT_EQUAL(notes_with(l.session, "paper.pdf was left out: ollama does not carry a PDF."), 1);
	CU_ASSERT_EQUAL(life_send(&l, "once more")->outcome, OUTCOME_COMPLETE);
	CU_ASSERT_EQUAL(notes_with(l.session, "paper.pdf was left out: ollama does not carry a PDF."), 1);
	setup_use_protocol(&l.setup, &protocol_openai_chat);
	life_send(&l, "and back");
	CU_ASSERT_TRUE(life_asked(&l, "JVBERi0xLjc="));
	life_end(&l);
}

static void what_exceeds_a_limit_is_not_sent(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	session_attach_bytes(l.session, STR("II*"), "/tmp/scan.tiff", "image/tiff");
	CU_ASSERT_FALSE(session_send(l.session, STR("look"), &l.err));
	CHECK_STR(str_from(l.err.text), "scan.tiff is image/tiff, and openai-chat takes images as PNG, JPEG, GIF, WEBP: convert it");
	CU_ASSERT_EQUAL(session_conversation(l.session)->count, 0);
	CU_ASSERT_EQUAL(session_attached(l.session), 1);
	session_detach(l.session);
	CU_ASSERT_EQUAL(life_send(&l, "look")->outcome, OUTCOME_COMPLETE);
	life_end(&l);
}

static void sends_results(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER_CALLS);
	life_answer_with(&l, ANSWER("one"));
	life_send(&l, "first");
	CU_ASSERT_FALSE(session_send_results(l.session, &l.err));
	session_answer_call(l.session, 1, STR("no"), false);
	session_answer_call(l.session, 1, STR("yes"), false);
	CHECK(session_send_results(l.session, &l.err), "%s", l.err.text);
	life_settle(&l);
	CU_ASSERT_TRUE(life_asked(&l, "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"The tool was not run.\"},"
	                              "{\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":\"yes\"}"));
	life_end(&l);
}

static void keeps_results_that_were_refused(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER_CALLS);
	life_answer_with(&l, ANSWER_REFUSED);
	life_answer_with(&l, ANSWER("one"));
	life_send(&l, "first");
	session_answer_call(l.session, 0, STR("zero"), false);
	CHECK(session_send_results(l.session, &l.err), "%s", l.err.text);
	CU_ASSERT_EQUAL(life_settle(&l)->outcome, OUTCOME_ERROR);
	life_send(&l, "go on");
	CU_ASSERT_TRUE(life_asked(&l, "\"tool_call_id\":\"c1\",\"content\":\"zero\""));
	CU_ASSERT_TRUE(life_asked(&l, "{\"role\":\"user\",\"content\":\"go on\"}"));
	const struct conversation *c = session_conversation(l.session);
	CU_ASSERT_STRING_EQUAL(c->turns[c->count - 2]->parts[0].name, "f");
	life_end(&l);
}

/* --- schemas --- */

static void tells_whether_the_schema_is_followed(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER("{\\\"a\\\":1}"));
	life_answer_with(&l, ANSWER("{\\\"a\\\":\\\"1\\\"}"));
	life_answer_with(&l, ANSWER_CALLS);
	life_answer_with(&l, ANSWER("plain"));
	life_use_schema(&l, "{\"properties\":{\"a\":{\"type\":\"number\"}}}");
	CU_ASSERT_STRING_EQUAL(life_note(life_send(&l, "first"), "schema"), "The answer is JSON that follows the schema.");
	CU_ASSERT_STRING_EQUAL(life_note(life_send(&l, "second"), "schema"),
	                       "The answer does not follow the schema: $.a is a string, the schema wants a number.");
	CU_ASSERT_STRING_EQUAL(life_note(life_send(&l, "third"), "schema"), ""); /* calls are not an answer */
	life_use_schema(&l, NULL);
	CU_ASSERT_STRING_EQUAL(life_note(life_send(&l, "fourth"), "schema"), "");
	life_end(&l);
}

/* Options set during a turn apply to the next one. */
static void keeps_what_a_turn_was_asked_with(void)
{
	struct life l;

	life_begin(&l);
	life_answer_with(&l, ANSWER("7"));
	setup_use_system(&l.setup, STR("Be brief."));
	life_use_schema(&l, "{\"type\":\"number\"}");
	CHECK(session_send(l.session, STR("first"), &l.err), "%s", l.err.text);
	setup_use_system(&l.setup, STR("Be long."));
	life_use_schema(&l, "{\"type\":\"string\",\"description\":\"a schema that needs more memory than the one before it did\"}");
	CU_ASSERT_STRING_EQUAL(life_note(life_settle(&l), "schema"), "The answer is JSON that follows the schema.");
	CU_ASSERT_TRUE(life_asked(&l, "Be brief."));
	life_send(&l, "second");
	CU_ASSERT_TRUE(life_asked(&l, "Be long."));
	life_end(&l);
}

/* A file without a name, answers of an unknown model. */
static void an_imported_conversation_goes_on(void)
{
	struct conversation *c = conversation_new();
	struct turn *question = conversation_ask(c);
	struct part *file = turn_add(question, PART_ATTACHMENT, STR("inside"), STR_NONE, STR_NONE);
	struct life l;
	struct str prompt;
	size_t count;

	life_begin(&l);
	life_answer_with(&l, ANSWER("one"));
	str_replace(&file->name, STR_NONE);
	turn_add(question, PART_TEXT, STR("imported"), STR_NONE, STR_NONE);
	for (int i = 0; i < 2; i++) {
		struct turn *answer = conversation_add(c, question, TURN_ASSISTANT);

		turn_add(answer, PART_TEXT, STR("half"), STR_NONE, STR_NONE);
		answer->ended = true;
		answer->outcome = OUTCOME_CUT;
	}
	conversation_select(c, question);
	CHECK(session_take(l.session, c, false, &l.err), "%s", l.err.text);
	CU_ASSERT_FALSE(session_continue(l.session, &l.err));
	CHECK(strstr(l.err.text, "it is not known which model gave the answer") != NULL, "%s", l.err.text);
	struct cost_report_row *rows = conversation_spending(c, &count);
	CU_ASSERT(cost_report_by_model(rows, count) == 1 && rows[0].answers == 2);
	mem_free(rows);
	CHECK(session_edit(l.session, NULL, &prompt, &l.err), "%s", l.err.text);
	CU_ASSERT_FALSE(session_has_attached(l.session, "/x/a.txt"));
	life_send(&l, "changed");
	CU_ASSERT_TRUE(life_asked(&l, "changed") && life_asked(&l, "inside"));
	life_end(&l);
}

const struct suite suite_session = { "session", (const struct test[]){
	TEST(sends_earlier_turns_too),
	TEST(retries_the_last_prompt),
	TEST(an_edited_request_is_sent_byte_for_byte),
	TEST(lets_a_broken_answer_go_on),
	TEST(another_model_does_not_go_on_with_it),
	TEST(another_prompt_takes_the_place_of_the_last),
	TEST(what_is_not_carried_is_told_once),
	TEST(what_exceeds_a_limit_is_not_sent),
	TEST(sends_results),
	TEST(keeps_results_that_were_refused),
	TEST(tells_whether_the_schema_is_followed),
	TEST(keeps_what_a_turn_was_asked_with),
	TEST(an_imported_conversation_goes_on),
	{ 0 },
} };
