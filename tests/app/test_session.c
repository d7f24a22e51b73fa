#include "app/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/program.h"
#include "base/mem.h"
#include "chat/totals.h"
#include "support/check.h"

#define ANSWERS 6
#define TURNS_OF_LOOP 4000

/* A session whose provider is a server of saved answers in the same loop. */
struct life {
	struct options options;
	struct setup setup;
	struct session *session;
	struct serve *serve;
	struct tape *answers[ANSWERS];  /* answers in order; the last one is repeated */
	size_t answer_count, asked;
	struct buf bodies;              /* bodies of the requests, one per line */
	size_t body_at;                 /* offset of the last body */
	char url[64];
	unsigned ended;
	struct error err;
};

static const struct tape *choose(void *ctx, const struct serve_request *request)
{
	struct life *l = ctx;
	size_t at = l->asked++;

	l->body_at = l->bodies.len;
	buf_printf(&l->bodies, "%.*s\n", STR_ARG(request->body));
	return l->answers[at < l->answer_count ? at : l->answer_count - 1];
}

static void count_end(void *ctx, struct turn *turn)
{
	struct life *l = ctx;

	CU_ASSERT_TRUE(turn->ended);
	l->ended++;
}

static size_t serve_fds(void *serve, struct pollfd *fds, size_t room)
{
	fds[0] = (struct pollfd){ .fd = serve_fd(serve), .events = POLLIN };
	return room ? 1 : 0;
}

static int64_t serve_time(void *serve)
{
	return serve_deadline(serve);
}

static void serve_turn(void *serve, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	(void)fds, (void)count;
	serve_run(serve, now_ms);
}

static void answer_with(struct life *l, const char *text)
{
	CU_ASSERT_FATAL(l->answer_count < ANSWERS);
	CHECK(tape_from_text(&l->answers[l->answer_count], str_from(text), &l->err), "%s", l->err.text);
	l->answer_count++;
}

static void begin(struct life *l)
{
	setenv("XDG_CONFIG_HOME", folder_path(), 1);
	setenv("XDG_STATE_HOME", folder_path(), 1);
	unsetenv("WEIR_API_KEY");
	*l = (struct life){ .err = { "" } };
	CHECK(serve_open(&l->serve, 0, 0, choose, l, &l->err), "%s", l->err.text);
	snprintf(l->url, sizeof l->url, "http://127.0.0.1:%u", serve_port(l->serve));
	options_init(&l->options);
	l->options.base_url = l->url;
	l->options.model = "m";
	l->options.retries = 0;
	CHECK(setup_init(&l->setup, &l->options, &l->err), "%s", l->err.text);
	l->session = session_new(&l->setup, count_end, l);
	loop_add(l->setup.loop, &(struct loop_member){ l->serve, serve_fds, serve_time, serve_turn });
	struct loop_member member = session_member(l->session);
	loop_add(l->setup.loop, &member);
}

static void end(struct life *l)
{
	session_free(l->session);
	setup_fini(&l->setup);
	serve_free(l->serve);
	for (size_t i = 0; i < l->answer_count; i++)
		tape_free(l->answers[i]);
	options_fini(&l->options);
	buf_fini(&l->bodies);
	folder_remove();
}

/* Runs the loop until no turn is running and the queue is empty. */
static struct turn *settle(struct life *l)
{
	for (int i = 0; i < TURNS_OF_LOOP && session_live(l->session); i++) {
		loop_turn(l->setup.loop);
		session_drain(l->session);
	}
	CU_ASSERT_PTR_NULL(session_live(l->session));
	return conversation_last(session_conversation(l->session));
}

static struct turn *send(struct life *l, const char *prompt)
{
	CHECK(session_send(l->session, str_from(prompt), &l->err), "%s", l->err.text);
	return settle(l);
}

static bool last_asked(const struct life *l, const char *words)
{
	return strstr(buf_z(&l->bodies) + l->body_at, words) != NULL;
}

static const char *note_of(const struct turn *t, const char *rule)
{
	for (size_t i = 0; i < t->note_count; i++)
		if (!strcmp(t->notes[i].rule, rule))
			return t->notes[i].text;
	return "";
}

#define TEXT(text) "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
#define CALL "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}," \
	"{\"index\":1,\"id\":\"c2\",\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"
#define REFUSAL "{\"weir_tape\":1}\n{\"t\":0,\"head\":{\"status\":429}}\n{\"t\":0,\"body\":\"{\\\"error\\\":\\\"later\\\"}\"}\n{\"t\":0,\"end\":\"closed\"}\n"

/* --- turns --- */

static void sends_earlier_turns_too(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, TEXT("one"));
	answer_with(&l, TEXT("two"));
	struct turn *t = send(&l, "first");
	CU_ASSERT_EQUAL(t->outcome, OUTCOME_COMPLETE);
	CHECK_STR(buf_str(&t->parts[0].text), "one");
	send(&l, "second");
	CU_ASSERT_TRUE(last_asked(&l, "{\"role\":\"user\",\"content\":\"first\"},{\"role\":\"assistant\",\"content\":\"one\"},"
	                              "{\"role\":\"user\",\"content\":\"second\"}"));
	CU_ASSERT_EQUAL(l.ended, 2);
	end(&l);
}

