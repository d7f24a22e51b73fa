#include "net/tape.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/crash_handler.h"
#include "loopback.h"
#include "net/tape_lines.h"
#include "support/check.h"

/* --- fixtures --- */

/* A path in a new folder; drop_path() removes both. */
static void make_path(char path[64])
{
	snprintf(path, 64, "/tmp/weir-tape-XXXXXX");
	CU_ASSERT_FATAL(mkdtemp(path) != NULL);
	strcat(path, "/t.tape");
}

static void drop_path(char *path)
{
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
}

static struct buf file_text(const char *path)
{
	struct buf text = { 0 };
	struct error err;

	CU_ASSERT_FATAL(buf_read_file(&text, path, &err));
	return text;
}

/* Prints the steps, one per line. */
static void describe(const struct tape *tape, struct buf *out)
{
	*out = (struct buf){ 0 };
	for (size_t i = 0; i < tape_length(tape); i++) {
		struct tape_step step = tape_at(tape, i);

		buf_printf(out, "%g ", step.at_ms);
		if (step.kind == TAPE_HEAD) {
			buf_printf(out, "head %d %.*s", step.head.status, STR_ARG(step.head.content_type));
			for (size_t j = 0; j < step.head.header_count; j++)
				buf_printf(out, " %.*s=%.*s", STR_ARG(step.head.headers[j].name), STR_ARG(step.head.headers[j].value));
		} else if (step.kind == TAPE_BODY) {
			buf_printf(out, "body %zu ", step.bytes.len);
			buf_add(out, step.bytes);
		} else {
			buf_printf(out, "end %s", end_how_name(step.how));
		}
		buf_add_byte(out, '\n');
	}
}

static void check_steps(const char *text, const char *expected)
{
	struct tape *tape = tape_of(text);
	struct buf out;

	describe(tape, &out);
	CHECK_STR(buf_str(&out), expected);
	buf_fini(&out);
	tape_free(tape);
}

#define FIRST "{\"weir_tape\":1}\n"

/* --- writing --- */

static const struct tape_info info = {
	.protocol = { "openai-chat", 11 }, .dialect = { "sansa", 5 }, .provider = { "p \"q\"", 5 }, .model = { "m", 1 },
	.url = { "https://user:pass@h/v1/x?key=K&alt=sse&sig=S&api-version=2", 58 }, .request = { "{\n \"a\": \"b c\" }", 15 },
};

static void write_tape(const char *path)
{
	static const struct response_header headers[] = {
		{ { "set-cookie", 10 }, { "secret", 6 } }, { { "x-request-id", 12 }, { "r\"1", 3 } }, { { "retry-after", 11 }, { "2", 1 } },
		{ { "authorization", 13 }, { "secret", 6 } }, { { "cf-ray", 6 }, { "\xff", 1 } },
	};
	struct response_head head = { .status = 429, .content_type = STR("text/event-stream"), .headers = headers, .header_count = 5 };
	struct tape_writer *w;
	struct error err;

	CU_ASSERT_FATAL(tape_writer_open(&w, path, &err));
	tape_start(w, &info);
	tape_head(w, &head, 12.3456);
	tape_body(w, STR("data: \xc3\xa4\r\n\t\"\\\x01"), 13);
	tape_body(w, STR("half \xc3"), 13.5);
	tape_body(w, STR("\xa4 whole\n"), 13.5);
	tape_end(w, END_CANCELLED, 20);
	CU_ASSERT(tape_writer_close(w, &err));
}

static void keeps_every_read(void)
{
	char path[64];
	struct tape *tape;
	struct buf out;
	struct error err;

	make_path(path);
	write_tape(path);
	CU_ASSERT_FATAL(tape_open(&tape, path, &err));
	describe(tape, &out);
	CHECK_STR(buf_str(&out), "12.346 head 429 text/event-stream x-request-id=r\"1 retry-after=2\n13 body 14 data: \xc3\xa4\r\n\t\"\\\x01\n"
	                         "13.5 body 6 half \xc3\n13.5 body 8 \xa4 whole\n\n20 end cancelled\n");
	CU_ASSERT_FALSE(tape_is_plain(tape));
	CHECK_STR(tape_facts(tape)->protocol, "openai-chat");
	CHECK_STR(tape_facts(tape)->dialect, "sansa");
	CHECK_STR(tape_facts(tape)->provider, "p \"q\"");
	CHECK_STR(tape_facts(tape)->url, "https://h/v1/x?alt=sse&api-version=2");
	CHECK_STR(tape_facts(tape)->request, "{\"a\":\"b c\"}");
	CU_ASSERT(tape_asked(tape).single_choice);
	buf_fini(&out);
	tape_free(tape);
	drop_path(path);
}

