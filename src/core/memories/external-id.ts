import { memoryNotFound, VademecumError } from "../model/errors.js";
import type { Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { Reader, Transaction } from "../ports/store.js";
import type { MemoryName } from "./service.js";

/** Reads the memory of a name, even if it has expired. */
export async function readNamed(
  reader: Reader,
  namespace: Namespace,
  { id, externalId }: MemoryName,
): Promise<Memory | undefined> {
  const found = id ?? (await reader.get("externalIds", namespace, externalId ?? ""));
  return found === undefined ? undefined : reader.get("memories", namespace, found);
}

/**
 * Does the same as `readNamed` for an external id that is nearly always new. The transaction may
 * then need no look-up (`Transaction.isUnused`).
 */
export async function readIfUsed(
  tx: Transaction,
  namespace: Namespace,
  externalId: string,
): Promise<Memory | undefined> {
  if (await tx.isUnused("externalIds", namespace, externalId)) return undefined;
  return readNamed(tx, namespace, { externalId });
}

/** Returns the error of a name that no memory of the namespace has. See `memoryNotFound`. */
export function namedNotFound({ id, externalId }: MemoryName): VademecumError {
  if (id !== undefined) return memoryNotFound(id);
  const message = `no memory has the external_id '${externalId ?? ""}'`;
  return new VademecumError("NOT_FOUND", "MEMORY_NOT_FOUND", message);
}

/**
 * Returns the error of a new memory whose external id belongs to this memory.
 *
 * @param wayOut what a caller can do besides using another external id
 */
export function externalIdInUse(
  { id, externalId = "" }: Memory,
  wayOut = "set on_conflict to replace or keep it, or",
): VademecumError {
  const description = `memory '${id}' has the external_id '${externalId}'; ${wayOut} use another external_id`;
  return new VademecumError("ALREADY_EXISTS", "EXTERNAL_ID_IN_USE", description, {
    fields: [{ field: "external_id", description }],
    metadata: { id },
  });
}
