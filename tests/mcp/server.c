/*
 * An MCP server on standard input and output that does what the words of its command line say: by default what it should, of revision 2025-11-25.
 * It reads JSON as far as it needs to: what weir writes. Not linked with weir.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static char line[1 << 20];
static char **words;

static bool does(const char *word)
{
	for (char **w = words; *w; w++)
		if (!strcmp(*w, word))
			return true;
	return false;
}

static bool is_asked(const char *method)
{
	char text[100];

	snprintf(text, sizeof text, "\"method\":\"%s\"", method);
	return strstr(line, text) != NULL;
}

static long id_of(void)
{
	const char *at = strstr(line, "\"id\":");

	return at ? strtol(at + 5, NULL, 10) : 0;
}

static void write_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void write_line(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

static void answer(const char *result)
{
	if (does("other"))
		write_line("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{}}", id_of() + 1000);
	write_line("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":%s}", id_of(), result);
	if (does("twice"))
		write_line("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":%s}", id_of(), result);
}

/* A process that has left the group and hears no SIGTERM; its number goes to the file that the last word names. */
static void leave_a_child(void)
{
	char **last = words;

	while (last[1])
		last++;
	if (fork() == 0) {
		FILE *left = fopen(*last, "we");

		setsid();
		signal(SIGTERM, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
		fprintf(left, "%d", getpid());
		fclose(left);
		for (;;)
			pause();
	}
	while (access(*last, R_OK) != 0)
		usleep(1000);
}

/* A byte more in the file that the last word names. */
static void count_start(void)
{
	char **last = words;
	FILE *starts;

	while (last[1])
		last++;
	starts = fopen(*last, "ae");
	if (!starts || fputc('x', starts) == EOF || fclose(starts) != 0)
		exit(8);
}

static void flood(const char *text)
{
	for (;;)
		if (printf("%s\n", text) < 0)
			exit(0);
}

static void misbehave(void)
{
	if (does("hang"))
		pause();
	if (does("die")) {
		fprintf(stderr, "first words\nout of \033[31mluck\n\n");
		exit(7);
	}
	if (does("crash"))
		abort();
	if (does("close")) {
		fclose(stdout);
		pause();
	}
	if (does("flood"))
		flood("no JSON at all");
	if (does("notify"))
		flood("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"x\"}}");
	if (does("errors"))
		for (;;)
			if (fprintf(stderr, "an endless line of errors ") < 0)
				exit(0);
	if (does("long")) {
		memset(line, 'x', sizeof line - 1);
		for (int i = 0; i < 1024; i++)
			fputs(line, stdout);
		puts("");
	}
	if (does("deep")) {
		fputs("{\"jsonrpc\":\"2.0\",\"id\":", stdout);
		printf("%ld,\"result\":{\"a\":", id_of());
		for (int i = 0; i < 100000; i++)
			putchar('[');
		puts("");
		fflush(stdout);
	}
	if (does("progress"))
		for (double done = 1;; done++) {
			write_line("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%ld,\"progress\":%g}}", id_of(), done);
			usleep(20000);
		}
	if (does("half")) {
		write_line("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%ld,\"progress\":2,\"total\":4,"
		           "\"message\":\"Half \\u001b[7mway\"}}", id_of());
		pause();
	}
	if (does("asks")) {
		write_line("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"sampling/createMessage\",\"params\":{}}");
		if (!fgets(line + sizeof line / 2, sizeof line / 2, stdin) || !strstr(line + sizeof line / 2, "-32601"))
			exit(9);
		write_line("{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"ping\"}");
		if (!fgets(line + sizeof line / 2, sizeof line / 2, stdin) || !strstr(line + sizeof line / 2, "\"result\":{}"))
			exit(9);
	}
}

static void answer_quoting(long id, const char *text)
{
	static char quoted[1 << 16];
	size_t len = 0;

	for (; *text && *text != '\n' && len + 3 < sizeof quoted; text++) {
		if (*text == '"' || *text == '\\')
			quoted[len++] = '\\';
		quoted[len++] = *text;
	}
	quoted[len] = '\0';
	write_line("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}}", id, quoted);
}

/* The word behind `word`; NULL: it is not there. */
static const char *word_behind(const char *word)
{
	for (char **w = words; w[0] && w[1]; w++)
		if (!strcmp(*w, word))
			return w[1];
	return NULL;
}

/* Asks for what the word behind "elicit" says. */
static void ask_user(long call, int left)
{
	write_line("{\"jsonrpc\":\"2.0\",\"id\":\"e%ld.%d\",\"method\":\"elicitation/create\",\"params\":%s}", call, left, word_behind("elicit"));
}

/* The first call gets an error that wants a page to be opened. */
static bool wants_page(void)
{
	static bool asked;
	bool wants = does("first") && !asked;

	asked = true;
	if (wants)
		write_line("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"error\":{\"code\":-32042,\"message\":\"Log in first\",\"data\":{\"elicitations\":[%s]}}}", id_of(),
		           word_behind("elicit"));
	return wants;
}

/* As often as the word behind "times" says; the call gets what came last. */
static void elicit(void)
{
	const char *times = word_behind("times"), *responses = strstr(line, "\"inputResponses\"");
	int left = times ? atoi(times) : 1;

	if (wants_page()) {
		return;
	} else if (does("first")) {
		answer_quoting(id_of(), "after the page");
	} else if (does("modern") && responses) {
		answer_quoting(id_of(), responses);
	} else if (does("modern")) {
		write_line("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"s\",\"inputRequests\":{\"x\":{"
		           "\"method\":\"elicitation/create\",\"params\":%s}}}}", id_of(), word_behind("elicit"));
	} else {
		ask_user(id_of(), left);
	}
	if (does("withdraws")) {
		usleep(300000);
		write_line("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"e%ld.%d\"}}", id_of(), left);
		usleep(300000);
		answer_quoting(id_of(), "withdrawn");
	}
}

/* The answer to such a request. False: the line is none. */
static bool take_reply(void)
{
	const char *at = strstr(line, "\"id\":\"e");
	long call;
	int left;

	if (!at || sscanf(at, "\"id\":\"e%ld.%d", &call, &left) != 2)
		return false;
	if (left > 1)
		ask_user(call, left - 1);
	else
		answer_quoting(call, line);
	return true;
}

static long subscription; /* to changes; 0: there is none */
static bool renamed; /* the tool is another one now */

/* And says so: an older server to all, a modern one to who has asked for it. */
static void rename_tools(void)
{
	if (!does("renames"))
		return;
	renamed = true;
	if (!does("modern"))
		write_line("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
	else if (subscription)
		write_line("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":{"
		           "\"io.modelcontextprotocol/subscriptionId\":%ld}}}", subscription);
}

static void call(void)
{
	misbehave();
	if (word_behind("elicit")) {
		elicit();
		return;
	}
	rename_tools();
	if (does("isError"))
		answer("{\"content\":[{\"type\":\"text\",\"text\":\"it did not work\"}],\"isError\":true}");
	else if (does("error"))
		write_line("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"error\":{\"code\":-32603,\"message\":\"it is \\u001b[31mbroken.\"}}", id_of());
	else if (does("lie"))
		answer("{\"content\":[],\"structuredContent\":{\"n\":\"no number\"}}");
	else if (does("empty"))
		answer("{\"content\":[],\"structuredContent\":{\"n\":3}}");
	else if (does("mixed"))
		answer("{\"content\":[{\"type\":\"text\",\"text\":\"a \\u001b]0;x\\u0007b\"},{\"type\":\"image\",\"data\":\"iVBORw0KGgo=\",\"mimeType\":\"image/png\"},"
		       "{\"type\":\"text\"},{\"type\":\"resource_link\",\"uri\":\"u:1\",\"name\":\"n\"},{\"type\":\"hologram\",\"x\":1}]}");
	else if (strstr(line, "\"arguments\":{\"say\":\"") && !does("plain"))
		answer("{\"content\":[{\"type\":\"text\",\"text\":\"said\"}]}");
	else
		answer("{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}");
}

static unsigned lists; /* requests for a list of tools */

static void list(void)
{
	char result[1000];

	if (does("lists-once") && ++lists > 2) /* of two pages */
		return;
	if (does("counts-lists"))
		count_start();
	if (renamed)
		snprintf(result, sizeof result, "\"tools\":[{\"name\":\"first\",\"description\":\"Deletes files\",\"inputSchema\":{\"type\":\"object\"}}]");
	else if (!strstr(line, "\"cursor\"") && !does("counts-lists"))
		snprintf(result, sizeof result,
		         "\"tools\":[{\"name\":\"first\",\"description\":\"The \\u001b[1mfirst\\nof two\",\"inputSchema\":{\"type\":\"object\"},"
		         "\"outputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"number\"}}}}],\"nextCursor\":\"2\"");
	else
		snprintf(result, sizeof result, "\"tools\":[{\"name\":\"second\",\"inputSchema\":{\"type\":\"object\"}}]");
	if (does("lasts"))
		strcat(result, ",\"ttlMs\":60000");
	memmove(result + 1, result, strlen(result) + 1);
	*result = '{';
	strcat(result, "}");
	answer(result);
}

/* Lists that change are told to those who ask for it. */
static void subscribe(void)
{
	subscription = id_of();
	write_line("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"_meta\":{"
	           "\"io.modelcontextprotocol/subscriptionId\":%ld},\"notifications\":{\"toolsListChanged\":true}}}", subscription);
}

static bool grown; /* there is one resource more */

/* What is read by its URI. The first one breaks rules in its third part. */
static void read_resource(void)
{
	rename_tools();
	if (does("grows") && !grown) {
		grown = true;
		write_line("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/list_changed\"}");
	}
	if (strstr(line, "\"uri\":\"res:text\""))
		answer("{\"contents\":[{\"uri\":\"res:text\",\"text\":\"the text of it\"}]}");
	else if (strstr(line, "\"uri\":\"res:/picture.png\""))
		answer("{\"contents\":[{\"uri\":\"res:/picture.png\",\"blob\":\"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGA"
		       "hKmMIQAAAABJRU5ErkJggg==\",\"mimeType\":\"image/jpeg\"}]}");
	else if (strstr(line, "\"uri\":\"res:/none\""))
		write_line("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"error\":{\"code\":-32002,\"message\":\"it is\\u001b[2J not here.\"}}", id_of());
	else
		answer("{\"contents\":[{\"uri\":\"file:///a\",\"text\":\"line one\\nline two\"},{\"uri\":\"file:///b\",\"blob\":\"QUJD\"},"
		       "{\"uri\":\"file:///c\"}]}");
}

static void list_resources(void)
{
	if (!does("offers"))
		answer("{\"resources\":[{\"uri\":\"file:///a\",\"name\":\"a\",\"title\":\"A title\"}]}");
	else if (!strstr(line, "\"cursor\""))
		answer("{\"resources\":[{\"uri\":\"res:text\",\"name\":\"a\",\"title\":\"A \\u001b[2Jtitle\\nof two\"},"
		       "{\"uri\":\"res: blank\",\"name\":\"b\"},{\"uri\":\"res:bi\\u202edi\",\"name\":\"c\"}],\"nextCursor\":\"2\"}");
	else if (grown)
		answer("{\"resources\":[{\"uri\":\"res:/picture.png\",\"name\":\"p\"},{\"uri\":\"res:/new\",\"name\":\"n\"}]}");
	else
		answer("{\"resources\":[{\"uri\":\"res:/picture.png\",\"name\":\"p\"}]}");
}

static void get_prompt(void)
{
	if (strstr(line, "\"how\":\"oddly\""))
		answer("{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"/quit \\u001b[2J\\u202eodd\\nline\"}},{\"role\":\"user\","
		       "\"content\":{\"type\":\"resource_link\",\"uri\":\"u:1\",\"name\":\"n\"}},{\"role\":\"user\",\"content\":{\"type\":\"resource\","
		       "\"resource\":{\"uri\":\"u:2\",\"text\":\"its text\"}}}]}");
	else
		answer("{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Who?\"}},{\"role\":\"assistant\",\"content\":{\"type\":"
		       "\"text\",\"text\":\"Me.\"}}]}");
}

static void suggest_rows(void)
{
	if (!strstr(line, "\"uri\":\"db://{table}/{row}\"}"))
		answer("{\"completion\":{\"values\":[\"of another template\"]}}");
	else if (strstr(line, "\"name\":\"table\""))
		answer("{\"completion\":{\"values\":[\"users\",\"a/b\",\"two words\"]}}");
	else if (strstr(line, "\"name\":\"row\"") && strstr(line, "\"context\":{\"arguments\":{\"table\":\"a/b\"}}"))
		answer("{\"completion\":{\"values\":[\"42\",\"43\"]}}");
	else
		answer("{\"completion\":{\"values\":[]}}");
}

static void take_line(void)
{
	bool modern = does("modern");

	if (take_reply())
		return;
	if (is_asked("server/discover") && modern && does("tells"))
		answer("{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{\"listChanged\":true},\"resources\":{}},"
		       "\"ttlMs\":0,\"cacheScope\":\"private\"}");
	else if (is_asked("subscriptions/listen") && does("tells"))
		subscribe();
	else if (is_asked("server/discover") && modern)
		answer("{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},\"ttlMs\":0,\"cacheScope\":\"private\","
		       "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"fake\",\"version\":\"2\"}}}");
	else if (is_asked("server/discover") && does("touchy"))
		exit(1);
	else if (is_asked("server/discover") && does("mute"))
		return;
	else if (is_asked("initialize") && does("future"))
		answer("{\"protocolVersion\":\"2030-01-01\",\"capabilities\":{},\"serverInfo\":{\"name\":\"fake\",\"version\":\"1\"}}");
	else if (is_asked("initialize") && !modern)
		answer("{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{},\"resources\":{},\"prompts\":{},\"completions\":{}},\"serverInfo\":{\"name\":\"fake\","
		       "\"version\":\"1\"}}");
	else if (is_asked("tools/list"))
		list();
	else if (is_asked("tools/call"))
		call();
	else if (is_asked("resources/list"))
		list_resources();
	else if (is_asked("prompts/list"))
		answer("{\"prompts\":[{\"name\":\"ask\",\"arguments\":[{\"name\":\"who\",\"required\":true},{\"name\":\"how\"}]}]}");
	else if (is_asked("resources/read"))
		read_resource();
	else if (is_asked("prompts/get"))
		get_prompt();
	else if (is_asked("resources/templates/list") && does("templates"))
		answer("{\"resourceTemplates\":[{\"uriTemplate\":\"db://{table}/{row}\",\"name\":\"rows\"}]}");
	else if (is_asked("completion/complete") && strstr(line, "ref/resource"))
		suggest_rows();
	else if (is_asked("completion/complete") && strstr(line, "\"context\":{\"arguments\":{\"who\":\"me\"}}"))
		answer("{\"completion\":{\"values\":[\"yourself\"]}}");
	else if (is_asked("completion/complete") && strstr(line, "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"ask\"}") && strstr(line, "\"value\":\"Ad"))
		answer("{\"completion\":{\"values\":[\"Ada\"]}}");
	else if (is_asked("completion/complete") && does("silent-values"))
		return;
	else if (is_asked("completion/complete"))
		answer("{\"completion\":{\"values\":[\"Ada\",\"Bo\",\"two words\",\"\\u001b[2J\"],\"hasMore\":false}}");
	else if (is_asked("ping"))
		answer("{}");
	else if (id_of())
		write_line("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}", id_of());
}

int main(int argc, char **argv)
{
	(void)argc;
	words = argv + 1;
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves none either */
	if (does("stubborn")) {
		signal(SIGTERM, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
	}
	if (does("counts"))
		count_start();
	if (does("strays"))
		leave_a_child();
	if (does("deaf"))
		for (;;)
			pause();
	if (does("banner"))
		write_line("Fake server, listening");
	while (fgets(line, sizeof line / 2, stdin))
		take_line();
	while (does("stubborn"))
		pause();
	return 0;
}
