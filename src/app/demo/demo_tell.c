#include "app/demo/demo_tell.h"

#include <string.h>

#include "base/array.h"
#include "base/base64.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "wire/encode/encode.h"
#include "wire/part.h"

#define HEAD_MS 160
#define FIRST_PIECE_MS 240
#define WHOLE_MS 840       /* delay of an answer without streaming */
#define CREATED 1767225600 /* every recording was made at the start of 2026 */
#define ITEM_MS 60         /* between the beginning of an item and what it has */
#define SOUND_MS 120
#define SOUND_PIECE 1200
#define ERROR_STATUS 503   /* HTTP status of an error in the answer */

/* What differs between the protocols besides their wire form. In the model lists ' stands for ". */
static const struct voice {
	const struct protocol *protocol;
	const char *id, *call_id;  /* prefixes of ids; call_id NULL: calls have no ids */
	const char *search, *code; /* what servers call these tools */
	const char *models;        /* body of the model list */
} voices[] = {
	/* The lists of OpenAI and Anthropic have the same path: this body serves both. */
	{ &protocol_openai_chat, "chatcmpl-demo-", "call_demo_", "search", "python",
	  "{'object':'list','has_more':false,'first_id':'demo-1','last_id':'demo-router','data':["
	  "{'id':'demo-1','object':'model','type':'model','created':1767225600,'owned_by':'weir',"
	  "'display_name':'Demo','context_length':128000,'max_input_tokens':128000},"
	  "{'id':'demo-thinking','object':'model','type':'model','created':1767225600,'owned_by':'weir',"
	  "'display_name':'Demo, thinks first','context_length':128000,'max_input_tokens':128000},"
	  "{'id':'demo-router','object':'model','type':'model','created':1767225600,'owned_by':'weir',"
	  "'display_name':'Demo, routed','context_length':128000,'max_input_tokens':128000}]}" },
	{ &protocol_openai_responses, "resp_demo_", "call_demo_", "web_search", "code_interpreter", NULL },
	{ &protocol_anthropic, "msg_demo_", "toolu_demo_", "web_search", "code_execution", NULL },
	{ &protocol_gemini, "demo-", NULL, "google_search_web", "code_execution",
	  "{'models':["
	  "{'name':'models/demo-1','displayName':'Demo','inputTokenLimit':128000,'outputTokenLimit':8192,"
	  "'supportedGenerationMethods':['generateContent']},"
	  "{'name':'models/demo-thinking','displayName':'Demo, thinks first','inputTokenLimit':128000,"
	  "'outputTokenLimit':8192,'supportedGenerationMethods':['generateContent'],'thinking':true},"
	  "{'name':'models/demo-router','displayName':'Demo, routed','inputTokenLimit':128000,"
	  "'outputTokenLimit':8192,'supportedGenerationMethods':['generateContent']}]}" },
	{ &protocol_ollama, "demo-", "call_demo_", "web_search", "code_execution",
	  "{'models':[{'name':'demo-1','model':'demo-1'},{'name':'demo-thinking','model':'demo-thinking'},"
	  "{'name':'demo-router','model':'demo-router'}]}" },
};

struct teller {
	const struct voice *voice;
	const struct demo_script *script;
	const char *name, *model;
	struct encoder *encoder;
	struct buf bytes;          /* bytes of the next read */
	struct buf *tape;
	double now_ms;
	unsigned seed;
	size_t line_feeds[3];      /* for each kind of words: line feeds to write before the next piece */
	enum demo_step_kind kind;  /* kind of the open words; valid while is_open */
	bool is_open;              /* words have begun and not ended */
	unsigned part, calls;      /* number of parts and of calls so far */
	struct buf reasoning;      /* reasoning of the current part */
	struct delta item;         /* the begin of the media or of the server's tool that is open; DELTA_END: none */
	unsigned media, ran;       /* number of media and of tools of the server so far */
	struct buf said, output;   /* the text of the open item, its output */
};

static const struct voice *demo_voice_of(const struct protocol *protocol)
{
	size_t i = 0;

	while (i < ARRAY_LEN(voices) - 1 && voices[i].protocol != protocol)
		i++;
	return &voices[i];
}

/* A pseudo-random number, only for a natural look. The sequence is always the same, so that answers never change. */
static unsigned demo_varied(unsigned *seed, unsigned below)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 16) % below;
}

/* --- the tape --- */

