#include "app/screen/cards/folder_card.h"

#include "app/session/session_prompts.h"
#include "base/mem.h"
#include "chat/conversation/figure.h"
#include "chat/conversation/meter.h"

static void folder_card_init(void *card, const struct card_tools *tools)
{
	*(struct folder_card *)card = (struct folder_card){ .host = tools->host };
}

static void folder_card_close(void *card)
{
	struct folder_card *c = card;

	menu_free(c->menu);
	context_free_files(c->files, c->count);
	mem_free(c->marked);
	*c = (struct folder_card){ .host = c->host };
}

static void folder_card_show(struct folder_card *c)
{
	char bytes[FIGURE_SIZE], tokens[FIGURE_SIZE];
	size_t marked = 0, all = 0;
	struct buf fact = { 0 };

	menu_clear(c->menu);
	for (size_t i = 0; i < c->count; i++) {
		const struct context_file *file = &c->files[i];

		buf_clear(&fact);
		buf_printf(&fact, "%s   ", figure_bytes(bytes, file->bytes));
		if (file->is_text)
			buf_printf(&fact, "~%s", figure_of(tokens, estimate_tokens(&(struct estimate){ .narrow = file->bytes }), "token"));
		menu_add(c->menu, &(struct menu_item){ .text = str_from(file->name), .fact = buf_str(&fact), .current = c->marked[i] });
		marked += c->marked[i];
		all += c->marked[i] && file->is_text ? file->bytes : 0;
	}
	buf_clear(&fact);
	buf_printf(&fact, "%zu of %zu%s marked", marked, c->count, c->cut ? " and more" : "");
	if (all)
		buf_printf(&fact, ", ~%s", figure_of(tokens, estimate_tokens(&(struct estimate){ .narrow = all }), "token"));
	menu_set_figures(c->menu, buf_str(&fact));
	buf_fini(&fact);
	host_redraw(c->host);
}

void folder_card_open(struct folder_card *c, const char *folder)
{
	struct str name = str_from(folder);

	host_close_cards(c->host);
	c->files = context_list(folder, &c->count, &c->cut);
	if (!c->count) {
		host_say(c->host, "%s holds no files to attach", folder);
		folder_card_close(c);
		return;
	}
	while (name.len > 1 && str_ends(name, "/"))
		name.len--;
	for (size_t i = name.len; i-- > 0;)
		if (name.ptr[i] == '/' && i + 1 < name.len) {
			name = str_skip(name, i + 1);
			break;
		}
	char *title = str_dup(name);
	c->marked = mem_resize(NULL, c->count, sizeof *c->marked);
	for (size_t i = 0; i < c->count; i++)
		c->marked[i] = false;
	c->menu = menu_new(title, NULL);
	mem_free(title);
	menu_set_keys(c->menu, "Space mark   Enter attach   Esc back");
	folder_card_show(c);
}

/* Those that are marked; without one, the row that was chosen. */
static void folder_card_attach(struct folder_card *c, long chosen)
{
	struct error err = { "" };
	size_t count = 0;
	bool good = true, any = false;

	for (size_t i = 0; i < c->count; i++)
		any |= c->marked[i];
	for (size_t i = 0; good && i < c->count; i++) {
		if (any ? !c->marked[i] : (long)i != chosen)
			continue;
		good = session_has_attached(c->host->session, c->files[i].path) || session_attach(c->host->session, c->files[i].path, &err);
		count += good;
	}
	if (good)
		host_say(c->host, "%zu file%s with the next prompt", count, count == 1 ? " goes" : "s go");
	else
		host_fail(c->host, "%s", err.text);
	folder_card_close(c);
}

static bool folder_card_is_open(const void *card)
{
	return ((const struct folder_card *)card)->menu != NULL;
}

static bool folder_card_take(void *card, const struct key *key)
{
	struct folder_card *c = card;
	struct str typed;

	if (key->code == KEY_TEXT && str_is(key->text, " ")) {
		long index = menu_choice(c->menu, &typed);

		if (index >= 0)
			c->marked[index] = !c->marked[index];
		folder_card_show(c);
		return true;
	}
	if (key->code == KEY_ENTER && host_runs_line(c->host, menu_line(c->menu), false, key, &folder_card_kind.mode, c))
		return true;
	switch (menu_key(c->menu, key)) {
	case MENU_CHOSEN:
		folder_card_attach(c, menu_choice(c->menu, &typed));
		break;
	case MENU_LEFT:
		folder_card_close(c);
		break;
	case MENU_OPEN:
	case MENU_NOT_MINE:
		break;
	}
	return true;
}

static void folder_card_draw(void *card, struct canvas *canvas)
{
	menu_draw(((struct folder_card *)card)->menu, canvas);
}

const struct card_kind folder_card_kind = {
	.mode = { .is_open = folder_card_is_open, .takes = folder_card_take, .close = folder_card_close, .paste = mode_takes_paste },
	.init = folder_card_init, .draw = folder_card_draw,
};
