#include "app/screen/replay/inspect_inside.h"

#include "app/session/session_runs.h"
#include "app/setup/setup.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/turn.h"
#include "chat/player/player.h"
#include "ui/rows.h"

#define PORTION_BYTES ((size_t)256 << 10) /* decoded in one run of the loop */
#define TAIL_MS 100                       /* how often a growing tape is read: a list that scrolls by a row a token cannot be read */

void inspect_init(struct inspect *i, const struct host *host, struct clipboard *clipboard, struct inspector *pane)
{
	*i = (struct inspect){ .host = host, .clipboard = clipboard, .pane = pane, .before = host->stack->home };
	edit_init(&i->needle, true);
}

static void inspect_drop(struct inspect *i)
{
	turn_trace_close(&i->of);
	i->grows = false;
}

void inspect_fini(struct inspect *i)
{
	inspect_drop(i);
	edit_fini(&i->needle);
}

bool inspect_is_open(const struct inspect *i)
{
	return i->turn != NULL;
}

void inspect_close(struct inspect *i)
{
	inspector_close(i->pane);
	inspect_drop(i);
	transcript_set_written(i->host->transcript, NULL, (struct page_written){ 0 });
	i->turn = NULL;
	i->types = false;
	if (i->host->stack->focus == inspector_pane(i->pane))
		stack_focus(i->host->stack, i->before);
	host_redraw(i->host);
}

/* The conversation, or the tape of the player, is another one: what was shown is gone. */
static bool inspect_is_stale(const struct inspect *i)
{
	const struct player *player = session_player(i->host->session);

	return i->session != session_number(i->host->session) || (player && i->of.tape != delta_log_tape(player_log(player)));
}

struct turn *inspect_turn(const struct inspect *i)
{
	return inspect_is_open(i) && !inspect_is_stale(i) ? i->turn : NULL;
}

/* --- the page --- */

/* Marks on the page what the frame under the cursor wrote. `reveals`: scrolls to it. */
static void inspect_mark_page(struct inspect *i, bool reveals)
{
	struct transcript *transcript = i->host->transcript;
	struct trace_text text = { 0 };
	struct view view;
	size_t row, first = turn_trace_first_part(i->turn);

	i->marked = inspector_at(i->pane, &row) ? row : SIZE_MAX;
	if (!inspector_at(i->pane, &row) || !trace_wrote(i->of.trace, row, &text) || first + text.part >= i->turn->part_count) {
		transcript_set_written(transcript, NULL, (struct page_written){ 0 });
		return;
	}
	transcript_set_written(transcript, i->turn, (struct page_written){ first + text.part, text.from, text.to });
	host_view(i->host, &view);
	if (reveals)
		transcript_show_written(transcript, &view);
}

/* --- the player --- */

static struct player *inspect_player(const struct inspect *i)
{
	return session_player(i->host->session);
}

/* The cursor goes to the last frame that was played, or to the end. */
static void inspect_follow_player(struct inspect *i)
{
	struct player *player = inspect_player(i);
	size_t frame = player_frame(player);
	size_t row = player_at_end(player) && trace_is_read(i->of.trace) ? trace_count(i->of.trace) - 1
	                                                                 : frame ? trace_row_of_frame(i->of.trace, frame) : 0;

	if (!i->follows || i->moves == player_moves(player) || row >= trace_count(i->of.trace))
		return;
	i->moves = player_moves(player);
	inspector_go(i->pane, row);
	inspect_mark_page(i, false);
	host_redraw(i->host);
}

static void inspect_move_player(struct inspect *i)
{
	struct player *player = inspect_player(i);
	size_t row;

	if (!inspector_at(i->pane, &row))
		return;
	const struct trace_row *at = trace_at(i->of.trace, row);
	(void)player_seek_frame(player, at->kind == TRACE_END ? SIZE_MAX : at->frames, clock_now_ms());
	session_drain(i->host->session);
	i->moves = player_moves(player);
}

/* --- opening --- */

static struct inspect_seen inspect_look(const struct inspect *i)
{
	struct session *s = i->host->session;

	return (struct inspect_seen){ session_live(s), conversation_last(session_conversation(s)), session_runs_tools(s) || session_asking(s) };
}

/* What runs may be over between two looks: the tape is read once more after each change. */
static bool inspect_grows(const struct inspect *i)
{
	struct inspect_seen now = inspect_look(i);

	if (!i->of.tail)
		return false;
	return (i->turn == now.live && !tape_tail_ended(i->of.tail)) || (i->turn == now.last && now.runs) || now.live != i->seen.live ||
	       now.last != i->seen.last || now.runs != i->seen.runs;
}

