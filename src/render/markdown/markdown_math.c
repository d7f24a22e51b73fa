#include "render/markdown/markdown_math.h"

#include <string.h>

#include "base/utf8.h"

#define DEPTH 24
#define PIECE_LIMIT 65536

struct math {
	struct str rest;
	unsigned depth;
	bool open;
};

static bool read_until(struct math *math, char end, struct buf *out);
static bool read_one(struct math *math, struct buf *out);

static void skip_math_blanks(struct math *math)
{
	math->rest = str_trim_start(math->rest);
}

static bool next_is(const struct math *math, char c)
{
	return math->rest.len && math->rest.ptr[0] == c;
}

/* Reads `{...}` or one unit. */
static bool read_argument(struct math *math, struct buf *out)
{
	skip_math_blanks(math);
	if (!math->rest.len)
		return math->open;
	if (next_is(math, '_') || next_is(math, '^'))
		return false;
	if (!next_is(math, '{'))
		return read_one(math, out);
	math->rest = str_skip(math->rest, 1);
	return read_until(math, '}', out);
}

/* Takes the bytes between braces unchanged. */
static bool take_raw(struct math *math, struct str *raw)
{
	size_t depth = 0, i;

	skip_math_blanks(math);
	if (!next_is(math, '{'))
		return false;
	for (i = 0; i < math->rest.len; i++) {
		if (math->rest.ptr[i] == '{')
			depth++;
		else if (math->rest.ptr[i] == '}' && --depth == 0)
			break;
	}
	if (i == math->rest.len && !math->open)
		return false;
	*raw = str_of(math->rest.ptr + 1, i - 1);
	math->rest = str_skip(math->rest, i + 1);
	return true;
}

/* --- scripts, fractions, roots --- */

static bool in_alphabet(struct str text, enum math_alphabet alphabet, struct buf *out)
{
	while (text.len) {
		uint32_t code = utf8_next(&text);
		const char *letter = math_letter(alphabet, code);

		if (code == ' ')
			continue;
		if (!letter)
			return false;
		buf_add_z(out, letter);
	}
	return true;
}

/* Adds a script as raised or lowered letters if all exist; else after its sign. */
static void add_script(struct str text, char sign, struct buf *out)
{
	struct buf letters;

	buf_init(&letters, PIECE_LIMIT);
	if (in_alphabet(text, sign == '^' ? MATH_SUPERSCRIPT : MATH_SUBSCRIPT, &letters)) {
		buf_add(out, buf_str(&letters));
	} else {
		bool many = utf8_count(text) > 1;

		buf_add_byte(out, sign);
		buf_add_z(out, many ? "(" : "");
		buf_add(out, text);
		buf_add_z(out, many ? ")" : "");
	}
	buf_fini(&letters);
}

static bool read_script(struct math *math, char sign, struct buf *out)
{
	struct buf piece;
	bool ok;

	buf_init(&piece, PIECE_LIMIT);
	ok = read_argument(math, &piece);
	if (ok)
		add_script(str_trim(buf_str(&piece)), sign, out);
	buf_fini(&piece);
	return ok;
}

/* Adds an operand, in parentheses unless it is a number, a letter or a name. */
static void add_operand(struct str text, struct buf *out)
{
	bool simple = true;

	text = str_trim(text);
	for (size_t i = 0; i < text.len; i++)
		if (!char_is_word(text.ptr[i]) && !(text.ptr[i] & 0x80) && text.ptr[i] != '.')
			simple = false;
	buf_add_z(out, simple ? "" : "(");
	buf_add(out, text);
	buf_add_z(out, simple ? "" : ")");
}

static bool read_operand(struct math *math, struct buf *out)
{
	struct buf piece;
	bool ok;

	buf_init(&piece, PIECE_LIMIT);
	ok = read_argument(math, &piece);
	if (ok)
		add_operand(buf_str(&piece), out);
	buf_fini(&piece);
	return ok;
}

static bool read_fraction(struct math *math, struct buf *out)
{
	if (!read_operand(math, out))
		return false;
	if (math->open && (!math->rest.len || str_is(math->rest, "{")))
		return true;
	return buf_add_byte(out, '/') && read_operand(math, out);
}

static bool read_binomial(struct math *math, struct buf *out)
{
	return buf_add_z(out, "C(") && read_argument(math, out) && buf_add_z(out, ", ") && read_argument(math, out) && buf_add_byte(out, ')');
}

static bool read_root(struct math *math, struct buf *out)
{
	struct buf index;
	bool ok = true;

	buf_init(&index, PIECE_LIMIT);
	if (next_is(math, '[')) {
		math->rest = str_skip(math->rest, 1);
		ok = read_until(math, ']', &index) && in_alphabet(buf_str(&index), MATH_SUPERSCRIPT, out);
	}
	buf_fini(&index);
	return ok && buf_add_z(out, "\u221A") && read_operand(math, out);
}

