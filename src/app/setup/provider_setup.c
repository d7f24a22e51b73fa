#include "app/setup/provider_setup.h"

#include <assert.h>

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "app/system/loop.h"
#include "base/array.h"
#include "base/mem.h"
#include "store/config/keys.h"
#include "store/config/settings_edit.h"

#define SECTION_LIMIT ((size_t)100)

/* --- words --- */

const char *key_keeping_name(enum key_keeping keeping)
{
	static const char *const names[] = {
		[KEY_IN_FILE] = "in a file", [KEY_IN_SESSION] = "not at all", [KEY_FROM_COMMAND] = "from a command",
		[KEY_FROM_VARIABLE] = "from another variable",
	};

	return names[keeping];
}

void key_keeping_words(enum key_keeping keeping, struct str provider, struct buf *out)
{
	static const char *const words[] = {
		[KEY_IN_FILE] = "in a file that only you can read", [KEY_IN_SESSION] = "not at all: it is lost when weir ends",
		[KEY_FROM_COMMAND] = "from a command, as the first line of its output", [KEY_FROM_VARIABLE] = "from another environment variable",
	};
	char *path = keeping == KEY_IN_FILE ? keys_path(provider) : NULL;

	buf_add_z(out, words[keeping]);
	if (path && provider.len)
		buf_printf(out, " (%s)", path);
	mem_free(path);
}

bool provider_wants_setup(const struct provider *p)
{
	return !provider_is_ready(p, process_environment);
}

void provider_key_words(const struct provider *p, struct buf *out)
{
	bool has = provider_has_key(p, process_environment);

	if (p->key_env && !p->key_file && !p->key_command) {
		buf_printf(out, "from %s: %s", p->key_env, has ? "set" : p->key_optional ? "not set, not needed" : "not set");
		return;
	}
	buf_add_z(out, "from ");
	provider_key_source(p, out);
}

/* --- what was given --- */

void provider_setup_init(struct provider_setup *p, struct setup *setup, void (*ended)(void *ctx), void *ctx)
{
	*p = (struct provider_setup){ .setup = setup, .ended = ended, .ctx = ctx };
}

void provider_setup_cancel(struct provider_setup *p)
{
	models_free(p->models);
	provider_free(p->trial);
	for (size_t i = 0; i < p->entry_count; i++)
		mem_free(p->entries[i].value);
	provider_setup_init(p, p->setup, p->ended, p->ctx);
}

static void add_entry(struct provider_setup *p, const char *name, struct str value)
{
	assert(p->entry_count < ARRAY_LEN(p->entries));
	p->entries[p->entry_count].name = name;
	p->entries[p->entry_count++].value = value.ptr ? str_dup(value) : NULL;
}

static bool has_key(const struct provider_wish *w)
{
	return str_from(w->key).len > 0;
}

/* The key itself, where it was given; NULL: another way to it, or none. */
static const char *typed_key(const struct provider_wish *w)
{
	return has_key(w) && (w->keep == KEY_IN_FILE || w->keep == KEY_IN_SESSION) ? w->key : NULL;
}

/* A key that is given takes the place of wherever it came from. */
static bool add_key(struct provider_setup *p, const struct provider_wish *w, struct error *err)
{
	char *path;

	switch (w->keep) {
	case KEY_IN_FILE:
		path = keys_path(w->name);
		if (!path)
			return error_set(err, "there is no home folder: set the variable HOME or XDG_CONFIG_HOME");
		add_entry(p, "key_command", STR_NONE);
		add_entry(p, "key_file", str_from(path));
		mem_free(path);
		break;
	case KEY_FROM_COMMAND:
		add_entry(p, "key_command", str_from(w->key));
		break;
	case KEY_IN_SESSION:
	case KEY_FROM_VARIABLE:
		add_entry(p, "key_command", STR_NONE);
		add_entry(p, "key_file", STR_NONE);
		if (w->keep == KEY_FROM_VARIABLE)
			add_entry(p, "key_env", str_from(w->key));
		break;
	}
	return true;
}

static bool add_entries(struct provider_setup *p, const struct provider_wish *w, struct error *err)
{
	struct str url = provider_base_url(p->trial, p->trial->protocols[0]);

	if (w->is_new)
		add_entry(p, "protocols", str_from(w->protocol->name));
	if (w->is_new && w->auth)
		add_entry(p, "auth", str_from(w->auth));
	if (w->base_url.len && !str_equal(w->base_url, url)) {
		if (p->trial->base_url_is_fixed)
			return error_set(err, "the environment sets the base URL of %s and has precedence: unset its variable to use another URL",
			                 p->trial->name);
		add_entry(p, "base_url", w->base_url);
	}
	return !has_key(w) || add_key(p, w, err);
}

static bool apply(const struct provider_setup *p, struct provider *to, struct error *err)
{
	bool good = true;

	for (size_t i = 0; good && i < p->entry_count; i++)
		good = provider_set(to, str_from(p->entries[i].name), p->entries[i].value ? str_from(p->entries[i].value) : STR(""), err);
	return good;
}

/* --- the test --- */

bool provider_setup_takes_name(const struct setup *s, struct str name, struct error *err)
{
	if (!provider_name_is_good(name) || str_starts(name, ".") || str_is(name, "add") || str_is(name, "setup"))
		return error_set(err, "a provider's name has 1 to %d characters, no blank or slash, and no full stop at its start",
		                 PROVIDER_NAME_MOST);
	return !providers_find(s->providers, name) || error_set(err, "there is a provider %.*s already", STR_ARG(name));
}

