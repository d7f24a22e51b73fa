#include "wire/encoded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/digest.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "support/check.h"
#include "wire/framer.h"
#include "wire/part.h"
#include "wire/stream.h"

/* --- copies of deltas --- */

struct kept {
	struct delta *deltas;
	size_t count, capacity;
	char **texts;
	size_t text_count, text_capacity;
};

struct kept *kept_new(void)
{
	return mem_new(sizeof(struct kept));
}

void kept_free(struct kept *k)
{
	for (size_t i = 0; i < k->text_count; i++)
		mem_free(k->texts[i]);
	mem_free(k->texts);
	mem_free(k->deltas);
	mem_free(k);
}

static void keep(struct kept *k, struct str *text)
{
	if (!text->ptr)
		return;
	mem_reserve(&k->texts, &k->text_capacity, k->text_count + 1, sizeof *k->texts);
	text->ptr = k->texts[k->text_count++] = str_dup(*text);
}

void kept_delta(void *kept, const struct delta *delta)
{
	struct kept *k = kept;

	mem_reserve(&k->deltas, &k->capacity, k->count + 1, sizeof *k->deltas);
	struct delta *d = &k->deltas[k->count++];
	*d = *delta;
	struct str *strings[DELTA_STRINGS_MAX];
	size_t count = delta_strings(d, strings);
	for (size_t i = 0; i < count; i++)
		keep(k, strings[i]);
}

static struct delta *last_of(const struct kept *k, enum delta_kind kind)
{
	for (size_t i = k->count; i > 0; i--)
		if (k->deltas[i - 1].kind == kind)
			return &k->deltas[i - 1];
	return NULL;
}

/* --- the one form --- */

enum line { LINE_TEXT, LINE_REASONING, LINE_REFUSAL, LINE_CALL, LINE_OPAQUE, LINE_CITATION, LINE_PICTURE, LINE_RESTART, LINE_COUNT };
static const char *const line_names[LINE_COUNT] = {
	[LINE_TEXT] = "text", [LINE_REASONING] = "reasoning", [LINE_REFUSAL] = "refusal", [LINE_CALL] = "call",
	[LINE_OPAQUE] = "opaque", [LINE_CITATION] = "citation", [LINE_PICTURE] = "picture", [LINE_RESTART] = "restart",
};

struct entry {
	enum line line;
	unsigned part, call;
	struct buf text;
};

struct call {
	struct buf id, name, pieces, text, data;
	bool valid, ended, fixed;
};

/* What is compared of a finish word. */
enum finish { FINISH_ANY, FINISH_SOME, FINISH_EXACT };

/* A tool that the server ran, or a sound. */
struct ran { unsigned index; bool is_sound, ended; struct buf line; };

struct form {
	const struct protocol *protocol;
	bool whole, tools_are_opaque;
	enum finish finish;
	enum outcome outcome;
	bool any_outcome;
	bool no_finish;
	bool shows_usage, shows_identity;

	struct entry *entries;
	size_t count, capacity;
	unsigned latest; /* the part under way */
	struct call *calls;
	size_t call_count, call_capacity, call_base, calls_listed;
	struct ran *rans;
	size_t ran_count, ran_capacity;
	struct str id, model, last_text;
	bool identity_fixed;
	bool has_reasoning_content;
};

static bool carries(const struct form *f, enum encode_feature feature)
{
	return encode_carries(f->protocol, feature);
}

static bool has_pieces(const struct form *f)
{
	return f->whole || carries(f, ENCODE_PIECES);
}

static void set(struct buf *buf, struct str text)
{
	buf_clear(buf);
	buf_add(buf, text);
}

static struct entry *add_entry(struct form *f, enum line line)
{
	mem_reserve(&f->entries, &f->capacity, f->count + 1, sizeof *f->entries);
	struct entry *entry = &f->entries[f->count++];
	*entry = (struct entry){ .line = line, .part = GUARD_NEW_PART };
	f->latest = GUARD_NEW_PART;
	return entry;
}

