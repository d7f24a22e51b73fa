#include "app/tools/tool_plan.h"

#include <stdio.h>
#include <string.h>

#include "app/tools/tool_words.h"
#include "base/mem.h"
#include "chat/provider/schema.h"

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

bool tool_plan_make(struct tool_plan *plan, const struct tool *tool, struct str arguments, struct error *why)
{
	struct error violation = { "" };
	size_t used;

	*plan = (struct tool_plan){ 0 };
	arguments = str_is_blank(arguments) ? STR("{}") : arguments;
	if (!schema_check(str_from(tool->schema), arguments, &violation))
		return error_set(why, "the arguments do not follow the schema: %s", violation.text);
	struct json_parser *parser = json_parser_new();
	const struct json *object = json_parse(parser, arguments, &used);
	bool good = json_kind(object) == JSON_OBJECT || error_set(why, "the arguments must be a JSON object");
	if (good && tool->words) {
		plan->words = tool_words_fill(tool, object, why);
		good = plan->words != NULL;
	}
	json_parser_free(parser);
	if (!good)
		return false;
	plan->input = tool->words && tool->input == TOOL_JSON ? str_dup(arguments) : NULL;
	plan->folder = mem_dup_z(tool->folder);
	plan->variables = plan_variables(str_from(tool->env));
	plan->timeout_ms = tool->timeout_ms;
	plan->output_bytes = tool->output_bytes;
	plan->answer = tool->answer;
	plan->arguments = str_dup(arguments);
	return true;
}

void tool_plan_fini(struct tool_plan *plan)
{
	tool_words_free(plan->words);
	tool_words_free(plan->variables);
	mem_free(plan->input);
	mem_free(plan->folder);
	mem_free(plan->arguments);
	*plan = (struct tool_plan){ 0 };
}

/* --- telling --- */

/* A value may not look like rows of its own: a line end is a sign, too. Other controls are made visible where text is drawn. */
static void plan_tell(tool_plan_tell *tell, void *ctx, const char *name, const char *value)
{
	struct buf shown = { 0 };

	for (; *value; value++) {
		if (*value == '\n')
			buf_add_z(&shown, "\u240a\n");
		else if (*value == '\t')
			buf_add_z(&shown, "\u2409");
		else
			buf_add_byte(&shown, *value);
	}
	tell(ctx, name, shown.len ? buf_str(&shown) : STR("(empty)"));
	buf_fini(&shown);
}

void tool_plan_tell_all(const struct tool_plan *plan, tool_plan_tell *tell, void *ctx)
{
	struct buf names = { 0 };
	char number[40];

	for (size_t i = 0; plan->words && plan->words[i]; i++) {
		snprintf(number, sizeof number, "argument %zu", i);
		plan_tell(tell, ctx, i ? number : "program", plan->words[i]);
	}
	if (!plan->words)
		plan_tell(tell, ctx, "program", "none: it is built into weir, and reads the clock only");
	if (plan->input)
		plan_tell(tell, ctx, "input", plan->input);
	if (!plan->words)
		return;
	plan_tell(tell, ctx, "folder", plan->folder ? plan->folder : ". (where weir was started)");
	buf_add_z(&names, "PATH, HOME, the locale and the like");
	for (size_t i = 0; plan->variables && plan->variables[i]; i++)
		buf_printf(&names, ", %s", plan->variables[i]);
	plan_tell(tell, ctx, "variables", buf_z(&names));
	buf_fini(&names);
}
