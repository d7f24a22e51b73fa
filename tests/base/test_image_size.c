#include "base/image_size.h"
#include "support/check.h"

#define BYTES(text) { text, sizeof(text) - 1 }

#define PNG "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02"
#define JPEG_HEAD "\xff\xd8\xff\xe0\0\x04\1\2"
#define JPEG_FRAME "\xff\xc2\0\x0b\x08\x01\xe0\x02\x80\1\1"
#define GIF "GIF89a\x80\x02\xe0\x01\0"
#define WEBP(chunk, rest) "RIFF\x20\0\0\0WEBP" chunk "\x10\0\0\0" rest
#define WEBP_X WEBP("VP8X", "\0\0\0\0\x7f\x02\0\xdf\x01\0")
#define WEBP_LOSSLESS WEBP("VP8L", "\x2f\x7f\xc2\x77\x00\0\0\0\0\0")
#define WEBP_LOSSY WEBP("VP8 ", "\0\0\0\x9d\x01\x2a\x80\x02\xe0\x01")

static const struct { const char *name; struct str bytes; } images[] = {
	{ "png", BYTES(PNG) }, { "jpeg", BYTES(JPEG_HEAD JPEG_FRAME) }, { "jpeg, padded", BYTES(JPEG_HEAD "\xff\xff" JPEG_FRAME) },
	{ "gif", BYTES(GIF) }, { "webp", BYTES(WEBP_X) }, { "webp, lossless", BYTES(WEBP_LOSSLESS) }, { "webp, lossy", BYTES(WEBP_LOSSY) },
};

static void reads_the_size_of_every_format(void)
{
	for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
		struct image_size size = { 0 };

		CHECK(image_size_read(images[i].bytes, &size), "%s", images[i].name);
		CHECK(size.width == 640 && size.height == 480, "%s: %u x %u", images[i].name, size.width, size.height);
	}
}

/* Cut anywhere, an image has its size or none. */
static void cut_bytes_have_no_other_size(void)
{
	for (size_t i = 0; i < sizeof images / sizeof *images; i++)
		for (size_t len = 0; len < images[i].bytes.len; len++) {
			struct image_size size = { 640, 480 };

			(void)!image_size_read(str_head(images[i].bytes, len), &size);
			CHECK(size.width == 640 && size.height == 480, "%s, %zu bytes: %u x %u", images[i].name, len, size.width, size.height);
		}
}

static void others_have_none(void)
{
	static const struct str others[] = {
		BYTES(""), BYTES("GIF"), BYTES("plain text"), BYTES("%PDF-1.7 and more than thirty bytes"), BYTES("RIFF\x20\0\0\0WAVEfmt and more than thirty bytes"),
		BYTES("GIF89a\0\0\xe0\x01"),                                           /* a width of 0 */
		BYTES(JPEG_HEAD "\xff\xda\0\x0b" JPEG_FRAME),                          /* data before any frame */
		BYTES(JPEG_HEAD "\xff\xe1\0\1" JPEG_FRAME),                            /* a segment shorter than its length */
		BYTES("\xff\xd8\xff\xff\xff\xff"),
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct image_size size;

		CHECK(!image_size_read(others[i], &size), "case %zu", i);
	}
}

const struct suite suite_image_size = { "image_size", (const struct test[]){
	TEST(reads_the_size_of_every_format), TEST(cut_bytes_have_no_other_size), TEST(others_have_none), { 0 } } };
