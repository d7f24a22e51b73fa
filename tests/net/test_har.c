#include "net/har.h"

#include <string.h>

#include "base/array.h"
#include "support/check.h"

#define ENTRY(request, content) "{\"startedDateTime\":\"2026-01-31T12:00:00.000Z\",\"time\":812.5,\"request\":{" request "}," \
	"\"response\":{\"status\":200,\"headers\":[{\"name\":\"X-Request-Id\",\"value\":\"req_1\"},{\"name\":\"Set-Cookie\",\"value\":\"SECRET\"}]," \
	"\"content\":{" content "}},\"timings\":{\"send\":0,\"wait\":300,\"receive\":512.5}}"
#define REQUEST "\"method\":\"POST\",\"url\":\"https://me:SECRET@llm.acme.example/v1/chat/completions?key=SECRET&alt=sse\"," \
	"\"headers\":[{\"name\":\"Authorization\",\"value\":\"Bearer SECRET\"}],\"cookies\":[{\"name\":\"a\",\"value\":\"SECRET\"}]," \
	"\"postData\":{\"mimeType\":\"application/json\",\"text\":\"{\\\"model\\\":\\\"m\\\",\\n\\\"messages\\\":[]}\"}"
#define STREAM(text) "\"mimeType\":\"text/event-stream\",\"text\":\"data: {\\\"choices\\\":[{\\\"delta\\\":{\\\"content\\\":\\\"" text "\\\"}}]}\\n\\ndata: [DONE]\\n\\n\""
#define PAGE ENTRY("\"url\":\"https://acme.example/app.js\"", "\"mimeType\":\"text/javascript\",\"text\":\"alert(1)\"")
#define ARCHIVE(entries) " {\n \"log\": {\"version\":\"1.2\",\"creator\":{\"name\":\"b\"},\"entries\":[" entries "]}}\n"

static void check_read(const char *archive, size_t entry, const char *expected)
{
	struct har_exchange e;
	struct error err;

	CHECK(har_begins(str_from(archive)), "%s", archive);
	CHECK(har_read(&e, str_from(archive), entry, &err), "%s", err.text);
	CHECK(str_is(buf_str(&e.lines), expected), "%s", buf_z(&e.lines));
	CHECK(!strstr(buf_z(&e.lines), "SECRET"), "%s", buf_z(&e.lines));
	har_exchange_fini(&e);
}

static void check_refused(const char *archive, size_t entry, const char *expected)
{
	struct har_exchange e;
	struct error err = { "" };

	CHECK(!har_read(&e, str_from(archive), entry, &err), "%s", archive);
	CHECK_STR(str_from(err.text), expected);
	har_exchange_fini(&e);
}

#define FIRST "{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"url\":\"https://llm.acme.example/v1/chat/completions?alt=sse\",\"started\":\"2026-01-31T12:00:00.000Z\"," \
	"\"request\":{\"model\":\"m\",\"messages\":[]}}\n" \
	"{\"t\":0,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\",\"headers\":{\"x-request-id\":\"req_1\"}}}\n"
#define TAPE(text) FIRST "{\"t\":0,\"body\":\"data: {\\\"choices\\\":[{\\\"delta\\\":{\\\"content\\\":\\\"" text "\\\"}}]}\\n\\n\"}\n" \
	"{\"t\":0,\"body\":\"data: [DONE]\\n\\n\"}\n{\"t\":0,\"end\":\"closed\"}\n"

/* What a browser sends along with a request may be a key: none of it is taken. */
static void takes_the_first_answer_without_its_secrets(void)
{
	check_read(ARCHIVE(PAGE "," ENTRY(REQUEST, STREAM("one")) "," ENTRY(REQUEST, STREAM("two"))), 0, TAPE("one"));
	check_read(ARCHIVE(PAGE "," ENTRY(REQUEST, STREAM("one")) "," ENTRY(REQUEST, STREAM("two"))), 3, TAPE("two"));
	check_read("\xEF\xBB\xBF" ARCHIVE(ENTRY(REQUEST, STREAM("one"))), 1, TAPE("one"));
}

static void says_where_it_found_answers(void)
{
	struct har_exchange e;
	struct error err;

	CHECK(har_read(&e, STR(ARCHIVE(PAGE "," ENTRY(REQUEST, STREAM("one")) "," PAGE "," ENTRY(REQUEST, STREAM("two")))), 0, &err), "%s", err.text);
	CU_ASSERT_EQUAL(e.where.entry, 2);
	CU_ASSERT_EQUAL(e.where.entries, 4);
	CU_ASSERT_EQUAL(e.where.answer_count, 2);
	CU_ASSERT_EQUAL(e.where.answers[1], 4);
	CU_ASSERT(!e.timed);
	har_exchange_fini(&e);
}

