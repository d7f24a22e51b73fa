#include "app/setup/form_table.h"

bool form_table_field(const struct form_table *table, void *subject, size_t field, struct form_field *out)
{
	*out = (struct form_field){ .next = field + 1 };
	return table->field(subject, field, out);
}

bool form_table_find_word(const struct form_table *table, void *subject, size_t field, struct str line, size_t *index, struct error *err)
{
	long long number = 0;
	const char *name;

	if (!str_to_int(line, &number))
		number = 0;
	for (*index = 0; (name = table->word(subject, field, *index, NULL)); (*index)++)
		if (!line.len || str_is_nocase(line, name) || number == (long long)*index + 1)
			return true;
	return error_set(err, "no item has that name or number");
}
