import { expect, it } from "vitest";
import type { Scope } from "../../../src/core/model/namespace.js";
import { scopeOfRow, scopeRow } from "../../../src/store/postgres/tables/scope-row.js";

const scopes: readonly Scope[] = [
  { kind: "server" },
  { kind: "server", tenant: "acme" },
  { kind: "user", userId: "" },
  { kind: "user", userId: "ann" },
  { kind: "run", runId: "ann" },
  { kind: "user", userId: "ann", tenant: "acme" },
  { kind: "user", userId: "eann", tenant: "acm" },
  { kind: "user", userId: "\0ключ" },
];

it("each scope has its own row, and the scope can be read from the row", () => {
  expect(new Set(scopes.map((scope) => scopeRow(scope).uuid)).size).toBe(scopes.length);
  for (const scope of scopes) expect(scopeOfRow(scopeRow(scope))).toEqual(scope);
});

it("the scope id stays the same in every version", () => {
  expect(scopeRow({ kind: "user", userId: "ann" }).uuid).toBe(
    "c59696b3-af76-8d7e-9fd0-570b1f4b2e20",
  );
});

it("an id with half of a surrogate pair is refused", () => {
  expect(() => scopeRow({ kind: "user", userId: "\ud800" })).toThrow("valid Unicode");
});
