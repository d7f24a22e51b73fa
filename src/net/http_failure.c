#include "net/http_failure.h"

#include <curl/curl.h>
#include <string.h>

#include "base/text.h"

/* Of enum X509_V_ERR_. libcurl starts with UNSPECIFIED, and leaves it at that where it has refused the host's name before it asks for the result. */
#define CERTIFICATE_OK 0
#define CERTIFICATE_UNSPECIFIED 1
#define CERTIFICATE_NOT_YET_VALID 9
#define CERTIFICATE_EXPIRED 10
#define CERTIFICATE_OF_ANOTHER_NAME 62
#define CERTIFICATE_OF_ANOTHER_ADDRESS 64

/* CURLE_TOO_LARGE: a line of the head without an end, and since libcurl 8.6 the head as a whole. Before, a line was CURLE_OUT_OF_MEMORY. */
#define TOO_LARGE 100

/* curl's message, or its text for the code. */
static const char *reason_of(const struct http_failure *f)
{
	return f->reason[0] ? f->reason : curl_easy_strerror((CURLcode)f->code);
}

/* Whether the connection itself ended. With TLS only OpenSSL's message tells. Other failures mean that curl rejected the received bytes. */
static bool is_end_of_connection(const struct http_failure *f)
{
	if (f->code == CURLE_RECV_ERROR)
		return f->system_error || !f->reason[0] || strstr(f->reason, "SSL_");
	return f->code == CURLE_OK || f->code == CURLE_GOT_NOTHING || f->code == CURLE_SEND_ERROR || f->code == CURLE_PARTIAL_FILE;
}

static bool is_head_too_large(const struct http_failure *f)
{
	return (f->code == CURLE_RECV_ERROR || f->code == TOO_LARGE) && strstr(f->reason, HTTP_FAILURE_LARGE_HEAD);
}

/* A proxy value that cannot be used; hosts without a proxy are not affected. */
static bool is_proxy_unusable(const struct http_failure *f)
{
	return f->proxy_unusable && (f->code == CURLE_COULDNT_CONNECT || f->code == CURLE_COULDNT_RESOLVE_PROXY) && !f->system_error;
}

/* TLS 1.2 is the oldest version allowed (net/http_transfer.c). */
static bool is_too_old(const struct http_failure *f)
{
	return strstr(f->reason, "alert protocol version") || strstr(f->reason, "unsupported protocol");
}

static const char *proxy_of(const struct http_failure *f)
{
	return f->proxy_variable ? f->proxy_variable : "the proxy";
}

static void explain_connecting(const struct http_failure *f, struct error *err)
{
	const char *what = f->system_error ? strerror(f->system_error) : reason_of(f);

	if (f->proxy_variable)
		error_set(err, "cannot connect to %s: %s (check the network, the base URL, and the proxy in %s)", f->place, what, f->proxy_variable);
	else
		error_set(err, "cannot connect to %s: %s (check that the server runs, and the base URL)", f->place, what);
}

/* Decided by the result, as libcurl words it in another way since 8.17. */
static const char *hint_for_certificate(const struct http_failure *f, const char *date, const char *trust, const char *host)
{
	switch (f->verify_result) {
	case CERTIFICATE_EXPIRED:
	case CERTIFICATE_NOT_YET_VALID:
		return date;
	case CERTIFICATE_OK:
	case CERTIFICATE_UNSPECIFIED:
	case CERTIFICATE_OF_ANOTHER_NAME:
	case CERTIFICATE_OF_ANOTHER_ADDRESS:
		return host;
	default:
		return trust;
	}
}

static void explain_certificate(const struct http_failure *f, struct error *err)
{
	const char *hint = hint_for_certificate(f, "check the clock of this machine, and the server's certificate",
	                                        "to trust it, name its CA's file in ca_file or SSL_CERT_FILE",
	                                        "the certificate is another host's: check the base URL");

	error_set(err, "cannot connect to %s: TLS failed: %s (%s)", f->place, reason_of(f), hint);
}

static void explain_tls(const struct http_failure *f, struct error *err)
{
	if (is_too_old(f))
		error_set(err, "cannot connect to %s: TLS failed: it does not offer TLS 1.2 or later, and older versions do not protect a key (%s)",
		          f->place, "have the server updated, or check the base URL");
	else if (f->proxy_secure && strstr(f->reason, "SSL_ERROR_SYSCALL")) /* libcurl (7.88) reports any failure so, also a bad certificate */
		error_set(err, "cannot connect to %s: TLS with the server failed, inside that of the proxy in %s (to trust the server, name its CA's "
		          "file in ca_file or SSL_CERT_FILE)", f->place, proxy_of(f));
	else
		error_set(err, "cannot connect to %s: TLS failed: %s (if the server speaks plain http, the base URL begins with http://)", f->place,
		          reason_of(f));
}

/*
 * Explains a failure at the proxy. A proxy whose URL begins with https is reached over TLS. Its settings come from the provider; only the
 * address comes from the variable.
 */
