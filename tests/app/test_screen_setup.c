/* Setting up a provider: the form, its test by the model list, where the key is kept and where it never goes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/regular_file.h"
#include "lines.h"
#include "stage.h"
#include "support/check.h"
#include "support/faulty.h"

#define MODELS "{\"object\":\"list\",\"data\":[{\"id\":\"far-1\"},{\"id\":\"far-2\"}]}"
#define SECRET "sk-secret-4711"
#define MAPPING_MOST (256UL << 20)
#define CONF ".config/weir/weir.conf"
#define BULLETS "\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022" /* as many as SECRET has letters */

/* "far" needs a key, "bare" a base URL; both are on the server of the stage, where they have one. */
static const char *far_settings(const struct hand *server)
{
	static char text[600];

	snprintf(text, sizeof text, "%s\n# mine\n[provider far]\n# where it is\nbase_url = http://127.0.0.1:%u/v1\nkey_env = FAR_KEY\nretries = 0\n\n"
	         "[provider bare]\nretries = 0\n", hand_settings(server, ""), hand_port(server));
	return text;
}

static void setup_open(struct stage *s, const char *const *environment)
{
	*s = (struct stage){ .server = hand_new(), .home = home_new() };
	home_write(s->home, CONF, far_settings(s->server));
	s->pty = pty_start(&(struct pty_options){ .home = s->home, .environment = environment });
	STAGE_STATE(s, "ready");
}

static void open_form(struct stage *s, const char *name)
{
	pty_send(s->pty, K_F4);
	PTY_SEES(s->pty, "Provider");
	pty_send(s->pty, name);
	PTY_LOSES(s->pty, "openrouter");
	pty_send(s->pty, "\r");
	PTY_SEES(s->pty, "Set up");
}

static void read_home(const struct stage *s, const char *name, struct buf *out)
{
	struct error err;

	if (!regular_file_read(out, home_path(s->home, name), &err))
		buf_clear(out);
}

static bool conf_has(const struct stage *s, const char *text)
{
	struct buf conf = { 0 };
	bool has;

	read_home(s, CONF, &conf);
	has = str_find(buf_str(&conf), str_from(text)) < conf.len;
	buf_fini(&conf);
	return has;
}

static bool conf_is_as_it_was(const struct stage *s)
{
	struct buf conf = { 0 };
	bool same;

	read_home(s, CONF, &conf);
	same = str_is(buf_str(&conf), far_settings(s->server));
	buf_fini(&conf);
	return same;
}

/* The key stands in no file of the home but the one that is meant for it (NULL: in none), and the terminal never saw it. */
static void check_key_is_nowhere(const struct stage *s, const char *but)
{
	char command[600];

	snprintf(command, sizeof command, "grep -rlF %s %s | grep -v '/keys/%s$' >/dev/null", SECRET, home_path(s->home, ""), but ? but : "none");
	CHECK(system(command) != 0, "the key stands in a file");
	CHECK(str_find(pty_output(s->pty), STR(SECRET)) == pty_output(s->pty).len, "the key was shown");
}

static bool asked_with_key(const struct stage *s)
{
	return strstr(hand_head(s->server), "uthorization: Bearer " SECRET "\r\n") != NULL;
}

static void open_form_with_key(struct stage *s)
{
	setup_open(s, NULL);
	open_form(s, "far");
	pty_send(s->pty, SECRET);
	PTY_SEES(s->pty, BULLETS);
}

static void chat_with_key(struct stage *s)
{
	stage_ask(s, "hello");
	CU_ASSERT_TRUE(asked_with_key(s));
	hand_whole(s->server, "Hi.", "stop");
	PTY_SEES(s->pty, "Hi.");
}

static void give_models(struct stage *s)
{
	hand_accept(s->server);
	CHECK(str_starts(str_from(hand_head(s->server)), "GET /v1/models"), "%s", hand_head(s->server));
	hand_reply(s->server, 200, "application/json", MODELS);
}

static void choose_model(struct stage *s)
{
	PTY_SEES(s->pty, "2 models, fetched just now"); /* one request was enough */
	pty_send(s->pty, "far-1");
	PTY_LOSES(s->pty, "far-2");
	pty_send(s->pty, "\r");
	PTY_SEES(s->pty, "far-1 from the next turn on");
}

/* --- the key --- */

