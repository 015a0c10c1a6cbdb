import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, toBinary, toJsonString } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { type FolderRecords, fillFolder } from "../../bench/worst/filled-folder.js";
import { sendRawCall } from "../../bench/worst/raw-call.js";
import { servedMethods } from "../../bench/worst/served-methods.js";
import { commitNumber, isFullSuite } from "../suite.js";
import {
  type EncodedAttack,
  encodedAttacks,
  oneOfEachKind,
  unknownFieldAttacks,
} from "./attacks/listed-attacks.js";
import { type ServerProcess, startServerProcess } from "./harness/server-process.js";

/** Sizes of a server's heap, in MB, each with the flags that a server of this size needs. */
const servers = [
  { heapMb: 512, flags: [], turn: 0 },
  { heapMb: 256, turn: 1, flags: ["--index-max-bytes", "64MiB", "--message-buffer", "64MiB"] },
];
const atOnce = 32;
const timeoutMs = 1_800_000;

const sizes = { memories: 500, largeMemories: 60, blocks: 3, skills: 40, keys: 100 };
const methods = await servedMethods();

let folder = "";
let records: FolderRecords;
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-attacks-"));
  records = await fillFolder(join(folder, "filled"), sizes);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function send({ method, ...call }: EncodedAttack): Promise<string> {
  const addresses = {
    grpcAddress: new URL(server.grpcUrl).host,
    httpAddress: new URL(server.httpUrl).host,
  };
  return sendRawCall(addresses, method, call);
}

/** Yields the attacks one at a time, because all of them together would need too much memory. */
function* attacksOn(unknownFieldMethods: typeof methods): Generator<EncodedAttack> {
  yield* encodedAttacks(methods, records);
  yield* unknownFieldAttacks(unknownFieldMethods, records);
}

/**
 * Yields the attacks that run in parallel. In the full suite, these are all. Otherwise each attack
 * has one encoding on the server with the turn 0, and the other one on the server with the turn 1.
 * Another commit swaps them.
 */
function* parallelAttacks(turn: number): Generator<EncodedAttack> {
  let encoded = 0;
  for (const attack of attacksOn(oneOfEachKind(methods))) {
    // Each attack comes in two encodings, one after the other.
    const number = Math.floor(encoded / 2);
    const isChosen = encoded % 2 === (number + turn + commitNumber) % 2;
    encoded++;
    if (isChosen || isFullSuite) yield attack;
  }
}

/** Fails unless the server answers a health check. `after` names the attack before the check. */
async function expectServing(after: string): Promise<void> {
  const check = { method: Health.method.check, encoding: "binary" as const };
  const answer = await send({ ...check, name: "health", messages: [new Uint8Array()] });
  expect(answer, `${after}: ${server.log()}`).toBe("OK");
}

describe.each(servers)("a server with a heap of $heapMb MB", ({ heapMb, flags, turn }) => {
  beforeAll(async () => {
    const environment = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` };
    const data = join(folder, `${heapMb}`);
    await cp(join(folder, "filled"), data, { recursive: true });
    server = await startServerProcess(data, { flags, environment });
  });

  afterAll(async () => {
    await server.end("SIGTERM");
  });

  it("the server answers every listed attack, and a health check after each attack", {
    timeout: timeoutMs,
  }, async () => {
    // One method of each kind suffices for the second server, because servers refuse unknown fields
    // of all methods of a kind in the same way.
    const unknownFieldMethods = heapMb === servers[0]?.heapMb ? methods : oneOfEachKind(methods);
    for (const attack of attacksOn(unknownFieldMethods)) {
      const answer = await send(attack);
      // A watch has no end, so the client cancels it and gets no answer.
      if (!attack.method.name.startsWith("Watch")) expect(answer, attack.name).not.toBe("none");
      await expectServing(attack.name);
    }
  });

  it(`the server survives every listed attack ${atOnce} times in parallel`, {
    timeout: timeoutMs,
  }, async () => {
    for (const attack of parallelAttacks(turn)) {
      await Promise.all(Array.from({ length: atOnce }, () => send(attack)));
      await expectServing(attack.name);
    }
  });

  it("the server refuses each of 200 parallel requests of 3.8 MB with an expected code, and answers a health check meanwhile", {
    timeout: timeoutMs,
  }, async () => {
    const method = ToolService.method.submitToolResponse;
    // The request names no user, so the server refuses it, but only after it has decoded all of it.
    const request = create(method.input, {
      requestId: "r",
      toolId: "t",
      agentContext: { agentId: "a" },
      memoryWrites: Array.from({ length: 60 }, () => ({ content: "x".repeat(64_000) })),
    });
    const calls = [
      { encoding: "binary" as const, message: toBinary(method.input, request) },
      { encoding: "json" as const, message: Buffer.from(toJsonString(method.input, request)) },
    ];
    const answers = Promise.all(
      Array.from({ length: 100 }, () =>
        calls.map(({ encoding, message }) =>
          send({ name: "large", method, encoding, messages: [message] }),
        ),
      ).flat(),
    );
    await expectServing("while large requests arrive");
    const outcomes = new Set(await answers);
    expect(outcomes).toContain("INVALID_ARGUMENT");
    expect([...outcomes].sort()).toEqual(
      ["INVALID_ARGUMENT", "RESOURCE_EXHAUSTED"].filter((it) => outcomes.has(it)),
    );
    await expectServing("after large requests");
  });
});
