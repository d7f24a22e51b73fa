#include "app/options/option_rows.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/export/export_forms.h"
#include "base/array.h"
#include "base/mem.h"
#include "base/names.h"
#include "chat/provider/provider.h"
#include "wire/lint/lint.h"

/* One bit for each subcommand, with its name: CHAT, ASK ... */
#define BIT_OF(id, name, group, page, synopsis, help) id = 1u << SUBCOMMAND_##id,
enum { SUBCOMMANDS(BIT_OF) EVERY = (1u << SUBCOMMAND_COUNT) - 1 };
#undef BIT_OF
#define TURN (CHAT | ASK)
#define TIMEOUT_MOST_S 86400
#define TARGET (TURN | MODELS | PROVIDERS | PROBE)

static void *option_member(struct options *o, const struct option_row *row)
{
	return (char *)o + row->offset;
}

static bool option_text(struct options *o, const struct option_row *row, const char *value)
{
	*(const char **)option_member(o, row) = value;
	return *value != '\0';
}

/* May be empty: an empty system prompt overrides that of the settings. */
static bool option_any_text(struct options *o, const struct option_row *row, const char *value)
{
	*(const char **)option_member(o, row) = value;
	return true;
}

static bool option_flag(struct options *o, const struct option_row *row, const char *value)
{
	(void)value;
	*(bool *)option_member(o, row) = true;
	return true;
}

static bool option_append(const char ***words, size_t *count, const char *value)
{
	*words = mem_resize(*words, *count + 1, sizeof **words);
	(*words)[(*count)++] = value;
	return *value != '\0';
}

static bool option_file(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	return option_append(&o->files, &o->file_count, value);
}

static bool option_ignore(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	return option_append(&o->ignored, &o->ignored_count, value);
}

static bool option_target(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	return option_append(&o->targets, &o->target_count, value);
}

/* The index of `value` in `words`, which end with NULL; -1 when absent. */
static int option_word_at(const char *const *words, const char *value)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], value))
			return i;
	return -1;
}

static const char *const colour_words[] = { [COLOUR_AUTO] = "auto", [COLOUR_NEVER] = "never", [COLOUR_16] = "16",
	[COLOUR_256] = "256", [COLOUR_TRUE] = "truecolor", NULL };

const char *options_colour_at(size_t index)
{
	return index < ARRAY_LEN(colour_words) ? colour_words[index] : NULL;
}

static bool option_colour(struct options *o, const struct option_row *row, const char *value)
{
	int at = option_word_at(colour_words, value);

	(void)row;
	if (at >= 0)
		o->colour = (enum colour_mode)at;
	return at >= 0;
}

static bool option_reasoning(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	return reasoning_level_find(str_from(value), &o->reasoning);
}

static bool option_server_tools(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	return server_tools_find(str_from(value), &o->server_tools);
}

/* From 0 on. */
static bool option_number(struct options *o, const struct option_row *row, const char *value)
{
	return str_to_int(str_from(value), option_member(o, row));
}

static bool option_positive(struct options *o, const struct option_row *row, const char *value)
{
	return option_number(o, row, value) && *(long long *)option_member(o, row) > 0;
}

static bool option_to_real(const char *text, double *number)
{
	char *end;

	if (!*text || strspn(text, "0123456789.eE+-") != strlen(text))
		return false;
	*number = strtod(text, &end);
	return !*end && isfinite(*number);
}

static const char continued[] = HISTORY_LAST;

static bool option_continue(struct options *o, const struct option_row *row, const char *value)
{
	(void)row, (void)value;
	o->conversation = continued;
	return true;
}

static const char *const by_words[] = { [HISTORY_BY_DAY] = "day", [HISTORY_BY_MODEL] = "model", [HISTORY_BY_PROVIDER] = "provider",
	[HISTORY_BY_CONVERSATION] = "conversation", NULL };

const char *options_by_at(size_t index)
{
	return index < ARRAY_LEN(by_words) ? by_words[index] : NULL;
}

const char *options_format_at(size_t index)
{
	return export_form_at(index) ? export_form_at(index)->name : NULL;
}

static bool option_format(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	o->format = value;
	return export_form_find(str_from(value)) != NULL;
}

static bool option_by(struct options *o, const struct option_row *row, const char *value)
{
	int at = option_word_at(by_words, value);

	(void)row;
	if (at >= 0)
		o->by = (enum history_by)at;
	return at >= 0;
}

