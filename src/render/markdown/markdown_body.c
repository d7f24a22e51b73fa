#include "render/markdown/markdown_body.h"

#include <string.h>

unsigned body_chain(const struct markdown_scan *scan, const struct markdown_record *record, const struct markdown_container *chain[MARKDOWN_DEPTH])
{
	const struct markdown_container *inner[MARKDOWN_DEPTH];
	unsigned depth = 0;

	for (uint32_t at = record->container; at && depth < MARKDOWN_DEPTH; at = scan->containers[at - 1].parent)
		inner[depth++] = &scan->containers[at - 1];
	for (unsigned i = 0; i < depth; i++)
		chain[i] = inner[depth - 1 - i];
	return depth;
}

void body_open(struct markdown_body *body, const struct markdown_scan *scan, const struct markdown_record *record)
{
	*body = (struct markdown_body){ .text = scan->text, .at = record_body(record), .end = record_body_end(record) };
	body->depth = body_chain(scan, record, body->chain);
	body->first = body->at > 0 && scan->text.ptr[body->at - 1] != '\n';
}

void body_resume(struct markdown_body *body, size_t at)
{
	if (at <= body->at)
		return;
	body->at = at;
	body->first = false;
}

void body_resume_within(struct markdown_body *body, size_t at)
{
	body_resume(body, at);
	body->first |= at > 0;
}

bool body_line(struct markdown_body *body, struct str *line)
{
	struct str rest = str_of(body->text.ptr + body->at, body->end - body->at);
	struct line_cursor cursor = { 0 };
	const char *feed;

	if (!rest.len)
		return false;
	feed = memchr(rest.ptr, '\n', rest.len);
	cursor.rest = str_head(rest, feed ? (size_t)(feed - rest.ptr) : rest.len);
	body->at += cursor.rest.len + (feed != NULL);
	if (str_ends(cursor.rest, "\r"))
		cursor.rest.len--;
	for (unsigned i = 0; !body->first && i < body->depth; i++) {
		if (!body->chain[i]->quote)
			line_skip_blanks(&cursor, body->chain[i]->content);
		else if (!line_take_quote(&cursor))
			break;
	}
	body->first = false;
	body->spare = cursor.spare;
	*line = cursor.rest;
	return true;
}

void body_lines(const struct markdown_scan *scan, const struct markdown_record *record, struct buf *out)
{
	struct markdown_body body;
	struct str line;

	body_open(&body, scan, record);
	while (body_line(&body, &line)) {
		buf_add(out, line);
		buf_add_byte(out, '\n');
	}
}

void body_code(const struct markdown_scan *scan, const struct markdown_record *record, struct buf *out)
{
	struct markdown_body body;
	struct str line;

	body_open(&body, scan, record);
	for (bool goes_on = record->block.continues && body.first; body_line(&body, &line); goes_on = false) {
		struct line_cursor cursor = { .rest = line, .spare = body.spare };

		if (!goes_on)
			line_skip_blanks(&cursor, record->level);
		for (; cursor.spare; cursor.spare--)
			buf_add_byte(out, ' ');
		buf_add(out, cursor.rest);
		if (body.at < body.end || !record->cut)
			buf_add_byte(out, '\n');
	}
}
