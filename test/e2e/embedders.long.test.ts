import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { runCommand } from "../cli/run-command.js";
import { hasOnnxRuntime, needsOnnxRuntime } from "../embed/onnx/runtime.js";
import { writeTinyModel } from "../embed/onnx/tiny-model.js";
import {
  startTestEndpoint,
  type TestEndpoint,
  withError,
  withVectors,
} from "../embed/openai/test-endpoint.js";
import { failureOf } from "./harness/failure.js";
import { createNamespaceClient, type NamespaceClient } from "./harness/namespace-client.js";
import { protocols } from "./harness/protocols.js";
import { FailedStart, type ServerProcess, startServerProcess } from "./harness/server-process.js";

const key = "sk-quagga-0123456789";

let folder: string;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-embedders-"));
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await rm(folder, { recursive: true });
});

async function serve(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const server = await startServerProcess(join(folder, "data"), { flags, environment });
  ends.push(() => server.end("SIGKILL"));
  return server;
}

function connect(server: ServerProcess): NamespaceClient {
  const [protocol] = protocols;
  if (protocol === undefined) throw new Error("there is no protocol");
  const connection = protocol.connect(server);
  ends.push(() => connection.close());
  return createNamespaceClient(createClient(MemoryProvider, connection.transport), {
    userId: "ada",
    agentId: "farmer",
  });
}

/** Adds two memories, and searches with words that neither of them contains. */
async function exercise(memories: NamespaceClient): Promise<void> {
  await memories.addAll("my sister keeps horses", "the invoice has to be paid by bank transfer");
  const { contents } = await memories.search("sisters horse");
  expect(contents[0]).toBe("my sister keeps horses");
}

async function refusalOf(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const error = await serve(flags, environment).catch((reason: unknown) => reason);
  if (!(error instanceof FailedStart)) throw new Error("the server started, but it must not");
  expect(error.exitCode).toBe(1);
  return error.output;
}

describe.skipIf(!hasOnnxRuntime)(`a server with --embedder minilm (${needsOnnxRuntime})`, () => {
  it("a server with --embedder minilm finds an answer that shares no word with the question", async () => {
    const server = await serve(["--embedder", "minilm"]);
    const memories = connect(server);
    await memories.addAll("I like green tea", "I park behind the office", "My desk is by a window");
    expect((await memories.search("What should I drink?")).contents[0]).toBe("I like green tea");
    expect(await server.end("SIGTERM")).toBe(0);
    expect(server.log()).not.toContain("not calibrated");
  });

  it("a server with --embedder minilm searches the vectors of the small model until a Reindex", async () => {
    const first = await serve([]);
    await exercise(connect(first));
    expect(await first.end("SIGTERM")).toBe(0);
    const memories = connect(await serve(["--embedder", "minilm"]));
    const { contents, summary } = await memories.search("sisters horse");
    expect([contents[0], summary.keywordsOnlyReason]).toEqual(["my sister keeps horses", ""]);
  });
});

describe.skipIf(!hasOnnxRuntime)(`a server with --embedder onnx (${needsOnnxRuntime})`, () => {
  it("a server with --embedder onnx searches by its model, and reports the missing calibration", async () => {
    const model = await writeTinyModel();
    ends.push(model.remove);
    const server = await serve(["--embedder", "onnx", "--onnx-model", model.folder]);
    await exercise(connect(server));
    expect(await server.end("SIGTERM")).toBe(0);
    expect(server.log()).toMatch(
      /"model":"tiny-model@[\da-f]{12}","msg":"relevance is not calibrated for this model; run `vademecum calibrate`/,
    );
  });

  it("a server with --embedder onnx does not start without a model, and names the missing file", async () => {
    expect(await refusalOf(["--embedder", "onnx", "--onnx-model", folder])).toContain(
      "has no model.onnx; give the folder of a sentence transformer",
    );
  });

  it("a server searches memories with the model that made their vectors, and by keywords if it does not have this model", async () => {
    const model = await writeTinyModel();
    ends.push(model.remove);
    const first = await serve(["--embedder", "onnx", "--onnx-model", model.folder]);
    await exercise(connect(first));
    expect(await first.end("SIGTERM")).toBe(0);
    const both = await serve(["--onnx-model", model.folder]);
    expect((await connect(both).search("sisters horse")).contents[0]).toBe(
      "my sister keeps horses",
    );
    expect(await both.end("SIGTERM")).toBe(0);
    const without = await serve([]);
    const { contents, summary } = await connect(without).search("sister invoice");
    expect(contents.toSorted()).toEqual([
      "my sister keeps horses",
      "the invoice has to be paid by bank transfer",
    ]);
    expect(summary.keywordsOnlyReason).toMatch(
      /were made by tiny-model@[\da-f]{12}, which this server does not have: .*`vademecum reindex`/,
    );
    const recalled = await runCommand([
      "recall",
      "--user",
      "ada",
      "--agent",
      "farmer",
      "--server",
      without.grpcUrl,
      "invoice",
    ]);
    expect(recalled).toEqual({
      exitCode: 0,
      stdout: "- the invoice has to be paid by bank transfer\n",
      stderr: `note: ${summary.keywordsOnlyReason}\n`,
    });
  });
});

