/*
 * Scripts of the demo: the content of an answer, independent of the protocol. One directive per line:
 *
 *   text WORDS...        a line of the answer; lines are joined by LF, without WORDS it is an empty line
 *   reasoning WORDS...   a line of reasoning          refusal WORDS...   a line of a refusal
 *   call NAME JSON       a tool call                  wait MS            a pause
 *   image TYPE, audio TYPE                            a picture or sound begins; until something else does, these lines say of it:
 *     partial BASE64     a picture before the last one     data BASE64       the picture, or the sound
 *     caption WORDS...   its text (media.py makes the data)
 *   search, code         a tool that the server runs itself begins; until something else does, these lines say of it:
 *     input WORDS...     a line of its input               output WORDS...   a line of what came of it
 *   source URL TITLE     a page that the text cites
 *   error CODE WORDS...  an error within the stream   cut, stall         the connection breaks, or stalls
 *   status N CODE WORDS  an HTTP error instead of a stream
 *   usage IN OUT CACHED REASONING                     finish stop | length | tool_calls | refusal
 *   route MODEL MS       sansa's routing object       pace N             deltas per second (default 60)
 *
 * The scripts are compiled in, so an unknown directive is a bug and asserts.
 */
#ifndef WEIR_APP_DEMO_SCRIPT_H
#define WEIR_APP_DEMO_SCRIPT_H

#include "wire/delta.h"

enum demo_step_kind {
	DEMO_TEXT, DEMO_REASONING, DEMO_REFUSAL, DEMO_CALL, DEMO_WAIT, DEMO_ERROR, DEMO_CUT, DEMO_STALL, DEMO_SOURCE,
	DEMO_IMAGE, DEMO_AUDIO, DEMO_PARTIAL, DEMO_DATA, DEMO_CAPTION, /* media */
	DEMO_SEARCH, DEMO_CODE, DEMO_INPUT, DEMO_OUTPUT,               /* what the server runs */
};
enum demo_finish { DEMO_FINISH_STOP, DEMO_FINISH_LENGTH, DEMO_FINISH_TOOLS, DEMO_FINISH_REFUSAL, DEMO_FINISH_COUNT };

struct demo_step {
	enum demo_step_kind kind;
	struct str name;     /* name of a call, code of an error, URL of a source */
	struct str text;     /* words, arguments of a call, base64 */
	long long wait_ms;
};

struct demo_script { /* borrows from its source */
	struct demo_step *steps;
	size_t count, capacity;
	int status;               /* 200, or an HTTP error; the last step (DEMO_ERROR) is then its body */
	enum demo_finish finish;
	struct usage usage;
	struct str routed_model;  /* "": the answer is not routed */
	long long routing_ms;
	long long pace;
};

void demo_script_read(struct demo_script *script, struct str source); /* *script must be zeroed */
void demo_script_fini(struct demo_script *script);

#endif
