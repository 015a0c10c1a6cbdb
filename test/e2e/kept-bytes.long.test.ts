import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FolderRecords, fillFolder } from "../../bench/worst/filled-folder.js";
import { sendRawCall } from "../../bench/worst/raw-call.js";
import { servedMethods } from "../../bench/worst/served-methods.js";
import { bySuite } from "../suite.js";
import {
  type EncodedAttack,
  encodedAttacks,
  oneOfEachKind,
  unknownFieldAttacks,
} from "./attacks/listed-attacks.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

/** Maximum growth of the heap by one request, in bytes. */
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
  // Limits the memory of the indexes that the requests load. Beyond it, the server evicts the least
  // recently used indexes.
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
  // Lets the last events of finished calls run. They release the references to the calls.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it("an expensive request that the server refuses leaves at most 1 MiB on the heap", async () => {
  const kept: string[] = [];
  const unknownFieldMethods = bySuite({ quick: oneOfEachKind(methods), full: methods });
  for (const attacks of [
    encodedAttacks(methods, records),
    unknownFieldAttacks(unknownFieldMethods, records),
  ])
    for (const attack of attacks) {
      // A small request first loads what the method needs, so that only the attack is measured.
      await send({ ...attack, messages: [Buffer.from(attack.encoding === "json" ? "{}" : "")] });
      const before = await heapBytes();
      const answer = await send(attack);
      const bytes = (await heapBytes()) - before;
      // Accepted requests are skipped, because what they have stored stays in the index. Dispatch
      // is not skipped: it answers OK even when it refuses the arguments.
      if (answer === "OK" && attack.method.name !== "Dispatch") continue;
      if (bytes > keptMaxBytes) kept.push(`${attack.name}: ${(bytes / 1e6).toFixed(0)} MB`);
    }
  expect(kept).toEqual([]);
});
