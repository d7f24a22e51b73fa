#include "app/plain/plain_setup.h"

#include <string.h>

#include "app/setup/setup.h"
#include "base/mem.h"

#define WORDS_LIMIT ((size_t)4096)

static const struct plain_question name_question, protocol_question, auth_question, keep_question, key_question, command_question,
                                   variable_question, url_question, test_question;

static void setup_ended(void *setup);

void plain_setup_init(struct plain_setup *s, struct plain_host *host, struct model_list *models)
{
	*s = (struct plain_setup){ .host = host, .models = models };
	provider_setup_init(&s->test, host->setup, setup_ended, s);
}

static void drop_key(struct plain_setup *s)
{
	if (s->key)
		explicit_bzero(s->key, strlen(s->key));
	mem_free(s->key);
	s->key = NULL;
}

void plain_setup_fini(struct plain_setup *s)
{
	provider_setup_cancel(&s->test);
	drop_key(s);
	mem_free(s->name);
	mem_free(s->url);
	s->name = s->url = NULL;
}

static void setup_leave(struct plain_setup *s)
{
	plain_setup_fini(s);
	plain_ask_prompt(s->host);
	plain_tell_line(s->host->tell, "Nothing was changed.");
}

static void setup_ask(struct plain_setup *s, const struct plain_question *question)
{
	plain_ask(s->host, question, s);
}

/* --- numbered words --- */

typedef const char *word_at(size_t index); /* NULL after the last */

static const char *protocol_word(size_t index)
{
	return protocol_at(index) ? protocol_at(index)->name : NULL;
}

static const char *auth_word(size_t index)
{
	static const char *const words[] = { "as the protocol does", "bearer", "x-api-key", "x-goog-api-key", "api-key", "none" };

	return index < sizeof words / sizeof *words ? words[index] : NULL;
}

static const char *keep_word(size_t index)
{
	return index < KEY_KEEPINGS ? key_keeping_name((enum key_keeping)index) : NULL;
}

/* A word or its number; false, and says so, where it is neither. An empty line takes the first. */
static bool take_word(struct plain_setup *s, struct str line, word_at *words, size_t *index)
{
	long long number = 0;

	line = str_trim(line);
	*index = 0;
	if (!line.len)
		return true;
	if (!str_to_int(line, &number))
		number = 0;
	for (; words(*index); (*index)++)
		if (str_is_nocase(line, words(*index)) || number == (long long)*index + 1)
			return true;
	plain_tell_line(s->host->tell, "No item has that name or number.");
	return false;
}

static void tell_words(struct plain_setup *s, word_at *words)
{
	for (size_t i = 0; words(i); i++)
		plain_tell_line(s->host->tell, "%zu. %s%s", i + 1, words(i), i ? "" : ", as an empty line");
}

/* --- questions --- */

/* The base URL that an empty line stands for. */
static struct str url_so_far(const struct plain_setup *s)
{
	const struct provider *p = s->is_new ? NULL : providers_find(s->host->setup->providers, str_from(s->name));

	return s->url ? str_from(s->url) : p ? provider_base_url(p, p->protocols[0]) : STR_NONE;
}

static void ask_url(struct plain_setup *s)
{
	struct str url = url_so_far(s);

	if (url.len)
		plain_tell_line(s->host->tell, "Its base URL is %.*s. Type another one, or an empty line to keep it.", STR_ARG(url));
	else
		plain_tell_line(s->host->tell, "Type its base URL, such as https://api.example.com/v1.");
	setup_ask(s, &url_question);
}

static void ask_key(struct plain_setup *s)
{
	static const struct { const struct plain_question *question; const char *words; } keys[] = {
		[KEY_IN_FILE] = { &key_question, "Type the key, which is not shown" }, [KEY_IN_SESSION] = { &key_question, "Type the key, which is not shown" },
		[KEY_FROM_COMMAND] = { &command_question, "Type the command" },
		[KEY_FROM_VARIABLE] = { &variable_question, "Type the name of the variable" },
	};

	plain_tell_line(s->host->tell, "%s, or an empty line for none.", keys[s->keep].words);
	setup_ask(s, keys[s->keep].question);
}

static void ask_keeping(struct plain_setup *s)
{
	struct buf words;

	drop_key(s);
	buf_init(&words, WORDS_LIMIT);
	plain_tell_line(s->host->tell, "How is the key kept? A number, or /leave.");
	for (int i = 0; i < KEY_KEEPINGS; i++) {
		buf_clear(&words);
		key_keeping_words((enum key_keeping)i, str_from(s->name), &words);
		plain_tell_line(s->host->tell, "%d. %s", i + 1, buf_z(&words));
	}
	buf_fini(&words);
	setup_ask(s, &keep_question);
}

/* What was given cannot work. It is the base URL that is asked for again, unless only a key can be what is missing. */
static void refuse_url(struct plain_setup *s)
{
	bool lacks_key = url_so_far(s).len && !(s->key && *s->key);

	mem_free(s->url);
	s->url = NULL;
	if (lacks_key)
		ask_keeping(s);
	else
		ask_url(s);
}

