/* The linear mode end to end: on a terminal and through pipes. */
#include <stdio.h>
#include <string.h>

#include "lines.h"
#include "program.h"
#include "support/check.h"

#define CALL(index, id, name, arguments) \
	"{\"tool_calls\":[{\"index\":" #index ",\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"" name "\",\"arguments\":\"" arguments "\"}}]}"
#define POISON "\\u001b]0;pwn\\u0007\\u001b[77;77H\\u001bPpwn\\u001b\\\\\\u001bc\\u009b77m\\u202e\\u2066\\b\\u007f\\u200f\\u0000"

/* --- a turn --- */

static void a_turn_is_told_in_lines(void)
{
	struct lines l;

	lines_begin(&l);
	lines_ask(&l, "hello");
	SAYS(&l, "hello\r\n");
	SAYS(&l, "Status: waiting.\r\n");
	hand_begin(l.server);
	SAYS(&l, "Status: streaming.\r\n");
	hand_text(l.server, "One is whole. Two is");
	SAYS(&l, "m-1: One is whole. ");
	CU_ASSERT_FALSE(pty_has_written(l.pty, "Two"));
	hand_text(l.server, " whole, too.\nThree");
	SAYS(&l, "Two is whole, too.\r\n");
	CU_ASSERT_FALSE(pty_has_written(l.pty, "Three"));
	hand_finish(l.server, "stop");
	SAYS(&l, "Three\r\nStatus: done, 12 tokens in, 34 tokens out");
	SAYS(&l, ".\r\nYou: ");
	CU_ASSERT_FALSE(pty_is_alternate(l.pty));
	lines_close(&l);
}

/* On a terminal no word is broken, neither in what streams nor in what weir says. */
static void lines_are_wrapped_at_words(void)
{
	struct lines l;

	lines_begin(&l);
	pty_resize(l.pty, 24, 30);
	lines_ask(&l, "hello");
	hand_begin(l.server);
	hand_text(l.server, "Nothing is broken here. Not ev");
	SAYS(&l, "m-1: Nothing is broken here. ");
	hand_text(l.server, "en at the edge of a line. So");
	SAYS(&l, "\r\nNot even at the edge of a\r\nline. ");
	hand_finish(l.server, "stop");
	SAYS(&l, "So\r\nStatus: done, 12 tokens in, 34\r\ntokens out");
	SAYS(&l, "You: ");
	lines_close(&l);
}

/* --- branches --- */

static void tell_turn(struct lines *l, const char *prompt, const char *answer)
{
	lines_ask(l, prompt);
	hand_whole(l->server, answer, "stop");
	lines_say(l, answer, __FILE__, __LINE__);
	SAYS(l, "You: ");
}

static void branches_are_told_and_walked(void)
{
	struct lines l;

	lines_begin(&l);
	tell_turn(&l, "alpha", "First answer.");
	tell_turn(&l, "beta", "Second answer.");
	tell_turn(&l, "/retry", "Other answer.");
	DIALOGUE(&l, "> /tree 4", "Answer 1 of 2.\r\n", "m-1: Second answer.", "Status: done", "You: ",
	         "> /tree", "1. Prompt, now, shown: alpha\r\n",
	         "3. Prompt, now, shown: beta\r\n", "4. Answer of m-1, complete, version 1 of 2, now, current: Second answer.\r\n",
	         "5. Answer of m-1, complete, version 2 of 2, below 3, now: Other answer.\r\n", "You: ",
	         "> /tree 5", "Answer 2 of 2.\r\n", "You: ", "> /tree label 4 the best", "Label: the best.", "You: ");
	lines_ask(&l, "/tree retry 2");
	SAYS(&l, "1 later turn is in another branch: /tree lists it.");
	CHECK(lines_sent(&l, "alpha") && !lines_sent(&l, "beta"), "%s", hand_body(l.server));
	hand_whole(l.server, "Third answer.", "stop");
	SAYS(&l, "Third answer.");
	SAYS(&l, "You: ");
	lines_ask(&l, "/tree edit 1 alpha too");
	CHECK(lines_sent(&l, "alpha too") && !lines_sent(&l, "First"), "%s", hand_body(l.server));
	hand_whole(l.server, "Fifth answer.", "stop");
	SAYS(&l, "Fifth answer.");
	SAYS(&l, "You: ");
	lines_close(&l);
}