static void keeps_no_secret(void)
{
	char path[64];
	struct buf text;
	struct stat facts;

	make_path(path);
	write_tape(path);
	text = file_text(path);
	CU_ASSERT_FALSE(str_has_nocase(buf_str(&text), STR("secret")));
	CU_ASSERT_FALSE(str_has_nocase(buf_str(&text), STR("pass")));
	CU_ASSERT_FALSE(str_has_nocase(buf_str(&text), STR("key=")));
	CU_ASSERT_EQUAL(stat(path, &facts), 0);
	CU_ASSERT_EQUAL(facts.st_mode & 0777, 0600);
	CU_ASSERT(str_has_nocase(buf_str(&text), STR(",\"b64\":\"aGFsZiDD\"}\n")));
	CU_ASSERT(str_has_nocase(buf_str(&text), STR("\"started\":\"20")));
	buf_fini(&text);
	drop_path(path);
}

/* What writes a head and what reads it agree; the members are those that readers know. */
static void keeps_how_the_connection_came(void)
{
	static const char expected[] = "\"headers\":{},\"http\":\"2\",\"timings\":{\"name_ms\":1.5,\"connect_ms\":2.25,\"tls_ms\":30,\"sent_ms\":31,\"first_byte_ms\":400,\"reused\":false}}}\n";
	const struct response_head head = { .status = 200, .http = STR("2"), .is_timed = true, .timings = { 1.5, 2.25, 30, 31, 400 } };
	struct buf text = { 0 };
	struct tape *tape;
	struct tape_step step;

	tape_line_facts(&text, &(struct tape_info){ .protocol = STR("openai-chat") });
	tape_line_head(&text, &head, 401);
	CHECK(str_ends(buf_str(&text), expected), "%s", buf_z(&text));
	tape = tape_of(buf_z(&text));
	step = tape_at(tape, 0);
	CHECK_STR(step.head.http, "2");
	CU_ASSERT(step.head.is_timed && !step.head.reused && !memcmp(&step.head.timings, &head.timings, sizeof head.timings));
	tape_free(tape);
	buf_fini(&text);
	tape = tape_of("{\"weir_tape\":1}\n{\"t\":1,\"head\":{\"status\":200,\"http\":\"2\xc3\xa4\xc3\xa4\"}}\n{\"t\":1,\"head\":{\"http\":\"\\u001bc\"}}\n");
	CHECK_STR(tape_at(tape, 0).head.http, "2");
	CU_ASSERT(!tape_at(tape, 1).head.http.len);
	tape_free(tape);
	tape = tape_of("{\"weir_tape\":1}\n{\"t\":1,\"head\":{\"status\":200,\"http\":\"1.1 and more\",\"timings\":{\"name_ms\":-1,\"tls_ms\":1e300,"
	               "\"sent_ms\":\"2\",\"reused\":true}}}\n{\"t\":2,\"head\":{\"status\":200,\"timings\":[]}}\n");
	step = tape_at(tape, 0);
	CHECK_STR(step.head.http, "1.1");
	CU_ASSERT(step.head.is_timed && step.head.reused && step.head.timings.name_ms == 0 && step.head.timings.tls_ms == 0 && step.head.timings.sent_ms == 0);
	CU_ASSERT(!tape_at(tape, 1).head.is_timed);
	tape_free(tape);
}

static void never_overwrites(void)
{
	char path[64];
	struct tape_writer *w = NULL;
	struct error err = { "" };

	make_path(path);
	write_tape(path);
	CU_ASSERT_FALSE(tape_writer_open(&w, path, &err));
	CU_ASSERT(str_has_nocase(str_from(err.text), STR("exists already")));
	CU_ASSERT_FALSE(tape_writer_open(&w, "/nowhere/at/all", &err));
	CU_ASSERT(str_has_nocase(str_from(err.text), STR("/nowhere/at/all")));
	CU_ASSERT(tape_writer_close(NULL, &err));
	drop_path(path);
}

/* After a flush the file consists of complete lines: a kill loses nothing written before. */
static void a_flush_writes_all_lines(void)
{
	char path[64];
	struct tape_writer *w;
	struct buf text;
	struct error err;

	make_path(path);
	CU_ASSERT_FATAL(tape_writer_open(&w, path, &err));
	tape_start(w, &(struct tape_info){ .model = STR("m") });
	tape_body(w, STR("first try"), 1);
	text = file_text(path);
	CU_ASSERT(str_ends(buf_str(&text), "\"}\n"));
	buf_fini(&text);
	tape_flush(w);
	text = file_text(path);
	CU_ASSERT(str_ends(buf_str(&text), "{\"t\":1,\"body\":\"first try\"}\n"));
	buf_fini(&text);
	tape_start(w, &(struct tape_info){ .model = STR("m") });
	tape_body(w, STR("second"), 2);
	tape_flush(w);
	text = file_text(path);
	CU_ASSERT(str_starts(buf_str(&text), "{\"weir_tape\":1,\"model\":\"m\",\"started\":\""));
	CU_ASSERT(str_ends(buf_str(&text), "\"}\n{\"t\":2,\"body\":\"second\"}\n"));
	CU_ASSERT_FALSE(str_has_nocase(buf_str(&text), STR("first try")));
	buf_fini(&text);
	CU_ASSERT(tape_writer_close(w, &err));
	drop_path(path);
}

