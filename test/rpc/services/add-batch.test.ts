import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import type { AddBatchResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { AddInput, StoredItem } from "../../../src/core/memories/service.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import type { Call } from "../../../src/core/ports/call.js";
import { describeOver } from "../../over-protocols.js";
import { createDeferred, type Deferred } from "../deferred.js";
import { memoryProviderClient, protocols } from "../protocols.js";
import { failureOf } from "../rpc-failure.js";
import { collect, nextOf, streamOf } from "../streams.js";
import { useTestRpcServer } from "../test-rpc-server.js";

const serve = useTestRpcServer();

/** Serves batches whose items are stored by `add`. */
const serveBatches = (add: (input: AddInput, call: Call) => Promise<StoredItem>) =>
  serve({ openBatch: (call) => ({ add: (input) => add(input, call) }) });

const storedAs = (id: string): StoredItem => ({ id, outcome: "ADDED", commitSeq: 1n });
const namespace = { userId: "ann", agentId: "cook" };
const item = (clientId: string, content = clientId) => ({ clientId, add: { namespace, content } });

function outcomeOf({ clientId, result }: AddBatchResponse): unknown {
  if (result.case !== "error") return { clientId, id: result.value };
  const { code, details } = result.value;
  const [info] = details
    .map((detail) => anyUnpack(detail, ErrorInfoSchema))
    .filter((detail) => detail !== undefined);
  const fields = details.flatMap(
    (detail) => anyUnpack(detail, BadRequestSchema)?.fieldViolations ?? [],
  );
  return {
    clientId,
    code: Code[code],
    reason: info?.reason,
    fields: fields.map(({ field }) => field),
  };
}

describeOver(
  "a batch",
  protocols.filter(({ bidi }) => bidi),
  (protocol) => {
    it("a batch stores 512 items at a time, and answers in the order of the items", async () => {
      const pending = new Map<string, Deferred<StoredItem>>();
      const all = createDeferred();
      const server = serveBatches(({ content }) => {
        const stored = createDeferred<StoredItem>();
        pending.set(content, stored);
        if (pending.size === 512) all.resolve();
        return stored.promise;
      });
      const items = Array.from({ length: 512 }, (_, i) => item(`${i}`));
      const replies = collect(memoryProviderClient(server, protocol()).addBatch(streamOf(items)));
      await all.promise;
      for (const [content, stored] of [...pending].reverse())
        stored.resolve(storedAs(`id of ${content}`));
      expect((await replies).map(outcomeOf)).toEqual(
        items.map(({ clientId }) => ({ clientId, id: `id of ${clientId}` })),
      );
    });

    it("a batch answers an item before the client sends the next one", async () => {
      const server = serveBatches(async ({ content }) => storedAs(content));
      const answered = createDeferred();
      const items = async function* () {
        yield item("first");
        await answered.promise;
        yield item("second");
      };
      const replies = memoryProviderClient(server, protocol())
        .addBatch(items())
        [Symbol.asyncIterator]();
      expect((await nextOf(replies))?.result.value).toBe("first");
      answered.resolve();
      expect((await nextOf(replies))?.result.value).toBe("second");
      expect(await nextOf(replies)).toBeUndefined();
    });

    it("each invalid item of a batch fails alone, with its reason and the path of the field", async () => {
      const server = serveBatches(async ({ content }) => {
        if (content === "full")
          throw new VademecumError("RESOURCE_EXHAUSTED", "DISK_FULL", "the disk is full");
        if (content === "broken") throw new Error("secret");
        return storedAs("m1");
      });
      const items = [
        item("1", ""),
        { clientId: "2" },
        item("x".repeat(129), "x"),
        item("4", "full"),
        item("5", "broken"),
        {
          clientId: "6",
          add: { namespace, content: "x", metadata: { "\ufffd": 1 }, tags: ["ok", ""] },
        },
        item("7", "good"),
      ];
      const replies = await collect(
        memoryProviderClient(server, protocol()).addBatch(streamOf(items)),
      );
      expect(replies.map(outcomeOf)).toEqual([
        {
          clientId: "1",
          code: "InvalidArgument",
          reason: "INVALID_FIELD",
          fields: ["add.content"],
        },
        { clientId: "2", code: "InvalidArgument", reason: "INVALID_FIELD", fields: ["add"] },
        {
          clientId: "x".repeat(129),
          code: "InvalidArgument",
          reason: "INVALID_FIELD",
          fields: ["client_id"],
        },
        { clientId: "4", code: "ResourceExhausted", reason: "DISK_FULL", fields: [] },
        { clientId: "5", code: "Internal", reason: "INTERNAL_ERROR", fields: [] },
        {
          clientId: "6",
          code: "InvalidArgument",
          reason: "INVALID_FIELD",
          fields: ["add.tags[1]"],
        },
        { clientId: "7", id: "m1" },
      ]);
      expect(
        JSON.stringify(replies, (_key, value: unknown) =>
          typeof value === "bigint" ? `${value}` : value,
        ),
      ).not.toContain("secret");
      expect(server.logged).toHaveLength(1);
    });

    it("a batch cancels its use cases when the client leaves", async () => {
      const ended = createDeferred<unknown>();
      const started = createDeferred();
      const server = serveBatches(async (_input, call) => {
        call.signal.addEventListener("abort", () => ended.resolve(call.signal.reason));
        started.resolve();
        return createDeferred<StoredItem>().promise;
      });
      const leave = new AbortController();
      const replies = collect(
        memoryProviderClient(server, protocol()).addBatch(streamOf([item("1")]), {
          signal: leave.signal,
        }),
      );
      await started.promise;
      leave.abort();
      expect((await failureOf(replies)).code).toBe("Canceled");
      expect(await ended.promise).toMatchObject({ code: "CANCELLED" });
      expect(server.logged).toEqual([]);
    });
  },
);
