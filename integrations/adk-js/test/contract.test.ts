import { createEvent, createSession } from "@google/adk";
import { connect } from "vademecum-client";
import { afterAll, beforeAll, it } from "vitest";
import { Contract } from "../../contract/typescript/index.js";
import { VademecumMemoryService } from "../src/index.js";

const contract = new Contract({
  connect,
  cannot: ["remove"],
  open(client, userId) {
    const service = new VademecumMemoryService(client);
    return {
      async write(text) {
        const event = createEvent({ author: "user", content: { parts: [{ text }] } });
        const session = { id: "monday", appName: "guide", userId, events: [event] };
        await service.addSessionToMemory(createSession(session));
      },
      async read() {
        const { memories } = await client.memories(userId, "guide").getAll({ limit: 1000 });
        return memories.map(({ content }) => content).reverse();
      },
      async readSome(limit) {
        const limited = new VademecumMemoryService(client, { limit });
        const request = { appName: "guide", userId, query: "paint" };
        return (await limited.searchMemory(request)).memories.map(({ content }) => String(content));
      },
    };
  },
});
beforeAll(contract.start);
afterAll(contract.stop);

it.each(Object.entries(contract.cases))("%s", (_, run) => run());
