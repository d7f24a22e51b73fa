/*
 * Programs that are killed (SIGKILL) while an answer streams, `weir ask` and the full screen: what they committed is there afterwards, nothing
 * else than what was sent is, each conversation opens, has what the tape holds and what was on the screen, and can be gone on with.
 *
 * `make check` kills when it knows what is committed, so that no time matters. `make kill-sweep` kills WEIR_KILLS programs of each kind at
 * random moments: they lose what came in the last second at most.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/keep/writer.h"
#include "app/program.h"
#include "app/stage.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "net/tape.h"
#include "store/history/history_inside.h"
#include "support/check.h"

#define VICTIMS_MOST 10      /* at once, in one history */
#define PIECES_MOST 600
#define PIECE_MS 8
#define SLACK_MS 300         /* of a loaded machine, beside WRITER_PAUSE_MS */
#define LOOKS_MOST 1500
#define LOOK_US 20000

enum piece { PIECE_REASONING, PIECE_TEXT, PIECE_ARGUMENTS, PIECE_KINDS };
static const enum part_kind part_kinds[PIECE_KINDS] = { PART_REASONING, PART_TEXT, PART_TOOL_CALL };

struct victim;

/* A kind of program that is killed. */
struct kind {
	void (*start)(struct victim *v, const char *config);
	void (*look)(struct victim *v);  /* takes what it has written so far; NULL: nothing is to be taken */
	void (*end)(struct victim *v);   /* kills it */
	unsigned at_once;                /* in `make check` */
};

struct victim {
	const struct kind *kind;
	struct hand *server;
	struct program program;          /* of `weir ask` */
	struct pty *pty;                 /* of the full screen */
	unsigned shown;                  /* number of pieces up to the last one on its screen */
	const char *config;
	char question[20];
	unsigned turns[PIECE_KINDS];     /* number of pieces of reasoning and of text; arguments follow */
	unsigned sent;
	int64_t sent_ms[PIECES_MOST];
	size_t lengths[PIECES_MOST];     /* of the part, after that piece */
	struct buf parts[PIECE_KINDS];   /* what was sent */
	int64_t kill_ms;                 /* when to kill it; 0: it is dead */
};

static struct victim victims[VICTIMS_MOST];
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

/* --- the kinds of victims --- */

static void ask_start(struct victim *v, const char *config)
{
	program_start(&v->program, ARGS("ask", "--config", config, "-p", "hand", "--no-stdin", v->question), ARGS(data));
	program_end_input(&v->program);
}

static void ask_end(struct victim *v)
{
	kill(v->program.pid, SIGKILL);
	program_wait(&v->program);
	program_free(&v->program);
}

static void screen_start(struct victim *v, const char *config)
{
	v->pty = pty_start(&(struct pty_options){ .home = folder_path(), .arguments = LIST("--config", config), .environment = LIST(data) });
	pty_wait(v->pty, stage_has_state, "ready", "the state ready", __FILE__, __LINE__);
	pty_enter(v->pty, v->question);
}

static void screen_look(struct victim *v)
{
	pty_pump(v->pty);
}

/* The numbers of pieces grow down the screen, so the last one is the largest. */
static unsigned screen_last_piece(const char *screen)
{
	unsigned count = 0, number;

	for (const char *at = screen; (at = strstr(at, " of it,")); at++) {
		const char *digits = at;

		while (digits > screen && digits[-1] >= '0' && digits[-1] <= '9')
			digits--;
		if (digits < at && sscanf(digits, "%u", &number) == 1 && number >= count)
			count = number + 1;
	}
	return count;
}

static void screen_end(struct victim *v)
{
	pty_signal(v->pty, SIGKILL);
	PTY_ENDS(v->pty, 128 + SIGKILL);
	v->shown = screen_last_piece(pty_dump(v->pty));
	pty_free(v->pty);
}

static const struct kind asking = { ask_start, NULL, ask_end, VICTIMS_MOST }, on_screen = { screen_start, screen_look, screen_end, 5 };

/* --- a victim --- */

static void start_victim(struct victim *v, const struct kind *kind, unsigned number)
{
	char name[20];

	*v = (struct victim){ .kind = kind, .turns = { check_random(&seed) % 60, check_random(&seed) % 150 } };
	v->server = hand_new();
	snprintf(v->question, sizeof v->question, "question%u", number);
	snprintf(name, sizeof name, "weir.conf.%u", number % VICTIMS_MOST);
	v->config = folder_file(name, hand_settings(v->server, ""));
	kind->start(v, v->config);
	CU_ASSERT_TRUE(hand_accept(v->server));
	hand_begin(v->server);
}

static void look_at_victim(struct victim *v)
{
	if (v->kind->look)
		v->kind->look(v);
}

static void kill_victim(struct victim *v)
{
	v->kind->end(v);
	v->kill_ms = 0;
}

