// Ollama's chat with the package ollama.
import { call, kind, load, run, tool, url, whole } from "./sdk.mjs";

const { Ollama } = load("ollama");
const client = new Ollama({ host: url });

function take(got, line) {
	got.text += line.message?.content ?? "";
	got.reasoning += line.message?.thinking ?? "";
	got.tool_calls.push(...(line.message?.tool_calls ?? []).map((c) => call(c.function.name, c.function.arguments)));
	got.finish_reason = line.done_reason ?? got.finish_reason;
	got.model ??= line.model ?? null;
	if (line.done && line.eval_count !== undefined)
		got.usage = { prompt_tokens: line.prompt_eval_count, completion_tokens: line.eval_count, total_tokens: line.prompt_eval_count + line.eval_count };
}

async function chat(got) {
	const request = {
		model: "m", messages: [{ role: "user", content: "hello" }],
		tools: [{ type: "function", function: { name: tool.name, description: tool.description, parameters: tool.schema } }],
	};

	if (whole) {
		take(got, await client.chat(request));
	} else {
		for await (const line of await client.chat({ ...request, stream: true }))
			take(got, line);
	}
}

async function models(got) {
	const { models: list } = await client.list();

	got.text = list.map((model) => model.model + "\n").join("");
}

await run({ chat, models }[kind]);
