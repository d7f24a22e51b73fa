/* Files that the user names as attachments (wire/attachment.h). */
#ifndef WEIR_APP_ATTACHMENT_FILE_H
#define WEIR_APP_ATTACHMENT_FILE_H

#include "base/error.h"
#include "base/text.h"

/* Reads a regular file: its bytes, within the limit of `bytes`, and its media type by content and name, a constant. An empty one is refused. */
MUST_USE bool attachment_read(const char *path, struct buf *bytes, const char **media, struct error *err);

#endif
