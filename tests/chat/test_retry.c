#include "chat/exchange/retry.h"

#include "support/check.h"

#define NOON 1767268800 /* Thu, 01 Jan 2026 12:00:00 GMT */

#define BODY(json) .body = STR(json)
#define RATE .status = 429

static struct retry_case one_of(struct retry_case c)
{
	if (!c.protocol)
		c.protocol = &protocol_openai_chat;
	c.now = NOON;
	return c;
}

#define WAITS(ms, ...) do { \
	struct retry_case c = one_of((struct retry_case){ __VA_ARGS__ }); \
	CHECK(retry_wait_ms(&c) == (ms), "%s: %lld", #__VA_ARGS__, (long long)retry_wait_ms(&c)); \
} while (0)

static void temporary_statuses(void)
{
	static const int again[] = { 0, 408, 429, 500, 502, 503, 504, 529 };
	static const int never[] = { 301, 400, 401, 402, 403, 404, 409, 413, 422, 451, 501, 505, 511 };

	for (size_t i = 0; i < sizeof again / sizeof again[0]; i++)
		WAITS(500, .status = again[i]);
	for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
		WAITS(RETRY_NEVER, .status = never[i]);
}

static void the_back_off_doubles_with_jitter(void)
{
	WAITS(500, .status = 503);
	WAITS(375, .status = 503, .dice = 1);
	WAITS(1000, .status = 503, .tries = 1);
	WAITS(875, .status = 503, .tries = 1, .dice = 0.5);
	WAITS(4000, .status = 503, .tries = 3);
	WAITS(8000, .status = 503, .tries = 4);
	WAITS(8000, .status = 503, .tries = 400);
}

static void the_server_says_when(void)
{
	WAITS(3000, RATE, .after = STR("3"));
	WAITS(1500, RATE, .after = STR(" 1.5 "));
	WAITS(60000, RATE, .after = STR("60"));
	WAITS(RETRY_NEVER, RATE, .after = STR("61"));
	WAITS(RETRY_NEVER, .status = 503, .after = STR("86400"));
	WAITS(251, RATE, .after_ms = STR("250.5"), .after = STR("9"));
	WAITS(RETRY_NEVER, RATE, .after_ms = STR("60001"), .after = STR("1"));
	WAITS(7000, RATE, .after_ms = STR("soon"), .after = STR("7"));
	WAITS(500, RATE, .after = STR("0"));
	WAITS(500, RATE, .after = STR("-5"));
	WAITS(500, RATE, .after = STR("soon"));
	WAITS(500, RATE, .after = STR("1e3"));
	WAITS(RETRY_NEVER, RATE, .after = STR("999999999999999999"));
	WAITS(500, RATE, .after = STR("99999999999999999999"));
}

static void a_date_is_a_time_too(void)
{
	WAITS(20000, RATE, .after = STR("Thu, 01 Jan 2026 12:00:20 GMT"));
	WAITS(20000, RATE, .after = STR("Thursday, 01-Jan-26 12:00:20 GMT"));
	WAITS(20000, RATE, .after = STR("Thu Jan  1 12:00:20 2026"));
	WAITS(RETRY_NEVER, RATE, .after = STR("Thu, 01 Jan 2026 12:01:01 GMT"));
	WAITS(500, RATE, .after = STR("Thu, 01 Jan 2026 11:00:00 GMT"));
	WAITS(500, RATE, .after = STR("Thu, 01 Jan 2026"));
	WAITS(500, RATE, .after = STR("Thu, 01 Jan 2026 12:00:20 GMT, and so on and so on, for more than a date ever has"));
}

/* Both dates come from the server, so a wrong clock does not matter. */
static void a_date_counts_from_the_servers_clock(void)
{
	WAITS(20000, RATE, .after = STR("Thu, 01 Jan 2026 10:00:20 GMT"), .date = STR("Thu, 01 Jan 2026 10:00:00 GMT"));
	WAITS(20000, RATE, .after = STR("Thu, 01 Jan 2026 14:00:20 GMT"), .date = STR(" Thu, 01 Jan 2026 14:00:00 GMT"));
	WAITS(RETRY_NEVER, RATE, .after = STR("Thu, 01 Jan 2026 12:00:20 GMT"), .date = STR("Thu, 01 Jan 2026 11:59:19 GMT"));
	WAITS(500, RATE, .after = STR("Thu, 01 Jan 2026 12:00:20 GMT"), .date = STR("Thu, 01 Jan 2026 12:00:20 GMT"));
	WAITS(20000, RATE, .after = STR("Thu, 01 Jan 2026 12:00:20 GMT"), .date = STR("today"));
	WAITS(3000, RATE, .after = STR("3"), .date = STR("Thu, 01 Jan 2026 10:00:00 GMT"));
}