static void clear_content(struct form *f)
{
	for (size_t i = 0; i < f->count; i++)
		buf_fini(&f->entries[i].text);
	for (size_t i = 0; i < f->call_count; i++) {
		struct call *call = &f->calls[i];
		struct buf *bufs[] = { &call->id, &call->name, &call->pieces, &call->text, &call->data };

		for (size_t k = 0; k < ARRAY_LEN(bufs); k++)
			buf_fini(bufs[k]);
	}
	for (size_t i = 0; i < f->ran_count; i++)
		buf_fini(&f->rans[i].line);
	f->ran_count = 0;
	f->count = f->call_count = f->calls_listed = 0;
	f->has_reasoning_content = false;
}

/* JSON that went through a decoder as a value has no blanks. */
static void add_json(struct buf *out, struct str text)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *value = json_scan_is_whole(text) ? json_parse(parser, text, &used) : NULL;

	if (value)
		json_dump(value, out);
	else
		buf_add(out, text);
	json_parser_free(parser);
}

static struct entry *find_words(struct form *f, enum line line, unsigned part)
{
	struct entry *last = f->count ? &f->entries[f->count - 1] : NULL;

	for (size_t i = 0; f->whole && i < f->count; i++)
		if (f->entries[i].line == line)
			return &f->entries[i];
	return !f->whole && last && last->line == line && (last->part == part || !carries(f, ENCODE_PARTS)) ? last : NULL;
}

static void take_words(struct form *f, const struct delta *d)
{
	enum line line = d->kind == DELTA_REASONING                                ? LINE_REASONING
	                 : d->kind == DELTA_REFUSAL && carries(f, ENCODE_REFUSAL) ? LINE_REFUSAL
	                                                                           : LINE_TEXT;
	struct entry *entry = find_words(f, line, d->part);

	if (!entry)
		entry = add_entry(f, line);
	entry->part = f->latest = d->part;
	f->last_text = d->text;
	buf_add(&entry->text, d->text);
}

static struct call *call_at(struct form *f, unsigned index)
{
	return &f->calls[index + f->call_base];
}

static void fix_names(struct form *f)
{
	for (size_t i = 0; i < f->call_count && !f->whole && !carries(f, ENCODE_LATE_NAME); i++)
		f->calls[i].fixed = true;
}

static void list_call(struct form *f, size_t call)
{
	add_entry(f, LINE_CALL)->call = (unsigned)call;
	f->calls_listed++;
}

/* Where a call must have an id, one that had none was given its number. */
static void make_id(struct form *f, struct call *call)
{
	if (!call->id.len && !carries(f, ENCODE_NO_CALL_ID))
		buf_printf(&call->id, "call_%u", (unsigned)(call - f->calls));
}

static void end_call(struct form *f, struct call *call, struct str arguments, bool valid)
{
	bool as_text = f->protocol == &protocol_openai_chat || f->protocol == &protocol_openai_responses || (!f->whole && has_pieces(f));

	if (as_text)
		buf_add(&call->text, arguments);
	else
		add_json(&call->text, arguments);
	make_id(f, call);
	call->valid = valid;
	call->ended = true;
	while (f->calls_listed < f->call_count && f->calls[f->calls_listed].ended)
		list_call(f, f->calls_listed);
}

static void take_tool(struct form *f, const struct delta *d)
{
	if (d->kind == DELTA_TOOL_BEGIN) {
		mem_reserve(&f->calls, &f->call_capacity, f->call_count + 1, sizeof *f->calls);
		f->calls[f->call_count++] = (struct call){ 0 };
		if (has_pieces(f))
			list_call(f, f->call_count - 1);
	}
	struct call *call = call_at(f, d->tool.index);
	if (d->kind == DELTA_TOOL_BEGIN || (d->kind == DELTA_TOOL_NAME && !call->fixed)) {
		set(&call->id, d->tool.id);
		set(&call->name, d->tool.name);
	}
	if (d->kind == DELTA_TOOL_ARGUMENTS)
		buf_add(&call->pieces, d->text);
	if (d->kind == DELTA_TOOL_END)
		end_call(f, call, d->text, d->tool.valid);
}

