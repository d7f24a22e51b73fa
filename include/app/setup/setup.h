/*
 * Setup shared by the subcommands that talk to a provider: settings, providers, the target of requests, and the demo's server.
 * Precedence: option, role, environment, settings file, preset; what is chosen in the program goes before all of them. At the next start
 * the chosen provider, model and protocol go before the settings file, the other choices after it.
 */
#ifndef WEIR_APP_SETUP_H
#define WEIR_APP_SETUP_H

#include "app/command/bindings.h"
#include "app/system/environment.h"
#include "app/system/loop.h"
#include "app/tools/approval.h"
#include "chat/provider/provider.h"
#include "net/serve.h"
#include "store/config/choices.h"
#include "store/config/settings.h"

#define CUSTOM_KEY "WEIR_API_KEY" /* the variable of the key for --base-url */

/* The destination of requests. */
struct target {
	struct provider *provider;
	const struct protocol *protocol;
	const struct dialect *dialect;
	char *model;     /* "": none is chosen */
	char *base_url;  /* from --base-url, or with the demo's port; "": the provider's */
};

/* The role in use (store/config/roles.h). */
struct role_use {
	const struct role *role;      /* NULL: none; borrowed from the settings */
	bool chosen;                  /* in the program: it goes before options; else options go before it */
	char *system;                 /* its system prompt; NULL: it sets none */
	bool has_target;              /* it changed the target: `before` and `after` are set */
	struct target before, after;  /* own their models; the base URLs are not set */
};

struct setup {
	const struct options *options;
	struct settings settings;
	struct bindings *bindings; /* bindings of keys to commands */
	struct error note;        /* what of weir.conf has no effect: told at the start; "": all has */
	struct choices choices;   /* choices of earlier runs and of this one; empty if nothing is remembered */
	bool is_chat;             /* a person sees which model answers: a preset's may be used */
	enum keep_history kept_from;      /* the least value of the setting `history` with which this program keeps something; KEEP_CHAT */
	bool remembers;           /* choices are kept for later runs */
	bool told_unkept;         /* the error that choices cannot be kept was reported */
	struct providers *providers;
	struct target target;
	struct http *http;
	struct wire_log *log;     /* --debug; NULL: none */
	struct loop *loop;        /* drives `http` and, once started, the demo's server */
	struct serve *demo_server;
	void *demo;
	double demo_speed;        /* of its answers, set before the first request; 0: that of the scripts */
	bool unnamed;             /* nothing named a provider: it was the demo at the start */
	struct provider *rebased; /* the one whose URL --base-url replaces, or NULL */
	struct tool_set tool_set; /* what may run when a model calls it */
	struct approvals approvals;
	struct mcp_hub *servers;  /* the MCP servers of the settings; begun when their tools are wanted */
	uint64_t servers_seen;    /* mcp_hub_changes() when the set last took their tools */
	struct buf own_tools;     /* definitions of the last request: those of `tools` and of the set */
	struct buf tools, schema; /* as read from their files; empty: none */
	struct buf added;         /* what server tools add to the last request */
	struct buf extra;         /* what parameters merge into it */
	char *tools_from, *schema_from; /* those files; NULL: none */
	size_t tool_count;        /* definitions in `tools` */
	bool files_read;          /* --tools and --schema were */
	char *system;             /* set by the user while it runs; NULL: as options and settings say */
	struct parameters parameters; /* the same */
	struct role_use role;
	struct roles tried;       /* a role that is in no file, to try it */
	bool private;             /* /private: nothing is kept, tapes included */
	struct setup_seen { long long device, file, bytes, seconds, nanoseconds; } seen; /* the settings file as it was read last */
	uint64_t changes;         /* increases when something changes that requests carry, apart from the target */
};

bool setup_allows_http(const struct setup *s); /* --allow-http: plain http to other machines */
/* Whether conversations, prompts and tapes may be kept. */
bool setup_keeps(const struct setup *s);

/*
 * Reads settings and environment and chooses the target. Errors are usage errors (exit 2): unknown provider, protocol, dialect. The
 * provider is that of an option, else the one chosen in an earlier chat (store/config/choices.h), else that of the settings, else the first one
 * whose key is in the environment; where there is none it is the demo, which setup_has_provider() tells from a demo that was named.
 */
MUST_USE bool setup_init(struct setup *s, const struct options *o, struct error *err);
/*
 * The same for a chat. Other choices of earlier runs override defaults; options and the settings file override them. A chosen model and
 * protocol count only for the provider they were chosen for, with --provider after the settings. Where nothing names a model, the
 * preset's is used (provider_preset_model()).
 */
