#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/projection.h"
#include "support/check.h"
#include "valid_request.h"

/* --- a conversation by hand --- */

static struct conversation *conversation;
static const struct scope scope = { .provider = "box", .model = "m", .protocol = &protocol_anthropic };

static void begin(void)
{
	conversation = conversation_new();
}

static void end(void)
{
	conversation_free(conversation);
}

static struct turn *ask(const char *text)
{
	struct turn *t = conversation_ask(conversation);

	if (*text)
		turn_add(t, PART_TEXT, str_from(text), STR_NONE, STR_NONE);
	return t;
}

static struct turn *answer(void)
{
	return conversation_answer(conversation, STR("box"), &protocol_anthropic, STR("m"));
}

static void say(struct turn *t, enum delta_kind kind, unsigned part, const char *text)
{
	turn_delta(t, &(struct delta){ .kind = kind, .part = part, .text = str_from(text) });
}

static void call(struct turn *t, unsigned index, const char *id, const char *name, const char *arguments, bool valid)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { index, str_from(id), str_from(name), false } });
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_END, .text = str_from(arguments), .tool = { index, str_from(id), str_from(name), valid } });
}

static void opaque(struct turn *t, unsigned part, int call_index, const char *format, const char *data)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_OPAQUE, .part = part, .opaque = { str_from(format), str_from(data), call_index } });
}

static struct part *result(struct turn *t, int call_index, const char *text)
{
	struct part *p = turn_add(t, PART_TOOL_RESULT, str_from(text), STR_NONE, STR_NONE);

	p->call = call_index;
	return p;
}

/* "user: text hello | assistant: call c1 look {} ours" */
static void tell(const struct projection *p, struct buf *out)
{
	static const char *const kinds[] = { [PART_TEXT] = "text", [PART_REASONING] = "reasoning", [PART_REFUSAL] = "refusal",
		[PART_TOOL_CALL] = "call", [PART_TOOL_RESULT] = "result", [PART_ATTACHMENT] = "attachment", [PART_OPAQUE] = "opaque",
		[PART_MEDIA] = "media" };

	for (size_t i = 0; i < p->count; i++) {
		buf_printf(out, "%s%s:", i ? " | " : "", p->messages[i].role == TURN_USER ? "user" : "assistant");
		for (size_t j = 0; j < p->messages[i].part_count; j++) {
			const struct request_part *part = &p->messages[i].parts[j];

			buf_printf(out, "%s %s", j ? "," : "", kinds[part->kind]);
			if (part->kind != PART_TEXT && part->kind != PART_REASONING)
				buf_printf(out, " %.*s %.*s", STR_ARG(part->id), STR_ARG(part->name));
			buf_printf(out, " %.*s%s%s", STR_ARG(part->text), part->id_is_ours ? " ours" : "", part->is_error ? " error" : "");
		}
	}
}

static void check_projected(const struct scope *to, size_t until, const char *expected, const char *file, int line)
{
	struct projection p;
	struct buf text = { 0 };

	conversation_project(conversation, until, to, 0, &p);
	tell(&p, &text);
	check_str(buf_str(&text), expected, file, line);
	projection_fini(&p);
	buf_fini(&text);
}
#define CHECK_PROJECTED(expected) check_projected(&scope, conversation->count, (expected), __FILE__, __LINE__)

/* --- the rules --- */

static void projects_nothing(void)
{
	begin();
	CHECK_PROJECTED("");
	ask("");
	answer();
	CHECK_PROJECTED("");
	end();
	projection_fini(&(struct projection){ 0 });
}

static void alternates_questions_and_answers(void)
{
	begin();
	ask("hello");
	say(answer(), DELTA_TEXT, 0, "hi");
	ask("more");
	CHECK_PROJECTED("user: text hello | assistant: text hi | user: text more");
	check_projected(&scope, 1, "user: text hello", __FILE__, __LINE__);
	end();
}

static void leaves_out_other_branches_and_empty_turns(void)
{
	begin();
	ask("hello");
	struct turn *retried = answer();
	say(retried, DELTA_TEXT, 0, "wrong");
	call(retried, 0, "c", "f", "{}", true);
	conversation_branch(conversation, retried->parent);
	say(answer(), DELTA_TEXT, 0, "right");
	ask("more");
	answer(); /* refused: an empty turn */
	CHECK_PROJECTED("user: text hello | assistant: text right | user: text more");
	end();
}

