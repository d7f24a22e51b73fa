/*
 * A form: a card with fields to fill in. Pure: it knows no provider and no file.
 *
 * Fields are texts without line ends (a long one has several rows), or with them (form_take_lines()), secrets (shown as bullets, wiped from
 * memory, in no undo or kill ring) and choices. Tab and Shift-Tab go round them, Up and Down to the next one and the one before. Left, Right and
 * the space bar take another word of the choice with the focus.
 */
#ifndef WEIR_UI_FORM_H
#define WEIR_UI_FORM_H

#include "ui/canvas.h"
#include "ui/term/key.h"

enum form_kind { FORM_TEXT, FORM_SECRET, FORM_CHOICE };

#define FORM_FIELDS 32
#define FORM_SECRET_BYTES 8192 /* of a secret; more is not taken */

struct form; /* heap: copies its texts */

struct form *form_new(struct str title, const char *keys); /* `keys` borrowed */
void form_free(struct form *form);
struct form *form_new_text(struct str title, const char *label, struct str value); /* with one text, number 0, which is marked */
void form_close(struct form **form); /* frees it and sets it to NULL, which it may be */

/* Returns the field's number. `label` is copied. The first field has the focus. */
size_t form_add(struct form *form, enum form_kind kind, const char *label);
/* Of a text. One word is marked, so that typing replaces it; a text of several, such as a system prompt, is gone on with. */
void form_set_value(struct form *form, size_t field, struct str value);
void form_take_lines(struct form *form, size_t field); /* a text that may have several lines; call it before the value is set */
bool form_writes(const struct form *form);             /* the field with the focus is a text */
void form_set_note(struct form *form, size_t field, struct str note);   /* muted words beside or below it */
/* A word of a choice, which may be a further one: `text` is shown when it is chosen, `name` among the others. */
void form_set_word(struct form *form, size_t field, size_t index, struct str name, struct str text);
void form_choose(struct form *form, size_t field, size_t index);
/* Lines above the fields. They are shown first; PgDn and PgUp go through them, and so does Enter until all of them were on the screen. */
void form_set_intro(struct form *form, struct str text);
void form_show(struct form *form, size_t field, bool shown);            /* a hidden field is skipped */
void form_say(struct form *form, struct str sentence);                  /* below the fields; empty: nothing */
void form_focus(struct form *form, size_t field);
size_t form_focused(const struct form *form);

struct str form_value(const struct form *form, size_t field);           /* of a text or secret; borrowed until the next key */
size_t form_choice(const struct form *form, size_t field);

enum form_result { FORM_OPEN /* the key was handled */, FORM_CHANGED /* handled, and a value has changed */, FORM_DONE, FORM_LEFT, FORM_NOT_MINE };
enum form_result form_key(struct form *form, const struct key *key);

/* A key of the form with one text over a card. True: Enter; the caller takes the value and closes the form. Esc closes it. */
bool form_text_key(struct form **form, const struct key *key);

void form_draw(struct form *form, struct canvas *canvas);
bool form_was_drawn(const struct form *form);
void form_set_keys(struct form *form, const char *keys);               /* others, borrowed */

#endif
