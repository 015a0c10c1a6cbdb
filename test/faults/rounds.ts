import { env } from "node:process";

/** Returns the number of rounds of a fault: `VADEMECUM_KILL_ROUNDS`, or the default. */
export function roundsOf(standard: number): number {
  const given = Number(env["VADEMECUM_KILL_ROUNDS"]);
  return Number.isInteger(given) && given > 0 ? given : standard;
}
