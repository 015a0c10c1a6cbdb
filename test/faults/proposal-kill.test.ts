import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { createGrpcJsTransport } from "../e2e/harness/grpc-js-transport.js";
import { createUserClient, type UserClient } from "../e2e/harness/user-client.js";
import { bySuite } from "../suite.js";
import { createRandom, type Random } from "./server/random.js";
import { type ServerProcess, startServerProcess } from "./server/server-process.js";

/** Number of kills of the server. The suite does a few; run more with VADEMECUM_KILL_ROUNDS=100. */
const rounds = Number(env["VADEMECUM_KILL_ROUNDS"] ?? bySuite({ quick: 1, full: 3 }));
const seed = Number(
  env["VADEMECUM_KILL_SEED"] ?? bySuite({ quick: 1, full: Date.now() % 1_000_000 }),
);

const usersARound = bySuite({ quick: 6, full: 20 });
const before = "Ada reads one book a week.";
const after = "Ada reads one book and two papers a week.";

/** A call about the block or memory of a user, which has a pending edit. */
interface ProposalCall {
  readonly user: string;
  readonly proposalId: string;
  /** `undefined`: the edit is of the block. */
  readonly memoryId: string | undefined;
  acknowledged: boolean;
}

let folder = "";
let server: ServerProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-approve-"));
});
afterEach(async () => {
  await server?.end("SIGKILL");
  await rm(folder, { recursive: true });
});

describe("a server that is killed between approval and reply", () => {
  it(`applies each edit once or not at all, and keeps every acknowledged one (${rounds} rounds, VADEMECUM_KILL_SEED=${seed})`, {
    timeout: 600_000 + rounds * 60_000,
  }, async () => {
    await killRepeatedly({
      act: (user, { proposalId }) => user.approve(proposalId),
      async look(user, approval) {
        await expectAllOrNothing(user, approval);
        await expectOnceMore(user, approval);
      },
    });
  });
});

describe("a server that is killed between deletion and reply", () => {
  it(`deletes each target together with the texts of its proposal or not at all, and keeps every acknowledged deletion (${rounds} rounds, VADEMECUM_KILL_SEED=${seed})`, {
    timeout: 600_000 + rounds * 20_000,
  }, async () => {
    await killRepeatedly({ act: deleteTarget, look: expectBothOrNeither });
  });
});

/** The calls until the server is killed, and the check of each call after that. */
interface Scenario {
  readonly act: (user: UserClient, call: ProposalCall) => Promise<unknown>;
  readonly look: (user: UserClient, call: ProposalCall) => Promise<void>;
}

async function killRepeatedly({ act, look: check }: Scenario): Promise<void> {
  const random = createRandom(seed);
  for (let round = 1; round <= rounds; round++) {
    server = await startServerProcess(folder);
    const names = Array.from({ length: usersARound }, (_, i) => `round ${round} user ${i}`);
    const calls = (
      await withUsers(server, (userOf) =>
        Promise.all(names.map((name) => proposeEdits(name, userOf(name)))),
      )
    ).flat();
    await actUntilKilled(server, calls, random, act);
    server = await startServerProcess(folder);
    await withUsers(server, async (userOf) => {
      for (const call of calls) await check(userOf(call.user), call);
    });
    await server.end("SIGKILL");
  }
}

async function withUsers<T>(
  { grpcUrl }: ServerProcess,
  use: (userOf: (name: string) => UserClient) => Promise<T>,
): Promise<T> {
  const transport = createGrpcJsTransport(new URL(grpcUrl).host);
  try {
    const connection = { transport, close: () => undefined };
    return await use((userId) => createUserClient(connection, { userId, agentId: "agent" }));
  } finally {
    transport.close();
  }
}

async function proposeEdits(name: string, user: UserClient): Promise<ProposalCall[]> {
  await user.put(before);
  const { id: memoryId } = await user.memories.add(before);
  const edit = { old: "one book", new: "one book and two papers" };
  return [
    { user: name, proposalId: await user.proposed(edit), memoryId: undefined, acknowledged: false },
    {
      user: name,
      proposalId: await user.proposed({ ...edit, memoryId }),
      memoryId,
      acknowledged: false,
    },
  ];
}

/**
 * Makes all calls at once, and kills the server a random moment after a random reply, or before the
 * first.
 */
async function actUntilKilled(
  running: ServerProcess,
  calls: readonly ProposalCall[],
  random: Random,
  act: Scenario["act"],
): Promise<void> {
  let left = random.integer(0, calls.length - 1);
  const kill = async () => delay(random.integer(0, 5)).then(() => running.end("SIGKILL"));
  await withUsers(running, async (userOf) => {
    let killed = left === 0 ? kill() : undefined;
    const actOnce = async (call: ProposalCall) => {
      try {
        await act(userOf(call.user), call);
        call.acknowledged = true;
        if (--left === 0) killed ??= kill();
      } catch {
        // Interrupted: the outcome is checked later.
      }
    };
    await Promise.all(calls.map(actOnce));
    await killed;
  });
}

interface Found {
  readonly status: ProposalStatus | undefined;
  readonly text: string | undefined;
  readonly version: bigint | undefined;
  readonly foundAs: string | undefined;
}

async function look(user: UserClient, { proposalId, memoryId }: ProposalCall): Promise<Found> {
  const { proposal } = await user.proposal(proposalId);
  if (memoryId === undefined) {
    const { body, version } = await user.block();
    const [newest] = await user.versions();
    return { status: proposal?.status, text: body, version, foundAs: newest?.body };
  }
  const { content, version } = await user.memories.get(memoryId);
  const { hits } = await user.memories.search("book");
  return { status: proposal?.status, text: content, version, foundAs: hits[0]?.memory?.content };
}

const applied: Found = {
  status: ProposalStatus.APPROVED,
  text: after,
  version: 2n,
  foundAs: after,
};
const untouched: Found = {
  status: ProposalStatus.PENDING,
  text: before,
  version: 1n,
  foundAs: before,
};

async function expectAllOrNothing(user: UserClient, approval: ProposalCall): Promise<void> {
  const found = await look(user, approval);
  expect(found).toEqual(
    approval.acknowledged || found.status === ProposalStatus.APPROVED ? applied : untouched,
  );
}

async function expectOnceMore(user: UserClient, approval: ProposalCall): Promise<void> {
  const { proposal } = await user.approve(approval.proposalId);
  expect(proposal).toMatchObject({ status: ProposalStatus.APPROVED, resultVersion: 2n });
  expect(await look(user, approval)).toEqual(applied);
}

async function deleteTarget(user: UserClient, { memoryId }: ProposalCall): Promise<void> {
  if (memoryId === undefined)
    await user.blocks.deleteBlock({ userId: user.userId, label: "student" });
  else await user.memories.delete(memoryId);
}

async function expectBothOrNeither(user: UserClient, call: ProposalCall): Promise<void> {
  const { proposal } = await user.proposal(call.proposalId);
  const isThere = await readTarget(user, call).then(
    () => true,
    () => false,
  );
  expect(call.acknowledged && isThere).toBe(false);
  const texts = { oldString: "one book", reasoning: "the user said so" };
  expect(proposal).toMatchObject(
    isThere
      ? { status: ProposalStatus.PENDING, textsRemoved: false, ...texts }
      : { status: ProposalStatus.CONFLICTED, textsRemoved: true, oldString: "", reasoning: "" },
  );
}

function readTarget(user: UserClient, { memoryId }: ProposalCall): Promise<unknown> {
  return memoryId === undefined ? user.block() : user.memories.get(memoryId);
}