static void a_key_is_tested_then_kept_in_a_file(void)
{
	struct stage s;
	struct stat facts = { 0 };
	struct buf key = { 0 };

	setup_open(&s, NULL);
	open_form(&s, "far");
	PTY_SEES(s.pty, "Set up far");
	PTY_SEES(s.pty, "from FAR_KEY: not set");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "far needs a key");
	pty_send(s.pty, SECRET);
	PTY_SEES(s.pty, BULLETS);
	PTY_LOSES(s.pty, "far needs a key");
	pty_send(s.pty, "\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(asked_with_key(&s));
	PTY_SEES(s.pty, "fetching the model list");
	hand_reply(s.server, 401, "application/json", "{\"error\":{\"message\":\"no such key\"}}");
	PTY_SEES(s.pty, "401");
	PTY_SEES(s.pty, "Set up far");
	CU_ASSERT_TRUE(conf_is_as_it_was(&s));
	CU_ASSERT_NOT_EQUAL(access(home_path(s.home, ".config/weir/keys"), F_OK), 0);
	pty_send(s.pty, "\r");
	give_models(&s);
	CU_ASSERT_TRUE(asked_with_key(&s));
	PTY_SEES(s.pty, "far: 200, 2 models, ");
	choose_model(&s);
	CU_ASSERT_EQUAL(stat(home_path(s.home, ".config/weir/keys/far"), &facts), 0);
	CU_ASSERT_EQUAL(facts.st_mode & 0777, 0600);
	read_home(&s, ".config/weir/keys/far", &key);
	CHECK_STR(buf_str(&key), SECRET "\n");
	CHECK(conf_has(&s, "# mine\n[provider far]\n# where it is\nbase_url = "), "comments stay");
	CHECK(conf_has(&s, "retries = 0\nkey_file = ~/.config/weir/keys/far\n\n[provider bare]\n"), "the file is named where the section ends");
	chat_with_key(&s);
	check_key_is_nowhere(&s, "far");
	buf_fini(&key);
	stage_close(&s);
}

/* It is the one that is asked at the next start and by scripts, also where the menu of models was left. */
static void what_was_set_up_is_chosen(void)
{
	struct stage s;

	open_form_with_key(&s);
	pty_send(s.pty, "\r");
	give_models(&s);
	PTY_SEES(s.pty, "2 models, fetched just now");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "2 models, fetched");
	stage_restart(&s);
	PTY_SEES(s.pty, "far \u00b7 no model: F2");
	CHECK(!unlink(home_path(s.home, ".config/weir/keys/far")), "the key was kept");
	stage_restart(&s);
	PTY_SEES(s.pty, "far lacks its key or its base URL. F4 sets it up");
	stage_drop(&s);
}

static void a_key_can_be_kept_nowhere(void)
{
	struct stage s;

	open_form_with_key(&s);
	pty_send(s.pty, K_SHIFT_TAB K_RIGHT);
	PTY_SEES(s.pty, "not at all: it is lost when weir ends");
	pty_send(s.pty, "\r");
	give_models(&s);
	choose_model(&s);
	chat_with_key(&s);
	CU_ASSERT_TRUE(conf_is_as_it_was(&s));
	check_key_is_nowhere(&s, NULL);
	stage_close(&s);
}

static void a_key_can_come_from_a_command_or_another_variable(void)
{
	static const struct { const char *keys, *sees, *value, *kept; } ways[] = {
		{ K_SHIFT_TAB K_RIGHT K_RIGHT "\t", "from a command, as", "echo " SECRET, "key_command = echo " SECRET "\n" },
		{ K_SHIFT_TAB K_LEFT "\t", "from another environment variable", "OTHER_KEY", "key_env = OTHER_KEY\n" },
	};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct stage s;

		setup_open(&s, LIST("OTHER_KEY=" SECRET));
		open_form(&s, "far");
		PTY_SEES(s.pty, "Set up far");
		pty_send(s.pty, ways[i].keys);
		PTY_SEES(s.pty, ways[i].sees);
		pty_send(s.pty, K_CTRL('e'));
		pty_send(s.pty, K_CTRL('u'));
		pty_send(s.pty, ways[i].value);
		PTY_SEES(s.pty, ways[i].value);
		pty_send(s.pty, "\r");
		give_models(&s);
		CHECK(asked_with_key(&s), "%s", ways[i].value);
		choose_model(&s);
		CHECK(conf_has(&s, ways[i].kept), "%s", ways[i].kept);
		chat_with_key(&s);
		stage_close(&s);
	}
}

