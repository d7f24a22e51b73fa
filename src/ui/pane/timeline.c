#include "ui/pane/timeline.h"

#include <math.h>

#include "base/mem.h"
#include "chat/conversation/turn.h"
#include "ui/pane/spark.h"

#define STEP_SHARE 20 /* while a tape is decoded, the columns are computed again when this share more of it has come */

void timeline_fini(struct timeline *t)
{
	mem_free(t->columns);
	*t = (struct timeline){ .letters = t->letters };
}

/* --- columns --- */

/*
 * The column of a moment of the tape, or of a frame where it has no times. Reckoned in whole microseconds: a place at the edge of two columns
 * is in the same one on every machine.
 */
static unsigned column_at(unsigned count, const struct player *player, double at_ms, size_t frame)
{
	long long whole = llround(player_length_ms(player) * 1000), at = llround(at_ms * 1000);

	if (whole <= 0) {
		whole = (long long)player_frames(player);
		at = (long long)frame;
	}
	unsigned long long column = whole > 0 && at > 0 ? (unsigned long long)at * count / (unsigned long long)whole : 0;
	return column < count ? (unsigned)column : count - 1;
}

static enum timeline_kind kind_of(const struct delta_log *log, size_t delta)
{
	switch (delta_log_kind(log, delta)) {
	case DELTA_TEXT:
	case DELTA_REFUSAL:
	case DELTA_MEDIA_BEGIN:
	case DELTA_MEDIA:
	case DELTA_MEDIA_TEXT:
	case DELTA_MEDIA_END:
	case DELTA_CITATION:       return TIMELINE_TEXT;
	case DELTA_REASONING:      return TIMELINE_REASONING;
	case DELTA_TOOL_BEGIN:
	case DELTA_TOOL_NAME:
	case DELTA_TOOL_ARGUMENTS:
	case DELTA_TOOL_END:
	case DELTA_SERVER_TOOL_BEGIN:
	case DELTA_SERVER_TOOL_INPUT:
	case DELTA_SERVER_TOOL_END: return TIMELINE_CALL;
	case DELTA_ERROR:          return TIMELINE_TROUBLE;
	case DELTA_END:            return outcome_is_trouble(delta_log_answer(log)->outcome) ? TIMELINE_TROUBLE : TIMELINE_OTHER;
	case DELTA_BEGIN:
	case DELTA_META:
	case DELTA_OPAQUE:
	case DELTA_USAGE:
	case DELTA_ROUTE:
	case DELTA_NOTICE:
	case DELTA_RESTART:
	case DELTA_FINISH:         break;
	}
	return TIMELINE_OTHER;
}

/* What came between two moments. */
static void add_moment(struct timeline *t, const struct player *player, struct log_moment before, struct log_moment moment)
{
	const struct delta_log *log = player_log(player);
	struct timeline_column *column = &t->columns[column_at(t->count, player, moment.at_ms, before.frames)];

	column->amount[TIMELINE_OTHER] += 1;
	for (size_t i = before.deltas; i < moment.deltas; i++) {
		size_t bytes = delta_log_text(log, i);

		column->amount[kind_of(log, i)] += bytes ? (double)bytes : 1;
		column->repaired |= delta_log_kind(log, i) == DELTA_NOTICE;
	}
}

static double amount_of(const struct timeline_column *column)
{
	double sum = 0;

	for (int i = 0; i < TIMELINE_KINDS; i++)
		sum += column->amount[i];
	return sum;
}

static void update_columns(struct timeline *t, const struct player *player, unsigned count)
{
	const struct delta_log *log = player_log(player);
	size_t moments = delta_log_moments(log);

	if (t->count == count && (moments == t->moments || (!player_is_read(player) && moments - t->moments < moments / STEP_SHARE)))
		return;
	t->columns = mem_resize(t->columns, count, sizeof *t->columns);
	t->count = count;
	t->moments = moments;
	for (unsigned i = 0; i < count; i++)
		t->columns[i] = (struct timeline_column){ 0 };
	for (size_t i = 0; i < moments; i++)
		add_moment(t, player, delta_log_moment(log, i), delta_log_moment(log, i + 1));
	t->most = 0;
	for (unsigned i = 0; i < count; i++)
		t->most = fmax(t->most, amount_of(&t->columns[i]));
}

/* Trouble is never outweighed. */
static enum timeline_kind main_kind(const struct timeline_column *column)
{
	enum timeline_kind kind = TIMELINE_OTHER;

	if (column->amount[TIMELINE_TROUBLE] > 0)
		return TIMELINE_TROUBLE;
	for (int i = 1; i < TIMELINE_KINDS; i++)
		if (column->amount[i] > 0 && (kind == TIMELINE_OTHER || column->amount[i] > column->amount[kind]))
			kind = (enum timeline_kind)i;
	return kind;
}

/* --- drawing --- */

static const struct { enum role_name role; const char *letter; } kinds[TIMELINE_KINDS] = {
	[TIMELINE_OTHER] = { ROLE_MUTED, "." }, [TIMELINE_TEXT] = { ROLE_TEXT, "t" }, [TIMELINE_REASONING] = { ROLE_REASONING, "r" },
	[TIMELINE_CALL] = { ROLE_TOOL, "c" }, [TIMELINE_TROUBLE] = { ROLE_TROUBLE, "!" },
};

/* Small amounts are seen beside large ones: heights go by the root. */
static const char *sign_of(const struct timeline *t, const struct timeline_column *column, enum timeline_kind kind, bool ascii)
{
	double amount = amount_of(column);

	if (!(amount > 0))
		return " ";
	if (kind == TIMELINE_TROUBLE)
		return "!";
	if (t->letters)
		return column->repaired ? "a" : kinds[kind].letter;
	return spark_sign(sqrt(amount / t->most), ascii);
}

void timeline_draw(struct timeline *t, const struct player *player, int64_t now_ms, bool ascii, struct canvas *canvas, struct area area)
{
	if (!area.columns)
		return;
	update_columns(t, player, area.columns);
	double from_ms, to_ms;
	bool has_range = player_range(player, &from_ms, &to_ms) && player_length_ms(player) > 0;
	unsigned first = has_range ? column_at(t->count, player, from_ms, 0) : 0;
	unsigned last = has_range ? column_at(t->count, player, to_ms, 0) : t->count - 1;
	for (unsigned i = 0; i < t->count; i++) {
		enum timeline_kind kind = main_kind(&t->columns[i]);

		if (i < first || i > last)
			canvas_put(canvas, area.row, area.column + i, 1, ROLE_MUTED, str_from(ascii ? "." : "\u00b7"));
		else
			canvas_put(canvas, area.row, area.column + i, 1, kinds[kind].role, str_from(sign_of(t, &t->columns[i], kind, ascii)));
	}
	unsigned at = column_at(t->count, player, player_position_ms(player, now_ms), player_frame(player));
	canvas_put(canvas, area.row, area.column + at, 1, ROLE_ACCENT, str_from(ascii ? "|" : "\u2503"));
}

double timeline_share(const struct timeline *t, unsigned column)
{
	return t->count > 1 ? fmin((double)column / (double)(t->count - 1), 1) : 0;
}
