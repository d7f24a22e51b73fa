#include "store/files/model_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/json.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/redact.h"
#include "store/files/paths.h"
#include "store/files/private_folder.h"

#define FOLDER "models"
#define FILE_LIMIT ((size_t)1 << 20)
#define NAME_SIZE 128 /* a provider's name has at most PROVIDER_NAME_MOST bytes */
#define VERSION 1
#define SECONDS_OF_A_DAY 86400

/* A provider's name has no slash, and the name of a file does not begin with a dot. */
static bool cache_name(const struct model_cache_key *key, char name[NAME_SIZE])
{
	struct str provider = str_from(key->provider);

	if (!provider_name_is_good(provider) || str_starts(provider, "."))
		return false;
	snprintf(name, NAME_SIZE, "%s.%s", key->provider, key->protocol->name);
	return true;
}

static enum private_state cache_open(struct private_folder *folder, bool create, struct error *err)
{
	char *path = path_of(PATH_CACHE, FOLDER);
	enum private_state state = path ? private_folder_open(folder, path, create, err) : PRIVATE_MISSING;

	mem_free(path);
	return state;
}

/* --- writing --- */

static void cache_write_model(struct json_writer *w, const struct model *model)
{
	json_open_object(w);
	json_member_string(w, "id", str_from(model->id));
	if (model->context_tokens >= 0)
		json_member_integer(w, "context", model->context_tokens);
	if (model->output_tokens >= 0)
		json_member_integer(w, "output_tokens", model->output_tokens);
	for (enum usage_figure i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (model->prices.of[i].known && usage_price(i)->name) {
			json_key(w, usage_price(i)->name);
			json_real(w, model->prices.of[i].usd);
		}
	if (model->prices.prompt_below)
		json_member_integer(w, "prompt_below", model->prices.prompt_below);
	json_close_object(w);
}

static void cache_write(const struct model_cache_key *key, const struct model *models, size_t count, int64_t now, struct buf *out)
{
	struct json_writer w;
	struct buf url = { 0 };

	redact_url(key->base_url, &url);
	json_writer_init(&w, out);
	json_open_object(&w);
	json_member_integer(&w, "weir_models", VERSION);
	json_member_integer(&w, "fetched", now);
	json_member_string(&w, "base_url", buf_str(&url));
	json_key(&w, "models");
	json_open_array(&w);
	for (size_t i = 0; i < count; i++)
		cache_write_model(&w, &models[i]);
	json_close_array(&w);
	json_close_object(&w);
	buf_add_z(out, "\n");
	buf_fini(&url);
}

bool model_cache_keep(const struct model_cache_key *key, const struct model *models, size_t count, int64_t now, struct error *err)
{
	struct private_folder folder;
	char name[NAME_SIZE];
	struct buf text;
	bool good = false;

	buf_init(&text, BUF_LIMIT_DEFAULT); /* a list was read from at most 8 MB */
	cache_write(key, models, count, now, &text);
	if (!cache_name(key, name))
		error_set(err, "the provider's name \"%s\" cannot be that of a file", key->provider);
	else if (text.len > FILE_LIMIT)
		error_set(err, "the model list of %s is too long to be kept", key->provider);
	else if (cache_open(&folder, true, err) == PRIVATE_OPEN) {
		good = private_file_replace(&folder, name, buf_str(&text), err);
		private_folder_close(&folder);
	}
	buf_fini(&text);
	return good;
}

/* --- reading --- */

static long long cache_count(const struct json *model, const char *name)
{
	int64_t count;

	return json_count(json_get(model, name), &count) ? count : -1;
}

static void cache_visit(const struct json *model, model_visit *visit, void *ctx)
{
	struct model_facts facts = {
		.id = json_get_text(model, "id"),
		.context_tokens = cache_count(model, "context"),
		.output_tokens = cache_count(model, "output_tokens"),
	};
	long long prompt_below = cache_count(model, "prompt_below");
	double usd;

	for (enum usage_figure i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (usage_price(i)->name && json_number(json_get(model, usage_price(i)->name), &usd) && usd >= 0)
			facts.prices.of[i] = MONEY(usd);
	facts.prices.prompt_below = prompt_below > 0 ? prompt_below : 0;
	if (facts.id.len)
		visit(ctx, &facts);
}

static bool cache_is_valid(const struct json *object, const struct model_cache_key *key, int64_t now)
{
	int64_t version, fetched;
	struct buf url = { 0 };

	if (!json_count(json_get(object, "weir_models"), &version) || version != VERSION ||
	    !json_count(json_get(object, "fetched"), &fetched) || fetched > now || now - fetched > MODEL_CACHE_DAYS * SECONDS_OF_A_DAY)
		return false;
	redact_url(key->base_url, &url);
	bool same = str_equal(json_get_text(object, "base_url"), buf_str(&url));
	buf_fini(&url);
	return same;
}

static bool cache_parse(struct str text, const struct model_cache_key *key, int64_t now, model_visit *visit, void *ctx)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *object = json_parse(parser, text, &used), *models = json_get(object, "models");
	bool valid = cache_is_valid(object, key, now);

	for (size_t i = 0; valid && i < json_length(models) && i < MODELS_MOST; i++)
		cache_visit(json_at(models, i), visit, ctx);
	json_parser_free(parser);
	return valid;
}

bool model_cache_read(const struct model_cache_key *key, int64_t now, model_visit *visit, void *ctx)
{
	struct private_folder folder;
	struct error err = { "" };
	char name[NAME_SIZE];
	struct buf text;
	bool good = false;
	int fd;

	if (!cache_name(key, name) || cache_open(&folder, false, &err) != PRIVATE_OPEN)
		return false;
	if (private_file_open(&folder, name, O_RDONLY, &fd, &err) == PRIVATE_OPEN) {
		buf_init(&text, FILE_LIMIT);
		good = buf_read_fd(&text, fd, name, &err) && cache_parse(buf_str(&text), key, now, visit, ctx);
		buf_fini(&text);
		close(fd);
	}
	private_folder_close(&folder);
	return good;
}
