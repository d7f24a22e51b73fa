/*
 * Attachments: what a file is, by its content, and what each protocol takes of it.
 *
 * The table of limits is data (attachment.c), with the document that each row is from. What no document states is not limited: the server
 * decides.
 */
#ifndef WEIR_WIRE_ATTACHMENT_H
#define WEIR_WIRE_ATTACHMENT_H

#include "base/error.h"
#include "base/image_size.h"
#include "wire/request.h"

enum attachment { ATTACHMENT_IMAGE, ATTACHMENT_PDF, ATTACHMENT_AUDIO, ATTACHMENT_VIDEO, ATTACHMENT_TEXT, ATTACHMENT_OTHER };

/* The media type of a file that is not text, by its first bytes; NULL: unknown, or text. */
const char *attachment_media(struct str bytes);

enum attachment attachment_kind(const struct request_part *part);

/*
 * The text of a text file: its name, then the content in a fence longer than any run of backticks in it. For other kinds what
 * attachment_left_out() says. Both replace the content of `scratch` and borrow from it.
 */
struct str attachment_text(const struct request_part *part, struct buf *scratch);
struct str attachment_left_out(const struct request_part *part, struct buf *scratch); /* tells the model that a file is missing */

struct attachment_limits {
	const char *protocol;          /* its name */
	const char *provider;          /* the preset that it is about; NULL: every other one */
	unsigned kinds;                /* bits 1 << enum attachment: the kinds that it takes; text goes inline everywhere */
	const char *images;            /* media types of images, separated by blanks */
	const char *sounds;            /* the same of sounds; NULL: any */
	size_t image_bytes, pdf_bytes; /* of one file in base64; 0: not stated */
	size_t image_count;            /* images in a request; 0: not stated */
	uint32_t edge_pixels;          /* the longer edge of an image; 0: not stated */
	size_t request_bytes;          /* of all files in base64; 0: not stated */
};

/* The row for a provider's protocol. Never NULL for a protocol of the program. */
const struct attachment_limits *attachment_limits_of(struct str protocol, struct str provider);

/* Whether a file can be sent at all: of a kind that the protocol has a shape for. */
bool attachment_is_carried(const struct attachment_limits *limits, const struct request_part *part);

/* Files counted so far. Start with zero. */
struct attachment_sum { size_t images, bytes; };
/*
 * Adds a carried file to the sum. False, with a sentence and the sum unchanged, if a limit is exceeded: type, size, pixels, number or the
 * size of all.
 */
MUST_USE bool attachment_add(const struct attachment_limits *limits, const struct request_part *part, struct attachment_sum *sum,
                             struct error *err);
/* "a PDF", "an image", ...: the kind in words. */
const char *attachment_words(enum attachment kind);

#endif