/* The facts of a tape whose request is written in pieces; with its end, or without. */
static void write_in_pieces(const char *path, bool whole)
{
	struct tape_writer *w;
	struct error err;

	CU_ASSERT_FATAL(tape_writer_open(&w, path, &err));
	tape_start(w, &(struct tape_info){ .model = STR("another"), .request = STR("{\"a\":1}") });
	tape_body(w, STR("first try"), 1);
	tape_start_request(w, &(struct tape_info){ .model = STR("m") });
	tape_request(w, STR("{\"a\":"));
	tape_request(w, STR("[\n 1,\r\n\"b"));
	tape_request(w, STR(" c\"]}"));
	if (whole)
		tape_end_request(w);
	tape_body(w, STR("text"), 2);
	tape_end(w, END_CLOSED, 3);
	CU_ASSERT(tape_writer_close(w, &err));
}

static void a_request_comes_in_pieces(void)
{
	static const char *const requests[] = { "", "{\"a\":[  1,  \"b c\"]}" };

	for (unsigned whole = 0; whole < 2; whole++) {
		char path[64];
		struct tape *tape;
		struct error err;

		make_path(path);
		write_in_pieces(path, whole);
		CU_ASSERT_FATAL(tape_open(&tape, path, &err));
		CHECK_STR(tape_facts(tape)->model, "m");
		CHECK_STR(tape_facts(tape)->request, requests[whole]);
		CU_ASSERT_EQUAL(tape_length(tape), 2);
		CHECK_STR(tape_at(tape, 0).bytes, "text");
		CU_ASSERT_EQUAL(tape_at(tape, 1).how, END_CLOSED);
		tape_free(tape);
		drop_path(path);
	}
}

/* The answer is recorded without it. */
static void a_request_that_exceeds_the_limit_is_dropped(void)
{
	char path[64], piece[1000];
	struct tape_writer *w;
	struct tape *tape;
	struct error err;

	make_path(path);
	memset(piece, '1', sizeof piece);
	CU_ASSERT_FATAL(tape_writer_open(&w, path, &err));
	tape_writer_limit(w, 10000);
	tape_start_request(w, &(struct tape_info){ .protocol = STR("p") });
	for (int i = 0; i < 20; i++)
		tape_request(w, str_of(piece, sizeof piece));
	tape_end_request_late(w, true, STR("m"));
	CU_ASSERT(tape_body(w, STR("text"), 1));
	tape_end(w, END_CLOSED, 2);
	CU_ASSERT(tape_writer_close(w, &err));
	CU_ASSERT_FATAL(tape_open(&tape, path, &err));
	CHECK_STR(tape_facts(tape)->model, "m");
	CHECK_STR(tape_facts(tape)->request, "");
	CHECK_STR(tape_at(tape, 0).bytes, "text");
	tape_free(tape);
	drop_path(path);
}

/* The body that exceeds the limit is written completely, and the tape is complete. */
static void has_a_ceiling(void)
{
	char path[64], piece[1000];
	unsigned taken = 0;
	struct tape_writer *w;
	struct tape *tape;
	struct error err;

	make_path(path);
	memset(piece, 'x', sizeof piece);
	CU_ASSERT_FATAL(tape_writer_open(&w, path, &err));
	tape_writer_limit(w, 10000);
	tape_start(w, &(struct tape_info){ .model = STR("m") });
	while (taken < 100 && tape_body(w, str_of(piece, sizeof piece), 1)) {
		if (++taken == 3)
			tape_flush(w);
	}
	CU_ASSERT_EQUAL(taken, 10);
	CU_ASSERT_FALSE(tape_body(w, STR("x"), 2));
	tape_end(w, END_CUT, 3);
	CU_ASSERT(tape_writer_close(w, &err));
	CU_ASSERT_FATAL(tape_open(&tape, path, &err));
	CU_ASSERT_EQUAL(tape_length(tape), 11);
	CU_ASSERT(tape_at(tape, 9).bytes.len == sizeof piece && tape_at(tape, 10).how == END_CUT);
	tape_free(tape);
	drop_path(path);
}

/* The removal of old tapes must see that this one is in use. */
static void is_locked_while_it_runs(void)
{
	char path[64];
	struct tape_writer *w;
	struct error err;
	int fd;

	make_path(path);
	CU_ASSERT_FATAL(tape_writer_open(&w, path, &err));
	fd = open(path, O_RDONLY);
	CU_ASSERT(flock(fd, LOCK_EX | LOCK_NB) != 0);
	CU_ASSERT(tape_writer_close(w, &err));
	CU_ASSERT(flock(fd, LOCK_EX | LOCK_NB) == 0);
	close(fd);
	drop_path(path);
}

