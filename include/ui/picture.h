/*
 * Pictures: images as cells. A cell is a half block, so it shows two colours, one above the other; or it is a part of an image that the
 * terminal has and draws itself (ui/term/kitty_graphics.h).
 *
 * The program decodes images (app/screen/page_images.h); panes ask for them by the bytes of the file and draw what is there.
 */
#ifndef WEIR_UI_PICTURE_H
#define WEIR_UI_PICTURE_H

#include "base/blob.h"
#include "base/image_size.h"

#define PICTURE_ROWS_MOST 20u
#define PICTURE_COLUMNS_MOST 200u

/* When images are drawn: those that the user unfolds, all, or none. */
enum images { IMAGES_ASK, IMAGES_YES, IMAGES_NO };

/* An image, scaled. */
struct picture {
	struct image_size size;    /* as picture_fit() */
	struct image_size pixels;  /* of `rgb`: `size`, or more if the terminal draws it */
	const uint8_t *rgb;        /* width x height x 3 bytes */
	bool failed;               /* it cannot be decoded */
	struct image_size fine_size;
	const uint8_t *fine;       /* more pixels of the same, for a terminal that draws sixels over the half blocks; NULL: none */
	uint64_t version;          /* another one for every picture there has been, so that a place notices that its memory has another one */
	unsigned image;            /* its number in the terminal, which draws it; 0: half blocks */
};

/*
 * Finds an image at a size, or notes that it is wanted. `blob` has its bytes, to be held while they are decoded; NULL: they are copied. Until
 * it is there: the picture of that size whose version is `before`, what the image takes the place of; NULL if there is none. Borrowed until the
 * next frame.
 */
typedef const struct picture *picture_find(void *ctx, struct str bytes, struct blob *blob, struct image_size size, uint64_t before);
struct pictures { picture_find *find; void *ctx; };

/*
 * The pixels that an image of that size has in `columns` columns and `rows` rows, 0 for as many as there may be: the width is its columns,
 * the height twice its rows (rounded up).
 */
struct image_size picture_fit(struct image_size image, unsigned columns, unsigned rows);

/*
 * The colours of a cell as four marks of 11 bits, so that they can travel through ncurses with the cell (ui/term/frame.h): code points
 * from PICTURE_MARKS on. Red and blue lose their last bit.
 */
#define PICTURE_MARKS 0xE0400u
#define PICTURE_MARKS_END 0xE0C00u
void picture_mark_colours(uint32_t upper, uint32_t lower, uint16_t marks[4]);   /* never 0 */
void picture_read_marks(const uint16_t marks[4], uint32_t *upper, uint32_t *lower);

/* The part of an image that the terminal draws, as three marks of 10 bits from PICTURE_MARKS_END on: its number, row and column. */
void picture_mark_part(unsigned image, unsigned row, unsigned column, uint16_t marks[4]); /* the last one is 0 */
unsigned picture_read_part(uint16_t mark);

#endif