static void retries_the_last_prompt(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, TEXT("wrong"));
	answer_with(&l, TEXT("right"));
	CU_ASSERT_FALSE(session_retry(l.session, NULL, &l.err));
	struct turn *wrong = send(&l, "first");
	CHECK(session_retry(l.session, NULL, &l.err), "%s", l.err.text);
	struct turn *right = settle(&l);
	CU_ASSERT_FALSE(conversation_shows(session_conversation(l.session), wrong));
	CU_ASSERT_PTR_EQUAL(conversation_sibling(session_conversation(l.session), right, -1), wrong);
	CHECK_STR(buf_str(&right->parts[0].text), "right");
	CU_ASSERT_FALSE(last_asked(&l, "wrong"));
	end(&l);
}

#define CUT(text) "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"}}]}\n\n"

static void lets_a_broken_answer_go_on(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, CUT("one,"));
	answer_with(&l, TEXT("two"));
	CU_ASSERT_FALSE(session_continue(l.session, &l.err));
	struct turn *t = send(&l, "first");
	CU_ASSERT_EQUAL(t->outcome, OUTCOME_CUT);
	char *tape = mem_dup_z(t->tape);
	CHECK(session_continue(l.session, &l.err), "%s", l.err.text);
	CU_ASSERT_PTR_EQUAL(session_live(l.session), t);
	CU_ASSERT_PTR_EQUAL(settle(&l), t);
	CU_ASSERT_EQUAL(t->outcome, OUTCOME_COMPLETE);
	CU_ASSERT_EQUAL(t->part_count, 2);
	CHECK_STR(buf_str(&t->parts[0].text), "one,");
	CHECK_STR(buf_str(&t->parts[1].text), "two");
	CU_ASSERT_TRUE(t->joints[0].by_words && t->joints[0].outcome == OUTCOME_CUT);
	CU_ASSERT_TRUE(last_asked(&l, "{\"role\":\"assistant\",\"content\":\"one,\"},{\"role\":\"user\",\"content\":\"" CONTINUE_WORDS "\"}]"));
	CHECK(strstr(t->earlier, "outcome: cut") && strstr(t->earlier, tape) && strcmp(t->tape, tape), "%s", t->earlier);
	CU_ASSERT_FALSE(session_continue(l.session, &l.err));
	send(&l, "more");
	CU_ASSERT_TRUE(last_asked(&l, CONTINUE_WORDS "\"},{\"role\":\"assistant\",\"content\":\"two\"},{\"role\":\"user\",\"content\":\"more\"}]"));
	mem_free(tape);
	end(&l);
}

static void another_model_does_not_go_on_with_it(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, CUT("one,"));
	send(&l, "first");
	setup_use_model(&l.setup, STR("other"));
	CU_ASSERT_FALSE(session_continue(l.session, &l.err));
	CHECK(strstr(l.err.text, "choose it again"), "%s", l.err.text);
	CU_ASSERT_EQUAL(l.asked, 1);
	end(&l);
}

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

	begin(&l);
	answer_with(&l, TEXT("one"));
	answer_with(&l, "{\"message\":{\"role\":\"assistant\",\"content\":\"two\"},\"done\":true,\"done_reason\":\"stop\"}\n");
	answer_with(&l, "{\"message\":{\"role\":\"assistant\",\"content\":\"three\"},\"done\":true,\"done_reason\":\"stop\"}\n");
	answer_with(&l, TEXT("four"));
	session_attach_bytes(l.session, STR("%PDF-1.7"), "/tmp/paper.pdf", "application/pdf");
	send(&l, "read");
	CU_ASSERT_TRUE(last_asked(&l, "JVBERi0xLjc="));
	setup_use_protocol(&l.setup, &protocol_ollama);
	CU_ASSERT_EQUAL(send(&l, "again")->outcome, OUTCOME_COMPLETE);
	CU_ASSERT_FALSE(last_asked(&l, "JVBERi0xLjc="));
	CU_ASSERT_TRUE(last_asked(&l, "(The file paper.pdf of type application/pdf was left out: it cannot be sent here.)"));
	CU_ASSERT_EQUAL(notes_with(l.session, "paper.pdf was left out: ollama does not carry a PDF."), 1);
	CU_ASSERT_EQUAL(send(&l, "once more")->outcome, OUTCOME_COMPLETE);
	CU_ASSERT_EQUAL(notes_with(l.session, "paper.pdf was left out: ollama does not carry a PDF."), 1);
	setup_use_protocol(&l.setup, &protocol_openai_chat);
	send(&l, "and back");
	CU_ASSERT_TRUE(last_asked(&l, "JVBERi0xLjc="));
	end(&l);
}

