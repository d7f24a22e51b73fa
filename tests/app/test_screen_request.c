/* The request of a turn: shown, copied, and sent again as edited, on the full screen and in the linear mode. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lines.h"
#include "stage.h"
#include "support/check.h"

/* An editor that puts the file $OUT/new in the place of what it gets, which it keeps. Without that file it changes nothing. */
#define EDITOR "#!/bin/sh\ncp \"$1\" \"$OUT/got\"\n[ ! -f \"$OUT/new\" ] || cp \"$OUT/new\" \"$1\"\necho \"$1\" > \"$OUT/name\"\n"

#define EDITED "{\n\t\"model\":   \"m-2\",\n\t\"messages\": [{\"role\":\"user\",\"content\":\"it's $HOME\"}],\n\t\"n\": 1.0, \"stream\": true\n}\n"
#define BROKEN "{\n  \"model\": \"m-2\",\n  oops\n}\n"
#define MARK "Sent as edited: the request's JSON was changed by hand."

static char *folder;
static char out[300], editor[300];

static const char *const *set(void)
{
	static const char *variables[4];

	folder = home_new();
	snprintf(out, sizeof out, "OUT=%s", folder);
	chmod(home_write(folder, "edit.sh", EDITOR), 0700);
	snprintf(editor, sizeof editor, "EDITOR=%s", home_path(folder, "edit.sh"));
	variables[0] = out;
	variables[1] = editor;
	variables[2] = "BOX_API_KEY=sk-0123456789abcdef";
	return variables;
}

static bool got(const char *part)
{
	struct buf text = { 0 };
	struct error err = { "" };
	bool has;

	CHECK(buf_read_file(&text, home_path(folder, "got"), &err), "%s", err.text);
	has = str_find(buf_str(&text), str_from(part)) < text.len;
	buf_fini(&text);
	return has;
}

static void open_and_ask(struct stage *s, const char *settings)
{
	stage_open(s, &(struct stage_options){ .environment = set(), .settings = settings, .columns = 110, .rows = 40 });
	stage_turn(s, "hello", "Good day.");
}

static void close_all(struct stage *s)
{
	stage_close(s);
	home_free(folder);
}

static void the_sheet_shows_request_and_response(void)
{
	struct stage s;

	open_and_ask(&s, "auth = bearer\nkey_env = BOX_API_KEY\n");
	pty_send(s.pty, K_ALT("o"));
	PTY_SEES(s.pty, "Request of the last turn");
	PTY_SEES(s.pty, "POST http://127.0.0.1:");
	PTY_SEES(s.pty, "authorization: Bearer $BOX_API_KEY");
	PTY_SEES(s.pty, "HTTP 200");
	PTY_SEES(s.pty, "connection: HTTP/1.1");
	PTY_SEES(s.pty, "first byte");
	PTY_SEES(s.pty, "\"content\": \"hello\"");
	pty_send(s.pty, K_END);
	PTY_SEES(s.pty, "As a command");
	PTY_SEES(s.pty, "-H 'authorization: Bearer '\"$BOX_API_KEY\"");
	CU_ASSERT(!pty_shows(s.pty, "sk-0123"));
	pty_send(s.pty, "c");
	PTY_SEES(s.pty, "characters, to the terminal");
	pty_send(s.pty, "y");
	PTY_SEES(s.pty, "sent the request's JSON, 1");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Request of the last turn");
	pty_send(s.pty, K_CTRL('o'));
	PTY_SEES(s.pty, "Details of the last turn");
	PTY_SEES(s.pty, "connection: HTTP/1.1");
	pty_send(s.pty, "o");
	PTY_SEES(s.pty, "Request of the last turn");
	pty_send(s.pty, K_ESC);
	close_all(&s);
}

