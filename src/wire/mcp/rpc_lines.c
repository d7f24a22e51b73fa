#include "wire/mcp/rpc_lines.h"

#include "wire/mcp/rpc.h"

void rpc_lines_fini(struct rpc_lines *l)
{
	buf_fini(&l->begun);
}

static void give_line(struct str text, void (*line)(void *ctx, struct str line), void *ctx)
{
	if (!str_is_blank(text))
		line(ctx, str_trim(text));
}

bool rpc_lines_take(struct rpc_lines *l, struct str bytes, void (*line)(void *ctx, struct str line), void *ctx)
{
	size_t end;

	if (!l->begun.limit)
		buf_init(&l->begun, RPC_MESSAGE_MOST);
	while ((end = str_find(bytes, STR("\n"))) < bytes.len) {
		if (!l->begun.len) {
			give_line(str_head(bytes, end), line, ctx);
		} else {
			if (!buf_add(&l->begun, str_head(bytes, end)))
				return false;
			give_line(buf_str(&l->begun), line, ctx);
			buf_fini(&l->begun); /* a large line does not keep its memory */
			buf_init(&l->begun, RPC_MESSAGE_MOST);
		}
		bytes = str_skip(bytes, end + 1);
	}
	return buf_add(&l->begun, bytes);
}
