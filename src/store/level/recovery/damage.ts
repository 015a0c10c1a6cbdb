import { readFile } from "node:fs/promises";
import { storeDamaged } from "../../errors.js";
import { type FolderPaths, isMissing, writeFileDurably } from "../folder/folder.js";

/** A finding of damaged data. */
export interface Finding {
  /** Description of the damage. */
  readonly what: string;
  /** The damaged file, or the kind of the damaged record. */
  readonly where: string;
  /** Advice for the operator. */
  readonly remedy: string;
}

/** Advice for damage that keeps a store from being served. */
export const restoreOrRescue =
  "restore a backup, or save the readable records with `vademecum backup --readable-only --data " +
  "FOLDER FILE` and `vademecum restore FILE --data NEW_FOLDER`";

/** Describes a finding in an error. */
export function describeFinding({ what, where }: Finding): string {
  return `${where}: ${what}`;
}

/** The content of the damage file. */
interface Damage {
  readonly foundMs: number;
  readonly findings: readonly Finding[];
}

/** Records the damage, so that every later start refuses the folder. Returns the error to throw. */
export async function refuseAsDamaged(
  paths: FolderPaths,
  findings: readonly Finding[],
  nowMs: number,
): Promise<Error> {
  const damage: Damage = { foundMs: nowMs, findings };
  await writeFileDurably(paths.folder, paths.damage, `${JSON.stringify(damage, undefined, 2)}\n`);
  return storeDamaged(findings.map(describeFinding), paths);
}

/** Returns the findings in the damage file; none if there is no such file. */
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
    // The findings are lost; the existence of the file still counts.
    return [
      {
        what: "an earlier start found damage, and its report cannot be read",
        where: paths.damage,
        remedy: restoreOrRescue,
      },
    ];
  }
}
