#include "render/markdown_inline.h"

#include <md4c.h>
#include <string.h>

#include "base/mem.h"
#include "render/markdown_math.h"

#define DESTINATION_LIMIT 8192
#define PREFIX "# " /* a heading: md4c looks for nothing but inline signs in it */

void inline_init(struct markdown_inline *parser)
{
	*parser = (struct markdown_inline){ 0 };
	shadow_init(&parser->shadow);
	buf_init(&parser->scratch, 1 << 16);
	for (size_t i = 0; i < sizeof parser->links / sizeof *parser->links; i++)
		buf_init(&parser->links[i].destination, DESTINATION_LIMIT);
}

void inline_fini(struct markdown_inline *parser)
{
	shadow_fini(&parser->shadow);
	mem_free(parser->pieces);
	buf_fini(&parser->scratch);
	for (size_t i = 0; i < sizeof parser->links / sizeof *parser->links; i++)
		buf_fini(&parser->links[i].destination);
}

void inline_begin(struct markdown_inline *parser)
{
	shadow_begin(&parser->shadow, STR(PREFIX));
}

void inline_add_line(struct markdown_inline *parser, struct str line, size_t source)
{
	shadow_add_line(&parser->shadow, line, source);
}

/* --- styles --- */

static struct strip_style style_of(const struct markdown_inline *parser)
{
	struct strip_style style = parser->base;

	if (parser->strong)
		style.attributes |= STYLE_BOLD;
	if (parser->emphasis)
		style.attributes |= STYLE_ITALIC;
	if (parser->struck)
		style.attributes |= STYLE_STRIKE;
	if (parser->link_depth) {
		style.role = ROLE_LINK;
		style.attributes |= STYLE_UNDERLINE;
		style.link = parser->link;
	}
	if (parser->code)
		style.role = ROLE_CODE_WORD;
	return style;
}

/* The piece of a reference that holds a byte of the source, or where the next one begins; NULL beyond the last. */
static const struct inline_piece *piece_at(struct markdown_inline *parser, size_t source)
{
	while (parser->piece < parser->piece_count && parser->pieces[parser->piece].to <= source)
		parser->piece++;
	return parser->piece < parser->piece_count ? &parser->pieces[parser->piece] : NULL;
}

static struct strip_style style_in(const struct markdown_inline *parser, const struct inline_piece *piece)
{
	struct strip_style style = style_of(parser);

	if (parser->link_depth)
		return style;
	style.role = parser->code ? ROLE_CODE_WORD : piece->role;
	style.link = piece->link;
	if (piece->role == ROLE_LINK)
		style.attributes |= STYLE_UNDERLINE;
	return style;
}

static void show(struct markdown_inline *parser, struct str text, size_t source, bool exact)
{
	while (text.len) {
		const struct inline_piece *piece = piece_at(parser, source);
		bool inside = piece && piece->from <= source;
		size_t length = !exact || !piece ? text.len : (inside ? piece->to : piece->from) - source;

		strip_add(parser->strip, str_head(text, length), inside ? style_in(parser, piece) : style_of(parser), source, exact);
		text = str_skip(text, length);
		parser->source = source = exact ? source + length : source;
	}
}

/* --- text --- */

/* `\|` in the code of a cell is a bar. */
static void show_code_of_cell(struct markdown_inline *parser, struct str text, size_t source)
{
	while (text.len) {
		size_t at = str_find(text, STR("\\|"));

		show(parser, str_head(text, at), source, true);
		if (at < text.len)
			at++;
		source += at;
		text = str_skip(text, at);
		if (str_starts(text, "|")) {
			show(parser, STR("|"), source, true);
			source++;
			text = str_skip(text, 1);
		}
	}
}

/* The number of a footnote is raised; another label stays as it is. */
static void show_note(struct markdown_inline *parser, struct str text, size_t source)
{
	struct strip_style style = style_of(parser);
	size_t digits = line_note_digits(text);

	style.role = ROLE_ACCENT;
	buf_clear(&parser->scratch);
	for (size_t i = 0; i < digits; i++)
		buf_add_z(&parser->scratch, math_letter(MATH_SUPERSCRIPT, (uint32_t)text.ptr[2 + i]));
	strip_add(parser->strip, digits ? buf_str(&parser->scratch) : text, style, source, !digits);
	parser->source = source + text.len;
}

