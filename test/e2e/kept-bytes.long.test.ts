import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FolderRecords, fillFolder } from "../../bench/worst/filled-folder.js";
import { sendRawCall } from "../../bench/worst/raw-call.js";
import { servedMethods } from "../../bench/worst/served-methods.js";
import {
  type EncodedAttack,
  encodedAttacks,
  unknownFieldAttacks,
} from "./attacks/listed-attacks.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

/** Bytes that the heap may grow by when a request is sent. */
const keptMaxBytes = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const sizes = { memories: 100, largeMemories: 10, blocks: 2, skills: 20, keys: 20 };
const methods = await servedMethods();

let folder = "";
let records: FolderRecords;
let server: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-kept-"));
  records = await fillFolder(join(folder, "data"), sizes);
  // A small budget makes the server evict the index, so that new memories in it are not counted.
  server = await startTestServer({ data: join(folder, "data"), "index-max-bytes": "16MiB" });
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

async function send({ method, ...call }: EncodedAttack): Promise<string> {
  const addresses = {
    grpcAddress: new URL(server.grpcUrl).host,
    httpAddress: new URL(server.httpUrl).host,
  };
  return sendRawCall(addresses, method, call);
}

/** Returns the size of the heap without garbage. */
async function heapBytes(): Promise<number> {
  // References from finished calls are released by their last events.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it("nothing of a request that was made to be expensive stays in memory", async () => {
  const kept: string[] = [];
  for (const group of [encodedAttacks, unknownFieldAttacks])
    for (const attack of group(methods, records)) {
      // Loads what the method needs.
      await send({ ...attack, messages: [Buffer.from(attack.encoding === "json" ? "{}" : "")] });
      const before = await heapBytes();
      const answer = await send(attack);
      const bytes = (await heapBytes()) - before;
      // What an accepted request has stored stays in the index.
      if (answer === "OK" && attack.method.name !== "Dispatch") continue;
      if (bytes > keptMaxBytes) kept.push(`${attack.name}: ${(bytes / 1e6).toFixed(0)} MB`);
    }
  expect(kept).toEqual([]);
});
