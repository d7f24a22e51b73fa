#include "store/import/import.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/regular_file.h"
#include "base/search.h"
#include "chat/conversation/conversation.h"
#include "store/files/json_file.h"
#include "store/import/import_inside.h"

#define MEMBERS_SHOWN 6

/* --- what is stored already --- */

struct known_node { int64_t id, parent; enum turn_role role; bool taken; };
struct known { struct known_node *at; size_t count, capacity; };

static bool note_node(void *ctx, const struct history_node *node)
{
	struct known *known = ctx;

	*ARRAY_ADD(known->at, known->count, known->capacity) = (struct known_node){ node->id, node->parent, node->role, false };
	return true;
}

static bool same_part(const struct part *a, const struct part *b)
{
	return a->kind == b->kind && !strcmp(a->name ? a->name : "", b->name ? b->name : "") && str_equal(buf_str(&a->text), buf_str(&b->text)) &&
	       (a->kind != PART_TOOL_RESULT || a->call == b->call);
}

static bool same_turn(const struct turn *a, const struct turn *b)
{
	size_t i = 0;

	while (i < a->part_count && i < b->part_count && same_part(&a->parts[i], &b->parts[i]))
		i++;
	return i == a->part_count && i == b->part_count && a->has_error == b->has_error;
}

/* Children are stored after their parent, in one order with all others. */
static size_t first_child(const struct known *known, int64_t parent)
{
	struct search s = search_in(0, known->count);

	while (search_next(&s))
		search_take(&s, known->at[s.middle].id <= parent);
	return s.low;
}

/* The stored node below `parent` that equals a turn, or 0. Each is taken once: two siblings may be equal. */
static enum history_status take_known(struct history *h, struct known *known, int64_t parent, const struct turn *t, int64_t *node, struct error *err)
{
	enum history_status status = HISTORY_OK;

	*node = 0;
	for (size_t i = first_child(known, parent); i < known->count && !*node && status == HISTORY_OK; i++) {
		struct known_node *k = &known->at[i];
		struct conversation *c;
		struct turn *stored;

		if (k->parent != parent || k->role != t->role || k->taken)
			continue;
		c = conversation_new();
		stored = k->role == TURN_USER ? conversation_ask(c) : conversation_answer(c, STR_NONE, NULL, STR_NONE);
		status = history_read_turn(h, k->id, stored, err);
		k->taken = status == HISTORY_OK && same_turn(stored, t);
		*node = k->taken ? k->id : 0;
		conversation_free(c);
	}
	return status;
}

/* --- keeping a conversation --- */

struct keep {
	struct history *h;
	struct imported *im;
	struct known known;
	int64_t conversation;
	int64_t *nodes;  /* by place, from 1 */
	size_t added;
	struct error *err;
};

static enum history_status keep_turn(struct keep *k, size_t place)
{
	const struct imported_turn *it = &k->im->turns[place - 1];
	int64_t parent = it->parent ? k->nodes[it->parent] : 0;
	enum history_status status = HISTORY_OK;

	if (k->known.count && (status = take_known(k->h, &k->known, parent, it->turn, &k->nodes[place], k->err)) != HISTORY_OK)
		return status;
	if (k->nodes[place])
		return HISTORY_OK;
	str_replace(&it->turn->label, it->label ? str_from(it->label) : STR_NONE); /* an aside is known by it */
	status = history_put_turn(k->h, k->conversation, parent, it->turn, &k->nodes[place], k->err);
	k->added += status == HISTORY_OK;
	if (status == HISTORY_OK && it->label)
		status = history_label(k->h, k->nodes[place], it->label, k->err);
	return status;
}

/* A node remembers the child stored last, and the conversation the node, unless the file says which was shown last. */
static enum history_status keep_choices(struct keep *k)
{
	enum history_status status = HISTORY_OK;

