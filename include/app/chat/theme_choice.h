/*
 * The theme that the chat is drawn in: one by its name, or the one for the terminal's background. The list of themes shows each while
 * one moves in it: a trial, which leaves what there was before.
 */
#ifndef WEIR_APP_THEME_CHOICE_H
#define WEIR_APP_THEME_CHOICE_H

#include "app/chat/terminal.h"
#include "render/theme.h"

#define THEME_BY_BACKGROUND "auto"       /* dark or light, as the terminal is */

struct theme_choice {
	const struct host *host;
	const struct terminal *terminal;
	struct theme theme;
	bool by_background;
	struct theme before;                 /* the trial, */
	bool before_by_background;
};

void theme_choice_init(struct theme_choice *t, const struct host *host, const struct terminal *terminal);
const char *theme_choice_at(size_t index); /* what can be chosen, THEME_BY_BACKGROUND among them; NULL beyond */
bool theme_choice_is_current(const struct theme_choice *t, const char *name);

/* Warnings are said; on failure nothing changes. */
MUST_USE bool theme_choice_load(struct theme_choice *t, struct str name, struct error *err);
void theme_choice_use(struct theme_choice *t, struct str name);  /* the same; an error is said */
void theme_choice_choose(struct theme_choice *t, struct str name); /* the same, and for the next run, too */
void theme_choice_background(struct theme_choice *t);            /* became known */

void theme_choice_begin_trial(struct theme_choice *t);
void theme_choice_end_trial(struct theme_choice *t);             /* the theme before is used again */

#endif
