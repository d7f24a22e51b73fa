#include "chat/player/trace.h"

#include "base/least.h"
#include "base/mem.h"
#include "base/search.h"
#include "chat/conversation/turn.h"
#include "chat/player/step_words.h"
#include "wire/taps.h"

struct trace {
	const struct tape *tape;
	struct stream_tap tap;
	struct taps taps;        /* the findings', then ours */
	struct delta_log *log;
	struct findings *findings; /* NULL: it is not checked */
	size_t *finding_rows;    /* the row of each finding, as far as it is known: of the first `placed` ones */
	size_t placed, finding_capacity;
	struct session_findings *session; /* of such a tape; NULL: it is not checked */
	size_t session_placed;   /* how many of them rows have */
	bool is_list;            /* the tape is a session with an MCP server: the deltas come from the log alone */
	struct said *said;       /* NULL: no message has come */
	struct buf words;        /* of messages, each with its zero */
	struct trace_row *rows;
	size_t count, capacity;
	size_t *ends;            /* bytes received up to each step of the tape */
	size_t steps, step_capacity;

	size_t base;             /* bytes received before this body */
	size_t received;         /* bytes received so far */
	size_t body_rows;        /* rows before this body, its head included */
	size_t frames;           /* frames so far */
	size_t target;           /* the row that gets deltas */
	uint32_t deltas;
	uint32_t marks;          /* of the frame that comes next */
	double read_ms;          /* of the last read */
	char first;              /* the first byte of this body that is not blank: it decides the framing; 0: none yet */
	bool finish_seen;        /* the row with the finish word has its mark */
	bool is_error;           /* the status is not 2xx */
	bool over;               /* the end has come: what is behind it is of no stream */
	bool ending;             /* the end of the tape is being decoded, and no frame has come with it */
};

/* --- rows --- */

static struct trace_row *trace_add(struct trace *t, enum trace_kind kind, size_t offset, double at_ms)
{
	size_t least = t->count ? t->rows[t->count - 1].offset : 0;

	if (t->count == t->body_rows) /* the first one of a body has its blank lines, too */
		offset = t->base;
	mem_reserve(&t->rows, &t->capacity, t->count + 1, sizeof *t->rows);
	struct trace_row *row = &t->rows[t->count];
	*row = (struct trace_row){
		.at_ms = at_ms, .offset = offset > least ? offset : least, .deltas_end = t->deltas, .kind = (uint8_t)kind, .marks = t->marks,
		.frames = (uint32_t)t->frames,
	};
	t->marks = 0;
	t->target = t->count++;
	return row;
}

/* The finish word is known once its frame was decoded: when something else comes. */
static void trace_note_finish(struct trace *t)
{
	if (t->finish_seen || !t->log || !t->count || !delta_log_finish_seen(t->log))
		return;
	t->finish_seen = true;
	t->rows[t->target].marks |= 1u << TRACE_FINISH;
}

/* --- findings --- */

static size_t trace_place_of(const struct trace *t, const struct frame_place *place)
{
	if (!place->frame && !place->in_body)
		return t->body_rows > 0 && t->body_rows <= t->count ? t->body_rows - 1 : 0;
	return trace_row_of_byte(t, place->offset);
}

/* Findings that are new, but for those about a frame that is still coming; with `all`, of a body that is over, those too. */
static void trace_place_findings(struct trace *t, bool all)
{
	for (; t->count && t->placed < findings_count(t->findings); t->placed++) {
		const struct frame_place *place = &findings_at(t->findings, t->placed)->place;

		if (all ? !place->frame && !place->in_body : place->frame > t->frames)
			return;
		size_t row = trace_place_of(t, place);
		mem_reserve(&t->finding_rows, &t->finding_capacity, t->placed + 1, sizeof *t->finding_rows);
		t->finding_rows[t->placed] = row;
		t->rows[row].marks |= 1u << TRACE_FINDING;
	}
}

const struct finding *trace_finding(const struct trace *t, size_t row, size_t *next)
{
	while (*next < t->placed)
		if (t->finding_rows[(*next)++] == row)
			return findings_at(t->findings, *next - 1);
	return NULL;
}

static size_t trace_session_row(const struct trace *t, size_t index)
{
	size_t row = trace_row_of_frame(t, session_findings_at(t->session, index)->message);

	return row < t->count ? row : t->count - 1;
}

static void trace_take_session(struct trace *t, const struct tape_step *step)
{
	session_findings_step(t->session, step);
	for (; t->count && t->session_placed < session_findings_count(t->session); t->session_placed++)
		t->rows[trace_session_row(t, t->session_placed)].marks |= 1u << TRACE_FINDING;
}

