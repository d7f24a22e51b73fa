// What the scripts of this folder share. Each asks a server with an official SDK and prints what the SDK made of every answer, one line of
// JSON an answer, with the members of the summary of `weir decode`:
//
//   node tests/sdk/openai.mjs BASE_URL chat|responses|models COUNT [whole]
//
// `whole`: without streaming. The packages are looked for in WEIR_SDK, else in node_modules beside this file (`make sdk`).
import { createRequire } from "node:module";
import path from "node:path";

const here = process.env.WEIR_SDK ? path.resolve(process.env.WEIR_SDK, "x.js") : import.meta.url;

// A package, or exit status 77, which means that it is not installed.
export function load(name) {
	try {
		return createRequire(here)(name);
	} catch (failure) {
		if (failure.code !== "MODULE_NOT_FOUND")
			throw failure;
		process.exit(77);
	}
}

export const url = process.argv[2];
export const kind = process.argv[3];
const count = Number(process.argv[4] ?? 1);
export const whole = process.argv[5] === "whole";

export const tool = {
	name: "get_weather",
	description: "The weather of a city",
	schema: { type: "object", properties: { city: { type: "string" } } },
};

// An answer that is filled while it arrives, so that what came before an error is kept.
function answer() {
	return { text: "", reasoning: "", refusal: "", tool_calls: [], usage: null, finish_reason: null, id: null, model: null, error: null };
}

// Arguments are text or, where the SDK parsed them, a value.
export function call(name, args) {
	return { name, arguments: JSON.stringify(typeof args === "string" ? JSON.parse(args) : args) };
}

// Asks COUNT times. `ask(answer)` fills the answer; what it throws becomes its error.
export async function run(ask) {
	for (let i = 0; i < count; i++) {
		const got = answer();
		try {
			await ask(got);
		} catch (failure) {
			got.error = { message: String(failure.message), status: failure.status ?? failure.status_code ?? null, thrown: failure.constructor.name };
		}
		console.log(JSON.stringify(got));
	}
}
