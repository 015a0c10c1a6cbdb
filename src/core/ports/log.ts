/**
 * Writes one log line. Fields hold names, numbers, ids and errors, never texts, queries or keys.
 * An error goes into the field `error`.
 */
export type Log = (
  level: "info" | "warn" | "error",
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;
