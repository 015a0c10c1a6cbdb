import { Ajv, type JSONSchemaType } from "ajv";
import { dayAndHourExist } from "../core/model/instant.js";
import { type Role, roles } from "../core/model/principal.js";
import { certificateName, idPattern, principalName, tenantName } from "./stored-values.js";

/** A key of a principal, without its secret. Times are in RFC 3339, in UTC with `Z`. */
export interface StoredKey {
  readonly id: string;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly sha256: string;
  readonly create_time: string;
  /** The time at which the key expires. Absent: the key does not expire. */
  readonly expire_time?: string;
}

/** The limits of a principal, as `PrincipalLimits` describes them. */
export interface StoredLimits {
  readonly calls_per_second?: number;
  readonly burst?: number;
  readonly bytes_per_second?: number;
  readonly quota_memories?: number;
  readonly quota_bytes?: number;
  readonly quota_total_bytes?: number;
}

/** The limits of a tenant. */
export interface StoredTenant {
  /** Unique in the file. */
  readonly name: string;
  /** Maximum bytes of all data of the tenant. Absent: no limit. */
  readonly quota_total_bytes?: number;
}

/** A principal of a credentials file. Absent lists allow nothing. */
export interface StoredPrincipal {
  /** Unique in the file. */
  readonly name: string;
  readonly roles: readonly Role[];
  readonly users?: readonly string[];
  readonly agents?: readonly string[];
  readonly runs?: readonly string[];
  readonly tools?: readonly string[];
  readonly tenant?: string;
  readonly limits?: StoredLimits;
  /** At most two, so that a key can be rotated while the earlier key still works. */
  readonly keys?: readonly StoredKey[];
  /** URIs or DNS names in client certificates. */
  readonly certificates?: readonly string[];
  /** Whether the principal is refused, whatever credentials it shows. */
  readonly disabled?: boolean;
}

/** The content of a credentials file. */
export interface Credentials {
  readonly principals: readonly StoredPrincipal[];
  /** Tenants with limits. Default: none. */
  readonly tenants?: readonly StoredTenant[];
}

const patterns = { type: "array", items: idPattern } as const;
const time = {
  type: "string",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$",
} as const;
const rate = { type: "number", exclusiveMinimum: 0 } as const;
const quota = { type: "integer", minimum: 1 } as const;

/** The fields that say what a principal may do, for files and tokens. */
export const grantProperties = {
  roles: { type: "array", items: { type: "string", enum: roles } },
  users: patterns,
  agents: patterns,
  runs: patterns,
  tools: patterns,
  tenant: tenantName,
} as const;

const schema = {
  type: "object",
  additionalProperties: false,
  required: ["principals"],
  properties: {
    principals: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["name", "roles"],
        properties: {
          name: principalName,
          ...grantProperties,
          limits: {
            type: "object",
            additionalProperties: false,
            properties: {
              calls_per_second: rate,
              burst: rate,
              bytes_per_second: rate,
              quota_memories: quota,
              quota_bytes: quota,
              quota_total_bytes: quota,
            },
          },
          keys: {
            type: "array",
            maxItems: 2,
            items: {
              type: "object",
              additionalProperties: false,
              required: ["id", "sha256", "create_time"],
              properties: {
                id: { type: "string", pattern: "^[0-9a-f]{16}$" },
                sha256: { type: "string", pattern: "^[0-9a-f]{64}$" },
                create_time: time,
                expire_time: { ...time },
              },
            },
          },
          certificates: { type: "array", items: certificateName },
          disabled: { type: "boolean" },
        },
      },
    },
    tenants: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["name"],
        properties: { name: tenantName, quota_total_bytes: quota },
      },
    },
  },
} as const;

const ajv = new Ajv({ allowUnionTypes: true, strictTypes: false });
const matches = ajv.compile<Credentials>(schema as unknown as JSONSchemaType<Credentials>);

/** A credentials file that cannot be used. The message says where and why. */
export class InvalidCredentials extends Error {
  override readonly name = "InvalidCredentials";
}

/**
 * Reads the text of a credentials file.
 *
 * @throws InvalidCredentials when any part of it is wrong
 */
export function parseCredentials(text: string): Credentials {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidCredentials(`it is not JSON: ${String(error)}`);
  }
  if (!matches(value)) {
    const [fault] = matches.errors ?? [];
    const { additionalProperty: unknown } = (fault?.params ?? {}) as {
      readonly additionalProperty?: string;
    };
    const place = `${fault?.instancePath || "/"}${unknown === undefined ? "" : ` has '${unknown}':`}`;
    throw new InvalidCredentials(`${place} ${fault?.message ?? "is wrong"}`);
  }
  requireUnique(
    "name",
    value.principals.map(({ name }) => name),
  );
  requireUnique(
    "tenant",
    (value.tenants ?? []).map(({ name }) => name),
  );
  requireUnique(
    "key id",
    value.principals.flatMap(({ keys = [] }) => keys.map(({ id }) => id)),
  );
  requireUnique(
    "certificate",
    value.principals.flatMap(({ certificates = [] }) => certificates),
  );
  requireTimes(value);
  return value;
}

/** Writes credentials as the text of a file. */
export function formatCredentials(credentials: Credentials): string {
  return `${JSON.stringify(credentials, undefined, 2)}\n`;
}

function requireUnique(what: string, values: readonly string[]): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  if (twice !== undefined) throw new InvalidCredentials(`the ${what} '${twice}' appears twice`);
}

function requireTimes({ principals }: Credentials): void {
  for (const { name, keys = [] } of principals)
    for (const { id, create_time, expire_time = create_time } of keys)
      if (![create_time, expire_time].every(timeExists))
        throw new InvalidCredentials(`key ${id} of '${name}' has a time that does not exist`);
}

function timeExists(time: string): boolean {
  return dayAndHourExist(time) && !Number.isNaN(Date.parse(time));
}
