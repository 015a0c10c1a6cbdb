import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { requestMaxBytes } from "../../src/rpc/limits.js";

/** The size of the largest request that is tried, in bytes: just below the limit of any RPC. */
export const requestBytesMax = requestMaxBytes - 4_096;

/** Returns a record of a field with a length. */
export function record(number: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
}

/** Repeats bytes, at most to the size of the largest request, and at least once. */
export function repeat(bytes: Uint8Array, count: number, bytesMax = requestBytesMax): Uint8Array {
  const times = Math.max(1, Math.min(count, Math.floor(bytesMax / bytes.length)));
  return Buffer.alloc(Math.floor(times) * bytes.length, bytes);
}

/** Repeats a text, at most to the size of the largest request. */
export function repeatText(text: string, count: number, bytesMax = requestBytesMax): string {
  const times = Math.min(count, Math.floor(bytesMax / Buffer.byteLength(text)));
  return text.repeat(Math.max(0, Math.floor(times)));
}

/** Joins numbered items, as many as the largest request holds. `bytes`: the size of an item. */
export function numberedItems(count: number, bytes: number, item: (i: number) => string): string {
  const length = Math.min(Math.floor(count), Math.floor(requestBytesMax / bytes));
  return Array.from({ length }, (_, i) => item(i)).join(",");
}
