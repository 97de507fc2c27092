// Applications on the `@anthropic-ai/sdk` package: a loop of their own, and the package's tool runner.

import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";

const connect = (scene) =>
  new Anthropic({ baseURL: scene.address, apiKey: scene.key, maxRetries: 0, timeout: scene.timeout });

const shared = (scene) => ({
  model: scene.model,
  max_tokens: 8192,
  system: scene.system,
  thinking: { type: "adaptive", display: "summarized" },
});

export async function messages(scene, told) {
  const sdk = connect(scene);
  const history = [];
  const tools = scene.tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema }));
  for (const said of scene.says) {
    history.push({ role: "user", content: content(said) });
    for (let more = true; more; ) {
      const message = await ask(sdk, { ...shared(scene), tools, messages: history }, scene);
      told.replies.push(reply(message));
      history.push({ role: "assistant", content: message.content });
      const results = [];
      for (const block of message.content) {
        if (block.type !== "tool_use") continue;
        results.push({ type: "tool_result", tool_use_id: block.id, content: await scene.run(block.name, block.input) });
      }
      more = results.length > 0;
      if (more) history.push({ role: "user", content: results });
    }
  }
}

async function ask(sdk, asked, scene) {
  if (!scene.stream) return await sdk.messages.create(asked, { signal: scene.signal });
  const stream = sdk.messages.stream(asked, { signal: scene.signal });
  stream.on("text", (delta) => scene.heard(delta));
  return await stream.finalMessage();
}

export async function runner(scene, told) {
  const sdk = connect(scene);
  let history = [];
  const tools = scene.tools.map(({ name, description, schema }) =>
    betaTool({ name, description, inputSchema: schema, run: (given) => scene.run(name, given) }),
  );
  for (const said of scene.says) {
    history.push({ role: "user", content: content(said) });
    const running = sdk.beta.messages.toolRunner(
      { ...shared(scene), tools, messages: history, stream: scene.stream },
      { signal: scene.signal },
    );
    for await (const given of running) {
      if (scene.stream) given.on("text", (delta) => scene.heard(delta));
      told.replies.push(reply(scene.stream ? await given.finalMessage() : given));
    }
    history = [...running.params.messages];
  }
}

function content({ text, image }) {
  if (!image) return text;
  return [
    { type: "text", text },
    { type: "image", source: { type: "base64", media_type: "image/png", data: image } },
  ];
}

function reply(message) {
  const { usage } = message;
  const joined = (kind) =>
    message.content
      .filter((block) => block.type === kind)
      .map((block) => block[kind])
      .join("");
  return {
    id: message.id,
    text: joined("text"),
    refusal: message.stop_details?.explanation ?? "",
    thinking: joined("thinking"),
    calls: message.content
      .filter((block) => block.type === "tool_use")
      .map((block) => ({ id: block.id, name: block.name })),
    finish: message.stop_reason,
    tokens: {
      input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      cached: usage.cache_read_input_tokens,
      output: usage.output_tokens,
      reasoning: usage.output_tokens_details?.thinking_tokens ?? null,
    },
  };
}