static void on_escape_nothing_is_kept(void)
{
	struct stage s;

	open_form_with_key(&s);
	pty_send(s.pty, "\r");
	hand_accept(s.server);
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Set up far");
	CU_ASSERT_TRUE(hand_is_left(s.server));
	CU_ASSERT_TRUE(conf_is_as_it_was(&s));
	PTY_SEES(s.pty, "hand \u00b7 m-1");
	pty_send(s.pty, "/provider far");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "Set up far");
	PTY_LOSES(s.pty, BULLETS);
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Set up far");
	pty_signal(s.pty, 15);
	PTY_ENDS(s.pty, 128 + 15);
	check_key_is_nowhere(&s, NULL);
	stage_drop(&s);
}

/* Typed at once with its line end, as a terminal without brackets pastes: it waits for an Enter of its own. */
static void a_pasted_key_waits_for_enter(void)
{
	struct stage s;

	setup_open(&s, NULL);
	open_form(&s, "far");
	PTY_SEES(s.pty, "Set up far");
	pty_send(s.pty, "\x1B[200~" SECRET "\n\x1B[201~");
	PTY_SEES(s.pty, BULLETS);
	pty_send(s.pty, "\r");
	give_models(&s);
	CU_ASSERT_TRUE(asked_with_key(&s));
	choose_model(&s);
	stage_close(&s);
}

/* Looks through all that the program has mapped. False: that may not be read here. */
static bool memory_holds(const struct stage *s, const char *text, bool *found)
{
	static char bytes[1 << 20];
	char path[64], line[512];
	size_t len = strlen(text);
	unsigned long from, to;
	snprintf(path, sizeof path, "/proc/%d/mem", pty_pid(s->pty));
	FILE *memory = fopen(path, "r");
	snprintf(path, sizeof path, "/proc/%d/maps", pty_pid(s->pty));
	FILE *maps = fopen(path, "r");

	*found = false;
	while (memory && maps && !*found && fgets(line, sizeof line, maps)) {
		if (sscanf(line, "%lx-%lx rw", &from, &to) != 2 || !strstr(line, " rw"))
			continue;
		if (to - from > MAPPING_MOST) /* a sanitizer's shadow */
			continue;
		for (unsigned long at = from; at < to && !*found; at += sizeof bytes - len) {
			size_t want = to - at < sizeof bytes ? to - at : sizeof bytes, got;

			if (fseek(memory, (long)at, SEEK_SET) != 0 || !(got = fread(bytes, 1, want, memory)))
				break;
			*found = memmem(bytes, got, text, len) != NULL;
		}
	}
	bool could = memory && maps;
	if (memory)
		fclose(memory);
	if (maps)
		fclose(maps);
	return could;
}

/* Typed and pasted: while the form is open the key is there, behind it nothing of it is left. */
static void the_key_is_wiped_from_memory(void)
{
	struct stage s;
	bool found;

	setup_open(&s, NULL);
	for (int pasted = 0; pasted < 2; pasted++) {
		open_form(&s, "far");
		if (pasted)
			pty_paste(s.pty, SECRET);
		else
			pty_type(s.pty, SECRET);
		PTY_SEES(s.pty, BULLETS);
		if (!memory_holds(&s, SECRET, &found)) {
			check_skip("the memory of the program cannot be read here");
			break;
		}
		CHECK(found, "the search finds it where it is");
		pty_send(s.pty, "\r");
		hand_accept(s.server);
		hand_reply(s.server, 401, "application/json", "{\"error\":{\"message\":\"no\"}}");
		PTY_SEES(s.pty, "401");
		pty_send(s.pty, K_ESC);
		PTY_LOSES(s.pty, "Set up far");
		CHECK(memory_holds(&s, SECRET, &found) && !found, "%s: it is still in memory", pasted ? "pasted" : "typed");
	}
	stage_close(&s);
}

/* --- others --- */

static void a_base_url_is_asked_for(void)
{
	struct stage s;
	char url[60];

	setup_open(&s, NULL);
	open_form(&s, "bare");
	PTY_SEES(s.pty, "> base URL");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "bare needs a base URL");
	snprintf(url, sizeof url, "http://127.0.0.1:%u/v1", hand_port(s.server));
	pty_send(s.pty, url);
	PTY_SEES(s.pty, url);
	pty_send(s.pty, "\r");
	give_models(&s);
	PTY_SEES(s.pty, "bare: 200, 2 models");
	snprintf(url, sizeof url, "[provider bare]\nretries = 0\nbase_url = http");
	CHECK(conf_has(&s, url), "%s", url);
	stage_close(&s);
}