/* --- letters --- */

static bool read_text(struct math *math, struct buf *out)
{
	struct str raw;

	return take_raw(math, &raw) && !memchr(raw.len ? raw.ptr : "", '\\', raw.len) && !memchr(raw.len ? raw.ptr : "", '$', raw.len) &&
		buf_add(out, raw);
}

static bool read_blackboard(struct math *math, struct buf *out)
{
	struct str raw;

	return take_raw(math, &raw) && in_alphabet(raw, MATH_BLACKBOARD, out);
}

/* Adds a mark to a single letter. */
static bool read_accent(struct math *math, const char *mark, struct buf *out)
{
	struct buf piece;
	bool ok;

	buf_init(&piece, PIECE_LIMIT);
	ok = read_argument(math, &piece) && utf8_count(buf_str(&piece)) == 1;
	if (ok)
		buf_add(out, buf_str(&piece));
	buf_fini(&piece);
	return ok && buf_add_z(out, mark);
}

/* --- environments --- */

static const struct environment {
	const char *name, *left, *right;
} environments[] = {
	{ "pmatrix", "( ", " )" }, { "bmatrix", "[ ", " ]" }, { "vmatrix", "| ", " |" }, { "Bmatrix", "{ ", " }" }, { "matrix", "", "" },
	{ "smallmatrix", "", "" }, { "cases", "{ ", "" }, { "aligned", "", "" }, { "align", "", "" }, { "align*", "", "" }, { "equation", "", "" },
	{ "equation*", "", "" }, { "gather", "", "" }, { "gather*", "", "" }, { "gathered", "", "" }, { "split", "", "" },
};

/* Columns of the last line so far. */
static unsigned last_columns(const struct buf *out)
{
	size_t start = out->len;

	while (start && out->ptr[start - 1] != '\n')
		start--;
	return (unsigned)utf8_width(str_skip(buf_str(out), start));
}

static void add_blanks(struct buf *out, size_t columns)
{
	while (columns--)
		buf_add_byte(out, ' ');
}

/* Adds the rows of an environment below each other, between its delimiters. */
static void add_rows(struct str rows, const struct environment *environment, struct buf *out)
{
	unsigned indent = last_columns(out);
	size_t widest = 0;
	struct str rest = rows, row;
	bool first = true;

	while (str_split(&rest, '\n', &row)) {
		size_t width = utf8_width(str_trim(row));

		widest = width > widest ? width : widest;
	}
	while (str_split(&rows, '\n', &row)) {
		row = str_trim(row);
		if (!row.len)
			continue;
		if (!first) {
			buf_add_byte(out, '\n');
			add_blanks(out, indent);
		}
		first = false;
		buf_add_z(out, environment->left);
		buf_add(out, row);
		if (*environment->right)
			add_blanks(out, widest - utf8_width(row));
		buf_add_z(out, environment->right);
	}
}

static bool read_environment(struct math *math, struct buf *out)
{
	const struct environment *environment = NULL;
	struct str name, inside;
	char end[32];
	struct math within;
	struct buf rows;
	bool ok;

	if (!take_raw(math, &name) || name.len > 12)
		return false;
	for (size_t i = 0; i < sizeof environments / sizeof *environments; i++)
		if (str_is(name, environments[i].name))
			environment = &environments[i];
	memcpy(end, "\\end{", 5);
	memcpy(end + 5, name.ptr, name.len);
	end[5 + name.len] = '}';
	inside = str_head(math->rest, str_find(math->rest, str_of(end, name.len + 6)));
	if (!environment || (inside.len == math->rest.len && !math->open))
		return false;
	math->rest = str_skip(math->rest, inside.len + name.len + 6);
	within = (struct math){ .rest = inside, .depth = math->depth, .open = math->open };
	buf_init(&rows, PIECE_LIMIT);
	ok = read_until(&within, '\0', &rows);
	if (ok)
		add_rows(buf_str(&rows), environment, out);
	buf_fini(&rows);
	return ok;
}

static bool read_modulus(struct math *math, struct buf *out)
{
	return buf_add_z(out, "(mod ") && read_argument(math, out) && buf_add_byte(out, ')');
}

/* --- commands --- */

