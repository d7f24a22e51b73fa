#include "chat/conversation/turn.h"

#include "base/array.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "wire/protocol/protocol.h"

void part_fini(struct part *p)
{
	buf_fini(&p->text);
	blob_drop(p->data);
	mem_free(p->id);
	mem_free(p->name);
	mem_free(p->media);
}

static void drop_parts(struct turn *t)
{
	for (size_t i = 0; i < t->part_count; i++)
		part_fini(&t->parts[i]);
	t->part_count = t->open_from = t->restarted_at = 0;
}

static void note_fini(struct note *n)
{
	mem_free(n->rule);
	mem_free(n->text);
}

void turn_drop_notes(struct turn *t)
{
	for (size_t i = 0; i < t->note_count; i++)
		note_fini(&t->notes[i]);
	mem_free(t->notes);
	t->notes = NULL;
	t->note_count = 0;
}

void turn_free(struct turn *t)
{
	drop_parts(t);
	turn_drop_notes(t);
	char *owned[] = { t->scope.provider, t->scope.model, t->id, t->model, t->routed_model, t->finish_reason, t->waiting, t->earlier,
	                  t->error_message, t->error_type, t->error_code, t->tape, t->details, t->label };
	for (size_t i = 0; i < ARRAY_LEN(owned); i++)
		mem_free(owned[i]);
	citations_fini(&t->citations);
	mem_free(t->parts);
	mem_free(t->joints);
	mem_free(t);
}

void turn_set_origin(struct turn *t, struct str provider, const struct protocol *protocol, struct str model)
{
	str_replace(&t->scope.provider, provider);
	str_replace(&t->scope.model, model);
	turn_set_protocol(t, protocol);
}

void turn_label(struct turn *t, struct str label)
{
	char word[TURN_LABEL_MAX + 1];
	size_t length = 0;

	label = utf8_head(str_trim(label), TURN_LABEL_MAX);
	for (; length < label.len; length++)
		word[length] = (unsigned char)label.ptr[length] < ' ' || label.ptr[length] == 0x7F ? ' ' : label.ptr[length];
	str_replace(&t->label, length ? str_of(word, length) : STR_NONE);
	t->revision++;
}

bool turn_is_aside(const struct turn *t)
{
	return !t->parent && t->role == TURN_ASSISTANT && t->label && str_is(str_from(t->label), TURN_TITLE);
}

void turn_set_protocol(struct turn *t, const struct protocol *protocol)
{
	t->scope.protocol = protocol;
	t->scope.protocol_name = protocol ? protocol->name : "";
}

struct part *turn_add(struct turn *t, enum part_kind kind, struct str text, struct str id, struct str name)
{
	struct part *p = ARRAY_ADD(t->parts, t->part_count, t->part_capacity);

	*p = (struct part){ .kind = kind, .call = -1, .id = str_dup(id), .name = str_dup(name) };
	buf_add(&p->text, text);
	estimate_add(&p->size, text);
	t->revision++;
	return p;
}

struct part *turn_add_media(struct turn *t, int call, struct blob *data, struct str type)
{
	struct part *p = turn_add(t, PART_MEDIA, STR_NONE, STR_NONE, STR_NONE);
	struct str sniffed = media_sniff(blob_str(data));

	mem_free(p->id);
	mem_free(p->name);
	p->id = p->name = NULL;
	p->call = call;
	p->valid = true;
	blob_set(&p->data, data);
	str_replace(&p->media, media_type_is_open(type) ? sniffed : type);
	p->media_kind = media_kind_of(str_from(p->media), MEDIA_FILE);
	return p;
}

void turn_wait(struct turn *t, struct str why)
{
	if (str_equal(str_from(t->waiting), why))
		return;
	str_replace(&t->waiting, why);
	t->is_held = false;
	t->revision++;
}

void turn_hold(struct turn *t, struct str why)
{
	turn_wait(t, why);
	t->is_held = true;
}

const char *turn_noted(const struct turn *t, const char *rule)
{
	for (size_t i = 0; i < t->note_count; i++)
		if (str_is(str_from(t->notes[i].rule), rule))
			return t->notes[i].text;
	return NULL;
}

void turn_note(struct turn *t, struct str rule, struct str text)
{
	t->notes = mem_resize(t->notes, t->note_count + 1, sizeof *t->notes);
	t->notes[t->note_count++] = (struct note){ str_dup(rule), str_dup(text), t->part_count };
	t->revision++;
}

struct part *turn_call(const struct turn *t, unsigned call_index)
{
	for (size_t i = t->restarted_at; i < t->part_count; i++)
		if (t->parts[i].kind == PART_TOOL_CALL && t->parts[i].call == (int)call_index)
			return &t->parts[i];
	return NULL;
}

