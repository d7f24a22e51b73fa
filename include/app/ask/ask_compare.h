/*
 * `weir ask --compare P/M[:PROTOCOL][:LEVEL],...`: one question to several models at once. Each answer is printed when it has ended, and a table at
 * the end; with --json one array in the order asked. A terminal gets each text as a page (app/ask/ask_page.h) unless --raw is given. In the history
 * the answers are branches beside each other.
 */
#ifndef WEIR_APP_ASK_COMPARE_H
#define WEIR_APP_ASK_COMPARE_H

#include "app/ask/ask_talk.h"

/* Reads the question and asks. Returns the exit status: EXIT_DONE if one answer ended well, else that of the first. */
int ask_compare(struct setup *s, struct ask_input *question, const struct template *template, struct ask_talk *talk);

#endif
