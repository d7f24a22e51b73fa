/* Images as the libraries' own encoders write them: red at the left, blue at the right. */
#ifndef WEIR_TESTS_IMAGES_H
#define WEIR_TESTS_IMAGES_H

#include "base/text.h"

#define IMAGES_WIDTH 48
#define IMAGES_HEIGHT 32

struct images_form {
	const char *name;
	bool has_alpha;                         /* can be transparent */
	void (*encode)(bool alpha, struct buf *out); /* `alpha`: the upper half is transparent, if it can be */
};

extern const struct images_form images_forms[]; /* ends with a zeroed one */

#endif
