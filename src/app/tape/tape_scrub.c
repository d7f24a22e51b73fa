/* `weir tape scrub`: a tape that can be shown to others. */
#include "app/tape/tape_inside.h"

#include <errno.h>
#include <string.h>

#include "app/setup/saved_stream.h"
#include "base/mem.h"
#include "base/os/random.h"
#include "chat/provider/provider.h"
#include "net/head.h"
#include "net/tape_lines.h"
#include "wire/protocol/dialect.h"
#include "wire/protocol/protocol.h"

static const char *no_environment(const char *name)
{
	(void)name;
	return NULL;
}

/* "host:port" of a URL. */
static struct str url_host(struct str url)
{
	size_t scheme = str_find(url, STR("://"));

	url = scheme < url.len ? str_skip(url, scheme + 3) : url;
	return str_head(url, str_find(url, STR("/")));
}

static bool provider_has_host(const struct provider *provider, struct str host)
{
	for (size_t i = 0; protocol_at(i); i++)
		if (str_equal(url_host(provider_base_url(provider, protocol_at(i))), host))
			return true;
	return false;
}

/*
 * Whether a built-in provider has this name or, unless it is empty, this host. Those of the settings do not count: their names may tell
 * something, and the address of a built-in one can be set to a host of the user's own.
 */
static bool is_built_in(struct str name, struct str host)
{
	struct providers *providers = providers_new(no_environment);
	bool found = false;

	for (size_t i = 0; !found && i < providers_count(providers); i++)
		found = str_is(name, providers_at(providers, i)->name) || (host.len && provider_has_host(providers_at(providers, i), host));
	providers_free(providers);
	return found;
}

enum fact { FACT_PROTOCOL, FACT_DIALECT, FACT_PROVIDER, FACT_MODEL, FACT_URL, FACT_REQUEST, FACT_STARTED, FACTS };

static void scrub_listed(const struct scrub *s, struct str name, bool is_listed, struct buf *out)
{
	if (is_listed)
		buf_add(out, name);
	else
		scrub_name(s, name, out);
}

static void scrub_fact(const struct scrub *s, enum fact which, struct str fact, struct buf *out)
{
	switch (which) {
	case FACT_PROTOCOL:
		scrub_listed(s, fact, protocol_find(fact) != NULL, out);
		break;
	case FACT_DIALECT:
		scrub_listed(s, fact, dialect_find(fact) && !dialect_find(fact)->like, out);
		break;
	case FACT_PROVIDER:
		scrub_listed(s, fact, is_built_in(fact, STR_NONE), out);
		break;
	case FACT_MODEL:
		scrub_model(s, fact, out);
		break;
	case FACT_URL:
		scrub_url(s, fact, is_built_in(STR_NONE, url_host(fact)), out);
		break;
	case FACT_REQUEST:
		scrub_json(s, fact, out);
		break;
	case FACT_STARTED:
		scrub_figure(fact, out);
		break;
	case FACTS:
		break;
	}
}

static void write_facts(const struct tape *tape, const struct scrub *s, struct buf *out)
{
	struct tape_info facts = *tape_facts(tape);
	struct str *const all[FACTS] = {
		[FACT_PROTOCOL] = &facts.protocol, [FACT_DIALECT] = &facts.dialect, [FACT_PROVIDER] = &facts.provider, [FACT_MODEL] = &facts.model,
		[FACT_URL] = &facts.url, [FACT_REQUEST] = &facts.request, [FACT_STARTED] = &facts.started,
	};
	struct buf scrubbed[FACTS];

	for (enum fact i = 0; i < FACTS; i++) {
		buf_init(&scrubbed[i], TAPE_LIMIT);
		if (!all[i]->ptr)
			continue;
		scrub_fact(s, i, *all[i], &scrubbed[i]);
		*all[i] = buf_str(&scrubbed[i]);
	}
	tape_line_facts(out, &facts);
	for (enum fact i = 0; i < FACTS; i++)
		buf_fini(&scrubbed[i]);
}

/* Tapes have only headers of known names. The rest of a name after a known prefix may identify somebody. */
static void scrub_header_name(const struct scrub *s, struct str name, struct buf *out)
{
	struct str word;

	for (const char *dash = ""; str_split(&name, '-', &word); dash = "-") {
		struct buf known = { 0 };

		scrub_word(s, word, &known);
		buf_add_z(out, dash);
		if (str_equal(buf_str(&known), word))
			buf_add(out, word);
		else
			scrub_name(s, word, out);
		buf_fini(&known);
	}
}

