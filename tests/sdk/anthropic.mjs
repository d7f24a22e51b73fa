// Messages with the package @anthropic-ai/sdk.
import { call, kind, load, run, tool, url, whole } from "./sdk.mjs";

const Anthropic = load("@anthropic-ai/sdk").default;
const client = new Anthropic({ baseURL: url, apiKey: "none", maxRetries: 0 });

function takeBlock(got, block) {
	if (block.type === "text")
		got.text += block.text;
	if (block.type === "thinking")
		got.reasoning += block.thinking;
	if (block.type === "tool_use")
		got.tool_calls.push(call(block.name, block.input));
}

async function messages(got) {
	const request = {
		model: "m", max_tokens: 100, messages: [{ role: "user", content: "hello" }],
		tools: [{ name: tool.name, description: tool.description, input_schema: tool.schema }],
	};
	let message;

	if (whole) {
		message = await client.messages.create(request);
	} else {
		const stream = client.messages.stream(request);
		stream.on("text", (text) => { got.text += text; });
		message = await stream.finalMessage();
	}
	Object.assign(got, { text: "", finish_reason: message.stop_reason, id: message.id, model: message.model });
	message.content.forEach((block) => takeBlock(got, block));
	const usage = message.usage;
	const prompt = usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
	got.usage = { prompt_tokens: prompt, completion_tokens: usage.output_tokens, total_tokens: prompt + usage.output_tokens };
}

async function models(got) {
	for await (const model of client.models.list())
		got.text += model.id + "\n";
}

await run({ messages, models }[kind]);
