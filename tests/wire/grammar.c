#include "wire/grammar.h"

#include "base/utf8.h"

static void expect(struct grammar *g, bool condition, const char *fault)
{
	if (!condition && !g->fault)
		g->fault = fault;
}

static void check_order(struct grammar *g, const struct delta *d)
{
	expect(g, !g->ends, "a delta after the end");
	expect(g, g->begun == (d->kind != DELTA_BEGIN), "begin is not first, or not alone");
	expect(g, !g->failed || d->kind == DELTA_END, "something but the end after an error");
	expect(g, !g->finished || d->kind == DELTA_ERROR || d->kind == DELTA_END, "content after the finish word");
	g->begun = true;
	g->finished |= d->kind == DELTA_FINISH;
	g->failed |= d->kind == DELTA_ERROR;
	g->ends += d->kind == DELTA_END;
}

/* Of calls, media or server tools: each begins with the next index, and has nothing behind its end. */
static void check_item(struct grammar *g, struct grammar_items *items, unsigned index, bool begins, bool ends)
{
	if (begins)
		expect(g, index == items->count++, "an item's index is not the next");
	else
		expect(g, index < items->count && (index >= GRAMMAR_ITEMS || items->open[index]), "a fragment of an item that is not open");
	if (index < GRAMMAR_ITEMS)
		items->open[index] = !ends;
}

static void check_tool(struct grammar *g, const struct delta *d)
{
	check_item(g, &g->tools, d->tool.index, d->kind == DELTA_TOOL_BEGIN, d->kind == DELTA_TOOL_END);
}

static void check_media(struct grammar *g, const struct delta *d)
{
	const struct media_facts *facts = &d->media.facts;
	bool ends = d->kind == DELTA_MEDIA_END;

	check_item(g, &g->media, d->media.index, d->kind == DELTA_MEDIA_BEGIN, ends);
	expect(g, d->kind != DELTA_MEDIA || d->media.data.len, "media without data");
	expect(g, d->kind == DELTA_MEDIA || !d->media.data.ptr, "data where none belongs");
	expect(g, !ends || (facts->bytes > 0) == (facts->sha256.len == 64), "bytes and digest of media do not agree");
	expect(g, !facts->whole || ends || facts->bytes || facts->url.len || facts->kind == MEDIA_FILE, "media is whole without anything");
}

static void check_server_tool(struct grammar *g, const struct delta *d)
{
	check_item(g, &g->server_tools, d->server_tool.index, d->kind == DELTA_SERVER_TOOL_BEGIN, d->kind == DELTA_SERVER_TOOL_END);
}

static void check_end(struct grammar *g, const struct delta *d)
{
	expect(g, g->failed == (d->end.outcome == OUTCOME_ERROR), "outcome and error do not agree");
	for (unsigned i = 0; i < GRAMMAR_ITEMS; i++)
		expect(g, !g->tools.open[i] && !g->media.open[i] && !g->server_tools.open[i], "an item was left open");
}

static void check_text(struct grammar *g, struct str text)
{
	expect(g, utf8_is_valid(text), "text is no UTF-8");
	expect(g, text.len > 0, "a text delta without text");
}

void grammar_delta(void *grammar, const struct delta *d)
{
	struct grammar *g = grammar;

	check_order(g, d);
	switch (d->kind) {
	case DELTA_TEXT:
	case DELTA_REASONING:
	case DELTA_REFUSAL:
		check_text(g, d->text);
		break;
	case DELTA_TOOL_ARGUMENTS:
		check_text(g, d->text);
		check_tool(g, d);
		break;
	case DELTA_TOOL_BEGIN:
	case DELTA_TOOL_NAME:
	case DELTA_TOOL_END:
		check_tool(g, d);
		break;
	case DELTA_MEDIA_TEXT:
		check_text(g, d->text);
		check_media(g, d);
		break;
	case DELTA_MEDIA_BEGIN:
	case DELTA_MEDIA:
	case DELTA_MEDIA_END:
		check_media(g, d);
		break;
	case DELTA_SERVER_TOOL_INPUT:
		if (!d->server_tool.output.ptr || d->text.len)
			check_text(g, d->text);
		expect(g, !d->text.len || !d->server_tool.output.ptr, "an output in a piece of the input");
		check_server_tool(g, d);
		break;
	case DELTA_SERVER_TOOL_BEGIN:
	case DELTA_SERVER_TOOL_END:
		check_server_tool(g, d);
		break;
	case DELTA_RESTART:
		*g = (struct grammar){ .next = g->next, .ctx = g->ctx, .fault = g->fault, .begun = true };
		break;
	case DELTA_FINISH:
		expect(g, d->finish.reason.len > 0, "an empty finish word");
		break;
	case DELTA_ERROR:
		expect(g, d->error.message.len > 0, "an error without a message");
		break;
	case DELTA_END:
		check_end(g, d);
		break;
	case DELTA_BEGIN:
	case DELTA_META:
	case DELTA_OPAQUE:
	case DELTA_CITATION:
	case DELTA_USAGE:
	case DELTA_ROUTE:
	case DELTA_NOTICE:
		break;
	}
	if (g->next)
		g->next(g->ctx, d);
}

const char *grammar_fault(const struct grammar *g)
{
	return g->fault ? g->fault : g->ends != 1 ? "there is not exactly one end" : NULL;
}
