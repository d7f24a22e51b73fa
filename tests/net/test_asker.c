#include "net/asker.h"

#include <stdio.h>

#include "support/check.h"

/* Checks that a request is refused with this status; 0: it is not refused. */
static void check_request(const char *method, const char *host, const char *more, bool visitable, unsigned status)
{
	struct request_refusal refusal = { 0 };
	struct request_head head;
	char text[500];

	snprintf(text, sizeof text, "%s / HTTP/1.1\r\nHost: %s\r\n%s\r\n", method, host, more);
	CU_ASSERT_TRUE(request_head_read(&head, str_from(text), &refusal));
	CHECK(asker_check(&head, visitable, &refusal) == !status && refusal.status == status, "%s%u", text, refusal.status);
	request_head_fini(&head);
}

static void pages_of_other_origins_and_other_hosts_are_refused(void)
{
	static const struct { unsigned status; const char *host, *more; } cases[] = {
		{ 0, "127.0.0.1:8080", "" },
		{ 0, "127.0.0.1:8080", "Sec-Fetch-Mode: cors\r\n" },                       /* Node.js */
		{ 0, "127.0.0.1:8080", "Sec-Fetch-Site: none\r\n" },                       /* typed by the user */
		{ 0, "127.0.0.1:8080", "Origin: http://127.0.0.1:8080\r\nSec-Fetch-Site: same-origin\r\n" },
		{ 0, "localhost:8080", "Origin: http://localhost:8080\r\n" },
		{ 0, "127.0.0.1:8080", "Origin: http://localhost:5173\r\nSec-Fetch-Site: same-origin\r\n" }, /* behind a server for development */
		{ 403, "127.0.0.1:8080", "Origin: http://localhost:5173\r\n" },
		{ 403, "127.0.0.1:8080", "Origin: http://localhost:5173\r\nSec-Fetch-Site: same-site\r\n" },
		{ 403, "127.0.0.1:8080", "Origin: https://evil.example\r\n" },
		{ 403, "127.0.0.1:8080", "Origin: https://evil.example\r\nSec-Fetch-Site: same-origin\r\n" },
		{ 403, "127.0.0.1:8080", "Origin: null\r\n" },
		{ 403, "127.0.0.1:8080", "Origin:\r\n" },
		{ 403, "127.0.0.1:8080", "Origin: http://127.0.0.1:8080.evil.example\r\n" },
		{ 403, "127.0.0.1:8080", "Sec-Fetch-Site: cross-site\r\n" },
		{ 403, "127.0.0.1:8080", "Sec-Fetch-Site: anything\r\n" },
		{ 403, "127.0.0.1:8080", "Origin: http://127.0.0.1:8080\r\nOrigin: https://evil.example\r\n" },
		{ 403, "127.0.0.1:8080", "Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n" },
		{ 421, "evil.example", "" },
		{ 421, "evil.example", "Origin: http://evil.example\r\nSec-Fetch-Site: same-origin\r\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_request("POST", cases[i].host, cases[i].more, false, cases[i].status);
}

static void a_page_may_send_the_browser_where_that_is_expected(void)
{
	static const struct { bool visitable; unsigned status; const char *method, *more; } cases[] = {
		{ true, 0, "GET", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n" },
		{ false, 403, "GET", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n" },
		{ true, 403, "POST", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n" },
		{ true, 403, "GET", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n" },
		{ true, 403, "GET", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n" },
		{ true, 403, "GET", "Origin: https://evil.example\r\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_request(cases[i].method, "127.0.0.1:1", cases[i].more, cases[i].visitable, cases[i].status);
}

const struct suite suite_asker = { "asker", (const struct test[]){
	TEST(pages_of_other_origins_and_other_hosts_are_refused), TEST(a_page_may_send_the_browser_where_that_is_expected), { 0 } } };
