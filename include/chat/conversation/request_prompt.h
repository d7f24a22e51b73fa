/*
 * The prompt of a recorded request: the last text of the user in the body of a request, in any protocol.
 */
#ifndef WEIR_CHAT_REQUEST_PROMPT_H
#define WEIR_CHAT_REQUEST_PROMPT_H

struct conversation;
struct str;

/* Adds it as a user turn. NULL: the body is not a request, or holds no text of the user. */
struct turn *request_prompt_add(struct str request, struct conversation *c);

#endif