static void merges_neighbours_of_one_role(void)
{
	begin();
	ask("one");
	answer();
	ask("two");
	say(answer(), DELTA_TEXT, 0, "a");
	say(answer(), DELTA_TEXT, 0, "b");
	CHECK_PROJECTED("user: text one, text two | assistant: text a, text b");
	end();
}

static void sends_attachments(void)
{
	begin();
	struct turn *t = ask("see");
	struct part *p = turn_add(t, PART_ATTACHMENT, STR("bytes"), STR_NONE, STR("a.png"));
	p->media = str_dup(STR("image/png"));
	struct projection projected;
	conversation_project(conversation, 1, &scope, 0, &projected);
	CU_ASSERT_EQUAL(projected.messages[0].part_count, 2);
	CHECK_STR(projected.messages[0].parts[1].media, "image/png");
	CHECK_STR(projected.messages[0].parts[1].name, "a.png");
	projection_fini(&projected);
	end();
}

static void gives_refusals_back_as_text(void)
{
	begin();
	ask("hello");
	say(answer(), DELTA_REFUSAL, 0, "I cannot.");
	CHECK_PROJECTED("user: text hello | assistant: text I cannot.");
	end();
}

static void borrows_the_text(void)
{
	begin();
	struct turn *t = ask("hello");
	struct projection p;
	conversation_project(conversation, 1, &scope, 0, &p);
	CU_ASSERT_PTR_EQUAL(p.messages[0].parts[0].text.ptr, t->parts[0].text.ptr);
	projection_fini(&p);
	end();
}

static void keeps_reasoning_for_its_scope_only(void)
{
	const struct scope others[] = {
		{ .provider = "other", .model = "m", .protocol = &protocol_anthropic },
		{ .provider = "box", .model = "m2", .protocol = &protocol_anthropic },
		{ .provider = "box", .model = "m", .protocol = &protocol_openai_chat },
		{ .provider = "box", .model = "m", .protocol = NULL },
	};

	begin();
	ask("q");
	struct turn *t = answer();
	say(t, DELTA_REASONING, 0, "hm");
	opaque(t, 0, -1, OPAQUE_ANTHROPIC_SIGNATURE, "sig");
	opaque(t, GUARD_NEW_PART, -1, OPAQUE_ANTHROPIC_REDACTED, "red");
	say(t, DELTA_TEXT, 1, "a");
	CHECK_PROJECTED("user: text q | assistant: reasoning hm, opaque  anthropic-signature sig, opaque  anthropic-redacted red, text a");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		check_projected(&others[i], 2, "user: text q | assistant: text a", __FILE__, __LINE__);
	end();
}

/* The requested model counts, not the one chosen by a router. */
static void ignores_the_routed_model(void)
{
	begin();
	ask("q");
	struct turn *t = answer();
	turn_delta(t, &(struct delta){ .kind = DELTA_BEGIN, .meta = { STR("id"), STR("elsewhere/m9") } });
	say(t, DELTA_REASONING, 0, "hm");
	say(t, DELTA_TEXT, 1, "a");
	CHECK_PROJECTED("user: text q | assistant: reasoning hm, text a");
	end();
}

/* A turn with an unknown protocol (a replay) has no scope, so it matches no other either. */
static void opens_nothing_for_unknown_scopes(void)
{
	begin();
	ask("q");
	struct turn *t = answer();
	turn_set_protocol(t, NULL);
	say(t, DELTA_REASONING, 0, "hm");
	say(t, DELTA_TEXT, 1, "a");
	CHECK_PROJECTED("user: text q | assistant: text a");
	end();
}

static void moves_late_opaque_data_to_its_owner(void)
{
	begin();
	ask("q");
	struct turn *t = answer();
	say(t, DELTA_REASONING, 0, "hm");
	say(t, DELTA_TEXT, 1, "a");
	call(t, 0, "c0", "f", "{}", true);
	call(t, 1, "c1", "g", "{}", true);
	opaque(t, 0, -1, OPAQUE_ANTHROPIC_SIGNATURE, "sig");
	opaque(t, GUARD_NEW_PART, 0, OPAQUE_EXTRA_CONTENT, "{\"x\":1}");
	opaque(t, GUARD_NEW_PART, -1, OPAQUE_REASONING_DETAILS, "[]");
	CHECK_PROJECTED("user: text q | assistant: reasoning hm, opaque  anthropic-signature sig, text a, call c0 f {}, "
	                "opaque  extra-content {\"x\":1}, call c1 g {}, opaque  reasoning-details [] | "
	                "user: result c0 f The tool was not run. error, result c1 g The tool was not run. error");
	end();
}

