#include "app/system/environment.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct taken {
	struct taken *next;
	char *name, *value;
};

static struct taken *all;

static struct taken *environment_find(const char *name)
{
	struct taken *t = all;

	while (t && strcmp(t->name, name) != 0)
		t = t->next;
	return t;
}

static void environment_wipe(char *value)
{
	if (value)
		mem_wipe(value, strlen(value));
}

const char *process_environment(const char *name)
{
	const struct taken *t = environment_find(name);

	return t ? t->value : getenv(name);
}

bool environment_has_taken(struct str name)
{
	const struct taken *t = all;

	while (t && !str_is(name, t->name))
		t = t->next;
	return t != NULL;
}

void environment_put(const char *name, const char *value)
{
	struct taken *t = environment_find(name);

	if (!t) {
		t = mem_new(sizeof *t);
		t->name = mem_dup_z(name);
		t->next = all;
		all = t;
	}
	environment_wipe(t->value);
	mem_free(t->value);
	t->value = mem_dup_z(value);
}

void environment_take(const char *name)
{
	char *value = getenv(name);

	if (!value)
		return;
	environment_put(name, value);
	environment_wipe(value);
	unsetenv(name);
}

void environment_forget(void)
{
	while (all) {
		struct taken *t = all;

		all = t->next;
		environment_wipe(t->value);
		mem_free(t->value);
		mem_free(t->name);
		mem_free(t);
	}
}
