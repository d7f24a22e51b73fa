#include "app/tools/tool_plan.h"

#include <stdio.h>
#include <string.h>

#include "app/tools/tool_recast.h"
#include "app/tools/tool_shown.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "chat/provider/schema.h"
#include "store/config/tool_words.h"

static char **plan_variables(struct str names)
{
	struct str rest = names, name;
	size_t count = 0;

	while (tool_section_next_variable(&rest, &name))
		count++;
	char **list = mem_new((count + 1) * sizeof *list);
	for (count = 0; tool_section_next_variable(&names, &name); count++)
		list[count] = str_dup(name);
	return list;
}

static void plan_take_server(struct tool_plan *plan, const struct tool *tool)
{
	size_t count = 0;

	plan->hub = tool->hub;
	plan->server = mem_dup_z(tool->server);
	plan->url = mem_dup_z(tool->url);
	plan->remote = mem_dup_z(tool->remote);
	plan->shown = mem_dup_z(tool->shown);
	plan->output_schema = mem_dup_z(tool->output);
	while (tool->words && tool->words[count])
		count++;
	plan->server_words = tool->words ? mem_new((count + 1) * sizeof *plan->server_words) : NULL;
	while (count--)
		plan->server_words[count] = mem_dup_z(tool->words[count]);
}

/* Whether the arguments follow the schema. Of a program, they may do so as other kinds of the same values, which `recast` gets then. */
static bool plan_follows(const struct tool *tool, struct str arguments, struct buf *recast, struct error *why)
{
	struct error violation = { "" }, ignored;
	struct str schema = str_from(tool->schema);

	if (schema_check(schema, arguments, &violation))
		return true;
	if (tool->source == TOOL_OF_SETTINGS && tool_recast(schema, arguments, recast) && schema_check(schema, buf_str(recast), &ignored))
		return true;
	return error_set(why, "the arguments do not follow the schema: %s", violation.text);
}

static bool plan_make(struct tool_plan *plan, const struct tool *tool, struct str arguments, struct error *why)
{
	size_t used;
	struct json_parser *parser = json_parser_new();
	const struct json *object = json_parse(parser, arguments, &used);
	bool good = json_kind(object) == JSON_OBJECT || error_set(why, "the arguments must be a JSON object");
	if (good && tool->source == TOOL_OF_SERVER) {
		plan_take_server(plan, tool);
	} else if (good && tool->words) {
		plan->words = tool_words_fill(&(struct tool_command){
			.words = (const char *const *)tool->words, .schema = tool->schema, .folder = tool->folder,
			.knows_arguments = tool->knows_arguments,
		}, object, &plan->paths, why);
		good = plan->words != NULL;
	}
	if (good) { /* what was checked is shown and passed on: of two members of one name, one */
		struct buf text = { 0 };

		json_dump(object, &text);
		plan->arguments = str_dup(buf_str(&text));
		buf_fini(&text);
	}
	json_parser_free(parser);
	if (!good) {
		tool_plan_fini(plan);
		return false;
	}
	plan->input = plan->words && tool->input == TOOL_JSON ? mem_dup_z(plan->arguments) : NULL;
	plan->folder = mem_dup_z(tool->folder);
	plan->variables = plan_variables(str_from(tool->env));
	plan->timeout_ms = tool->timeout_ms;
	plan->output_bytes = tool->output_bytes;
	plan->answer = tool->answer;
	return true;
}

bool tool_plan_make(struct tool_plan *plan, const struct tool *tool, struct str arguments, struct error *why)
{
	struct buf recast = { 0 };

	*plan = (struct tool_plan){ 0 };
	arguments = str_is_blank(arguments) ? STR("{}") : arguments;
	bool good = plan_follows(tool, arguments, &recast, why) && plan_make(plan, tool, recast.len ? buf_str(&recast) : arguments, why);
	if (good && recast.len)
		plan->given = str_dup(arguments);
	buf_fini(&recast);
	return good;
}