static bool explain_proxy(const struct http_failure *f, struct error *err)
{
	const char *hint = "if it speaks plain http, its URL begins with http://", *reason = reason_of(f);

	switch (f->code) {
	case CURLE_PEER_FAILED_VERIFICATION:
		hint = hint_for_certificate(f, "check the clock of this machine, and the proxy's certificate",
		                            "to trust it, name its CA's file in SSL_CERT_FILE; ca_file is the server's",
		                            "the certificate is another host's");
		break;
	case CURLE_SSL_CACERT_BADFILE:
		error_set(err, "cannot connect to %s: the certificates in %s cannot be read (%s)", f->place,
		          f->ca_file ? f->ca_file : "the system's file",
		          f->ca_file ? "check SSL_CERT_FILE" : "install ca-certificates, or name a file by SSL_CERT_FILE");
		return true;
	case CURLE_SSL_CONNECT_ERROR:
		if (!is_too_old(f))
			break;
		reason = "it does not offer TLS 1.2 or later";
		hint = "have it updated";
		break;
	default:
		return false;
	}
	error_set(err, "cannot connect to %s: TLS with the proxy in %s failed: %s (%s)", f->place, proxy_of(f), reason, hint);
	return true;
}

/* Returns false when there is no advice. */
static bool explain_no_answer(const struct http_failure *f, struct error *err)
{
	if (f->proxy_status / 100 > 2) {
		error_set(err, "cannot connect to %s: the proxy refuses with status %d (check %s)", f->place, f->proxy_status, proxy_of(f));
		return true;
	}
	if (is_proxy_unusable(f)) {
		error_set(err, "cannot connect to %s: the proxy in %s cannot be used (it has the form http://host:port, or https, socks4, socks4a, "
		          "socks5 or socks5h in place of http)", f->place, f->proxy_variable);
		return true;
	}
	if (f->at_proxy && explain_proxy(f, err))
		return true;
	if (is_head_too_large(f)) {
		error_set(err, "no answer from %s: its headers are larger than 300 KB or more than 4,000 lines (check the base URL)", f->place);
		return true;
	}
	switch (f->code) {
	case CURLE_COULDNT_RESOLVE_HOST:
		error_set(err, "cannot connect to %s: the name cannot be resolved (check the base URL and the network)", f->place);
		break;
	case CURLE_COULDNT_RESOLVE_PROXY:
		error_set(err, "cannot connect to %s: the name of the proxy cannot be resolved (check %s)", f->place,
		          proxy_of(f));
		break;
	case CURLE_COULDNT_CONNECT:
		explain_connecting(f, err);
		break;
	case CURLE_OPERATION_TIMEDOUT:
		error_set(err, "cannot connect to %s: no connection within %.8g s (check the base URL and the network)", f->place,
		          (double)f->connect_timeout_ms / 1000);
		break;
	case CURLE_PEER_FAILED_VERIFICATION:
		explain_certificate(f, err);
		break;
	case CURLE_SSL_CACERT_BADFILE:
		error_set(err, "cannot connect to %s: the certificates in %s cannot be read (%s)", f->place,
		          f->ca_file ? f->ca_file : "the system's file",
		          f->ca_file ? "check ca_file and SSL_CERT_FILE" : "install ca-certificates, or name a file by ca_file or SSL_CERT_FILE");
		break;
	case CURLE_SSL_CONNECT_ERROR:
		explain_tls(f, err);
		break;
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_WEIRD_SERVER_REPLY:
		error_set(err, "%s does not answer in HTTP: %s (check the port, and whether the base URL should begin with https://)", f->place,
		          reason_of(f));
		break;
	case CURLE_OUT_OF_MEMORY:
	case TOO_LARGE:
		error_set(err, "no answer from %s: a header is larger than 100 KB (check the base URL)", f->place);
		break;
	case CURLE_FAILED_INIT: /* no memory: there is nothing to check */
		error_set(err, "no answer from %s: %s", f->place, reason_of(f));
		break;
	case CURLE_BAD_CONTENT_ENCODING:
		error_set(err, "the answer of %s cannot be unpacked: %s", f->place, reason_of(f));
		break;
	default:
		if (!f->proxy_variable && is_end_of_connection(f))
			return error_set(err, "%s closed the connection without an answer", f->place);
		if (!f->proxy_variable)
			return error_set(err, "no answer from %s: %s", f->place, reason_of(f));
		error_set(err, "no answer from %s: %s (check the proxy in %s)", f->place, reason_of(f), f->proxy_variable);
	}
	return true;
}

bool http_failure_is_garbled(const struct http_failure *f)
{
	return f->code == CURLE_BAD_CONTENT_ENCODING;
}

bool http_failure_explain(const struct http_failure *f, struct error *err)
{
	if (!f->answered)
		return explain_no_answer(f, err);
	if (is_end_of_connection(f))
		return error_set(err, "%s closed the connection before the end of the answer", f->place);
	if (is_head_too_large(f))
		return error_set(err, "the answer of %s broke off: its headers are larger than 300 KB or more than 4,000 lines", f->place);
	if (http_failure_is_garbled(f))
		return error_set(err, "the answer of %s cannot be unpacked: %s", f->place, reason_of(f));
	return error_set(err, "the answer of %s broke off: %s", f->place, reason_of(f));
}

bool http_failure_may_pass(const struct http_failure *f)
{
	if (is_proxy_unusable(f))
		return false;
	switch (f->code) {
	case CURLE_RECV_ERROR:
		return is_end_of_connection(f);
	case CURLE_OK:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_CONNECT:
	case CURLE_OPERATION_TIMEDOUT:
	case CURLE_GOT_NOTHING:
	case CURLE_SEND_ERROR:
	case CURLE_PARTIAL_FILE:
		return true;
	case CURLE_HTTP2: /* not retried: libcurl may have dropped a response */
	case CURLE_HTTP2_STREAM:
	default:
		return false;
	}
}
