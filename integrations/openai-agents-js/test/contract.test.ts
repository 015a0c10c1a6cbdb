import { connect } from "vademecum-client";
import { afterAll, beforeAll, it } from "vitest";
import { Contract } from "../../contract/typescript/index.js";
import { VademecumSession } from "../src/index.js";

const contract = new Contract({
  connect,
  open(client, userId) {
    const session = new VademecumSession({ client, userId, agentId: "guide", sessionId: "chat" });
    const readSome = async (count?: number) =>
      (await session.getItems(count)).map((item) =>
        "content" in item ? String(item.content) : "",
      );
    return {
      write: (content) => session.addItems([{ role: "user", content }]),
      read: () => readSome(),
      // A session deletes only its last item.
      remove: () => session.popItem(),
      readSome,
    };
  },
});
beforeAll(contract.start);
afterAll(contract.stop);

it.each(Object.entries(contract.cases))("%s", (_, run) => run());
