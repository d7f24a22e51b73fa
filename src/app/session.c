#include "app/session_inside.h"

#include <string.h>

#include "base/mem.h"
#include "base/timestamp.h"
#include "chat/asked.h"
#include "chat/attachments.h"
#include "chat/schema.h"

/* Output of the render queue: adds a delta to the live turn. */
static void session_to_turn(void *ctx, const struct delta *delta)
{
	struct session *s = ctx;

	turn_delta(s->live, delta);
}

/* Input of the render queue. The meter gets every delta at its own time, before the queue merges them. */
static void session_from_exchange(void *ctx, const struct delta *delta)
{
	struct session *s = ctx;

	meter_delta(&s->live->meter, delta);
	queue_delta(s->queue, delta);
}

struct session *session_new(struct setup *setup, session_ended *ended, void *ctx)
{
	struct session *s = mem_new(sizeof *s);

	s->setup = setup;
	recording_init(&s->recording, setup);
	s->ended = ended;
	s->ctx = ctx;
	s->conversation = conversation_new();
	s->queue = queue_new(QUEUE_LIMIT, session_to_turn, s);
	return s;
}

void session_drop_results(struct session *s)
{
	for (size_t i = 0; i < s->result_count; i++)
		mem_free(s->results[i].text);
	s->result_count = 0;
}

static void session_drop_parts(struct part *attachments, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		buf_fini(&attachments[i].text);
		mem_free(attachments[i].name);
		mem_free(attachments[i].media);
	}
}

static void session_drop_attachments(struct session *s)
{
	session_drop_parts(s->attachments, s->attachment_count);
	s->attachment_count = 0;
}

static void session_drop_exchange(struct session *s)
{
	exchange_free(s->exchange);
	s->exchange = NULL;
	projection_fini(&s->projection);
	mem_free(s->system);
	mem_free(s->tools);
	mem_free(s->schema);
	s->system = s->tools = s->schema = NULL;
}

static void session_own(struct str *text, char **copy)
{
	if (text->ptr)
		text->ptr = *copy = str_dup(*text);
}

void session_free(struct session *s)
{
	if (!s)
		return;
	session_drop_exchange(s);
	player_free(s->player);
	recording_fini(&s->recording);
	queue_free(s->queue);
	session_drop_results(s);
	session_drop_attachments(s);
	for (size_t i = 0; i < s->waiting_count; i++) {
		session_drop_parts(s->waiting[i].attachments, s->waiting[i].attachment_count);
		mem_free(s->waiting[i].attachments);
		mem_free(s->waiting[i].text);
	}
	mem_free(s->waiting);
	mem_free(s->results);
	mem_free(s->attachments);
	conversation_free(s->conversation);
	session_drop_former(s);
	mem_free(s);
}

/* --- who keeps the conversation --- */

void session_watch(struct session *s, const struct session_watch *watch)
{
	s->watch = *watch;
}

uint64_t session_changes(const struct session *s)
{
	return s->changes;
}

void session_note_change(struct session *s)
{
	s->changes++;
}

void session_label(struct session *s, struct turn *turn, struct str label)
{
	turn_label(turn, label);
	session_note_change(s);
}

bool session_is_partly(const struct session *s)
{
	return s->partly;
}

void session_is_read(struct session *s)
{
	s->partly = false;
}

bool session_is_whole(struct session *s, struct error *err)
{
	return !s->watch.complete || s->watch.complete(s->watch.ctx, err);
}

void session_leave(struct session *s, bool drop)
{
	if (s->watch.leave)
		s->watch.leave(s->watch.ctx, drop);
	s->partly = false;
}

void session_release(struct session *s, struct conversation *c)
{
	if (!s->watch.release || s->watch.release(s->watch.ctx, c))
		conversation_free(c);
}

void session_enter(struct session *s)
{
	session_note_change(s);
	if (s->watch.enter)
		s->watch.enter(s->watch.ctx);
}

struct conversation *session_conversation(struct session *s)
{
	return s->conversation;
}

uint64_t session_number(const struct session *s)
{
	return s->number;
}

