/* Prompts of MCP servers: their arguments are taken from a line, what comes goes into the input. */
#include "app/command/collecting_inside.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/command/actions_inside.h"
#include "app/mcp/mcp_offers.h"
#include "app/setup/mention.h"
#include "app/setup/setup.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "store/config/templates.h"
#include "wire/mcp/content.h"

static_assert(MCP_PLACES_MOST <= TEMPLATE_WORDS_MOST, "a line is split as that of a template is");

#define PARTS_MOST 64

/* Ends it with a sentence; the line stands where it can be corrected. */
static void PRINTF_LIKE(2, 3) prompt_fail(struct collecting *c, const char *format, ...)
{
	struct actor actor = c->actor;
	char *line = c->line;
	struct error words;
	va_list args;

	va_start(args, format);
	vsnprintf(words.text, sizeof words.text, format, args);
	va_end(args);
	c->line = NULL;
	collecting_fail(c, "%s", words.text);
	actor.fill(actor.ctx, str_from(line), true);
	mem_free(line);
}

/* --- arguments --- */

/* "NAME=value" names the place, anything else fills the next one. */
static size_t prompt_place(const struct mcp_offer *offer, const struct str *values, struct str *word)
{
	size_t next = 0;

	for (size_t i = 0; i < offer->place_count; i++) {
		size_t len = strlen(offer->places[i].name);

		if (str_starts(*word, offer->places[i].name) && word->len > len && word->ptr[len] == '=') {
			*word = str_skip(*word, len + 1);
			return i;
		}
	}
	while (next < offer->place_count && values[next].ptr)
		next++;
	return next;
}

/* The line is split as that of a template with as many places, the last of which takes the rest. False, with a sentence: one is missing. */
static bool prompt_read_line(const struct mcp_offer *offer, struct str line, struct str values[MCP_PLACES_MOST], struct error *err)
{
	struct template_words with;
	struct buf places = { 0 };

	for (size_t i = 1; i < offer->place_count; i++)
		buf_printf(&places, "{%zu}", i);
	template_split(&(struct template){ .prompt = (char *)buf_z(&places) }, line, &with);
	buf_clear(&places);
	for (size_t i = 0; i <= with.count; i++) {
		struct str word = i < with.count ? with.words[i] : mention_unquoted(with.rest);
		size_t place = word.len ? prompt_place(offer, values, &word) : offer->place_count;

		if (place < offer->place_count)
			values[place] = word;
	}
	mcp_offer_write_places(offer, &places);
	bool good = !with.rest.len || offer->place_count || error_set(err, "it takes no words");
	for (size_t i = 0; good && i < offer->place_count; i++)
		good = !offer->places[i].required || values[i].ptr || error_set(err, "it needs %s: %s", offer->places[i].name, buf_z(&places));
	buf_fini(&places);
	return good;
}

static void prompt_write_params(const struct mcp_offer *offer, const struct str *values, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_member_string(&w, "name", str_from(offer->name));
	json_key(&w, "arguments");
	json_open_object(&w);
	for (size_t i = 0; i < offer->place_count; i++)
		if (values[i].ptr)
			json_member_string(&w, offer->places[i].name, values[i]);
	json_close_object(&w);
	json_close_object(&w);
}

/* --- what comes --- */

struct filled { struct buf text; struct collected files; size_t messages; bool roles; };

/* Roles other than the user's are kept as words, since all of it is the user's text. */
static void filled_add_text(struct filled *f, struct str role, struct str text)
{
	struct str kept = utf8_head(text, COLLECTING_TEXT_BYTES);

	f->files.cut |= kept.len < text.len;
	if (f->text.len)
		buf_add_z(&f->text, "\n\n");
	if (f->roles)
		buf_printf(&f->text, "%s:\n", str_is(role, "assistant") ? "assistant" : "user");
	f->files.cut |= !utf8_show(str_trim(kept), &f->text);
}

/* False: it is left out. */
static bool filled_take(struct collecting *c, struct filled *f, struct str role, const struct json *value)
{
	struct mcp_content part;
	struct buf numbered = { 0 };
	bool good = mcp_content_read(value, &part) && f->files.count < PARTS_MOST;
	char *name = good && part.uri.len ? collected_name(c, part.uri) : NULL;

	buf_printf(&numbered, "%s-%zu", c->name, f->files.count + 1);
	if (good && part.kind == MCP_TEXT)
		filled_add_text(f, role, part.text);
	else if (good && part.kind == MCP_RESOURCE && part.text.len)
		collected_attach_text(c, &f->files, part.text, part.type, name);
	else if (good && (part.kind == MCP_RESOURCE || part.kind == MCP_IMAGE || part.kind == MCP_AUDIO))
		good = collected_attach_data(c, &f->files, part.data, name ? name : buf_z(&numbered));
	else
		good = false; /* a link is not followed */
	buf_fini(&numbered);
	mem_free(name);
	return good;
}

