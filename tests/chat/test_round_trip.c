/*
 * Takes every saved stream as an answer in a conversation, and checks the next request: it is valid in every protocol, and opaque parts
 * are in it byte for byte for the same scope only. Uses our own streams, and the shared ones (WEIR_STREAMS) if available.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "chat/conversation/attachments.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/projection.h"
#include "net/tape.h"
#include "support/cases.h"
#include "support/check.h"
#include "valid_request.h"
#include "wire/stream.h"

/* Number of opaque parts found in requests, by protocol. A run that found none would prove nothing. */
static size_t met[PROTOCOL_COUNT];

static size_t protocol_number(const struct protocol *protocol)
{
	size_t i = 0;

	while (protocol_at(i) && protocol_at(i) != protocol)
		i++;
	return i;
}

static void ignore_sentence(void *ctx, struct str sentence)
{
	(void)ctx, (void)sentence;
}

static void build(const struct conversation *c, const struct scope *scope, struct buf *out)
{
	struct projection p;

	conversation_project(c, c->count, scope, 0, &p);
	attachments_fit(attachment_limits_of(str_from(scope->protocol->name), str_from(scope->provider)), &p, ignore_sentence, NULL);
	struct request request = { .model = str_from(scope->model), .messages = p.messages, .message_count = p.count, .max_tokens = 100,
	                           .temperature = (double)NAN, .stream = true };
	buf_clear(out);
	protocol_build(scope->protocol, &request, out);
	projection_fini(&p);
}

/* --- opaque parts --- */

/* Writes opaque data as it must be in the body: text in quotes, JSON unchanged, an array's elements where answers share the array. */
static void show_opaque(const struct part *part, struct buf *out)
{
	static const char *const texts[] = { OPAQUE_ANTHROPIC_SIGNATURE, OPAQUE_ANTHROPIC_REDACTED, OPAQUE_GEMINI_SIGNATURE };

	buf_clear(out);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		if (!strcmp(part->name, texts[i])) {
			json_escape(out, buf_str(&part->text));
			return;
		}
	}
	buf_add(out, buf_str(&part->text));
}

/* Whether the part is sent back. Reasoning without a result is not, and two forms only say that there was reasoning, or until when a sound is. */
static bool must_go_back(const struct turn *t, size_t index)
{
	if (!strcmp(t->parts[index].name, OPAQUE_REASONING_CONTENT) || !strcmp(t->parts[index].name, OPAQUE_AUDIO_EXPIRES))
		return false;
	for (size_t i = t->restarted_at; i < t->part_count; i++)
		if (t->parts[i].kind == PART_TOOL_CALL || (t->parts[i].kind == PART_TEXT && !str_is_blank(buf_str(&t->parts[i].text))))
			return true;
	return false;
}

static bool holds(const struct buf *body, const struct buf *needle)
{
	return needle->len > 2 && str_find(buf_str(body), buf_str(needle)) < body->len;
}

static void check_opaque(const char *path, const struct conversation *c, const struct turn *t)
{
	const struct scope *own = &t->scope;
	struct scope other = *own;
	struct buf same_body = { 0 }, other_body = { 0 }, needle = { 0 };

	other.model = (char *)(uintptr_t)"another-model";
	build(c, own, &same_body);
	build(c, &other, &other_body);
	for (size_t i = t->restarted_at; i < t->part_count; i++) {
		if (t->parts[i].kind != PART_OPAQUE || !must_go_back(t, i))
			continue;
		show_opaque(&t->parts[i], &needle);
		CHECK(holds(&same_body, &needle), "%s: %s is not in the next request: %s\n%s", path, t->parts[i].name, buf_z(&needle), buf_z(&same_body));
		CHECK(!holds(&other_body, &needle), "%s: %s is in a request of another scope", path, t->parts[i].name);
		met[protocol_number(own->protocol)]++;
	}
	buf_fini(&same_body);
	buf_fini(&other_body);
	buf_fini(&needle);
}

/* --- one stream --- */

static void check_valid(const char *path, const struct conversation *c, const struct turn *t)
{
	struct buf body = { 0 };

	for (size_t i = 0; protocol_at(i); i++) {
		struct scope to = { .provider = t->scope.provider, .model = t->scope.model, .protocol = protocol_at(i) };

		build(c, &to, &body);
		const char *fault = request_fault(to.protocol, buf_str(&body));
		CHECK(!fault, "%s, to %s: %s\n%s", path, to.protocol->name, fault, buf_z(&body));
	}
	buf_fini(&body);
}

static struct turn *read_answer(struct conversation *c, const struct tape *tape, struct str protocol, int status)
{
	const struct protocol *named = protocol_find(tape_is_plain(tape) ? protocol : tape_facts(tape)->protocol);
	struct turn *t = conversation_answer(c, STR("box"), named, STR("asked"));
	struct stream_options options = { .protocol = named, .asked = tape_asked(tape), .untimed = true };
	struct stream *stream = stream_new(&options, turn_delta, t);

	tape_feed(tape, stream, status == 200 ? 0 : status, NULL, NULL);
	stream_free(stream);
	return t;
}

static void ask(struct conversation *c)
{
	turn_add(conversation_ask(c), PART_TEXT, STR("And then?"), STR_NONE, STR_NONE);
}

/* Adds the same answer twice: ids repeat, and the opaque parts of both are sent. */
static void check_stream(const char *path, struct str protocol, int status)
{
	struct tape *tape = NULL;
	struct error err;
	bool opened = tape_open(&tape, path, &err);

	CHECK(opened, "%s", err.text);
	if (!opened)
		return;
	struct conversation *c = conversation_new();
	ask(c);
	struct turn *first = read_answer(c, tape, protocol, status);
	ask(c);
	struct turn *second = read_answer(c, tape, protocol, status);
	ask(c);
	CU_ASSERT_TRUE(first->ended);
	check_valid(path, c, first);
	check_opaque(path, c, first);
	check_opaque(path, c, second);
	conversation_free(c);
	tape_free(tape);
}

