/* Files: attached, saved, taken as tools and schema. */
#include "app/command/actions_inside.h"

#include <string.h>

#include "app/command/collecting.h"
#include "app/keep/saving.h"
#include "app/session/session_prompts.h"
#include "app/setup/context.h"
#include "app/setup/mention.h"
#include "app/setup/setup.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/figure.h"
#include "chat/conversation/sound.h"
#include "wire/attachment.h"

static void act_tell_attached(const struct actor *a)
{
	size_t count = session_attached(a->session);

	if (count)
		act_say(a, "%zu file%s with the next prompt; /attach off removes %s", count, count == 1 ? " goes" : "s go",
		        count == 1 ? "it" : "them");
	else
		act_say(a, "/attach FILE adds a file to the next prompt");
}

/* The last item of the conversation that has bytes. */
static const struct part *act_last_media(const struct conversation *c)
{
	for (size_t i = c->count; i; i--)
		for (size_t k = c->turns[i - 1]->part_count; k; k--) {
			const struct part *part = &c->turns[i - 1]->parts[k - 1];

			if (part->kind == PART_MEDIA && !part->open && blob_str(part->data).len)
				return part;
		}
	return NULL;
}

/* Why there is nothing to take of an item that the user is on. */
static void act_say_no_bytes(const struct actor *a, const struct part *media)
{
	const char *kind = media_kind_name(media->media_kind);

	if (media->open)
		act_fail(a, "the %s is still coming", kind);
	else if (media->name)
		act_fail(a, "the %s is only an address, which weir does not open: %s", kind, media->name);
	else
		act_fail(a, media->id ? "the %s is kept by the server: its bytes did not come" : "the %s is empty", kind);
}

const struct part *act_media(const struct actor *a)
{
	const struct part *media = a->media ? a->media : act_last_media(session_conversation(a->session));
	bool is_here = media && !media->open && blob_str(media->data).len;

	if (!media)
		act_fail(a, "no answer here holds a picture, a sound or a file");
	else if (!is_here)
		act_say_no_bytes(a, media);
	return is_here ? media : NULL;
}

void act_media_name(const struct part *media, struct buf *out)
{
	buf_printf(out, "%s.%s", media_kind_name(media->media_kind), sound_suffix(media, str_from(media->media)));
}

static void act_attach_media(const struct actor *a)
{
	const struct part *media = act_media(a);
	struct buf name = { 0 }, made = { 0 };
	struct str bytes = media ? sound_file(media, &made) : STR_NONE;
	const char *by_bytes = attachment_media(bytes), *type = media && !by_bytes ? media->media : by_bytes;

	if (media && !type) {
		act_fail(a, "the type of what the model gave is not known: /save FILE saves it");
	} else if (media) {
		act_media_name(media, &name);
		session_attach_bytes(a->session, bytes, buf_z(&name), type);
		act_say(a, "%s of the answer goes with the next prompt", buf_z(&name));
	}
	buf_fini(&name);
	buf_fini(&made);
}

void act_attach(const struct actor *a, struct str path)
{
	struct error err = { "" };
	char *name = mention_argument(path);
	struct mentioned c = { 0 };
	struct str uri;
	size_t server;

	if (!path.len) {
		act_tell_attached(a);
	} else if (act_is_off(path)) {
		session_detach(a->session);
		act_say(a, "no file goes with the next prompt");
	} else if (str_is(path, "last")) {
		act_attach_media(a);
	} else if (session_has_attached(a->session, name)) {
		act_say(a, "%s goes with the next prompt already; /attach off removes it", name);
	} else if (!context_of(context_is_address(path) ? path : str_from(name), &c, &err)) {
		act_fail(a, "%s", err.text);
	} else if (c.kind == CONTEXT_ADDRESS) {
		collecting_fetch(a->collecting, a, path);
	} else if (c.kind == CONTEXT_FOLDER) {
		a->mark(a->ctx, c.path);
	} else if (c.kind == CONTEXT_NOTHING && setup_find_server(a->setup, path, &server, &uri)) {
		collecting_read(a->collecting, a, server, path);
	} else if (c.kind == CONTEXT_NOTHING ? session_attach(a->session, name, &err) : session_attach_context(a->session, &c, &err)) {
		act_say(a, c.kind != CONTEXT_FILES ? "%s goes with the next prompt" : c.count == 1 ? "%s: %zu file goes with the next prompt" :
		        "%s: %zu files go with the next prompt", name, c.count);
	} else {
		act_fail(a, "%s", err.text);
	}
	context_fini(&c);
	mem_free(name);
}

