import { generateText } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { connect } from "vademecum-client";
import { afterAll, beforeAll, it } from "vitest";
import { Contract } from "../../contract/typescript/index.js";
import { withVademecum } from "../src/index.js";
import { result } from "./scripted-model.js";

const contract = new Contract({
  connect,
  cannot: ["remove", "readSome"],
  open(client, userId) {
    const conversation = { client, userId, agentId: "guide", threadId: "today" };
    const mock = new MockLanguageModelV4({ doGenerate: result("Noted.") });
    const model = withVademecum(mock, conversation);
    const read = async () => {
      const { turns } = await client
        .threads(userId, "guide")
        .getTurns({ threadId: "today", limit: 1000 });
      return turns.flatMap(({ author, content }) => (author === "user" ? [content] : []));
    };
    return { write: (prompt) => generateText({ model, prompt }), read };
  },
});
beforeAll(contract.start);
afterAll(contract.stop);

it.each(Object.entries(contract.cases))("%s", (_, run) => run());
