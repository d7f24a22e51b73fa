/* Roles, parameters and templates on the full screen and in the linear mode. */
#include <string.h>

#include "lines.h"
#include "stage.h"
#include "support/check.h"

#define SETTINGS \
	"[role coder]\nsystem = Write C.\ntemperature = 0.25\n[role broken]\nsystem_file = none.txt\n" \
	"[template translate]\nprompt = Into {1}: {input}\n[template plan]\nprompt = Make a plan.\nrole = coder\n"

static void a_role_is_chosen_and_shown(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = SETTINGS, .columns = 100 });
	pty_press(s.pty, "/role");
	PTY_SEES(s.pty, "Tab write it");
	pty_press(s.pty, "\t"); /* into the input, where the names are completed */
	PTY_SEES(s.pty, "temperature 0.25, system");
	pty_press(s.pty, "b");
	PTY_LOSES(s.pty, "temperature 0.25, system");
	PTY_SEES(s.pty, "Tab take");
	pty_press(s.pty, "\t");
	PTY_SEES(s.pty, "> /role broken");
	pty_press(s.pty, "\x15");
	pty_enter(s.pty, "/role");
	PTY_SEES(s.pty, "temperature 0.25, system");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "role coder (temperature 0.25, system) from the next turn on");
	PTY_SEES(s.pty, "role coder  system");
	stage_turn(&s, "hello", "Words.");
	CU_ASSERT(stage_sent(&s, "Write C."));
	CU_ASSERT(stage_sent(&s, "\"temperature\":0.25"));
	pty_enter(s.pty, "/role broken");
	PTY_SEES(s.pty, "role broken: cannot open");
	pty_enter(s.pty, "/role off");
	PTY_SEES(s.pty, "no role any more");
	PTY_LOSES(s.pty, "role coder");
	stage_turn(&s, "again", "More.");
	CU_ASSERT_FALSE(stage_sent(&s, "Write C."));
	stage_close(&s);
}

static void parameters_have_a_form(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = SETTINGS, .arguments = LIST("-r", "coder") });
	pty_enter(s.pty, "/params");
	PTY_SEES(s.pty, "\u2500 Parameters \u2500");
	PTY_SEES(s.pty, "now 0.25, [role coder]; a number from 0 to 2");
	pty_press(s.pty, "9\r");
	PTY_SEES(s.pty, "temperature = 9: it must be a number from 0 to 2");
	pty_press(s.pty, "\x7F" "1.5\r");
	PTY_SEES(s.pty, "parameters set, from the next turn on");
	PTY_SEES(s.pty, "  parameters");
	stage_turn(&s, "hello", "Words.");
	CU_ASSERT(stage_sent(&s, "\"temperature\":1.5"));
	pty_enter(s.pty, "/parameters off");
	PTY_SEES(s.pty, "no parameter is set here any more");
	stage_turn(&s, "again", "More.");
	CU_ASSERT(stage_sent(&s, "\"temperature\":0.25"));
	stage_close(&s);
}

/* The filled text is looked at before it is sent, and is no command. */
static void a_template_is_filled_into_the_input(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = SETTINGS "[template slash]\nprompt = /quit\n" });
	pty_enter(s.pty, "/template translate");
	PTY_SEES(s.pty, "template translate needs {1}");
	PTY_SEES(s.pty, "> /template translate");
	pty_enter(s.pty, "French good morning");
	PTY_SEES(s.pty, "> Into French: good morning");
	stage_turn(&s, "", "Bonjour.");
	CU_ASSERT(stage_sent(&s, "Into French: good morning"));
	pty_enter(s.pty, "/template plan");
	PTY_SEES(s.pty, "> Make a plan.");
	PTY_SEES(s.pty, "template plan: role coder");
	stage_turn(&s, "", "First.");
	CU_ASSERT(stage_sent(&s, "Write C."));
	pty_enter(s.pty, "/template slash");
	PTY_SEES(s.pty, "> /quit");
	stage_turn(&s, "", "Second.");
	CU_ASSERT(stage_sent(&s, "/quit"));
	stage_close(&s);
}

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
	         "> ", "The parameters are set, from the next turn on.", "> /role broken", "role broken: cannot open", "> /template",
	         "/template translate {1} {input}", "> /template translate French", "template translate needs {input}");
	CU_ASSERT(lines_ask(&l, "/template translate French hello"));
	SAYS(&l, "You: Into French: hello");
	CU_ASSERT(lines_sent(&l, "\"temperature\":0.5"));
	CU_ASSERT(lines_sent(&l, "Into French: hello"));
	lines_drop(&l);
}

const struct suite suite_screen_roles = { "screen_roles", (const struct test[]){
	TEST(a_role_is_chosen_and_shown), TEST(parameters_have_a_form), TEST(a_template_is_filled_into_the_input), TEST(a_chat_begins_with_a_template),
	TEST(the_linear_mode_has_them_too), { 0 } } };