describe("a server with --embedder openai", () => {
  let endpoint: TestEndpoint;
  let flags: readonly string[];
  beforeEach(async () => {
    endpoint = await startTestEndpoint();
    ends.push(() => endpoint.stop());
    flags = ["--embedder", "openai", "--openai-url", endpoint.url, "--log-level", "trace"];
  });

  it("a server with --embedder openai sends each text to the endpoint once, and logs neither text nor key", async () => {
    const environment = { VADEMECUM_OPENAI_KEY: key };
    const first = await serve(flags, environment);
    await exercise(connect(first));
    expect(await first.end("SIGTERM")).toBe(0);
    expect(new Set(endpoint.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${key}`]),
    );
    const sent = endpoint.requests.flatMap(({ body }) => body.input);
    const second = await serve(flags, environment);
    expect((await connect(second).search("sisters horse")).contents[0]).toBe(
      "my sister keeps horses",
    );
    endpoint.answerAll(withError(401, "invalid_api_key"));
    const { summary } = await connect(second).search("something else");
    expect(summary.keywordsOnlyReason).toContain("it refuses the key");
    expect(await second.end("SIGTERM")).toBe(0);
    expect(endpoint.requests.flatMap(({ body }) => body.input)).toEqual([
      ...sent,
      "something else",
    ]);
    for (const log of [first.log(), second.log()]) {
      expect(log).toContain("stopped");
      expect(log).not.toMatch(/quagga|sister|invoice|something else/);
    }
  });

  it("a server with --embedder openai writes nothing while the endpoint fails, and then recovers", async () => {
    const memories = connect(await serve(flags));
    endpoint.answerAll(withError(503, "overloaded", { "retry-after": "60" }));
    expect(await failureOf(memories.add("my sister keeps horses"))).toMatchObject({
      code: "UNAVAILABLE",
      reason: "EMBEDDER_UNAVAILABLE",
    });
    expect(await memories.contents()).toEqual([]);
    endpoint.answerAll(withVectors());
    await exercise(memories);
  });

  it("while the endpoint fails, new queries use keywords, and repeated queries use their stored vectors", async () => {
    const memories = connect(await serve(flags));
    await exercise(memories);
    const known = await memories.search("sisters horse");
    endpoint.answerAll(withError(503, "overloaded", { "retry-after": "60" }));
    const again = await memories.search("sisters horse");
    expect([again.contents, again.summary.keywordsOnlyReason]).toEqual([known.contents, ""]);
    const unknown = await memories.search("invoice");
    expect(unknown.contents).toEqual(["the invoice has to be paid by bank transfer"]);
    expect(unknown.summary.keywordsOnlyReason).toMatch(/^the search used keywords only, because /);
  });

  it("a server does not start with a refused key, and names the setting of the key", async () => {
    endpoint.answerAll(withError(401, "invalid_api_key"));
    const output = await refusalOf(flags, { VADEMECUM_OPENAI_KEY: key });
    expect(output).toContain(
      "HTTP 401 (invalid_api_key): it refuses the key; start the server with a valid one in the environment variable VADEMECUM_OPENAI_KEY",
    );
    expect(output).not.toContain("quagga");
  });
});
