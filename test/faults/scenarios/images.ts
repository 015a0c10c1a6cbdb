import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { createClient } from "@connectrpc/connect";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { trailerBytes } from "../../../src/index/image/image-format.js";
import { createNamespaceClient, type NamespaceClient } from "../../e2e/harness/namespace-client.js";
import { nativeGrpc } from "../../e2e/harness/protocols.js";
import { createRandom, type Random } from "../server/random.js";
import { type ServerProcess, startServerProcess } from "../server/server-process.js";
import { Tally } from "../tally.js";
import { type RoundOptions, reportRound } from "./scenario.js";
import { withTemporaryFolder } from "./temporary-folder.js";

/** Whether the server of a round keeps earlier versions of memories, and so their texts. */
function keepsVersions(round: number): boolean {
  return round % 2 === 0;
}

function flagsOf(round: number): { readonly flags: readonly string[] } {
  return { flags: keepsVersions(round) ? [] : ["--memory-versions", "0"] };
}

/** Namespaces in the folder. */
const namespaces = ["ann", "ben", "cat"].map((userId) => ({ userId, agentId: "images" }));

/** What is done to the images of a server that does not run. */
const damages = ["nothing", "cut", "flipped", "another version", "copied back", "removed"] as const;

/** The memories of a namespace that were acknowledged: the mark in each text, by id. */
type Kept = Map<string, string>;

/** The marks of texts that were deleted or replaced. */
interface Removed {
  /** No image may have them. */
  readonly all: string[];
  /** No file may have them. Earlier versions have the others. */
  readonly gone: string[];
}

/**
 * Stops and kills a server that saves images of its indexes, and damages the images. Checks that
 * every acknowledged memory is found, that no deleted one is, and that no file has a deleted text
 * when its deletion is acknowledged.
 */
export async function runImages(options: RoundOptions): Promise<Tally> {
  const tally = new Tally(["lost", "not searchable", "back from deletion"], options.report);
  const random = createRandom(options.seed);
  const kept = namespaces.map((): Kept => new Map());
  const removed: Removed = { all: [], gone: [] };
  await withTemporaryFolder(async (folder) => {
    const [data, copy] = [join(folder, "data"), join(folder, "copy")];
    const images = join(data, "images");
    let server = await startServerProcess(data, flagsOf(1));
    try {
      for (let round = 1; round <= options.rounds; round++) {
        await change(server, { images, kept, removed, keeps: keepsVersions(round) }, random, tally);
        await endDuringSave(server, random, tally);
        damageImages(images, copy, random, tally);
        server = await startServerProcess(data, flagsOf(round + 1));
        expectNoMark(images, removed.all, tally);
        await check(server, kept, tally);
        reportRound(options, round, tally);
      }
      await createClient(AdminService, nativeGrpc.connect(server).transport).prune({});
      await server.end("SIGTERM");
      expectNoMark(data, removed.gone, tally);
    } finally {
      await server.end("SIGKILL");
    }
  });
  return tally;
}

function clientsOf(server: ServerProcess): readonly NamespaceClient[] {
  const provider = createClient(MemoryProvider, nativeGrpc.connect(server).transport);
  return namespaces.map((namespace) => createNamespaceClient(provider, namespace));
}

/** What a round changes. `keeps`: whether the server keeps earlier versions. */
interface Changed {
  readonly images: string;
  readonly kept: readonly Kept[];
  readonly removed: Removed;
  readonly keeps: boolean;
}