static const char *const choose_words[] = { [SERVE_IN_TURN] = "turn", [SERVE_BY_PATH] = "path", [SERVE_BY_MODEL] = "model", NULL };

const char *options_choose_at(size_t index)
{
	return index < ARRAY_LEN(choose_words) ? choose_words[index] : NULL;
}

const char *options_severity_at(size_t index)
{
	return index < LINT_SEVERITIES ? lint_severity_id((enum lint_severity)index) : NULL;
}

static bool option_severity(struct options *o, const struct option_row *row, const char *value)
{
	size_t i = 0;

	(void)row;
	while (options_severity_at(i) && strcmp(options_severity_at(i), value) != 0)
		i++;
	o->fail_on = options_severity_at(i);
	return o->fail_on != NULL;
}

static bool option_choose(struct options *o, const struct option_row *row, const char *value)
{
	int at = option_word_at(choose_words, value);

	(void)row;
	if (at >= 0)
		o->choose = (enum serve_by)at;
	return at >= 0;
}

static bool option_fault_rate(struct options *o, const struct option_row *row, const char *value)
{
	return option_number(o, row, value) && o->fault_rate <= 100;
}

static bool option_retries(struct options *o, const struct option_row *row, const char *value)
{
	return option_number(o, row, value) && o->retries <= PROVIDER_RETRIES_MOST;
}

/* Parameters have the names of weir.conf, with hyphens. */
static bool option_parameter(struct options *o, const struct option_row *row, const char *value)
{
	char *name = mem_dup_z(row->name);
	enum parameter which = PARAMETER_COUNT;
	struct error err;

	for (char *at = name; *at; at++)
		*at = *at == '-' ? '_' : *at;
	bool good = parameter_find(str_from(name), &which) && parameter_set(&o->parameters, which, str_from(value), NULL, &err);
	mem_free(name);
	return good;
}

static bool option_temperature(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	return option_to_real(value, &o->temperature) && o->temperature >= 0;
}

static bool option_speed(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	if (!strcmp(value, "max")) {
		o->speed = 0;
		return true;
	}
	return option_to_real(value, &o->speed) && o->speed > 0;
}

static bool option_idle(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	return option_to_real(value, &o->idle_s) && o->idle_s > 0;
}

/* "A-B", "A-" or "-B". */
static bool option_range(struct options *o, const struct option_row *row, const char *value)
{
	struct str to = str_from(value), from;
	char first[40], second[40];

	(void)row;
	if (!strchr(value, '-') || strlen(value) >= sizeof first)
		return false;
	str_split(&to, '-', &from);
	snprintf(first, sizeof first, "%.*s", STR_ARG(from));
	snprintf(second, sizeof second, "%.*s", STR_ARG(to));
	if ((from.len && !option_to_real(first, &o->range_from_s)) || (to.len && !option_to_real(second, &o->range_to_s)))
		return false;
	return o->range_from_s >= 0 && (!to.len || o->range_to_s > o->range_from_s);
}

static bool option_timeout(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	return option_to_real(value, &o->timeout_s) && o->timeout_s > 0 && o->timeout_s <= TIMEOUT_MOST_S;
}

#define SIZE_COLUMNS_MOST 500
#define SIZE_ROWS_MOST 200

static bool option_size(struct options *o, const struct option_row *row, const char *value)
{
	struct str rows = str_from(value), columns;
	long long width, height;

	(void)row;
	str_split(&rows, 'x', &columns);
	if (!str_to_int(columns, &width) || !str_to_int(rows, &height) || width < 20 || width > SIZE_COLUMNS_MOST || height < 6 ||
	    height > SIZE_ROWS_MOST)
		return false;
	o->size_columns = (unsigned)width;
	o->size_rows = (unsigned)height;
	return true;
}

static bool option_port(struct options *o, const struct option_row *row, const char *value)
{
	long long port;

	(void)row;
	if (!str_to_int(str_from(value), &port) || port > 65535)
		return false;
	o->port = (unsigned)port;
	return true;
}

static bool option_status(struct options *o, const struct option_row *row, const char *value)
{
	long long status;

	(void)row;
	if (!str_to_int(str_from(value), &status) || status < 100 || status > 599)
		return false;
	o->status = (int)status;
	return true;
}

