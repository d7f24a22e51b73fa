#include "app/screen/cards/tools_card.h"

#include <stdio.h>
#include <string.h>

#include "app/command/actions.h"
#include "app/setup/setup.h"
#include "app/tools/tool_shown.h"
#include "base/mem.h"

#define COLUMNS_WANTED 100u
#define ROWS_HELD 12u   /* lines that decide where the card begins: it stays there as servers answer */
#define PAGE_ROWS 8
#define WIDE_COLUMNS 64u  /* of a canvas; with fewer, approvals have one word, and the row below says the others */
#define ABOUT_BYTES 2000u /* of what a tool says of itself; more than has room */

enum { FACT_ORIGIN, FACT_APPROVAL, FACT_STATE };

static const struct list_column columns[LIST_FACTS] = {
	[FACT_ORIGIN] = { "from", 4, 24, true }, [FACT_APPROVAL] = { "approval", 5, 27, true }, [FACT_STATE] = { "", 6, 12, true },
	[FACT_STATE + 1] = { "", 3, 1, true }, [FACT_STATE + 2] = { "", 2, 1, true }, [FACT_STATE + 3] = { "", 1, 1, true },
};

static void tools_card_init(void *card, const struct card_tools *tools)
{
	struct tools_card *c = card;

	*c = (struct tools_card){ .host = tools->host };
	edit_init(&c->filter, true);
}

static void card_drop_rows(struct tools_card *c)
{
	for (size_t i = 0; i < c->count; i++)
		mem_free(c->rows[i].name);
	mem_free(c->rows);
	mem_free(c->shown);
	c->rows = NULL;
	c->shown = NULL;
	c->count = c->capacity = c->shown_count = 0;
}

static void tools_card_close(void *card)
{
	struct tools_card *c = card;

	card_drop_rows(c);
	buf_fini(&c->words);
	c->open = false;
}

static void tools_card_fini(void *card)
{
	edit_fini(&((struct tools_card *)card)->filter);
}

/* --- what rows are about --- */

static struct setup *card_setup(const struct tools_card *c)
{
	return c->host->setup;
}

static const struct tool *row_tool(const struct tools_card *c, const struct tools_row *row)
{
	return row->kind == ROW_TOOL ? tool_set_find(&card_setup(c)->tool_set, str_from(row->name)) : NULL;
}

/* One that is listed by its own name: its tools are not known. */
static bool server_has_row(const struct mcp_hub_server *s)
{
	bool waits = s->state != MCP_HUB_KNOWN && !s->count;

	return s->server->approve != TOOL_NEVER && (waits || s->state == MCP_HUB_FAILED);
}

static bool row_server(const struct tools_card *c, const struct tools_row *row, struct mcp_hub_server *server)
{
	for (size_t i = 0; row->kind == ROW_SERVER && (*server = mcp_hub_at(card_setup(c)->servers, i)).server; i++)
		if (!strcmp(server->server->name, row->name))
			return server_has_row(server);
	return false;
}

static bool server_is_asked(const struct mcp_hub_server *s)
{
	return s->state != MCP_HUB_FAILED && s->state != MCP_HUB_IDLE;
}

static const char *server_words(const struct mcp_hub_server *s)
{
	return server_is_asked(s) ? "being asked" : s->state == MCP_HUB_FAILED ? "failed" : "not asked";
}

static const struct tools_row *card_marked(const struct tools_card *c)
{
	return c->list.marked < c->shown_count ? &c->rows[c->shown[c->list.marked]] : NULL;
}

/* --- the rows --- */

static bool card_has(const struct tools_card *c, enum tools_row_kind kind, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->rows[i].kind == kind && !strcmp(c->rows[i].name, name))
			return true;
	return false;
}

static void card_add(struct tools_card *c, enum tools_row_kind kind, const char *name)
{
	struct tools_row *row;

	if (card_has(c, kind, name))
		return;
	row = ARRAY_ADD(c->rows, c->count, c->capacity);
	*row = (struct tools_row){ kind, mem_dup_z(name) };
}

