/* What the full screen keeps: a turn that a kill broke off, the tape that it left, what was deleted, and what is private. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "stage.h"
#include "store/history/history_inside.h"
#include "store/maintain/maintain.h"
#include "support/check.h"

#define LOOK_US 20000
#define TURNS 20

static struct error err;

/* --- the history of a stage --- */

static struct history *open_history(const struct stage *s)
{
	enum history_status status;
	struct history *h;

	setenv("XDG_DATA_HOME", home_path(s->home, ".local/share"), 1);
	h = history_open(2000, &status, &err);
	unsetenv("XDG_DATA_HOME");
	return h;
}

/* The last answer; `conversation` is to be freed. NULL: none is there yet. */
static struct turn *read_answer(struct history *h, struct conversation **conversation)
{
	int64_t row = h ? database_integer(h->db, "SELECT max(id) FROM node WHERE role = 'assistant'", NO_VALUES, 0) : 0;
	struct turn *t;

	*conversation = conversation_new();
	if (!row)
		return NULL;
	t = conversation_answer(*conversation, STR(""), NULL, STR(""));
	CHECK(history_read_turn(h, row, t, &err) == HISTORY_OK, "%s", err.text);
	return t;
}

static bool answer_is(struct history *h, const char *text)
{
	struct conversation *conversation;
	const struct turn *t = read_answer(h, &conversation);
	bool same = t && t->tape && t->part_count == 1 && str_is(buf_str(&t->parts[0].text), text);

	conversation_free(conversation);
	return same;
}

/* Waits until the last answer is stored with that text, and with the name of its tape. */
static void await_stored(struct stage *s, const char *text)
{
	int64_t end_ms = check_now_ms() + CHECK_PATIENCE_MS;
	bool stored = false;

	while (!stored && check_now_ms() < end_ms) {
		struct history *h = open_history(s);

		pty_pump(s->pty);
		stored = answer_is(h, text);
		history_close(h);
		if (!stored)
			usleep(LOOK_US);
	}
	CHECK(stored, "it is not stored: %s", text);
}

static void check_stored(const struct stage *s, const char *text)
{
	struct history *h = open_history(s);

	CHECK(answer_is(h, text), "it is not stored: %s", text);
	history_close(h);
}

static void kill_program(struct stage *s)
{
	pty_signal(s->pty, SIGKILL);
	PTY_ENDS(s->pty, 128 + SIGKILL);
	pty_free(s->pty);
}

static void start_with(struct stage *s, const char *const *arguments)
{
	s->pty = pty_start(&(struct pty_options){ .home = s->home, .arguments = arguments });
	STAGE_STATE(s, "ready");
}

static void end_program(struct stage *s)
{
	pty_send(s->pty, "\x03\x03\x03");
	PTY_ENDS(s->pty, 0);
	pty_free(s->pty);
	s->pty = NULL;
}

/* The program is left alone: the last frame that it paints takes in the end of the answer, and nothing wakes it afterwards. */
static void the_end_of_an_answer_is_stored_at_once(void)
{
	struct stage s;

	stage_open(&s, NULL);
	for (int i = 0; i < TURNS && !pty_has_failed(s.pty); i++) {
		char answer[40];

		snprintf(answer, sizeof answer, "Answer%d.", i);
		stage_turn(&s, "go", answer);
		await_stored(&s, answer);
	}
	stage_close(&s);
}

/* --- after a kill --- */

static void begin_half(struct stage *s)
{
	stage_open(s, NULL);
	stage_turn(s, "hello", "Good day.");
	stage_begin(s, "go");
	hand_text(s->server, "Half an");
	await_stored(s, "Half an");
}

