#include "app/command/opening.h"

#include <string.h>

#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "base/utf8.h"
#include "chat/conversation/sound.h"
#include "chat/conversation/turn.h"
#include "wire/media.h"

#define WATCHED 2 /* programs whose end is waited for: the last ones. Earlier ones are looked at whenever the loop wakes */

void opening_init(struct opening *o)
{
	*o = (struct opening){ .count = 0 };
	for (size_t i = 0; i < OPENED_MOST; i++)
		o->items[i].child.fd = -1;
}

void opening_fini(struct opening *o)
{
	for (size_t i = 0; i < OPENED_MOST; i++) {
		child_leave(&o->items[i].child);
		temp_file_drop(&o->items[i].file);
	}
}

static struct str opening_program(const struct settings *s, enum media_kind kind)
{
	const char *opener = s->opener ? s->opener : OPENER_DEFAULT;

	return str_from(kind == MEDIA_AUDIO && s->player ? s->player : opener);
}

/* "image.png": by the first bytes only, since programs act on the suffix. What the server says of the type is not believed. */
static void opening_name(const struct part *media, struct buf *out)
{
	struct str bytes = blob_str(media->data);
	bool is_text = !media_sniff(bytes).len && !sound_is_raw(media) && utf8_is_valid(bytes);
	const char *suffix = is_text ? "txt" : sound_suffix(media, STR_NONE);

	buf_printf(out, "%s.%s", media_kind_name(media->media_kind), suffix);
}

static void opening_run(struct opening *o, struct opened *item, const struct part *media, const char *name)
{
	struct str program = opening_program(&o->actor.setup->settings, media->media_kind);
	struct str rest, first = str_first_word(program, &rest);
	struct error words = { "" };
	enum severity severity = SEVERITY_ERROR;
	struct buf made = { 0 };
	int failure;

	temp_file_drop(&item->file);
	if (!temp_file_write_bytes(&item->file, name, sound_file(media, &made), &words))
		;
	else if ((failure = child_start_line(&item->child, program, item->file.path, &(struct child_options){ .place = CHILD_APART })))
		error_set(&words, "%.*s could not be started: %s (opener and player in /settings name other programs)", STR_ARG(first),
		          strerror(failure));
	else {
		error_set(&words, "%s of the answer is opened with %.*s%s", name, STR_ARG(first), sound_is_raw(media) ? ": " SOUND_MADE : "");
		severity = SEVERITY_INFORMATION;
	}
	buf_fini(&made);
	o->count += severity == SEVERITY_INFORMATION;
	o->actor.say(o->actor.ctx, severity, words.text);
}

/* NULL, with a sentence: its place is taken. */
static struct opened *opening_place(struct opening *o, struct error *err)
{
	struct opened *item = &o->items[o->count % OPENED_MOST];

	if (!item->child.pid)
		return item;
	error_set(err, "too many programs that were opened still run: end one of them first");
	return NULL;
}

bool opening_page(struct opening *o, const struct actor *actor, const char *url, struct error *err)
{
	struct opened *item = opening_place(o, err);
	struct str list = str_from(process_environment("BROWSER")), program = STR_NONE;
	int failure;

	o->actor = *actor;
	if (!item)
		return false;
	str_split(&list, ':', &program); /* the first of several */
	if (!str_trim(program).len)
		program = opening_program(&actor->setup->settings, MEDIA_FILE);
	temp_file_drop(&item->file);
	failure = child_start_line(&item->child, program, url, &(struct child_options){ .place = CHILD_APART });
	if (failure)
		return error_set(err, "%.*s could not be started: %s (BROWSER, and opener in /settings, name other programs)",
		                 STR_ARG(str_head(program, 100)), strerror(failure));
	o->count++;
	return true;
}

void opening_start(struct opening *o, const struct actor *actor)
{
	const struct part *media = act_media(actor);
	struct buf name = { 0 };
	struct error err;

	o->actor = *actor;
	if (!media)
		return;
	struct opened *item = opening_place(o, &err);
	if (!item) {
		actor->say(actor->ctx, SEVERITY_ERROR, err.text);
		return;
	}
	opening_name(media, &name);
	opening_run(o, item, media, buf_z(&name));
	buf_fini(&name);
}

/* --- the programs --- */

static void opening_say_end(struct opening *o, const struct child_end *end)
{
	struct error words = { "" };

	if (end->status || end->signal)
		error_set(&words, "the program that was to open it failed (%s %d): opener and player in /settings name others",
		          end->signal ? "signal" : "status", end->signal ? end->signal : end->status);
	if (*words.text)
		o->actor.say(o->actor.ctx, SEVERITY_ERROR, words.text);
}

static void opening_turn(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct opening *o = ctx;
	struct child_end end;

	(void)fds, (void)count, (void)now_ms;
	for (size_t i = 0; i < OPENED_MOST; i++)
		if (o->items[i].child.pid && child_has_ended(&o->items[i].child, &end))
			opening_say_end(o, &end);
}

/* The k-th last one. */
static const struct child *opening_watched(const struct opening *o, size_t k)
{
	return &o->items[(o->count + OPENED_MOST - 1 - k) % OPENED_MOST].child;
}

static size_t opening_fds(void *ctx, struct pollfd *fds, size_t room)
{
	size_t count = 0;

	for (size_t k = 0; k < WATCHED && count < room; k++)
		count += child_fds(opening_watched(ctx, k), fds + count);
	return count;
}

static int64_t opening_deadline(void *ctx)
{
	int64_t now_ms = clock_now_ms(), least = NO_DEADLINE;

	for (size_t k = 0; k < WATCHED; k++) {
		int64_t look = child_deadline(opening_watched(ctx, k), now_ms);

		least = look < least ? look : least;
	}
	return least;
}

struct loop_member opening_member(struct opening *o)
{
	return (struct loop_member){ .ctx = o, .fds = opening_fds, .deadline = opening_deadline, .run = opening_turn };
}