/* "/leave" leaves each of them. */
static bool is_left(struct plain_setup *s, struct str line)
{
	bool left = str_is(str_trim(line), "/leave");

	if (left)
		setup_leave(s);
	return left;
}

static void take_name(void *setup, struct str line)
{
	struct plain_setup *s = setup;
	struct error err = { "" };

	if (!str_trim(line).len) {
		setup_leave(s);
		return;
	}
	if (is_left(s, line))
		return;
	if (!provider_setup_takes_name(s->host->setup, str_trim(line), &err)) {
		plain_fail(s->host, err.text);
		return;
	}
	str_replace(&s->name, str_trim(line));
	plain_tell_line(s->host->tell, "Which protocol does it offer?");
	tell_words(s, protocol_word);
	setup_ask(s, &protocol_question);
}

static void take_protocol(void *setup, struct str line)
{
	struct plain_setup *s = setup;
	size_t index;

	if (is_left(s, line) || !take_word(s, line, protocol_word, &index))
		return;
	s->protocol = protocol_at(index);
	plain_tell_line(s->host->tell, "How is the key sent?");
	tell_words(s, auth_word);
	setup_ask(s, &auth_question);
}

static void take_auth(void *setup, struct str line)
{
	struct plain_setup *s = setup;
	size_t index;

	if (is_left(s, line) || !take_word(s, line, auth_word, &index))
		return;
	s->auth = index ? auth_word(index) : NULL;
	ask_keeping(s);
}

static void take_keeping(void *setup, struct str line)
{
	struct plain_setup *s = setup;
	size_t index;

	if (is_left(s, line) || !take_word(s, line, keep_word, &index))
		return;
	s->keep = (enum key_keeping)index;
	ask_key(s);
}

static void take_key(void *setup, struct str line)
{
	struct plain_setup *s = setup;

	if (is_left(s, line))
		return;
	drop_key(s);
	s->key = str_dup(str_trim(line));
	ask_url(s);
}

static void take_url(void *setup, struct str line)
{
	struct plain_setup *s = setup;
	struct error err = { "" };

	if (is_left(s, line))
		return;
	if (str_trim(line).len)
		str_replace(&s->url, str_trim(line));
	const struct provider_wish wish = {
		.name = str_from(s->name), .is_new = s->is_new, .protocol = s->protocol, .auth = s->auth, .keep = s->keep,
		.key = str_from(s->key), .base_url = str_from(s->url),
	};
	if (!provider_setup_begin(&s->test, &wish, &err)) {
		plain_fail(s->host, err.text);
		refuse_url(s);
		return;
	}
	drop_key(s);
	plain_tell_line(s->host->tell, "The model list of %s is being fetched, to test it.", s->name);
	setup_ask(s, &test_question);
}

static void take_wait(void *setup, struct str line)
{
	(void)line;
	setup_leave(setup);
}

static const struct plain_question name_question = { .label = "Name: ", .take = take_name };
static const struct plain_question protocol_question = { .label = "Protocol: ", .take = take_protocol };
static const struct plain_question auth_question = { .label = "Auth: ", .take = take_auth };
static const struct plain_question keep_question = { .label = "Kept: ", .take = take_keeping };
static const struct plain_question key_question = { .label = "Key: ", .take = take_key, .hidden = true };
static const struct plain_question command_question = { .label = "Command: ", .take = take_key };
static const struct plain_question variable_question = { .label = "Variable: ", .take = take_key };
static const struct plain_question url_question = { .label = "Base URL: ", .take = take_url };
static const struct plain_question test_question = { .label = "Enter stops the test: ", .take = take_wait };

/* --- the test --- */

static void setup_ended(void *setup)
{
	struct plain_setup *s = setup;
	struct error err = { "" };
	struct buf words;

	if (s->host->asks != s) { /* it was left by Ctrl-C */
		plain_setup_fini(s);
		return;
	}
	buf_init(&words, WORDS_LIMIT);
	if (provider_setup_keep(&s->test, s->models, &words, &err)) {
		plain_ask_prompt(s->host);
		plain_tell_line(s->host->tell, "%s: %s. It is the provider from the next turn on.", s->name, buf_z(&words));
		plain_setup_fini(s);
		s->host->run(s->host->ctx, STR("/model"));
	} else {
		plain_fail(s->host, err.text);
		plain_tell_line(s->host->tell, "Nothing was kept.");
		ask_keeping(s);
	}
	buf_fini(&words);
}

void plain_setup_open(struct plain_setup *s, const struct provider *p)
{
	struct buf words;

	plain_setup_fini(s);
	s->is_new = !p;
	s->auth = NULL;
	if (!p) {
		plain_tell_line(s->host->tell, "Adding a provider. What is its name? An empty line cancels.");
		setup_ask(s, &name_question);
		return;
	}
	s->name = mem_dup_z(p->name);
	buf_init(&words, WORDS_LIMIT);
	provider_key_words(p, &words);
	plain_tell_line(s->host->tell, "Set up %s. Its key now: %s.", p->name, buf_z(&words));
	buf_fini(&words);
	ask_keeping(s);
}
