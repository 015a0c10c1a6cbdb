import { VademecumError } from "../../core/model/errors.js";
import type { Role } from "../../core/model/principal.js";
import type { NamedId } from "./named-ids.js";

/** Returns the error of a call without credentials, on a server that asks for them. */
export function credentialsRequired(): VademecumError {
  return new VademecumError("UNAUTHENTICATED", "CREDENTIALS_REQUIRED", howToAuthenticate);
}

/**
 * Returns the error of a call with credentials that are not valid. The error does not say what is
 * wrong with the credentials, so that nobody learns which keys exist.
 */
export function credentialsRefused(): VademecumError {
  return new VademecumError("UNAUTHENTICATED", "CREDENTIALS_REFUSED", howToAuthenticate);
}

const howToAuthenticate =
  "this server needs valid credentials; send an API key or a token as " +
  "'authorization: Bearer KEY', or use a client certificate that the server knows";

/** Returns the error of a principal that lacks a role. */
export function roleRequired(needed: readonly Role[]): VademecumError {
  const names = needed.map((role) => `'${role}'`).join(" or ");
  return new VademecumError(
    "PERMISSION_DENIED",
    "ROLE_REQUIRED",
    `this call needs the role ${names}, which your credentials do not have; ask the operator for it`,
    { metadata: { roles: needed.join(",") } },
  );
}

/**
 * Returns the error of an id outside the patterns of a principal. It is the same whether or not the
 * id exists.
 */
export function outOfScope({ kind, field }: NamedId): VademecumError {
  const named = kind === "agent" ? "an agent" : `a ${kind}`;
  return new VademecumError(
    "PERMISSION_DENIED",
    "OUT_OF_SCOPE",
    `names ${named} that your credentials do not cover; \`vademecum keys check\` lists what a key covers`,
    { field },
  );
}
