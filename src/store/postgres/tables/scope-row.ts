import { createHash } from "node:crypto";
import type { Scope } from "../../../core/model/namespace.js";
import { requireWellFormedKey } from "../../codec/key-text.js";
import { scopeCodes } from "../../codec/scope-codes.js";

/** A scope as the tables name it. */
export interface ScopeRow {
  /** The scope id, as PostgreSQL writes a `uuid`. */
  readonly uuid: string;
  /** The 16 bytes of the scope id. */
  readonly bytes: Buffer;
  /** Name of the tenant in UTF-8; empty without a tenant. */
  readonly tenant: Buffer;
  /** The scope's kind, see `scopeCodes`. */
  readonly kind: number;
  /** Id of the user or run in UTF-8; empty for the server. */
  readonly id: Buffer;
}

const idBytes = 16;

/**
 * Returns the row of a scope. The scope id is the beginning of SHA-256 over tenant, kind and id.
 * Tenant and id are preceded by their lengths.
 *
 * @throws INVALID_ARGUMENT (INVALID_TEXT) when an id is not valid Unicode
 */
export function scopeRow(scope: Scope): ScopeRow {
  const tenant = textBytes(scope.tenant ?? "");
  const id = textBytes(nameOf(scope));
  const kind = scopeCodes[scope.kind];
  const digest = createHash("sha256")
    .update(lengthPart(tenant))
    .update(tenant)
    .update(Buffer.of(kind))
    .update(lengthPart(id))
    .update(id)
    .digest();
  const bytes = digest.subarray(0, idBytes);
  return { uuid: uuidText(bytes), bytes, tenant, kind, id };
}

/** Returns the scope of a row. Throws for a kind that a newer version of the service wrote. */
export function scopeOfRow({ tenant, kind, id }: Omit<ScopeRow, "uuid" | "bytes">): Scope {
  const tenancy = tenant.length === 0 ? {} : { tenant: tenant.toString() };
  switch (kind) {
    case scopeCodes.user:
      return { kind: "user", userId: id.toString(), ...tenancy };
    case scopeCodes.run:
      return { kind: "run", runId: id.toString(), ...tenancy };
    case scopeCodes.server:
      return { kind: "server", ...tenancy };
    default:
      throw new Error(`unknown kind of scope ${kind}: a newer version of the service wrote it`);
  }
}

function nameOf(scope: Scope): string {
  switch (scope.kind) {
    case "user":
      return scope.userId;
    case "run":
      return scope.runId;
    case "server":
      return "";
  }
}

function textBytes(text: string): Buffer {
  requireWellFormedKey(text);
  return Buffer.from(text);
}

function lengthPart(bytes: Buffer): Buffer {
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(bytes.length);
  return length;
}

function uuidText(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
