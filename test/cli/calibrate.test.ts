import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.js";
import { startServer } from "../../src/server/start-server.js";
import { startTestEndpoint, type TestEndpoint } from "../embed/openai/test-endpoint.js";
import { runCommand } from "./run-command.js";

const environment = { VADEMECUM_OPENAI_KEY: "sk-quagga" };

let endpoint: TestEndpoint;
let folder: string;
let flags: string[];

beforeEach(async () => {
  endpoint = await startTestEndpoint();
  folder = await mkdtemp(join(tmpdir(), "vademecum-calibrate-"));
  flags = [
    "--data",
    join(folder, "data"),
    "--embedder",
    "openai",
    "--openai-url",
    endpoint.url,
    "--openai-model",
    "org/model",
  ];
});

afterEach(async () => {
  await endpoint.stop();
  await rm(folder, { recursive: true });
});

interface Report {
  readonly modelId: string;
  readonly calibration: {
    readonly vectorWeight: number;
    readonly randomScore: number;
    readonly paraphraseScore: number;
  };
  readonly file: string;
}

describe("calibrate", () => {
  it("calibrate stores figures that a server with the same settings reads", async () => {
    const { exitCode, stdout } = await runCommand(["calibrate", "--json", ...flags], {
      environment,
    });
    expect(exitCode).toBe(0);
    const { modelId, calibration, file } = JSON.parse(stdout) as Report;
    expect(modelId).toBe("org/model@64");
    expect(calibration.vectorWeight).toBe(0.4);
    expect(calibration.paraphraseScore).toBeGreaterThan(calibration.randomScore + 0.1);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ modelId, calibration });

    const data = join(folder, "data");
    const settings = {
      data,
      embedder: "openai",
      "openai-url": endpoint.url,
      "openai-model": "org/model",
      grpc: "127.0.0.1:0",
      http: "127.0.0.1:0",
    };
    const lines: string[] = [];
    const requests = endpoint.requests.length;
    const server = await startServer(
      readConfig(new Map(Object.entries(settings)), environment),
      collector(lines),
    );
    await server.stop();
    expect(lines.join("")).toContain("serving");
    expect(lines.join("")).not.toContain("not calibrated");
    // The cache has every text that the calibration embedded.
    expect(endpoint.requests).toHaveLength(requests);
  });

  it("calibrate prints the calibration figures and the file in which they are stored", async () => {
    const { stdout } = await runCommand(["calibrate", "--vector-weight", "0.7", ...flags], {
      environment,
    });
    expect(stdout).toMatch(
      /^org\/model@64: vector weight 0\.7, relevance 0 at score 0\.\d+, 1 at score 0\.\d+$/m,
    );
    expect(stdout).toMatch(
      /^ {2}paraphrase +mean score 0\.\d+, relevance at the 5th \/ 50th \/ 95th percentile: /m,
    );
    expect(stdout).toContain(
      `Stored in ${join(folder, "data", "embeddings", "calibration-org%2Fmodel%4064.json")}`,
    );
  });

  it.each(["0", "1.1", "much"])("calibrate refuses a vector weight of %s", async (weight) => {
    const { exitCode, stderr } = await runCommand(
      ["calibrate", "--vector-weight", weight, ...flags],
      { environment },
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--vector-weight");
    expect(endpoint.requests).toEqual([]);
  });

  it("calibrate exits with 1 and names a remedy when the model cannot be used", async () => {
    const { exitCode, stderr } = await runCommand([
      "calibrate",
      "--embedder",
      "onnx",
      "--onnx-model",
      folder,
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: --onnx-model: .* has no model\.onnx/);
  });
});

function collector(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
}
