#include "render/markdown/markdown_write.h"

#include <string.h>

#include "base/mem.h"
#include "render/markdown/markdown_entity.h"
#include "render/markdown/markdown_link.h"
#include "render/markdown/markdown_math.h"

#define DESTINATIONS_LIMIT (1 << 16)

void writer_init(struct inline_writer *w)
{
	*w = (struct inline_writer){ 0 };
	buf_init(&w->destinations, DESTINATIONS_LIMIT);
	buf_init(&w->scratch, 1 << 16);
}

void writer_fini(struct inline_writer *w)
{
	buf_fini(&w->destinations);
	buf_fini(&w->scratch);
	mem_free(w->links);
}

/* --- text --- */

static struct strip_style style_of(const struct inline_writer *w)
{
	struct strip_style style = w->base;

	if (w->depth[INLINE_STRONG])
		style.attributes |= STYLE_BOLD;
	if (w->depth[INLINE_EMPHASIS])
		style.attributes |= STYLE_ITALIC;
	if (w->depth[INLINE_STRIKE])
		style.attributes |= STYLE_STRIKE;
	if (w->link_count || w->part == WRITE_REFERENCE) {
		style.role = ROLE_LINK;
		style.attributes |= STYLE_UNDERLINE;
		style.link = w->link_count ? w->link : w->reference;
	} else if (w->part == WRITE_LABEL) {
		style.role = ROLE_MUTED;
	}
	if (w->code)
		style.role = ROLE_CODE_WORD;
	return style;
}

/* Adds text that differs from its source. */
static void add_replacement(struct inline_writer *w, struct str shown, struct strip_style style, size_t at)
{
	strip_add(w->strip, shown, style, inline_source(w->parser, at), false);
}

static void add_exact(struct inline_writer *w, size_t at, size_t end, struct strip_style style)
{
	strip_add(w->strip, inline_text(w->parser, at, end), style, inline_source(w->parser, at), true);
}

/* Adds a part of one line, which may contain the end of a reference's label. */
static void add_line_part(struct inline_writer *w, size_t at, size_t end)
{
	if (w->part == WRITE_LABEL && w->label_end < end) {
		size_t label_end = w->label_end > at ? w->label_end : at;

		add_exact(w, at, label_end, style_of(w));
		w->part = WRITE_TEXT;
		at = label_end;
	}
	add_exact(w, at, end, style_of(w));
}

static void add_inline_text(struct inline_writer *w, size_t at, size_t end)
{
	while (at < end) {
		size_t length = str_find(inline_text(w->parser, at, end), STR("\n"));

		add_line_part(w, at, at + length);
		at += length;
		if (at < end)
			strip_end_line(w->strip, inline_source(w->parser, at++));
	}
}

static void write_inline_text(struct inline_writer *w, const struct inline_token *token)
{
	add_inline_text(w, token->at, token->end);
}

static void write_break(struct inline_writer *w, const struct inline_token *token)
{
	strip_end_line(w->strip, inline_source(w->parser, token->at));
}

static void write_entity(struct inline_writer *w, const struct inline_token *token)
{
	buf_clear(&w->scratch);
	entity_read(inline_text(w->parser, token->at, token->end), &w->scratch);
	add_replacement(w, buf_str(&w->scratch), style_of(w), token->at);
}

/* In the code of a cell, `\|` is a bar. */
static void write_code(struct inline_writer *w, const struct inline_token *token)
{
	size_t at = token->inside.at, end = token->inside.end;

	w->code = true;
	while (at < end) {
		size_t length = w->cell ? str_find(inline_text(w->parser, at, end), STR("\\|")) : end - at;

		add_inline_text(w, at, at + length);
		at += length + 1;
	}
	w->code = false;
}

static void write_math(struct inline_writer *w, const struct inline_token *token)
{
	struct strip_style style = style_of(w);
	bool closed = token->inside.end < token->end;

	style.role = ROLE_MATH;
	buf_clear(&w->scratch);
	if (math_to_text(inline_inside(w->parser, token), !closed, &w->scratch) && !memchr(buf_z(&w->scratch), '\n', w->scratch.len))
		add_replacement(w, buf_str(&w->scratch), style, token->at);
	else
		add_exact(w, token->at, token->end, style);
}

/* Writes a footnote mark: numbers are raised, other labels are unchanged. */
static void write_footnote(struct inline_writer *w, const struct inline_token *token)
{
	struct str text = inline_text(w->parser, token->at, token->end);
	size_t digits = line_note_digits(text);
	struct strip_style style = style_of(w);

	style.role = ROLE_ACCENT;
	buf_clear(&w->scratch);
	for (size_t i = 0; i < digits; i++)
		buf_add_z(&w->scratch, math_letter(MATH_SUPERSCRIPT, (uint32_t)text.ptr[2 + i]));
	if (digits)
		add_replacement(w, buf_str(&w->scratch), style, token->at);
	else
		add_exact(w, token->at, token->end, style);
}

/* `~~` stays visible where the terminal cannot strike through. */
static void write_delimiters(struct inline_writer *w, const struct inline_token *token)
{
	const unsigned *closed = token->closed, *opened = token->opened;
	size_t at = token->at, end = token->end;

	if (closed[INLINE_STRIKE] && !w->strikes)
		add_inline_text(w, at, end);
	at += closed[INLINE_EMPHASIS] + 2 * (closed[INLINE_STRONG] + closed[INLINE_STRIKE]);
	end -= opened[INLINE_EMPHASIS] + 2 * (opened[INLINE_STRONG] + opened[INLINE_STRIKE]);
	for (size_t i = 0; i < INLINE_STYLES; i++)
		w->depth[i] -= closed[i];
	if (at < end)
		add_inline_text(w, at, end);
	for (size_t i = 0; i < INLINE_STYLES; i++)
		w->depth[i] += opened[i];
	if (opened[INLINE_STRIKE] && !w->strikes)
		add_inline_text(w, token->at, token->end);
}