/* Keeps figures of rate limits, but not ids. */
static void scrub_header_value(const struct scrub *s, const struct response_header *header, struct buf *out)
{
	if (head_is_id(header->name))
		scrub_id(s, header->value, out);
	else if (char_is_digit(header->value.len ? *header->value.ptr : ' '))
		scrub_figure(header->value, out);
	else
		scrub_word(s, header->value, out);
}

static struct str take_scrubbed(struct str *rest, struct str was)
{
	struct str scrubbed = str_head(*rest, was.len);

	*rest = str_skip(*rest, was.len);
	return was.ptr ? scrubbed : STR_NONE;
}

/* Keeps the length of each text. */
static void write_head(const struct response_head *head, double at_ms, const struct scrub *s, struct buf *out)
{
	struct response_header *headers = mem_new((head->header_count + 1) * sizeof *headers);
	struct response_head scrubbed = *head;
	struct buf text = { 0 };

	scrub_word(s, head->content_type, &text);
	scrub_figure(head->http, &text);
	for (size_t i = 0; i < head->header_count; i++) {
		scrub_header_name(s, head->headers[i].name, &text);
		scrub_header_value(s, &head->headers[i], &text);
	}
	struct str rest = buf_str(&text);
	scrubbed.content_type = take_scrubbed(&rest, head->content_type);
	scrubbed.http = take_scrubbed(&rest, head->http);
	for (size_t i = 0; i < head->header_count; i++) {
		headers[i].name = take_scrubbed(&rest, head->headers[i].name);
		headers[i].value = take_scrubbed(&rest, head->headers[i].value);
	}
	scrubbed.headers = headers;
	tape_line_head(out, &scrubbed, at_ms);
	buf_fini(&text);
	mem_free(headers);
}

/* The scrubbed body has the length of the body: each read gets its part of it. */
static void write_steps(const struct tape *tape, struct str body, const struct scrub *s, struct tape_document *doc)
{
	for (size_t i = 0; i < tape_length(tape); i++) {
		struct tape_step step = tape_at(tape, i);
		struct str bytes = str_head(body, step.bytes.len);

		body = str_skip(body, bytes.len);
		if (tape_is_plain(tape))
			buf_add(&doc->text, bytes);
		else if (step.kind == TAPE_HEAD)
			write_head(&step.head, step.at_ms, s, &doc->text);
		else if (step.kind == TAPE_BODY)
			tape_line_body(&doc->text, bytes, step.at_ms);
		else
			tape_line_end(&doc->text, step.how, step.at_ms);
		tape_document_add(doc);
	}
}

static void write_scrubbed(const struct tape *tape, const struct scrub *s, struct tape_document *doc)
{
	struct buf whole, scrubbed;

	buf_init(&whole, TAPE_LIMIT);
	buf_init(&scrubbed, TAPE_LIMIT);
	scrub_body(s, tape_whole_body(tape, &whole), &scrubbed);
	if (!tape_is_plain(tape))
		write_facts(tape, s, &doc->text);
	write_steps(tape, buf_str(&scrubbed), s, doc);
	for (size_t i = 0; i < tape_behind(tape); i++) {
		struct tape_step step = tape_at(tape, tape_length(tape) + i);

		tape_scrub_behind(s, &step, &doc->text);
		tape_document_add(doc);
	}
	buf_fini(&whole);
	buf_fini(&scrubbed);
}

int tape_scrub_run(struct tape_call *call)
{
	struct tape_document doc;
	struct tape *tape = NULL;
	struct error err;
	uint64_t seed;
	int status;

	if (!random_fill(&seed, sizeof seed)) {
		complain("cannot get random numbers: %s", strerror(errno));
		return EXIT_LOCAL;
	}
	if (!saved_stream_open(&tape, call->o, call->arguments[0], &err))
		return usage_error("%s", err.text);
	saved_stream_tell_others(tape, call->o, call->arguments[0]);
	if (tape_document_open(&doc, call->o, &status)) {
		struct scrub *scrub = scrub_new(seed);

		write_scrubbed(tape, scrub, &doc);
		scrub_free(scrub);
		status = tape_document_close(&doc);
	}
	tape_free(tape);
	return status;
}
