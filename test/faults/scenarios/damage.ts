import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { verifyFolder } from "../../../src/store/level/recovery/verify-folder.js";
import { openTestStore } from "../../store/level/level-folder.js";
import { type CompiledChildren, compileChildren, runToEnd } from "../child-process.js";
import { fillAllTables } from "../children/all-tables.js";
import { damage, type Place } from "../children/place.js";
import { smallBuffers } from "../children/small-buffers.js";
import { rescueFolder } from "../rescue.js";
import { createRandom, type Random } from "../server/random.js";
import { Tally } from "../tally.js";
import type { ScenarioOptions } from "./scenario.js";
import { withTemporaryFolder } from "./temporary-folder.js";

/** The options of the fault `damage`. */
export interface DamageOptions extends ScenarioOptions {
  /** Number of places in files to damage, each in a fresh copy of a folder. */
  readonly places: number;
}

/** Matches files with records. The other files are locks, logs for people, and the reserve. */
const recordFile = /^records\/(?:\d+\.(?:ldb|log)|MANIFEST-\d+|CURRENT)$|^high-water-mark$/;

/** Share of the places that are in files that match `recordFile`. */
const recordShare = 0.85;

/** Progress is reported each time that this many places have been probed. */
const reportEvery = 100;

/**
 * Damages every kind of file of a closed folder, and of a folder as a kill leaves it, one place at
 * a time. After each damage, compares every table of the folder with what was written. Then backs
 * up what is readable, restores it into a new folder, and compares that folder too.
 */
export async function runDamage(options: DamageOptions): Promise<Tally> {
  const tally = new Tally(["silent damage", "unverified damage", "bad rescue"], options.report);
  const children = await compileChildren();
  try {
    await withTemporaryFolder(async (folder) => {
      await createFolders(folder);
      const places = await choosePlaces(folder, options);
      await probeAll(children, folder, places, { ...options, tally });
    });
  } finally {
    await children.remove();
  }
  return tally;
}

/** Fills a folder. Copies it as a kill leaves it, and as a stop leaves it. */
async function createFolders(folder: string): Promise<void> {
  const data = join(folder, "data");
  const store = await openTestStore(data, {}, smallBuffers);
  const history = await fillAllTables(store);
  await writeFile(join(folder, "history.json"), JSON.stringify(history, mapsAsArrays));
  await cp(data, join(folder, "killed"), { recursive: true });
  await store.close();
  await cp(data, join(folder, "closed"), { recursive: true });
}

/** Lets `JSON.stringify` write maps and sets as arrays. */
function mapsAsArrays(_: string, value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...value] : value;
}

async function choosePlaces(
  folder: string,
  { seed, places }: DamageOptions,
): Promise<readonly Place[]> {
  const random = createRandom(seed);
  const kinds = {
    closed: await filesByKind(folder, "closed"),
    killed: await filesByKind(folder, "killed"),
  };
  return Array.from({ length: places }, () => {
    const state = random.pick(["closed", "killed"] as const);
    const isRecord = random.chance(recordShare);
    const [first, ...others] = kinds[state].filter(
      ([file = ""]) => recordFile.test(file) === isRecord,
    );
    if (first === undefined) throw new Error("the folder has no such files");
    const [file = "", ...more] = random.pick([first, ...others]);
    return {
      state,
      file: random.pick([file, ...more]),
      kind: kindOf(random),
      share: random.integer(0, 1_000_000) / 1_000_001,
    };
  });
}

function kindOf(random: Random): Place["kind"] {
  if (random.chance(0.02)) return "remove";
  return random.pick(["flip bit", "flip bit", "flip byte", "zero block", "cut"]);
}

/** Returns the files of a folder in groups. Names in a group differ only in their numbers. */
async function filesByKind(folder: string, state: string): Promise<string[][]> {
  const root = join(folder, state);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const kinds = new Map<string, string[]>();
  for (const file of files.toSorted()) {
    const kind = file.replace(/\d+/g, "N");
    kinds.set(kind, [...(kinds.get(kind) ?? []), file]);
  }
  return [...kinds.values()];
}

/**
 * Probes all places. If damage at a place ends the prober's process, continues with the next place.
 */
async function probeAll(
  children: CompiledChildren,
  folder: string,
  places: readonly Place[],
  { tally, report }: ScenarioOptions & { readonly tally: Tally },
): Promise<void> {
  const placesFile = join(folder, "places.json");
  await writeFile(placesFile, JSON.stringify(places));
  const workplace = join(folder, "workplace");
  await mkdir(workplace);
  for (let from = 0; from < places.length; ) {
    let seen = 0;
    const { output, signal } = await runToEnd(
      children.spawn("damage-prober", [folder, workplace, placesFile, String(from)]),
      (written) => {
        const lines = written.split("\n").slice(0, -1);
        for (const line of lines.slice(seen)) {
          countOutcome(tally, places, line);
          if (tally.of("places") % reportEvery === 0) report(tally.line());
        }
        seen = lines.length;
        return false;
      },
    );
    from += output.split("\n").length - 1;
    const place = places[from];
    if (place !== undefined) {
      if (signal === null) throw new Error(`the prober failed at ${JSON.stringify(place)}`);
      await countEnded(tally, folder, place);
      from += 1;
    }
  }
}

function countOutcome(tally: Tally, places: readonly Place[], line: string): void {
  const [, index = "", outcome = "", explanation = ""] = /^(\d+) (\S+) ?(.*)$/.exec(line) ?? [];
  const place = places[Number(index)];
  const what = `${JSON.stringify(place)}: ${explanation}`;
  tally.count("places");
  tally.count(`${place?.state}, ${outcome}`);
  if (outcome === "silent") tally.harm("silent damage", what);
  if (outcome === "unrescued") tally.harm("bad rescue", what);
  if (outcome === "unverified") tally.harm("unverified damage", what);
}

/**
 * Counts a place at which LevelDB ended the process. `verify` must name the damage, and the
 * readable records can be restored.
 */
async function countEnded(tally: Tally, folder: string, place: Place): Promise<void> {
  const copy = join(folder, "workplace", "ended");
  await cp(join(folder, place.state), copy, { recursive: true, force: true });
  await damage(copy, place);
  const { findings } = await verifyFolder(copy);
  tally.count("places");
  tally.count(`${place.state}, process ended`);
  if (findings.length === 0) tally.harm("unverified damage", JSON.stringify(place));
  const into = join(folder, "workplace", "ended-restored");
  await rm(into, { recursive: true, force: true });
  await rescueFolder(copy, into);
  const restored = await verifyFolder(into);
  if (restored.findings.length > 0) tally.harm("bad rescue", JSON.stringify(place));
}
