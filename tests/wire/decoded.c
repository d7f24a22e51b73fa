#include "decoded.h"

#include <inttypes.h>

#include "wire/stream.h"

static struct str shown(struct str text)
{
	return text.len ? text : STR("-");
}

static void tell_number(struct buf *out, bool known, int64_t number)
{
	if (known)
		buf_printf(out, " %" PRId64, number);
	else
		buf_add(out, STR(" -"));
}

static void tell_usage(struct buf *out, const struct usage *u)
{
	for (enum usage_figure i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (u->of[i].sent)
			buf_printf(out, " %s=%" PRId64, usage_row(i)->word, u->of[i].number);
}

static void tell_words(struct buf *out, const struct str *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		buf_printf(out, " %.*s", STR_ARG(shown(words[i])));
}

static void tell_media(struct buf *out, const struct delta *d)
{
	const struct media_facts *facts = &d->media.facts;

	buf_printf(out, " %u", d->media.index);
	if (d->kind == DELTA_MEDIA)
		buf_printf(out, " %zu%s", d->media.data.len, d->media.is_partial ? " partial" : "");
	else if (d->kind == DELTA_MEDIA_TEXT)
		buf_printf(out, " %.*s", STR_ARG(d->text));
	else
		buf_printf(out, " %s %.*s %.*s", media_kind_name(facts->kind), STR_ARG(shown(facts->id)), STR_ARG(shown(facts->type)));
	if (d->kind == DELTA_MEDIA_END)
		buf_printf(out, " %zu %u%s%s %.*s %.*s", facts->bytes, facts->partials, facts->whole ? " whole" : "", facts->thought ? " thought" : "",
		           STR_ARG(shown(facts->url)), STR_ARG(shown(d->text)));
}

static void tell_server_tool(struct buf *out, const struct delta *d)
{
	const struct delta_server_tool *tool = &d->server_tool;

	buf_printf(out, " %u", tool->index);
	if (d->kind == DELTA_SERVER_TOOL_BEGIN)
		tell_words(out, (struct str[]){ tool->id, tool->name }, 2);
	else if (d->kind == DELTA_SERVER_TOOL_INPUT && d->text.len)
		buf_printf(out, " %.*s", STR_ARG(d->text));
	else
		buf_printf(out, " %s %.*s %.*s", server_tool_state_name(tool->state), STR_ARG(shown(d->text)), STR_ARG(shown(tool->output)));
}

static void tell(void *ctx, const struct delta *d)
{
	struct buf *out = ctx;

	buf_add_z(out, delta_kind_name(d->kind));
	switch (d->kind) {
	case DELTA_BEGIN:
	case DELTA_META:
		tell_words(out, (struct str[]){ d->meta.id, d->meta.model }, 2);
		break;
	case DELTA_TEXT:
	case DELTA_REASONING:
	case DELTA_REFUSAL:
		buf_printf(out, " %u %.*s", d->part, STR_ARG(d->text));
		break;
	case DELTA_TOOL_BEGIN:
	case DELTA_TOOL_NAME:
		buf_printf(out, " %u", d->tool.index);
		tell_words(out, (struct str[]){ d->tool.id, d->tool.name }, 2);
		break;
	case DELTA_TOOL_ARGUMENTS:
		buf_printf(out, " %u %.*s", d->tool.index, STR_ARG(d->text));
		break;
	case DELTA_TOOL_END:
		buf_printf(out, " %u %s %.*s", d->tool.index, d->tool.valid ? "valid" : "invalid", STR_ARG(d->text));
		break;
	case DELTA_MEDIA_BEGIN:
	case DELTA_MEDIA:
	case DELTA_MEDIA_TEXT:
	case DELTA_MEDIA_END:
		tell_media(out, d);
		break;
	case DELTA_SERVER_TOOL_BEGIN:
	case DELTA_SERVER_TOOL_INPUT:
	case DELTA_SERVER_TOOL_END:
		tell_server_tool(out, d);
		break;
	case DELTA_OPAQUE:
		tell_number(out, d->part != GUARD_NEW_PART, d->part);
		tell_number(out, d->opaque.tool_index >= 0, d->opaque.tool_index);
		tell_words(out, (struct str[]){ d->opaque.format, d->opaque.data }, 2);
		break;
	case DELTA_CITATION:
		tell_words(out, (struct str[]){ d->citation.url, d->citation.title, d->citation.text }, 3);
		break;
	case DELTA_USAGE:
		tell_usage(out, &d->usage);
		break;
	case DELTA_NOTICE:
		tell_words(out, &d->notice.rule, 1);
		break;
	case DELTA_FINISH:
		tell_words(out, &d->finish.reason, 1);
		break;
	case DELTA_ERROR:
		tell_words(out, (struct str[]){ d->error.message, d->error.type, d->error.code }, 3);
		break;
	case DELTA_END:
		buf_printf(out, " %s", outcome_name(d->end.outcome));
		break;
	case DELTA_ROUTE:
	case DELTA_RESTART:
		break;
	}
	buf_add_byte(out, '\n');
}

static void decode(const char *protocol, struct str body, size_t step, struct buf *out)
{
	struct stream_options options = { .protocol = protocol_find(str_from(protocol)), .untimed = true };
	struct stream *s = stream_new(&options, tell, out);

	for (size_t at = 0; at < body.len; at += step)
		stream_body(s, str_head(str_skip(body, at), step), 0);
	stream_end(s, END_CLOSED, 0);
	stream_free(s);
}

struct str unquoted(const char *text, struct buf *out)
{
	buf_clear(out);
	for (; *text; text++)
		buf_add_byte(out, *text == '\'' ? '"' : *text);
	return buf_str(out);
}

void check_deltas(const char *protocol, const char *body, const char *lines, const char *file, int line)
{
	struct buf sent = { 0 }, expected = { 0 }, whole = { 0 }, bytes = { 0 };

	unquoted(body, &sent);
	unquoted(lines, &expected);
	decode(protocol, buf_str(&sent), sent.len + 1, &whole);
	decode(protocol, buf_str(&sent), 1, &bytes);
	check_str(buf_str(&bytes), buf_z(&whole), file, line);
	check_str(buf_str(&whole), buf_z(&expected), file, line);
	buf_fini(&sent);
	buf_fini(&expected);
	buf_fini(&whole);
	buf_fini(&bytes);
}
