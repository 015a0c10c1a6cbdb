import { connect } from "vademecum-client";
import { afterAll, beforeAll, it } from "vitest";
import { Contract } from "../../contract/typescript/index.js";
import { VademecumMemoryStore } from "../src/index.js";

const contract = new Contract({
  connect,
  cannot: ["remove"],
  open(client, userId) {
    const store = new VademecumMemoryStore({ client, userId, agentId: "guide" });
    return {
      write: (text) => store.addMessages([{ role: "user", content: [{ text }] }]),
      async read() {
        const { memories } = await client.memories(userId, "guide").getAll({ limit: 1000 });
        return memories.map(({ content }) => content).reverse();
      },
      async readSome(maxSearchResults) {
        return (await store.search("paint", { maxSearchResults })).map(({ content }) => content);
      },
    };
  },
});
beforeAll(contract.start);
afterAll(contract.stop);

it.each(Object.entries(contract.cases))("%s", (_, run) => run());
