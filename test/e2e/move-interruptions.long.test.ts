import { ConnectError, createClient } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import { ErrorInfoSchema, RetryInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { moveData, planMove } from "../../src/cli/backups/move-data.js";
import type { MoveAdmin } from "../../src/cli/backups/move-scopes.js";
import { isFullSuite } from "../suite.js";
import { failureOf } from "./harness/failure.js";
import {
  createNamespaceClient,
  type NamespaceClient,
  required,
} from "./harness/namespace-client.js";
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

async function serve(flags: Readonly<Record<string, string>> = {}): Promise<Served> {
  const server = await startTestServer({ embedder: "none", ...flags });
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

/** Checks that a server has all memories, and that the other server forwards calls there. */
async function expectOwner(owner: Served, other: Served, contents: readonly string[]) {
  for (const { memories } of [owner, other])
    for (const client of memories)
      expect((await client.contents()).toSorted()).toEqual(contents.toSorted());
  const ownMoves = (await owner.admin.holdWrites({ listOnly: true })).moves;
  expect(ownMoves).toEqual([]);
  const { moves } = await other.admin.holdWrites({ listOnly: true });
  for (const { address, holdId } of moves)
    expect({ address, holdId }).toEqual({ address: owner.address, holdId: "" });
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
    await expectOwner(a, b, ["first"]);
  }
});

it("after a move that was killed after any of its changes, both servers serve all users", async () => {
  let isDone = false;
  for (let changes = 0; !isDone; changes++) {
    const [a, b] = [await serve(), await serve()];
    await addToAll(a, "first");
    isDone = await moveUntil(changes, a, b);
    // The target knows nothing of the move until it has heard of the first range.
    for (const { memories } of changes < 2 ? [a] : [a, b])
      for (const client of memories) expect(await client.contents()).toEqual(["first"]);
  }
});

/** Moves until the source has handed the users over, and the target does not serve them yet. */
async function handOver(from: Served, to: Served): Promise<void> {
  const life = { changes: Infinity };
  const { from: source, ...rest } = endsOf(from, to, life);
  const dying: MoveAdmin = {
    ...source,
    holdWrites: async (request, options) => {
      const response = await source.holdWrites(request, options);
      if (request.handOver === true) life.changes = 0;
      return response;
    },
  };
  const killed = moveData({ ...rest, from: dying, slices: 1, onProgress: () => undefined });
  await expect(killed).rejects.toThrow("killed");
}

describe("a move that is interrupted between its servers", () => {
  it("the source answers reads on both servers and holds the writes, until the move is repeated", async () => {
    const [a, b] = [await serve(), await serve()];
    await addToAll(a, "first");
    await handOver(a, b);
    for (const { memories } of [a, b]) {
      for (const client of memories) {
        expect(await client.contents()).toEqual(["first"]);
        const refused = await client.add("second").catch((cause: unknown) => cause);
        const error = ConnectError.from(refused);
        expect(error.findDetails(ErrorInfoSchema)[0]?.reason).toBe("WRITES_HELD");
        expect(error.findDetails(RetryInfoSchema)[0]?.retryDelay?.nanos).toBe(200_000_000);
      }
    }
    expect(await planMove(endsOf(a, b))).toMatchObject({ scopes: users.length, changed: 0 });
    expect(await move(a, b)).toMatchObject({ scopes: users.length });
    await addToAll(a, "second");
    await expectOwner(b, a, ["first", "second"]);
  });

  it("a batch gets WRITES_HELD for each item through both servers", async () => {
    const [a, b] = [await serve(), await serve()];
    await addToAll(a, "first");
    await handOver(a, b);
    for (const { memories } of [a, b]) {
      const client = required(memories[0], "no client");
      const add = { namespace: client.namespace, content: "second" };
      const [reply] = await client.addBatch([{ clientId: "1", add }]);
      const held = expect.stringContaining("are held") as unknown;
      expect(reply?.result.value).toMatchObject({ message: held });
    }
  });

  it("once the target serves the users, the source asks it for everything, even before it has given the users up", async () => {
    const [a, b] = [await serve(), await serve()];
    await addToAll(a, "first");
    await handOver(a, b);
    await b.admin.holdWrites({ range: {}, release: true });
    await addToAll(a, "second");
    await addToAll(b, "third");
    for (const { memories } of [a, b])
      for (const client of memories)
        expect(await client.contents()).toEqual(["third", "second", "first"]);
    await move(a, b);
    await expectOwner(b, a, ["first", "second", "third"]);
  });

  it("a source that may not forward refuses the users with MOVED, because the target may serve them", async () => {
    const [a, b] = [await serve({ "on-moved": "refuse" }), await serve()];
    await addToAll(a, "first");
    await handOver(a, b);
    expect(await failureOf(a.memories[0]?.contents() ?? Promise.resolve())).toMatchObject({
      reason: "MOVED",
    });
  });
});
