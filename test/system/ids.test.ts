import { describe, expect, it } from "vitest";
import { createIdSource } from "../../src/system/ids.js";

describe("ids", () => {
  it("ids are UUIDv7 of the given millisecond", () => {
    const id = createIdSource().next(Date.UTC(2026, 10, 21));
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(Date.UTC(2026, 10, 21));
  });

  it("ids increase within a millisecond, and while the clock goes back a little", () => {
    const source = createIdSource();
    const clock = [5000, 5000, 5000, 4999, 1, 5000, 5001];
    const ids = Array.from({ length: 7000 }, (_, i) =>
      source.next(1_700_000_000_000 + (clock[i % clock.length] ?? 0)),
    );
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it("ids use the new time when the clock goes back far", () => {
    const source = createIdSource();
    const later = source.next(1_700_000_000_000);
    expect(source.next(1_600_000_000_000) < later).toBe(true);
  });
});