static void what_exceeds_a_limit_is_not_sent(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, TEXT("one"));
	session_attach_bytes(l.session, STR("II*"), "/tmp/scan.tiff", "image/tiff");
	CU_ASSERT_FALSE(session_send(l.session, STR("look"), &l.err));
	CHECK_STR(str_from(l.err.text), "scan.tiff is image/tiff, and openai-chat takes images as PNG, JPEG, GIF, WEBP: convert it");
	CU_ASSERT_EQUAL(session_conversation(l.session)->count, 0);
	CU_ASSERT_EQUAL(session_attached(l.session), 1);
	session_detach(l.session);
	CU_ASSERT_EQUAL(send(&l, "look")->outcome, OUTCOME_COMPLETE);
	end(&l);
}

static void another_prompt_takes_the_place_of_the_last(void)
{
	struct life l;
	struct str prompt;

	begin(&l);
	answer_with(&l, TEXT("one"));
	CU_ASSERT_FALSE(session_edit(l.session, NULL, &prompt, &l.err));
	send(&l, "first");
	CHECK(session_attach(l.session, folder_file("a.txt", "inside"), &l.err), "%s", l.err.text);
	struct turn *wrong = send(&l, "secnod");
	CHECK(session_edit(l.session, NULL, &prompt, &l.err), "%s", l.err.text);
	CHECK_STR(prompt, "secnod");
	CU_ASSERT_TRUE(session_is_editing(l.session));
	CU_ASSERT_EQUAL(session_attached(l.session), 1);
	session_leave_edit(l.session);
	CU_ASSERT_EQUAL(session_attached(l.session), 0);
	CU_ASSERT_TRUE(conversation_shows(session_conversation(l.session), wrong));
	CHECK(session_edit(l.session, NULL, &prompt, &l.err), "%s", l.err.text);
	send(&l, "second");
	CU_ASSERT_FALSE(session_is_editing(l.session));
	CU_ASSERT_FALSE(conversation_shows(session_conversation(l.session), wrong));
	CU_ASSERT_EQUAL(conversation_siblings(session_conversation(l.session), wrong->parent).count, 2);
	CU_ASSERT_TRUE(last_asked(&l, "first") && last_asked(&l, "second") && last_asked(&l, "inside"));
	CU_ASSERT_FALSE(last_asked(&l, "secnod"));
	CU_ASSERT_EQUAL(session_conversation(l.session)->count, 4);
	end(&l);
}

/* --- summaries --- */

static void use_schema(struct life *l, const char *schema)
{
	CHECK(setup_read_schema(&l->setup, schema ? folder_file("schema.json", schema) : NULL, &l->err), "%s", l->err.text);
}

#define COUNTED(text) "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"},\"finish_reason\":\"stop\"}]}\n\n" \
	"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":10,\"cost\":0.25}}\n\ndata: [DONE]\n\n"

static struct turn *compact(struct life *l, const char *words)
{
	CHECK(session_compact(l->session, str_from(words), &l->err), "%s", l->err.text);
	return session_live(l->session);
}

static void begin_long(struct life *l)
{
	begin(l);
	answer_with(l, COUNTED("one"));
	answer_with(l, COUNTED("two"));
	answer_with(l, COUNTED("three"));
	send(l, "first");
	send(l, "second");
	send(l, "third");
}

static void a_summary_is_sent_in_place_of_older_turns(void)
{
	struct life l;

	begin_long(&l);
	answer_with(&l, COUNTED("short"));
	answer_with(&l, COUNTED("four"));
	struct conversation *c = session_conversation(l.session);
	struct turn *three = conversation_last(c), *first = c->turns[0];
	use_schema(&l, "{\"type\":\"string\"}");
	struct turn *summary = compact(&l, "the figures");
	CU_ASSERT_EQUAL(c->count, 2); /* the summary streams as the first answer of its branch */
	CU_ASSERT_PTR_EQUAL(conversation_sibling(c, c->turns[0], -1), first);
	struct turn *last = settle(&l);
	CU_ASSERT_TRUE(last_asked(&l, "{\"role\":\"assistant\",\"content\":\"two\"},{\"role\":\"user\",\"content\":\"Summarize our conversation"));
	CU_ASSERT_TRUE(last_asked(&l, "Above all keep: the figures\"}]") && !last_asked(&l, "third") && !last_asked(&l, "json_schema"));
	CU_ASSERT_EQUAL(c->count, 4);
	CU_ASSERT_PTR_EQUAL(c->turns[1], summary);
	CHECK_STR(buf_str(&c->turns[2]->parts[0].text), "third");
	CHECK_STR(buf_str(&last->parts[0].text), "three");
	CU_ASSERT_PTR_NOT_EQUAL(last, three);
	CHECK(strstr(note_of(summary, "weir"), " tokens now, and was ~"), "%s", note_of(summary, "weir"));
	CU_ASSERT_TRUE(setup_read_schema(&l.setup, NULL, &l.err));
	send(&l, "fourth");
	CU_ASSERT_TRUE(last_asked(&l, "the figures\"},{\"role\":\"assistant\",\"content\":\"short\"},{\"role\":\"user\",\"content\":\"third\"},"
	                              "{\"role\":\"assistant\",\"content\":\"three\"},{\"role\":\"user\",\"content\":\"fourth\"}]"));
	CU_ASSERT_FALSE(last_asked(&l, "first") || last_asked(&l, "second"));
	CHECK(session_select(l.session, first, &l.err), "%s", l.err.text);
	CU_ASSERT_PTR_EQUAL(conversation_last(c), three);
	end(&l);
}

