import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";

/** How a call failed, in the words that programs look at. */
export interface Failure {
  /** Canonical name, such as `INVALID_ARGUMENT`. */
  readonly code: string;
  /** Reason of the ErrorInfo; `undefined` if there is none. */
  readonly reason: string | undefined;
  /** Further facts of the ErrorInfo by name. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Paths of the fields at fault. */
  readonly fields: readonly string[];
  readonly message: string;
}

/** How a call that must fail failed. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  try {
    await call;
  } catch (error) {
    return describeFailure(ConnectError.from(error));
  }
  throw new Error("the call was answered, but it must fail");
}

/** The parts of an error that a program looks at. */
export function describeFailure(error: ConnectError): Failure {
  const violations = error
    .findDetails(BadRequestSchema)
    .flatMap(({ fieldViolations }) => fieldViolations);
  return {
    code: canonicalName(error.code),
    reason: error.findDetails(ErrorInfoSchema)[0]?.reason,
    metadata: error.findDetails(ErrorInfoSchema)[0]?.metadata ?? {},
    fields: violations.map(({ field }) => field),
    message: error.rawMessage,
  };
}

/** The canonical name of a code: `INVALID_ARGUMENT` for 3. */
export function canonicalName(code: number): string {
  return (Code[code] ?? `code ${code}`)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();
}
