import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { collect } from "../contract/store/context.js";
import { failureOf } from "./harness/failure.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";

const namespace = { userId: "kim", agentId: "guide" };

async function serve() {
  const server = await startTestServer({ provider: "memory" });
  onTestFinished(() => server.stop());
  const { transport, close } = nativeGrpc.connect(server);
  onTestFinished(close);
  return {
    admin: createClient(AdminService, transport),
    memories: createClient(MemoryProvider, transport),
  };
}

it.each([2n ** 63n - 1n, 2n ** 53n, 2n ** 49n])(
  "a restore refuses a scope whose last commit has the number %s, after which no other could follow",
  async (seq) => {
    const source = await serve();
    await source.memories.add({ namespace, content: "x" });
    const chunks = await collect(source.admin.backup({}));
    const target = await serve();
    async function* changed() {
      for (const { chunk } of chunks) {
        if (chunk?.chunk.case === "scope") chunk.chunk.value.seq = seq;
        if (chunk !== undefined) yield { chunk };
      }
    }
    expect(await failureOf(collect(target.admin.restore(changed())))).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    await target.memories.add({ namespace, content: "y" });
    await target.memories.add({ namespace, content: "z" });
  },
);
