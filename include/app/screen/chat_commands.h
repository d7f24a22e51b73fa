/*
 * What commands do on the full screen: the functions of the table (app/command/command.c).
 */
#ifndef WEIR_APP_CHAT_COMMANDS_H
#define WEIR_APP_CHAT_COMMANDS_H

#include "base/text.h"

struct chat;

void chat_open_help(struct chat *c);
void chat_open_palette(struct chat *c);
void chat_open_models(struct chat *c);
void chat_open_protocols(struct chat *c);
void chat_choose_provider(struct chat *c, struct str words);
void chat_choose_role(struct chat *c, struct str words);
void chat_open_parameters(struct chat *c);
void chat_use_template(struct chat *c, struct str words);
void chat_choose_theme(struct chat *c, struct str words);
void chat_stop(struct chat *c);
void chat_step_back(struct chat *c);
void chat_replay(struct chat *c);
void chat_seek(struct chat *c, struct str words);
void chat_retry(struct chat *c);
void chat_continue(struct chat *c);
void chat_compare(struct chat *c, struct str words);
void chat_compact(struct chat *c, struct str words);
void chat_edit(struct chat *c);
void chat_older_version(struct chat *c);
void chat_newer_version(struct chat *c);
void chat_resume(struct chat *c, struct str words);
void chat_undo(struct chat *c);
void chat_open_tree(struct chat *c);
void chat_answer(struct chat *c);
void chat_open_details(struct chat *c);
void chat_open_request(struct chat *c, struct str words);
void chat_open_cost(struct chat *c);
void chat_open_messages(struct chat *c);
void chat_inspect(struct chat *c);
void chat_findings(struct chat *c);
void chat_fold(struct chat *c);
void chat_toggle_raw(struct chat *c);
void chat_toggle_wrap(struct chat *c);
void chat_copy(struct chat *c, struct str words);
void chat_copy_code(struct chat *c);
void chat_select(struct chat *c);
void chat_search(struct chat *c, struct str words);
void chat_older_hit(struct chat *c);
void chat_columns_left(struct chat *c);
void chat_columns_right(struct chat *c);
void chat_newer_hit(struct chat *c);
void chat_toggle_mouse(struct chat *c);
void chat_copy_id(struct chat *c);
void chat_new(struct chat *c);
void chat_attach_offered(struct chat *c);
void chat_open_attached(struct chat *c);
void chat_paste(struct chat *c);
void chat_open_item(struct chat *c);
void chat_save_item(struct chat *c);
void chat_copy_item(struct chat *c);
void chat_show_reasoning(struct chat *c, struct str words);
void chat_open_settings(struct chat *c);
void chat_open_tools(struct chat *c);
void chat_edit_system(struct chat *c);
void chat_search_prompts(struct chat *c);
void chat_edit_outside(struct chat *c);
void chat_next_pane(struct chat *c);
void chat_previous_pane(struct chat *c);
void chat_redraw(struct chat *c);
void chat_suspend(struct chat *c);
void chat_quit(struct chat *c);

#endif
