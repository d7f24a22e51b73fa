#include "render/markdown_oracle.h"

#include <md4c.h>
#include <string.h>
#include <wctype.h>

#include "base/utf8.h"
#include "render/markdown/markdown_entity.h"
#include "render/markdown/markdown_inline.h"
#include "render/markdown/markdown_link.h"

#define ROOM ((size_t)1 << 20)

void oracle_init(struct oracle *o)
{
	buf_init(&o->marks, ROOM);
	buf_init(&o->destinations, ROOM);
}

void oracle_fini(struct oracle *o)
{
	buf_fini(&o->marks);
	buf_fini(&o->destinations);
}

static void begin(struct oracle *o, struct str text)
{
	buf_clear(&o->marks);
	buf_clear(&o->destinations);
	memset(buf_extend(&o->marks, text.len), 0, text.len);
}

static void mark(struct oracle *o, size_t at, size_t end, unsigned marks)
{
	for (; at < end; at++)
		o->marks.ptr[at] = (char)(ORACLE_SHOWN | marks);
}

/* --- md4c --- */

struct asked {
	struct oracle *oracle;
	struct str text;
	unsigned depth[8];   /* by bit of the mark */
	unsigned paragraphs, others;
};

static int on_enter_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	struct asked *asked = ctx;

	(void)detail;
	asked->paragraphs += type == MD_BLOCK_P;
	asked->others += type != MD_BLOCK_P && type != MD_BLOCK_DOC;
	return 0;
}

static int on_leave_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	(void)type, (void)detail, (void)ctx;
	return 0;
}

static void add_destination(struct buf *out, const MD_ATTRIBUTE *attribute)
{
	for (unsigned i = 0; attribute->text && attribute->substr_offsets[i] < attribute->size; i++) {
		struct str piece = str_of(attribute->text + attribute->substr_offsets[i], attribute->substr_offsets[i + 1] - attribute->substr_offsets[i]);

		if (attribute->substr_types[i] != MD_TEXT_ENTITY || !entity_read(piece, out))
			buf_add(out, piece);
	}
	buf_add_byte(out, '\n');
}

static void count(struct asked *asked, MD_SPANTYPE type, void *detail, int step)
{
	static const unsigned bits[] = { [MD_SPAN_EM] = 1, [MD_SPAN_STRONG] = 2, [MD_SPAN_DEL] = 3, [MD_SPAN_CODE] = 4, [MD_SPAN_A] = 5,
		[MD_SPAN_IMG] = 6 };

	asked->depth[bits[type]] += (unsigned)step;
	if (step > 0 && type == MD_SPAN_A)
		add_destination(&asked->oracle->destinations, &((MD_SPAN_A_DETAIL *)detail)->href);
	else if (step > 0 && type == MD_SPAN_IMG)
		add_destination(&asked->oracle->destinations, &((MD_SPAN_IMG_DETAIL *)detail)->src);
}

static int on_enter(MD_SPANTYPE type, void *detail, void *ctx)
{
	count(ctx, type, detail, 1);
	return 0;
}

static int on_leave(MD_SPANTYPE type, void *detail, void *ctx)
{
	count(ctx, type, detail, -1);
	return 0;
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *ptr, MD_SIZE size, void *ctx)
{
	struct asked *asked = ctx;
	unsigned marks = 0;
	size_t at;

	(void)type;
	if (ptr < asked->text.ptr || ptr >= asked->text.ptr + asked->text.len)
		return 0;
	at = (size_t)(ptr - asked->text.ptr);
	for (unsigned bit = 1; bit < 7; bit++)
		marks |= asked->depth[bit] ? 1u << bit : 0;
	mark(asked->oracle, at, at + size, marks);
	return 0;
}

bool oracle_ask_md4c(struct oracle *o, struct str text)
{
	static const MD_PARSER md4c = {
		.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_STRIKETHROUGH | MD_FLAG_PERMISSIVEAUTOLINKS,
		.enter_block = on_enter_block, .leave_block = on_leave_block, .enter_span = on_enter, .leave_span = on_leave, .text = on_text,
	};
	struct asked asked = { .oracle = o, .text = text };
	struct str line, rest = text;

	begin(o, text);
	while (str_split(&rest, '\n', &line))
		if (str_is_blank(line) || str_starts(str_trim_start(line), "["))
			return false; /* definitions are not blocks */
	md_parse(text.ptr, (MD_SIZE)text.len, &md4c, &asked);
	return asked.paragraphs == 1 && !asked.others;
}

