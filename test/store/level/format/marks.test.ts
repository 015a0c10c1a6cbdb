import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createMarkFile,
  type HighWaterMark,
  openMarkFile,
  readMarkFile,
} from "../../../../src/store/level/folder/mark-file.js";
import { createMarkWindow } from "../../../../src/store/level/format/marks.js";
import { createTestFolder } from "../level-folder.js";

const first: HighWaterMark = {
  storeId: "01234567-89ab-cdef-0123-456789abcdef",
  epoch: "fedcba98-7654-3210-fedc-ba9876543210",
  group: 0,
  groupChecksum: 0xfffffffe,
  manifest: { number: 258, bytes: 65_536 },
  clean: false,
};

async function createPath(): Promise<string> {
  const path = join(await createTestFolder(onTestFinished), "high-water-mark");
  await mkdir(dirname(path));
  return path;
}

describe("the high-water mark", () => {
  it("the high-water mark never changes its bytes", async () => {
    const path = await createPath();
    await createMarkFile(path, { ...first, group: 3, clean: true });
    const content = await readFile(path);
    expect(content.length).toBe(8192);
    expect(content.subarray(0, 113).toString("hex")).toBe(
      [
        Buffer.from("VDMHWM02").toString("hex"),
        Buffer.from(first.storeId).toString("hex"),
        Buffer.from(first.epoch).toString("hex"),
        "0000000000000003",
        "fffffffe",
        "0000000000000102",
        "0000000000010000",
        "01",
        "5d902508",
      ].join(""),
    );
    expect(content.subarray(4096, 4096 + 113)).toEqual(content.subarray(0, 113));
  });

  it("the high-water mark is the last completely written mark", async () => {
    const path = await createPath();
    await createMarkFile(path, first);
    const file = await openMarkFile(path);
    for (let group = 1; group <= 5; group++) {
      await file.write({ ...first, group });
      await file.sync();
      expect(await readMarkFile(path)).toEqual({ ...first, group });
      const intact = await readFile(path);
      const torn = Buffer.from(intact);
      torn.fill(0, (group % 2) * 4096 + 40, (group % 2) * 4096 + 100);
      await writeFile(path, torn);
      expect(await readMarkFile(path)).toEqual({ ...first, group: group - 1 });
      await writeFile(path, intact);
    }
    await file.close();
  });

  it("the high-water mark is undefined if its file is missing or has no valid slot", async () => {
    const path = await createPath();
    expect(await readMarkFile(path)).toBeUndefined();
    for (const content of ["", "short", "\0".repeat(8192), "x".repeat(8192)]) {
      await writeFile(path, content);
      expect(await readMarkFile(path)).toBeUndefined();
    }
  });
});

describe("the window of marks", () => {
  it("the window of marks keeps a mark until the bytes written after it exceed the size of the window", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 50 }), { minLength: 1 }),
        fc.array(fc.nat({ max: 50 })),
        fc.nat({ max: 120 }),
        (before, added, windowBytes) => {
          const firstFloor = 10;
          const window = createMarkWindow(firstFloor, before, windowBytes);
          const sizes = [...before];
          let floor = firstFloor;
          for (const bytes of added) {
            sizes.push(bytes);
            const gone = window.add(bytes);
            const newest = firstFloor + sizes.length - 1;
            const bytesBehind = (group: number): number =>
              sizes.slice(group + 1 - firstFloor).reduce((sum, size) => sum + size, 0);
            expect(gone).toEqual(
              Array.from({ length: window.floor - floor }, (_, index) => floor + index),
            );
            floor = window.floor;
            if (floor > firstFloor && gone.length > 0)
              expect(bytesBehind(floor - 1)).toBeGreaterThan(windowBytes);
            expect(floor === newest || bytesBehind(floor) <= windowBytes).toBe(true);
          }
        },
      ),
    );
  });
});
