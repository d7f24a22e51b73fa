#include "chat/conversation/conversation.h"
#include "stored.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/history/history_inside.h"
#include "store/maintain/maintain.h"
#include "support/check.h"
#include "support/home.h"
#include "wire/protocol/protocol.h"

#define FILE_NAME ".local/share/weir/" HISTORY_FILE
#define HOUR_MS ((int64_t)3600 * 1000)

/* A program that was just started may maintain its history at the same time. */
static void maintain(void)
{
	int64_t end_ms = check_now_ms() + CHECK_PATIENCE_MS;
	enum history_status status;
	struct maintain_result result;
	struct error err = { "" };

	while ((status = history_maintain(&(struct maintain_options){ 0 }, &result, &err)) == HISTORY_BUSY && check_now_ms() < end_ms)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	CHECK(status == HISTORY_OK, "%s", err.text);
	maintain_result_fini(&result);
}

static void put(struct history *h, int64_t conversation, int64_t parent, const struct turn *t, int64_t *node)
{
	struct error err = { "" };

	*node = 0;
	CHECK(history_put_turn(h, conversation, parent, t, node, &err) == HISTORY_OK, "%s", err.text);
}

static void write_one(struct history *h, const struct stored *s)
{
	int64_t at_ms = (int64_t)time(NULL) * 1000 - s->hours * HOUR_MS - HOUR_MS / 2, id = 0, asked, answered;
	struct history_conversation facts = { .title = s->title, .titled_by = "prompt", .created_ms = at_ms, .updated_ms = at_ms,
	                                      .held = s->asked ? HISTORY_HELD_BY_ASK : HISTORY_HELD_BY_CHAT };
	struct conversation *c = conversation_new();
	struct error err = { "" };

	CHECK(history_begin(h, &facts, &id, &err) == HISTORY_OK, "%s", err.text);
	struct turn *t = conversation_ask(c);
	turn_add(t, PART_TEXT, str_from(s->prompt), STR_NONE, STR_NONE);
	t->wall = at_ms / 1000;
	put(h, id, 0, t, &asked);
	t = conversation_answer(c, STR("openai"), protocol_at(0), str_from(s->model));
	turn_add(t, PART_TEXT, str_from(s->answer), STR_NONE, STR_NONE);
	t->wall = at_ms / 1000;
	t->ended = true;
	t->usage.of[USAGE_PROMPT] = (struct count)COUNT_SENT(10);
	t->usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(s->tokens);
	t->reported = MONEY(0.0421);
	put(h, id, asked, t, &answered);
	if (s->pinned)
		CHECK(history_pin(h, id, true, &err) == HISTORY_OK, "%s", err.text);
	/* writing it made it the newest */
	database_do(h->db, "UPDATE conversation SET updated = ? WHERE id = ?", VALUES(INTEGER(at_ms), INTEGER(id)));
	conversation_free(c);
}

void stored_write(const char *home, const struct stored *conversations, size_t count)
{
	enum history_status status;
	struct error err = { "" };

	home_write(home, ".local/share/weir/none", "");
	setenv("XDG_DATA_HOME", home_path(home, ".local/share"), 1);
	maintain();
	struct history *h = history_open(CHECK_PATIENCE_MS, &status, &err);
	CHECK(h != NULL, "%s", err.text);
	for (size_t i = 0; h && i < count; i++)
		write_one(h, &conversations[i]);
	history_close(h);
	maintain();
	unsetenv("XDG_DATA_HOME");
}

void stored_prepare(const char *home)
{
	static struct buf file; /* of an empty history; the same for all tests of a suite */
	struct error err = { "" };

	if (!file.len) {
		char *model = home_new();

		stored_write(model, NULL, 0);
		CHECK(buf_read_file(&file, home_path(model, FILE_NAME), &err), "%s", err.text);
		home_free(model);
	}
	if (home_has(home, FILE_NAME))
		return;
	int fd = open(home_write(home, FILE_NAME, ""), O_WRONLY | O_CLOEXEC);
	CU_ASSERT_FATAL(fd >= 0 && fchmod(fd, 0600) == 0 && str_write(buf_str(&file), fd) == 0);
	close(fd);
}
