/* `weir history` and `weir usage`, over a history that the tests write. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/keep/writer.h"
#include "app/lines.h"
#include "app/program.h"
#include "base/json.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "support/pty.h"
#include "wire/protocol/protocol.h"

static char data[128];
static struct error err;
static int64_t rows[4];
static size_t row_count;

static struct history *begin(void)
{
	struct maintain_result result;
	enum history_status status;
	struct history *h;

	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", folder_path());
	setenv("XDG_DATA_HOME", data + strlen("XDG_DATA_HOME="), 1);
	CHECK(history_maintain(&(struct maintain_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	maintain_result_fini(&result);
	h = history_open(0, &status, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	row_count = 0;
	return h;
}

/* A conversation of a prompt and an answer with `tokens`; begun that many days ago. */
static void add(struct history *h, const char *title, const char *model, const char *answer, int64_t tokens, int days_ago)
{
	struct conversation *c = conversation_new();
	struct turn *prompt = conversation_ask(c), *t;
	int64_t *row = &rows[row_count++], first = 0, second = 0;

	turn_add(prompt, PART_TEXT, str_from(title), STR_NONE, STR_NONE);
	t = conversation_answer(c, STR("prov"), protocol_find(STR("anthropic")), str_from(model));
	turn_delta(t, &(struct delta){ .kind = DELTA_BEGIN });
	turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .text = str_from(answer) });
	if (tokens)
		turn_delta(t, &(struct delta){ .kind = DELTA_USAGE, .usage.of = { [USAGE_TOTAL] = COUNT_SENT(tokens) } });
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .end.outcome = OUTCOME_COMPLETE });
	t->wall -= days_ago * 86400;
	CHECK(history_begin(h, &(struct history_conversation){ .title = title, .titled_by = "prompt" }, row, &err) == HISTORY_OK, "%s", err.text);
	CHECK(history_put_turn(h, *row, 0, prompt, &first, &err) == HISTORY_OK, "%s", err.text);
	CHECK(history_put_turn(h, *row, first, t, &second, &err) == HISTORY_OK, "%s", err.text);
	conversation_free(c);
}

static void three(void)
{
	struct history *h = begin();

	add(h, "On rivers", "small", "The Danube flows.", 100, 40);
	add(h, "\x1b[31mred\tcolours", "large", "Vermilion is a pigment.", 1200, 1);
	add(h, "Mountains", "small", "The Alps are high.", 0, 0);
	history_close(h);
}

static void end(void)
{
	unsetenv("XDG_DATA_HOME");
	folder_remove();
}

static int weir(struct program *p, const char *const *args)
{
	return program_run(p, STR_NONE, args, ARGS(data));
}

#define CHECK_RUN(expected_status, ...)                                                                                  \
	do {                                                                                                                 \
		int status_ = weir(&p, ARGS(__VA_ARGS__));                                                                       \
		CHECK(status_ == (expected_status), "status %d, stdout \"%s\", stderr \"%s\"", status_, buf_z(&p.output), buf_z(&p.errors)); \
	} while (0)

static size_t line_count(const struct buf *text)
{
	size_t lines = 0;

	for (size_t i = 0; i < text->len; i++)
		lines += text->ptr[i] == '\n';
	return lines;
}

static bool output_has(const struct program *p, const char *text)
{
	return str_find(buf_str(&p->output), str_from(text)) < p->output.len;
}

/* --- nothing is stored --- */

