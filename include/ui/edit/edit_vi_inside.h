/*
 * vi's keys: what their files share. edit_vi.c reads and runs commands, edit_vi_move.c has the motions, edit_vi_object.c the text objects.
 */
#ifndef WEIR_UI_EDIT_VI_INSIDE_H
#define WEIR_UI_EDIT_VI_INSIDE_H

#include "ui/edit/edit_parts.h"

struct vi_command;

#define VI_NOWHERE SIZE_MAX

/* What a motion adds to the range that an operator works on. */
enum vi_reach {
	VI_BETWEEN,     /* nothing: it ends before the place that is farther down */
	VI_ONTO,        /* the character there */
	VI_ONTO_AHEAD,  /* the same if that place is ahead */
	VI_WORDS,       /* the blanks behind the last word, if the line goes on; a change leaves them */
	VI_LINES,       /* whole lines */
	VI_OBJECT,      /* it is no motion: i or a, and the character is a text object */
};

struct vi_motion {
	char letter;
	enum vi_reach reach;
	bool takes_character; /* the next character belongs to it */
	bool counts;          /* it looks at the count itself; else it is repeated */
	size_t (*go)(const struct edit *e, size_t at, const struct vi_command *c); /* VI_NOWHERE: there is no such place */
};

struct vi_operator {
	char letter;
	void (*act)(struct edit *e, size_t from, size_t to, bool lines);
};

struct vi_action {
	char letter;
	bool takes_character;
	bool is_no_change;    /* `.` does not repeat it */
	void (*act)(struct edit *e, const struct vi_command *c);
	enum edit_wish wish;  /* what it asks of the caller; with `act`: if that does nothing */
};

struct vi_command {
	unsigned times;       /* at least 1 */
	bool is_counted;      /* a count was typed */
	const struct vi_action *action; /* NULL: a motion, perhaps of an operator */
	const struct vi_operator *operator;
	const struct vi_motion *motion;
	struct str character;
};

struct vi_range { size_t from, to; bool lines; };

/* The text object of an operator's command at the cursor; false: there is none. */
bool vi_object(const struct edit *e, const struct vi_command *c, struct vi_range *r);
/* How a cluster counts; with `blanks`, only blanks separate words. An underscore is a letter. */
enum word_kind vi_word_kind(const struct edit *e, size_t at, bool blanks);

/* The motion of a letter; NULL: there is none. Underscore is that of dd: down by one line less than the count. */
const struct vi_motion *vi_motion_of(char letter);
/* The first character of the line at `at` that is no blank; `c` may be NULL. */
size_t vi_first_word(const struct edit *e, size_t at, const struct vi_command *c);

#endif
