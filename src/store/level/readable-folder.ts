import { randomUUID } from "node:crypto";
import type { BackupSource } from "../../core/ports/backup.js";
import type { Clock } from "../../core/ports/clock.js";
import { sourceOfTenant } from "../tenant-records.js";
import { folderPaths } from "./folder/folder.js";
import { openMovesFile } from "./folder/moves-file.js";
import { requireRestoreState } from "./folder/restoring-file.js";
import { readableScopes } from "./recovery/readable-scopes.js";
import { readVerified, type VerifyReport } from "./recovery/verify-folder.js";

/** The readable records of a data folder that may be damaged. */
export interface ReadableFolder {
  /** The readable records of one tenant. */
  readonly source: BackupSource;
  /** The damage of the whole folder. */
  readonly report: VerifyReport;
  /** The other tenants with data in the folder; `undefined`: data without a tenant. */
  readonly otherTenants: readonly (string | undefined)[];
  /** Whether users or runs have moved to other servers. The backup does not say which. */
  readonly hasMoves: boolean;
}

/** The folder and the tenant to read. */
export interface FolderReading {
  readonly folder: string;
  /** `undefined`: the data without a tenant. */
  readonly tenant: string | undefined;
  readonly clock: Clock;
  /**
   * Whether the rest of damaged records is mended, and tables are compared with each other
   * (`MendedRecords`, `TableLinks`). Requires: the services wrote the records. Default: false.
   */
  readonly links?: boolean;
}

/**
 * Calls `use` with the readable records of a stopped server's data folder. Changes nothing: the
 * records are read from a temporary copy, as by `verifyFolder`.
 *
 * The scopes have an epoch that no store has used. So page tokens and commit sequence numbers from
 * before the damage are refused wherever the records are restored.
 *
 * @throws FAILED_PRECONDITION (FOLDER_IN_USE, NOT_A_DATA_FOLDER) as `verifyFolder`
 * @throws FAILED_PRECONDITION (RESTORE_UNFINISHED) when the folder holds a part of a backup
 * @throws the errors of `use`
 */
export async function withReadableFolder<T>(
  { folder, tenant, clock, links = false }: FolderReading,
  use: (readable: ReadableFolder) => Promise<T>,
): Promise<T> {
  await requireRestoreState(folderPaths(folder), undefined);
  return readVerified(folder, { links }, async (report, copy) => {
    const all =
      copy === undefined
        ? noScopes
        : await readableScopes(copy, { epoch: randomUUID(), nowMs: clock.nowMs(), mends: links });
    const tenants = new Set<string | undefined>();
    for await (const { scope } of all.scopeStates()) tenants.add(scope.tenant);
    tenants.delete(tenant);
    return use({
      source: sourceOfTenant(all, tenant),
      report,
      otherTenants: [...tenants],
      hasMoves: (await openMovesFile(folder).read()) !== undefined,
    });
  });
}

/** The source of a folder in which LevelDB can read nothing. */
const noScopes: BackupSource = {
  async *scopeStates() {},
  openScope: () => Promise.reject(new Error("no scope is readable")),
};