static void answers_every_call(void)
{
	begin();
	ask("q");
	struct turn *t = answer();
	call(t, 0, "c0", "f", "{\"a\":1}", true);
	call(t, 1, "c1", "g", "{\"a", false);
	call(t, 2, "c2", "h", "{}", true);
	struct turn *next = conversation_ask(conversation);
	turn_add(next, PART_TEXT, STR("and?"), STR_NONE, STR_NONE);
	result(next, 2, "two");
	result(next, 0, "failed")->is_error = true;
	CHECK_PROJECTED("user: text q | assistant: call c0 f {\"a\":1}, call c1 g {}, call c2 h {} | "
	                "user: result c0 f failed error, "
	                "result c1 g The tool was not run: its arguments did not arrive whole. error, "
	                "result c2 h two, text and?");
	end();
}

static void answers_calls_whose_next_turn_is_an_answer(void)
{
	begin();
	ask("q");
	call(answer(), 0, "c0", "f", "{}", true);
	say(answer(), DELTA_TEXT, 0, "a");
	CHECK_PROJECTED("user: text q | assistant: call c0 f {} | user: result c0 f The tool was not run. error | assistant: text a");
	end();
}

/* Results in another branch do not belong to this one. */
static void finds_the_results_of_its_own_branch(void)
{
	begin();
	ask("q");
	call(answer(), 0, "c0", "f", "{}", true);
	struct turn *aside = conversation_ask(conversation);
	turn_add(aside, PART_TEXT, STR("never mind"), STR_NONE, STR_NONE);
	result(aside, 0, "of the other branch");
	answer();
	conversation_branch(conversation, aside->parent);
	struct turn *next = conversation_ask(conversation);
	result(next, 0, "zero");
	CHECK_PROJECTED("user: text q | assistant: call c0 f {} | user: result c0 f zero");
	end();
}

static void makes_ids_up_where_none_came(void)
{
	begin();
	ask("q");
	struct turn *t = answer();
	call(t, 0, NULL, "f", "{}", true);
	call(t, 1, "", "g", "{}", true);
	result(conversation_ask(conversation), 0, "r");
	call(answer(), 0, NULL, "f", "{}", true);
	const char *expected = "user: text q | assistant: call call_1_0 f {} ours, call call_1_1 g {} ours | "
	                       "user: result call_1_0 f r ours, result call_1_1 g The tool was not run. ours error | "
	                       "assistant: call call_3_0 f {} ours | user: result call_3_0 f The tool was not run. ours error";
	CHECK_PROJECTED(expected);
	CHECK_PROJECTED(expected); /* the same in every request */
	end();
}

/* Results could not be assigned to calls with the same id in one answer. */
static void distinguishes_calls_with_one_id(void)
{
	begin();
	ask("q");
	struct turn *t = answer();
	call(t, 0, "c", "f", "{}", true);
	call(t, 1, "c", "g", "{}", true);
	struct turn *next = conversation_ask(conversation);
	result(next, 0, "r0");
	result(next, 1, "r1");
	CHECK_PROJECTED("user: text q | assistant: call c f {}, call call_1_1 g {} ours | user: result c f r0, result call_1_1 g r1 ours");
	end();
}

static void names_calls_without_a_name(void)
{
	begin();
	ask("q");
	call(answer(), 0, "c", "", "{}", true);
	CHECK_PROJECTED("user: text q | assistant: call c unnamed {} | user: result c unnamed The tool was not run. error");
	end();
}

