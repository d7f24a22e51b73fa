/* Verbs of subcommands (completion.h). What a verb takes is read from the words of its help. */
#include "app/cli/completion.h"

#include "app/history/history_verbs.h"
#include "app/mcp/shell/mcp_verbs.h"
#include "app/tape/tape_verbs.h"
#include "base/array.h"

static void verb_takes(struct completion_verb *verb, struct str arguments)
{
	static const struct { const char *word; enum completes completes; const char *kind; } words[] = {
		{ "FILE", COMPLETES_FILES, NULL }, { "TAPE", COMPLETES_FILES, NULL }, { "ID", COMPLETES_NAMES, "conversations" },
		{ "TARGET", COMPLETES_NAMES, "mcp-servers" },
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_starts(arguments, words[i].word)) {
			verb->completes = words[i].completes;
			verb->kind = words[i].kind;
		}
	verb->repeats = str_starts(arguments, "FILE FILE") || str_starts(arguments, "FILE...") || str_starts(arguments, "ID...");
}

bool completion_verb_at(enum subcommand_id id, size_t index, struct completion_verb *verb)
{
	struct history_verb_help of_history;
	struct tape_verb_help of_tape;
	const struct mcp_verb *of_mcp;

	*verb = (struct completion_verb){ .completes = COMPLETES_NOTHING };
	if (id == SUBCOMMAND_HISTORY && history_verb_at(index, &of_history)) {
		verb->name = of_history.name;
		verb->help = of_history.help;
		verb->arguments = of_history.arguments;
	} else if (id == SUBCOMMAND_TAPE && tape_verb_at(index, &of_tape)) {
		verb->name = of_tape.name;
		verb->help = of_tape.help;
		verb->arguments = of_tape.arguments;
	} else if (id == SUBCOMMAND_MCP && (of_mcp = mcp_verb_at(index))) {
		verb->name = of_mcp->name;
		verb->help = of_mcp->help;
		verb->arguments = of_mcp->arguments;
	}
	if (verb->name)
		verb_takes(verb, str_from(verb->arguments));
	return verb->name;
}