/* --- our parser --- */

static void parse(struct markdown_inline *p, struct str text)
{
	struct str line, rest = text;

	inline_init(p);
	inline_begin(p);
	while (str_split(&rest, '\n', &line))
		inline_add_line(p, line, (size_t)(line.ptr - text.ptr));
	inline_parse(p, false);
}

/* Marks a range of the parser's text. */
static void mark_ours(struct oracle *o, const struct markdown_inline *p, size_t at, size_t end, unsigned marks)
{
	for (; at < end; at++)
		if (p->text.ptr[at] != '\n')
			mark(o, inline_source(p, at), inline_source(p, at) + 1, marks);
}

struct depths {
	unsigned style[INLINE_STYLES], links, images;
	bool in_image[64];       /* for each open link: whether it is in an image */
};

static unsigned marks_of(const struct depths *d)
{
	return (d->style[INLINE_EMPHASIS] ? ORACLE_EMPHASIS : 0u) | (d->style[INLINE_STRONG] ? ORACLE_STRONG : 0u) |
		(d->style[INLINE_STRIKE] ? ORACLE_STRIKE : 0u) | (d->links > d->images ? ORACLE_LINK : 0u) | (d->images ? ORACLE_IMAGE : 0u);
}

static void mark_run(struct oracle *o, const struct markdown_inline *p, struct depths *d, const struct inline_token *token)
{
	size_t at = token->at, end = token->end;

	for (unsigned i = 0; i < INLINE_STYLES; i++) {
		at += token->closed[i] * (i == INLINE_EMPHASIS ? 1 : 2);
		end -= token->opened[i] * (i == INLINE_EMPHASIS ? 1 : 2);
		d->style[i] -= token->closed[i];
	}
	mark_ours(o, p, at, end, marks_of(d));
	for (unsigned i = 0; i < INLINE_STYLES; i++)
		d->style[i] += token->opened[i];
}

static void mark_token(struct oracle *o, const struct markdown_inline *p, struct depths *d, const struct inline_token *token)
{
	struct str inside = inline_inside(p, token);

	switch (token->kind) {
	case INLINE_ESCAPE: case INLINE_BREAK: break;
	case INLINE_CODE: mark_ours(o, p, token->inside.at, token->inside.end, marks_of(d) | ORACLE_CODE); break;
	case INLINE_DELIMITERS: mark_run(o, p, d, token); break;
	case INLINE_ADDRESS:
		mark_ours(o, p, token->inside.at, token->inside.end, marks_of(d) | ORACLE_LINK);
		buf_printf(&o->destinations, "%s%.*s\n", link_prefix(inside), STR_ARG(inside));
		break;
	case INLINE_LINK:
		d->in_image[d->links % 64] = p->text.ptr[token->at] == '!';
		d->images += d->in_image[d->links++ % 64];
		link_decode(inside, &o->destinations);
		buf_add_byte(&o->destinations, '\n');
		break;
	case INLINE_LINK_END:
		d->images -= d->in_image[--d->links % 64];
		break;
	case INLINE_ENTITY: case INLINE_MATH: case INLINE_NOTE: case INLINE_BRACKET: case INLINE_REFERENCE: case INLINE_REFERENCE_END:
		mark_ours(o, p, token->at, token->end, marks_of(d));
	}
}

void oracle_ask_ours(struct oracle *o, struct str text)
{
	struct markdown_inline p;
	struct depths d = { 0 };
	size_t at = 0;

	begin(o, text);
	parse(&p, text);
	for (size_t i = 0; i < p.token_count; i++) {
		mark_ours(o, &p, at, p.tokens[i].at, marks_of(&d));
		mark_token(o, &p, &d, &p.tokens[i]);
		at = p.tokens[i].end;
	}
	mark_ours(o, &p, at, p.end, marks_of(&d));
	inline_fini(&p);
}

/* --- comparison --- */

static void add_said(struct buf *said, const char *who, struct str text, const struct oracle *o)
{
	static const char letters[] = "#isdc@!";

	buf_printf(said, "%s:\n", who);
	for (size_t i = 0; i < text.len; i++) {
		unsigned marks = (unsigned char)o->marks.ptr[i];

		buf_add_byte(said, marks ? text.ptr[i] : '.');
		for (unsigned bit = 1; bit < 7; bit++)
			if (marks & 1u << bit)
				buf_add_byte(said, letters[bit]);
	}
	buf_printf(said, "\n%.*s", STR_ARG(buf_str(&o->destinations)));
}

