// Applications on the `@google/genai` package: its chats with functions run by hand, and with functions it runs itself.

import { GoogleGenAI } from "@google/genai";

const connect = (scene) =>
  new GoogleGenAI({ apiKey: scene.key, httpOptions: { baseUrl: scene.address, timeout: scene.timeout } });

const declared = (scene) => ({
  functionDeclarations: scene.tools.map(({ name, description, schema }) => ({
    name,
    description,
    parametersJsonSchema: schema,
  })),
});

const config = (scene, tool) => ({
  tools: [tool],
  systemInstruction: scene.system,
  thinkingConfig: { includeThoughts: true, thinkingLevel: "MEDIUM" },
  abortSignal: scene.signal,
});

export async function chats(scene, told) {
  const chat = connect(scene).chats.create({ model: scene.model, config: config(scene, declared(scene)) });
  for (const said of scene.says) {
    let message = parts(said);
    while (message.length) {
      const given = await ask(chat, message, scene);
      const one = reply(given);
      told.replies.push(one);
      message = [];
      for (const call of calls(given)) {
        const response = { output: await scene.run(call.name, call.args ?? {}) };
        message.push({ functionResponse: { id: call.id, name: call.name, response } });
      }
    }
  }
}

export async function callable(scene, told) {
  const tool = {
    tool: async () => declared(scene),
    callTool: async (called) => {
      const answers = [];
      for (const call of called) {
        const response = { output: await scene.run(call.name, call.args ?? {}) };
        answers.push({ functionResponse: { id: call.id, name: call.name, response } });
      }
      return answers;
    },
  };
  const chat = connect(scene).chats.create({ model: scene.model, config: config(scene, tool) });
  for (const said of scene.says) told.replies.push(reply(await ask(chat, parts(said), scene)));
}

async function ask(chat, message, scene) {
  if (!scene.stream) return [await chat.sendMessage({ message })];
  const chunks = [];
  for await (const chunk of await chat.sendMessageStream({ message })) {
    chunks.push(chunk);
    for (const part of heard([chunk])) if (part.text && !part.thought) scene.heard(part.text);
  }
  return chunks;
}

function parts({ text, image }) {
  return [{ text }, ...(image ? [{ inlineData: { mimeType: "image/png", data: image } }] : [])];
}

const heard = (chunks) => chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
const calls = (chunks) => chunks.flatMap((chunk) => chunk.functionCalls ?? []);

function reply(chunks) {
  const last = chunks.at(-1);
  const usage = last.usageMetadata;
  const words = (thought) =>
    heard(chunks)
      .filter((part) => part.text && Boolean(part.thought) === thought)
      .map((part) => part.text)
      .join("");
  return {
    id: last.responseId,
    text: words(false),
    refusal: last.candidates?.[0]?.finishMessage ?? "",
    thinking: words(true),
    calls: calls(chunks).map((call) => ({ id: call.id, name: call.name })),
    finish: last.candidates?.[0]?.finishReason ?? last.promptFeedback?.blockReason,
    tokens: usage && {
      input: usage.promptTokenCount,
      cached: usage.cachedContentTokenCount ?? 0,
      output: usage.candidatesTokenCount + (usage.thoughtsTokenCount ?? 0),
      reasoning: usage.thoughtsTokenCount ?? null,
    },
  };
}
