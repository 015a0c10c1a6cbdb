/**
 * Damages one place of a file at a time, each in a fresh copy of a data folder. Opens the copy and
 * prints a line for each place: `index outcome [explanation]`. This program is a process of its
 * own, because LevelDB may end the process when it reads a damaged table.
 */
import { writeSync } from "node:fs";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { VademecumError } from "../../../src/core/model/errors.js";
import type { Store } from "../../../src/core/ports/store.js";
import { verifyFolder } from "../../../src/store/level/recovery/verify-folder.js";
import { openTestStore } from "../../store/level/level-folder.js";
import { rescueFolder } from "../rescue.js";
import { type History, type Records, readAllTables, wasWritten } from "./all-tables.js";
import { damage, type Place } from "./place.js";
import { smallBuffers } from "./small-buffers.js";

const [folders = "", workplace = "", placesFile = "", from = ""] = process.argv.slice(2);
const places = JSON.parse(await readFile(placesFile, "utf8")) as readonly Place[];
const copy = join(workplace, "copy");
const restored = join(workplace, "restored");
const history = await readHistory();

const expected = {
  closed: await readUndamaged("closed"),
  killed: await readUndamaged("killed"),
};
for (const [index, place] of places.entries()) {
  if (index < Number(from)) continue;
  await renew(place.state);
  await damage(copy, place);
  const lost = new Set<string>();
  const outcome = await outcomeOf(expected[place.state], lost);
  const fault = /^(?:refused|reported)/.test(outcome)
    ? await rescueFault(expected[place.state], place, lost)
    : undefined;
  writeSync(1, `${index} ${fault === undefined ? outcome : `unrescued ${outcome}: ${fault}`}\n`);
}

async function readHistory(): Promise<History> {
  const tables = JSON.parse(await readFile(join(folders, "history.json"), "utf8")) as readonly [
    string,
    readonly [string, readonly string[]][],
  ][];
  return new Map(
    tables.map(([table, values]) => [
      table,
      new Map(values.map(([key, digests]) => [key, new Set(digests)])),
    ]),
  );
}

async function renew(state: string): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  await cp(join(folders, state), copy, { recursive: true });
}

async function readUndamaged(state: string): Promise<Records> {
  await renew(state);
  const store = await openTestStore(copy, {}, smallBuffers);
  try {
    return await readAllTables(store, undefined, (table) => {
      throw new Error(`${table} is damaged in the original data folder`);
    });
  } finally {
    await store.close();
  }
}

/**
 * Opens the damaged copy and compares its records with `records`. Adds the tables that answer
 * DATA_LOSS to `lost`. Returns one of these outcomes:
 *
 * - `refused`: the store does not open
 * - `intact`: all records are right
 * - `reported`: the rest is right, damaged tables answer DATA_LOSS, and `verify` has findings
 * - `mended`: as `reported`, but LevelDB has repaired the folder before `verify` ran
 * - `unverified`: as `reported`, but `verify` has no findings
 * - `silent`: records are wrong or missing, without DATA_LOSS
 *
 * After `refused` and `reported`, the outcome is `unrescued` if `rescueFault` finds a fault.
 */
async function outcomeOf(records: Records, lost: Set<string>): Promise<string> {
  let store: Store;
  try {
    store = await openTestStore(copy, {}, smallBuffers);
  } catch (error) {
    if (error instanceof VademecumError) return `refused ${error.reason}`;
    return `silent opening failed without a VademecumError: ${String(error)}`;
  }
  try {
    const found = await readAllTables(store, records, (table) => lost.add(table));
    const wrong = differences(records, found, lost);
    if (wrong.length > 0) return `silent ${wrong.join("; ")}`;
  } catch (error) {
    return `silent ${String(error)}`;
  } finally {
    await store.close();
  }
  if (lost.size === 0) return "intact";
  const { findings } = await verifyFolder(copy);
  if (findings.length > 0) return "reported";
  return (await isWhole(records)) ? "mended" : `unverified ${[...lost].join("; ")}`;
}

/**
 * Backs up what is readable in the damaged copy, restores it into a new folder, and compares that
 * folder with `records`. Returns what is wrong: a record that was never written, a difference
 * although nothing is listed as missing, or a difference in undamaged records: those outside of the
 * `lost` tables of a store that has opened, and all records if `place` is not in a table file or a
 * log. For damage in a table file, a finding may name the table instead: a backup leaves out all of
 * a damaged block, of which the store may still read some records.
 */
async function rescueFault(
  records: Records,
  { file }: Place,
  lost: ReadonlySet<string>,
): Promise<string | undefined> {
  await rm(restored, { recursive: true, force: true });
  try {
    const { findings } = await rescueFolder(copy, restored);
    const store = await openTestStore(restored, {}, smallBuffers);
    try {
      const found = await readAllTables(store, undefined, (table) => {
        throw new Error(`${table} is damaged after the restore`);
      });
      for (const [table, values] of found)
        for (const [key, digest] of values)
          if (!wasWritten(history, table, key, digest)) return `${table}: '${key}' is invented`;
      const different = differences(records, found, new Set());
      if (different.length > 0 && findings.length === 0) return `unlisted: ${different.join("; ")}`;
      const mayLack = lost.size === 0 && /\.(?:ldb|log)$/.test(file);
      const unsaved = mayLack
        ? []
        : differences(records, found, lost).filter(
            (table) => !file.endsWith(".ldb") || !findings.some(({ where }) => names(where, table)),
          );
      return unsaved.length > 0
        ? `not saved: ${unsaved.join("; ")}; named: ${findings.map(({ where }) => where).join("; ")}`
        : undefined;
    } finally {
      await store.close();
    }
  } catch (error) {
    return String(error);
  }
}

/** Whether the place of a finding, such as `replies of run "r"`, is a table of `Records`. */
function names(where: string, table: string): boolean {
  const [owner = "", name] = table.split(" / ");
  if (name === undefined) return false;
  const ids = Object.entries(JSON.parse(owner) as Record<string, string>)
    .filter(([field]) => field !== "kind")
    .map(([, id]) => JSON.stringify(id));
  const wanted = ids.length > 0 ? ids : ["the server"];
  return where.startsWith(`${name} of `) && wanted.every((id) => where.includes(id));
}

/**
 * Opens the copy once more. Returns whether all records can be read now. They can if LevelDB has
 * replaced the damaged table file in a compaction.
 */
async function isWhole(records: Records): Promise<boolean> {
  const store = await openTestStore(copy, {}, smallBuffers);
  const lost = new Set<string>();
  try {
    const found = await readAllTables(store, records, (table) => lost.add(table));
    return lost.size === 0 && differences(records, found, lost).length === 0;
  } finally {
    await store.close();
  }
}

function differences(
  expectedRecords: Records,
  found: Records,
  lost: ReadonlySet<string>,
): string[] {
  const isLost = (table: string) => lost.has(table) || lost.has("snapshot");
  return [...expectedRecords]
    .filter(([table, records]) => !isLost(table) && !isSame(records, found.get(table)))
    .map(([table]) => table);
}

function isSame(
  records: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string> | undefined,
): boolean {
  return (
    others?.size === records.size &&
    [...records].every(([key, digest]) => others.get(key) === digest)
  );
}