static struct provider *new_trial(struct setup *s, const struct provider_wish *w, struct error *err)
{
	struct provider *trial;
	struct providers *apart;

	if (!w->is_new)
		return provider_copy(providers_find(s->providers, w->name));
	if (!provider_setup_takes_name(s, w->name, err))
		return NULL;
	apart = providers_new(process_environment);
	trial = provider_copy(providers_add(apart, w->name));
	providers_free(apart);
	return trial;
}

static bool check_trial(const struct provider *p, bool has_key, struct error *err)
{
	if (!provider_base_url(p, p->protocols[0]).len)
		return error_set(err, "%s needs a base URL, such as https://api.example.com/v1", p->name);
	if (!has_key && !provider_is_ready(p, process_environment))
		return error_set(err, "%s needs a key", p->name);
	return true;
}

bool provider_setup_begin(struct provider_setup *p, const struct provider_wish *w, struct error *err)
{
	provider_setup_cancel(p);
	p->wish = *w;
	p->trial = new_trial(p->setup, w, err);
	if (!p->trial || !add_entries(p, w, err) || !apply(p, p->trial, err) || !check_trial(p->trial, has_key(w), err)) {
		provider_setup_cancel(p);
		return false;
	}
	p->models = models_new(p->setup->http, p->trial, p->trial->protocols[0], STR(""), process_environment, p->setup->options->allow_http);
	p->began_ms = clock_now_ms();
	if (typed_key(w))
		models_fetch_with(p->models, str_from(w->key), p->began_ms);
	else
		models_fetch(p->models, p->began_ms);
	return true;
}

bool provider_setup_runs(const struct provider_setup *p)
{
	return p->models != NULL;
}

/* --- keeping --- */

static bool write_settings(const struct provider_setup *p, struct error *err)
{
	struct settings_change changes[ARRAY_LEN(p->entries)];
	struct buf section;
	bool good, as_read = setup_is_as_read(p->setup);

	buf_init(&section, SECTION_LIMIT);
	buf_printf(&section, "provider %s", p->trial->name);
	for (size_t i = 0; i < p->entry_count; i++)
		changes[i] = (struct settings_change){ buf_z(&section), p->entries[i].name, str_from(p->entries[i].value) };
	good = settings_edit(p->setup->options->config, changes, p->entry_count, err);
	if (good && as_read)
		setup_note_read(p->setup);
	buf_fini(&section);
	return good;
}

static bool write_files(const struct provider_setup *p, struct error *err)
{
	const struct provider_wish *w = &p->wish;

	if (w->keep == KEY_IN_SESSION)
		return true;
	if (w->keep == KEY_IN_FILE && has_key(w) && !keys_keep(w->name, str_from(w->key), err))
		return false;
	return write_settings(p, err);
}

static void use_provider(struct provider_setup *p)
{
	const struct provider_wish *w = &p->wish;
	struct provider *to = w->is_new ? providers_add(p->setup->providers, w->name) : providers_find(p->setup->providers, w->name);
	struct error err;
	bool good = apply(p, to, &err); /* the copy took them all */

	assert(good);
	(void)good;
	if (to->key_env)
		environment_take(to->key_env);
	if (w->keep == KEY_IN_SESSION && has_key(w) && to->key_env)
		environment_put(to->key_env, w->key);
	setup_use_provider(p->setup, to);
}

static void add_words(const struct models *m, int64_t took_ms, struct buf *words)
{
	size_t count = models_count(m);

	buf_printf(words, "%d, %zu model%s, %lld.%lld s", models_status(m), count, count == 1 ? "" : "s", (long long)took_ms / 1000,
	           (long long)took_ms % 1000 / 100);
}

bool provider_setup_keep(struct provider_setup *p, struct model_list *list, struct buf *words, struct error *err)
{
	bool good = models_state(p->models) == MODELS_READY || error_set(err, "%s", models_error(p->models)->text);

	if (good && write_files(p, err)) {
		struct error unkept;

		add_words(p->models, clock_now_ms() - p->began_ms, words);
		use_provider(p);
		if (!setup_choose_target(p->setup, &unkept))
			buf_printf(words, ", for this run: %s", unkept.text);
		model_list_adopt(list, p->setup, p->models);
		p->models = NULL;
	} else {
		good = false;
	}
	provider_setup_cancel(p);
	return good;
}

/* --- the loop --- */

static size_t setup_fds(void *ctx, struct pollfd *fds, size_t room)
{
	const struct provider_setup *p = ctx;

	return p->models && room ? models_fds(p->models, fds) : 0;
}

static int64_t setup_deadline(void *ctx)
{
	const struct provider_setup *p = ctx;

	if (!p->models)
		return NO_DEADLINE;
	return models_state(p->models) == MODELS_FETCHING ? models_deadline(p->models) : 0;
}

static void setup_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct provider_setup *p = ctx;

	(void)fds, (void)count;
	if (!p->models)
		return;
	models_run(p->models, now_ms);
	if (models_state(p->models) != MODELS_FETCHING)
		p->ended(p->ctx);
}

struct loop_member provider_setup_member(struct provider_setup *p)
{
	return (struct loop_member){ .ctx = p, .fds = setup_fds, .deadline = setup_deadline, .run = setup_run };
}
