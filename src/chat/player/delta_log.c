#include "chat/player/delta_log.h"

#include <assert.h>

#include "base/mem.h"
#include "base/search.h"
#include "chat/conversation/conversation.h"
#include "chat/exchange/answer.h"
#include "chat/player/message_list.h"
#include "chat/player/turn_mark.h"

#define MARK_DELTAS 16u                       /* distance of marks at first; thin_marks() adapts it to the length */
#define MARKS_MOST 512u
#define MARKS_BYTES_MOST ((size_t)64 << 20)

/* A delta. Text is not kept again: it is the next `length` bytes of the part that the delta went to. */
struct record {
	double at_ms;
	uint32_t length;  /* bytes of text; 0 for a delta of another kind */
	uint32_t index;   /* of that part, else in `others` */
	uint32_t start;   /* where they begin in the part */
	uint8_t kind;
};

/* Any other delta. Its strings are offsets into `bytes`, because the buffer moves while it grows. */
struct other {
	struct delta delta;
	size_t offsets[DELTA_STRINGS_MAX];
	size_t part;      /* tool_end: index of the call in the answer, whose text is the arguments from then on */
};

/* The fragments of a call that ended with other arguments than they make: what is blank or `null` ends as `{}`. */
struct odd_call { size_t part; struct str fragments; };

struct kept_mark { size_t at; struct turn_mark *mark; };

struct delta_log {
	const struct tape *tape;
	struct stream_options stream;
	int status;
	struct answer answer;
	bool thorough;               /* what comes after the end mark is decoded, too */
	struct message_list *list;   /* of a session with an MCP server, in place of an answer; NULL: it is a model's answer */
	size_t messages;             /* so far, and steps behind the end; each is a frame */
	struct conversation *own;    /* holds `whole` */
	struct turn *whole;          /* the answer after all deltas */
	struct log_moment *moments;
	size_t moment_count, moment_capacity;
	struct log_moment step;      /* of the step that is decoded: its time, the bytes up to its end; frames that have their moment */
	size_t steps;                /* of the tape, decoded */
	struct record *records;
	size_t count, capacity;
	struct other *others;
	size_t other_count, other_capacity;
	struct buf bytes;
	struct odd_call *odd;
	size_t odd_count;
	struct kept_mark *marks;     /* the first one is at 0 */
	size_t mark_count, mark_capacity, mark_bytes;
	size_t mark_every;           /* distance of marks */
};

/* --- marks --- */

static void add_mark(struct delta_log *log)
{
	mem_reserve(&log->marks, &log->mark_capacity, log->mark_count + 1, sizeof *log->marks);
	log->marks[log->mark_count] = (struct kept_mark){ log->count, turn_mark_new(log->whole) };
	log->mark_bytes += turn_mark_bytes(log->marks[log->mark_count++].mark);
}

/* Doubles the distance of marks. */
static void thin_marks(struct delta_log *log)
{
	size_t kept = 0;

	for (size_t i = 0; i < log->mark_count; i++) {
		if (i % 2 == 0) {
			log->marks[kept++] = log->marks[i];
			continue;
		}
		log->mark_bytes -= turn_mark_bytes(log->marks[i].mark);
		turn_mark_free(log->marks[i].mark);
	}
	log->mark_count = kept;
	log->mark_every *= 2;
}

static void keep_marks(struct delta_log *log)
{
	if (log->count - log->marks[log->mark_count - 1].at < log->mark_every)
		return;
	add_mark(log);
	while (log->mark_count > 1 && (log->mark_count > MARKS_MOST || log->mark_bytes > MARKS_BYTES_MOST))
		thin_marks(log);
}

/* The last mark at or before a place. */
static const struct kept_mark *mark_before(const struct delta_log *log, size_t place)
{
	struct search s = search_in(1, log->mark_count);

	while (search_next(&s))
		search_take(&s, log->marks[s.middle].at <= place);
	return &log->marks[s.low - 1];
}

/* --- moments --- */

static void add_moment(struct delta_log *log)
{
	log->step.deltas = (uint32_t)log->count;
	*ARRAY_ADD(log->moments, log->moment_count, log->moment_capacity) = log->step;
}

