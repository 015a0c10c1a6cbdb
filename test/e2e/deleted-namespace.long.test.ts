import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished, vi } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { describeWithGraphs } from "../index/graph/graph-addon.js";
import { isOverPostgres } from "../suite.js";
import { createNamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { type ServerProcess, startServerProcess } from "./harness/server-process.js";

const memoryCount = 300;

/**
 * Returns random text. LevelDB's compression hardly changes it, so it can be found in the files.
 */
function createMark(): string {
  return randomBytes(24).toString("base64url");
}

/** Returns the files below a folder. */
async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.map((name) => join(folder, name));
  const states = await Promise.all(paths.map((path) => stat(path)));
  return paths.filter((_, index) => states[index]?.isFile());
}

/** Returns the number of marks whose first ten characters are in a file of the folder. */
async function marksIn(folder: string, marks: readonly string[]): Promise<number> {
  const files = await Promise.all((await filesIn(folder)).map((path) => readFile(path)));
  return marks.filter((mark) => files.some((bytes) => bytes.includes(mark.slice(0, 10)))).length;
}

function use(server: ServerProcess) {
  const connection = nativeGrpc.connect(server);
  onTestFinished(() => connection.close());
  return connection.transport;
}

describeWithGraphs("a namespace that was reset", () => {
  it.skipIf(isOverPostgres)(
    "a reset namespace leaves no byte of its texts and no graph in the folder after Prune",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "vademecum-deleted-"));
      onTestFinished(() => rm(folder, { recursive: true }));
      const data = join(folder, "data");
      const serve = async (threshold: number) => {
        const flags = ["--graph-threshold", String(threshold)];
        const server = await startServerProcess(data, { flags });
        onTestFinished(() => void server.end("SIGKILL"));
        return server;
      };
      const namespace = { userId: "ann", agentId: "gone" };
      const marks = Array.from({ length: memoryCount }, createMark);
      const skillMarks = [createMark(), createMark()] as const;
      const filling = await serve(1_000_000);
      const filled = use(filling);
      await createNamespaceClient(createClient(MemoryProvider, filled), namespace).addBatch(
        marks.map((mark) => ({ add: { namespace, content: `the ${mark}` } })),
      );
      await createClient(SkillService, filled).storeSkill({
        namespace,
        context: skillMarks[0],
        lesson: skillMarks[1],
      });
      await filling.end("SIGTERM");
      const server = await serve(100);
      const transport = use(server);
      const provider = createClient(MemoryProvider, transport);
      await createNamespaceClient(provider, namespace).search("the mark");
      await server.logged("a graph was saved");
      const kept = { userId: "ann", agentId: "kept" };
      const keptMark = createMark();
      await provider.add({ namespace: kept, content: keptMark });
      const all = [...marks, ...skillMarks];
      expect(await marksIn(data, all)).toBeGreaterThan(0.9 * all.length);
      expect(await filesIn(join(data, "graphs"))).not.toEqual([]);

      await provider.reset({ target: { case: "namespace", value: namespace } });
      const admin = createClient(AdminService, transport);
      await vi.waitFor(
        async () => {
          await admin.prune({});
          expect(await marksIn(data, all)).toBe(0);
          expect(await filesIn(join(data, "graphs"))).toEqual([]);
        },
        { timeout: 60_000, interval: 500 },
      );
      expect(await marksIn(data, [keptMark])).toBe(1);
      expect(await server.end("SIGTERM")).toBe(0);
      expect(await marksIn(data, all)).toBe(0);
    },
  );
});
