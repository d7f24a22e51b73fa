/*
 * What a server asks the user for (elicitation/create): a form with fields, or a page to open. Pure. All of its texts are the server's, and not to
 * be trusted: they are cut to a length that can be read, and what cannot be shown whole is refused.
 *
 * A field is filled in with a line of text, which is checked with the schema of the field before anything is sent. What looks like a secret is
 * marked; servers must not ask for one in a form.
 */
#ifndef WEIR_APP_MCP_FORM_H
#define WEIR_APP_MCP_FORM_H

#include "base/json.h"
#include "base/json_write.h"

#define MCP_FORM_FIELDS 24u
#define MCP_FORM_WORDS 30u      /* of a choice */
#define MCP_FORM_BYTES ((size_t)64 << 10) /* of its JSON */
#define MCP_FORM_URL 2000u      /* bytes */

enum mcp_field_kind { MCP_FIELD_TEXT, MCP_FIELD_NUMBER, MCP_FIELD_BOOLEAN, MCP_FIELD_ONE, MCP_FIELD_MANY };

struct mcp_field {
	enum mcp_field_kind kind;
	bool required, is_secret;
	char *name, *title;          /* title: the name, where it has none */
	char *about;                 /* what the server says of it; NULL: nothing */
	char *format;                /* of a text: "email"; NULL: none */
	char *schema;                /* JSON */
	char *initial;               /* the default, as it would be typed; NULL: none */
	struct { char *value, *title; } words[MCP_FORM_WORDS]; /* MCP_FIELD_ONE and MANY: what it may be, and how that is called */
	size_t word_count;
};

struct mcp_form { /* embedded; all zero: none */
	bool is_page;
	char *message;
	char *url, *host;            /* of a page: http or https, in visible ASCII, without a user */
	struct mcp_field *fields;
	size_t count;
};

/* False, with a sentence: it cannot be shown as it is meant, and has to be declined. */
MUST_USE bool mcp_form_read(struct mcp_form *form, const struct json *params, struct error *why);
void mcp_form_fini(struct mcp_form *form);

bool mcp_form_requires(const struct json *schema, struct str key); /* the schema of an object names it among what is required */
void mcp_field_write_rule(const struct mcp_field *field, struct buf *out); /* appends "required, an email address, ..."; may be nothing */

/* Whether the field can be `typed`; an empty line is no value. `why` is for the user. */
MUST_USE bool mcp_field_check(const struct mcp_field *field, struct str typed, struct error *why);
/* Appends the result that accepts: of a form with these values, each of which was checked; NULL or "": none. */
void mcp_form_write(const struct mcp_form *form, char *const *values, struct buf *out);

#endif