void tool_plan_fini(struct tool_plan *plan)
{
	tool_words_free(plan->words);
	tool_words_free(plan->paths);
	tool_words_free(plan->variables);
	mem_free(plan->input);
	mem_free(plan->folder);
	mem_free(plan->arguments);
	mem_free(plan->given);
	tool_words_free(plan->server_words);
	mem_free(plan->server);
	mem_free(plan->url);
	mem_free(plan->remote);
	mem_free(plan->shown);
	mem_free(plan->output_schema);
	*plan = (struct tool_plan){ 0 };
}

/* --- telling --- */

static void plan_tell(tool_plan_tell *tell, void *ctx, const char *name, const char *value)
{
	struct buf shown = { 0 };

	tool_shown_write(str_from(value), &shown);
	tell(ctx, name, shown.len ? buf_str(&shown) : STR("(empty)"));
	buf_fini(&shown);
}

static void plan_tell_words(char *const *words, tool_plan_tell *tell, void *ctx)
{
	char number[40];

	for (size_t i = 0; words && words[i]; i++) {
		snprintf(number, sizeof number, "argument %zu", i);
		plan_tell(tell, ctx, i ? number : "program", words[i]);
	}
}

static void plan_tell_variables(const struct tool_plan *plan, tool_plan_tell *tell, void *ctx)
{
	struct buf names = { 0 };

	buf_add_z(&names, "PATH, HOME, the locale and the like");
	for (size_t i = 0; plan->variables && plan->variables[i]; i++)
		buf_printf(&names, ", %s", plan->variables[i]);
	plan_tell(tell, ctx, "variables", buf_z(&names));
	buf_fini(&names);
}

static void plan_tell_recast(const struct tool_plan *plan, tool_plan_tell *tell, void *ctx)
{
	struct buf words = { 0 };

	if (!plan->given)
		return;
	buf_printf(&words, "with types that are not the schema's, and passed on as above: %s", plan->given);
	plan_tell(tell, ctx, "given", buf_z(&words));
	buf_fini(&words);
}

/* Names of arguments are the model's: each stands behind "given", so that none looks like another row. */
static void plan_tell_given(const struct tool_plan *plan, tool_plan_tell *tell, void *ctx)
{
	struct json_parser *parser = json_parser_new();
	struct json_member member = { 0 };
	struct buf row = { 0 };
	size_t used, count = 0;
	const struct json *object = json_parse(parser, str_from(plan->arguments), &used);

	for (; json_next(object, &member); count++) {
		struct str text = json_text(member.value);

		buf_clear(&row);
		json_escape(&row, member.key);
		buf_add_z(&row, ": ");
		if (text.ptr && (!text.len || !memchr(text.ptr, '\0', text.len)))
			buf_add(&row, text);
		else if (member.value)
			json_dump(member.value, &row);
		else
			buf_add_z(&row, "null");
		plan_tell(tell, ctx, "given", buf_z(&row));
	}
	if (!count)
		plan_tell(tell, ctx, "given", "no arguments");
	buf_fini(&row);
	json_parser_free(parser);
}

static void plan_tell_server(const struct tool_plan *plan, tool_plan_tell *tell, void *ctx)
{
	plan_tell(tell, ctx, "server", plan->server);
	if (plan->url)
		plan_tell(tell, ctx, "address", plan->url);
	plan_tell_words(plan->server_words, tell, ctx);
	plan_tell(tell, ctx, "tool", plan->remote);
	plan_tell_given(plan, tell, ctx);
	if (plan->server_words)
		plan_tell_variables(plan, tell, ctx);
}

void tool_plan_tell_all(const struct tool_plan *plan, tool_plan_tell *tell, void *ctx)
{
	if (plan->hub) {
		plan_tell_server(plan, tell, ctx);
		return;
	}
	plan_tell_words(plan->words, tell, ctx);
	if (!plan->words)
		plan_tell(tell, ctx, "program", "none: it is built into weir, and reads the clock only");
	if (plan->input)
		plan_tell(tell, ctx, "input", plan->input);
	plan_tell_recast(plan, tell, ctx);
	if (!plan->words)
		return;
	plan_tell(tell, ctx, "folder", plan->folder ? plan->folder : ". (where weir was started)");
	plan_tell_variables(plan, tell, ctx);
}
