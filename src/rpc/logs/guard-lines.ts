import type { Logger } from "pino";
import type { GuardAction } from "../../core/guard/guard.js";
import type { SecretKind } from "../../core/guard/secret-rules.js";
import type { Timer } from "../../core/ports/timer.js";
import { createLineLimit } from "./line-limit.js";

/** Log lines about secrets in requests. They say the kinds, and nothing of the texts. */
export interface GuardLines {
  /** Logs that a request has secrets, ten lines of a kind in a second. */
  note(method: string, action: GuardAction, kinds: readonly SecretKind[]): void;
  /** Logs how many lines were omitted in this second. Call it when the server has stopped. */
  stop(): void;
}

const msg = "a request has texts that look like secrets";

export function createGuardLines(
  log: Pick<Logger, "info">,
  timer: Pick<Timer, "after">,
): GuardLines {
  const limit = createLineLimit(timer);
  return {
    note(method, action, kinds) {
      const found: Partial<Record<SecretKind, number>> = {};
      for (const kind of kinds) found[kind] = (found[kind] ?? 0) + 1;
      const shared = { method, action };
      const logOmitted = (kind: object): void => log.info({ ...kind }, `${msg}: lines omitted`);
      if (limit.admit(shared, {}, logOmitted)) log.info({ ...shared, found }, msg);
    },
    stop: () => limit.stop(),
  };
}
