/*
 * A request as it was sent, for people: its JSON, its head, and a `curl` command that sends it again.
 *
 * No text holds a secret: keys in headers and in the URL are names of shell variables, "$OPENAI_API_KEY", and a key that is known here and
 * stands in the body is masked.
 */
#ifndef WEIR_CHAT_SENT_REQUEST_H
#define WEIR_CHAT_SENT_REQUEST_H

#include "chat/exchange/exchange.h"

struct sent_request { /* embedded */
	const struct protocol *protocol;
	const struct provider *provider; /* NULL: not among those that are known here; borrowed */
	environment *env;
	bool stream;
	struct buf url;                  /* "..." stands for what may be a key */
	struct buf body;                 /* as sent; without line breaks between tokens if it is from a tape */
};

/* The request that an exchange sent last. False: it has sent none yet. */
MUST_USE bool sent_request_of_exchange(struct sent_request *r, const struct exchange *x, struct error *err);
/*
 * The request in the first line of a tape. `foreign`: the tape may come from anybody, so the names of our keys stand beside a URL of the
 * provider that it names only: a command that somebody pastes must not send a key elsewhere. False: there is no request, or it is of no
 * protocol that is known, or not of HTTP.
 */
MUST_USE bool sent_request_of_tape(struct sent_request *r, const struct tape_info *facts, struct providers *providers, environment *env,
                                   bool foreign, struct error *err);
void sent_request_fini(struct sent_request *r);

void sent_request_write_json(const struct sent_request *r, struct buf *out); /* indented, with a line end */
/* The same to look at: of a string longer than SENT_REQUEST_SHOWN bytes, such as an image, only the beginning and how much follows. */
#define SENT_REQUEST_SHOWN ((size_t)8 << 10)
void sent_request_show_json(const struct sent_request *r, struct buf *out);
void sent_request_write_head(const struct sent_request *r, struct buf *out); /* "POST URL" and the headers, one per line */
/*
 * A command for a POSIX shell that sends the same body. Texts are in single quotes, whatever they hold; control characters in strings are
 * written as escapes of JSON, so that they do not act when the command is pasted. A body that is too large for one argument goes through a
 * pipe.
 */
void sent_request_write_curl(const struct sent_request *r, struct buf *out);

#endif
