#include "app/system/picture_helper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/image_pixels.h"
#include "base/mem.h"
#include "base/os/process.h"
#include "base/os/sandbox.h"

extern char **environ;

#define HELPER_MEMORY ((size_t)640 << 20) /* four bytes for each of the most pixels, the image, and the decoder's own */
#define HELPER_SECONDS 5
#define HELPER_EDGE_MOST 2000 /* pixels of the result */

static bool helper_read(struct buf *bytes)
{
	char part[65536];
	ssize_t n;

	while ((n = read(STDIN_FILENO, part, sizeof part)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || !buf_add(bytes, str_of(part, (size_t)n)))
			return false;
	}
	return true;
}

static bool helper_decode(struct image_size most)
{
	struct buf bytes, out = { 0 }, rgb = { 0 };
	struct image_size size;
	struct error err;

	buf_init(&bytes, PICTURE_BYTES_MOST);
	bool good = helper_read(&bytes) && image_pixels(buf_str(&bytes), most, &size, &rgb, &err);
	if (good) {
		buf_printf(&out, "%u %u\n", size.width, size.height);
		buf_add(&out, buf_str(&rgb));
		good = !str_write(buf_str(&out), STDOUT_FILENO);
	}
	buf_fini(&bytes);
	buf_fini(&out);
	buf_fini(&rgb);
	return good;
}

void picture_helper_run(int argc, char **argv)
{
	long long width = 0, height = 0;

	if (argc != 4 || strcmp(argv[1], PICTURE_HELPER_WORD) != 0)
		return;
	/* The credentials of a proxy may be in the environment. */
	for (char **variable = environ; *variable; variable++)
		mem_wipe(*variable, strlen(*variable));
	*environ = NULL;
	bool good = str_to_int(str_from(argv[2]), &width) && str_to_int(str_from(argv[3]), &height) && width <= HELPER_EDGE_MOST &&
	            height <= HELPER_EDGE_MOST && sandbox_enter((struct sandbox_limits){ HELPER_MEMORY, HELPER_SECONDS }) &&
	            helper_decode((struct image_size){ (uint32_t)width, (uint32_t)height });
	_exit(good ? 0 : 1); /* at once: what libraries do at exit may need what was given up */
}

int picture_helper_start(struct child *child, unsigned width, unsigned height, int input, int output)
{
	char columns[16], rows[16];
	const char *const words[] = { process_program(), PICTURE_HELPER_WORD, columns, rows, NULL };

	snprintf(columns, sizeof columns, "%u", width);
	snprintf(rows, sizeof rows, "%u", height);
	return child_start(child, words, &(struct child_options){ .place = CHILD_APART, .input = input, .output = output });
}
