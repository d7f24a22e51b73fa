#include "app/request/owned_request.h"

#include <time.h>

#include "app/setup/setup.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"

void owned_request_fini(struct owned_request *r)
{
	projection_fini(&r->projection);
	mem_free(r->base_url);
	mem_free(r->system);
	mem_free(r->tools);
	mem_free(r->schema);
	mem_free(r->added);
	*r = (struct owned_request){ 0 };
}

static void owned_request_copy(struct str *text, char **copy)
{
	if (text->ptr)
		text->ptr = *copy = str_dup(*text);
}

bool owned_request_fill(struct owned_request *r, struct setup *setup, struct error *err)
{
	struct str base_url;

	owned_request_fini(r);
	if (!setup_request(setup, &r->request, err) || !setup_base_url(setup, &base_url, err))
		return false;
	owned_request_copy(&base_url, &r->base_url);
	owned_request_copy(&r->request.system, &r->system);
	owned_request_copy(&r->request.tools, &r->tools);
	owned_request_copy(&r->request.schema, &r->schema);
	owned_request_copy(&r->request.added, &r->added);
	r->of_set = true;
	return true;
}

void owned_request_take_tools(struct owned_request *r, struct setup *setup)
{
	if (!r->of_set)
		return;
	mem_free(r->tools);
	r->tools = NULL;
	r->request.tools = setup_tools(setup);
	owned_request_copy(&r->request.tools, &r->tools);
}

void owned_request_project(struct owned_request *r, const struct conversation *c, const struct scope *scope)
{
	conversation_project(c, c->count, scope, time(NULL), &r->projection);
	r->request.messages = r->projection.messages;
	r->request.message_count = r->projection.count;
}

void owned_request_want_text(struct owned_request *r)
{
	mem_free(r->schema);
	mem_free(r->added);
	r->schema = r->added = NULL;
	r->request.schema = r->request.added = STR_NONE;
	r->request.server_tools = 0;
}
