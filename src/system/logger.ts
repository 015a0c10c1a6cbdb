import type { Writable } from "node:stream";
import { type Logger, pino } from "pino";

/** The lowest level that is logged. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "silent";

/**
 * Creates a structured log: one JSON object a line, with the time in ISO 8601 and errors under
 * `err`. Lines hold names, numbers and ids, never texts, queries or keys.
 */
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

/** The logged form of an error. */
interface LoggedError {
  readonly type: string;
  readonly code?: string;
  readonly message?: string;
  readonly at: readonly string[];
  readonly cause?: LoggedError;
}

/**
 * Returns the loggable parts of an error and of its causes: type, code and stack. The message is
 * included only for errors of the operating system or LevelDB, because other messages may quote
 * texts.
 */
function describeError(error: unknown): LoggedError {
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