static void a_body_may_be_base64(void)
{
	check_read(ARCHIVE(ENTRY(REQUEST, "\"mimeType\":\"text/event-stream\",\"encoding\":\"base64\","
		"\"text\":\"ZGF0YTogeyJjaG9pY2VzIjpbeyJkZWx0YSI6eyJjb250ZW50IjoieCJ9fV19CgpkYXRhOiBbRE9ORV0KCg==\"")), 0, TAPE("x"));
	check_read(ARCHIVE(ENTRY(REQUEST, "\"mimeType\":\"text/event-stream\",\"encoding\":\"base64\","
		"\"text\":\"ZGF0YTogeyJjaG9pY2VzIjpbeyJkZWx0YSI6eyJj\\r\\nb250ZW50IjoieCJ9fV19CgpkYXRhOiBbRE9ORV0KCg==\\n\"")), 0, TAPE("x"));
	check_refused(ARCHIVE(ENTRY(REQUEST, "\"encoding\":\"base64\",\"text\":\"%\"")), 0, "the body of entry 1 of the HTTP Archive (HAR) is not base64, as it says");
}

static void check_packed(const char *coding, const char *bytes)
{
	char archive[1500];
	struct har_exchange e;
	struct error err;

	snprintf(archive, sizeof archive, ARCHIVE("{\"request\":{},\"response\":{\"status\":200,\"headers\":[{\"name\":\"Content-Encoding\",\"value\":\"%s\"}],"
		"\"content\":{\"encoding\":\"base64\",\"text\":\"%s\"}}}"), coding, bytes);
	CHECK(har_read(&e, str_from(archive), 0, &err), "%s", err.text);
	CHECK_STR(buf_str(&e.body), "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\ndata: [DONE]\n\n");
	har_exchange_fini(&e);
}

