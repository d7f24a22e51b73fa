/* The request's parts are kept in one growing array. They are addressed by index until the end, because the array moves. */
#include "chat/conversation/projection.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "wire/attachment.h"
#include "wire/media.h"
#include "wire/protocol/protocol.h"

#define NOT_RUN "The tool was not run."
#define NOT_WHOLE "The tool was not run: its arguments did not arrive whole."
#define CAME_WITH_ANSWER "These files came with your answer:"
#define NAME_OF_MEDIA "A file of an answer"
#define NAME_OF_RESULT "A file of a result"
#define NO_NAME "unnamed" /* servers reject a call without a name */
#define NAME_MOST ((size_t)64) /* bytes that every protocol accepts in the name of a call (OpenAI's reference, function.name) */
#define ID_MOST ((size_t)40)   /* the same for ids: OpenAI refuses longer ones */

struct message_range { enum turn_role role; size_t first, count; };

struct projection_memory {
	struct request_part *parts;
	size_t part_count, part_capacity;
	struct message_range *messages;
	size_t message_count, message_capacity;
	char **ids; /* texts of our own: ids of calls without a usable one, sentences in place of files */
	size_t id_count;
};

static struct request_part *projection_add_part(struct projection_memory *m, enum turn_role role, enum part_kind kind)
{
	struct message_range *last = m->message_count ? &m->messages[m->message_count - 1] : NULL;

	if (!last || last->role != role) {
		last = ARRAY_ADD(m->messages, m->message_count, m->message_capacity);
		*last = (struct message_range){ role, m->part_count, 0 };
	}
	mem_reserve(&m->parts, &m->part_capacity, m->part_count + 1, sizeof *m->parts);
	last->count++;
	struct request_part *p = &m->parts[m->part_count++];
	*p = (struct request_part){ .kind = kind };
	return p;
}

static bool same_scope(const struct scope *a, const struct scope *b)
{
	return a->protocol == b->protocol && a->provider && b->provider && !strcmp(a->provider, b->provider) && a->model &&
	       b->model && !strcmp(a->model, b->model);
}

static bool is_taken(const struct projection_memory *m, struct str id)
{
	for (size_t i = 0; i < m->part_count; i++)
		if (m->parts[i].kind == PART_TOOL_CALL && str_equal(m->parts[i].id, id))
			return true;
	return false;
}

static struct str projection_own(struct projection_memory *m, struct str text)
{
	m->ids = mem_resize(m->ids, m->id_count + 1, sizeof *m->ids);
	m->ids[m->id_count] = str_dup(text);
	return str_from(m->ids[m->id_count++]);
}

/* Generates an id that is the same in every request: it depends on the index in the path, not on other branches. */
static struct str make_id(struct projection_memory *m, size_t turn, int call)
{
	char id[48];
	int len = snprintf(id, sizeof id, "call_%zu_%d", turn, call);

	return projection_own(m, str_of(id, (size_t)len));
}

static bool is_plain(char c)
{
	return char_is_word(c) || c == '_' || c == '-';
}

static bool is_plain_id(struct str id)
{
	bool plain = id.len <= ID_MOST;

	for (size_t i = 0; plain && i < id.len; i++)
		plain = is_plain(id.ptr[i]);
	return plain;
}

/* "Google Calendar:list" as every protocol accepts it. */
static struct str plain_name(struct projection_memory *m, struct str name)
{
	struct buf plain = { 0 };

	for (size_t i = 0; i < name.len && i < NAME_MOST; i++)
		buf_add_byte(&plain, is_plain(name.ptr[i]) ? name.ptr[i] : '_');
	struct str own = str_equal(buf_str(&plain), name) ? name : projection_own(m, buf_str(&plain));
	buf_fini(&plain);
	return own;
}

/*
 * Keeps the server's id unless another call has it: some servers count from 0 in every answer. `foreign`: the answer came in another protocol,
 * or was imported, and this one may not accept such names and ids.
 */
