#include "store/shelf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "store/turns.h"
#include "support/check.h"
#include "support/home.h"
#include "wire/protocol/protocol.h"

static char *home;
static struct error err;

void shelf_begin(void)
{
	home = home_new();
	setenv("XDG_DATA_HOME", shelf_path("data"), 1);
}

void shelf_end(void)
{
	unsetenv("XDG_DATA_HOME");
	home_free(home);
}

const char *shelf_path(const char *name)
{
	return home_path(home, name);
}

const char *shelf_home(void)
{
	return home;
}

void shelf_maintain(void)
{
	struct maintain_result result;

	CHECK(history_maintain(&(struct maintain_options){ 0 }, &result, &err) == HISTORY_OK, "%s", err.text);
	maintain_result_fini(&result);
}

struct history *shelf_open(void)
{
	enum history_status status;
	struct history *h = history_open(0, &status, &err);

	CHECK(h && status == HISTORY_OK, "%s", err.text);
	return h;
}

/* Runs SQL on the file while nobody has it open. */
void shelf_sql(const char *words)
{
	enum database_status status;
	struct database *db = database_open(shelf_path(SHELF_FILE), DATABASE_WRITE, 0, &status, &err);

	CU_ASSERT_PTR_NOT_NULL_FATAL(db);
	database_script(db, words);
	CHECK(database_status(db) == DATABASE_OK, "%s", database_message(db));
	database_close(db);
}

int64_t shelf_conversation(struct history *h, const char *title)
{
	int64_t id = 0;

	CHECK(history_begin(h, &(struct history_conversation){ .title = title, .titled_by = "prompt" }, &id, &err) == HISTORY_OK, "%s", err.text);
	return id;
}

void shelf_put(struct history *h, int64_t conversation, int64_t parent, const struct turn *t, int64_t *node)
{
	CHECK(history_put_turn(h, conversation, parent, t, node, &err) == HISTORY_OK, "%s", err.text);
}

void shelf_check_read(struct history *h, int64_t node, const struct turn *written)
{
	struct conversation *c = conversation_new();
	struct turn *t = written->role == TURN_USER ? conversation_ask(c) : conversation_answer(c, STR("p"), NULL, STR("m"));

	CHECK(history_read_turn(h, node, t, &err) == HISTORY_OK, "%s", err.text);
	turns_check_equal(t, written);
	conversation_free(c);
}

/* A prompt and its answer. Returns the answer's node. */
int64_t shelf_exchange(struct history *h, int64_t conversation, int64_t parent, const char *question, const char *words)
{
	struct conversation *c = conversation_new();
	struct turn *prompt = conversation_ask(c), *answer;
	int64_t first = 0, second = 0;

	turn_add(prompt, PART_TEXT, str_from(question), STR_NONE, STR_NONE);
	shelf_put(h, conversation, parent, prompt, &first);
	answer = conversation_answer(c, STR("prov"), protocol_at(0), STR("model"));
	turn_delta(answer, &(struct delta){ .kind = DELTA_TEXT, .text = str_from(words) });
	answer->usage.of[USAGE_PROMPT] = (struct count)COUNT_SENT(10);
	answer->usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(5);
	turn_set_prices(answer, &(struct prices){ .of = { [USAGE_PROMPT] = MONEY(1), [USAGE_COMPLETION] = MONEY(2) } }, "the test");
	turns_end(answer, OUTCOME_COMPLETE, 100);
	shelf_put(h, conversation, first, answer, &second);
	conversation_free(c);
	return second;
}

/* --- what is listed --- */

bool shelf_see(void *ctx, const struct history_conversation *c)
{
	struct shelf_seen *seen = ctx;

	snprintf(seen->titles + strlen(seen->titles), sizeof seen->titles - strlen(seen->titles), "%s ", c->title ? c->title : "-");
	seen->last = *c;
	return true;
}

void shelf_check_list(struct history *h, const struct history_conversation *after, size_t limit, const char *titles, struct shelf_seen *seen)
{
	*seen = (struct shelf_seen){ .titles = "" };
	CHECK(history_list(h, after, limit, shelf_see, seen, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT_STRING_EQUAL(seen->titles, titles);
}

void shelf_check_find(struct history *h, const char *name, int64_t expected)
{
	int64_t found = -1;
	enum history_status status = history_find(h, str_from(name), &found, &err);

	CHECK(found == expected && status == (expected ? HISTORY_OK : HISTORY_GONE), "%s: %lld, not %lld", name, (long long)found,
	      (long long)expected);
}

static bool see_node(void *ctx, const struct history_node *node)
{
	struct shelf_tree *tree = ctx;

	snprintf(tree->labels[tree->count], 20, "%s", node->label ? node->label : "");
	tree->nodes[tree->count++] = *node;
	return true;
}

struct shelf_tree shelf_tree(struct history *h, int64_t conversation)
{
	struct shelf_tree tree = { .count = 0 };

	CHECK(history_nodes(h, conversation, see_node, &tree, &err) == HISTORY_OK, "%s", err.text);
	return tree;
}

bool shelf_see_hit(void *ctx, const struct history_hit *hit)
{
	struct buf *out = ctx;

	buf_printf(out, "%s: %s\n", hit->conversation.title, hit->snippet ? hit->snippet : hit->node ? "?" : "title");
	return true;
}

struct place { struct history *h; const char *words; };

/* A snippet on demand marks words, as that of the search does. */
static bool see_place(void *ctx, const struct history_hit *hit)
{
	const struct place *place = ctx;
	char *snippet = hit->text ? history_snippet(place->h, str_from(place->words), hit->text, NULL) : NULL;

	CU_ASSERT_PTR_NULL(hit->snippet);
	CHECK(!hit->node || (snippet && strstr(snippet, HISTORY_HIT_BEGIN)), "%s: no snippet", place->words);
	mem_free(snippet);
	return true;
}

static void check_steps(struct history *h, const char *words)
{
	struct history_search *s = history_search_new(str_from(words), 10);
	bool more = true;

	while (more)
		CHECK(history_search_step(h, s, see_place, &(struct place){ h, words }, &more, &err) == HISTORY_OK, "%s: %s", words, err.text);
	history_search_free(s);
}

void shelf_check_search(struct history *h, const char *words, const char *expected)
{
	struct buf found = { 0 };

	CHECK(history_search(h, str_from(words), 10, NULL, shelf_see_hit, &found, &err) == HISTORY_OK, "%s: %s", words, err.text);
	check_steps(h, words);
	CHECK(!strcmp(buf_z(&found), expected), "%s: %s", words, buf_z(&found));
	buf_fini(&found);
}

/* --- deleted --- */

/* Whether a file below the home holds the words. */
bool shelf_any_file_has(const char *words)
{
	char command[400];

	snprintf(command, sizeof command, "grep -rqaiF '%s' '%s'", words, home);
	return system(command) == 0;
}

static void see_tape(void *ctx, const char *path)
{
	buf_printf(ctx, "%s\n", path);
}

struct maintain_result shelf_purge(struct buf *tapes)
{
	struct maintain_options options = { .purge = true, .tape = tapes ? see_tape : NULL, .ctx = tapes };
	struct maintain_result result;

	CHECK(history_maintain(&options, &result, &err) == HISTORY_OK, "%s", err.text);
	return result;
}