static void demo_line_begin(struct teller *s, struct json_writer *w)
{
	json_writer_init(w, s->tape);
	json_open_object(w);
	json_key(w, "t");
	json_milliseconds(w, s->now_ms);
}

static void demo_line_end(struct teller *s, struct json_writer *w)
{
	json_close_object(w);
	buf_add_byte(s->tape, '\n');
}

/* Makes one read of the bytes so far. */
static void demo_flush(struct teller *s)
{
	struct json_writer w;

	if (s->encoder)
		encoder_flush(s->encoder);
	if (s->bytes.len == 0)
		return;
	demo_line_begin(s, &w);
	json_member_string(&w, "body", buf_str(&s->bytes));
	demo_line_end(s, &w);
	buf_clear(&s->bytes);
}

static void demo_tell_head(struct teller *s, int status, const char *content_type)
{
	struct buf id = { 0 };
	struct json_writer w;

	json_writer_init(&w, s->tape);
	json_open_object(&w);
	json_member_integer(&w, "weir_tape", 1);
	json_member_string(&w, "protocol", str_from(s->voice->protocol->name));
	json_member_string(&w, "provider", STR("demo"));
	demo_line_end(s, &w);
	s->now_ms = HEAD_MS;
	demo_line_begin(s, &w);
	json_key(&w, "head");
	json_open_object(&w);
	json_member_integer(&w, "status", status);
	json_member_string(&w, "content_type", str_from(content_type));
	json_key(&w, "headers");
	json_open_object(&w);
	buf_printf(&id, "demo-%s", s->name);
	json_member_string(&w, "x-request-id", buf_str(&id));
	json_close_object(&w);
	json_close_object(&w);
	demo_line_end(s, &w);
	buf_fini(&id);
	s->now_ms = FIRST_PIECE_MS;
}

static void demo_tell_end(struct teller *s, enum end_how how)
{
	struct json_writer w;

	demo_flush(s);
	demo_line_begin(s, &w);
	json_member_string(&w, "end", str_from(end_how_name(how)));
	demo_line_end(s, &w);
}

/* --- the deltas --- */

static void demo_give(struct teller *s, struct delta delta)
{
	encoder_delta(s->encoder, &delta);
}

/* Emits opaque data; each protocol encodes only its own kind. */
static void demo_give_opaque(struct teller *s, unsigned part, int call, const char *format, struct str data)
{
	demo_give(s, (struct delta){ .kind = DELTA_OPAQUE, .part = part, .opaque = { str_from(format), data, call } });
}

static void demo_begin(struct teller *s)
{
	const struct demo_script *script = s->script;
	struct usage usage = script->usage;
	struct buf id = { 0 };

	buf_printf(&id, "%s%s", s->voice->id, s->name);
	demo_give(s, (struct delta){ .kind = DELTA_BEGIN, .meta = { buf_str(&id), str_from(s->model) } });
	buf_fini(&id);
	demo_give_opaque(s, GUARD_NEW_PART, -1, OPAQUE_REASONING_CONTENT, STR(""));
	if (script->routed_model.len)
		demo_give(s, (struct delta){ .kind = DELTA_ROUTE, .route = { 1, script->routed_model, (double)script->routing_ms } });
	/* The first figures, for protocols that send usage at the start. */
	usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(1);
	usage.of[USAGE_TOTAL] = usage.of[USAGE_REASONING] = (struct count){ 0 };
	if (usage_is_known(&script->usage))
		demo_give(s, (struct delta){ .kind = DELTA_USAGE, .usage = usage });
	demo_flush(s);
}

/* The length of a piece as models send it: a few letters with the spaces before them, cut between code points. */
static size_t demo_piece_length(struct str rest, unsigned *seed)
{
	size_t at = strspn(rest.ptr, " \n");
	size_t most;

	if (at > rest.len)
		at = rest.len;
	most = at + 3 + demo_varied(seed, 6);
	while (at < rest.len && at < most && rest.ptr[at] != ' ' && rest.ptr[at] != '\n')
		do
			at++;
		while (at < rest.len && utf8_is_inside(rest.ptr[at]));
	return at;
}