static void projection_add_call(struct projection_memory *m, size_t turn, const struct part *call, bool foreign)
{
	struct str id = str_from(call->id), name = str_from(call->name);
	bool ours = !id.len || is_taken(m, id) || (foreign && !is_plain_id(id));

	if (ours)
		id = make_id(m, turn, call->call);
	if (foreign)
		name = plain_name(m, name);
	struct request_part *p = projection_add_part(m, TURN_ASSISTANT, PART_TOOL_CALL);
	p->text = call->valid ? buf_str(&call->text) : STR("{}");
	p->name = name.len ? name : STR(NO_NAME);
	p->id = id;
	p->id_is_ours = ours;
}

/* An answer beside the scope of the request. */
struct relation {
	bool same;      /* provider, protocol and model */
	bool foreign;   /* another protocol, or an imported answer */
	unsigned holds; /* media that its message may hold: bits 1 << enum media_kind */
	int64_t now;    /* seconds since 1970 */
};

static struct relation relation_of(const struct turn *t, const struct scope *scope, int64_t now)
{
	bool same = same_scope(&t->scope, scope);

	return (struct relation){ same, t->scope.protocol != scope->protocol, same && scope->protocol ? scope->protocol->answers_hold : 0, now };
}

/* Whether opaque data belongs directly behind this part or call, even if it arrived later. */
static bool belongs(const struct part *opaque, const struct part *part)
{
	if (opaque->kind != PART_OPAQUE || part->kind == PART_OPAQUE)
		return false;
	if (opaque->call >= 0 || part->kind == PART_TOOL_CALL)
		return part->kind == PART_TOOL_CALL && part->call == opaque->call;
	return part->kind != PART_SERVER_TOOL && part->kind != PART_SERVER_RESULT && part->number == opaque->number;
}

/* Whether the server has a sound of its own under its id, which is sent in place of it. */
static bool is_at_server(const struct turn *t, const struct part *media, const struct relation *to)
{
	long long until = 0;

	for (size_t i = t->restarted_at; to->same && media->id && i < t->part_count; i++)
		if (belongs(&t->parts[i], media) && !strcmp(t->parts[i].name, OPAQUE_AUDIO_EXPIRES))
			return str_to_int(buf_str(&t->parts[i].text), &until) && to->now && until > to->now;
	return false;
}

/* How media of an answer go back: as the assistant's own, as its text, as a file of the user. Thoughts do not, nor what is only named. */
enum media_way { MEDIA_LEFT, MEDIA_OWN, MEDIA_AS_TEXT, MEDIA_AS_FILE };

static enum media_way media_way(const struct turn *t, const struct part *media, const struct relation *to)
{
	unsigned holds = to->holds;

	if (media->kind != PART_MEDIA || media->thought)
		return MEDIA_LEFT;
	if (blob_str(media->data).len && media->valid && (holds & 1u << media->media_kind) && (media->id || !(holds & PROTOCOL_HOLDS_NAMED)))
		return MEDIA_OWN;
	if (is_at_server(t, media, to))
		return MEDIA_OWN;
	if (media->media_kind == MEDIA_AUDIO && media->text.len)
		return MEDIA_AS_TEXT;
	return blob_str(media->data).len ? MEDIA_AS_FILE : MEDIA_LEFT;
}

static void projection_add_media(struct projection_memory *m, const struct turn *t, const struct part *media, const struct relation *to)
{
	enum media_way way = media_way(t, media, to);

	if (way == MEDIA_AS_TEXT)
		projection_add_part(m, TURN_ASSISTANT, PART_TEXT)->text = buf_str(&media->text);
	if (way != MEDIA_OWN)
		return;
	struct request_part *p = projection_add_part(m, TURN_ASSISTANT, PART_MEDIA);
	p->text = is_at_server(t, media, to) ? STR_NONE : blob_str(media->data);
	p->id = str_from(media->id);
	p->media = str_from(media->media);
}

