#include "app/growing.h"

#include "base/array.h"
#include "base/mem.h"
#include "support/check.h"
#include "wire/protocol/protocol.h"

#define STEPS 14

const char *const growing_models[GROWING_MODELS] = { "m-1", "m-2" };

static struct conversation *talk; /* the one that grows */
static unsigned seed;
static void (*growth_keep)(void);

static unsigned random_below(unsigned limit)
{
	return check_random(&seed) % limit;
}

/* --- random turns --- */

static const char *const words[] = { "Plain words. ", "Grüße\n", "\xf0\x9f\x98\x80 ", "a \"quoted\" \\ line\t", "```c\nint x;\n```\n", "   " };

static void add_words(struct buf *out)
{
	unsigned kind = random_below(30);
	unsigned many = kind == 0 ? 4000 : 1 + kind % 4;

	buf_clear(out);
	for (unsigned i = 0; i < many; i++)
		buf_add_z(out, words[random_below(ARRAY_LEN(words))]);
}

/* What the protocols send back unchanged: of a part of reasoning, of a call, or an item of its own. */
enum owner { OWNER_REASONING, OWNER_CALL, OWNER_NONE };
static const struct { const char *protocol, *format, *data; enum owner owner; } opaque[] = {
	{ "anthropic", OPAQUE_ANTHROPIC_SIGNATURE, "c2lnbmF0dXJl+/=", OWNER_REASONING },
	{ "anthropic", OPAQUE_ANTHROPIC_REDACTED, "cmVkYWN0ZWQ=", OWNER_NONE },
	{ "anthropic", OPAQUE_ANTHROPIC_BLOCK, "{\"type\":\"server_tool_use\",\"id\":\"s1\",\"name\":\"web_search\",\"input\":{\"q\":\"\\u00fc 1.50\"}}", OWNER_NONE },
	{ "openai-chat", OPAQUE_REASONING_DETAILS, "[{\"type\":\"reasoning.text\",\"text\":\"a\",\"index\":0}]", OWNER_NONE },
	{ "openai-chat", OPAQUE_REASONING_CONTENT, "", OWNER_REASONING },
	{ "openai-chat", OPAQUE_EXTRA_CONTENT, "{\"google\":{\"thought_signature\":\"AbC=\"}}", OWNER_CALL },
	{ "gemini", OPAQUE_GEMINI_SIGNATURE, "R2VtaW5p", OWNER_CALL },
	{ "gemini", OPAQUE_GEMINI_SIGNATURE, "dGhvdWdodA==", OWNER_REASONING },
	{ "gemini", OPAQUE_GEMINI_PART, "{\"executableCode\":{\"language\":\"PYTHON\",\"code\":\"print(1e2)\"}}", OWNER_NONE },
	{ "openai-responses", OPAQUE_RESPONSES_ITEM, "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":\"eA==\"}", OWNER_NONE },
};

static void add_opaque(struct turn *t, enum owner owner, unsigned part, int call)
{
	for (size_t i = 0; i < ARRAY_LEN(opaque); i++) {
		if (!str_equal(str_from(opaque[i].protocol), str_from(t->scope.protocol_name)) || opaque[i].owner != owner || random_below(4) == 0)
			continue;
		turn_delta(t, &(struct delta){ .kind = DELTA_OPAQUE, .part = part,
			.opaque = { str_from(opaque[i].format), str_from(opaque[i].data), call } });
	}
}

/* Is now and then kept while it grows. */
static void say(struct turn *t, enum delta_kind kind, unsigned part)
{
	struct buf text = { 0 };

	for (unsigned i = random_below(3) + 1; i; i--) {
		add_words(&text);
		turn_delta(t, &(struct delta){ .kind = kind, .part = part, .text = buf_str(&text) });
		if (random_below(8) == 0)
			growth_keep();
	}
	buf_fini(&text);
}

static void call_tool(struct turn *t, unsigned index)
{
	static const char *const ids[] = { "call_0", "call_x", "", "toolu_7" };
	struct str arguments = STR("{\"city\":\"Köln\",\"n\":1.50}");
	bool whole = random_below(5) != 0;

	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { index, str_from(ids[random_below(ARRAY_LEN(ids))]), STR("weather"), false } });
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_ARGUMENTS, .text = str_head(arguments, 9), .tool.index = index });
	if (random_below(4) == 0)
		growth_keep();
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_END, .text = whole ? arguments : str_head(arguments, 9),
		.tool = { .index = index, .valid = whole } });
	add_opaque(t, OWNER_CALL, 0, (int)index);
}

static void stream(struct turn *t, unsigned part, bool with_calls)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_BEGIN, .meta = { STR("id-1"), STR("routed") } });
	if (random_below(8) == 0) {
		say(t, DELTA_TEXT, part);
		turn_delta(t, &(struct delta){ .kind = DELTA_RESTART });
	}
	if (random_below(2)) {
		say(t, DELTA_REASONING, part);
		add_opaque(t, OWNER_REASONING, part, -1);
	}
	add_opaque(t, OWNER_NONE, part + 1, -1);
	say(t, random_below(12) ? DELTA_TEXT : DELTA_REFUSAL, part + 2);
	for (unsigned i = with_calls ? random_below(3) : 0; i; i--)
		call_tool(t, (unsigned)turn_call_count(t));
	turn_delta(t, &(struct delta){ .kind = DELTA_USAGE, .usage.of[USAGE_PROMPT] = COUNT_SENT(7) });
}

