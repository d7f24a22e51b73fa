/*
 * Parses any text as one paragraph. Rules: md4c gives the same result, except for the known differences; tokens are contiguous; every
 * opening token has a closing one; parsing of an incomplete text can resume at any blank before which all tokens are final.
 *
 * input: the text
 */
#include "base/utf8.h"
#include "fuzz.h"
#include "render/markdown/markdown_inline.h"
#include "render/markdown_oracle.h"

/* A paragraph has no empty lines. */
static void parse(struct markdown_inline *p, struct str text, bool open)
{
	struct str line;

	inline_init(p);
	inline_begin(p);
	for (const char *start = text.ptr; str_split(&text, '\n', &line); )
		if (!str_is_blank(line))
			inline_add_line(p, str_trim(line), (size_t)(line.ptr - start));
	inline_parse(p, open);
}

static void check_tokens(const struct markdown_inline *p)
{
	unsigned depth[INLINE_STYLES] = { 0 }, links = 0;
	size_t end = 0;

	FUZZ_CHECK(p->end <= p->text.len && p->settled <= p->end, "only text is shown, only that is settled");
	for (size_t i = 0; i < p->token_count; i++) {
		const struct inline_token *token = &p->tokens[i];

		FUZZ_CHECK(token->at >= end && token->end > token->at && token->end <= p->end, "tokens follow each other");
		FUZZ_CHECK(token->inside.at <= token->inside.end && token->inside.end <= p->text.len, "what is inside is of the text");
		end = token->end;
		for (unsigned k = 0; k < INLINE_STYLES; k++) {
			FUZZ_CHECK(depth[k] >= token->closed[k], "only what was opened is closed");
			depth[k] += token->opened[k] - token->closed[k];
		}
		links += token->kind == INLINE_LINK;
		FUZZ_CHECK(token->kind != INLINE_LINK_END || links--, "only links end");
	}
	for (unsigned k = 0; k < INLINE_STYLES; k++)
		FUZZ_CHECK(!depth[k] || p->open, "all is closed in the end");
	FUZZ_CHECK(!links || p->open, "all links end");
}

/* The first token after the last blank that is final and not inside another token; `*from`: the offset after that blank. */
static size_t find_resume(const struct markdown_inline *p, size_t *from)
{
	size_t depth = 0, end = 0, first = p->token_count;

	*from = 0;
	for (size_t i = 0; i <= p->token_count; i++) {
		const struct inline_token *token = i < p->token_count ? &p->tokens[i] : NULL;
		size_t next = token ? token->at : p->end;

		for (size_t at = end + 1; !depth && at <= next && at <= p->settled && at < p->end; at++) {
			if ((p->text.ptr[at - 1] == ' ' || p->text.ptr[at - 1] == '\n') && !char_is_blank(p->text.ptr[at])) {
				*from = at;
				first = i;
			}
		}
		if (!token)
			break;
		end = token->end;
		for (unsigned k = 0; k < INLINE_STYLES; k++)
			depth += (size_t)token->opened[k] - token->closed[k];
		depth += (size_t)(token->kind == INLINE_LINK || token->kind == INLINE_REFERENCE);
		depth -= (size_t)(token->kind == INLINE_LINK_END || token->kind == INLINE_REFERENCE_END);
	}
	return first;
}

static void check_resuming(const struct markdown_inline *p)
{
	struct markdown_inline rest;
	size_t from, first = find_resume(p, &from);

	if (!from)
		return;
	parse(&rest, str_skip(buf_str(&p->text), from), true);
	FUZZ_CHECK(rest.end + from == p->end, "as much is shown when it is resumed");
	FUZZ_CHECK(rest.token_count == p->token_count - first, "as many tokens");
	for (size_t i = 0; i < rest.token_count; i++) {
		const struct inline_token *a = &p->tokens[first + i], *b = &rest.tokens[i];

		FUZZ_CHECK(a->kind == b->kind && a->at == b->at + from && a->end == b->end + from, "the same tokens");
		FUZZ_CHECK(!memcmp(a->opened, b->opened, sizeof a->opened) && !memcmp(a->closed, b->closed, sizeof a->closed), "the same emphasis");
	}
	inline_fini(&rest);
}

static void check_agreement(struct str text)
{
	struct buf said = { 0 };
	bool agrees;

	if (!text.len || oracle_find_excuse(text))
		return;
	agrees = oracle_agrees(text, &said);
	if (!agrees)
		fprintf(stderr, "%s\n", buf_z(&said));
	FUZZ_CHECK(agrees, "md4c says the same");
	buf_fini(&said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf text = { 0 };

	fuzz_locale();
	utf8_repair(str_of((const char *)data, size), &text);
	for (int open = 0; open < 2; open++) {
		struct markdown_inline p;

		parse(&p, buf_str(&text), open);
		check_tokens(&p);
		if (open)
			check_resuming(&p);
		inline_fini(&p);
	}
	check_agreement(str_trim(buf_str(&text)));
	buf_fini(&text);
	return 0;
}
