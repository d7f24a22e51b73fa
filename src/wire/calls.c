#include "wire/calls.h"

#include "base/mem.h"

/* A call, with the server's index, which the guard does not keep. */
struct call_entry {
	long long index; /* the server's index; -1: none was sent */
	unsigned call;   /* the guard's index */
};

void calls_fini(struct calls *calls)
{
	mem_free(calls->entries);
	*calls = (struct calls){ 0 };
}

static bool differ(struct str a, struct str b)
{
	return a.len && b.len && !str_equal(a, b);
}

static bool has_arguments(const struct guard *guard, const struct call_entry *entry)
{
	return !str_is_blank(guard_tool_text(guard, entry->call));
}

/* The newest call with this index and id, else the newest with this index: some servers number every call 0 but send ids. */
static struct call_entry *find_index(const struct calls *calls, const struct guard *guard, const struct call_fragment *f)
{
	struct call_entry *newest = NULL;

	for (size_t i = calls->count; i-- > 0;) {
		struct call_entry *entry = &calls->entries[i];

		if (entry->index != f->index)
			continue;
		if (!newest)
			newest = entry;
		if (!f->id.len || str_equal(guard_tool_id(guard, entry->call), f->id))
			return entry;
	}
	return newest;
}

static struct call_entry *find_id(const struct calls *calls, const struct guard *guard, struct str id)
{
	for (size_t i = calls->count; i-- > 0;)
		if (str_equal(guard_tool_id(guard, calls->entries[i].call), id))
			return &calls->entries[i];
	return NULL;
}

static struct call_entry *find_unfinished(const struct calls *calls, const struct guard *guard, struct str name)
{
	for (size_t i = calls->count; i-- > 0;) {
		unsigned call = calls->entries[i].call;

		if (str_equal(guard_tool_name_of(guard, call), name) && !guard_tool_whole(guard, call))
			return &calls->entries[i];
	}
	return NULL;
}

/* True if a fragment with a known index begins another call. Only a fragment with a name can. */
static bool is_another(const struct guard *guard, const struct call_entry *entry, const struct call_fragment *f)
{
	if (!f->name.len)
		return false;
	bool id_differs = differ(guard_tool_id(guard, entry->call), f->id);
	bool name_differs = differ(guard_tool_name_of(guard, entry->call), f->name);
	if (guard_tool_whole(guard, entry->call))
		return id_differs || name_differs;
	return !has_arguments(guard, entry) && id_differs && name_differs;
}

/* The call that a fragment belongs to; NULL: it begins a new call. */
static struct call_entry *calls_find(const struct calls *calls, const struct guard *guard, const struct call_fragment *f)
{
	struct call_entry *last = calls->count ? &calls->entries[calls->count - 1] : NULL;
	struct call_entry *found = f->index >= 0 ? find_index(calls, guard, f) : NULL;

	if (found)
		return is_another(guard, found, f) ? NULL : found;
	if (f->id.len) {
		found = find_id(calls, guard, f->id);
		return found && (f->index < 0 || found->index < 0) ? found : NULL;
	}
	if (f->name.len)
		return f->index < 0 ? find_unfinished(calls, guard, f->name) : NULL;
	return f->index < 0 || (last && last->index < 0) ? last : NULL;
}

/* Sets a missing id or name. While there are no arguments, a different name is appended: it is sent in pieces. */
static void complete(struct guard *guard, const struct call_entry *entry, const struct call_fragment *f)
{
	struct str id = guard_tool_id(guard, entry->call), name = guard_tool_name_of(guard, entry->call);
	struct buf joined = { 0 };

	if (!name.len) {
		buf_add(&joined, f->name);
	} else if (f->name.len && !str_equal(name, f->name) && !has_arguments(guard, entry)) {
		buf_add(&joined, name);
		buf_add(&joined, f->name);
		guard_repair(guard, MENDED_CALL_NAME);
	}
	guard_tool_name(guard, entry->call, id.len ? STR_NONE : f->id, buf_str(&joined));
	buf_fini(&joined);
}

unsigned calls_join(struct calls *calls, struct guard *guard, const struct call_fragment *f)
{
	const struct call_entry *by_index = f->index >= 0 ? find_index(calls, guard, f) : NULL;
	struct call_entry *entry = calls_find(calls, guard, f);

	if (f->index < 0 || entry != by_index)
		guard_repair(guard, MENDED_CALL_INDEX);
	if (!entry) {
		entry = ARRAY_ADD(calls->entries, calls->count, calls->capacity);
		*entry = (struct call_entry){ .index = f->index, .call = guard_tool_begin(guard, f->id, f->name) };
	} else if (f->id.len || f->name.len) {
		complete(guard, entry, f);
	}
	if (entry->index < 0)
		entry->index = f->index;
	if (guard_tool_whole(guard, entry->call) && !str_is_blank(f->arguments))
		guard_notice(guard, "arguments-after-whole", "More arguments arrived for a tool call whose arguments were complete.");
	guard_tool_arguments(guard, entry->call, f->arguments);
	return entry->call;
}
