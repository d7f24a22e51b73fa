#include "decoded.h"

#include "base/array.h"
#include "support/check.h"
#include "wire/grammar.h"
#include "wire/media_keeper.h"
#include "wire/stream.h"
#include "wire/summary.h"

/* --- what they are --- */

static void types_and_first_bytes(void)
{
	const struct { struct str head; const char *sent, *type, *suffix; } cases[] = {
		{ STR("\x89PNG\r\n\x1a\n...."), "", "image/png", "png" }, { STR("\xff\xd8\xff\xe0"), "image/png", "image/jpeg", "jpg" },
		{ STR("GIF87a"), "", "image/gif", "gif" }, { STR("RIFF....WEBPVP8L"), "", "image/webp", "webp" }, { STR("RIFF....WAVEfmt "), "", "audio/wav", "wav" },
		{ STR("....ftypavif"), "", "image/avif", "avif" }, { STR("....ftypheix"), "", "image/heic", "heic" }, { STR("....ftypM4A "), "", "audio/mp4", "m4a" },
		{ STR("....ftypisom"), "", "video/mp4", "mp4" }, { STR("<svg x"), "", "image/svg+xml", "svg" }, { STR("ID3."), "", "audio/mpeg", "mp3" },
		{ STR("\xff\xf1."), "", "audio/aac", "aac" }, { STR("fLaC"), "", "audio/flac", "flac" }, { STR("OggS"), "", "audio/ogg", "ogg" },
		{ STR("\x1a\x45\xdf\xa3"), "", "video/webm", "webm" }, { STR("%PDF-1"), "", "application/pdf", "pdf" }, { STR("PK\x03\x04"), "", "application/zip", "zip" },
		{ STR("\x89PNG"), "", "", "bin" }, { STR("RIFF....AVI "), "", "", "bin" }, { STR(""), "AUDIO/L16;rate=24000", "", "pcm" },
		{ STR("x"), "audio/pcm", "", "pcm" }, { STR("{"), "application/json", "", "json" }, { STR("a"), "text/plain; charset=utf-8", "", "txt" },
		{ STR("a,b"), "text/csv", "", "csv" }, { STR("x"), "image/jpg", "", "jpg" }, { STR("x"), "text/html", "", "bin" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		CHECK_STR(media_sniff(cases[i].head), cases[i].type);
		CHECK(str_is(str_from(media_suffix(cases[i].head, str_from(cases[i].sent))), cases[i].suffix), "%zu: %s", i,
		      media_suffix(cases[i].head, str_from(cases[i].sent)));
	}
	CU_ASSERT_EQUAL(media_kind_of(STR("Image/PNG"), MEDIA_FILE), MEDIA_IMAGE);
	CU_ASSERT_EQUAL(media_kind_of(STR("text/html"), MEDIA_IMAGE), MEDIA_FILE);
	CU_ASSERT_EQUAL(media_kind_of(STR_NONE, MEDIA_AUDIO), MEDIA_AUDIO);
	CU_ASSERT(media_types_agree(STR("image/JPG; q=1"), STR("image/jpeg")));
	CU_ASSERT_FALSE(media_types_agree(STR("image/png"), STR("image/jpeg")));
	CU_ASSERT(media_type_is_open(STR("Application/Octet-Stream; x=1")));
}

static void references(void)
{
	static const struct { const char *text, *url, *type, *bytes; } cases[] = {
		{ "Zm9v", "", "", "foo" }, { "data:image/png;base64,Zm9v", "", "image/png", "foo" }, { "DATA:a/b;x=1;BASE64,Zm9v", "", "a/b;x=1", "foo" },
		{ "data:;base64,Zm9v", "", "", "foo" }, { "data:,a%20b%2", "", "", "a b%2" }, { "data:text/plain,x", "", "text/plain", "x" },
		{ "https://a/b?c", "https://a/b?c", "", "" }, { "gs+x://b", "gs+x://b", "", "" }, { "1a://b", "", "", "" }, { "data:image/png;base64,", "", "image/png", "" },
		{ "data:image/png;base64", "", "image/png", "" }, { "Zm9v!", "", "", "" }, { "Zm9vZ", "", "", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct media_reference reference = media_reference_read(str_from(cases[i].text));
		struct blob *bytes = media_reference_decode(&reference);

		CHECK_STR(reference.url, cases[i].url);
		CHECK_STR(reference.type, cases[i].type);
		CHECK(!bytes == !*cases[i].bytes, "%s", cases[i].text);
		CHECK_STR(blob_str(bytes), cases[i].bytes);
		blob_drop(bytes);
	}
}

/* --- limits --- */

struct seen { struct grammar grammar; struct summary *summary; struct media_keeper kept; };

static void see(void *seen, const struct delta *d)
{
	struct seen *s = seen;

	summary_delta(s->summary, d);
	media_keeper_delta(&s->kept, d);
}

static const struct guard_ending closing = { .finish_is_end = true, .understood = true };

/* Ends the turn. `expected`: of each item its bytes, partial pictures, "whole", and what was kept; then the rules of the notices. */
static void check_items(struct seen *s, struct guard *g, const char *expected)
{
	struct buf out = { 0 }, json = { 0 };
	const struct media_facts *facts;

	guard_finish(g, STR("stop"));
	guard_end(g, END_CLOSED, &closing);
	for (size_t i = 0; (facts = summary_media(s->summary, i)); i++)
		buf_printf(&out, "%zu %u%s %.*s\n", facts->bytes, facts->partials, facts->whole ? " whole" : "", STR_ARG(blob_str(s->kept.items[i].data)));
	summary_write(s->summary, STR(""), STR(""), &json);
	for (struct str rest = buf_str(&json), object, rule; str_split(&rest, '{', &object);)
		if (str_starts(object, "\"rule\":\"") && str_split(&object, ',', &rule))
			buf_printf(&out, "%.*s\n", STR_ARG(rule));
	CHECK_STR(buf_str(&out), expected);
	CHECK(!grammar_fault(&s->grammar), "%s", grammar_fault(&s->grammar));
	guard_free(g);
	summary_free(s->summary);
	media_keeper_fini(&s->kept);
	buf_fini(&out);
	buf_fini(&json);
}

static struct guard *begin(struct seen *s, size_t limit)
{
	*s = (struct seen){ .grammar = { .next = see, .ctx = s }, .summary = summary_new() };
	struct guard *g = guard_new(grammar_delta, &s->grammar);
	guard_limit_media(g, limit);
	return g;
}

static unsigned picture(struct guard *g)
{
	return guard_media_begin(g, &(struct media_facts){ .kind = MEDIA_IMAGE });
}

/* Kept is the partial picture of the highest number, of the same number the last; the final one takes its place. */
static void partial_pictures(void)
{
	struct seen s;
	struct guard *g = begin(&s, 100);
	unsigned a = picture(g), b = picture(g), c = picture(g);

	guard_media_partial(g, a, 1, STR("one"), NULL);
	guard_media_partial(g, a, 0, STR("zero"), NULL);
	guard_media_partial(g, a, 1, STR("ONE"), NULL);
	guard_media_partial(g, b, -1, STR("x"), NULL);
	guard_media_partial(g, b, -1, STR("y"), NULL);
	guard_media_picture(g, b, STR("final"), NULL);
	guard_media_partial(g, b, 7, STR("late"), NULL);
	guard_media_partial(g, c, 3, STR("kept"), NULL);
	guard_media_unreadable(g, c, true);
	guard_media_picture(g, c, STR("no"), NULL);
	check_items(&s, g, "3 2 ONE\n5 2 whole final\n4 1 kept\n\"rule\":\"media-data\"\n");
}

static void what_does_not_fit_is_left_out(void)
{
	struct seen s;
	struct guard *g = begin(&s, 10);
	unsigned a = picture(g), b = picture(g), c = picture(g), d = guard_media_begin(g, &(struct media_facts){ .kind = MEDIA_AUDIO });

	guard_media_partial(g, a, 0, STR("partial!"), NULL);
	guard_media_picture(g, b, STR("abc"), NULL);      /* 8 + 3 */
	guard_media_picture(g, a, STR("0123456"), NULL);  /* in place of the partial one */
	guard_media_picture(g, c, STR("xyz"), NULL);      /* 7 + 3 */
	guard_media_piece(g, d, STR("1"), NULL);
	guard_media_piece(g, d, STR(""), NULL);
	guard_media_complete(g, d);
	check_items(&s, g, "7 1 whole 0123456\n0 0 \n3 0 whole xyz\n0 0 \n\"rule\":\"media-limit\"\n");
	g = begin(&s, 4);
	d = guard_media_begin(g, &(struct media_facts){ .kind = MEDIA_AUDIO });
	guard_media_piece(g, d, STR("ab"), NULL);
	guard_media_piece(g, d, STR("cde"), NULL);
	guard_media_piece(g, d, STR("f"), NULL); /* would fit, but the rest is left out */
	guard_media_complete(g, d);
	check_items(&s, g, "2 0 ab\n\"rule\":\"media-limit\"\n");
}

static void a_restart_frees_what_was_kept(void)
{
	struct seen s;
	struct guard *g = begin(&s, 4);

	guard_media_picture(g, picture(g), STR("abcd"), NULL);
	guard_server_tool_begin(g, STR("x"), STR("y"));
	guard_restart(g);
	guard_media_picture(g, picture(g), STR("wxyz"), NULL);
	check_items(&s, g, "4 0 whole wxyz\n");
}

static void items_have_a_limit(void)
{
	for (int tools = 0; tools < 2; tools++) {
		struct seen s;
		struct guard *g = begin(&s, 4);

		s.grammar.next = NULL;
		for (unsigned i = 0; i < 20000; i++)
			(void)(tools ? guard_server_tool_begin(g, STR_NONE, STR("f")) : picture(g));
		CU_ASSERT_TRUE(guard_failed(g));
		guard_end(g, END_CLOSED, &closing);
		CU_ASSERT_PTR_NULL(grammar_fault(&s.grammar));
		guard_free(g);
		summary_free(s.summary);
		media_keeper_fini(&s.kept);
	}
}

/* --- decoders --- */

#define DATA(json) "data: " json "\n\n"
#define CHUNK(delta) DATA("{'choices':[{'index':0,'delta':{" delta "}}]}")
#define STOPS DATA("{'choices':[{'index':0,'delta':{},'finish_reason':'stop'}]}") DATA("[DONE]")

static void audio_of_chat(void)
{
	CHECK_DELTAS("openai-chat",
	             CHUNK("'audio':{'id':'a','data':'Zm9','format':'mp3'}") CHUNK("'audio':{'data':'v','transcript':'x'}")
	             CHUNK("'audio':{'id':'b','data':'Zm9vYg=='}") CHUNK("'audio':{'id':'b','data':'Zg'}") STOPS,
	             "begin - -\nmedia_begin 0 audio a -\nmedia 0 2\nmedia 0 1\nmedia_text 0 x\nmedia_end 0 audio a audio/mpeg 3 0 whole - x\n"
	             "media_begin 1 audio b -\nmedia 1 4\nmedia 1 1\nmedia_end 1 audio b - 5 0 whole - -\nfinish stop\nend complete\n");
	/* one character too many; a piece that is none ends the item */
	CHECK_DELTAS("openai-chat", CHUNK("'audio':{'id':'a','data':'Zm9vZ'}") STOPS,
	             "begin - -\nmedia_begin 0 audio a -\nmedia 0 3\nnotice media-data\nmedia_end 0 audio a - 3 0 - -\nfinish stop\nend complete\n");
	CHECK_DELTAS("openai-chat", CHUNK("'audio':{'id':'a','data':'Zm9v'}") CHUNK("'audio':{'data':'*'}") CHUNK("'audio':{'data':'Zm9v'}") STOPS,
	             "begin - -\nmedia_begin 0 audio a -\nmedia 0 3\nnotice media-data\nmedia_end 0 audio a - 3 0 - -\nfinish stop\nend complete\n");
}

static void an_item_begins_with_what_names_it_first(void)
{
	CHECK_DELTAS("openai-responses",
	             DATA("{'type':'response.web_search_call.searching','output_index':0,'item_id':'w'}")
	             DATA("{'type':'response.image_generation_call.partial_image','output_index':1,'item_id':'i','partial_image_index':0,'partial_image_b64':'Zm9v','output_format':'PNG'}")
	             DATA("{'type':'response.mcp_call.completed','output_index':2,'item_id':'m'}")
	             DATA("{'type':'response.shell_call.in_progress','output_index':3,'item_id':'s'}"),
	             "begin - -\nserver_tool_begin 0 w web_search\nmedia_begin 0 image i -\nmedia 0 3 partial\nserver_tool_begin 1 m -\n"
	             "media_end 0 image i image/png 3 1 - -\nserver_tool_end 0 incomplete - -\nserver_tool_end 1 completed - -\nend cut\n");
}

/* A tool is told as soon as it has an output; what comes later under its index replaces it. */
static void executed_tools_are_told_when_they_have_an_output(void)
{
	CHECK_DELTAS("openai-chat",
	             CHUNK("'executed_tools':[{'index':0,'type':'search','arguments':'{}','search_results':{'results':[]}}]")
	             CHUNK("'executed_tools':[{'index':0,'type':'search','arguments':'{}','output':'a'}]") CHUNK("'content':'x'")
	             CHUNK("'executed_tools':[{'index':0,'type':'search','arguments':'{}','output':'b'}]") STOPS,
	             "begin - -\nserver_tool_begin 0 - search\nserver_tool_input 0 {}\nserver_tool_input 0 completed - a\ntext 0 x\n"
	             "server_tool_input 0 completed - b\nserver_tool_end 0 completed {} b\nfinish stop\nend complete\n");
}

const struct suite suite_media = { "media", (const struct test[]){
	TEST(types_and_first_bytes), TEST(references), TEST(partial_pictures), TEST(what_does_not_fit_is_left_out), TEST(a_restart_frees_what_was_kept), TEST(executed_tools_are_told_when_they_have_an_output),
	TEST(items_have_a_limit), TEST(audio_of_chat), TEST(an_item_begins_with_what_names_it_first), { 0 },
} };