static void show_range(struct markdown_inline *parser, const struct shadow_range *range, struct str text, size_t source)
{
	struct strip_style style = style_of(parser);
	unsigned end = 0;
	struct str inside;

	if (range->kind == SHADOW_BREAK) {
		strip_end_line(parser->strip, source);
		return;
	}
	if (range->kind == SHADOW_NOTE) {
		show_note(parser, text, source);
		return;
	}
	style.role = ROLE_MATH;
	if (text.len >= 2 * range->sign && (range->sign == 1 ? str_ends(text, "$") : str_ends(text, "$$") || str_ends(text, "\\)") || str_ends(text, "\\]")))
		end = range->sign;
	inside = str_skip(str_head(text, text.len - end), range->sign);
	buf_clear(&parser->scratch);
	if (math_to_text(inside, !end, &parser->scratch) && !memchr(buf_z(&parser->scratch), '\n', parser->scratch.len))
		strip_add(parser->strip, buf_str(&parser->scratch), style, source, false);
	else
		strip_add(parser->strip, text, style, source, true);
	parser->source = source + text.len;
}

/* A backslash in front of a line end says that it is one. */
static void drop_backslash(struct markdown_inline *parser, const struct shadow_line *line)
{
	struct strip *strip = parser->strip;

	if (!str_ends(line->text, "\\") || str_ends(line->text, "\\\\") || !str_ends(buf_str(&strip->text), "\\") || parser->code)
		return;
	strip->text.len--;
	if (strip->count && strip->runs[strip->count - 1].at >= strip->text.len)
		strip->count--;
}

/* A part of one line of the shadow, [at, end). */
static void show_part(struct markdown_inline *parser, const struct shadow_line *line, size_t at, size_t end)
{
	const struct shadow *shadow = &parser->shadow;

	while (at < end) {
		const struct shadow_range *range = parser->range < shadow->range_count ? &shadow->ranges[parser->range] : NULL;
		size_t to = range && range->at < end ? range->at : end, offset = at - line->at;

		if (range && range->at + range->length <= at) {
			parser->range++;
			continue;
		}
		if (to > at && parser->code && parser->cell)
			show_code_of_cell(parser, str_of(line->text.ptr + offset, to - at), line->source + offset);
		else if (to > at)
			show(parser, str_of(line->text.ptr + offset, to - at), line->source + offset, true);
		if (to == end)
			return;
		at = range->at + range->length;
		offset = range->at - line->at;
		show_range(parser, range, str_of(line->text.ptr + offset, range->length), line->source + offset);
		parser->range++;
	}
}

/* The text of the shadow's bytes [at, end), line by line. */
static void show_shadow(struct markdown_inline *parser, size_t at, size_t end)
{
	const struct shadow *shadow = &parser->shadow;

	if (end > shadow->end)
		end = shadow->end;
	parser->shown = end;
	for (size_t i = shadow_line_of(shadow, at); at < end && i < shadow->line_count; i++) {
		const struct shadow_line *line = &shadow->lines[i];
		size_t line_end = line->at + line->text.len;

		if (at < line_end)
			show_part(parser, line, at, end < line_end ? end : line_end);
		if (end > line_end && line_end < shadow->end) {
			drop_backslash(parser, line);
			strip_end_line(parser->strip, line->source + line->text.len);
		}
		at = line_end + 1;
	}
}

/* --- entities --- */

static const struct entity {
	const char *name, *text;
} entities[] = {
	{ "amp", "&" }, { "lt", "<" }, { "gt", ">" }, { "quot", "\"" }, { "apos", "'" }, { "nbsp", "\xC2\xA0" }, { "copy", "\xC2\xA9" },
	{ "reg", "\xC2\xAE" }, { "deg", "\xC2\xB0" }, { "plusmn", "\xC2\xB1" }, { "micro", "\xC2\xB5" }, { "middot", "\xC2\xB7" },
	{ "frac12", "\xC2\xBD" }, { "times", "\xC3\x97" }, { "divide", "\xC3\xB7" }, { "laquo", "\xC2\xAB" }, { "raquo", "\xC2\xBB" },
	{ "sect", "\xC2\xA7" }, { "para", "\xC2\xB6" }, { "cent", "\xC2\xA2" }, { "pound", "\xC2\xA3" }, { "yen", "\xC2\xA5" },
	{ "euro", "\xE2\x82\xAC" }, { "trade", "\xE2\x84\xA2" }, { "hellip", "\xE2\x80\xA6" }, { "ndash", "\xE2\x80\x93" },
	{ "mdash", "\xE2\x80\x94" }, { "lsquo", "\xE2\x80\x98" }, { "rsquo", "\xE2\x80\x99" }, { "ldquo", "\xE2\x80\x9C" },
	{ "rdquo", "\xE2\x80\x9D" }, { "bull", "\xE2\x80\xA2" }, { "larr", "\xE2\x86\x90" }, { "uarr", "\xE2\x86\x91" },
	{ "rarr", "\xE2\x86\x92" }, { "darr", "\xE2\x86\x93" }, { "harr", "\xE2\x86\x94" }, { "rArr", "\xE2\x87\x92" },
	{ "le", "\xE2\x89\xA4" }, { "ge", "\xE2\x89\xA5" }, { "ne", "\xE2\x89\xA0" }, { "infin", "\xE2\x88\x9E" },
	{ "minus", "\xE2\x88\x92" }, { "sum", "\xE2\x88\x91" }, { "radic", "\xE2\x88\x9A" }, { "check", "\xE2\x9C\x93" },
};

