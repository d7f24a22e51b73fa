/* Roles, parameters and templates on the full screen and in the linear mode. */

#include "lines.h"
#include "stage.h"
#include "support/check.h"

#define SETTINGS \
	"[role coder]\nsystem = Write C.\ntemperature = 0.25\n[role broken]\nsystem_file = none.txt\n" \
	"[template translate]\nprompt = Into {1}: {input}\n[template plan]\nprompt = Make a plan.\nrole = coder\n"

static void a_chat_begins_with_a_template(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = SETTINGS, .arguments = LIST("chat", "-t", "translate", "Old English", "hi") });
	PTY_SEES(s.pty, "> Into Old English: hi");
	stage_close(&s);
}

static void the_linear_mode_has_them_too(void)
{
	struct lines l;

	lines_open(&l, SETTINGS, LIST("--plain"), NULL);
	SAYS(&l, "You: ");
	DIALOGUE(&l, "> /role", "1. coder, temperature 0.25, system", "2. broken, system", "Choice: ", "> 1", "role coder (temperature 0.25, system)",
	         "> /parameters", "temperature: now 0.25, [role coder]. It can be a number from 0 to 2.", "> 7",
	         "temperature = 7: it must be a number from 0 to 2.", "> 0.5", "max_tokens: now ", "> ", "reasoning: now not sent.", "> ", "top_p: now not sent.",
	         "> ", "server_tools: now not sent. It can be web_search, ", "> code", "openai-chat has no server tool code at hand", "> image", "thinking_budget: now not sent.", "> ", "> ", "> ", "> ", "> ", "> ", "> ", "extra: now not sent.", "> {\"n\":1}",
	         "The parameters are set, from the next turn on.", "> /role broken", "role broken: cannot open", "> /template",
	         "/template translate {1} {input}", "> /template translate French", "template translate needs {input}");
	CU_ASSERT(lines_ask(&l, "/template translate French hello"));
	SAYS(&l, "You: Into French: hello");
	CU_ASSERT(lines_sent(&l, "\"temperature\":0.5"));
	CU_ASSERT(lines_sent(&l, "\"n\":1"));
	CU_ASSERT(lines_sent(&l, "\"modalities\":[\"image\",\"text\"]"));
	CU_ASSERT(lines_sent(&l, "Into French: hello"));
	lines_drop(&l);
}

const struct suite suite_screen_roles = { "screen_roles", (const struct test[]){
 TEST(a_chat_begins_with_a_template),
	TEST(the_linear_mode_has_them_too), { 0 } } };
