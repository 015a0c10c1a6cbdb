/** The canonical gRPC codes that an operation of the service may fail with. */
export type Code =
  | "CANCELLED"
  | "INVALID_ARGUMENT"
  | "DEADLINE_EXCEEDED"
  | "NOT_FOUND"
  | "ALREADY_EXISTS"
  | "UNAUTHENTICATED"
  | "PERMISSION_DENIED"
  | "RESOURCE_EXHAUSTED"
  | "FAILED_PRECONDITION"
  | "ABORTED"
  | "OUT_OF_RANGE"
  | "INTERNAL"
  | "UNAVAILABLE"
  | "DATA_LOSS";

/** A field of the request that is at fault. */
export interface FieldViolation {
  /** Path in the request, in proto names, such as `filter.time_range`. */
  readonly field: string;
  /** The fault and what is allowed. */
  readonly description: string;
}

/** A quota that is used up. */
export interface QuotaViolation {
  /** The owner of the quota, such as `user:ann`. */
  readonly subject: string;
  readonly description: string;
}

/** The optional parts of an error. */
export interface ErrorDetails {
  /**
   * Path of the field that the message is about. Absent or empty: the message names its subject.
   */
  readonly field?: string;
  /** All fields at fault. Default: `field`, if it is set, with the message as its description. */
  readonly fields?: readonly FieldViolation[];
  /**
   * A sentence that helps and that the message does not contain, because programs compare the
   * message with an exact text. The descriptions of `fields` may repeat it.
   */
  readonly hint?: string | undefined;
  /** All quotas that are used up. Default: none. */
  readonly quotas?: readonly QuotaViolation[];
  /**
   * Further facts for programs, by name. docs/reference/errors.md lists the names. Default: none.
   */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Wait before a retry, in milliseconds. Absent: a retry alone does not help. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * An expected failure. The caller sees its code, reason, message and details. Every other error
 * reaches the caller as INTERNAL, without its text.
 *
 * `reason` is a stable UPPER_SNAKE_CASE name for programs. docs/reference/errors.md lists all
 * reasons. `message` says what is wrong, what is allowed and what to do. The message does not
 * contain the path of the field: `errorText` puts the path before the message.
 */
export class VademecumError extends Error {
  override readonly name = "VademecumError";
  /** Path of the field that the message is about. */
  readonly field: string | undefined;
  readonly fields: readonly FieldViolation[];
  readonly hint: string | undefined;
  readonly quotas: readonly QuotaViolation[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly code: Code,
    readonly reason: string,
    message: string,
    { field, fields, hint, quotas = [], metadata = {}, retryAfterMs, cause }: ErrorDetails = {},
  ) {
    super(message, { cause });
    this.field = field;
    this.fields = fields ?? (field === undefined ? [] : [{ field, description: message }]);
    this.hint = hint;
    this.quotas = quotas;
    this.metadata = metadata;
    this.retryAfterMs = retryAfterMs;
  }

  /**
   * Returns the same error with `toPath(path)` in place of each path. Use it when the input is a
   * part of a larger request.
   */
  withPaths(toPath: (path: string) => string): VademecumError {
    return new VademecumError(this.code, this.reason, this.message, {
      fields: this.fields.map(({ field, description }) => ({ field: toPath(field), description })),
      hint: this.hint,
      quotas: this.quotas,
      metadata: this.metadata,
      cause: this.cause,
      ...(this.field === undefined ? {} : { field: toPath(this.field) }),
      ...(this.retryAfterMs === undefined ? {} : { retryAfterMs: this.retryAfterMs }),
    });
  }
}

/** Returns the text of anything thrown. A `VademecumError` about a field reads `path: message`. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { field = "" } = error instanceof VademecumError ? error : {};
  return field === "" ? error.message : `${field}: ${error.message}`;
}

/** Returns an INVALID_ARGUMENT error about one field. `description` becomes its message. */
export function invalidField(
  field: string,
  description: string,
  reason = "INVALID_FIELD",
): VademecumError {
  return new VademecumError("INVALID_ARGUMENT", reason, description, { field });
}

/**
 * Returns a NOT_FOUND error for a memory id. The error does not reveal whether the memory never
 * existed, was deleted, has expired or belongs to another namespace.
 */
export function memoryNotFound(id: string): VademecumError {
  return new VademecumError("NOT_FOUND", "MEMORY_NOT_FOUND", `memory '${id}' not found`);
}
