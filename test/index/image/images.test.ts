import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scopeOf } from "../../../src/core/model/namespace.js";
import type { IndexQuery } from "../../../src/core/ports/search-index.js";
import { imageVersion, trailerBytes } from "../../../src/index/image/image-format.js";
import type { createSearchIndex } from "../../../src/index/search-index.js";
import { hitsOf } from "../../contract/index-hits.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { describeSearchIndex } from "../../contract/search-index.js";
import { ImageFixture, notes, others } from "./image-fixture.js";

const ends: (() => Promise<void>)[] = [];
let images: ImageFixture;

beforeEach(async () => {
  images = await ImageFixture.create((end) => ends.push(end));
});

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

describeSearchIndex(
  "an index with images, which keeps one namespace in RAM",
  async () => {
    const fixture = await ImageFixture.create((end) => ends.push(end));
    fixtures.set(fixture.store, fixture);
    return fixture.store;
  },
  (store) => fixtures.get(store)?.openIndex(1) as ReturnType<typeof createSearchIndex>,
);

const fixtures = new WeakMap<object, ImageFixture>();

const secret = "zanzibarium";

/** Ten memories; the last one names the secret. */
const tenMemories = Array.from({ length: 10 }, (_, at) =>
  sampleMemory(`m${at}`, at === 9 ? `the word is ${secret}` : `red number${at}`, {
    author: at === 9 ? "olaf-the-author" : "kim",
    threadId: at === 9 ? "thread-of-olaf" : "thread",
  }),
);

function vectorOf(_memory: unknown, at: number): Float32Array {
  return Float32Array.of(1, at);
}

const query: IndexQuery = { text: "red number3", vector: Float32Array.of(0, 1) };

function found() {
  return images.read(notes, (index) => hitsOf(index, query));
}

describe("an image", () => {
  test("an image of an index is saved at the end, and is loaded without reading the records", async () => {
    await images.write(notes, tenMemories, vectorOf);
    const before = await found();
    await images.restart();
    expect(images.names).toHaveLength(1);
    images.scans = 0;
    expect(await found()).toEqual(before);
    expect(images.scans).toBe(0);
  });

  test("images are for the user of the server alone", async () => {
    await images.write(notes, tenMemories);
    await found();
    await images.restart();
    const modes = images.names.map((name) => statSync(join(images.imageFolder, name)).mode & 0o777);
    expect([statSync(images.imageFolder).mode & 0o777, ...modes]).toEqual([0o700, 0o600]);
  });

  test("a loaded image follows later commits, from RAM and from the change log", async () => {
    await images.write(notes, tenMemories, vectorOf);
    await found();
    await images.restart();
    await images.write(notes, [sampleMemory("m10", "red number3")], vectorOf);
    images.scans = 0;
    expect([...(await found()).keys()]).toContain("m10");
    await images.restart();
    // The image that was just saved is replaced by none: the next commits come after it.
    await images.write(notes, [sampleMemory("m11", "red number3")]);
    await images.store.close();
    await images.open();
    expect([...(await found()).keys()]).toContain("m11");
    expect(images.scans).toBe(0);
  });

  test("an index that leaves the RAM for another one is saved", async () => {
    await images.write(notes, tenMemories);
    await images.write(others, tenMemories);
    images.index = images.openIndex(1);
    await images.read(notes, () => undefined);
    await images.read(others, () => undefined);
    await images.index.settled();
    expect(images.names).toHaveLength(1);
  });

  test("an index is saved in the background when many of its rows have changed", async () => {
    await images.write(notes, tenMemories);
    await found();
    await images.save();
    const [name = ""] = images.names;
    const path = join(images.imageFolder, name);
    const first = readFileSync(path);
    await images.write(notes, [sampleMemory("m10", "red")]);
    await images.save();
    expect(readFileSync(path).equals(first)).toBe(true);
    await images.write(
      notes,
      Array.from({ length: 300 }, (_, at) => sampleMemory(`n${at}`, "red")),
    );
    await found();
    await images.save();
    expect(readFileSync(path).equals(first)).toBe(false);
  });
});

