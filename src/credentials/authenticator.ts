import type { Principal } from "../core/model/principal.js";
import type { Authenticator } from "../core/ports/authenticator.js";
import type { KeyAuthenticator } from "./key-authenticator.js";
import type { TokenAuthenticator } from "./token-authenticator.js";

/** The sources of principals. An absent source has no principals. */
export interface AuthenticatorSources {
  /** Returns the authenticator for the current credentials file. */
  readonly keys?: () => KeyAuthenticator;
  /** Returns the authenticator for the current keys of the issuer. */
  readonly tokens?: () => TokenAuthenticator;
  /** See `Authenticator.onReview`. */
  readonly onReview: Authenticator["onReview"];
}

/**
 * Creates the authenticator of a server. If a call has an `authorization` header, the authenticator
 * ignores the client certificate: a proxy may show its own certificate and pass on the keys of its
 * callers.
 */
export function createAuthenticator({
  keys,
  tokens,
  onReview,
}: AuthenticatorSources): Authenticator {
  const limited = (principal: Principal | undefined): Principal | undefined =>
    (principal && keys?.().limit(principal)) ?? principal;
  return {
    authenticate({ authorization, certificateNames, certificateExpireMs }) {
      if (authorization === undefined)
        return keys?.().ofCertificate(certificateNames, certificateExpireMs);
      const [, credential] = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization) ?? [];
      if (credential === undefined) return undefined;
      if (credential.startsWith("vdm_")) return keys?.().ofKey(credential);
      const found = tokens?.().ofToken(credential);
      return found instanceof Promise ? found.then(limited) : limited(found);
    },
    onReview,
  };
}
