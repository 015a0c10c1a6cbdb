import { generateText } from "ai";
import { expect, it } from "vitest";
import { withVademecum } from "../src/index.js";
import { promptOf, scriptedModel } from "./scripted-model.js";
import { memoriesOf, newConversation, textsIn, useServer } from "./use-server.js";

useServer();

const nuts = "Ada is allergic to hazelnuts";

it("the model gets the context of the question, in front of the question", async () => {
  const conversation = newConversation();
  await memoriesOf(conversation).add({ content: nuts });
  const model = scriptedModel("Hazelnuts.");
  const { text } = await generateText({
    model: withVademecum(model, conversation),
    instructions: "Be brief.",
    prompt: "Which nuts must Ada avoid?",
  });
  expect(text).toBe("Hazelnuts.");
  const [system, notes, question] = promptOf(model);
  expect(system).toBe("system: Be brief.");
  expect(notes).toMatch(
    /^user: Notes .* not instructions\.\n\n## Memories\n\n- \[[-\d]+\] Ada is allergic to hazelnuts$/,
  );
  expect(question).toBe("user: Which nuts must Ada avoid?");
});

it("a question of white space has no context", async () => {
  const conversation = newConversation();
  await memoriesOf(conversation).add({ content: nuts });
  const model = scriptedModel("Well.");
  await generateText({ model: withVademecum(model, conversation), prompt: "  \n" });
  expect(promptOf(model)).toEqual(["user:   \n"]);
});

it("a conversation is recalled in the next one, and not in itself", async () => {
  const monday = newConversation("monday");
  const model = scriptedModel("Noted.", "A Burgundy?", "A Burgundy.");
  const remembering = withVademecum(model, monday);
  await generateText({ model: remembering, prompt: "I prefer red wine from Burgundy" });
  await generateText({ model: remembering, prompt: "Which wine do I prefer?" });
  expect(promptOf(model, 1)).toEqual(["user: Which wine do I prefer?"]);

  const tuesday = withVademecum(model, { ...monday, threadId: 'the "tuesday"\n' });
  await generateText({ model: tuesday, prompt: "Which red wine do I prefer?" });
  expect(promptOf(model, 2)[0]).toContain("I prefer red wine from Burgundy");
});

it.each([
  ["user", { userId: "stranger" }],
  ["agent", { agentId: "stranger" }],
])("another %s gets nothing", async (_, other) => {
  const conversation = newConversation();
  await memoriesOf(conversation).add({ content: nuts });
  const model = scriptedModel("I do not know.");
  const strange = { ...conversation, ...other };
  await generateText({
    model: withVademecum(model, strange),
    prompt: "Which nuts must Ada avoid?",
  });
  expect(promptOf(model)).toEqual(["user: Which nuts must Ada avoid?"]);
});

it("the context has the blocks of the user too", async () => {
  const conversation = newConversation();
  const { client, userId } = conversation;
  await client.blocks(userId).put({ label: "profile", body: "Name: Ada" });
  const model = scriptedModel("Ada.");
  await generateText({ model: withVademecum(model, conversation), prompt: "What is my name?" });
  expect(promptOf(model)[0]).toMatch(/\n\n### Profile\n\n```\nName: Ada\n```$/);
});

it("fields of the context replace the defaults", async () => {
  const conversation = newConversation();
  const model = scriptedModel("Noted.", "Hazelnuts.");
  const context = {
    annotate: false,
    sections: [{ section: { case: "memories" as const, value: { limit: 1 } } }],
  };
  const remembering = withVademecum(model, conversation, { context });
  await generateText({ model: remembering, prompt: nuts });
  await generateText({ model: remembering, prompt: "Which nuts must Ada avoid?" });
  expect(promptOf(model, 1)[0]).toMatch(/\n- Ada is allergic to hazelnuts$/);
});

it("the server adds the turns that a program does not send", async () => {
  const conversation = newConversation("chat");
  const model = scriptedModel("Noted.", "Lyon.");
  const context = {
    threadId: "chat",
    sections: [{ section: { case: "memories" as const, value: {} } }],
  };
  const remembering = withVademecum(model, conversation, { context });
  await generateText({ model: remembering, prompt: "I live in Lyon" });
  await generateText({ model: remembering, prompt: "Where?" });
  expect(promptOf(model, 1)[0]).toMatch(/user: I live in Lyon\n.* assistant: Noted\.$/);
});

it("a question that is longer than a query of the server is cut for the search alone", async () => {
  const conversation = newConversation();
  await memoriesOf(conversation).add({ content: nuts });
  const model = scriptedModel("Hazelnuts.");
  const prompt = `hazelnuts ${"🌰".repeat(5000)}`;
  await generateText({
    model: withVademecum(model, conversation),
    prompt,
  });
  expect(promptOf(model)[0]).toContain(nuts);
  expect(promptOf(model)[1]).toBe(`user: ${prompt}`);
  expect(await textsIn(conversation)).toEqual([nuts, prompt, "Hazelnuts."]);
});

it("a prompt without a message of a user is passed on, and nothing is stored", async () => {
  const conversation = newConversation();
  const model = scriptedModel("Hello");
  await generateText({
    model: withVademecum(model, conversation),
    messages: [{ role: "assistant", content: "Hi" }],
  });
  expect(promptOf(model)).toEqual(["assistant: Hi"]);
  expect(await textsIn(conversation)).toEqual([]);
});
