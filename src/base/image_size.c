#include "base/image_size.h"

#include "base/array.h"

#define JPEG_SEGMENTS 4096 /* further segments are not looked at */

/* --- fields --- */

static uint32_t image_byte(struct str bytes, size_t at)
{
	return at < bytes.len ? (unsigned char)bytes.ptr[at] : 0;
}

static uint32_t image_big(struct str bytes, size_t at, unsigned count)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < count; i++)
		value = value << 8 | image_byte(bytes, at + i);
	return value;
}

static uint32_t image_little(struct str bytes, size_t at, unsigned count)
{
	uint32_t value = 0;

	for (unsigned i = count; i-- > 0;)
		value = value << 8 | image_byte(bytes, at + i);
	return value;
}

/* --- formats: each is called with a file that begins with its mark --- */

static bool png_size(struct str bytes, struct image_size *size)
{
	*size = (struct image_size){ image_big(bytes, 16, 4), image_big(bytes, 20, 4) };
	return bytes.len >= 24 && str_has_at(bytes, 12, STR("IHDR"));
}

static bool gif_size(struct str bytes, struct image_size *size)
{
	*size = (struct image_size){ image_little(bytes, 6, 2), image_little(bytes, 8, 2) };
	return bytes.len >= 10;
}

/* Start of frame: 0xC0 to 0xCF without the tables (C4, CC) and the extension (C8). */
static bool jpeg_is_frame(uint32_t marker)
{
	return (marker & 0xF0) == 0xC0 && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

static bool jpeg_size(struct str bytes, struct image_size *size)
{
	size_t at = 2;

	for (unsigned segments = 0; segments < JPEG_SEGMENTS && at + 4 <= bytes.len; segments++) {
		uint32_t marker = image_byte(bytes, at + 1), length = image_big(bytes, at + 2, 2);

		if (image_byte(bytes, at) != 0xFF)
			return false;
		if (marker == 0xFF) { /* padding before a marker */
			at++;
			continue;
		}
		if (jpeg_is_frame(marker)) {
			*size = (struct image_size){ image_big(bytes, at + 7, 2), image_big(bytes, at + 5, 2) };
			return at + 9 <= bytes.len;
		}
		if (length < 2 || marker == 0xDA || marker == 0xD9) /* the data, or the end: there is no frame before it */
			return false;
		at += 2 + (size_t)length;
	}
	return false;
}

static bool webp_size(struct str bytes, struct image_size *size)
{
	uint32_t bits = image_little(bytes, 21, 4);

	if (!str_has_at(bytes, 8, STR("WEBP")) || bytes.len < 30)
		return false;
	if (str_has_at(bytes, 12, STR("VP8X")))
		*size = (struct image_size){ image_little(bytes, 24, 3) + 1, image_little(bytes, 27, 3) + 1 };
	else if (str_has_at(bytes, 12, STR("VP8L")) && image_byte(bytes, 20) == 0x2F)
		*size = (struct image_size){ (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1 };
	else if (str_has_at(bytes, 12, STR("VP8 ")) && str_has_at(bytes, 23, STR("\x9D\x01\x2A")))
		*size = (struct image_size){ image_little(bytes, 26, 2) & 0x3FFF, image_little(bytes, 28, 2) & 0x3FFF };
	else
		return false;
	return true;
}

bool image_size_read(struct str bytes, struct image_size *size)
{
	const struct { struct str mark; bool (*read)(struct str bytes, struct image_size *size); } formats[] = {
		{ STR("\x89PNG\r\n\x1a\n"), png_size }, { STR("\xff\xd8\xff"), jpeg_size },
		{ STR("GIF87a"), gif_size }, { STR("GIF89a"), gif_size }, { STR("RIFF"), webp_size },
	};
	struct image_size found = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		if (!str_has_at(bytes, 0, formats[i].mark))
			continue;
		bool good = formats[i].read(bytes, &found) && found.width && found.height;

		if (good)
			*size = found;
		return good;
	}
	return false;
}

struct image_size image_size_fit(struct image_size image, struct image_size most)
{
	uint64_t width = image.width, height = image.height;

	if (width > most.width) {
		height = (height * most.width + width / 2) / width;
		width = most.width;
	}
	if (height > most.height) {
		width = (width * most.height + height / 2) / height;
		height = most.height;
	}
	return (struct image_size){ width ? (uint32_t)width : 1, height ? (uint32_t)height : 1 };
}
