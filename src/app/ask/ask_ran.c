#include "app/ask/ask_ran.h"

#include "app/tools/tool_calls.h"

void ask_ran_fini(struct ask_ran *r)
{
	buf_fini(&r->text);
}

const char *ask_ran_id(const char *id)
{
	return id && *id ? id : NULL;
}

void ask_ran_add(struct ask_ran *r, const struct tool_call *call, double ms)
{
	struct json_writer *w = &r->writer;

	if (!r->text.len) {
		json_writer_init(w, &r->text);
		json_open_array(w);
	}
	json_open_object(w);
	json_member_string_or_null(w, "id", str_from(ask_ran_id(call->id)));
	json_member_string(w, "name", str_from(call->name));
	json_member_string(w, "arguments", str_from(call->arguments));
	json_member_string(w, "state", str_from(tool_outcome_name(call->outcome)));
	json_member_milliseconds_or_null(w, "ms", ms);
	json_member_string(w, "output", buf_str(&call->result));
	json_close_object(w);
}

void ask_ran_close(struct ask_ran *r, struct buf *out)
{
	if (!r->text.len)
		return;
	json_close_array(&r->writer);
	out->len--; /* the brace at the end of the summary */
	buf_add_z(out, ",\"tool_runs\":");
	buf_add(out, buf_str(&r->text));
	buf_add_byte(out, '}');
}