	for (size_t place = 1; place <= k->im->count && status == HISTORY_OK; place++) {
		size_t child = k->im->turns[place - 1].child;

		if (child)
			status = history_choose(k->h, k->conversation, k->nodes[place], k->nodes[child], k->err);
	}
	if (k->im->leaf && status == HISTORY_OK)
		status = history_choose(k->h, k->conversation, 0, k->nodes[k->im->leaf], k->err);
	return status;
}

static enum history_status keep_all(struct keep *k)
{
	enum history_status status = history_find_key(k->h, str_from(k->im->facts.key), &k->conversation, k->err);
	bool is_new = !k->conversation;

	if (status == HISTORY_OK && is_new)
		status = history_begin(k->h, &k->im->facts, &k->conversation, k->err);
	else if (status == HISTORY_OK)
		status = history_nodes(k->h, k->conversation, note_node, &k->known, k->err);
	for (size_t place = 1; place <= k->im->count && status == HISTORY_OK; place++)
		status = keep_turn(k, place);
	if (status == HISTORY_OK && is_new)
		status = keep_choices(k);
	if (status == HISTORY_OK && is_new)
		status = history_change(k->h, k->conversation, &k->im->facts, k->err);
	if (status == HISTORY_OK && k->added && k->im->facts.updated_ms)
		status = history_date(k->h, k->conversation, k->im->facts.updated_ms, k->err);
	return status;
}

/* --- reading a file --- */

struct importing {
	struct history *h;
	const struct import_options *options;
	struct import_counts *counts;
	struct error *err;
	bool failed;
};

static bool keep(void *ctx, struct imported *im)
{
	struct importing *all = ctx;
	struct keep k = { .h = all->h, .im = im, .err = all->err, .nodes = mem_new((im->count + 1) * sizeof(int64_t)) };
	struct error ignored;
	bool is_new = false;

	if (!im->count || im->is_too_large) {
		all->counts->skipped++;
	} else if (history_batch(all->h, all->err) == HISTORY_OK) {
		all->failed = keep_all(&k) != HISTORY_OK;
		is_new = !k.known.count;
	} else {
		all->failed = true;
	}
	if (im->count && !im->is_too_large) {
		struct error ending = { "" };

		if (history_commit(all->h, &ending) != HISTORY_OK && !all->failed)
			all->failed = !error_set(all->err, "%s", ending.text);
		if (!all->failed)
			import_leave_all(&all->counts->left, &im->left);
		if (!all->failed)
			*(is_new ? &all->counts->added : k.added ? &all->counts->grown : &all->counts->known) += 1;
	}
	mem_free(k.nodes);
	mem_free(k.known.at);
	(void)history_index_fresh(all->h, &ignored); /* what fails is indexed when the file is maintained */
	if (history_wants_maintenance(all->h))
		history_checkpoint(all->h);
	return !all->failed && (!all->options || !all->options->between || all->options->between(all->options->ctx, all->counts));
}

/* --- JSON --- */

static const struct import_form *const forms[] = { &import_weir, &import_chatgpt, &import_claude };

static bool has_member(struct str object, const char *member)
{
	struct json_spans spans = json_spans_of(object);
	struct str key, item;

	while (json_spans_next(&spans, &key, &item))
		if (str_is(key, member))
			return true;
	return false;
}

static const struct import_form *form_of(struct str object)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if (has_member(object, forms[i]->member))
			return forms[i];
	return NULL;
}

struct reading {
	struct json_file file;
	struct json_parser *parser;
	import_visit *visit;
	void *ctx;
	size_t *skipped;
	size_t read;      /* conversations */
	bool stopped;     /* by the visitor */
	struct buf found; /* what the first value is that is not a conversation */
};

/* Appends names from the file: short, and nothing but letters that are safe to show. */
static void add_name(struct buf *out, struct str name)
{
	name = str_head(name, 40);
	for (size_t i = 0; i < name.len; i++)
		buf_add_byte(out, char_is_word(name.ptr[i]) || strchr("_-. ", name.ptr[i]) ? name.ptr[i] : '?');
}

