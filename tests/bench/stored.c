#include "bench/stored.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "chat/conversation/conversation.h"
#include "store/maintain/maintain.h"
#include "wire/protocol/protocol.h"

#define TURNS 4            /* of a conversation: two prompts, two answers */
#define WORDS 20000u
#define BATCH 500          /* conversations of one transaction */
#define AGE_MS (90 * (int64_t)1000) /* between two conversations */

static unsigned seed = 1;

static unsigned draw(unsigned below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % below;
}

/* Small numbers are frequent. */
static unsigned draw_word(void)
{
	unsigned a = draw(WORDS), b = draw(WORDS);

	return 1 + (unsigned)((unsigned long long)a * b / WORDS) * draw(1000) / 1000;
}

static void must(enum history_status status, const struct error *err)
{
	if (status == HISTORY_OK)
		return;
	fprintf(stderr, "bench: %s\n", err->text);
	exit(2);
}

static void write_words(struct buf *out, size_t bytes)
{
	buf_clear(out);
	while (out->len < bytes)
		buf_printf(out, "word%u%s", draw_word(), draw(12) ? " " : ".\n");
}

/* The answers share the bytes; `end` stands at the end of the last one. */
static void make_turns(struct history *h, int64_t conversation, struct conversation *c, unsigned turns, size_t bytes, const char *end, struct buf *text)
{
	int64_t parent = 0;
	struct error err;

	for (unsigned i = 0; i < turns; i++) {
		struct turn *t = i % 2 ? conversation_answer(c, STR("openai"), protocol_at(0), STR("gpt-5.4-mini")) : conversation_ask(c);
		int64_t node = 0;

		write_words(text, i % 2 ? 2 * bytes / turns : 60);
		buf_add_z(text, i + 1 == turns ? end : "");
		turn_add(t, PART_TEXT, buf_str(text), STR_NONE, STR_NONE);
		if (i % 2) {
			t->ended = true;
			t->usage.of[USAGE_PROMPT] = (struct count)COUNT_SENT(draw(9000));
			t->usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(draw(3000));
			t->reported = MONEY(draw(1000) / 1e5);
		}
		must(history_put_turn(h, conversation, parent, t, &node, &err), &err);
		parent = node;
	}
}

static void make_conversation(struct history *h, size_t number, size_t bytes, struct buf *text)
{
	int64_t id = 0, at_ms = 1760000000000 + (int64_t)number * AGE_MS;
	struct conversation *c = conversation_new();
	struct error err;
	char title[160];

	snprintf(title, sizeof title, "About topic%u and topic%u in topic%u", draw_word(), draw_word(), draw_word());
	must(history_begin(h, &(struct history_conversation){ .title = title, .titled_by = "prompt", .created_ms = at_ms, .updated_ms = at_ms }, &id, &err), &err);
	make_turns(h, id, c, TURNS, bytes, "", text);
	conversation_free(c);
}

static void maintain(void)
{
	struct maintain_result result;
	struct error err;

	must(history_maintain(&(struct maintain_options){ 0 }, &result, &err), &err);
	maintain_result_fini(&result);
}

void stored_make(size_t conversations, size_t bytes)
{
	enum history_status status;
	struct buf text = { 0 };
	struct error err = { "" };

	maintain();
	struct history *h = history_open(0, &status, &err);
	must(status, &err);
	for (size_t i = 0; i < conversations; i++) {
		if (i % BATCH == 0)
			must(history_batch(h, &err), &err);
		make_conversation(h, i, bytes / conversations, &text);
		if (i % BATCH == BATCH - 1 || i + 1 == conversations)
			must(history_commit(h, &err), &err);
		if (i % BATCH == BATCH - 1 && history_wants_maintenance(h))
			history_checkpoint(h);
	}
	history_close(h);
	buf_fini(&text);
	maintain();
}

void stored_make_long(const char *title, unsigned turns, size_t bytes)
{
	struct conversation *c = conversation_new();
	enum history_status status;
	struct buf text = { 0 };
	struct error err = { "" };
	int64_t id = 0;

	struct history *h = history_open(0, &status, &err);
	must(status, &err);
	must(history_batch(h, &err), &err);
	must(history_begin(h, &(struct history_conversation){ .title = title, .titled_by = "prompt" }, &id, &err), &err);
	make_turns(h, id, c, turns, bytes, "\n\n" STORED_END "\n", &text);
	must(history_commit(h, &err), &err);
	history_close(h);
	conversation_free(c);
	buf_fini(&text);
	maintain();
}

#define IMPORT_FILE "import.json"
#define IMPORTED_TURN "%s{\"uuid\":\"%zu-%d\",\"sender\":\"%s\",\"created_at\":\"2025-01-01T00:00:00Z\",\"text\":\"%s\"}"

static void write_imported(FILE *file, size_t number, size_t bytes, struct buf *text)
{
	fprintf(file, "%s{\"uuid\":\"c%zu\",\"name\":\"topic%zu\",\"created_at\":\"2025-01-01T00:00:00Z\",\"chat_messages\":[", number ? "," : "", number, number);
	for (int i = 0; i < TURNS; i++) {
		write_words(text, i % 2 ? 2 * bytes / TURNS : 60);
		for (size_t at = 0; at < text->len; at++)
			if (text->ptr[at] == '\n')
				text->ptr[at] = ' ';
		fprintf(file, IMPORTED_TURN, i ? "," : "", number, i, i % 2 ? "assistant" : "human", buf_z(text));
	}
	fprintf(file, "]}");
}

char *stored_make_import(size_t conversations, size_t bytes)
{
	struct buf path = { 0 }, text = { 0 };
	FILE *file;

	buf_printf(&path, "%s/" IMPORT_FILE, getenv("XDG_DATA_HOME"));
	file = fopen(buf_z(&path), "w");
	if (!file) {
		perror(buf_z(&path));
		exit(2);
	}
	fputc('[', file);
	for (size_t i = 0; i < conversations; i++)
		write_imported(file, i, bytes / conversations, &text);
	if (fputs("]\n", file) < 0 || fclose(file) != 0) {
		perror(buf_z(&path));
		exit(2);
	}
	buf_fini(&text);
	return buf_take(&path);
}