static void a_provider_is_added(void)
{
	struct stage s;
	char url[60];

	setup_open(&s, NULL);
	pty_send(s.pty, "/provider add\r");
	PTY_SEES(s.pty, "Add a provider");
	pty_send(s.pty, "far");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "there is a provider far already");
	pty_send(s.pty, "off");
	PTY_SEES(s.pty, "keys/faroff");
	pty_send(s.pty, "\t" K_RIGHT K_RIGHT);
	PTY_SEES(s.pty, "protocol   anthropic");
	pty_send(s.pty, "\t" K_RIGHT);
	PTY_SEES(s.pty, "auth       bearer");
	pty_send(s.pty, "\t");
	pty_send(s.pty, SECRET);
	PTY_SEES(s.pty, BULLETS);
	pty_send(s.pty, "\t");
	snprintf(url, sizeof url, "http://127.0.0.1:%u", hand_port(s.server));
	pty_send(s.pty, url);
	PTY_SEES(s.pty, url);
	pty_send(s.pty, "\r");
	give_models(&s);
	CU_ASSERT_TRUE(asked_with_key(&s));
	PTY_SEES(s.pty, "faroff: 200, 2 models");
	CHECK(conf_has(&s, "\n\n[provider faroff]\nprotocols = anthropic\nauth = bearer\nbase_url = http"), "a section of its own");
	CHECK(conf_has(&s, "key_file = ~/.config/weir/keys/faroff\n"), "its key");
	check_key_is_nowhere(&s, "faroff");
	stage_close(&s);
}

/* One that is ready can be set up again. */
static void one_that_is_ready_has_its_form(void)
{
	struct stage s;

	setup_open(&s, NULL);
	pty_send(s.pty, K_F4);
	PTY_SEES(s.pty, "Provider");
	pty_send(s.pty, "hand");
	PTY_LOSES(s.pty, "openrouter");
	PTY_SEES(s.pty, "Ctrl-E set up");
	pty_send(s.pty, K_CTRL('e'));
	PTY_SEES(s.pty, "Set up hand");
	PTY_LOSES(s.pty, "Provider");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Set up hand");
	stage_close(&s);
}

static void settings_that_others_write_keep_nothing(void)
{
	struct stage s;

	setup_open(&s, NULL);
	CU_ASSERT_EQUAL(chmod(home_path(s.home, CONF), 0666), 0);
	open_form(&s, "bare");
	pty_send(s.pty, "http://127.0.0.1:");
	char port[20];
	snprintf(port, sizeof port, "%u/v1", hand_port(s.server));
	pty_send(s.pty, port);
	PTY_SEES(s.pty, port);
	pty_send(s.pty, "\r");
	give_models(&s);
	PTY_SEES(s.pty, "others may write");
	PTY_SEES(s.pty, "Set up bare");
	CU_ASSERT_TRUE(conf_is_as_it_was(&s));
	stage_close(&s);
}

/* --- local servers --- */

static void local_servers_are_looked_for(void)
{
	struct stage s = { .server = hand_new(), .home = home_new() };
	char settings[300];

	snprintf(settings, sizeof settings, "[provider here]\nbase_url = http://127.0.0.1:%u\n[provider gone]\nbase_url = http://localhost:%u/v1\n",
	         hand_port(s.server), faulty_free_port());
	home_write(s.home, CONF, settings);
	s.pty = pty_start(&(struct pty_options){ .home = s.home });
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, K_F4);
	PTY_SEES(s.pty, "Provider");
	pty_send(s.pty, "here");
	PTY_LOSES(s.pty, "openrouter");
	PTY_SEES(s.pty, "listening");
	CHECK(strstr(pty_row(s.pty, (unsigned)pty_find_row(s.pty, "listening")), "here  "), "%s", pty_dump(s.pty));
	pty_send(s.pty, K_CTRL('u'));
	pty_send(s.pty, "gone");
	PTY_SEES(s.pty, "not running");
	stage_drop(&s);
}

/* --- the linear mode --- */