/* An imported answer has no protocol; another one's may have allowed more. */
static void names_and_ids_are_as_the_protocol_accepts_them(void)
{
	char name[90], expected[600];

	begin();
	memset(name, 'n', sizeof name);
	name[sizeof name - 1] = '\0';
	ask("q");
	struct turn *t = conversation_answer(conversation, STR("claude"), NULL, STR("m"));
	call(t, 0, "toolu_1", "Google Calendar:list", "{}", true);
	call(t, 1, "a b", "\u00e4.b", "{}", true);
	call(t, 2, "c-2", name, "{}", true);
	call(t, 3, name, "f", "{}", true);
	struct turn *next = conversation_ask(conversation);
	for (int i = 0; i < 4; i++)
		result(next, i, "r");
	call(answer(), 0, "x y", "a.b", "{}", true); /* of this protocol: as it came */
	snprintf(expected, sizeof expected, "user: text q | assistant: call toolu_1 Google_Calendar_list {}, call call_1_1 ___b {} ours, call c-2 %.64s {}, "
	         "call call_1_3 f {} ours | user: result toolu_1 Google_Calendar_list r, result call_1_1 ___b r ours, result c-2 %.64s r, "
	         "result call_1_3 f r ours | assistant: call x y a.b {} | user: result x y a.b The tool was not run. error", name, name);
	CHECK_PROJECTED(expected);
	end();
}

static void forgets_what_was_taken_back(void)
{
	begin();
	ask("q");
	struct turn *t = answer();
	say(t, DELTA_TEXT, 0, "first");
	call(t, 0, "c0", "f", "{}", true);
	opaque(t, GUARD_NEW_PART, -1, OPAQUE_ANTHROPIC_REDACTED, "red");
	turn_delta(t, &(struct delta){ .kind = DELTA_RESTART });
	say(t, DELTA_TEXT, 0, "second");
	call(t, 0, "c9", "g", "{}", true);
	result(conversation_ask(conversation), 0, "r");
	CHECK_PROJECTED("user: text q | assistant: text second, call c9 g {} | user: result c9 g r");
	end();
}

/* --- requests of all protocols --- */

static void build(const struct scope *to, struct buf *out)
{
	struct projection p;

	conversation_project(conversation, conversation->count, to, 0, &p);
	struct request request = { .model = str_from(to->model), .system = STR("Be brief."), .messages = p.messages, .message_count = p.count,
	                           .max_tokens = 100, .temperature = (double)NAN, .stream = true };
	buf_clear(out);
	protocol_build(to->protocol, &request, out);
	projection_fini(&p);
}

static void check_valid(const char *what)
{
	struct buf body = { 0 };

	for (size_t i = 0; protocol_at(i); i++) {
		struct scope to = { .provider = "box", .model = "m", .protocol = protocol_at(i) };

		for (size_t t = 0; t < conversation->count; t++)
			if (conversation->turns[t]->role == TURN_ASSISTANT)
				turn_set_protocol(conversation->turns[t], protocol_at(i));
		build(&to, &body);
		const char *fault = request_fault(to.protocol, buf_str(&body));
		CHECK(!fault, "%s, %s: %s\n%s", what, to.protocol->name, fault, buf_z(&body));
	}
	buf_fini(&body);
}

/* Two rounds of tools, one with all results and one with some; text in between; an answer with reasoning only; a refused turn. */
static void is_valid_in_every_protocol(void)
{
	begin();
	ask("What is the weather?");
	struct turn *t = answer();
	say(t, DELTA_REASONING, 0, "Two towns.");
	opaque(t, 0, -1, OPAQUE_ANTHROPIC_SIGNATURE, "sig");
	opaque(t, GUARD_NEW_PART, -1, OPAQUE_RESPONSES_ITEM, "{\"type\":\"reasoning\",\"summary\":[]}");
	say(t, DELTA_TEXT, 1, "I look.");
	call(t, 0, "c0", "weather", "{\"town\":\"Bern\"}", true);
	call(t, 1, NULL, "weather", "{\"town\":\"Basel\"}", true);
	t = conversation_ask(conversation);
	result(t, 0, "Sun");
	result(t, 1, "");
	t = answer();
	call(t, 0, "c0", "news", "[1]", true); /* an id used before */
	call(t, 1, "odd.id:1", "news", "{\"cut", false);
	t = ask("Never mind.");
	t = answer();
	say(t, DELTA_REASONING, 0, "Never mind?");
	opaque(t, 0, -1, OPAQUE_ANTHROPIC_SIGNATURE, "sig");
	opaque(t, 0, -1, OPAQUE_RESPONSES_ITEM, "{\"type\":\"reasoning\",\"summary\":[]}");
	ask("Hello?");
	answer();
	ask("Still there?");
	check_valid("tools and text");
	end();
}

