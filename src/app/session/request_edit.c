#include "app/session/request_edit.h"

#include "app/session/session_tree.h"
#include "app/session/turn_request.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/regular_file.h"

#define REQUEST_LIMIT ((size_t)64 << 20) /* of a text that goes through an editor */

static void request_edit_drop(char **text)
{
	mem_free(*text);
	*text = NULL;
}

void request_edit_fini(struct request_edit *e)
{
	request_edit_drop(&e->offered);
	request_edit_drop(&e->kept);
}

static bool request_edit_read(struct setup *setup, const struct session *s, const struct turn *answer, char **text, struct error *err)
{
	struct sent_request request;
	struct buf json;

	if (!turn_request_find(&request, setup, s, answer, err))
		return false;
	buf_init(&json, REQUEST_LIMIT);
	sent_request_write_json(&request, &json);
	sent_request_fini(&request);
	*text = buf_take(&json);
	return json_scan_is_whole(str_from(*text)) ||
	       error_set(err, "the request is larger than %zu MB: too large for an editor", REQUEST_LIMIT >> 20);
}

bool request_edit_begin(struct request_edit *e, struct setup *setup, struct session *s, struct turn *answer, struct str *text,
                        struct error *err)
{
	if (!session_can_send_edited(s, answer, err))
		return false;
	if (e->answer != answer || e->conversation != session_number(s))
		request_edit_drop(&e->kept);
	request_edit_drop(&e->offered);
	e->answer = answer;
	e->conversation = session_number(s);
	if (!request_edit_read(setup, s, answer, &e->offered, err))
		return false;
	*text = str_from(e->kept ? e->kept : e->offered);
	return true;
}

enum request_edit_end request_edit_take(struct request_edit *e, struct session *s, const char *path, struct error *err)
{
	enum request_edit_end end = REQUEST_EDIT_REFUSED;
	struct buf text;

	buf_init(&text, REQUEST_LIMIT);
	if (!regular_file_read(&text, path, err)) {
		buf_fini(&text);
		return end;
	}
	request_edit_drop(&e->kept);
	if (str_is_blank(buf_str(&text)) || str_is(buf_str(&text), e->offered))
		end = REQUEST_EDIT_SAME;
	else if (e->conversation == session_number(s) && session_send_edited(s, e->answer, buf_str(&text), err))
		end = REQUEST_EDIT_SENT;
	else
		e->kept = buf_take(&text);
	request_edit_drop(&e->offered);
	buf_fini(&text);
	return end;
}

void request_edit_words(enum request_edit_end end, const struct error *err, const char *again, struct buf *out)
{
	switch (end) {
	case REQUEST_EDIT_SENT:    buf_add_z(out, "sent as edited"); break;
	case REQUEST_EDIT_SAME:    buf_add_z(out, "nothing was changed, so nothing was sent"); break;
	case REQUEST_EDIT_REFUSED: buf_printf(out, "not sent: %s; %s goes on with the edited text", err->text, again); break;
	}
}
