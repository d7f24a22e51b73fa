#include "app/screen/replay/inspect_inside.h"

#include <stdio.h>

#include "app/command/command.h"
#include "base/array.h"

#define COPY_BYTES ((size_t)16 << 20)

static void inspect_copy(struct inspect *i, int step)
{
	struct buf bytes;
	char what[40];
	size_t row;

	(void)step;
	if (!inspector_at(i->pane, &row))
		return;
	size_t frame = trace_frame(i->of.trace, row);
	const char *kind = trace_kind_name(trace_at(i->of.trace, row)->kind);
	if (frame)
		snprintf(what, sizeof what, "frame %zu", frame);
	else
		snprintf(what, sizeof what, "the %s", kind);
	buf_init(&bytes, COPY_BYTES);
	trace_bytes(i->of.trace, row, 0, COPY_BYTES, &bytes);
	if (bytes.len)
		clipboard_send(i->clipboard, what, buf_str(&bytes), false);
	else
		host_say(i->host, "nothing was copied: the %s of the stream has no bytes here", kind);
	buf_fini(&bytes);
}

static void inspect_toggle_follow(struct inspect *i, int step)
{
	(void)step;
	if (!i->host->replay) {
		inspector_follow(i->pane, !inspector_follows(i->pane));
		return;
	}
	i->follows = !i->follows;
	i->moves = UINT64_MAX;
}

static void inspect_find(struct inspect *i, int step)
{
	if (!i->needle.text.len)
		host_say(i->host, "nothing is searched: / searches the bytes of the frames");
	else if (!inspector_find(i->pane, step))
		host_say(i->host, step < 0 ? "no frame before this one has it" : step > 0 ? "no frame behind this one has it" : "no frame has it");
}

/* `step`: 1 for the slash, which may begin a command. */
static void inspect_type(struct inspect *i, int step)
{
	i->types = true;
	i->slashed = step > 0;
	edit_set(&i->needle, STR_NONE);
}

static void inspect_search(struct inspect *i)
{
	i->types = false;
	inspector_search(i->pane, buf_str(&i->needle.text));
	if (i->needle.text.len)
		inspect_find(i, 0);
}

static void inspect_filter(struct inspect *i, int step)
{
	(void)step;
	inspector_next_filter(i->pane);
}

static void inspect_fold(struct inspect *i, int step)
{
	(void)step;
	inspector_toggle_fold(i->pane);
}

static void inspect_finding(struct inspect *i, int step)
{
	(void)step;
	inspect_findings(i);
}

static void inspect_request(struct inspect *i, int step)
{
	(void)step;
	(void)host_run(i->host, STR("request"));
}

static const struct inspect_key {
	const char *back, *on;   /* NULL: there is none */
	void (*act)(struct inspect *i, int step); /* -1: back, 1: on */
	struct key_help help;
} keys[] = {
	{ NULL, "F", inspect_toggle_follow, { "F", "follow what comes, or the player; or hold" } },
	{ NULL, "x", inspect_filter, { "x", "frames of one kind: text, reasoning, calls, repairs and errors" } },
	{ NULL, "/", inspect_type, { "Ctrl-F /", "search the bytes of the frames; / and the name of a command is that command" } },
	{ "N", "n", inspect_find, { "n N", "next frame that has them; with Shift the one before" } },
	{ NULL, "l", inspect_finding, { "l", "next frame in which lint names something; /findings, too" } },
	{ "f", "Enter", inspect_fold, { "Enter f", "fold or unfold JSON" } },
	{ NULL, "y", inspect_copy, { "y", "copy the frame as it came" } },
	{ NULL, "o", inspect_request, { "o", "show the request" } },
	{ .help = { "j k", "next frame, the one before; also arrows, PgUp PgDn, Home End, wheel and click" } },
	{ .help = { "J K", "scroll the frame" } },
	{ .help = { "Esc", "close; F8, too" } },
};

const struct key_help *inspect_keys_help_at(size_t index)
{
	return index < ARRAY_LEN(keys) ? &keys[index].help : NULL;
}

