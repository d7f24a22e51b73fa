#include "app/options/subcommand.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "app/demo/demo_ask.h"
#include "app/demo/demo_tell.h"
#include "app/options/options.h"
#include "app/serve/recast.h"
#include "app/serve/serve_rules.h"
#include "app/setup/saved_stream.h"
#include "app/setup/server.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "store/config/settings.h"

#define LOG_LIMIT ((size_t)64 << 20)
#define ECHO_MOST ((size_t)32 << 10)

/* A tape made for a request: a recast one, which is kept, or one for a single answer: an echo, a list of models. */
struct made {
	const struct tape *from;      /* recast: the original; else NULL */
	const struct protocol *protocol;
	bool whole;
	struct tape *tape;
};

struct serving {
	const struct options *o;
	struct tape **tapes;
	size_t count;
	size_t next;
	struct serve_rules rules;
	struct fault fault;             /* of --fault */
	const struct protocol *as;      /* of --as; NULL with "auto": that of the request */
	bool is_auto;
	struct made *made;
	size_t made_count, made_capacity;
	unsigned seed;
	int log_fd;                     /* -1: no log */
	int64_t started_ms;
	struct serve *serve;
};

/* A request, as far as it was understood. */
struct asked {
	const struct serve_request *request;
	struct demo_ask ask;
	bool known;                      /* the path belongs to a protocol */
	const struct protocol *protocol; /* NULL unless it does */
};

/* --- tapes made for requests --- */

static const struct tape *keep_made(struct serving *s, struct made made)
{
	mem_reserve(&s->made, &s->made_capacity, s->made_count + 1, sizeof *s->made);
	s->made[s->made_count++] = made;
	return made.tape;
}

/* The answer with that tape is over: one that was made for it is freed. */
static void serving_done(void *serving, const struct tape *tape)
{
	struct serving *s = serving;

	for (size_t i = 0; i < s->made_count; i++) {
		if (s->made[i].tape != tape || s->made[i].from)
			continue;
		tape_free(s->made[i].tape);
		s->made[i] = s->made[--s->made_count];
		return;
	}
}

static const struct tape *made_of_text(struct serving *s, const struct buf *text)
{
	struct tape *tape = NULL;
	struct error err;

	return tape_from_text(&tape, buf_str(text), &err) ? keep_made(s, (struct made){ .tape = tape }) : NULL;
}

/* The tape as the client wants it: in the protocol asked for, and as one body if it did not ask for a stream. */
static const struct tape *recast_for(struct serving *s, const struct asked *asked, const struct tape *tape, const struct protocol *wanted)
{
	const struct protocol *protocol = wanted ? wanted : s->as ? s->as : s->is_auto ? asked->protocol : NULL;
	bool whole = protocol && asked->known && !asked->ask.models && !asked->ask.stream;
	struct error ignored;

	if (!protocol || (protocol == protocol_find(tape_facts(tape)->protocol) && !whole))
		return tape;
	for (size_t i = 0; i < s->made_count; i++)
		if (s->made[i].from == tape && s->made[i].protocol == protocol && s->made[i].whole == whole)
			return s->made[i].tape;
	(void)settings_dialect(s->o->config, tape_facts(tape)->dialect, &ignored); /* one of the settings is known from here on */
	struct tape *made = recast(tape, protocol, whole);
	return made ? keep_made(s, (struct made){ tape, protocol, whole, made }) : NULL;
}

/* The prompt as an answer, in the protocol of the request. */
static const struct tape *echo(struct serving *s, const struct asked *asked)
{
	struct str rest = str_head(buf_str(&asked->ask.text), ECHO_MOST), line;
	struct demo_script script = { 0 };
	struct buf source = { 0 }, text = { 0 };

	if (!asked->known || asked->ask.models)
		return NULL;
	while (str_split(&rest, '\n', &line))
		buf_printf(&source, "text %.*s\n", STR_ARG(line));
	demo_script_read(&script, buf_str(&source));
	demo_tell(asked->protocol, &script, "echo", buf_z(&asked->ask.model), asked->ask.stream, &text);
	const struct tape *tape = made_of_text(s, &text);
	demo_script_fini(&script);
	buf_fini(&source);
	buf_fini(&text);
	return tape;
}

/* --- lists of models --- */

static void list_model(struct json_writer *w, const struct protocol *protocol, struct str model)
{
	struct buf name = { 0 };

	json_open_object(w);
	if (protocol == &protocol_gemini) {
		buf_printf(&name, "models/%.*s", STR_ARG(model));
		json_member_string(w, "name", buf_str(&name));
		json_key(w, "supportedGenerationMethods");
		json_open_array(w);
		json_string(w, STR("generateContent"));
		json_close_array(w);
	} else {
		json_member_string(w, protocol == &protocol_ollama ? "name" : "id", model);
		json_member_string(w, protocol == &protocol_ollama ? "model" : "object", protocol == &protocol_ollama ? model : STR("model"));
	}
	json_close_object(w);
	buf_fini(&name);
}

