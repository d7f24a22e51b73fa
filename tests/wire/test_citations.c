/* Citations of each protocol: the source, and where the text that it supports ends. */
#include <stdio.h>
#include <string.h>

#include "decoded.h"
#include "wire/stream.h"

static void note(void *ctx, const struct delta *d)
{
	static const char *const units[] = { "-", "part", "byte", "character" };
	const struct citation *c = &d->citation;

	if (d->kind != DELTA_CITATION)
		return;
	buf_printf(ctx, "%.*s|%.*s %s", STR_ARG(c->url), STR_ARG(c->title), units[c->unit]);
	if (c->unit > CITATION_PART_END)
		buf_printf(ctx, " %lld", (long long)c->end);
	if (d->part != DELTA_NO_PART)
		buf_printf(ctx, " of %u", d->part);
	buf_add_byte(ctx, '\n');
}

static void check_citations(const char *protocol, const char *body, const char *expected)
{
	struct buf bytes = { 0 }, found = { 0 };
	const struct stream_options options = { .protocol = protocol_find(str_from(protocol)) };
	struct stream *s = stream_new(&options, note, &found);

	stream_body(s, unquoted(body, &bytes), 0);
	stream_end(s, END_CLOSED, 0);
	CHECK(!strcmp(buf_z(&found), expected), "%s:\n%s, not\n%s", protocol, buf_z(&found), expected);
	stream_free(s);
	buf_fini(&bytes);
	buf_fini(&found);
}

static void chat_annotations_have_a_range_of_characters(void)
{
	check_citations("openai-chat",
		DATA("{'choices':[{'index':0,'delta':{'content':'See there.'}}]}")
		DATA("{'choices':[{'index':0,'delta':{'annotations':[{'type':'url_citation','url_citation':"
		     "{'url':'https://a.org','title':'A','start_index':4,'end_index':9}}]}}]}")
		DATA("{'choices':[{'index':0,'delta':{'annotations':[{'type':'url_citation','url_citation':" /* as OpenRouter: no range */
		     "{'url':'https://b.org','title':'B','start_index':0,'end_index':0}},{'type':'url_citation','url_citation':{'url':'https://c.org'}}]}}]}")
		DATA("{'choices':[{'index':0,'delta':{},'finish_reason':'stop'}]}") DATA("[DONE]"),
		"https://a.org|A character 9\nhttps://b.org|B -\nhttps://c.org| -\n");
}

static void responses_annotations_belong_to_a_part(void)
{
	check_citations("openai-responses",
		"event: response.output_item.added\n" DATA("{'type':'response.output_item.added','output_index':0,'item':{'id':'m','type':'message','role':'assistant','content':[]}}")
		"event: response.output_text.delta\n" DATA("{'type':'response.output_text.delta','item_id':'m','output_index':0,'content_index':0,'delta':'One.'}")
		"event: response.output_text.delta\n" DATA("{'type':'response.output_text.delta','item_id':'m','output_index':0,'content_index':1,'delta':'Two.'}")
		"event: response.output_text.annotation.added\n" DATA("{'type':'response.output_text.annotation.added','item_id':'m','output_index':0,"
			"'content_index':1,'annotation':{'type':'url_citation','url':'https://a.org','title':'A','start_index':0,'end_index':3}}")
		"event: response.output_text.annotation.added\n" DATA("{'type':'response.output_text.annotation.added','item_id':'m','output_index':0,"
			"'content_index':0,'annotation':{'type':'file_citation','file_id':'f','filename':'notes.txt','index':2}}")
		"event: response.completed\n" DATA("{'type':'response.completed','response':{'id':'r','status':'completed','output':[]}}"),
		"https://a.org|A character 3 of 1\n|notes.txt character 2 of 0\n");
}

/* A citation of Anthropic's comes before the text of its block, or after. */
static void anthropic_citations_support_their_block(void)
{
	check_citations("anthropic",
		"event: message_start\n" DATA("{'type':'message_start','message':{'id':'m','role':'assistant','content':[],'model':'c','usage':{'input_tokens':1}}}")
		"event: content_block_start\n" DATA("{'type':'content_block_start','index':0,'content_block':{'type':'text','text':''}}")
		"event: content_block_delta\n" DATA("{'type':'content_block_delta','index':0,'delta':{'type':'text_delta','text':'One. '}}")
		"event: content_block_delta\n" DATA("{'type':'content_block_delta','index':0,'delta':{'type':'citations_delta','citation':"
			"{'type':'char_location','document_title':'Notes','cited_text':'x'}}}")
		"event: content_block_stop\n" DATA("{'type':'content_block_stop','index':0}")
		"event: content_block_start\n" DATA("{'type':'content_block_start','index':1,'content_block':{'type':'text','text':''}}")
		"event: content_block_delta\n" DATA("{'type':'content_block_delta','index':1,'delta':{'type':'citations_delta','citation':"
			"{'type':'web_search_result_location','url':'https://a.org','title':'A'}}}")
		"event: content_block_delta\n" DATA("{'type':'content_block_delta','index':1,'delta':{'type':'text_delta','text':'Two.'}}")
		"event: content_block_stop\n" DATA("{'type':'content_block_stop','index':1}")
		"event: message_stop\n" DATA("{'type':'message_stop'}"),
		"|Notes part of 0\nhttps://a.org|A part of 1\n");
}

static void gemini_supports_have_a_range_of_bytes(void)
{
	check_citations("gemini",
		DATA("{'candidates':[{'index':0,'content':{'role':'model','parts':[{'text':'Rain at five.'}]}}]}")
		DATA("{'candidates':[{'index':0,'finishReason':'STOP','groundingMetadata':{'groundingChunks':[{'web':{'uri':'https://a.org','title':'A'}},"
		     "{'web':{'uri':'https://b.org','title':'B'}}],'groundingSupports':[{'segment':{'endIndex':4,'text':'Rain'},'groundingChunkIndices':[1,7]},"
		     "{'segment':{'startIndex':5,'endIndex':13},'groundingChunkIndices':[0,1]}]},"
		     "'citationMetadata':{'citationSources':[{'startIndex':0,'endIndex':9,'uri':'https://c.org'}]}}]}"),
		"https://c.org| byte 9\nhttps://a.org|A -\nhttps://b.org|B -\nhttps://b.org|B byte 4\nhttps://a.org|A byte 13\nhttps://b.org|B byte 13\n");
}

const struct suite suite_citations = { "citations", (const struct test[]){
	TEST(chat_annotations_have_a_range_of_characters),
	TEST(responses_annotations_belong_to_a_part),
	TEST(anthropic_citations_support_their_block),
	TEST(gemini_supports_have_a_range_of_bytes),
	{ 0 },
} };
