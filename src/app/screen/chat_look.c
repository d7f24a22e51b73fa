/* How it looks: the settings for drawing. */
#include "app/compare/compare.h"
#include "app/options/options.h"
#include "app/screen/chat_inside.h"
#include "app/setup/setup.h"
#include "app/system/environment.h"

#include <string.h>

#include "base/array.h"
#include "ui/term/capability.h"

static const enum images images_of[] = { [DRAW_ASK] = IMAGES_ASK, [DRAW_YES] = IMAGES_YES, [DRAW_NO] = IMAGES_NO };

/* Copies the settings for drawing. */
static bool take_look(struct look *look, const struct settings *settings, struct error *err)
{
	*look = (struct look){
		.text_width = (unsigned)settings->text_width,
		.raw = settings->raw,
		.clip_code = settings->code == CODE_CLIP,
		.images = images_of[settings->images],
		.ascii = !capability_blocks(process_environment("TERM")),
	};
	return reasoning_view_find(str_from(settings->thoughts), &look->reasoning, err);
}

/* What others read from the settings each time needs no word. */
void chat_use_setting(struct chat *c, const char *name)
{
	const struct settings *settings = &c->setup->settings;
	struct look look;
	struct error err;

	if (take_look(&look, settings, &err)) {
		look.keys = c->look.keys;
		look.code_band = c->look.code_band;
		look.strikes = c->look.strikes;
		c->look = look;
	}
	edit_use_vi(&c->composer.input, settings->edit == EDIT_AS_VI);
	if (!strcmp(name, "mouse"))
		screen_use_mouse(c->terminal.screen, settings->mouse);
	if (!strcmp(name, "budget"))
		c->budget_due_ms = 0;
	prompts_set_keeps(c->composer.prompts, setup_keeps(c->setup));
	if (!settings->title)
		screen_set_title(c->terminal.screen, STR("weir"));
	c->dirty = true;
}

/* Drops choices of earlier runs that no longer exist, such as a removed theme, so that the program starts. */
static void drop_stale_choices(struct chat *c)
{
	struct settings *settings = &c->setup->settings;
	enum reasoning_view view;
	struct error err;

	if (settings_origin(settings, "thoughts").from == SETTING_CHOSEN && !reasoning_view_find(str_from(settings->thoughts), &view, &err))
		settings_reset(settings, "thoughts");
	if (settings_origin(settings, "theme").from == SETTING_CHOSEN && !theme_choice_load(&c->theme, str_from(settings->theme), &err))
		settings_reset(settings, "theme");
}

static bool chat_load_theme(struct chat *c, const struct options *o, struct error *err)
{
	const struct settings *settings = &c->setup->settings;
	struct setting_origin from = settings_origin(settings, "theme");
	struct error why;

	if (theme_choice_load(&c->theme, str_from(o->theme ? o->theme : settings->theme), &why))
		return true;
	if (o->theme || from.from != SETTING_FILE)
		return error_set(err, "%s", why.text);
	return error_set(err, "%s:%d: theme: %s", settings_file(settings), from.line, why.text);
}

bool chat_take_settings(struct chat *c, const struct options *o, struct error *err)
{
	drop_stale_choices(c);
	const struct settings *settings = &c->setup->settings;

	if (!take_look(&c->look, settings, err))
		return false;
	edit_use_vi(&c->composer.input, settings->edit == EDIT_AS_VI);
	c->look.keys = (struct view_keys){
		.palette = host_key(&c->host, "palette"), .fold = host_key(&c->host, "fold"), .details = host_key(&c->host, "details"),
		.retry = host_key(&c->host, "retry"), .edit = host_key(&c->host, "edit"), .proceed = host_key(&c->host, "continue"),
		.answer = host_key(&c->host, "answer"),
	};
	if (o->compare && !compare_begin(&c->compare, str_from(o->compare), err))
		return false;
	return chat_load_theme(c, o, err) && (c->replay || setup_check_tape(c->setup, err));
}