static void branches_are_deleted_and_copied(void)
{
	struct lines l;

	lines_begin(&l);
	tell_turn(&l, "alpha", "First answer.");
	tell_turn(&l, "beta", "Second answer.");
	DIALOGUE(&l, "> /tree delete 3", "This deletes the prompt and its answer. Type yes to delete", "Delete? ", "> no", "Nothing was deleted.", "You: ",
	         "> /tree delete 3", "Delete? ", "> yes", "Deleted. /undo brings it back.", "You: ",
	         "> /tree", "2. Answer of m-1, complete, now, current: First answer.\r\n/tree N opens", "You: ",
	         "> /undo", "What was deleted is back.", "You: ", "> /tree copy 2", "A new conversation of 1 turn.", "You: ");
	lines_ask(&l, "gamma");
	CHECK(lines_sent(&l, "First answer.") && !lines_sent(&l, "beta"), "%s", hand_body(l.server));
	hand_whole(l.server, "Third answer.", "stop");
	SAYS(&l, "m-1: Third answer.");
	SAYS(&l, "You: ");
	DIALOGUE(&l, "> /undo", "The copy has gone on since", "You: ");
	lines_close(&l);
}

static void sources_are_told_behind_the_answer(void)
{
	struct lines l;

	lines_begin(&l);
	lines_ask(&l, "where?");
	hand_begin(l.server);
	hand_text(l.server, "See there.");
	hand_delta(l.server, "{\"annotations\":[{\"type\":\"url_citation\",\"url_citation\":{\"url\":\"https://a.org/x\",\"title\":\"A" POISON "\"}},"
	                     "{\"type\":\"url_citation\",\"url_citation\":{\"url\":\"https://a.org/x\",\"title\":\"B\"}}]}");
	hand_finish(l.server, "stop");
	SAYS(&l, "See there.\r\n");
	SAYS(&l, "Source 1: A");
	SAYS(&l, "https://a.org/x\r\nStatus: done");
	CHECK(!pty_has_written(l.pty, "Source 2") && !pty_has_written(l.pty, "\x1b]0;pwn"), "twice the same source, or its poison");
	lines_close(&l);
}

static void a_backslash_goes_on_in_the_next_line(void)
{
	struct lines l;

	lines_begin(&l);
	pty_send(l.pty, "one\\\n");
	SAYS(&l, "More: ");
	lines_ask(&l, "two");
	CU_ASSERT_TRUE(lines_sent(&l, "\"one\\ntwo\""));
	lines_close(&l);
}

static void reasoning_is_announced_and_can_be_read(void)
{
	struct lines l;

	lines_begin(&l);
	lines_ask(&l, "why?");
	hand_begin(l.server);
	hand_reasoning(l.server, "A secret thought.");
	hand_text(l.server, "Because.");
	hand_finish(l.server, "stop");
	SAYS(&l, "Reasoning, ");
	SAYS(&l, ", about 5 tokens.\r\nm-1: Because.\r\n");
	SAYS(&l, "You: ");
	CU_ASSERT_FALSE(pty_has_written(l.pty, "secret"));
	pty_send(l.pty, "/reasoning-text\n");
	SAYS(&l, "Reasoning 1:\r\nA secret thought.\r\nThat is all.");
	lines_close(&l);
}

static void calls_are_told_read_and_answered(void)
{
	struct lines l;

	lines_begin(&l);
	lines_ask(&l, "both");
	hand_begin(l.server);
	hand_delta(l.server, CALL(0, "call_a", "get_weather", "{\\\"city\\\": \\\"Lisbon\\\"}"));
	hand_delta(l.server, CALL(1, "call_b", "find_trains", "{}"));
	hand_finish(l.server, "tool_calls");
	DIALOGUE(&l,
	         "The model calls get_weather with {\"city\":\"Lisbon\"}.\r\n",
	         "The model calls find_trains without arguments.\r\n", "The model asks for 2 tool calls.\r\n",
	         "> /calls", "Tool call 1, get_weather:\r\n{\r\n  \"city\": \"Lisbon\"\r\n}\r\nTool call 2, find_trains:",
	         "> /answer", "Tool call 1 of 2. The model calls get_weather", "Result: ",
	         "> /later", "Left for later",
	         "> /answer", "Tool call 1 of 2.", "Result: ",
	         "> sunny", "Tool call 2 of 2. The model calls find_trains", "Result: ");
	lines_ask(&l, "/skip");
	CU_ASSERT_TRUE(lines_sent(&l, "sunny"));
	CU_ASSERT_TRUE(lines_sent(&l, "not to run"));
	SAYS(&l, "Sent back: the result of get_weather, 5 B.\r\nSent back as not run: find_trains.");
	hand_whole(l.server, "Go by car.", "stop");
	DIALOGUE(&l,
	         "m-1: Go by car.", "You: ",
	         "> /answer", "No tool call waits for an answer.");
	lines_ask(&l, "one more");
	hand_begin(l.server);
	hand_delta(l.server, CALL(0, "call_c", "get_weather", "{}"));
	hand_finish(l.server, "tool_calls");
	DIALOGUE(&l, "asks for 1 tool call", "> /answer", "Result: ", "> /quit"); /* no result, but the word that it is everywhere */
	PTY_ENDS(l.pty, 0);
	lines_drop(&l);
}

