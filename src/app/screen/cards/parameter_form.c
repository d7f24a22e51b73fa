#include "app/screen/cards/parameter_form.h"

#include "app/setup/parameter_change.h"

#define KEYS "Tab next field   empty or off resets   Enter set   Esc back"
#define NOT_SET "default"

static void parameter_form_init(void *form, const struct card_tools *tools)
{
	*(struct parameter_form *)form = (struct parameter_form){ .host = tools->host };
}

static void parameter_form_close(void *form)
{
	form_close(&((struct parameter_form *)form)->form);
}

/* --- what it shows: the fields are the parameters, in their order --- */

static void field_note(struct parameter_form *f, enum parameter which)
{
	const struct setup *setup = f->host->setup;
	struct buf note = { 0 };

	buf_add_z(&note, "now ");
	parameter_words(setup, which, &note);
	if (which != PARAMETER_REASONING) { /* its words stand there */
		buf_add_z(&note, "; ");
		parameter_write_range(which, setup->target.protocol, &note);
	}
	form_set_note(f->form, (size_t)which, buf_str(&note));
	buf_fini(&note);
}

static void field_add_level(struct parameter_form *f, size_t field)
{
	form_add_word(f->form, field, STR(NOT_SET), STR(NOT_SET));
	for (int level = REASONING_LEVEL_OFF; level < REASONING_LEVEL_COUNT; level++)
		form_add_word(f->form, field, str_from(reasoning_level_name((enum reasoning_level)level)),
		              str_from(reasoning_level_name((enum reasoning_level)level)));
	form_choose(f->form, field, (size_t)f->host->setup->parameters.reasoning);
}

static void field_add(struct parameter_form *f, enum parameter which)
{
	bool is_choice = which == PARAMETER_REASONING;
	size_t field = form_add(f->form, is_choice ? FORM_CHOICE : FORM_TEXT, parameter_name(which));
	struct buf own = { 0 };

	parameter_write(&f->host->setup->parameters, which, &own);
	if (is_choice)
		field_add_level(f, field);
	else
		form_set_value(f->form, field, buf_str(&own));
	field_note(f, which);
	buf_fini(&own);
}

void parameter_form_open(struct parameter_form *f)
{
	host_close_cards(f->host);
	f->form = form_new(STR("Parameters"), KEYS);
	for (int i = 0; i < PARAMETER_COUNT; i++)
		field_add(f, (enum parameter)i);
	host_redraw(f->host);
}

/* --- taking it --- */

static struct str field_value(const struct parameter_form *f, enum parameter which)
{
	size_t field = (size_t)which;

	if (which != PARAMETER_REASONING)
		return form_value(f->form, field);
	return str_from(reasoning_level_name((enum reasoning_level)form_choice(f->form, field)));
}

static void form_take_values(struct parameter_form *f)
{
	struct parameters before = f->host->setup->parameters;
	struct error err = { "" };

	for (int i = 0; i < PARAMETER_COUNT; i++) {
		if (parameter_change(f->host->setup, (enum parameter)i, field_value(f, (enum parameter)i), &err))
			continue;
		setup_use_parameters(f->host->setup, &before);
		form_focus(f->form, (size_t)i);
		form_say(f->form, str_from(err.text));
		return;
	}
	parameter_form_close(f);
	host_say(f->host, "parameters set, from the next turn on");
}

/* --- keys --- */

static bool parameter_form_is_open(const void *part)
{
	return ((const struct parameter_form *)part)->form != NULL;
}

static bool parameter_form_take(void *part, const struct key *key)
{
	struct parameter_form *f = part;

	switch (form_key(f->form, key)) {
	case FORM_CHANGED:
		form_say(f->form, STR_NONE);
		break;
	case FORM_DONE:
		form_take_values(f);
		break;
	case FORM_LEFT:
		parameter_form_close(f);
		break;
	case FORM_OPEN:
	case FORM_NOT_MINE:
		break;
	}
	return true;
}

static void parameter_form_draw(void *form, struct canvas *canvas)
{
	form_draw(((struct parameter_form *)form)->form, canvas);
}

const struct card_kind parameter_form_kind = {
	.mode = { .is_open = parameter_form_is_open, .takes = parameter_form_take, .close = parameter_form_close, .paste = mode_takes_paste },
	.init = parameter_form_init, .draw = parameter_form_draw,
};
