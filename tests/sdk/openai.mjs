// Chat Completions and Responses with the package openai.
import { call, kind, load, run, tool, url, whole } from "./sdk.mjs";

const { OpenAI } = load("openai");
const client = new OpenAI({ baseURL: url + "/v1", apiKey: "none", maxRetries: 0 });

function takeChatUsage(got, usage) {
	if (usage)
		got.usage = { prompt_tokens: usage.prompt_tokens, completion_tokens: usage.completion_tokens, total_tokens: usage.total_tokens };
}

// The SDK has no name for it: gateways use either.
function takeReasoning(got, message) {
	got.reasoning += message?.reasoning_content ?? message?.reasoning ?? "";
}

async function chat(got) {
	const request = {
		model: "m", messages: [{ role: "user", content: "hello" }],
		tools: [{ type: "function", function: { name: tool.name, description: tool.description, parameters: tool.schema } }],
	};
	let completion;

	if (whole) {
		completion = await client.chat.completions.create(request);
		takeReasoning(got, completion.choices[0].message);
	} else {
		const stream = client.chat.completions.stream({ ...request, stream_options: { include_usage: true } });
		for await (const chunk of stream) {
			got.text += chunk.choices[0]?.delta?.content ?? "";
			takeReasoning(got, chunk.choices[0]?.delta);
		}
		completion = await stream.finalChatCompletion();
	}
	const { message, finish_reason } = completion.choices[0];
	Object.assign(got, { text: message.content ?? "", refusal: message.refusal ?? "", finish_reason, id: completion.id, model: completion.model });
	got.tool_calls = (message.tool_calls ?? []).map((c) => call(c.function.name, c.function.arguments));
	takeChatUsage(got, completion.usage);
}

function takeItem(got, item) {
	if (item.type === "function_call")
		got.tool_calls.push(call(item.name, item.arguments));
	if (item.type === "reasoning")
		got.reasoning += [...(item.summary ?? []), ...(item.content ?? [])].map((part) => part.text).join("");
	if (item.type === "message")
		got.refusal += item.content.filter((part) => part.type === "refusal").map((part) => part.refusal).join("");
}

async function responses(got) {
	const request = { model: "m", input: "hello", tools: [{ type: "function", name: tool.name, description: tool.description, parameters: tool.schema, strict: false }] };
	let response;

	if (whole) {
		response = await client.responses.create(request);
	} else {
		const stream = client.responses.stream(request);
		for await (const event of stream)
			if (event.type === "response.output_text.delta")
				got.text += event.delta;
		response = await stream.finalResponse();
	}
	Object.assign(got, { text: response.output_text ?? "", id: response.id, model: response.model });
	got.finish_reason = response.incomplete_details?.reason ?? response.status;
	(response.output ?? []).forEach((item) => takeItem(got, item));
	if (response.usage)
		got.usage = { prompt_tokens: response.usage.input_tokens, completion_tokens: response.usage.output_tokens, total_tokens: response.usage.total_tokens };
	if (response.error)
		got.error = response.error;
}

async function models(got) {
	for await (const model of client.models.list())
		got.text += model.id + "\n";
}

await run({ chat, responses, models }[kind]);