/* From the exchange, before anything has come. It cannot be sent again yet. */
static void a_running_request_is_shown(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .environment = set(), .columns = 110, .rows = 40, .top = "tapes = 0\n" });
	CU_ASSERT(stage_ask(&s, "hello"));
	pty_send(s.pty, K_ALT("o"));
	PTY_SEES(s.pty, "\"content\": \"hello\"");
	PTY_SEES(s.pty, "curl -N");
	pty_send(s.pty, "e");
	PTY_SEES(s.pty, "an answer is under way");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Request of the last turn");
	hand_whole(s.server, "Good day.", "stop");
	PTY_SEES(s.pty, "Good day.");
	STAGE_OVER(&s);
	pty_send(s.pty, K_ALT("o")); /* it is over, and there is no tape */
	PTY_SEES(s.pty, "the request is not known: there is no recording of the answer");
	close_all(&s);
}

#define TAPE_TEXT \
	"{\"weir_tape\":1,\"protocol\":\"anthropic\",\"provider\":\"far\",\"model\":\"asked\",\"url\":\"https://far.example/v1/messages\"," \
	"\"request\":{\"model\":\"asked\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"from afar\"}]}}\n" \
	"{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\",\"http\":\"2\",\"timings\":{\"name_ms\":1.5,\"first_byte_ms\":400,\"reused\":false}}}\n" \
	"{\"t\":2,\"body\":\"event: message_start\\ndata: {\\\"type\\\":\\\"message_start\\\",\\\"message\\\":{\\\"id\\\":\\\"a1\\\",\\\"model\\\":\\\"m\\\"}}\\n\\n\"}\n" \
	"{\"t\":3,\"end\":\"cut\"}\n"

/* From the tape that is played. Nothing is sent. */
static void a_replay_shows_the_request_of_its_tape(void)
{
	struct stage s = { .home = home_new() };
	const char *tape = home_write(s.home, "a.tape", TAPE_TEXT);

	s.pty = pty_start(&(struct pty_options){ .home = s.home, .arguments = LIST("replay", "--speed", "max", tape), .columns = 110, .rows = 40 });
	PTY_SEES(s.pty, "the connection closed");
	pty_send(s.pty, K_ALT("o"));
	PTY_SEES(s.pty, "POST https://far.example/v1/messages");
	PTY_SEES(s.pty, "x-api-key: $API_KEY");
	PTY_SEES(s.pty, "connection: HTTP/2, name 1.5 ms, first byte 400.0 ms");
	pty_send(s.pty, "e");
	PTY_SEES(s.pty, "a replay");
	pty_free(s.pty);
	home_free(s.home);
}

static void an_edited_request_is_sent_as_it_is(void)
{
	struct stage s;

	open_and_ask(&s, NULL);
	home_write(folder, "new", EDITED);
	pty_send(s.pty, "/request edit\r");
	CU_ASSERT_FATAL(hand_accept(s.server));
	CHECK_STR(str_from(hand_body(s.server)), EDITED);
	CU_ASSERT(got("{\n  \"model\": \"m-1\",\n"));
	hand_whole(s.server, "Another one.", "stop");
	PTY_SEES(s.pty, "Another one.");
	PTY_SEES(s.pty, MARK);
	PTY_SEES(s.pty, "2/2");
	PTY_SEES(s.pty, "m-2");
	STAGE_OVER(&s);
	pty_send(s.pty, "/request\r"); /* the tape has it */
	PTY_SEES(s.pty, "\"content\": \"it's $HOME\"");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Request of the last turn");
	pty_send(s.pty, K_ALT("<"));
	PTY_SEES(s.pty, "Good day.");
	PTY_LOSES(s.pty, MARK);
	pty_send(s.pty, K_ALT(">"));
	PTY_SEES(s.pty, MARK);
	pty_send(s.pty, "/quit\r");
	PTY_ENDS(s.pty, 0);
	stage_restart(&s); /* the history has the mark */
	PTY_SEES(s.pty, "goes on with");
	pty_send(s.pty, "/resume\r");
	PTY_SEES(s.pty, "Enter open");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "Another one.");
	PTY_SEES(s.pty, MARK);
	close_all(&s);
}