struct turn *session_live(const struct session *s)
{
	return s->live;
}

struct exchange *session_exchange(const struct session *s)
{
	return s->exchange;
}

struct player *session_player(const struct session *s)
{
	return s->player;
}

unsigned session_queued(const struct session *s)
{
	return (unsigned)s->waiting_count;
}

struct str session_queued_at(const struct session *s, size_t index, size_t *files)
{
	*files = s->waiting[index].attachment_count;
	return str_from(s->waiting[index].text);
}

/* Removes a prompt from the queue. Its files go to the next prompt; the caller owns its text. */
static char *session_unqueue(struct session *s, size_t index)
{
	struct waiting w = s->waiting[index];

	memmove(s->waiting + index, s->waiting + index + 1, (--s->waiting_count - index) * sizeof w);
	mem_reserve(&s->attachments, &s->attachment_capacity, s->attachment_count + w.attachment_count, sizeof *s->attachments);
	for (size_t i = 0; i < w.attachment_count; i++)
		s->attachments[s->attachment_count++] = w.attachments[i];
	mem_free(w.attachments);
	return w.text;
}

char *session_take_queued(struct session *s)
{
	struct buf all = { 0 };

	while (s->waiting_count) {
		char *text = session_unqueue(s, 0);

		buf_printf(&all, "%s%s", all.len ? "\n" : "", text);
		mem_free(text);
	}
	return buf_take(&all);
}

char *session_take_last_queued(struct session *s)
{
	return session_unqueue(s, s->waiting_count - 1);
}

static bool session_has_model(const struct session *s, struct error *err)
{
	return *s->setup->target.model || error_set(err, "no model is chosen: /model opens the list, /model NAME takes one");
}

static const struct attachment_limits *session_limits(const struct session *s)
{
	const struct target *target = &s->setup->target;

	return attachment_limits_of(str_from(target->protocol->name), str_from(target->provider->name));
}

/* True if the page has that notice: once is enough. */
static bool session_has_told(const struct session *s, struct str sentence)
{
	for (size_t i = 0; i < s->conversation->count; i++) {
		const struct turn *t = s->conversation->turns[i];

		for (size_t n = 0; n < t->note_count; n++)
			if (str_is(sentence, t->notes[n].text))
				return true;
	}
	return false;
}

static void session_tell_left_out(void *ctx, struct str sentence)
{
	struct session *s = ctx;

	if (!session_has_told(s, sentence))
		turn_note(s->live, STR("weir"), sentence);
}

bool session_prepare(struct session *s, struct str *base_url, struct error *err)
{
	session_note_change(s); /* whatever comes of it: the question is in the path */
	if (!session_has_model(s, err) || !session_is_whole(s, err))
		return false;
	session_drop_exchange(s);
	s->request = (struct request){ 0 };
	if (!setup_request(s->setup, &s->request, err) || !setup_base_url(s->setup, base_url, err))
		return false;
	session_own(&s->request.system, &s->system);
	session_own(&s->request.tools, &s->tools);
	session_own(&s->request.schema, &s->schema);
	return true;
}

bool session_start(struct session *s, struct turn *goes_on, struct error *err)
{
	struct str base_url;

	if (!session_prepare(s, &base_url, err))
		return false;
	session_launch(s, s->conversation, goes_on, base_url);
	return true;
}

