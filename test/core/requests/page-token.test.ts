import fc from "fast-check";
import { expect, test } from "vitest";
import { createPageToken, readPageToken } from "../../../src/core/requests/page-token.js";

const binding = {
  epoch: "e1",
  listing: ["GetAll", { userId: "u", agentId: "a" }, { kinds: ["fact"] }],
};

test("a token leads back to the key that it was made from, whatever the key holds", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (key) => {
      expect(readPageToken(binding, createPageToken(binding, key))).toBe(key);
    }),
  );
});

test.each([
  ["another filter", { ...binding, listing: ["GetAll", { userId: "u", agentId: "a" }, {}] }],
  [
    "another namespace",
    { ...binding, listing: ["GetAll", { userId: "u", agentId: "b" }, { kinds: ["fact"] }] },
  ],
  ["another life of the data", { ...binding, epoch: "e2" }],
])("a token made for %s is refused", (_name, other) => {
  expect(() => readPageToken(other, createPageToken(binding, "key"))).toThrow(
    /page_token: .*start over/,
  );
});

test("no change of a single character goes unnoticed", () => {
  const token = createPageToken(binding, "0123456789");
  for (let at = 0; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
    if (changed === token) continue;
    expect(() => readPageToken(binding, changed)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", reason: "INVALID_PAGE_TOKEN" }),
    );
  }
});

test.each(["", "x", "a.b", "a.b.c.d", "....", "💥.💥.💥"])(
  "%j is refused as no token of the service",
  (token) => {
    expect(() => readPageToken(binding, token)).toThrow(/page_token/);
  },
);
