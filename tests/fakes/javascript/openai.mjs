// Applications on the `openai` package: its own tool runner for Chat, its stream helper for Responses.

import OpenAI from "openai";

const connect = (scene) =>
  new OpenAI({ baseURL: `${scene.address}/v1`, apiKey: scene.key, maxRetries: 0, timeout: scene.timeout });

export async function chat(scene, told) {
  const sdk = connect(scene);
  let messages = [{ role: "system", content: scene.system }];
  const tools = scene.tools.map(({ name, description, schema }) => ({
    type: "function",
    function: { name, description, parameters: schema, parse: JSON.parse, function: (given) => scene.run(name, given) },
  }));
  for (const said of scene.says) {
    messages.push({ role: "user", content: chatContent(said) });
    const runner = sdk.chat.completions.runTools(
      {
        model: scene.model,
        messages,
        tools,
        stream: scene.stream,
        ...(scene.stream && { stream_options: { include_usage: true } }),
        ...(scene.thinks && { reasoning_effort: "medium" }),
      },
      { signal: scene.signal },
    );
    runner.on("chatCompletion", (completion) => told.replies.push(chatReply(completion)));
    if (scene.stream) runner.on("content", (delta) => scene.heard(delta));
    await runner.done();
    messages = runner.messages;
  }
}

function chatContent({ text, image }) {
  if (!image) return text;
  return [
    { type: "text", text },
    { type: "image_url", image_url: { url: `data:image/png;base64,${image}` } },
  ];
}

function chatReply({ id, choices: [choice], usage }) {
  const { message } = choice;
  return {
    id,
    text: message.content ?? "",
    refusal: message.refusal ?? "",
    thinking: message.reasoning_content ?? "",
    calls: (message.tool_calls ?? []).map((call) => ({ id: call.id, name: call.function.name })),
    finish: choice.finish_reason,
    tokens: usage && {
      input: usage.prompt_tokens,
      cached: usage.prompt_tokens_details.cached_tokens,
      output: usage.completion_tokens,
      reasoning: usage.completion_tokens_details.reasoning_tokens,
    },
  };
}

export async function responses(scene, told) {
  const sdk = connect(scene);
  const input = [];
  const asked = {
    model: scene.model,
    instructions: scene.system,
    tools: scene.tools.map(({ name, description, schema }) => ({
      type: "function",
      name,
      description,
      parameters: schema,
      strict: false,
    })),
    store: false,
    include: ["reasoning.encrypted_content"],
    reasoning: { effort: "medium", summary: "auto" },
  };
  for (const said of scene.says) {
    input.push({ role: "user", content: responsesContent(said) });
    for (let calls = null; calls === null || calls.length; ) {
      const response = await ask(sdk, { ...asked, input }, scene);
      told.replies.push(responsesReply(response));
      input.push(...response.output);
      calls = response.output.filter((item) => item.type === "function_call");
      for (const call of calls) {
        const output = await scene.run(call.name, JSON.parse(call.arguments));
        input.push({ type: "function_call_output", call_id: call.call_id, output });
      }
    }
  }
}

async function ask(sdk, asked, scene) {
  if (!scene.stream) return await sdk.responses.create(asked, { signal: scene.signal });
  const stream = sdk.responses.stream(asked, { signal: scene.signal });
  stream.on("response.output_text.delta", (event) => scene.heard(event.delta));
  return await stream.finalResponse();
}

function responsesContent({ text, image }) {
  if (!image) return text;
  return [
    { type: "input_text", text },
    { type: "input_image", image_url: `data:image/png;base64,${image}`, detail: "auto" },
  ];
}

function responsesReply(response) {
  const { usage } = response;
  const parts = response.output.flatMap((item) => (item.type === "message" ? item.content : []));
  if (response.status === "failed") throw Object.assign(new Error(response.error.message), { name: "failed" });
  return {
    id: response.id,
    text: response.output_text,
    refusal: parts.map((part) => part.refusal ?? "").join(""),
    thinking: response.output
      .flatMap((item) => (item.type === "reasoning" ? item.summary : []))
      .map((part) => part.text)
      .join(""),
    calls: response.output
      .filter((item) => item.type === "function_call")
      .map((item) => ({ id: item.call_id, name: item.name })),
    finish: response.incomplete_details?.reason ?? response.status,
    tokens: usage && {
      input: usage.input_tokens,
      cached: usage.input_tokens_details.cached_tokens,
      output: usage.output_tokens,
      reasoning: usage.output_tokens_details.reasoning_tokens,
    },
  };
}
