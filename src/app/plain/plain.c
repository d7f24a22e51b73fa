#include "app/plain/plain.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "app/mention.h"
#include "app/output.h"
#include "app/recording.h"
#include "app/signals.h"
#include "base/last_words.h"
#include "base/mem.h"
#include "ui/term/terminfo.h"

#define TELL_INTERVAL_MS 50 /* news are gathered for so long, which makes whole sentences likelier */
#define READ_SIZE 65536
#define ALONE_MS 100        /* nobody types two lines within that time */
#define OFFERED_MOST 3      /* files that a prompt names and that are told */

/* --- whether --- */

static bool terminal_is_dumb(void)
{
	return isatty(STDOUT_FILENO) && !terminfo_places_cursor(process_environment("TERM"));
}

static bool is_asked_for(const struct options *o)
{
	const char *accessible = process_environment("ACCESSIBLE");

	return o->plain || (accessible && *accessible && strcmp(accessible, "0") != 0);
}

bool plain_is_wanted(const struct options *o)
{
	return is_asked_for(o) || terminal_is_dumb();
}

/* --- what is typed --- */

void plain_say(void *plain, const char *sentence)
{
	struct plain *p = plain;
	size_t len = strlen(sentence);

	plain_tell_line(&p->tell, len && strchr(".!?", sentence[len - 1]) ? "%s" : "%s.", sentence);
}

struct actor plain_actor(struct plain *p)
{
	return (struct actor){ .setup = &p->setup, .session = p->session, .replay = p->tape != NULL, .say = plain_say, .ctx = p };
}

/* How the files could be attached that a prompt names. */
static void offer_files(struct plain *p, struct str prompt)
{
	struct str mention;

	plain_tell_follow(&p->tell, session_conversation(p->session));
	for (size_t at = 0, told = 0; told < OFFERED_MOST && mention_next(prompt, &at, &mention);) {
		struct str path = mention_likely_path(mention);

		told += path.len > 0;
		if (path.len && p->types)
			plain_tell_line(&p->tell, "@%.*s is text here. /attach %.*s adds that file to the next prompt.", STR_ARG(path), STR_ARG(path));
		else if (path.len)
			plain_tell_line(&p->tell, "@%.*s is text here. weir ask --file sends a file.", STR_ARG(path));
	}
}

static void send_prompt(struct plain *p, struct str prompt)
{
	struct actor actor = plain_actor(p);
	struct error err = { "" };
	bool live = session_live(p->session) != NULL;

	if (!act_asks(&actor))
		return;
	if (!live && !*p->setup.target.model) {
		plain_tell_line(&p->tell, "No model is chosen yet, so nothing was sent.");
		plain_open_menu(p, PLAIN_MODELS);
		return;
	}
	p->tell.typed = p->types && !live;
	if (!session_send(p->session, prompt, &err)) {
		plain_say(p, err.text);
		p->tell.typed = false;
		return;
	}
	if (live)
		plain_tell_line(&p->tell, "In line: it is sent when the answer has ended.");
	offer_files(p, prompt);
}

static void take_line(struct plain *p, struct str line)
{
	static void (*const takers[])(struct plain *p, struct str line) = {
		[PLAIN_CHOICE] = plain_take_choice, [PLAIN_RESULT] = plain_take_result,
	};
	p->interrupted = false;
	if (p->asking != PLAIN_PROMPT)
		takers[p->asking](p, line);
	else if (!str_is_blank(line) && !(str_starts(str_trim(line), "/") && plain_run(p, line)))
		send_prompt(p, line);
}

/* Whoever types is heard at any time; lines of a pipe wait until what came before them is done. */
static bool takes_lines(const struct plain *p)
{
	return p->types || (!session_live(p->session) && !(p->asking == PLAIN_CHOICE && p->menu.waits));
}

static bool next_line(struct plain *p, struct str *line)
{
	size_t before = p->input.lines;
	bool whole = plain_input_take(&p->input, p->input_over, line);

	if (p->types && p->input.lines > before)
		plain_tell_echoed(&p->tell, true);
	return whole;
}

