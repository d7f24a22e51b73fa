#include "app/keep/tree_rows.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/totals.h"
#include "render/markdown/markdown_words.h"

#define NOW_SECONDS 60 /* "now" below it */
#define DATE_SECONDS (7 * 24 * 3600) /* the date from it on */
#define SIGNS_MOST 8   /* bytes of markdown that a byte of its words takes */

void tree_rows_fini(struct tree_rows *t)
{
	mem_free(t->rows);
	mem_free(t->folded);
	*t = (struct tree_rows){ 0 };
}

static bool is_folded(const struct tree_rows *t, const struct turn *turn)
{
	return turn->number < t->known && t->folded[turn->number];
}

/* Whether the turns below `parent` are several branches. */
static bool parts_below(const struct conversation *c, const struct turn *parent)
{
	const struct turn *first = conversation_child(c, parent);

	return first && conversation_next(first);
}

/* The turn behind a whole subtree: the next sibling, or that of the nearest turn above which has one. Steps out by the parted ones. */
static struct turn *after_subtree(const struct conversation *c, const struct turn *turn, unsigned *indent)
{
	struct turn *next = NULL;

	for (; turn && !(next = conversation_next(turn)); turn = turn->parent)
		*indent -= parts_below(c, turn->parent);
	return next;
}

void tree_rows_fill(struct tree_rows *t, const struct conversation *c)
{
	struct turn *turn = conversation_child(c, NULL);
	unsigned indent = parts_below(c, NULL);
	size_t *roots = NULL, root_capacity = 0; /* by indent: the row where the branch began */

	t->count = 0;
	while (turn) {
		bool begins = parts_below(c, turn->parent);
		struct turn *child = conversation_child(c, turn), *below = is_folded(t, turn) ? NULL : child;

		mem_reserve(&t->rows, &t->capacity, t->count + 1, sizeof *t->rows);
		if (begins) {
			mem_reserve(&roots, &root_capacity, indent + 1u, sizeof *roots);
			roots[indent] = t->count;
		}
		t->rows[t->count++] = (struct tree_row){ .turn = turn, .indent = indent, .branch = indent ? roots[indent] : 0,
			.outer = indent > 1 ? roots[indent - 1] : 0, .folded = child != below, .has_below = child != NULL };
		indent += below && parts_below(c, turn);
		turn = below ? below : after_subtree(c, turn, &indent);
	}
	mem_free(roots);
}

void tree_rows_fold(struct tree_rows *t, const struct turn *turn, bool folded)
{
	size_t known = t->known;

	mem_reserve(&t->folded, &t->known, turn->number + 1, sizeof *t->folded);
	memset(t->folded + known, 0, (t->known - known) * sizeof *t->folded);
	t->folded[turn->number] = folded;
}

size_t tree_rows_find(const struct tree_rows *t, const struct turn *turn)
{
	for (; turn; turn = turn->parent)
		for (size_t i = 0; i < t->count; i++)
			if (t->rows[i].turn == turn)
				return i;
	return 0;
}

void tree_lines(const struct tree_rows *t, size_t row, unsigned most, struct buf *out)
{
	unsigned shown = t->rows[row].indent < most ? t->rows[row].indent : most;
	size_t start = out->len;

	for (size_t i = 0, at = t->rows[row].branch; i < shown; i++, at = t->rows[at].outer) {
		bool goes_on = conversation_next(t->rows[at].turn) != NULL;
		struct str line = at == row ? (goes_on ? STR("\u251C\u2500") : STR("\u2514\u2500")) : goes_on ? STR("\u2502 ") : STR("  ");

		buf_insert(out, start, line);
	}
}

bool tree_row_is_current(const struct tree_row *row, const struct conversation *c)
{
	return conversation_shows(c, row->turn) && (row->folded || row->turn == conversation_last(c));
}

/* --- what is said of a turn --- */

/* Turns below it that count. */
static size_t count_below(const struct conversation *c, const struct turn *turn, bool (*counts)(const struct turn *t))
{
	size_t below = 0;
	unsigned indent = 0; /* of no interest */
	const struct turn *end = after_subtree(c, turn, &indent);

	for (const struct turn *t = conversation_child(c, turn); t && t != end;) {
		const struct turn *child = conversation_child(c, t);

		below += counts(t);
		t = child ? child : after_subtree(c, t, &indent);
	}
	return below;
}

static bool has_a_row(const struct turn *t)
{
	(void)t;
	return true;
}

size_t tree_below(const struct conversation *c, const struct turn *turn)
{
	return count_below(c, turn, has_a_row);
}