void session_launch(struct session *s, const struct conversation *sent, struct turn *goes_on, struct str base_url)
{
	struct target *target = &s->setup->target;

	struct scope scope = { .provider = target->provider->name, .model = target->model, .protocol = target->protocol };
	conversation_project(sent, sent->count, &scope, &s->projection);
	s->request.messages = s->projection.messages;
	s->request.message_count = s->projection.count;
	if (goes_on) {
		s->request.continues = goes_on->outcome == OUTCOME_PAUSED ? CONTINUE_PAUSED : CONTINUE_TEXT;
		turn_continue(goes_on);
	}
	s->live = goes_on ? goes_on
	                  : conversation_answer(s->conversation, str_from(target->provider->name), target->protocol, str_from(target->model));
	attachments_fit(session_limits(s), &s->projection, session_tell_left_out, s);
	s->request.model = str_from(s->live->scope.model);
	s->refused = NULL;
	s->gave_back = false;
	s->edited = NULL;
	struct error no_tape;
	char *tape = recording_next(&s->recording, &no_tape);
	if (*no_tape.text)
		turn_note(s->live, STR("weir"), str_from(no_tape.text));
	struct exchange_options options = {
		.http = s->setup->http, .provider = target->provider, .protocol = target->protocol, .dialect = target->dialect,
		.base_url = base_url, .request = &s->request, .tape_path = tape, .tape_folder = recording_folder(&s->recording),
		.tape_bytes = recording_bytes(&s->recording),
		.tape_may_fail = recording_may_fail(&s->recording), .env = process_environment, .retries = setup_retries(s->setup),
		.allow_http = s->setup->options->allow_http, .sink = session_from_exchange, .ctx = s,
		.lint = s->setup->settings.lint,
		.sink_waits = true, /* the painter runs after the exchange */
	};
	s->exchange = exchange_new(&options, clock_now_ms());
	mem_free(tape);
}

struct turn *session_last_answer(const struct session *s)
{
	return conversation_last_answer(s->conversation);
}

/* --- what can be done --- */

bool session_can_stop(const struct session *s, struct error *err)
{
	return s->live || s->waiting_count || s->edited || error_set(err, "no answer is under way");
}

bool session_can_answer(const struct session *s, struct error *err)
{
	unsigned call = 0;

	return session_waiting_call(s, &call) || error_set(err, "no tool call waits for an answer");
}

bool session_can_unqueue(const struct session *s, struct error *err)
{
	return s->waiting_count || error_set(err, "no prompt is queued");
}

bool session_has_answer(const struct session *s, struct error *err)
{
	return session_last_answer(s) || error_set(err, "there is no answer yet");
}

bool session_has_turns(const struct session *s, struct error *err)
{
	return s->conversation->count || error_set(err, "the conversation is empty");
}

static void session_add_results(struct session *s, struct turn *question)
{
	const struct turn *answer = conversation_last_answer(s->conversation);

	for (size_t i = 0; i < s->result_count; i++) {
		struct result *r = &s->results[i];
		const struct part *call = answer ? turn_call(answer, r->call) : NULL;
		struct str id = str_from(call ? call->id : NULL), name = str_from(call ? call->name : NULL);
		struct part *p = turn_add(question, PART_TOOL_RESULT, str_from(r->text), id, name);

		p->call = (int)r->call;
		p->is_error = r->is_error;
	}
	session_drop_results(s);
}

static void session_add_attachments(struct session *s, struct turn *question)
{
	for (size_t i = 0; i < s->attachment_count; i++) {
		struct part *a = &s->attachments[i];
		const char *slash = strrchr(a->name, '/');
		struct part *p = turn_add(question, PART_ATTACHMENT, buf_str(&a->text), STR_NONE, str_from(slash ? slash + 1 : a->name));

		p->media = mem_dup_z(a->media);
	}
	session_drop_attachments(s);
}

static void session_queue(struct session *s, struct str prompt)
{
	mem_reserve(&s->waiting, &s->waiting_capacity, s->waiting_count + 1, sizeof *s->waiting);
	s->waiting[s->waiting_count++] = (struct waiting){ str_dup(prompt), s->attachments, s->attachment_count };
	s->attachments = NULL;
	s->attachment_count = s->attachment_capacity = 0;
}

static bool session_send_now(struct session *s, struct str prompt, struct error *err)
{
	session_set_aside(s);
	struct turn *question = conversation_ask(s->conversation);
	session_add_results(s, question);
	turn_add(question, PART_TEXT, prompt, STR_NONE, STR_NONE);
	session_add_attachments(s, question);
	return session_start(s, NULL, err);
}

