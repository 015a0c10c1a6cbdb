import type { NamedPem } from "./transport-options.js";

/** Does nothing: the browser decides which certificates to trust. */
export function requireCertificate(_certificates: NamedPem): void {}

/** Does nothing: the browser decides which certificate to send. */
export function requireKeyPair(_chain: NamedPem, _key: NamedPem): void {}
