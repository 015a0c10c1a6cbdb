import type { Timer } from "../../core/ports/timer.js";

/** The names and values of a log line. */
export type Facts = Readonly<Record<string, unknown>>;

/** Bounds the log lines of each kind. */
export interface LineLimit {
  /**
   * Counts a line. Returns whether to log it.
   *
   * @param shared facts that many lines have in common; the kind of the lines beyond the hundredth
   *   kind of a second
   * @param own further facts that tell the kind of the line from other kinds
   * @param logOmitted logs at the end of the second how many lines of the kind were omitted
   */
  admit(shared: Facts, own: Facts, logOmitted: (kind: Facts) => void): boolean;
  /** Logs how many lines were omitted in this second. Call it when the server has stopped. */
  stop(): void;
}

/** Maximum number of lines of one kind in a second. */
const linesPerSecond = 10;

/** Maximum number of kinds with facts of their own in a second. */
const kindsMax = 100;

/** Lines of one kind in the current second. */
interface Kind {
  readonly logOmitted: (omitted: number) => void;
  lines: number;
  omitted: number;
}

/** Creates a limit of ten lines of a kind in each second. */
export function createLineLimit(timer: Pick<Timer, "after">): LineLimit {
  const kinds = new Map<string, Kind>();
  let cancelEnd = (): void => undefined;
  const endSecond = (): void => {
    cancelEnd();
    for (const { omitted, logOmitted } of kinds.values()) if (omitted > 0) logOmitted(omitted);
    kinds.clear();
  };
  return {
    admit(shared, own, logOmitted) {
      if (kinds.size === 0) cancelEnd = timer.after(1000, endSecond);
      const all = { ...shared, ...own };
      const facts = kinds.size < kindsMax || kinds.has(JSON.stringify(all)) ? all : shared;
      const key = JSON.stringify(facts);
      const kind = kinds.get(key) ?? {
        logOmitted: (omitted) => logOmitted({ ...facts, omitted }),
        lines: 0,
        omitted: 0,
      };
      kinds.set(key, kind);
      const isLogged = kind.lines < linesPerSecond;
      if (isLogged) kind.lines++;
      else kind.omitted++;
      return isLogged;
    },
    stop: endSecond,
  };
}
