import { connect } from "vademecum-client";
import { afterAll, beforeAll, it } from "vitest";
import { Contract } from "../../contract/typescript/index.js";
import { VademecumStore } from "../src/index.js";

const contract = new Contract({
  connect,
  isOrdered: false,
  open(client, userId) {
    const store = new VademecumStore(client.memories(userId, "graph"));
    const namespace = ["texts"];
    const readSome = async (limit: number) =>
      (await store.search(namespace, { limit })).map(({ value }) => String(value["text"]));
    return {
      write: (text) => store.put(namespace, text, { text }),
      read: () => readSome(100),
      remove: (text) => store.delete(namespace, text),
      readSome,
    };
  },
});
beforeAll(contract.start);
afterAll(contract.stop);

it.each(Object.entries(contract.cases))("%s", (_, run) => run());