static void nothing_stored_is_an_empty_list(void)
{
	struct program p;

	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", folder_path());
	static const struct { int status; const char *output; const char *args[5]; } cases[] = {
		{ 0, "", { "history" } }, { 0, "", { "history", "list" } }, { 0, "[]\n", { "history", "list", "--json" } },
		{ 0, "", { "usage" } }, { 0, "[]\n", { "usage", "--json" } },
		{ 1, "", { "history", "search", "word" } }, { 1, "[]\n", { "history", "search", "word", "--json" } },
		{ 1, "", { "history", "delete", "last", "--yes" } }, { 1, "", { "history", "backup", "/proc/nonexistent/x" } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int status = program_run(&p, STR_NONE, cases[i].args, ARGS(data));

		CHECK(status == cases[i].status, "case %zu: %d %s", i, status, buf_z(&p.errors));
		CHECK_STR(buf_str(&p.output), cases[i].output);
		program_free(&p);
	}
	CU_ASSERT(access(data + strlen("XDG_DATA_HOME="), F_OK) != 0); /* looking creates nothing */
	folder_remove();
}

static void mistakes_are_usage_errors(void)
{
	static const struct { const char *says, *args[5]; } cases[] = {
		{ "history has no 'remove'; it has list, search", { "history", "remove" } },
		{ "weir history search WORDS", { "history", "search" } },
		{ "weir history delete ID", { "history", "delete" } },
		{ "weir history backup FILE", { "history", "backup" } },
		{ "without arguments", { "history", "list", "7" } },
		{ "--yes deletes without asking", { "history", "delete", "1" } },
		{ "--limit", { "history", "--limit", "0" } },
		{ "--by", { "usage", "--by", "hour" } },
		{ "--since 2026-02-30: it must be a day", { "usage", "--since", "2026-02-30" } },
		{ "--since 0d", { "usage", "--since", "0d" } },
		{ "usage takes no argument", { "usage", "today" } },
	};
	struct program p;

	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", folder_path());
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int status = program_run(&p, STR_NONE, cases[i].args, ARGS(data));

		CHECK(status == 2 && str_find(buf_str(&p.errors), str_from(cases[i].says)) < p.errors.len, "case %zu: %d %s", i, status, buf_z(&p.errors));
		CU_ASSERT_EQUAL(line_count(&p.errors), 1);
		program_free(&p);
	}
	folder_remove();
}

/* --- lists --- */

static void the_list_is_newest_first(void)
{
	struct str rest, line = STR_NONE, id = STR_NONE;
	struct program p;

	three();
	CHECK_RUN(0, "history", "list");
	rest = buf_str(&p.output);
	CU_ASSERT(str_split(&rest, '\n', &line) && str_ends(line, "\t1\tprov\tsmall\tMountains") && str_split(&line, '\t', &id) && id.len == 16);
	CU_ASSERT(str_split(&rest, '\n', &line) && str_ends(line, "\tprov\tlarge\t\u241b[31mred\u2409colours"));
	CU_ASSERT(str_split(&rest, '\n', &line) && str_ends(line, "\tOn rivers"));
	CU_ASSERT_EQUAL(rest.len, 0);
	program_free(&p);
	CHECK_RUN(0, "history", "--limit", "2");
	CU_ASSERT_EQUAL(line_count(&p.output), 2);
	program_free(&p);
	end();
}

static void json_has_the_members_of_the_contract(void)
{
	static const char *const members[] = { "id", "title", "created", "updated", "turns", "provider", "model", "usage", "cost" };
	struct json_parser *parser = json_parser_new();
	const struct json *list, *second;
	struct program p;
	size_t used;
	int64_t tokens;

	three();
	CHECK_RUN(0, "history", "list", "--json");
	list = json_parse(parser, buf_str(&p.output), &used);
	CU_ASSERT_EQUAL_FATAL(json_length(list), 3);
	second = json_at(list, 1);
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		CHECK(strstr(buf_z(&p.output), members[i]) != NULL, "%s", members[i]);
	CHECK_STR(json_get_text(second, "title"), "\x1b[31mred\tcolours");
	CU_ASSERT(json_count(json_get(json_get(second, "usage"), "total_tokens"), &tokens) && tokens == 1200);
	CU_ASSERT(str_ends(json_get_text(second, "created"), "Z"));
	CU_ASSERT(output_has(&p, "\"usage\":null,\"cost\":null")); /* the newest: not counted, not priced */
	program_free(&p);
	json_parser_free(parser);
	end();
}

