import { expect, it } from "vitest";
import type { Credentials, StoredPrincipal } from "../../src/credentials/credentials.js";
import { changesOf } from "../../src/credentials/credentials-changes.js";

const key = (id: string) => ({ id, sha256: "0".repeat(64), create_time: "2026-11-24T12:00:00Z" });
const file = (...principals: StoredPrincipal[]): Credentials => ({ principals });

it("a change of credentials names the principals and keys that came, went or changed", () => {
  const before = file(
    { name: "ann", roles: ["reader"], keys: [key("a1"), key("a2")] },
    { name: "bob", roles: ["writer"], keys: [key("b1")] },
    { name: "kim", roles: ["writer"] },
  );
  const after = file(
    { name: "ann", roles: ["reader"], keys: [key("a2"), key("a3")] },
    { name: "kim", roles: ["writer"], disabled: true },
    { name: "lee", roles: ["operator"], keys: [key("l1")] },
  );
  expect(changesOf(before, after)).toEqual({
    addedPrincipals: ["lee"],
    removedPrincipals: ["bob"],
    changedPrincipals: ["kim"],
    addedKeys: ["ann/a3", "lee/l1"],
    removedKeys: ["ann/a1", "bob/b1"],
    changedTenants: [],
  });
});

it("a change of credentials names the tenants that came, went or have another limit", () => {
  const tenant = (name: string, bytes: number) => ({ name, quota_total_bytes: bytes });
  const before = { principals: [], tenants: [tenant("a", 1), tenant("b", 1), tenant("c", 1)] };
  const after = { principals: [], tenants: [tenant("a", 1), tenant("b", 2), tenant("d", 1)] };
  expect(changesOf(before, after).changedTenants).toEqual(["b", "c", "d"]);
});