static void is_valid_after_odd_answers(void)
{
	begin();
	ask("one");
	say(answer(), DELTA_TEXT, 0, "\n ");
	ask("two");
	opaque(answer(), GUARD_NEW_PART, -1, OPAQUE_ANTHROPIC_REDACTED, "red");
	ask("three");
	opaque(answer(), GUARD_NEW_PART, -1, OPAQUE_ANTHROPIC_BLOCK, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"s\"}");
	ask("four");
	struct turn *t = answer();
	call(t, 0, "c", "", "", false);
	call(t, 1, "c", "f", "{}", true);
	ask("five");
	check_valid("odd answers");
	end();
}

/* Two successive answers with reasoning become one message without duplicate members. */
static void is_valid_after_two_answers(void)
{
	begin();
	ask("one");
	for (int i = 0; i < 2; i++) {
		struct turn *t = answer();

		opaque(t, GUARD_NEW_PART, -1, OPAQUE_REASONING_DETAILS, i ? "[{\"type\":\"b\"}]" : "[{\"type\":\"a\"}]");
		say(t, DELTA_TEXT, 0, "yes");
	}
	ask("two");
	check_valid("two answers");
	struct buf body = { 0 };
	struct scope to = { .provider = "box", .model = "m", .protocol = &protocol_openai_chat };
	for (size_t t = 1; t < 3; t++)
		turn_set_protocol(conversation->turns[t], &protocol_openai_chat);
	build(&to, &body);
	CHECK(strstr(buf_z(&body), "\"reasoning_details\":[{\"type\":\"a\"},{\"type\":\"b\"}]") != NULL, "%s", buf_z(&body));
	buf_fini(&body);
	end();
}

/* --- continued answers --- */

static void breaks_off(struct turn *t, enum outcome outcome)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .end = { outcome } });
}

static void goes_on_in_one_message(void)
{
	begin();
	ask("hello");
	struct turn *t = answer();
	say(t, DELTA_REASONING, 0, "hm");
	opaque(t, 0, -1, OPAQUE_ANTHROPIC_SIGNATURE, "s1");
	say(t, DELTA_TEXT, 1, "one ");
	breaks_off(t, OUTCOME_LENGTH);
	CU_ASSERT_TRUE(turn_can_continue(t));
	turn_continue(t);
	CU_ASSERT_FALSE(t->ended);
	CHECK_PROJECTED("user: text hello | assistant: reasoning hm, opaque  anthropic-signature s1, text one ");
	say(t, DELTA_REASONING, 0, "and");
	opaque(t, 0, -1, OPAQUE_ANTHROPIC_SIGNATURE, "s2");
	say(t, DELTA_TEXT, 1, "two");
	say(t, DELTA_TEXT, 1, "!");
	breaks_off(t, OUTCOME_COMPLETE);
	CHECK_PROJECTED("user: text hello | assistant: reasoning hm, opaque  anthropic-signature s1, text one , "
	                "reasoning and, opaque  anthropic-signature s2, text two!");
	CU_ASSERT_FALSE(turn_can_continue(t));
	end();
}

static void words_that_asked_for_more_stay_between(void)
{
	begin();
	ask("hello");
	struct turn *t = answer();
	say(t, DELTA_TEXT, 0, "one");
	breaks_off(t, OUTCOME_CUT);
	turn_continue(t);
	t->joints[0].by_words = true;
	CHECK_PROJECTED("user: text hello | assistant: text one");
	say(t, DELTA_TEXT, 0, "two");
	breaks_off(t, OUTCOME_STALLED);
	turn_continue(t);
	breaks_off(t, OUTCOME_CUT); /* an empty continuation: no second joint */
	turn_continue(t);
	CU_ASSERT_EQUAL(t->joint_count, 2);
	CHECK_PROJECTED("user: text hello | assistant: text one | user: text " CONTINUE_WORDS " | assistant: text two");
	end();
}

static void what_came_before_survives_a_restart(void)
{
	begin();
	struct turn *t = answer();
	say(t, DELTA_TEXT, 0, "one");
	breaks_off(t, OUTCOME_CANCELLED);
	turn_continue(t);
	say(t, DELTA_TEXT, 0, "tw");
	turn_delta(t, &(struct delta){ .kind = DELTA_RESTART });
	say(t, DELTA_TEXT, 0, "two");
	CHECK_PROJECTED("assistant: text one, text tw, text two");
	end();
}

