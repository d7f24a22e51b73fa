#include "app/serve/serve_rules.h"

#include <fnmatch.h>
#include <string.h>

#include "app/setup/saved_stream.h"
#include "base/array.h"
#include "base/ini.h"
#include "base/mem.h"
#include "base/names.h"

/* --- the entries --- */

typedef bool rule_set(struct serve_rule *rule, const struct ini_entry *entry, struct error *err);

static bool set_path(struct serve_rule *rule, const struct ini_entry *entry, struct error *err)
{
	(void)err;
	str_replace(&rule->path, str_from(entry->value));
	return true;
}

static bool set_model(struct serve_rule *rule, const struct ini_entry *entry, struct error *err)
{
	(void)err;
	str_replace(&rule->model, str_from(entry->value));
	return true;
}

static bool set_word(struct serve_rule *rule, const struct ini_entry *entry, struct error *err)
{
	(void)err;
	str_replace(&rule->word, str_from(entry->value));
	return true;
}

static bool set_request(struct serve_rule *rule, const struct ini_entry *entry, struct error *err)
{
	return (str_to_int(str_from(entry->value), &rule->request) && rule->request > 0) || error_set(err, "request is a number above 0");
}

static bool set_protocol(struct serve_rule *rule, const struct ini_entry *entry, struct error *err)
{
	rule->protocol = protocol_named(entry->value, err);
	return rule->protocol;
}

static bool set_fault(struct serve_rule *rule, const struct ini_entry *entry, struct error *err)
{
	rule->has_fault = true;
	return fault_read(&rule->fault, str_from(entry->value), err);
}

static bool set_rate(struct serve_rule *rule, const struct ini_entry *entry, struct error *err)
{
	return (str_to_int(str_from(entry->value), &rule->rate) && rule->rate <= 100) || error_set(err, "rate is a percentage from 0 to 100");
}

/* Relative to the file of rules. */
static bool set_tape(struct serve_rule *rule, const struct ini_entry *entry, struct error *err)
{
	const char *slash = *entry->value == '/' ? NULL : strrchr(entry->file, '/');
	struct buf path = { 0 };

	if (slash)
		buf_add(&path, str_of(entry->file, (size_t)(slash + 1 - entry->file)));
	buf_add_z(&path, entry->value);
	tape_free(rule->tape);
	rule->tape = NULL;
	bool good = tape_open(&rule->tape, buf_z(&path), err) && saved_is_stream(rule->tape, buf_z(&path), err);
	buf_fini(&path);
	return good;
}

static const struct {
	struct ini_help entry;
	rule_set *set;
} entries[] = {
	{ { "path", NULL, "the path of the request, as a pattern: `*/messages`" }, set_path },
	{ { "model", NULL, "the model that is asked for, as a pattern: `claude-*`" }, set_model },
	{ { "word", NULL, "text in the last message of the user, in any case of letters" }, set_word },
	{ { "request", NULL, "only the N-th request for which the other conditions hold" }, set_request },
	{ { "tape", NULL, "the file that answers, relative to the file of rules" }, set_tape },
	{ { "as", NULL, "the protocol in which it answers" }, set_protocol },
	{ { "fault", NULL, "words as for --fault" }, set_fault },
	{ { "rate", NULL, "the percentage of requests that get the fault (default 100)" }, set_rate },
};

struct ini_help serve_rule_entry_at(size_t index)
{
	return index < ARRAY_LEN(entries) ? entries[index].entry : (struct ini_help){ 0 };
}

/* --- reading --- */

static struct serve_rule *rule_named(struct serve_rules *rules, const char *name)
{
	struct serve_rule *last = rules->count ? &rules->items[rules->count - 1] : NULL;

	if (last && !strcmp(last->name, name))
		return last;
	mem_reserve(&rules->items, &rules->capacity, rules->count + 1, sizeof *rules->items);
	last = &rules->items[rules->count++];
	*last = (struct serve_rule){ .name = mem_dup_z(name), .rate = 100 };
	fault_init(&last->fault);
	return last;
}

static const char *entry_name_at(const void *unused, size_t index)
{
	(void)unused;
	return index < ARRAY_LEN(entries) ? entries[index].entry.name : NULL;
}

static bool take_entry(void *ctx, const struct ini_entry *entry, struct error *err)
{
	struct serve_rules *rules = ctx;
	struct buf known = { 0 };

	if (!*entry->section)
		return error_set(err, "%s stands before the first rule: a rule begins with [NAME]", entry->name);
	for (size_t i = 0; i < ARRAY_LEN(entries); i++)
		if (!strcmp(entries[i].entry.name, entry->name))
			return entries[i].set(rule_named(rules, entry->section), entry, err);
	names_write_choice(entry_name_at, NULL, &known);
	error_set(err, "a rule has no '%s'; it has %s", entry->name, buf_z(&known));
	buf_fini(&known);
	return false;
}

bool serve_rules_read(struct serve_rules *rules, const char *file, struct error *err)
{
	if (!ini_read_file(file, take_entry, rules, err))
		return false;
	for (size_t i = 0; i < rules->count; i++)
		if (!rules->items[i].tape)
			return error_set(err, "%s: [%s] names no tape", file, rules->items[i].name);
	return rules->count || error_set(err, "%s holds no rule", file);
}

void serve_rules_fini(struct serve_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		struct serve_rule *rule = &rules->items[i];

		mem_free(rule->name);
		mem_free(rule->path);
		mem_free(rule->model);
		mem_free(rule->word);
		tape_free(rule->tape);
	}
	mem_free(rules->items);
	*rules = (struct serve_rules){ 0 };
}

/* --- finding --- */

static bool fits(const char *pattern, struct str text)
{
	char *text_z = str_dup(text);
	bool good = !pattern || fnmatch(pattern, text_z, 0) == 0;

	mem_free(text_z);
	return good;
}

static bool rule_fits(struct serve_rule *rule, const struct serve_asked *asked)
{
	struct str path = str_head(asked->path, str_find(asked->path, STR("?")));

	if (!fits(rule->path, path) || !fits(rule->model, asked->model) || (rule->word && !str_has_nocase(asked->prompt, str_from(rule->word))))
		return false;
	rule->seen++;
	return !rule->request || rule->seen == rule->request;
}

struct serve_rule *serve_rules_find(struct serve_rules *rules, const struct serve_asked *asked)
{
	struct serve_rule *found = NULL;

	for (size_t i = 0; i < rules->count; i++)
		if (rule_fits(&rules->items[i], asked) && !found)
			found = &rules->items[i];
	return found;
}