static void a_broken_turn_is_shown_and_goes_on(void)
{
	struct stage s;

	begin_half(&s);
	hand_text(s.server, " answer");
	PTY_SEES(s.pty, "Half an answer");
	kill_program(&s);
	start_with(&s, LIST("-c"));
	PTY_SEES(s.pty, "Half an answer");
	PTY_SEES(s.pty, "weir ended before the answer did");
	PTY_SEES(s.pty, "Good day.");
	pty_enter(s.pty, "/continue");
	hand_accept(s.server);
	CHECK(stage_sent(&s, "Half an answer") && stage_sent(&s, "Good day."), "%s", hand_body(s.server));
	hand_begin(s.server);
	hand_text(s.server, " that goes on.");
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "Continued here, where it had been cut");
	PTY_SEES(s.pty, "that goes on.");
	STAGE_OVER(&s);
	PTY_REDRAWS(s.pty);
	end_program(&s);
	start_with(&s, LIST("-c"));
	PTY_SEES(s.pty, "Continued here, where it had been cut");
	PTY_SEES(s.pty, "that goes on.");
	stage_turn(&s, "more", "Of course.");
	CHECK(stage_sent(&s, "that goes on."), "%s", hand_body(s.server));
	stage_close(&s);
}

/* Another program has the history locked, so that what comes last is on the tape only. */
static void a_tape_that_holds_more_is_taken_in(void)
{
	struct history *h;
	struct stage s;

	begin_half(&s);
	h = open_history(&s);
	database_begin(h->db);
	hand_text(s.server, " answer, and its rest");
	PTY_SEES(s.pty, "Half an answer, and its rest");
	kill_program(&s);
	CHECK(answer_is(h, "Half an"), "the history has more");
	database_end(h->db);
	history_close(h);
	start_with(&s, LIST("-c"));
	PTY_SEES(s.pty, "Half an answer, and its rest");
	PTY_SEES(s.pty, "weir ended before the answer did");
	end_program(&s);
	check_stored(&s, "Half an answer, and its rest");
	stage_drop(&s);
}

static void cut_tape(const struct stage *s)
{
	struct conversation *conversation;
	struct history *h = open_history(s);
	const struct turn *t = read_answer(h, &conversation);

	CHECK(t && t->tape && truncate(t->tape, 300) == 0, "no tape is there");
	conversation_free(conversation);
	history_close(h);
}

static void a_tape_that_holds_less_is_not(void)
{
	struct stage s;

	begin_half(&s);
	kill_program(&s);
	cut_tape(&s);
	start_with(&s, LIST("-c"));
	PTY_SEES(s.pty, "Half an");
	PTY_SEES(s.pty, "weir ended before the answer did");
	end_program(&s);
	check_stored(&s, "Half an");
	stage_drop(&s);
}

/* --- what is on the disk --- */

/* No file below the data and state folders holds the words. */
static bool is_below(const struct stage *s, const char *path, const char *words)
{
	char command[400];

	snprintf(command, sizeof command, "grep -rqaisF '%s' '%s/%s'", words, s->home, path);
	return system(command) == 0;
}

static bool is_on_disk(const struct stage *s, const char *words)
{
	return is_below(s, ".local", words);
}

/* A process deletes for good after the program has ended. */
static void await_gone(const struct stage *s, const char *words)
{
	int64_t end_ms = check_now_ms() + CHECK_PATIENCE_MS;

	while (is_on_disk(s, words) && check_now_ms() < end_ms)
		usleep(LOOK_US);
	CHECK(!is_on_disk(s, words), "a file holds %s", words);
}

static size_t count_tapes(const struct stage *s)
{
	DIR *ring = opendir(home_path(s->home, ".local/state/weir/tapes"));
	const struct dirent *entry;
	size_t count = 0;

	while (ring && (entry = readdir(ring)))
		count += strstr(entry->d_name, ".tape") != NULL;
	if (ring)
		closedir(ring);
	return count;
}

/* --- deleting --- */

static void open_with_words(struct stage *s)
{
	stage_open(s, NULL);
	stage_turn(s, "alpha", "First answer.");
	stage_turn(s, "ask about xylophones", "Quokkas play them.");
	stage_turn(s, "and zanzibar", "Walruses live there.");
	await_stored(s, "Walruses live there.");
	CU_ASSERT_EQUAL(count_tapes(s), 3);
}

static void delete_the_words(struct stage *s)
{
	pty_send(s->pty, K_ALT("t"));
	PTY_SEES(s->pty, "Tree");
	pty_send(s->pty, K_UP K_UP K_UP "d");
	PTY_SEES(s->pty, "delete this prompt, its answer and the turn below it?");
	pty_send(s->pty, "y");
	PTY_SEES(s->pty, "deleted; /undo brings it back");
	pty_send(s->pty, "q");
	PTY_LOSES(s->pty, "Tree");
}