static uint32_t entity_code(struct str digits)
{
	uint32_t base = 10, code = 0;

	if (str_starts(digits, "x") || str_starts(digits, "X")) {
		base = 16;
		digits = str_skip(digits, 1);
	}
	for (size_t i = 0; i < digits.len && code < 0x110000; i++) {
		char c = (char)(digits.ptr[i] | 0x20);

		code = code * base + (uint32_t)(c >= 'a' ? c - 'a' + 10 : digits.ptr[i] - '0');
	}
	return code;
}

/* `&...;` as text; what is not known stays as it is. */
static void add_entity(struct buf *out, struct str entity)
{
	struct str name = str_of(entity.ptr + 1, entity.len - 2);
	char encoded[4];

	if (str_starts(name, "#")) {
		uint32_t code = entity_code(str_skip(name, 1));

		if (!code || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
			code = UTF8_REPLACEMENT;
		buf_add(out, str_of(encoded, utf8_put(encoded, code)));
		return;
	}
	for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
		if (str_is(name, entities[i].name)) {
			buf_add_z(out, entities[i].text);
			return;
		}
	}
	buf_add(out, entity);
}

/* --- links --- */

/* The bytes of the source that a piece of the shadow stands for: the shadow itself but where it lies. */
static void add_destination(struct markdown_inline *parser, struct buf *out, const char *ptr, size_t size)
{
	const struct shadow *shadow = &parser->shadow;
	size_t at;

	if (ptr < shadow->text.ptr || ptr >= shadow->text.ptr + shadow->text.len) {
		buf_add(out, str_of(ptr, size));
		return;
	}
	at = (size_t)(ptr - shadow->text.ptr);
	/* Of a link that was closed for the time being only a part is there. */
	if (at + size < shadow->end || (at + size == shadow->end && shadow->text.ptr[at + size] != ')')) {
		const struct shadow_line *line = &shadow->lines[shadow_line_of(shadow, at)];
		size_t offset = at - line->at;

		if (offset + size <= line->text.len)
			buf_add(out, str_of(line->text.ptr + offset, size));
	}
}

static void read_destination(struct markdown_inline *parser, struct buf *out, const MD_ATTRIBUTE *attribute)
{
	buf_clear(out);
	if (!attribute->text || attribute->size > DESTINATION_LIMIT)
		return;
	for (unsigned i = 0; attribute->substr_offsets[i] < attribute->size; i++) {
		struct str piece = str_of(attribute->text + attribute->substr_offsets[i],
			attribute->substr_offsets[i + 1] - attribute->substr_offsets[i]);

		if (attribute->substr_types[i] == MD_TEXT_ENTITY && piece.len > 2)
			add_entity(out, piece);
		else
			add_destination(parser, out, piece.ptr, piece.len);
	}
}

bool inline_is_address(struct str destination)
{
	static const char *const schemes[] = { "http://", "https://", "mailto:", "file://" };

	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (str_is_nocase(str_head(destination, strlen(schemes[i])), schemes[i]))
			return true;
	return false;
}

static struct str up_to(struct str text, const char *signs)
{
	size_t length = 0;

	while (length < text.len && !strchr(signs, text.ptr[length]))
		length++;
	return str_head(text, length);
}

/*
 * What stands where a host is looked for. Where a name or a backslash stands before it (https://e.org:x@evil.org) it is all of that:
 * programs differ in which part they take for the host.
 */
static struct str host_of(struct str address)
{
	size_t at = str_find(address, STR("://"));

