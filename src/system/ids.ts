import { randomFillSync } from "node:crypto";
import { V7Generator } from "uuidv7";
import type { IdSource } from "../core/ports/clock.js";

/**
 * If the clock steps back by at most this time, in milliseconds, new ids keep the greatest time so
 * far, so ids stay in order. After a larger step, new ids follow the clock.
 */
const rollbackToleratedMs = 10_000;

/**
 * Number of random 32-bit numbers that are drawn together, because one draw takes a few
 * microseconds.
 */
const drawnTogether = 512;

/**
 * Creates a source of UUIDv7 ids: the milliseconds of the clock, a counter within the millisecond,
 * and random bits.
 */
export function createIdSource(): IdSource {
  const numbers = new Uint32Array(drawnTogether);
  let used = drawnTogether;
  const generator = new V7Generator({
    nextUint32() {
      if (used === drawnTogether) {
        randomFillSync(numbers);
        used = 0;
      }
      return numbers[used++] as number;
    },
  });
  return { next: (nowMs) => generator.generateOrResetCore(nowMs, rollbackToleratedMs).toString() };
}
