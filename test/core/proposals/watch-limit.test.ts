import { expect, it } from "vitest";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";

it("a user can have at most 100 open watches, and watches of other users do not count", () => {
  const wakeUps = createWakeUps();
  const open = Array.from({ length: 100 }, () => wakeUps.watch("ann"));
  expect(() => wakeUps.watch("ann")).toThrow(
    expect.objectContaining({ code: "RESOURCE_EXHAUSTED", reason: "TOO_MANY_WATCHES" }),
  );
  wakeUps.watch("bob").close();
  open[0]?.close();
  wakeUps.watch("ann").close();
});

it("all users together can have at most 100 open watches", () => {
  const wakeUps = createWakeUps();
  const open = Array.from({ length: 100 }, () => wakeUps.watch());
  expect(() => wakeUps.watch()).toThrow(
    expect.objectContaining({ code: "RESOURCE_EXHAUSTED", reason: "TOO_MANY_WATCHES" }),
  );
  wakeUps.watch("ann").close();
  open[0]?.close();
  wakeUps.watch().close();
});