static void a_link_is_not_followed(void)
{
	char path[64], target[72];
	struct tape_writer *w;
	struct error err;

	make_path(path);
	snprintf(target, sizeof target, "%s-target", path);
	CU_ASSERT(symlink(target, path) == 0);
	CU_ASSERT_FALSE(tape_writer_open(&w, path, &err));
	CU_ASSERT(access(target, F_OK) != 0);
	drop_path(path);
}

/* Runs in a child process that crashes. */
static void a_crash_writes_and_names_it(void)
{
	char path[64], said[400] = "";
	struct buf text;
	int ends[2], status;
	pid_t child;

	make_path(path);
	CU_ASSERT_FATAL(pipe(ends) == 0);
	child = fork();
	if (child == 0) {
		struct tape_writer *w;
		struct error err;

		dup2(ends[1], STDERR_FILENO);
		crash_handlers_install();
		if (tape_writer_open(&w, path, &err)) {
			tape_start(w, &(struct tape_info){ .model = STR("m") });
			tape_body(w, STR("not flushed"), 1);
		}
		abort();
	}
	close(ends[1]);
	waitpid(child, &status, 0);
	CU_ASSERT(WIFSIGNALED(status));
	CU_ASSERT(read(ends[0], said, sizeof said - 1) > 0);
	close(ends[0]);
	CHECK(strstr(said, path), "%s", said);
	text = file_text(path);
	CU_ASSERT(str_ends(buf_str(&text), "{\"t\":1,\"body\":\"not flushed\"}\n"));
	buf_fini(&text);
	drop_path(path);
}

/* --- reading --- */

static void reads_what_others_write(void)
{
	check_steps("{ \"weir_tape\": 1, \"model\": \"m\" }\r\n\n{\"t\": 3, \"body\": \"x\", \"more\": [1]}\r\n{\"t\": 4, \"news\": 1}\n{\"t\": 5, \"end\": \"closed\"}",
	            "3 body 1 x\n5 end closed\n");
	check_steps(FIRST "{\"t\":5,\"head\":{}}\n{\"body\":\"a\"}\n{\"t\":2,\"body\":\"b\"}\n{\"t\":1e99,\"end\":\"exploded\"}\n{\"t\":6,\"body\":\"late\"}\n",
	            "5 head 200 \n5 body 1 a\n5 body 1 b\n1e+12 end cut\n");
	check_steps(FIRST "{\"t\":1,\"head\":{\"status\":503,\"headers\":{\"retry-after\":3,\"Cookie\":\"c\",\"server\":\"7\"}}}\n{\"t\":2,\"end\":\"stalled\"}\n",
	            "1 head 503  retry-after=3\n2 end stalled\n");
	check_steps(FIRST "{\"t\":1,\"body\":\"\"}\n{\"t\":1,\"body\":\"\\u00e4\\ud83d\\ude00\"}\n{\"t\":1,\"end\":\"closed\"}\n",
	            "1 body 0 \n1 body 6 \xc3\xa4\xf0\x9f\x98\x80\n1 end closed\n");
}

static void keeps_nul_bytes(void)
{
	struct tape *tape = tape_of(FIRST "{\"t\":1,\"body\":\"a\\u0000b\"}\n{\"t\":2,\"b64\":\"AAD/\"}\n");

	CU_ASSERT_EQUAL_FATAL(tape_length(tape), 3);
	CU_ASSERT(str_equal(tape_at(tape, 0).bytes, STR("a\0b")));
	CU_ASSERT(str_equal(tape_at(tape, 1).bytes, STR("\0\0\xff")));
	tape_free(tape);
}

/* Truncated at every byte: the steps before the cut are read, and the end is a cut. */
static void plays_a_cut_tape_up_to_the_cut(void)
{
	static const char whole[] = FIRST "{\"t\":1,\"head\":{\"status\":200}}\n{\"t\":2,\"body\":\"one\"}\n{\"t\":3,\"b64\":\"//8=\"}\n{\"t\":9,\"end\":\"closed\"}\n";
	size_t first = sizeof FIRST - 1;

	for (size_t cut = 13; cut < sizeof whole; cut++) {
		struct tape *tape = NULL;
		struct error err = { "" };
		size_t lines = 0;

		for (size_t i = first; i < cut; i++)
			lines += whole[i] == '\n' || (whole[i] == '}' && whole[i + 1] == '\n' && i + 1 == cut);
		CHECK(tape_from_text(&tape, str_of(whole, cut), &err), "cut at %zu: %s", cut, err.text);
		if (!tape)
			return;
		CHECK(!tape_is_plain(tape), "cut at %zu", cut);
		CHECK(tape_length(tape) == (lines == 4 ? 4 : lines + 1), "cut at %zu: %zu steps", cut, tape_length(tape));
		CHECK(tape_at(tape, tape_length(tape) - 1).how == (lines == 4 ? END_CLOSED : END_CUT), "cut at %zu", cut);
		tape_free(tape);
	}
}

