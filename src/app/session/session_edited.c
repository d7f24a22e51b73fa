/* Sends a request whose JSON the user has edited. The earlier answer stays as a sibling. */
#include "app/session/session_inside.h"
#include "app/setup/setup.h"

#include "base/json.h"
#include "base/json_place.h"
#include "chat/conversation/conversation.h"

bool session_can_send_edited(const struct session *s, const struct turn *answer, struct error *err)
{
	const struct target *target = &s->setup->target;

	if (!session_may_branch(s, err) || !session_has_its_own_path(answer, err))
		return false;
	if (str_is(str_from(answer->scope.provider), target->provider->name) && answer->scope.protocol == target->protocol)
		return answer->parent || error_set(err, "the question of the answer is not known");
	return error_set(err, "the answer came from %s with the protocol %s: choose them again (/provider, /protocol) to send its request",
	                 answer->scope.provider ? answer->scope.provider : "an unknown provider",
	                 answer->scope.protocol_name ? answer->scope.protocol_name : "that is not known");
}

/* The model is named in the body or, in other protocols, in the URL. */
static struct turn *session_answer_edited(struct session *s, const struct turn *answer, const struct json *body)
{
	const struct target *target = &s->setup->target;
	struct str model = json_get_text(body, "model");

	if (!model.len)
		model = str_from(answer->scope.model ? answer->scope.model : target->model);
	return conversation_answer(s->conversation, str_from(target->provider->name), target->protocol, model);
}

bool session_send_edited(struct session *s, struct turn *answer, struct str body, struct error *err)
{
	struct json_parser *parser;
	const struct json *value;
	size_t used;

	if (!session_can_send_edited(s, answer, err) || !json_place_check(body, err) || !session_prepare(s, err))
		return false;
	parser = json_parser_new();
	value = json_parse(parser, body, &used);
	session_leave_place(s);
	session_note_left(s, answer->parent);
	conversation_branch(s->conversation, answer->parent);
	s->live = session_answer_edited(s, answer, value);
	turn_note(s->live, STR("sent-as-edited"), STR("Sent as edited: the request's JSON was changed by hand."));
	(void)json_flag(json_get(value, "stream"), &s->awaited.owned.request.stream);
	json_parser_free(parser);
	session_begin_exchange(s, body);
	return true;
}