/* --- lines that come alone --- */

/* What was pasted comes as lines together. A slash word that reads a file waits until it is clear that none comes behind it. */
static bool is_held(struct plain *p, struct str line)
{
	if (!p->types || !plain_reads_file(line))
		return false;
	buf_clear(&p->held);
	p->held_reads = p->reads;
	return buf_add(&p->held, line);
}

static int64_t held_deadline(const struct plain *p)
{
	return p->held.len ? p->read_ms + ALONE_MS : NO_DEADLINE;
}

/* False while it waits on. */
static bool take_held(struct plain *p, int64_t now_ms)
{
	bool others = p->reads != p->held_reads || p->input.bytes.len || p->gap_ms < ALONE_MS;

	if (!others && !p->input_over && now_ms < held_deadline(p))
		return false;
	struct str line = buf_str(&p->held);
	char *copy = str_dup(line);
	buf_clear(&p->held);
	p->alone = !others;
	take_line(p, str_of(copy, line.len));
	p->alone = false;
	mem_free(copy);
	return true;
}

static bool take_next(struct plain *p, int64_t now_ms)
{
	struct str line;

	if (p->held.len)
		return take_held(p, now_ms);
	if (!next_line(p, &line))
		return false;
	if (!is_held(p, line))
		take_line(p, line);
	return true;
}

static void take_lines(struct plain *p, int64_t now_ms)
{
	while (!p->quit && takes_lines(p) && take_next(p, now_ms))
		continue;
	if (p->input.too_long)
		plain_tell_line(&p->tell, "What was typed or piped is too long: the end of it was left out.");
	p->input.too_long = false;
	if (p->input_over && takes_lines(p))
		p->quit = true;
}

static size_t input_fds(void *ctx, struct pollfd *fds, size_t room)
{
	const struct plain *p = ctx;

	if (!room || p->input_over || !takes_lines(p))
		return 0;
	fds[0] = (struct pollfd){ .fd = STDIN_FILENO, .events = POLLIN };
	return 1;
}

static void input_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct plain *p = ctx;
	char bytes[READ_SIZE];

	if (!count || !fds[0].revents)
		return;
	ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		p->input_over = true;
	if (n <= 0)
		return;
	p->gap_ms = now_ms - p->read_ms;
	p->read_ms = now_ms;
	p->reads++;
	plain_input_add(&p->input, str_of(bytes, (size_t)n));
}

/* --- signals --- */

/* Stop, else leave a menu, else hint; twice without a line between quits. */
static void interrupt(struct plain *p)
{
	bool twice = p->interrupted;

	p->interrupted = true;
	if (p->types)
		plain_tell_echoed(&p->tell, false); /* ^C */
	plain_input_drop(&p->input);
	buf_clear(&p->held);
	if (twice)
		p->quit = true;
	else if (session_live(p->session))
		session_stop(p->session);
	else if (p->asking != PLAIN_PROMPT)
		plain_tell_line(&p->tell, "Left. Ctrl-C again leaves weir.");
	else
		plain_tell_line(&p->tell, "Ctrl-C again leaves weir; Ctrl-D and /quit do too.");
	p->asking = PLAIN_PROMPT;
}

static void take_signals(void *ctx, struct signals came)
{
	struct plain *p = ctx;

	p->quit |= came.terminate != 0;
	p->ended_by = p->ended_by ? p->ended_by : came.terminate;
	if (came.resumed)
		p->prompted = false; /* other programs have written meanwhile */
	if (came.interrupt)
		interrupt(p);
}

/* --- models in the background --- */

static void models_ran(void *ctx)
{
	plain_models_came(ctx);
}

/* --- telling --- */

static bool is_paused(const struct plain *p)
{
	return p->tape && session_live(p->session) && tape_player_paused(exchange_player(session_exchange(p->session)));
}