static void names_a_broken_line(void)
{
	static const struct { const char *text, *word; } cases[] = {
		{ FIRST "{\"t\":1,\"body\":\"x\"}\n{\"t\":2,\"bo\n{\"t\":3,\"end\":\"closed\"}\n", "line 3" },
		{ FIRST "[1]\n{\"t\":3,\"end\":\"closed\"}\n", "line 2" },
		{ FIRST "{\"t\":1}{\"t\":2}\n{\"t\":3,\"end\":\"closed\"}\n", "line 2" },
		{ FIRST "{\"t\":1,\"b64\":\"!\"}\n{\"t\":3,\"end\":\"closed\"}\n", "line 2" },
		{ "{\"weir_tape\":2}\n", "version" },
		{ "{\"weir_tape\":\"1\"}\n", "version" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tape *tape = NULL;
		struct error err = { "" };

		CHECK(!tape_from_text(&tape, str_from(cases[i].text), &err), "case %zu", i);
		CHECK(str_has_nocase(str_from(err.text), str_from(cases[i].word)), "case %zu: %s", i, err.text);
	}
}

static void takes_plain_bodies(void)
{
	static const char *const bodies[] = {
		"data: {\"a\":1}\n\n", "{\"a\":1}\n", "{\"error\":\"weir_tape\"}", "[{}]", "\xff\xfe", "{\"not\":\"weir_tape\"\n", "{\"weir_tap",
	};

	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		struct tape *tape = tape_of(bodies[i]);

		CHECK(tape_is_plain(tape) && tape_length(tape) == 2, "%s", bodies[i]);
		CHECK_STR(tape_at(tape, 0).bytes, bodies[i]);
		CU_ASSERT_EQUAL(tape_at(tape, 1).kind, TAPE_END);
		CU_ASSERT_EQUAL(tape_at(tape, 1).how, END_CLOSED);
		CU_ASSERT_PTR_NULL(tape_facts(tape)->protocol.ptr);
		CU_ASSERT_FALSE(tape_asked(tape).single_choice);
		tape_free(tape);
	}
	check_steps("", "0 end closed\n");
}

/* In bodies and steps a | marks the end of a step. */
static void splits_plain_bodies_into_frames(void)
{
	static const char *const bodies[] = {
		"data: 1\n\n|data: 2\n\n",
		"data: 1\r\n\r\n|event: x\r\ndata: 2\r\n\r\n|data: 3",
		"data: 1\r\r|data: 2\r\r",
		"data: 1\n\r\n|data: 2\r\r\n|data: 3\r\n\n",
		"\n\n: hello\n\n|data: 1\n\n\n\n|data: 2\n",
		"\357\273\277data: 1\n\n|data: 2\n\n",
		"{\"a\":1}\n|{\"b\":2}\n",
		"\xef\xbb\xbf{\"a\":1}\r\n|\r\n|{\"b\":2}",
		"{\n \"a\": 1\n}\n",
		" [{\"a\":1},\n\n{\"b\":2}]\n",
		"<html>\n\n<p>\n",
		"data: {\n\n\n",
	};

	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		struct buf body = { 0 }, steps = { 0 };

		for (const char *c = bodies[i]; *c; c++)
			if (*c != '|')
				buf_add_byte(&body, *c);
		struct tape *tape = tape_of(buf_z(&body));
		for (size_t s = 0; s + 1 < tape_length(tape); s++) {
			if (s)
				buf_add_byte(&steps, '|');
			buf_add(&steps, tape_at(tape, s).bytes);
		}
		CHECK_STR(buf_str(&steps), bodies[i]);
		tape_free(tape);
		buf_fini(&body);
		buf_fini(&steps);
	}
}

