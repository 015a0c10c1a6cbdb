import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { NamedPem } from "./transport-options.js";

/** @throws TypeError when the text has no certificate in PEM form */
export function requireCertificate({ name, pem }: NamedPem): void {
  try {
    new X509Certificate(textOf(pem));
  } catch (cause) {
    throw new TypeError(`${name}: has no certificate in PEM form`, { cause });
  }
}

/** @throws TypeError when TLS cannot use the certificate with the private key */
export function requireKeyPair(chain: NamedPem, key: NamedPem): void {
  requireCertificate(chain);
  try {
    createPrivateKey(textOf(key.pem));
  } catch (cause) {
    throw new TypeError(`${key.name}: has no private key in PEM form without a passphrase`, {
      cause,
    });
  }
  try {
    createSecureContext({ cert: textOf(chain.pem), key: textOf(key.pem) });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${chain.name} and ${key.name}: ${reason}`, { cause });
  }
}

/** Returns the settings as text, because Node would also parse bytes in another form than PEM. */
function textOf(pem: string | Uint8Array): string {
  return typeof pem === "string" ? pem : new TextDecoder().decode(pem);
}
