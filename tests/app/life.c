#include "app/life.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/options/options.h"
#include "app/program.h"
#include "app/session/session_prompts.h"
#include "app/setup/setup.h"
#include "chat/conversation/conversation.h"
#include "support/check.h"

#define TURNS_OF_LOOP 4000

static const struct tape *choose(void *ctx, const struct serve_request *request)
{
	struct life *l = ctx;
	size_t at = l->asked++;

	l->body_at = l->bodies.len;
	buf_printf(&l->bodies, "%.*s\n", STR_ARG(request->body));
	return l->answers[at < l->answer_count ? at : l->answer_count - 1];
}

static void count_end(void *ctx, struct turn *turn)
{
	struct life *l = ctx;

	CU_ASSERT_TRUE(turn->ended);
	l->ended++;
}

static size_t serve_ready(void *serve, struct pollfd *fds, size_t room)
{
	return serve_fds(serve, fds, room);
}

static int64_t serve_time(void *serve)
{
	return serve_deadline(serve);
}

static void serve_turn(void *serve, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	(void)fds, (void)count;
	serve_run(serve, now_ms);
}

void life_answer_with(struct life *l, const char *text)
{
	CU_ASSERT_FATAL(l->answer_count < LIFE_ANSWERS);
	CHECK(tape_from_text(&l->answers[l->answer_count], str_from(text), &l->err), "%s", l->err.text);
	l->answer_count++;
}

void life_begin(struct life *l)
{
	setenv("XDG_CONFIG_HOME", folder_path(), 1);
	setenv("XDG_STATE_HOME", folder_path(), 1);
	unsetenv("WEIR_API_KEY");
	*l = (struct life){ .err = { "" } };
	CHECK(serve_open(&l->serve, 0, 0, choose, l, &l->err), "%s", l->err.text);
	snprintf(l->url, sizeof l->url, "http://127.0.0.1:%u", serve_port(l->serve));
	options_init(&l->options);
	l->options.base_url = l->url;
	l->options.model = "m";
	l->options.retries = 0;
	CHECK(setup_init(&l->setup, &l->options, &l->err), "%s", l->err.text);
	l->session = session_new(&l->setup, count_end, l);
	loop_add(l->setup.loop, &(struct loop_member){ l->serve, serve_ready, serve_time, serve_turn });
	struct loop_member member = session_member(l->session);
	loop_add(l->setup.loop, &member);
}

void life_end(struct life *l)
{
	session_free(l->session);
	setup_fini(&l->setup);
	serve_free(l->serve);
	for (size_t i = 0; i < l->answer_count; i++)
		tape_free(l->answers[i]);
	options_fini(&l->options);
	buf_fini(&l->bodies);
	folder_remove();
}

struct turn *life_settle(struct life *l)
{
	for (int i = 0; i < TURNS_OF_LOOP && session_live(l->session); i++) {
		loop_turn(l->setup.loop);
		session_drain(l->session);
	}
	CU_ASSERT_PTR_NULL(session_live(l->session));
	return conversation_last(session_conversation(l->session));
}

struct turn *life_send(struct life *l, const char *prompt)
{
	CHECK(session_send(l->session, str_from(prompt), &l->err), "%s", l->err.text);
	return life_settle(l);
}

bool life_asked(const struct life *l, const char *words)
{
	return strstr(buf_z(&l->bodies) + l->body_at, words) != NULL;
}

const char *life_note(const struct turn *t, const char *rule)
{
	for (size_t i = 0; i < t->note_count; i++)
		if (!strcmp(t->notes[i].rule, rule))
			return t->notes[i].text;
	return "";
}

void life_use_schema(struct life *l, const char *schema)
{
	CHECK(setup_read_schema(&l->setup, schema ? folder_file("schema.json", schema) : NULL, &l->err), "%s", l->err.text);
}
