/** The canonical codes that an operation of the service may end with. */
export type Code =
  | "CANCELLED"
  | "INVALID_ARGUMENT"
  | "DEADLINE_EXCEEDED"
  | "NOT_FOUND"
  | "PERMISSION_DENIED"
  | "RESOURCE_EXHAUSTED"
  | "FAILED_PRECONDITION"
  | "ABORTED"
  | "UNIMPLEMENTED"
  | "INTERNAL"
  | "UNAVAILABLE"
  | "DATA_LOSS";

/** A field of the request that is at fault. */
export interface FieldViolation {
  /** Path in the request by proto names, such as `filter.time_range`. */
  readonly field: string;
  /** What is wrong and what is allowed. */
  readonly description: string;
}

/** What else an error tells. */
export interface ErrorDetails {
  readonly fields?: readonly FieldViolation[];
  /** How long to wait before a retry makes sense, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * An expected failure that the caller is told of. Anything else that is thrown becomes INTERNAL without its text.
 * `reason` is a stable UPPER_SNAKE_CASE name for programs (all of them: docs/errors.md); `message` says what was wrong, what is allowed and what to do.
 */
export class VademecumError extends Error {
  override readonly name = "VademecumError";
  readonly fields: readonly FieldViolation[];
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly code: Code,
    readonly reason: string,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message, { cause: details.cause });
    this.fields = details.fields ?? [];
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** INVALID_ARGUMENT for one field. */
export function invalidField(
  field: string,
  description: string,
  reason = "INVALID_FIELD",
): VademecumError {
  return new VademecumError("INVALID_ARGUMENT", reason, `${field}: ${description}`, {
    fields: [{ field, description }],
  });
}

/** NOT_FOUND for a memory id: the same whether the id never was, is gone, has expired or lies in another namespace. */
export function memoryNotFound(id: string): VademecumError {
  return new VademecumError("NOT_FOUND", "MEMORY_NOT_FOUND", `memory '${id}' not found`);
}
