/* Runs every case of fault_cases.c headless: `weir ask --summary`. */
#include <stdio.h>
#include <string.h>

#include "app/fault_cases.h"
#include "app/program.h"
#include "base/json.h"
#include "support/check.h"
#include "support/faulty.h"
#include "support/secure.h"

/* Number of parallel cases: they spend most of their time waiting. */
#define AT_ONCE 8

struct run {
	const struct fault_case *c;
	struct faulty *server;
	struct program ask;
};

static void begin(struct run *r, const struct fault_case *c, unsigned number)
{
	struct buf settings;
	char name[32];

	*r = (struct run){ .c = c, .server = FAULTY_ONE(c->script) };
	buf_init(&settings, 4096);
	fault_settings(c, faulty_port(r->server), &settings);
	snprintf(name, sizeof name, "%u.conf", number);
	program_start(&r->ask, ARGS("ask", "--config", folder_file(name, buf_z(&settings)), "--summary", "--no-stdin", "hi"), NULL);
	buf_fini(&settings);
}

static void end(struct run *r)
{
	const struct fault_case *c = r->c;
	struct json_parser *parser = json_parser_new();
	const struct json *summary;
	size_t used;

	program_wait(&r->ask);
	summary = json_parse(parser, buf_str(&r->ask.output), &used);
	CHECK(str_is(json_get_text(summary, "outcome"), c->outcome) && r->ask.status == c->status, "%s: %d, %.400s", c->what, r->ask.status, buf_z(&r->ask.output));
	CHECK(!c->text || str_is(json_get_text(summary, "text"), c->text), "%s: %.400s", c->what, buf_z(&r->ask.output));
	CHECK(!c->words || strstr(buf_z(&r->ask.output), c->words) || strstr(buf_z(&r->ask.errors), c->words), "%s: %.400s%.400s", c->what,
	      buf_z(&r->ask.output), buf_z(&r->ask.errors));
	CHECK(!strcmp(c->outcome, "complete") || !strcmp(c->outcome, "tool_calls") || r->ask.errors.len, "%s: nothing is said", c->what);
	json_parser_free(parser);
	program_free(&r->ask);
	faulty_free(r->server);
}

static void every_fault_has_its_outcome(void)
{
	const struct fault_case *c = fault_cases;
	struct run runs[AT_ONCE];

	while (c->what) {
		unsigned count = 0;

		for (; count < AT_ONCE && c->what; c++)
			begin(&runs[count], c, count), count++;
		while (count)
			end(&runs[--count]);
		folder_remove();
	}
}

/* --- over HTTP/2 and TLS, with a certificate of our own --- */

#define WHOLE "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

static void ask_securely(const struct secure *server, const char *ca_setting, const char *variable, struct program *ask)
{
	char settings[400];

	snprintf(settings, sizeof settings, "[provider box]\nbase_url = https://127.0.0.1:%u\npath = /answer.sse\nhttp2 = yes\nauth = none\nmodel = m\n%s%s\n",
	         secure_port(server), ca_setting, *ca_setting ? secure_ca_file(server) : "");
	program_run(ask, STR_NONE, ARGS("ask", "--config", folder_file("c", settings), "-p", "box", "--no-stdin", "hi"),
	            variable ? ARGS(variable) : NULL);
}

static void certificates_are_set_or_in_the_environment(void)
{
	struct secure *server = secure_new(SECURE_H2, SECURE_OURS);
	struct program ask;
	char variable[200];

	if (!server)
		return;
	secure_serve(server, "answer.sse", STR(WHOLE));
	snprintf(variable, sizeof variable, "SSL_CERT_FILE=%s", secure_ca_file(server));
	ask_securely(server, "ca_file = ", NULL, &ask);
	CHECK(ask.status == 0 && str_is(buf_str(&ask.output), "Hello\n"), "%d %s", ask.status, buf_z(&ask.errors));
	program_free(&ask);
	ask_securely(server, "", variable, &ask);
	CHECK(ask.status == 0 && str_is(buf_str(&ask.output), "Hello\n"), "%d %s", ask.status, buf_z(&ask.errors));
	program_free(&ask);
	ask_securely(server, "ca_file = ", "SSL_CERT_FILE=/nowhere", &ask);
	CHECK(ask.status == 0 && str_is(buf_str(&ask.output), "Hello\n"), "%d %s", ask.status, buf_z(&ask.errors));
	program_free(&ask);
	ask_securely(server, "", NULL, &ask);
	CHECK(ask.status == 4 && strstr(buf_z(&ask.errors), "name its CA's file in ca_file or SSL_CERT_FILE"), "%d %s", ask.status, buf_z(&ask.errors));
	program_free(&ask);
	secure_free(server);
	folder_remove();
}

const struct suite suite_faults = { "faults", (const struct test[]){ TEST(every_fault_has_its_outcome), TEST(certificates_are_set_or_in_the_environment), { 0 } } };