size_t turn_call_count(const struct turn *t)
{
	size_t n = 0;

	for (size_t i = t->restarted_at; i < t->part_count; i++)
		n += t->parts[i].kind == PART_TOOL_CALL;
	return n;
}

void turn_write_text(const struct turn *t, struct buf *out)
{
	for (size_t i = t->restarted_at; i < t->part_count; i++)
		if (t->parts[i].kind == PART_TEXT)
			buf_add(out, buf_str(&t->parts[i].text));
}

bool turn_is_empty(const struct turn *t)
{
	for (size_t i = t->restarted_at; i < t->part_count; i++)
		if (t->parts[i].kind != PART_OPAQUE)
			return false;
	return true;
}

/* --- continuing a turn --- */

bool turn_can_continue(const struct turn *t)
{
	bool has_text = false;

	for (size_t i = t->restarted_at; i < t->part_count; i++)
		has_text |= t->parts[i].kind == PART_TEXT && !str_is_blank(buf_str(&t->parts[i].text));
	bool broke_off = outcome_is_trouble(t->outcome) || t->outcome == OUTCOME_LENGTH;
	return t->role == TURN_ASSISTANT && t->ended && !turn_call_count(t) &&
	       ((broke_off && has_text) || (t->outcome == OUTCOME_PAUSED && t->part_count > t->restarted_at));
}

static void add_usage(struct buf *out, const struct usage *usage)
{
	const char *before = "tokens: ";

	for (unsigned place = 0; place < USAGE_FIGURE_COUNT; place++) {
		enum usage_figure figure = usage_in_order(place);

		if (!usage->of[figure].sent)
			continue;
		buf_printf(out, "%s%s %lld", before, usage_row(figure)->label, (long long)usage->of[figure].number);
		before = ", ";
	}
	buf_add_z(out, usage_is_known(usage) ? "\n" : "");
}

/* Describes the requests so far. */
static char *summarise(const struct turn *t)
{
	struct buf out = { 0 };

	buf_printf(&out, "before it was continued:\noutcome: %s\n", outcome_name(t->outcome));
	if (t->error_message)
		buf_printf(&out, "error: %s\n", t->error_message);
	add_usage(&out, &t->usage);
	if (t->tape)
		buf_printf(&out, "tape: %s\n", t->tape);
	buf_printf(&out, "%s\n%s", t->details ? t->details : "", t->earlier ? t->earlier : "");
	return buf_take(&out);
}

struct usage turn_usage(const struct turn *t)
{
	struct usage usage = t->usage;
	int64_t generated = meter_tokens(&t->meter), asked = meter_estimate(&t->meter, USAGE_PROMPT);

	if (!usage.of[USAGE_COMPLETION].sent && generated)
		usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(generated);
	if (!usage.of[USAGE_PROMPT].sent && generated && asked > 0 && t->ended)
		usage.of[USAGE_PROMPT] = (struct count)COUNT_SENT(asked);
	return usage;
}

struct cost turn_cost(const struct turn *t)
{
	struct usage usage = turn_usage(t);

	if (!t->scope.protocol && !t->reported.known && !usage_is_positive(&usage))
		return (struct cost){ .is_unknown = true };
	return cost_of(&usage, t->reported, &t->prices);
}

void turn_set_prices(struct turn *t, const struct prices *prices, const char *from)
{
	t->prices = *prices;
	t->prices_from = from;
	t->revision++;
}

/* Adds what the request that ends took to what the turn took before. */
static void turn_spend(struct turn *t)
{
	struct usage usage = turn_usage(t);

	t->spent_roughly |= !t->usage.of[USAGE_COMPLETION].sent || !t->usage.of[USAGE_PROMPT].sent;
	t->spent_cost = cost_sum(t->spent_cost, turn_cost(t));
	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		t->spent.of[i] = count_sum(t->spent.of[i], usage.of[i]);
	t->reported = MONEY_UNKNOWN;
}

void turn_continue(struct turn *t)
{
	char **const facts[] = { &t->finish_reason, &t->error_message, &t->error_type, &t->error_code, &t->tape, &t->details };
	char *earlier = summarise(t);

	mem_free(t->earlier);
	t->earlier = earlier;
	for (size_t i = 0; i < ARRAY_LEN(facts); i++)
		str_replace(facts[i], STR_NONE);
	for (size_t i = 0; i < t->note_count; i++)
		if (str_is(str_from(t->notes[i].rule), "hint")) /* a new refusal adds its own */
			str_replace(&t->notes[i].rule, STR("hint-before"));
	if (t->joint_count && t->joints[t->joint_count - 1].part == t->part_count) /* the last continuation added nothing */
		t->joint_count--;
	t->joints = mem_resize(t->joints, t->joint_count + 1, sizeof *t->joints);
	t->joints[t->joint_count++] = (struct joint){ .part = t->part_count, .outcome = t->outcome };
	t->open_from = t->part_count;
	turn_spend(t);
	t->usage = (struct usage){ 0 };
	t->copied = t->context_is_rough = false; /* from here on it takes something itself */
	t->context = 0;
	t->meter = (struct meter){ 0 };
	t->has_error = false;
	t->error_status = 0;
	t->ended = false;
	t->revision++;
}

