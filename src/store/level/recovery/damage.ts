import { readFile } from "node:fs/promises";
import { storeDamaged } from "../../errors.js";
import { type FolderPaths, isMissing, writeFileDurably } from "../folder/folder.js";

/** A place where the data is not as it was written. */
export interface Finding {
  /** What is wrong. */
  readonly what: string;
  /** The file, or the kind of record, that it is wrong in. */
  readonly where: string;
  /** What the operator can do. */
  readonly remedy: string;
}

/** What to do about damage that keeps a store from being served. */
export const restoreOrAccept =
  "restore a backup, or start once with --accept-data-loss to go on with what can be saved";

/** What a refusal says of a finding. */
export function describeFinding({ what, where }: Finding): string {
  return `${where}: ${what}`;
}

/** What the damage file holds. */
interface Damage {
  readonly foundMs: number;
  readonly findings: readonly Finding[];
}

/** Writes down that a folder is damaged, so that every later start refuses it, and returns the error to refuse it with. */
export async function refuseAsDamaged(
  paths: FolderPaths,
  findings: readonly Finding[],
  nowMs: number,
): Promise<Error> {
  const damage: Damage = { foundMs: nowMs, findings };
  await writeFileDurably(paths.folder, paths.damage, `${JSON.stringify(damage, undefined, 2)}\n`);
  return storeDamaged(findings.map(describeFinding), paths.damage);
}

/** What the damage file tells; none if there is no such file. */
export async function readDamage(paths: FolderPaths): Promise<readonly Finding[]> {
  let text: string;
  try {
    text = await readFile(paths.damage, "utf8");
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  try {
    return (JSON.parse(text) as Damage).findings;
  } catch {
    // What it said is lost; that it is there still counts.
    return [
      {
        what: "damage was found earlier, and the note of it cannot be read",
        where: paths.damage,
        remedy: restoreOrAccept,
      },
    ];
  }
}
