/* What the files of the actions share: actions.c, actions_files.c, actions_tools.c. */
#ifndef WEIR_APP_ACTIONS_INSIDE_H
#define WEIR_APP_ACTIONS_INSIDE_H

#include "app/command/actions.h"

void act_say(const struct actor *a, const char *format, ...) PRINTF_LIKE(2, 3);
void act_fail(const struct actor *a, const char *format, ...) PRINTF_LIKE(2, 3); /* the same for an error */
bool act_is_off(struct str argument); /* it is "off", which drops a value. A file of that name can be given as ./off. */

void act_list_tools(const struct actor *a);
bool act_set_tool(const struct actor *a, struct str line); /* the name of a tool, or of an MCP server, with a word behind it. False: it is none */

#endif
