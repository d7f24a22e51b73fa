/* Edits the input in the user's editor. */
#include "app/screen/input/composer.h"

#define KEPT "the prompt is unchanged"

static bool parts_words(struct str text, size_t at)
{
	return at == 0 || at == text.len || char_is_blank(text.ptr[at - 1]) || char_is_blank(text.ptr[at]);
}

/* Text from the editor is foreign. Unchanged words at the start and at the end keep their origin. */
static void composer_take_text(struct composer *w, struct str text)
{
	struct str old = buf_str(&w->input.text);
	size_t most = old.len < text.len ? old.len : text.len, start = 0, end = 0;

	while (start < most && old.ptr[start] == text.ptr[start])
		start++;
	while (!parts_words(old, start) || !parts_words(text, start))
		start--;
	while (end < most - start && old.ptr[old.len - end - 1] == text.ptr[text.len - end - 1])
		end++;
	while (!parts_words(old, old.len - end) || !parts_words(text, text.len - end))
		end--;
	edit_replace(&w->input, start, old.len - end, str_head(str_skip(text, start), text.len - end - start), EDIT_FOREIGN);
	w->input.cursor = w->input.text.len;
}

static void read_prompt(void *composer, const char *path)
{
	struct composer *w = composer;
	struct error err = { "" };
	struct buf text = { 0 }, before = { 0 };

	edit_expand(&w->input, &before);
	if (!external_read_text(path, buf_str(&before), &text, &err))
		host_fail(w->host, "%s", err.text);
	else if (!str_equal(buf_str(&text), buf_str(&before)))
		composer_take_text(w, buf_str(&text));
	buf_fini(&text);
	buf_fini(&before);
}

void composer_edit_outside(struct composer *w)
{
	struct external_offer offer = { .command = terminal_job_editor(), .variables = "$VISUAL, $EDITOR", .kept = KEPT, .back = read_prompt,
	                               .ctx = w };
	struct buf text = { 0 };

	if (w->host->replay)
		return;
	composer_leave_search(w);
	edit_expand(&w->input, &text);
	offer.text = buf_str(&text);
	external_begin(w->tools.external, &offer);
	buf_fini(&text);
}
