/*
 * Reads the size of an image from any bytes. Rules: the same bytes with more behind them have the same size, a size is never 0, and bytes
 * that are cut before it have none.
 */
#include "base/image_size.h"
#include "fuzz.h"

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
	return 0;
}
