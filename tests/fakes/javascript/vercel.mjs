// Applications on the `ai` package, over each of its providers; it runs the tools and keeps the history itself.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, jsonSchema, streamText, tool } from "ai";

const ROUNDS = 5;

const openai = (scene) => createOpenAI({ baseURL: `${scene.address}/v1`, apiKey: scene.key });
const REASONING = { reasoningEffort: "medium", reasoningSummary: "auto", forceReasoning: true };

export const responses = through(
  (scene) => openai(scene)(scene.model),
  () => ({ openai: REASONING }),
);
export const unstored = through(
  (scene) => openai(scene)(scene.model),
  () => ({ openai: { ...REASONING, store: false } }),
);
export const chat = through(
  (scene) => openai(scene).chat(scene.model),
  (scene) => ({ openai: scene.thinks ? { reasoningEffort: "medium", forceReasoning: true } : {} }),
);
export const compatible = through(
  (scene) =>
    createOpenAICompatible({ name: "gate", baseURL: `${scene.address}/v1`, apiKey: scene.key, includeUsage: true })(
      scene.model,
    ),
  (scene) => ({ gate: scene.thinks ? { reasoningEffort: "medium" } : {} }),
);
export const anthropic = through(
  (scene) => createAnthropic({ baseURL: `${scene.address}/v1`, apiKey: scene.key })(scene.model),
  () => ({ anthropic: { thinking: { type: "adaptive", display: "summarized" } } }),
);
export const google = through(
  (scene) => createGoogleGenerativeAI({ baseURL: `${scene.address}/v1beta`, apiKey: scene.key })(scene.model),
  () => ({ google: { thinkingConfig: { includeThoughts: true, thinkingLevel: "medium" } } }),
);

function through(model, providerOptions) {
  return async (scene, told) => {
    let messages = [];
    const tools = Object.fromEntries(
      scene.tools.map(({ name, description, schema }) => [
        name,
        tool({ description, inputSchema: jsonSchema(schema), execute: (given) => scene.run(name, given) }),
      ]),
    );
    for (const said of scene.says) {
      messages.push({ role: "user", content: content(said) });
      const asked = {
        model: model(scene),
        system: scene.system,
        messages,
        tools,
        stopWhen: isStepCount(ROUNDS),
        maxRetries: 0,
        abortSignal: scene.signal,
        providerOptions: providerOptions(scene),
        onStepFinish: (step) => told.replies.push(reply(step)),
      };
      const answered = scene.stream ? await streamed(asked, scene) : await generateText(asked);
      messages = [...messages, ...(await answered.responseMessages)];
    }
  };
}

async function streamed(asked, scene) {
  // without onError the package writes the failure to the console, and the stream ends as if all were well
  let failure;
  const answered = streamText({ ...asked, onError: ({ error }) => (failure = error) });
  for await (const part of answered.fullStream) {
    if (part.type === "text-delta") scene.heard(part.text);
    if (part.type === "error") failure = part.error;
    if (part.type === "abort") failure = Object.assign(new Error("aborted"), { name: "AbortError" });
  }
  if (failure) throw failure;
  return answered;
}

function content({ text, image }) {
  if (!image) return text;
  return [
    { type: "text", text },
    { type: "image", image, mediaType: "image/png" },
  ];
}

function reply(step) {
  const { usage } = step;
  return {
    id: step.response.id,
    text: step.text,
    refusal: "",
    thinking: step.reasoningText ?? "",
    calls: step.toolCalls.map((call) => ({ id: call.toolCallId, name: call.toolName, invalid: call.invalid })),
    finish: step.finishReason,
    warnings: step.warnings,
    tokens: {
      input: usage.inputTokens,
      cached: usage.inputTokenDetails?.cacheReadTokens ?? 0,
      output: usage.outputTokens,
      reasoning: usage.outputTokenDetails?.reasoningTokens ?? null,
    },
  };
}
