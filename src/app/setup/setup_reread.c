/* The settings file, read again when it has changed. */
#include <string.h>
#include <sys/stat.h>

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "base/mem.h"
#include "store/files/paths.h"

#define NAMED_MOST 5 /* settings that the sentence names */

char *setup_settings_path(const struct setup *s)
{
	return s->options->config ? mem_dup_z(s->options->config) : path_of(PATH_CONFIG, "weir.conf");
}

static struct setup_seen reread_look(const struct setup *s)
{
	char *path = setup_settings_path(s);
	struct setup_seen seen = { 0 };
	struct stat facts;

	if (path && stat(path, &facts) == 0)
		seen = (struct setup_seen){ (long long)facts.st_dev, (long long)facts.st_ino, (long long)facts.st_size,
		                            (long long)facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec };
	mem_free(path);
	return seen;
}

void setup_note_read(struct setup *s)
{
	s->seen = reread_look(s);
}

bool setup_is_as_read(const struct setup *s)
{
	struct setup_seen now = reread_look(s);

	return !memcmp(&now, &s->seen, sizeof now);
}

/* --- what has changed --- */

struct reread_news { struct buf names; size_t count; struct error trouble; };

static void reread_name(struct reread_news *news, const char *kind, const char *name)
{
	if (news->count++ < NAMED_MOST)
		buf_printf(&news->names, "%s%s%s", news->names.len ? ", " : "", kind, name);
}

static void reread_put(struct setup *s, const char *name, struct str value, enum setting_from from)
{
	struct error err;

	if (from == SETTING_DEFAULT || !settings_set(&s->settings, name, value, SETTING_FILE, &err))
		settings_reset(&s->settings, name);
}

/* Those that options and choices do not replace, and that are not the target's. */
static void reread_take_own(struct setup *s, const struct settings *fresh, struct reread_news *news, setting_taker *takes, void *ctx)
{
	for (size_t i = 0; settings_help_at(i).name; i++) {
		const char *name = settings_help_at(i).name;
		struct setting_origin now = settings_origin(&s->settings, name), next = settings_origin(fresh, name);
		bool counts = now.from <= SETTING_FILE && strcmp(name, "provider") && strcmp(name, "model") && strcmp(name, "role");
		struct buf old = { 0 }, value = { 0 };
		struct error err;

		settings_value(&s->settings, name, &old);
		settings_value(fresh, name, &value);
		if (counts && !str_equal(buf_str(&old), buf_str(&value))) {
			reread_put(s, name, buf_str(&value), next.from);
			if (takes(ctx, name, &err)) {
				reread_name(news, "", name);
			} else {
				reread_put(s, name, buf_str(&old), now.from);
				news->trouble = err;
			}
		}
		if (counts && next.from == SETTING_FILE)
			settings_note_line(&s->settings, name, next.line);
		buf_fini(&old);
		buf_fini(&value);
	}
}

static void reread_write_role(const struct role *role, struct buf *out)
{
	for (size_t i = 0; role && role_setting_at(i).name; i++) {
		role_write_setting(role, i, out);
		buf_add_byte(out, '\0');
	}
}

static void reread_write_template(const struct template *t, struct buf *out)
{
	for (size_t i = 0; t && template_setting_at(i).name; i++) {
		template_write_setting(t, i, out);
		buf_add_byte(out, '\0');
	}
}

/* Takes over both texts, which say all of a role or a template, before and now. */
static void reread_compare_texts(const char *kind, const char *name, struct buf before, struct buf now, struct reread_news *news)
{
	if (!str_equal(buf_str(&before), buf_str(&now)))
		reread_name(news, kind, name);
	buf_fini(&before);
	buf_fini(&now);
}

static void reread_compare_role(const struct roles *old, const struct roles *fresh, const char *name, struct reread_news *news)
{
	struct buf before = { 0 }, now = { 0 };

	reread_write_role(roles_find(old, str_from(name)), &before);
	reread_write_role(roles_find(fresh, str_from(name)), &now);
	reread_compare_texts("role ", name, before, now, news);
}

static void reread_write_tool(const struct tool_section *tool, struct buf *out)
{
	for (size_t i = 0; tool && tool_setting_at(i).name; i++) {
		tool_section_write(tool, i, out);
		buf_add_byte(out, '\0');
	}
}

static void reread_compare_tool(const struct tool_sections *old, const struct tool_sections *fresh, const char *name, struct reread_news *news)
{
	struct buf before = { 0 }, now = { 0 };

	reread_write_tool(tool_sections_find(old, str_from(name)), &before);
	reread_write_tool(tool_sections_find(fresh, str_from(name)), &now);
	reread_compare_texts("tool ", name, before, now, news);
}

