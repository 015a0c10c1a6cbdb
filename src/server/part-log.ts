import type { Logger } from "pino";

/** Takes what a part of the server tells. */
export type PartLog = (
  level: "info" | "warn" | "error",
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

/** What parts of the server tell, as lines of the log. */
export function partLog(log: Logger): PartLog {
  return (level, message, { error, ...fields } = {}) =>
    log[level]({ ...fields, ...(error !== undefined && { err: error }) }, message);
}
