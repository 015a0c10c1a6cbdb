import { pack, unpack } from "msgpackr";
import type { JsonValue } from "../../core/model/json.js";
import type { Table, ValueOf, VectorProfile, VectorTable } from "../../core/ports/store.js";
import { type PackedMemory, packMemory, unpackMemory } from "./memory-codec.js";
import { tableCodes, tableOfCode } from "./table-codes.js";

/** Encodes the values of a table. Decoding returns an equal value. */
export interface Codec<T> {
  encode(value: T): Uint8Array;
  decode(payload: Buffer): T;
}

/** Encodes an array of fields by position as MessagePack. */
export function packPayload(fields: readonly unknown[]): Buffer {
  return pack(fields);
}

/**
 * Decodes the fields of `packPayload`. Requires: the checksum of the payload was right, so the
 * fields have the types that `packPayload` wrote.
 */
export function unpackPayload<T extends readonly unknown[]>(payload: Buffer): T {
  return unpack(payload) as T;
}

const noBytes = new Uint8Array(0);

/** For tables without values: all data is in the key. */
const emptyCodec: Codec<null> = { encode: () => noBytes, decode: () => null };

const textCodec: Codec<string> = {
  encode: (text) => Buffer.from(text),
  decode: (payload) => payload.toString(),
};

/** In the byte order of the machine, which is little-endian wherever the service runs. */
const vectorCodec: Codec<Float32Array> = {
  encode: (vector) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
  decode(payload) {
    const vector = new Float32Array(payload.length / Float32Array.BYTES_PER_ELEMENT);
    new Uint8Array(vector.buffer).set(payload);
    return vector;
  },
};

/** JSON text. Requires: the value is made of JSON values, without fields that are `undefined`. */
function jsonCodec<T>(): Codec<T> {
  return {
    encode: (value) => Buffer.from(JSON.stringify(value)),
    decode: (payload) => JSON.parse(payload.toString()) as T,
  };
}

const codecs: { readonly [T in Table]: Codec<ValueOf<T>> } = {
  memories: {
    encode: (memory) => packPayload(packMemory(memory)),
    decode: (payload) => unpackMemory(unpackPayload<PackedMemory>(payload)),
  },
  vectors: vectorCodec,
  alternateVectors: vectorCodec,
  timeline: emptyCodec,
  externalIds: textCodec,
  memoryVersions: jsonCodec(),
  memoryUses: jsonCodec(),
  threads: jsonCodec(),
  threadTurns: emptyCodec,
  profiles: {
    encode: ({ modelId, dimension, table }: VectorProfile) =>
      packPayload(
        table === undefined ? [modelId, dimension] : [modelId, dimension, tableCodes[table]],
      ),
    decode(payload) {
      const [modelId, dimension, code] = unpackPayload<[string, number, number?]>(payload);
      // `encode` writes only codes of vector tables, so the cast is safe.
      return {
        modelId,
        dimension,
        ...(code !== undefined && { table: tableOfCode(code) as VectorTable }),
      };
    },
  },
  replies: {
    // The reply is JSON text, because MessagePack maps would lose a field called `__proto__`.
    encode: ({ requestDigest, reply, expireMs }) =>
      packPayload([requestDigest, JSON.stringify(reply), expireMs]),
    decode(payload) {
      const [requestDigest, reply, expireMs] = unpackPayload<[string, string, number]>(payload);
      return { requestDigest, reply: JSON.parse(reply) as JsonValue, expireMs };
    },
  },
  replyExpiries: textCodec,
  skills: jsonCodec(),
  skillVectors: vectorCodec,
  alternateSkillVectors: vectorCodec,
  skillTimeline: emptyCodec,
  skillUses: jsonCodec(),
  turnEntries: jsonCodec(),
  turnsByRequest: emptyCodec,
  turnsByTask: emptyCodec,
  digestKeys: textCodec,
  blocks: jsonCodec(),
  blockVersions: jsonCodec(),
  proposals: jsonCodec(),
  pendingProposals: emptyCodec,
  proposalsByTarget: emptyCodec,
  rejectedEdits: textCodec,
  keyValues: jsonCodec(),
  keyPositions: textCodec,
  toolManifests: jsonCodec(),
  erasures: jsonCodec(),
  deliveries: jsonCodec(),
};

/** Returns the codec of a table. */
export function codecOf<T extends Table>(table: T): Codec<ValueOf<T>> {
  return codecs[table];
}