static void questions_set_one_up(void)
{
	struct stage s = { .server = hand_new(), .home = home_new() };

	home_write(s.home, CONF, far_settings(s.server));
	s.pty = pty_start(&(struct pty_options){ .columns = PTY_WIDE, .home = s.home, .arguments = LIST("--plain") });
	struct lines l = { .server = s.server, .home = s.home, .pty = s.pty };
	DIALOGUE(&l,
	         "You: ",
	         "> /provider far", "Set up far. Its key now: from FAR_KEY: not set.", "1. in a file that only you can read", "Kept: ",
	         "> 9", "No item has that name or number.", "Kept: ",
	         "> 1", "Key: ");
	pty_send(s.pty, SECRET "\n");
	DIALOGUE(&l,
	         "Its base URL is http://127.0.0.1:", "Base URL: ",
	         "> ", "is being fetched, to test it.");
	hand_accept(s.server);
	CU_ASSERT_TRUE(asked_with_key(&s));
	hand_reply(s.server, 401, "application/json", "{\"error\":{\"message\":\"no such key\"}}");
	SAYS(&l, "401");
	SAYS(&l, "Nothing was kept.");
	SAYS(&l, "Kept: ");
	CU_ASSERT_TRUE(conf_is_as_it_was(&s));
	/* what was said before the try that failed is what an empty line takes */
	DIALOGUE(&l, "> ", "or an empty line for the one that you typed before.", "Key: ", "> ", "Base URL: ", "> ", "to test it.");
	give_models(&s);
	CU_ASSERT_TRUE(asked_with_key(&s));
	DIALOGUE(&l,
	         "far: 200, 2 models, ", "Choice: ",
	         "> 1", "model far-1 from the next turn on.", "You: ",
	         "> /provider add", "Name: ",
	         "> ", "Nothing was changed.", "You: ",
	         "> /provider setup hand", "Kept: ",
	         "> /leave", "Nothing was changed.", "You: ");
	CHECK(conf_has(&s, "key_file = ~/.config/weir/keys/far\n"), "its file is named");
	lines_ask(&l, "hello");
	CU_ASSERT_TRUE(asked_with_key(&s));
	hand_whole(s.server, "Hi.", "stop");
	SAYS(&l, "You: ");
	check_key_is_nowhere(&s, "far");
	lines_close(&l);
}

/* What cannot work is asked for again, and nothing else: a name, then a base URL. */
static void questions_add_one(void)
{
	struct lines l;
	char url[60];

	lines_begin(&l);
	snprintf(url, sizeof url, "> http://127.0.0.1:%u/v1", hand_port(l.server));
	DIALOGUE(&l,
	         "> /provider add", "Name: ",
	         "> my box", "no blank or slash", "Name: ",
	         "> hand", "There is a provider hand already.", "Name: ",
	         "> box", "Which protocol does it offer?", "Protocol: ",
	         "> ", "How is the key sent?", "Auth: ",
	         "> bearer", "Kept: ",
	         "> 2", "Key: ");
	pty_send(l.pty, SECRET "\n");
	DIALOGUE(&l,
	         "Type its base URL", "Base URL: ",
	         "> ", "box needs a base URL", "Base URL: ",
	         "> box.example", "http", "Base URL: ",
	         url, "is being fetched, to test it.");
	hand_accept(l.server);
	hand_reply(l.server, 401, "application/json", "{\"error\":{\"message\":\"no such key\"}}");
	DIALOGUE(&l, "Nothing was kept.", "2. not at all: it is lost when weir ends, taken by an empty line", "Kept: ",
	         "> 4", "Variable: ", "> BOX_KEY", "Base URL: ", "> ftp://box", "Base URL: ", url, "Nothing was kept.",
	         "4. from another environment variable, taken by an empty line", "Kept: ", "> ", "It was BOX_KEY.", "Variable: ",
	         "> ", "Its base URL is http://127.0.0.1:", "Base URL: ", "> ", "Kept: ", "> 2", "the one that you typed before.", "Key: ", "> ",
	         "Its base URL is http://127.0.0.1:", "Base URL: ", "> ", "is being fetched, to test it.");
	hand_accept(l.server);
	CHECK(strstr(hand_head(l.server), "Bearer " SECRET), "%s", hand_head(l.server));
	hand_reply(l.server, 200, "application/json", "{\"data\":[{\"id\":\"box-1\"}]}");
	DIALOGUE(&l, "box: 200, 1 model, ", "Choice: ", "> 1", "model box-1 from the next turn on.", "You: ");
	lines_close(&l);
}

