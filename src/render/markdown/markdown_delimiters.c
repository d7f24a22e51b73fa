/* Runs of `*`, `_` and `~~`: which may open or close, and how they are paired. */
#include <wctype.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "render/markdown/markdown_inline.h"

#define OPEN_MOST 3 /* signs of an unclosed run that are shown as emphasis */
#define TYPES 18

/* --- neighbours --- */

static bool is_delimiter_space(uint32_t code)
{
	return code == ' ' || code == '\t' || code == '\n' || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
		code == 0x202F || code == 0x205F || code == 0x3000;
}

struct neighbour {
	bool blank, punctuation, wide, word;
};

/* Classifies the first character of a text; the end counts as a blank. */
static struct neighbour neighbour_of(struct str text)
{
	struct neighbour neighbour = { .blank = !text.len };
	struct str rest = text;
	uint32_t code;

	if (!text.len)
		return neighbour;
	code = utf8_next(&rest);
	neighbour.blank = is_delimiter_space(code);
	neighbour.wide = code >= 0x80 && utf8_width(str_head(text, text.len - rest.len)) == 2;
	neighbour.punctuation = iswpunct((wint_t)code) && (!neighbour.wide || (code >= 0x3000 && code <= 0xFFFF)); /* not emoji */
	neighbour.word = code < 0x80 && char_is_word((char)code);
	return neighbour;
}

static struct neighbour neighbour_before(struct str text)
{
	size_t at = text.len;

	while (at && text.len - at < 4 && utf8_is_inside(text.ptr[at - 1]))
		at--;
	return neighbour_of(str_skip(text, at ? at - 1 : 0));
}

/* --- runs --- */

static void set_flanks(struct inline_delimiter *run, struct neighbour before, struct neighbour after)
{
	bool left, right;

	if (before.punctuation && after.wide)
		after.punctuation = true;
	else if (after.punctuation && before.wide)
		before.punctuation = true;
	left = !after.blank && (!after.punctuation || before.blank || before.punctuation);
	right = !before.blank && (!before.punctuation || after.blank || after.punctuation);
	if (run->sign == '~') {
		run->can_open = !after.blank;
		run->can_close = !before.blank;
	} else if (run->sign == '_') {
		run->can_open = left && (!right || before.punctuation);
		run->can_close = right && (!left || after.punctuation);
		run->both = run->can_open && run->can_close;
	} else {
		run->can_open = left && !(before.word && after.word);
		run->can_close = right;
		run->both = left && right;
	}
}

bool delimiters_scan(struct markdown_inline *p)
{
	struct str text = str_head(buf_str(&p->text), p->end);
	struct inline_delimiter run = { .token = p->token_count, .at = p->at, .sign = text.ptr[p->at] };

	while (p->at < p->end && text.ptr[p->at] == run.sign)
		p->at++;
	run.length = run.left = (unsigned)(p->at - run.at);
	set_flanks(&run, neighbour_before(str_head(text, run.at)), neighbour_of(str_skip(text, p->at)));
	if ((run.sign == '~' && run.length != 2) || (!run.can_open && !run.can_close))
		return true;
	inline_add(p, INLINE_DELIMITERS, run.at, p->at);
	*ARRAY_ADD(p->delimiters, p->delimiter_count, p->delimiter_capacity) = run;
	return true;
}

/* --- pairs --- */

/* Type of a closer: closers of one type match the same openers. */
static size_t type_of_run(const struct inline_delimiter *run)
{
	return (run->sign == '*' ? 0 : run->sign == '_' ? 6 : 12) + run->length % 3 * 2 + run->both;
}

/* Includes CommonMark's rule of three. */
static bool is_opener_of(const struct inline_delimiter *opener, const struct inline_delimiter *closer)
{
	if (opener->sign != closer->sign)
		return false;
	return !(opener->both || closer->both) || (opener->length + closer->length) % 3 || closer->length % 3 == 0;
}

static void pair(struct inline_token *tokens, struct inline_delimiter *opener, struct inline_delimiter *closer)
{
	unsigned signs = opener->left >= 2 && closer->left >= 2 ? 2 : 1;
	enum inline_style style = opener->sign == '~' ? INLINE_STRIKE : signs == 2 ? INLINE_STRONG : INLINE_EMPHASIS;

	opener->left -= signs;
	closer->left -= signs;
	tokens[opener->token].opened[style]++;
	tokens[closer->token].closed[style]++;
}

/* Styles the text after an unclosed run as if it were closed. */
static void reach_to_end(struct markdown_inline *p, const struct inline_delimiter *run)
{
	unsigned *opened = p->tokens[run->token].opened;

	inline_unsettle(p, run->at);
	if (run->left > OPEN_MOST)
		return;
	if (run->sign == '~') {
		opened[INLINE_STRIKE]++;
		return;
	}
	opened[INLINE_EMPHASIS] += run->left % 2;
	opened[INLINE_STRONG] += run->left / 2;
}

/*
 * Unclosed openers form a stack in place, [bottom, top). A closer takes the nearest matching one; those above that become text. If a
 * closer finds none, other closers of its type need not search there again.
 */
void delimiters_resolve(struct markdown_inline *p, size_t bottom, bool open)
{
	struct inline_delimiter *all = p->delimiters;
	size_t failed[TYPES] = { 0 }, top = bottom;

	for (size_t i = bottom; i < p->delimiter_count; i++) {
		struct inline_delimiter run = all[i];
		size_t *from = &failed[type_of_run(&run)];

		for (size_t k = top; run.can_close && run.left; ) {
			if (k == bottom || all[k - 1].at < *from) {
				*from = run.at;
				break;
			}
			if (!is_opener_of(&all[k - 1], &run)) {
				k--;
				continue;
			}
			pair(p->tokens, &all[k - 1], &run);
			k = top = k - !all[k - 1].left;
		}
		if (run.can_open && run.left)
			all[top++] = run;
	}
	for (size_t k = bottom; open && k < top; k++)
		reach_to_end(p, &all[k]);
	p->delimiter_count = bottom;
}