describe("a deleted text", () => {
  /** Expects that no file has the text, its author or its thread. */
  function expectGone(): void {
    for (const text of [secret, "olaf-the-author", "thread-of-olaf"])
      expect(images.contains(text), text).toBe(false);
  }

  async function saved(): Promise<void> {
    await images.write(notes, tenMemories, vectorOf);
    await found();
    await images.save();
    expect(images.contains(secret)).toBe(true);
  }

  test.each<[string, () => Promise<unknown>]>([
    ["deleted", () => images.remove(notes, "m9")],
    ["changed", () => images.write(notes, [sampleMemory("m9", "nothing")])],
    ["cleared", () => images.store.update(scopeOf(notes), async (tx) => tx.clear(notes))],
  ])(
    "a %s text is in no image when the commit is acknowledged, nor after later saves",
    async (_, remove) => {
      await saved();
      await remove();
      expectGone();
      await images.write(notes, [sampleMemory("m20", "red")]);
      await found();
      images.nowMs += 60_000;
      await images.save();
      expect(images.names).toHaveLength(1);
      expectGone();
      await images.restart();
      expectGone();
    },
  );

  test("an image is saved again only after a minute without deletions", async () => {
    await saved();
    await images.remove(notes, "m9");
    await found();
    images.nowMs += 59_999;
    await images.save();
    expect(images.names).toEqual([]);
    images.nowMs += 1;
    await images.save();
    expect(images.names).toHaveLength(1);
  });

  test("an index that has not followed a deletion yet is not saved", async () => {
    await images.write(notes, tenMemories);
    await images.write(others, tenMemories);
    images.index = images.openIndex(1);
    await images.read(notes, () => undefined);
    await images.remove(notes, "m9");
    await images.read(others, () => undefined);
    await images.index.settled();
    expect(images.names).toEqual([]);
  });

  test("memories are deleted, and an image saved again, after someone removed the folder of images", async () => {
    await saved();
    rmSync(images.imageFolder, { recursive: true });
    await images.remove(notes, "m9");
    await images.write(notes, [sampleMemory("m20", "red")]);
    expect([...(await found()).keys()]).toContain("m20");
    images.nowMs += 60_000;
    await images.save();
    expect(images.names).toHaveLength(1);
    expect(statSync(images.imageFolder).mode & 0o777).toBe(0o700);
    expectGone();
  });

  test("an image that is copied back is deleted before the next start serves calls", async () => {
    await saved();
    const [name = ""] = images.names;
    const copy = join(images.imageFolder, "..", "copy");
    copyFileSync(join(images.imageFolder, name), copy);
    await images.remove(notes, "m9");
    await images.close();
    copyFileSync(copy, join(images.imageFolder, name));
    copyFileSync(copy, join(images.imageFolder, "foreign"));
    copyFileSync(copy, join(images.imageFolder, `${name}.part`));
    await images.open();
    expectGone();
    expect((await found()).has("m9")).toBe(false);
  });

  test("an image stays usable after a kill if only additions followed it", async () => {
    await saved();
    await images.write(notes, [sampleMemory("m20", "red number3")]);
    await images.store.close();
    await images.open();
    images.scans = 0;
    expect([...(await found()).keys()]).toContain("m20");
    expect(images.scans).toBe(0);
  });
});

describe("a damaged image", () => {
  /** Damages the image of ten memories, and expects that the next read rebuilds the index. */
  async function expectRebuilt(damage: (path: string) => void): Promise<void> {
    await images.write(notes, tenMemories, vectorOf);
    const before = await found();
    await images.save();
    const [name = ""] = images.names;
    damage(join(images.imageFolder, name));
    images.index = images.openIndex();
    images.scans = 0;
    expect(await found()).toEqual(before);
    expect(images.scans).toBeGreaterThan(0);
    expect(images.logged).toEqual(["warn: an image of an index is unusable and is rebuilt"]);
    expect(images.names).toEqual([]);
  }

  test.each([0, 0.3, 0.6, 0.9, 0.999])(
    "an image with a flipped byte at %f of its length is rebuilt, with one line in the log",
    (share) =>
      expectRebuilt((path) => {
        const bytes = readFileSync(path);
        const at = Math.floor(share * bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ 0x41;
        writeFileSync(path, bytes);
      }),
  );

  test.each([0, 1, 100, 1_000])("an image that was cut to %i bytes is rebuilt", (length) =>
    expectRebuilt((path) => truncateSync(path, length)),
  );

  test("an image of another version is rebuilt", () =>
    expectRebuilt((path) => {
      const file = readFileSync(path);
      const at = file.indexOf(`"version":"${imageVersion} `);
      expect(at).toBeGreaterThan(0);
      file[at + 11] = 0x39;
      const trailer = file.length - trailerBytes;
      const header = file.subarray(trailer - file.readUInt32LE(trailer + 4), trailer);
      file.writeUInt32LE(crc32(header), trailer + 8);
      writeFileSync(path, file);
    }));
});
