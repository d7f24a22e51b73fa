/*
 * A letter means the same wherever the focus is: in the page, the player, the inspector and the comparison. The tables of keys are read as
 * their help shows them, and each letter of two tables has one meaning, which `shared` lists. While the page is on an item of media, letters
 * act on the item: what they do there is told as such, and takes no letter that scrolls or goes somewhere.
 */
#include <string.h>

#include "app/command/command.h"
#include "app/screen/compare/compare_view_inside.h"
#include "app/screen/replay/inspect.h"
#include "app/screen/replay/player_keys.h"
#include "base/array.h"
#include "support/check.h"

enum { PLACES_MOST = 8 };

/* What a letter does in each table: the words of its help. */
struct meanings {
	size_t count;
	struct { const char *place, *help; } of[PLACES_MOST];
};

static struct meanings letters[256];

static void letters_add(unsigned char letter, const char *place, const char *help)
{
	struct meanings *m = &letters[letter];

	CU_ASSERT_FATAL(m->count < PLACES_MOST);
	m->of[m->count].place = place;
	m->of[m->count++].help = help;
}

/* Keys as help shows them: "r R", "Ctrl-F /", "0 to 9". Words of more than one letter are other keys. */
static void letters_add_keys(const char *keys, const char *place, const char *help)
{
	struct str rest = str_from(keys), word;

	while (keys && str_split(&rest, ' ', &word))
		if (word.len == 1)
			letters_add((unsigned char)*word.ptr, place, help);
}

static void letters_collect(void)
{
	const struct command *command;
	const struct compare_key *compared;
	const struct key_help *help;

	memset(letters, 0, sizeof letters);
	for (size_t i = 0; (command = command_at(COMMAND_SCREEN, i)); i++)
		if (command->letter && command->letter != ' ' && !command->on_item)
			letters_add((unsigned char)command->letter, "page", command->help);
	for (size_t i = 0; (help = player_keys_help_at(i)); i++)
		letters_add_keys(help->keys, "player", help->help);
	for (size_t i = 0; (help = inspect_keys_help_at(i)); i++)
		letters_add_keys(help->keys, "inspector", help->help);
	for (size_t i = 0; (compared = compare_key_at(i)); i++)
		letters_add_keys(compared->keys, "comparison", compared->help);
}

/* Letters that several tables have: the one meaning, of which each help has the words, and where that is not said alike, why it is one. */
static const struct shared { const char *letters, *words; } shared[] = {
	{ "f", "fold" },    /* what is under the cursor: reasoning and calls, or JSON of a frame */
	{ "y", "copy" },
	{ "o", "request" },
	{ "/", "search" },
	{ "nN", "hit" },    /* of the search of the place */
	{ "{}", "turn" },   /* a tape is a turn */
	{ "<>", "sideways" },
};

/* Exceptions: one meaning in other words. */
static const struct { const char *letters, *place, *reason; } exceptions[] = {
	{ "nN", "inspector", "the next frame that has the bytes searched for is its next hit" },
	{ "<>", "player", "the arrows are keys of the player, too: its page is not scrolled sideways" },
	{ "{}", "player", "of several tapes each is one turn: there is none beside it to go to" },
};

static bool is_excepted(char letter, const char *place)
{
	for (size_t i = 0; i < ARRAY_LEN(exceptions); i++)
		if (strchr(exceptions[i].letters, letter) && !strcmp(exceptions[i].place, place))
			return true;
	return false;
}

static const char *words_of(char letter)
{
	for (size_t i = 0; i < ARRAY_LEN(shared); i++)
		if (strchr(shared[i].letters, letter))
			return shared[i].words;
	return NULL;
}

static void a_letter_means_the_same_in_page_player_inspector_and_comparison(void)
{
	letters_collect();
	for (int letter = '!'; letter < 127; letter++) {
		const struct meanings *m = &letters[letter];
		const char *words = words_of((char)letter);

		for (size_t i = 0; i < m->count && m->count > 1; i++)
			CHECK(words && (strstr(m->of[i].help, words) || is_excepted((char)letter, m->of[i].place)), "%c in the %s: %s", letter, m->of[i].place, m->of[i].help);
	}
	CU_ASSERT(letters['f'].count == 3 && letters['y'].count == 2 && letters['r'].count == 1);
}

/* j k g G scroll in every pane. */
static void letters_that_scroll_mean_nothing_else(void)
{
	letters_collect();
	for (const char *letter = "jkgG"; *letter; letter++)
		for (size_t i = 0; i < letters[(unsigned char)*letter].count; i++)
			CHECK(!strcmp(letters[(unsigned char)*letter].of[i].place, "inspector"), "%c is a key of the %s", *letter, letters[(unsigned char)*letter].of[i].place);
}

static void letters_on_an_item_act_on_the_item(void)
{
	const struct command *command;
	size_t count = 0;

	letters_collect();
	for (size_t i = 0; (command = command_at(COMMAND_SCREEN, i)); i++)
		if (command->on_item) {
			const struct command *page = command_by_letter(command->letter);
			struct str rest = STR(COMMAND_ITEM_KEYS), word = STR_NONE;

			count++;
			CHECK(strstr(command->help, " item"), "%c on an item: %s", command->letter, command->help);
			CHECK(!strchr("jkgGf?", command->letter) && (!page || !page->jump.step), "%c on an item is a key of the page", command->letter);
			CU_ASSERT_PTR_EQUAL(command_of_item(command->letter), command);
			while (word.len != 1 || *word.ptr != command->letter)
				if (!str_split(&rest, ' ', &word)) {
					CHECK(false, "the hints have no %c", command->letter);
					break;
				}
		}
	CU_ASSERT(count == 3);
}

const struct suite suite_letters = { "letters", (const struct test[]){
	TEST(a_letter_means_the_same_in_page_player_inspector_and_comparison),
	TEST(letters_on_an_item_act_on_the_item),
	TEST(letters_that_scroll_mean_nothing_else),
	{ 0 } } };
