import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pMap from "p-map";
import { isMissing, listFolder } from "../folder/folder.js";
import type { ManifestSize } from "../folder/mark-file.js";
import { readManifest } from "../leveldb-files/manifest.js";
import { currentManifest } from "../leveldb-files/manifest-file.js";
import { checkTable, type TableDepth } from "../leveldb-files/table-check.js";
import { type Finding, restoreOrRescue } from "./damage.js";

/** Number of table files that are read concurrently. */
const tableConcurrency = 4;

/** Sizes in bytes of the table files in use, by file number. */
type TableSizes = ReadonlyMap<number, number>;

/**
 * Checks the files of a LevelDB folder without opening LevelDB or changing a file. Checks the
 * manifest first, and then the table files that it lists, to the given depth.
 *
 * LevelDB itself checks less. It may delete sound data when it opens a damaged folder. Without
 * `CURRENT`, for example, it deletes every table file.
 *
 * @param lastKnown the last known size of the manifest
 */
export async function checkFiles(
  folder: string,
  lastKnown: ManifestSize | undefined,
  depth: TableDepth,
): Promise<readonly Finding[]> {
  const manifest = await checkManifest(folder, lastKnown);
  return "finding" in manifest ? [manifest.finding] : checkTables(folder, manifest.tables, depth);
}

/**
 * Checks that `CURRENT` names an undamaged manifest that is not older than `lastKnown`. If it is
 * the same manifest, it must not be shorter. Returns the table files that the manifest lists.
 */
async function checkManifest(
  folder: string,
  lastKnown: ManifestSize | undefined,
): Promise<{ readonly tables: TableSizes } | { readonly finding: Finding }> {
  const current = join(folder, "CURRENT");
  const damaged = (where: string, what: string) => ({
    finding: { where, what, remedy: restoreOrRescue },
  });
  try {
    const file = await currentManifest(folder);
    if (file === undefined) return damaged(current, "does not name a manifest");
    const { tables, intactBytes, damage } = readManifest(await readFile(file.path));
    if (damage !== undefined) return damaged(file.path, damage);
    if (lastKnown !== undefined && file.number < lastKnown.number)
      return damaged(current, `names ${file.name}, which is older than the last known manifest`);
    if (
      lastKnown !== undefined &&
      file.number === lastKnown.number &&
      intactBytes < lastKnown.bytes
    ) {
      return damaged(
        file.path,
        `only its first ${intactBytes} bytes hold whole records; there were at least ${lastKnown.bytes}`,
      );
    }
    return { tables };
  } catch (error) {
    if (isMissing(error))
      return damaged(current, "it is missing, or it names a manifest that is missing");
    throw error;
  }
}

/** Checks that every table file exists, has its listed size and is undamaged to the given depth. */
async function checkTables(
  folder: string,
  tables: TableSizes,
  depth: TableDepth,
): Promise<readonly Finding[]> {
  const names = new Set(await listFolder(folder));
  const findings = await pMap(
    tables,
    async ([number, bytes]): Promise<Finding[]> => {
      const base = String(number).padStart(6, "0");
      const name = [`${base}.ldb`, `${base}.sst`].find((candidate) => names.has(candidate));
      const what =
        name === undefined ? "is missing" : await checkTable(join(folder, name), bytes, depth);
      return what === undefined
        ? []
        : [{ where: join(folder, name ?? `${base}.ldb`), what, remedy: restoreOrRescue }];
    },
    { concurrency: tableConcurrency },
  );
  return findings.flat();
}
