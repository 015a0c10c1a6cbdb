import { pack, unpack } from "msgpackr";
import type { JsonValue } from "../../../core/model/json.js";
import type { Table, ValueOf, VectorProfile, VectorTable } from "../../../core/ports/store.js";
import { tableCodes, tableOfCode } from "./keys.js";
import { type PackedMemory, packMemory, unpackMemory } from "./memory-codec.js";

/** How the values of a table become bytes and come back. What goes in comes out the same. */
export interface Codec<T> {
  encode(value: T): Uint8Array;
  decode(payload: Buffer): T;
}

/** MessagePack for what is stored as an array by position. */
export function packPayload(fields: readonly unknown[]): Buffer {
  return pack(fields);
}

/** The fields that `packPayload` was given; REQUIRES: the payload's checksum held, so they are of the type that was written. */
export function unpackPayload<T extends readonly unknown[]>(payload: Buffer): T {
  return unpack(payload) as T;
}

const nothing = new Uint8Array(0);

/** No value: the key says it all. */
const nothingCodec: Codec<null> = { encode: () => nothing, decode: () => null };

const textCodec: Codec<string> = {
  encode: (text) => Buffer.from(text),
  decode: (payload) => payload.toString(),
};

/** In the byte order of the machine: little-endian wherever the service runs. */
const vectorCodec: Codec<Float32Array> = {
  encode: (vector) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
  decode(payload) {
    const vector = new Float32Array(payload.length / Float32Array.BYTES_PER_ELEMENT);
    new Uint8Array(vector.buffer).set(payload);
    return vector;
  },
};

/** JSON text, for records of which there are too few for their size to matter. REQUIRES: made of JSON values, no field `undefined`. */
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
  timeline: nothingCodec,
  profiles: {
    encode: ({ modelId, dimension, table }: VectorProfile) =>
      packPayload(
        table === undefined ? [modelId, dimension] : [modelId, dimension, tableCodes[table]],
      ),
    decode(payload) {
      const [modelId, dimension, code] = unpackPayload<[string, number, number?]>(payload);
      // Only the codes of these tables are written.
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
  skillTimeline: nothingCodec,
  skillUses: jsonCodec(),
  turnEntries: jsonCodec(),
  turnsByRequest: nothingCodec,
  turnsByTask: nothingCodec,
  blocks: jsonCodec(),
  blockVersions: jsonCodec(),
  proposals: jsonCodec(),
  pendingProposals: nothingCodec,
  proposalsByTarget: nothingCodec,
  rejectedEdits: textCodec,
  keyValues: jsonCodec(),
  keyPositions: textCodec,
  toolManifests: jsonCodec(),
};

/** The codec of a table. */
export function codecOf<T extends Table>(table: T): Codec<ValueOf<T>> {
  return codecs[table];
}
