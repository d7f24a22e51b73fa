/*
 * Any arguments in the places of any command. Rules: the program stays what it is, a word without a place too; no value that is text makes an
 * option of a word; each file is below the folder; what is refused has a sentence; the schema of a command is JSON.
 *
 * input: whether the schema is its own, the command, a byte of 255, its schema, a byte of 255, the arguments
 */
#include "base/child.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "fuzz.h"
#include "store/config/tool_words.h"

#define FOLDER "/proc/self/attr" /* there is one, and its files change nothing */

static bool has_other_than_text(const struct json *arguments)
{
	struct json_member member = { 0 };

	while (json_next(arguments, &member))
		if (json_kind(member.value) != JSON_STRING)
			return true;
	return false;
}

/* Whether the command itself has options, or a place behind other text, which the arguments then go on with. */
static bool has_dash(char *const *words)
{
	for (; *words; words++)
		if (**words == '-')
			return true;
	return false;
}

static void check_words(char *const *command, const struct json *arguments, char *const *words)
{
	bool may_have_dash = has_dash(command) || has_other_than_text(arguments);
	size_t i = 0;

	FUZZ_CHECK(words[0] && !strcmp(words[0], command[0]), "the program is that of the command");
	for (; words[i] && command[i] && !tool_words_has_place(str_from(command[i])); i++)
		FUZZ_CHECK(!strcmp(words[i], command[i]), "a word without a place stays");
	for (i = 1; words[i]; i++)
		FUZZ_CHECK(may_have_dash || *words[i] != '-', "no value begins an option");
	size_t most = 0;
	while (command[most])
		most++;
	FUZZ_CHECK(i <= most, "no word is added");
}

static void fill(char **command, const char *schema, bool knows, const struct json *arguments)
{
	struct tool_command of = { .words = (const char *const *)command, .schema = schema, .folder = FOLDER, .knows_arguments = knows };
	struct error why = { "" };
	char **paths = NULL, **words = tool_words_fill(&of, arguments, &paths, &why);

	FUZZ_CHECK(words || *why.text, "a refusal has a sentence");
	if (words)
		check_words(command, arguments, words);
	for (size_t i = 0; paths && paths[i]; i++)
		FUZZ_CHECK(str_starts(str_from(paths[i]), "/proc/"), "a file is below the folder");
	FUZZ_CHECK(!tool_words_moved(paths), "and stays there");
	tool_words_free(words);
	tool_words_free(paths);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	bool knows = fuzz_byte(&in) & 1;
	struct str line = STR_NONE, schema = STR_NONE;
	struct json_parser *parser = json_parser_new();
	struct buf text = { 0 };
	struct error err;
	size_t used;

	str_split(&in.rest, '\xFF', &line);
	str_split(&in.rest, '\xFF', &schema);
	char *command_z = str_dup(line), *schema_z = str_dup(schema);
	char **command = child_shell_words(str_from(command_z), &err);
	const struct json *arguments = json_parse(parser, in.rest, &used);
	if (command) {
		tool_words_schema((const char *const *)command, &text);
		FUZZ_CHECK(json_scan_is_whole(buf_str(&text)), "the schema of a command is JSON");
	}
	if (command && !tool_words_has_place(str_from(command[0])) && json_kind(arguments) == JSON_OBJECT)
		fill(command, schema_z, knows, arguments);
	buf_fini(&text);
	mem_free(command);
	mem_free(command_z);
	mem_free(schema_z);
	json_parser_free(parser);
	return 0;
}
