/*
 * A tape in another protocol (weir serve --as) keeps that protocol's promises: lint names nothing that breaks clients in what is made of any
 * stream, but for what the stream itself lacks.
 */
#include <string.h>

#include "app/serve/recast.h"
#include "support/cases.h"
#include "support/check.h"
#include "wire/lint/lint.h"

/*
 * What is so in the answer that was recorded: it broke off, its arguments are no object, a call that the server ran has no result, or data is not of
 * the type that it is called.
 */
static const char *const inherent[] = { "cut", "stalled", "unclosed", "call-arguments", "call-arguments-object", "call-name-letters",
                                        "call-id-shared", "call-name", "ollama-arguments", "gemini-call", "anthropic-block", "anthropic-tool-result",
                                        "media-type", "not-understood", "error-status", "error-message", "anthropic-error", "responses-error",
                                        "gemini-error" };

struct linted { const char *path; const struct protocol *protocol; };

static void take_finding(void *ctx, const struct lint_finding *f)
{
	const struct linted *l = ctx;

	for (size_t i = 0; i < sizeof inherent / sizeof *inherent; i++)
		if (!strcmp(lint_rule_id(f->rule), inherent[i]))
			return;
	CHECK(lint_rule_severity(f->rule) != LINT_BREAKS_CLIENTS, "%s as %s: %s at %zu: %.*s", l->path, l->protocol->name, lint_rule_id(f->rule), f->place.frame,
	      STR_ARG(f->message));
}

static void discard(void *ctx, const struct delta *delta)
{
	(void)ctx, (void)delta;
}

static void check_recast(const char *path, const struct tape *tape, const struct protocol *protocol)
{
	struct tape *made = recast(tape, protocol, false);
	struct linted linted = { path, protocol };

	CHECK(made != NULL, "%s as %s", path, protocol->name);
	if (!made)
		return;
	struct lint *lint = lint_new(&(struct lint_options){ .dialect = dialect_find(STR("generic")) }, take_finding, &linted);
	struct stream *stream = stream_new(&(struct stream_options){ .protocol = protocol, .untimed = true, .tap = lint_tap(lint) }, discard, NULL);
	(void)tape_feed(made, stream, 0, NULL, NULL);
	stream_free(stream);
	lint_free(lint);
	tape_free(made);
}

static void check_case(void *ctx, const struct stream_case *c)
{
	struct tape *tape;
	struct error err;
	bool opened = c->status == 200 && tape_open(&tape, c->path, &err);

	(void)ctx;
	for (size_t i = 0; opened && protocol_at(i); i++)
		if (!str_is(c->protocol, protocol_at(i)->name))
			check_recast(c->path, tape, protocol_at(i));
	if (opened)
		tape_free(tape);
}

static void our_streams_keep_the_promises_of_every_protocol(void)
{
	cases_of_own(check_case, NULL);
}

static void shared_streams_keep_the_promises_of_every_protocol(void)
{
	cases_of_shared(check_case, NULL);
}

/* --- what the tape does not have --- */

#define GEMINI_TAPE \
	"{\"weir_tape\":1,\"protocol\":\"gemini\",\"model\":\"asked\"}\n{\"t\":1,\"head\":{\"status\":200}}\n" \
	"{\"t\":2,\"body\":\"data: {\\\"candidates\\\":[{\\\"content\\\":{\\\"parts\\\":[{\\\"text\\\":\\\"Hm.\\\",\\\"thought\\\":true},{\\\"functionCall\\\":{\\\"name\\\":\\\"f\\\",\\\"args\\\":{}}}]}}]}\\n\\n\"}\n" \
	"{\"t\":9,\"body\":\"data: {\\\"candidates\\\":[{\\\"finishReason\\\":\\\"STOP\\\"}]%s}\\n\\n\"}\n{\"t\":9,\"end\":\"closed\"}\n"
#define FIGURES ",\\\"usageMetadata\\\":{\\\"promptTokenCount\\\":7,\\\"candidatesTokenCount\\\":2,\\\"totalTokenCount\\\":9}"

static void expect_made(const char *figures, const char *protocol, const char *const *words)
{
	struct buf text = { 0 }, body = { 0 };
	struct tape *tape = NULL;
	struct error err;

	buf_printf(&text, GEMINI_TAPE, figures);
	CHECK(tape_from_text(&tape, buf_str(&text), &err), "%s", err.text);
	struct tape *made = recast(tape, protocol_find(str_from(protocol)), false);
	for (size_t i = 0; i < tape_length(made); i++)
		buf_add(&body, tape_at(made, i).bytes);
	for (; *words; words++)
		CHECK(strstr(buf_z(&body), *words) != NULL, "%s: %s is not in %s", protocol, *words, buf_z(&body));
	CHECK(!strstr(buf_z(&body), "\"usage\":{}") && !strstr(buf_z(&body), "\"id\":null"), "%s: %s", protocol, buf_z(&body));
	tape_free(made);
	tape_free(tape);
	buf_fini(&text);
	buf_fini(&body);
}

/* A call has an id, thinking a signature, and usage the tape's figures, from the start, or zero. */
static void what_the_tape_lacks_is_made(void)
{
	expect_made(FIGURES, "anthropic", (const char *const[]){ "\"id\":\"toolu_weir_1\"", "\"type\":\"signature_delta\",\"signature\":\"d2Vpc",
		"\"usage\":{\"input_tokens\":7,\"output_tokens\":0}", "\"usage\":{\"input_tokens\":7,\"output_tokens\":2}", "\"model\":\"asked\"", NULL });
	expect_made("", "anthropic", (const char *const[]){ "\"usage\":{\"input_tokens\":0,\"output_tokens\":0}", NULL });
	expect_made("", "openai-chat", (const char *const[]){ "\"id\":\"call_weir_1\"", NULL });
	expect_made("", "openai-responses", (const char *const[]){ "\"call_id\":\"call_weir_1\"", "\"usage\":{\"input_tokens\":0,\"output_tokens\":0,\"total_tokens\":0}", NULL });
	expect_made("", "ollama", (const char *const[]){ "\"id\":\"call_weir_1\"", NULL });
}

const struct suite suite_recast = { "recast", (const struct test[]){
	TEST(our_streams_keep_the_promises_of_every_protocol), TEST(shared_streams_keep_the_promises_of_every_protocol),
	TEST(what_the_tape_lacks_is_made), { 0 } } };