/* --- links --- */

/* The destination begins at that offset of `destinations`. */
static void begin_link(struct inline_writer *w, size_t destination)
{
	struct str text = str_skip(buf_str(&w->destinations), destination);

	*ARRAY_ADD(w->links, w->link_count, w->link_capacity) =
		(struct write_link){ .text = w->strip->text.len, .destination = destination, .outer = w->link };
	if (link_is_address(text))
		w->link = layout_link(w->layout, text);
}

static void end_link(struct inline_writer *w)
{
	const struct write_link *link = &w->links[--w->link_count];

	buf_remove(&w->destinations, link->destination, w->destinations.len - link->destination);
	w->link = link->outer;
}

static void write_link(struct inline_writer *w, const struct inline_token *token)
{
	size_t before = w->destinations.len;

	link_decode(inline_inside(w->parser, token), &w->destinations);
	begin_link(w, before);
}

/* Shows the destination unless the link's text does, or if the text is misleading. */
static void write_link_end(struct inline_writer *w, const struct inline_token *token)
{
	const struct write_link *link = &w->links[w->link_count - 1];
	struct str destination = str_skip(buf_str(&w->destinations), link->destination);
	struct str text = str_skip(buf_str(&w->strip->text), link->text);
	struct strip_style muted = { .role = ROLE_MUTED };

	if (!text.len) {
		add_replacement(w, destination, style_of(w), token->at);
	} else if (destination.len && !str_equal(text, destination) && (!link_is_address(destination) || link_deceives(text, destination))) {
		add_replacement(w, STR(" ("), muted, token->at);
		add_replacement(w, destination, muted, token->at);
		add_replacement(w, STR(")"), muted, token->at);
	}
	end_link(w);
}

/* Within a link an address is text. */
static void write_address(struct inline_writer *w, const struct inline_token *token)
{
	struct str address = inline_inside(w->parser, token);

	if (w->link_count) {
		add_inline_text(w, token->inside.at, token->inside.end);
		return;
	}
	buf_printf(&w->destinations, "%s%.*s", link_prefix(address), STR_ARG(address));
	begin_link(w, 0);
	add_inline_text(w, token->inside.at, token->inside.end);
	end_link(w);
}

/* --- references --- */

static void write_label(struct inline_writer *w, const struct inline_token *token, size_t label_end)
{
	w->part = WRITE_LABEL;
	w->label_end = label_end;
	write_inline_text(w, token);
}

/* Text that looks like an address other than the destination stays text. */
static void write_reference(struct inline_writer *w, const struct inline_token *token)
{
	const struct inline_token *end = token + 1;
	struct str destination;

	while (end->kind != INLINE_REFERENCE_END)
		end++;
	w->layout->refers = true;
	if (w->link_count || !w->definitions ||
	    !definitions_find(w->definitions, w->definition_count, w->document, inline_inside(w->parser, token), &destination) ||
	    link_deceives(inline_text(w->parser, token->end, end->at), destination)) {
		write_inline_text(w, token);
		return;
	}
	write_label(w, token, token->end);
	w->part = WRITE_REFERENCE;
	w->reference = link_is_address(destination) ? layout_link(w->layout, destination) : 0;
}

static void write_reference_end(struct inline_writer *w, const struct inline_token *token)
{
	if (w->part == WRITE_REFERENCE)
		write_label(w, token, token->inside.end);
	else
		write_inline_text(w, token);
}

/* --- public functions --- */

static void (*const writers[])(struct inline_writer *w, const struct inline_token *token) = {
	[INLINE_ENTITY] = write_entity, [INLINE_CODE] = write_code, [INLINE_MATH] = write_math,
	[INLINE_BREAK] = write_break, [INLINE_NOTE] = write_footnote, [INLINE_ADDRESS] = write_address, [INLINE_DELIMITERS] = write_delimiters,
	[INLINE_BRACKET] = write_inline_text, [INLINE_LINK] = write_link, [INLINE_LINK_END] = write_link_end,
	[INLINE_REFERENCE] = write_reference, [INLINE_REFERENCE_END] = write_reference_end,
};

void write_inline(struct inline_writer *w, const struct markdown_inline *parser, struct strip *strip, struct layout *layout,
                  struct strip_style base, bool cell)
{
	size_t at = 0;

	w->parser = parser;
	w->strip = strip;
	w->layout = layout;
	w->base = base;
	w->cell = cell;
	w->code = false;
	w->link = 0;
	w->link_count = 0;
	w->part = WRITE_TEXT;
	memset(w->depth, 0, sizeof w->depth);
	buf_clear(&w->destinations);
	for (size_t i = 0; i < parser->token_count; i++) {
		const struct inline_token *token = &parser->tokens[i];

		add_inline_text(w, at, token->at);
		if (w->part == WRITE_LABEL && w->label_end <= token->at)
			w->part = WRITE_TEXT;
		if (writers[token->kind])
			writers[token->kind](w, token);
		at = token->end;
	}
	add_inline_text(w, at, parser->end);
}
