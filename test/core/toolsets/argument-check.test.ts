import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { compileArgumentCheck } from "../../../src/core/toolsets/argument-check.js";

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

it("faulty arguments of a tool are released once they are described", async () => {
  const check = compileArgumentCheck({});
  const checkUnknown = () => {
    const item = { large: "x".repeat(1_000) };
    expect(check({ unknown: item })).toContain("'unknown' is no argument of this tool");
    return new WeakRef(item);
  };
  const released = checkUnknown();
  // A WeakRef holds its target until the turn ends.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(released.deref()).toBeUndefined();
});
