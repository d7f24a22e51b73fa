#include "app/options/options.h"
#include "app/options/subcommand.h"

#include <string.h>
#include <unistd.h>

#include "app/setup/setup.h"
#include "app/system/columns.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "base/json_write.h"
#include "base/redact.h"

static bool providers_needs_key(const struct provider *p)
{
	return p->auth != AUTH_NONE && !p->key_optional;
}

static void providers_add_protocols(const struct provider *p, const char *between, struct buf *out)
{
	for (size_t i = 0; p->protocols[i]; i++)
		buf_printf(out, "%s%s", i ? between : "", p->protocols[i]->name);
}

/* In the table for people it takes fewer cells: a variable is known by its form. */
static void providers_add_key(const struct provider *p, bool for_people, struct buf *out)
{
	struct buf source = { 0 };
	size_t skipped;

	provider_key_source(p, &source);
	skipped = for_people && str_starts(buf_str(&source), "the variable ") ? strlen("the variable ") : 0;
	if (p->auth == AUTH_NONE)
		buf_add_z(out, "none needed");
	else
		buf_printf(out, "%s%s", provider_has_key(p, process_environment) ? "found in " : providers_needs_key(p) ? "missing: " :
		           for_people ? "optional: " : "none, could be in ", buf_z(&source) + skipped);
	buf_fini(&source);
}

/* For a provider without a URL, says how to set one. */
static void providers_add_base_url(const struct provider *p, struct buf *out)
{
	struct str url = provider_base_url(p, p->protocols[0]);

	if (url.len) {
		redact_url(url, out);
		return;
	}
	buf_add_z(out, "missing: set ");
	provider_base_url_variable(p, out);
}

static void providers_add_field(struct columns *columns, struct buf *text)
{
	columns_add(columns, buf_str(text));
	buf_clear(text);
}

static void providers_write_fields(struct providers *ps, struct buf *out)
{
	struct columns columns = { .count = 5 };
	struct buf text = { 0 };

	for (size_t i = 0; i < providers_count(ps); i++) {
		const struct provider *p = providers_at(ps, i);

		columns_add(&columns, str_from(p->name));
		providers_add_key(p, false, &text);
		providers_add_field(&columns, &text);
		providers_add_protocols(p, ",", &text);
		providers_add_field(&columns, &text);
		columns_add(&columns, str_from(p->dialect->name));
		providers_add_base_url(p, &text);
		providers_add_field(&columns, &text);
	}
	columns_write(&columns, false, out);
	columns_fini(&columns);
	buf_fini(&text);
}

static void providers_write_table(struct providers *ps, struct buf *out)
{
	struct columns columns = { .count = 3, .width = output_columns(), .wraps = true };
	struct buf text = { 0 };

	columns_add(&columns, STR("provider"));
	columns_add(&columns, STR("key"));
	columns_add(&columns, STR("base URL, protocols, dialect"));
	for (size_t i = 0; i < providers_count(ps); i++) {
		const struct provider *p = providers_at(ps, i);

		columns_add(&columns, str_from(p->name));
		providers_add_key(p, true, &text);
		providers_add_field(&columns, &text);
		providers_add_base_url(p, &text);
		buf_add_z(&text, ", ");
		providers_add_protocols(p, ", ", &text);
		if (p->dialect != dialect_find(STR("generic")))
			buf_printf(&text, ", dialect %s", p->dialect->name);
		providers_add_field(&columns, &text);
	}
	columns_write(&columns, true, out);
	columns_fini(&columns);
	buf_fini(&text);
}

/* Writes null if there is no URL. */
static void providers_add_url_member(struct json_writer *w, const char *name, struct str url)
{
	struct buf shown = { 0 };

	redact_url(url, &shown);
	json_member_string_or_null(w, name, buf_str(&shown));
	buf_fini(&shown);
}

static void providers_write_object(struct json_writer *w, const struct provider *p)
{
	struct buf source = { 0 };

	provider_key_source(p, &source);
	json_open_object(w);
	json_member_string(w, "name", str_from(p->name));
	json_key(w, "protocols");
	json_open_array(w);
	for (size_t i = 0; p->protocols[i]; i++)
		json_string(w, str_from(p->protocols[i]->name));
	json_close_array(w);
	json_member_string(w, "dialect", str_from(p->dialect->name));
	providers_add_url_member(w, "base_url", provider_base_url(p, p->protocols[0]));
	json_key(w, "base_urls");
	json_open_object(w);
	for (size_t i = 0; p->protocols[i]; i++)
		providers_add_url_member(w, p->protocols[i]->name, provider_base_url(p, p->protocols[i]));
	json_close_object(w);
	json_member_boolean(w, "key_found", provider_has_key(p, process_environment));
	json_member_boolean(w, "key_needed", providers_needs_key(p));
	json_member_string(w, "key_source", buf_str(&source));
	json_member_boolean(w, "ready", provider_is_ready(p, process_environment));
	json_member_string_or_null(w, "model", str_from(p->model));
	json_close_object(w);
	buf_fini(&source);
}

static void providers_write_json(struct providers *ps, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_array(&w);
	for (size_t i = 0; i < providers_count(ps); i++)
		providers_write_object(&w, providers_at(ps, i));
	json_close_array(&w);
	buf_add_byte(out, '\n');
}

static int providers_print(struct providers *ps, bool json)
{
	struct buf text = { 0 };

	(json ? providers_write_json : isatty(STDOUT_FILENO) ? providers_write_table : providers_write_fields)(ps, &text);
	return output_print(STDOUT_FILENO, &text, EXIT_DONE);
}

int run_providers(const struct options *o)
{
	struct setup setup;
	struct error err;
	int status;

	if (o->argument_count)
		return usage_error("providers takes no argument '%s'", o->arguments[0]);
	signals_open();
	status = setup_init(&setup, o, &err) ? providers_print(setup.providers, o->json) : usage_error("%s", err.text);
	setup_fini(&setup);
	signals_close();
	return status;
}
