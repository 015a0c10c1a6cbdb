import fc from "fast-check";
import { expect, test } from "vitest";
import { listPage } from "../../../src/core/requests/list-page.js";
import { createPageToken, readPageToken } from "../../../src/core/requests/page-token.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";

const binding = {
  pageKey: "secret",
  epoch: "e1",
  tenant: undefined,
  listing: ["GetAll", { userId: "u", agentId: "a" }, { kinds: ["fact"] }],
};

test("reading a page token returns the key that it was made from, for any key", () => {
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
  ["another epoch", { ...binding, epoch: "e2" }],
  ["another tenant", { ...binding, tenant: "t" }],
  ["another server's secret", { ...binding, pageKey: "another secret" }],
])("a page token is refused for %s", (_name, other) => {
  expect(() => readPageToken(other, createPageToken(binding, "key"))).toThrow(
    expect.objectContaining({
      field: "page_token",
      message: expect.stringMatching(/start from the first page/) as string,
    }),
  );
});

test("a page token with any one character changed is refused", () => {
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
  "%j is refused as a page token",
  (token) => {
    expect(() => readPageToken(binding, token)).toThrow(/page_token/);
  },
);

test("a page token never changes its bytes, and is refused for a tenant if it was made for data without one", () => {
  const token = "i1zE337s.a2V5.Vnp1mUWMzvLVrwrVROIt-8";
  expect(readPageToken(binding, token)).toBe("key");
  expect(() => readPageToken({ ...binding, tenant: "t" }, token)).toThrow(
    expect.objectContaining({ reason: "INVALID_PAGE_TOKEN" }),
  );
});

test("a page token that was made with the epoch, as a backup shows it, is refused", async () => {
  const scope = { kind: "run", runId: "r" } as const;
  const store = createInMemoryStore();
  await store.update(scope, async (tx) => {
    for (const key of ["a", "b", "c"]) tx.put("keyPositions", scope, key, key);
  });
  const { epoch } = await store.head(scope);
  const listing = {
    scope,
    owner: scope,
    table: "keyPositions",
    binding: ["List"],
    limit: 1,
    toItem: (key: string) => key,
  } as const;
  const forged = createPageToken(
    { pageKey: epoch, epoch, tenant: undefined, listing: listing.binding },
    "b",
  );
  await expect(listPage(store, { ...listing, pageToken: forged })).rejects.toMatchObject({
    reason: "INVALID_PAGE_TOKEN",
  });
  const { nextPageToken: pageToken } = await listPage(store, { ...listing, pageToken: "" });
  expect((await listPage(store, { ...listing, pageToken })).items).toEqual(["b"]);
});
