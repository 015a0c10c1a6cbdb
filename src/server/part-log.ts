import type { Logger } from "pino";
import type { Log } from "../core/ports/log.js";

/** A `Log` that writes to the server's log, with errors under `err`. */
export function partLog(log: Logger): Log {
  return (level, message, { error, ...fields } = {}) =>
    log[level]({ ...fields, ...(error !== undefined && { err: error }) }, message);
}
