import { createClient } from "@connectrpc/connect";
import { expect, it } from "vitest";
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "#gen/grpc/health/v1/health_pb.js";
import { AdminService, ReindexCollection, ReindexPhase } from "#gen/vademecum/v1/admin_pb.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import type { Call } from "../../../src/core/ports/call.js";
import { createPruner } from "../../../src/core/pruning/pruner.js";
import type { ReindexEvent, Reindexer, ReindexTarget } from "../../../src/core/reindex/reindex.js";
import type { RpcCall } from "../../../src/rpc/adapt/handler.js";
import { describeOver } from "../../over-protocols.js";
import { protocols } from "../protocols.js";
import { failureOf } from "../rpc-failure.js";
import { collect } from "../streams.js";
import { startTestRpcServer } from "../test-rpc-server.js";

const namespace = { userId: "ann", agentId: "cook" };
const events: readonly ReindexEvent[] = [
  {
    kind: "progress",
    namespace,
    collection: "memories",
    phase: "CLEARING",
    memoriesDone: 0,
    memoriesTotal: 0,
  },
  {
    kind: "progress",
    namespace,
    collection: "skills",
    phase: "EMBEDDING",
    memoriesDone: 64,
    memoriesTotal: 70,
  },
  {
    kind: "summary",
    modelId: "new@1",
    namespacesChanged: 1,
    namespacesUnchanged: 2,
    memoriesEmbedded: 70,
    memoriesRefused: 3,
    firstRefused: [{ namespace, collection: "skills", id: "m1" }],
  },
];

/** A reindexer that yields the events and records its target and deadline. */
function recordingReindexer() {
  const inputs: { readonly target: ReindexTarget; readonly deadlineMs: number }[] = [];
  const reindex: Reindexer["reindex"] = async function* (target: ReindexTarget, call: Call) {
    inputs.push({ target, deadlineMs: (call as RpcCall).deadlineMs });
    yield* events;
  };
  return { reindexer: { reindex, reindexDetached: reindex }, inputs };
}

describeOver("Reindex", protocols, (protocol) => {
  it("Reindex streams every event, and has no default deadline", async () => {
    const { reindexer, inputs } = recordingReindexer();
    const server = await startTestRpcServer({}, undefined, { reindexer });
    const client = createClient(AdminService, protocol().connect(server));
    const responses = await collect(
      client.reindex({ target: { case: "namespace", value: namespace } }),
    );
    expect(responses.map(({ event }) => event)).toMatchObject([
      {
        case: "progress",
        value: {
          namespace,
          collection: ReindexCollection.MEMORIES,
          phase: ReindexPhase.CLEARING,
          memoriesDone: 0n,
          memoriesTotal: 0n,
        },
      },
      {
        case: "progress",
        value: {
          namespace,
          collection: ReindexCollection.SKILLS,
          phase: ReindexPhase.EMBEDDING,
          memoriesDone: 64n,
          memoriesTotal: 70n,
        },
      },
      {
        case: "summary",
        value: {
          modelId: "new@1",
          namespacesChanged: 1n,
          namespacesUnchanged: 2n,
          memoriesEmbedded: 70n,
          memoriesRefused: 3n,
          firstRefused: [{ namespace, id: "m1", collection: ReindexCollection.SKILLS }],
        },
      },
    ]);
    await collect(client.reindex({ target: { case: "all", value: true } }));
    expect(inputs).toEqual([
      { target: namespace, deadlineMs: Number.POSITIVE_INFINITY },
      { target: "all", deadlineMs: Number.POSITIVE_INFINITY },
    ]);
  });

  it("Reindex refuses a request without a target", async () => {
    const server = await startTestRpcServer();
    const client = createClient(AdminService, protocol().connect(server));
    for (const target of [
      { case: undefined },
      { case: "all", value: false },
      { case: "namespace", value: {} },
    ] as const) {
      expect(await failureOf(collect(client.reindex({ target })))).toMatchObject({
        code: "InvalidArgument",
        reason: "INVALID_FIELD",
      });
    }
  });

  it("AdminService is a service that health checks know", async () => {
    const server = await startTestRpcServer();
    const health = createClient(Health, protocol().connect(server));
    expect((await health.check({ service: AdminService.typeName })).status).toBe(
      ServingStatus.SERVING,
    );
  });
});

describeOver("Prune", protocols, (protocol) => {
  it("Prune returns the number removed of each kind, and the error of a failed kind", async () => {
    const full = new VademecumError("RESOURCE_EXHAUSTED", "DISK_FULL", "the disk is full");
    const prunables = [
      { name: "skills", pruneAll: async (_call: Call, dryRun: boolean) => (dryRun ? 3 : 2) },
      { name: "proposals", pruneAll: () => Promise.reject(full) },
      { name: "turn_entries", pruneAll: () => Promise.reject(new Error("secret")) },
    ];
    const gate = { refusal: () => undefined, confirm: () => undefined };
    const pruner = createPruner(prunables, () => Promise.reject(full), gate);
    const server = await startTestRpcServer({}, undefined, { pruner });
    const client = createClient(AdminService, protocol().connect(server));
    const { outcomes } = await client.prune({});
    expect(outcomes).toMatchObject([
      { name: "skills", result: { case: "removed", value: 2n } },
      {
        name: "proposals",
        result: { case: "error", value: { code: 8, message: "the disk is full" } },
      },
      { name: "turn_entries", result: { case: "error", value: { code: 13 } } },
      { name: "compaction", result: { case: "error", value: { code: 8 } } },
    ]);
    expect(
      JSON.stringify(outcomes, (_, value: unknown) =>
        typeof value === "bigint" ? Number(value) : value,
      ),
    ).not.toContain("secret");
    const dryRun = await client.prune({ dryRun: true });
    expect(dryRun.outcomes[0]?.result).toEqual({ case: "removed", value: 3n });
    expect(dryRun.outcomes.map(({ name }) => name)).not.toContain("compaction");
  });
});
