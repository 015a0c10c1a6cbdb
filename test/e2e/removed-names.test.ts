import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { createTestFolder } from "../store/level/level-folder.js";
import { isOverPostgres } from "../suite.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";

const namespace = { userId: "kim", agentId: "guide" };
const { userId } = namespace;

it.skipIf(isOverPostgres)(
  "after Prune, no file has the name of a deleted key, block, thread or tool, or the text of it",
  async () => {
    const data = await createTestFolder(onTestFinished);
    const server = await startTestServer({ provider: "level", data });
    const { transport, close } = nativeGrpc.connect(server);
    let keys = 0;
    const once = () => ({ idempotencyKey: `retry ${++keys}` });
    const memories = createClient(MemoryProvider, transport);
    const notes = createClient(KeyValueService, transport);
    await notes.writeKey({ runId: "r", key: "markednote", value: "markedvalue", ...once() });
    await notes.deleteKey({ runId: "r", key: "markednote", ...once() });
    const blocks = createClient(BlockService, transport);
    const block = { userId, body: "markedbody" };
    await blocks.putBlock({ ...block, label: "markedone", ...once() });
    await blocks.restoreBlock({ userId, label: "markedone", version: 1n, ...once() });
    await blocks.renameBlock({ userId, label: "markedone", newLabel: "markedtwo", ...once() });
    const target = { case: "blockLabel", value: "markedtwo" } as const;
    const edit = { oldString: "markedbody", newString: "markedtext", reasoning: "markedreason" };
    await memories.proposeEdit({ namespace, target, ...edit, ...once() });
    await blocks.deleteBlock({ userId, label: "markedtwo", ...once() });
    await blocks.putBlock({ ...block, label: "markedthree", ...once() });
    await blocks.deleteBlocks({ userId, labelPrefix: "marked", ...once() });
    const threads = createClient(ThreadService, transport);
    const turns = [{ content: "markedturn", author: "markedauthor" }];
    await threads.appendTurns({ namespace, threadId: "markedthread", turns, ...once() });
    const forked = { namespace, threadId: "markedthread", newThreadId: "markedfork" };
    await threads.forkThread({ ...forked, ...once() });
    for (const threadId of ["markedthread", "markedfork"])
      await threads.clearThread({ namespace, threadId, ...once() });
    const tools = createClient(ToolService, transport);
    const memoryAccess = [{ memoryType: MemoryType.EPISODIC, enabled: true }];
    const manifest = { toolId: "markedtool", version: "1", memoryAccess };
    await tools.registerTool({ manifest, ...once() });
    await tools.deleteTool({ toolId: "markedtool", ...once() });
    await memories.add({ namespace, content: "kept", ...once() });
    await createClient(AdminService, transport).prune({});
    close();
    await server.stop();
    const entries = await readdir(data, { recursive: true, withFileTypes: true });
    const found: string[] = [];
    for (const entry of entries.filter((it) => it.isFile())) {
      const path = join(entry.parentPath, entry.name);
      for (const encoding of ["latin1", "utf16le"] as const) {
        const text = await readFile(path, encoding);
        for (const [mark] of text.matchAll(/marked\w*/g)) found.push(`${entry.name}: ${mark}`);
      }
    }
    expect(found.some((it) => it.includes("markedtwo"))).toBe(true);
    // The record of the proposal about the deleted block stays for a while, without its texts.
    expect(found.filter((it) => !it.includes("markedtwo"))).toEqual([]);
  },
);
