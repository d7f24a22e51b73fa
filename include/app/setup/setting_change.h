/*
 * Settings as the user sees and changes them while the program runs: value, where it comes from, what it may be. The card of the full screen
 * and the questions of the linear mode use it.
 *
 * A change acts at once and is for this run; those that are choices (store/config/choices.h) are there at the next start, too. Writing puts the
 * present value into the settings file.
 */
#ifndef WEIR_APP_SETTING_CHANGE_H
#define WEIR_APP_SETTING_CHANGE_H

#include "base/error.h"
#include "base/text.h"

struct setting_help;
struct setup;

/* Appended: the value in use, "" where there is none. */
void setting_value(const struct setup *s, const char *name, struct buf *out);
/* "default", "weir.conf:3", "[provider box]", "option", "environment", "chosen here" */
void setting_origin_words(const struct setup *s, const char *name, struct buf *out);

/* The value in use is not its default. */
bool setting_differs(const struct setup *s, const struct setting_help *row);
struct str setting_brief(const struct setting_help *row); /* what it is, in a few words */

/* The words it takes, in order; NULL after the last, and at 0 where there are none to choose from. */
const char *setting_word_at(const char *name, size_t index);
bool setting_takes_others(const char *name); /* besides those */
bool setting_is_model(const char *name);     /* besides those it takes a model's name, of the provider in use or behind one's */
/* How it is chosen where a setting alone does not say it all: a slash word without its slash, "model"; NULL: setting_change(). */
const char *setting_command(const char *name);

/* On false `err` has a sentence: the value is not valid and nothing was changed, or it could not be stored for the next start. */
MUST_USE bool setting_change(struct setup *s, const char *name, struct str value, struct error *err);
/* Writes the value in use into the settings file. */
MUST_USE bool setting_write(struct setup *s, const char *name, struct error *err);

#endif