/* Of the frames up to a number: no more deltas come with them. */
static void add_frames(struct delta_log *log, size_t frames)
{
	while (log->step.frames < frames) {
		log->step.frames++;
		add_moment(log);
	}
}

/* --- taking deltas --- */

static bool is_text(enum delta_kind kind)
{
	return kind == DELTA_TEXT || kind == DELTA_REASONING || kind == DELTA_REFUSAL;
}

/* The delta adds to the text of a part. */
static bool adds_text(enum delta_kind kind)
{
	return is_text(kind) || kind == DELTA_TOOL_ARGUMENTS;
}

/* The part to which text went. */
static size_t part_of_text(const struct turn *t, const struct delta *d)
{
	static const enum part_kind kinds[DELTA_KIND_COUNT] = {
		[DELTA_TEXT] = PART_TEXT, [DELTA_REASONING] = PART_REASONING, [DELTA_REFUSAL] = PART_REFUSAL,
	};
	size_t i = t->part_count;

	while (i > t->open_from && (t->parts[i - 1].kind != kinds[d->kind] || t->parts[i - 1].number != d->part))
		i--;
	assert(i > t->open_from);
	return i - 1;
}

static struct str keep_bytes(struct delta_log *log, struct str text, size_t *offset)
{
	*offset = log->bytes.len;
	return buf_add(&log->bytes, text) ? text : str_head(text, 0);
}

static uint32_t keep_other(struct delta_log *log, const struct delta *d)
{
	struct other other = { .delta = *d };
	struct str *strings[DELTA_STRINGS_MAX];
	size_t count = delta_strings(&other.delta, strings);

	if (d->kind == DELTA_TOOL_END) {
		other.delta.text = STR_NONE;
		other.part = (size_t)(turn_call(log->whole, d->tool.index) - log->whole->parts);
	}
	for (size_t i = 0; i < count; i++)
		*strings[i] = keep_bytes(log, *strings[i], &other.offsets[i]);
	*ARRAY_ADD(log->others, log->other_count, log->other_capacity) = other;
	return (uint32_t)log->other_count - 1;
}

/* The end of a call replaces what its fragments made. */
static void keep_fragments(struct delta_log *log, const struct delta *d)
{
	const struct part *p = turn_call(log->whole, d->tool.index);

	if (!p || !p->text.len || str_equal(buf_str(&p->text), d->text))
		return;
	log->odd = mem_resize(log->odd, log->odd_count + 1, sizeof *log->odd);
	log->odd[log->odd_count++] = (struct odd_call){ (size_t)(p - log->whole->parts), str_of(str_dup(buf_str(&p->text)), p->text.len) };
}

/* Tokens and their pace are a model's: the list of messages of a session has none. */
static void log_play(const struct delta_log *log, struct turn *t, const struct delta *d)
{
	if (!log->list)
		meter_delta(&t->meter, d);
	turn_delta(t, d);
}

static void log_take(void *ctx, const struct delta *d)
{
	struct delta_log *log = ctx;
	struct record record = { .at_ms = d->at_ms, .kind = (uint8_t)d->kind };
	size_t frames = delta_log_frames(log);

	add_frames(log, frames ? frames - 1 : 0);
	if (d->kind == DELTA_TOOL_END)
		keep_fragments(log, d);
	log_play(log, log->whole, d);
	if (is_text(d->kind)) {
		record.index = (uint32_t)part_of_text(log->whole, d);
		record.length = (uint32_t)d->text.len;
		record.start = (uint32_t)(log->whole->parts[record.index].text.len - d->text.len);
	} else if (d->kind == DELTA_TOOL_ARGUMENTS) {
		record.index = (uint32_t)(turn_call(log->whole, d->tool.index) - log->whole->parts);
		record.length = (uint32_t)d->text.len;
		record.start = (uint32_t)(log->whole->parts[record.index].text.len - d->text.len);
	} else {
		record.index = keep_other(log, d);
	}
	*ARRAY_ADD(log->records, log->count, log->capacity) = record;
	keep_marks(log);
}

