/*
 * The fields of the status bar: their table, their texts, the user's choice. pane_status.c draws them.
 */
#ifndef WEIR_UI_STATUS_H
#define WEIR_UI_STATUS_H

#include "ui/view.h"

struct status_row {
	int rank;         /* the lowest rank is dropped first; 0: not shown */
	unsigned gap;     /* blanks before the field */
	enum status_face faces; /* faces that show the field */
	int part_of;      /* the total that the field is a part of, else the field itself */
};
const struct status_row *status_row(enum status_field field);

/* The field at a place in screen order, from 0 to STATUS_COUNT - 1. */
enum status_field status_field_at(int place);

#define STATUS_TEXT 128
struct status_text {
	enum status_face face;
	char of[STATUS_COUNT][STATUS_TEXT]; /* "": the field is not shown */
	uint8_t columns[STATUS_COUNT];      /* fixed width of the field; 0: the width of its text */
	bool late_prompt;                   /* nothing is known of the running request until the server counts it */
};

/* Writes the state field, which depends on the program's state and the silence of the stream. */
void status_format_state(struct status_text *out, const struct view *view);
/*
 * Writes all other fields and chooses the face. `t` is the running turn, or the last answer (NULL: none). While a turn runs, fields have
 * a fixed width from the start, so that they do not move.
 */
void status_format(struct status_text *out, const struct view *view, const struct turn *t);

/*
 * Whether the field is a part of a total while a turn runs, or a prompt without an estimate. As most servers send it at the end of the answer,
 * it stands behind the other fields: its place leaves no gap between them before. Else a part follows its total in brackets.
 */
bool status_comes_late(const struct status_text *text, enum status_field field);

#endif