static const char *const deleted[] = { "xylophone", "quokka", "zanzibar", "walrus" };

static void check_words_are_gone(const struct stage *s)
{
	for (size_t i = 0; i < ARRAY_LEN(deleted); i++)
		await_gone(s, deleted[i]);
	CHECK(is_on_disk(s, "First answer."), "what was not deleted is there");
	CU_ASSERT_EQUAL(count_tapes(s), 1);
}

static void what_the_tree_deletes_is_on_no_file(void)
{
	struct stage s;

	open_with_words(&s);
	delete_the_words(&s);
	CHECK(is_on_disk(&s, "xylophone"), "/undo has nothing to bring back");
	end_program(&s);
	check_words_are_gone(&s);
	stage_drop(&s);
}

/* The other program has read the whole conversation, and does not write it again. */
static void another_program_has_it_open_meanwhile(void)
{
	struct stage s, other;

	open_with_words(&s);
	other = s;
	start_with(&other, LIST("-c"));
	PTY_SEES(other.pty, "Walruses");
	delete_the_words(&s);
	end_program(&s);
	check_words_are_gone(&s);
	end_program(&other);
	check_words_are_gone(&s);
	stage_drop(&s);
}

/* The history is locked all the time: nothing is stored, but a tape and a list of prompts are there. */
static void what_could_not_be_stored_is_deleted_too(void)
{
	struct history *h;
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "hello", "Good day.");
	await_stored(&s, "Good day.");
	h = open_history(&s);
	database_begin(h->db);
	stage_turn(&s, "ask about xylophones", "Quokkas play them.");
	pty_send(s.pty, K_ALT("t"));
	PTY_SEES(s.pty, "Tree");
	pty_send(s.pty, K_UP "d");
	PTY_SEES(s.pty, "delete this prompt and its answer?");
	pty_send(s.pty, "y");
	PTY_LOSES(s.pty, "Quokkas");
	pty_signal(s.pty, SIGTERM);
	PTY_ENDS(s.pty, 128 + SIGTERM);
	database_end(h->db);
	history_close(h);
	CHECK(!is_on_disk(&s, "quokka") && !is_on_disk(&s, "xylophone"), "a file holds the words");
	CU_ASSERT_EQUAL(count_tapes(&s), 1);
	stage_drop(&s);
}

/* The title is made of the first prompt. */
static void delete_the_first_prompt(bool once_stored)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "ask about xylophones", "Quokkas play them.");
	if (once_stored)
		await_stored(&s, "Quokkas play them.");
	pty_send(s.pty, K_ALT("u"));
	PTY_SEES(s.pty, "the last prompt");
	pty_send(s.pty, "\x15" "ask about bread\r");
	hand_accept(s.server);
	hand_whole(s.server, "Flour and water.", "stop");
	PTY_SEES(s.pty, "Flour and water.");
	STAGE_OVER(&s);
	pty_send(s.pty, K_ALT("t") K_HOME "d");
	PTY_SEES(s.pty, "delete this prompt and its answer?");
	pty_send(s.pty, "y");
	PTY_LOSES(s.pty, "xylophones");
	end_program(&s);
	await_gone(&s, "quokka");
	await_gone(&s, "xylophone");
	CHECK(is_on_disk(&s, "Flour and water."), "what was not deleted is there");
	start_with(&s, LIST("--resume"));
	PTY_SEES(s.pty, "ask about bread");
	stage_drop(&s);
}

static void the_first_prompt_is_the_title_no_more(void)
{
	delete_the_first_prompt(true);
	delete_the_first_prompt(false);
}

/* With all of its turns goes what it was called. */
static void a_conversation_without_turns_leaves_no_words(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "ask about xylophones", "Quokkas play them.");
	pty_send(s.pty, K_ALT("t") K_HOME "d");
	PTY_SEES(s.pty, "delete this prompt and its answer?");
	pty_send(s.pty, "y");
	PTY_LOSES(s.pty, "Quokkas");
	end_program(&s);
	await_gone(&s, "quokka");
	await_gone(&s, "xylophone");
	CU_ASSERT_EQUAL(count_tapes(&s), 0);
	stage_drop(&s);
}

