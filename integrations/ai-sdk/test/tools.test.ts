import { generateText, isStepCount } from "ai";
import { expect, it } from "vitest";
import type { Conversation } from "../src/index.js";
import { vademecumTools } from "../src/index.js";
import { call, scriptedModel } from "./scripted-model.js";
import { memoriesOf, newConversation, textsIn, useServer } from "./use-server.js";

useServer();

/** Lets a model call one tool, and returns what the model gets as the answer of the tool. */
async function answerOf(conversation: Conversation, name: string, input: object): Promise<unknown> {
  const model = scriptedModel([call(name, input)], "Done.");
  await generateText({
    model,
    prompt: "Go on",
    tools: await vademecumTools(conversation),
    stopWhen: isStepCount(2),
  });
  const [part] = model.doGenerateCalls[1]?.prompt.at(-1)?.content ?? [];
  return typeof part === "object" && part.type === "tool-result" ? part.output : undefined;
}

it("the model gets the tools with the descriptions and schemas of the server", async () => {
  const model = scriptedModel("Hi");
  await generateText({ model, prompt: "Hi", tools: await vademecumTools(newConversation()) });
  const tools = model.doGenerateCalls[0]?.tools ?? [];
  expect(tools.map(({ name }) => name).sort()).toEqual([
    ...["add_memory", "correct_memory", "forget_memory", "list_memory_blocks"],
    ...["list_my_edit_proposals", "propose_memory_append", "propose_memory_edit"],
    ...["propose_memory_rewrite", "read_memory_block", "search_memory"],
  ]);
  for (const tool of tools)
    expect(tool).toMatchObject({
      type: "function",
      description: expect.stringMatching(/\w+ \w+/),
      inputSchema: { type: "object", properties: {} },
    });
});

it("a model adds, finds, corrects and forgets a memory", async () => {
  const conversation = newConversation();
  await answerOf(conversation, "add_memory", { content: "Ada lives in Lyon", tags: ["home"] });
  expect(await textsIn(conversation)).toEqual(["Ada lives in Lyon"]);
  expect(await answerOf(conversation, "search_memory", { query: "where does Ada live" })).toEqual({
    type: "text",
    value: expect.stringContaining("Ada lives in Lyon"),
  });

  const [lyon] = (await memoriesOf(conversation).getAll()).memories;
  const correction = { id: lyon?.id, content: "Ada lives in Dijon", reasoning: "She moved" };
  expect(await answerOf(conversation, "correct_memory", correction)).toMatchObject({
    type: "text",
  });
  expect(await textsIn(conversation)).toEqual(["Ada lives in Dijon"]);

  const [dijon] = (await memoriesOf(conversation).getAll()).memories;
  await answerOf(conversation, "forget_memory", { id: dijon?.id });
  expect(await textsIn(conversation)).toEqual([]);
});

it("a model proposes an edit of a block, which a person approves", async () => {
  const conversation = newConversation();
  const { client, userId } = conversation;
  const blocks = client.blocks(userId);
  await blocks.put({ label: "profile", body: "Ada lives in Lyon." });
  const edit = {
    ...{ block_label: "profile", reasoning: "She moved" },
    ...{ old_string: "Lyon", new_string: "Dijon" },
  };
  expect(await answerOf(conversation, "propose_memory_edit", edit)).toMatchObject({ type: "text" });
  expect((await blocks.get({ label: "profile" })).block?.body).toBe("Ada lives in Lyon.");

  const { proposals } = await client.proposals(userId).list();
  await client.proposals(userId).approve({ id: proposals[0]?.id ?? "" });
  expect(
    await answerOf(conversation, "read_memory_block", { block_label: "profile" }),
  ).toMatchObject({
    value: expect.stringContaining("Ada lives in Dijon."),
  });
});

it("a mistake of the model reaches the model as the error of the tool", async () => {
  const conversation = newConversation();
  expect(await answerOf(conversation, "add_memory", { text: "Ada lives in Lyon" })).toMatchObject({
    type: "error-text",
    value: expect.stringContaining("content"),
  });
  expect(await textsIn(conversation)).toEqual([]);
});

it.each(["userId", "agentId"])("the tools of another %s find nothing", async (name) => {
  const conversation = newConversation();
  await memoriesOf(conversation).add({ content: "Ada lives in Lyon" });
  const other = { ...conversation, [name]: "stranger" };
  expect(JSON.stringify(await answerOf(other, "search_memory", { query: "Lyon" }))).not.toContain(
    "Ada",
  );
});
