import { createAnthropic } from "@ai-sdk/anthropic";
import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { generateText, isStepCount } from "ai";
import { expect, it } from "vitest";
import { newTool, useServer } from "./use-server.js";

useServer();

const commands = [
  { command: "create", path: "/memories/tea.md", file_text: "Ada likes tea" },
  { command: "view", path: "/memories/tea.md" },
  { command: "view", path: "/memories/coffee.md" },
];

/** Answers the calls of an SDK as Claude does: with one command after another, then with a text. */
function scriptedClaude() {
  const requests: { messages: unknown[]; tools: unknown[] }[] = [];
  const fetch = (_: unknown, init?: { body?: unknown }): Promise<Response> => {
    requests.push(JSON.parse(String(init?.body)) as (typeof requests)[number]);
    const input = commands[requests.length - 1];
    const content =
      input === undefined
        ? { type: "text", text: "Done" }
        : { type: "tool_use", id: `toolu_${requests.length}`, name: "memory", input };
    return Promise.resolve(
      Response.json({
        ...{ id: `msg_${requests.length}`, type: "message", role: "assistant", model: "claude" },
        ...{ content: [content], stop_sequence: null },
        stop_reason: input === undefined ? "end_turn" : "tool_use",
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    );
  };
  return { requests, fetch };
}

/** What Claude must have got: the tool, and the answers of its commands. */
function expectAnswers({ requests }: ReturnType<typeof scriptedClaude>): void {
  expect(requests[0]?.tools).toMatchObject([{ type: "memory_20250818", name: "memory" }]);
  const results = JSON.stringify(requests);
  expect(results).toContain("File created successfully at: /memories/tea.md");
  expect(results).toContain("1\\tAda likes tea");
  expect(results).toContain("The path /memories/coffee.md does not exist");
}

it("the tool runner of Anthropic's SDK executes the commands of Claude", async () => {
  const claude = scriptedClaude();
  const anthropic = new Anthropic({ apiKey: "none", fetch: claude.fetch, maxRetries: 0 });
  const message = await anthropic.beta.messages.toolRunner({
    model: "claude",
    max_tokens: 100,
    messages: [{ role: "user", content: "Go on" }],
    tools: [betaMemoryTool(newTool())],
  });
  expect(message.content).toMatchObject([{ text: "Done" }]);
  expectAnswers(claude);
});

it("the AI SDK executes the commands of Claude", async () => {
  const claude = scriptedClaude();
  const anthropic = createAnthropic({ apiKey: "none", fetch: claude.fetch });
  const { text } = await generateText({
    model: anthropic("claude"),
    prompt: "Go on",
    maxOutputTokens: 100,
    tools: { memory: anthropic.tools.memory_20250818({ execute: newTool().execute }) },
    stopWhen: isStepCount(8),
  });
  expect(text).toBe("Done");
  expectAnswers(claude);
});

it("a replacement that Claude leaves out removes the text", async () => {
  const tool = newTool();
  const path = "/memories/tea.md";
  await tool.create({ command: "create", path, file_text: "Ada likes green tea" });
  await tool.str_replace({ command: "str_replace", path, old_str: " green" });
  expect(await tool.view({ command: "view", path })).toContain("1\tAda likes tea");
});