/* Without maintenance before: what was stored last is indexed when it is searched for. */
static void search_finds_what_was_just_said(void)
{
	struct program p;

	three();
	CHECK_RUN(0, "history", "search", "verm*");
	CU_ASSERT_EQUAL(line_count(&p.output), 1);
	CU_ASSERT(output_has(&p, "colours\tVermilion is a pigment."));
	program_free(&p);
	CHECK_RUN(0, "history", "search", "the", "alps", "--json");
	CU_ASSERT(output_has(&p, "\"title\":\"Mountains\"") && output_has(&p, "\"snippet\":\"The Alps are high.\""));
	program_free(&p);
	CHECK_RUN(1, "history", "search", "\"alps the\"");
	CHECK_STR(buf_str(&p.output), "");
	program_free(&p);
	end();
}

/* Words that were found are bold where the terminal can, else in brackets. */
static void on_a_terminal_lines_fit_and_are_safe(void)
{
	static const struct { const char *type, *found; } terminals[] = { { "TERM=dumb", "is a [pigment]." }, { "TERM=xterm", "is a \x1b[1mpigment\x1b[22m." } };
	struct program p;

	three();
	for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
		program_start_on_terminal(&p, ARGS("history", "search", "pigment"), ARGS(data, "PAGER=cat", terminals[i].type));
		program_end_input(&p);
		CU_ASSERT_EQUAL(program_wait(&p), 0);
		CU_ASSERT(output_has(&p, "\u241b[31mred") && output_has(&p, terminals[i].found) && !output_has(&p, "\x1b[31m"));
		for (struct str rest = buf_str(&p.output), line; str_split(&rest, '\n', &line);)
			CU_ASSERT(line.len < 100);
		program_free(&p);
	}
	end();
}

/* JSON has the text as it was received. */
static void excerpts_are_what_a_reader_sees(void)
{
	struct program p;
	struct history *h = begin();

	add(h, "Rivers", "small", "| River | Note |\n|---|---|\n| **Rhine** | it *swells*\x02\x07 |\n\nSee [the map](https://e.example/m).", 100, 40);
	history_close(h);
	CHECK_RUN(0, "history", "search", "swells");
	CU_ASSERT(output_has(&p, "Rivers\t...Note; Rhine \u00B7 it swells See the map.\n"));
	program_free(&p);
	CHECK_RUN(0, "history", "search", "e.example");
	CU_ASSERT(output_has(&p, "https://e.example/m"));
	program_free(&p);
	CHECK_RUN(0, "history", "search", "--json", "swells");
	CU_ASSERT(output_has(&p, "| **Rhine** | it *swells*"));
	program_free(&p);
	end();
}

/* The pager reads the safe text; it may leave early. */
static void the_pager_gets_the_text(void)
{
	struct program p;
	char pager[300];
	struct buf got = { 0 };
	const char *path = folder_file("paged", NULL);

	three();
	snprintf(pager, sizeof pager, "PAGER=cat > %s; echo LESS=$LESS >> %s", path, path);
	program_start_on_terminal(&p, ARGS("history"), ARGS(data, pager));
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CHECK_STR(buf_str(&p.output), "");
	CU_ASSERT(buf_read_file(&got, path, &err));
	CU_ASSERT(strstr(buf_z(&got), "Mountains") && strstr(buf_z(&got), "\u241b[31mred") && str_ends(buf_str(&got), "LESS=FRX\n"));
	buf_fini(&got);
	program_free(&p);
	program_start_on_terminal(&p, ARGS("history", "--schema"), ARGS(data, "PAGER=true"));
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	program_free(&p);
	program_start_on_terminal(&p, ARGS("history"), ARGS(data, "PAGER=/proc/nonexistent/pager"));
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CU_ASSERT(output_has(&p, "Mountains"));
	program_free(&p);
	end();
}

static void path_and_schema_are_for_sqlite3(void)
{
	struct program p;

	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", folder_path());
	CHECK_RUN(0, "history", "path");
	CHECK_STR(str_skip(buf_str(&p.output), strlen(folder_path())), "/data/weir/history.db\n");
	program_free(&p);
	CHECK_RUN(0, "history", "--schema");
	CHECK_STR(buf_str(&p.output), history_schema());
	program_free(&p);
	folder_remove();
}

