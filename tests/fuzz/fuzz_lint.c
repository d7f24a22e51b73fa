/*
 * Lints any bytes. Rules: splitting the input does not change the findings, every message is one line of valid UTF-8, at most
 * LINT_FINDINGS_MOST findings of a rule are reported, a finding's place lies in the body, and lint changes nothing for the stream.
 *
 * input: protocol, dialect and how it ends, status, seed of the splits; the request and the body, separated by 0xFE
 */
#include "base/utf8.h"
#include "fuzz.h"
#include "wire/lint/lint.h"
#include "wire/summary.h"

struct setting {
	const struct protocol *protocol; /* NULL: detected */
	const struct dialect *dialect;   /* NULL: all */
	enum end_how how;
	int status;
	unsigned seed;
	struct str request, body;
};

struct run {
	const struct setting *s;
	struct buf findings, summary;
	size_t count;
};

static struct setting read_setting(struct fuzz_input *in)
{
	static const enum end_how hows[] = { END_CLOSED, END_CUT, END_STALLED, END_CANCELLED };
	unsigned protocol = fuzz_byte(in) % 6, mixed = fuzz_byte(in);
	struct setting s = {
		.protocol = protocol < 5 ? protocol_at(protocol) : NULL,
		.dialect = dialect_at(mixed / 4 % 8),
		.how = hows[mixed % 4],
		.status = fuzz_byte(in) % 8 ? 200 : 429,
		.seed = fuzz_byte(in) + 1,
	};

	s.body = in->rest;
	if (!str_split(&s.body, '\xFE', &s.request) || !s.body.len) {
		s.body = in->rest;
		s.request = STR_NONE;
	}
	return s;
}

static void take_finding(void *run, const struct lint_finding *f)
{
	struct run *r = run;

	FUZZ_CHECK(f->message.len && utf8_is_valid(f->message) && str_find(f->message, STR("\n")) == f->message.len, "a message is a line of UTF-8");
	FUZZ_CHECK(f->place.offset <= r->s->body.len, "a finding lies in the body");
	FUZZ_CHECK(f->place.at_ms < 0, "a stream without timing has none");
	buf_printf(&r->findings, "%s %zu %zu %.*s\n", lint_rule_id(f->rule), f->place.frame, f->place.offset, STR_ARG(f->message));
	r->count++;
}

/* Seed 0: in one piece. */
static void feed(struct stream *stream, struct str body, unsigned seed)
{
	while (body.len) {
		size_t size = seed ? fuzz_cut(&seed) : body.len;

		stream_body(stream, str_head(body, size), 0);
		body = str_skip(body, size);
	}
}

static void decode(struct run *r, const struct stream_tap *tap, unsigned seed)
{
	const struct setting *s = r->s;
	struct summary *summary = summary_new();
	struct stream_options options = { .protocol = s->protocol, .dialect = s->dialect, .untimed = true, .tap = tap };
	struct stream *stream = stream_new(&options, summary_delta, summary);

	if (s->status != 200)
		stream_head(stream, &(struct response_head){ .status = s->status, .content_type = s->request }, 0);
	feed(stream, s->body, seed);
	stream_end(stream, s->how, 0);
	buf_clear(&r->summary);
	summary_write(summary, STR("p"), STR("d"), &r->summary);
	stream_free(stream);
	summary_free(summary);
}

static void check_counts(const struct run *r, const struct lint *lint)
{
	size_t reported = 0;

	for (size_t i = 0; lint_rule_at(i); i++) {
		size_t count = lint_count(lint, lint_rule_at(i));

		reported += count < LINT_FINDINGS_MOST ? count : LINT_FINDINGS_MOST;
	}
	FUZZ_CHECK(reported == r->count, "what is counted is reported, up to the limit");
	FUZZ_CHECK(lint_fit(lint) != NULL, "a dialect fits");
}

static void run(struct run *r, const struct setting *s, unsigned seed)
{
	*r = (struct run){ .s = s };
	struct lint *lint = lint_new(&(struct lint_options){ .dialect = s->dialect, .request = s->request }, take_finding, r);

	decode(r, lint_tap(lint), seed);
	check_counts(r, lint);
	lint_free(lint);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	struct setting s = read_setting(&in);
	struct run whole, cut, plain = { .s = &s };

	run(&whole, &s, 0);
	run(&cut, &s, s.seed);
	decode(&plain, NULL, 0);
	if (!str_equal(buf_str(&whole.findings), buf_str(&cut.findings)))
		fprintf(stderr, "whole:\n%scut:\n%s", buf_z(&whole.findings), buf_z(&cut.findings));
	FUZZ_CHECK(str_equal(buf_str(&whole.findings), buf_str(&cut.findings)), "cuts change nothing");
	if (!str_equal(buf_str(&whole.summary), buf_str(&plain.summary)))
		fprintf(stderr, "with:    %s\nwithout: %s\n", buf_z(&whole.summary), buf_z(&plain.summary));
	FUZZ_CHECK(str_equal(buf_str(&whole.summary), buf_str(&plain.summary)), "lint changes nothing for the stream");
	buf_fini(&whole.findings);
	buf_fini(&whole.summary);
	buf_fini(&cut.findings);
	buf_fini(&cut.summary);
	buf_fini(&plain.summary);
	return 0;
}
