/*
 * Set-up shared by the subcommands that talk to a provider: settings, providers, the target of a request, and the demo's
 * server. Precedence: option, environment, settings file, preset.
 */
#ifndef WEIR_APP_SETUP_H
#define WEIR_APP_SETUP_H

#include "app/bindings.h"
#include "app/environment.h"
#include "app/loop.h"
#include "app/options.h"
#include "chat/provider.h"
#include "net/serve.h"
#include "store/choices.h"
#include "store/settings.h"

/* Whom a request goes to. */
struct target {
	struct provider *provider;
	const struct protocol *protocol;
	const struct dialect *dialect;
	char *model;     /* "" while none is chosen */
	char *base_url;  /* --base-url, or the demo's port; "" : the provider's */
};

struct setup {
	const struct options *options;
	struct settings settings;
	struct bindings *bindings; /* of keys to commands */
	struct choices choices;   /* of earlier runs and of this one; empty where nothing is remembered */
	bool remembers, told_unkept; /* they are kept; that they cannot be was told */
	struct providers *providers;
	struct target target;
	struct http *http;
	struct wire_log *log;     /* --debug; NULL: none */
	struct loop *loop;        /* has the http and, once started, the demo's server */
	struct serve *demo_server;
	void *demo;
	struct provider *rebased; /* the one whose URL --base-url replaces, or NULL */
	struct buf tools, schema; /* as read from their files; empty: none */
	char *tools_from, *schema_from; /* those files; NULL: none */
	size_t tool_count;        /* definitions in `tools` */
	bool files_read;          /* --tools and --schema were */
	char *system;             /* set by the user while it runs; NULL: as options and settings say */
	enum reasoning_level reasoning; /* the same; REASONING_LEVEL_UNSET */
};

/* Reads settings and environment and chooses the target. Errors are usage errors (exit 2): unknown provider, protocol, dialect. */
MUST_USE bool setup_init(struct setup *s, const struct options *o, struct error *err);
/*
 * The same for a chat: what was chosen in an earlier run (store/choices.h) comes before defaults, and behind all that an option, a variable
 * or the settings file says. A provider that was chosen counts where it is ready to be asked (provider_is_ready()), its model and
 * protocol where it is the target.
 */
MUST_USE bool setup_init_chat(struct setup *s, const struct options *o, struct error *err);
void setup_fini(struct setup *s);

/* Changes the target: another provider takes its default protocol, its model and dialect; base URL of its own. */
void setup_use_provider(struct setup *s, struct provider *p);
void setup_use_protocol(struct setup *s, const struct protocol *protocol);
void setup_use_model(struct setup *s, struct str model);

/*
 * Keeps the target, or the value of a setting, as the user's choice. False: it is in use all the same, but could not be kept; `err` says
 * why, once a run.
 */
MUST_USE bool setup_choose_target(struct setup *s, struct error *err);
MUST_USE bool setup_choose(struct setup *s, const char *name, struct str value, struct error *err);

/* What the next requests carry in place of what options and settings say. */
void setup_use_system(struct setup *s, struct str text); /* "": no system prompt */
void setup_use_reasoning(struct setup *s, enum reasoning_level level);

struct str setup_system(const struct setup *s);          /* the prompt that goes with them; empty: none */

/* The base URL of a request to the target ("" : the provider's). Starts the demo's server at the first use. */
MUST_USE bool setup_base_url(struct setup *s, struct str *base_url, struct error *err);

/* Fills a request's options from command line, settings and provider: system, max_tokens, temperature, reasoning, stream, tools, schema.
 * Its texts live as long as the setup. Reads --tools and --schema once and checks that they are JSON. */
MUST_USE bool setup_request(struct setup *s, struct request *request, struct error *err);

/* What a request to the target would carry. */
enum reasoning_level setup_reasoning(const struct setup *s);
bool setup_has_tools(const struct setup *s); /* also if their file has not been read yet; the same for the schema */
bool setup_has_schema(const struct setup *s);

/* How often a request to the target is sent again whose failure may pass. */
unsigned setup_retries(const struct setup *s);

/* Read a file of tool definitions or a JSON Schema in place of the one before; NULL: none. On false nothing is changed. */
MUST_USE bool setup_read_tools(struct setup *s, const char *path, struct error *err);
MUST_USE bool setup_read_schema(struct setup *s, const char *path, struct error *err);
/* Reads those of --tools and --schema, once. Nothing that is set later is overwritten by them. */
MUST_USE bool setup_read_files(struct setup *s, struct error *err);

/* The protocol or dialect of that name; NULL with a sentence that lists the known ones. */
const struct protocol *protocol_named(const char *name, struct error *err);
const struct dialect *dialect_named(const char *name, struct error *err);

/* Path of the tape of turn `n` (1-based): --tape FILE, then FILE-2 before its suffix; NULL without --tape. Heap. */
char *setup_tape_path(const struct setup *s, unsigned n);
/* Whether --tape FILE can be made; true without it. It is refused before anything is sent: it is an argument like others. */
MUST_USE bool setup_check_tape(const struct setup *s, struct error *err);

/* Reads a file as an attachment: bytes and media type by content and name. */
MUST_USE bool attachment_read(const char *path, struct buf *bytes, const char **media, struct error *err);

#endif
