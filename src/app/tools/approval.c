#include "app/tools/approval.h"

#include <fcntl.h>
#include <unistd.h>

#include "app/tools/tool_shown.h"
#include "base/json.h"
#include "base/mem.h"
#include "store/files/private_folder.h"

#define FILE_NAME "approvals"
#define FILE_LIMIT ((size_t)16 << 20)
#define LOCK_NAME "approvals.lock"
#define LOCK_TRIES 100
#define LOCK_TRY_US 5000

/* --- lists --- */

static struct approved *list_find(const struct approved_list *list, struct str name)
{
	for (size_t i = 0; i < list->count; i++)
		if (str_is(name, list->items[i].name))
			return &list->items[i];
	return NULL;
}

static struct approved *list_set(struct approved_list *list, struct str name, struct str facts)
{
	struct approved *known = list_find(list, name);

	if (!known) {
		known = ARRAY_ADD(list->items, list->count, list->capacity);
		*known = (struct approved){ .name = str_dup(name) };
	}
	str_replace(&known->facts, facts);
	known->is_kept = false;
	return known;
}

static void list_remove(struct approved_list *list, struct str name)
{
	struct approved *known = list_find(list, name);

	if (!known)
		return;
	mem_free(known->name);
	mem_free(known->facts);
	*known = list->items[--list->count];
}

/* What the file had and has no more is gone; what it never had stays: it was approved in private, or could not be written. */
static void list_take_file(struct approved_list *list, const struct approved_list *file)
{
	for (size_t i = list->count; i-- > 0;)
		if (list->items[i].is_kept && !list_find(file, str_from(list->items[i].name)))
			list_remove(list, str_from(list->items[i].name));
	for (size_t i = 0; i < file->count; i++) {
		const struct approved *known = list_find(list, str_from(file->items[i].name));

		if (!known || known->is_kept)
			list_set(list, str_from(file->items[i].name), str_from(file->items[i].facts))->is_kept = true;
	}
}

static void list_fini(struct approved_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		mem_free(list->items[i].name);
		mem_free(list->items[i].facts);
	}
	mem_free(list->items);
	*list = (struct approved_list){ 0 };
}

void approvals_fini(struct approvals *a)
{
	list_fini(&a->remembered);
	list_fini(&a->conversation);
	list_fini(&a->asked);
	a->file = (struct approvals_file){ 0 };
}

void approvals_forget(struct approvals *a)
{
	list_fini(&a->conversation);
	list_fini(&a->asked);
}

/* --- the file --- */

static void file_read_in(struct approved_list *list, const struct private_folder *folder)
{
	struct error err = { "" };
	struct json_member member = { 0 };
	struct buf text;
	size_t used;
	int fd;

	if (private_file_open(folder, FILE_NAME, O_RDONLY, &fd, &err) != PRIVATE_OPEN)
		return;
	struct json_parser *parser = json_parser_new();
	buf_init(&text, FILE_LIMIT);
	if (buf_read_fd(&text, fd, FILE_NAME, &err)) {
		const struct json *object = json_parse(parser, buf_str(&text), &used);

		while (json_next(object, &member))
			if (json_has_text(member.value))
				list_set(list, member.key, json_text(member.value));
	}
	json_parser_free(parser);
	buf_fini(&text);
	close(fd);
}

static struct approvals_file file_look(const struct private_folder *folder)
{
	struct stat facts;

	if (fstatat(folder->fd, FILE_NAME, &facts, AT_SYMLINK_NOFOLLOW) != 0)
		return (struct approvals_file){ 0 };
	return (struct approvals_file){ facts.st_ino, (uint64_t)facts.st_size, (int64_t)facts.st_mtim.tv_sec * 1000000000 + facts.st_mtim.tv_nsec };
}

static bool file_is(const struct approvals_file *a, const struct approvals_file *b)
{
	return a->number == b->number && a->bytes == b->bytes && a->changed_ns == b->changed_ns;
}

/* Each file is another one: it is replaced as a whole. */
static void approvals_read(struct approvals *a)
{
	struct approved_list fresh = { 0 };
	struct private_folder folder;
	struct error err = { "" };

	if (!a->keeps || private_folder_open_state(&folder, false, &err) != PRIVATE_OPEN)
		return;
	struct approvals_file file = file_look(&folder);
	if (!file_is(&file, &a->file)) {
		a->file = file;
		file_read_in(&fresh, &folder);
		list_take_file(&a->remembered, &fresh);
		list_fini(&fresh);
	}
	private_folder_close(&folder);
}

static bool file_write(const struct approved_list *list, const struct private_folder *folder, struct error *err)
{
	struct json_writer json;
	struct buf text;

	buf_init(&text, FILE_LIMIT);
	json_writer_init(&json, &text);
	json_open_object(&json);
	for (size_t i = 0; i < list->count; i++)
		json_member_string(&json, list->items[i].name, str_from(list->items[i].facts));
	json_close_object(&json);
	bool good = !json.full && buf_add_z(&text, "\n");
	good = good ? private_file_replace(folder, FILE_NAME, buf_str(&text), err) : error_set(err, "too much is approved to be kept");
	buf_fini(&text);
	return good;
}

/* Another program has it for a moment only. */
static int file_lock(const struct private_folder *folder)
{
	int lock = private_file_lock(folder, LOCK_NAME);

	for (int tries = 0; lock == PRIVATE_LOCK_HELD && tries < LOCK_TRIES; tries++) {
		usleep(LOCK_TRY_US);
		lock = private_file_lock(folder, LOCK_NAME);
	}
	return lock;
}

