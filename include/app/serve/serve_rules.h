/*
 * Rules for `weir serve --rules FILE`: which tape answers which request. An INI file; a section is a rule, the first rule whose conditions
 * all hold answers. Conditions and effects are its entries (SERVE_RULE_ENTRIES). Paths of tapes are relative to the file.
 */
#ifndef WEIR_APP_SERVE_RULES_H
#define WEIR_APP_SERVE_RULES_H

#include "base/ini.h"
#include "net/fault.h"
#include "net/tape.h"
#include "wire/protocol/protocol.h"

struct serve_rule {
	char *name;
	char *path, *model, *word;        /* conditions; NULL: none */
	long long request;                /* counts the requests that meet the other conditions, from 1; 0: any */
	struct tape *tape;
	const struct protocol *protocol;  /* NULL: that of the tape */
	struct fault fault;
	bool has_fault;
	long long rate;                   /* percent of the requests that get the fault */
	long long seen;                   /* requests that met the conditions */
};

struct serve_rules { struct serve_rule *items; size_t count, capacity; };

/* What a rule looks at. */
struct serve_asked { struct str path, model, prompt; };

MUST_USE bool serve_rules_read(struct serve_rules *rules, const char *file, struct error *err);
void serve_rules_fini(struct serve_rules *rules);
/* The rule that answers; NULL: none. Counts the request in each rule that it meets. */
struct serve_rule *serve_rules_find(struct serve_rules *rules, const struct serve_asked *asked);

struct ini_help serve_rule_entry_at(size_t index);

#endif