/* --- decoding --- */

struct delta_log *delta_log_new(const struct tape *tape, const struct stream_options *stream, int status)
{
	struct delta_log *log = mem_new(sizeof *log);

	log->tape = tape;
	log->stream = *stream;
	log->stream.tap = NULL;
	log->status = status;
	log->own = conversation_new();
	log->whole = conversation_answer(log->own, STR(""), NULL, STR(""));
	log->mark_every = MARK_DELTAS;
	log->list = str_is(tape_facts(tape)->protocol, "mcp") ? message_list_new(log_take, log) : NULL;
	buf_init(&log->bytes, TAPE_LIMIT);
	answer_init(&log->answer, stream, false, log_take, log);
	log->answer.reads_on = true;
	add_mark(log);
	if (tape_lacks_head(tape) && status)
		answer_head(&log->answer, &(struct response_head){ .status = status }, 0);
	return log;
}

void delta_log_free(struct delta_log *log)
{
	if (!log)
		return;
	for (size_t i = 0; i < log->mark_count; i++)
		turn_mark_free(log->marks[i].mark);
	for (size_t i = 0; i < log->odd_count; i++)
		mem_free((void *)(uintptr_t)log->odd[i].fragments.ptr);
	answer_fini(&log->answer);
	message_list_free(log->list);
	conversation_free(log->own);
	buf_fini(&log->bytes);
	mem_free(log->marks);
	mem_free(log->odd);
	mem_free(log->others);
	mem_free(log->records);
	mem_free(log->moments);
	mem_free(log);
}

/* --- one step --- */

static void log_read_answer(struct delta_log *log, const struct tape_step *step)
{
	switch (step->kind) {
	case TAPE_HEAD:
		answer_head(&log->answer, &step->head, step->at_ms);
		break;
	case TAPE_BODY:
		if (log->thorough)
			stream_body(log->answer.stream, step->bytes, step->at_ms);
		else
			answer_body(&log->answer, step->bytes, step->at_ms);
		break;
	case TAPE_SENT:
	case TAPE_CAME:
	case TAPE_RUN:
		log->messages += step->run != NULL; /* behind the end: it comes of the answer, and changes it no more */
		log->step.behind += step->run != NULL;
		break;
	case TAPE_END:
		answer_end(&log->answer, step->how, step->at_ms);
		break;
	}
}

static void read_step(struct delta_log *log, const struct tape_step *step)
{
	log->step.at_ms = step->at_ms;
	log->step.bytes += step->bytes.len;
	if (log->list) {
		log->messages += step->kind == TAPE_SENT || step->kind == TAPE_CAME;
		message_list_step(log->list, step);
	} else {
		log_read_answer(log, step);
	}
	log->steps++;
	add_frames(log, delta_log_frames(log));
	if (step->kind == TAPE_END || log->count > delta_log_moment(log, log->moment_count).deltas)
		add_moment(log);
}

void delta_log_read_beyond(struct delta_log *log)
{
	log->thorough = true;
}

static size_t log_length(const struct delta_log *log)
{
	return tape_length(log->tape) + tape_behind(log->tape);
}

bool delta_log_read(struct delta_log *log, size_t bytes)
{
	size_t length = log_length(log), read = 0;

	if (log->steps == length)
		return false;
	do {
		struct tape_step step = tape_at(log->tape, log->steps);

		read += step.bytes.len;
		read_step(log, &step);
	} while (log->steps < length && read < bytes);
	return true;
}

bool delta_log_is_read(const struct delta_log *log)
{
	return log->steps == log_length(log);
}

/* --- asking --- */

const struct tape *delta_log_tape(const struct delta_log *log)
{
	return log->tape;
}

const struct stream_options *delta_log_stream(const struct delta_log *log, int *status)
{
	*status = log->status;
	return &log->stream;
}

size_t delta_log_frames(const struct delta_log *log)
{
	return stream_frames(log->answer.stream) + log->messages;
}

size_t delta_log_count(const struct delta_log *log)
{
	return log->count;
}