/* Some proxies write the bytes as they came, so that the coding is still on them; others name the coding that they took off. */
static void a_body_may_still_be_compressed(void)
{
	static const struct { const char *coding, *bytes; } cases[] = {
		{ "gzip", "H4sIAAAAAAACA0tJLEm0UqhWSs7Iz0xOLVayiq5WSknNKUlUsgIK5ueVpOaVKFkpVSjV1sbWcnGlgJVHu/j7ucZycQEAd0V9Cj0AAAA=" },
		{ "", "H4sIAAAAAAACA0tJLEm0UqhWSs7Iz0xOLVayiq5WSknNKUlUsgIK5ueVpOaVKFkpVSjV1sbWcnGlgJVHu/j7ucZycQEAd0V9Cj0AAAA=" },
		{ "identity", "KLUv/QRY6QEAZGF0YTogeyJjaG9pY2VzIjpbeyJkZWx0YSI6eyJjb250ZW50IjoieCJ9fV19CgpkYXRhOiBbRE9ORV0KCrgLZ40=" },
		{ "zstd", "KLUv/QRY6QEAZGF0YTogeyJjaG9pY2VzIjpbeyJkZWx0YSI6eyJjb250ZW50IjoieCJ9fV19CgpkYXRhOiBbRE9ORV0KCrgLZ40=" },
		{ "deflate", "eNpLSSxJtFKoVkrOyM9MTi1WsoquVkpJzSlJVLICCubnlaTmlShZKVUo1dbG1nJxpYCVR7v4+7nGcnEBAIOGE6g=" },
		{ "deflate", "S0ksSbRSqFZKzsjPTE4tVrKKrlZKSc0pSVSyAgrm55Wk5pUoWSlVKNXWxtZycaWAlUe7+Pu5xnJxAQA=" },
		{ "br", "Cx6AZGF0YTogeyJjaG9pY2VzIjpbeyJkZWx0YSI6eyJjb250ZW50IjoieCJ9fV19CgpkYXRhOiBbRE9ORV0KCgM=" },
		{ "gzip", "ZGF0YTogeyJjaG9pY2VzIjpbeyJkZWx0YSI6eyJjb250ZW50IjoieCJ9fV19CgpkYXRhOiBbRE9ORV0KCg==" },
		{ "br", "ZGF0YTogeyJjaG9pY2VzIjpbeyJkZWx0YSI6eyJjb250ZW50IjoieCJ9fV19CgpkYXRhOiBbRE9ORV0KCg==" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_packed(cases[i].coding, cases[i].bytes);
}

/* What is not what it says stays as it is. */
static void bytes_of_no_coding_are_the_body(void)
{
	struct har_exchange e;
	struct error err;

	CHECK(har_read(&e, STR(ARCHIVE("{\"response\":{\"content\":{\"encoding\":\"base64\",\"text\":\"H4sIAAEC\"}}}")), 0, &err), "%s", err.text);
	CU_ASSERT_EQUAL(e.body.len, 6);
	har_exchange_fini(&e);
}

/* For tools that open the file at a finding. */
static void the_line_of_the_body_is_known(void)
{
	struct har_exchange e;
	struct error err;

	CHECK(har_read(&e, STR(ARCHIVE("\n" PAGE ",\n" ENTRY(REQUEST, STREAM("one")))), 0, &err), "%s", err.text);
	CU_ASSERT_EQUAL(e.where.line, 4);
	har_exchange_fini(&e);
}

/* A single entry may be anything, such as an error in HTML. */
static void a_single_entry_needs_no_answer(void)
{
	struct har_exchange e;
	struct error err;

	CHECK(har_read(&e, STR(ARCHIVE(PAGE)), 0, &err), "%s", err.text);
	CHECK_STR(buf_str(&e.body), "alert(1)");
	har_exchange_fini(&e);
}

static void refuses_with_a_sentence(void)
{
	struct buf deep = { 0 };

	check_refused(ARCHIVE(""), 0, "the HTTP Archive (HAR) has no entries");
	check_refused("{\"log\":{}}", 0, "the HTTP Archive (HAR) has no entries");
	check_refused("{\"log\":{\"entries\":{}}}", 0, "the HTTP Archive (HAR) has no entries");
	check_refused("{\"log\":{\"entries\":[", 0, "the HTTP Archive (HAR) is not whole, or not valid JSON");
	check_refused(ARCHIVE(PAGE "," PAGE), 0, "none of the 2 entries of the HTTP Archive (HAR) holds a model's answer; --entry N takes one anyway");
	check_refused(ARCHIVE(PAGE), 2, "there is no entry 2: the HTTP Archive (HAR) has 1");
	check_refused(ARCHIVE("7"), 0, "entry 1 of the HTTP Archive (HAR) has no body: export it with content");
	buf_add_z(&deep, "{\"log\":{\"entries\":[");
	for (unsigned i = 0; i < 300; i++)
		buf_add_byte(&deep, '[');
	check_refused(buf_z(&deep), 0, "the HTTP Archive (HAR) is nested too deeply");
	buf_fini(&deep);
}

#define WITH_TAPE(reads) ARCHIVE("{\"request\":{},\"response\":{\"status\":200,\"content\":{\"text\":\"data: [DONE]\\n\\n\"}}," \
	"\"_weir\":{\"tape\":{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"url\":\"u\",\"started\":\"s\"},\"head\":{\"t\":5,\n\"head\":{\"status\":200,\"headers\":{}}}," \
	"\"reads\":" reads ",\"end\":{\"t\":9,\"end\":\"stalled\"}}}")

static void a_tape_in_an_archive_has_its_times(void)
{
	static const char *const wrong[] = { "[[6,4]]", "[[6,40]]", "[[6,-1],[7,14]]", "[6]", "[]", "{}", "null", "[[\"x\",14]]" };

	check_read(WITH_TAPE("[[6,4],[7.5,10]]"), 0,
		"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"url\":\"u\",\"started\":\"s\"}\n{\"t\":5,\"head\":{\"status\":200,\"headers\":{}}}\n"
		"{\"t\":6,\"body\":\"data\"}\n{\"t\":7.5,\"body\":\": [DONE]\\n\\n\"}\n{\"t\":9,\"end\":\"stalled\"}\n");
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) { /* then it is an archive like others */
		char archive[800], expected[] = "{\"t\":0,\"head\":{\"status\":200,\"headers\":{}}}\n{\"t\":0,\"body\":\"data: [DONE]\\n\\n\"}\n{\"t\":0,\"end\":\"closed\"}\n";
		struct har_exchange e;
		struct error err;

		snprintf(archive, sizeof archive, WITH_TAPE("%s"), wrong[i]);
		CHECK(har_read(&e, str_from(archive), 0, &err), "%s", err.text);
		CHECK(!e.timed && str_ends(buf_str(&e.lines), expected), "%s: %s", wrong[i], buf_z(&e.lines));
		har_exchange_fini(&e);
	}
}

static void nothing_else_is_an_archive(void)
{
	static const char *const others[] = { "", "{", "{\"log\"", "{\"log\":1}", "{\"log\":[]}", "{\"logs\":{}}", "{\"id\":1,\"log\":{}}", "data: {\"log\":{}}", "[{\"log\":{}}]" };

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		CHECK(!har_begins(str_from(others[i])), "%s", others[i]);
}

const struct suite suite_har = { "har", (const struct test[]){
	TEST(takes_the_first_answer_without_its_secrets), TEST(says_where_it_found_answers), TEST(a_body_may_be_base64), TEST(a_body_may_still_be_compressed),
	TEST(bytes_of_no_coding_are_the_body), TEST(the_line_of_the_body_is_known), TEST(a_single_entry_needs_no_answer),
	TEST(refuses_with_a_sentence), TEST(a_tape_in_an_archive_has_its_times), TEST(nothing_else_is_an_archive), { 0 },
} };