/* --- documents --- */

static void show_and_export_write_documents(void)
{
	static const struct { const char *args[8], *has; } cases[] = {
		{ { "history", "show", "3" }, "The Danube flows." },
		{ { "history", "show", "3", "--json" }, "\"weir_history\"" },
		{ { "history", "export", "3", "--format", "html" }, "<!DOCTYPE html>" },
		{ { "history", "export", "3", "--format", "text", "-o", "-" }, "The Danube flows." },
		{ { "history", "export", "all", "--format", "json" }, "The Alps are high." },
	};
	struct program p;

	three();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int status = program_run(&p, STR_NONE, cases[i].args, ARGS(data));

		CHECK(status == 0 && output_has(&p, cases[i].has), "case %zu: %d %s%s", i, status, buf_z(&p.output), buf_z(&p.errors));
		program_free(&p);
	}
	CHECK_RUN(1, "history", "show", "9");
	CU_ASSERT(line_count(&p.errors) == 1 && !p.output.len);
	program_free(&p);
	end();
}

static void what_was_exported_is_imported_once(void)
{
	const char *path = folder_file("all.json", NULL), *other = folder_file("other.txt", "just words");
	struct program p;

	three();
	CHECK_RUN(0, "history", "export", "all", "-o", path);
	CHECK_STR(buf_str(&p.output), "");
	program_free(&p);
	CHECK_RUN(2, "history", "export", "1", "-o", path);
	CU_ASSERT(strstr(buf_z(&p.errors), "exists already") != NULL);
	program_free(&p);
	CHECK_RUN(0, "history", "import", path);
	CHECK_STR(buf_str(&p.output), "0 added, 3 there already\n");
	program_free(&p);
	CHECK_RUN(0, "history", "delete", "1", "2", "--yes");
	program_free(&p);
	CHECK_RUN(0, "history", "import", path);
	CHECK_STR(buf_str(&p.output), "2 added, 1 there already\n");
	program_free(&p);
	CHECK_RUN(2, "history", "import", other);
	CU_ASSERT(line_count(&p.errors) == 1 && !p.output.len);
	program_free(&p);
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/new", folder_path());
	CHECK_RUN(0, "history", "import", path);
	CHECK_STR(buf_str(&p.output), "3 added, 0 there already\n");
	program_free(&p);
	end();
}

#define VOICE "{\"author\":{\"role\":\"user\"},\"content\":{\"content_type\":\"multimodal_text\",\"parts\":[{\"content_type\":\"audio_transcription\",\"text\":\"spoken\"}," \
	"{\"content_type\":\"audio_asset_pointer\"}]}}"
#define INSTRUCTION "{\"author\":{\"role\":\"user\"},\"content\":{\"content_type\":\"user_editable_context\",\"user_profile\":\"me\"}}"
#define ANSWER "{\"author\":{\"role\":\"assistant\"},\"content\":{\"content_type\":\"text\",\"parts\":[\"heard\"]}}"

/* In one line, again when it is there already. Nobody knows what an imported answer cost. */
static void an_import_says_what_it_leaves_out(void)
{
	const char *path = folder_file("chatgpt.json", "[{\"title\":\"T\",\"conversation_id\":\"c\",\"mapping\":{\"a\":{\"message\":" INSTRUCTION "},"
	                               "\"b\":{\"parent\":\"a\",\"message\":" VOICE "},\"c\":{\"parent\":\"b\",\"message\":" ANSWER "},\"d\":{\"parent\":\"c\",\"message\":" INSTRUCTION "},"
	                               "\"e\":{\"parent\":\"d\",\"message\":" VOICE "},\"f\":{\"parent\":\"e\",\"message\":" INSTRUCTION "}}}]");
	static const char *const shown[][4] = { { "history", "list", "--json" }, { "history", "show", "1", "--json" }, { "usage", "--json" } };
	struct program p;

	history_close(begin());
	CHECK_RUN(0, "history", "import", path);
	CHECK_STR(buf_str(&p.output), "1 added, 0 there already; left out: 3 custom instructions, 2 voice notes\n");
	program_free(&p);
	CHECK_RUN(0, "history", "import", path);
	CHECK_STR(buf_str(&p.output), "0 added, 1 there already; left out: 3 custom instructions, 2 voice notes\n");
	program_free(&p);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		CHECK_RUN(0, shown[i][0], shown[i][1], shown[i][2], shown[i][3]);
		CHECK(output_has(&p, "\"cost\":null") && !output_has(&p, "exact"), "%zu: %s", i, buf_z(&p.output));
		program_free(&p);
	}
	end();
}

