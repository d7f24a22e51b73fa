#include "net/field.h"

#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/names.h"

bool field_is_value(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (((unsigned char)s.ptr[i] < ' ' && s.ptr[i] != '\t') || s.ptr[i] == 0x7F)
			return false;
	return true;
}

bool field_read(struct str line, struct response_header *field)
{
	size_t colon = str_find(line, STR(":"));

	*field = (struct response_header){ str_head(line, colon), str_trim(str_skip(line, colon + 1)) };
	return colon < line.len && str_is_token(field->name) && field_is_value(str_skip(line, colon));
}

bool field_next_member(struct str *list, struct str *member)
{
	while (str_split(list, ',', member)) {
		*member = str_trim(*member);
		if (member->len)
			return true;
	}
	return false;
}

bool field_has_member(struct str list, const char *member)
{
	struct str item;

	while (field_next_member(&list, &item))
		if (str_is_nocase(item, member))
			return true;
	return false;
}

bool field_is_for_one_hop(struct str name)
{
	static const char *const names[] = { "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
		"proxy-connection", "te", "transfer-encoding", "upgrade" };

	return str_is_among_nocase(name, names, ARRAY_LEN(names));
}

bool field_may_trail(struct str name)
{
	static const char *const names[] = { "authorization", "cache-control", "content-encoding", "content-length", "content-range", "content-type",
		"cookie", "expect", "host", "max-forwards", "set-cookie", "trailer", "www-authenticate" };

	return !field_is_for_one_hop(name) && !str_is_among_nocase(name, names, ARRAY_LEN(names));
}

bool field_stays_here(struct str name, const struct response_header *fields, size_t count)
{
	struct str list, member;

	for (size_t i = 0; i < count; i++)
		for (list = fields[i].value; str_is_nocase(fields[i].name, "connection") && field_next_member(&list, &member);)
			if (member.len == name.len && str_has_nocase(name, member))
				return true;
	return field_is_for_one_hop(name);
}

/* --- lists --- */

void field_list_add(struct field_list *list, struct str name, struct str value)
{
	char *text = mem_new(name.len + value.len + 1); /* one block, which begins with the name */

	memcpy(text, name.ptr, name.len);
	if (value.len)
		memcpy(text + name.len, value.ptr, value.len);
	*ARRAY_ADD(list->fields, list->count, list->capacity) =
		(struct response_header){ str_of(text, name.len), str_of(text + name.len, value.len) };
}

static void field_list_continue(struct field_list *list, struct str value)
{
	struct response_header last = list->fields[--list->count];
	struct buf whole = { 0 };

	buf_printf(&whole, "%.*s %.*s", STR_ARG(last.value), STR_ARG(value));
	field_list_add(list, last.name, buf_str(&whole));
	buf_fini(&whole);
	mem_free((char *)(uintptr_t)last.name.ptr);
}

void field_list_add_line(struct field_list *list, struct str line)
{
	char *text = mem_dup(line.ptr, line.len);
	struct str value, name;

	for (size_t i = 0; i < line.len; i++)
		if (!field_is_value(str_of(text + i, 1)))
			text[i] = ' ';
	value = str_of(text, line.len);
	if (line.len && (*line.ptr == ' ' || *line.ptr == '\t')) {
		if (list->count)
			field_list_continue(list, str_trim(value));
	} else if (str_find(value, STR(":")) < value.len && str_split(&value, ':', &name) && str_is_token(str_trim(name))) {
		field_list_add(list, str_trim(name), str_trim(value));
	}
	mem_free(text);
}

void field_list_clear(struct field_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		mem_free((char *)(uintptr_t)list->fields[i].name.ptr);
	mem_free(list->fields);
	*list = (struct field_list){ 0 };
}
