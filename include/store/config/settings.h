/*
 * Settings: weir.conf. Lines before the first section are the program's settings; each [provider NAME] section holds those of a provider
 * (chat/provider/provider.h), each [role NAME] a role (store/config/roles.h), each [template NAME] a template (store/config/templates.h), each
 * [mcp NAME] an MCP server (store/config/mcp_servers.h), each [tool NAME] a tool (store/config/tools.h), each [price PATTERN] the prices of
 * models (store/config/price_table.h).
 *
 * Each setting is a row of a table: name, type, default and help. The man page and errors are made from it. A missing file is not an
 * error.
 */
#ifndef WEIR_STORE_SETTINGS_H
#define WEIR_STORE_SETTINGS_H

#include "chat/provider/provider.h"
#include "store/config/mcp_servers.h"
#include "store/config/price_table.h"
#include "store/config/roles.h"
#include "store/config/templates.h"
#include "store/config/tools.h"
#include "wire/lint/lint.h"

enum code_lines { CODE_WRAP, CODE_CLIP };

enum image_drawing { DRAW_ASK, DRAW_YES, DRAW_NO };
/* What of conversations is kept, tapes and prompts included; each keeps what the one before it does. KEEP_CHAT: nothing of `weir ask`. */
enum keep_history { KEEP_NOTHING, KEEP_CHAT, KEEP_ALL };

enum edit_as { EDIT_AS_EMACS, EDIT_AS_VI };

enum leave { LEAVE_LAST, LEAVE_ALL, LEAVE_NOTHING };

/* Where the value of a setting comes from. */
enum setting_from {
	SETTING_DEFAULT,
	SETTING_FILE,        /* of settings_file(), in a line */
	SETTING_OPTION,      /* the command line; its value may be kept in struct options only */
	SETTING_ENVIRONMENT, /* a variable; for the provider: its key is in one */
	SETTING_CHOSEN,      /* the user chose it in the program, in this run or before (store/config/choices.h) */
};
struct setting_origin { enum setting_from from; int line; }; /* line: of SETTING_FILE */
#define SETTINGS_MOST 40

#define NOTIFY_COMMAND "command "
#define OPENER_DEFAULT "xdg-open"
#define TOOL_ROUNDS_DEFAULT 8
#define COPY_AUTO "auto"
#define COPY_TERMINAL "osc52"

/* An entry of [keys], which app/command/bindings.h reads, and its file and line for errors. */
struct key_setting {
	char *command, *keys, *file;
	int line;
};

struct settings {
	char *provider;       /* provider to start with; NULL: the default */
	char *model;          /* NULL: the provider's */
	char *role;           /* role to start with; NULL: none */
	char *theme;          /* "default" */
	char *system;         /* system prompt for providers without their own; NULL: none */
	bool mouse;           /* the mouse scrolls and selects */
	long long text_width; /* maximum columns of text; 0: no limit */
	enum code_lines code; /* how long lines of code are shown */
	enum edit_as edit;    /* the keys of the input */
	enum lint_level lint; /* how much of the running turn is checked */
	enum image_drawing images;  /* which attached images are drawn */
	enum keep_history history;    /* KEEP_ALL */
	char *thoughts;       /* pane, tail, folded or hidden; parsed by ui/view.h */
	long long tapes_mb;   /* maximum size of the kept tapes; 0: none are kept */
	long long media_mb;   /* maximum of media kept of an answer; 0: MEDIA_BYTES_DEFAULT */
	long long tool_rounds; /* of calls that run before it is asked; 0: TOOL_ROUNDS_DEFAULT */
	char *budget;         /* "2.00 a day", or "no" */
	char *copy;           /* COPY_AUTO, COPY_TERMINAL or a command line */
	char *opener;         /* a command line; NULL: OPENER_DEFAULT */
	char *player;         /* a command line for sounds; NULL: that of `opener` */
	struct key_setting *keys;
	size_t key_count, key_capacity;
	enum leave leave;     /* what stays in the terminal's scrollback at exit */
	bool raw;             /* answers are shown as their source */
	char *notify;         /* bell, osc, no, or NOTIFY_COMMAND and its words */
	bool title;           /* the terminal's title names the state; true */
	char *title_model;    /* writes titles of conversations: "same", MODEL or PROVIDER/MODEL; NULL: none does */
	bool remember;        /* keep choices for the next run; true */
	struct price_table prices; /* of models, by the user */

	struct roles roles;
	struct templates templates;
	struct mcp_servers mcp_servers;
	struct tool_sections tools;

	struct setting_origin origins[SETTINGS_MOST]; /* settings_origin() */
	char *file;           /* settings_file() */
	struct buf gone;      /* names of settings of earlier versions that the file has: they have no effect */
};

double settings_budget_usd(const struct settings *s); /* dollars a day; 0: no budget */
void settings_init(struct settings *s);
void settings_fini(struct settings *s);

/*
 * Reads `path` into settings and providers. NULL: the default file (store/config/settings_file.h), which may be missing. Errors name file and
 * line.
 */
MUST_USE bool settings_read(struct settings *s, struct providers *providers, const char *path, struct error *err);

/* The same while the program runs: what is [dialect NAME] stays as it was read at the start. */
MUST_USE bool settings_read_again(struct settings *s, struct providers *providers, const char *path, struct error *err);

/*
 * The dialect of that name, for those who need no other settings: a built-in one, else one of the sections [dialect NAME] of `path`. NULL:
 * there is none; `err` is empty unless the settings cannot be read. The second one lists the known names then.
 */
const struct dialect *settings_dialect(const char *path, struct str name, struct error *err);
const struct dialect *settings_dialect_named(const char *path, const char *name, struct error *err);
/* media_limit in bytes, for the same; 0: `path` does not set it, or cannot be read. */
size_t settings_media_bytes(const char *path);

/* `name` is a row's; an unknown one is a bug. */
struct setting_origin settings_origin(const struct settings *s, const char *name);
const char *settings_file(const struct settings *s); /* the file that was read, for people; NULL: none */
/* Replaces a value. On false nothing changed and `err` says what it may be. */
MUST_USE bool settings_set(struct settings *s, const char *name, struct str value, enum setting_from from, struct error *err);
/* Appends the value as the file has it; nothing where it is unset. */
void settings_value(const struct settings *s, const char *name, struct buf *out);
const char *const *settings_words(const char *name); /* those it takes, NULL after the last; NULL: it takes others */
void settings_note_line(struct settings *s, const char *name, int line); /* it was written into the file */
void settings_reset(struct settings *s, const char *name); /* to its default */
/* The value in use is not the one here: an option or a choice replaces it elsewhere. */
void settings_note_origin(struct settings *s, const char *name, enum setting_from from);

/*
 * Rows of name, default and help for the man page and the settings that one looks at. `name` is NULL after the last. The first words of a help,
 * up to a colon, a semicolon, a bracket or the end of a sentence, say what the setting is. `group`: the heading above the row; NULL: none.
 */
struct setting_help { const char *name, *fallback, *help, *group; };
struct setting_help settings_help_at(size_t index);

#endif
