/*
 * Edits the request of an answer in the user's editor, and sends it as edited.
 */
#ifndef WEIR_APP_EDIT_REQUEST_H
#define WEIR_APP_EDIT_REQUEST_H

#include "app/chat/external.h"
#include "app/chat/sheets.h"
#include "app/request_edit.h"

struct edit_request {
	const struct host *host;
	struct external *external;
	struct sheets *sheets;       /* the sheet of the request is closed once it is sent */
	struct request_edit edit;
};

void edit_request_init(struct edit_request *e, const struct host *host, struct external *external, struct sheets *sheets);
void edit_request_fini(struct edit_request *e);
void edit_request_begin(struct edit_request *e, struct turn *answer);

#endif
