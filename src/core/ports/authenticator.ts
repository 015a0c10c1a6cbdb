import type { Principal } from "../model/principal.js";

/** The proof of identity that comes with a call. */
export interface Credentials {
  /** The header `authorization`. Absent: not sent. */
  readonly authorization?: string | undefined;
  /**
   * The names in the caller's verified client certificate: URIs, then DNS names. Empty without
   * a certificate.
   */
  readonly certificateNames: readonly string[];
  /** When the certificate expires, in milliseconds since 1970. Absent without a certificate. */
  readonly certificateExpireMs?: number | undefined;
}

/** Finds out who makes a call. */
export interface Authenticator {
  /**
   * Returns the principal of the credentials; `undefined` if the credentials are not valid. Returns
   * a promise if it has to verify a signature. Requires: the credentials have a header or a name.
   */
  authenticate(credentials: Credentials): Principal | undefined | Promise<Principal | undefined>;
  /**
   * Calls `listener` whenever credentials may have become invalid, or their principals may have
   * changed: after each change of the credentials, and every few seconds because they expire.
   */
  onReview(listener: () => void): void;
}
