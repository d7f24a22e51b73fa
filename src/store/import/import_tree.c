/* A conversation being imported, and trees whose nodes name their parents (import_inside.h). */
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/utf8.h"
#include "chat/conversation/conversation.h"
#include "store/import/import_inside.h"

#define TITLE_BYTES 80

void import_set(const char **text, struct str value)
{
	char *copy = value.len ? str_dup(value) : NULL;

	mem_free((char *)(uintptr_t)*text);
	*text = copy;
}

void imported_fini(struct imported *im)
{
	const char **const texts[] = { &im->facts.key, &im->facts.title, &im->facts.titled_by, &im->facts.provider, &im->facts.model,
	                               &im->facts.protocol, &im->facts.system_prompt, &im->facts.parameters, &im->facts.tools, &im->facts.schema };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		import_set(texts[i], STR_NONE);
	for (size_t i = 0; i < im->count; i++) {
		conversation_free(im->turns[i].holder);
		mem_free(im->turns[i].calls);
		mem_free(im->turns[i].answered);
		mem_free(im->turns[i].label);
	}
	mem_free(im->turns);
	*im = (struct imported){ 0 };
}

void import_set_key(struct imported *im, const char *kind, struct str id)
{
	struct buf name = { 0 };
	char hex[DIGEST_HEX + 1];

	buf_printf(&name, "%s:", kind);
	buf_add(&name, id);
	digest_hex(buf_str(&name), hex);
	import_set(&im->facts.key, str_of(hex, 16));
	buf_fini(&name);
}

size_t import_add_turn(struct imported *im, size_t parent, enum turn_role role)
{
	struct imported_turn *it;

	if (im->count == IMPORT_TURNS_MOST)
		return 0;
	it = ARRAY_ADD(im->turns, im->count, im->capacity);
	*it = (struct imported_turn){ .parent = parent < im->count ? parent : 0, .holder = conversation_new() };
	it->turn = role == TURN_USER ? conversation_ask(it->holder) : conversation_answer(it->holder, STR_NONE, NULL, STR_NONE);
	it->turn->ended = true;
	it->turn->wall = 0;
	return im->count;
}

struct turn *import_turn(const struct imported *im, size_t place)
{
	return im->turns[place - 1].turn;
}

/* The turn that a part goes into; NULL when there are too many. */
static struct turn *import_turn_for(struct import_target *to, enum turn_role role)
{
	if (!to->place || !to->join || import_turn(to->im, to->place)->role != role) {
		size_t added = import_add_turn(to->im, to->place, role);

		if (!added)
			return NULL;
		to->place = added;
		import_turn(to->im, added)->wall = (time_t)(to->wall_ms / 1000);
	}
	return import_turn(to->im, to->place);
}

bool import_has_room(struct imported *im, struct str text)
{
	im->bytes += text.len;
	im->is_too_large |= im->bytes > IMPORT_BYTES_MOST;
	return !im->is_too_large;
}

struct part *import_add_part(struct import_target *to, enum turn_role role, enum part_kind kind, struct str text, struct str id, struct str name)
{
	struct turn *t = NULL;
	struct part *p;

	if (import_has_room(to->im, text))
		t = import_turn_for(to, role);
	if (!t || t->part_count == IMPORT_PARTS_MOST)
		return NULL;
	p = turn_add(t, kind, text, id, name);
	p->number = (unsigned)t->part_count - 1;
	to->join = true;
	return p;
}

struct part *import_add_call(struct import_target *to, struct str arguments, struct str id, struct str name)
{
	bool is_object = str_starts(str_trim_start(arguments), "{") && json_scan_is_whole(arguments);
	struct buf wrapped = { 0 };
	struct imported_turn *it;
	struct json_writer w;
	struct part *p;

	json_writer_init(&w, &wrapped);
	json_open_object(&w);
	json_member_string(&w, "input", arguments);
	json_close_object(&w);
	p = import_add_part(to, TURN_ASSISTANT, PART_TOOL_CALL, is_object ? arguments : buf_str(&wrapped), id, name);
	buf_fini(&wrapped);
	if (!p)
		return NULL;
	it = &to->im->turns[to->place - 1];
	mem_reserve(&it->calls, &it->call_capacity, it->call_count + 1, sizeof *it->calls);
	p->call = (int)it->call_count;
	p->valid = true;
	it->calls[it->call_count++] = it->turn->part_count - 1;
	it->turn->outcome = OUTCOME_TOOL_CALLS;
	return p;
}

void import_add_missing(struct import_target *to, enum turn_role role, enum import_left_kind kind, struct str name)
{
	struct buf words = { 0 };

	buf_add_z(&words, role == TURN_USER ? "[attached: " : "[");
	buf_add(&words, name.len ? utf8_head(name, 300) : kind == IMPORT_LEFT_PICTURE ? STR("a picture") : kind == IMPORT_LEFT_FILE ? STR("a file")
	                         : STR("a recording"));
	buf_add_z(&words, "; it was not part of the export]");
	import_leave(&to->im->left, kind, STR_NONE);
	import_add_part(to, role, PART_TEXT, buf_str(&words), STR_NONE, STR_NONE);
	buf_fini(&words);
}