/* Appends "a, b and c". */
static void add_members(struct buf *out, struct str object)
{
	struct json_spans spans = json_spans_of(object);
	struct str key, item;
	size_t count = 0;

	while (json_spans_next(&spans, &key, &item) && count < MEMBERS_SHOWN) {
		buf_add_z(out, count++ ? ", " : " with the members ");
		add_name(out, key);
	}
	buf_add_z(out, !count ? " without members" : count == MEMBERS_SHOWN ? ", ..." : "");
}

static const char *kind_word(struct str value)
{
	char c = value.len ? value.ptr[0] : 0;

	return c == '{' ? "an object" : c == '[' ? "an array" : c == '"' ? "a string" : c == '-' || char_is_digit(c) ? "a number" : "a word";
}

/* Reads one value as a conversation, if it is one. */
static void read_element(struct reading *r, struct str text)
{
	const struct import_form *form = str_starts(text, "{") && json_scan_is_whole(text) ? form_of(text) : NULL;
	struct imported im = { 0 };
	const struct json *value = NULL;
	size_t used;

	if (form && !form->reads_text)
		value = json_parse(r->parser, text, &used);
	if (form && (value || form->reads_text) && form->read(r->parser, value, text, &im)) {
		r->read++;
		if (form != &import_weir)
			import_complete(&im);
		r->stopped = !r->visit(r->ctx, &im);
	} else {
		++*r->skipped;
		if (!r->found.len) {
			buf_add_z(&r->found, kind_word(text));
			if (str_starts(text, "{") && json_scan_is_whole(text))
				add_members(&r->found, text);
		}
	}
	imported_fini(&im);
}

static void read_array(struct reading *r)
{
	struct str text;

	json_file_take(&r->file, '[');
	while (!r->stopped && json_file_peek(&r->file) != ']' && json_file_value(&r->file, &text)) {
		if (!text.len)
			break;
		read_element(r, text);
		if (!r->stopped && !json_file_take(&r->file, ','))
			break;
	}
	if (!r->stopped && !r->file.failed && !json_file_take(&r->file, ']'))
		r->file.failed = !error_set(&r->file.err, "the array does not go on as JSON at byte %llu",
		                            (unsigned long long)json_file_offset(&r->file));
}

enum outer { OUTER_LIST, OUTER_ONE, OUTER_OTHER };

/* Walks the members of the outer object up to the list of conversations. */
static enum outer read_object(struct reading *r, struct buf *members)
{
	struct str key, value;
	size_t count = 0;

	json_file_take(&r->file, '{');
	while (json_file_peek(&r->file) == '"' && json_file_value(&r->file, &key)) {
		bool is_list = str_is(key, "\"conversations\""), is_one = false;

		for (size_t i = 0; i < ARRAY_LEN(forms); i++)
			is_one |= key.len > 2 && str_is(str_of(key.ptr + 1, key.len - 2), forms[i]->member);
		if (is_one)
			return OUTER_ONE;
		if (count++ < MEMBERS_SHOWN) {
			buf_add_z(members, count > 1 ? ", " : "");
			add_name(members, str_of(key.ptr + 1, key.len - 2));
		}
		if (!json_file_take(&r->file, ':'))
			break;
		if (is_list && json_file_peek(&r->file) == '[') {
			read_array(r);
			return OUTER_LIST;
		}
		if (!json_file_value(&r->file, &value) || !json_file_take(&r->file, ','))
			break;
	}
	return OUTER_OTHER;
}

static enum import_status read_outer(struct reading *r, struct error *err)
{
	struct buf members = { 0 };
	bool is_array = json_file_peek(&r->file) == '[';
	enum outer outer = OUTER_LIST;
	struct str text;