static bool row_stays(const struct tools_card *c, const struct tools_row *row)
{
	return row->kind == ROW_TOOL ? row_tool(c, row) != NULL : row->kind == ROW_FILE && card_setup(c)->tools_from;
}

/* What is there keeps its order; servers that are asked come last, whoever was there before. */
static void card_collect(struct tools_card *c)
{
	const struct tool_set *set = setup_tool_set(card_setup(c));
	struct mcp_hub_server server;
	size_t kept = 0;

	for (size_t i = 0; i < c->count; i++)
		if (row_stays(c, &c->rows[i]))
			c->rows[kept++] = c->rows[i];
		else
			mem_free(c->rows[i].name);
	c->count = kept;
	if (card_setup(c)->tools_from)
		card_add(c, ROW_FILE, "");
	for (size_t i = 0; i < set->count; i++)
		card_add(c, ROW_TOOL, set->items[i].name);
	for (size_t i = 0; (server = mcp_hub_at(card_setup(c)->servers, i)).server; i++)
		if (server_has_row(&server))
			card_add(c, ROW_SERVER, server.server->name);
}

static void row_write_origin(const struct tools_card *c, const struct tools_row *row, struct buf *out)
{
	const struct tool *tool = row_tool(c, row);

	if (row->kind == ROW_FILE)
		buf_add_z(out, "a file");
	else if (!tool)
		buf_add_z(out, "MCP server");
	else if (tool->source == TOOL_OF_SERVER)
		buf_printf(out, "MCP %s", tool->server);
	else
		buf_add_z(out, tool->source == TOOL_BUILT_IN ? "built in" : "program");
}

static const char *row_approval(const struct tools_card *c, const struct tools_row *row)
{
	const struct tool *tool = row_tool(c, row);

	return tool ? approval_words(&card_setup(c)->approvals, tool) : row->kind == ROW_FILE ? "you answer" : "";
}

static const char *row_state(const struct tools_card *c, const struct tools_row *row)
{
	const struct tool *tool = row_tool(c, row);
	struct mcp_hub_server server;

	if (row->kind == ROW_SERVER)
		return row_server(c, row, &server) ? server_words(&server) : "";
	return !tool || tool_is_offered(&card_setup(c)->tool_set, tool) ? "on" : "off";
}

static struct str row_name(const struct tools_card *c, const struct tools_row *row)
{
	return row->kind == ROW_FILE ? str_from(card_setup(c)->tools_from) : str_from(row->name);
}

static bool row_matches(struct tools_card *c, const struct tools_row *row, struct str needle)
{
	buf_clear(&c->words);
	buf_printf(&c->words, "%.*s ", STR_ARG(row_name(c, row)));
	row_write_origin(c, row, &c->words);
	buf_printf(&c->words, " %s %s", row_approval(c, row), row_state(c, row));
	return str_has_nocase(buf_str(&c->words), needle);
}

static void card_filter(struct tools_card *c)
{
	struct str needle = str_trim(buf_str(&c->filter.text));

	mem_free(c->shown);
	c->shown = mem_new((c->count + 1) * sizeof *c->shown);
	c->shown_count = 0;
	for (size_t i = 0; i < c->count; i++)
		if (row_matches(c, &c->rows[i], needle))
			c->shown[c->shown_count++] = i;
}

static uint64_t card_changes(const struct tools_card *c)
{
	return mcp_hub_changes(card_setup(c)->servers) + card_setup(c)->tool_set.changes;
}

