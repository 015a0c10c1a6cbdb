import { V7Generator } from "uuidv7";
import type { IdSource } from "../core/ports/clock.js";

/** How far a clock may go back, in milliseconds, before ids follow it: up to there they keep the greatest time seen, so that their order holds. */
const rollbackToleratedMs = 10_000;

/** UUIDv7 ids: the clock's milliseconds, a counter within the millisecond, random bits for the rest. */
export function createIdSource(): IdSource {
  const generator = new V7Generator();
  return { next: (nowMs) => generator.generateOrResetCore(nowMs, rollbackToleratedMs).toString() };
}
