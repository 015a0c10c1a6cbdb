import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pMap from "p-map";
import { type Finding, restoreOrAccept } from "./damage.js";
import { readManifest } from "./files/manifest.js";
import { currentManifest } from "./files/manifest-file.js";
import { checkTable, type TableDepth } from "./files/table.js";
import { isMissing, listFolder } from "./folder.js";
import type { ManifestSize } from "./mark-file.js";

/** Tables that are read at the same time. */
const tableConcurrency = 4;

/**
 * Checks the files of a LevelDB folder without opening or changing them: that `CURRENT` names a manifest, that the manifest is whole and no shorter than noted, and that every table in it is there and whole as far as `depth` asks.
 * LevelDB makes none of these checks, and opening a folder that fails them destroys what is left.
 */
export async function checkFiles(folder: string, noted: ManifestSize | undefined, depth: TableDepth): Promise<readonly Finding[]> {
  const manifest = await readCurrentManifest(folder, noted);
  if ("what" in manifest) return [{ ...manifest, remedy: restoreOrAccept }];
  const names = new Set(await listFolder(folder));
  const findings = await pMap(
    manifest.tables,
    async ([number, bytes]): Promise<Finding[]> => {
      const base = String(number).padStart(6, "0");
      const name = [`${base}.ldb`, `${base}.sst`].find((candidate) => names.has(candidate));
      const what = name === undefined ? "is missing" : await checkTable(join(folder, name), bytes, depth);
      return what === undefined ? [] : [{ where: join(folder, name ?? `${base}.ldb`), what, remedy: restoreOrAccept }];
    },
    { concurrency: tableConcurrency },
  );
  return findings.flat();
}

/** The tables in use, or what is wrong with the list of them. */
async function readCurrentManifest(
  folder: string,
  noted: ManifestSize | undefined,
): Promise<{ readonly tables: ReadonlyMap<number, number> } | Pick<Finding, "where" | "what">> {
  const current = join(folder, "CURRENT");
  try {
    const file = await currentManifest(folder);
    if (file === undefined) return { where: current, what: "does not name a manifest" };
    const { tables, intactBytes, damage } = readManifest(await readFile(file.path));
    if (damage !== undefined) return { where: file.path, what: damage };
    if (noted !== undefined && file.number < noted.number)
      return { where: current, what: `names ${file.name}, which is older than the last one known` };
    if (noted !== undefined && file.number === noted.number && intactBytes < noted.bytes) {
      return { where: file.path, what: `ends after ${intactBytes} bytes instead of at least ${noted.bytes}` };
    }
    return { tables };
  } catch (error) {
    if (isMissing(error)) return { where: current, what: "it or the manifest that it names is missing" };
    throw error;
  }
}
