/* What the parts ask of the program, and what the history tells it. */
#include "app/screen/chat_inside.h"

#include <stdio.h>
#include <string.h>

#include "app/screen/chat_commands.h"
#include "app/setup/setup.h"

#define TELL_KEPT_MS 10000

/* --- the host of the parts --- */

static void chat_host_say(void *ctx, enum severity severity, int64_t ms, const char *sentence)
{
	struct chat *c = ctx;

	messages_add(&c->messages, severity, sentence);
	c->message_severity = severity;
	snprintf(c->message, sizeof c->message, "%s", sentence);
	c->message_since_ms = clock_now_ms();
	c->message_until_ms = severity == SEVERITY_ERROR ? NO_DEADLINE : c->message_since_ms + ms; /* nobody may be looking */
	c->dirty = true;
}

void chat_host_redraw(void *ctx)
{
	((struct chat *)ctx)->dirty = true;
}

static void chat_host_view(void *ctx, struct view *view)
{
	chat_fill_view(ctx, view);
}

static struct turn *chat_host_turn(void *ctx)
{
	struct chat *c = ctx;
	struct view view;

	if (sheets_turn(&c->cards.sheets))
		return sheets_turn(&c->cards.sheets);
	if (c->stack.focus == inspector_pane(c->inspector))
		return inspect_turn(&c->inspect);
	if (c->stack.focus != transcript_pane(c->transcript))
		return NULL;
	chat_fill_view(c, &view);
	return transcript_turn(c->transcript, &view);
}

static bool chat_host_run(void *ctx, struct str line)
{
	return chat_run_line(ctx, line);
}

static void chat_host_settings_changed(void *ctx, const char *name)
{
	chat_use_setting(ctx, name);
}

static void chat_host_close_cards(void *ctx)
{
	cards_close(&((struct chat *)ctx)->cards);
}

static void chat_host_mark(void *ctx, const char *folder)
{
	folder_card_open(&((struct chat *)ctx)->cards.folder_card, folder);
}

static void chat_host_fill(void *ctx, struct str text, bool is_line)
{
	struct chat *c = ctx;

	if (is_line)
		composer_keep_slip(&c->composer, text, EDIT_TYPED);
	else
		composer_fill(&c->composer, text);
	c->dirty = true;
}

static void chat_host_write(void *ctx, struct str text)
{
	struct chat *c = ctx;

	edit_insert(&c->composer.input, text);
	c->dirty = true;
}

static bool chat_takes_setting(void *ctx, const char *name, struct error *err)
{
	struct chat *c = ctx;

	if (!strcmp(name, "theme") && !theme_choice_load(&c->theme, str_from(c->setup->settings.theme), err))
		return false;
	chat_use_setting(c, name);
	return true;
}

/* Not while a request runs: it may borrow from what is replaced. */
static void chat_host_reread(void *ctx)
{
	struct chat *c = ctx;
	struct error sentence = { "" };

	if (c->replay || session_is_busy(c->session))
		return;
	enum reread how = setup_reread(c->setup, chat_takes_setting, c, &sentence);
	if (how == REREAD_WRONG)
		host_fail(&c->host, "%s", sentence.text);
	else if (how == REREAD_TAKEN)
		host_say(&c->host, "%s", sentence.text);
}

/* Cards show what would be replaced. */
bool chat_takes_settings_file(void *ctx)
{
	struct chat *c = ctx;
	bool takes = !session_is_busy(c->session) && !compare_runs(&c->compare) && !cards_are_open(&c->cards) && !c->terminal.lent;

	if (takes)
		chat_host_reread(c);
	return takes;
}

static const struct host_ops host_ops = {
	.say = chat_host_say, .redraw = chat_host_redraw, .view = chat_host_view, .turn = chat_host_turn, .run = chat_host_run,
	.settings_changed = chat_host_settings_changed, .close_cards = chat_host_close_cards, .mark = chat_host_mark, .fill = chat_host_fill,
	.write = chat_host_write, .reread = chat_host_reread,
};

void chat_host_init(struct chat *c)
{
	c->host = (struct host){ .setup = c->setup, .session = c->session, .stack = &c->stack, .transcript = c->transcript,
	                         .collecting = c->replay ? NULL : &c->collecting,
	                         .compare = c->replay ? NULL : &c->compare, .replay = c->replay != NULL, .ops = &host_ops, .ctx = c };
}

/* --- what is kept --- */

void chat_tell_kept(void *ctx, const char *sentence)
{
	struct chat *c = ctx;

	host_say_for(&c->host, TELL_KEPT_MS, sentence);
	c->kept_until_ms = c->message_until_ms;
}

/* What stands in the page is not told above the input, too. */
static void chat_noted(void *ctx)
{
	struct chat *c = ctx;

	if (c->message_until_ms == c->kept_until_ms)
		c->message_until_ms = 0;
	c->dirty = true;
}

/* "recovering ..." is over. */
static void chat_resumed(void *ctx, bool good)
{
	struct chat *c = ctx;

	if (good)
		host_say_for(&c->host, 0, "");
	c->dirty = true;
}

static void chat_entered(void *ctx)
{
	struct chat *c = ctx;

	transcript_forget(c->transcript);
	c->dirty = true;
}

static void chat_toggled(void *ctx)
{
	struct chat *c = ctx;

	prompts_set_keeps(c->composer.prompts, setup_keeps(c->setup));
	c->dirty = true;
}

void chat_keep(struct chat *c)
{
	if (c->replay)
		return;
	c->host.keep = keep_new(c->setup, c->session, &(struct keep_ways){
		.tell = chat_tell_kept, .noted = chat_noted, .entered = chat_entered, .resumed = chat_resumed, .toggled = chat_toggled, .ctx = c });
}
