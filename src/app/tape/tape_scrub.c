/* `weir tape scrub`: a tape that can be shown to others. */
#include "app/tape/tape_inside.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "app/saved_stream.h"
#include "base/mem.h"
#include "chat/provider.h"
#include "net/tape_lines.h"
#include "wire/protocol/protocol.h"
#include "wire/scrub.h"

static const char *no_environment(const char *name)
{
	(void)name;
	return NULL;
}

/* A provider of one's own may have a telling name. The names of the built-in ones are known to all. */
static bool provider_is_public(struct str name)
{
	struct providers *providers = providers_new(no_environment);
	bool is_public = false;

	for (size_t i = 0; !is_public && i < providers_count(providers); i++)
		is_public = str_is(name, providers_at(providers, i)->name);
	providers_free(providers);
	return is_public;
}

/* "host:port" of a URL; `*begin` is where it stands. */
static struct str url_host(struct str url, size_t *begin)
{
	*begin = str_find(url, STR("://"));
	*begin = *begin < url.len ? *begin + 3 : 0;
	return str_head(str_skip(url, *begin), str_find(str_skip(url, *begin), STR("/")));
}

static bool provider_has_host(const struct provider *provider, struct str host)
{
	size_t begin;

	for (size_t i = 0; protocol_at(i); i++)
		if (str_equal(url_host(provider_base_url(provider, protocol_at(i)), &begin), host))
			return true;
	return false;
}

/* Whether the host is that of a built-in provider. The address of one can be set to a host of one's own. */
static bool host_is_public(struct str host)
{
	struct providers *providers = providers_new(no_environment);
	bool is_public = false;

	for (size_t i = 0; !is_public && i < providers_count(providers); i++)
		is_public = provider_has_host(providers_at(providers, i), host);
	providers_free(providers);
	return is_public;
}

/* Scheme and path of a URL stay, and the host of a built-in provider. */
static void scrub_url(struct str url, struct buf *out)
{
	size_t begin;
	struct str host = url_host(url, &begin);

	buf_add(out, str_head(url, begin));
	if (host_is_public(host))
		buf_add(out, host);
	else
		scrub_text(host, out);
	buf_add(out, str_skip(url, begin + host.len));
}

static void write_facts(const struct tape *tape, uint64_t seed, struct buf *out)
{
	struct tape_info facts = *tape_facts(tape);
	struct buf provider = { 0 }, model = { 0 }, url = { 0 }, request;

	buf_init(&request, TAPE_LIMIT);
	if (facts.provider.len && !provider_is_public(facts.provider)) {
		scrub_id(facts.provider, seed, &provider);
		facts.provider = buf_str(&provider);
	}
	if (scrub_model_is_own(facts.model)) {
		scrub_text(facts.model, &model);
		facts.model = buf_str(&model);
	}
	if (facts.url.len) {
		scrub_url(facts.url, &url);
		facts.url = buf_str(&url);
	}
	if (facts.request.ptr) {
		scrub_json(facts.request, seed, &request);
		facts.request = buf_str(&request);
	}
	tape_line_facts(out, &facts);
	buf_fini(&provider);
	buf_fini(&model);
	buf_fini(&url);
	buf_fini(&request);
}

/* Figures of limits stay, ids do not. */
static bool header_stays(struct str name)
{
	return str_find(name, STR("ratelimit")) < name.len || str_find(name, STR("rate-limit")) < name.len || str_starts(name, "retry-after");
}

static void write_head(const struct response_head *head, double at_ms, uint64_t seed, struct buf *out)
{
	struct response_header *headers = mem_new((head->header_count + 1) * sizeof *headers);
	struct response_head scrubbed = *head;
	struct buf values = { 0 };
	size_t at = 0;

	for (size_t i = 0; i < head->header_count; i++)
		scrub_id(head->headers[i].value, seed, &values);
	for (size_t i = 0; i < head->header_count; at += head->headers[i++].value.len) {
		headers[i] = head->headers[i];
		if (!header_stays(headers[i].name))
			headers[i].value = str_head(str_skip(buf_str(&values), at), headers[i].value.len);
	}
	scrubbed.headers = headers;
	tape_line_head(out, &scrubbed, at_ms);
	buf_fini(&values);
	mem_free(headers);
}

/* The scrubbed body has the length of the body: each read gets its part of it. */
static void write_steps(const struct tape *tape, struct str body, uint64_t seed, struct tape_document *doc)
{
	for (size_t i = 0; i < tape_length(tape); i++) {
		struct tape_step step = tape_at(tape, i);
		struct str bytes = str_head(body, step.bytes.len);

		body = str_skip(body, bytes.len);
		if (tape_is_plain(tape))
			buf_add(&doc->text, bytes);
		else if (step.kind == TAPE_HEAD)
			write_head(&step.head, step.at_ms, seed, &doc->text);
		else if (step.kind == TAPE_BODY)
			tape_line_body(&doc->text, bytes, step.at_ms);
		else
			tape_line_end(&doc->text, step.how, step.at_ms);
		tape_document_add(doc);
	}
}

static void write_scrubbed(const struct tape *tape, uint64_t seed, struct tape_document *doc)
{
	struct buf whole, scrubbed;

	buf_init(&whole, TAPE_LIMIT);
	buf_init(&scrubbed, TAPE_LIMIT);
	scrub_body(tape_whole_body(tape, &whole), seed, &scrubbed);
	if (!tape_is_plain(tape))
		write_facts(tape, seed, &doc->text);
	write_steps(tape, buf_str(&scrubbed), seed, doc);
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

	if (getrandom(&seed, sizeof seed, 0) != sizeof seed) {
		complain("cannot get random numbers: %s", strerror(errno));
		return EXIT_LOCAL;
	}
	if (!saved_stream_open(&tape, call->o, call->arguments[0], &err))
		return usage_error("%s", err.text);
	saved_stream_tell_others(tape, call->o, call->arguments[0]);
	if (tape_document_open(&doc, call->o, &status)) {
		write_scrubbed(tape, seed, &doc);
		status = tape_document_close(&doc);
	}
	tape_free(tape);
	return status;
}
