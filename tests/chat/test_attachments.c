/* Conversations with files, from every protocol to every protocol. */
#include <math.h>

#include "chat/conversation/attachments.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/projection.h"
#include "support/check.h"
#include "valid_request.h"

struct told { struct buf words; size_t count; };

static void take_sentence(void *ctx, struct str sentence)
{
	struct told *told = ctx;

	buf_printf(&told->words, "%.*s\n", STR_ARG(sentence));
	told->count++;
}

static void attach(struct turn *t, const char *name, const char *media, struct str bytes)
{
	turn_add(t, PART_ATTACHMENT, bytes, STR_NONE, str_from(name))->media = str_dup(str_from(media));
}

#define MARK "\xfa\xce\0"     /* its base64 stands in every request that carries the file */
#define MARK_CODED "+s4A"

static const struct { const char *name, *media; } files[] = {
	{ "a.png", "image/png" }, { "b.gif", "image/gif" }, { "c.webp", "image/webp" }, { "d.tiff", "image/tiff" }, { "e.pdf", "application/pdf" },
	{ "f.wav", "audio/wav" }, { "g.mp4", "video/mp4" }, { "h.bin", "application/octet-stream" },
};

/* Every other one asks for a tool, which is not run. */
static void say_answer(struct conversation *c, const struct protocol *protocol, unsigned turn)
{
	struct turn *t = conversation_answer(c, STR("from"), protocol, STR("m"));

	turn_delta(t, &(struct delta){ .kind = DELTA_REASONING, .part = 0, .text = STR("thought") });
	turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .part = 1, .text = STR("seen") });
	if (turn % 2 == 0) {
		struct delta call = { .kind = DELTA_TOOL_BEGIN, .tool = { 0, STR("call_1"), STR("f"), false } };

		turn_delta(t, &call);
		call.kind = DELTA_TOOL_END;
		call.text = STR("{}");
		call.tool.valid = true;
		turn_delta(t, &call);
	}
}

/* One question for each file, a text file with each, and one without words. */
static struct conversation *started_in(const struct protocol *protocol)
{
	struct conversation *c = conversation_new();

	for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
		struct turn *t = conversation_ask(c);

		if (i)
			turn_add(t, PART_TEXT, STR("look"), STR_NONE, STR_NONE);
		attach(t, files[i].name, files[i].media, str_of(MARK, sizeof MARK - 1));
		attach(t, "n.md", "text/markdown", STR("# ```\n"));
		say_answer(c, protocol, i);
	}
	turn_add(conversation_ask(c), PART_TEXT, STR("and now?"), STR_NONE, STR_NONE);
	return c;
}

static size_t occurrences(struct str text, struct str needle)
{
	size_t count = 0, at;

	while ((at = str_find(text, needle)) < text.len) {
		count++;
		text = str_skip(text, at + needle.len);
	}
	return count;
}

static void check_pair(const struct protocol *from, const struct protocol *to)
{
	const struct attachment_limits *limits = attachment_limits_of(str_from(to->name), STR("to"));
	const struct scope scope = { .provider = from == to ? "from" : "to", .model = "m", .protocol = to };
	struct conversation *c = started_in(from);
	struct projection projected;
	struct told told = { 0 };
	struct buf body = { 0 };

	conversation_project(c, c->count, &scope, 0, &projected);
	attachments_fit(limits, &projected, take_sentence, &told);
	const struct request r = { .model = STR("m"), .temperature = NAN, .max_tokens = 10, .messages = projected.messages, .message_count = projected.count };
	CU_ASSERT(protocol_build(to, &r, &body));
	const char *fault = request_fault(to, buf_str(&body));
	CHECK(!fault, "%s to %s: %s\n%s", from->name, to->name, fault, buf_z(&body));
	/* Every file is in the request, or the user is told. Every text is. */
	size_t carried = occurrences(buf_str(&body), STR(MARK_CODED)), all = sizeof files / sizeof *files;
	CHECK(carried + told.count == all, "%s to %s: %zu carried, told:\n%s", from->name, to->name, carried, buf_z(&told.words));
	CHECK(carried >= 2, "%s", to->name);
	CHECK(occurrences(buf_str(&body), STR("File n.md")) == all, "%s to %s", from->name, to->name);
	projection_fini(&projected);
	conversation_free(c);
	buf_fini(&told.words);
	buf_fini(&body);
}

static void every_protocol_goes_on_with_every_other(void)
{
	for (size_t from = 0; protocol_at(from); from++)
		for (size_t to = 0; protocol_at(to); to++)
			check_pair(protocol_at(from), protocol_at(to));
}

static void the_newest_files_are_kept(void)
{
	const struct attachment_limits *groq = attachment_limits_of(STR("openai-chat"), STR("groq"));
	const struct scope scope = { .provider = "groq", .model = "m", .protocol = &protocol_openai_chat };
	struct conversation *c = conversation_new();
	struct projection p;
	struct told told = { 0 };

	for (unsigned i = 0; i < 7; i++) {
		char name[8] = { (char)('a' + i), 0 };

		attach(conversation_ask(c), name, "image/png", STR("x"));
		say_answer(c, &protocol_openai_chat, 1);
	}
	conversation_project(c, c->count, &scope, 0, &p);
	attachments_fit(groq, &p, take_sentence, &told);
	CHECK_STR(buf_str(&told.words), "b was left out: groq takes at most 5 images in a request, and b is one more.\n"
	                                "a was left out: groq takes at most 5 images in a request, and a is one more.\n");
	CHECK_STR(p.messages[0].parts[0].text, "(The file a of type image/png was left out: it cannot be sent here.)");
	CU_ASSERT_EQUAL(p.messages[0].parts[0].kind, PART_TEXT);
	CU_ASSERT_EQUAL(p.messages[12].parts[0].kind, PART_ATTACHMENT);
	projection_fini(&p);
	conversation_free(c);
	buf_fini(&told.words);
}

static void new_files_beyond_a_limit_are_refused(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_ask(c);
	struct error err = { "" };

	attach(t, "/tmp/x/e.pdf", "application/pdf", STR("%PDF-"));
	attach(t, "/tmp/x/b.gif", "image/gif", STR("GIF89a"));
	CU_ASSERT(attachments_check(attachment_limits_of(STR("openai-chat"), STR("")), t->parts, 2, &err));
	CU_ASSERT_FALSE(attachments_check(attachment_limits_of(STR("ollama"), STR("")), t->parts, 2, &err));
	CHECK_STR(str_from(err.text), "b.gif is image/gif, and ollama takes images as PNG, JPEG, WEBP: convert it");
	CU_ASSERT(attachments_check(attachment_limits_of(STR("ollama"), STR("")), t->parts, 1, &err)); /* a PDF is left out, with a notice */
	conversation_free(c);
}

const struct suite suite_attachments = { "attachments", (const struct test[]){
	TEST(every_protocol_goes_on_with_every_other), TEST(the_newest_files_are_kept), TEST(new_files_beyond_a_limit_are_refused), { 0 } } };