void turn_clear(struct turn *t)
{
	drop_parts(t);
	turn_drop_notes(t);
	t->joint_count = 0;
	citations_fini(&t->citations);
	t->revision++;
}

bool part_is_skipped(const struct part *p)
{
	return p->kind == PART_TOOL_RESULT && p->is_error && str_starts(buf_str(&p->text), RESULT_SKIPPED);
}

bool note_is_of_run(const struct note *n)
{
	return str_is(str_from(n->rule), NOTE_OF_RUN);
}

static void drop_received_notes(struct turn *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->note_count; i++) {
		if (str_is(str_from(t->notes[i].rule), "weir") || note_is_of_run(&t->notes[i])) {
			t->notes[kept] = t->notes[i];
			t->notes[kept++].part = 0;
		} else {
			note_fini(&t->notes[i]);
		}
	}
	t->note_count = kept;
}

void turn_receive_again(struct turn *t)
{
	char **const facts[] = { &t->id, &t->model, &t->routed_model, &t->finish_reason, &t->error_message, &t->error_type, &t->error_code };

	for (size_t i = 0; i < ARRAY_LEN(facts); i++)
		str_replace(facts[i], STR_NONE);
	drop_parts(t);
	drop_received_notes(t);
	citations_fini(&t->citations);
	t->usage = (struct usage){ 0 };
	t->reported = MONEY_UNKNOWN;
	t->meter = (struct meter){ 0 };
	t->route = (struct route){ 0 };
	t->routed_known = t->has_error = t->ended = false;
	t->error_status = 0;
	t->revision++;
}

const struct joint *turn_joint_at(const struct turn *t, size_t part)
{
	for (size_t i = 0; i < t->joint_count; i++)
		if (t->joints[i].part == part)
			return &t->joints[i];
	return NULL;
}

/* --- copying --- */

void part_copy(const struct part *from, struct part *to)
{
	struct part kept = *to;

	*to = *from;
	to->text = kept.text;
	to->data = kept.data;
	blob_set(&to->data, from->data);
	to->id = mem_dup_z(from->id);
	to->name = mem_dup_z(from->name);
	to->media = mem_dup_z(from->media);
	mem_free(kept.id);
	mem_free(kept.name);
	mem_free(kept.media);
}

void turn_copy_notes(const struct turn *from, struct turn *to)
{
	to->notes = mem_new((from->note_count + 1) * sizeof *to->notes);
	to->note_count = from->note_count;
	for (size_t i = 0; i < from->note_count; i++)
		to->notes[i] = (struct note){ mem_dup_z(from->notes[i].rule), mem_dup_z(from->notes[i].text), from->notes[i].part };
}

static void turn_copy_lists(const struct turn *from, struct turn *to)
{
	to->parts = mem_new((from->part_count + 1) * sizeof *to->parts);
	to->part_capacity = from->part_count + 1;
	for (size_t i = 0; i < from->part_count; i++) {
		buf_init(&to->parts[i].text, from->parts[i].text.limit);
		part_copy(&from->parts[i], &to->parts[i]);
		buf_add(&to->parts[i].text, buf_str(&from->parts[i].text));
	}
	to->joints = mem_new((from->joint_count + 1) * sizeof *to->joints);
	for (size_t i = 0; i < from->joint_count; i++)
		to->joints[i] = from->joints[i];
	turn_copy_notes(from, to);
	citations_copy(&from->citations, &to->citations);
}

void turn_copy(const struct turn *from, struct turn *to)
{
	*to = *from;
	to->parent = to->child = to->next = to->chosen = NULL;
	to->depth = to->number = to->removed = 0;
	to->stored = 0;
	to->is_unread = false;
	turn_copy_lists(from, to);
	char **const owned[] = { &to->scope.provider, &to->scope.model, &to->id, &to->model, &to->routed_model, &to->finish_reason,
	                         &to->waiting, &to->earlier, &to->error_message, &to->error_type, &to->error_code, &to->tape, &to->details,
	                         &to->label };
	for (size_t i = 0; i < ARRAY_LEN(owned); i++)
		*owned[i] = mem_dup_z(*owned[i]);
	to->route.routed_model = str_from(to->routed_model);
}
