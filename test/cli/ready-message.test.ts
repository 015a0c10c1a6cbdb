import { afterAll, beforeAll, expect, it } from "vitest";
import { readyJson, readyText } from "../../src/cli/ready-message.js";
import { readConfig } from "../../src/config/config.js";
import type { Config } from "../../src/config/server-settings.js";
import { type RunningServer, startServer } from "../../src/server/start-server.js";
import { runCommand } from "./run-command.js";

let config: Config;
let server: RunningServer;

beforeAll(async () => {
  const flags = {
    provider: "memory",
    embedder: "none",
    grpc: "127.0.0.1:0",
    http: "127.0.0.1:0",
    "log-level": "silent",
  };
  config = readConfig(new Map(Object.entries(flags)), {});
  server = await startServer(config);
});

afterAll(() => server.stop());

it("the first calls of the ready message work when copied", async () => {
  const text = readyText(config, server, "vademecum");
  const commands = [...text.matchAll(/^ {2}vademecum (.+)$/gm)].map(([, words = ""]) =>
    wordsOf(words),
  );
  const outputs = [];
  for (const words of commands) outputs.push((await runCommand(words)).stdout);
  expect(outputs).toEqual([
    expect.stringMatching(/^Stored /),
    expect.stringContaining("Ada prefers dry Burgundy"),
  ]);

  const [, url = "", body = ""] =
    /curl (\S+) -H 'content-type: application\/json' \\\n +-d '(.*)'/.exec(text) ?? [];
  const reply = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  expect(reply.status).toBe(200);
  expect(await reply.json()).toHaveProperty("summary");
});

it("the first calls of a server with credentials read a key from the environment", () => {
  const text = readyText({ ...config, credentials: "credentials.json" }, server, "vademecum");
  expect(text).toContain("in another terminal, with an API key in VADEMECUM_API_KEY:");
  expect(text).toContain(
    `-H 'content-type: application/json' -H "authorization: Bearer $VADEMECUM_API_KEY" \\\n`,
  );
  expect(readyText(config, server, "vademecum")).not.toContain("VADEMECUM_API_KEY");
});

it("the ready message for programs contains the addresses and the data folder", () => {
  const { port } = server.grpcAddress;
  expect(JSON.parse(readyJson(config, server))).toMatchObject({
    event: "ready",
    grpc: `127.0.0.1:${port}`,
    provider: "memory",
    pid: process.pid,
  });
  const tls = {
    ...config,
    provider: "level" as const,
    dataFolder: "/var/lib/vademecum",
    tlsCert: "cert.pem",
    tlsKey: "key.pem",
  };
  expect(JSON.parse(readyJson(tls, server))).toMatchObject({
    http: expect.stringMatching(/^https:/) as unknown,
    data: "/var/lib/vademecum",
  });
  expect(readyText(tls, server, "vademecum")).toContain(`--server https://127.0.0.1:${port} `);
});

/** Splits a command line into words, as a shell does. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

it("the ready message of a server in RAM says that data is lost, and shows its key", () => {
  const text = readyText(config, server, "vademecum", { key: "vdm_0" });
  expect(text).toContain("keeps memories in RAM. All data is lost when this process ends.");
  expect(text).toContain("\n  export VADEMECUM_API_KEY=vdm_0\n");
  expect(text).toContain(`-H "authorization: Bearer $VADEMECUM_API_KEY"`);
  expect(JSON.parse(readyJson(config, server, { key: "vdm_0" }))).toMatchObject({ key: "vdm_0" });
  expect(readyJson(config, server)).not.toContain("key");
});
