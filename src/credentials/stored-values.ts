import { Ajv } from "ajv";

/** JSON schema of the name of a principal. */
export const principalName = { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$" } as const;

/**
 * JSON schema of a pattern: a whole id, or the first characters of ids and then `*`, such as
 * `team-*`.
 */
export const idPattern = {
  type: "string",
  pattern: "^([^*]+|[^*]*\\*)$",
  maxLength: 257,
} as const;

/** JSON schema of a URI or DNS name in a client certificate. */
export const certificateName = { type: "string", minLength: 1, maxLength: 512 } as const;

/** JSON schema of the name of a tenant. */
export const tenantName = { type: "string", pattern: "^[a-z0-9._-]{1,64}$" } as const;

const ajv = new Ajv();

/** Whether a value fits one of the schemas of this file. Compiles a schema at its first use. */
export function fits(schema: object, value: string): boolean {
  return ajv.validate(schema, value);
}
