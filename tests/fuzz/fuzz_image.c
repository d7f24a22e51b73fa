/*
 * Reads the size of an image from any bytes. Rules: the same bytes with more behind them have the same size, a size is never 0, and bytes
 * that are cut before it have none. An image of few pixels is decoded too: what comes is whole, and not larger than asked for.
 */
#include "base/image_pixels.h"
#include "fuzz.h"

#define DECODED_PIXELS 100000u

static void decode(struct str bytes)
{
	struct image_size size = { 0 };
	struct buf rgb = { 0 };
	struct error err;
	bool good = image_pixels(bytes, (struct image_size){ 30, 20 }, &size, &rgb, &err);

	FUZZ_CHECK(rgb.len == (good ? (size_t)size.width * size.height * 3 : 0), "all pixels or none");
	FUZZ_CHECK(!good || (size.width <= 30 && size.height <= 20), "not larger than asked for");
	buf_fini(&rgb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = str_of((const char *)data, size);
	struct image_size whole = { 0 }, part = { 0 };
	bool known = image_size_read(bytes, &whole);

	FUZZ_CHECK(!known || (whole.width && whole.height), "a size is never 0");
	for (size_t len = 0; len < size && len < 64; len++) {
		if (!image_size_read(str_head(bytes, len), &part))
			continue;
		FUZZ_CHECK(known && part.width == whole.width && part.height == whole.height, "more bytes change nothing");
	}
	if (known && (uint64_t)whole.width * whole.height <= DECODED_PIXELS)
		decode(bytes);
	return 0;
}