static void only_broken_text_goes_on(void)
{
	static const struct { enum outcome outcome; bool text, goes; } cases[] = {
		{ OUTCOME_CUT, true, true },       { OUTCOME_STALLED, true, true },   { OUTCOME_CANCELLED, true, true },
		{ OUTCOME_LENGTH, true, true },    { OUTCOME_ERROR, true, true },     { OUTCOME_PAUSED, true, true },
		{ OUTCOME_COMPLETE, true, false }, { OUTCOME_FILTERED, true, false }, { OUTCOME_TOOL_CALLS, true, false },
		{ OUTCOME_CUT, false, false },     { OUTCOME_ERROR, false, false },   { OUTCOME_PAUSED, false, true },
	};
	begin();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct turn *t = answer();

		say(t, cases[i].text ? DELTA_TEXT : DELTA_REASONING, 0, "x");
		CU_ASSERT_FALSE(turn_can_continue(t));
		breaks_off(t, cases[i].outcome);
		CHECK(turn_can_continue(t) == cases[i].goes, "case %zu", i);
		call(t, 0, "c", "f", "{}", true);
		CU_ASSERT_FALSE(turn_can_continue(t));
	}
	end();
}

static void give_media(struct turn *t, unsigned index, struct media_facts facts, const char *data, const char *words)
{
	facts.bytes = str_from(data).len;
	turn_delta(t, &(struct delta){ .kind = DELTA_MEDIA, .part = index + 1, .media = { .index = index, .data = str_from(data), .facts = facts } });
	turn_delta(t, &(struct delta){ .kind = DELTA_MEDIA_END, .part = index + 1, .text = str_from(words), .media = { .index = index, .facts = facts } });
}

static void media_go_back_as_the_protocol_wants_them(void)
{
	static const struct scope gemini = { .provider = "box", .model = "m", .protocol = &protocol_gemini };
	static const struct scope other_model = { .provider = "box", .model = "n", .protocol = &protocol_gemini };
	static const struct scope responses = { .provider = "box", .model = "m", .protocol = &protocol_openai_responses };
	const struct media_facts picture = { .kind = MEDIA_IMAGE, .type = STR("image/png"), .whole = true };
	struct media_facts thought = picture, named = picture, sound = { .kind = MEDIA_AUDIO, .whole = true }, link = picture, cut = picture;

	thought.thought = true;
	named.id = STR("ig_1");
	link.url = STR("https://a.example/b.png");
	cut.whole = false;
	for (int i = 0; i < 2; i++) {
		begin();
		ask("draw");
		struct turn *t = conversation_answer(conversation, STR("box"), i ? &protocol_openai_responses : &protocol_gemini, STR("m"));
		say(t, DELTA_TEXT, 0, "here");
		give_media(t, 0, picture, "one", "a boat");
		opaque(t, 1, -1, OPAQUE_GEMINI_SIGNATURE, "s");
		give_media(t, 1, thought, "two", "");
		give_media(t, 2, named, "three", "");
		give_media(t, 3, sound, "four", "hello");
		give_media(t, 4, link, "", "");
		give_media(t, 5, cut, "six", "");
		check_projected(i ? &responses : &gemini, 2, i ?
		                "user: text draw | assistant: text here, opaque  gemini-signature s, media ig_1  three, text hello" :
		                "user: text draw | assistant: text here, media   one, opaque  gemini-signature s, media ig_1  three, media   four",
		                __FILE__, __LINE__); /* nothing stands behind an answer that goes on */
		ask("more");
		if (i)
			check_projected(&responses, 3, "user: text draw | assistant: text here, opaque  gemini-signature s, media ig_1  three, text hello | "
			                "user: text These files came with your answer:, attachment  A file of an answer one, "
			                "attachment  A file of an answer six, text more", __FILE__, __LINE__);
		check_projected(&other_model, 3, "user: text draw | assistant: text here, text hello | user: text These files came with your answer:, "
		                "attachment  A file of an answer one, attachment  A file of an answer three, attachment  A file of an answer six, "
		                "text more", __FILE__, __LINE__);
		end();
	}
}

