import {
  blockVersionKey,
  deliveryKey,
  labelOfBlockVersionKey,
  manifestKey,
  memoryVersionKey,
} from "../../core/model/record-keys.js";
import type { Table, ValueOf, VectorProfile, VectorTable } from "../../core/ports/store.js";
import type { StoredReply } from "../../core/ports/stored-reply.js";
import { memoryCollection, skillCollection, vectorTableOf } from "../../core/vectors/collection.js";
import { fieldFault } from "./record-schemas.js";
import { replyFault } from "./reply-schemas.js";
import { codecOf } from "./table-codecs.js";

/** Most levels of objects and lists in a record: those of the metadata, and a few around them. */
const levelsMax = 32;

/** A record that no call could read. The message says what is wrong with it. */
export class UnreadableRecord extends Error {
  override readonly name = "UnreadableRecord";
}

/**
 * Decodes a record and checks it against the type of its table, so that every call can read it.
 *
 * @throws UnreadableRecord
 */
export function decodeChecked<T extends Table>(
  table: T,
  key: string,
  payload: Uint8Array,
): ValueOf<T> {
  const value = decoded(table, Buffer.from(payload));
  const fault =
    lengthFault(table, value, payload) ??
    fieldFault(table, value) ??
    valueFault(value, 1) ??
    keyFault(table, key, value);
  if (fault !== undefined) throw new UnreadableRecord(fault);
  return value;
}

/** Decodes a record. Returns `undefined` if no call could read it. */
export function readable<T extends Table>(
  table: T,
  key: string,
  payload: Uint8Array,
): ValueOf<T> | undefined {
  try {
    return decodeChecked(table, key, payload);
  } catch (error) {
    if (error instanceof UnreadableRecord) return undefined;
    throw error;
  }
}

function decoded<T extends Table>(table: T, payload: Buffer): ValueOf<T> {
  try {
    return codecOf(table).decode(payload);
  } catch (cause) {
    throw new UnreadableRecord("its bytes are no value of the table", { cause });
  }
}

/** Returns a fault of bytes that the codecs of texts, vectors and empty values would ignore. */
function lengthFault(table: Table, value: unknown, payload: Uint8Array): string | undefined {
  if (value === null) return payload.length === 0 ? undefined : "it must be empty";
  if (typeof value === "string")
    return Buffer.from(value).equals(payload) ? undefined : "it is not UTF-8";
  if (!(value instanceof Float32Array)) return undefined;
  if (payload.length === 0 || payload.length % Float32Array.BYTES_PER_ELEMENT !== 0)
    return `it has ${payload.length} bytes, which are no vector`;
  return value.every(Number.isFinite) ? undefined : `a vector of ${table} is not finite`;
}

/** Returns a fault of texts and numbers that messages cannot hold. */
function valueFault(value: unknown, level: number): string | undefined {
  if (typeof value === "string")
    return value.isWellFormed() ? undefined : "a text has a lone surrogate";
  if (typeof value === "number")
    return Number.isFinite(value) ? undefined : "a number is not finite";
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return undefined;
  if (level > levelsMax) return `it has more than ${levelsMax} levels`;
  for (const [key, inner] of Object.entries(value)) {
    const fault = valueFault(key, level) ?? valueFault(inner, level + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Returns the key that a record has by its fields. Absent for tables whose records do not tell. */
const keysByFields: { readonly [T in Table]?: (value: ValueOf<T>, key: string) => string } = {
  memories: ({ id }) => id,
  memoryVersions: ({ memory: { id, version } }) => memoryVersionKey(id, version),
  skills: ({ id }) => id,
  proposals: ({ id }) => id,
  blocks: ({ label }) => label,
  blockVersions: ({ version }, key) => blockVersionKey(labelOfBlockVersionKey(key), version),
  toolManifests: ({ toolId, version }) => manifestKey(toolId, version),
  deliveries: () => deliveryKey,
};

function keyFault(table: Table, key: string, value: unknown): string | undefined {
  if (table === "profiles") return profileFault(key, value as VectorProfile);
  if (table === "replies") return replyFault(key, (value as StoredReply).reply);
  const named = keysByFields[table]?.(value as never, key) ?? key;
  return named === key ? undefined : `its fields belong to the key ${JSON.stringify(named)}`;
}

const collections = [memoryCollection, skillCollection];

function profileFault(key: string, { table }: VectorProfile): string | undefined {
  const collection = collections.find(({ profileKey }) => profileKey === key);
  if (collection === undefined) return "no kind of record has this profile";
  return table === undefined || collection.vectorTables.includes(table)
    ? undefined
    : `its vectors cannot be in the table '${table}'`;
}

/** The vectors and profiles of one namespace so far. */
interface OwnedVectors {
  /** A key of a vector of each length, by table and length. */
  readonly lengths: Map<VectorTable, Map<number, string>>;
  readonly profiles: Map<string, VectorProfile>;
}

/**
 * Compares the lengths of vectors with the profiles of their namespaces. Searches compare all
 * vectors of a namespace, so one vector of another length would break them.
 */
export class VectorLengths {
  readonly #owners = new Map<string, OwnedVectors>();

  /** Adds a record. `owner` is a unique name of its namespace. */
  add(owner: string, table: Table, key: string, value: unknown): void {
    if (table === "profiles") this.#of(owner).profiles.set(key, value as VectorProfile);
    else if (value instanceof Float32Array) {
      const { lengths } = this.#of(owner);
      const ofTable = lengths.get(table as VectorTable) ?? new Map<number, string>();
      lengths.set(table as VectorTable, ofTable);
      if (!ofTable.has(value.length)) ofTable.set(value.length, key);
    }
  }

  /** Yields the first vector of each wrong length in the tables that are in use. */
  *faults(): Generator<{ readonly owner: string; readonly fault: string }> {
    for (const [owner, { lengths, profiles }] of this.#owners)
      for (const collection of collections) {
        const profile = profiles.get(collection.profileKey);
        if (profile === undefined) continue;
        const table = vectorTableOf(profile, collection);
        for (const [length, key] of lengths.get(table) ?? []) {
          if (length === profile.dimension) continue;
          const fault =
            `${table} ${JSON.stringify(key)} has ${length} numbers, but the vectors of the ` +
            `namespace have ${profile.dimension}`;
          yield { owner, fault };
        }
      }
  }

  #of(owner: string): OwnedVectors {
    const known = this.#owners.get(owner);
    if (known !== undefined) return known;
    const vectors = { lengths: new Map(), profiles: new Map() };
    this.#owners.set(owner, vectors);
    return vectors;
  }
}