/* --- deleting --- */

static bool file_has(const char *name, const char *words)
{
	struct buf content = { 0 };
	char path[200];
	bool has;

	snprintf(path, sizeof path, "%s/data/weir/%s", folder_path(), name);
	has = buf_read_file(&content, path, &err) && str_find(buf_str(&content), str_from(words)) < content.len;
	buf_fini(&content);
	return has;
}

static void deleting_removes_the_words_from_the_files(void)
{
	struct program p;

	three();
	CU_ASSERT(file_has("history.db-wal", "Vermilion") || file_has("history.db", "Vermilion"));
	CHECK_RUN(0, "history", "delete", "2", "last", "--yes");
	CHECK_STR(buf_str(&p.errors), "");
	program_free(&p);
	CU_ASSERT(!file_has("history.db-wal", "Vermilion") && !file_has("history.db", "Vermilion"));
	CHECK_RUN(0, "history");
	CU_ASSERT(line_count(&p.output) == 1 && output_has(&p, "On rivers"));
	program_free(&p);
	end();
}

/* The answer comes from a terminal; without one nothing is deleted unasked. */
/* The process that maintains the history purges only when it is told to. */
static void an_unknown_errand_deletes_nothing(void)
{
	enum history_status status;
	struct history *h;
	struct program p;
	int64_t mark = 0;

	three();
	h = history_open(0, &status, &err);
	CU_ASSERT_EQUAL(history_delete(h, rows[0], 0, &mark, &err), HISTORY_OK);
	history_close(h);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("--tend-history", "tidy"), ARGS(data)), 2);
	program_free(&p);
	CU_ASSERT(file_has("history.db-wal", "Danube") || file_has("history.db", "Danube"));
	end();
}

static void deleting_asks(void)
{
	static const struct { const char *answer; size_t left; } cases[] = { { "n", 3 }, { "", 3 }, { "nay", 3 }, { "y", 2 } };
	struct program p;

	three();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pty *terminal = pty_start(&(struct pty_options){ .arguments = LIST("history", "delete", "2"), .environment = LIST(data),
		                                                        .home = folder_path(), .columns = PTY_WIDE });

		PTY_SEES(terminal, "Delete \"\u241b[31mred\u2409colours\"");
		PTY_SEES(terminal, "1 turn) for good? [y/N]");
		pty_enter(terminal, cases[i].answer);
		PTY_ENDS(terminal, 0);
		pty_free(terminal);
		CHECK_RUN(0, "history");
		CHECK(line_count(&p.output) == cases[i].left, "answer %s: %s", cases[i].answer, buf_z(&p.output));
		program_free(&p);
	}
	CHECK_RUN(2, "history", "delete", "1");
	program_free(&p);
	CHECK_RUN(1, "history", "delete", "zzz", "--force");
	CU_ASSERT_PTR_NOT_NULL(strstr(buf_z(&p.errors), "there is no conversation zzz"));
	program_free(&p);
	end();
}