size_t delta_log_moments(const struct delta_log *log)
{
	return log->moment_count;
}

struct log_moment delta_log_moment(const struct delta_log *log, size_t moments)
{
	return moments ? log->moments[moments - 1] : (struct log_moment){ 0 };
}

size_t delta_log_moment_of(const struct delta_log *log, size_t delta)
{
	struct search s = search_in(0, log->moment_count);

	while (search_next(&s))
		search_take(&s, log->moments[s.middle].deltas <= delta);
	return s.low + 1;
}

enum delta_kind delta_log_kind(const struct delta_log *log, size_t delta)
{
	return (enum delta_kind)log->records[delta].kind;
}

size_t delta_log_text(const struct delta_log *log, size_t delta)
{
	return log->records[delta].length;
}

unsigned delta_log_part(const struct delta_log *log, size_t delta)
{
	return adds_text(delta_log_kind(log, delta)) ? log->records[delta].index : 0;
}

size_t delta_log_start(const struct delta_log *log, size_t delta)
{
	return log->records[delta].start;
}

size_t delta_log_find(const struct delta_log *log, size_t part, size_t offset)
{
	size_t i = 0;

	for (; i < log->count; i++) {
		const struct record *r = &log->records[i];

		if (adds_text((enum delta_kind)r->kind) && r->index == part && r->start <= offset && offset - r->start < r->length)
			break;
	}
	return i;
}

const struct turn *delta_log_answer(const struct delta_log *log)
{
	return log->whole;
}

const struct protocol *delta_log_protocol(const struct delta_log *log)
{
	return stream_protocol(log->answer.stream);
}

bool delta_log_finish_seen(const struct delta_log *log)
{
	return stream_finish_seen(log->answer.stream);
}

void delta_log_details(const struct delta_log *log, struct buf *out)
{
	answer_details(&log->answer, out);
}

/* --- moving --- */

/* The text that a part has at its end, or of an open part: of which what it has is the beginning. */
static struct str text_of(const struct delta_log *log, size_t part, bool open)
{
	for (size_t i = 0; open && i < log->odd_count; i++)
		if (log->odd[i].part == part)
			return log->odd[i].fragments;
	return buf_str(&log->whole->parts[part].text);
}

static struct str text_at_mark(void *ctx, size_t part, bool open)
{
	return text_of(ctx, part, open);
}

static struct delta text_delta(const struct delta_log *log, const struct record *record)
{
	const struct part *p = &log->whole->parts[record->index];
	struct delta d = { .kind = (enum delta_kind)record->kind, .at_ms = record->at_ms };

	d.text = str_head(str_skip(text_of(log, record->index, true), record->start), record->length);
	if (is_text(d.kind))
		d.part = p->number;
	else
		d.tool.index = (unsigned)p->call;
	return d;
}

static struct delta other_delta(const struct delta_log *log, const struct record *record)
{
	const struct other *other = &log->others[record->index];
	struct delta d = other->delta;
	struct str *strings[DELTA_STRINGS_MAX];
	size_t count = delta_strings(&d, strings);

	for (size_t i = 0; i < count; i++)
		if (strings[i]->ptr || strings[i]->len)
			strings[i]->ptr = buf_z(&log->bytes) + other->offsets[i];
	if (d.kind == DELTA_TOOL_END)
		d.text = buf_str(&log->whole->parts[other->part].text);
	return d;
}

struct delta delta_log_at(const struct delta_log *log, size_t delta)
{
	const struct record *record = &log->records[delta];

	return adds_text((enum delta_kind)record->kind) ? text_delta(log, record) : other_delta(log, record);
}

static void play(const struct delta_log *log, struct turn *t, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct delta d = delta_log_at(log, i);

		log_play(log, t, &d);
	}
}

bool delta_log_move(struct delta_log *log, struct turn *t, size_t from, size_t to)
{
	const struct kept_mark *mark = mark_before(log, to);

	if (from == to)
		return false;
	if (from > to || mark->at > from) {
		turn_mark_return(mark->mark, t, text_at_mark, log);
		from = mark->at;
	}
	play(log, t, from, to);
	return true;
}