/* Emits words, or arguments of the open call, in pieces. */
static void demo_tell_pieces(struct teller *s, enum delta_kind kind, struct str rest)
{
	unsigned gap = (unsigned)(1000 / s->script->pace);

	while (rest.len) {
		struct str piece = str_head(rest, demo_piece_length(rest, &s->seed));
		struct delta delta = { .kind = kind, .part = s->part, .text = piece };

		if (kind == DELTA_TOOL_ARGUMENTS)
			delta.tool.index = s->calls;
		else if (kind == DELTA_MEDIA_TEXT)
			delta.media = s->item.media;
		else if (kind == DELTA_SERVER_TOOL_INPUT)
			delta.server_tool = s->item.server_tool;
		rest = str_skip(rest, piece.len);
		demo_give(s, delta);
		demo_flush(s);
		s->now_ms += gap / 2 + demo_varied(&s->seed, gap + 1);
		if (memchr(piece.ptr, '\n', piece.len))
			s->now_ms += 2 * gap;
	}
}

/* Signs the reasoning at its end. */
static void demo_sign_reasoning(struct teller *s)
{
	struct buf item = { 0 };

	/* The encoder numbers items. */
	buf_printf(&item, "{\"type\":\"reasoning\",\"id\":\"rs_%u\",\"encrypted_content\":\"ZGVtby1yZWFzb25pbmc=\","
	                  "\"summary\":[{\"type\":\"summary_text\",\"text\":", s->part + s->calls);
	json_escape(&item, buf_str(&s->reasoning));
	buf_add_z(&item, "}]}");
	demo_give_opaque(s, s->part, -1, OPAQUE_ANTHROPIC_SIGNATURE, STR("ZGVtby1zaWduYXR1cmUtb2YtdGhlLXRoaW5raW5n"));
	demo_give_opaque(s, s->part, -1, OPAQUE_RESPONSES_ITEM, buf_str(&item));
	buf_fini(&item);
	buf_clear(&s->reasoning);
}

static void demo_close_words(struct teller *s)
{
	if (!s->is_open)
		return;
	if (s->kind == DEMO_REASONING)
		demo_sign_reasoning(s);
	s->is_open = false;
	s->part++;
	demo_flush(s);
}

/* Emits a line of words. Its line feed is delayed until something follows it. */
static void demo_tell_words(struct teller *s, const struct demo_step *step)
{
	static const enum delta_kind kinds[] = {
		[DEMO_TEXT] = DELTA_TEXT, [DEMO_REASONING] = DELTA_REASONING, [DEMO_REFUSAL] = DELTA_REFUSAL,
	};
	size_t *owed = &s->line_feeds[step->kind];
	struct buf words = { 0 };

	if (step->text.len) {
		for (; *owed; --*owed)
			buf_add_byte(&words, '\n');
		buf_add(&words, step->text);
		if (s->kind != step->kind)
			demo_close_words(s);
		s->kind = step->kind;
		s->is_open = true;
		if (step->kind == DEMO_REASONING)
			buf_add(&s->reasoning, buf_str(&words));
		demo_tell_pieces(s, kinds[step->kind], buf_str(&words));
		buf_fini(&words);
	}
	++*owed;
}

/* Emits a call. The first call of an answer is signed. */
static void demo_tell_call(struct teller *s, const struct demo_step *step)
{
	struct delta delta = { .kind = DELTA_TOOL_BEGIN, .tool = { .index = s->calls, .name = step->name, .valid = true } };
	struct buf id = { 0 };

	demo_close_words(s);
	buf_printf(&id, "%s%u", s->voice->call_id ? s->voice->call_id : "", s->calls + 1);
	if (s->voice->call_id)
		delta.tool.id = buf_str(&id);
	demo_give(s, delta);
	if (s->calls == 0)
		demo_give_opaque(s, GUARD_NEW_PART, 0, OPAQUE_GEMINI_SIGNATURE, STR("ZGVtby1zaWduYXR1cmU="));
	demo_flush(s);
	s->now_ms += 60;
	demo_tell_pieces(s, DELTA_TOOL_ARGUMENTS, step->text);
	delta.kind = DELTA_TOOL_END;
	delta.text = step->text;
	demo_give(s, delta);
	demo_flush(s);
	s->calls++;
	buf_fini(&id);
}

/* --- media, and what the server runs --- */

static void demo_close_item(struct teller *s)
{
	struct delta end = s->item;

	if (end.kind == DELTA_END)
		return;
	end.text = buf_str(&s->said);
	if (end.kind == DELTA_MEDIA_BEGIN) {
		end.kind = DELTA_MEDIA_END;
		end.media.facts.whole = true;
		s->media++;
	} else {
		end.kind = DELTA_SERVER_TOOL_END;
		end.server_tool.state = SERVER_TOOL_COMPLETED;
		end.server_tool.output = buf_str(&s->output);
		s->ran++;
	}
	demo_give(s, end);
	demo_flush(s);
	s->item.kind = DELTA_END;
	s->part++;
	buf_clear(&s->said);
	buf_clear(&s->output);
}