/* A server on this machine is said to be there, or not, in the list. */
static void lines_tell_which_servers_are_there(void)
{
	struct stage s = { .server = hand_new(), .home = home_new() };
	char settings[300];

	snprintf(settings, sizeof settings, "[provider here]\nbase_url = http://127.0.0.1:%u\n[provider gone]\nbase_url = http://localhost:%u/v1\n",
	         hand_port(s.server), faulty_free_port());
	home_write(s.home, CONF, settings);
	s.pty = pty_start(&(struct pty_options){ .columns = PTY_WIDE, .home = s.home, .arguments = LIST("--plain") });
	struct lines l = { .server = s.server, .home = s.home, .pty = s.pty };
	DIALOGUE(&l, "You: ", "> /provider", "Providers:", "19. here, listening\r\n", "20. gone, not running\r\n", "Choice: ");
	stage_drop(&s);
}

/* Ctrl-C at the hidden question shows again what is typed; leaving there too. */
static void what_hid_is_shown_again(void)
{
	static const char *const ways[] = { "\x03", "/leave\n" };

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct stage s = { .server = hand_new(), .home = home_new() };

		home_write(s.home, CONF, far_settings(s.server));
		s.pty = pty_start(&(struct pty_options){ .columns = PTY_WIDE, .home = s.home, .arguments = LIST("--plain") });
		struct lines l = { .server = s.server, .home = s.home, .pty = s.pty };
		DIALOGUE(&l, "You: ", "> /provider far", "Kept: ", "> 2", "Key: ");
		pty_send(s.pty, ways[i]);
		SAYS(&l, "You: ");
		DIALOGUE(&l, "> /stop", "/stop\r\nNo answer is under way.");
		lines_close(&l);
	}
}

/* In every question: it leaves, and nothing is kept of what was said. */
static void quit_is_a_word_in_a_form(void)
{
	static const char *const ways[][12] = {
		{ "> /provider far", "Kept: ", "> /quit" }, { "> /provider far", "Kept: ", "> 2", "Key: ", "> /quit" },
		{ "> /provider far", "Kept: ", "> 4", "Variable: ", "> MINE", "Base URL: ", "> /quit" }, { "> /provider add", "Name: ", "> /quit" },
		{ "> /parameters", "Value: ", "> 0.5", "Value: ", "> /quit" }, { "> /role new x", "Value: ", "> ", "Value: ", "> /quit" },
		{ "> /provider", "Choice: ", "> /quit" },
	};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct stage s = { .server = hand_new(), .home = home_new() };

		home_write(s.home, CONF, far_settings(s.server));
		s.pty = pty_start(&(struct pty_options){ .columns = PTY_WIDE, .home = s.home, .arguments = LIST("--plain") });
		struct lines l = { .server = s.server, .home = s.home, .pty = s.pty };
		SAYS(&l, "You: ");
		lines_dialogue(&l, ways[i], __FILE__, __LINE__);
		PTY_ENDS(s.pty, 0);
		PTY_RESTORED(s.pty);
		CU_ASSERT_TRUE(conf_is_as_it_was(&s));
		CU_ASSERT_FALSE(home_has(s.home, ".config/weir/keys/far"));
		lines_drop(&l);
	}
}

/* So does a crash there. */
static void a_crash_shows_again_what_is_typed(void)
{
	struct stage s = { .server = hand_new(), .home = home_new() };

	home_write(s.home, CONF, far_settings(s.server));
	s.pty = pty_start(&(struct pty_options){ .columns = PTY_WIDE, .home = s.home, .arguments = LIST("--plain") });
	struct lines l = { .server = s.server, .home = s.home, .pty = s.pty };
	DIALOGUE(&l, "You: ", "> /provider far", "Kept: ", "> 2", "Key: ");
	pty_signal(s.pty, 11);
	PTY_ENDS(s.pty, 128 + 11);
	PTY_RESTORED(s.pty);
	lines_drop(&l);
}

const struct suite suite_screen_setup = { "screen_setup", (const struct test[]){
	TEST(a_key_is_tested_then_kept_in_a_file), TEST(what_was_set_up_is_chosen), TEST(a_key_can_be_kept_nowhere), TEST(a_key_can_come_from_a_command_or_another_variable),
	TEST(on_escape_nothing_is_kept), TEST(a_pasted_key_waits_for_enter), TEST(the_key_is_wiped_from_memory), TEST(a_base_url_is_asked_for), TEST(a_provider_is_added),
	TEST(one_that_is_ready_has_its_form), TEST(settings_that_others_write_keep_nothing), TEST(local_servers_are_looked_for), TEST(questions_set_one_up),
	TEST(questions_add_one), TEST(lines_tell_which_servers_are_there), TEST(what_hid_is_shown_again), TEST(quit_is_a_word_in_a_form), TEST(a_crash_shows_again_what_is_typed), { 0 } } };
