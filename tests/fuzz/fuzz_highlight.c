/*
 * Highlights any text in any language. Rules: the spans of a line cover it completely, in order, and point into it; each has a valid
 * role; the state is the only information passed from line to line.
 *
 * input: language; then lines
 */
#include "fuzz.h"
#include "render/highlight.h"
#include "render/language.h"

struct line {
	struct str rest;
	uint32_t sum;
};

static void check_span(void *ctx, const struct span *span)
{
	struct line *line = ctx;

	FUZZ_CHECK(span->text.len > 0 && span->text.len <= line->rest.len, "a span has some of the line");
	FUZZ_CHECK(span->text.ptr == line->rest.ptr, "spans are the line, in order");
	FUZZ_CHECK(span->role < ROLE_COUNT, "a role that themes know");
	line->rest = str_skip(line->rest, span->text.len);
	line->sum = line->sum * 31 + span->role + (uint32_t)span->text.len;
}

static highlight_state check_line(const struct language *language, highlight_state state, struct str text, uint32_t *sum)
{
	struct line line = { .rest = text };
	highlight_state next = highlight_line(language, state, text, check_span, &line);

	FUZZ_CHECK(!line.rest.len, "the spans are all of the line");
	*sum = line.sum;
	return next;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	unsigned count = 0, chosen = fuzz_byte(&in);
	const struct language *language;
	highlight_state state = 0;
	struct str line;

	while (language_name_at(count))
		count++;
	language = language_find(str_from(language_name_at(chosen % count)));
	FUZZ_CHECK(language, "a name that is listed is found");
	while (str_split(&in.rest, '\n', &line)) {
		uint32_t once, twice;
		highlight_state next = check_line(language, state, line, &once);

		FUZZ_CHECK(check_line(language, state, line, &twice) == next && once == twice, "the same line gives the same");
		state = next;
	}
	return 0;
}
