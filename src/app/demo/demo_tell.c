#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/demo/demo_wire.h"
#include "base/array.h"
#include "base/json_write.h"
#include "base/utf8.h"

#define HEAD_MS 160
#define FIRST_PIECE_MS 240

/* A turn, and the tape that is made of it. */
struct teller {
	struct demo_turn turn;
	struct buf *tape;
	double now_ms;
	unsigned seed;
	size_t line_feeds[3]; /* owed before the next piece of that kind */
};

void demo_say(struct demo_turn *t, const char *format, ...)
{
	char quoted[1024];
	char text[4096];
	size_t len = strlen(format);
	va_list args;
	int size;

	assert(len < sizeof quoted);
	for (size_t i = 0; i <= len; i++)
		quoted[i] = (char)(format[i] == '\'' ? '"' : format[i]);
	va_start(args, format);
	size = vsnprintf(text, sizeof text, quoted, args);
	va_end(args);
	assert(size >= 0 && (size_t)size < sizeof text);
	buf_add(&t->bytes, str_of(text, (size_t)size));
}

void demo_say_text(struct demo_turn *t, struct str text)
{
	json_escape(&t->bytes, text);
}

void demo_say_member(struct demo_turn *t, const char *key, enum demo_step_kind kind)
{
	if (!t->said[kind].len)
		return;
	demo_say(t, ",'%s':", key);
	demo_say_text(t, buf_str(&t->said[kind]));
}

void demo_say_nothing(struct demo_turn *t)
{
	(void)t;
}

const char *demo_finish_word(const struct demo_turn *t)
{
	return t->wire->finish[t->script->finish];
}

/* Numbers that only have to look alive; the same ones at every start, so that an answer never changes. */
static unsigned tell_varied_ms(unsigned *seed, unsigned below)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 16) % below;
}

static void turn_fini(struct demo_turn *t)
{
	struct buf *bufs[] = { &t->bytes, &t->said[0], &t->said[1], &t->said[2], &t->item, &t->items };

	for (size_t i = 0; i < ARRAY_LEN(bufs); i++)
		buf_fini(bufs[i]);
}

static void line_begin(struct teller *s, struct json_writer *w)
{
	json_writer_init(w, s->tape);
	json_open_object(w);
	json_key(w, "t");
	json_milliseconds(w, s->now_ms);
}

static void tell_line_end(struct teller *s, struct json_writer *w)
{
	json_close_object(w);
	buf_add_byte(s->tape, '\n');
}

/* What was said so far becomes one read. */
static void tell_flush(struct teller *s)
{
	struct json_writer w;

	if (s->turn.bytes.len == 0)
		return;
	line_begin(s, &w);
	json_member_string(&w, "body", buf_str(&s->turn.bytes));
	tell_line_end(s, &w);
	buf_clear(&s->turn.bytes);
}

static void tell_head(struct teller *s, int status, const char *content_type)
{
	struct json_writer w;

	json_writer_init(&w, s->tape);
	json_open_object(&w);
	json_member_integer(&w, "weir_tape", 1);
	json_member_string(&w, "protocol", str_from(s->turn.wire->protocol));
	json_member_string(&w, "provider", STR("demo"));
	tell_line_end(s, &w);
	s->now_ms = HEAD_MS;
	line_begin(s, &w);
	json_key(&w, "head");
	json_open_object(&w);
	json_member_integer(&w, "status", status);
	json_member_string(&w, "content_type", str_from(content_type));
	json_key(&w, "headers");
	json_open_object(&w);
	json_key(&w, "x-request-id");
	buf_printf(&s->turn.item, "demo-%s", s->turn.name);
	json_string(&w, buf_str(&s->turn.item));
	buf_clear(&s->turn.item);
	json_close_object(&w);
	json_close_object(&w);
	tell_line_end(s, &w);
	s->now_ms = FIRST_PIECE_MS;
}

static void tell_end(struct teller *s, const char *how)
{
	struct json_writer w;

	tell_flush(s);
	line_begin(s, &w);
	json_member_string(&w, "end", str_from(how));
	tell_line_end(s, &w);
}

/* A few letters with the blanks before them, cut between code points: about what models send at once. */
static size_t piece_length(struct str rest, unsigned *seed)
{
	size_t at = strspn(rest.ptr, " \n");
	size_t most;

	if (at > rest.len)
		at = rest.len;
	most = at + 3 + tell_varied_ms(seed, 6);
	while (at < rest.len && at < most && rest.ptr[at] != ' ' && rest.ptr[at] != '\n')
		do
			at++;
		while (at < rest.len && utf8_is_inside(rest.ptr[at]));
	return at;
}

static void tell_pieces(struct teller *s, struct str rest)
{
	unsigned gap = (unsigned)(1000 / s->turn.script->pace);

	while (rest.len) {
		struct str piece = str_head(rest, piece_length(rest, &s->seed));

		rest = str_skip(rest, piece.len);
		s->turn.wire->piece(&s->turn, piece);
		tell_flush(s);
		s->now_ms += gap / 2 + tell_varied_ms(&s->seed, gap + 1);
		if (memchr(piece.ptr, '\n', piece.len))
			s->now_ms += 2 * gap;
	}
}