/* Sends the oldest queued prompt. Files attached meanwhile are kept for a later prompt. */
static void session_send_first(struct session *s)
{
	struct part *kept = s->attachments;
	size_t count = s->attachment_count, capacity = s->attachment_capacity;
	struct error err = { "" };

	s->attachments = NULL;
	s->attachment_count = s->attachment_capacity = 0;
	char *prompt = session_unqueue(s, 0);
	if (!session_send_now(s, str_from(prompt), &err))
		turn_note(conversation_last(s->conversation), STR("weir"), str_from(err.text));
	mem_free(prompt);
	mem_free(s->attachments);
	s->attachments = kept;
	s->attachment_count = count;
	s->attachment_capacity = capacity;
}

bool session_send(struct session *s, struct str prompt, struct error *err)
{
	bool takes_a_place = s->edited || s->gave_back;

	if (!s->live && (!session_has_model(s, err) || !session_is_whole(s, err)))
		return false;
	if (!attachments_check(session_limits(s), s->attachments, s->attachment_count, err))
		return false;
	if (!s->live && (takes_a_place || !s->waiting_count))
		return session_send_now(s, prompt, err);
	session_queue(s, prompt);
	if (!s->live)
		session_send_first(s);
	return true;
}

bool session_send_waiting(struct session *s, struct error *err)
{
	if (!session_has_model(s, err) || !session_is_whole(s, err))
		return false;
	session_send_first(s);
	return true;
}

void session_attach_bytes(struct session *s, struct str bytes, const char *name, const char *media)
{
	struct part a = { .kind = PART_ATTACHMENT, .name = mem_dup_z(name), .media = mem_dup_z(media) };

	buf_add(&a.text, bytes);
	mem_reserve(&s->attachments, &s->attachment_capacity, s->attachment_count + 1, sizeof *s->attachments);
	s->attachments[s->attachment_count++] = a;
}

bool session_attach(struct session *s, const char *path, struct error *err)
{
	struct buf bytes = { 0 };
	const char *media;

	bool read = attachment_read(path, &bytes, &media, err);
	if (read)
		session_attach_bytes(s, buf_str(&bytes), path, media);
	buf_fini(&bytes);
	return read;
}

/* Files that were attached again have only a file name, not a path. */
bool session_has_attached(const struct session *s, const char *path)
{
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; i < s->attachment_count; i++) {
		const char *name = s->attachments[i].name;

		if (!strcmp(name, path) || (!strchr(name, '/') && slash && !strcmp(name, slash + 1)))
			return true;
	}
	return false;
}

size_t session_attached(const struct session *s)
{
	return s->attachment_count;
}

void session_estimate_attached(const struct session *s, struct estimate *e)
{
	for (size_t i = 0; i < s->attachment_count; i++)
		if (str_starts(str_from(s->attachments[i].media), "text/"))
			estimate_add(e, buf_str(&s->attachments[i].text));
}

const struct part *session_attached_at(const struct session *s, size_t index)
{
	return &s->attachments[index];
}

void session_detach(struct session *s)
{
	session_drop_attachments(s);
}

void session_answer_call(struct session *s, unsigned call, struct str result, bool is_error)
{
	for (size_t i = 0; i < s->result_count; i++) {
		if (s->results[i].call != call)
			continue;
		mem_free(s->results[i].text);
		s->results[i] = (struct result){ call, str_dup(result), is_error };
		return;
	}
	mem_reserve(&s->results, &s->result_capacity, s->result_count + 1, sizeof *s->results);
	s->results[s->result_count++] = (struct result){ call, str_dup(result), is_error };
}

void session_skip_call(struct session *s, unsigned call)
{
	session_answer_call(s, call, STR("The user chose not to run this tool."), true);
}

const struct part *session_waiting_call(const struct session *s, unsigned *call)
{
	const struct turn *t = conversation_last(s->conversation);
	bool waits = t && t->role == TURN_ASSISTANT && t->ended && t->outcome == OUTCOME_TOOL_CALLS;
	size_t count = waits ? turn_call_count(t) : 0;

	while (*call < count && !turn_call(t, *call)->valid)
		++*call;
	return *call < count ? turn_call(t, *call) : NULL;
}

bool session_send_results(struct session *s, struct error *err)
{
	if (s->live || !s->result_count)
		return error_set(err, "there is no result to send");
	if (!session_is_whole(s, err))
		return false;
	session_add_results(s, conversation_ask(s->conversation));
	return session_start(s, NULL, err);
}