static bool inspect_begin(struct inspect *i, struct error *err)
{
	i->follows = i->host->replay;
	i->moves = UINT64_MAX;
	if (!turn_trace_open(&i->of, i->host->session, i->turn, i->lint, err))
		return false;
	i->seen = inspect_look(i);
	i->grows = inspect_grows(i);
	return true;
}

static void inspect_read(struct inspect *i)
{
	(void)trace_read(i->of.trace, PORTION_BYTES);
	inspector_update(i->pane);
	host_redraw(i->host);
}

/* The first frame; where none came, the first row that has bytes. */
static size_t inspect_first(const struct trace *trace)
{
	size_t row = trace_row_of_frame(trace, 1), count = trace_count(trace);

	if (row < count)
		return row;
	for (row = 0; row < count && !trace_length(trace, row);)
		row++;
	return row < count ? row : 0;
}

static void inspect_open(struct inspect *i, struct turn *t)
{
	struct error err = { "" };

	inspect_drop(i);
	i->turn = t;
	i->session = session_number(i->host->session);
	if (!inspect_begin(i, &err))
		err.text[0] = (char)(err.text[0] >= 'a' && err.text[0] <= 'z' ? err.text[0] - 'a' + 'A' : err.text[0]);
	inspector_open(i->pane, i->of.trace, err.text);
	if (i->host->replay)
		inspector_follow(i->pane, false);
	if (i->of.trace)
		inspect_read(i);
	if (i->of.trace && !i->grows && !i->host->replay) {
		inspector_follow(i->pane, false);
		inspector_go(i->pane, inspect_first(i->of.trace));
	}
	if (i->host->replay)
		inspect_follow_player(i);
	host_redraw(i->host);
}

bool inspect_heed(struct inspect *i)
{
	bool same = i->session == session_number(i->host->session);

	if (!inspect_is_open(i) || !inspect_is_stale(i))
		return inspect_is_open(i);
	if (same && i->host->replay) /* the next round of the turn */
		inspect_open(i, session_last_answer(i->host->session));
	else
		inspect_close(i);
	return inspect_is_open(i);
}

/* Goes to the frame that wrote a place of the page; opens the inspector of that turn if another one is shown. */
static bool inspect_text(struct inspect *i, const struct transcript_text *text)
{
	size_t row;

	if (i->turn != text->turn)
		inspect_open(i, text->turn);
	while (i->of.trace && !trace_is_read(i->of.trace) &&
	       trace_row_of_text(i->of.trace, text->part - turn_trace_first_part(i->turn), text->offset) >= trace_count(i->of.trace))
		inspect_read(i);
	if (!i->of.trace || text->part < turn_trace_first_part(i->turn))
		return false;
	row = trace_row_of_text(i->of.trace, text->part - turn_trace_first_part(i->turn), text->offset);
	if (row >= trace_count(i->of.trace))
		return false;
	inspector_follow(i->pane, false);
	inspector_go(i->pane, row);
	inspect_mark_page(i, false);
	if (i->host->replay)
		inspect_move_player(i);
	return true;
}

/* The focus can go to it once the stack has given it rows. */
static void inspect_take_focus(struct inspect *i)
{
	const struct stack *s = i->host->stack;
	struct view view;
	unsigned rows = 0, columns = s->columns;

	for (size_t p = 0; p < s->count; p++)
		rows += s->places[p].area.rows;
	if (s->focus != inspector_pane(i->pane))
		i->before = s->focus;
	host_view(i->host, &view);
	stack_layout(i->host->stack, &view, rows, columns);
	stack_focus(i->host->stack, inspector_pane(i->pane));
}

void inspect_command(struct inspect *i)
{
	struct turn *answer = host_answer(i->host);
	struct pane *focus = i->host->stack->focus;
	struct transcript_text text;
	struct view view;

	(void)inspect_heed(i);
	if (focus == inspector_pane(i->pane) && inspect_is_open(i)) {
		inspect_close(i);
		return;
	}
	if (!answer) {
		host_say(i->host, "there is no answer to inspect");
		return;
	}
	bool from_page = focus == transcript_pane(i->host->transcript) && (!i->host->replay || inspect_is_open(i));
	host_view(i->host, &view);
	bool has_text = from_page && transcript_text_here(i->host->transcript, &view, &text);
	i->lint = inspect_is_open(i) ? i->lint : i->host->setup->settings.lint;
	if (!inspect_is_open(i) || i->turn != answer)
		inspect_open(i, has_text ? text.turn : answer);
	if (has_text)
		(void)inspect_text(i, &text);
	inspect_mark_page(i, false);
	inspect_take_focus(i);
}

