#include "store/export/export_words.h"

#include <string.h>

#include "base/timestamp.h"
#include "base/utf8.h"
#include "chat/conversation/part_words.h"
#include "chat/conversation/turn.h"

#define READABLE_MOST ((size_t)16 << 10)

static bool char_acts(uint32_t code)
{
	return code < ' ' || (code >= 0x7F && code < 0xA0) || code == 0x061C || (code >= 0x200E && code <= 0x200F) ||
	       (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

static void clean(struct str text, bool one_line, struct buf *out)
{
	while (text.len) {
		struct str before = text;
		uint32_t code = utf8_next(&text);
		bool ends_line = code == '\n' || code == '\r';

		if (code == '\r' && text.len && text.ptr[0] == '\n')
			text = str_skip(text, 1);
		if (ends_line || code == '\t')
			buf_add_byte(out, one_line ? ' ' : ends_line ? '\n' : '\t');
		else if (char_acts(code) || code == UTF8_REPLACEMENT)
			buf_add_z(out, "\xEF\xBF\xBD");
		else
			buf_add(out, str_head(before, before.len - text.len));
	}
}

void export_clean(struct str text, struct buf *out)
{
	clean(text, false, out);
}

void export_clean_line(struct str text, struct buf *out)
{
	clean(text, true, out);
}

const char *export_title(const struct history_conversation *facts)
{
	return facts->title && !str_is_blank(str_from(facts->title)) ? facts->title : "Conversation";
}

void export_when(time_t wall, struct buf *out)
{
	char text[TIMESTAMP_BYTES];

	if (wall > 0 && timestamp_write((int64_t)wall * 1000, text))
		buf_printf(out, "%.10s %.5s UTC", text, text + 11);
}

struct str export_speaker(const struct turn *t)
{
	const char *model = t->model && *t->model ? t->model : t->scope.model;

	return model && *model ? str_from(model) : STR("Assistant");
}

static void add_error(const struct turn *t, struct buf *out)
{
	if (t->error_status)
		buf_printf(out, "HTTP %d: ", t->error_status);
	if (t->error_message && *t->error_message)
		outcome_say_error(str_from(t->error_message), str_from(t->finish_reason), out);
	else
		buf_add_z(out, "the server reported an error without a message");
	if (t->error_type)
		buf_printf(out, " (%s", t->error_type);
	if (t->error_code && (!t->error_type || strcmp(t->error_type, t->error_code) != 0))
		buf_printf(out, "%s%s", t->error_type ? ", " : " (", t->error_code);
	buf_add_z(out, t->error_type || t->error_code ? ")" : "");
}

void export_outcome(const struct turn *t, struct buf *out)
{
	static const struct { const char *words, *note; bool has_reason; } ends[] = {
		[OUTCOME_COMPLETE] = { NULL, NULL, false }, [OUTCOME_TOOL_CALLS] = { NULL, NULL, false },
		[OUTCOME_LENGTH] = { "the answer reached its token limit", NULL, true },
		[OUTCOME_FILTERED] = { "the answer was filtered", NULL, true },
		[OUTCOME_PAUSED] = { "the server paused the answer", NULL, false }, [OUTCOME_ERROR] = { "the answer failed: ", NULL, false },
		[OUTCOME_CUT] = { "the answer broke off", "broken", false }, [OUTCOME_STALLED] = { "the answer stalled", "stalled", false },
		[OUTCOME_CANCELLED] = { "the answer was cancelled", NULL, false },
	};
	const char *why = ends[t->outcome].note ? turn_noted(t, ends[t->outcome].note) : NULL;

	if (t->role == TURN_USER || !ends[t->outcome].words)
		return;
	buf_add_z(out, ends[t->outcome].words);
	if (t->outcome == OUTCOME_ERROR)
		add_error(t, out);
	else if (why)
		buf_printf(out, ": %s", why);
	else if (ends[t->outcome].has_reason && t->finish_reason && *t->finish_reason)
		buf_printf(out, " (%s)", t->finish_reason);
}

void export_versions(const struct export_node *node, struct buf *out)
{
	size_t more = node->versions > node->other_count + 1 ? node->versions - node->other_count - 1 : 0;

	if (node->versions < 2)
		return;
	buf_printf(out, "version %zu of %zu; not in this document: ", node->version, node->versions);
	for (size_t i = 0; i < node->other_count; i++) {
		const struct export_version *other = &node->others[i];

		buf_printf(out, node->turn->role == TURN_USER ? "%s\"%s\" (" : "%s%s (", i ? ", " : "", *other->words ? other->words : "no words");
		export_when(other->wall, out);
		buf_add_z(out, other->wall > 0 ? "" : "no date");
		buf_add_z(out, other->failed ? ", not complete" : "");
		if (other->turns)
			buf_printf(out, ", %zu more turn%s", other->turns, other->turns == 1 ? "" : "s");
		buf_add_z(out, ")");
	}
	if (more)
		buf_printf(out, " and %zu more", more);
}

bool export_is_silent(const struct turn *t, size_t part)
{
	const struct part *p = &t->parts[part];
	bool is_words = p->kind == PART_TEXT || p->kind == PART_REASONING || p->kind == PART_REFUSAL;

	return part < t->restarted_at || p->kind == PART_OPAQUE || (is_words && str_is_blank(buf_str(&p->text)));
}

bool export_is_readable(const struct part *p)
{
	struct str text = buf_str(&p->text);

	if (p->kind != PART_ATTACHMENT || text.len > READABLE_MOST || !utf8_is_valid(text))
		return false;
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] < ' ' && !char_is_blank(text.ptr[i]))
			return false;
	return true;
}

