/*
 * What an MCP server asks for (app/mcp/mcp_hub.h), as a form: who asks, during which call, the server's words, its fields, and what the user
 * answers: send, decline or cancel. A page is opened only by the answer that says so. A form that is closed without an answer waits.
 */
#ifndef WEIR_APP_ELICIT_FORM_H
#define WEIR_APP_ELICIT_FORM_H

#include "app/mcp/mcp_form.h"
#include "app/setup/form_table.h"
#include "app/setup/setup.h"

struct elicit_form { /* embedded; who owns it sets `setup`, `open` and `ctx` */
	struct setup *setup;
	/* Opens an address in a browser. False, with a sentence. */
	bool (*open)(void *ctx, const char *url, struct error *err);
	void *ctx;

	uint64_t id;                      /* of what is asked; 0: nothing */
	uint64_t told, put_off;           /* the last one that the user was told of, or has closed without an answer */
	char *server, *tool;
	struct mcp_form form;
	char *values[MCP_FORM_FIELDS];    /* as typed; NULL: nothing */
	size_t answer;                    /* a row of its words */
	struct buf label;                 /* of the field that was asked for last */
	bool by_line, left;               /* in the linear mode; /decline was typed there */
};

extern const struct form_table elicit_table;

/* Takes what has waited for the longest time. False: nothing waits. */
MUST_USE bool elicit_form_take(struct elicit_form *f);
void elicit_form_drop(struct elicit_form *f); /* wipes what was typed; what is asked still waits */
/*
 * None is taken, and the first one that waits is to be shown: it was not put off, and it can be shown now (`is_free`) or the user was not told.
 */
bool elicit_form_has_news(const struct elicit_form *f, bool is_free);
void elicit_form_tell(struct elicit_form *f, struct buf *out); /* appends who asks; it was told then */
bool elicit_form_is_stale(const struct elicit_form *f); /* it was taken, and nobody waits for its answer any more */

#endif