static const char *state_of(const struct plain *p)
{
	static const char *const states[] = {
		[EXCHANGE_KEY] = "fetching the key", [EXCHANGE_CONNECTING] = "connecting", [EXCHANGE_WAITING] = "waiting",
		[EXCHANGE_STREAMING] = "streaming", [EXCHANGE_RETRYING] = "waiting to ask again", [EXCHANGE_OVER] = NULL,
	};
	const struct exchange *x = session_exchange(p->session);

	if (!x || !session_live(p->session))
		return NULL;
	if (p->tape)
		return is_paused(p) ? "paused" : "replaying";
	return states[exchange_state(x)];
}

static struct plain_quiet quiet_of(const struct plain *p, int64_t now_ms)
{
	const struct exchange *x = session_exchange(p->session);

	if (!x || p->tape || exchange_state(x) == EXCHANGE_RETRYING || exchange_state(x) == EXCHANGE_KEY)
		return (struct plain_quiet){ 0 };
	return (struct plain_quiet){ .ms = exchange_quiet_ms(x, now_ms), .limit_ms = exchange_quiet_limit_ms(x) };
}

/* Once for each wait; what is said of the state follows it. */
static void tell_retry(struct plain *p, int64_t now_ms)
{
	struct exchange_retry retry;
	const struct exchange *x = session_exchange(p->session);
	bool waits = x && exchange_retry(x, now_ms, &retry);

	if (waits && p->retry != retry.number)
		plain_tell_line(&p->tell, "Attention: %.*s. Asking again in %.1f seconds, %u of %u.", STR_ARG(retry.why),
		                (double)retry.wait_ms / 1000, retry.number, retry.most);
	p->retry = waits ? retry.number : session_live(p->session) ? p->retry : 0;
}

/* After a turn that came to a bad end those in line are not sent. */
static void give_back_queued(struct plain *p)
{
	if (session_live(p->session) || !session_queued(p->session))
		return;
	char *prompts = session_take_queued(p->session);
	plain_tell_line(&p->tell, "Not sent, because the answer before did not end well:");
	plain_tell_block(&p->tell, str_from(prompts));
	mem_free(prompts);
}

static void offer_what_helps(struct plain *p)
{
	const struct turn *t = session_last_answer(p->session);
	unsigned call = 0;
	const char *again = p->tape ? "" : "/retry sends it again, ", *prompt = p->tape ? "" : "/edit TEXT sends another prompt, ";

	if (turn_can_go_on(t) || outcome_is_trouble(t->outcome))
		plain_tell_line(&p->tell, "%s%s%s/details says more.", again, !p->tape && turn_can_go_on(t) ? "/continue has it go on, " : "",
		                prompt);
	if (!p->tape && session_waiting_call(p->session, &call))
		plain_tell_line(&p->tell, "/answer takes the results of the tool calls; with another prompt they go back as not run.");
	if (p->model_unknown && p->types)
		plain_open_menu(p, PLAIN_MODELS);
	p->model_unknown = false;
}

static void follow(struct plain *p, int64_t now_ms)
{
	bool was_live = session_live(p->session) != NULL;

	if (session_drain(p->session))
		p->last_told_ms = now_ms;
	plain_tell_follow(&p->tell, session_conversation(p->session));
	if (was_live && !session_live(p->session)) {
		offer_what_helps(p);
		give_back_queued(p);
	}
}

static void prompt(struct plain *p)
{
	static const char *const labels[] = { [PLAIN_PROMPT] = "You: ", [PLAIN_CHOICE] = "Choice: ", [PLAIN_RESULT] = "Result: " };
	bool waits = session_live(p->session) && p->asking == PLAIN_PROMPT;

	if (p->prompted && !p->tell.out.mid_line)
		p->prompted = false; /* something was told, or a line was typed */
	if (!p->types || waits || p->prompted || p->quit || p->held.len)
		return;
	plain_tell_prompt(&p->tell, p->input.goes_on ? "More: " : p->tape && p->asking == PLAIN_PROMPT ? "Command: " : labels[p->asking]);
	p->prompted = true;
}