static bool is_json(struct str format)
{
	return !str_is(format, OPAQUE_ANTHROPIC_SIGNATURE) && !str_is(format, OPAQUE_ANTHROPIC_REDACTED) &&
	       !str_is(format, OPAQUE_GEMINI_SIGNATURE);
}

static void add_opaque(struct buf *out, const struct delta *d)
{
	if (is_json(d->opaque.format))
		add_json(out, d->opaque.data);
	else
		buf_add(out, d->opaque.data);
}

/* A reasoning item with a text beside its summary: a body does not tell which of them streamed. */
static bool says_content(struct str item)
{
	return str_starts(item, "{") && json_scan_find(item, (const char *const[]){ "content", "#0", "text", NULL }).ptr;
}

/* What a decoder makes of a server tool that was encoded for its protocol. */
static bool is_made_of_tool(const struct form *f, struct str data)
{
	static const char *const marks[] = { "tool_use\"", "_tool_result\"", "executableCode\"", "codeExecutionResult\"", "toolCall\"", "toolResponse\"" };

	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (!f->tools_are_opaque && str_find(data, str_from(marks[i])) < data.len)
			return true;
	return false;
}

/* Of a part it is compared with its words: those of a Gemini signature are the last ones. */
static void take_opaque(struct form *f, const struct delta *d)
{
	struct entry *last = f->count ? &f->entries[f->count - 1] : NULL;
	bool of_part = d->part != GUARD_NEW_PART && d->opaque.tool_index < 0;
	struct buf of = { 0 };

	if (!encode_carries_opaque(f->protocol, d->opaque.format) || is_made_of_tool(f, d->opaque.data))
		return;
	if (str_is(d->opaque.format, OPAQUE_REASONING_CONTENT)) {
		f->has_reasoning_content = true;
		return;
	}
	if (d->opaque.tool_index >= 0) {
		struct call *call = call_at(f, (unsigned)d->opaque.tool_index);

		buf_clear(&call->data);
		add_opaque(&call->data, d);
		return;
	}
	if (of_part && f->latest != d->part)
		return;
	if (of_part && !f->whole)
		buf_add(&of, str_is(d->opaque.format, OPAQUE_GEMINI_SIGNATURE) ? f->last_text : buf_str(&last->text));
	for (size_t i = 0; i < f->count; i++)
		if (f->whole && f->entries[i].line == LINE_REASONING && says_content(d->opaque.data))
			set(&f->entries[i].text, STR("as the item says"));
	struct entry *entry = add_entry(f, LINE_OPAQUE);
	buf_printf(&entry->text, "%.*s %s%s ", STR_ARG(d->opaque.format), of_part ? "of " : "alone", buf_z(&of));
	add_opaque(&entry->text, d);
	buf_fini(&of);
}

static struct str shown(struct str text)
{
	return text.len ? text : STR("-");
}

static void take_citation(struct form *f, const struct delta *d)
{
	struct str text = carries(f, ENCODE_CITED_TEXT) ? d->citation.text : STR_NONE;

	if (carries(f, ENCODE_CITATION))
		buf_printf(&add_entry(f, LINE_CITATION)->text, "%.*s %.*s %.*s", STR_ARG(shown(d->citation.url)),
		           STR_ARG(shown(d->citation.title)), STR_ARG(shown(text)));
}

/* --- media, and what the server ran --- */

/* Words that come behind something else are another part there. */
static void break_words(struct form *f)
{
	if (f->count)
		f->entries[f->count - 1].part = GUARD_NEW_PART;
	f->latest = GUARD_NEW_PART;
}

static bool has_type(const struct form *f, const struct delta *d)
{
	return d->media.facts.type.len || f->protocol != &protocol_gemini;
}