const struct session_finding *trace_session_finding(const struct trace *t, size_t row, size_t *next)
{
	while (*next < t->session_placed)
		if (trace_session_row(t, (*next)++) == row)
			return session_findings_at(t->session, *next - 1);
	return NULL;
}

size_t trace_findings(const struct trace *t)
{
	return t->placed + t->session_placed;
}

size_t trace_row_of_finding(const struct trace *t, size_t from)
{
	while (from < t->count && !(t->rows[from].marks & 1u << TRACE_FINDING))
		from++;
	return least_size(from, t->count);
}

/* --- the tap --- */

static void trace_take_head(void *trace, const struct response_head *head, double at_ms)
{
	struct trace *t = trace;

	trace_place_findings(t, true);
	t->base = t->received;
	t->first = '\0';
	t->is_error = head->status < 200 || head->status > 299;
	t->body_rows = SIZE_MAX; /* the head is not the first row of a body */
	trace_add(t, TRACE_HEAD, t->base, at_ms);
	t->body_rows = t->count;
	trace_place_findings(t, false);
}

static void trace_take_read(void *trace, struct str bytes, double at_ms)
{
	struct trace *t = trace;
	struct str seen = str_trim_start(t->received == t->base && str_starts(bytes, "\xEF\xBB\xBF") ? str_skip(bytes, 3) : bytes);

	trace_place_findings(t, false);
	t->read_ms = at_ms;
	t->received += bytes.len;
	if (!t->first && seen.len)
		t->first = *seen.ptr;
	if (t->is_error && t->count == t->body_rows && bytes.len) {
		t->frames++;
		trace_add(t, TRACE_BODY, t->base, at_ms);
	}
}

static void trace_take_oddity(void *trace, enum framer_oddity oddity, enum framer_whose whose, size_t offset)
{
	static const enum trace_kind kinds[FRAMER_ODDITIES] = {
		[FRAMER_COMMENT] = TRACE_COMMENT, [FRAMER_FIELDS] = TRACE_FIELDS, [FRAMER_NO_DATA] = TRACE_FIELDS, [FRAMER_TOO_LARGE] = TRACE_DROPPED,
	};
	struct trace *t = trace;

	trace_note_finish(t);
	if (whose == FRAMER_OF_NEXT || kinds[oddity] || !t->count)
		t->marks |= 1u << oddity;
	else
		t->rows[t->count - 1].marks |= 1u << oddity;
	if (kinds[oddity])
		trace_add(t, kinds[oddity], offset, t->read_ms);
}

static void trace_take_frame(void *trace, const struct frame *frame, const struct frame_place *place, bool is_utf8)
{
	struct trace *t = trace;
	bool is_json = t->first == '{' || t->first == '[' || t->marks & 1u << FRAMER_RAW_JSON;

	trace_note_finish(t);
	t->marks |= (uint32_t)!is_utf8 << TRACE_INVALID | (uint32_t)frame->unclosed << TRACE_UNCLOSED;
	t->frames = place->frame;
	trace_add(t, is_json ? TRACE_JSON : TRACE_EVENT, place->offset, place->at_ms);
	t->ending = false;
	trace_place_findings(t, false);
}

static void trace_take_broken(void *trace, struct str text, const struct frame_place *place)
{
	struct trace *t = trace;

	(void)text, (void)place;
	t->rows[t->count - 1].marks |= 1u << TRACE_BROKEN;
}

static void trace_take_done(void *trace, const struct frame_place *place)
{
	struct trace *t = trace;

	(void)place;
	t->target = t->count - 1;
	t->rows[t->target].marks |= 1u << TRACE_DONE;
}

static void trace_take_repair(void *trace, enum guard_mended repair)
{
	struct trace *t = trace;

	if (t->count)
		t->rows[t->target].marks |= 1u << (TRACE_REPAIRS + repair);
}

/* A value may be one of an earlier frame: its deltas come when the protocol is known. */
static void trace_take_value(void *trace, const struct protocol *protocol, const struct message *message)
{
	struct trace *t = trace;
	size_t row = trace_row_of_frame(t, message->place.frame);

	(void)protocol;
	t->target = row < t->count ? row : t->target;
	t->ending = false;
	trace_place_findings(t, false);
}

/* What comes with the end, but from no frame, belongs to the end. An error belongs to the body that tells it. */
static void trace_take_delta(void *trace, const struct delta *d)
{
	struct trace *t = trace;
	bool of_body = t->is_error && t->count > t->body_rows;

	if (d->kind == DELTA_END || (t->ending && !of_body) || !t->count)
		if (!t->count || t->rows[t->count - 1].kind != TRACE_END)
			trace_add(t, TRACE_END, t->received, d->at_ms);
	t->deltas++;
	t->rows[t->target].kinds |= 1u << d->kind;
	for (size_t i = t->target; i < t->count; i++)
		t->rows[i].deltas_end = t->deltas;
}

