/*
 * Scenarios of the full screen as text. tests/app/screen/README.md describes them. Each is a test of a suite that is named after its file
 * ("screen_tree/versions_are_walked_by_keys").
 */
#ifndef WEIR_TESTS_SCRIPT_H
#define WEIR_TESTS_SCRIPT_H

#include "base/text.h"

struct script; /* heap: the scenarios of a file */

/* `file` names it in messages. A line that is wrong makes its scenario one that fails with the file, the line and the reason. */
struct script *script_read(const char *file, struct str text);
void script_free(struct script *script);
size_t script_count(const struct script *script);
const char *script_name(const struct script *script, size_t scenario); /* blanks are underscores; lives as long as the script */
const char *script_fault(const struct script *script, size_t scenario); /* "FILE:LINE: ..."; "": none */
void script_run(const struct script *script, size_t scenario);

#endif