/* By its digest; Chat Completions tells each once. */
static void take_picture(struct form *f, const struct delta *d)
{
	char digest[DIGEST_HEX + 1];

	if (!carries(f, d->media.is_partial ? ENCODE_PARTIAL : ENCODE_PICTURE) || !has_type(f, d) || d->media.facts.kind != MEDIA_IMAGE ||
	    (d->media.is_partial && f->whole))
		return;
	digest_hex(d->media.data, digest);
	for (size_t i = 0; i < f->count; i++)
		if (f->protocol == &protocol_openai_chat && f->entries[i].line == LINE_PICTURE && str_is(buf_str(&f->entries[i].text), digest))
			return;
	buf_printf(&add_entry(f, LINE_PICTURE)->text, "%s%s", d->media.is_partial ? "partial " : "", digest);
	f->latest = d->part;
	f->last_text = STR("the picture");
}

static struct ran *add_ran(struct form *f, unsigned index, bool is_sound)
{
	mem_reserve(&f->rans, &f->ran_capacity, f->ran_count + 1, sizeof *f->rans);
	struct ran *ran = &f->rans[f->ran_count++];
	*ran = (struct ran){ .index = index, .is_sound = is_sound };
	return ran;
}

/* A body of Chat Completions has one sound, and there only has it words. */
static void take_sound(struct form *f, const struct delta *d)
{
	bool first = true;

	for (size_t i = 0; i < f->ran_count; i++)
		first &= !f->rans[i].is_sound;
	if (d->media.facts.kind != MEDIA_AUDIO || !d->media.facts.bytes || !carries(f, ENCODE_SOUND) || !has_type(f, d) || (f->whole && !first))
		return;
	buf_printf(&add_ran(f, d->media.index, true)->line, "sound %.*s %.*s", STR_ARG(d->media.facts.sha256),
	           STR_ARG(f->protocol == &protocol_openai_chat ? d->text : STR("")));
}

static void take_media(struct form *f, const struct delta *d)
{
	if (d->kind == DELTA_MEDIA)
		take_picture(f, d);
	else if (d->kind == DELTA_MEDIA_END)
		take_sound(f, d);
	else if (carries(f, ENCODE_PARTIAL) && d->media.facts.kind == MEDIA_IMAGE && !d->media.facts.url.len)
		break_words(f);
}

/* The input as the protocol has it: Anthropic's and Chat Completions' are objects. */
static void add_input(const struct form *f, struct str input, struct buf *out)
{
	if (str_starts(input, "{") || !input.len || carries(f, ENCODE_SERVER_CODE)) {
		add_json(out, input.len || f->protocol != &protocol_anthropic ? input : STR("{}"));
		return;
	}
	buf_add_z(out, "{\"code\":");
	json_escape(out, input);
	buf_add_byte(out, '}');
}

static void end_ran(struct form *f, struct ran *ran, const struct delta *d)
{
	enum server_tool_state state = d->server_tool.state;
	bool is_code = str_is(d->server_tool.name, "code_execution");
	bool fails = carries(f, ENCODE_SERVER_FAILED) && (f->protocol != &protocol_gemini || is_code);

	buf_add_z(&ran->line, "ran ");
	for (size_t i = 0; i < d->server_tool.name.len; i++)
		buf_add_byte(&ran->line, char_lower(d->server_tool.name.ptr[i]));
	buf_add_byte(&ran->line, ' ');
	add_input(f, d->text, &ran->line);
	buf_printf(&ran->line, " %s ", server_tool_state_name(state == SERVER_TOOL_FAILED && !fails ? SERVER_TOOL_COMPLETED : state));
	if (state != SERVER_TOOL_INCOMPLETE)
		add_json(&ran->line, d->server_tool.output);
	ran->ended = true;
}