void tree_write_whole(const struct conversation *c, const struct turn *turn, struct buf *out)
{
	const struct turn *child = conversation_child(c, turn);
	size_t turns = count_below(c, turn, turn_is_prompt);
	bool asks = turn->role == TURN_USER, answered = asks && child;

	buf_add_z(out, asks ? "prompt" : "answer");
	if (answered)
		buf_printf(out, "%s its answer%s", turns ? "," : " and", conversation_next(child) ? "s" : "");
	if (turns == 1)
		buf_add_z(out, " and the turn below it");
	else if (turns)
		buf_printf(out, " and the %zu turns below it", turns);
	else if (child && !answered) /* results of its calls */
		buf_add_z(out, " and what follows it");
}

static void add_line(struct str text, size_t most, struct buf *out)
{
	struct str whole = str_trim(text), shown = utf8_head(whole, most);

	for (size_t i = 0; i < shown.len; i++)
		buf_add_byte(out, (unsigned char)shown.ptr[i] < ' ' ? ' ' : shown.ptr[i]);
	if (shown.len < whole.len)
		buf_add_z(out, "\u2026");
}

/* Of an answer, the words of its markdown, whose signs take some of the text. */
static void add_text(const struct turn *turn, struct str text, size_t most, struct buf *out)
{
	struct str head = utf8_head(text, SIGNS_MOST * most);
	struct buf words = { 0 };

	if (turn->role == TURN_ASSISTANT)
		markdown_words(head, &words);
	add_line(words.len ? buf_str(&words) : text, most, out);
	if (words.len && words.len <= most && head.len < text.len)
		buf_add_z(out, "\u2026");
	buf_fini(&words);
}

/* The first part that a reader would name the turn by. */
void tree_first_words(const struct turn *turn, size_t most, struct buf *out)
{
	static const enum part_kind order[] = { PART_TEXT, PART_REFUSAL, PART_TOOL_CALL, PART_TOOL_RESULT, PART_ATTACHMENT, PART_MEDIA,
	                                        PART_SERVER_TOOL, PART_REASONING };

	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (size_t i = 0; i < turn->part_count; i++) {
			const struct part *part = &turn->parts[i];
			bool named = part->kind == PART_TOOL_CALL || part->kind == PART_TOOL_RESULT || part->kind == PART_ATTACHMENT;

			if (part->kind != order[k] || str_is_blank(named ? str_from(part->name) : buf_str(&part->text)))
				continue;
			if (part->kind == PART_TOOL_RESULT)
				buf_add_z(out, "result of ");
			if (named)
				add_line(str_from(part->name), most, out);
			else
				add_text(turn, buf_str(&part->text), most, out);
			return;
		}
	add_line(turn->error_message ? str_from(turn->error_message) : STR("(nothing)"), most, out);
}

void age_write(time_t then, time_t now, struct buf *out)
{
	long long seconds = then ? (long long)(now - then) : -1;

	if (seconds < 0)
		return;
	if (seconds < NOW_SECONDS)
		buf_add_z(out, "now");
	else if (seconds < 3600)
		buf_printf(out, "%lld min", seconds / 60);
	else if (seconds < 48 * 3600)
		buf_printf(out, "%lld h", seconds / 3600);
	else
		buf_printf(out, "%lld d", seconds / (24 * 3600));
}

void tree_when(const struct turn *turn, time_t now, struct buf *out)
{
	char date[sizeof "2026-01-31"] = "";
	size_t start = out->len;
	struct tm tm;

	if (turn->wall && now - turn->wall >= DATE_SECONDS && localtime_r(&turn->wall, &tm) && strftime(date, sizeof date, "%Y-%m-%d", &tm)) {
		buf_add_z(out, date);
		return;
	}
	age_write(turn->wall, now, out);
	if (out->len > start && now - turn->wall >= NOW_SECONDS)
		buf_add_z(out, " ago");
}

const char *tree_model(const struct turn *turn)
{
	const char *asked = turn->scope.model && *turn->scope.model ? turn->scope.model : NULL;
	const char *model = turn->routed_model && *turn->routed_model ? turn->routed_model : asked ? asked : turn->model;
	const char *slash = model ? strrchr(model, '/') : NULL;

	return turn->role == TURN_USER || !model ? "" : slash ? slash + 1 : model;
}

const char *tree_outcome(const struct turn *turn)
{
	if (turn->role == TURN_USER)
		return "";
	return turn->ended ? outcome_name(turn->outcome) : "under way";
}