MUST_USE bool setup_init_chat(struct setup *s, const struct options *o, struct error *err);
/* Whether a script has a provider to ask: false, with what to do, where the demo only stands in for one. */
MUST_USE bool setup_has_provider(const struct setup *s, struct error *err);
void setup_fini(struct setup *s);

/* Change the target. A provider brings its default protocol, its model, its dialect and its base URL. */
void setup_use_provider(struct setup *s, struct provider *p);
void setup_use_protocol(struct setup *s, const struct protocol *protocol);
void setup_use_model(struct setup *s, struct str model);

/*
 * Keep the target, or the value of a setting, as the user's choice for later runs. The demo takes the place of no other provider. False:
 * it is in use but could not be kept; `err` says why. That is reported once per run.
 */
MUST_USE bool setup_choose_target(struct setup *s, struct error *err);
MUST_USE bool setup_choose(struct setup *s, const char *name, struct str value, struct error *err);

/* Override options and settings for the following requests. */
void setup_use_system(struct setup *s, struct str text); /* "": no system prompt */
void setup_use_parameters(struct setup *s, const struct parameters *parameters); /* those that are set; the rest is as options and settings say */

struct str setup_system(const struct setup *s);          /* the system prompt of the following requests; empty: none */

/* Where the value of a parameter comes from. */
enum parameter_from { PARAMETER_FROM_NOWHERE, PARAMETER_FROM_PROVIDER, PARAMETER_FROM_ROLE, PARAMETER_FROM_OPTION, PARAMETER_FROM_USER };
/* Sets `value` to the parameter of the following requests; it is not set with PARAMETER_FROM_NOWHERE. */
enum parameter_from setup_parameter(const struct setup *s, enum parameter which, struct parameters *value);
struct parameters setup_option_parameters(const struct options *o); /* those of the command line */
void setup_all_parameters(const struct setup *s, struct parameters *all);

/*
 * Uses a role in place of the one in use; NULL: none, which also brings back the target from before the role unless another one was
 * chosen since. What the role sets replaces what was set in the program. On false nothing changed: the error names file and line.
 */
MUST_USE bool setup_use_role(struct setup *s, const struct role *role, struct error *err);
/* The same for the only role of `tried`, which is in no file. On true the setup owns it. */
MUST_USE bool setup_try_role(struct setup *s, struct roles *tried, struct error *err);
bool setup_tries_role(const struct setup *s); /* it is in use */
/* Takes the role of --role, else of the settings, at start. */
MUST_USE bool setup_take_role(struct setup *s, struct error *err);
void setup_drop_role(struct setup *s);                   /* frees what the role in use owns */
/*
 * Reads the settings file again if it has changed since it was read last; one stat() where it has not. What the file says takes the place of
 * what it said; options and choices go before it, as at the start. Provider, model, role, keys and dialects are those of the start. To be called
 * while no request runs: then nothing borrows from what is replaced. `takes` gets the name of each setting with another value; false, with a
 * sentence: it is of no use, and the setting keeps its former one.
 *
 * REREAD_TAKEN and REREAD_WRONG come with a sentence: what has changed, or where the file is wrong, and that the old settings stay, or the one.
 */
enum reread { REREAD_SAME, REREAD_TAKEN, REREAD_WRONG };
typedef bool setting_taker(void *ctx, const char *name, struct error *err);
enum reread setup_reread(struct setup *s, setting_taker *takes, void *ctx, struct error *sentence);
char *setup_settings_path(const struct setup *s);        /* of the settings file; the caller frees it. NULL: there is no home */
void setup_note_read(struct setup *s);                   /* the file was read just now, or written by weir when it was as it was read */
bool setup_is_as_read(const struct setup *s);            /* asked before weir writes the file: nobody else has */
/* The roles are others: the one in use is that of its name now; without one, none is. For setup_reread(). */
MUST_USE bool setup_refresh_role(struct setup *s, struct roles *roles, struct error *err);
/* Finds a role by its name. NULL, with a sentence that lists the known ones, if there is none. */
const struct role *setup_role_named(const struct setup *s, struct str name, struct error *err);
/* The same for a template. */
const struct template *setup_template_named(const struct setup *s, struct str name, struct error *err);
/* For --template: its role and its model, unless options say others. NULL: there is no such template, or its role cannot be used. */
const struct template *setup_take_template(struct setup *s, struct error *err);
/* Appends --template and the arguments as the line of a slash word, without the slash. */
void setup_write_template_line(const struct setup *s, struct buf *out);
/* Applies --protocol, --dialect and --model to the target. */
MUST_USE bool setup_take_options(struct setup *s, struct error *err);