/* The server's word for the type is not passed on: it may be wrong, or no type at all. */
static void files_of_an_answer_have_the_type_of_their_bytes(void)
{
	static const struct scope chat = { .provider = "pen", .model = "m", .protocol = &protocol_openai_chat };
	static const struct { const char *data, *type; } cases[] = {
		{ "\x89PNG\r\n\x1a\n", "image/png" }, { "fLaC", "audio/flac" }, { "GIF89a", "image/gif" }, { "what", "application/octet-stream" },
	};
	const struct media_facts odd = { .kind = MEDIA_IMAGE, .type = STR("image/pn;base64,\"x"), .whole = true };
	struct projection p;
	size_t found = 0;

	begin();
	ask("draw");
	struct turn *t = conversation_answer(conversation, STR("box"), &protocol_gemini, STR("m"));
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
		give_media(t, i, odd, cases[i].data, "");
	breaks_off(t, OUTCOME_COMPLETE);
	ask("more");
	conversation_project(conversation, conversation->count, &chat, 0, &p);
	for (size_t i = 0; i < p.count; i++)
		for (size_t k = 0; k < p.messages[i].part_count; k++)
			if (p.messages[i].parts[k].kind == PART_ATTACHMENT && found < sizeof cases / sizeof *cases)
				CHECK_STR(p.messages[i].parts[k].media, cases[found++].type);
	CU_ASSERT_EQUAL(found, sizeof cases / sizeof *cases);
	projection_fini(&p);
	end();
}

/* As long as the server has it, which only the provider, protocol and model that made it do. */
static void a_sound_of_the_server_goes_back_as_its_id(void)
{
	static const struct scope same = { .provider = "box", .model = "m", .protocol = &protocol_openai_chat };
	static const struct scope other = { .provider = "pen", .model = "m", .protocol = &protocol_openai_chat };
	static const struct { const struct scope *to; int64_t now; const char *answer, *body; } cases[] = {
		{ &same, 999, "media audio_1  , opaque  audio-expires 1000", "{\"role\":\"assistant\",\"audio\":{\"id\":\"audio_1\"}}" },
		{ &same, 1000, "text hello, opaque  audio-expires 1000", "{\"role\":\"assistant\",\"content\":\"hello\"}" },
		{ &other, 999, "text hello", "{\"role\":\"assistant\",\"content\":\"hello\"}" },
	};
	const struct media_facts sound = { .kind = MEDIA_AUDIO, .type = STR("audio/wav"), .id = STR("audio_1"), .whole = true };

	begin();
	ask("say hello");
	struct turn *t = conversation_answer(conversation, STR("box"), &protocol_openai_chat, STR("m"));
	give_media(t, 0, sound, "RIFF", "hello");
	opaque(t, 1, -1, OPAQUE_AUDIO_EXPIRES, "1000");
	ask("more");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct projection p;
		struct buf text = { 0 }, body = { 0 };

		conversation_project(conversation, 3, cases[i].to, cases[i].now, &p);
		tell(&p, &text);
		CHECK(strstr(buf_z(&text), cases[i].answer) && !strstr(buf_z(&text), "RIFF"), "%zu: %s", i, buf_z(&text));
		const struct request request = { .model = STR("m"), .messages = p.messages, .message_count = p.count, .temperature = NAN };
		CU_ASSERT_TRUE(protocol_build(&protocol_openai_chat, &request, &body));
		CHECK(strstr(buf_z(&body), cases[i].body), "%zu: %s", i, buf_z(&body));
		projection_fini(&p);
		buf_fini(&text);
		buf_fini(&body);
	}
	end();
}

