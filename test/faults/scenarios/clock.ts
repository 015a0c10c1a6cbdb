import { join } from "node:path";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { nativeGrpc } from "../../e2e/harness/protocols.js";
import { startTestServer } from "../../e2e/harness/test-server.js";
import { createUserClient, type UserClient } from "../../e2e/harness/user-client.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { createRandom, type Random } from "../server/random.js";
import { Tally } from "../tally.js";
import { type RoundOptions, reportRound } from "./scenario.js";
import { withTemporaryFolder } from "./temporary-folder.js";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** A server does not start on data that is further ahead of its machine's clock. */
const leadMaxMs = dayMs - 60 * minuteMs;
const jumpsMs = [
  3 * dayMs,
  -3 * dayMs,
  2 * 60 * minuteMs,
  -2 * 60 * minuteMs,
  1_000,
  -1_000,
] as const;

/** The records that the scenario has written, and those that it has seen expire. */
interface Seen {
  /** Ids of memories in the order of writing. */
  readonly written: string[];
  /** Contents that never expire. */
  readonly lasting: string[];
  /** Memories and proposals that this server has treated as expired. */
  readonly expired: Set<string>;
  /**
   * Records that a server has treated as expired before a later write. The write stores its time,
   * so later servers must treat these records as expired too. A read stores no time.
   */
  readonly expiredForGood: Set<string>;
  readonly proposals: string[];
}

/**
 * Moves the clock of a server by up to three days, forwards and backwards, while the server runs
 * and while it is stopped. Ids and times must stay in the order of writing, and nothing expired may
 * come back.
 *
 * The server runs in this process, because its clock can be moved only there.
 */
export async function runClock(options: RoundOptions): Promise<Tally> {
  const tally = new Tally(["lost", "back from deletion", "out of order"], options.report);
  const random = createRandom(options.seed);
  const startMs = Date.UTC(2026, 0, 10);
  const clock = { machineMs: startMs, monotonicMs: 0, greatestMs: startMs };
  const seen: Seen = {
    written: [],
    lasting: [],
    expired: new Set(),
    expiredForGood: new Set(),
    proposals: [],
  };
  await withTemporaryFolder(async (folder) => {
    for (let round = 1; round <= options.rounds; round++) {
      // The monotonic clock of a restarted machine begins at 0.
      clock.monotonicMs = 0;
      clock.machineMs = Math.max(clock.machineMs, clock.greatestMs - leadMaxMs);
      seen.expired.clear();
      for (const gone of seen.expiredForGood) seen.expired.add(gone);
      await withServer(join(folder, "data"), clock, async (user) => {
        for (let steps = random.integer(1, 6); steps > 0; steps--) {
          await write(user, seen, clock.greatestMs, random, tally);
          passOrJump(clock, random, tally);
          await check(user, seen, tally);
        }
      });
      passOrJump(clock, random, tally);
      tally.count("restarts");
      reportRound(options, round, tally);
    }
  });
  return tally;
}

interface MovableClock {
  machineMs: number;
  monotonicMs: number;
  /** The greatest time of the machine so far. */
  greatestMs: number;
}

async function withServer(
  data: string,
  clock: MovableClock,
  use: (user: UserClient) => Promise<void>,
): Promise<void> {
  const server = await startTestServer(
    { data, pruning: "off", "proposal-lifetime": "1d", embedder: "none" },
    {
      clock: { nowMs: () => clock.machineMs },
      monotonicMs: () => clock.monotonicMs,
      timer: createManualTimer(),
    },
  );
  const connection = nativeGrpc.connect(server);
  try {
    await use(createUserClient(connection, { userId: "ada", agentId: "guide" }));
  } finally {
    connection.close();
    await server.stop();
  }
}

function passOrJump(clock: MovableClock, random: Random, tally: Tally): void {
  const passedMs = random.pick([1, 1_000, 2 * minuteMs, dayMs]);
  clock.machineMs += passedMs;
  clock.monotonicMs += passedMs;
  clock.greatestMs = Math.max(clock.greatestMs, clock.machineMs);
  if (random.chance(0.4)) return;
  clock.machineMs += random.pick(jumpsMs);
  clock.greatestMs = Math.max(clock.greatestMs, clock.machineMs);
  tally.count("jumps");
}

async function write(
  user: UserClient,
  seen: Seen,
  nowMs: number,
  random: Random,
  tally: Tally,
): Promise<void> {
  for (let i = random.integer(1, 4); i > 0; i--) {
    const content = `memory ${seen.written.length}`;
    const expires = random.chance(0.4);
    const expireTime = timestampFromMs(nowMs + random.pick([1_000, 60 * minuteMs, dayMs]));
    const { id } = await user.memories.add(content, expires ? { expireTime } : {});
    seen.written.push(id);
    if (!expires) seen.lasting.push(content);
    tally.count("memories");
  }
  for (const gone of seen.expired) seen.expiredForGood.add(gone);
  if (random.chance(0.7)) return;
  const label = `block ${seen.proposals.length}`;
  await user.put("one two", { label });
  seen.proposals.push(await user.proposed({ label, old: "one", new: "1" }));
  tally.count("proposals");
}

async function check(user: UserClient, seen: Seen, tally: Tally): Promise<void> {
  const { written, lasting, expired, proposals } = seen;
  if (written.toSorted().join() !== written.join())
    tally.harm("out of order", `ids: the last are ${written.slice(-5).join()}`);
  const listed = (await user.memories.list()).toReversed();
  const contents = new Set(listed.map(({ content }) => content));
  for (const content of lasting) if (!contents.has(content)) tally.harm("lost", content);
  for (const content of contents)
    if (expired.has(content)) tally.harm("back from deletion", content);
  for (let i = 0; i < written.length; i++)
    if (!contents.has(`memory ${i}`)) expired.add(`memory ${i}`);
  let lastMs = 0;
  let lastId = "";
  for (const { id, createTime, content } of listed) {
    const ms = createTime === undefined ? 0 : timestampMs(createTime);
    if (ms < lastMs || id <= lastId) tally.harm("out of order", `'${content}' at ${ms}`);
    [lastMs, lastId] = [ms, id];
  }
  for (const id of proposals) {
    const status = (await user.proposal(id)).proposal?.status;
    if (status === ProposalStatus.EXPIRED) expired.add(id);
    else if (expired.has(id)) tally.harm("back from deletion", `proposal ${id}`);
  }
}
