/*
 * Everything is written to the tape before it is shown, so that the tape is complete whenever the program is killed. The server's words
 * are numbered, "w1.", "w2." ...; each must be written to a tape before it is shown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lines.h"
#include "app/program.h"
#include "app/stage.h"
#include "support/check.h"
#include "support/preload.h"

#define WORDS 60

/* Sends many words at once, so that one read returns several. */
static void send_words(struct hand *server)
{
	struct buf stream = { 0 };

	for (int i = 1; i <= WORDS; i++)
		buf_printf(&stream, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"w%d. \"}}]}\n\n", i);
	hand_begin(server);
	hand_send(server, buf_z(&stream));
	buf_fini(&stream);
}

/* --- the journal (tests/sweep/writing.c) --- */

static bool next_record(struct str *journal, char *kind, struct str *bytes)
{
	struct str head;
	long long len;

	if (!str_split(journal, '\n', &head) || head.len < 3 || !str_to_int(str_skip(head, 2), &len))
		return false;
	*kind = *head.ptr;
	*bytes = str_head(*journal, (size_t)len);
	*journal = str_skip(*journal, (size_t)len);
	return true;
}

/* Takes the first numbered word off the text; 0 if there is none. */
static int next_word(struct str *text)
{
	for (; text->len; *text = str_skip(*text, 1)) {
		struct str number = str_skip(*text, 1);
		long long value;

		number = str_head(number, str_find(number, STR(".")));
		if (*text->ptr != 'w' || number.len > 3 || !str_to_int(number, &value))
			continue;
		*text = str_skip(*text, number.len + 2);
		return (int)value;
	}
	return 0;
}

/* Checks that every word is shown at least once, and none before it is recorded. */
static void check_journal(const char *path)
{
	bool recorded[WORDS + 1] = { false }, shown[WORDS + 1] = { false };
	struct str journal, bytes;
	struct error err = { "" };
	struct buf all = { 0 };
	char kind;

	CHECK(buf_read_file(&all, path, &err), "%s", err.text);
	journal = buf_str(&all);
	while (next_record(&journal, &kind, &bytes))
		for (int word = next_word(&bytes); word; word = next_word(&bytes)) {
			CU_ASSERT_FATAL(word <= WORDS);
			CHECK(kind == 'T' || recorded[word], "w%d is shown before it is recorded", word);
			*(kind == 'T' ? &recorded[word] : &shown[word]) = true;
		}
	for (int i = 1; i <= WORDS; i++)
		CHECK(shown[i], "w%d is not shown", i);
	buf_fini(&all);
}

/* The variables for starting the program; NULL, and the test is skipped, if preloading is not possible. */
static const char *const *journal_variables(const char *path)
{
	static char variable[300];
	static const char *variables[3];

	snprintf(variable, sizeof variable, "WEIR_JOURNAL=%s", path);
	variables[0] = preload_variable("writing");
	variables[1] = variable;
	if (!variables[0])
		check_skip("nothing can be preloaded here");
	return variables[0] ? variables : NULL;
}

/* --- the ways of showing --- */

static void ask(const char *option)
{
	struct hand *server = hand_new();
	const char *journal = folder_file("journal", NULL), *settings = folder_file("weir.conf", hand_settings(server, ""));
	const char *const *variables = journal_variables(journal);
	struct program p;

	if (variables) {
		program_start(&p, ARGS("ask", "--no-stdin", "--config", settings, "--tape", folder_file("turn.tape", NULL), "hi", option), variables);
		CU_ASSERT_TRUE(hand_accept(server));
		send_words(server);
		hand_finish(server, "stop");
		CU_ASSERT_EQUAL(program_wait(&p), 0);
		check_journal(journal);
		program_free(&p);
	}
	folder_remove();
	hand_free(server);
}

static void ask_records_before_it_tells(void)
{
	ask(NULL);
	ask("--events");
	ask("--summary");
}

static void lines_are_recorded_before_they_are_told(void)
{
	const char *journal = folder_file("journal", NULL);
	const char *const *variables = journal_variables(journal);
	struct lines l;

	if (variables) {
		lines_open(&l, "", LIST("--plain"), variables);
		SAYS(&l, "You: ");
		lines_ask(&l, "hi");
		send_words(l.server);
		hand_finish(l.server, "stop");
		SAYS(&l, "Status: done");
		SAYS(&l, "You: ");
		lines_close(&l);
		check_journal(journal);
	}
	folder_remove();
}

static void the_screen_shows_what_is_recorded(void)
{
	const char *journal = folder_file("journal", NULL);
	const char *const *variables = journal_variables(journal);
	struct stage s;

	if (variables) {
		stage_open(&s, &(struct stage_options){ .environment = variables });
		stage_ask(&s, "hi");
		send_words(s.server);
		PTY_SEES(s.pty, "w60.");
		hand_finish(s.server, "stop");
		STAGE_OVER(&s);
		stage_close(&s);
		check_journal(journal);
	}
	folder_remove();
}

const struct suite suite_tape_choice = { "tape_choice", (const struct test[]){
	TEST(ask_records_before_it_tells),
	TEST(lines_are_recorded_before_they_are_told),
	TEST(the_screen_shows_what_is_recorded),
	{ 0 },
} };
