#include "store/config/choices.h"

#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "store/files/private_folder.h"

#define FILE_NAME "choices"
#define FILE_LIMIT ((size_t)64 << 10)

static const char *const names[] = { "provider", "model", "protocol", "theme", "thoughts", "code", "mouse", "raw" };

static_assert(ARRAY_LEN(names) == CHOICES_MOST, "one value a name");

const char *choices_name_at(size_t index)
{
	return index < ARRAY_LEN(names) ? names[index] : NULL;
}

static size_t choice_index(const char *name)
{
	size_t i = 0;

	while (i < ARRAY_LEN(names) && !str_is(str_from(name), names[i]))
		i++;
	assert(i < ARRAY_LEN(names));
	return i;
}

const char *choices_get(const struct choices *c, const char *name)
{
	return c->values[choice_index(name)];
}

void choices_set(struct choices *c, const char *name, struct str value)
{
	str_replace(&c->values[choice_index(name)], value.len && value.len <= CHOICES_VALUE_LIMIT ? value : STR_NONE);
}

void choices_fini(struct choices *c)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		mem_free(c->values[i]);
	*c = (struct choices){ { NULL } };
}

/* --- the file --- */

static void choices_parse(struct choices *c, struct str text)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *object = json_parse(parser, text, &used);

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		choices_set(c, names[i], json_get_text(object, names[i]));
	json_parser_free(parser);
}

static void choices_read_in(struct choices *c, const struct private_folder *folder)
{
	struct error err = { "" };
	struct buf text;
	int fd;

	if (private_file_open(folder, FILE_NAME, O_RDONLY, &fd, &err) != PRIVATE_OPEN)
		return;
	buf_init(&text, FILE_LIMIT);
	if (buf_read_fd(&text, fd, FILE_NAME, &err))
		choices_parse(c, buf_str(&text));
	buf_fini(&text);
	close(fd);
}

void choices_read(struct choices *c)
{
	struct private_folder folder;
	struct error err = { "" };

	*c = (struct choices){ { NULL } };
	if (private_folder_open_state(&folder, false, &err) != PRIVATE_OPEN)
		return;
	choices_read_in(c, &folder);
	private_folder_close(&folder);
}

static bool choices_write(const struct choices *c, const struct private_folder *folder, struct error *err)
{
	struct json_writer json;
	struct buf text;

	buf_init(&text, FILE_LIMIT);
	json_writer_init(&json, &text);
	json_open_object(&json);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (c->values[i])
			json_member_string(&json, names[i], str_from(c->values[i]));
	json_close_object(&json);
	buf_add_z(&text, "\n");
	bool written = private_file_replace(folder, FILE_NAME, buf_str(&text), err);
	buf_fini(&text);
	return written;
}

bool choices_keep(const struct choices *c, const char *const *changed, struct error *err)
{
	struct choices all = { { NULL } };
	struct private_folder folder;

	if (private_folder_open_state(&folder, true, err) != PRIVATE_OPEN)
		return false;
	choices_read_in(&all, &folder);
	for (; *changed; changed++)
		choices_set(&all, *changed, str_from(choices_get(c, *changed)));
	bool kept = choices_write(&all, &folder, err);
	private_folder_close(&folder);
	choices_fini(&all);
	return kept;
}
