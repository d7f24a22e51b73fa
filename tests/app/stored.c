#include "chat/conversation/conversation.h"
#include "stored.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	char data[300];

	snprintf(data, sizeof data, "%s/.local/share", home);
	setenv("XDG_DATA_HOME", data, 1);
	maintain();
	struct history *h = history_open(CHECK_PATIENCE_MS, &status, &err);
	CHECK(h != NULL, "%s", err.text);
	for (size_t i = 0; h && i < count; i++)
		write_one(h, &conversations[i]);
	history_close(h);
	maintain();
	unsetenv("XDG_DATA_HOME");
}

static void read_empty(struct buf *out)
{
	char *home = home_new(), path[300];
	struct error err = { "" };

	stored_write(home, NULL, 0);
	snprintf(path, sizeof path, "%s/" FILE_NAME, home);
	CHECK(buf_read_file(out, path, &err), "%s", err.text);
	home_free(home);
}

/* What home_path() returned before is left as it is, and so is the variable: callers may use them. */
void stored_prepare(const char *home)
{
	static struct buf file; /* of an empty history; the same for all tests of a suite */
	char path[300], data[300] = "";
	struct stat facts;
	int fd;

	snprintf(path, sizeof path, "%s/" FILE_NAME, home);
	if (lstat(path, &facts) == 0)
		return;
	snprintf(data, sizeof data, "%s", getenv("XDG_DATA_HOME") ? getenv("XDG_DATA_HOME") : "");
	if (!file.len)
		read_empty(&file);
	for (char *slash = path + strlen(home); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	CU_ASSERT_FATAL(fd >= 0 && str_write(buf_str(&file), fd) == 0);
	close(fd);
	if (*data)
		setenv("XDG_DATA_HOME", data, 1);
}