/* What the model gave can be saved while an answer is under way, as it is not written to any more. */
static bool act_save_media(const struct actor *a, struct str path)
{
	struct error err = { "" };
	struct buf words = { 0 }, made = { 0 };
	char figure[FIGURE_SIZE];

	if (saving_has_form(path) || (!a->media && !act_last_media(session_conversation(a->session))))
		return false;
	const struct part *media = act_media(a);
	if (!media)
		return true;
	act_media_name(media, &words);
	bool is_made = sound_is_raw(media) && !str_ends(path, ".pcm");
	struct str bytes = is_made ? sound_file(media, &made) : blob_str(media->data);
	if (saving_bytes(bytes, path, &err))
		act_say(a, "%s of the answer, %s, is saved to %.*s%s", buf_z(&words), figure_bytes(figure, bytes.len), STR_ARG(path),
		        is_made ? ": " SOUND_MADE : "");
	else
		act_fail(a, "%s", err.text);
	buf_fini(&words);
	buf_fini(&made);
	return true;
}

void act_save(const struct actor *a, struct str path)
{
	struct error err = { "" };

	path = mention_unquoted(path);
	if (!path.len)
		act_say(a, "name a file: its suffix, such as .md or .html, says in which form");
	else if (act_save_media(a, path))
		return;
	else if (session_is_busy(a->session))
		act_say(a, "an answer is under way: /stop ends it first");
	else if (!session_has_turns(a->session, &err) || !session_is_whole(a->session, &err) ||
	         !saving_in_memory(session_conversation(a->session), path, &err))
		act_fail(a, "%s", err.text);
	else
		act_say(a, "saved to %.*s", STR_ARG(path));
}

/* `what` is a part of requests that the user supplies as a file, and the command that takes it. */
static void act_tell_file(const struct actor *a, const char *what, const char *from)
{
	if (from)
		act_say(a, "%s from %s; /%s off removes %s", what, from, what, str_ends(str_from(what), "s") ? "them" : "it");
	else
		act_say(a, "no %s set; /%s FILE takes a file", what, what);
}

static void act_set_file(const struct actor *a, const char *what, bool (*read)(struct setup *s, const char *path, struct error *err),
                         struct str path)
{
	struct error err = { "" };
	char *name = mention_argument(path);

	if (!read(a->setup, act_is_off(path) ? NULL : name, &err))
		act_fail(a, "%s", err.text);
	else if (act_is_off(path))
		act_say(a, "no %s any more", what);
	else
		act_say(a, "%s from %s, from the next turn on", what, name);
	mem_free(name);
}

/* Reads the files of the command line first, so that they cannot replace what is set now. */
static bool act_has_files(const struct actor *a)
{
	struct error err = { "" };

	if (!setup_read_files(a->setup, &err))
		act_fail(a, "%s", err.text);
	return a->setup->files_read;
}

void act_tools(const struct actor *a, struct str path)
{
	if (path.len && act_set_tool(a, path))
		return;
	if (path.len && act_has_files(a))
		act_set_file(a, "tools", setup_read_tools, path);
	else if (!path.len && act_has_files(a))
		act_list_tools(a);
}

void act_schema(const struct actor *a, struct str path)
{
	if (path.len && act_has_files(a))
		act_set_file(a, "schema", setup_read_schema, path);
	else if (!path.len && act_has_files(a))
		act_tell_file(a, "schema", a->setup->schema_from);
}
