/* The user's editor for the request of an answer, which is sent as edited (app/session/request_edit.h). */
#ifndef WEIR_APP_REQUEST_EDITOR_H
#define WEIR_APP_REQUEST_EDITOR_H

#include "app/screen/services/external.h"
#include "app/session/request_edit.h"

struct request_editor {
	const struct host *host;
	struct external *external;
	struct request_edit edit;
};

void request_editor_init(struct request_editor *e, const struct host *host, struct external *external);
void request_editor_fini(struct request_editor *e);
void request_editor_begin(struct request_editor *e, struct turn *answer);

#endif