static void knows_whether_one_answer_was_asked_for(void)
{
	static const struct { const char *request; bool single; } cases[] = {
		{ "{}", true }, { "{\"n\":1}", true }, { "{\"n\":null}", true }, { "{\"n\":2}", false }, { "{\"n\":\"2\"}", false }, { "null", false },
		{ "[]", false }, { "{\"generationConfig\":{\"candidateCount\":1}}", true }, { "{\"generationConfig\":{\"candidateCount\":2}}", false },
		{ "{\"generation_config\":{\"candidate_count\":3}}", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[100];

		snprintf(text, sizeof text, "{\"weir_tape\":1,\"request\":%s}\n", cases[i].request);
		struct tape *tape = tape_of(text);
		CHECK(tape_asked(tape).single_choice == cases[i].single, "%s", cases[i].request);
		tape_free(tape);
	}
}

static void says_which_file_cannot_be_read(void)
{
	char path[64];
	struct tape *tape = NULL;
	struct error err = { "" };
	FILE *file;

	CU_ASSERT_FALSE(tape_open(&tape, "/nowhere/x.tape", &err));
	CU_ASSERT(str_has_nocase(str_from(err.text), STR("/nowhere/x.tape")));
	make_path(path);
	file = fopen(path, "w");
	CU_ASSERT_FATAL(file != NULL);
	fputs(FIRST "broken\n{}\n", file);
	fclose(file);
	CU_ASSERT_FALSE(tape_open(&tape, path, &err));
	CU_ASSERT(str_starts(str_from(err.text), path));
	CU_ASSERT(str_has_nocase(str_from(err.text), STR("line 2")));
	drop_path(path);
}

/* --- feeding a stream --- */

static void log_delta(void *ctx, const struct delta *delta)
{
	buf_printf(ctx, "%s@%g ", delta_kind_name(delta->kind), delta->at_ms);
	if (delta->kind == DELTA_TEXT)
		buf_add((struct buf *)ctx, delta->text);
}

static void feed(const char *text, int status, struct buf *log)
{
	struct tape *tape = tape_of(text);
	struct stream_options options = { .untimed = tape_is_plain(tape), .asked = tape_asked(tape) };
	struct stream *stream;

	*log = (struct buf){ 0 };
	stream = stream_new(&options, log_delta, log);
	tape_feed(tape, stream, status, NULL, NULL);
	CU_ASSERT(str_has_nocase(buf_str(log), STR("end@")));
	stream_free(stream);
	tape_free(tape);
}

#define CHUNK "data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"hi\\\"}}]}\\n\\n"

static void feeds_a_stream(void)
{
	struct buf log;

	feed(FIRST "{\"t\":3,\"head\":{\"status\":200}}\n{\"t\":5,\"body\":\"" CHUNK "\"}\n{\"t\":7,\"end\":\"cut\"}\n", 0, &log);
	CU_ASSERT(str_has_nocase(buf_str(&log), STR("text@5 hi")));
	CU_ASSERT(str_has_nocase(buf_str(&log), STR("end@7")));
	buf_fini(&log);
	feed("{\"message\":\"no such model\"}", 404, &log);
	CU_ASSERT(str_has_nocase(buf_str(&log), STR("error@")));
	buf_fini(&log);
}

static bool stop_at_third(void *steps)
{
	return ++*(unsigned *)steps == 3;
}

static void stops_feeding_between_two_steps(void)
{
	struct tape *tape = tape_of(FIRST "{\"t\":3,\"head\":{\"status\":200}}\n{\"t\":5,\"body\":\"" CHUNK "\"}\n{\"t\":6,\"body\":\"" CHUNK "\"}\n");
	struct stream_options options = { .protocol = &protocol_openai_chat };
	struct stream *stream;
	unsigned steps = 0;
	struct buf log = { 0 };

	stream = stream_new(&options, log_delta, &log);
	CU_ASSERT_FALSE(tape_feed(tape, stream, 0, stop_at_third, &steps));
	CHECK_STR(buf_str(&log), "begin@5 text@5 hi");
	CU_ASSERT_EQUAL(steps, 3);
	stream_free(stream);
	buf_fini(&log);
	tape_free(tape);
}

static double cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1000 + (double)now.tv_nsec / 1e6;
}

#define IMAGE_BYTES ((size_t)12 << 20)
#define TIMES_MOST 8 /* of what the file takes that is read whole; a parse after each read would take a hundred times as much */

/* The tail of a tape whose request holds an image is read about as fast as the whole. */
static void a_large_request_is_parsed_once(void)
{
	char path[64];
	struct buf text;
	struct tape *whole;
	struct tape_tail *tail;
	struct error err = { "" };
	double before, whole_ms, tail_ms;
	FILE *file;

	make_path(path);
	buf_init(&text, 2 * IMAGE_BYTES);
	buf_add_z(&text, "{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"request\":{\"image\":\"");
	memset(buf_extend(&text, IMAGE_BYTES), 'A', IMAGE_BYTES);
	buf_add_z(&text, "\"}}\n{\"t\":1,\"body\":\"a\"}\n{\"t\":2,\"end\":\"closed\"}\n");
	file = fopen(path, "w");
	CU_ASSERT_FATAL(file && fwrite(text.ptr, 1, text.len, file) == text.len && !fclose(file));
	before = cpu_ms();
	CHECK(tape_open(&whole, path, &err), "%s", err.text);
	whole_ms = cpu_ms() - before;
	before = cpu_ms();
	CHECK(tape_tail_open(&tail, path, &err), "%s", err.text);
	tail_ms = cpu_ms() - before;
	CHECK(tail_ms < TIMES_MOST * whole_ms, "%.0f ms, and %.0f ms as a whole", tail_ms, whole_ms);
	CU_ASSERT(tape_tail_ended(tail) && tape_length(tape_tail_tape(tail)) == tape_length(whole));
	CU_ASSERT(str_equal(tape_facts(tape_tail_tape(tail))->request, tape_facts(whole)->request));
	tape_tail_free(tail);
	tape_free(whole);
	buf_fini(&text);
	drop_path(path);
}

/* --- what ran --- */

