import { Code, type ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { connectionFailureOf } from "./connection-failures.js";
import { printable } from "./printable.js";
import { tlsFailureText } from "./tls-failures.js";

/**
 * Returns the text of a failed call for a person: the fields that are wrong, and what to do.
 *
 * @param server the address that was called
 * @param option the option that gives this address
 */
export function callFailureText(error: ConnectError, server: string, option = "--server"): string {
  const { code, reason, fields } = partsOf(error);
  if (reason === undefined) return transportFailureText(error, server, option);
  const violations = fields.map(({ field, description }) => `  ${field}: ${description}`);
  // The description of a single violation repeats the message, and may add to it.
  const { description = "" } = fields[0] ?? {};
  const single = description.startsWith(error.rawMessage) ? description : error.rawMessage;
  const lines = violations.length > 1 ? [error.rawMessage, ...violations] : [single];
  return printable(`${lines.join("\n")} (${code}, ${reason})`);
}

/**
 * Returns a failed call as one line of JSON, for programs.
 *
 * @param more further properties of the JSON object
 */
export function callFailureJson(error: ConnectError, more: object = {}): string {
  const { code, reason, fields } = partsOf(error);
  return JSON.stringify({ code, reason, message: error.rawMessage, fields, ...more });
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

/**
 * Describes an error without a reason. Such errors come from the connection, or from a server other
 * than Vademecum.
 */
function transportFailureText(error: ConnectError, server: string, option: string): string {
  // The messages of OpenSSL end with a line break.
  const message = printable(error.rawMessage.trim());
  const code = canonicalName(error.code);
  const addressCheck =
    `Check that ${option} is the gRPC address of Vademecum, ` +
    "with https:// for a server with TLS.";
  const failure = connectionFailureOf(error);
  if (failure === "broken")
    return `the connection to ${server} broke (${code}: ${message}). Retry, or see the server log. ${addressCheck}`;
  if (failure === "refused")
    return `${server} did not begin the call (${code}: ${message}). Retry, or see the server log.`;
  if (failure === "throttled") {
    return (
      `${server} refuses calls of this client for a while (${code}: ${message}). ` +
      "Retry later, with fewer calls at the same time."
    );
  }
  const tlsFailure = tlsFailureText(error, server, option);
  if (tlsFailure !== undefined) return tlsFailure;
  if (error.code === Code.Unavailable) {
    return (
      `no server answers at ${server} (${message}). ` +
      `Start one with \`vademecum serve\`, or give its address with ${option}.`
    );
  }
  if (error.code === Code.DeadlineExceeded)
    return `the call to ${server} timed out. Retry, or see the server log.`;
  return `the call to ${server} failed: ${message} (${code}). ${addressCheck}`;
}

function canonicalName(code: Code): string {
  return (Code[code] ?? "Unknown")
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();
}
