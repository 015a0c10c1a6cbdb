import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { AddRequestSchema, MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { describeOver } from "../over-protocols.js";
import { bySuite } from "../suite.js";
import { badInputServer } from "./bad-input/bad-input-server.js";
import { nested, target } from "./bad-input/target.js";
import { failureOf } from "./harness/failure.js";
import { createNamespaceClient } from "./harness/namespace-client.js";
import { protocols } from "./harness/protocols.js";

const started = badInputServer();

describe("a request at the limit", () => {
  it("a request is accepted with 16 levels of metadata, a word of 60,000 letters, and 32 tags", async () => {
    const { memories } = started();
    const fields = {
      metadata: nested(16),
      tags: Array.from({ length: 32 }, (_, i) => `${i}`.padEnd(128, "x")),
      kind: "k".repeat(256),
      source: "é".repeat(128),
      author: "a".repeat(256),
      threadId: "t".repeat(256),
      idempotencyKey: "i".repeat(128),
    };
    const namespace = { userId: "u".repeat(256), agentId: "é".repeat(128) };
    const request = create(AddRequestSchema, { ...fields, namespace, content: "x".repeat(60_000) });
    const { id } = await memories.provider.add(request);
    const { memory } = await memories.provider.get({ namespace, id });
    const { idempotencyKey: _, ...kept } = fields;
    expect(memory).toMatchObject(kept);
  });

  it("a request is accepted with 64 KiB of content, 16 KiB of metadata, and the largest limit and budget", async () => {
    const { provider } = started().memories;
    const namespace = { userId: "limits", agentId: "agent" };
    const metadata = { a: "x".repeat(16_384 - '{"a":""}'.length) };
    await provider.add({ namespace, content: `${"wine ".repeat(13_107)}w`, metadata });
    const search = {
      namespace,
      query: `${"wine ".repeat(1638)}w`,
      limit: 1000,
      budgetTokens: 1_000_000,
    };
    expect((await provider.recall({ search })).hits).toHaveLength(1);
    const { memories } = await provider.getAll({
      namespace,
      limit: 1000,
      filter: { metadata, expression: "true".padEnd(2048) },
    });
    expect(memories).toHaveLength(1);
  });

  it("a request is accepted with trace data of 64 KiB", async () => {
    const traceData = { a: "x".repeat(65_536 - '{"a":""}'.length) };
    const { provider } = started().memories;
    const { id } = await provider.addTrace({
      agentId: "limits",
      workflowId: "w".repeat(256),
      traceData,
    });
    const { memory } = await provider.get({
      namespace: { userId: "system", agentId: "limits" },
      id,
    });
    expect(memory?.content).toContain(JSON.stringify(traceData));
  });
});

describe("a filter that needs too many steps", () => {
  it("a filter with too many steps fails each call that evaluates the filter, and changes no memory", async () => {
    const { provider } = started().memories;
    const namespace = { userId: "limits", agentId: "filters" };
    const list = Array.from({ length: 8_000 }, () => 1);
    const { id } = await provider.add({ namespace, content: "x", metadata: { list } });
    const filter = { expression: "metadata.list.all(x, x.missing == 1) || true" };
    const search = { namespace, query: "", filter };
    for (const call of [
      () => provider.getAll({ namespace, filter }),
      () => provider.count({ namespace, filter }),
      () => provider.recall({ search }),
      () => provider.explain({ search, id }),
      () => provider.deleteWhere({ namespace, filter }),
      () => provider.deleteWhere({ namespace, filter, dryRun: true }),
    ])
      expect(await failureOf(call())).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: "FILTER_TOO_EXPENSIVE",
      });
    expect((await provider.get({ namespace, id })).memory?.id).toBe(id);
  });
});

describeOver("a client", protocols, (protocol) => {
  it.each(bySuite({ quick: [5], full: [5, 16, 40] }))(
    "a client gets an error for a request of %i MiB, and can continue to call",
    async (mib) => {
      const connection = protocol().connect(started().urls);
      const memories = createNamespaceClient(
        createClient(MemoryProvider, connection.transport),
        target,
      );
      const failure = await failureOf(memories.add("x".repeat(mib * 1024 * 1024)));
      expect(failure).toMatchObject({ code: "RESOURCE_EXHAUSTED", reason: "REQUEST_TOO_LARGE" });
      expect(await memories.contents()).toEqual(["Kept through all of it"]);
      connection.close();
    },
  );
});