void session_stop(struct session *s)
{
	if (s->exchange)
		exchange_cancel(s->exchange, clock_now_ms());
}

void session_halt(struct session *s)
{
	if (s->live)
		queue_drain(s->queue);
	session_drop_exchange(s);
	recording_fini(&s->recording);
	s->live = NULL;
}

/* Those that copies were made of cannot be returned to any more. */
static void session_replace(struct session *s, struct conversation *c)
{
	session_halt(s);
	session_leave(s, false);
	player_free(s->player);
	s->player = NULL;
	s->played = NULL;
	session_release(s, s->conversation);
	session_drop_former(s);
	s->summary = NULL;
	s->conversation = c;
	s->number++;
	session_leave_place(s);
	session_enter(s);
}

void session_forget(struct session *s)
{
	session_replace(s, conversation_new());
}

bool session_take(struct session *s, struct conversation *c, bool partly, struct error *err)
{
	if (!session_is_free(s, err))
		return false;
	session_replace(s, c);
	s->partly = partly;
	return true;
}

void session_leave_place(struct session *s)
{
	s->refused = NULL;
	s->gave_back = false;
	s->edited = NULL;
	session_drop_results(s);
}

void session_replay(struct session *s, const struct tape *tape, const struct stream_options *stream, int status, double speed)
{
	const struct tape_info *facts = tape_facts(tape);
	int64_t started_ms = 0;

	session_drop_exchange(s);
	struct turn *asked = asked_add(facts->request, s->conversation);
	s->live = s->played = conversation_answer(s->conversation, facts->provider, stream->protocol, facts->model);
	(void)timestamp_read(facts->started, &started_ms);
	s->live->wall = (time_t)(started_ms / 1000); /* time of the recording; 0, unknown, for a plain body */
	if (asked)
		asked->wall = s->live->wall;
	s->player = player_new(tape, stream, status, speed, clock_now_ms());
	s->played_moves = 0;
	player_show(s->player, s->played);
}

/* Notes whether the complete text conforms to the schema of the request. */
static void session_note_schema(const struct session *s, struct turn *t)
{
	struct buf text = { 0 }, words = { 0 };

	if (!s->schema || t->outcome != OUTCOME_COMPLETE)
		return;
	for (size_t i = t->restarted_at; i < t->part_count; i++)
		if (t->parts[i].kind == PART_TEXT)
			buf_add(&text, buf_str(&t->parts[i].text));
	schema_explain(str_from(s->schema), buf_str(&text), &words);
	turn_note(t, STR("schema"), buf_str(&words));
	buf_fini(&text);
	buf_fini(&words);
}

static void session_note_findings(const struct session *s, struct turn *t)
{
	struct buf words = { 0 };
	size_t findings = exchange_findings(s->exchange);

	if (!findings)
		return;
	buf_printf(&words, "lint: %zu finding%s: %.*s", findings, findings == 1 ? "" : "s", STR_ARG(exchange_finding_rules(s->exchange)));
	turn_note(t, STR("lint"), buf_str(&words));
	buf_fini(&words);
}

static void session_finish_turn(struct session *s)
{
	struct turn *t = s->live;
	struct buf details;

	buf_init(&details, (size_t)1 << 20);
	exchange_details(s->exchange, &details);
	t->details = buf_take(&details);
	t->model_unknown = exchange_model_unknown(s->exchange);
	struct str tape_error = exchange_tape_error(s->exchange);
	if (tape_error.len)
		turn_note(t, STR("weir"), tape_error);
	session_note_findings(s, t);
	session_note_schema(s, t);
	session_note_change(s);
	s->live = NULL;
	recording_over(&s->recording, tape_error);
	session_drop_exchange(s);
	s->refused = session_was_refused(t) && t != s->summary ? t : NULL;
	if (t == s->summary)
		session_end_compaction(s, t);
	if (s->ended)
		s->ended(s->ctx, t);
}