static void trace_take_end(void *trace, const struct protocol *protocol, enum end_how how, double at_ms)
{
	(void)protocol, (void)how, (void)at_ms;
	trace_place_findings(trace, true);
	trace_place_findings(trace, false);
}

/* --- creation --- */

struct trace *trace_new(const struct tape *tape, const struct stream_options *stream, int status, enum lint_level lint)
{
	struct trace *t = mem_new(sizeof *t);
	struct stream_options options = *stream;

	t->tap = (struct stream_tap){
		.ctx = t, .head = trace_take_head, .read = trace_take_read, .oddity = trace_take_oddity, .frame = trace_take_frame,
		.broken = trace_take_broken, .done = trace_take_done, .value = trace_take_value, .repair = trace_take_repair,
		.delta = trace_take_delta, .end = trace_take_end,
	};
	t->findings = findings_of_tape(lint, tape, stream);
	options.tap = taps_join(&t->taps, findings_tap(t->findings), &t->tap);
	t->tape = tape;
	t->is_list = str_is(tape_facts(tape)->protocol, "mcp");
	t->session = session_findings_new(lint, tape);
	buf_init(&t->words, TAPE_LIMIT);
	t->log = delta_log_new(tape, &options, status);
	delta_log_read_beyond(t->log);
	return t;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	delta_log_free(t->log);
	findings_free(t->findings);
	session_findings_free(t->session);
	said_free(t->said);
	buf_fini(&t->words);
	mem_free(t->finding_rows);
	mem_free(t->rows);
	mem_free(t->ends);
	mem_free(t);
}

/* --- messages of an MCP session, and runs --- */

static void trace_take_words(struct trace *t, struct trace_row *row, const struct tape_step *step)
{
	struct buf line = { 0 };

	if (!t->said)
		t->said = said_new();
	step_write_words(step, t->said, &line);
	row->words = (uint32_t)t->words.len + 1;
	if (!buf_add(&t->words, str_of(buf_z(&line), line.len + 1)))
		row->words = 0;
	buf_fini(&line);
}

/* The deltas that the log has made of a step by itself. */
static void trace_take_listed(struct trace *t, struct trace_row *row)
{
	for (; t->deltas < delta_log_count(t->log); t->deltas++)
		row->kinds |= 1u << delta_log_kind(t->log, t->deltas);
	row->deltas_end = t->deltas;
}

static void trace_take_message(struct trace *t, const struct tape_step *step)
{
	t->frames++;
	struct trace_row *row = trace_add(t, step->kind == TAPE_RUN ? TRACE_RUN : step->kind == TAPE_SENT ? TRACE_CLIENT : TRACE_SERVER,
	                                  t->received, step->at_ms);
	t->received += step->bytes.len;
	trace_take_words(t, row, step);
	if (t->is_list)
		trace_take_listed(t, row);
}

struct str trace_words(const struct trace *t, size_t row)
{
	return t->rows[row].words ? str_from(t->words.ptr + t->rows[row].words - 1) : STR_NONE;
}

/* --- reading --- */

static size_t trace_steps(const struct trace *t)
{
	return tape_length(t->tape) + tape_behind(t->tape);
}

bool trace_read(struct trace *t, size_t bytes)
{
	size_t length = trace_steps(t), read = 0;

	if (t->steps == length)
		return false;
	do {
		struct tape_step step = tape_at(t->tape, t->steps);

		read += step.bytes.len;
		if (step.kind == TAPE_END) {
			if (t->received > t->base && (t->count == t->body_rows || !t->count))
				trace_add(t, TRACE_BODY, t->base, t->read_ms); /* a body without a frame is one row */
			t->ending = true;
		}
		delta_log_read(t->log, 0);
		if (step.kind == TAPE_BODY)
			trace_note_finish(t);
		else if (step.run || (t->is_list && (step.kind == TAPE_SENT || step.kind == TAPE_CAME)))
			trace_take_message(t, &step);
		if (t->is_list && step.kind == TAPE_END)
			trace_take_listed(t, trace_add(t, TRACE_END, t->received, step.at_ms));
		trace_take_session(t, &step);
		t->over |= step.kind == TAPE_END;
		*ARRAY_ADD(t->ends, t->steps, t->step_capacity) = t->received;
	} while (t->steps < length && read < bytes);
	return true;
}

bool trace_is_read(const struct trace *t)
{
	return t->steps == trace_steps(t);
}

/* --- asking --- */

/* The number of rows up to a place, which rows have in rising order. */
static size_t trace_rows_before(const struct trace *t, size_t place, size_t (*place_of)(const struct trace_row *row))
{
	struct search s = search_in(0, t->count);

	while (search_next(&s))
		search_take(&s, place_of(&t->rows[s.middle]) <= place);
	return s.low;
}

