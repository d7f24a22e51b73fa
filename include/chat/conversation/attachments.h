/*
 * Which files of a conversation a request carries.
 *
 * A new file beyond a limit is refused before its prompt is sent. What cannot be carried of earlier turns, or not by this protocol at all,
 * is left out of the request, and told: the model reads a sentence in its place, the user a notice.
 */
#ifndef WEIR_CHAT_ATTACHMENTS_H
#define WEIR_CHAT_ATTACHMENTS_H

#include "wire/attachment.h"

struct part;
struct projection;

/* Called with a sentence for each file that is left out. */
typedef void attachments_tell(void *ctx, struct str sentence);

/* Whether new files fit together. Files of a kind that is not carried pass: they are left out, with a notice. */
MUST_USE bool attachments_check(const struct attachment_limits *limits, const struct part *files, size_t count, struct error *err);

/* Leaves out of the projection what does not fit. The newest files are kept. */
void attachments_fit(const struct attachment_limits *limits, struct projection *projection, attachments_tell *tell, void *ctx);

/* The name to show of a file that was attached by a path: without the folders. An address and a command ("!ls /tmp") stay whole. */
const char *attachments_name(const char *name);

/* The sentence about a file of a kind that is not carried. False: it is carried. Replaces the content of `out`. */
bool attachments_say_uncarried(const struct attachment_limits *limits, const struct request_part *file, struct buf *out);

#endif