static void what_cannot_be_sent_is_kept_for_the_next_edit(void)
{
	struct stage s;

	open_and_ask(&s, NULL);
	home_write(folder, "new", BROKEN);
	pty_send(s.pty, K_ALT("o"));
	PTY_SEES(s.pty, "Request of the last turn");
	pty_send(s.pty, "e");
	PTY_SEES(s.pty, "not sent: line 3, column 3: this is not JSON; /request edit goes on with the edited text");
	CU_ASSERT(pty_shows(s.pty, "Request of the last turn"));
	home_write(folder, "new", EDITED);
	pty_send(s.pty, "e");
	CU_ASSERT_FATAL(hand_accept(s.server));
	CU_ASSERT(got(BROKEN));
	CHECK_STR(str_from(hand_body(s.server)), EDITED);
	hand_whole(s.server, "Another one.", "stop");
	PTY_SEES(s.pty, "Another one.");
	PTY_LOSES(s.pty, "Request of the last turn");
	close_all(&s);
}

static void what_is_not_changed_is_not_sent(void)
{
	struct stage s;

	open_and_ask(&s, NULL);
	pty_send(s.pty, "/request edit\r");
	PTY_SEES(s.pty, "nothing was changed, so nothing was sent");
	CU_ASSERT(!pty_shows(s.pty, "2/2"));
	pty_send(s.pty, "/protocol anthropic\r");
	PTY_SEES(s.pty, "protocol anthropic from the next turn on");
	pty_send(s.pty, "/request edit\r");
	PTY_SEES(s.pty, "choose them again");
	pty_send(s.pty, "/request \t");
	PTY_SEES(s.pty, "a command that sends it again");
	pty_send(s.pty, "xml\r");
	PTY_SEES(s.pty, "it can be curl, json or edit");
	close_all(&s);
}

static void a_refusal_of_it_is_not_repaired(void)
{
	struct stage s;

	open_and_ask(&s, NULL);
	home_write(folder, "new", EDITED);
	pty_send(s.pty, "/request edit\r");
	CU_ASSERT_FATAL(hand_accept(s.server));
	hand_reply(s.server, 400, "application/json", "{\"error\":{\"message\":\"Unknown parameter: 'stream_options'.\"}}");
	PTY_SEES(s.pty, "Unknown parameter");
	PTY_SEES(s.pty, MARK);
	CU_ASSERT(!pty_shows(s.pty, "sent again"));
	close_all(&s);
}

static void the_linear_mode_edits_it_too(void)
{
	struct lines l;

	lines_open(&l, "", LIST("--plain"), set());
	SAYS(&l, "You: ");
	lines_stream(&l, "hello", "Good day.");
	hand_finish(l.server, "stop");
	SAYS(&l, "You: ");
	home_write(folder, "new", BROKEN);
	pty_send(l.pty, "/request edit\r");
	SAYS(&l, "Not sent: line 3, column 3: this is not JSON; /request edit goes on with the edited text.");
	SAYS(&l, "You: ");
	home_write(folder, "new", EDITED);
	pty_send(l.pty, "/request edit\r");
	CU_ASSERT_FATAL(hand_accept(l.server));
	CU_ASSERT(got(BROKEN));
	CHECK_STR(str_from(hand_body(l.server)), EDITED);
	hand_whole(l.server, "Another one.", "stop");
	SAYS(&l, "sent as edited.");
	SAYS(&l, "m-2 -> m-1: Another one.");
	SAYS(&l, MARK);
	SAYS(&l, "You: ");
	lines_close(&l);
	home_free(folder);
}

const struct suite suite_screen_request = { "screen_request", (const struct test[]){
	TEST(the_sheet_shows_request_and_response), TEST(a_running_request_is_shown), TEST(a_replay_shows_the_request_of_its_tape),
	TEST(an_edited_request_is_sent_as_it_is), TEST(what_cannot_be_sent_is_kept_for_the_next_edit),
	TEST(what_is_not_changed_is_not_sent), TEST(a_refusal_of_it_is_not_repaired), TEST(the_linear_mode_edits_it_too), { 0 } } };