/* The mark stays on what it is on; of a server that has answered, on its first tool. */
static void card_update(struct tools_card *c)
{
	const struct tools_row *marked = card_marked(c);
	enum tools_row_kind kind = marked ? marked->kind : ROW_FILE;
	char *name = marked ? mem_dup_z(marked->name) : NULL;

	card_collect(c);
	card_filter(c);
	for (size_t i = 0; name && i < c->shown_count; i++) {
		const struct tools_row *row = &c->rows[c->shown[i]];
		const struct tool *tool = row_tool(c, row);
		bool is_its = kind == ROW_SERVER && tool && tool->source == TOOL_OF_SERVER && !strcmp(tool->server, name);

		if (is_its || (row->kind == kind && !strcmp(row->name, name))) {
			c->list.marked = i;
			break;
		}
	}
	list_mark(&c->list, c->list.marked, c->shown_count);
	mem_free(name);
	c->seen = card_changes(c);
	host_redraw(c->host);
}

void tools_card_open(struct tools_card *c)
{
	host_close_cards(c->host);
	setup_want_servers(card_setup(c));
	edit_clear(&c->filter);
	c->list = (struct list_state){ .marked = 0 };
	c->open = true;
	card_update(c);
}

/* --- what it shows --- */

static void card_item(void *card, size_t index, struct list_item *out)
{
	struct tools_card *c = card;
	const struct tools_row *row = &c->rows[c->shown[index]];

	buf_clear(&c->words);
	row_write_origin(c, row, &c->words);
	out->text = row_name(c, row);
	out->facts[FACT_ORIGIN] = buf_str(&c->words);
	out->facts[FACT_APPROVAL] = str_from(row_approval(c, row));
	if (c->narrow) /* "always" */
		out->facts[FACT_APPROVAL] = str_head(out->facts[FACT_APPROVAL], str_find(out->facts[FACT_APPROVAL], STR(" ")));
	out->facts[FACT_STATE] = str_from(row_state(c, row));
	out->muted = !str_is(out->facts[FACT_STATE], "on");
}

/* What would run, and what the tool says of itself: a text of others, with all of it to be seen. */
static void card_write_about(const struct tools_card *c, const struct tools_row *row, struct buf *out)
{
	const struct tool *tool = row_tool(c, row);
	struct mcp_hub_server server;
	struct buf command = { 0 };

	if (row->kind == ROW_FILE)
		buf_printf(out, card_setup(c)->tool_count == 1 ? "%zu definition: you type the result of each call. Enter removes it." :
		           "%zu definitions: you type the result of each call. Enter removes them.", card_setup(c)->tool_count);
	if (row_server(c, row, &server) && server.state == MCP_HUB_FAILED)
		tool_shown_write_line(str_from(server.trouble), ABOUT_BYTES, out);
	else if (row->kind == ROW_SERVER)
		buf_add_z(out, "Its tools are listed here when it has answered.");
	if (!tool)
		return;
	if (c->narrow && strchr(row_approval(c, row), ' '))
		buf_printf(out, "%s\n", row_approval(c, row));
	if (tool->source != TOOL_BUILT_IN)
		tool_write_command(tool, &command);
	tool_shown_write_line(tool->trouble ? str_from(tool->trouble) : buf_str(&command), ABOUT_BYTES, out);
	buf_add_z(out, command.len ? "\n" : "");
	buf_fini(&command);
	if (tool->description)
		buf_add_z(out, tool->source == TOOL_OF_SERVER ? "Its server says: " : "");
	tool_shown_write_line(str_from(tool->description), ABOUT_BYTES, out);
}

static bool may_take_back(const struct tools_card *c, const struct tools_row *row)
{
	const struct tool *tool = row ? row_tool(c, row) : NULL;

	return tool && approval_is_given(&card_setup(c)->approvals, tool);
}

static const char *enter_words(const struct tools_card *c, const struct tools_row *row)
{
	const struct tool *tool = row ? row_tool(c, row) : NULL;
	struct mcp_hub_server server;

	if (!row || (tool && (tool->trouble || tool->approve == TOOL_NEVER)))
		return "";
	if (row->kind == ROW_FILE)
		return "Enter remove   ";
	if (row_server(c, row, &server))
		return server_is_asked(&server) ? "" : server.state == MCP_HUB_FAILED ? "Enter ask it again   " : "Enter ask it   ";
	return tool && tool_is_offered(&card_setup(c)->tool_set, tool) ? "Enter turn off   " : "Enter turn on   ";
}

