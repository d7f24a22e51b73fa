#include "wire/mcp/said.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "wire/mcp/rpc.h"

#define REQUESTS_KEPT 256u /* that are not answered yet; the oldest are forgotten */
#define NAME_BYTES 100u    /* of what a method is about */
#define ID_BYTES 24u

struct asked {
	bool sent, open;
	char id[ID_BYTES + 1], about[2 * NAME_BYTES + 2]; /* about: its method, and what that is about */
};

struct said {
	struct json_parser *parser;
	struct asked asked[REQUESTS_KEPT];
	size_t next; /* takes the place of the oldest */
};

const char *said_kind_name(enum said_kind kind)
{
	static const char *const names[SAID_KINDS] = {
		[SAID_REQUEST] = "request", [SAID_NOTIFICATION] = "notification", [SAID_ANSWER] = "answer", [SAID_ERROR] = "error",
		[SAID_NOTHING] = "no message",
	};

	return names[kind];
}

struct said *said_new(void)
{
	struct said *s = mem_new(sizeof *s);

	s->parser = json_parser_new();
	return s;
}

void said_free(struct said *s)
{
	if (!s)
		return;
	json_parser_free(s->parser);
	mem_free(s);
}

/* The id as it was sent, cut; "" if there is none. */
static void said_write_id(const struct json *id, char *out)
{
	struct buf text = { 0 };

	if (id)
		json_dump(id, &text);
	snprintf(out, ID_BYTES + 1, "%.*s", STR_ARG(str_head(buf_str(&text), ID_BYTES)));
	buf_fini(&text);
}

/* What a method is about: the name of a tool or prompt, the address of a resource, how far it is. */
static void said_write_about(const struct rpc_message *m, char *out, size_t size)
{
	static const char *const names[] = { "name", "uri", "level", "message" };
	double progress, total;
	struct str about = STR_NONE;

	for (size_t i = 0; i < sizeof names / sizeof *names && !about.len; i++)
		about = json_get_text(m->params, names[i]);
	int length = snprintf(out, size, "%.*s%s%.*s", STR_ARG(str_head(m->method, NAME_BYTES)), about.len ? " " : "",
	                      STR_ARG(str_head(about, NAME_BYTES)));
	if (json_number(json_get(m->params, "progress"), &progress) && length >= 0 && (size_t)length < size) {
		length += snprintf(out + length, size - (size_t)length, " %g", progress);
		if (json_number(json_get(m->params, "total"), &total) && (size_t)length < size)
			snprintf(out + length, size - (size_t)length, " of %g", total);
	}
}

static void said_remember(struct said *s, bool sent, const char *id, const char *about)
{
	struct asked *a = &s->asked[s->next++ % REQUESTS_KEPT];

	*a = (struct asked){ .sent = sent, .open = true };
	snprintf(a->id, sizeof a->id, "%s", id);
	snprintf(a->about, sizeof a->about, "%s", about);
}

/* What was asked by the other side; "" if it is not known. */
static const char *said_asked(struct said *s, bool sent, const char *id)
{
	for (size_t i = 0; i < REQUESTS_KEPT; i++) {
		struct asked *a = &s->asked[(s->next + REQUESTS_KEPT - 1 - i) % REQUESTS_KEPT];

		if (a->open && a->sent != sent && *id && !strcmp(a->id, id)) {
			a->open = false;
			return a->about;
		}
	}
	return "";
}

enum said_kind said_read(struct said *s, bool sent, struct str text, bool aligned, struct buf *out)
{
	static const enum said_kind kinds[] = {
		[RPC_REQUEST] = SAID_REQUEST, [RPC_NOTIFICATION] = SAID_NOTIFICATION, [RPC_RESULT] = SAID_ANSWER, [RPC_ERROR] = SAID_ERROR,
	};
	char id[ID_BYTES + 1] = "", about[2 * NAME_BYTES + 2] = "";
	enum said_kind kind = SAID_NOTHING;
	struct rpc_message m;
	struct error why = { "it is no JSON" }, line;
	struct buf words = { 0 };
	bool is_error = false;
	size_t used;
	const struct json *value = json_parse(s->parser, text, &used);

	if (value && str_is_blank(str_skip(text, used)) && rpc_read(value, &m, &why)) {
		kind = kinds[m.kind];
		said_write_id(m.id, id);
		if (m.method.len)
			said_write_about(&m, about, sizeof about);
		else
			snprintf(about, sizeof about, "%s", said_asked(s, sent, id));
		if (kind == SAID_REQUEST)
			said_remember(s, sent, id, about);
		is_error = kind == SAID_ANSWER && json_flag(json_get(m.result, "isError"), &is_error) && is_error;
	}
	buf_printf(&words, aligned ? "%-12s %3s  " : *id ? "%s %s " : "%s%s ", said_kind_name(kind), id);
	if (kind == SAID_NOTHING)
		buf_add_z(&words, why.text);
	else
		buf_printf(&words, "%s%s", about, is_error ? ", an error of the tool" : "");
	if (kind == SAID_ERROR)
		buf_printf(&words, ": %lld %.*s", (long long)m.code, STR_ARG(str_head(m.words, NAME_BYTES)));
	error_set(&line, "%.*s", STR_ARG(buf_str(&words))); /* makes one line of UTF-8 without control bytes */
	buf_add_z(out, line.text);
	buf_fini(&words);
	return kind;
}
