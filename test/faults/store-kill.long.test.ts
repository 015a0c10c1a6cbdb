import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { verifyFolder } from "../../src/store/level/recovery/verify-folder.js";
import { createTestFolder, openTestStore } from "../store/level/level-folder.js";
import { bySuite } from "../suite.js";
import { acknowledgedCommits } from "./acknowledged-commits.js";
import { type CompiledChildren, compileChildren, runToEnd } from "./child-process.js";
import { plannedState, readState, userScope, users } from "./children/plan.js";
import { smallBuffers } from "./children/small-buffers.js";

/** Number of kills. A long run sets a higher number. */
const rounds = Number(process.env["STORE_KILL_ROUNDS"] ?? bySuite({ quick: 2, full: 5 }));
/** Number of commits before the writer is killed: a different number in each round. */
const commitsOf = (round: number): number => 1 + ((round * 7919) % 400);

let children: CompiledChildren;

beforeAll(async () => {
  children = await compileChildren();
});

afterAll(() => children.remove());

it(
  "the store keeps every acknowledged commit, complete and in order, through repeated kills",
  async () => {
    const folder = await createTestFolder(onTestFinished);
    for (let round = 0; round < rounds; round++) {
      const writer = children.spawn("store-writer", [folder]);
      const { output } = await runToEnd(
        writer,
        (written) => written.split("\n").length > commitsOf(round),
      );
      const store = await openTestStore(folder, {}, smallBuffers);
      for (const userId of users) {
        await using snapshot = await store.snapshot(userScope(userId));
        expect(snapshot.head.seq).toBeGreaterThanOrEqual(
          acknowledgedCommits(output).get(userId) ?? 0,
        );
        expect(await readState(snapshot, userId)).toEqual(plannedState(userId, snapshot.head.seq));
      }
      await store.close();
    }
    expect((await verifyFolder(folder)).findings).toEqual([]);
  },
  60_000 + rounds * 5_000,
);