/* Keys of the inspector alone. False: another key. */
static bool inspect_act(struct inspect *i, const struct key *key)
{
	for (size_t n = 0; n < ARRAY_LEN(keys); n++) {
		int step = key_is_named(key, keys[n].on) ? 1 : key_is_named(key, keys[n].back) ? -1 : 0;

		if (step)
			keys[n].act(i, step);
		if (step)
			return true;
	}
	bool folds = key_is_named(key, "Space") && !i->host->replay, copies = host_key_is(i->host, key, "copy");
	bool searches = host_key_is(i->host, key, "search");
	if (folds)
		inspect_fold(i, 0);
	else if (copies)
		inspect_copy(i, 0);
	else if (searches)
		inspect_type(i, 0);
	return folds || copies || searches;
}

static bool inspect_has_focus(const void *part)
{
	const struct inspect *i = part;

	return inspect_is_open(i) && i->host->stack->focus == inspector_pane(i->pane);
}

static bool inspect_types(struct inspect *i, const struct key *key)
{
	if (key_is_wheel(key) || key_is_mouse(key))
		return false;
	if (key->code == KEY_ESCAPE)
		i->types = false;
	else if (host_key_is(i->host, key, "search"))
		i->slashed = false;
	else if (key->code != KEY_ENTER)
		(void)edit_key(&i->needle, key);
	else if (!host_runs_line(i->host, &i->needle, i->slashed, key, &inspect_mode, i))
		inspect_search(i);
	return true;
}

static bool inspect_takes(void *part, const struct key *key)
{
	struct inspect *i = part;
	size_t before = SIZE_MAX, after = SIZE_MAX;
	struct view view;
	bool taken;

	host_redraw(i->host);
	if (!inspect_heed(i))
		return false;
	(void)inspector_at(i->pane, &before);
	host_view(i->host, &view);
	if (i->types)
		taken = inspect_types(i, key);
	else if (key_is_wheel(key) || key_is_mouse(key))
		return false;
	else if (key->code == KEY_ESCAPE || host_key_is(i->host, key, "inspect"))
		inspect_close(i), taken = true;
	else
		taken = pane_key(inspector_pane(i->pane), &view, key) || inspect_act(i, key);
	if (inspector_at(i->pane, &after) && after != before)
		inspect_moved(i);
	return taken;
}

static bool inspect_interrupted(void *part)
{
	struct inspect *i = part;

	if (!i->types)
		inspect_close(i);
	i->types = false;
	return true;
}

static enum mode_paste inspect_paste(const void *part)
{
	return ((const struct inspect *)part)->types ? PASTE_TAKEN : PASTE_PASSES;
}

const struct mode inspect_mode = {
	.is_open = inspect_has_focus, .takes = inspect_takes, .leave = inspect_interrupted, .paste = inspect_paste,
};

/* What is most needed stands last: it is dropped last where room is short. */
void inspect_draw_words(struct inspect *i)
{
	const struct command *command;
	struct buf words = { 0 };

	if (!inspect_is_open(i))
		return;
	enum line_kind kind = i->types ? command_line(&i->needle, i->slashed, &command) : LINE_TEXT;

	if (kind == LINE_COMMAND) {
		buf_printf(&words, "Enter runs /%s   Esc back", command->name);
	} else if (i->types) {
		buf_add_z(&words, "Enter find   Esc back");
	} else if (i->of.trace) {
		buf_printf(&words, "o request   y copy   / search   J K scroll   %sx kind   f fold   F %s   j k frame   Esc close",
		           trace_findings(i->of.trace) ? "l finding   " : "",
		           (i->host->replay ? i->follows : inspector_follows(i->pane)) ? "hold" : "follow");
	} else {
		buf_add_z(&words, "Esc close");
	}
	snprintf(i->keys, sizeof i->keys, "%s", buf_z(&words));
	inspector_set_words(i->pane, i->keys, i->types ? buf_z(&i->needle.text) : NULL);
	buf_fini(&words);
}