/* By the bytes alone: what the server says of the type may be wrong, or no type. Text is told by attachment_kind(). */
static struct str media_type(struct str bytes)
{
	const char *type = attachment_media(bytes);
	struct str sniffed = media_sniff(bytes);

	return type ? str_from(type) : sniffed.len ? sniffed : STR("application/octet-stream");
}

/* What the message of the answer cannot hold are files of the prompt behind it. */
static void project_media(struct projection_memory *m, const struct turn *t, const struct relation *to)
{
	bool said = false;

	for (size_t i = t->restarted_at; i < t->part_count; i++) {
		const struct part *media = &t->parts[i];

		if (media_way(t, media, to) != MEDIA_AS_FILE)
			continue;
		if (!said)
			projection_add_part(m, TURN_USER, PART_TEXT)->text = STR(CAME_WITH_ANSWER);
		said = true;
		struct request_part *p = projection_add_part(m, TURN_USER, PART_ATTACHMENT);
		p->text = blob_str(media->data);
		p->media = media_type(p->text);
		p->name = STR(NAME_OF_MEDIA);
	}
}

static bool is_file_of_result(const struct part *part)
{
	return part->kind == PART_MEDIA && blob_str(part->data).len;
}

static void project_result_file(struct projection_memory *m, const struct part *media, struct str id)
{
	struct request_part *p = projection_add_part(m, TURN_USER, PART_ATTACHMENT);

	p->text = blob_str(media->data);
	p->media = media_type(p->text);
	p->name = STR(NAME_OF_RESULT);
	p->id = id;
}

/* Behind the results, where they are text. */
static void project_result_files(struct projection_memory *m, const struct turn *question)
{
	bool said = false;

	for (size_t i = 0; i < question->part_count; i++) {
		if (!is_file_of_result(&question->parts[i]))
			continue;
		if (!said)
			projection_add_part(m, TURN_USER, PART_TEXT)->text = STR(REQUEST_FILES_OF_RESULTS);
		said = true;
		project_result_file(m, &question->parts[i], STR_NONE);
	}
}

static void add_answer_part(struct projection_memory *m, size_t turn, const struct turn *t, const struct part *part, const struct relation *to)
{
	switch (part->kind) {
	case PART_TOOL_CALL:
		projection_add_call(m, turn, part, to->foreign);
		break;
	case PART_REASONING:
	case PART_OPAQUE:
		if (to->same) {
			struct request_part *p = projection_add_part(m, TURN_ASSISTANT, part->kind);

			p->text = buf_str(&part->text);
			p->name = str_from(part->name);
		}
		break;
	case PART_TEXT:
	case PART_REFUSAL:
		projection_add_part(m, TURN_ASSISTANT, PART_TEXT)->text = buf_str(&part->text);
		break;
	case PART_MEDIA:
		projection_add_media(m, t, part, to);
		break;
	case PART_TOOL_RESULT:
	case PART_ATTACHMENT: /* not generated by the model */
	case PART_SERVER_TOOL: /* what the server wants back of them is opaque */
	case PART_SERVER_RESULT:
		break;
	}
}

static const struct part *owner_of(const struct turn *t, const struct part *opaque)
{
	for (size_t i = t->restarted_at; i < t->part_count; i++)
		if (belongs(opaque, &t->parts[i]))
			return &t->parts[i];
	return NULL;
}

static void project_answer(struct projection_memory *m, size_t index, const struct turn *t, const struct relation *to)
{
	for (size_t i = t->restarted_at; i < t->part_count; i++) {
		const struct part *part = &t->parts[i];
		const struct joint *joint = turn_joint_at(t, i);

		if (joint && joint->by_words)
			projection_add_part(m, TURN_USER, PART_TEXT)->text = STR(CONTINUE_WORDS);
		if (part->kind == PART_OPAQUE && owner_of(t, part))
			continue;
		add_answer_part(m, index, t, part, to);
		for (size_t j = t->restarted_at; j < t->part_count; j++)
			if (belongs(&t->parts[j], part))
				add_answer_part(m, index, t, &t->parts[j], to);
	}
}

