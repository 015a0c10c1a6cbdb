import { describe, expect, it } from "vitest";
import { createIdSource } from "../../src/system/ids.js";

describe("ids", () => {
  it("ids are UUIDv7 of the given millisecond", () => {
    const id = createIdSource().next(Date.UTC(2026, 10, 21));
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(Date.UTC(2026, 10, 21));
  });

  it("ids of one millisecond increase, even if ids of other milliseconds are made between", () => {
    const source = createIdSource();
    const times = [5000, 5000, 4999, 1, 5001].map((time) => 1_700_000_000_000 + time);
    const ids = times.map((): string[] => []);
    for (let n = 0; n < 2_000; n++)
      for (const [i, time] of times.entries()) ids[i]?.push(source.next(time));
    for (const made of ids) expect(made).toEqual([...new Set(made)].sort());
  });

  it("ids have the time that they are made for, even if it is earlier than the last one", () => {
    const source = createIdSource();
    const later = source.next(1_700_000_000_000);
    expect(source.next(1_699_999_999_999) < later).toBe(true);
  });
});
