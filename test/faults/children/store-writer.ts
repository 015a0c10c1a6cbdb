/**
 * Writes to a store until it is killed. Reports each acknowledged commit on standard output: `user
 * commit`.
 */
import { writeSync } from "node:fs";
import { openLevelStore } from "../../../src/store/level/level-store.js";
import { userScope, users, writeNext } from "./plan.js";
import { smallBuffers } from "./small-buffers.js";

const callersPerUser = 6;

const [folder = ""] = process.argv.slice(2);
const store = await openLevelStore({ folder, clock: { nowMs: () => 0 } }, smallBuffers);
const callers = users.flatMap((userId) => Array.from({ length: callersPerUser }, () => userId));
await Promise.all(
  callers.map(async (userId) => {
    for (;;) {
      const { head } = await store.update(userScope(userId), (tx) => writeNext(tx, userId));
      writeSync(1, `${userId} ${head.seq}\n`);
    }
  }),
);
