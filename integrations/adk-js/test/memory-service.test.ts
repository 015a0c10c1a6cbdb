import {
  type BaseMemoryService,
  createEvent,
  createSession,
  type Event,
  InMemoryMemoryService,
} from "@google/adk";
import { connect } from "vademecum-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveTests } from "../../contract/typescript/index.js";
import { VademecumMemoryService } from "../src/index.js";

const { newScope } = serveTests({ beforeAll, afterAll, connect });

type Part = NonNullable<NonNullable<Event["content"]>["parts"]>[number];

const event = (id: string, ...parts: (string | Part)[]): Event =>
  createEvent({
    id,
    author: "user",
    timestamp: 1_700_000_000_123,
    content: {
      role: "user",
      parts: parts.map((it) => (typeof it === "string" ? { text: it } : it)),
    },
  });

const session = (userId: string, events: Event[], id = "monday", appName = "guide") =>
  createSession({ id, appName, userId, events });

const kinds: Record<string, () => BaseMemoryService> = {
  "the service of this package": () => new VademecumMemoryService(newScope().client),
  "the in-memory service of ADK": () => new InMemoryMemoryService(),
};

let users = 0;
const newUser = () => `adk-${++users}`;

async function textsOf(
  service: BaseMemoryService,
  userId: string,
  query: string,
  appName = "guide",
) {
  const { memories } = await service.searchMemory({ appName, userId, query });
  return memories.map(({ content }) => content.parts?.[0]?.text);
}

describe.each(Object.entries(kinds))("%s", (_, open) => {
  it("has no memories of a new user", async () => {
    expect(await textsOf(open(), newUser(), "tea")).toEqual([]);
  });

  it("finds the events of a session", async () => {
    const [service, user] = [open(), newUser()];
    await service.addSessionToMemory(
      session(user, [event("1", "I like tea"), event("2", "It rains")]),
    );
    expect((await textsOf(service, user, "tea"))[0]).toBe("I like tea");
  });

  it("doubles nothing when a session is added again", async () => {
    const [service, user] = [open(), newUser()];
    const events = [event("1", "I like tea")];
    for (let times = 0; times < 3; times += 1)
      await service.addSessionToMemory(session(user, events));
    await service.addSessionToMemory(session(user, [...events, event("2", "More tea please")]));
    const texts = await textsOf(service, user, "tea");
    expect(texts.sort()).toEqual(["I like tea", "More tea please"]);
  });

  it("keeps users and apps apart", async () => {
    const [service, user] = [open(), newUser()];
    await service.addSessionToMemory(session(user, [event("1", "I like tea")]));
    expect(await textsOf(service, newUser(), "tea")).toEqual([]);
    expect(await textsOf(service, user, "tea", "another app")).toEqual([]);
  });

  it("finds events of several sessions together", async () => {
    const [service, user] = [open(), newUser()];
    await service.addSessionToMemory(session(user, [event("1", "I like tea")]));
    await service.addSessionToMemory(session(user, [event("2", "No tea today")], "tuesday"));
    expect((await textsOf(service, user, "tea")).sort()).toEqual(["I like tea", "No tea today"]);
  });

  it("does not find events without text", async () => {
    const [service, user] = [open(), newUser()];
    const call = { functionCall: { name: "tea", args: { kind: "green" } } };
    const events = [event("1", call), event("2"), createEvent({ id: "3" }), event("4", "")];
    await service.addSessionToMemory(session(user, events));
    expect(await textsOf(service, user, "tea")).toEqual([]);
  });

  it("returns a content with several parts whole, with author and time", async () => {
    const [service, user] = [open(), newUser()];
    const image = { inlineData: { mimeType: "image/png", data: "AP8=" } };
    const call = { functionCall: { name: "brew", args: { grams: 2.5 } } };
    const added = event("1", "Which tea", image, call, "is this?");
    await service.addSessionToMemory(session(user, [added]));
    const { memories } = await service.searchMemory({
      appName: "guide",
      userId: user,
      query: "tea",
    });
    expect(memories).toEqual([
      { content: added.content, author: "user", timestamp: "2023-11-14T22:13:20.123Z" },
    ]);
  });
});

it("a very long text and a long session are stored whole, once", async () => {
  const { client, userId } = newScope();
  const service = new VademecumMemoryService(client);
  const text = "Pâté de foie. ".repeat(10_000);
  const short = Array.from({ length: 600 }, (_, index) => event(String(index), `event ${index}`));
  const long = Array.from({ length: 8 }, (_, index) => event(`long ${index}`, text));
  for (let times = 0; times < 2; times += 1)
    await service.addSessionToMemory(session(userId, [...short, ...long]));
  const memories = client.memories(userId, "guide");
  expect((await memories.count()).count).toBe(BigInt(600 + 8 * 3));
});

it("apps with the same agent share their memories, and events are turns", async () => {
  const { client, userId } = newScope();
  const service = new VademecumMemoryService(client, { agentId: "shared", limit: 1 });
  const events = [event("1", "I like tea"), event("2", "and green tea")];
  await service.addSessionToMemory(session(userId, events, "monday", "web"));
  expect(await textsOf(service, userId, "tea", "phone")).toHaveLength(1);
  const { turns } = await client.threads(userId, "shared").getTurns({ threadId: "monday" });
  expect(turns.map(({ content }) => content)).toEqual(["I like tea", "and green tea"]);
});

it("memories of other clients are found, whatever their metadata is", async () => {
  const { client, userId } = newScope();
  const metadata = { role: 3, content: "no JSON", custom: [] };
  await client.memories(userId, "guide").add({ content: "Ada likes tea", metadata });
  expect(await textsOf(new VademecumMemoryService(client), userId, "tea")).toEqual([
    "Ada likes tea",
  ]);
});

it("a text with half of a surrogate pair is stored with a replacement", async () => {
  const { client, userId } = newScope();
  const service = new VademecumMemoryService(client);
  await service.addSessionToMemory(session(userId, [event("1", "I like tea \ud83d")]));
  expect(await textsOf(service, userId, "tea \ud83d")).toEqual(["I like tea \ufffd"]);
});

it("an empty query finds nothing", async () => {
  const { client, userId } = newScope();
  const service = new VademecumMemoryService(client);
  await service.addSessionToMemory(session(userId, [event("1", "I like tea")]));
  expect(await textsOf(service, userId, " ")).toEqual([]);
});

it("an error of the server reaches the caller", async () => {
  const { client, userId } = newScope();
  const service = new VademecumMemoryService(client);
  const added = service.addSessionToMemory(
    session(userId, [event("x".repeat(300), "too long an id")]),
  );
  await expect(added).rejects.toThrow("external_id");
});

it.each(["userId", "appName"])("without %s, nothing is done", async (name) => {
  const service = new VademecumMemoryService(newScope().client);
  const request = { appName: "guide", userId: "ada", query: "tea", [name]: "" };
  await expect(service.searchMemory(request)).rejects.toThrow(`${name} is missing`);
});