/* Only tapes of the ring go; a path that somebody wrote into the file is not believed. */
static void deleting_takes_the_tape_of_the_ring_only(void)
{
	struct program p;
	char folder[200], tape[300], command[1000];
	const char *other = folder_file("mine.tape", "{}");

	struct history *h = begin();
	snprintf(folder, sizeof folder, "%s/.local/state/weir/tapes", folder_path());
	snprintf(command, sizeof command, "mkdir -p -m 700 %s && chmod 700 %s/.. && touch %s/a.tape %s/b.tape", folder, folder, folder, folder);
	CU_ASSERT_EQUAL(system(command), 0);
	for (int i = 0; i < 2; i++) {
		struct conversation *c = conversation_new();
		struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
		int64_t row = 0, node = 0;

		snprintf(tape, sizeof tape, "%s/a.tape", folder);
		str_replace(&t->tape, str_from(i ? other : tape));
		CU_ASSERT(history_begin(h, &(struct history_conversation){ .title = "t" }, &row, &err) == HISTORY_OK);
		CU_ASSERT(history_put_turn(h, row, 0, t, &node, &err) == HISTORY_OK);
		conversation_free(c);
	}
	history_close(h);
	CHECK_RUN(0, "history", "delete", "1", "2", "--yes");
	program_free(&p);
	CU_ASSERT(access(tape, F_OK) != 0 && access(other, F_OK) == 0);
	snprintf(tape, sizeof tape, "%s/b.tape", folder);
	CU_ASSERT(access(tape, F_OK) == 0);
	end();
}

/* --- a file that cannot be read --- */

static void a_later_version_is_left_alone(void)
{
	struct program p;
	char command[400];

	three();
	snprintf(command, sizeof command, "sqlite3 %s/data/weir/history.db 'PRAGMA user_version = 99999; UPDATE form SET number = 99999'", folder_path());
	if (system("command -v sqlite3 >/dev/null 2>&1") != 0) {
		check_skip("sqlite3 is not installed");
		end();
		return;
	}
	CU_ASSERT_EQUAL(system(command), 0);
	CHECK_RUN(1, "history");
	CU_ASSERT(strstr(buf_z(&p.errors), "later version") && line_count(&p.errors) == 1);
	program_free(&p);
	CHECK_RUN(1, "usage", "--json");
	CHECK_STR(buf_str(&p.output), "");
	program_free(&p);
	end();
}

static void a_damaged_file_is_recovered(void)
{
	struct program p;
	char path[200];
	FILE *file;

	three();
	struct maintain_result result;
	CU_ASSERT(history_maintain(&(struct maintain_options){ 0 }, &result, &err) == HISTORY_OK); /* into the file */
	maintain_result_fini(&result);
	snprintf(path, sizeof path, "%s/data/weir/history.db", folder_path());
	file = fopen(path, "r+");
	CU_ASSERT_FATAL(file && fwrite("nonsense at the beginning", 1, 25, file) == 25);
	fclose(file);
	CHECK_RUN(0, "history");
	CHECK(strstr(buf_z(&p.errors), "turns were recovered, and the damaged file is now") != NULL, "%s", buf_z(&p.errors));
	CU_ASSERT(output_has(&p, "Mountains"));
	program_free(&p);
	end();
}

/* --- backups --- */

