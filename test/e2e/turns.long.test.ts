import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DescMethod } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeShape } from "../../bench/worst/encode-shape.js";
import { type FolderRecords, fillFolder, valuesFor } from "../../bench/worst/filled-folder.js";
import { largestNumber } from "../../bench/worst/fillings.js";
import type { FieldValues } from "../../bench/worst/plain-request.js";
import { type RawCall, sendRawCall } from "../../bench/worst/raw-call.js";
import { servedMethods } from "../../bench/worst/served-methods.js";
import { type Part, targetsOf } from "../../bench/worst/shape.js";
import { commitNumber, isFullSuite } from "../suite.js";
import { encodedAttacks } from "./attacks/listed-attacks.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { turnMax, turnMaxByRpc } from "./turns/turn-max.js";
import { meterWork, type Work, workKinds } from "./turns/work-meter.js";

const sizes = { memories: 3_000, largeMemories: 60, blocks: 8, skills: 60, keys: 500 };
const methods = await servedMethods();

/** Calls that remove or replace what later calls read. */
const changing = /^(?:Delete|Reset|Prune|Approve|Reject|HoldWrites|Restore)/;

/** Number fields that make a call skip records, so that their largest values make it cheap. */
const narrowing = /offset|threshold|min|half_life|version/;

let folder = "";
let records: FolderRecords;
let server: TestServer | undefined;
let copies = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-turns-"));
  records = await fillFolder(join(folder, "filled"), sizes);
});

afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true });
});

/** Returns the running server. Starts one over a new copy of the folder if there is none. */
async function runningServer(): Promise<TestServer> {
  if (server !== undefined) return server;
  const data = join(folder, `copy ${copies++}`);
  await cp(join(folder, "filled"), data, { recursive: true });
  server = await startTestServer({ data, "allow-reset": "true" });
  return server;
}

/** Sends a request. Returns the most work, of each kind, in one turn of the event loop. */
async function workOf(method: DescMethod, call: RawCall): Promise<Work> {
  const { grpcUrl, httpUrl } = await runningServer();
  const addresses = { grpcAddress: new URL(grpcUrl).host, httpAddress: new URL(httpUrl).host };
  const { reply, most } = await meterWork(() => sendRawCall(addresses, method, call));
  if (reply === "OK" && changing.test(method.name)) {
    await server?.stop();
    server = undefined;
  }
  return most;
}

/** Yields requests for the largest pages and records, and the listed attacks on the method. */
function* requestsOf(method: DescMethod): Generator<readonly [string, RawCall]> {
  for (const [world, values] of valuesFor(method.parent.name, records).entries())
    for (const [number, encoding] of (["binary", "json"] as const).entries()) {
      // A call that changes records needs a new server. In the quick form, one encoding of each has
      // to do; another commit chooses the other one.
      const isChosen = (world + commitNumber) % 2 === number;
      if (changing.test(method.name) && !isChosen && !isFullSuite) continue;
      const parts = partsOf(method, values);
      const shape = { encoding, world, messages: 1, parts };
      yield [
        `records ${world}, ${encoding}`,
        { encoding, messages: [encodeShape(method, shape, values)] },
      ];
    }
  for (const { name, ...call } of encodedAttacks([method], records)) yield [name, call];
}

/** Returns the number fields of a request, filled with their largest valid values. */
function partsOf(method: DescMethod, values: FieldValues): Part[] {
  return targetsOf(method, values).flatMap((target) => {
    if (target.path.some(({ fieldKind }) => fieldKind === "list")) return [];
    if (narrowing.test(target.path.at(-1)?.name ?? "")) return [];
    const filling = target.fillings.find(({ name }) => name === largestNumber);
    return filling === undefined
      ? []
      : [{ target, filling, count: filling.counts[0] ?? 1, repeat: 1 }];
  });
}

/** Describes each kind of work that exceeds its maximum. */
function excessOf(work: Work, most: Work): readonly string[] {
  return workKinds
    .filter((kind) => work[kind] > most[kind])
    .map((kind) => `${Math.ceil(work[kind])} ${kind}, not ${most[kind]}`);
}

function rowName({ parent, name }: DescMethod): string {
  return `${parent.typeName.replace(/^vademecum\.v1\./, "")}/${name}`;
}

describe("the work in one turn of the event loop", () => {
  it("only Recall may do more work in one turn than other RPCs", () => {
    const known = Object.keys(turnMaxByRpc);
    expect(known).toEqual(["MemoryProvider/Recall"]);
    expect(methods.map(rowName)).toEqual(expect.arrayContaining(known));
  });

  it.each(methods.map((method) => [rowName(method), method] as const))(
    "the work of %s in one turn of the event loop stays within its bound",
    async (name, method) => {
      const most = { ...turnMax, ...turnMaxByRpc[name] };
      const excess: string[] = [];
      for (const [request, call] of requestsOf(method)) {
        let tooMuch = excessOf(await workOf(method, call), most);
        // The server may still have worked on an earlier call. So the request gets a second chance.
        if (tooMuch.length > 0) tooMuch = excessOf(await workOf(method, call), most);
        excess.push(...tooMuch.map((text) => `${request}: ${text}`));
      }
      expect(excess).toEqual([]);
    },
  );
});
