/*
 * A form: what its files share. form.c has its fields and keys, form_rows.c its rows.
 */
#ifndef WEIR_UI_FORM_INSIDE_H
#define WEIR_UI_FORM_INSIDE_H

#include "ui/edit/edit.h"
#include "ui/form.h"

#define FORM_WORDS 32
#define FORM_ROWS 160u

struct form_field {
	enum form_kind kind;
	char *label, *note;
	bool hidden;
	struct edit edit;        /* of a text */
	char *secret;            /* of FORM_SECRET_BYTES */
	size_t secret_len;
	struct { char *name, *text; } words[FORM_WORDS];
	size_t word_count, chosen;
};

struct form {
	char *title, *intro;
	const char *keys;
	char *said;
	bool drawn;
	bool reads;              /* `top` is the first row that is drawn; else the field with the focus is in view */
	size_t top, page;        /* page: rows of the last frame */
	size_t intro_rows, seen; /* of the intro; of them, how many were drawn */
	struct form_field fields[FORM_FIELDS];
	size_t count, focus;
};

enum form_row_kind { ROW_LABEL, ROW_VALUE, ROW_MORE /* of the value above */, ROW_WORDS };

struct form_row {
	enum form_row_kind kind;
	const struct form_field *field; /* NULL: it is of none */
	bool has_label;
	unsigned indent, note_columns;
	unsigned value_rows;         /* of ROW_VALUE, with those of ROW_MORE */
	enum role_name role;
	size_t from, len;            /* of ROW_WORDS, in the words */
};

/* What is drawn, from top to bottom. */
struct form_rows {
	struct form_row items[FORM_ROWS];
	size_t count, fields_end;    /* behind these is what was said last */
	struct buf words;            /* the texts of rows that are no value, one behind the other */
	unsigned columns, indent;
	bool stacked;                /* values stand below their labels */
};

/* `rows` is all zero, or was laid out before; its words are the caller's to free. */
void form_lay_out(struct form *form, struct form_rows *rows, unsigned columns);
/* The first row that is drawn above what was said last, in `height` rows: the field that has the focus is in view, if there is room. */
size_t form_first_row(const struct form *form, const struct form_rows *rows, unsigned height);
/* The rows from `from` on, up to what was said last, or that. */
void form_draw_rows(const struct form *form, const struct form_rows *rows, size_t from, struct canvas *canvas, struct area area);

#endif