/* The copies of the last exchange took nothing: every answer counts once, and nothing about the sums becomes unknown. */
static void a_summary_costs_what_it_took(void)
{
	struct life l;

	begin_long(&l);
	answer_with(&l, COUNTED("short"));
	answer_with(&l, COUNTED("four"));
	compact(&l, "");
	settle(&l);
	struct totals totals = conversation_totals(session_conversation(l.session));
	CU_ASSERT_EQUAL(totals.took.usage.of[USAGE_PROMPT].number, 400);
	CU_ASSERT_EQUAL(totals.took.usage.of[USAGE_COMPLETION].number, 40);
	CU_ASSERT_FALSE(totals.took.prompt_is_rough || totals.took.completion_is_rough);
	CU_ASSERT_DOUBLE_EQUAL(totals.took.cost.usd, 1.0, 1e-9);
	CU_ASSERT_FALSE(totals.took.cost.is_unknown || totals.took.cost.is_estimated);
	CU_ASSERT(totals.context.is_rough && totals.context.tokens > 0 && totals.context.tokens < 100); /* the server counted 100 for each request */
	const struct turn *summary = session_conversation(l.session)->turns[1];
	CU_ASSERT(!summary->copied && turn_context(summary).is_rough && turn_context(summary).tokens < totals.context.tokens);
	send(&l, "fourth");
	totals = conversation_totals(session_conversation(l.session));
	CU_ASSERT(!totals.context.is_rough && totals.context.tokens == 110);
	end(&l);
}

/* A summary that is not whole replaces nothing; it stays as a branch. */
static void check_not_compacted(const char *answer, bool stops, const char *why)
{
	struct life l;

	begin_long(&l);
	answer_with(&l, answer);
	answer_with(&l, COUNTED("four"));
	struct conversation *c = session_conversation(l.session);
	struct turn *three = conversation_last(c), *first = c->turns[0], *summary = compact(&l, "");
	if (stops) {
		session_stop(l.session);
		session_drain(l.session);
	}
	CU_ASSERT_PTR_EQUAL(settle(&l), three);
	CHECK(strstr(note_of(summary, "weir"), why), "%s: %s", why, note_of(summary, "weir"));
	CU_ASSERT_EQUAL(c->count, 6);
	CU_ASSERT_EQUAL(conversation_siblings(c, first).count, 2);
	CU_ASSERT_EQUAL(session_take_refused(l.session).len, 0); /* its words are not the user's */
	if (!stops) {
		send(&l, "fourth");
		CU_ASSERT_TRUE(last_asked(&l, "first") && last_asked(&l, "fourth") && !last_asked(&l, "Summarize"));
	}
	end(&l);
}

static void a_summary_that_is_not_whole_changes_nothing(void)
{
	check_not_compacted(CUT("half"), false, "Nothing was compacted: the connection ended too early.");
	check_not_compacted(TEXT("  "), false, "the summary is empty");
	check_not_compacted(CALL, false, "called a tool");
	check_not_compacted("data: {\"choices\":[{\"delta\":{\"content\":\"half\"},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n", false,
	                    "token limit");
	check_not_compacted(REFUSAL, false, "later");
	check_not_compacted(CUT("half"), true, "it was stopped");
}

static void check_cannot_compact(struct life *l, const char *why)
{
	size_t asked = l->asked, nodes = session_conversation(l->session)->node_count;

	CU_ASSERT_FALSE(session_compact(l->session, STR(""), &l->err));
	CHECK(strstr(l->err.text, why), "%s: %s", why, l->err.text);
	CU_ASSERT_EQUAL(l->asked, asked);
	CU_ASSERT_EQUAL(session_conversation(l->session)->node_count, nodes);
}

static void what_cannot_be_compacted_is_said(void)
{
	struct life l;
	struct str prompt;

	begin(&l);
	answer_with(&l, TEXT("one"));
	check_cannot_compact(&l, "the conversation is empty");
	send(&l, "first");
	check_cannot_compact(&l, "one exchange only");
	CHECK(session_send(l.session, STR("second"), &l.err), "%s", l.err.text);
	check_cannot_compact(&l, "an answer is under way");
	settle(&l);
	CHECK(session_edit(l.session, NULL, &prompt, &l.err), "%s", l.err.text);
	check_cannot_compact(&l, "a prompt is being edited");
	session_leave_edit(l.session);
	setup_use_model(&l.setup, STR(""));
	check_cannot_compact(&l, "no model");
	setup_use_model(&l.setup, STR("m"));
	compact(&l, "");
	settle(&l);
	check_cannot_compact(&l, "there is a summary only");
	send(&l, "third");
	compact(&l, "");
	CU_ASSERT_PTR_NOT_NULL(settle(&l));
	CU_ASSERT_TRUE(last_asked(&l, "second") && !last_asked(&l, "first")); /* a summary of the summary */
	end(&l);
}