/* The next row with a finding, from a row on; as much of the tape is decoded as that takes. */
static bool inspect_find_finding(struct inspect *i, size_t from, size_t *row)
{
	while ((*row = trace_row_of_finding(i->of.trace, from)) >= trace_count(i->of.trace) && !trace_is_read(i->of.trace))
		inspect_read(i);
	return *row < trace_count(i->of.trace);
}

void inspect_findings(struct inspect *i)
{
	(void)inspect_heed(i);
	bool has_focus = inspect_is_open(i) && i->host->stack->focus == inspector_pane(i->pane);
	struct turn *answer = has_focus ? i->turn : host_answer(i->host);
	enum lint_level set = i->host->setup->settings.lint;
	bool opens = !inspect_is_open(i) || i->turn != answer || !i->lint;
	size_t row = 0, at = 0;

	if (!answer) {
		host_say(i->host, "there is no answer to inspect");
		return;
	}
	i->lint = set ? set : LINT_LEVEL_DIALECT;
	if (opens)
		inspect_open(i, answer);
	inspect_take_focus(i);
	if (!i->of.trace)
		return;
	bool behind = !opens && inspector_at(i->pane, &at) && inspect_find_finding(i, at + 1, &row);
	if (!behind && !inspect_find_finding(i, 0, &row)) {
		host_say(i->host, "no findings%s: lint names nothing in this answer", i->grows ? " so far" : "");
		return;
	}
	inspector_follow(i->pane, false);
	inspector_go(i->pane, row);
	inspect_mark_page(i, true);
	if (i->host->replay)
		inspect_move_player(i);
}

void inspect_moved(struct inspect *i)
{
	if (i->host->replay)
		inspect_move_player(i);
	inspect_mark_page(i, true);
}

void inspect_press(struct inspect *i, const struct key *key)
{
	const struct pane *over = stack_pane_at(i->host->stack, key->row, key->column);
	struct transcript_text text;
	struct view view;

	if (key->code != KEY_MOUSE_DOWN || !inspect_heed(i))
		return;
	host_view(i->host, &view);
	if (over == inspector_pane(i->pane)) {
		stack_focus(i->host->stack, inspector_pane(i->pane));
		if (inspector_go_to_row(i->pane, key->row, key->column))
			inspect_moved(i);
	} else if (over == transcript_pane(i->host->transcript) && transcript_text_at(i->host->transcript, &view, key->row, &text)) {
		(void)inspect_text(i, &text);
	}
}

/* --- the loop --- */

/* An answer that has no tape yet gets one with its first byte. The cursor that follows goes on to the next answer. */
static struct turn *inspect_next(const struct inspect *i)
{
	struct turn *live = session_live(i->host->session);

	if (i->host->replay || !live || !live->tape || (live == i->turn && i->of.trace))
		return NULL;
	return live == i->turn || inspector_follows(i->pane) ? live : NULL;
}

static int64_t inspect_deadline(void *ctx)
{
	const struct inspect *i = ctx;

	if (inspect_is_open(i) && inspect_next(i))
		return i->read_ms + TAIL_MS;
	if (!i->of.trace)
		return NO_DEADLINE;
	if (!trace_is_read(i->of.trace))
		return 0;
	return i->grows ? i->read_ms + TAIL_MS : NO_DEADLINE;
}

/* A retried request starts the tape over. */
static void inspect_read_tail(struct inspect *i, int64_t now_ms)
{
	struct error err = { "" };
	bool grew;

	i->read_ms = now_ms;
	if (!tape_tail_read(i->of.tail, &grew, &err)) {
		inspect_open(i, i->turn);
		return;
	}
	i->seen = inspect_look(i);
	i->grows = inspect_grows(i);
	if (grew)
		inspect_read(i);
	if (inspector_follows(i->pane))
		inspect_mark_page(i, false);
}

static void inspect_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct inspect *i = ctx;
	size_t row;

	(void)fds, (void)count;
	if (!inspect_heed(i))
		return;
	struct turn *next = inspect_next(i);
	if (next && now_ms >= i->read_ms + TAIL_MS) {
		i->read_ms = now_ms;
		inspect_open(i, next);
	}
	if (!i->of.trace)
		return;
	i->grows |= inspect_grows(i);
	if (!trace_is_read(i->of.trace))
		inspect_read(i);
	else if (i->grows && now_ms >= i->read_ms + TAIL_MS)
		inspect_read_tail(i, now_ms);
	if (i->host->replay)
		inspect_follow_player(i);
	if (!inspector_at(i->pane, &row) || row == i->marked)
		return;
	if (inspector_follows(i->pane)) /* the reader's line stays */
		inspect_mark_page(i, false);
	else
		inspect_moved(i); /* by the wheel */
}

struct loop_member inspect_member(struct inspect *i)
{
	return (struct loop_member){ .ctx = i, .deadline = inspect_deadline, .run = inspect_run };
}
