#include "net/asker.h"

#include <stdio.h>

#include "support/check.h"

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

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct request_refusal refusal = { 0 };
		struct request_head head;
		char text[500];

		snprintf(text, sizeof text, "POST / HTTP/1.1\r\nHost: %s\r\n%s\r\n", cases[i].host, cases[i].more);
		CU_ASSERT_TRUE(request_head_read(&head, str_from(text), &refusal));
		CHECK(asker_check(&head, &refusal) == !cases[i].status && refusal.status == cases[i].status, "%s%u", text, refusal.status);
		request_head_fini(&head);
	}
}

const struct suite suite_asker = { "asker", (const struct test[]){ TEST(pages_of_other_origins_and_other_hosts_are_refused), { 0 } } };
