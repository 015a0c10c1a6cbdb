import { expect, it } from "vitest";
import { createWakeUps } from "../../../src/core/proposal-records/wake-ups.js";

it("a user can open at most 100 watches at a time, no matter how many other users have open", () => {
  const wakeUps = createWakeUps();
  const open = Array.from({ length: 100 }, () => wakeUps.watch("ann"));
  expect(() => wakeUps.watch("ann")).toThrow(
    expect.objectContaining({ code: "RESOURCE_EXHAUSTED", reason: "TOO_MANY_WATCHES" }),
  );
  wakeUps.watch("bob").close();
  open[0]?.close();
  wakeUps.watch("ann").close();
});
