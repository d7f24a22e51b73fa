/*
 * Settings: weir.conf. The top of the file holds the program's own; each [provider NAME] one provider's (chat/provider.h).
 *
 * One table row a setting {name, type, default, help}: the man page and errors come from it. A missing file is no error.
 */
#ifndef WEIR_STORE_SETTINGS_H
#define WEIR_STORE_SETTINGS_H

#include "chat/provider.h"

enum sparkline { SPARKLINE_AUTO, SPARKLINE_BLOCKS, SPARKLINE_ASCII };

enum code_lines { CODE_WRAP, CODE_CLIP };

enum leave { LEAVE_LAST, LEAVE_ALL, LEAVE_NOTHING };

#define COPY_AUTO "auto"
#define COPY_TERMINAL "osc52"

struct settings {
	char *provider;       /* the one to start with; NULL */
	char *model;          /* NULL: the provider's */
	char *theme;          /* "default" */
	char *system;         /* system prompt for every provider without one of its own; NULL */
	bool mouse;           /* it scrolls and selects */
	long long text_width; /* most columns of text; 0: all */
	enum code_lines code; /* what becomes of long lines of code */
	char *status;         /* fields of the status bar; NULL: all */
	enum sparkline sparkline;
	bool history;         /* prompts and the draft are kept for the next run; true */
	char *thoughts;       /* pane, tail, folded, hidden: ui/view.h knows */
	bool links;           /* they are told to the terminal; true */
	long long tapes_mb;   /* most of the ring of tapes; 0: none is kept */
	char *copy;           /* COPY_AUTO, COPY_TERMINAL, or a command in words */
	enum leave leave;     /* what stays in the terminal's scrollback */
};

void settings_init(struct settings *s);
void settings_fini(struct settings *s);

/* Reads `path` (NULL: store/settings_file.h, which may be missing) into settings and providers. Errors name file and line. */
MUST_USE bool settings_read(struct settings *s, struct providers *providers, const char *path, struct error *err);

/* For the man page and `weir --help`: rows of name, default and help; NULL name beyond the last. */
#define SETTINGS_STATUS_WORDS "{status words}" /* in a help: the words that ui/pane/status.h knows belong here */
struct setting_help { const char *name, *fallback, *help; };
struct setting_help settings_help_at(size_t index);

#endif
