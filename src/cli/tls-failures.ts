import { createSecureContext, type SecureContextOptions } from "node:tls";
import type { ConnectError } from "@connectrpc/connect";
import { errorText } from "../core/model/errors.js";
import { CommandFailure } from "./command-io.js";
import { printable } from "./printable.js";

/** The codes of Node for a certificate whose authority is unknown. */
const untrustedCodes: readonly string[] = [
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];

/**
 * Checks the certificate and the key of a client before they are used.
 *
 * @throws CommandFailure when they cannot be read, or do not belong together
 */
export function checkClientIdentity(identity: SecureContextOptions): void {
  try {
    createSecureContext(identity);
  } catch (error) {
    if (codeOf(error) === "ERR_OSSL_X509_KEY_VALUES_MISMATCH") {
      throw new CommandFailure(
        "--tls-key: the key does not belong to the certificate of --tls-cert; give both of one client",
        2,
      );
    }
    throw new CommandFailure(
      `--tls-cert, --tls-key: not a certificate and its unencrypted key in PEM: ${printable(errorText(error))}`,
      2,
    );
  }
}

/**
 * Describes the failure of a TLS handshake; `undefined` if the call failed otherwise.
 *
 * @param server the address that was called
 * @param option the option that gives this address
 */
export function tlsFailureText(
  { cause, rawMessage }: ConnectError,
  server: string,
  option: string,
): string | undefined {
  const code = codeOf(cause);
  // The messages of OpenSSL end with a line break.
  const message = printable(rawMessage.trim());
  if (untrustedCodes.includes(code)) {
    return (
      `the certificate of ${server} is not trusted (${message}). ` +
      "Give the certificate of its authority with --tls-ca."
    );
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return (
      `the certificate of ${server} is for another name (${message}). ` +
      `Give a name of the certificate with ${option}.`
    );
  }
  if (/^ERR_SSL_.*ALERT/.test(code)) {
    return (
      `${server} refused the TLS connection (${message}). ` +
      "If it requires a client certificate, give one with --tls-cert and --tls-key."
    );
  }
  return undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