/* Prints the steps behind the end, one per line. */
static void describe_behind(const struct tape *tape, struct buf *out)
{
	*out = (struct buf){ 0 };
	for (size_t i = 0; i < tape_behind(tape); i++) {
		struct tape_step step = tape_at(tape, tape_length(tape) + i);

		buf_printf(out, "%g %d %d/%u/%u %.*s %.*s %.*s %.*s %g ", step.at_ms, (int)step.kind, (int)step.run->kind, step.run->number, step.run->call,
		           STR_ARG(step.run->name), STR_ARG(step.run->id), STR_ARG(step.run->origin), STR_ARG(step.run->state), step.run->ms);
		buf_add(out, step.bytes);
		buf_add_byte(out, '\n');
	}
}

static void what_ran_stands_behind_the_end(void)
{
	const struct tape_run begun = { .kind = TAPE_RUN_BEGUN, .number = 1, .call = 2, .name = STR("f"), .id = STR("c\x1b"), .origin = STR("settings") },
		output = { .kind = TAPE_RUN_OUTPUT, .number = 1 }, errors = { .kind = TAPE_RUN_ERRORS, .number = 1 },
		progress = { .kind = TAPE_RUN_PROGRESS, .number = 1 }, ended = { .kind = TAPE_RUN_ENDED, .number = 1, .state = STR("ok"), .ms = 7.5 },
		server = { .name = STR("s") };
	const struct tape_step steps[] = {
		{ .kind = TAPE_RUN, .at_ms = 20, .run = &begun, .bytes = STR("{\"a\":1}") }, { .kind = TAPE_RUN, .at_ms = 21, .run = &output, .bytes = STR("o\xFF\n") },
		{ .kind = TAPE_SENT, .at_ms = 22, .run = &server, .bytes = STR("{}") }, { .kind = TAPE_CAME, .at_ms = 23, .run = &server, .bytes = STR("no\xFF") },
		{ .kind = TAPE_RUN, .at_ms = 24, .run = &errors, .bytes = STR("e") }, { .kind = TAPE_RUN, .at_ms = 25, .run = &progress, .bytes = STR("1 of 2") },
		{ .kind = TAPE_RUN, .at_ms = 10, .run = &ended, .bytes = STR("o\n") },
	};
	static const char expected[] = "20 4 0/1/2 f c\x1b settings  0 {\"a\":1}\n21 4 1/1/0     0 o\xFF\n\n22 2 0/0/0 s    0 {}\n"
		"23 3 0/0/0 s    0 no\xEF\xBF\xBD\n24 4 2/1/0     0 e\n25 4 3/1/0     0 1 of 2\n25 4 4/1/0    ok 7.5 o\n\n";
	char path[64];
	struct tape_writer *w;
	struct tape_tail *tail;
	struct tape *tape;
	struct error err;
	struct buf all;
	bool grew;

	make_path(path);
	write_tape(path);
	CHECK(tape_tail_open(&tail, path, &err), "%s", err.text);
	CU_ASSERT_TRUE(tape_tail_ended(tail));
	size_t length = tape_length(tape_tail_tape(tail));
	CHECK(tape_writer_resume(&w, path, 1 << 20, &err), "%s", err.text);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		CU_ASSERT_TRUE(tape_add_behind(w, &steps[i]));
	CHECK(tape_writer_close(w, &err), "%s", err.text);
	CHECK(tape_tail_read(tail, &grew, &err) && grew, "%s", err.text);
	CHECK(tape_open(&tape, path, &err), "%s", err.text);
	for (int i = 0; i < 2; i++) {
		const struct tape *read = i ? tape : tape_tail_tape(tail);

		CU_ASSERT_EQUAL(tape_length(read), length);
		CU_ASSERT_EQUAL(tape_at(read, length - 1).kind, TAPE_END);
		describe_behind(read, &all);
		CHECK_STR(buf_str(&all), expected);
		buf_fini(&all);
	}
	tape_tail_free(tail);
	tape_free(tape);
	drop_path(path);
}