/* It was asked for with turns that its branch does not have. */
static void a_summary_is_not_asked_for_again(void)
{
	struct life l;
	struct str prompt;

	begin_long(&l);
	answer_with(&l, CUT("half"));
	struct turn *summary = compact(&l, "");
	settle(&l);
	CHECK(session_select(l.session, summary, &l.err), "%s", l.err.text);
	CU_ASSERT_FALSE(session_retry(l.session, NULL, &l.err));
	CHECK(strstr(l.err.text, "/compact writes another"), "%s", l.err.text);
	CU_ASSERT_FALSE(session_continue(l.session, &l.err));
	CU_ASSERT_FALSE(session_edit(l.session, NULL, &prompt, &l.err));
	CU_ASSERT_EQUAL(l.asked, 4);
	end(&l);
}

/* Results belong to calls of their exchange, which stays whole. */
static void calls_stay_with_their_results(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, TEXT("one"));
	answer_with(&l, CALL);
	answer_with(&l, TEXT("two"));
	send(&l, "first");
	send(&l, "second");
	session_answer_call(l.session, 0, STR("42"), false);
	CHECK(session_send_results(l.session, &l.err), "%s", l.err.text);
	settle(&l);
	compact(&l, "");
	CU_ASSERT_EQUAL(settle(&l)->depth, 5);
	CU_ASSERT_FALSE(last_asked(&l, "second"));
	send(&l, "third");
	CU_ASSERT_TRUE(last_asked(&l, "\"content\":\"second\"") && last_asked(&l, "\"content\":\"42\""));
	end(&l);
}

static void prompts_in_line_follow_the_summary(void)
{
	struct life l;

	begin_long(&l);
	answer_with(&l, TEXT("short"));
	answer_with(&l, TEXT("four"));
	compact(&l, "");
	CHECK(session_send(l.session, STR("fourth"), &l.err), "%s", l.err.text);
	CU_ASSERT_EQUAL(session_queued(l.session), 1);
	CHECK_STR(buf_str(&settle(&l)->parts[0].text), "four");
	CU_ASSERT_TRUE(last_asked(&l, "short") && last_asked(&l, "third") && last_asked(&l, "fourth") && !last_asked(&l, "first"));
	end(&l);
}

/* --- branches --- */

#define BRANCHES(l) session_conversation((l)->session)

static void any_answer_is_asked_for_again_by_any_model(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, TEXT("one"));
	answer_with(&l, TEXT("two"));
	answer_with(&l, TEXT("other"));
	struct turn *one = send(&l, "first");
	struct turn *two = send(&l, "second");
	setup_use_model(&l.setup, STR("else"));
	CHECK(session_retry(l.session, one, &l.err), "%s", l.err.text);
	struct turn *other = settle(&l);
	CU_ASSERT_TRUE(last_asked(&l, "\"else\"") && last_asked(&l, "first") && !last_asked(&l, "second") && !last_asked(&l, "one"));
	CU_ASSERT_PTR_EQUAL(conversation_sibling(BRANCHES(&l), other, -1), one);
	CU_ASSERT_EQUAL(BRANCHES(&l)->count, 2);
	CU_ASSERT_STRING_EQUAL(other->scope.model, "else");
	CHECK(session_select(l.session, one, &l.err), "%s", l.err.text);
	CU_ASSERT_PTR_EQUAL(conversation_last(BRANCHES(&l)), two);
	send(&l, "third");
	CU_ASSERT_TRUE(last_asked(&l, "{\"role\":\"assistant\",\"content\":\"two\"},{\"role\":\"user\",\"content\":\"third\"}"));
	CU_ASSERT_FALSE(last_asked(&l, "other"));
	end(&l);
}

static void any_prompt_is_edited(void)
{
	struct life l;
	struct str prompt;

	begin(&l);
	answer_with(&l, TEXT("one"));
	send(&l, "frist");
	struct turn *two = send(&l, "second");
	CHECK(session_edit(l.session, BRANCHES(&l)->turns[1], &prompt, &l.err), "%s", l.err.text); /* an answer means its question */
	CHECK_STR(prompt, "frist");
	CU_ASSERT_PTR_EQUAL(session_edited(l.session), BRANCHES(&l)->turns[0]);
	send(&l, "first");
	CU_ASSERT_EQUAL(BRANCHES(&l)->count, 2);
	CU_ASSERT_EQUAL(conversation_siblings(BRANCHES(&l), BRANCHES(&l)->turns[0]).count, 2);
	CU_ASSERT_FALSE(last_asked(&l, "frist") || last_asked(&l, "second"));
	CU_ASSERT_FALSE(conversation_shows(BRANCHES(&l), two));
	end(&l);
}

