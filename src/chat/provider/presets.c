#include "chat/provider/presets.h"

#include "base/array.h"

static const struct preset presets[] = {
	{
		.name = "sansa",
		.protocols = { &protocol_openai_chat },
		.dialect = "sansa",
		.key_env = "SANSA_API_KEY",
		.model = "sansa-auto",
	},
	{
		.name = "chuizi",
		.protocols = { &protocol_openai_chat, &protocol_anthropic, &protocol_gemini },
		.dialect = "chuizi",
		.base_url = "https://api.chuizi.ai/v1",
		.bases = { { &protocol_anthropic, "https://api.chuizi.ai/anthropic" }, { &protocol_gemini, "https://api.chuizi.ai/gemini" } },
		.key_env = "CHUIZI_API_KEY",
		.model = "anthropic/claude-sonnet-4-6",
		.auth = AUTH_BEARER,
	},
	{
		.name = "aivene",
		.protocols = { &protocol_openai_chat },
		.dialect = "aivene",
		.base_url = "https://api.aivene.com/v1",
		.key_env = "AIVENE_API_KEY",
		.model = "gpt-4o",
	},
	{
		.name = "runtime",
		.protocols = { &protocol_openai_chat },
		.dialect = "runtime",
		.key_env = "RUNTIME_API_KEY",
	},
	{
		.name = "opentoken",
		.protocols = { &protocol_openai_chat },
		.dialect = "opentoken",
		.key_env = "OPENTOKEN_API_KEY",
		.model = "google/gemini-3-flash",
	},
	{
		.name = "openai",
		.protocols = { &protocol_openai_chat, &protocol_openai_responses },
		.base_url = "https://api.openai.com/v1",
		.key_env = "OPENAI_API_KEY",
		.model = "gpt-4.1",
		.settings = { { "max_tokens_field", "max_completion_tokens" } },
	},
	{
		.name = "anthropic",
		.protocols = { &protocol_anthropic },
		.base_url = "https://api.anthropic.com",
		.key_env = "ANTHROPIC_API_KEY",
		.model = "claude-sonnet-4-6",
	},
	{
		.name = "gemini",
		.protocols = { &protocol_gemini, &protocol_openai_chat },
		.base_url = "https://generativelanguage.googleapis.com",
		.bases = { { &protocol_openai_chat, "/v1beta/openai" } },
		.key_env = "GEMINI_API_KEY",
		.model = "gemini-flash-latest",
		.key_env_too = "GOOGLE_API_KEY",
	},
	{
		.name = "openrouter",
		.protocols = { &protocol_openai_chat, &protocol_openai_responses },
		.base_url = "https://openrouter.ai/api/v1",
		.key_env = "OPENROUTER_API_KEY",
		.model = "openrouter/auto",
		.settings = { { "usage_opt_in", "no" }, { "reasoning_field", "reasoning" } },
	},
	{
		.name = "deepseek",
		.protocols = { &protocol_openai_chat },
		.base_url = "https://api.deepseek.com",
		.key_env = "DEEPSEEK_API_KEY",
		.model = "deepseek-chat",
		.settings = { { "reasoning_back", "yes" } },
	},
	{
		.name = "groq",
		.protocols = { &protocol_openai_chat },
		.base_url = "https://api.groq.com/openai/v1",
		.key_env = "GROQ_API_KEY",
	},
	{
		.name = "mistral",
		.protocols = { &protocol_openai_chat },
		.base_url = "https://api.mistral.ai/v1",
		.key_env = "MISTRAL_API_KEY",
		.model = "mistral-medium-latest",
	},
	{
		.name = "xai",
		.protocols = { &protocol_openai_chat, &protocol_openai_responses },
		.base_url = "https://api.x.ai/v1",
		.key_env = "XAI_API_KEY",
	},
	{
		.name = "azure",
		.protocols = { &protocol_openai_chat, &protocol_openai_responses },
		.key_env = "AZURE_OPENAI_API_KEY",
		.auth = AUTH_API_KEY,
		.settings = { { "max_tokens_field", "max_completion_tokens" } },
	},
	{
		.name = "ollama",
		.protocols = { &protocol_ollama, &protocol_openai_chat },
		.base_url = "http://127.0.0.1:11434",
		.bases = { { &protocol_openai_chat, "/v1" } },
		.key_env = "OLLAMA_API_KEY",
		.key_optional = true,
	},
	{
		.name = "llamacpp",
		.protocols = { &protocol_openai_chat },
		.base_url = "http://127.0.0.1:8080/v1",
		.key_env = "LLAMACPP_API_KEY",
		.key_optional = true,
	},
	{
		.name = "vllm",
		.protocols = { &protocol_openai_chat },
		.key_env = "VLLM_API_KEY",
		.key_optional = true,
	},
	{
		.name = "lmstudio",
		.protocols = { &protocol_openai_chat, &protocol_openai_responses },
		.base_url = "http://127.0.0.1:1234/v1",
		.key_env = "LMSTUDIO_API_KEY",
		.key_optional = true,
	},
	{
		/* The server runs inside the program; its port is filled in when a request is made. */
		.name = "demo",
		.protocols = { &protocol_openai_chat, &protocol_openai_responses, &protocol_anthropic, &protocol_gemini, &protocol_ollama },
		.base_url = "http://127.0.0.1",
		.auth = AUTH_NONE,
		.key_optional = true,
	},
};

const struct preset *preset_at(size_t index)
{
	return index < ARRAY_LEN(presets) ? &presets[index] : NULL;
}
