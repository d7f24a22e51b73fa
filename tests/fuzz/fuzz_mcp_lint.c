/*
 * Any session of MCP in lint. Rules: what is found is a row of the table, about a message that was there, in a line of UTF-8 without C0; the same
 * session is judged in the same way again.
 *
 * input: the transport and how it ends; messages, a line each, those that begin with a byte of 1 are ours
 */
#include "base/utf8.h"
#include "fuzz.h"
#include "wire/mcp/mcp_lint.h"

struct judged { size_t messages, findings; uint64_t sum; };

static bool is_row(const struct mcp_rule *rule)
{
	for (size_t i = 0; mcp_rule_at(i); i++)
		if (mcp_rule_at(i) == rule)
			return true;
	return false;
}

static void on_finding(void *ctx, const struct mcp_rule *rule, size_t message, struct str words)
{
	struct judged *j = ctx;
	struct str rest = words;

	FUZZ_CHECK(is_row(rule), "a finding is of a rule");
	FUZZ_CHECK(message <= j->messages, "it is about a message that was there");
	FUZZ_CHECK(words.len && utf8_is_valid(words), "it is a sentence");
	while (rest.len) {
		uint32_t code = utf8_next(&rest);

		FUZZ_CHECK(code >= 0x20 && code != 0x7F, "without control bytes");
		j->sum = j->sum * 31 + code;
	}
	j->findings++;
	j->sum = j->sum * 31 + message + (uint64_t)(unsigned char)*rule->id;
}

static struct judged judge(struct str session, unsigned how)
{
	struct judged j = { 0 };
	struct mcp_lint *lint = mcp_lint_new(how & 1, on_finding, &j);
	struct str line;

	while (session.len && str_split(&session, '\n', &line)) {
		bool sent = str_starts(line, "\001");

		j.messages++;
		mcp_lint_message(lint, sent, str_skip(line, sent));
	}
	mcp_lint_end(lint, how & 2);
	mcp_lint_free(lint);
	return j;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	unsigned how = fuzz_byte(&in);
	struct buf session = { 0 };

	(void)utf8_repair(in.rest, &session); /* as the reader of a tape does */
	struct judged first = judge(buf_str(&session), how), again = judge(buf_str(&session), how);
	FUZZ_CHECK(first.findings == again.findings && first.sum == again.sum, "the same session has the same findings");
	buf_fini(&session);
	return 0;
}
