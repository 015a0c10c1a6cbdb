import { createClient } from "@connectrpc/connect";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { describeOver } from "../over-protocols.js";
import { isFullSuite, propertyRuns } from "../suite.js";
import { nativeGrpc, protocols } from "./harness/protocols.js";
import { createRunClient } from "./harness/run-client.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { useConnection } from "./harness/use-connection.js";
import { keyValueCases } from "./key-values/cases.js";

const stores = [
  { provider: "level", over: protocols },
  // Protocols behave the same over every store.
  { provider: "memory", over: [nativeGrpc] },
];

describe.each(stores)("keys of runs on $provider", ({ provider, over }) => {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startTestServer({ provider, embedder: "none", "allow-reset": "true" });
  });
  afterAll(() => server?.stop());

  describeOver("a run", over, (protocol) => {
    const connected = useConnection(protocol, () => server);
    let runs = 0;
    keyValueCases(it, () => createRunClient(connected(), `${protocol().name} ${++runs}`));
  });

  describe("a long run", () => {
    const connected = useConnection(
      () => nativeGrpc,
      () => server,
    );

    it("a run behaves as an insertion-ordered map under any writes and deletions", async () => {
      const keys = fc.constantFrom("a", "A", "ab", "a\0", "é", "b/a");
      const steps = fc.array(
        fc.oneof(
          fc.record({ write: keys, value: fc.string({ unit: "binary" }) }),
          fc.record({ remove: keys }),
        ),
        {
          maxLength: 30,
        },
      );
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(steps, keys, async (sequence, pattern) => {
          const run = createRunClient(connected(), `model ${++runs}`);
          const model = new Map<string, string>();
          for (const step of sequence) {
            if ("write" in step) {
              expect(await run.write(step.write, step.value)).toBe(!model.has(step.write));
              model.set(step.write, step.value);
            } else {
              expect(await run.delete(step.remove)).toBe(model.delete(step.remove));
            }
          }
          expect(await run.list({ limit: 2 })).toEqual([...model.keys()]);
          expect(await run.search(pattern)).toEqual(
            [...model.keys()].filter((key) => key.includes(pattern)),
          );
          for (const [key, value] of model) expect(await run.read(key)).toBe(value);
        }),
        { numRuns: propertyRuns(40) },
      );
    });

    it.runIf(isFullSuite)(
      "a long run lists its keys in pages below 4 MiB, even in JSON",
      async () => {
        const run = createRunClient(connected(), "large");
        const keys = Array.from({ length: 6500 }, (_, i) => `${i}`.padEnd(512, "k"));
        await Promise.all(keys.map(async (key) => run.write(key, "")));
        const { keys: page, nextPageToken } = await run.service.listKeys({ runId: run.runId });
        expect(nextPageToken).not.toBe("");
        expect(page.length).toBeGreaterThan(5000);
        expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(4 * 1024 * 1024);
        expect((await run.list()).toSorted()).toEqual(keys.toSorted());
        expect(await run.search("6499")).toEqual(["6499".padEnd(512, "k")]);
      },
    );

    it("a run is empty after a Reset of everything", async () => {
      const runs = ["a", "b\0", "ann/one"].map((runId) => createRunClient(connected(), runId));
      for (const run of runs) for (const key of ["first", "second"]) await run.write(key, "");
      const memories = createClient(MemoryProvider, connected().transport);
      await memories.add({ namespace: { userId: "ann", agentId: "one" }, content: "a memory" });
      expect((await memories.reset({ target: { case: "everything", value: true } })).deleted).toBe(
        1n,
      );
      for (const run of runs) {
        expect(await run.list()).toEqual([]);
        expect(await run.read("first")).toBeUndefined();
        expect(await run.write("first", "anew")).toBe(true);
        expect(await run.list()).toEqual(["first"]);
      }
    });
  });
});