static void free_victim(struct victim *v)
{
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

static struct str part_of(const struct turn *t, enum piece kind)
{
	for (size_t i = 0; t && i < t->part_count; i++)
		if (t->parts[i].kind == part_kinds[kind])
			return buf_str(&t->parts[i].text);
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
		all = all && str_equal(part_of(found.answer, (enum piece)i), buf_str(&v->parts[i]));
	conversation_free(found.conversation);
	return all;
}

/* --- what is there after the kill --- */

/* Everything of `t` was sent, and of what was sent the first `least` pieces are there. */
static void check_pieces(const struct victim *v, const struct turn *t, unsigned least, const char *where)
{
	CHECK(!least || t, "%s: no answer is %s", v->question, where);
	for (int i = 0; i < PIECE_KINDS; i++) {
		struct str part = part_of(t, (enum piece)i);
		size_t length = 0;

		for (unsigned n = 0; n < least; n++)
			if ((int)piece_of(v, n) == i)
				length = v->lengths[n];
		CHECK(part.len <= v->parts[i].len && str_equal(part, str_head(buf_str(&v->parts[i]), part.len)), "%s: part %d %s was not sent so: %.*s",
		      v->question, i, where, STR_ARG(part));
		CHECK(part.len >= length, "%s: part %d %s has %zu of %zu bytes", v->question, i, where, part.len, length);
	}
	CHECK(!t || (t->ended && t->outcome == OUTCOME_CUT), "%s: %s it is not told as cut", v->question, where);
}

static void check_holds(const struct victim *v, const struct turn *t, const struct turn *other, const char *where)
{
	for (int i = 0; i < PIECE_KINDS; i++)
		CHECK(part_of(t, (enum piece)i).len >= part_of(other, (enum piece)i).len, "%s: part %d %s has %zu bytes and not %zu", v->question, i, where,
		      part_of(t, (enum piece)i).len, part_of(other, (enum piece)i).len);
}

struct taped {
	struct conversation *conversation;
	struct turn *whole;       /* what the tape holds */
	struct turn *earlier;     /* what had come a second before the last bytes */
	double limit_ms;
};

static void take_taped(void *ctx, const struct delta *delta)
{
	struct taped *taped = ctx;

	turn_delta(taped->whole, delta);
	if (delta->at_ms <= taped->limit_ms)
		turn_delta(taped->earlier, delta);
}

static double last_bytes_ms(const struct tape *tape)
{
	size_t n = tape_length(tape);

	while (n && tape_at(tape, n - 1).kind != TAPE_BODY)
		n--;
	return n ? tape_at(tape, n - 1).at_ms : 0;
}

/* Without a tape it holds nothing. */
static struct taped read_tape(const char *path)
{
	struct taped taped = { .conversation = conversation_new() };
	struct stream *stream;
	struct tape *tape;

	taped.whole = conversation_answer(taped.conversation, STR(""), NULL, STR(""));
	taped.earlier = conversation_answer(taped.conversation, STR(""), NULL, STR(""));
	if (!path || !tape_open(&tape, path, &err))
		return taped;
	taped.limit_ms = last_bytes_ms(tape) - WRITER_PAUSE_MS - SLACK_MS;
	stream = stream_new(&(struct stream_options){ .protocol = protocol_find(tape_facts(tape)->protocol) }, take_taped, &taped);
	tape_feed(tape, stream, 0, NULL, NULL);
	stream_free(stream);
	tape_free(tape);
	return taped;
}

/* A program opens it and reads all of it, which takes in the tape. */
static void open_again(struct history *h, const struct victim *v)
{
	struct rows *r = database_rows(h->db, "SELECT key FROM conversation WHERE title = ?", VALUES(TEXT(str_from(v->question))));
	char *key = rows_next(r) ? row_copy(r, 0) : NULL, save[120];
	struct program p;

	rows_end(r);
	snprintf(save, sizeof save, "/save %s/%s.json\n", folder_path(), v->question);
	if (key) {
		program_run(&p, str_from(save), ARGS("--plain", "--config", v->config, "--conversation", key), ARGS(data));
		CHECK(p.status == 0 && !p.errors.len, "%s: it does not open: %d, %s", v->question, p.status, buf_z(&p.errors));
		program_free(&p);
	}
	mem_free(key);
}

/* `least`: number of pieces that have to be in the history, `least_opened`: and when the conversation has been opened, with its tape. */
static void check_victim(struct history *h, const struct victim *v, unsigned least, unsigned least_opened)
{
	struct found found = find_answer(h, v->question), opened;
	struct taped taped = read_tape(found.answer ? found.answer->tape : NULL);

	check_pieces(v, found.answer, least, "in the history");
	check_holds(v, found.answer, taped.earlier, "in the history");
	open_again(h, v);
	opened = find_answer(h, v->question);
	check_pieces(v, opened.answer, least_opened > v->shown ? least_opened : v->shown, "after opening it");
	check_holds(v, opened.answer, found.answer, "after opening it");
	check_holds(v, opened.answer, taped.whole, "after opening it");
	conversation_free(opened.conversation);
	conversation_free(taped.conversation);
	conversation_free(found.conversation);
}

/* --- the history of all of them --- */

/* A program that was opened again may still have it maintained. */
static void maintain(bool check, struct maintain_result *result)
{
	enum history_status status = HISTORY_BUSY;

	for (int looks = 0; status == HISTORY_BUSY && looks < LOOKS_MOST; looks++) {
		status = history_maintain(&(struct maintain_options){ .check = check }, result, &err);
		if (status == HISTORY_BUSY)
			usleep(LOOK_US);
	}
	CHECK(status == HISTORY_OK, "%s", err.text);
}

static void begin(void)
{
	struct maintain_result result;

	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", folder_path());
	setenv("XDG_DATA_HOME", strchr(data, '=') + 1, 1);
	maintain(false, &result);
	maintain_result_fini(&result);
}

static void end(void)
{
	struct maintain_result result;

	maintain(true, &result);
	CHECK(!result.damaged, "the file is damaged: %s", result.damaged);
	maintain_result_fini(&result);
	unsetenv("XDG_DATA_HOME");
	folder_remove();
}

/* --- tests --- */

static void wait_until_all_is_committed(const struct kind *kind)
{
	struct history *h = open_history();

	for (unsigned i = 0, looks = 0; h && i < kind->at_once && looks < LOOKS_MOST; looks++) {
		for (unsigned n = 0; n < kind->at_once; n++)
			look_at_victim(&victims[n]);
		if (has_all(h, &victims[i]))
			i++;
		else
			usleep(LOOK_US);
	}
	history_close(h);
}

/* Each is killed after more was sent than it has committed. */
static void kill_after_commits(const struct kind *kind)
{
	unsigned committed[VICTIMS_MOST];
	struct history *h;

	begin();
	for (unsigned i = 0; i < kind->at_once; i++) {
		start_victim(&victims[i], kind, i);
		for (unsigned n = 1 + check_random(&seed) % 250; n; n--)
			send_piece(&victims[i]);
		committed[i] = victims[i].sent;
	}
	wait_until_all_is_committed(kind);
	for (unsigned i = 0; i < kind->at_once; i++) {
		for (unsigned n = check_random(&seed) % 50; n; n--)
			send_piece(&victims[i]);
		look_at_victim(&victims[i]);
		kill_victim(&victims[i]);
	}
	h = open_history();
	for (unsigned i = 0; h && i < kind->at_once; i++)
		check_victim(h, &victims[i], committed[i], committed[i]);
	history_close(h);
	for (unsigned i = 0; i < kind->at_once; i++)
		free_victim(&victims[i]);
	end();
}

static void what_ask_committed_is_there(void) { kill_after_commits(&asking); }
static void what_the_screen_committed_is_there(void) { kill_after_commits(&on_screen); }

/* The pieces that were sent a second before it is killed, or earlier. */
static unsigned sent_before(const struct victim *v, int64_t kill_ms)
{
	unsigned count = 0;

	while (count < v->sent && v->sent_ms[count] <= kill_ms - WRITER_PAUSE_MS - SLACK_MS)
		count++;
	return count;
}

static void kill_at_random(const struct kind *kind, unsigned first)
{
	unsigned least[VICTIMS_MOST], alive = VICTIMS_MOST;

	for (unsigned i = 0; i < VICTIMS_MOST; i++)
		start_victim(&victims[i], kind, first + i);
	for (unsigned i = 0; i < VICTIMS_MOST; i++)
		victims[i].kill_ms = now_ms() + 50 + check_random(&seed) % 4000;
	for (; alive; usleep(PIECE_MS * 1000))
		for (unsigned i = 0; i < VICTIMS_MOST; i++) {
			struct victim *v = &victims[i];

			if (v->kill_ms && now_ms() >= v->kill_ms) {
				least[i] = sent_before(v, now_ms());
				kill_victim(v);
				alive--;
			} else if (v->kill_ms) {
				send_piece(v);
				look_at_victim(v);
			}
		}
	struct history *h = open_history();
	for (unsigned i = 0; i < VICTIMS_MOST; i++) {
		if (h)
			check_victim(h, &victims[i], 0, least[i]);
		free_victim(&victims[i]);
	}
	history_close(h);
}

static void kill_many(const struct kind *kind)
{
	const char *kills = getenv("WEIR_KILLS");

	if (!kills) {
		check_skip("it takes minutes: make kill-sweep");
		return;
	}
	for (unsigned i = 0; i < (unsigned)atoi(kills); i += VICTIMS_MOST) {
		begin();
		kill_at_random(kind, i);
		end();
	}
}

static void ask_loses_one_second_at_most(void) { kill_many(&asking); }
static void the_screen_loses_one_second_at_most(void) { kill_many(&on_screen); }

const struct suite suite_kill = { "kill", (const struct test[]){
	TEST(what_ask_committed_is_there), TEST(what_the_screen_committed_is_there), TEST(ask_loses_one_second_at_most),
	TEST(the_screen_loses_one_second_at_most), { 0 },
} };