void import_add_error(struct import_target *to, struct str message)
{
	struct turn *t = import_turn_for(to, TURN_ASSISTANT);

	to->join = false;
	if (!t || !import_has_room(to->im, message))
		return;
	t->has_error = true;
	t->outcome = OUTCOME_ERROR;
	str_replace(&t->error_message, message);
}

void import_set_origin(struct imported *im, size_t from, struct str provider, struct str model)
{
	for (size_t place = from; place && place <= im->count; place++) {
		struct turn *t = import_turn(im, place);

		if (t->role != TURN_ASSISTANT)
			continue;
		str_replace(&t->scope.provider, provider);
		if (model.len)
			str_replace(&t->scope.model, model);
	}
}

/* --- completing --- */

/* What another program's conversation lacks. A title is the beginning of its first prompt. */
void import_complete(struct imported *im)
{
	struct str words = STR_NONE;

	for (size_t place = im->leaf; place; place = im->turns[place - 1].parent)
		if (im->turns[place - 1].parent)
			im->turns[im->turns[place - 1].parent - 1].child = place;
	import_set(&im->facts.titled_by, STR("import"));
	if (im->facts.title)
		return;
	for (size_t i = 0; i < im->count && !words.len; i++)
		for (size_t j = 0; im->turns[i].turn->role == TURN_USER && j < im->turns[i].turn->part_count && !words.len; j++)
			if (im->turns[i].turn->parts[j].kind == PART_TEXT)
				words = str_trim(buf_str(&im->turns[i].turn->parts[j].text));
	words = str_head(words, str_find(words, STR("\n")));
	import_set(&im->facts.title, utf8_head(words, TITLE_BYTES));
}

/* --- trees given by the ids of parents --- */

void import_links_add(struct import_links *links, struct str id, struct str parent, const void *item)
{
	*ARRAY_ADD(links->at, links->count, links->capacity) = (struct import_link){ .id = id, .parent = parent, .item = item };
}

static int compare_ids(struct str a, struct str b)
{
	size_t common = a.len < b.len ? a.len : b.len;
	int order = common ? memcmp(a.ptr, b.ptr, common) : 0;

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

struct link_place { struct str id; size_t place; };

static int by_id(const void *a, const void *b)
{
	const struct link_place *left = a, *right = b;
	int order = compare_ids(left->id, right->id);

	return order ? order : (left->place > right->place) - (left->place < right->place);
}

/* The first link of that id. */
size_t import_links_find(const struct import_links *links, const size_t *order, struct str id)
{
	struct search s = search_in(0, links->count);

	while (search_next(&s))
		search_take(&s, compare_ids(links->at[order[s.middle] - 1].id, id) < 0);
	return id.len && s.low < links->count && str_equal(links->at[order[s.low] - 1].id, id) ? order[s.low] : 0;
}

static void link_child(struct import_links *links, size_t parent, size_t child)
{
	struct import_link *up = &links->at[parent - 1];

	links->at[child - 1].up = parent;
	if (up->last)
		links->at[up->last - 1].next = child;
	else
		up->first = child;
	up->last = child;
	up->children++;
}

size_t *import_link(struct import_links *links)
{
	size_t *order = mem_new((links->count + 1) * sizeof *order);

	struct link_place *places = mem_new((links->count + 1) * sizeof *places);

	for (size_t i = 0; i < links->count; i++)
		places[i] = (struct link_place){ links->at[i].id, i + 1 };
	qsort(places, links->count, sizeof *places, by_id);
	for (size_t i = 0; i < links->count; i++)
		order[i] = places[i].place;
	mem_free(places);
	for (size_t i = 1; i <= links->count; i++) {
		size_t parent = import_links_find(links, order, links->at[i - 1].parent);

		if (parent && parent != i)
			link_child(links, parent, i);
	}
	return order;
}

/* Visits what is below a link, without recursion. */
static void walk_from(struct import_links *links, size_t root, import_link_visit *visit, void *ctx, size_t *turns)
{
	size_t at = root;

	while (at) {
		struct import_link *link = &links->at[at - 1];
		size_t up = at == root ? 0 : link->up;

		if (!link->visited) {
			link->visited = true;
			turns[at - 1] = visit(ctx, links, at, up ? turns[up - 1] : 0);
		}
		/* The next one that was not visited: a child, else what follows this link or one above it. */
		while (link->first && links->at[link->first - 1].visited)
			link->first = links->at[link->first - 1].next;
		at = link->first ? link->first : up;
	}
}

void import_links_walk(struct import_links *links, import_link_visit *visit, void *ctx, size_t *turns)
{
	for (size_t i = 1; i <= links->count; i++)
		if (!links->at[i - 1].up)
			walk_from(links, i, visit, ctx, turns);
	for (size_t i = 1; i <= links->count; i++) /* in a ring of parents: each begins where the file names it first */
		if (!links->at[i - 1].visited)
			walk_from(links, i, visit, ctx, turns);
}
