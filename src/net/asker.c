#include "net/asker.h"

#include <arpa/inet.h>

#include "base/mem.h"

static bool is_loopback_address(struct str name)
{
	bool is_six = str_starts(name, "[") && str_ends(name, "]");
	char *text = str_dup(is_six ? str_head(str_skip(name, 1), name.len - 2) : name);
	struct in_addr four;
	struct in6_addr six;
	bool is_ours = is_six ? inet_pton(AF_INET6, text, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six)
	                      : inet_pton(AF_INET, text, &four) == 1 && ntohl(four.s_addr) >> 24 == 127;

	mem_free(text);
	return is_ours;
}

/* The authority of a URL or the value of the header Host: a name and perhaps a port. */
static bool is_loopback(struct str host)
{
	struct str name = str_head(host, str_starts(host, "[") ? str_find(host, STR("]")) + 1 : str_find(host, STR(":")));
	struct str port = str_skip(host, name.len);
	long long number;
	bool port_is_good = !port.len || (str_starts(port, ":") && (port.len == 1 || str_to_int(str_skip(port, 1), &number)));

	return port_is_good && (str_is_nocase(name, "localhost") || is_loopback_address(name));
}

/*
 * Rejects other host names, against DNS rebinding: a page of such a name could read what is answered. A request without a host (HTTP/1.0)
 * does not come from a browser.
 */
static bool asks_this_host(const struct request_head *head)
{
	return (!head->host.ptr || is_loopback(head->host)) && (!head->authority.ptr || is_loopback(head->authority));
}

static bool is_same_site(const struct request_head *head)
{
	bool same = false;

	for (size_t i = 0; i < head->field_count; i++)
		if (str_is_nocase(head->fields[i].name, "sec-fetch-site"))
			same = str_is_nocase(head->fields[i].value, "same-origin");
	return same;
}

/*
 * Whether a page of another origin asks. Pages cannot change these two headers. Programs send neither of them, or only Sec-Fetch-Mode
 * (Node.js). Behind a server for development, the origin is that server's.
 */
static bool is_of_a_page(const struct request_head *head, const struct response_header *field)
{
	if (str_is_nocase(field->name, "sec-fetch-site"))
		return !str_is_nocase(field->value, "same-origin") && !str_is_nocase(field->value, "none");
	if (!str_is_nocase(field->name, "origin"))
		return false;
	struct str authority = str_skip(field->value, str_find(field->value, STR("://")) + 3);
	return !authority.len || (!str_equal(authority, head->host) && !(is_same_site(head) && is_loopback(authority)));
}

static bool asks_for_a_page(const struct request_head *head)
{
	for (size_t i = 0; i < head->field_count; i++)
		if (is_of_a_page(head, &head->fields[i]))
			return true;
	return false;
}

/* Pages cannot set this header either. */
static bool is_visit(const struct request_head *head)
{
	return str_is(head->method, "GET") && str_is_nocase(request_head_value(head, "sec-fetch-mode"), "navigate") &&
	       str_is_nocase(request_head_value(head, "sec-fetch-dest"), "document");
}

bool asker_check(const struct request_head *head, bool visitable, struct request_refusal *refusal)
{
	if (!asks_this_host(head))
		*refusal = (struct request_refusal){ 421,
		                                     "only requests to localhost, 127.0.0.1 or [::1] are answered here: the header Host names "
		                                     "another host" };
	else if (asks_for_a_page(head) && !(visitable && is_visit(head)))
		*refusal = (struct request_refusal){ 403,
		                                     "web pages of other origins are not answered here: the header Origin or Sec-Fetch-Site names "
		                                     "one" };
	return !refusal->status;
}