static void finish(struct turn *t)
{
	enum outcome outcome = turn_call_count(t) || random_below(3) ? OUTCOME_COMPLETE : random_below(2) ? OUTCOME_CUT : OUTCOME_CANCELLED;

	turn_delta(t, &(struct delta){ .kind = DELTA_END, .end.outcome = outcome });
}

static struct turn *answer(void)
{
	struct turn *t = conversation_answer(talk, STR("box"), protocol_at(random_below(PROTOCOL_COUNT)), str_from(growing_models[random_below(GROWING_MODELS)]));

	stream(t, 0, random_below(2) == 0);
	finish(t);
	return t;
}

static void attach(struct turn *t)
{
	static const struct { const char *name, *media; struct str bytes; } files[] = {
		{ "a.txt", "text/plain", { "one\n```\ntwo", 11 } },
		{ "b.png", "image/png", { "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x02\b\2\0\0\0", 29 } },
		{ "c.pdf", "application/pdf", { "%PDF-1.4\n\0\xFF%%EOF", 16 } },
	};
	size_t which = random_below(ARRAY_LEN(files));

	turn_add(t, PART_ATTACHMENT, files[which].bytes, STR_NONE, str_from(files[which].name))->media = mem_dup_z(files[which].media);
}

/* Some calls of the answer before it have results. */
static struct turn *ask(void)
{
	const struct turn *last = conversation_last(talk);
	struct turn *t = conversation_ask(talk);
	struct buf text = { 0 };

	for (unsigned i = 0; last && last->role == TURN_ASSISTANT && i < turn_call_count(last); i++) {
		if (random_below(3) == 0)
			continue;
		struct part *p = turn_add(t, PART_TOOL_RESULT, STR("{\"degrees\": 7.0}"), STR_NONE, STR_NONE);
		p->call = (int)i;
		p->is_error = random_below(4) == 0;
	}
	add_words(&text);
	turn_add(t, PART_TEXT, buf_str(&text), STR_NONE, STR_NONE);
	for (unsigned i = random_below(3); i; i--)
		attach(t);
	buf_fini(&text);
	return t;
}

/* --- random trees --- */

static struct turn *random_turn(void)
{
	struct turn *t = talk->nodes[random_below((unsigned)talk->node_count)];

	return t->removed || turn_is_aside(t) ? conversation_last(talk) : t;
}

static void go_on(void)
{
	ask();
	answer();
}

static void retry(void)
{
	struct turn *t = random_turn();

	if (t && t->role == TURN_ASSISTANT)
		t = t->parent;
	if (!t)
		return;
	conversation_branch(talk, t);
	answer();
}

static void edit(void)
{
	struct turn *t = random_turn();

	while (t && t->role != TURN_USER)
		t = t->parent;
	conversation_branch(talk, t ? t->parent : NULL);
	go_on();
}

static void choose(void)
{
	struct turn *t = random_turn();

	if (t)
		conversation_select(talk, t);
}

static void go_on_with_the_answer(void)
{
	struct turn *t = conversation_last(talk);

	if (!t || t->role != TURN_ASSISTANT || !t->ended || !turn_can_continue(t))
		return;
	turn_continue(t);
	t->joints[t->joint_count - 1].by_words = random_below(2);
	stream(t, 10 * (unsigned)t->joint_count, true);
	finish(t);
}

/* As /compact does: a summary as a first answer, and copies of the last exchange below it. */
static void compact(void)
{
	struct turn *last = conversation_last(talk);

	if (!last || last->role != TURN_ASSISTANT || !last->parent)
		return;
	conversation_branch(talk, NULL);
	go_on();
	conversation_repeat(talk, last->parent, last);
}

static void set_title(void)
{
	struct turn *last = conversation_last(talk);

	if (last && last->role == TURN_ASSISTANT)
		conversation_set_aside(talk, last);
}

static void remove_some(void)
{
	struct turn *t = random_turn();

	if (!t || !t->parent)
		return;
	conversation_remove(talk, t);
	if (random_below(2))
		growth_keep();
	if (random_below(2))
		conversation_restore(talk);
}

void growing(struct conversation *c, unsigned random, void (*keep)(void))
{
	static void (*const ways[])(void) = { go_on, go_on, go_on, retry, edit, choose, go_on_with_the_answer, go_on_with_the_answer, compact,
		set_title, remove_some };

	talk = c;
	seed = random;
	growth_keep = keep;
	go_on();
	for (unsigned i = random_below(STEPS); i; i--) {
		ways[random_below(ARRAY_LEN(ways))]();
		if (random_below(2))
			growth_keep();
	}
	growth_keep();
}
