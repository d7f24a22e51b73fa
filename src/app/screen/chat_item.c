/* The item of media that the page is on, and what commands do with it (chat_inside.h, chat_commands.h). */
#include "app/screen/chat_commands.h"
#include "app/screen/chat_inside.h"
#include "app/screen/services/copying.h"
#include "chat/conversation/turn.h"

struct actor chat_item_actor(struct chat *c)
{
	struct actor actor = host_actor(&c->host);
	struct view view;

	chat_fill_view(c, &view);
	actor.media = chat_item(c, &view);
	return actor;
}

const struct part *chat_item(struct chat *c, const struct view *view)
{
	return transcript_media(c->transcript, view, c->stack.focus == transcript_pane(c->transcript));
}

enum transcript_block chat_block(struct chat *c)
{
	struct view view;

	chat_fill_view(c, &view);
	return c->stack.focus == transcript_pane(c->transcript) ? transcript_on_block(c->transcript, &view) : TRANSCRIPT_NO_BLOCK;
}

/* What is only an address is shown whole. */
void chat_open_item(struct chat *c)
{
	struct actor actor = chat_item_actor(c);
	struct view view;
	bool unfolded;

	opening_start(&c->opening, &actor);
	chat_fill_view(c, &view);
	if (actor.media && !blob_str(actor.media->data).len && actor.media->name && transcript_on_fold(c->transcript, &view, &unfolded) && !unfolded)
		transcript_fold_one(c->transcript, &view);
}

/* The line stands in the input, where its name can be changed before it is sent. */
void chat_save_item(struct chat *c)
{
	struct actor actor = chat_item_actor(c);
	const struct part *media = act_media(&actor);
	struct buf line = { 0 };

	if (media && !edit_is_empty(&c->composer.input)) {
		host_say(&c->host, "there is a draft in the input: send or clear it first");
	} else if (media) {
		buf_add_z(&line, "save ");
		act_media_name(media, &line);
		composer_keep_slip(&c->composer, buf_str(&line), EDIT_TYPED);
		stack_focus(&c->stack, c->prompt);
	}
	buf_fini(&line);
}

void chat_copy_item(struct chat *c)
{
	struct actor actor = chat_item_actor(c);
	const struct part *media = actor.media ? actor.media : act_media(&actor);

	if (media)
		copying_item(&c->host, &c->clipboard, media);
}