static void take_server_tool(struct form *f, const struct delta *d)
{
	size_t i = f->ran_count;

	if (!carries(f, ENCODE_SERVER_TOOL) || f->tools_are_opaque)
		return;
	if (d->kind != DELTA_SERVER_TOOL_INPUT)
		break_words(f);
	if (d->kind == DELTA_SERVER_TOOL_BEGIN)
		add_ran(f, d->server_tool.index, false);
	while (d->kind == DELTA_SERVER_TOOL_END && i-- > 0)
		if (!f->rans[i].is_sound && !f->rans[i].ended && f->rans[i].index == d->server_tool.index) {
			end_ran(f, &f->rans[i], d);
			return;
		}
}

static void identify(struct form *f, const struct delta *d)
{
	if (f->identity_fixed)
		return;
	f->id = carries(f, ENCODE_ID) && !f->id.len ? d->meta.id : f->id;
	f->model = f->model.len ? f->model : d->meta.model;
}

static void start_over(struct form *f)
{
	if (!f->whole && !carries(f, ENCODE_RESTART)) {
		for (size_t i = 0; i < f->count; i++)
			f->entries[i].part = GUARD_NEW_PART;
		for (size_t i = 0; i < f->call_count; i++) {
			struct str pieces = buf_str(&f->calls[i].pieces);

			if (!f->calls[i].ended)
				end_call(f, &f->calls[i], str_is_blank(pieces) ? STR("{}") : pieces,
				         str_is_blank(pieces) || json_scan_is_whole(pieces));
		}
		f->call_base = f->call_count;
		return;
	}
	for (size_t i = 0; i < f->ran_count; i++)
		buf_fini(&f->rans[i].line);
	f->ran_count = 0;
	if (f->whole)
		clear_content(f);
	else
		add_entry(f, LINE_RESTART);
	f->call_base = f->call_count;
	f->id = f->model = STR_NONE;
	f->identity_fixed = false;
}

static bool is_content(enum delta_kind kind)
{
	return kind != DELTA_BEGIN && kind != DELTA_META && kind != DELTA_USAGE && kind != DELTA_ROUTE && kind != DELTA_NOTICE &&
	       kind != DELTA_FINISH && kind != DELTA_RESTART;
}

static void take(struct form *f, const struct delta *d)
{
	if (is_content(d->kind) && !f->whole && !carries(f, ENCODE_LATE_ID))
		f->identity_fixed = true;
	bool unwritten = d->kind == DELTA_TOOL_NAME ||
	                 (d->kind == DELTA_OPAQUE && !encode_carries_opaque(f->protocol, d->opaque.format));
	if (is_content(d->kind) && !unwritten)
		fix_names(f);
	switch (d->kind) {
	case DELTA_BEGIN:
	case DELTA_META:
		identify(f, d);
		break;
	case DELTA_TEXT:
	case DELTA_REASONING:
	case DELTA_REFUSAL:
		take_words(f, d);
		break;
	case DELTA_TOOL_BEGIN:
	case DELTA_TOOL_NAME:
	case DELTA_TOOL_ARGUMENTS:
	case DELTA_TOOL_END:
		take_tool(f, d);
		break;
	case DELTA_OPAQUE:
		take_opaque(f, d);
		break;
	case DELTA_MEDIA_BEGIN:
	case DELTA_MEDIA:
	case DELTA_MEDIA_END:
		take_media(f, d);
		break;
	case DELTA_SERVER_TOOL_BEGIN:
	case DELTA_SERVER_TOOL_INPUT:
	case DELTA_SERVER_TOOL_END:
		take_server_tool(f, d);
		break;
	case DELTA_CITATION:
		take_citation(f, d);
		break;
	case DELTA_RESTART:
		start_over(f);
		break;
	case DELTA_MEDIA_TEXT:
	case DELTA_USAGE:
	case DELTA_ROUTE:
	case DELTA_NOTICE:
	case DELTA_FINISH:
	case DELTA_ERROR:
	case DELTA_END:
		break;
	}
}

/* --- what is said of the whole turn --- */

static bool has_row(const struct usage_member *row, enum usage_figure figure)
{
	while (row->path && (row->adds || row->figure != figure))
		row++;
	return row->path != NULL;
}

