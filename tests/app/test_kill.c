/*
 * Programs that are killed (SIGKILL) while an answer streams: what they committed is there afterwards, nothing else than what was sent is,
 * and each conversation opens and can be gone on with.
 *
 * `make check` kills when it knows what is committed, so that no time matters. `make kill-sweep` kills WEIR_KILLS programs at random
 * moments: they lose what was sent in the last second at most.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/keeper.h"
#include "app/program.h"
#include "base/mem.h"
#include "store/history_inside.h"
#include "support/check.h"
#include "support/hand.h"

#define VICTIMS 10           /* at once, in one history */
#define PIECES_MOST 600
#define PIECE_MS 8
#define SLACK_MS 300         /* of a loaded machine, beside KEEPER_PAUSE_MS */
#define LOOKS_MOST 1500
#define LOOK_US 20000

enum piece { PIECE_REASONING, PIECE_TEXT, PIECE_ARGUMENTS, PIECE_KINDS };
static const enum part_kind part_kinds[PIECE_KINDS] = { PART_REASONING, PART_TEXT, PART_TOOL_CALL };

struct victim {
	struct hand *server;
	struct program program;
	char question[20];
	unsigned turns[PIECE_KINDS];     /* number of pieces of reasoning and of text; arguments follow */
	unsigned sent;
	int64_t sent_ms[PIECES_MOST];
	size_t lengths[PIECES_MOST];     /* of the part, after that piece */
	struct buf parts[PIECE_KINDS];   /* what was sent */
	int64_t kill_ms;                 /* when to kill it; 0: it is dead */
};

static struct victim victims[VICTIMS];
static char data[160];
static struct error err;
static unsigned seed = 11;

/* --- sending --- */

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static enum piece piece_of(const struct victim *v, unsigned number)
{
	return number < v->turns[PIECE_REASONING] ? PIECE_REASONING : number < v->turns[PIECE_REASONING] + v->turns[PIECE_TEXT] ? PIECE_TEXT :
	       PIECE_ARGUMENTS;
}

static void send_piece(struct victim *v)
{
	enum piece kind = piece_of(v, v->sent);
	struct buf *part = &v->parts[kind];
	char words[40], delta[200];

	if (v->sent == PIECES_MOST)
		return;
	snprintf(words, sizeof words, "%s %u of it,", kind == PIECE_ARGUMENTS && !part->len ? "[" : "", v->sent);
	buf_add_z(part, words);
	if (kind == PIECE_REASONING)
		hand_reasoning(v->server, words);
	else if (kind == PIECE_TEXT)
		hand_text(v->server, words);
	else {
		snprintf(delta, sizeof delta, "{\"tool_calls\":[{\"index\":0,\"id\":\"t\",\"function\":{\"name\":\"f\",\"arguments\":\"%s\"}}]}", words);
		hand_delta(v->server, delta);
	}
	v->sent_ms[v->sent] = now_ms();
	v->lengths[v->sent++] = part->len;
}

/* --- a victim --- */

static void start_victim(struct victim *v, unsigned number)
{
	char name[20];

	*v = (struct victim){ .turns = { check_random(&seed) % 60, check_random(&seed) % 150 } };
	v->server = hand_new();
	snprintf(v->question, sizeof v->question, "question%u", number);
	snprintf(name, sizeof name, "weir.conf.%u", number % VICTIMS);
	program_start(&v->program, ARGS("ask", "--config", folder_file(name, hand_settings(v->server, "")), "-p", "hand", "--no-stdin", v->question),
	              ARGS(data));
	program_end_input(&v->program);
	CU_ASSERT_TRUE(hand_accept(v->server));
	hand_begin(v->server);
}

static void kill_victim(struct victim *v)
{
	kill(v->program.pid, SIGKILL);
	program_wait(&v->program);
	v->kill_ms = 0;
}

static void free_victim(struct victim *v)
{
	program_free(&v->program);
	hand_free(v->server);
	for (int i = 0; i < PIECE_KINDS; i++)
		buf_fini(&v->parts[i]);
}

/* --- what is stored --- */

struct found {
	struct conversation *conversation;
	struct turn *answer; /* NULL: it is not there */
};

/* Reads the answer to a question. It is not there before its first row was written. */
static struct found find_answer(struct history *h, const char *question)
{
	struct found found = { .conversation = conversation_new() };
	int64_t row = database_integer(h->db, "SELECT node.id FROM node JOIN conversation ON conversation.id = node.conversation "
	                               "WHERE title = ? AND role = 'assistant'", VALUES(TEXT(str_from(question))), 0);

	if (!row)
		return found;
	found.answer = conversation_answer(found.conversation, STR(""), NULL, STR(""));
	CHECK(history_read_turn(h, row, found.answer, &err) == HISTORY_OK, "%s: %s", question, err.text);
	return found;
}

static struct str stored_part(const struct found *found, enum piece kind)
{
	for (size_t i = 0; found->answer && i < found->answer->part_count; i++)
		if (found->answer->parts[i].kind == part_kinds[kind])
			return buf_str(&found->answer->parts[i].text);
	return STR("");
}

static struct history *open_history(void)
{
	enum history_status status;
	struct history *h = history_open(2000, &status, &err);

