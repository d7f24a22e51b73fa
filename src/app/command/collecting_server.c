/* Resources of MCP servers. */
#include "app/command/collecting_inside.h"

#include <stdio.h>
#include <string.h>

#include "app/command/actions_inside.h"
#include "app/session/session_prompts.h"
#include "app/setup/setup.h"
#include "base/base64.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/figure.h"
#include "wire/attachment.h"
#include "wire/mcp/content.h"

#define CONTENTS_MOST 64
#define NAME_BYTES 500u  /* of a URI */
#define WORDS_BYTES 300u /* of a sentence of the server */

static void collected_attach(struct collecting *c, struct collected *got, struct str bytes, const char *name, const char *type)
{
	session_attach_bytes(c->actor.session, bytes, name, type);
	got->count++;
	got->bytes += bytes.len;
}

void collected_attach_text(struct collecting *c, struct collected *got, struct str text, struct str type, const char *name)
{
	struct buf repaired;

	buf_init(&repaired, 4 * COLLECTING_TEXT_BYTES);
	got->cut |= text.len > COLLECTING_TEXT_BYTES;
	(void)utf8_repair(utf8_head(text, COLLECTING_TEXT_BYTES), &repaired);
	collected_attach(c, got, buf_str(&repaired), name, str_has_nocase(type, STR("json")) ? "application/json" : "text/plain");
	buf_fini(&repaired);
}

bool collected_attach_data(struct collecting *c, struct collected *got, struct str data, const char *name)
{
	struct base64_reader reader = { 0 };
	struct buf bytes;
	bool good;

	buf_init(&bytes, COLLECTING_BYTES);
	good = base64_read(&reader, data, &bytes) && base64_read_end(&reader) && bytes.len;
	if (good) {
		const char *media = attachment_media(buf_str(&bytes));

		collected_attach(c, got, buf_str(&bytes), name, media ? media : "application/octet-stream");
	}
	buf_fini(&bytes);
	return good;
}

char *collected_name(const struct collecting *c, struct str uri)
{
	struct buf name = { 0 };

	buf_printf(&name, "%s:", c->server);
	(void)utf8_show(utf8_head(uri, NAME_BYTES), &name);
	return buf_take(&name);
}

static void collected_take(struct collecting *c, struct collected *got, const struct json *value, bool alone)
{
	struct mcp_content content;
	bool good = got->count < CONTENTS_MOST && mcp_contents_read(value, &content) && (content.text.len || content.data.len);
	char *name = !good ? NULL : alone ? mem_dup_z(c->name) : collected_name(c, content.uri);

	if (good && content.text.len)
		collected_attach_text(c, got, content.text, content.type, name);
	else if (good)
		good = collected_attach_data(c, got, content.data, name);
	got->left_out += !good;
	mem_free(name);
}

/* Ends it with what came. */
static void collected_tell(struct collecting *c, const struct collected *got)
{
	struct actor actor = c->actor;
	char size[FIGURE_SIZE], left[80] = "";
	struct error words;

	if (got->left_out)
		snprintf(left, sizeof left, "; %zu %s left out: empty, too large or broken", got->left_out,
		         got->left_out == 1 ? "part is" : "parts are");
	if (!got->count)
		error_set(&words, "%s holds nothing that can be attached%s", c->name, left);
	else if (got->count == 1)
		error_set(&words, "%s, %s%s, goes with the next prompt; /attach shows it%s", c->name, figure_bytes(size, got->bytes),
		          got->cut ? " and no more of it" : "", left);
	else
		error_set(&words, "%s: %zu files, %s%s, go with the next prompt; /attach shows them%s", c->name, got->count,
		          figure_bytes(size, got->bytes), got->cut ? " and no more of them" : "", left);
	collecting_stop(c);
	actor.say(actor.ctx, got->count ? SEVERITY_INFORMATION : SEVERITY_ERROR, words.text);
}

struct str collecting_server_words(const struct mcp_answer *answer)
{
	return str_without_stop(str_trim(utf8_head(answer->words, WORDS_BYTES)));
}

static void collecting_has_read(void *ctx, const struct mcp_answer *answer)
{
	struct collecting *c = ctx;
	const struct json *contents = json_get(answer->result, "contents");
	struct collected got = { 0 };

	if (!answer->result) {
		collecting_fail(c, "%s was not read: %.*s", c->name, STR_ARG(collecting_server_words(answer)));
		return;
	}
	for (size_t i = 0; i < json_length(contents); i++)
		collected_take(c, &got, json_at(contents, i), json_length(contents) == 1);
	collected_tell(c, &got);
}

void collecting_ask(struct collecting *c, const char *method, struct str about, struct str params,
                    void (*ended)(void *ctx, const struct mcp_answer *answer))
{
	const struct mcp_call_sink sink = { .ctx = c, .ended = ended };
	char *name = str_dup(about), *text = str_dup(params);
	struct error err = { "" };

	if (!mcp_call_ask(&c->call, c->actor.setup->servers, c->server, method, name, text, &sink, &err))
		collecting_fail(c, "%s", err.text);
	mem_free(name);
	mem_free(text);
}

void collecting_read(struct collecting *c, const struct actor *actor, size_t server, struct str word)
{
	const char *name = mcp_hub_at(actor->setup->servers, server).server->name;
	struct str uri = str_skip(word, strlen(name) + 1);
	struct buf params = { 0 };
	struct json_writer w;

	if (!uri.len || uri.len > NAME_BYTES || str_find(uri, STR("{")) < uri.len) {
		act_fail(actor, uri.len > NAME_BYTES ? "the URI is too long" : uri.len ? "the URI has a place in braces, which needs a value: %.*s" :
		         "%.*s needs the URI of a resource", STR_ARG(uri.len ? uri : word));
		return;
	}
	collecting_begin(c, actor, str_dup(word), COLLECTING_BYTES, 0);
	c->server = mem_dup_z(name);
	json_writer_init(&w, &params);
	json_open_object(&w);
	json_member_string(&w, "uri", uri);
	json_close_object(&w);
	act_say(actor, "reading %s ...", c->name);
	collecting_ask(c, "resources/read", uri, buf_str(&params), collecting_has_read);
	buf_fini(&params);
}
