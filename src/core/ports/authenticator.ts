import type { Principal } from "../model/principal.js";

/** What a caller shows to prove who it is. */
export interface Credentials {
  /** The header `authorization`. Absent: not sent. */
  readonly authorization?: string;
  /**
   * The names in the caller's verified client certificate: URIs, then DNS names. Empty without
   * a certificate.
   */
  readonly certificateNames: readonly string[];
}

/** Finds out who makes a call. */
export interface Authenticator {
  /**
   * Returns the principal of some credentials; `undefined` if nobody has them, whatever is wrong
   * with them. Returns a promise only if it has to compute for long. Requires: there is a header
   * or a name.
   */
  authenticate(credentials: Credentials): Principal | undefined | Promise<Principal | undefined>;
}
