#include "wire/usage.h"

#include "support/check.h"
#include "wire/decode.h"
#include "wire/encode/encode_inside.h"
#include "wire/protocol/anthropic.h"
#include "wire/protocol/gemini.h"
#include "wire/protocol/ollama.h"
#include "wire/protocol/openai_chat.h"
#include "wire/protocol/openai_responses.h"

static void the_display_order_has_every_figure_once(void)
{
	unsigned seen = 0;
	enum usage_figure whole = USAGE_FIGURE_COUNT;

	for (unsigned place = 0; place < USAGE_FIGURE_COUNT; place++) {
		enum usage_figure figure = usage_in_order(place);

		if (usage_row(figure)->part_of == figure)
			whole = figure;
		CHECK(usage_row(figure)->part_of == whole, "%s is not behind what it is part of", usage_row(figure)->label);
		CHECK(!(seen >> figure & 1), "%s comes twice", usage_row(figure)->label);
		seen |= 1u << figure;
	}
	CU_ASSERT_EQUAL(seen, (1u << USAGE_FIGURE_COUNT) - 1);
}

static void unset_figures_were_not_sent(void)
{
	static const struct usage_member *const tables[] = { openai_chat_usage, openai_responses_usage, anthropic_usage, gemini_usage,
		                                             ollama_usage };

	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
		struct count counts[USAGE_MEMBERS_MOST] = { 0 };
		struct usage usage = usage_from_counts(tables[t], counts);
		unsigned named = 1u << USAGE_TOTAL;

		CU_ASSERT_FALSE(usage_is_known(&usage));
		for (size_t i = 0; tables[t][i].path; i++) {
			CU_ASSERT_FATAL(i < USAGE_MEMBERS_MOST);
			counts[i] = (struct count)COUNT_SENT(1);
			named |= 1u << tables[t][i].figure;
		}
		usage = usage_from_counts(tables[t], counts);
		for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
			CHECK(usage.of[i].sent == (named >> i & 1), "table %zu, %s", t, usage_row((enum usage_figure)i)->label);
	}
}

static void known_counts_are_summed(void)
{
	const struct count none = { 0 }, most = COUNT_SENT(INT64_MAX), one = COUNT_SENT(1);

	CU_ASSERT_FALSE(count_sum(none, none).sent);
	CU_ASSERT_TRUE(count_sum(none, one).sent);
	CU_ASSERT_EQUAL(count_sum(one, one).number, 2);
	CU_ASSERT_EQUAL(count_sum(one, most).number, INT64_MAX);
}

/* Gemini tells tokens by modality: an array, whose elements say what they are. */
static const struct usage_member by_modality[] = {
	{ "promptTokenCount", .figure = USAGE_PROMPT },
	{ "promptTokensDetails", .element = { "modality", "AUDIO", "tokenCount" }, .figure = USAGE_CACHED },
	{ "promptTokensDetails", .element = { "modality", "IMAGE", "tokenCount" }, .figure = USAGE_CACHE_WRITE },
	{ "toolUsePromptTokensDetails", .element = { "modality", "AUDIO", "tokenCount" }, .figure = USAGE_PROMPT, .adds = true },
	{ "toolUsePromptTokensDetails", .element = { "modality", "AUDIO", "tokenCount" }, .figure = USAGE_REASONING },
	{ "candidates.count", .figure = USAGE_COMPLETION },
	{ 0 },
};

static void check_by_modality(const char *text, const char *figures, const char *again)
{
	struct json_parser *parser = json_parser_new();
	struct count counts[USAGE_MEMBERS_MOST] = { 0 };
	struct buf found = { 0 }, written = { 0 };
	size_t used;

	decode_counts(json_parse(parser, str_from(text), &used), by_modality, counts);
	struct usage usage = usage_from_counts(by_modality, counts);
	for (enum usage_figure i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (usage.of[i].sent)
			buf_printf(&found, "%s %lld ", usage_row(i)->label, (long long)usage.of[i].number);
	CHECK(str_is(buf_str(&found), figures), "%s is %s", text, buf_z(&found));
	encode_usage_object(by_modality, &usage, &written);
	CHECK(str_is(buf_str(&written), again), "%s becomes %s", text, buf_z(&written));
	buf_fini(&found);
	buf_fini(&written);
	json_parser_free(parser);
}

static void an_element_of_an_array_is_a_row(void)
{
	check_by_modality("{\"promptTokenCount\":9,\"promptTokensDetails\":[{\"modality\":\"TEXT\",\"tokenCount\":1},{\"tokenCount\":2},"
	                  "{\"modality\":\"IMAGE\",\"tokenCount\":3},{\"modality\":\"AUDIO\",\"tokenCount\":5},{\"modality\":\"AUDIO\",\"tokenCount\":6}],"
	                  "\"toolUsePromptTokensDetails\":[{\"modality\":\"AUDIO\",\"tokenCount\":4}],\"candidates\":{\"count\":8}}",
	                  "prompt 13 completion 8 total 21 cached 5 cache write 3 reasoning 4 ",
	                  "{\"promptTokenCount\":9,\"promptTokensDetails\":[{\"modality\":\"AUDIO\",\"tokenCount\":5},{\"modality\":\"IMAGE\",\"tokenCount\":3}],"
	                  "\"toolUsePromptTokensDetails\":[{\"modality\":\"AUDIO\",\"tokenCount\":4}],\"candidates\":{\"count\":8}}");
	check_by_modality("{\"promptTokensDetails\":[{\"modality\":\"AUDIO\",\"tokenCount\":-5}]}", "", "{}");
	check_by_modality("{\"promptTokensDetails\":{\"modality\":\"AUDIO\",\"tokenCount\":5},\"candidates\":{\"count\":8}}", "completion 8 ",
	                  "{\"candidates\":{\"count\":8}}");
}

const struct suite suite_usage = { "usage", (const struct test[]){
	TEST(the_display_order_has_every_figure_once),
	TEST(unset_figures_were_not_sent),
	TEST(known_counts_are_summed),
	TEST(an_element_of_an_array_is_a_row),
	{ 0 },
} };
