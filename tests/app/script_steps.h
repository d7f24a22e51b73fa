/* The steps that scenarios are made of. */
#ifndef WEIR_TESTS_SCRIPT_STEPS_H
#define WEIR_TESTS_SCRIPT_STEPS_H

#include "app/stage.h"

#define SCRIPT_TEXTS 7
#define SCRIPT_LIST 20 /* arguments or variables, with the NULL at their end */

/* One run of a scenario. */
struct play {
	const char *file;
	unsigned line;                 /* of the step under way */
	struct stage stage;
	struct hand *hands[2], *hand;  /* of the providers "hand" and "two", and the one that the steps of a server are about */
	struct stage_options options;  /* what the steps before the start set */
	struct buf top, settings;
	const char *arguments[SCRIPT_LIST], *variables[SCRIPT_LIST];
	bool is_open, is_over;         /* the program runs; it has ended, or is to be killed */
};

struct script_step {
	const char *name;
	void (*take)(struct play *p, const char *const *texts);
	unsigned least, most;          /* number of its texts */
	bool is_setup;                 /* before the program starts */
	const char *(*fault)(const char *text); /* what is wrong with its first text; NULL: nothing, or no function */
};

const struct script_step *script_step(struct str name); /* NULL: there is none */
void play_open(struct play *p);                         /* starts the program, unless it runs */
void play_close(struct play *p);                        /* ends it, and checks that the terminal is restored */

#endif
