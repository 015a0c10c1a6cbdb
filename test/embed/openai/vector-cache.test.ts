import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openVectorCache, type VectorCache } from "../../../src/embed/openai/vector-cache.js";

const maxBytes = 64 * 1024;
const vector = Float32Array.of(0.25, -1, 3e-8);

let parent: string;
let folder: string;
let log: string[] = [];
let cache: VectorCache;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "vademecum-cache-"));
  folder = join(parent, "cache");
  log = [];
  cache = await open();
});

afterEach(async () => {
  await cache.close();
  await rm(parent, { recursive: true });
});

function open(): Promise<VectorCache> {
  return openVectorCache({ folder, maxBytes, log: (_level, message) => log.push(message) });
}

async function reopen(between: () => Promise<unknown> = async () => {}): Promise<void> {
  await cache.close();
  await between();
  cache = await open();
}

function keyOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

describe("the cache of vectors", () => {
  it("the cache of vectors returns vectors bit for bit, even after it was reopened", async () => {
    await cache.put(keyOf("a"), vector);
    expect(await cache.get(keyOf("a"))).toEqual(vector);
    expect(await cache.get(keyOf("b"))).toBeUndefined();
    await reopen();
    expect(await cache.get(keyOf("a"))).toEqual(vector);
    expect(log).toEqual([]);
  });

  it("the cache of vectors returns each reader a copy", async () => {
    await cache.put(keyOf("a"), vector);
    (await cache.get(keyOf("a")))?.fill(0);
    expect(await cache.get(keyOf("a"))).toEqual(vector);
  });

  it("the cache of vectors drops the least recently used vectors, and stays within its size", async () => {
    const large = new Float32Array(256);
    for (let i = 0; i < 400; i++) {
      await cache.put(keyOf(`text ${i}`), large);
      await cache.get(keyOf("text 0"));
      if (i % 100 === 50) await reopen();
    }
    const kept = await Promise.all(
      Array.from({ length: 400 }, async (_, i) =>
        (await cache.get(keyOf(`text ${i}`))) === undefined ? 0 : 1,
      ),
    );
    const count = kept.reduce<number>((sum, one) => sum + one, 0);
    expect(kept[0]).toBe(1);
    expect(kept[1]).toBe(0);
    expect(kept[399]).toBe(1);
    expect(count).toBeGreaterThan(20);
    expect(count).toBeLessThanOrEqual(maxBytes / large.byteLength);
  });

  it("the cache of vectors treats a vector with changed bytes as absent", async () => {
    await cache.put(
      keyOf("a"),
      Float32Array.from({ length: 64 }, (_, i) => i),
    );
    // When LevelDB opens, it writes the content of its log into a table. LevelDB does not check the
    // bytes of a table when it reads them.
    await reopen();
    await cache.close();
    const [name = ""] = (await readdir(folder)).filter((file) => file.endsWith(".ldb"));
    const bytes = await readFile(join(folder, name));
    const before = bytes.indexOf(Buffer.from(Float32Array.of(40, 41, 42).buffer));
    expect(before).toBeGreaterThan(0);
    bytes[before + 1] = 1;
    await writeFile(join(folder, name), bytes);
    cache = await open();
    expect(await cache.get(keyOf("a"))).toBeUndefined();
    await cache.put(keyOf("a"), vector);
    expect(await cache.get(keyOf("a"))).toEqual(vector);
  });

  it.each(["CURRENT", "MANIFEST", ".log", ".ldb"])(
    "the cache of vectors starts empty when its file %s is damaged",
    async (kind) => {
      await cache.put(keyOf("a"), vector);
      // When LevelDB opens, it writes the content of its log into a table.
      if (kind === ".ldb") await reopen();
      await reopen(async () => {
        for (const name of await readdir(folder)) {
          if (name.includes(kind))
            await writeFile(
              join(folder, name),
              Buffer.alloc((await stat(join(folder, name))).size, 7),
            );
        }
      });
      expect(await cache.get(keyOf("a"))).toBeUndefined();
      await cache.put(keyOf("a"), vector);
      await reopen();
      expect(await cache.get(keyOf("a"))).toEqual(vector);
    },
  );

  it("a cache folder serves only the cache that opened it first", async () => {
    const second = await open();
    expect(log).toEqual(["the cache of embeddings cannot be used; texts are embedded again"]);
    await second.put(keyOf("a"), vector);
    expect(await second.get(keyOf("a"))).toBeUndefined();
    await second.close();
    await cache.put(keyOf("a"), vector);
    expect(await cache.get(keyOf("a"))).toEqual(vector);
  });

  it("a cache stores no vectors if the path of its folder is a file", async () => {
    await reopen(async () => {
      await rm(folder, { recursive: true });
      await writeFile(folder, "");
    });
    await cache.put(keyOf("a"), vector);
    expect(await cache.get(keyOf("a"))).toBeUndefined();
    expect(log).toHaveLength(1);
  });

  it("reads and writes of a closed cache do not fail", async () => {
    await cache.close();
    await cache.put(keyOf("a"), vector);
    expect(await cache.get(keyOf("a"))).toBeUndefined();
    await mkdir(folder, { recursive: true });
  });
});