static void tell_close_block(struct teller *s)
{
	if (!s->turn.is_open)
		return;
	s->turn.wire->close(&s->turn);
	s->turn.is_open = false;
	s->turn.block++;
	buf_clear(&s->turn.item);
	tell_flush(s);
}

static void tell_open_block(struct teller *s, enum demo_step_kind kind)
{
	if (s->turn.is_open && s->turn.open == kind && kind != DEMO_CALL)
		return;
	tell_close_block(s);
	s->turn.open = kind;
	s->turn.is_open = true;
	s->turn.wire->open(&s->turn);
	tell_flush(s);
}

/* A line of words; its line feed waits until there is something behind it. */
static void tell_words(struct teller *s, const struct demo_step *step)
{
	struct buf words = { 0 };
	size_t *owed = &s->line_feeds[step->kind];

	if (step->text.len) {
		for (; *owed; --*owed)
			buf_add_byte(&words, '\n');
		buf_add(&words, step->text);
		buf_add(&s->turn.said[step->kind], buf_str(&words));
		tell_open_block(s, step->kind);
		tell_pieces(s, buf_str(&words));
		buf_fini(&words);
	}
	++*owed;
}

static void tell_add_call(struct demo_turn *t, const struct demo_step *step)
{
	assert(t->call_count < DEMO_CALLS);
	t->calls[t->call_count++] = step;
}

static void tell_tool_call(struct teller *s, const struct demo_step *step)
{
	tell_add_call(&s->turn, step);
	tell_open_block(s, DEMO_CALL);
	s->now_ms += 60;
	tell_pieces(s, step->text);
	tell_close_block(s);
}

/* Tells the steps one after another; returns how the connection ends. */
static const char *tell_steps(struct teller *s)
{
	for (size_t i = 0; i < s->turn.script->count; i++) {
		const struct demo_step *step = &s->turn.script->steps[i];

		switch (step->kind) {
		case DEMO_TEXT:
		case DEMO_REASONING:
		case DEMO_REFUSAL:
			tell_words(s, step);
			break;
		case DEMO_CALL:
			tell_tool_call(s, step);
			break;
		case DEMO_WAIT:
			s->now_ms += (double)step->wait_ms;
			break;
		case DEMO_ERROR:
			s->turn.wire->error(&s->turn, step);
			return "closed";
		case DEMO_CUT:
			return "cut";
		case DEMO_STALL:
			return "stalled";
		}
	}
	tell_close_block(s);
	s->turn.wire->finished(&s->turn);
	return "closed";
}

static void tell_streamed(struct teller *s)
{
	const char *how;

	tell_head(s, 200, s->turn.wire->content_type);
	s->turn.wire->begin(&s->turn);
	tell_flush(s);
	how = tell_steps(s);
	tell_end(s, how);
}

static void tell_error_body(struct teller *s, const struct demo_step *error, int status)
{
	tell_head(s, status, "application/json");
	s->turn.wire->error_body(&s->turn, error);
	tell_end(s, "closed");
}

/* The whole answer at once; a break in it comes where half of it is sent. */
static void tell_whole(struct teller *s)
{
	struct demo_turn *t = &s->turn;
	const char *how = "closed";

	for (size_t i = 0; i < t->script->count; i++) {
		const struct demo_step *step = &t->script->steps[i];

		if (step->kind <= DEMO_REFUSAL) {
			if (t->said[step->kind].len)
				buf_add_byte(&t->said[step->kind], '\n');
			buf_add(&t->said[step->kind], step->text);
		} else if (step->kind == DEMO_CALL) {
			tell_add_call(t, step);
		} else if (step->kind == DEMO_ERROR) {
			tell_error_body(s, step, 503);
			return;
		} else if (step->kind != DEMO_WAIT) {
			how = step->kind == DEMO_CUT ? "cut" : "stalled";
		}
	}
	tell_head(s, 200, "application/json");
	s->now_ms += 600;
	t->wire->whole(t);
	if (strcmp(how, "closed") != 0)
		buf_remove(&t->bytes, t->bytes.len / 2, t->bytes.len - t->bytes.len / 2);
	tell_end(s, how);
}

void demo_tell(const struct demo_wire *wire, const struct demo_script *script, const char *name, const char *model, bool stream,
               struct buf *tape)
{
	struct teller s = { .turn = { .wire = wire, .script = script, .name = name, .model = model }, .tape = tape, .seed = 1 };

	if (script->status != 200)
		tell_error_body(&s, &script->steps[script->count - 1], script->status);
	else if (stream)
		tell_streamed(&s);
	else
		tell_whole(&s);
	turn_fini(&s.turn);
}

void demo_tell_models(const struct demo_wire *wire, struct buf *tape)
{
	struct teller s = { .turn = { .wire = wire, .name = "models" }, .tape = tape };

	tell_head(&s, 200, "application/json");
	for (const char *c = wire->models; *c; c++)
		buf_add_byte(&s.turn.bytes, (char)(*c == '\'' ? '"' : *c));
	tell_end(&s, "closed");
	turn_fini(&s.turn);
}
