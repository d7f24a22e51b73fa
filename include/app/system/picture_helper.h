/*
 * The helper that decodes an image: the program runs itself again for it, so that a hole in a decoder is a hole in a process without
 * keys, files or network.
 *
 * It reads the image from standard input and writes "WIDTH HEIGHT\n" and the pixels to standard output. Before it reads, it wipes its
 * environment and enters the sandbox (base/os/sandbox.h).
 */
#ifndef WEIR_APP_PICTURE_HELPER_H
#define WEIR_APP_PICTURE_HELPER_H

#include "base/child.h"

#define PICTURE_HELPER_WORD "--decode-image" /* the first argument; then the most columns and rows of pixels */
#define PICTURE_BYTES_MOST ((size_t)32 << 20) /* of an image */

/* If the arguments are those of the helper, does its work and ends the process: 0, or 1 without a picture. */
void picture_helper_run(int argc, char **argv);

/* Starts the helper. Returns 0 or an errno value. `input` and `output` are descriptors, as in child.h. */
MUST_USE int picture_helper_start(struct child *child, unsigned width, unsigned height, int input, int output);

#endif