static void what_goes_wrong_is_told_in_the_pages_words(void)
{
	struct lines l;

	lines_begin(&l);
	lines_stream(&l, "one", "Half an ans");
	hand_close(l.server);
	SAYS(&l, "m-1: Half an ans\r\nAttention: The stream was cut after 11 characters: the connection closed without an end marker. What arrived is kept.\r\n");
	SAYS(&l, "Status: ended, about 3 tokens out");
	SAYS(&l, "/retry sends it again");
	lines_ask(&l, "/retry");
	hand_reply(l.server, 401, "application/json", "{\"error\":{\"message\":\"No such key.\"}}");
	DIALOGUE(&l,
	         "Attention: ", "401", "No such key (", "You: ",
	         "> /details", "outcome: error", "error: HTTP 401: No such key.");
	lines_close(&l);
}

static void ctrl_c_stops_and_twice_leaves(void)
{
	struct lines l;

	lines_begin(&l);
	lines_stream(&l, "go", "Much to say. ");
	SAYS(&l, "Much to say. ");
	pty_send(l.pty, "\x03");
	DIALOGUE(&l,
	         "You stopped the answer after 13 characters. What arrived is kept.", "You: ",
	         "> /id", "Response id: chatcmpl-hand", "You: ");
	pty_send(l.pty, "half a prompt\x03");
	SAYS(&l, "Ctrl-C again leaves weir");
	SAYS(&l, "You: ");
	pty_send(l.pty, "\x03");
	PTY_ENDS(l.pty, 0);
	PTY_RESTORED(l.pty);
	lines_drop(&l);
}

static void a_prompt_that_is_typed_meanwhile_waits_in_line(void)
{
	struct lines l;

	lines_begin(&l);
	lines_stream(&l, "first", "Wait. ");
	DIALOGUE(&l,
	         "Wait. ",
	         "> second", "Queued");
	hand_finish(l.server, "stop");
	SAYS(&l, "Status: done");
	SAYS(&l, "You: second\r\n");
	hand_say(l.server, "Now.");
	SAYS(&l, "m-1: Now.");
	lines_stream(&l, "third", "Hm. ");
	DIALOGUE(&l,
	         "Hm. ",
	         "> fourth", "Queued");
	hand_close(l.server);
	SAYS(&l, "Not sent, because the previous answer did not end well:\r\nfourth\r\n");
	lines_close(&l);
}

/* --- slash words --- */

static void menus_are_numbered(void)
{
	struct lines l;

	lines_begin(&l);
	DIALOGUE(&l,
	         "> /protocol", "1. openai-chat, its default, the current one\r\n2. anthropic\r\n", "Choice: ",
	         "> 7", "No item has that name or number.", "Choice: ",
	         "> 2", "protocol anthropic from the next turn on.", "You: ",
	         "> /protocol openai-chat", "protocol openai-chat from the next turn on.",
	         "> /provider", "1. sansa, needs a base URL", "Choice: ",
	         "> demo", "provider demo from the next turn on.",
	         "> /provider", "demo, ready, the current one", "Choice: ",
	         "> ", "Nothing was changed.",
	         "> /theme", "There are no themes here");
	lines_close(&l);
}

