/* Exports as plain text, not wrapped: for mail, for diff, and for programs that do so themselves. */
#include "chat/conversation/citations.h"
#include "chat/conversation/part_words.h"
#include "chat/conversation/turn.h"
#include "store/export/export_words.h"

#define LINE "----------------------------------------------------------------------"

static void text_open(struct buf *out, const struct history_conversation *facts, size_t leaf, size_t at)
{
	(void)leaf;
	if (at)
		buf_add_z(out, "\n\n");
	export_clean_line(str_from(export_title(facts)), out);
	buf_add_z(out, "\n");
	export_when((time_t)(facts->created_ms / 1000), out);
	buf_add_z(out, "\n" LINE "\n");
	if (facts->system_prompt && *facts->system_prompt) {
		buf_add_z(out, "\nSystem prompt:\n\n");
		export_clean(str_trim(str_from(facts->system_prompt)), out);
		buf_add_byte(out, '\n');
	}
}

static void text_part(struct buf *out, const struct turn *t, const struct part *p)
{
	buf_add_byte(out, '\n');
	if (p->kind != PART_TEXT) {
		buf_add_byte(out, '[');
		export_part_title(t, p, out);
		buf_add_z(out, "]\n");
	}
	if ((p->kind == PART_ATTACHMENT && !export_is_readable(p)) || (p->kind == PART_MEDIA && part_words_media_is_whole(p)))
		return;
	export_clean(str_trim(buf_str(&p->text)), out);
	buf_add_byte(out, '\n');
}

static void text_sources(struct buf *out, const struct citations *c)
{
	for (size_t i = 0; i < c->source_count; i++) {
		buf_printf(out, "%s  %zu. ", i ? "" : "\nSources:\n", i + 1);
		export_clean_line(str_from(c->sources[i].title), out);
		buf_add_z(out, " ");
		export_clean_line(str_from(c->sources[i].url), out);
		buf_add_z(out, "\n");
	}
}

/* Our own words about a turn, if there are any; they are empty then. */
static void text_remark(struct buf *out, struct buf *words)
{
	if (!words->len)
		return;
	buf_add_z(out, "\n[");
	export_clean_line(buf_str(words), out);
	buf_add_z(out, "]\n");
	buf_clear(words);
}

static void text_node(struct buf *out, const struct export_node *node, size_t at)
{
	const struct turn *t = node->turn;
	struct buf words = { 0 };

	(void)at;
	buf_add_byte(out, '\n');
	export_clean_line(t->role == TURN_USER ? STR("You") : export_speaker(t), out);
	buf_add_z(out, t->wall > 0 ? ", " : "");
	export_when(t->wall, out);
	buf_add_z(out, ":\n");
	export_versions(node, &words);
	text_remark(out, &words);
	for (size_t i = 0; i < t->part_count; i++)
		if (!export_is_silent(t, i))
			text_part(out, t, &t->parts[i]);
	text_sources(out, &t->citations);
	export_outcome(t, &words);
	text_remark(out, &words);
	buf_add_z(out, "\n" LINE "\n");
	buf_fini(&words);
}

const struct export_form export_text = { .name = "text", .suffix = ".txt", .open = text_open, .node = text_node };
