/*
 * What others name of a page without its layout: its forms, places to jump to and marked text.
 */
#ifndef WEIR_UI_PAGE_PLACE_H
#define WEIR_UI_PAGE_PLACE_H

#include <stddef.h>

/* The full page on the screen; the text alone, for copying with the terminal; printed, without key hints. */
enum page_form { PAGE_ON_SCREEN, PAGE_PRINTED };

/* Targets of jumps: a turn's first piece, a block of code, a sentence about an error, the line of a fold. */
enum page_landmark { PAGE_TURN, PAGE_BLOCK, PAGE_TROUBLE, PAGE_FOLD };

/* Bytes of the text that begins with a part: what a frame wrote. */
struct page_written { size_t part, from, to; };

#endif