/* A result holds its files where the protocol lets it; else they follow all results, as the user's. What is left out stays in its place. */
static void files_of_results_go_with_them(void)
{
	static const struct { const struct protocol *protocol; const char *body; } cases[] = {
		{ &protocol_anthropic, "{\"type\":\"tool_result\",\"tool_use_id\":\"c0\",\"content\":[{\"type\":\"text\",\"text\":\"zero\"},{\"type\":\"image\","
		  "\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"iVBORw0KGgo=\"}},{\"type\":\"text\",\"text\":\"none\"}]},"
		  "{\"type\":\"tool_result\",\"tool_use_id\":\"c1\",\"content\":\"one\"},{\"type\":\"text\",\"text\":\"more\"}" },
		{ &protocol_openai_responses, "{\"type\":\"function_call_output\",\"call_id\":\"c0\",\"output\":[{\"type\":\"input_text\",\"text\":\"zero\"},"
		  "{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,iVBORw0KGgo=\"},{\"type\":\"input_text\",\"text\":\"none\"}]},"
		  "{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":\"one\"},"
		  "{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"more\"}]}" },
		{ &protocol_openai_chat, "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"one\"},{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":"
		  "\"These files came with the results of the calls:\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,iVBORw0KGgo=\"}},"
		  "{\"type\":\"text\",\"text\":\"none\"},{\"type\":\"text\",\"text\":\"more\"}]}" },
		{ &protocol_gemini, "{\"functionResponse\":{\"id\":\"c1\",\"name\":\"g\",\"response\":{\"result\":\"one\"}}},{\"text\":"
		  "\"These files came with the results of the calls:\"},{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"iVBORw0KGgo=\"}},{\"text\":\"none\"}," },
		{ &protocol_ollama, "\"images\":[\"iVBORw0KGgo=\"]" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct scope to = { .provider = "box", .model = "m", .protocol = cases[i].protocol };
		struct blob *picture = NULL, *other = NULL;
		struct buf body = { 0 };
		struct projection p;

		blob_add(&picture, STR("\x89PNG\r\n\x1a\n"));
		blob_add(&other, STR("\x01"));
		begin();
		ask("q");
		struct turn *t = answer();
		call(t, 0, "c0", "f", "{}", true);
		call(t, 1, "c1", "g", "{}", true);
		struct turn *next = conversation_ask(conversation);
		result(next, 0, "zero");
		turn_add_media(next, 0, picture, STR("image/gif"));
		turn_add_media(next, 0, other, STR(""));
		result(next, 1, "one");
		turn_add(next, PART_TEXT, STR("more"), STR_NONE, STR_NONE);
		conversation_project(conversation, 3, &to, 0, &p);
		for (size_t k = 0; k < p.messages[2].part_count; k++)
			if (p.messages[2].parts[k].kind == PART_ATTACHMENT && p.messages[2].parts[k].text.len == 1)
				projection_say_instead(&p, 2, k, STR("none"));
		const struct request request = { .model = STR("m"), .messages = p.messages, .message_count = p.count, .temperature = NAN };
		CU_ASSERT_TRUE(protocol_build(cases[i].protocol, &request, &body));
		CHECK(strstr(buf_z(&body), cases[i].body), "%s: %s", cases[i].protocol->name, buf_z(&body));
		projection_fini(&p);
		buf_fini(&body);
		blob_drop(picture);
		blob_drop(other);
		end();
	}
}

const struct suite suite_projection = { "projection", (const struct test[]){
	TEST(projects_nothing),
	TEST(alternates_questions_and_answers),
	TEST(leaves_out_other_branches_and_empty_turns),
	TEST(merges_neighbours_of_one_role),
	TEST(sends_attachments),
	TEST(gives_refusals_back_as_text),
	TEST(borrows_the_text),
	TEST(keeps_reasoning_for_its_scope_only),
	TEST(ignores_the_routed_model),
	TEST(opens_nothing_for_unknown_scopes),
	TEST(moves_late_opaque_data_to_its_owner),
	TEST(answers_every_call),
	TEST(answers_calls_whose_next_turn_is_an_answer),
	TEST(finds_the_results_of_its_own_branch),
	TEST(makes_ids_up_where_none_came), TEST(names_and_ids_are_as_the_protocol_accepts_them),
	TEST(distinguishes_calls_with_one_id),
	TEST(names_calls_without_a_name),
	TEST(forgets_what_was_taken_back),
	TEST(is_valid_in_every_protocol),
	TEST(is_valid_after_odd_answers),
	TEST(is_valid_after_two_answers),
	TEST(goes_on_in_one_message),
	TEST(words_that_asked_for_more_stay_between),
	TEST(what_came_before_survives_a_restart),
	TEST(only_broken_text_goes_on),
	TEST(media_go_back_as_the_protocol_wants_them), TEST(files_of_results_go_with_them), TEST(files_of_an_answer_have_the_type_of_their_bytes),
	TEST(a_sound_of_the_server_goes_back_as_its_id),
	{ 0 },
} };