static void tools_card_draw(void *card, struct canvas *canvas)
{
	struct tools_card *c = card;
	const struct tools_row *marked = card_marked(c);
	struct buf about = { 0 };
	char keys[120], figures[60];

	c->narrow = canvas->columns < WIDE_COLUMNS;
	snprintf(keys, sizeof keys, "%s%sEsc back", may_take_back(c, marked) ? "Ctrl-X ask again   " : "", enter_words(c, marked));
	snprintf(figures, sizeof figures, "%u offered", setup_tool_count(card_setup(c)));
	if (marked)
		card_write_about(c, marked, &about);
	list_draw(&(struct list){
		.title = STR("Tools"), .figures = str_from(figures), .keys = str_from(keys), .columns = COLUMNS_WANTED, .item = card_item, .ctx = c,
		.count = c->shown_count, .filter = &c->filter, .nothing = STR("nothing matches"), .below = buf_str(&about), .has_below = true,
		.rows_held = ROWS_HELD, .fit = LIST_RANKED, .ranked = columns }, &c->list, canvas);
	buf_fini(&about);
}

/* --- keys --- */

/* The same as the slash word does, which says what comes of it. */
static void card_act(struct tools_card *c, const struct tools_row *row, const char *word)
{
	struct actor actor = host_actor(c->host);
	struct buf line = { 0 };

	buf_printf(&line, "%s%s%s", row->name, *row->name ? " " : "", word);
	act_tools(&actor, buf_str(&line));
	buf_fini(&line);
	card_update(c);
}

static void card_turn(struct tools_card *c, const struct tools_row *row)
{
	card_act(c, row, row->kind != ROW_SERVER && str_is(str_from(row_state(c, row)), "on") ? "off" : "on");
}

static bool tools_card_take(void *part, const struct key *key)
{
	struct tools_card *c = part;
	const struct tools_row *marked = card_marked(c);
	bool is_end = (key->code == KEY_HOME || key->code == KEY_END) && !c->filter.text.len;

	if (list_key(&c->list, key, is_end ? SCROLL_ROWS : SCROLL_MENU, PAGE_ROWS, c->shown_count)) {
		host_redraw(c->host);
	} else if (key->code == KEY_ESCAPE || host_key_is(c->host, key, "tools")) {
		tools_card_close(c);
		host_redraw(c->host);
	} else if (key->code == KEY_ENTER) {
		if (marked && !key->at_once)
			card_turn(c, marked);
	} else if (key_is_control(key, 'x')) {
		if (may_take_back(c, marked))
			card_act(c, marked, "ask");
	} else if (edit_key(&c->filter, key)) {
		card_filter(c);
		c->list.marked = c->list.top = 0;
		host_redraw(c->host);
	}
	return true;
}

static bool tools_card_is_open(const void *part)
{
	return ((const struct tools_card *)part)->open;
}

/* --- the loop --- */

static int64_t tools_card_deadline(void *card)
{
	const struct tools_card *c = card;

	return c->open && c->seen != card_changes(c) ? 0 : NO_DEADLINE;
}

static void tools_card_run(void *card, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct tools_card *c = card;

	(void)fds, (void)count, (void)now_ms;
	if (c->open && c->seen != card_changes(c))
		card_update(c);
}

static struct loop_member tools_card_member(void *card)
{
	return (struct loop_member){ .ctx = card, .deadline = tools_card_deadline, .run = tools_card_run };
}

const struct card_kind tools_card_kind = {
	.mode = { .is_open = tools_card_is_open, .takes = tools_card_take, .close = tools_card_close, .paste = mode_takes_paste },
	.init = tools_card_init, .draw = tools_card_draw, .member = tools_card_member, .fini = tools_card_fini,
};