/* Lines of an answer that streams stand together: the label of an open question follows them. */
static void an_open_question_leaves_an_answer_whole(void)
{
	struct lines l;

	lines_begin(&l);
	lines_stream(&l, "go", "One. ");
	DIALOGUE(&l, "One. ", "> /protocol", "Type a number or a name, or an empty line to leave.\r\n", "> 1", "protocol openai-chat from the next turn on.");
	hand_finish(l.server, "stop");
	SAYS(&l, "Status: done");
	SAYS(&l, "You: ");
	CU_ASSERT_FALSE(pty_has_written(l.pty, "still open"));
	lines_stream(&l, "again", "Two. ");
	DIALOGUE(&l, "Two. ", "> /protocol", "Type a number or a name, or an empty line to leave.\r\n");
	hand_text(l.server, "Three.\nFour.\nFive");
	SAYS(&l, "Four.\r\n");
	CU_ASSERT_FALSE(pty_has_written(l.pty, "Choice: "));
	hand_finish(l.server, "stop");
	SAYS(&l, "Five\r\nStatus: done");
	SAYS(&l, "The question before the end of the answer is still open.\r\nChoice: ");
	DIALOGUE(&l, "> 2", "protocol anthropic from the next turn on.\r\nYou: ");
	lines_close(&l);
}

/* Who is asked something else than expected is not caught in it. */
static void a_command_leaves_a_list_of_questions(void)
{
	struct lines l;

	lines_begin(&l);
	DIALOGUE(&l,
	         "> /protocol", "1. openai-chat", "Choice: ",
	         "> /cost", "There is no answer yet.", "You: ",
	         "> /parameters", "a command such as /help ends the questions.", "Value: ",
	         "> 0.5", "max_tokens: now", "Value: ",
	         "> /cost", "There is no answer yet.", "You: ",
	         "> /parameters", "temperature: now 0.5");
	lines_close(&l);
}

static void models_are_fetched_listed_and_found(void)
{
	struct lines l;
	char list[4096] = "{\"data\":[", *end = list + strlen(list);

	lines_begin(&l);
	pty_send(l.pty, "/model\n");
	SAYS(&l, "The models of hand are being fetched.");
	hand_accept(l.server);
	for (int i = 1; i <= 25; i++)
		end += sprintf(end, "{\"id\":\"%s-%d\"},", i == 24 ? "rare" : "model", i);
	strcpy(end - 1, "]}");
	hand_reply(l.server, 200, "application/json", list);
	SAYS(&l, "Models: hand, 25 models");
	SAYS(&l, "1. model-1\r\n2. ");
	SAYS(&l, "20 of 25.");
	SAYS(&l, "Choice: ");
	CU_ASSERT_FALSE(pty_has_written(l.pty, "21. "));
	DIALOGUE(&l,
	         "> rare", "24. rare-24\r\nChoice: ",
	         "> more", "21. ", "Choice: ",
	         "> 24", "model rare-24 from the next turn on.",
	         "> /model", "Choice: ",
	         "> unlisted", "model unlisted from the next turn on.");
	lines_ask(&l, "hi");
	CU_ASSERT_TRUE(lines_sent(&l, "\"unlisted\""));
	lines_close(&l);
}

static void slash_words_act(void)
{
	struct lines l;

	lines_begin(&l);
	home_write(l.home, "notes.txt", "the notes");
	char word[512];
	snprintf(word, sizeof word, "/attach %s\n", home_path(l.home, "notes.txt"));
	pty_send(l.pty, word);
	DIALOGUE(&l,
	         "notes.txt goes with the next prompt.",
	         "> /system Be brief.", "System prompt set",
	         "> /system", "System prompt: Be brief.; /system off removes it.",
	         "> /tools off", "No tools any more.",
	         "> /reasoning much", "/reasoning takes off, low, medium or high.",
	         "> /fold", "/fold belongs to the full screen.",
	         "> /modle", "There is no command /modle; the nearest is /model.",
	         "> /sessions", "o conversation is stored yet.",
	         "> /pause", "This works in a replay only.",
	         "> /cost", "There is no answer yet.",
	         "> /stop", "No answer is under way.",
	         "> /retry", "There is nothing to retry yet",
	         "> /help", "/reasoning-text: print the reasoning");
	lines_ask(&l, "/etc/passwd is what?");
	CU_ASSERT_TRUE(lines_sent(&l, "/etc/passwd is what?"));
	CU_ASSERT_TRUE(lines_sent(&l, "Be brief."));
	CU_ASSERT_TRUE(lines_sent(&l, "the notes"));
	SAYS(&l, "Attached: notes.txt, 9 B.");
	hand_whole(l.server, "A file.", "stop");
	DIALOGUE(&l,
	         "Status: done",
	         "> /new", "A new conversation.");
	lines_ask(&l, "again");
	CU_ASSERT_FALSE(lines_sent(&l, "A file."));
	hand_whole(l.server, "Yes.", "stop");
	DIALOGUE(&l,
	         "m-1: Yes.", "You: ",
	         "> /quit");
	PTY_ENDS(l.pty, 0);
	lines_drop(&l);
}

