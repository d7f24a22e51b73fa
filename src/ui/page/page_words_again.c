/* What the page says of requests that were sent again. */
#include "ui/page/page_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chat/conversation/turn.h"

/* A note of a request sent again that stands between two parts. */
static bool page_words_is_again(const struct turn *t, size_t i, size_t from, size_t to)
{
	const struct note *note = i < t->note_count ? &t->notes[i] : NULL;

	return note && (!strcmp(note->rule, "retried") || !strcmp(note->rule, "sent-again")) && note->part >= from && note->part <= to;
}

/* How a note of a retry ends (exchange_note_retry()). */
#define ASKED_AGAIN "; asked again after "

static bool page_words_are_alike(const struct note *a, const struct note *b)
{
	struct str one = str_from(a->text), other = str_from(b->text), by = STR(ASKED_AGAIN);

	return str_equal(str_head(one, str_find(one, by)), str_head(other, str_find(other, by)));
}

/* Whether the sentence about the turn, below its notes, says the same reason. */
static bool page_words_repeats(const struct turn *t, struct str why)
{
	const char *hint = turn_noted(t, "hint"), *says = !t->ended ? t->waiting : hint ? hint : t->error_message;
	struct str below = says ? str_from(says) : STR_NONE;

	return why.len && str_find(below, why) < below.len;
}

/* What `count` notes that are alike say. Of delays, which differ, the least and the greatest stand for all. */
static void page_words_add_alike(const struct turn *t, const struct note *notes, size_t count, struct buf *out)
{
	struct str text = str_from(notes->text), by = STR(ASKED_AGAIN), why = str_head(text, str_find(text, by));
	double least = HUGE_VAL, most = 0;

	for (size_t i = 0; i < count && why.len < text.len; i++) {
		double seconds = strtod(notes[i].text + why.len + by.len, NULL);

		least = seconds < least ? seconds : least;
		most = seconds > most ? seconds : most;
	}
	if (why.len == text.len) {
		buf_printf(out, count > 1 ? "  %s (%zu times)" : "  %s", notes->text, count);
		return;
	}
	if (page_words_repeats(t, why))
		buf_add_z(out, "  Asked again");
	else
		buf_printf(out, "  %.*s; asked again", STR_ARG(why));
	if (count == 1)
		buf_printf(out, " after %.1f s", least);
	else
		buf_printf(out, least < most ? " %zu times, after %.1f to %.1f s" : " %zu times, after %.1f s each", count, least, most);
}

void page_words_again(const struct turn *t, size_t from, size_t to, page_sentence *say, void *ctx)
{
	struct buf text;
	size_t end;

	buf_init(&text, (size_t)1 << 20);
	for (size_t i = 0; i < t->note_count; i = end) {
		end = i + 1;
		if (!page_words_is_again(t, i, from, to))
			continue;
		while (page_words_is_again(t, end, from, to) && page_words_are_alike(&t->notes[i], &t->notes[end]))
			end++;
		buf_clear(&text);
		page_words_add_alike(t, &t->notes[i], end - i, &text);
		say(ctx, ROLE_NOTICE, buf_str(&text));
	}
	buf_fini(&text);
}
