import { createHash } from "node:crypto";
import { memoryNotFound, VademecumError } from "../model/errors.js";
import { compareInstants, type Instant, instantOfMillis } from "../model/instant.js";
import type { Memory, VersionOrigin } from "../model/memory.js";
import {
  defaultVersionsMax,
  type MemoryVersion,
  originOf,
  type StoredVersion,
} from "../model/memory-version.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import { memoryVersionKey } from "../model/record-keys.js";
import { isExpired } from "../model/visibility.js";
import type { Reader, Transaction } from "../ports/store.js";
import { type Page, pageOfEntries } from "../requests/list-page.js";
import type { ListVersionsQuery, MemoryServiceParts } from "./service.js";

/**
 * Keeps the present version of a memory that is about to change, and deletes the oldest versions
 * beyond the maximum. Returns the history of the next version.
 */
export function keepVersion(
  tx: Transaction,
  namespace: Namespace,
  memory: Memory,
  versionsMax: number = defaultVersionsMax,
  origin: VersionOrigin,
): NonNullable<Memory["history"]> {
  const { history, ...before } = memory;
  const all = [...(history?.kept ?? []), memory.version];
  const kept = versionsMax === 0 ? [] : all.slice(-versionsMax);
  for (const version of all.slice(0, all.length - kept.length))
    tx.delete("memoryVersions", namespace, memoryVersionKey(memory.id, version));
  if (kept.length > 0)
    tx.put("memoryVersions", namespace, memoryVersionKey(memory.id, memory.version), {
      memory: before,
      ...originOf(memory),
    });
  return { ...origin, kept };
}

/** Deletes the earlier versions of a memory. */
export function removeVersions(tx: Transaction, namespace: Namespace, memory: Memory): void {
  for (const version of memory.history?.kept ?? [])
    tx.delete("memoryVersions", namespace, memoryVersionKey(memory.id, version));
}

/**
 * Returns an earlier version of a memory.
 *
 * @throws NOT_FOUND (MEMORY_VERSION_NOT_FOUND) when it is not kept
 */
export async function requireStoredVersion(
  reader: Reader,
  namespace: Namespace,
  memory: Memory,
  version: number,
): Promise<StoredVersion> {
  const stored = await reader.get(
    "memoryVersions",
    namespace,
    memoryVersionKey(memory.id, version),
  );
  if (stored !== undefined) return stored;
  const kept = memory.history?.kept ?? [];
  const choice = kept.length === 0 ? "it has no earlier version" : `it has ${kept.join(", ")}`;
  throw new VademecumError(
    "NOT_FOUND",
    "MEMORY_VERSION_NOT_FOUND",
    `memory '${memory.id}' has no earlier version ${version}; ${choice}`,
    { field: "version" },
  );
}

/** Returns a version with the SHA-256 of its content. */
export function withDigest(version: StoredVersion): MemoryVersion {
  if (version.contentHmac !== undefined) return version;
  const contentSha256 = createHash("sha256").update(version.memory.content).digest("hex");
  return { ...version, contentSha256 };
}

/**
 * Lists a page of a memory's versions, newest first. The first one is the present version.
 *
 * @throws NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory
 */
export async function listVersions(
  { store, clock }: MemoryServiceParts,
  query: ListVersionsQuery,
): Promise<Page<MemoryVersion>> {
  const { namespace, id } = query;
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const memory = await snapshot.get("memories", namespace, id);
  if (memory === undefined || isExpired(memory, instantOfMillis(clock.nowMs())))
    throw memoryNotFound(id);
  const { history, ...present } = memory;
  const versions = async function* (after: string | undefined) {
    if (after === undefined)
      yield [keyOf(memory.version), withDigest({ memory: present, ...originOf(memory) })] as const;
    for (const version of history?.kept.toReversed() ?? []) {
      if (after !== undefined && version >= Number(after)) continue;
      const stored = await snapshot.get("memoryVersions", namespace, memoryVersionKey(id, version));
      if (stored !== undefined) yield [keyOf(version), withDigest(stored)] as const;
    }
  };
  const listing = ["ListMemoryVersions", namespace, id];
  const { pageKey, tenant } = store;
  const binding = { pageKey, epoch: snapshot.head.epoch, tenant, listing };
  return await pageOfEntries(versions, query, binding);
}

function keyOf(version: number): string {
  return String(version);
}

/**
 * Returns a memory as it was at an instant. Returns "not kept" if it existed then, but the version
 * of that time was deleted or redacted. Returns `undefined` if it did not exist yet.
 */
export async function memoryAt(
  reader: Reader,
  namespace: Namespace,
  memory: Memory,
  at: Instant,
): Promise<Memory | "not kept" | undefined> {
  if (compareInstants(memory.createTime, at) > 0) return undefined;
  const { supersededBy, ...present } = memory;
  const successor = await successorAt(reader, namespace, memory, at);
  const links = successor === undefined || supersededBy === undefined ? {} : { supersededBy };
  if (compareInstants(originOf(memory).changeTime, at) <= 0) return { ...present, ...links };
  for (const version of memory.history?.kept.toReversed() ?? []) {
    const key = memoryVersionKey(memory.id, version);
    const stored = await reader.get("memoryVersions", namespace, key);
    if (stored === undefined || compareInstants(stored.changeTime, at) > 0) continue;
    const { supersededBy: _, ...before } = stored.memory;
    return stored.contentHmac === undefined ? { ...before, ...links } : "not kept";
  }
  return "not kept";
}

/**
 * Returns the successor that hid a memory at an instant, by the links that it has now. `undefined`:
 * it was not superseded then.
 */
async function successorAt(
  reader: Reader,
  namespace: Namespace,
  memory: Memory,
  at: Instant,
): Promise<Memory | undefined> {
  for (let id = memory.supersededBy; id !== undefined; ) {
    const successor = await reader.get("memories", namespace, id);
    if (successor === undefined || compareInstants(successor.createTime, at) > 0) return undefined;
    if (!isExpired(successor, at)) return successor;
    id = successor.supersededBy;
  }
  return undefined;
}