static void reread_compare_template(const struct templates *old, const struct templates *fresh, const char *name, struct reread_news *news)
{
	struct buf before = { 0 }, now = { 0 };

	reread_write_template(templates_find(old, str_from(name)), &before);
	reread_write_template(templates_find(fresh, str_from(name)), &now);
	reread_compare_texts("template ", name, before, now, news);
}

static void reread_compare(const struct settings *old, const struct settings *fresh, struct reread_news *news)
{
	for (size_t i = 0; i < fresh->roles.count; i++)
		reread_compare_role(&old->roles, &fresh->roles, fresh->roles.items[i].name, news);
	for (size_t i = 0; i < old->roles.count; i++)
		if (!roles_find(&fresh->roles, str_from(old->roles.items[i].name)))
			reread_name(news, "role ", old->roles.items[i].name);
	for (size_t i = 0; i < fresh->templates.count; i++)
		reread_compare_template(&old->templates, &fresh->templates, fresh->templates.items[i].name, news);
	for (size_t i = 0; i < fresh->tools.count; i++)
		reread_compare_tool(&old->tools, &fresh->tools, fresh->tools.items[i].name, news);
	for (size_t i = 0; i < old->tools.count; i++)
		if (!tool_sections_find(&fresh->tools, str_from(old->tools.items[i].name)))
			reread_name(news, "tool ", old->tools.items[i].name);
	for (size_t i = 0; i < old->templates.count; i++)
		if (!templates_find(&fresh->templates, str_from(old->templates.items[i].name)))
			reread_name(news, "template ", old->templates.items[i].name);
}

static void reread_say(const struct reread_news *news, struct error *sentence)
{
	if (!news->count)
		error_set(sentence, "weir.conf was read again");
	else if (news->count > NAMED_MOST)
		error_set(sentence, "weir.conf was read again: %s and %zu more", buf_str(&news->names).ptr, news->count - NAMED_MOST);
	else
		error_set(sentence, "weir.conf was read again: %s", buf_str(&news->names).ptr);
}

/* --- reading --- */

/* Those in use stay where they are. One that the file has no more stays; the demo's address is that of its server. */
static void reread_take_providers(struct providers *ps, struct providers *fresh)
{
	for (size_t i = 0; i < providers_count(fresh); i++) {
		struct provider *p = providers_at(fresh, i);

		if (!provider_is_demo(p))
			provider_renew(providers_add(ps, str_from(p->name)), p);
	}
}

static bool reread_take(struct setup *s, struct settings *fresh, struct providers *providers, struct reread_news *news,
                        setting_taker *takes, void *ctx, struct error *err)
{
	struct templates templates = s->settings.templates;
	struct price_table prices = s->settings.prices;
	struct tool_sections tools = s->settings.tools;
	struct mcp_servers servers;

	if (!setup_check_variables(s, &fresh->tools, err) || !setup_check_server_variables(s, &fresh->mcp_servers, err))
		return false;
	reread_compare(&s->settings, fresh, news);
	if (!setup_refresh_role(s, &fresh->roles, err))
		return false;
	s->settings.templates = fresh->templates;
	fresh->templates = templates;
	s->settings.prices = fresh->prices;
	fresh->prices = prices;
	reread_take_providers(s->providers, providers);
	s->settings.tools = fresh->tools;
	fresh->tools = tools;
	tool_set_read(&s->tool_set, &s->settings.tools); /* calls under way have a plan of their own */
	mcp_servers_keep(&fresh->mcp_servers, &s->settings.mcp_servers);
	servers = s->settings.mcp_servers;
	s->settings.mcp_servers = fresh->mcp_servers;
	fresh->mcp_servers = servers;
	mcp_servers_each_key_variable(&s->settings.mcp_servers, environment_take);
	mcp_hub_read(s->servers, &s->settings.mcp_servers);
	reread_take_own(s, fresh, news, takes, ctx);
	s->changes++;
	return true;
}

enum reread setup_reread(struct setup *s, setting_taker *takes, void *ctx, struct error *sentence)
{
	struct reread_news news = { 0 };
	struct settings fresh;
	struct error err = { "" };

	if (setup_is_as_read(s))
		return REREAD_SAME;
	setup_note_read(s);
	settings_init(&fresh);
	struct providers *providers = providers_new(process_environment);
	bool good = settings_read_again(&fresh, providers, s->options->config, &err) &&
	            reread_take(s, &fresh, providers, &news, takes, ctx, &err);
	if (good && *news.trouble.text)
		error_set(sentence, "weir.conf was read again, but %s; that setting stays as it was", news.trouble.text);
	else if (good)
		reread_say(&news, sentence);
	else
		error_set(sentence, "%s; the settings stay as they were", err.text);
	providers_free(providers);
	settings_fini(&fresh);
	buf_fini(&news.names);
	return good && !*news.trouble.text ? REREAD_TAKEN : REREAD_WRONG;
}
