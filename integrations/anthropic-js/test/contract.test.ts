import { connect } from "vademecum-client";
import { afterAll, beforeAll, it } from "vitest";
import { Contract } from "../../contract/typescript/index.js";
import { VademecumMemoryTool } from "../src/index.js";

const contract = new Contract({
  connect,
  roles: ["curator"],
  isOrdered: false,
  cannot: ["readSome"],
  open(client, userId) {
    const tool = new VademecumMemoryTool(
      { client, userId, agentId: "claude" },
      { approval: "none" },
    );
    const paths = new Map<string, string>();
    const pathOf = (text: string) => {
      const path = paths.get(text) ?? `/memories/${paths.size}.md`;
      paths.set(text, path);
      return path;
    };
    const read = async () => (await client.blocks(userId).list()).blocks.map(({ body }) => body);
    return {
      write: (text) => tool.create({ command: "create", path: pathOf(text), file_text: text }),
      read,
      remove: (text) => tool.delete({ command: "delete", path: pathOf(text) }),
    };
  },
});
beforeAll(contract.start);
afterAll(contract.stop);

it.each(Object.entries(contract.cases))("%s", (_, run) => run());