static const struct tape *served_at(const struct serving *s, size_t index)
{
	if (index < s->count)
		return s->tapes[index];
	return index - s->count < s->rules.count ? s->rules.items[index - s->count].tape : NULL;
}

/* A plain file does not name its model; any name will do. */
static struct str served_model(const struct serving *s, size_t index)
{
	struct str model = tape_facts(served_at(s, index))->model;

	return model.len ? model : STR("saved-stream");
}

/* Whether an earlier tape has that model too. */
static bool is_listed(const struct serving *s, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (str_equal(served_model(s, i), served_model(s, index)))
			return true;
	return false;
}

/* The models of all tapes. The lists of OpenAI and Anthropic have the same path and the same members. */
static const struct tape *list_models(struct serving *s, const struct protocol *protocol)
{
	bool named = protocol == &protocol_gemini || protocol == &protocol_ollama;
	struct buf text = { 0 };
	struct json_writer w;

	json_writer_init(&w, &text);
	json_open_object(&w);
	if (!named)
		json_member_string(&w, "object", STR("list"));
	json_key(&w, named ? "models" : "data");
	json_open_array(&w);
	for (size_t i = 0; served_at(s, i); i++)
		if (!is_listed(s, i))
			list_model(&w, protocol, served_model(s, i));
	json_close_array(&w);
	json_close_object(&w);
	const struct tape *tape = made_of_text(s, &text);
	buf_fini(&text);
	return tape;
}

/* --- choosing --- */

/* The sequence of pseudo-random numbers, below 100, depends on --seed only. */
static void order_fault(struct serving *s, const struct fault *fault, long long rate)
{
	struct fault none;

	fault_init(&none);
	s->seed = s->seed * 1103515245u + 12345u;
	serve_set_fault(s->serve, (long long)(s->seed >> 16) % 100 < rate ? fault : &none);
}

/* By path: the one at which the tape was recorded, without what stands before its protocol's path. */
static bool suits(const struct serving *s, const struct tape *tape, const struct asked *asked)
{
	const struct protocol *recorded = protocol_of_path(tape_facts(tape)->url);

	if (s->o->choose == SERVE_BY_MODEL)
		return str_equal(tape_facts(tape)->model, buf_str(&asked->ask.model));
	return s->o->choose == SERVE_IN_TURN || (recorded && recorded == protocol_of_path(asked->request->path));
}

/* The next file in turn of those that suit. */
static const struct tape *choose_file(struct serving *s, const struct asked *asked)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct tape *tape = s->tapes[s->next++ % s->count];

		if (suits(s, tape, asked))
			return tape;
	}
	return NULL;
}

static const struct tape *choose_for(struct serving *s, const struct asked *asked, const char **why)
{
	const struct serve_asked facts = { asked->request->path, buf_str(&asked->ask.model), buf_str(&asked->ask.text) };
	bool is_reading = s->rules.count || s->o->choose != SERVE_IN_TURN || s->as || s->is_auto || s->o->echo; /* else requests are not looked at */
	struct serve_rule *rule;
	const struct tape *tape;

	if (is_reading && asked->known && asked->ask.models) {
		*why = "models";
		order_fault(s, &s->fault, 0);
		return list_models(s, asked->protocol);
	}
	rule = serve_rules_find(&s->rules, &facts);
	order_fault(s, rule && rule->has_fault ? &rule->fault : &s->fault, rule && rule->has_fault ? rule->rate : s->o->fault_rate);
	*why = rule ? rule->name : s->o->echo ? "echo" : "file";
	tape = rule ? rule->tape : s->o->echo ? echo(s, asked) : choose_file(s, asked);
	return tape && (rule || !s->o->echo) ? recast_for(s, asked, tape, rule ? rule->protocol : NULL) : tape;
}

/* --- the log --- */

