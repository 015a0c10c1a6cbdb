import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
// The data folder is under test, so these servers always use one.
import { type ServerProcess, startServerProcess } from "../faults/server/server-process.js";
import { createNamespaceClient, type NamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";

let folder: string;
let data: string;
let images: string;
const ends: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-images-"));
  data = join(folder, "data");
  images = join(data, "images");
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await rm(folder, { recursive: true });
});

async function serve(...flags: readonly string[]): Promise<ServerProcess> {
  const server = await startServerProcess(data, { flags });
  ends.push(() => server.end("SIGKILL"));
  return server;
}

function memoriesOf(server: ServerProcess): NamespaceClient {
  const connection = nativeGrpc.connect(server);
  ends.push(async () => connection.close());
  const provider = createClient(MemoryProvider, connection.transport);
  return createNamespaceClient(provider, { userId: "ann", agentId: "guide" });
}

/** Whether an image has a text. */
function imagesHave(text: string): boolean {
  return readdirSync(images).some((name) => readFileSync(join(images, name)).includes(text));
}

describe("images of indexes", () => {
  it("a server saves its indexes when it stops, and searches the saved index after its start", async () => {
    const mark = randomBytes(12).toString("hex");
    const first = await serve();
    await memoriesOf(first).addAll(`the code is ${mark}`, "Ann sings");
    await memoriesOf(first).search("code");
    await first.end("SIGTERM");
    expect(imagesHave(mark)).toBe(true);
    const second = memoriesOf(await serve());
    expect((await second.search(`code ${mark}`)).contents[0]).toContain(mark);
    const [found] = await second.list();
    expect(found).toBeDefined();
    for (const { id } of await second.list()) expect(await second.delete(id)).toBe(true);
    expect(imagesHave(mark)).toBe(false);
    expect((await second.search(`code ${mark}`)).contents).toEqual([]);
  });

  it("a server with --images off keeps no image, and deletes the images of earlier starts", async () => {
    const first = await serve();
    await memoriesOf(first).addAll("Ann sings");
    await memoriesOf(first).search("sings");
    await first.end("SIGTERM");
    expect(readdirSync(images)).toHaveLength(1);
    const second = await serve("--images", "off");
    expect(existsSync(images)).toBe(false);
    expect((await memoriesOf(second).search("sings")).contents).toEqual(["Ann sings"]);
    await second.end("SIGTERM");
    expect(existsSync(images)).toBe(false);
  });
});
