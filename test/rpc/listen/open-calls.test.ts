import { once } from "node:events";
import { createClient, type Transport } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { instantOfMillis } from "../../../src/core/model/instant.js";
import type { Proposal } from "../../../src/core/model/proposal.js";
import type { Call } from "../../../src/core/ports/call.js";
import type { ReindexEvent } from "../../../src/core/reindex/reindex.js";
import { describeOver } from "../../over-protocols.js";
import { protocols } from "../protocols.js";
import { failureOf } from "../rpc-failure.js";
import { nextOf } from "../streams.js";
import { startTestRpcServer } from "../test-rpc-server.js";

const overloaded = {
  code: "ResourceExhausted",
  reason: "OVERLOADED",
  retryDelay: { seconds: 1n },
};
const summary: ReindexEvent = {
  kind: "summary",
  modelId: "new@1",
  namespacesChanged: 0,
  namespacesUnchanged: 0,
  memoriesEmbedded: 0,
  memoriesRefused: 0,
  firstRefused: [],
};

const createTime = instantOfMillis(0);
const proposal: Proposal = {
  id: "p1",
  agentId: "cook",
  target: { kind: "block", label: "notes" },
  oldString: "tea",
  newString: "milk",
  replaceAll: false,
  reasoning: "because",
  confidence: "LOW",
  status: "PENDING",
  baseVersion: 1,
  baseText: "tea",
  createTime,
  expireTime: createTime,
};

/** Yields a value, then nothing until the call ends. */
async function* openWith<T>(value: T, { signal }: Call): AsyncGenerator<T> {
  yield value;
  await once(signal, "abort");
}

/** Opens a call of each kind, and resolves when the server has answered it. */
const openings = {
  "a watch of the health": (transport: Transport) =>
    nextOf(createClient(Health, transport).watch({})[Symbol.asyncIterator]()),
  "a watch of proposals": (transport: Transport) =>
    nextOf(
      createClient(ProposalService, transport)
        .watchProposals({ userId: "ann" })
        [Symbol.asyncIterator](),
    ),
  "a Reindex": (transport: Transport) =>
    nextOf(
      createClient(AdminService, transport)
        .reindex({ target: { case: "all", value: true } })
        [Symbol.asyncIterator](),
    ),
};

describeOver("a server at its limits of open calls", protocols, (protocol) => {
  it("a server refuses a second open call of a kind if its limit is one, and still accepts other kinds", async () => {
    const server = await startTestRpcServer(
      {},
      undefined,
      {
        proposals: { watch: (_, call) => openWith({ userId: "ann", proposal }, call) },
        reindexer: { reindex: (_, call) => openWith(summary, call) },
      },
      { watches: 1, maintenanceCalls: 1 },
    );
    const transport = protocol().connect(server);
    for (const open of Object.values(openings)) {
      expect(await open(transport)).toBeDefined();
      expect(await failureOf(open(transport))).toMatchObject(overloaded);
    }
    await createClient(Health, transport).check({});
  });
});

const multiplexed = protocols.filter(({ bidi }) => bidi);

describeOver("a connection with many watches of the health", multiplexed, (protocol) => {
  it("a connection gets OVERLOADED for its ninth watch of the health, and another connection can watch", async () => {
    const server = await startTestRpcServer();
    const open = openings["a watch of the health"];
    const transport = protocol().connect(server);
    await Promise.all(Array.from({ length: 8 }, () => open(transport)));
    expect(await failureOf(open(transport))).toMatchObject(overloaded);
    await open(protocol().connect(server));
  });
});