static int64_t teller_deadline(void *ctx)
{
	const struct plain *p = ctx;
	int64_t news_ms = session_has_news(p->session) ? p->last_told_ms + TELL_INTERVAL_MS : NO_DEADLINE;
	int64_t work_ms = plain_tell_deadline(&p->tell), held_ms = held_deadline(p);

	work_ms = held_ms < work_ms ? held_ms : work_ms;
	return news_ms < work_ms ? news_ms : work_ms;
}

static void teller_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct plain *p = ctx;

	(void)fds, (void)count;
	take_lines(p, now_ms);
	plain_tell_follow(&p->tell, session_conversation(p->session)); /* the question before the states of its answer */
	tell_retry(p, now_ms);
	plain_tell_state(&p->tell, state_of(p));
	if (session_has_news(p->session) && now_ms >= p->last_told_ms + TELL_INTERVAL_MS)
		follow(p, now_ms);
	plain_tell_work(&p->tell, is_paused(p) ? NULL : session_live(p->session), quiet_of(p, now_ms), now_ms);
	take_lines(p, now_ms); /* those of a pipe go on when the turn has ended */
	prompt(p);
	p->quit |= p->tell.out.closed;
}

/* --- life --- */

static void turn_ended(void *ctx, struct turn *turn)
{
	struct plain *p = ctx;

	p->model_unknown |= turn->model_unknown;
}

static void greet(struct plain *p, const struct options *o)
{
	const struct target *target = &p->setup.target;

	if (!is_asked_for(o))
		plain_tell_line(&p->tell, "This terminal cannot place its cursor (TERM is \"%s\"), so weir writes lines.",
		                process_environment("TERM") ? process_environment("TERM") : "");
	if (p->tape)
		plain_tell_line(&p->tell, "weir, linear mode. Replay of %s. /help lists the commands.", p->tape_name);
	else
		plain_tell_line(&p->tell, "weir, linear mode. Provider %s, %s%s, protocol %s. /help lists the commands.", target->provider->name,
		                *target->model ? "model " : "no model chosen yet", target->model, target->protocol->name);
}

static void run(struct plain *p)
{
	struct signals_listener listener = { take_signals, p };
	struct loop *loop = p->setup.loop;
	struct loop_member signals = signals_member(&listener), session = session_member(p->session), models = model_list_member(&p->models);

	loop_add(loop, &signals);
	loop_add(loop, &(struct loop_member){ p, input_fds, NULL, input_run });
	loop_add(loop, &session);
	loop_add(loop, &models);
	loop_add(loop, &(struct loop_member){ p, NULL, teller_deadline, teller_run });
	prompt(p);
	while (!p->quit)
		loop_turn(loop);
	output_break(&p->tell.out);
}

int plain_main(const struct options *o, const struct tape *tape, const struct stream_options *stream, const char *tape_name)
{
	struct plain p = { .tape = tape, .tape_name = tape_name, .types = isatty(STDIN_FILENO) };
	struct error err = { "" };
	int status;

	last_words_guard();
	signals_open();
	if (!setup_init(&p.setup, o, &err)) {
		setup_fini(&p.setup);
		return usage_error("%s", err.text);
	}
	p.session = session_new(&p.setup, turn_ended, &p);
	p.models = (struct model_list){ .ran = models_ran, .ctx = &p };
	plain_tell_init(&p.tell, STDOUT_FILENO);
	plain_input_init(&p.input);
	buf_init(&p.held, BUF_LIMIT_DEFAULT);
	p.read_ms = -ALONE_MS;
	greet(&p, o);
	if (tape)
		session_replay(p.session, tape, stream, o->speed);
	run(&p);
	status = output_status(&p.tell.out, EXIT_DONE);
	if (p.ended_by)
		recording_tell_broken(session_live(p.session));
	plain_menu_fini(&p.menu);
	model_list_fini(&p.models);
	plain_input_fini(&p.input);
	buf_fini(&p.held);
	plain_tell_fini(&p.tell);
	session_free(p.session);
	setup_fini(&p.setup);
	signals_close();
	return p.ended_by ? EXIT_BY_SIGNAL + p.ended_by : status;
}
