#include "net/proxy.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/base64.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/percent.h"

/* --- parsing --- */

struct parts {
	struct str scheme;      /* including "://"; "" if absent */
	struct str credentials; /* without the '@'; absent if there are none */
	struct str place;       /* host, port and the rest */
};

/* "user:a://b@host" has no scheme: a scheme contains no colon. */
static size_t scheme_length(struct str value)
{
	size_t len = 0;

	while (len < value.len && (char_is_word(value.ptr[len]) || strchr("+-.", value.ptr[len])))
		len++;
	return str_starts(str_skip(value, len), "://") ? len + 3 : 0;
}

static struct parts proxy_split(struct str value)
{
	struct parts parts = { .scheme = str_head(value, scheme_length(value)) };
	struct str rest = str_skip(value, parts.scheme.len);
	size_t place = str_behind_last(rest, '@');

	if (place)
		parts.credentials = str_head(rest, place - 1);
	parts.place = str_skip(rest, place);
	return parts;
}

/* --- proxy of a URL --- */

static struct str value_of(const char *variable)
{
	return str_trim(str_from(getenv(variable)));
}

/* The first variable that is set, in curl's order. HTTP_PROXY is not read: a CGI server sets it from a request header. */
static const char *variable_for(bool https)
{
	static const char *const of_http[] = { "http_proxy", "all_proxy", "ALL_PROXY", NULL };
	static const char *const of_https[] = { "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", NULL };
	const char *const *name = https ? of_https : of_http;

	while (*name && !value_of(*name).len)
		name++;
	return *name;
}

static bool is_known_scheme(struct str scheme)
{
	static const char *const known[] = { "", "http://", "https://", "socks://", "socks4://", "socks4a://", "socks5://", "socks5h://" };

	return str_is_among_nocase(scheme, known, ARRAY_LEN(known));
}

/* Accepts "host", "host:1" and "[::1]:1". Anything else after the colon may be a password whose host was omitted. */
static bool is_place(struct str place)
{
	struct str authority = str_head(place, str_find(place, STR("/")));
	size_t host = str_starts(authority, "[") ? str_find(authority, STR("]")) + 1 : str_find(authority, STR(":"));
	struct str port = str_skip(authority, host + 1);
	long long number = 1;

	if (!authority.len || !host || host > authority.len)
		return false;
	if (host < authority.len && authority.ptr[host] != ':')
		return false;
	return !port.len || (str_to_int(port, &number) && number > 0 && number <= 65535);
}

static char *proxy_join(struct str scheme, struct str place)
{
	struct buf url = { 0 };

	buf_add(&url, scheme);
	buf_add(&url, place);
	return buf_take(&url);
}

void proxy_find(struct proxy *p, bool https)
{
	struct parts parts;
	struct buf credentials = { 0 };

	*p = (struct proxy){ .variable = variable_for(https) };
	if (!p->variable)
		return;
	parts = proxy_split(value_of(p->variable));
	p->usable = is_known_scheme(parts.scheme) && is_place(parts.place);
	p->secure = str_is_nocase(parts.scheme, "https://");
	p->url = proxy_join(parts.scheme, parts.place);
	if (!parts.credentials.ptr)
		return;
	buf_add(&credentials, parts.credentials);
	if (str_find(parts.credentials, STR(":")) == parts.credentials.len)
		buf_add_byte(&credentials, ':');
	p->credentials = buf_take(&credentials);
}

void proxy_fini(struct proxy *p)
{
	mem_free(p->url);
	mem_free(p->credentials);
	*p = (struct proxy){ 0 };
}

/* --- secrets --- */

/* The value after "Basic": always with a colon. */
static void add_basic(struct redact_set *set, struct str user, struct str password)
{
	struct buf both = { 0 }, coded = { 0 };

	percent_decode(user, &both);
	buf_add_byte(&both, ':');
	percent_decode(password, &both);
	base64_encode(buf_str(&both), &coded);
	redact_set_add(set, buf_str(&both));
	redact_set_add(set, buf_str(&coded));
	buf_fini(&both);
	buf_fini(&coded);
}

static void add_credentials(struct redact_set *set, struct str credentials)
{
	struct str user = str_head(credentials, str_find(credentials, STR(":"))), password = str_skip(credentials, user.len + 1);

	redact_set_add(set, credentials);
	add_basic(set, user, password);
	redact_set_add_forms(set, password);
	if (password.len < REDACT_LEN_MIN)
		redact_set_add_forms(set, user);
}

void proxy_add_secrets(struct redact_set *set)
{
	static const char *const variables[] = { "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY" };

	for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
		struct parts parts = proxy_split(value_of(variables[i]));

		if (parts.credentials.len)
			add_credentials(set, parts.credentials);
	}
}
