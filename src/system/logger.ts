import type { Writable } from "node:stream";
import { type Logger, pino } from "pino";

/** Least important kind of line that is written. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "silent";

/** Structured logs: one JSON object a line, with the time in ISO 8601 and errors under `err`. Lines carry names, numbers and ids, never texts, queries or keys. */
export function createLogger(level: LogLevel, output: Writable): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    output,
  );
}

/** An error as it is logged. */
interface LoggedError {
  readonly type: string;
  readonly code?: string;
  readonly message?: string;
  readonly at: readonly string[];
  readonly cause?: LoggedError;
}

/** What of an error may be logged: its type, code and stack. The message only where it comes from the system or from LevelDB: others may quote what they failed on. */
export function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, at: [] };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const frames = (error.stack ?? "")
    .replace(error.message, "")
    .split("\n")
    .filter((line) => /^ +at /.test(line));
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    ...(code !== undefined &&
      /^(?:E[A-Z\d]+|LEVEL_[A-Z_]+)$/.test(code) && { message: error.message }),
    at: frames.map((line) => line.trim().slice("at ".length)),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