	if (at < address.len)
		address = str_skip(address, at + 3);
	else if (str_starts(address, "mailto:"))
		address = str_skip(address, 7);
	address = up_to(address, "/?# ");
	if (up_to(address, "@\\").len == address.len)
		address = up_to(address, ":");
	return str_starts(address, "www.") ? str_skip(address, 4) : address;
}

/* Whether the text looks like an address that is not where the link leads. */
static bool deceives(struct str text, struct str destination)
{
	struct str host = host_of(text), real = host_of(destination);
	size_t dot = str_find(host, STR("."));

	if (str_find(text, STR(" ")) < text.len || dot == 0 || dot + 2 >= host.len)
		return false;
	return host.len != real.len || !str_has_nocase(host, real);
}

static void enter_link(struct markdown_inline *parser, const MD_ATTRIBUTE *destination)
{
	struct inline_link *link;

	if (parser->link_depth == sizeof parser->links / sizeof *parser->links)
		return;
	link = &parser->links[parser->link_depth++];
	link->text = parser->strip->text.len;
	link->outer = parser->link;
	read_destination(parser, &link->destination, destination);
	if (inline_is_address(buf_str(&link->destination)))
		parser->link = md_page_link(parser->page, buf_str(&link->destination));
}

/* Says where a link leads when its text does not or says something else. */
static void leave_link(struct markdown_inline *parser)
{
	struct inline_link *link;
	struct str text, destination;

	if (!parser->link_depth)
		return;
	link = &parser->links[parser->link_depth - 1];
	destination = buf_str(&link->destination);
	text = str_skip(buf_str(&parser->strip->text), link->text);
	if (!text.len) {
		show(parser, destination, parser->source, false);
	} else if (destination.len && !str_equal(text, destination) && (!inline_is_address(destination) || deceives(text, destination))) {
		struct strip_style style = { .role = ROLE_MUTED };

		strip_add(parser->strip, STR(" ("), style, parser->source, false);
		strip_add(parser->strip, destination, style, parser->source, false);
		strip_add(parser->strip, STR(")"), style, parser->source, false);
	}
	parser->link = link->outer;
	parser->link_depth--;
}

/* --- references --- */

/* The offset in the source of an offset in the shadow. */
static size_t source_of(const struct shadow *shadow, size_t at)
{
	const struct shadow_line *line = &shadow->lines[shadow_line_of(shadow, at)];

	return line->source + (at - line->at);
}

static void add_piece(struct markdown_inline *parser, size_t at, size_t end, uint8_t role, uint16_t link)
{
	const struct shadow *shadow = &parser->shadow;

	mem_reserve(&parser->pieces, &parser->piece_capacity, parser->piece_count + 1, sizeof *parser->pieces);
	parser->pieces[parser->piece_count++] = (struct inline_piece){
		.from = source_of(shadow, at), .to = source_of(shadow, end), .role = role, .link = link };
}

/* Finds which references lead somewhere. What looks like an address and leads to another one stays text. */
static void resolve_references(struct markdown_inline *parser)
{
	const struct shadow *shadow = &parser->shadow;

	parser->piece = parser->piece_count = 0;
	if (!shadow->plain && shadow->reference_count)
		parser->page->refers = true;
	for (size_t i = 0; !shadow->plain && i < shadow->reference_count; i++) {
		const struct shadow_reference *reference = &shadow->references[i];
		size_t text = source_of(shadow, reference->at + 1), close = source_of(shadow, reference->close);
		struct str label = str_of(parser->document.ptr + source_of(shadow, reference->label), reference->label_length), destination;
		uint16_t link = 0;

		if (!parser->definitions || !definitions_find(parser->definitions, parser->definition_count, parser->document, label, &destination) ||
		    deceives(str_of(parser->document.ptr + text, close - text), destination))
			continue;
		if (inline_is_address(destination))
			link = md_page_link(parser->page, destination);
		add_piece(parser, reference->at, reference->at + 1, ROLE_MUTED, 0);
		add_piece(parser, reference->at + 1, reference->close, ROLE_LINK, link);
		add_piece(parser, reference->close, reference->end, ROLE_MUTED, 0);
	}
	/* md4c takes it for one once its host is complete. */
	if (shadow->address < shadow->end)
		add_piece(parser, shadow->address, shadow->end, ROLE_LINK, 0);
}