/** Adds, changes and deletes memories. */
async function change(
  server: ServerProcess,
  { images, kept, removed, keeps }: Changed,
  random: Random,
  tally: Tally,
): Promise<void> {
  for (const [at, client] of clientsOf(server).entries()) {
    const memories = kept[at] as Kept;
    const marks = Array.from({ length: random.integer(5, 30) }, () => markOf(random));
    const ids = await client.addAll(...marks.map((mark) => `the word is ${mark}`));
    for (const [i, id] of ids.entries()) memories.set(id, marks[i] as string);
    for (const [id, mark] of memories) {
      if (!random.chance(0.1)) continue;
      const isDeleted = random.chance(0.5);
      if (isDeleted) {
        await client.delete(id);
        memories.delete(id);
      } else {
        const other = markOf(random);
        await client.update(id, { content: `the word is ${other}` });
        memories.set(id, other);
      }
      removed.all.push(mark);
      if (isDeleted || !keeps) removed.gone.push(mark);
      tally.count("removals");
      expectNoMark(images, [mark], tally);
    }
  }
}

/** Returns a word that no other text has. Compression hardly changes it. */
function markOf(random: Random): string {
  const letters = Array.from({ length: 20 }, () => String.fromCharCode(random.integer(97, 122)));
  return letters.join("");
}

/** Stops the server, which saves the images. Kills it after a random time, or lets it end. */
async function endDuringSave(server: ServerProcess, random: Random, tally: Tally): Promise<void> {
  const ended = server.end("SIGTERM");
  if (random.chance(0.5)) {
    await delay(random.integer(0, 60));
    await server.end("SIGKILL");
    tally.count("kills");
  }
  await ended;
}

/** Damages the images. Keeps a copy of them, which a later round may put back. */
function damageImages(images: string, copy: string, random: Random, tally: Tally): void {
  const damage = random.pick(damages);
  tally.count(damage);
  if (damage === "copied back" && existsSync(copy)) cpSync(copy, images, { recursive: true });
  else if (random.chance(0.5) && existsSync(images)) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(images, copy, { recursive: true });
  }
  if (damage === "removed") rmSync(images, { recursive: true, force: true });
  if (damage === "nothing" || damage === "copied back" || !existsSync(images)) return;
  for (const name of readdirSync(images)) damageImage(join(images, name), damage, random);
}

function damageImage(path: string, damage: (typeof damages)[number], random: Random): void {
  const bytes = readFileSync(path);
  if (bytes.length <= trailerBytes) return;
  const at = random.integer(0, bytes.length - 1);
  if (damage === "cut") writeFileSync(path, bytes.subarray(0, at));
  if (damage === "flipped") bytes[at] = (bytes[at] ?? 0) ^ (1 << random.integer(0, 7));
  if (damage === "another version") {
    const trailer = bytes.length - trailerBytes;
    const header = bytes.subarray(trailer - bytes.readUInt32LE(trailer + 4), trailer);
    header[header.indexOf('"version":"') + 11] = 0x39;
    bytes.writeUInt32LE(crc32(header), trailer + 8);
  }
  if (damage !== "cut") writeFileSync(path, bytes);
}

/** Expects that no file in a folder has one of the marks. */
function expectNoMark(folder: string, marks: readonly string[], tally: Tally): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    const found = marks.filter((mark) => bytes.includes(mark) || bytes.includes(wide(mark)));
    if (found.length > 0)
      tally.harm("back from deletion", `${entry.name} has ${found.length} deleted texts`);
  }
}

/** Returns a text as an index has it in its tables. */
function wide(text: string): Buffer {
  return Buffer.from(text, "utf16le");
}

/** Expects that a search of each namespace finds its memories, and no others. */
async function check(server: ServerProcess, kept: readonly Kept[], tally: Tally): Promise<void> {
  for (const [at, client] of clientsOf(server).entries()) {
    const memories = kept[at] as Kept;
    for (const [id, mark] of memories) {
      const { hits } = await client.search(mark);
      if (!hits.some(({ memory }) => memory?.id === id && memory.content.endsWith(mark)))
        tally.harm("not searchable", `${mark} is not found`);
    }
    const contents = await client.contents();
    const words = new Set(contents.map((content) => content.split(" ").at(-1) ?? ""));
    for (const mark of memories.values())
      if (!words.delete(mark)) tally.harm("lost", `${mark} is missing`);
    for (const mark of words) tally.harm("back from deletion", `${mark} is there`);
  }
}