	if (is_array)
		read_array(r);
	else
		outer = read_object(r, &members);
	if (outer == OUTER_ONE) { /* the whole file is one conversation */
		json_file_rewind(&r->file);
		if (json_file_value(&r->file, &text))
			read_element(r, text);
	}
	if (!r->read && !r->file.failed && outer == OUTER_OTHER)
		error_set(err, "it is a JSON object %s%s, not an export of conversations", members.len ? "with the members " : "without members",
		          buf_z(&members));
	else if (!r->read && !r->file.failed && r->found.len)
		error_set(err, "it is JSON, but holds %s in place of a conversation", buf_z(&r->found));
	else if (r->file.failed)
		error_set(err, "%s", r->file.err.text);
	buf_fini(&members);
	if (r->file.failed)
		return IMPORT_FAILED;
	return r->read || (!*r->skipped && outer != OUTER_OTHER) ? IMPORT_DONE : IMPORT_OTHER_KIND;
}

enum import_status import_read_json(int fd, import_visit *visit, void *ctx, size_t *skipped, struct error *err)
{
	struct reading r = { .parser = json_parser_new(), .visit = visit, .ctx = ctx, .skipped = skipped };
	enum import_status status;

	json_file_init(&r.file, fd);
	status = read_outer(&r, err);
	json_file_fini(&r.file);
	json_parser_free(r.parser);
	buf_fini(&r.found);
	return status;
}

/* --- kinds of files --- */

static const struct { struct str begin; const char *words; } others[] = {
	{ { "PK\3\4", 4 }, "it is a zip archive: unpack it first, and import the conversations.json in it" },
	{ { "\x1f\x8b", 2 }, "it is compressed with gzip: unpack it first" },
	{ { "\xFD" "7zXZ", 5 }, "it is compressed with xz: unpack it first" },
	{ { "\x28\xB5\x2F\xFD", 4 }, "it is compressed with zstd: unpack it first" },
	{ { "<", 1 }, "it is HTML or XML: import the JSON of the export instead" },
};

#define SQLITE_BEGIN "SQLite format 3"

static enum import_status read_kind(struct importing *all, int fd, const char *path)
{
	struct json_file head;
	char begin[16] = "";
	int first;
	size_t length;

	json_file_init(&head, fd);
	length = json_file_head(&head, sizeof begin).len;
	memcpy(begin, length ? head.window.ptr : "", length);
	first = json_file_peek(&head);
	json_file_fini(&head);
	if (lseek(fd, 0, SEEK_SET) != 0) {
		error_set(all->err, "cannot read: %s", strerror(errno));
		return IMPORT_FAILED;
	}
	if (length == sizeof begin && !memcmp(begin, SQLITE_BEGIN, sizeof begin))
		return import_read_llm(path, keep, all, all->err);
	if (first == '{' || first == '[')
		return import_read_json(fd, keep, all, &all->counts->skipped, all->err);
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (length >= others[i].begin.len && !memcmp(begin, others[i].begin.ptr, others[i].begin.len)) {
			error_set(all->err, "%s", others[i].words);
			return IMPORT_OTHER_KIND;
		}
	error_set(all->err, first < 0 ? "it is empty" : "it is neither JSON nor a SQLite database");
	return IMPORT_OTHER_KIND;
}

enum import_status import_file(struct history *h, const char *path, const struct import_options *options, struct import_counts *counts,
                               struct error *err)
{
	struct importing all = { .h = h, .options = options, .counts = counts, .err = err };
	enum import_status status;
	struct error why;
	int fd = regular_file_open(path, NULL, err);

	*counts = (struct import_counts){ 0 };
	if (fd < 0)
		return IMPORT_FAILED;
	status = read_kind(&all, fd, path);
	close(fd);
	if (all.failed)
		status = IMPORT_FAILED;
	if (status == IMPORT_DONE)
		return status;
	why = *err;
	error_set(err, "%.200s is not imported%s: %.700s", path, counts->added + counts->grown ? " to its end" : "", why.text);
	return status;
}