size_t inline_settled(const struct markdown_inline *parser)
{
	const struct shadow *shadow = &parser->shadow;
	const struct shadow_line *line;

	if (!shadow->line_count)
		return 0;
	line = &shadow->lines[shadow_line_of(shadow, shadow->settled)];
	return shadow->settled > line->at ? line->source + (shadow->settled - line->at) : 0;
}

/* --- md4c --- */

static int on_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	(void)type, (void)detail, (void)ctx;
	return 0;
}

/* md4c leaves emphasis that it never entered, when that began within an address: its sign is text there, and so is this one. */
static void count(struct markdown_inline *parser, unsigned *depth, bool enter, size_t signs)
{
	struct str rest = str_skip(buf_str(&parser->shadow.text), parser->shown);

	if (enter)
		++*depth;
	else if (*depth)
		--*depth;
	else if (parser->shown < parser->shadow.end && (str_starts(rest, "*") || str_starts(rest, "_")))
		show(parser, str_head(rest, signs), parser->source, true);
}

static void change(struct markdown_inline *parser, MD_SPANTYPE type, void *detail, bool enter)
{
	switch (type) {
	case MD_SPAN_EM: count(parser, &parser->emphasis, enter, 1); break;
	case MD_SPAN_STRONG: count(parser, &parser->strong, enter, 2); break;
	case MD_SPAN_CODE: parser->code = enter; break;
	case MD_SPAN_DEL:
		/* Few terminals strike through: the signs stay, so that it can be read without that. */
		parser->struck += enter;
		if (enter || parser->shown < parser->shadow.end) /* behind an open text it has not come yet */
			show(parser, STR("~~"), parser->source, false);
		parser->struck -= !enter && parser->struck;
		break;
	case MD_SPAN_A:
	case MD_SPAN_IMG:
		if (enter)
			enter_link(parser, type == MD_SPAN_A ? &((MD_SPAN_A_DETAIL *)detail)->href : &((MD_SPAN_IMG_DETAIL *)detail)->src);
		else
			leave_link(parser);
		break;
	case MD_SPAN_LATEXMATH:
	case MD_SPAN_LATEXMATH_DISPLAY:
	case MD_SPAN_WIKILINK:
	case MD_SPAN_U:
		break;
	}
}

static int on_enter(MD_SPANTYPE type, void *detail, void *ctx)
{
	change(ctx, type, detail, true);
	return 0;
}

static int on_leave(MD_SPANTYPE type, void *detail, void *ctx)
{
	change(ctx, type, detail, false);
	return 0;
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *ptr, MD_SIZE size, void *ctx)
{
	struct markdown_inline *parser = ctx;
	const struct buf *text = &parser->shadow.text;
	struct str piece = str_of(ptr, size);

	if (ptr < text->ptr || ptr >= text->ptr + text->len) {
		show(parser, piece, parser->source, false);
	} else if (type == MD_TEXT_ENTITY && size > 2) {
		size_t at = (size_t)(ptr - text->ptr);
		const struct shadow_line *line = &parser->shadow.lines[shadow_line_of(&parser->shadow, at)];

		buf_clear(&parser->scratch);
		add_entity(&parser->scratch, piece);
		show(parser, buf_str(&parser->scratch), line->source + (at - line->at), false);
	} else {
		show_shadow(parser, (size_t)(ptr - text->ptr), (size_t)(ptr - text->ptr) + size);
	}
	return 0;
}

void inline_end(struct markdown_inline *parser, struct strip *strip, struct markdown_page *page, struct strip_style base, bool open, bool cell)
{
	static const MD_PARSER md4c = {
		.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS |
			MD_FLAG_PERMISSIVEAUTOLINKS,
		.enter_block = on_block, .leave_block = on_block, .enter_span = on_enter, .leave_span = on_leave, .text = on_text,
	};
	struct shadow *shadow = &parser->shadow;

	shadow_end(shadow, open);
	parser->strip = strip;
	parser->page = page;
	parser->base = base;
	parser->strong = parser->emphasis = parser->struck = parser->link_depth = 0;
	parser->code = false;
	parser->cell = cell;
	parser->link = 0;
	parser->range = parser->shown = 0;
	parser->source = shadow->line_count ? shadow->lines[0].source : 0;
	resolve_references(parser);
	if (shadow->plain)
		show_shadow(parser, shadow->line_count ? shadow->lines[0].at : 0, shadow->end);
	else
		md_parse(shadow->text.ptr, (MD_SIZE)shadow->text.len, &md4c, parser);
}