/* --- files --- */

#define SECRET "KEY-4711"

static void a_name_in_a_line_is_text(void)
{
	struct lines l;

	lines_begin(&l);
	home_write(l.home, "secret.txt", SECRET);
	lines_ask(&l, "look @~/secret.txt, @property");
	CU_ASSERT_FALSE(strstr(hand_body(l.server), SECRET) != NULL);
	CU_ASSERT_TRUE(lines_sent(&l, "look @~/secret.txt, @property"));
	SAYS(&l, "@~/secret.txt is text here. /attach ~/secret.txt adds that file to the next prompt.\r\n");
	hand_whole(l.server, "Where?", "stop");
	SAYS(&l, "You: ");
	CU_ASSERT_FALSE(pty_has_written(l.pty, "@property is"));
	lines_close(&l);
}

/* Lines that arrive together count as pasted: none of them causes a file to be read. */
static void lines_together_read_no_file(void)
{
	static const char *const pasted[] = { "/attach ~/secret.txt\n/id\n", "/id\n/attach ~/secret.txt\n", "/protocol\n/attach ~/secret.txt\n" };

	for (size_t i = 0; i < sizeof pasted / sizeof *pasted; i++) {
		struct lines l;

		lines_begin(&l);
		home_write(l.home, "secret.txt", SECRET);
		pty_send(l.pty, pasted[i]);
		SAYS(&l, "/attach reads a file, so it is accepted only from a terminal, in a line that arrives alone.");
		SAYS(&l, i == 0 ? "There is no answer yet." : "You: ");
		CU_ASSERT_FALSE(pty_has_written(l.pty, "goes with"));
		lines_close(&l);
	}
}

static void a_line_of_its_own_reads_a_file(void)
{
	struct lines l;

	lines_begin(&l);
	home_write(l.home, "secret.txt", SECRET);
	pty_send(l.pty, "/attach ~/secret.txt\n");
	SAYS(&l, "secret.txt goes with the next prompt.\r\nYou: ");
	lines_ask(&l, "look");
	CU_ASSERT_TRUE(lines_sent(&l, SECRET));
	hand_whole(l.server, "Seen.", "stop");
	SAYS(&l, "You: ");
	lines_close(&l);
}

static void resources_and_prompts_of_a_server(void)
{
	const char *const dialogue[] = {
		"> /attach fake:res:text", "reading fake:res:text ...\r\n", "fake:res:text, 14 B, goes with the next prompt; /attach shows it.\r\n",
		"> /attach fake:res:/none", "fake:res:/none was not read: it is", " not here.\r\n",
		"> /fake:ask", "fake:ask: it needs who: who [how].\r\n",
		"> /fake:ask me", "fake:ask: 2 messages in the input, whose roles stand before them.\r\n", "The prompt is: user:", "Me.\r\n",
		"An empty line sends it.\r\n", NULL,
	};
	char settings[600];
	struct lines l;

	snprintf(settings, sizeof settings, "[mcp fake]\ncommand = %s\n", mcp_server_path());
	lines_open(&l, settings, ARGS("--plain"), NULL);
	SAYS(&l, "You: ");
	lines_dialogue(&l, dialogue, __FILE__, __LINE__);
	lines_ask(&l, "");
	CU_ASSERT_TRUE(lines_sent(&l, "user:\\nWho?\\n\\nassistant:\\nMe."));
	CU_ASSERT_TRUE(lines_sent(&l, "the text of it"));
	hand_whole(l.server, "Seen.", "stop");
	SAYS(&l, "You: ");
	lines_close(&l);
}

/* --- when the linear mode is used --- */

