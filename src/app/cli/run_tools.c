#include "app/options/options.h"
#include "app/options/subcommand.h"

#include <unistd.h>

#include "app/setup/setup.h"
#include "app/system/columns.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "base/array.h"

/* What /tools says: one that is off would not be offered. */
static const char *tools_approval(const struct tool_set *set, const struct tool *t)
{
	return t->trouble || t->approve == TOOL_NEVER || tool_is_offered(set, t) ? tool_approve_name(t->approve) : "off";
}

static void tools_write_table(const struct tool_set *set, bool for_people, struct buf *out)
{
	static const char *const titles[] = { "tool", "from", "approve", "what would run" };
	struct columns columns = { .count = ARRAY_LEN(titles), .width = output_columns(), .wraps = true };

	for (size_t i = 0; for_people && i < ARRAY_LEN(titles); i++)
		columns_add(&columns, str_from(titles[i]));
	for (size_t i = 0; i < set->count; i++) {
		const struct tool *t = &set->items[i];
		struct buf command = { 0 }, origin = { 0 };

		tool_write_origin(t, &origin);
		tool_write_command(t, &command);
		columns_add(&columns, str_from(t->name));
		columns_add(&columns, buf_str(&origin));
		columns_add(&columns, str_from(tools_approval(set, t)));
		columns_add(&columns, t->trouble ? str_from(t->trouble) : buf_str(&command));
		buf_fini(&command);
		buf_fini(&origin);
	}
	columns_write(&columns, for_people, out);
	columns_fini(&columns);
}

static void tools_write_object(struct json_writer *w, const struct tool_set *set, const struct tool *t)
{
	struct buf origin = { 0 };

	tool_write_origin(t, &origin);
	json_open_object(w);
	json_member_string(w, "name", str_from(t->name));
	json_member_string(w, "origin", buf_str(&origin));
	json_member_string(w, "approve", str_from(tool_approve_name(t->approve)));
	json_member_boolean(w, "offered", tool_is_offered(set, t));
	json_key(w, "command");
	json_open_array(w);
	for (size_t i = 0; t->words && t->words[i]; i++)
		json_string(w, str_from(t->words[i]));
	json_close_array(w);
	json_member_string_or_null(w, "folder", str_from(t->folder));
	json_member_string_or_null(w, "description", str_from(t->description));
	json_member_verbatim(w, "schema", str_from(t->schema));
	json_member_string_or_null(w, "trouble", str_from(t->trouble));
	json_close_object(w);
	buf_fini(&origin);
}

static void tools_write_json(const struct tool_set *set, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_array(&w);
	for (size_t i = 0; i < set->count; i++)
		tools_write_object(&w, set, &set->items[i]);
	json_close_array(&w);
	buf_add_byte(out, '\n');
}

static int tools_print(const struct tool_set *set, bool json, int status)
{
	struct buf text = { 0 };

	if (json)
		tools_write_json(set, &text);
	else
		tools_write_table(set, isatty(STDOUT_FILENO), &text);
	return output_print(STDOUT_FILENO, &text, status);
}

/* The servers are asked for their tools, all at once; those that fail are told, and set `status`. */
static bool tools_ask_servers(struct setup *s, int *status, struct error *err)
{
	struct error trouble;

	s->tool_set.closed = false; /* it lists what a chat offers */
	setup_want_servers(s);
	if (!setup_settle_servers(s, err))
		return false;
	while (setup_tell_servers(s, &trouble)) {
		complain("note: %s", trouble.text);
		*status = EXIT_LOCAL;
	}
	return true;
}

int run_tools(const struct options *o)
{
	struct setup setup;
	struct error err;
	int status = EXIT_DONE;

	if (o->argument_count)
		return usage_error("tools takes no argument '%s'", o->arguments[0]);
	signals_open();
	bool good = setup_init(&setup, o, &err) && tools_ask_servers(&setup, &status, &err);
	status = good ? tools_print(&setup.tool_set, o->json, status) : usage_error("%s", err.text);
	setup_fini(&setup);
	signals_close();
	return status;
}