/* Placeholders in a help for the names of a table. */
#define PROTOCOL_NAMES "{protocols}"
#define DIALECT_NAMES "{dialects}"
#define FORMAT_NAMES "{formats}"
#define SERVER_TOOL_NAMES "{server tools}"

#define AT(member) offsetof(struct options, member)

/* In the order of --help. */
static const struct option_row rows[] = {
	{ "provider", 'p', "NAME", TARGET, true, option_text, AT(provider), "a provider's name", "the provider; `weir providers` lists them" },
	{ "model", 'm', "NAME", TURN | PROBE, true, option_text, AT(model), "a model's name", "the model; `weir models` lists them" },
	{ "protocol", 0, "NAME", TARGET | REPLAY | DECODE | TAPE | LINT, true, option_text, AT(protocol), "a protocol's name",
	  PROTOCOL_NAMES },
	{ "dialect", 0, "NAME", TARGET | REPLAY | DECODE | TAPE | LINT, true, option_text, AT(dialect), "a dialect's name",
	  "the dialect of the gateway: NAME of a section [dialect NAME] of weir.conf, " DIALECT_NAMES },
	{ "base-url", 0, "URL", TARGET | PROXY, true, option_text, AT(base_url), "a URL",
	  "the URL of an ad-hoc provider (its key, if any, is in WEIR_API_KEY); with -p, replaces its URL" },
	{ "role", 'r', "NAME", TURN, false, option_text, AT(role), "a role's name",
	  "the role: NAME of a section [role NAME] of weir.conf; off uses none" },
	{ "template", 't', "NAME", TURN, false, option_text, AT(template), "a template's name",
	  "fill the template [template NAME] of weir.conf with the arguments; ask sends it, chat puts it into the input" },
	{ "system", 0, "TEXT", TURN, false, option_any_text, AT(system), "a text", "the system prompt" },
	{ "max-tokens", 0, "N", TURN, false, option_number, AT(max_tokens), "a number of tokens (0 sends none)",
	  "maximum tokens of the answer (0 sends no maximum)" },
	{ "temperature", 0, "X", TURN, false, option_temperature, 0, "a number from 0 on", "sampling temperature" },
	{ "top-p", 0, "X", TURN, false, option_parameter, 0, "a number above 0, up to 1", "nucleus sampling" },
	{ "top-k", 0, "N", TURN, false, option_parameter, 0, "a whole number from 1 on", "sampling among so many tokens; not in openai-responses" },
	{ "seed", 0, "N", TURN, false, option_parameter, 0, "a whole number", "makes sampling repeatable (openai-chat, gemini, ollama)" },
	{ "presence-penalty", 0, "X", TURN, false, option_parameter, 0, "a number from -2 to 2",
	  "how much words are avoided that occur already, from -2 to 2 (openai-chat, gemini, ollama)" },
	{ "frequency-penalty", 0, "X", TURN, false, option_parameter, 0, "a number from -2 to 2",
	  "the same, the more often a word occurs" },
	{ "verbosity", 0, "TEXT", TURN, false, option_parameter, 0, "low, medium or high",
	  "length of answers: low, medium or high (openai-chat, openai-responses)" },
	{ "stop", 0, "TEXT", TURN, false, option_parameter, 0, "a text of at most 200 bytes",
	  "a text that ends the answer, or a JSON array of such texts; not in openai-responses" },
	{ "thinking-budget", 0, "N", TURN, false, option_parameter, 0, "a whole number from 1 to 1000000",
	  "tokens of reasoning (anthropic, gemini); wins over --reasoning" },
	{ "extra", 0, "TEXT", TURN, false, option_parameter, 0, "a JSON object without messages, model and stream",
	  "a JSON object that is merged into the body of requests" },
	{ "reasoning", 0, "LEVEL", TURN, false, option_reasoning, 0, "off, low, medium or high", "reasoning effort: off, low, medium or high" },
	{ "file", 0, "PATH", ASK, false, option_file, 0, "a path", "attach a file (an image, a PDF or a text); may be repeated" },
	{ "tools", 0, "FILE", TURN, false, option_text, AT(tools), "a path", "tool definitions, as OpenAI, Anthropic, Gemini or MCP have them" },
	{ "tools-allow", 0, "NAMES", ASK, false, option_text, AT(tools_allow), "names of tools, separated by commas",
	  "tools that may run when the model calls them (weir tools lists them); without it calls are printed" },
	{ "server-tools", 0, "NAMES", TURN, false, option_server_tools, 0, "off, or names separated by commas of " SERVER_TOOL_NAMES,
	  "what the server may do itself, separated by commas, or off: " SERVER_TOOL_NAMES },
	{ "schema", 0, "FILE", TURN, false, option_text, AT(schema), "a path", "a JSON Schema that the answer must follow" },
	{ "no-stream", 0, NULL, TURN, false, option_flag, AT(no_stream), NULL, "request one JSON answer instead of a stream" },
	{ "no-stdin", 0, NULL, ASK, false, option_flag, AT(no_stdin), NULL, "do not read standard input" },
	{ "retries", 0, "N", TURN | PROBE, false, option_retries, AT(retries), "a number from 0 (never) to 10",
	  "retry a request at most N times after a temporary failure (default 2)" },
	{ "allow-http", 0, NULL, TURN | MODELS | PROXY | PROBE | MCP, false, option_flag, AT(allow_http), NULL,
	  "allow sending a key over plain http to hosts other than loopback" },
	{ "timeout", 0, "S", MCP, false, option_timeout, 0, "a number of seconds above 0",
	  "seconds until a request without an answer has failed (default 30)" },
	{ "protocol-version", 0, "NAME", MCP, false, option_text, AT(revision), "a revision of the protocol",
	  "speak this revision of the protocol only, as 2025-11-25" },
	{ "elicit", 0, "JSON", MCP, false, option_text, AT(elicit), "a JSON object, or defaults",
	  "answer a form of the server with these members, others as its schema has them; defaults: all; without it forms are declined" },
	{ "tape", 0, "FILE", TURN | MCP, true, option_text, AT(tape), "a path", "record this turn in FILE, which must not exist" },
	{ "debug", 0, "FILE", TURN | MODELS | PROXY | PROBE | MCP, true, option_text, AT(debug), "a path",
	  "log the wire to FILE, which must not exist; keys are masked; TLS session keys go to the file that SSLKEYLOGFILE names" },
	{ "continue", 'c', NULL, TURN, false, option_continue, 0, NULL,
	  "go on with the last conversation: weir ask with the last of all, the chat with the last that was held in a chat" },
	{ "conversation", 0, "ID", TURN, false, option_text, AT(conversation), "an id of weir history",
	  "go on with that conversation of `weir history`; last is the last of all" },
	{ "compare", 0, "TARGETS", TURN, false, option_text, AT(compare), "targets as provider/model[:protocol][:level], separated by commas",
	  "ask several models at once: provider/model[:protocol][:level], separated by commas, at most six" },
	{ "code", 0, NULL, ASK, false, option_flag, AT(code), NULL, "print only what is in the blocks of code" },
	{ "save", 0, "FILE", ASK, false, option_text, AT(save), "a path",
	  "also write the answer to FILE, which must not exist unless --force is given" },
	{ "output", 'o', "FILE", ASK, false, option_text, AT(output), "a path",
	  "write the answer to FILE instead of standard output; FILE must not exist unless --force is given" },
	{ "raw", 0, NULL, ASK, false, option_flag, AT(raw), NULL, "on a terminal too, print the text as it came, not as a page" },
	{ "check-prices", 0, NULL, MODELS, false, option_flag, AT(check_prices), NULL,
	  "print in what weir's table of prices and [price PATTERN] differ from the list; exit 1 if they do" },
	{ "media", 0, "FOLDER", ASK | DECODE | MCP, false, option_text, AT(media), "a path",
	  "write pictures, audio and files of the answer to FOLDER, as 01.png and so on; no file is overwritten" },
	{ "resume", 0, NULL, CHAT, false, option_flag, AT(resume), NULL, "choose the conversation to go on with" },
	{ "no-history", 0, NULL, TURN, false, option_flag, AT(no_history), NULL, "keep nothing of this run: no conversation, prompts or tapes" },
	{ "summary", 0, NULL, ASK | DECODE, false, option_flag, AT(summary), NULL, "print the turn as one JSON object (the default of decode)" },
	{ "events", 0, NULL, ASK | DECODE, false, option_flag, AT(events), NULL, "print each event as a JSON object on a line of its own" },
	{ "frames", 0, NULL, DECODE, false, option_flag, AT(frames), NULL,
	  "print each frame as a JSON object on a line of its own: time, bytes, and what was decoded from it" },
	{ "json", 0, NULL, MODELS | PROVIDERS | TOOLS | HISTORY | USAGE | LINT, false, option_flag, AT(json), NULL,
	  "print an array of JSON objects" },
	{ "json", 0, NULL, ASK, false, option_flag, AT(json), NULL, "print the answers of --compare as an array of JSON objects" },
	{ "json", 0, NULL, TAPE | PROBE, false, option_flag, AT(json), NULL, "print one JSON object" },
	{ "json", 0, NULL, MCP, false, option_flag, AT(json), NULL, "print one JSON object; lint prints an array of them" },
	{ "json", 0, NULL, PROXY, false, option_flag, AT(json), NULL, "print the log as lines of JSON" },
	{ "sarif", 0, NULL, LINT, false, option_flag, AT(sarif), NULL, "print the findings as SARIF 2.1.0, for tools" },
	{ "rules", 0, NULL, LINT, false, option_flag, AT(list_rules), NULL, "list all rules with their severity" },
	{ "fail-on", 0, "SEVERITY", LINT, false, option_severity, 0, "breaks-clients, breaks-promise or unusual",
	  "exit with 1 only for findings at least that severe: breaks-clients, breaks-promise or unusual (the default); less severe ones are still "
	  "printed" },
	{ "ignore", 0, "RULES", LINT, false, option_ignore, 0, "rules that --rules lists, separated by commas",
	  "leave out the findings of these rules, separated by commas; may be repeated" },
	{ "baseline", 0, "FILE", LINT, false, option_text, AT(baseline), "a path",
	  "leave out the findings that are in FILE, which an earlier lint --json printed" },
	{ "quiet", 'q', NULL, LINT, false, option_flag, AT(quiet), NULL, "print no findings: the exit status says whether there are any" },
	{ "explain", 0, "RULE", LINT, false, option_text, AT(explain), "a rule that --rules lists",
	  "say what a rule checks, and where that is promised" },
	{ "limit", 0, "N", HISTORY, false, option_positive, AT(limit), "a number above 0", "at most N conversations (list, search)" },
	{ "format", 0, "NAME", HISTORY, false, option_format, 0, FORMAT_NAMES,
	  "form of a document (show, export); the first is the default: " FORMAT_NAMES },
	{ "output", 'o', "FILE", HISTORY | TAPE, false, option_text, AT(output), "a path",
	  "write the result to FILE, which must not exist unless --force is given; - is standard output" },
	{ "against", 0, "TARGET", PROBE, false, option_text, AT(against), "a target as provider[/model][:protocol]",
	  "probe PROVIDER[/MODEL][:PROTOCOL] too, and mark what differs" },
	{ "cases", 0, "NAMES", PROBE, false, option_text, AT(cases), "names of cases, separated by commas",
	  "only these cases, separated by commas; --dry-run lists them" },
	{ "dry-run", 0, NULL, PROBE, false, option_flag, AT(dry_run), NULL, "say what would be sent, and send nothing" },
	{ "dry-run", 0, NULL, MCP, false, option_flag, AT(dry_run), NULL, "say what would be written, and write nothing (import)" },
	{ "markdown", 0, NULL, PROBE, false, option_flag, AT(markdown), NULL, "print the table as Markdown" },
	{ "output", 'o', "FOLDER", PROBE, false, option_text, AT(output), "a path",
	  "the folder for the tapes, new or empty (default: a new one in the state folder)" },
	{ "output", 'o', "FOLDER", PROXY, false, option_text, AT(output), "a path",
	  "the folder for the tapes, made if it is missing (default: a ring of tapes in the state folder)" },
	{ "from", 0, "MS", TAPE, false, option_text, AT(from), "milliseconds", "the time from which frames are kept (cut)" },
	{ "to", 0, "MS|FORM", TAPE, false, option_text, AT(to), "milliseconds or a form",
	  "the time up to which frames are kept (cut); tape, body, events, har, cast, request or curl (convert)" },
	{ "to", 0, "NAME", PROXY, false, option_target, 0, "a provider's name",
	  "the provider that requests go to; may be repeated: then paths begin with a provider's name, as in /NAME/v1/messages" },
	{ "svg", 0, "FILE", TAPE, false, option_text, AT(svg), "a path", "also draw the charts as an SVG, to FILE (info, diff, stats)" },
	{ "entry", 0, "N", REPLAY | DECODE | TAPE | LINT, false, option_positive, AT(entry), "a number from 1 on",
	  "of a HAR file (an HTTP Archive), use entry N; without it the first that holds a model's answer" },
	{ "chart", 0, NULL, TAPE, false, option_flag, AT(chart), NULL, "draw the charts also where the output is no terminal (info, diff, stats)" },
	{ "ignore", 0, "NAMES", TAPE, false, option_ignore, 0, "names of deltas and of their members, separated by commas",
	  "compare without these, separated by commas: names of deltas, as usage, and of their members, as id; may be repeated (diff)" },
	{ "ascii", 0, NULL, TAPE, false, option_flag, AT(ascii), NULL, "draw the charts with ASCII characters only" },
	{ "force", 0, NULL, ASK | TAPE | REPLAY, false, option_flag, AT(force), NULL, "overwrite FILE" },
	{ "force", 0, NULL, HISTORY, false, option_flag, AT(force), NULL, "overwrite FILE; delete without asking" },
	{ "yes", 0, NULL, HISTORY, false, option_flag, AT(yes), NULL, "the same as --force where a question would be asked" },
	{ "yes", 0, NULL, ASK, false, option_flag, AT(yes), NULL, "send although the budget of the day is spent" },
	{ "yes", 0, NULL, PROBE, false, option_flag, AT(yes), NULL, "send the requests without asking" },
	{ "yes", 0, NULL, MCP, false, option_flag, AT(yes), NULL, "write without asking on a terminal (import)" },
	{ "schema", 0, NULL, HISTORY, false, option_flag, AT(history_schema), NULL,
	  "print the tables of the history, for people who query it with sqlite3; with --json, the members of the JSON form" },
	{ "by", 0, "WORD", USAGE, false, option_by, 0, "day, model, provider or conversation",
	  "what to sum up by: day (the default), model, provider or conversation" },
	{ "since", 0, "DATE", USAGE, false, option_text, AT(since), "a date",
	  "answers since that day: 2026-01-31, today, or 7d for seven days with today" },
	{ "status", 0, "N", REPLAY | DECODE | TAPE | LINT, false, option_status, 0, "an HTTP status (100 to 599)",
	  "the HTTP status to assume for a file that is not a tape (default 200)" },
	{ "speed", 0, "N|max", REPLAY | SERVE, false, option_speed, 0, "a number above 0, or max",
	  "N times the original speed, or as fast as possible" },
	{ "idle", 0, "S", REPLAY, false, option_idle, 0, "a number of seconds above 0", "play longer silences of the tape as if they had S seconds" },
	{ "range", 0, "A-B", REPLAY, false, option_range, 0, "two times in seconds, as in 2.5-8; one of them may be missing",
	  "play from A to B, in seconds of the tape; one of them may be missing" },
	{ "loop", 0, NULL, REPLAY, false, option_flag, AT(loop), NULL, "begin again at the end" },
	{ "follow", 0, NULL, REPLAY, false, option_flag, AT(follow), NULL,
	  "begin at the end of a tape that is still being written, and play what comes" },
	{ "round", 0, "N", REPLAY, false, option_positive, AT(round), "a number from 1 on",
	  "the files are the rounds of one turn, in this order: answers that ask for tools, and the last one. Begin with the Nth, below those before "
	  "it, and play on to the last" },
	{ "to", 0, "FILE", REPLAY, false, option_text, AT(to), "a file",
	  "write what the screen shows to FILE instead: .cast is an asciicast of all of it, .svg and .txt one screen; it must not exist unless "
	  "--force is given" },
	{ "frame", 0, "N", REPLAY, false, option_number, AT(frame), "a number from 0 on",
	  "the screen after frame N, numbered as by lint, decode --frames and the inspector, for --text and --svg (default: at the end)" },
	{ "text", 0, NULL, REPLAY, false, option_flag, AT(text), NULL, "print the screen as text instead" },
	{ "svg", 0, NULL, REPLAY, false, option_flag, AT(as_svg), NULL, "print the screen as an SVG picture instead" },
	{ "size", 0, "CxR", REPLAY, false, option_size, 0, "columns and rows, as in 100x30 (20x6 to 500x200)",
	  "columns and rows of that screen (default 80x24)" },
	{ "port", 0, "N", SERVE | PROXY, false, option_port, 0, "a port (0 to 65535)", "the port to listen on (default: any free port)" },
	{ "fault", 0, "WORDS", SERVE, false, option_text, AT(fault), "words, separated by commas",
	  "faults to inject, as in cut=120,bytes; `weir help serve` lists them" },
	{ "fault-rate", 0, "PERCENT", SERVE, false, option_fault_rate, AT(fault_rate), "a percentage from 0 to 100",
	  "inject the faults into that share of the responses (default 100)" },
	{ "seed", 0, "N", SERVE, false, option_number, AT(seed), "a number", "which responses get a fault: the same N gives the same ones" },
	{ "rules", 0, "FILE", SERVE, false, option_text, AT(rules), "a path", "choose by the rules in FILE; `weir help serve` describes them" },
	{ "choose", 0, "WORD", SERVE, false, option_choose, 0, "turn, path or model",
	  "which of several files answers: the next in turn (the default), or the next recorded with the protocol of the request's path, or with its "
	  "model" },
	{ "as", 0, "NAME", SERVE, false, option_text, AT(as), "a protocol's name, or auto",
	  "answer in that protocol; auto: in that of the request, as one body if it asks for no stream" },
	{ "echo", 0, NULL, SERVE, false, option_flag, AT(echo), NULL, "answer with the prompt, in the protocol of the request" },
	{ "log", 0, "FILE", SERVE, false, option_text, AT(log), "a path",
	  "write each request as a line of JSON to FILE, which must not exist; never its headers" },
	{ "config", 0, "FILE", TARGET | PROXY | DECODE | TAPE | LINT | MCP, true, option_text, AT(config), "a path",
	  "the settings file (default: weir/weir.conf below the XDG config folder)" },
	{ "theme", 0, "NAME", TURN | REPLAY, true, option_text, AT(theme), "a theme's name",
	  "a theme that F5 lists, or one of your own; auto is dark or light as the terminal is" },
	{ "color", 0, "MODE", TURN | REPLAY, true, option_colour, 0, "auto, never, 16, 256 or truecolor",
	  "use of colours: auto, never, 16, 256 or truecolor" },
	{ "plain", 0, NULL, CHAT | REPLAY, true, option_flag, AT(plain), NULL,
	  "print lines of text instead of the full screen, for screen readers and pipes" },
	{ "help", 'h', NULL, EVERY, true, option_flag, AT(help), NULL, "list the options" },
	{ "version", 'V', NULL, EVERY, true, option_flag, AT(version), NULL, "print the version, and those of the libraries" },
};

