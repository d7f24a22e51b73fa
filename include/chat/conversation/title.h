/* A title made of words: the first of them in one line, without control characters. */
#ifndef WEIR_CHAT_TITLE_H
#define WEIR_CHAT_TITLE_H

struct str;
struct turn;

/* Heap; "" if there are no words. */
char *title_of(struct str words);
/* Of a turn's text; of the name of its attachment where it has no text. */
char *title_of_prompt(const struct turn *prompt);

#endif
