/*
 * Drawings: the images of the page at the sizes that it draws them in.
 *
 * Each is decoded by the helper (app/system/picture_helper.h), one at a time, written to and read from in the loop. It has 6 s. The newest
 * PAGE_IMAGES_MOST are kept. For a terminal that draws images itself they are decoded larger, and sent to it or drawn over half blocks. An
 * image is known by its bytes' address, length and a few of its bytes, so that no frame reads all of them.
 */
#ifndef WEIR_APP_PAGE_IMAGES_H
#define WEIR_APP_PAGE_IMAGES_H

#include "app/screen/services/host.h"
#include "base/child.h"
#include "ui/term/kitty_graphics.h"

#define PAGE_IMAGES_MOST KITTY_IMAGES

/* How the terminal shows it. */
enum drawn { DRAWN_BLOCKS, DRAWN_KITTY, DRAWN_SIXELS };

struct page_image_key {
	const char *ptr;
	size_t len;
	uint64_t sample;
	struct image_size size;
	enum drawn drawn;
	unsigned sharp;          /* pixels of a column, and of half a row */
};
enum page_image_state { PAGE_IMAGE_NONE, PAGE_IMAGE_WANTED, PAGE_IMAGE_RUNNING, PAGE_IMAGE_DONE };

struct page_image {
	enum page_image_state state;
	struct page_image_key key;
	struct picture picture;  /* rgb: heap */
	uint64_t used;           /* when it was asked for last */
};

struct page_images {
	const struct host *host;
	struct pictures found;   /* what panes ask */
	struct page_image all[PAGE_IMAGES_MOST];
	uint64_t clock;
	uint64_t versions;       /* pictures so far */
	struct page_image *running; /* NULL: none */
	struct child child;
	int input, output;       /* of the helper; -1: closed */
	struct blob *bytes;      /* of the running one */
	struct buf result;
	size_t written;
	int64_t deadline_ms;
	struct blob *wanted;     /* the bytes of the image that is decoded next: those of the page may be gone by then */
	struct page_image *next;    /* NULL: none */
};

void page_images_init(struct page_images *d, const struct host *host);
void page_images_fini(struct page_images *d);
struct loop_member page_images_member(struct page_images *d);

#endif
