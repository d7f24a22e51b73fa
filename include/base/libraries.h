/*
 * The libraries of this layer, for `weir --version`. Each function stands in the file that calls them, and appends a line for each: its name
 * and the version that the program runs with. Libraries that cannot tell theirs have none.
 */
#ifndef WEIR_BASE_LIBRARIES_H
#define WEIR_BASE_LIBRARIES_H

#include "base/text.h"

void json_write_libraries(struct buf *out);
void utf8_write_libraries(struct buf *out);
void digest_write_libraries(struct buf *out);
void image_pixels_write_libraries(struct buf *out);

#endif
