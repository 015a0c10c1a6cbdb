import fc from "fast-check";
import { expect, it } from "vitest";
import { hrefOf, parsePlace } from "../../console/src/router.js";

it("an address with ids of any characters leads back to the same place", () => {
  const ids = ["a/b", "%2F", "..", "?x=1", "#", "é", "\0", "👩‍🚀", "‮abc", " ", "a".repeat(256)];
  for (const id of ids)
    expect(parsePlace(hrefOf(["u", id, "b", id], { filter: id }))).toEqual({
      path: ["u", id, "b", id],
      query: { filter: id },
    });
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", minLength: 1 })), (path) => {
      expect(parsePlace(hrefOf(path)).path).toEqual(path);
    }),
  );
});

it("an empty address is the start, and a segment that is not encoded stands for itself", () => {
  for (const fragment of ["", "#", "#/"]) expect(parsePlace(fragment).path).toEqual([]);
  expect(parsePlace("#/u/100%")).toEqual({ path: ["u", "100%"], query: {} });
});

it("an address leaves out empty values", () => {
  expect(hrefOf(["inbox"], { user: "", agent: undefined, group: "stale" })).toBe(
    "#/inbox?group=stale",
  );
});