static bool is_same(const struct oracle *a, const struct oracle *b, struct str text)
{
	if (!str_equal(buf_str(&a->destinations), buf_str(&b->destinations)))
		return false;
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] > ' ' && a->marks.ptr[i] != b->marks.ptr[i])
			return false;
	return true;
}

bool oracle_agrees(struct str text, struct buf *said)
{
	struct oracle theirs, ours;
	bool same = true;

	oracle_init(&theirs);
	oracle_init(&ours);
	if (oracle_ask_md4c(&theirs, text)) {
		oracle_ask_ours(&ours, text);
		same = is_same(&theirs, &ours, text);
	}
	if (!same) {
		add_said(said, "md4c", text, &theirs);
		add_said(said, "weir", text, &ours);
	}
	oracle_fini(&theirs);
	oracle_fini(&ours);
	return same;
}

/* --- known differences --- */

static bool is_punctuation(char c)
{
	return c > ' ' && c < 0x7F && !char_is_word(c);
}

static bool is_one_of(char c, const char *signs)
{
	return c && strchr(signs, c);
}

/* Finds the next unescaped run of one of the signs, and the bytes around it; false at the end. */
struct run {
	size_t at, length;
	char before, after;
};

static bool next_run(struct str text, const char *signs, struct run *run)
{
	size_t at = run->at + run->length;

	while (at < text.len && !is_one_of(text.ptr[at], signs))
		at += text.ptr[at] == '\\' ? 2 : 1;
	if (at >= text.len)
		return false;
	*run = (struct run){ .at = at, .before = at ? text.ptr[at - 1] : ' ' };
	while (at + run->length < text.len && text.ptr[at + run->length] == text.ptr[at])
		run->length++;
	run->after = at + run->length < text.len ? text.ptr[at + run->length] : ' ';
	return true;
}

static bool has_product(struct str text)
{
	for (struct run run = { 0 }; next_run(text, "*", &run); )
		if (char_is_word(run.before) && char_is_word(run.after))
			return true;
	return false;
}

static bool has_one_tilde(struct str text)
{
	for (struct run run = { 0 }; next_run(text, "~", &run); )
		if (run.length == 1)
			return true;
	return false;
}

static bool has_run_within_punctuation(struct str text)
{
	for (struct run run = { 0 }; next_run(text, "*_", &run); )
		if (is_punctuation(run.before) && is_punctuation(run.after))
			return true;
	return false;
}

/* Whether more than two runs may strike. */
static bool has_strikes(struct str text)
{
	unsigned count = 0;

	for (struct run run = { 0 }; next_run(text, "~", &run); )
		count += run.length == 2;
	return count > 2;
}

/* Whether a run that may strike stands elsewhere than between a blank and a letter. */
static bool has_strike_elsewhere(struct str text)
{
	for (struct run run = { 0 }; next_run(text, "~", &run); )
		if (run.length == 2 && (char_is_blank(run.before) == char_is_blank(run.after) || is_punctuation(run.before) || is_punctuation(run.after)))
			return true;
	return false;
}

static bool has_run_beside_wide(struct str text)
{
	for (struct run run = { 0 }; next_run(text, "*_~", &run); )
		if ((unsigned char)run.before >= 0x80 || (unsigned char)run.after >= 0x80)
			return true;
	return false;
}

static bool has(struct str text, const char *needle)
{
	return str_find(text, str_from(needle)) < text.len;
}

static bool has_control(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] < ' ' && text.ptr[i] != '\n' && text.ptr[i] != '\t')
			return true;
	return false;
}

static bool has_construct_of_ours(struct str text)
{
	return has(text, "$") || has(text, "\\(") || has(text, "\\[") || has(text, "[^") || str_has_nocase(text, STR("<br"));
}

static bool has_many_ticks(struct str text)
{
	for (struct run run = { 0 }; next_run(text, "`", &run); )
		if (run.length > 32)
			return true;
	return false;
}