static void a_dumb_terminal_gets_lines(void)
{
	const char *const *const cases[] = { LIST("TERM=dumb"), LIST("TERM=") };

	for (size_t i = 0; i < 2; i++) {
		struct lines l;

		lines_open(&l, "", NULL, cases[i]);
		SAYS(&l, "This terminal cannot place its cursor");
		SAYS(&l, "You: ");
		lines_close(&l);
	}
}

static void the_variable_accessible_is_heeded(void)
{
	struct lines l;

	lines_open(&l, "", LIST("chat"), LIST("ACCESSIBLE=1"));
	SAYS(&l, "weir, linear mode.");
	CU_ASSERT_FALSE(pty_has_written(l.pty, "cannot place"));
	SAYS(&l, "You: ");
	lines_close(&l);
	lines_open(&l, "", NULL, LIST("ACCESSIBLE=0"));
	PTY_SEES(l.pty, "A live view of what models say.");
	CU_ASSERT_TRUE(pty_is_alternate(l.pty));
	pty_send(l.pty, "\x03\x03");
	PTY_ENDS(l.pty, 0);
	lines_drop(&l);
}

/* --- pipes --- */

static bool holds(const struct program *p, const char *text)
{
	bool found = strstr(buf_z(&p->output), text) != NULL;

	if (!found)
		printf("\nnot said: %s\n%s\n", text, buf_z(&p->output));
	return found;
}

static void lines_of_a_pipe_are_taken_one_after_another(void)
{
	struct program p;
	struct hand *server = hand_new();
	const char *config = folder_file("weir.conf", hand_settings(server, ""));

	program_start(&p, ARGS("--plain", "--config", config), NULL);
	program_send(&p, STR("one\\\nmore\n/id\ntwo\n/protocol\n2"));
	program_end_input(&p);
	hand_say(server, "First.");
	hand_say(server, "Second.");
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CU_ASSERT_TRUE(holds(&p, "You: one\nmore\nStatus: "));
	CU_ASSERT_TRUE(holds(&p, "m-1: First.\nStatus: done, 12 tokens in, 34 tokens out"));
	CU_ASSERT_TRUE(holds(&p, "Response id: chatcmpl-hand\nYou: two\n"));
	CU_ASSERT_TRUE(holds(&p, "protocol anthropic from the next turn on.\n"));
	CHECK_STR(buf_str(&p.errors), "");
	CHECK_PLAIN(buf_str(&p.output));
	program_free(&p);
	hand_free(server);
	folder_remove();
}

/* Piped input is untrusted: its commands run, but it cannot cause a file to be read. */
static void a_pipe_has_no_file_read(void)
{
	static const char *const words[] = { "/attach", "/tools", "/schema" };
	struct program p;
	struct hand *server = hand_new();
	const char *config = folder_file("weir.conf", hand_settings(server, "")), *secret = folder_file("secret.txt", SECRET);
	char line[300];

	program_start(&p, ARGS("--plain", "--config", config), NULL);
	for (size_t i = 0; i < 3; i++) {
		snprintf(line, sizeof line, "%s %s\n", words[i], secret);
		program_send(&p, str_from(line));
	}
	snprintf(line, sizeof line, "look @%s\n", secret);
	program_send(&p, str_from(line));
	program_end_input(&p);
	hand_say(server, "Where?");
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	for (size_t i = 0; i < 3; i++) {
		snprintf(line, sizeof line, "%s reads a file, so it is accepted only from a terminal", words[i]);
		CU_ASSERT_TRUE(holds(&p, line));
	}
	CU_ASSERT_TRUE(holds(&p, "secret.txt is text here. weir ask --file sends a file."));
	CHECK(!strstr(hand_body(server), SECRET) && strstr(hand_body(server), "look @"), "%s", hand_body(server));
	program_free(&p);
	hand_free(server);
	folder_remove();
}

#define BODY \
	"data: {\"id\":\"i" POISON "\",\"model\":\"far" POISON "\",\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"r" POISON "\"}}]}\n\n" \
	"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"A" POISON "Z\\r\\nend. \"}}],\"routing\":{\"routed\":true,\"routed_model\":\"r" POISON "\",\"routing_latency_ms\":3}}\n\n" \
	"data: {\"choices\":[{\"index\":0,\"delta\":" CALL(0, "c" POISON, "n" POISON, "{\\\"a\\\":\\\"" POISON "\\\"}") "}]}\n\n" \
	"data: {\"error\":{\"message\":\"bad" POISON "\",\"code\":\"c" POISON "\"}}\n\n"

