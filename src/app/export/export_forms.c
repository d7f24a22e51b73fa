#include "app/export/export_forms.h"

#include <string.h>

#include "base/array.h"
#include "base/names.h"

static const struct export_form *const forms[] = { &export_markdown, &export_json, &export_html, &export_text };

const struct export_form *export_form_at(size_t index)
{
	return index < ARRAY_LEN(forms) ? forms[index] : NULL;
}

const struct export_form *export_form_find(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if (str_is(name, forms[i]->name))
			return forms[i];
	return NULL;
}

static const char *export_suffix_at(const void *unused, size_t index)
{
	(void)unused;
	return index < ARRAY_LEN(forms) ? forms[index]->suffix : NULL;
}

void export_forms_write_suffixes(struct buf *out)
{
	names_write_choice(export_suffix_at, NULL, out);
}

const struct export_form *export_form_for(struct str path)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		size_t length = strlen(forms[i]->suffix);

		if (path.len > length && str_is_nocase(str_skip(path, path.len - length), forms[i]->suffix))
			return forms[i];
	}
	return NULL;
}