static const struct command {
	const char *name;
	bool (*read)(struct math *math, struct buf *out);
} commands[] = {
	{ "frac", read_fraction }, { "dfrac", read_fraction }, { "tfrac", read_fraction }, { "cfrac", read_fraction }, { "binom", read_binomial },
	{ "sqrt", read_root }, { "text", read_text }, { "textbf", read_text }, { "textit", read_text }, { "textrm", read_text },
	{ "mbox", read_text }, { "operatorname", read_argument }, { "mathrm", read_argument }, { "mathbf", read_argument },
	{ "mathit", read_argument },
	{ "mathsf", read_argument }, { "mathcal", read_argument }, { "mathscr", read_argument }, { "mathfrak", read_argument },
	{ "boldsymbol", read_argument }, { "bm", read_argument }, { "mathbb", read_blackboard }, { "boxed", read_argument }, { "pmod", read_modulus },
	{ "begin", read_environment },
};

static const struct accent {
	const char *name, *mark;
} accents[] = {
	{ "hat", "\u0302" }, { "widehat", "\u0302" }, { "bar", "\u0304" }, { "overline", "\u0304" }, { "vec", "\u20D7" },
	{ "tilde", "\u0303" }, { "widetilde", "\u0303" }, { "dot", "\u0307" }, { "ddot", "\u0308" }, { "acute", "\u0301" },
	{ "grave", "\u0300" }, { "check", "\u030C" }, { "underline", "\u0332" }, { "not", "\u0338" },
};

static bool read_named_command(struct math *math, struct str name, struct buf *out)
{
	const char *symbol = math_symbol(name);

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (str_is(name, commands[i].name))
			return commands[i].read(math, out);
	for (size_t i = 0; i < sizeof accents / sizeof *accents; i++)
		if (str_is(name, accents[i].name))
			return read_accent(math, accents[i].mark, out);
	if (!symbol)
		return false;
	/* `.` after a delimiter's size: no delimiter */
	if ((str_is(name, "left") || str_is(name, "right")) && next_is(math, '.'))
		math->rest = str_skip(math->rest, 1);
	return buf_add_z(out, symbol);
}

static bool read_command(struct math *math, struct buf *out)
{
	static const struct { char sign; const char *text; } signs[] = {
		{ ',', "" }, { ';', " " }, { ':', " " }, { ' ', " " }, { '!', "" }, { '>', " " }, { '{', "{" }, { '}', "}" }, { '%', "%" },
		{ '$', "$" }, { '&', "&" }, { '#', "#" }, { '_', "_" }, { '|', "\u2016" }, { '\\', "\n" }, { '\n', " " },
	};
	size_t length = 0;

	while (length < math->rest.len && ((math->rest.ptr[length] >= 'a' && math->rest.ptr[length] <= 'z') ||
	                                   (math->rest.ptr[length] >= 'A' && math->rest.ptr[length] <= 'Z')))
		length++;
	if (length) {
		struct str name = str_head(math->rest, length);

		math->rest = str_skip(math->rest, length);
		if (math->open && !math->rest.len)
			return true;
		return read_named_command(math, name, out);
	}
	for (size_t i = 0; math->rest.len && i < sizeof signs / sizeof *signs; i++) {
		if (!next_is(math, signs[i].sign))
			continue;
		math->rest = str_skip(math->rest, 1);
		return buf_add_z(out, signs[i].text);
	}
	return math->open && !math->rest.len;
}

static bool add_blank(struct buf *out)
{
	return !out->len || char_is_blank(out->ptr[out->len - 1]) || buf_add_byte(out, ' ');
}

/* Reads one unit: a letter, a command, a group, a script. */
static bool read_one(struct math *math, struct buf *out)
{
	char first = math->rest.ptr[0];
	struct str before = math->rest;
	bool ok;

	if (math->depth >= DEPTH)
		return false;
	math->depth++;
	utf8_next(&math->rest);
	if (first == '\\')
		ok = read_command(math, out);
	else if (first == '{')
		ok = read_until(math, '}', out);
	else if (first == '^' || first == '_')
		ok = read_script(math, first, out);
	else if (char_is_blank(first) || first == '~' || first == '&')
		ok = add_blank(out);
	else if (first == '\'')
		ok = buf_add_z(out, "\u2032");
	else if (first == '-')
		ok = buf_add_z(out, "\u2212");
	else
		ok = first != '}' && first != '$' && first != '#' && first != '%' && buf_add(out, str_head(before, before.len - math->rest.len));
	math->depth--;
	return ok;
}

/* Reads up to the closing sign, or the end of the text. */
static bool read_until(struct math *math, char end, struct buf *out)
{
	while (math->rest.len) {
		if (end && next_is(math, end)) {
			math->rest = str_skip(math->rest, 1);
			return true;
		}
		if (!read_one(math, out))
			return false;
	}
	return !end || math->open;
}

bool math_to_text(struct str tex, bool open, struct buf *out)
{
	struct math math = { .rest = str_trim(tex), .open = open };
	size_t before = out->len;

	if (tex.len > PIECE_LIMIT / 4 || !read_until(&math, '\0', out) || out->len == before)
		return false;
	return true;
}
