/*
 * A form: a table of fields over what they set, the subject. The full screen shows it as a card (app/screen/cards/form_card.h), the linear mode
 * asks for one field after the other (app/plain/plain_form.h).
 *
 * The subject owns the values and outlives the form. Functions that append words may append nothing.
 */
#ifndef WEIR_APP_FORM_TABLE_H
#define WEIR_APP_FORM_TABLE_H

#include "base/error.h"
#include "base/text.h"
#include "ui/form.h"

struct form_field {
	enum form_kind kind;
	const char *label;               /* of its row on the card */
	const char *prompt;              /* of its question in the linear mode: "Base URL: " */
	enum { FORM_EMPTY_TAKEN, FORM_EMPTY_KEEPS, FORM_EMPTY_LEAVES } empty; /* what an empty line does there */
	bool lines;                      /* a text that may have several lines */
	bool hidden;                     /* it is not shown, asked or taken */
	bool alone;                      /* a line that came with others is not taken for it */
	size_t next;                     /* the field that is asked after it; 0: the following one. That behind the last one ends the form */
};

#define FORM_NOWHERE ((size_t)-1)

/* How a form ends. */
struct form_end {
	bool by_line;                    /* given: words are for the linear mode, a whole sentence a line */
	struct buf said;
	struct error err;                /* on false */
	size_t again;                    /* on false: the field that the linear mode asks for again; FORM_NOWHERE: it leaves the form */
};

struct form_table {
	const char *keys;                /* of the card */
	const char *at_once;             /* said when Enter arrived with the text before it; NULL: it is taken all the same */
	const char *leave, *left;        /* the line that leaves the questions, and what is said then; NULL: each slash word leaves them, and runs */
	const char *stop;                /* the prompt after `begin`: any line leaves */
	const char *then;                /* the command that runs after the form, with its slash; NULL: none */
	bool repeats;                    /* a question is written again when its answer was not taken */
	bool comes_by_itself;            /* a key that came before its card could be seen is not for it */

	/* `out` is zeros. False: there is no such field. */
	bool (*field)(void *subject, size_t field, struct form_field *out);
	void (*title)(void *subject, bool by_line, struct buf *out); /* NULL in the linear mode: nothing */
	void (*intro)(void *subject, struct buf *out);               /* lines above the fields of the card; NULL: none */
	size_t (*first)(void *subject);  /* the field that has the focus; NULL: field 0 */
	void (*value)(void *subject, size_t field, struct buf *out); /* of a text, or the name of the chosen word */
	/*
	 * The name of a word of a choice; NULL after the last. Appends to `text`, unless that is NULL, what is shown when it is chosen, if it is not
	 * the name.
	 */
	const char *(*word)(void *subject, size_t field, size_t index, struct buf *text);
	void (*note)(void *subject, size_t field, struct buf *out);  /* muted words of the card */
	void (*ask)(void *subject, size_t field, struct buf *out);   /* the lines of its question */
	/* The card checks all fields before it takes one. NULL: nothing is checked. */
	bool (*check)(void *subject, size_t field, struct str value, struct error *err);
	bool (*take)(void *subject, size_t field, struct str value, struct error *err);
	/* Ctrl-T on the card, after all fields were taken: tries them, and keeps nothing. True: the card closes, the subject stays. NULL: no key. */
	bool (*tries)(void *subject, struct form_end *end);
	/* A field of the card has changed, and all but secrets were taken: words and `hidden` are asked for again. NULL: they depend on none. */
	void (*changed)(void *subject);
	/* After the last field: begins what the end has to wait for. NULL: nothing. */
	bool (*begin)(void *subject, struct form_end *end);
	bool (*finish)(void *subject, struct form_end *end);
	void (*drop)(void *subject);     /* the form is closed or left; NULL: nothing has to be done */
};

#endif
