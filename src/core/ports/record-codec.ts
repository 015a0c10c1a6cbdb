import type { Memory } from "../model/memory.js";

/** Packs memories as bytes, in which an index keeps them in RAM and in files. */
export interface RecordCodec {
  /** Must change when the bytes of a memory get another meaning. */
  readonly version: number;
  /** Packs a memory. The bytes are valid until the next call. */
  encode(memory: Memory): Uint8Array;
  /** Unpacks the memory from byte `start` to `end`. */
  decode(bytes: Uint8Array, start: number, end: number): Memory;
}
