// Plays what it is told, one JSON line for each conversation, with the official JavaScript packages; answers in lines.
//
// A line says which client, the address, the model, what is said, and which tools there are with their results. The
// answer has every reply as the package gave it, the calls that were run, and the error that ended it, if any.

import { createInterface } from "node:readline";

import * as anthropic from "./anthropic.mjs";
import * as genai from "./genai.mjs";
import * as openai from "./openai.mjs";
import * as vercel from "./vercel.mjs";

globalThis.AI_SDK_LOG_WARNINGS = false;

const CLIENTS = {
  "openai chat": openai.chat,
  "openai responses": openai.responses,
  "anthropic": anthropic.messages,
  "anthropic runner": anthropic.runner,
  "genai chats": genai.chats,
  "genai callable": genai.callable,
  "ai openai": vercel.responses,
  "ai openai unstored": vercel.unstored,
  "ai openai chat": vercel.chat,
  "ai compatible": vercel.compatible,
  "ai anthropic": vercel.anthropic,
  "ai google": vercel.google,
};

async function play(line) {
  const told = { number: line.number, replies: [], runs: [], error: null };
  const stopping = new AbortController();
  const scene = {
    timeout: 20_000,
    ...line,
    signal: stopping.signal,
    heard: () => line.leaves && stopping.abort(),
    run: async (name, given) => {
      told.runs.push({ name, arguments: given });
      return line.tools.find((tool) => tool.name === name).result;
    },
  };
  try {
    await CLIENTS[line.client](scene, told);
  } catch (error) {
    told.error = { name: error.name, kind: error.constructor.name, message: error.message, status: status(error) };
    told.error.stack = error.stack;
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

const status = (error) => error.status ?? error.statusCode ?? null;

for await (const line of createInterface({ input: process.stdin })) play(JSON.parse(line));