/* Sends the first queued prompt if the previous turn ended well. */
static void session_send_next(struct session *s, const struct turn *t)
{
	bool good = !outcome_is_trouble(t->outcome) && t->outcome != OUTCOME_TOOL_CALLS;

	if (s->live || !s->waiting_count || !good)
		return;
	session_send_first(s);
}

bool session_has_news(const struct session *s)
{
	return s->player ? player_moves(s->player) != s->played_moves : !queue_is_empty(s->queue);
}

/* Updates the sentence about a pending retry. True if it changed, at most once a second. */
static bool session_tell_waiting(struct session *s)
{
	struct exchange_retry retry;
	uint64_t before = s->live->revision;
	struct error words;

	if (!exchange_retry(s->exchange, clock_now_ms(), &retry)) {
		turn_wait(s->live, STR_NONE);
	} else {
		error_set(&words, "%.*s. Asking again in %lld s (%u of %u).", STR_ARG(retry.why),
		          (long long)(retry.left_ms + 999) / 1000, retry.number, retry.most);
		turn_wait(s->live, str_from(words.text));
	}
	return s->live->revision != before;
}

/* The end of what is played. It can be left again: then all of this is forgotten (chat/turn_mark.h). */
static void session_end_played(struct session *s)
{
	struct buf details;

	buf_init(&details, (size_t)1 << 20);
	delta_log_details(player_log(s->player), &details);
	str_replace(&s->played->details, buf_str(&details));
	buf_fini(&details);
	if (s->ended)
		s->ended(s->ctx, s->played);
}

/* The deltas are in the answer already. */
static bool session_drain_player(struct session *s)
{
	bool was_live = s->live != NULL;

	if (!session_has_news(s))
		return false;
	s->played_moves = player_moves(s->player);
	session_note_change(s);
	s->live = s->played->ended ? NULL : s->played;
	if (!s->live && (was_live || !s->played->details))
		session_end_played(s);
	return true;
}

bool session_drain(struct session *s)
{
	if (s->player)
		return session_drain_player(s);
	if (!s->live)
		return false;
	bool told = session_tell_waiting(s);
	if (queue_is_empty(s->queue))
		return told;
	if (!s->live->scope.protocol && exchange_protocol(s->exchange))
		turn_set_protocol(s->live, exchange_protocol(s->exchange));
	if (s->live->joint_count)
		s->live->joints[s->live->joint_count - 1].by_words = exchange_way(s->exchange) == CONTINUATION_WORDS;
	queue_drain(s->queue);
	session_note_change(s);
	if (!s->live->tape && exchange_tape_path(s->exchange).len)
		str_replace(&s->live->tape, exchange_tape_path(s->exchange));
	if (s->live->ended) {
		struct turn *t = s->live;

		session_finish_turn(s);
		session_send_next(s, t);
	}
	return true;
}

struct str session_take_refused(struct session *s)
{
	const struct turn *question = s->refused ? s->refused->parent : NULL;

	s->refused = NULL;
	for (size_t i = 0; question && i < question->part_count; i++)
		if (question->parts[i].kind == PART_TEXT) {
			session_attach_again(s, question);
			s->gave_back = true;
			return buf_str(&question->parts[i].text);
		}
	return STR_NONE;
}

void session_leave_refused(struct session *s)
{
	s->gave_back = false;
}

/* --- the loop's member --- */

static size_t session_fds(void *ctx, struct pollfd *fds, size_t room)
{
	struct session *s = ctx;

	return s->exchange && room ? exchange_fds(s->exchange, fds) : 0;
}

static int64_t session_deadline(void *ctx)
{
	struct session *s = ctx;

	if (s->player)
		return player_deadline(s->player);
	return s->exchange ? exchange_deadline(s->exchange) : NO_DEADLINE;
}

static void session_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct session *s = ctx;

	(void)fds, (void)count;
	if (s->player)
		player_run(s->player, now_ms);
	else if (s->exchange)
		exchange_run(s->exchange, now_ms);
}

struct loop_member session_member(struct session *s)
{
	return (struct loop_member){ .ctx = s, .fds = session_fds, .deadline = session_deadline, .run = session_run };
}