bool export_is_link(struct str address)
{
	if (!str_starts(address, "https://") && !str_starts(address, "http://") && !str_starts(address, "mailto:"))
		return false;
	if (!utf8_is_valid(address))
		return false;
	while (address.len) {
		uint32_t code = utf8_next(&address);

		if (code == ' ' || char_acts(code) || (code < 0x80 && strchr("<>\"'`\\", (int)code)))
			return false;
	}
	return true;
}

static void add_file_facts(const struct part *p, struct buf *out)
{
	buf_printf(out, " (%zu bytes", p->text.len);
	if (p->media && *p->media) {
		buf_add_z(out, ", ");
		export_clean_line(str_from(p->media), out);
	}
	buf_add_byte(out, ')');
}

/* "~ web_search  query=tallest mast  completed  1.2 s" */
static void add_server_tool(const struct turn *t, const struct part *p, struct buf *line)
{
	buf_printf(line, "~ %s  ", p->name && *p->name ? p->name : "a tool");
	part_words_arguments(p, line);
	buf_add_z(line, p->text.len ? "  " : "");
	part_words_call(t, p, NULL, line);
}

/* The line that the page has for a part. */
static void add_line(const struct turn *t, const struct part *p, struct buf *out)
{
	struct buf line = { 0 };

	if (p->kind == PART_MEDIA)
		part_words_media(t, p, "  ", &line);
	else if (p->kind == PART_SERVER_TOOL)
		add_server_tool(t, p, &line);
	else
		part_words_server_result_line(p, &line);
	buf_add_z(out, p->kind == PART_SERVER_RESULT ? "\u2514 " : "");
	export_clean_line(buf_str(&line), out);
	buf_fini(&line);
}

struct str export_bytes(const struct part *p)
{
	return p->kind == PART_MEDIA ? blob_str(p->data) : p->kind == PART_ATTACHMENT ? buf_str(&p->text) : STR_NONE;
}

void export_part_title(const struct turn *t, const struct part *p, struct buf *out)
{
	struct str name = str_from(p->name);

	switch (p->kind) {
	case PART_REASONING: buf_add_z(out, "Reasoning"); return;
	case PART_REFUSAL: buf_add_z(out, "Refusal"); return;
	case PART_TOOL_CALL: buf_add_z(out, "Call of "); break;
	case PART_TOOL_RESULT: buf_add_z(out, p->is_error ? "Error of " : "Result of "); break;
	case PART_MEDIA: case PART_SERVER_TOOL: case PART_SERVER_RESULT: add_line(t, p, out); return;
	case PART_ATTACHMENT: buf_add_z(out, "File "); break;
	case PART_TEXT: case PART_OPAQUE: return;
	}
	export_clean_line(name.len ? name : p->kind == PART_ATTACHMENT ? STR("without a name") : STR("a tool"), out);
	if (p->kind == PART_ATTACHMENT)
		add_file_facts(p, out);
}
