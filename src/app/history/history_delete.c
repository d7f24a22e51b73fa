/* `weir history delete`: asks, deletes, and has the words removed from the file, with the tapes. */
#include "app/history/history_inside.h"

#include <unistd.h>

#include "app/keep/writer.h"
#include "app/options/options.h"
#include "base/mem.h"
#include "base/utf8.h"

#define TITLE_BYTES_MOST ((size_t)200)

static bool ask_about(void *yes, const struct history_conversation *c)
{
	struct buf title = { 0 };

	output_field(&title, str_head(str_from(c->title ? c->title : "a conversation without a title"), TITLE_BYTES_MOST));
	*(bool *)yes = confirm("Delete \"%s\" (%.8s, %lld %s) for good?", buf_z(&title), c->key, (long long)c->turns,
	                       c->turns == 1 ? "turn" : "turns");
	buf_fini(&title);
	return false;
}

/* Hides all of them. The next maintenance of the file deletes them. */
static int delete_all(struct history_call *call, const int64_t *conversations, size_t count, size_t *deleted)
{
	struct error err;

	for (size_t i = 0; i < count; i++) {
		bool yes = call->o->yes || call->o->force;
		int64_t mark;

		if (!yes && history_look(call->h, conversations[i], ask_about, &yes, &err) != HISTORY_OK)
			return history_call_failed(&err);
		if (!yes)
			continue;
		if (history_delete(call->h, conversations[i], 0, &mark, &err) != HISTORY_OK)
			return history_call_failed(&err);
		++*deleted;
	}
	return EXIT_DONE;
}

static int purge(struct history_call *call)
{
	bool left;
	struct error err;
	enum history_status status;

	history_close(call->h);
	call->h = NULL;
	status = writer_maintain_here(WRITER_PURGE, &left, &err);
	if (status == HISTORY_OK && left)
		complain("note: another program reads the history: the words leave the file when it ends");
	return status == HISTORY_OK ? EXIT_DONE : history_call_failed(&err);
}

int history_delete_run(struct history_call *call)
{
	int64_t *conversations = mem_new((call->count + 1) * sizeof *conversations);
	size_t found = 0, deleted = 0;
	int status = EXIT_DONE;

	if (!call->o->yes && !call->o->force && !isatty(STDIN_FILENO))
		status = usage_error("history delete asks on a terminal; --yes deletes without asking");
	/* All are found before one is deleted, because that changes the numbers of the list. */
	for (; status == EXIT_DONE && found < call->count; found++)
		if (!history_call_find(call, call->arguments[found], &conversations[found]))
			status = EXIT_LOCAL;
	if (status == EXIT_DONE)
		status = delete_all(call, conversations, found, &deleted);
	mem_free(conversations);
	if (deleted) {
		int purged = purge(call);

		status = status == EXIT_DONE ? purged : status;
	}
	return status;
}
