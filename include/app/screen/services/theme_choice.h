/*
 * The theme of the chat: a theme by name, in the form for the terminal's background where it has a dark and a light one. The menu of themes
 * previews the selected one in a trial, which can be undone.
 */
#ifndef WEIR_APP_THEME_CHOICE_H
#define WEIR_APP_THEME_CHOICE_H

#include "app/screen/services/terminal.h"
#include "render/theme.h"

#define THEME_BY_BACKGROUND "auto"       /* its forms are dark and light */

struct theme_choice {
	const struct host *host;
	const struct terminal *terminal;
	struct theme theme;
	char chosen[sizeof((struct theme *)0)->name]; /* the name that was chosen; theme.name is that of its form */
	struct theme before;                 /* `theme` before the trial */
	char before_chosen[sizeof((struct theme *)0)->name]; /* `chosen` before the trial */
};

void theme_choice_init(struct theme_choice *t, const struct host *host, const struct terminal *terminal);
/*
 * The names that are offered, including THEME_BY_BACKGROUND; NULL beyond the last. The forms of THEME_BY_BACKGROUND are among them, but
 * no others: "ember" is, "ember-light" and "ember-dark" can be chosen, too.
 */
const char *theme_choice_at(size_t index);
bool theme_choice_has_forms(const char *name);
bool theme_choice_is_current(const struct theme_choice *t, const char *name); /* true also for "ember" if "ember-light" was chosen */

/* Uses a theme. Warnings are shown. On failure nothing changes. */
MUST_USE bool theme_choice_load(struct theme_choice *t, struct str name, struct error *err);
void theme_choice_use(struct theme_choice *t, struct str name);  /* theme_choice_load(); an error is shown */
void theme_choice_choose(struct theme_choice *t, struct str name); /* theme_choice_use(), and keeps the choice for later runs */
void theme_choice_background(struct theme_choice *t);            /* call when the terminal's background became known */

void theme_choice_begin_trial(struct theme_choice *t);
void theme_choice_end_trial(struct theme_choice *t);             /* restores the theme before the trial */

#endif