/* `facts` NULL: the tool is not approved. */
static bool approvals_keep(const struct approvals *a, const char *name, const char *facts, struct error *err)
{
	struct approved_list all = { 0 };
	struct private_folder folder;

	if (!a->keeps || a->is_private)
		return true;
	if (private_folder_open_state(&folder, true, err) != PRIVATE_OPEN)
		return false;
	int lock = file_lock(&folder);
	if (lock == PRIVATE_LOCK_HELD) {
		private_folder_close(&folder);
		return error_set(err, "another program holds the lock of the file that it is kept in");
	}
	file_read_in(&all, &folder);
	if (facts)
		list_set(&all, str_from(name), str_from(facts));
	else
		list_remove(&all, str_from(name));
	bool good = file_write(&all, &folder, err);
	private_file_unlock(lock);
	private_folder_close(&folder);
	list_fini(&all);
	return good;
}

/* --- decisions --- */

static bool approved_is(const struct approved *approved, const struct tool *tool)
{
	return approved && str_is(str_from(approved->facts), tool->facts);
}

static bool approval_remember(struct approvals *a, const struct tool *tool, struct error *err)
{
	approvals_read(a);
	struct approved *known = list_set(&a->remembered, str_from(tool->name), str_from(tool->facts));
	known->is_kept = approvals_keep(a, tool->name, tool->facts, err) && a->keeps && !a->is_private;
	return known->is_kept || !a->keeps || a->is_private;
}

/* What holds. `is_new`: it is so because the settings say it and no other tool of that name was met. */
static enum approval approval_find(struct approvals *a, const struct tool *tool, bool *is_new)
{
	struct str name = str_from(tool->name);
	const struct approved *here = list_find(&a->conversation, name);

	*is_new = false;
	if (tool->approve == TOOL_NEVER || tool->trouble)
		return APPROVAL_REFUSED;
	if (approved_is(here, tool))
		return APPROVAL_GIVEN;
	approvals_read(a);
	const struct approved *known = list_find(&a->remembered, name);
	if (tool->approve == TOOL_ASK)
		return here ? APPROVAL_CHANGED : APPROVAL_ASKED;
	if (known && !approved_is(known, tool))
		return APPROVAL_CHANGED;
	if (list_find(&a->asked, name))
		return APPROVAL_ASKED;
	if (known)
		return APPROVAL_GIVEN;
	*is_new = tool->approve == TOOL_ALWAYS;
	return *is_new ? APPROVAL_GIVEN : APPROVAL_ASKED;
}

enum approval approval_of(struct approvals *a, const struct tool *tool)
{
	struct error err;
	bool is_new;
	enum approval approval = approval_find(a, tool, &is_new);

	if (is_new)
		(void)!approval_remember(a, tool, &err); /* the settings allow it; that it is not kept is no reason to ask */
	return approval;
}

bool approval_is_given(struct approvals *a, const struct tool *tool)
{
	bool is_new;

	return approval_find(a, tool, &is_new) == APPROVAL_GIVEN;
}

const char *approval_words(struct approvals *a, const struct tool *tool)
{
	static const char *const given[] = {
		[TOOL_ASK] = "always in this conversation", [TOOL_ONCE] = "once, allowed", [TOOL_ALWAYS] = "always",
	};
	bool is_new;

	switch (approval_find(a, tool, &is_new)) {
	case APPROVAL_GIVEN: return given[tool->approve];
	case APPROVAL_CHANGED: return "ask: it has changed";
	case APPROVAL_REFUSED: return tool->trouble ? "cannot run" : "never";
	case APPROVAL_ASKED: break;
	}
	return tool->approve == TOOL_ONCE && !list_find(&a->asked, str_from(tool->name)) ? "once" : "ask";
}

bool approval_give(struct approvals *a, const struct tool *tool, struct error *err)
{
	list_remove(&a->asked, str_from(tool->name));
	list_set(&a->conversation, str_from(tool->name), str_from(tool->facts));
	return tool->approve == TOOL_ASK || approval_remember(a, tool, err);
}

/* What `always` was when it was met stays known: another tool of that name must not count as new. */
bool approval_take_back(struct approvals *a, const struct tool *tool, struct error *err)
{
	struct str name = str_from(tool->name);

	list_remove(&a->conversation, name);
	list_set(&a->asked, name, STR_NONE);
	if (tool->approve != TOOL_ONCE)
		return true;
	approvals_read(a);
	bool was_kept = list_find(&a->remembered, name);
	list_remove(&a->remembered, name);
	return !was_kept || approvals_keep(a, tool->name, NULL, err);
}

/* --- what has changed --- */

static bool facts_have(struct str facts, struct str wanted)
{
	struct str line;

	while (str_split(&facts, '\n', &line))
		if (str_equal(line, wanted))
			return true;
	return false;
}

static void facts_write_others(struct str facts, struct str others, char sign, struct buf *out)
{
	struct str line;

	while (facts.len && str_split(&facts, '\n', &line))
		if (line.len && !facts_have(others, line)) {
			buf_printf(out, "%c ", sign);
			tool_shown_write(line, out);
			buf_add_byte(out, '\n');
		}
}

void approval_write_change(struct approvals *a, const struct tool *tool, struct buf *out)
{
	const struct approved *in_conversation = list_find(&a->conversation, str_from(tool->name));
	const struct approved *known = in_conversation ? in_conversation : list_find(&a->remembered, str_from(tool->name));

	if (!known)
		return;
	facts_write_others(str_from(known->facts), str_from(tool->facts), '-', out);
	facts_write_others(str_from(tool->facts), str_from(known->facts), '+', out);
}
