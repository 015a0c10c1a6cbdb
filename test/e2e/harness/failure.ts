import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";

/** The parts of an error that programs read. */
export interface Failure {
  /** Canonical name, such as `INVALID_ARGUMENT`. */
  readonly code: string;
  /** Reason of the ErrorInfo; `undefined` if there is none. */
  readonly reason: string | undefined;
  /** Metadata of the ErrorInfo. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Paths of the invalid fields. */
  readonly fields: readonly string[];
  /** Descriptions of the invalid fields, in the order of `fields`. */
  readonly descriptions: readonly string[];
  readonly message: string;
}

/** Returns the error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  try {
    await call;
  } catch (error) {
    return describeFailure(ConnectError.from(error));
  }
  throw new Error("the call was answered, but it must fail");
}

/** Reads the parts of an error that programs read. */
export function describeFailure(error: ConnectError): Failure {
  const violations = error
    .findDetails(BadRequestSchema)
    .flatMap(({ fieldViolations }) => fieldViolations);
  return {
    code: canonicalName(error.code),
    reason: error.findDetails(ErrorInfoSchema)[0]?.reason,
    metadata: error.findDetails(ErrorInfoSchema)[0]?.metadata ?? {},
    fields: violations.map(({ field }) => field),
    descriptions: violations.map(({ description }) => description),
    message: error.rawMessage,
  };
}

/** Returns the canonical name of a code, such as `INVALID_ARGUMENT` for 3. */
export function canonicalName(code: number): string {
  return (Code[code] ?? `code ${code}`)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();
}