/* --- the collections --- */

static void check_case(void *ctx, const struct stream_case *c)
{
	(void)ctx;
	check_stream(c->path, c->protocol, c->status);
}

static void expect_met(const struct protocol *protocol, size_t least)
{
	size_t count = met[protocol_number(protocol)];

	CHECK(count >= least, "%s: only %zu opaque parts went back", protocol->name, count);
}

static void own_streams(void)
{
	memset(met, 0, sizeof met);
	cases_of_own(check_case, NULL);
	expect_met(&protocol_openai_chat, 4);
	expect_met(&protocol_openai_responses, 4);
	expect_met(&protocol_anthropic, 12);
	expect_met(&protocol_gemini, 8);
}

static void shared_streams(void)
{
	cases_of_shared(check_case, NULL);
}

/* --- byte for byte --- */

/* What the server sent, and what is sent back: the same JSON strings, apart from their escapes. */
static const struct loop {
	const char *protocol, *body, *back;
} loops[] = {
	{ "anthropic",
	  "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m1\",\"model\":\"c\"}}\n\n"
	  "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}\n\n"
	  "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"a\\n\\u00e9 \\\"b\\\" \"}}\n\n"
	  "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"Eq+/\\u002b==\"}}\n\n"
	  "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
	  "data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"redacted_thinking\",\"data\":\"Rg\\/=\"}}\n\n"
	  "data: {\"type\":\"content_block_stop\",\"index\":1}\n\n"
	  "data: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"f\",\"input\":{}}}\n\n"
	  "data: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"n\\\":1.50}\"}}\n\n"
	  "data: {\"type\":\"content_block_stop\",\"index\":2}\n\n"
	  "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
	  "{\"type\":\"thinking\",\"thinking\":\"a\\n\xc3\xa9 \\\"b\\\" \",\"signature\":\"Eq+/+==\"},{\"type\":\"redacted_thinking\",\"data\":\"Rg/=\"},"
	  "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"f\",\"input\":{\"n\":1.50}}" },
	{ "openai-chat",
	  "data: {\"choices\":[{\"delta\":{\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"one \",\"index\":0,\"format\":null}]}}]}\n\n"
	  "data: {\"choices\":[{\"delta\":{\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"two\",\"index\":0}]}}]}\n\n"
	  "data: {\"choices\":[{\"delta\":{\"reasoning_details\":[{\"type\":\"reasoning.text\",\"signature\":\"S/+=\",\"index\":0}]}}]}\n\n"
	  "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
	  "\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"one two\",\"signature\":\"S/+=\",\"index\":0}]" },
	{ "openai-chat",
	  "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"},"
	  "\"extra_content\":{\"google\": {\"thought_signature\":\"A\\/b\"}}}]}}]}\n\ndata: [DONE]\n\n",
	  "\"extra_content\":{\"google\": {\"thought_signature\":\"A\\/b\"}}" },
	{ "gemini",
	  "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"think\",\"thought\":true},{\"text\":\"one\"},{\"text\":\"two\",\"thoughtSignature\":\"U+/=\"},"
	  "{\"text\":\"three\"},{\"functionCall\":{\"name\":\"f\",\"args\":{\"b\":1,\"a\":[2.0]}},\"thoughtSignature\":\"V==\"},"
	  "{\"functionCall\":{\"name\":\"g\"}}]},\"finishReason\":\"STOP\"}]}\n\n",
	  "{\"text\":\"one\"},{\"text\":\"two\",\"thoughtSignature\":\"U+/=\"},{\"text\":\"three\"},"
	  "{\"functionCall\":{\"name\":\"f\",\"args\":{\"b\":1,\"a\":[2.0]}},\"thoughtSignature\":\"V==\"},{\"functionCall\":{\"name\":\"g\",\"args\":{}}}" },
	{ "openai-responses",
	  "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[]}}\n\n"
	  "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"id\":\"rs\",\"type\":\"reasoning\",\"summary\":[],"
	  "\"encrypted_content\":\"gA+/==\",\"status\":\"completed\"}}\n\n"
	  "data: {\"type\":\"response.output_item.done\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"id\":\"fc\",\"call_id\":\"c\",\"name\":\"f\",\"arguments\":\"{}\"}}\n\n"
	  "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[]}}\n\n",
	  "{\"id\":\"rs\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"gA+/==\"},{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f\",\"arguments\":\"{}\"}" },
};

static void comes_back_byte_for_byte(void)
{
	struct buf body = { 0 };

	for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
		struct tape *tape = NULL;
		struct error err;

		CHECK(tape_from_text(&tape, str_from(loops[i].body), &err), "%s", err.text);
		struct conversation *c = conversation_new();
		ask(c);
		struct turn *t = read_answer(c, tape, str_from(loops[i].protocol), 200);
		ask(c);
		build(c, &t->scope, &body);
		CHECK(strstr(buf_z(&body), loops[i].back) != NULL, "%s\nis not in\n%s", loops[i].back, buf_z(&body));
		conversation_free(c);
		tape_free(tape);
	}
	buf_fini(&body);
}

const struct suite suite_round_trip = { "round_trip", (const struct test[]){
	TEST(own_streams),
	TEST(shared_streams),
	TEST(comes_back_byte_for_byte),
	{ 0 },
} };