static_assert(ARRAY_LEN(rows) <= OPTION_ROWS_MOST, "the parser has room for each");

const struct option_row *option_row_at(size_t index)
{
	return index < ARRAY_LEN(rows) ? &rows[index] : NULL;
}

bool option_is_continue(const struct options *o)
{
	return o->conversation == continued;
}

bool options_help_at(size_t index, struct option_help *help)
{
	const struct option_row *row = &rows[index];

	if (index >= ARRAY_LEN(rows))
		return false;
	*help = (struct option_help){ row->name, row->letter, row->argument, row->help, row->subcommands };
	return true;
}

static const char *format_name_at(const void *unused, size_t index)
{
	(void)unused;
	return options_format_at(index);
}

void option_write_words(struct str words, struct buf *out)
{
	static const struct { const char *mark; name_at *names; } marks[] = {
		{ PROTOCOL_NAMES, protocol_name_at }, { DIALECT_NAMES, dialect_name_at }, { FORMAT_NAMES, format_name_at },
		{ SERVER_TOOL_NAMES, server_tool_name_at },
	};
	size_t at = str_find(words, STR("{"));

	buf_add(out, str_head(words, at));
	for (size_t i = 0; at < words.len && i < ARRAY_LEN(marks); i++)
		if (str_is(str_skip(words, at), marks[i].mark))
			names_write_choice(marks[i].names, NULL, out);
}

void option_help_write(const struct option_help *help, struct buf *out)
{
	option_write_words(str_from(help->words), out);
}
