import { readFile, writeFile } from "node:fs/promises";
import { expect } from "vitest";
import {
  type Credentials,
  formatCredentials,
  type StoredPrincipal,
} from "../../../src/credentials/credentials.js";
import type { TimeSource } from "../../../src/server/start-server.js";

/** The time between two checks of the files, in milliseconds. */
const checkEveryMs = 5_000;

/** The clock of a test server, and control over its checks for changed files. */
export interface CredentialChecks {
  readonly time: TimeSource;
  /** Runs the next check of all files. Resolves when the server has acted on it. */
  check(): Promise<void>;
  /** Sets the clock, unless the clock is already later. */
  setTime(nowMs: number): void;
}

/** Creates the clock and the checks. Other timers of the server never run. */
export function createCredentialChecks(): CredentialChecks {
  let nowMs = Date.now();
  let due: (() => void)[] = [];
  return {
    time: {
      clock: { nowMs: () => nowMs },
      timer: {
        after(delayMs, run) {
          if (delayMs === checkEveryMs) due.push(run);
          return () => undefined;
        },
      },
    },
    async check() {
      const running = due;
      due = [];
      for (const run of running) run();
      await expect.poll(() => due.length, { timeout: 60_000 }).toBe(running.length);
    },
    setTime(laterMs) {
      nowMs = Math.max(nowMs, laterMs);
    },
  };
}

/** Changes a principal in a credentials file. `undefined` removes it. */
export async function changePrincipal(
  file: string,
  name: string,
  change: (principal: StoredPrincipal) => StoredPrincipal | undefined,
): Promise<void> {
  const { principals } = JSON.parse(await readFile(file, "utf8")) as Credentials;
  const changed = principals.flatMap((principal) =>
    principal.name === name ? (change(principal) ?? []) : [principal],
  );
  await writeFile(file, formatCredentials({ principals: changed }));
}
