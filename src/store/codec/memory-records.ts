import { pack, unpack } from "msgpackr";
import type { RecordCodec } from "../../core/ports/record-codec.js";
import { type PackedMemory, packMemory, unpackMemory } from "./memory-codec.js";

/** Packs the memories of an index in the format of their stored values. */
export const memoryRecords: RecordCodec = {
  version: 1,
  encode: (memory) => pack(packMemory(memory)),
  decode: (bytes, start, end) => unpackMemory(unpack(bytes, { start, end }) as PackedMemory),
};