static void the_server_decides(void)
{
	WAITS(RETRY_NEVER, .status = 503, .should = STR("false"));
	WAITS(RETRY_NEVER, RATE, .should = STR("False"), .after = STR("1"));
	WAITS(500, .status = 409, .should = STR("true"));
	WAITS(500, .status = 503, .should = STR("maybe"));
	WAITS(RETRY_NEVER, .status = 400, .should = STR("maybe"));
	WAITS(RETRY_NEVER, .status = 503, .should = STR("true"), .after = STR("600"));
}

static void an_empty_account_is_never(void)
{
	WAITS(RETRY_NEVER, RATE, BODY("{\"error\":{\"message\":\"You exceeded your current quota\",\"type\":\"insufficient_quota\",\"code\":\"insufficient_quota\"}}"));
	WAITS(RETRY_NEVER, RATE, .should = STR("true"), BODY("{\"error\":{\"message\":\"m\",\"type\":\"t\",\"code\":\"insufficient_quota\"}}"));
	WAITS(RETRY_NEVER, RATE, BODY("{\"error\":{\"message\":\"m\",\"code\":\"billing_hard_limit_reached\"}}"));
	WAITS(RETRY_NEVER, RATE, .after = STR("1"), BODY("{\"error\":{\"message\":\"m\",\"type\":\"exceeded_current_quota_error\"}}"));
	WAITS(RETRY_NEVER, RATE, BODY("{\"error\":{\"message\":\"Provider returned error\",\"code\":429,\"metadata\":{\"raw\":\"{\\\"code\\\":\\\"insufficient_quota\\\"}\"}}}"));
	WAITS(500, RATE, BODY("{\"error\":{\"code\":429,\"message\":\"You exceeded your current quota, please check your plan and billing details.\",\"status\":\"RESOURCE_EXHAUSTED\"}}"));
	WAITS(500, RATE, BODY("<html>insufficient_quota</html>"));
}

static void anthropic_without_a_time_is_a_spend_limit(void)
{
	WAITS(RETRY_NEVER, RATE, .protocol = &protocol_anthropic);
	WAITS(2000, RATE, .protocol = &protocol_anthropic, .after = STR("2"));
	WAITS(2, RATE, .protocol = &protocol_anthropic, .after_ms = STR("2"));
	WAITS(500, RATE, .protocol = &protocol_anthropic, .should = STR("true"));
	WAITS(500, .status = 529, .protocol = &protocol_anthropic);
}

#define RETRY_INFO(delay) "{\"error\":{\"code\":429,\"message\":\"m\",\"status\":\"RESOURCE_EXHAUSTED\",\"details\":[{\"@type\":\"x\"}," \
	"{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"" delay "\"}]}}"

static void google_gives_the_delay_in_the_body(void)
{
	WAITS(48000, RATE, BODY(RETRY_INFO("48s")));
	WAITS(1250, RATE, BODY("[" RETRY_INFO("1.25s") "]"));
	WAITS(RETRY_NEVER, RATE, BODY(RETRY_INFO("3600s")));
	WAITS(500, RATE, BODY(RETRY_INFO("s")));
	WAITS(3000, RATE, BODY(RETRY_INFO("48s")), .after = STR("3"));
}

const struct suite suite_retry = { "retry", (const struct test[]){
	TEST(temporary_statuses),
	TEST(the_back_off_doubles_with_jitter),
	TEST(the_server_says_when),
	TEST(a_date_is_a_time_too),
	TEST(a_date_counts_from_the_servers_clock),
	TEST(the_server_decides),
	TEST(an_empty_account_is_never),
	TEST(anthropic_without_a_time_is_a_spend_limit),
	TEST(google_gives_the_delay_in_the_body),
	{ 0 },
} };
