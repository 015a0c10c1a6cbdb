import { V7Generator } from "uuidv7";
import type { IdSource } from "../core/ports/clock.js";

/**
 * Up to this many milliseconds that the clock goes back, ids keep the greatest time so far, and so
 * their order. Beyond it, they follow the clock.
 */
const rollbackToleratedMs = 10_000;

/**
 * Creates a source of UUIDv7 ids: the milliseconds of the clock, a counter within the millisecond,
 * and random bits.
 */
export function createIdSource(): IdSource {
  const generator = new V7Generator();
  return { next: (nowMs) => generator.generateOrResetCore(nowMs, rollbackToleratedMs).toString() };
}