static void a_refused_prompt_gets_a_sibling(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, REFUSAL);
	answer_with(&l, TEXT("one"));
	struct turn *refused = send(&l, "first");
	struct turn *one = send(&l, "changed");
	CU_ASSERT_PTR_EQUAL(conversation_sibling(BRANCHES(&l), one->parent, -1), refused->parent);
	CU_ASSERT_FALSE(last_asked(&l, "first"));
	CU_ASSERT_EQUAL(BRANCHES(&l)->count, 2);
	end(&l);
}

static void branches_stay_while_an_answer_runs(void)
{
	struct life l;
	struct turn *back;
	struct str prompt;

	begin(&l);
	answer_with(&l, TEXT("one"));
	struct turn *one = send(&l, "first");
	CHECK(session_send(l.session, STR("second"), &l.err), "%s", l.err.text);
	CU_ASSERT_FALSE(session_select(l.session, one, &l.err));
	CHECK(strstr(l.err.text, "an answer is under way") != NULL, "%s", l.err.text);
	CU_ASSERT_FALSE(session_remove(l.session, one, &l.err));
	CU_ASSERT_FALSE(session_copy(l.session, one, &l.err));
	CU_ASSERT_FALSE(session_undo(l.session, &back, &l.err));
	CU_ASSERT_FALSE(session_retry(l.session, one, &l.err));
	CU_ASSERT_FALSE(session_edit(l.session, one, &prompt, &l.err));
	CU_ASSERT_EQUAL(BRANCHES(&l)->count, 4);
	settle(&l);
	CHECK(session_edit(l.session, one, &prompt, &l.err), "%s", l.err.text);
	CU_ASSERT_FALSE(session_select(l.session, one, &l.err));
	CHECK(strstr(l.err.text, "a prompt is being edited") != NULL, "%s", l.err.text);
	session_leave_edit(l.session);
	CHECK(session_select(l.session, one, &l.err), "%s", l.err.text);
	end(&l);
}

static void what_is_deleted_or_copied_is_undone(void)
{
	struct life l;
	struct turn *back = NULL;

	begin(&l);
	answer_with(&l, TEXT("one"));
	CU_ASSERT_FALSE(session_undo(l.session, &back, &l.err));
	struct turn *one = send(&l, "first");
	send(&l, "second");
	const struct conversation *former = BRANCHES(&l);
	CHECK(session_remove(l.session, former->turns[2], &l.err), "%s", l.err.text);
	CU_ASSERT_EQUAL(former->count, 2);
	CHECK(session_undo(l.session, &back, &l.err), "%s", l.err.text);
	CU_ASSERT(back == former->turns[2] && former->count == 4);
	CHECK(session_copy(l.session, one, &l.err), "%s", l.err.text);
	CU_ASSERT(BRANCHES(&l) != former && BRANCHES(&l)->count == 2);
	CHECK(session_undo(l.session, &back, &l.err), "%s", l.err.text);
	CU_ASSERT(back == NULL && BRANCHES(&l) == former && former->count == 4);
	CHECK(session_copy(l.session, one, &l.err), "%s", l.err.text);
	send(&l, "third");
	CU_ASSERT_TRUE(last_asked(&l, "first") && last_asked(&l, "third") && !last_asked(&l, "second"));
	CU_ASSERT_FALSE(session_undo(l.session, &back, &l.err));
	CHECK(strstr(l.err.text, "has gone on") != NULL, "%s", l.err.text);
	end(&l);
}

/* Only a question is left where its answer was deleted: it is asked again. */
static void a_question_without_an_answer_is_asked(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, TEXT("one"));
	CHECK(session_remove(l.session, send(&l, "first"), &l.err), "%s", l.err.text);
	CU_ASSERT_EQUAL(BRANCHES(&l)->count, 1);
	CHECK(session_retry(l.session, NULL, &l.err), "%s", l.err.text);
	settle(&l);
	CU_ASSERT_EQUAL(BRANCHES(&l)->count, 2);
	CU_ASSERT_TRUE(last_asked(&l, "first"));
	end(&l);
}

static void holds_prompts_in_line(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, TEXT("one"));
	CHECK(session_send(l.session, STR("first"), &l.err), "%s", l.err.text);
	CHECK(session_send(l.session, STR("second"), &l.err), "%s", l.err.text);
	CU_ASSERT_EQUAL(session_queued(l.session), 1);
	settle(&l);
	CU_ASSERT_EQUAL(l.asked, 2);
	CU_ASSERT_TRUE(last_asked(&l, "\"second\""));
	CU_ASSERT_EQUAL(session_queued(l.session), 0);
	end(&l);
}

