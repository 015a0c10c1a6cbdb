import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { bySuite } from "../suite.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startServerProcess } from "./harness/server-process.js";

const rounds = bySuite({ quick: 3, full: 20 });
/** Blocks of each user, and versions of each block. */
const blocksEach = 3;
const versionsEach = 4;
const calls = ["rename", "deleteBlocks", "deleteProposal"] as const;

type Server = Awaited<ReturnType<typeof startServerProcess>>;

/** The clients of one server. */
function connect(server: Server) {
  const { transport, close } = nativeGrpc.connect(server);
  return {
    blocks: createClient(BlockService, transport),
    proposals: createClient(ProposalService, transport),
    memories: createClient(MemoryProvider, transport),
    close,
  };
}

type Clients = ReturnType<typeof connect>;

/** Makes blocks with versions, and a proposal for each block. Returns the ids of the proposals. */
async function fill({ blocks, memories }: Clients, userId: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let at = 0; at < blocksEach; at++) {
    const label = `old/${at}`;
    for (let version = 1; version <= versionsEach; version++)
      await blocks.putBlock({ userId, label, body: `version ${version}` });
    const edit = { oldString: "version", newString: "edition", reasoning: "because" };
    const { proposal } = await memories.proposeEdit({
      namespace: { userId, agentId: "host" },
      target: { case: "blockLabel", value: label },
      ...edit,
    });
    ids.push(proposal?.id ?? "");
  }
  return ids;
}

/** Everything that the calls under test change, as a user sees it. */
async function stateOf({ blocks, proposals }: Clients, userId: string) {
  const { blocks: listed } = await blocks.listBlocks({ userId, limit: 100 });
  const found = await Promise.all(
    listed.map(async ({ label }) => {
      const { versions } = await blocks.listBlockVersions({ userId, label, limit: 100 });
      return { label, versions: versions.map(({ version }) => Number(version)) };
    }),
  );
  const { proposals: made } = await proposals.listProposals({ userId, limit: 100 });
  const targets = made.map(({ target, status }) => [target.value, status] as const);
  return { blocks: found, proposals: targets.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)) };
}

type State = Awaited<ReturnType<typeof stateOf>>;

function call(clients: Clients, kind: (typeof calls)[number], userId: string, proposal: string) {
  if (kind === "rename")
    return clients.blocks.renameBlock({ userId, label: "old/0", newLabel: "new/0" });
  if (kind === "deleteBlocks") return clients.blocks.deleteBlocks({ userId, labelPrefix: "old/" });
  return clients.proposals.deleteProposal({ userId, id: proposal });
}

it.each(calls)(
  "a server that is killed during %s has done all of each call or nothing, and all that it acknowledged",
  async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), "vademecum-blocks-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const usersEach = 12;
    for (let round = 0; round < rounds; round++) {
      const server = await startServerProcess(folder);
      const clients = connect(server);
      const users = Array.from({ length: usersEach }, (_, at) => `user ${round}/${at}`);
      const before = new Map<string, State>();
      const proposals = new Map<string, string>();
      for (const userId of users) {
        const [first = ""] = await fill(clients, userId);
        proposals.set(userId, first);
        // A proposal that waits is not deleted.
        if (kind === "deleteProposal")
          await clients.proposals.rejectProposal({ userId, id: first });
        before.set(userId, await stateOf(clients, userId));
      }
      // The first user shows what a call does that ends well.
      const [shown = "", ...others] = users;
      await call(clients, kind, shown, proposals.get(shown) ?? "");
      const done = await stateOf(clients, shown);
      const undone = before.get(shown) as State;
      expect(done).not.toEqual(undone);
      const acknowledged = new Set<string>();
      let ending: Promise<unknown> | undefined;
      const running = others.map(async (userId) => {
        await call(clients, kind, userId, proposals.get(userId) ?? "");
        acknowledged.add(userId);
        if (acknowledged.size === 1 + (round % 4)) ending = server.end("SIGKILL");
      });
      await Promise.allSettled(running);
      ending ??= server.end("SIGKILL");
      await ending;
      clients.close();
      const restarted = await startServerProcess(folder);
      const after = connect(restarted);
      for (const userId of users) {
        const state = await stateOf(after, userId);
        const allowed = acknowledged.has(userId) || userId === shown ? [done] : [done, undone];
        expect(allowed).toContainEqual(state);
        // A call with an unknown outcome can be made again.
        if (userId !== shown && !acknowledged.has(userId))
          await call(after, kind, userId, proposals.get(userId) ?? "").catch(() => undefined);
        expect(await stateOf(after, userId)).toEqual(done);
      }
      after.close();
      await restarted.end("SIGTERM");
    }
  },
  300_000,
);