static bool has_sign_in_destination(struct str text)
{
	for (size_t at; (at = str_find(text, STR("]("))) < text.len; ) {
		text = str_trim_start(str_skip(text, at + 2));
		for (at = 0; at < text.len && !char_is_blank(text.ptr[at]); at++)
			if (is_one_of(text.ptr[at], "*_`~![]<"))
				return true;
	}
	return false;
}

static bool has_blank_at_line_end(struct str text)
{
	return has(text, " \n");
}

static bool has_pointed_text(struct str text)
{
	for (size_t at; (at = str_find(text, STR("<"))) < text.len; text = str_skip(text, at + 1)) {
		struct str rest = str_skip(text, at), address;

		if (str_find(rest, STR(">")) < rest.len && !link_pointed(rest, false, &address) && (has(rest, ":") || has(rest, "@")))
			return true;
	}
	return false;
}

/* After `://`, `www.` or `@`: letters and digits with a full stop. */
static bool has_plain_host(struct str word)
{
	static const char *const signs[] = { "://", "www.", "@" };
	size_t length = 0;

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (has(word, signs[i]))
			word = str_skip(word, str_find(word, str_from(signs[i])) + strlen(signs[i]));
	while (length < word.len && (char_is_word(word.ptr[length]) || (length && word.ptr[length] == '.' && char_is_word(word.ptr[length - 1]))))
		length++;
	return has(str_head(word, length ? length - 1 : 0), ".");
}

/* Whether the word around a byte contains a character that plain addresses do not. */
static bool is_odd(struct str text, size_t at)
{
	size_t from = at, to = at;
	struct str word;

	while (from && !char_is_blank(text.ptr[from - 1]))
		from--;
	while (to < text.len && !char_is_blank(text.ptr[to]))
		to++;
	word = str_of(text.ptr + from, to - from);
	for (size_t i = 0; i < word.len; i++)
		if (!char_is_word(word.ptr[i]) && !is_one_of(word.ptr[i], ":/.@-?=%#+,"))
			return true;
	return has(word, "://") + has(word, "www.") + has(word, "@") > 1 || !has_plain_host(word);
}

static bool has_odd_address(struct str text)
{
	for (size_t at = 0; at < text.len; at++) {
		struct str rest = str_skip(text, at), address;
		size_t pointed = str_starts(rest, "<") && (!at || text.ptr[at - 1] != '\\') ? link_pointed(rest, false, &address) : 0;

		if (pointed)
			at += pointed - 1;
		else if ((str_starts(rest, "://") || str_starts(rest, "www.") || str_starts(rest, "@")) && is_odd(text, at))
			return true;
	}
	return false;
}

const struct oracle_excuse oracle_excuses[] = {
	{ "math, footnotes and line breaks are not of CommonMark", has_construct_of_ours, "$*x*$", true },
	{ "a product is no emphasis", has_product, "2*3*4", true },
	{ "a single tilde is a sign for `about`", has_one_tilde, "~5 or 6~", true },
	{ "scripts without blanks have emphasis beside their punctuation; and symbols are punctuation since CommonMark 0.31",
	  has_run_beside_wide, "\u4F60**\u597D\uFF1A**\u4E16", true },
	{ "a control character is a letter, as it is shown", has_control, "*a\f*", true },
	{ "an address may begin behind any sign, have a host without a full stop, and ends at what no address holds", has_odd_address,
	  "http://localhost/", true },
	{ "md4c knows the rule of three only for runs within words", has_run_within_punctuation, "(a **b!*!* c", false },
	{ "md4c closes the first of several `~~`", has_strikes, "~~](/e_f)word ~~!~~_", false },
	{ "md4c 0.5.3 lets `~~` begin behind and end before a blank or punctuation only, whatever is on its other side", has_strike_elsewhere, "a~~b~~c", false },
	{ "md4c knows no code between more than 32 backticks", has_many_ticks, "`````````````````````````````````a`````````````````````````````````", false },
	{ "md4c looks for signs in destinations", has_sign_in_destination, "*b [a](b*) c", false },
	{ "md4c takes no destination behind a blank at a line's end", has_blank_at_line_end, "[b]( \na)", false },
	{ "md4c takes other things than addresses for some", has_pointed_text, "<_b:c>", false },
	{ 0 },
};

const struct oracle_excuse *oracle_find_excuse(struct str text)
{
	for (const struct oracle_excuse *excuse = oracle_excuses; excuse->reason; excuse++)
		if (excuse->is_one(text))
			return excuse;
	return NULL;
}
