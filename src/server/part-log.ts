import type { Logger } from "pino";
import type { StoreLog } from "../store/level/store-log.js";

/** What parts of the server tell, as lines of the log. */
export function partLog(log: Logger): StoreLog {
  return (level, message, { error, ...fields } = {}) => log[level]({ ...fields, ...(error !== undefined && { err: error }) }, message);
}
