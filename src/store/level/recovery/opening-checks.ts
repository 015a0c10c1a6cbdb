import { VademecumError } from "../../../core/model/errors.js";
import { checksumOf, unseal } from "../../codec/envelope.js";
import { packPayload, unpackPayload } from "../../codec/table-codecs.js";
import {
  growthOfTotals,
  noScopeTotals,
  StorageTotals,
  type TotalsGrowth,
} from "../../engine/storage-totals.js";
import { noStoredBytes } from "../../engine/stored-bytes.js";
import { type Database, readSealed, scanChunks } from "../folder/database.js";
import type { HighWaterMark } from "../folder/mark-file.js";
import { decodeNamespaceHead, decodeScopeHead, holdsSomething } from "../format/heads.js";
import { headRange, markRange, metaKey } from "../format/keys.js";
import { decodeMark, type HeadTotals, type Mark } from "../format/marks.js";
import { parseKey } from "../format/parse-key.js";
import { type Finding, restoreOrRescue } from "./damage.js";

/** The ids and the key of a store. */
export interface StoreMeta {
  /** UUID of the store, which never changes. */
  readonly storeId: string;
  /** UUID of the epoch, see `Head.epoch`. */
  readonly epoch: string;
  /** See `Store.pageKey`. */
  readonly pageKey: string;
}

export function encodeMeta({ storeId, epoch, pageKey }: StoreMeta): Buffer {
  return packPayload([storeId, epoch, pageKey]);
}

function decodeMeta(payload: Buffer): StoreMeta {
  const [storeId, epoch, pageKey] = unpackPayload<[string, string, string]>(payload);
  return { storeId, epoch, pageKey };
}

/**
 * An unfinished change of the epoch, as the file `NEW_EPOCH` describes it. The file stays until
 * both the records and the high-water mark have the new epoch. If a crash interrupts the change,
 * the next opening completes it.
 */
export interface EpochRenewal {
  readonly from: string;
  readonly to: string;
}

/** The groups of a complete store. */
export interface GroupState {
  /** Number of the last group. */
  readonly newest: number;
  readonly newestMark: Mark;
  /** Bytes of the groups from `newestMark.floor` to the newest. */
  readonly groupBytes: readonly number[];
}

/** A store that has passed the checks. */
export interface CheckedStore {
  readonly meta: StoreMeta;
  /** Latest commit time of any scope, in milliseconds since 1970; 0 if there is none. */
  readonly latestTimeMs: number;
  readonly groups: GroupState;
  /** The bytes that accounts and tenants have stored. */
  readonly totals: StorageTotals;
}

/** The store if it passed the checks, otherwise the findings. */
export type CheckResult =
  | { readonly store: CheckedStore }
  | { readonly findings: readonly Finding[] };

function finding(where: string, what: string): Finding {
  return { where, what, remedy: restoreOrRescue };
}

/**
 * Checks an open LevelDB against the high-water mark. The mark must belong to this LevelDB, and no
 * group and no head may be missing.
 *
 * @param renewal an unfinished change of the epoch: the records may have the old or the new epoch.
 *   `undefined`: the records must have the epoch of the mark
 */
export async function checkOpened(
  database: Database,
  highWaterMark: HighWaterMark,
  renewal: EpochRenewal | undefined,
): Promise<CheckResult> {
  const epochs = renewal === undefined ? [highWaterMark.epoch] : [renewal.from, renewal.to];
  try {
    return await check(database, highWaterMark, epochs);
  } catch (error) {
    if (error instanceof VademecumError && error.code === "DATA_LOSS")
      return {
        findings: [
          finding("records", error.cause instanceof Error ? error.cause.message : error.message),
        ],
      };
    throw error;
  }
}

