// generateContent with the package @google/genai.
import { call, kind, load, run, tool, url, whole } from "./sdk.mjs";

const { GoogleGenAI } = load("@google/genai");
const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } });

function take(got, chunk) {
	const candidate = chunk.candidates?.[0];

	for (const part of candidate?.content?.parts ?? []) {
		if (part.text)
			got[part.thought ? "reasoning" : "text"] += part.text;
		if (part.functionCall)
			got.tool_calls.push(call(part.functionCall.name, part.functionCall.args ?? {}));
	}
	got.finish_reason = candidate?.finishReason ?? got.finish_reason;
	got.id ??= chunk.responseId ?? null;
	got.model ??= chunk.modelVersion ?? null;
	const usage = chunk.usageMetadata;
	if (usage)
		got.usage = {
			prompt_tokens: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
			completion_tokens: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0), total_tokens: usage.totalTokenCount,
		};
}

async function generate(got) {
	const request = {
		model: "m", contents: "hello",
		config: { tools: [{ functionDeclarations: [{ name: tool.name, description: tool.description, parametersJsonSchema: tool.schema }] }] },
	};

	if (whole) {
		take(got, await client.models.generateContent(request));
	} else {
		for await (const chunk of await client.models.generateContentStream(request))
			take(got, chunk);
	}
}

async function models(got) {
	for await (const model of await client.models.list())
		got.text += model.name.replace("models/", "") + "\n";
}

await run({ generate, models }[kind]);
