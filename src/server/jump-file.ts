import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JumpKeeper, UnconfirmedJump } from "../system/clock-trust.js";

/** A keeper for data that ends with the process. */
export const keepNoJump: JumpKeeper = { earlier: undefined, keep: () => undefined };

/** Keeps an unconfirmed jump of the clock in a file of the data folder. */
export function keepJumpIn(folder: string): JumpKeeper {
  const path = join(folder, "clock-jump");
  return {
    earlier: readJump(path),
    keep(jump) {
      if (jump === undefined) {
        rmSync(path, { force: true });
        return;
      }
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(path, JSON.stringify(jump), { mode: 0o600 });
    },
  };
}

function readJump(path: string): UnconfirmedJump | undefined {
  try {
    const { beforeMs, noticedAtMs } = JSON.parse(readFileSync(path, "utf8")) as UnconfirmedJump;
    return Number.isFinite(beforeMs + noticedAtMs) ? { beforeMs, noticedAtMs } : undefined;
  } catch {
    // No file, or a file that was cut off: the times of the data then decide.
    return undefined;
  }
}
