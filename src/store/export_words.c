#include "store/export_words.h"

#include <string.h>

#include "base/timestamp.h"
#include "base/utf8.h"

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

const char *export_outcome(const struct turn *t)
{
	if (t->role == TURN_USER)
		return NULL;
	switch (t->outcome) {
	case OUTCOME_COMPLETE: case OUTCOME_TOOL_CALLS: return NULL;
	case OUTCOME_LENGTH: return "the answer reached its token limit";
	case OUTCOME_FILTERED: return "the answer was filtered";
	case OUTCOME_PAUSED: return "the server paused the answer";
	case OUTCOME_ERROR: return "the server reported an error";
	case OUTCOME_CUT: return "the answer broke off";
	case OUTCOME_STALLED: return "the answer stalled";
	case OUTCOME_CANCELLED: return "the answer was cancelled";
	}
	return NULL;
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

void export_part_title(const struct part *p, struct buf *out)
{
	struct str name = str_from(p->name);

	switch (p->kind) {
	case PART_REASONING: buf_add_z(out, "Reasoning"); return;
	case PART_REFUSAL: buf_add_z(out, "Refusal"); return;
	case PART_TOOL_CALL: buf_add_z(out, "Call of "); break;
	case PART_TOOL_RESULT: buf_add_z(out, p->is_error ? "Error of " : "Result of "); break;
	case PART_ATTACHMENT: buf_add_z(out, "File "); break;
	case PART_TEXT: case PART_OPAQUE: return;
	}
	export_clean_line(name.len ? name : p->kind == PART_ATTACHMENT ? STR("without a name") : STR("a tool"), out);
	if (p->kind != PART_ATTACHMENT)
		return;
	buf_printf(out, " (%zu bytes", p->text.len);
	if (p->media && *p->media) {
		buf_add_z(out, ", ");
		export_clean_line(str_from(p->media), out);
	}
	buf_add_byte(out, ')');
}