/* The figure as the protocol's object can say it: at least what its members add up to. */
static struct count figure_of(const struct usage_member *table, const struct usage *usage, enum usage_figure figure)
{
	struct count added = { 0 }, own = usage->of[figure];

	if (!has_row(table, figure))
		return (struct count){ 0 };
	for (const struct usage_member *row = table; row->path; row++)
		for (const struct usage_member *said = table; row->adds && row->figure == figure && said->path; said++)
			if (!said->adds && usage_member_is_at(said, row))
				added = count_sum(added, usage->of[said->figure]);
	return (struct count){ own.number > added.number ? own.number : added.number, own.sent || added.sent };
}

static void add_usage(const struct form *f, const struct kept *k, struct buf *out)
{
	const struct usage_member *table = encode_usage_members(f->protocol);
	const struct delta *d = last_of(k, DELTA_USAGE), *restart = last_of(k, DELTA_RESTART);
	bool forgets = f->whole || carries(f, ENCODE_RESTART);
	struct usage usage = { 0 };

	if (!d || !f->shows_usage || (forgets && restart && restart > d))
		return;
	for (unsigned i = 0; i < USAGE_FIGURE_COUNT; i++)
		usage.of[i] = figure_of(table, &d->usage, (enum usage_figure)i);
	if (!usage.of[USAGE_TOTAL].sent && usage.of[USAGE_PROMPT].sent && usage.of[USAGE_COMPLETION].sent)
		usage.of[USAGE_TOTAL] = count_sum(usage.of[USAGE_PROMPT], usage.of[USAGE_COMPLETION]);
	for (unsigned i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (usage.of[i].sent)
			buf_printf(out, "usage %s %" PRId64 "\n", usage_row((enum usage_figure)i)->member, usage.of[i].number);
}

static void add_turn(const struct form *f, const struct kept *k, struct buf *out)
{
	const struct delta *route = last_of(k, DELTA_ROUTE), *finish = last_of(k, DELTA_FINISH), *error = last_of(k, DELTA_ERROR);
	struct str type = STR_NONE, code = STR_NONE;

	if (f->shows_identity)
		buf_printf(out, "id %.*s\nmodel %.*s\n", STR_ARG(shown(f->id)), STR_ARG(shown(f->model)));
	if (route && carries(f, ENCODE_ROUTE) && !(f->whole && error))
		buf_printf(out, "route %d %.*s %g\n", route->route.routed, STR_ARG(shown(route->route.routed_model)),
		           route->route.routing_latency_ms);
	add_usage(f, k, out);
	if (f->no_finish)
		buf_add_z(out, finish ? "a finish word\n" : "");
	if (finish && f->finish != FINISH_ANY)
		buf_printf(out, "finish %.*s\n", STR_ARG(f->finish == FINISH_EXACT ? finish->finish.reason : STR("some")));
	if (error) {
		type = carries(f, ENCODE_ERROR_TYPE) ? error->error.type : STR_NONE;
		code = carries(f, ENCODE_ERROR_CODE) ? error->error.code : STR_NONE;
		if (carries(f, ENCODE_ERROR_TYPE) && !carries(f, ENCODE_ERROR_CODE) && error->error.code.len)
			type = error->error.code;
		buf_printf(out, "error %.*s / %.*s / %.*s\n", STR_ARG(error->error.message), STR_ARG(shown(type)), STR_ARG(shown(code)));
	}
}

static void add_entry_line(const struct form *f, const struct entry *entry, struct buf *out)
{
	buf_printf(out, "%s ", line_names[entry->line]);
	if (entry->line == LINE_CALL) {
		const struct call *call = &f->calls[entry->call];

		buf_printf(out, "%s %s %s '%s' %.*s", buf_z(&call->id), buf_z(&call->name),
		           call->valid ? "valid" : "invalid", buf_z(&call->data), STR_ARG(str_trim(buf_str(&call->text))));
	}
	buf_add(out, buf_str(&entry->text));
	buf_add_byte(out, '\n');
}

/* Where tools are written when their input is whole, their order is another one. */
static int compare_rans(const void *a, const void *b)
{
	return strcmp(buf_z(&((struct ran *)a)->line), buf_z(&((struct ran *)b)->line));
}

/* `f` says what is compared. Of a body that is an error nothing else is. */
static void write_form(struct form f, const struct kept *k, struct buf *out)
{
	bool failed = last_of(k, DELTA_ERROR) != NULL;

	for (size_t i = 0; i < k->count; i++)
		take(&f, &k->deltas[i]);
	bool nothing = f.whole && failed;
	f.shows_identity = !nothing && (f.count > 0 || f.outcome < OUTCOME_ERROR);
	for (unsigned line = 0; line < LINE_COUNT && f.whole && !nothing; line++)
		for (size_t i = 0; i < f.count; i++)
			if (f.entries[i].line == line)
				add_entry_line(&f, &f.entries[i], out);
	for (size_t i = 0; i < f.count && !f.whole; i++)
		add_entry_line(&f, &f.entries[i], out);
	if (f.ran_count)
		qsort(f.rans, f.ran_count, sizeof *f.rans, compare_rans);
	for (size_t i = 0; i < f.ran_count && !nothing; i++)
		buf_printf(out, "%s\n", buf_z(&f.rans[i].line));
	if (f.has_reasoning_content && !nothing)
		buf_add_z(out, "reasoning-content\n");
	add_turn(&f, k, out);
	clear_content(&f);
	mem_free(f.entries);
	mem_free(f.calls);
	mem_free(f.rans);
}

static bool is_broken(enum outcome outcome)
{
	return outcome == OUTCOME_CUT || outcome == OUTCOME_STALLED || outcome == OUTCOME_CANCELLED;
}

static struct form form_of(const struct kept *k, const struct protocol *protocol, const struct protocol *words, bool whole)
{
	bool holds = protocol == &protocol_anthropic || protocol == &protocol_gemini;
	struct form f = { .protocol = protocol, .whole = whole, .tools_are_opaque = holds && words == protocol, .outcome = last_of(k, DELTA_END)->end.outcome };
	bool failed = last_of(k, DELTA_ERROR) != NULL, broken = is_broken(f.outcome), same = words == protocol && last_of(k, DELTA_FINISH);
	const struct delta *call = last_of(k, DELTA_TOOL_BEGIN), *restart = last_of(k, DELTA_RESTART);
	bool restarts = restart && (whole || carries(&f, ENCODE_RESTART)), calls = call && (!restarts || call > restart);

	f.shows_usage = (!failed && !broken) || (!whole && carries(&f, ENCODE_BROKEN_USAGE));
	if (!last_of(k, DELTA_FINISH))
		f.no_finish = carries(&f, ENCODE_NO_FINISH) && !whole && f.outcome <= OUTCOME_TOOL_CALLS;
	else if (failed)
		f.finish = same && !whole && carries(&f, ENCODE_FAILED_FINISH) ? FINISH_EXACT : FINISH_ANY;
	else if (broken)
		f.finish = same && carries(&f, ENCODE_BROKEN_FINISH) ? FINISH_EXACT : FINISH_ANY;
	else
		f.finish = same ? FINISH_EXACT : FINISH_SOME;
	if (!same && ((f.outcome == OUTCOME_FILTERED && !carries(&f, ENCODE_FILTERED)) ||
	              (f.outcome == OUTCOME_PAUSED && !carries(&f, ENCODE_PAUSED))))
		f.outcome = calls ? OUTCOME_TOOL_CALLS : OUTCOME_COMPLETE;
	/* Calls and refusals before a restart that is not carried count too. */
	f.any_outcome = restart && !restarts && (call || last_of(k, DELTA_REFUSAL));
	return f;
}

/* --- there and back --- */

static struct kept *decode(const struct form *f, struct str bytes, bool failed)
{
	struct stream_options options = { .protocol = f->protocol, .untimed = true };
	struct kept *back = kept_new();
	struct stream *stream = stream_new(&options, kept_delta, back);
	enum end_how how = f->outcome == OUTCOME_CUT         ? END_CUT
	                   : f->outcome == OUTCOME_STALLED   ? END_STALLED
	                   : f->outcome == OUTCOME_CANCELLED ? END_CANCELLED
	                                                     : END_CLOSED;

	if (f->whole && failed)
		stream_head(stream, &(struct response_head){ .status = 500 }, 0);
	stream_body(stream, bytes, 0);
	stream_end(stream, how, 0);
	stream_free(stream);
	return back;
}

struct frames {
	const char *what;
	const struct protocol *protocol;
};

static void check_frame(void *frames, const struct frame *frame)
{
	struct frames *f = frames;
	struct json_parser *parser = json_parser_new();
	size_t used;
	bool done = f->protocol->done_is_end && str_is(frame->data, "[DONE]");

	const struct json *value = json_parse(parser, frame->data, &used);
	CHECK(done || (value && used == frame->data.len), "%s as %s: a frame is not one value: %.*s", f->what, f->protocol->name,
	      STR_ARG(frame->data));
	CHECK(!frame->event.len || str_equal(frame->event, json_get_text(value, "type")), "%s as %s: the event is not of its type: %.*s",
	      f->what, f->protocol->name, STR_ARG(frame->data));
	CHECK(!frame->unclosed, "%s as %s: the last frame has no end: %.*s", f->what, f->protocol->name, STR_ARG(frame->data));
	json_parser_free(parser);
}

static void check_framing(const struct protocol *protocol, struct str bytes, const char *what)
{
	struct framer *framer = framer_new(check_frame, &(struct frames){ what, protocol });

	framer_feed(framer, bytes);
	framer_end(framer);
	bool is_sse = str_starts(str_from(encode_content_type(protocol)), "text/event-stream");
	CHECK(!bytes.len || (framer_framing(framer) == FRAMING_SSE) == is_sse, "%s as %s: the framing", what, protocol->name);
	framer_free(framer);
}

static void check_one(const struct kept *k, const struct protocol *protocol, const struct protocol *words, bool whole,
                      const char *what)
{
	struct form f = form_of(k, protocol, words, whole);
	struct buf bytes = { 0 }, expected = { 0 }, actual = { 0 };
	struct encoder *e = encoder_new(&(struct encode_options){ .protocol = protocol, .words = words, .whole = whole }, &bytes);

	for (size_t i = 0; i < k->count; i++)
		encoder_delta(e, &k->deltas[i]);
	encoder_free(e);
	if (!whole)
		check_framing(protocol, buf_str(&bytes), what);
	struct kept *back = decode(&f, buf_str(&bytes), last_of(k, DELTA_ERROR) != NULL);
	write_form(f, k, &expected);
	write_form(f, back, &actual);
	buf_printf(&expected, "end %s\n", f.any_outcome ? "any" : outcome_name(f.outcome));
	buf_printf(&actual, "end %s\n", f.any_outcome ? "any" : outcome_name(last_of(back, DELTA_END)->end.outcome));
	bool same = str_equal(buf_str(&actual), buf_str(&expected));
	if (!same)
		printf("\n--- decoded\n%s--- expected\n%s--- bytes\n%s\n", buf_z(&actual), buf_z(&expected), buf_z(&bytes));
	CHECK(same, "%s as %s%s", what, protocol->name, whole ? ", whole" : "");
	kept_free(back);
	buf_fini(&bytes);
	buf_fini(&expected);
	buf_fini(&actual);
}

void check_encoded(const struct kept *k, const struct protocol *words, const char *what)
{
	const struct protocol *protocol;

	for (size_t i = 0; (protocol = protocol_at(i)); i++) {
		check_one(k, protocol, words, false, what);
		if (!is_broken(last_of(k, DELTA_END)->end.outcome))
			check_one(k, protocol, words, true, what);
	}
}