static void put_in_line(struct life *l, const char *prompt)
{
	CHECK(session_send(l->session, str_from(prompt), &l->err), "%s", l->err.text);
}

static void check_line(const struct life *l, unsigned count, const char *first)
{
	size_t files;

	CHECK(session_queued(l->session) == count, "%u in line", session_queued(l->session));
	CHECK_STR(session_queued(l->session) ? session_queued_at(l->session, 0, &files) : STR_NONE, first);
}

/* After a stop the queue is kept; a newer prompt is sent after it, never before. */
static void keeps_the_order_of_the_line(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, TEXT("one"));
	put_in_line(&l, "first");
	put_in_line(&l, "second");
	put_in_line(&l, "third");
	session_stop(l.session);
	session_drain(l.session);
	CU_ASSERT_PTR_NULL(session_live(l.session));
	check_line(&l, 2, "second");
	size_t asked = l.asked;
	put_in_line(&l, "fourth");
	check_line(&l, 2, "third");
	settle(&l);
	CHECK(l.asked == asked + 3, "%zu requests", l.asked - asked);
	struct str all = buf_str(&l.bodies);
	CU_ASSERT_TRUE(str_find(all, STR("\"second\"")) < str_find(all, STR("\"third\"")));
	CU_ASSERT_TRUE(str_find(all, STR("\"third\"")) < str_find(all, STR("\"fourth\"")));
	CU_ASSERT_TRUE(last_asked(&l, "\"fourth\""));
	check_line(&l, 0, "");
	end(&l);
}

/* The restored prompt is older than the queue and replaces the refused one. */
static void a_refused_prompt_goes_before_the_line(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, REFUSAL);
	answer_with(&l, TEXT("one"));
	put_in_line(&l, "first");
	put_in_line(&l, "second");
	settle(&l);
	check_line(&l, 1, "second");
	CHECK_STR(session_take_refused(l.session), "first");
	put_in_line(&l, "first again");
	check_line(&l, 1, "second");
	settle(&l);
	CU_ASSERT_TRUE(last_asked(&l, "\"first again\"") && last_asked(&l, "\"second\""));
	end(&l);
	begin(&l);
	answer_with(&l, REFUSAL);
	answer_with(&l, TEXT("one"));
	put_in_line(&l, "first");
	put_in_line(&l, "second");
	settle(&l);
	CHECK_STR(session_take_refused(l.session), "first");
	session_leave_refused(l.session);
	put_in_line(&l, "third");
	check_line(&l, 1, "third");
	settle(&l);
	end(&l);
}

static void the_newest_in_line_comes_out_with_its_files(void)
{
	struct life l;
	size_t files;

	begin(&l);
	answer_with(&l, TEXT("one"));
	put_in_line(&l, "first");
	CHECK(session_attach(l.session, folder_file("a.txt", "of the second"), &l.err), "%s", l.err.text);
	put_in_line(&l, "second");
	CHECK(session_attach(l.session, folder_file("b.txt", "of the third"), &l.err), "%s", l.err.text);
	put_in_line(&l, "third");
	CU_ASSERT_EQUAL(session_attached(l.session), 0);
	char *last = session_take_last_queued(l.session);
	CHECK_STR(str_from(last), "third");
	mem_free(last);
	CU_ASSERT_EQUAL(session_attached(l.session), 1);
	check_line(&l, 1, "second");
	session_queued_at(l.session, 0, &files);
	CU_ASSERT_EQUAL(files, 1);
	settle(&l);
	CU_ASSERT_TRUE(last_asked(&l, "of the second"));
	CU_ASSERT_FALSE(last_asked(&l, "of the third")); /* the file waits for the prompt that it was attached to */
	CU_ASSERT_EQUAL(session_attached(l.session), 1);
	end(&l);
}

static void gives_a_refused_prompt_back(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, REFUSAL);
	answer_with(&l, TEXT("one"));
	struct turn *t = send(&l, "first");
	CU_ASSERT_EQUAL(t->outcome, OUTCOME_ERROR);
	CHECK_STR(session_take_refused(l.session), "first");
	CHECK_STR(session_take_refused(l.session), "");
	send(&l, "second");
	CU_ASSERT_FALSE(last_asked(&l, "first")); /* it was never part of the conversation */
	end(&l);
}

/* --- results --- */

static void sends_results(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, CALL);
	answer_with(&l, TEXT("one"));
	send(&l, "first");
	CU_ASSERT_FALSE(session_send_results(l.session, &l.err));
	session_answer_call(l.session, 1, STR("no"), false);
	session_answer_call(l.session, 1, STR("yes"), false);
	CHECK(session_send_results(l.session, &l.err), "%s", l.err.text);
	settle(&l);
	CU_ASSERT_TRUE(last_asked(&l, "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"The tool was not run.\"},"
	                              "{\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":\"yes\"}"));
	end(&l);
}