static void filled_tell(const struct filled *f, const char *name, struct buf *out)
{
	buf_printf(out, "%s: %zu message%s in the input", name, f->messages, f->messages == 1 ? "" : "s");
	if (f->roles)
		buf_add_z(out, ", whose roles stand before them");
	if (f->files.count)
		buf_printf(out, "; %zu file%s with it", f->files.count, f->files.count == 1 ? " goes" : "s go");
	if (f->files.left_out)
		buf_printf(out, "; left out: %zu (links, and what is broken or unknown)", f->files.left_out);
	if (f->files.cut)
		buf_add_z(out, "; it was too long, and is cut");
}

static bool prompt_has_roles(const struct json *messages)
{
	bool has = false;

	for (size_t i = 0; i < json_length(messages); i++)
		has |= !str_is(json_get_text(json_at(messages, i), "role"), "user");
	return has;
}

static void prompt_has_come(void *ctx, const struct mcp_answer *answer)
{
	struct collecting *c = ctx;
	const struct json *messages = json_get(answer->result, "messages");
	struct filled f = { .messages = json_length(messages), .roles = prompt_has_roles(messages) };
	struct buf words = { 0 };

	if (!answer->result) {
		prompt_fail(c, "%s did not come: %.*s", c->name, STR_ARG(collecting_server_words(answer)));
		return;
	}
	buf_init(&f.text, 4 * COLLECTING_TEXT_BYTES);
	for (size_t i = 0; i < f.messages; i++)
		f.files.left_out += !filled_take(c, &f, json_get_text(json_at(messages, i), "role"), json_get(json_at(messages, i), "content"));
	if (!f.text.len && !f.files.count) {
		prompt_fail(c, "%s is empty", c->name);
	} else {
		struct actor actor = c->actor;

		filled_tell(&f, c->name, &words);
		collecting_stop(c);
		actor.say(actor.ctx, SEVERITY_INFORMATION, buf_z(&words));
		actor.fill(actor.ctx, buf_str(&f.text), false);
	}
	buf_fini(&words);
	buf_fini(&f.text);
}

/* --- asking --- */

static void prompt_ask(struct collecting *c, const struct mcp_offer *offer)
{
	struct str values[MCP_PLACES_MOST] = { { 0 } }, words;
	struct error err = { "" };
	struct buf params = { 0 };

	(void)str_first_word(str_from(c->line), &words);
	if (prompt_read_line(offer, words, values, &err)) {
		prompt_write_params(offer, values, &params);
		collecting_ask(c, "prompts/get", str_from(offer->name), buf_str(&params), prompt_has_come);
	} else {
		prompt_fail(c, "%s: %s", c->name, err.text);
	}
	buf_fini(&params);
}

void collecting_look_for_prompt(struct collecting *c)
{
	struct mcp_hub *hub = c->actor.setup->servers;
	struct mcp_offers offers = { 0 };
	struct str name;
	size_t server;

	if (!setup_find_server(c->actor.setup, str_from(c->name), &server, &name)) {
		prompt_fail(c, "weir.conf has no MCP server %s any more", c->server);
		return;
	}
	mcp_hub_want_offers(hub, server, MCP_PROMPTS, false);
	offers = mcp_hub_offers(hub, server, MCP_PROMPTS);
	const struct mcp_offer *offer = mcp_hub_find_offer(hub, server, MCP_PROMPTS, name);
	if (offers.state == MCP_OFFERS_FAILED)
		prompt_fail(c, "%s did not come: %s", c->name, offers.trouble);
	else if (offers.state == MCP_OFFERS_KNOWN && offer)
		prompt_ask(c, offer);
	else if (offers.state == MCP_OFFERS_KNOWN)
		prompt_fail(c, "%s has no prompt %.*s; /%s: completes their names", c->server, STR_ARG(name), c->server);
}

void collecting_ask_prompt(struct collecting *c, const struct actor *actor, size_t server, struct str line)
{
	struct mcp_hub *hub = actor->setup->servers;
	struct str words, word = str_first_word(line, &words);

	char *copy = str_dup(line); /* what is collected may be what it is of */
	collecting_begin(c, actor, str_dup(word), COLLECTING_BYTES, 0);
	c->line = copy;
	c->server = mem_dup_z(mcp_hub_at(hub, server).server->name);
	act_say(actor, "asking for %s ...", c->name);
	mcp_hub_want_offers(hub, server, MCP_PROMPTS, true);
	collecting_look_for_prompt(c);
}
