import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { compileArgumentCheck } from "../../../src/core/toolsets/argument-check.js";

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

it("faulty arguments of a tool are freed once their faults are described", async () => {
  const check = compileArgumentCheck({});
  const checkUnknown = () => {
    const item = { large: "x".repeat(1_000) };
    expect(check({ unknown: item })).toContain("'unknown' is no argument of this tool");
    return new WeakRef(item);
  };
  const released = checkUnknown();
  // A WeakRef keeps its target alive until the current turn of the event loop ends.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(released.deref()).toBeUndefined();
});

const item = { type: "string", maxBytes: 10 } as const;
const tags = { type: "array", description: "Tags", items: item, maxItems: 3 } as const;
const text = { type: "string", description: "A text", maxBytes: 5 } as const;

/** Returns a list of nulls, and a function that counts the reads of its items so far. */
function countedList(length: number): { readonly list: null[]; readonly readItems: () => number } {
  let reads = 0;
  const list = new Proxy<null[]>(new Array<null>(length).fill(null), {
    get: (target, key, receiver) => {
      if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { list, readItems: () => reads };
}

it("the check of arguments stops after ten faults", () => {
  const check = compileArgumentCheck({ tags });
  const { list, readItems } = countedList(10_000);
  const described = check({ tags: list });
  expect(described?.split("; ")).toEqual([
    "tags must have at most 3 items, and has 10000",
    ...Array.from({ length: 9 }, (_, at) => `tags[${at}] must be a string, and is null`),
    "and more",
  ]);
  expect(readItems()).toBeLessThanOrEqual(11);
});

it("the check of arguments describes ten faults completely, without `and more`", () => {
  const check = compileArgumentCheck({});
  const given = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`name ${at}`, at]));
  expect(check(given)?.split("; ")).toHaveLength(10);
  expect(check(given)).not.toContain("and more");
});

it("the check of arguments describes missing arguments first, then unknown ones, then faulty values", () => {
  const check = compileArgumentCheck({ text, other: text, tags: { ...tags, optional: true } });
  expect(check({ tags: ["a", 1], text: "too long", more: true })).toBe(
    "other is missing; 'more' is no argument of this tool, which takes text, other, tags; " +
      "text must have at most 5 bytes of UTF-8, and has 8; tags[1] must be a string, and is a number",
  );
  expect(check({ text: "ok", other: "ok", tags: ["a"] })).toBeUndefined();
  expect(check({ text: "ok", other: "ok" })).toBeUndefined();
});
