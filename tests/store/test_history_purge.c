/* What is deleted for good. */
#include "store/shelf.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "support/home.h"

static struct error err;

/* A program that has read the whole list and waits until its standard input ends. */
static pid_t start_reader(int *hold)
{
	int pipes[2], ready[2];
	pid_t child;
	char byte;

	CU_ASSERT_FATAL(pipe(pipes) == 0 && pipe(ready) == 0);
	child = fork();
	if (child == 0) {
		struct shelf_seen seen = { .titles = "" };
		enum history_status status;
		struct history *h = history_open(0, &status, &err);

		close(pipes[1]);
		if (!h || history_list(h, NULL, 100, shelf_see, &seen, &err) != HISTORY_OK)
			_exit(1);
		(void)!write(ready[1], "x", 1);
		(void)!read(pipes[0], &byte, 1);
		_exit(0);
	}
	close(pipes[0]);
	close(ready[1]);
	CU_ASSERT(read(ready[0], &byte, 1) == 1);
	close(ready[0]);
	*hold = pipes[1];
	return child;
}

static void end_reader(pid_t child, int hold)
{
	int status;

	close(hold);
	CU_ASSERT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void no_file_holds_what_was_deleted(void)
{
	int64_t mark, one, two, keep, quagmire;
	struct maintain_result result;
	struct history *h;
	pid_t reader;
	int hold;

	shelf_begin();
	setenv("XDG_STATE_HOME", shelf_path("state"), 1);
	home_write(shelf_home(), "state/weir/prompts", "\"zanzibar question\"\n\"another\"\n\"zanzibar again\"\n");
	shelf_maintain();
	h = shelf_open();
	one = shelf_conversation(h, "xylophone");
	two = shelf_conversation(h, "kept");
	shelf_exchange(h, one, 0, "zanzibar question", "quokka answer");
	keep = shelf_exchange(h, two, 0, "other", "words that stay");
	for (int i = 0; i < 10; i++) /* one segment of the search, which nothing but a whole merge touches */
		shelf_exchange(h, one, 0, "zanzibar again", "more of the quokka");
	quagmire = shelf_exchange(h, two, keep, "quagmire below", "a node with a quagmire");
	history_close(h);
	shelf_maintain();
	h = shelf_open();
	shelf_exchange(h, one, 0, "zanzibar unindexed", "quokka");
	CU_ASSERT(shelf_any_file_has("zanzibar"));
	CU_ASSERT(history_delete(h, one, 0, &mark, &err) == HISTORY_OK);
	CU_ASSERT(history_delete(h, two, quagmire - 1, &mark, &err) == HISTORY_OK);
	history_close(h);
	reader = start_reader(&hold);
	result = shelf_purge(NULL);
	CU_ASSERT_FALSE(result.left);
	maintain_result_fini(&result);
	CU_ASSERT_FALSE(shelf_any_file_has("xylophone"));
	CU_ASSERT_FALSE(shelf_any_file_has("zanzibar"));
	CU_ASSERT_FALSE(shelf_any_file_has("quokka"));
	CU_ASSERT_FALSE(shelf_any_file_has("quagmire"));
	CU_ASSERT_TRUE(shelf_any_file_has("words that stay"));
	CU_ASSERT_TRUE(shelf_any_file_has("another"));
	unsetenv("XDG_STATE_HOME");
	end_reader(reader, hold);
	h = shelf_open();
	shelf_check_search(h, "zanzibar", "");
	shelf_check_search(h, "\"words that stay\"", "kept: \x02words that stay\x03\n");
	CU_ASSERT_TRUE(database_is_sound(h->db));
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM piece WHERE part NOT IN (SELECT id FROM part)", NO_VALUES, -1), 0);
	CHECK(database_status(h->db) == DATABASE_OK, "%s", database_message(h->db));
	history_close(h);
	shelf_end();
}

static void attachments_and_tapes_go_with_their_last_turn(void)
{
	struct conversation *c = conversation_new();
	struct turn *prompt = conversation_ask(c);
	int64_t one, two, node = 0, both = 0, other = 0, mark;
	struct buf tapes = { 0 };
	struct maintain_result result;
	struct history *h;

	shelf_begin();
	shelf_maintain();
	h = shelf_open();
	one = shelf_conversation(h, "one");
	two = shelf_conversation(h, "two");
	turn_add(prompt, PART_ATTACHMENT, STR("\x89PNG capybara \0 bytes"), STR(""), STR("a.png"));
	prompt->tape = mem_dup_z("/tapes/one.tape");
	shelf_put(h, one, 0, prompt, &node);
	str_replace(&prompt->tape, STR("/tapes/both.tape"));
	shelf_put(h, one, 0, prompt, &both);
	shelf_put(h, two, 0, prompt, &other);
	CU_ASSERT_EQUAL(database_integer(h->db, "SELECT count(*) FROM attachment", NO_VALUES, -1), 1);
	CU_ASSERT(history_delete(h, one, 0, &mark, &err) == HISTORY_OK);
	history_close(h);
	result = shelf_purge(&tapes);
	maintain_result_fini(&result);
	CHECK_STR(buf_str(&tapes), "/tapes/one.tape\n");
	h = shelf_open();
	shelf_check_read(h, other, prompt);
	CU_ASSERT(history_delete(h, two, 0, &mark, &err) == HISTORY_OK);
	history_close(h);
	result = shelf_purge(&tapes);
	maintain_result_fini(&result);
	CU_ASSERT_FALSE(shelf_any_file_has("capybara"));
	buf_fini(&tapes);
	conversation_free(c);
	shelf_end();
}

const struct suite suite_history_purge = { "history_purge", (const struct test[]){
	TEST(no_file_holds_what_was_deleted),
	TEST(attachments_and_tapes_go_with_their_last_turn),
	{ 0 },
} };