/* The base URL of a request to the target; "": the provider's. The first call for the demo starts its server. */
MUST_USE bool setup_base_url(struct setup *s, struct str *base_url, struct error *err);

/*
 * Fills in a request's options from command line, settings and provider: system, max_tokens, temperature, reasoning, stream, tools, server tools,
 * schema. Its strings live until the next call. The first call reads the files of --tools and --schema and checks that they are JSON. False also
 * if a server tool is wanted that the target does not have.
 */
MUST_USE bool setup_request(struct setup *s, struct request *request, struct error *err);

/* What a request to the target would carry. */
unsigned setup_server_tools(const struct setup *s);         /* bits of enum server_tool that are wanted */
unsigned setup_offered_server_tools(const struct setup *s); /* those that the target has */
MUST_USE bool setup_check_server_tools(const struct setup *s, unsigned tools, struct error *err); /* that it has all of these */
enum reasoning_level setup_reasoning(const struct setup *s);
MUST_USE bool setup_check_variables(const struct setup *s, const struct tool_sections *tools, struct error *err); /* none gets a key */
MUST_USE bool setup_check_server_variables(const struct setup *s, const struct mcp_servers *servers, struct error *err); /* the same */
bool setup_is_key_variable(const struct setup *s, struct str name); /* of a provider, or of an MCP server */
struct tool_set *setup_tool_set(struct setup *s); /* as it is for a request to the target now */
struct str setup_tools(struct setup *s);          /* the definitions of a request to it, until the next call; STR_NONE: none */
/* Begins what brings the tools of servers that may be offered. Where nothing is offered by itself (scripts), of none. */
void setup_want_servers(struct setup *s);
/* "NAME:REST": the index of the MCP server of that name (mcp_hub_at()), and what follows. False: it names none. */
MUST_USE bool setup_find_server(const struct setup *s, struct str word, size_t *index, struct str *rest);
/* Runs the loop until each server has answered or failed. False, with a sentence: a signal came before. */
MUST_USE bool setup_settle_servers(struct setup *s, struct error *err);
bool setup_servers_hold(const struct setup *s, struct buf *names); /* one has not, and a prompt waits for it (mcp_hub_holds()) */
MUST_USE bool setup_tell_servers(struct setup *s, struct error *sentence); /* a failure that was not told; false: there is none */
bool setup_offers_tool(struct setup *s, struct str name); /* one that runs, or of a file */
unsigned setup_tool_count(const struct setup *s); /* definitions that are offered, as far as their file was read; those built in count, too */
bool setup_has_tools(const struct setup *s); /* the user has set some, also if their file has not been read yet; the same for the schema */
bool setup_has_schema(const struct setup *s);

long long setup_max_tokens(const struct setup *s); /* of an answer; 0: none is sent */

/* How often a request to the target is sent again whose failure may pass. */
unsigned setup_retries(const struct setup *s);

/* Read a file of tool definitions or a JSON Schema, which replaces the previous one; NULL: none. On false nothing is changed. */
MUST_USE bool setup_read_tools(struct setup *s, const char *path, struct error *err);
MUST_USE bool setup_read_schema(struct setup *s, const char *path, struct error *err);
/* The same with a JSON text in place of a file; `name` stands for it in messages. */
MUST_USE bool setup_use_tools(struct setup *s, struct str json, const char *name, struct error *err);
MUST_USE bool setup_use_schema(struct setup *s, struct str json, const char *name, struct error *err);
/* Whether such files could be read; NULL: nothing to read. */
MUST_USE bool setup_check_files(const char *tools, const char *schema, struct error *err);
/* Reads the files of --tools and --schema, once. They do not overwrite what is set later. */
MUST_USE bool setup_read_files(struct setup *s, struct error *err);

/*
 * The path of the tape of turn `n` (from 1): --tape FILE, then FILE-2 and so on, with the number before the suffix. NULL without --tape.
 * Heap.
 */
char *setup_tape_path(const struct setup *s, unsigned n);
/* Whether --tape FILE can be created; true without --tape. It is checked before anything is sent, like other arguments. */
MUST_USE bool setup_check_tape(const struct setup *s, struct error *err);

#endif