static void demo_begin_item(struct teller *s, const struct demo_step *step)
{
	bool is_tool = step->kind == DEMO_SEARCH || step->kind == DEMO_CODE;

	demo_close_words(s);
	if (is_tool)
		s->item = (struct delta){ .kind = DELTA_SERVER_TOOL_BEGIN, .server_tool = {
			.index = s->ran, .name = str_from(step->kind == DEMO_CODE ? s->voice->code : s->voice->search) } };
	else
		s->item = (struct delta){ .kind = DELTA_MEDIA_BEGIN, .part = s->part, .media = {
			.index = s->media, .facts = { .kind = step->kind == DEMO_AUDIO ? MEDIA_AUDIO : MEDIA_IMAGE, .type = step->text } } };
	demo_give(s, s->item);
	demo_flush(s);
	s->now_ms += ITEM_MS;
}

/* A picture is whole, a sound comes in pieces. */
static void demo_tell_data(struct teller *s, struct str base64, bool is_partial)
{
	bool is_sound = s->item.media.facts.kind == MEDIA_AUDIO;
	struct delta delta = s->item;
	struct buf bytes = { 0 };

	base64_decode(base64, &bytes);
	delta.kind = DELTA_MEDIA;
	delta.media.is_partial = is_partial;
	for (struct str rest = buf_str(&bytes); rest.len; rest = str_skip(rest, delta.media.data.len)) {
		delta.media.data = str_head(rest, is_sound ? SOUND_PIECE : rest.len);
		demo_give(s, delta);
		demo_flush(s);
		s->now_ms += SOUND_MS;
	}
	buf_fini(&bytes);
}

/* A line of the text of the open item, or of its input. */
static void demo_tell_said(struct teller *s, enum delta_kind kind, struct str line)
{
	size_t before = s->said.len;

	buf_add_z(&s->said, before ? "\n" : "");
	buf_add(&s->said, line);
	demo_tell_pieces(s, kind, str_skip(buf_str(&s->said), before));
}

static void demo_tell_partial(struct teller *s, const struct demo_step *step)
{
	demo_tell_data(s, step->text, true);
}

static void demo_tell_whole(struct teller *s, const struct demo_step *step)
{
	demo_tell_data(s, step->text, false);
}

static void demo_tell_caption(struct teller *s, const struct demo_step *step)
{
	demo_tell_said(s, DELTA_MEDIA_TEXT, step->text);
}

static void demo_tell_input(struct teller *s, const struct demo_step *step)
{
	demo_tell_said(s, DELTA_SERVER_TOOL_INPUT, step->text);
}

static void demo_tell_output(struct teller *s, const struct demo_step *step)
{
	buf_add_z(&s->output, s->output.len ? "\n" : "");
	buf_add(&s->output, step->text);
}

static void demo_tell_source(struct teller *s, const struct demo_step *step)
{
	demo_give(s, (struct delta){ .kind = DELTA_CITATION, .citation = { .url = step->name, .title = step->text } });
	demo_flush(s);
}

/* --- all steps --- */

static void demo_end(struct teller *s, enum outcome outcome)
{
	demo_give(s, (struct delta){ .kind = DELTA_END, .end = { outcome } });
}

static void demo_tell_finish(struct teller *s)
{
	static const enum outcome outcomes[DEMO_FINISH_COUNT] = {
		[DEMO_FINISH_STOP] = OUTCOME_COMPLETE, [DEMO_FINISH_LENGTH] = OUTCOME_LENGTH,
		[DEMO_FINISH_TOOLS] = OUTCOME_TOOL_CALLS, [DEMO_FINISH_REFUSAL] = OUTCOME_FILTERED,
	};
	enum outcome outcome = outcomes[s->script->finish];

	demo_close_words(s);
	demo_close_item(s);
	if (usage_is_known(&s->script->usage))
		demo_give(s, (struct delta){ .kind = DELTA_USAGE, .usage = s->script->usage });
	demo_give(s, (struct delta){ .kind = DELTA_FINISH, .finish = { str_from(outcome_name(outcome)) } });
	demo_end(s, outcome);
}

static void demo_tell_wait(struct teller *s, const struct demo_step *step)
{
	s->now_ms += (double)step->wait_ms;
}

