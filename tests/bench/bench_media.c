/* Answers with pictures: what decoding costs, how much memory it takes, whether text beside partial pictures is still prompt. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/mem.h"
#include "bench/decode_streams.h"
#include "bench/look.h"
#include "wire/media_keeper.h"
#include "wire/stream.h"

#define MB 1000000
#define PICTURE ((size_t)20 * MB)
#define BLOCK 12288          /* decoded bytes that are repeated: a read of 16 KB, as curl gives them */
#define TEXT_PIECE 4096
#define CUTS 6

/* The bytes of an answer between its pictures. */
struct form {
	const char *what, *protocol;
	const char *between[CUTS];
	unsigned held;           /* pictures that are held at once: while one replaces another, both */
	bool is_text;            /* in place of pictures as many bytes of text, in deltas */
};

#define ITEM "\"output_index\":0,\"item_id\":\"ig_1\",\"partial_image_index\":"
static const struct form forms[] = {
	{ "text of as many bytes", "openai-chat", { BENCH_CHAT_FIRST, BENCH_CHAT_LAST }, .is_text = true },
	{ "gemini, in one line", "gemini",
	  { "data: {\"candidates\":[{\"content\":{\"parts\":[{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"",
	    "\"}}],\"role\":\"model\"},\"finishReason\":\"STOP\"}]}\n\n" }, 1, false },
	{ "gemini, an array of values", "gemini",
	  { "[{\"candidates\":[{\"content\":{\"parts\":[{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"",
	    "\"}}],\"role\":\"model\"},\"finishReason\":\"STOP\"}]}]" }, 1, false },
	{ "openai-chat, a data URL", "openai-chat",
	  { BENCH_CHAT_HEAD "\"delta\":{\"images\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,",
	    "\"}}]},\"finish_reason\":null}]}\n\n" BENCH_CHAT_LAST }, 1, false },
	{ "ollama", "ollama", { "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\",\"images\":[\"",
	    "\"]},\"done\":true,\"done_reason\":\"stop\"}\n" }, 1, false },
	{ "responses, a partial, a final, all again", "openai-responses",
	  { "data: {\"type\":\"response.created\",\"response\":{\"id\":\"r\",\"status\":\"in_progress\",\"output\":[]}}\n\n"
	    "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"id\":\"ig_1\",\"type\":\"image_generation_call\"}}\n\n"
	    "data: {\"type\":\"response.image_generation_call.partial_image\"," ITEM "0,\"partial_image_b64\":\"",
	    "\"}\n\ndata: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"id\":\"ig_1\",\"type\":\"image_generation_call\","
	    "\"status\":\"completed\",\"result\":\"",
	    "\"}}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"status\":\"completed\",\"output\":[{\"id\":\"ig_1\","
	    "\"type\":\"image_generation_call\",\"status\":\"completed\",\"result\":\"",
	    "\"}]}}\n\n" }, 2, false },
};

/* What a process of its own finds, because only its peak is its own. */
struct found { double cpu_s, peak; size_t bytes; };

static double peak_bytes(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (double)used.ru_maxrss * 1024;
}

static void feed_pictures(struct stream *stream, const struct form *f, struct str block, size_t bytes)
{
	for (size_t i = 0; i < CUTS && f->between[i]; i++) {
		stream_body(stream, str_from(f->between[i]), 0);
		for (size_t sent = 0; i + 1 < CUTS && f->between[i + 1] && sent < bytes; sent += BLOCK)
			stream_body(stream, block, 0);
	}
}

static void feed_text(struct stream *stream, const struct form *f)
{
	struct buf chunk = { 0 };

	buf_add_z(&chunk, BENCH_CHAT_BEFORE);
	for (size_t i = 0; i < TEXT_PIECE; i++)
		buf_add_byte(&chunk, i % 6 == 5 ? ' ' : (char)('a' + i % 26));
	buf_add_z(&chunk, BENCH_CHAT_AFTER);
	stream_body(stream, str_from(f->between[0]), 0);
	for (size_t sent = 0; sent < PICTURE / 3 * 4; sent += TEXT_PIECE)
		stream_body(stream, buf_str(&chunk), 0);
	stream_body(stream, str_from(f->between[1]), 0);
	buf_fini(&chunk);
}

