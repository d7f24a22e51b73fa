#include "ui/picture.h"

struct image_size picture_fit(struct image_size image, unsigned columns, unsigned rows)
{
	unsigned rows_most = rows && rows < PICTURE_ROWS_MOST ? rows : PICTURE_ROWS_MOST;
	struct image_size most = { columns < PICTURE_COLUMNS_MOST ? columns : PICTURE_COLUMNS_MOST, 2 * rows_most };

	most.width = most.width ? most.width : 1;
	return image_size_fit(image, most);
}

/* Seven bits of red, eight of green, seven of blue. */
static uint32_t picture_pack(uint32_t colour)
{
	return (colour >> 17 & 127) << 15 | (colour >> 8 & 255) << 7 | (colour >> 1 & 127);
}

/* The bit that was lost is the first one again: white stays white. */
static uint32_t picture_unpack(uint32_t packed)
{
	uint32_t red = packed >> 15 & 127, green = packed >> 7 & 255, blue = packed & 127;

	return (red << 1 | red >> 6) << 16 | green << 8 | (blue << 1 | blue >> 6);
}

#define PART_BASE (PICTURE_MARKS_END & 0xFFFFu)
#define MARK_BASE (PICTURE_MARKS & 0xFFFFu) /* 16 bits are kept; plane 14 is understood */

void picture_mark_colours(uint32_t upper, uint32_t lower, uint16_t marks[4])
{
	const uint32_t packed[2] = { picture_pack(upper), picture_pack(lower) };

	for (unsigned i = 0; i < 4; i++)
		marks[i] = (uint16_t)(MARK_BASE + (packed[i / 2] >> (i % 2 ? 0 : 11) & 0x7FF));
}

void picture_read_marks(const uint16_t marks[4], uint32_t *upper, uint32_t *lower)
{
	uint32_t bits[4];

	for (unsigned i = 0; i < 4; i++)
		bits[i] = (marks[i] - MARK_BASE) & 0x7FF;
	*upper = picture_unpack(bits[0] << 11 | bits[1]);
	*lower = picture_unpack(bits[2] << 11 | bits[3]);
}

void picture_mark_part(unsigned image, unsigned row, unsigned column, uint16_t marks[4])
{
	const unsigned values[4] = { image, row, column };

	for (unsigned i = 0; i < 3; i++)
		marks[i] = (uint16_t)(PART_BASE + (values[i] & 0x3FF));
	marks[3] = 0;
}

unsigned picture_read_part(uint16_t mark)
{
	return (mark - PART_BASE) & 0x3FF;
}