/* `stays`: it says something of the open item, which anything else ends. The kinds without a function end the answer. */
static const struct { void (*tell)(struct teller *s, const struct demo_step *step); bool stays; } tellers[] = {
	[DEMO_TEXT] = { demo_tell_words, false }, [DEMO_REASONING] = { demo_tell_words, false }, [DEMO_REFUSAL] = { demo_tell_words, false },
	[DEMO_CALL] = { demo_tell_call, false }, [DEMO_SOURCE] = { demo_tell_source, false }, [DEMO_WAIT] = { demo_tell_wait, true },
	[DEMO_IMAGE] = { demo_begin_item, false }, [DEMO_AUDIO] = { demo_begin_item, false },
	[DEMO_SEARCH] = { demo_begin_item, false }, [DEMO_CODE] = { demo_begin_item, false },
	[DEMO_PARTIAL] = { demo_tell_partial, true }, [DEMO_DATA] = { demo_tell_whole, true }, [DEMO_CAPTION] = { demo_tell_caption, true },
	[DEMO_INPUT] = { demo_tell_input, true }, [DEMO_OUTPUT] = { demo_tell_output, true },
	[DEMO_STALL] = { NULL, false },
};

static enum end_how demo_tell_trouble(struct teller *s, const struct demo_step *step, int status)
{
	if (step->kind == DEMO_ERROR) {
		status = status == 200 ? ERROR_STATUS : status;
		demo_give(s, (struct delta){ .kind = DELTA_ERROR, .error = { step->text, STR("demo_error"), step->name, status } });
		return END_CLOSED;
	}
	demo_end(s, step->kind == DEMO_CUT ? OUTCOME_CUT : OUTCOME_STALLED);
	return step->kind == DEMO_CUT ? END_CUT : END_STALLED;
}

/* Emits all steps; returns how the connection ends. */
static enum end_how demo_tell_steps(struct teller *s, int status)
{
	for (size_t i = 0; i < s->script->count; i++) {
		const struct demo_step *step = &s->script->steps[i];

		if (!tellers[step->kind].stays)
			demo_close_item(s);
		if (!tellers[step->kind].tell)
			return demo_tell_trouble(s, step, status);
		tellers[step->kind].tell(s, step);
	}
	demo_tell_finish(s);
	return END_CLOSED;
}

/* --- an answer --- */

/* The HTTP status; without streaming, an error is reported by the status. */
static int demo_status_of(const struct demo_script *script, bool stream)
{
	int status = script->status;

	for (size_t i = 0; i < script->count && !stream && status == 200; i++)
		status = script->steps[i].kind == DEMO_ERROR ? ERROR_STATUS : status;
	return status;
}

void demo_tell(const struct protocol *protocol, const struct demo_script *script, const char *name, const char *model, bool stream,
               struct buf *tape)
{
	struct teller s = { .voice = demo_voice_of(protocol), .script = script, .name = name, .model = model, .tape = tape, .seed = 1,
	                    .item.kind = DELTA_END };
	int status = demo_status_of(script, stream);
	bool whole = !stream || status != 200;

	s.encoder = encoder_new(&(struct encode_options){ .protocol = protocol, .created = CREATED, .whole = whole }, &s.bytes);
	demo_tell_head(&s, status, whole ? "application/json" : encode_content_type(protocol));
	demo_begin(&s);
	enum end_how how = demo_tell_steps(&s, status);
	if (whole)
		s.now_ms = status == 200 ? WHOLE_MS : FIRST_PIECE_MS;
	if (whole && how != END_CLOSED) /* breaks in the middle */
		buf_remove(&s.bytes, s.bytes.len / 2, s.bytes.len - s.bytes.len / 2);
	demo_tell_end(&s, how);
	encoder_free(s.encoder);
	buf_fini(&s.bytes);
	buf_fini(&s.reasoning);
	buf_fini(&s.said);
	buf_fini(&s.output);
}

void demo_tell_models(const struct protocol *protocol, struct buf *tape)
{
	struct teller s = { .voice = demo_voice_of(protocol), .name = "models", .tape = tape };
	const char *models = s.voice->models ? s.voice->models : voices[0].models;

	demo_tell_head(&s, 200, "application/json");
	for (const char *c = models; *c; c++)
		buf_add_byte(&s.bytes, (char)(*c == '\'' ? '"' : *c));
	demo_tell_end(&s, END_CLOSED);
	buf_fini(&s.bytes);
}