async function check(
  database: Database,
  highWaterMark: HighWaterMark,
  epochs: readonly string[],
): Promise<CheckResult> {
  const meta = readMeta(database);
  if (meta === undefined)
    return {
      findings: [finding("records", "the record with the ids of the store is missing or damaged")],
    };
  if (meta.storeId !== highWaterMark.storeId || !epochs.includes(meta.epoch)) {
    return {
      findings: [
        finding("high-water-mark", "it belongs to other records: files of two states were mixed"),
      ],
    };
  }
  const groups = await checkGroups(database, highWaterMark);
  if ("findings" in groups) return groups;
  const { latestTimeMs, totals, ...heads } = await sumHeads(database);
  const { count, digest } = groups.newestMark.heads;
  if (heads.count !== count || heads.digest !== digest) {
    return {
      findings: [
        finding(
          "records",
          `heads are missing or not the newest: ${heads.count} found, ${count} expected`,
        ),
      ],
    };
  }
  return { store: { meta, latestTimeMs, groups, totals } };
}

/** Returns the ids of the store; `undefined` if they are missing or damaged. */
export function readMeta(database: Database): StoreMeta | undefined {
  const value = readSealed(database, metaKey);
  const payload = value === undefined ? undefined : unseal(metaKey, value);
  return payload === undefined ? undefined : decodeMeta(payload);
}

async function checkGroups(
  database: Database,
  highWaterMark: HighWaterMark,
): Promise<GroupState | { readonly findings: readonly Finding[] }> {
  const damaged = (what: string) => ({ findings: [finding("records", what)] });
  const groupBytes: number[] = [];
  let first: number | undefined;
  let newest: { readonly group: number; readonly mark: Mark } | undefined;
  for await (const entries of scanChunks(database, markRange)) {
    for (const [key, value] of entries) {
      const parsed = parseKey(key);
      const payload = unseal(key, value);
      if (parsed?.kind !== "mark" || payload === undefined)
        return damaged("the mark of a group is damaged");
      const { group } = parsed;
      const mark = decodeMark(payload);
      if (newest !== undefined && group !== newest.group + 1) {
        return damaged(
          `the groups ${newest.group + 1} to ${group - 1} are missing: acknowledged writes are lost`,
        );
      }
      if (group === highWaterMark.group && mark.groupChecksum !== highWaterMark.groupChecksum) {
        return damaged(
          `group ${group} is not the acknowledged one: files of two states were mixed`,
        );
      }
      first ??= group;
      groupBytes.push(mark.bytes);
      newest = { group, mark };
    }
  }
  if (first === undefined || newest === undefined)
    return damaged("all marks of groups are missing");
  if (newest.group < highWaterMark.group) {
    return damaged(
      `the last groups are missing: ${newest.group} is the newest, ${highWaterMark.group} was acknowledged`,
    );
  }
  if (newest.mark.floor !== first)
    return damaged(
      `the oldest mark is that of group ${first}, not of group ${newest.mark.floor}: deletions or marks are lost`,
    );
  return { newest: newest.group, newestMark: newest.mark, groupBytes };
}

const oneNamespace: TotalsGrowth = { users: 0, namespaces: 1, memories: 0, stored: noStoredBytes };

async function sumHeads(
  database: Database,
): Promise<HeadTotals & Pick<CheckedStore, "latestTimeMs" | "totals">> {
  let count = 0;
  let digest = 0;
  let latestTimeMs = 0;
  const totals = new StorageTotals();
  for await (const entries of scanChunks(database, headRange)) {
    for (const [key, value] of entries) {
      // A damaged head adds nothing to the sum, so the sum differs from that in the mark.
      const payload = unseal(key, value);
      if (payload === undefined) continue;
      const parsed = parseKey(key);
      if (parsed?.kind === "scopeHead") {
        const { scope } = parsed;
        const head = decodeScopeHead(payload);
        latestTimeMs = Math.max(latestTimeMs, head.lastTimeMs);
        totals.add(scope.tenant, growthOfTotals(scope, noScopeTotals, head, 0));
      } else if (parsed?.kind === "namespaceHead") {
        if (holdsSomething(decodeNamespaceHead(payload).tables))
          totals.add(parsed.namespace.tenant, oneNamespace);
      }
      count++;
      digest = (digest + checksumOf(value)) >>> 0;
    }
  }
  return { count, digest, latestTimeMs, totals };
}