	CHECK(h, "%s", err.text);
	return h;
}

static bool has_all(struct history *h, const struct victim *v)
{
	struct found found = find_answer(h, v->question);
	bool all = true;

	for (int i = 0; i < PIECE_KINDS; i++)
		all = all && str_equal(stored_part(&found, (enum piece)i), buf_str(&v->parts[i]));
	conversation_free(found.conversation);
	return all;
}

/* `least`: number of pieces that have to be there. */
static void check_victim(struct history *h, const struct victim *v, unsigned least)
{
	struct found found = find_answer(h, v->question);

	CHECK(!least || found.answer, "%s: no answer is there", v->question);
	for (int i = 0; i < PIECE_KINDS; i++) {
		struct str part = stored_part(&found, (enum piece)i);
		size_t length = 0;

		for (unsigned n = 0; n < least; n++)
			if ((int)piece_of(v, n) == i)
				length = v->lengths[n];
		CHECK(part.len <= v->parts[i].len && str_equal(part, str_head(buf_str(&v->parts[i]), part.len)), "%s: part %d was not sent so: %.*s",
		      v->question, i, STR_ARG(part));
		CHECK(part.len >= length, "%s: part %d has %zu of %zu bytes", v->question, i, part.len, length);
	}
	CHECK(!found.answer || (found.answer->ended && found.answer->outcome == OUTCOME_CUT), "%s: it is not told as cut", v->question);
	conversation_free(found.conversation);
}

/* --- the history of all of them --- */

static void begin(void)
{
	struct tend_result result;

	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", folder_path());
	setenv("XDG_DATA_HOME", strchr(data, '=') + 1, 1);
	CHECK(history_tend(&(struct tend_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	tend_result_fini(&result);
}

static void end(void)
{
	struct tend_result result;

	CHECK(history_tend(&(struct tend_options){ .check = true }, &result, &err) == HISTORY_OK, "%s", err.text);
	CHECK(!result.damaged, "the file is damaged: %s", result.damaged);
	tend_result_fini(&result);
	unsetenv("XDG_DATA_HOME");
	folder_remove();
}

/* --- tests --- */

/* Each is killed after more was sent than it has committed. */
static void what_was_committed_is_there(void)
{
	unsigned committed[VICTIMS];

	begin();
	for (unsigned i = 0; i < VICTIMS; i++) {
		start_victim(&victims[i], i);
		for (unsigned n = 1 + check_random(&seed) % 250; n; n--)
			send_piece(&victims[i]);
		committed[i] = victims[i].sent;
	}
	struct history *h = open_history();
	for (unsigned i = 0, looks = 0; h && i < VICTIMS && looks < LOOKS_MOST; looks++)
		if (has_all(h, &victims[i]))
			i++;
		else
			usleep(LOOK_US);
	history_close(h);
	for (unsigned i = 0; i < VICTIMS; i++) {
		for (unsigned n = check_random(&seed) % 50; n; n--)
			send_piece(&victims[i]);
		kill_victim(&victims[i]);
	}
	h = open_history();
	for (unsigned i = 0; h && i < VICTIMS; i++)
		check_victim(h, &victims[i], committed[i]);
	history_close(h);
	for (unsigned i = 0; i < VICTIMS; i++)
		free_victim(&victims[i]);
	end();
}

/* The pieces that were sent a second before it is killed, or earlier. */
static unsigned sent_before(const struct victim *v, int64_t kill_ms)
{
	unsigned count = 0;

	while (count < v->sent && v->sent_ms[count] <= kill_ms - KEEPER_PAUSE_MS - SLACK_MS)
		count++;
	return count;
}

static void kill_at_random(unsigned first)
{
	unsigned least[VICTIMS], alive = VICTIMS;

	for (unsigned i = 0; i < VICTIMS; i++)
		start_victim(&victims[i], first + i);
	for (unsigned i = 0; i < VICTIMS; i++)
		victims[i].kill_ms = now_ms() + 50 + check_random(&seed) % 4000;
	for (; alive; usleep(PIECE_MS * 1000))
		for (unsigned i = 0; i < VICTIMS; i++) {
			struct victim *v = &victims[i];

			if (v->kill_ms && now_ms() >= v->kill_ms) {
				least[i] = sent_before(v, now_ms());
				kill_victim(v);
				alive--;
			} else if (v->kill_ms) {
				send_piece(v);
			}
		}
	struct history *h = open_history();
	for (unsigned i = 0; i < VICTIMS; i++) {
		if (h)
			check_victim(h, &victims[i], least[i]);
		free_victim(&victims[i]);
	}
	history_close(h);
}

static void one_second_is_lost_at_most(void)
{
	const char *kills = getenv("WEIR_KILLS");

	if (!kills) {
		check_skip("it takes minutes: make kill-sweep");
		return;
	}
	for (unsigned i = 0; i < (unsigned)atoi(kills); i += VICTIMS) {
		begin();
		kill_at_random(i);
		end();
	}
}

const struct suite suite_kill = { "kill", (const struct test[]){ TEST(what_was_committed_is_there), TEST(one_second_is_lost_at_most), { 0 } } };