/* --- private --- */

static void check_private(struct stage *s)
{
	CHECK(strstr(pty_row(s->pty, pty_rows(s->pty) - 1), "private"), "the status bar says: %s", pty_row(s->pty, pty_rows(s->pty) - 1));
}

static void say_in_private(struct stage *s)
{
	check_private(s);
	stage_turn(s, "ask about xylophones", "Quokkas play them.");
	check_private(s);
	pty_type(s->pty, "zanzibar, unsent");
	PTY_SEES(s->pty, "zanzibar, unsent");
	pty_signal(s->pty, SIGTERM);
	PTY_ENDS(s->pty, 128 + SIGTERM);
	for (size_t i = 0; i < ARRAY_LEN(deleted); i++)
		CHECK(!is_on_disk(s, deleted[i]), "a file holds %s", deleted[i]);
}

static void what_is_private_is_kept_nowhere(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "alpha", "First answer.");
	CHECK(!strstr(pty_row(s.pty, pty_rows(s.pty) - 1), "private"), "%s", pty_dump(s.pty));
	pty_enter(s.pty, "/private");
	PTY_SEES(s.pty, "private from here on");
	say_in_private(&s);
	CHECK(is_on_disk(&s, "First answer."), "what was said before is kept");
	CU_ASSERT_EQUAL(count_tapes(&s), 1);
	stage_drop(&s);
}

static void the_narrowest_bar_says_private(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .rows = 6, .columns = 20 });
	stage_turn(&s, "alpha", "First.");
	CHECK(!strstr(pty_row(s.pty, pty_rows(s.pty) - 1), "private"), "%s", pty_dump(s.pty));
	pty_enter(s.pty, "/private");
	PTY_SEES(s.pty, "private from here");
	check_private(&s);
	stage_drop(&s);
}

static void nothing_is_kept_where_that_was_said(void)
{
	const struct stage_options ways[] = { { .top = "history = no\n", .has_no_history = true }, { .arguments = LIST("--no-history"), .has_no_history = true } };

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		struct stage s;

		stage_open(&s, &ways[i]);
		say_in_private(&s);
		CU_ASSERT_EQUAL(count_tapes(&s), 0);
		CHECK(!home_has(s.home, ".local/share/weir/history.db"), "way %zu: there is a history", i);
		stage_drop(&s);
	}
}

/* The setting `chat` is about `weir ask`, and tapes are not prompts. */
static void prompts_and_the_draft_are_kept(void)
{
	const struct stage_options ways[] = { { .top = "" }, { .top = "history = chat\n" }, { .top = "tapes = 0\n" } };

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		struct stage s;

		stage_open(&s, &ways[i]);
		stage_turn(&s, "ask about xylophones", "Quokkas play them.");
		pty_type(s.pty, "zanzibar, unsent");
		PTY_SEES(s.pty, "zanzibar, unsent");
		pty_signal(s.pty, SIGTERM);
		PTY_ENDS(s.pty, 128 + SIGTERM);
		CHECK(is_below(&s, ".local/state/weir/prompts", "xylophones") && is_below(&s, ".local/state/weir/draft", "zanzibar"), "way %zu", i);
		stage_drop(&s);
	}
}

const struct suite suite_screen_kept = { "screen_kept", (const struct test[]){
	TEST(the_end_of_an_answer_is_stored_at_once),
	TEST(a_broken_turn_is_shown_and_goes_on),
	TEST(a_tape_that_holds_more_is_taken_in),
	TEST(a_tape_that_holds_less_is_not),
	TEST(what_the_tree_deletes_is_on_no_file),
	TEST(another_program_has_it_open_meanwhile),
	TEST(what_could_not_be_stored_is_deleted_too),
	TEST(the_first_prompt_is_the_title_no_more),
	TEST(a_conversation_without_turns_leaves_no_words),
	TEST(what_is_private_is_kept_nowhere),
	TEST(the_narrowest_bar_says_private),
	TEST(nothing_is_kept_where_that_was_said),
	TEST(prompts_and_the_draft_are_kept),
	{ 0 },
} };