static void a_replay_is_a_transcript_without_control_bytes(void)
{
	struct program p;
	const char *file = folder_file("evil.sse", BODY);

	program_run(&p, STR("/reasoning-text\n/calls\n/details\n/id\nhello\n/retry\n"), ARGS("replay", "--plain", "--speed", "max", file), NULL);
	CU_ASSERT_EQUAL(p.status, 0);
	CU_ASSERT_TRUE(holds(&p, "Replay of evil.sse."));
	CU_ASSERT_TRUE(holds(&p, "Reasoning, about "));
	CU_ASSERT_TRUE(holds(&p, "Z\nend. \n"));
	CU_ASSERT_TRUE(holds(&p, "The model calls n"));
	CU_ASSERT_TRUE(holds(&p, "Attention: bad"));
	CU_ASSERT_TRUE(holds(&p, "Reasoning 1:\nr"));
	CU_ASSERT_TRUE(holds(&p, "Response id: i"));
	CU_ASSERT_TRUE(holds(&p, "This does not work in a replay."));
	CHECK_PLAIN(buf_str(&p.output));
	program_free(&p);
	folder_remove();
}

static void a_replay_without_input_ends_with_its_tape(void)
{
	struct program p;
	const char *file = folder_file("a.sse", "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Told.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");

	program_run(&p, STR(""), ARGS("replay", "--plain", file), NULL);
	CU_ASSERT_EQUAL(p.status, 0);
	CU_ASSERT_TRUE(holds(&p, ": Told.\nStatus: done"));
	program_free(&p);
	folder_remove();
}

static void who_stops_reading_ends_it_quietly(void)
{
	struct program p;

	program_start(&p, ARGS("--plain", "-p", "demo"), NULL);
	CU_ASSERT_TRUE(program_await_output(&p, "linear mode"));
	program_leave_output(&p);
	program_send(&p, STR("long\n"));
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CHECK_STR(buf_str(&p.errors), "");
	program_free(&p);
	folder_remove();
}

/* All of a plain file is there at once: no state follows the end. */
static void the_end_of_a_replay_is_the_last_state(void)
{
	struct program p;

	program_run(&p, STR_NONE, ARGS("replay", "--plain", folder_file("a.sse", "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},"
	            "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")), NULL);
	struct str behind = str_skip(buf_str(&p.output), str_find(buf_str(&p.output), STR("Status: done")));
	CHECK(behind.len && str_find(str_skip(behind, 8), STR("Status: ")) == behind.len - 8, "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

const struct suite suite_plain = { "plain", (const struct test[]){
	TEST(the_end_of_a_replay_is_the_last_state), TEST(a_turn_is_told_in_lines),
	TEST(lines_are_wrapped_at_words),
	TEST(branches_are_told_and_walked),
	TEST(branches_are_deleted_and_copied),
	TEST(sources_are_told_behind_the_answer),
	TEST(a_backslash_goes_on_in_the_next_line),
	TEST(reasoning_is_announced_and_can_be_read),
	TEST(calls_are_told_read_and_answered),
	TEST(what_goes_wrong_is_told_in_the_pages_words),
	TEST(ctrl_c_stops_and_twice_leaves),
	TEST(a_prompt_that_is_typed_meanwhile_waits_in_line),
	TEST(menus_are_numbered), TEST(an_open_question_leaves_an_answer_whole), TEST(a_command_leaves_a_list_of_questions),
	TEST(models_are_fetched_listed_and_found),
	TEST(slash_words_act),
	TEST(a_name_in_a_line_is_text),
	TEST(lines_together_read_no_file),
	TEST(a_line_of_its_own_reads_a_file), TEST(resources_and_prompts_of_a_server),
	TEST(a_dumb_terminal_gets_lines),
	TEST(the_variable_accessible_is_heeded),
	TEST(lines_of_a_pipe_are_taken_one_after_another),
	TEST(a_pipe_has_no_file_read),
	TEST(a_replay_is_a_transcript_without_control_bytes),
	TEST(a_replay_without_input_ends_with_its_tape),
	TEST(who_stops_reading_ends_it_quietly),
	{ 0 },
} };
