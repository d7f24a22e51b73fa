/* The input in the user's own editor. */
#include "app/chat.h"

#define KEPT "the prompt is as it was"

/* What an editor left behind becomes text of ours: valid UTF-8, LF, and without the line end that editors add. */
static void read_prompt(struct chat *c, const char *path)
{
	struct error err = { "" };
	struct buf bytes, text, before;
	size_t kept = 0;

	buf_init(&bytes, EDIT_LIMIT);
	buf_init(&text, 3 * EDIT_LIMIT);
	buf_init(&before, BUF_LIMIT_DEFAULT);
	edit_expand(&c->input, &before);
	if (!buf_read_file(&bytes, path, &err)) {
		chat_say(c, "%s", err.text);
		goto out;
	}
	utf8_repair(buf_str(&bytes), &text);
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] != '\r')
			text.ptr[kept++] = text.ptr[i];
	kept -= kept && text.ptr[kept - 1] == '\n' && !str_ends(buf_str(&before), "\n");
	if (!str_equal(str_of(text.ptr, kept), buf_str(&before)))
		edit_set(&c->input, str_of(text.ptr, kept));
out:
	buf_fini(&bytes);
	buf_fini(&text);
	buf_fini(&before);
}

void composer_edit_outside(struct chat *c)
{
	struct lending_offer offer = { .command = lending_editor(), .variables = "$VISUAL, $EDITOR", .kept = KEPT, .back = read_prompt };
	struct buf text;

	if (c->tape)
		return;
	composer_leave_search(c);
	buf_init(&text, BUF_LIMIT_DEFAULT);
	edit_expand(&c->input, &text);
	offer.text = buf_str(&text);
	lending_begin(c, &offer, false);
	buf_fini(&text);
}
