/*
 * What commands do in the linear mode: the functions of the table (app/command/command.c).
 */
#ifndef WEIR_APP_PLAIN_COMMANDS_H
#define WEIR_APP_PLAIN_COMMANDS_H

#include "base/text.h"

struct plain;

void plain_help(struct plain *p);
void plain_list_models(struct plain *p);
void plain_list_protocols(struct plain *p);
void plain_choose_provider(struct plain *p, struct str words);
void plain_choose_role(struct plain *p, struct str words);
void plain_ask_parameters(struct plain *p);
void plain_use_template(struct plain *p, struct str words);
void plain_settings(struct plain *p, struct str words);
void plain_no_themes(struct plain *p);
void plain_stop(struct plain *p);
void plain_take_back(struct plain *p);
void plain_tell_attached(struct plain *p);
void plain_paste(struct plain *p);
void plain_open_item(struct plain *p);
void plain_retry(struct plain *p);
void plain_continue(struct plain *p);
void plain_compare(struct plain *p, struct str words);
void plain_compact(struct plain *p, struct str words);
void plain_edit(struct plain *p, struct str words);
void plain_seek(struct plain *p, struct str words);
void plain_resume(struct plain *p, struct str words);
void plain_undo(struct plain *p);
void plain_tree(struct plain *p, struct str words);
void plain_answer(struct plain *p);
void plain_tell_reasoning(struct plain *p);
void plain_tell_calls(struct plain *p);
void plain_tell_details(struct plain *p);
void plain_tell_request(struct plain *p, struct str words);
void plain_inspect(struct plain *p, struct str words);
void plain_findings(struct plain *p);
void plain_tell_cost(struct plain *p);
void plain_tell_messages(struct plain *p);
void plain_tell_id(struct plain *p);
void plain_tell_tape(struct plain *p);
void plain_new(struct plain *p);
void plain_quit(struct plain *p);

#endif
