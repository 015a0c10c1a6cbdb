import { createClient } from "@connectrpc/connect";
import { afterEach, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { moveData, planMove } from "../../src/cli/backups/move-data.js";
import type { MoveAdmin } from "../../src/cli/backups/move-scopes.js";
import { isFullSuite } from "../suite.js";
import { failureOf } from "./harness/failure.js";
import { createNamespaceClient, type NamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";

/** Two users in different halves of the slots, so a move in two slices moves them one by one. */
const users = ["ann", "bob"];

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server with one memory client for each user. */
interface Served {
  readonly address: string;
  readonly admin: MoveAdmin;
  readonly memories: readonly NamespaceClient[];
}

async function serve(): Promise<Served> {
  const server = await startTestServer({ embedder: "none" });
  ends.push(() => server.stop());
  const connection = nativeGrpc.connect(server);
  ends.push(() => connection.close());
  const provider = createClient(MemoryProvider, connection.transport);
  return {
    address: server.grpcUrl,
    admin: createClient(AdminService, connection.transport),
    memories: users.map((userId) => createNamespaceClient(provider, { userId, agentId: "x" })),
  };
}

/** A simulated process. It can make `changes` more changes, and ends at the next change. */
interface Life {
  changes: number;
}

/** Returns the calls of a process to a server. All calls fail after the end of the process. */
function callsOf(life: Life, admin: MoveAdmin): MoveAdmin {
  const live = (isChange: boolean): void => {
    if (isChange && life.changes >= 0) life.changes--;
    if (life.changes < 0) throw new Error("killed");
  };
  return {
    async *backup(...request) {
      live(false);
      yield* admin.backup(...request);
    },
    async *restore(...request) {
      live(true);
      yield* admin.restore(...request);
    },
    holdWrites: async (...request) => {
      live(request[0].listOnly !== true);
      return admin.holdWrites(...request);
    },
  };
}

function endsOf(from: Served, to: Served, life: Life = { changes: Infinity }) {
  return {
    from: callsOf(life, from.admin),
    to: callsOf(life, to.admin),
    fromAddress: from.address,
    toAddress: to.address,
  };
}

const move = (from: Served, to: Served, life?: Life) =>
  moveData({ ...endsOf(from, to, life), slices: 2, onProgress: () => undefined });

/**
 * Moves in a process that ends after some changes. Returns whether the move was complete by then.
 */
async function moveUntil(changes: number, from: Served, to: Served): Promise<boolean> {
  const life = { changes };
  try {
    await move(from, to, life);
    return true;
  } catch (error) {
    if (life.changes >= 0) throw error;
    return false;
  }
}

/** Checks that a server has all memories, and that the other server sends clients there. */
async function expectOwner(owner: Served, other: Served, contents: readonly string[]) {
  for (const [index, memories] of owner.memories.entries()) {
    expect((await memories.contents()).toSorted()).toEqual(contents.toSorted());
    expect(await failureOf(other.memories[index]?.contents() ?? Promise.resolve())).toMatchObject({
      reason: "MOVED",
      metadata: { address: owner.address },
    });
  }
}

async function addToAll({ memories }: Served, content: string): Promise<void> {
  for (const client of memories) await client.add(content);
}

it.runIf(isFullSuite)(
  "a repeated move completes a move that was killed after any of its changes, in both directions",
  async () => {
    const [a, b] = [await serve(), await serve()];
    const contents = ["first"];
    await addToAll(a, "first");
    let isDone = false;
    for (let changes = 0; !isDone; changes++) {
      for (const [from, to] of [
        [a, b],
        [b, a],
      ] as const) {
        isDone = await moveUntil(changes, from, to);
        await move(from, to);
        await expectOwner(to, from, contents);
        // Each later move must copy changed users, so it can also end between two copies.
        const content = `moved to ${to.address} after ${changes} changes`;
        await addToAll(to, content);
        contents.push(content);
      }
    }
  },
);

it("a move back completes a move that was killed after any of its changes", async () => {
  const [a, b] = [await serve(), await serve()];
  await addToAll(a, "first");
  let isDone = false;
  for (let changes = 0; !isDone; changes++) {
    isDone = await moveUntil(changes, a, b);
    await move(b, a);
    for (const memories of a.memories) expect(await memories.contents()).toEqual(["first"]);
  }
});

it("a move counts the users that no server serves because an earlier move was killed", async () => {
  const [a, b] = [await serve(), await serve()];
  await addToAll(a, "first");
  const life = { changes: Infinity };
  const { from, to, ...addresses } = endsOf(a, b, life);
  const dying: MoveAdmin = {
    ...from,
    holdWrites: async (request, options) => {
      const response = await from.holdWrites(request, options);
      if (request.movedTo !== undefined) life.changes = 0;
      return response;
    },
  };
  const killed = moveData({
    from: dying,
    to,
    ...addresses,
    slices: 1,
    onProgress: () => undefined,
  });
  await expect(killed).rejects.toThrow("killed");
  expect(await failureOf(a.memories[0]?.contents() ?? Promise.resolve())).toMatchObject({
    metadata: { address: b.address },
  });
  expect(await failureOf(b.memories[0]?.contents() ?? Promise.resolve())).toMatchObject({
    metadata: { address: a.address },
  });
  expect(await planMove(endsOf(a, b))).toMatchObject({ scopes: users.length, changed: 0 });
  expect(await move(a, b)).toMatchObject({ scopes: users.length });
  await expectOwner(b, a, ["first"]);
});
