import { isDeepStrictEqual } from "node:util";
import { VademecumError } from "../../../src/core/model/errors.js";
import type { Store } from "../../../src/core/ports/store.js";
import type { StorePlatform } from "../../../src/store/level/folder/platform.js";
import { openTestStore, testPlatform } from "../../store/level/level-folder.js";
import { plannedState, readState, userScope, users } from "./plan.js";

/** The outcome of starting a server on a folder. */
export type Outcome =
  /** The store refuses to open. */
  | "refused"
  /** The store opens. Damaged records answer DATA_LOSS, everything else is right. */
  | "reported"
  /** The store opens, and everything is right. */
  | "intact";

/**
 * Opens the folder and reads everything. Throws if a record is wrong, or is missing without an
 * error.
 */
export async function outcomeOf(
  folder: string,
  commits: number,
  platform: StorePlatform = testPlatform,
): Promise<Outcome> {
  let store: Store;
  try {
    store = await openTestStore(folder, {}, platform);
  } catch (error) {
    if (error instanceof VademecumError && error.reason === "STORE_DAMAGED") return "refused";
    throw error;
  }
  try {
    let outcome: Outcome = "intact";
    for (const userId of users)
      if (!(await isServedRight(store, userId, commits))) outcome = "reported";
    return outcome;
  } finally {
    await store.close();
  }
}

async function isServedRight(store: Store, userId: string, commits: number): Promise<boolean> {
  await using snapshot = await store.snapshot(userScope(userId));
  try {
    if (!isDeepStrictEqual(await readState(snapshot, userId), plannedState(userId, commits)))
      throw new Error(`${userId}: not what was written`);
    return true;
  } catch (error) {
    if (error instanceof VademecumError && error.code === "DATA_LOSS") return false;
    throw error;
  }
}