static const struct part *result_of(const struct turn *user, int call)
{
	for (size_t i = 0; user && i < user->part_count; i++)
		if (user->parts[i].kind == PART_TOOL_RESULT && user->parts[i].call == call)
			return &user->parts[i];
	return NULL;
}

/*
 * Adds a result for every call, because every protocol rejects a call without one. `first` is the answer's first part in this projection;
 * its calls follow in their order.
 */
static void project_results(struct projection_memory *m, size_t first, const struct turn *answer, const struct turn *next, bool hold_files)
{
	for (size_t i = answer->restarted_at; i < answer->part_count; i++) {
		const struct part *call = &answer->parts[i];

		if (call->kind != PART_TOOL_CALL)
			continue;
		while (m->parts[first].kind != PART_TOOL_CALL)
			first++;
		const struct request_part asked = m->parts[first++];
		const struct part *result = result_of(next, call->call);
		struct request_part *p = projection_add_part(m, TURN_USER, PART_TOOL_RESULT);
		p->id = asked.id;
		p->id_is_ours = asked.id_is_ours;
		p->name = asked.name;
		p->text = result ? buf_str(&result->text) : call->valid ? STR(NOT_RUN) : STR(NOT_WHOLE);
		p->is_error = result ? result->is_error : true;
		for (size_t k = 0; result && hold_files && k < next->part_count; k++)
			if (is_file_of_result(&next->parts[k]) && next->parts[k].call == call->call)
				project_result_file(m, &next->parts[k], asked.id);
	}
}

static void project_question(struct projection_memory *m, const struct turn *t, bool hold_files)
{
	if (!hold_files)
		project_result_files(m, t);
	for (size_t i = 0; i < t->part_count; i++) {
		const struct part *part = &t->parts[i];

		if (part->kind != PART_TEXT && part->kind != PART_ATTACHMENT)
			continue;
		struct request_part *p = projection_add_part(m, TURN_USER, part->kind);
		p->text = buf_str(&part->text);
		p->name = str_from(part->name);
		p->media = str_from(part->media);
	}
}

void conversation_project(const struct conversation *c, size_t end, const struct scope *scope, int64_t now, struct projection *out)
{
	struct projection_memory *m = mem_new(sizeof *m);
	bool hold_files = scope->protocol && scope->protocol->results_hold_files;

	for (size_t i = 0; i < end; i++) {
		const struct turn *t = c->turns[i];

		if (t->role == TURN_USER) {
			project_question(m, t, hold_files);
		} else {
			const struct turn *next = i + 1 < end ? c->turns[i + 1] : NULL;
			const struct relation to = relation_of(t, scope, now);
			size_t first = m->part_count;

			project_answer(m, i, t, &to);
			project_results(m, first, t, next && next->role == TURN_USER ? next : NULL, hold_files);
			if (next)
				project_media(m, t, &to);
		}
	}
	*out = (struct projection){ .memory = m, .count = m->message_count };
	out->messages = mem_new((m->message_count + 1) * sizeof *out->messages);
	for (size_t i = 0; i < m->message_count; i++)
		out->messages[i] = (struct request_message){ m->messages[i].role, m->parts + m->messages[i].first, m->messages[i].count };
}

void projection_say_instead(struct projection *p, size_t message, size_t part, struct str words)
{
	size_t index = p->memory->messages[message].first + part;

	p->memory->parts[index] = (struct request_part){
		.kind = PART_TEXT, .text = projection_own(p->memory, words),
		.id = p->memory->parts[index].kind == PART_ATTACHMENT ? p->memory->parts[index].id : STR_NONE,
	};
}

void projection_fini(struct projection *p)
{
	if (!p->memory)
		return;
	for (size_t i = 0; i < p->memory->id_count; i++)
		mem_free(p->memory->ids[i]);
	mem_free(p->memory->ids);
	mem_free(p->memory->parts);
	mem_free(p->memory->messages);
	mem_free(p->memory);
	mem_free(p->messages);
	*p = (struct projection){ 0 };
}
