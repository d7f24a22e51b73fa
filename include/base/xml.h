/* Untrusted text in XML. */
#ifndef WEIR_BASE_XML_H
#define WEIR_BASE_XML_H

#include "base/text.h"

#define XML_WHOLE ((unsigned)-1)

/* Appends the text, at most so many cells of it: markup is escaped, and what XML 1.0 does not allow becomes a visible character. */
void xml_add_text(struct buf *out, struct str text, unsigned cells);

#endif