/* A line of JSON for each request: never its headers, which may hold a key. */
static void log_request(const struct serving *s, const struct asked *asked, const struct tape *tape, const char *why)
{
	const struct serve_request *request = asked->request;
	struct json_writer w;
	struct buf line;

	if (s->log_fd < 0)
		return;
	buf_init(&line, 2 * LOG_LIMIT);
	json_writer_init(&w, &line);
	json_open_object(&w);
	json_member_milliseconds_or_null(&w, "t", (double)(clock_now_ms() - s->started_ms));
	json_member_string(&w, "method", request->method);
	json_member_string(&w, "path", str_head(request->path, str_find(request->path, STR("?"))));
	json_member_string_or_null(&w, "protocol", str_from(asked->protocol ? asked->protocol->name : NULL));
	json_member_string_or_null(&w, "model", asked->ask.model.len ? buf_str(&asked->ask.model) : STR_NONE);
	json_member_string_or_null(&w, "answer", tape ? str_from(why) : STR_NONE);
	json_key(&w, "request");
	if (json_scan_is_whole(request->body)) {
		struct buf compact;

		buf_init(&compact, LOG_LIMIT);
		json_scan_compact(request->body, &compact);
		json_verbatim(&w, buf_str(&compact));
		buf_fini(&compact);
	} else {
		json_null(&w);
	}
	json_close_object(&w);
	buf_add_byte(&line, '\n');
	int failed = str_write(buf_str(&line), s->log_fd);
	if (failed)
		complain("cannot write the log of requests: %s", strerror(failed));
	buf_fini(&line);
}

static const struct protocol *protocol_asked(const struct demo_ask *ask)
{
	static const struct protocol *const of[DEMO_PROTOCOL_COUNT] = {
		[DEMO_CHAT] = &protocol_openai_chat, [DEMO_RESPONSES] = &protocol_openai_responses, [DEMO_ANTHROPIC] = &protocol_anthropic,
		[DEMO_GEMINI] = &protocol_gemini, [DEMO_OLLAMA] = &protocol_ollama,
	};

	return of[ask->protocol];
}

static const struct tape *serving_choose(void *serving, const struct serve_request *request)
{
	struct serving *s = serving;
	struct asked asked = { .request = request };
	const char *why = NULL;

	asked.known = demo_ask_read(&asked.ask, request);
	asked.protocol = asked.known ? protocol_asked(&asked.ask) : NULL;
	const struct tape *tape = choose_for(s, &asked, &why);
	log_request(s, &asked, tape, why);
	demo_ask_fini(&asked.ask);
	return tape;
}

/* --- the program --- */

static int serving_until_stopped(struct serving *s)
{
	struct http *http = http_new();
	struct loop *loop = loop_new(http);

	server_until_stopped(s->serve, loop);
	loop_free(loop);
	http_free(http);
	return EXIT_DONE;
}

static bool serving_open_tapes(struct serving *s, const struct options *o, struct error *err)
{
	s->tapes = mem_new((o->argument_count + 1) * sizeof *s->tapes);
	for (; s->count < o->argument_count; s->count++)
		if (!tape_open(&s->tapes[s->count], o->arguments[s->count], err))
			return false;
		else if (!saved_is_stream(s->tapes[s->count], o->arguments[s->count], err))
			return s->count++, false;
	return !o->rules || serve_rules_read(&s->rules, o->rules, err);
}


static bool serving_take_options(struct serving *s, const struct options *o, struct error *err)
{
	fault_init(&s->fault);
	s->is_auto = o->as && !strcmp(o->as, "auto");
	s->as = o->as && !s->is_auto ? protocol_named(o->as, err) : NULL;
	if ((o->as && !s->is_auto && !s->as) || !fault_read(&s->fault, str_from(o->fault), err) || !serving_open_tapes(s, o, err))
		return false;
	s->log_fd = o->log ? open(o->log, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
	return !o->log || s->log_fd >= 0 || error_set(err, "cannot create the log of requests %s: %s", o->log, strerror(errno));
}

static int serving_open(struct serving *s, const struct options *o)
{
	struct error err;

	/* Opened only now, so that a signal ends the reading of large files, but before the first line is printed: its reader may send a
	 * signal immediately. */
	signals_open();
	s->started_ms = clock_now_ms();
	if (!serve_open(&s->serve, o->port, o->speed, serving_choose, s, &err)) {
		complain("%s", err.text);
		return EXIT_LOCAL;
	}
	serve_set_done(s->serve, serving_done);
	return serving_until_stopped(s);
}

int run_serve(const struct options *o)
{
	struct serving s = { .o = o, .seed = (unsigned)o->seed, .log_fd = -1 };
	struct error err;

	if (!o->argument_count && !o->rules && !o->echo)
		return usage_error("serve needs at least one FILE, a saved stream, or --rules, or --echo");
	int status = serving_take_options(&s, o, &err) ? serving_open(&s, o) : usage_error("%s", err.text);
	serve_free(s.serve);
	for (size_t i = 0; i < s.count; i++)
		tape_free(s.tapes[i]);
	for (size_t i = 0; i < s.made_count; i++)
		tape_free(s.made[i].tape);
	mem_free(s.made);
	serve_rules_fini(&s.rules);
	mem_free(s.tapes);
	if (s.log_fd >= 0)
		close(s.log_fd);
	signals_close();
	return status;
}
