import { Code, type ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { printable } from "./command-io.js";

/** What a failed call says to a person: the field at fault and what to do about it. */
export function callFailureText(error: ConnectError, server: string): string {
  const { code, reason, fields } = partsOf(error);
  if (reason === undefined) return transportFailureText(error, server);
  const violations = fields.map(({ field, description }) => `  ${field}: ${description}`);
  // A single violation is usually the message itself.
  const lines = violations.length > 1 ? [error.rawMessage, ...violations] : [error.rawMessage];
  return printable(`${lines.join("\n")} (${code}, ${reason})`);
}

/** The same for programs, as one line of JSON. */
export function callFailureJson(error: ConnectError): string {
  const { code, reason, fields } = partsOf(error);
  return JSON.stringify({ code, reason, message: error.rawMessage, fields });
}

function partsOf(error: ConnectError) {
  return {
    code: canonicalName(error.code),
    reason: error.findDetails(ErrorInfoSchema)[0]?.reason,
    fields: error
      .findDetails(BadRequestSchema)
      .flatMap(({ fieldViolations }) => fieldViolations)
      .map(({ field, description }) => ({ field, description })),
  };
}

/** Errors without a reason come from the connection, or from a server that is not Vademecum. */
function transportFailureText(error: ConnectError, server: string): string {
  if (error.code === Code.Unavailable) {
    return `no server answers at ${server} (${printable(error.rawMessage)}). Start one with \`vademecum serve\`, or name another with --server.`;
  }
  if (error.code === Code.Canceled)
    return `the connection to ${server} was cut before the call had ended. Look at the server's log, and try again.`;
  if (error.code === Code.DeadlineExceeded)
    return `the server at ${server} did not answer in time. Try again, or look at its log.`;
  return (
    `the call to ${server} failed: ${printable(error.rawMessage)} (${canonicalName(error.code)}). ` +
    "Check that --server is the gRPC address of Vademecum, with https:// before it if the server uses TLS."
  );
}

function canonicalName(code: Code): string {
  return (Code[code] ?? "Unknown")
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();
}