static size_t trace_deltas_of(const struct trace_row *row)
{
	return row->deltas_end;
}

static size_t trace_offset_of(const struct trace_row *row)
{
	return row->offset;
}

static size_t trace_frames_of(const struct trace_row *row)
{
	return row->frames;
}

const struct delta_log *trace_log(const struct trace *t)
{
	return t->log;
}

size_t trace_count(const struct trace *t)
{
	return t->count;
}

size_t trace_settled(const struct trace *t)
{
	if (t->is_list || t->over || (t->count && t->rows[t->count - 1].kind == TRACE_END))
		return t->count;
	return delta_log_protocol(t->log) && t->count ? t->count - 1 : 0;
}

const struct trace_row *trace_at(const struct trace *t, size_t row)
{
	return &t->rows[row];
}

size_t trace_frames(const struct trace *t)
{
	return t->frames;
}

size_t trace_frame(const struct trace *t, size_t row)
{
	return t->rows[row].frames > (row ? t->rows[row - 1].frames : 0) ? t->rows[row].frames : 0;
}

size_t trace_row_of_frame(const struct trace *t, size_t frame)
{
	return frame && frame <= t->frames ? trace_rows_before(t, frame - 1, trace_frames_of) : t->count;
}

size_t trace_length(const struct trace *t, size_t row)
{
	return (row + 1 < t->count ? t->rows[row + 1].offset : t->received) - t->rows[row].offset;
}

size_t trace_first_delta(const struct trace *t, size_t row)
{
	return row ? t->rows[row - 1].deltas_end : 0;
}

/* The first step of which a byte is behind `offset`. */
static size_t trace_step_of(const struct trace *t, size_t offset)
{
	struct search s = search_in(0, t->steps);

	while (search_next(&s))
		search_take(&s, t->ends[s.middle] <= offset);
	return s.low;
}

void trace_bytes(const struct trace *t, size_t row, size_t from, size_t most, struct buf *out)
{
	size_t length = trace_length(t, row), at = t->rows[row].offset + from;
	size_t left = from < length ? least_size(length - from, most) : 0;

	for (size_t step = trace_step_of(t, at); left && step < t->steps; step++) {
		size_t start = step ? t->ends[step - 1] : 0;
		struct str bytes = str_head(str_skip(tape_at(t->tape, step).bytes, at - start), left);

		buf_add(out, bytes);
		at += bytes.len;
		left -= bytes.len;
	}
}

struct str trace_view(const struct trace *t, size_t row, struct buf *scratch)
{
	size_t length = trace_length(t, row), step = trace_step_of(t, t->rows[row].offset);

	if (length && t->ends[step] >= t->rows[row].offset + length)
		return str_head(str_skip(tape_at(t->tape, step).bytes, t->rows[row].offset - (step ? t->ends[step - 1] : 0)), length);
	buf_clear(scratch);
	trace_bytes(t, row, 0, length, scratch);
	return buf_str(scratch);
}

/* The part that shows a delta; false: none does. */
static bool trace_part_of(const struct trace *t, size_t delta, size_t *part)
{
	enum delta_kind kind = delta_log_kind(t->log, delta);
	const struct turn *answer = delta_log_answer(t->log);
	const struct part *call = NULL;

	*part = delta_log_part(t->log, delta);
	if (kind == DELTA_TOOL_BEGIN || kind == DELTA_TOOL_NAME || kind == DELTA_TOOL_END) {
		call = turn_call(answer, delta_log_at(t->log, delta).tool.index);
		*part = call ? (size_t)(call - answer->parts) : 0;
	}
	return call || delta_log_text(t->log, delta);
}

bool trace_wrote(const struct trace *t, size_t row, struct trace_text *text)
{
	bool any = false;

	for (size_t i = trace_first_delta(t, row); i < t->rows[row].deltas_end; i++) {
		size_t part, from = delta_log_start(t->log, i), length = delta_log_text(t->log, i);

		if (!trace_part_of(t, i, &part) || (any && part != text->part))
			continue;
		if (!any || (text->from == text->to && length))
			*text = (struct trace_text){ part, from, from };
		text->to = length ? from + length : text->to;
		any = true;
	}
	return any;
}

size_t trace_row_of_delta(const struct trace *t, size_t delta)
{
	return trace_rows_before(t, delta, trace_deltas_of);
}

size_t trace_row_of_text(const struct trace *t, size_t part, size_t offset)
{
	size_t delta = delta_log_find(t->log, part, offset);

	return delta < delta_log_count(t->log) ? trace_row_of_delta(t, delta) : t->count;
}

size_t trace_row_of_byte(const struct trace *t, size_t offset)
{
	size_t rows = trace_rows_before(t, offset, trace_offset_of);

	return rows ? rows - 1 : 0;
}