/* The first time for little: what libraries set up once is not of the picture. */
static void decode_form(const struct form *f, size_t bytes_each, struct found *found)
{
	struct media_keeper keeper = { 0 };
	struct buf bytes = { 0 }, block = { 0 };
	struct timespec start, cpu;

	for (uint32_t i = 0, random = 1; i < BLOCK; i++, random = random * 1664525 + 1013904223)
		buf_add_byte(&bytes, (char)(random >> 24));
	base64_encode(buf_str(&bytes), &block);
	double before = peak_bytes();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	struct stream *stream = stream_new(&(struct stream_options){ .protocol = protocol_find(str_from(f->protocol)) },
	                                   media_keeper_delta, &keeper);
	if (f->is_text)
		feed_text(stream, f);
	else
		feed_pictures(stream, f, buf_str(&block), bytes_each);
	stream_end(stream, END_CLOSED, 0);
	stream_free(stream);
	found->peak = peak_bytes() - before;
	found->bytes = keeper.count ? blob_str(keeper.items[0].data).len : 0;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	found->cpu_s = (double)(cpu.tv_sec - start.tv_sec) + (double)(cpu.tv_nsec - start.tv_nsec) / 1e9;
	media_keeper_fini(&keeper);
	buf_fini(&bytes);
	buf_fini(&block);
}

static void measure_decoding(void)
{
	struct found *found = mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double text_s = 0;

	for (size_t i = 0; found != MAP_FAILED && i < sizeof forms / sizeof *forms; i++) {
		const struct form *f = &forms[i];
		double pictures = 0;
		pid_t pid = fork();

		if (!pid) {
			decode_form(f, BLOCK, found);
			decode_form(f, PICTURE, found);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		for (size_t n = 1; n < CUTS && f->between[n]; n++)
			pictures++;
		if (f->is_text)
			text_s = found->cpu_s;
		else if (found->bytes < PICTURE)
			printf("  %s: the picture did not come\n", f->what);
		if (f->is_text)
			bench_print(f->what, "", "CPU %.3f s", found->cpu_s);
		else
			bench_print(f->what, f->held > 1 ? "x 2 of the text, data x 2.10" : "x 2 of the text, data x 1.10",
			            "CPU %.3f s, x %.2f  %.1f MB, data x %.2f", found->cpu_s, found->cpu_s / text_s / pictures, found->peak / 1e6,
			            found->peak / (double)PICTURE);
	}
	munmap(found, sizeof *found);
}

/* --- the whole program --- */

static void measure_program(struct sender *sender)
{
	struct program p;

	if (!program_start(&p, sender))
		exit(2);
	program_ask(&p, sender, 100, 100);
	long before = program_peak_kb(&p);
	program_ask_giant(&p, sender, &(struct giant){ .kind = GIANT_PICTURE, .bytes = PICTURE }, 0, 0);
	program_read_until_quiet(&p, 1000000000);
	double more = (double)(program_peak_kb(&p) - before) * 1024;
	bench_print("the program: memory of a picture, kept in the history", "data x 1.10", "%.1f MB, data x %.2f", more / 1e6, more / (double)PICTURE);
	program_stop(&p);
}

static void measure_partials(struct sender *sender, bool quick)
{
	struct program p;
	double *latency;

	sender->partials = (struct partials){ .rate = 10, .bytes = 300000 };
	if (!program_start(&p, sender))
		exit(2);
	struct look *look = look_new(&p);
	look_skip(look);
	program_ask(&p, sender, quick ? 1000 : 5000, 100);
	int64_t *shown = mem_resize(NULL, sender->count, sizeof *shown);
	latency = mem_resize(NULL, sender->count, sizeof *latency);
	unsigned seen = look_for_tokens(look, sender, shown);
	for (unsigned i = 0; i < sender->count; i++)
		latency[i] = (double)(shown[i] - sender->sent_ns[i]) / 1e6;
	if (seen == sender->count)
		bench_print("100 tokens/s beside 10 partial pictures/s", "p99 10 ms", "p50 %.2f ms  p99 %.2f ms",
		            bench_quantile(latency, seen, 0.5), bench_quantile(latency, seen, 0.99));
	else
		printf("  beside partial pictures only %u of %u tokens came to the screen\n", seen, sender->count);
	mem_free(latency);
	mem_free(shown);
	look_free(look);
	program_stop(&p);
	sender->partials = (struct partials){ 0 };
}

void bench_media(bool quick)
{
	struct sender *sender = sender_start();

	if (!sender)
		exit(2);
	bench_print_title("Answers with pictures of %zu MB (x: time of a picture, times that of as many bytes of text; memory above the start)",
	                  PICTURE / MB);
	measure_decoding();
	measure_program(sender);
	measure_partials(sender, quick);
	sender_stop(sender);
}
