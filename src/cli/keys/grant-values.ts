import { InvalidArgumentError } from "commander";
import {
  certificateName,
  fits,
  idPattern,
  principalName,
  tenantName,
} from "../../credentials/stored-values.js";
import { collectValues } from "../option-values.js";

/** Parses the name of a principal. */
export function parsePrincipalName(text: string): string {
  return checked(text, principalName, "1 to 64 letters, digits and . _ -");
}

/** Parses the name of a tenant. */
export function parseTenantName(text: string): string {
  return checked(text, tenantName, "1 to 64 characters of a-z, 0-9 and . _ -");
}

/** Collects the values of a repeatable option. Each value is a pattern. */
export function collectPatterns(
  text: string,
  previous: readonly string[] | undefined,
): readonly string[] {
  const allowed =
    "an id, or the beginning of ids followed by one *, with at most 257 characters in all";
  return collectValues(checked(text, idPattern, allowed), previous);
}

/** Collects the values of a repeatable option. Each value is a name in client certificates. */
export function collectCertificateNames(
  text: string,
  previous: readonly string[] | undefined,
): readonly string[] {
  const allowed = "a URI or DNS name of 1 to 512 characters";
  return collectValues(checked(text, certificateName, allowed), previous);
}

function checked(text: string, schema: object, allowed: string): string {
  if (!fits(schema, text)) throw new InvalidArgumentError(`It must be ${allowed}.`);
  return text;
}