/* Beside it there is neither a WAL nor a file that was not finished. */
static void a_backup_is_one_new_file(void)
{
	char command[300], *folder, path[200];
	struct program p;
	struct stat facts;

	three();
	folder = mem_dup_z(folder_file("backups", NULL));
	CU_ASSERT_EQUAL(mkdir(folder, 0700), 0);
	snprintf(path, sizeof path, "%s/all.db", folder);
	CHECK_RUN(0, "history", "backup", path);
	CHECK(output_has(&p, path), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT(stat(path, &facts) == 0 && (facts.st_mode & 07777) == 0600);
	snprintf(command, sizeof command, "test \"$(ls '%s' | tr '\\n' ' ')\" = 'all.db '", folder);
	CHECK(system(command) == 0, "%s", command);
	for (int force = 0; force < 2; force++) {
		CHECK_RUN(2, "history", "backup", path, force ? "--force" : NULL);
		CHECK(strstr(buf_z(&p.errors), "exists already"), "%s", buf_z(&p.errors));
		program_free(&p);
	}
	snprintf(command, sizeof command, "rm -rf '%s/data/weir'; mkdir -m 700 '%s/data/weir' && cp '%s' '%s/data/weir/history.db'", folder_path(),
	         folder_path(), path, folder_path());
	CU_ASSERT_EQUAL(system(command), 0);
	CHECK_RUN(0, "history", "search", "Danube");
	CU_ASSERT(output_has(&p, "On rivers"));
	program_free(&p);
	mem_free(folder);
	end();
}

/* --- usage --- */

static void usage_sums_up(void)
{
	struct program p;

	three();
	CHECK_RUN(0, "usage", "--by", "model");
	CHECK_STR(buf_str(&p.output), "large\t1\t1200\t1 unpriced\nsmall\t2\t100\t2 unpriced\n");
	program_free(&p);
	CHECK_RUN(0, "usage", "--by", "provider", "--json");
	CHECK_STR(buf_str(&p.output), "[{\"key\":\"prov\",\"turns\":3,\"usage\":{\"prompt_tokens\":null,\"completion_tokens\":null,\"total_tokens\":1300,"
	          "\"cached_tokens\":null,\"cache_write_tokens\":null,\"reasoning_tokens\":null},\"cost\":null,\"unpriced\":3}]\n");
	program_free(&p);
	CHECK_RUN(0, "usage", "--by", "conversation", "--json");
	CU_ASSERT(output_has(&p, "\"title\":\"On rivers\",\"turns\":1"));
	program_free(&p);
	end();
}

static void usage_begins_at_a_day(void)
{
	struct tm day;
	time_t before = time(NULL) - 40 * 86400;
	char since[32];
	struct program p;

	three();
	static const struct { const char *since; size_t days; } cases[] = { { "today", 1 }, { "1d", 1 }, { "2d", 2 }, { "30d", 2 }, { "50d", 3 }, { "2000-01-01", 3 } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CHECK_RUN(0, "usage", "--since", cases[i].since);
		CHECK(line_count(&p.output) == cases[i].days, "%s: %s", cases[i].since, buf_z(&p.output));
		program_free(&p);
	}
	localtime_r(&before, &day);
	strftime(since, sizeof since, "%Y-%m-%d", &day);
	CHECK_RUN(0, "usage", "--since", since);
	CU_ASSERT(line_count(&p.output) == 3 && str_starts(buf_str(&p.output), since));
	program_free(&p);
	end();
}

static void usage_draws_bars(void)
{
	struct program p;

	three();
	program_start_on_terminal(&p, ARGS("usage", "--by", "model"), ARGS(data, "PAGER=cat"));
	program_end_input(&p);
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CU_ASSERT(output_has(&p, "large  ████████") && output_has(&p, "1,200  1 unpriced") && output_has(&p, "total") && output_has(&p, "1,300"));
	program_free(&p);
	program_start_on_terminal(&p, ARGS("usage", "--by", "model"), ARGS(data, "PAGER=cat", "TERM=linux"));
	program_end_input(&p);
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CU_ASSERT(output_has(&p, "large  ####") && !output_has(&p, "█"));
	program_free(&p);
	end();
}

const struct suite suite_history_cli = { "history_cli", (const struct test[]){
	TEST(nothing_stored_is_an_empty_list),
	TEST(mistakes_are_usage_errors),
	TEST(the_list_is_newest_first),
	TEST(json_has_the_members_of_the_contract),
	TEST(search_finds_what_was_just_said),
	TEST(on_a_terminal_lines_fit_and_are_safe), TEST(excerpts_are_what_a_reader_sees),
	TEST(the_pager_gets_the_text),
	TEST(path_and_schema_are_for_sqlite3),
	TEST(show_and_export_write_documents),
	TEST(what_was_exported_is_imported_once), TEST(an_import_says_what_it_leaves_out),
	TEST(deleting_removes_the_words_from_the_files),
	TEST(an_unknown_errand_deletes_nothing),
	TEST(deleting_asks),
	TEST(deleting_takes_the_tape_of_the_ring_only),
	TEST(a_later_version_is_left_alone),
	TEST(a_damaged_file_is_recovered),
	TEST(a_backup_is_one_new_file),
	TEST(usage_sums_up),
	TEST(usage_begins_at_a_day),
	TEST(usage_draws_bars),
	{ 0 },
} };