static void keeps_results_that_were_refused(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, CALL);
	answer_with(&l, REFUSAL);
	answer_with(&l, TEXT("one"));
	send(&l, "first");
	session_answer_call(l.session, 0, STR("zero"), false);
	CHECK(session_send_results(l.session, &l.err), "%s", l.err.text);
	CU_ASSERT_EQUAL(settle(&l)->outcome, OUTCOME_ERROR);
	send(&l, "go on");
	CU_ASSERT_TRUE(last_asked(&l, "\"tool_call_id\":\"c1\",\"content\":\"zero\""));
	CU_ASSERT_TRUE(last_asked(&l, "{\"role\":\"user\",\"content\":\"go on\"}"));
	const struct conversation *c = session_conversation(l.session);
	CU_ASSERT_STRING_EQUAL(c->turns[c->count - 2]->parts[0].name, "f");
	end(&l);
}

/* --- schemas --- */

static void tells_whether_the_schema_is_followed(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, TEXT("{\\\"a\\\":1}"));
	answer_with(&l, TEXT("{\\\"a\\\":\\\"1\\\"}"));
	answer_with(&l, CALL);
	answer_with(&l, TEXT("plain"));
	use_schema(&l, "{\"properties\":{\"a\":{\"type\":\"number\"}}}");
	CU_ASSERT_STRING_EQUAL(note_of(send(&l, "first"), "schema"), "The answer is JSON that follows the schema.");
	CU_ASSERT_STRING_EQUAL(note_of(send(&l, "second"), "schema"),
	                       "The answer does not follow the schema: $.a is a string, the schema wants a number.");
	CU_ASSERT_STRING_EQUAL(note_of(send(&l, "third"), "schema"), ""); /* calls are not an answer */
	use_schema(&l, NULL);
	CU_ASSERT_STRING_EQUAL(note_of(send(&l, "fourth"), "schema"), "");
	end(&l);
}

/* Options set during a turn apply to the next one. */
static void keeps_what_a_turn_was_asked_with(void)
{
	struct life l;

	begin(&l);
	answer_with(&l, TEXT("7"));
	setup_use_system(&l.setup, STR("Be brief."));
	use_schema(&l, "{\"type\":\"number\"}");
	CHECK(session_send(l.session, STR("first"), &l.err), "%s", l.err.text);
	setup_use_system(&l.setup, STR("Be long."));
	use_schema(&l, "{\"type\":\"string\",\"description\":\"a schema that needs more memory than the one before it did\"}");
	CU_ASSERT_STRING_EQUAL(note_of(settle(&l), "schema"), "The answer is JSON that follows the schema.");
	CU_ASSERT_TRUE(last_asked(&l, "Be brief."));
	send(&l, "second");
	CU_ASSERT_TRUE(last_asked(&l, "Be long."));
	end(&l);
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

	begin(&l);
	answer_with(&l, TEXT("one"));
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
	struct spending_row *rows = conversation_spending(c, &count);
	CU_ASSERT(spending_by_model(rows, count) == 1 && rows[0].answers == 2);
	mem_free(rows);
	CHECK(session_edit(l.session, NULL, &prompt, &l.err), "%s", l.err.text);
	CU_ASSERT_FALSE(session_has_attached(l.session, "/x/a.txt"));
	send(&l, "changed");
	CU_ASSERT_TRUE(last_asked(&l, "changed") && last_asked(&l, "inside"));
	end(&l);
}

const struct suite suite_session = { "session", (const struct test[]){
	TEST(sends_earlier_turns_too),
	TEST(retries_the_last_prompt),
	TEST(lets_a_broken_answer_go_on),
	TEST(another_model_does_not_go_on_with_it),
	TEST(another_prompt_takes_the_place_of_the_last),
	TEST(any_answer_is_asked_for_again_by_any_model), TEST(any_prompt_is_edited), TEST(a_refused_prompt_gets_a_sibling),
	TEST(branches_stay_while_an_answer_runs), TEST(what_is_deleted_or_copied_is_undone), TEST(a_question_without_an_answer_is_asked),
	TEST(what_is_not_carried_is_told_once), TEST(what_exceeds_a_limit_is_not_sent),
	TEST(holds_prompts_in_line), TEST(keeps_the_order_of_the_line), TEST(a_refused_prompt_goes_before_the_line),
	TEST(the_newest_in_line_comes_out_with_its_files),
	TEST(gives_a_refused_prompt_back),
	TEST(sends_results),
	TEST(keeps_results_that_were_refused),
	TEST(tells_whether_the_schema_is_followed),
	TEST(keeps_what_a_turn_was_asked_with),
	TEST(a_summary_is_sent_in_place_of_older_turns), TEST(a_summary_costs_what_it_took), TEST(a_summary_that_is_not_whole_changes_nothing),
	TEST(what_cannot_be_compacted_is_said), TEST(a_summary_is_not_asked_for_again), TEST(calls_stay_with_their_results),
	TEST(prompts_in_line_follow_the_summary), TEST(an_imported_conversation_goes_on),
	{ 0 },
} };