/* What is no such line ends them, as older programs read no further than the end. */
static void lines_behind_the_end_are_untrusted(void)
{
	static const struct { const char *lines; size_t behind; } rows[] = {
		{ "", 0 }, { "garbage\n", 0 }, { "{\"t\":1,\"body\":\"x\"}\n", 0 }, { "{\"t\":1,\"end\":\"cut\"}\n", 0 },
		{ "{\"run\":1,\"call\":0,\"name\":\"f\"}\n\n{\"run\":1,\"from\":\"output\",\"text\":\"x\"}\n", 2 },
		{ "{\"run\":1,\"call\":0,\"name\":\"f\"}\n{\"run\":1,\"from\":\"output\",\"te", 1 },
		{ "{\"run\":0,\"call\":0,\"name\":\"f\"}\n", 0 }, { "{\"run\":99999999,\"call\":0,\"name\":\"f\"}\n", 0 },
		{ "{\"run\":1,\"call\":-1,\"name\":\"f\"}\n", 0 }, { "{\"run\":1,\"call\":99999999999,\"name\":\"f\"}\n", 0 },
		{ "{\"run\":1,\"call\":0}\n", 0 }, { "{\"run\":1,\"from\":\"else\",\"text\":\"x\"}\n", 0 }, { "{\"run\":1,\"from\":\"output\"}\n", 0 },
		{ "{\"run\":1,\"from\":\"output\",\"b64\":\"!\"}\n", 0 }, { "{\"run\":1,\"from\":\"output\",\"b64\":\"\"}\n", 1 },
		{ "{\"run\":1,\"state\":\"odd\",\"ms\":-5}\n", 1 }, { "{\"run\":{},\"state\":\"odd\"}\n", 0 }, { "{\"mcp\":\"s\"}\n", 0 },
		{ "{\"t\":1e300,\"mcp\":\"s\",\"in\":\"x\"}\n", 1 }, { "{\"mcp\":\"s\",\"out\":3}\n", 0 }, { "{\"in\":\"x\"}\n", 0 }, { "[]\n", 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf text = { 0 };
		struct tape *tape;
		struct error err;

		buf_printf(&text, "{\"weir_tape\":1}\n{\"t\":5,\"end\":\"closed\"}\n%s", rows[i].lines);
		CHECK(tape_from_text(&tape, buf_str(&text), &err), "%s", err.text);
		CHECK(tape_length(tape) == 1 && tape_behind(tape) == rows[i].behind, "%s: %zu", rows[i].lines, tape_behind(tape));
		for (size_t k = 0; k < tape_behind(tape); k++)
			CU_ASSERT(tape_at(tape, 1 + k).at_ms >= 5 && tape_at(tape, 1 + k).at_ms <= TAPE_LATEST_MS);
		tape_free(tape);
		buf_fini(&text);
	}
}

static void only_an_own_tape_is_added_to(void)
{
	struct tape_writer *w, *other;
	char path[64], link[80];
	struct error err;

	make_path(path);
	CU_ASSERT_FALSE(tape_writer_resume(&other, path, 1, &err)); /* there is none */
	CHECK(tape_writer_open(&w, path, &err), "%s", err.text);
	CU_ASSERT_FALSE(tape_writer_resume(&other, path, 1, &err)); /* it is empty */
	tape_start(w, &(struct tape_info){ .protocol = STR("ollama") });
	CU_ASSERT_FALSE(tape_writer_resume(&other, path, 1, &err)); /* in use */
	tape_end(w, END_CLOSED, 1);
	CHECK(tape_writer_close(w, &err), "%s", err.text);
	snprintf(link, sizeof link, "%s.link", path);
	CU_ASSERT_EQUAL(symlink(path, link), 0);
	CU_ASSERT_FALSE(tape_writer_resume(&other, link, 1, &err));
	unlink(link);
	CHECK(tape_writer_resume(&other, path, 1, &err), "%s", err.text);
	const struct tape_run server = { .name = STR("s") };
	const struct tape_step step = { .kind = TAPE_SENT, .run = &server, .bytes = STR("{}") };
	CU_ASSERT_TRUE(tape_add_behind(other, &step)); /* the last one may exceed the limit */
	CU_ASSERT_FALSE(tape_add_behind(other, &step));
	CHECK(tape_writer_close(other, &err), "%s", err.text);
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	CU_ASSERT_EQUAL(write(fd, "{", 1), 1); /* a line that is not whole */
	close(fd);
	CU_ASSERT_FALSE(tape_writer_resume(&other, path, 1, &err));
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	CU_ASSERT_EQUAL(write(fd, "my own diary, which is long enough\n", 35), 35);
	close(fd);
	CU_ASSERT_FALSE(tape_writer_resume(&other, path, 1, &err));
	CHECK(strstr(err.text, "it is another file by now"), "%s", err.text);
	drop_path(path);
}

const struct suite suite_tape = { "tape", (const struct test[]){
	TEST(keeps_every_read), TEST(keeps_no_secret), TEST(keeps_how_the_connection_came), TEST(never_overwrites), TEST(a_flush_writes_all_lines),
	TEST(a_request_comes_in_pieces), TEST(a_request_that_exceeds_the_limit_is_dropped), TEST(has_a_ceiling), TEST(is_locked_while_it_runs), TEST(a_link_is_not_followed), TEST(a_crash_writes_and_names_it), TEST(reads_what_others_write),
	TEST(keeps_nul_bytes), TEST(plays_a_cut_tape_up_to_the_cut), TEST(names_a_broken_line), TEST(takes_plain_bodies),
	TEST(splits_plain_bodies_into_frames),
	TEST(knows_whether_one_answer_was_asked_for), TEST(says_which_file_cannot_be_read), TEST(a_large_request_is_parsed_once), TEST(feeds_a_stream), TEST(stops_feeding_between_two_steps),
	TEST(what_ran_stands_behind_the_end), TEST(lines_behind_the_end_are_untrusted), TEST(only_an_own_tape_is_added_to), { 0 } } };
