/*
 * Reads any file as an export of conversations. Rules: turns come after their parents; what is shown last is there; the conversation is
 * exported as valid JSON, and that is read as the same number of turns, and exported as the same JSON.
 *
 * input: the file
 */
#include <sys/mman.h>
#include <unistd.h>

#include "base/json_scan.h"
#include "chat/conversation/turn.h"
#include "fuzz.h"
#include "store/export/export.h"
#include "store/import/import_inside.h"

/* Exports the turns as export.c does. */
static void export_all(const struct export_form *form, const struct imported *im, struct buf *out)
{
	struct export document = { .form = form }; /* without files beside it */

	if (form->begin)
		form->begin(out);
	form->open(out, &im->facts, im->leaf, 0);
	for (size_t i = 0; i < im->count; i++) {
		const struct imported_turn *it = &im->turns[i];
		struct export_node node = { .id = i + 1, .parent = it->parent, .child = it->child, .label = it->label, .turn = it->turn,
		                            .document = &document };

		form->node(out, &node, i);
	}
	if (form->close)
		form->close(out, 0);
	if (form->end)
		form->end(out);
}

/* Results that were paired with calls, which those of our own JSON are not. */
static void check_result(const struct imported *im, const struct imported_turn *it, const struct part *p)
{
	const struct imported_turn *asked = it->parent ? &im->turns[it->parent - 1] : NULL;

	if (!asked || !asked->call_count || p->call < 0)
		return;
	FUZZ_CHECK(it->turn->role == TURN_USER, "a result is the user's");
	FUZZ_CHECK((size_t)p->call < asked->call_count, "a result answers a call of the turn above it");
	for (const struct part *other = it->turn->parts; other < p; other++)
		FUZZ_CHECK(other->kind != PART_TOOL_RESULT || other->call != p->call, "a call has one result");
}

static void check_tree(const struct imported *im)
{
	FUZZ_CHECK(im->facts.key && strlen(im->facts.key) == 16, "a conversation has a key");
	FUZZ_CHECK(im->leaf <= im->count, "the leaf is there");
	for (size_t i = 0; i < im->count; i++) {
		const struct imported_turn *it = &im->turns[i];

		FUZZ_CHECK(it->parent <= i, "a turn comes after its parent");
		FUZZ_CHECK(it->child <= im->count && (!it->child || im->turns[it->child - 1].parent == i + 1), "a child is below its parent");
		FUZZ_CHECK(it->turn->ended && !it->turn->tape, "a turn is over, and names no file");
		FUZZ_CHECK(it->turn->restarted_at <= it->turn->part_count, "a turn's places are within its parts");
		for (size_t j = 0; j < it->turn->part_count; j++) {
			const struct part *p = &it->turn->parts[j];

			if (p->kind == PART_TOOL_RESULT)
				check_result(im, it, p);
			FUZZ_CHECK(p->kind != PART_TOOL_CALL || !p->valid || json_scan_is_whole(buf_str(&p->text)), "valid arguments are JSON");
		}
	}
}

struct again { const struct buf *first; size_t count; bool seen; };

static bool see_again(void *ctx, struct imported *im)
{
	struct again *again = ctx;
	struct buf json = { 0 };

	FUZZ_CHECK(im->count == again->count, "all turns are read again");
	export_all(&export_json, im, &json);
	FUZZ_CHECK(str_equal(buf_str(&json), buf_str(again->first)), "what is exported again is the same");
	again->seen = true;
	buf_fini(&json);
	return true;
}

static int file_of(struct str bytes)
{
	int fd = memfd_create("import", MFD_CLOEXEC);

	if (fd < 0 || str_write(bytes, fd) != 0 || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

static bool see(void *ctx, struct imported *im)
{
	struct buf json = { 0 }, text = { 0 };
	struct again again = { .first = &json, .count = im->count };
	size_t skipped = 0;
	struct error err;
	int fd;

	(void)ctx;
	check_tree(im);
	export_all(&export_json, im, &json);
	FUZZ_CHECK(json_scan_is_whole(buf_str(&json)), "the export is JSON");
	fd = file_of(buf_str(&json));
	FUZZ_CHECK(import_read_json(fd, see_again, &again, &skipped, &err) == IMPORT_DONE && again.seen && !skipped, "it is read again");
	close(fd);
	export_all(&export_markdown, im, &text);
	export_all(&export_text, im, &text);
	buf_fini(&json);
	buf_fini(&text);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = file_of(str_of((const char *)data, size));
	struct error err = { "" };
	size_t skipped = 0;
	enum import_status status = import_read_json(fd, see, NULL, &skipped, &err);

	FUZZ_CHECK(status == IMPORT_DONE || err.text[0], "an error has a sentence");
	close(fd);
	return 0;
}
