import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { runCommand } from "./run-command.js";
import { build, runServe, type ServeProcess, startServe } from "./serve-process.js";

const tls = join(import.meta.dirname, "..", "fixtures", "tls");
const namespace = { userId: "ada", agentId: "sommelier" };

let folder: string;
const running: ServeProcess[] = [];

beforeAll(build, 120_000);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-serve-"));
});

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.kill("SIGKILL");
    await server.ended;
  }
  await rm(folder, { recursive: true });
});

async function serve(...args: readonly string[]): Promise<ServeProcess> {
  const server = await startServe(["--data", join(folder, "data"), ...args]);
  running.push(server);
  return server;
}

/** Runs a command against a server, as the user of these tests. */
function ask({ ready }: ServeProcess, ...args: readonly string[]) {
  return runCommand([...args], {
    environment: { VADEMECUM_SERVER: ready["grpc"] ?? "", VADEMECUM_USER: "ada", VADEMECUM_AGENT: "sommelier" },
  });
}

/** A stream of adds that stays open until it is told to end. */
function openStream({ ready }: ServeProcess) {
  const baseUrl = `http://${ready["grpc"]}`;
  const session = new Http2SessionManager(baseUrl);
  const client = createClient(MemoryProvider, createGrpcTransport({ baseUrl, sessionManager: session }));
  const waiting: (() => void)[] = [];
  const queue: (string | undefined)[] = [];
  const push = (content: string | undefined) => {
    queue.push(content);
    waiting.shift()?.();
  };
  async function* requests() {
    for (;;) {
      if (queue.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      const content = queue.shift();
      if (content === undefined) return;
      yield { clientId: content, add: { namespace, content } };
    }
  }
  const responses = client.addBatch(requests())[Symbol.asyncIterator]();
  return {
    /** Sends one memory and waits for its outcome. */
    add: (content: string) => {
      push(content);
      return responses.next();
    },
    /** Ends the stream and waits until the server has too. */
    end: () => {
      push(undefined);
      return responses.next();
    },
    close: () => session.abort(),
  };
}

describe("serve", () => {
  it("says as one line of JSON where it listens, and serves gRPC and JSON there", async () => {
    const server = await serve();
    expect(server.ready).toMatchObject({ event: "ready", provider: "level", embedder: "local", data: join(folder, "data") });
    expect((await ask(server, "add", "Ada prefers dry Burgundy")).stdout).toMatch(/^Stored /);
    const reply = await fetch(`${server.ready["http"]}/vademecum.v1.MemoryProvider/Recall`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ search: { namespace, query: "which wine does Ada like?" } }),
    });
    expect(await reply.json()).toMatchObject({ text: "- Ada prefers dry Burgundy" });
  });

  it("ends with 0 on SIGTERM and SIGINT, and keeps everything", async () => {
    const first = await serve();
    await ask(first, "add", "kept");
    first.kill("SIGTERM");
    expect(await first.ended).toMatchObject({ exitCode: 0, signal: null });
    const second = await serve();
    expect((await ask(second, "list")).stdout).toContain("kept");
    second.kill("SIGINT");
    expect(await second.ended).toMatchObject({ exitCode: 0, signal: null });
  });

  it("has what it acknowledged after kill -9, and finds it", async () => {
    const first = await serve();
    await ask(first, "add", "the p53 gene");
    first.kill("SIGKILL");
    await first.ended;
    expect((await ask(await serve(), "recall", "p53")).stdout).toBe("- the p53 gene\n");
  });

  it("lets calls in flight finish after SIGTERM", async () => {
    const server = await serve();
    const stream = openStream(server);
    await stream.add("before");
    const ended = server.ended;
    server.kill("SIGTERM");
    await refusal(server);
    expect((await stream.add("during")).value).toMatchObject({ clientId: "during", result: { case: "id" } });
    expect((await stream.end()).done).toBe(true);
    stream.close();
    expect(await ended).toMatchObject({ exitCode: 0 });
    expect((await ask(await serve(), "list")).stdout).toMatch(/during[^]*before/);
  });

  it("cuts off calls that go on beyond the drain time-out", async () => {
    const server = await serve("--drain-timeout", "100ms");
    const stream = openStream(server);
    await stream.add("kept");
    server.kill("SIGTERM");
    expect(await server.ended).toMatchObject({ exitCode: 0 });
    stream.close();
  });

  it("ends at once on a second signal", async () => {
    const server = await serve("--drain-timeout", "60m");
    const stream = openStream(server);
    await stream.add("kept");
    const impatience = setInterval(() => server.kill("SIGTERM"), 50);
    expect(await server.ended).toMatchObject({ exitCode: 143 });
    clearInterval(impatience);
    stream.close();
  });

  it("speaks TLS on both listeners when it is given a certificate", async () => {
    const server = await serve("--tls-cert", join(tls, "cert.pem"), "--tls-key", join(tls, "key.pem"));
    const address = `https://${server.ready["grpc"]}`;
    expect(await runCommand(["health", "--server", address, "--tls-ca", join(tls, "cert.pem")])).toMatchObject({
      exitCode: 0,
      stdout: "SERVING\n",
    });
    expect((await runCommand(["health", "--server", address])).exitCode).toBe(1);
    expect((await ask(server, "list")).exitCode).toBe(1);
    expect(server.ready["http"]).toMatch(/^https:/);
  });

  it("never logs texts, queries or keys", async () => {
    const marker = "zebrafish-4711";
    const server = await serve("--log-level", "trace");
    const environment = { VADEMECUM_SERVER: server.ready["grpc"] ?? "", VADEMECUM_USER: marker, VADEMECUM_AGENT: marker };
    const marked = ["--tag", marker, "--metadata", `{"${marker}":"${marker}"}`, "--author", marker, "--idempotency-key", marker];
    await runCommand(["add", ...marked, `${marker} content`], { environment });
    // The same key with another body, a bad field, a bad expression, a foreign id: everything that answers with an error.
    await runCommand(["add", "--idempotency-key", marker, `other ${marker}`], { environment });
    await runCommand(["add", "--kind", marker.repeat(30), marker], { environment });
    await runCommand(["search", "--expression", `${marker} ==`, marker], { environment });
    await runCommand(["get", marker], { environment });
    expect((await runCommand(["recall", marker], { environment })).stdout).toContain(marker);
    await fetch(`${server.ready["http"]}/vademecum.v1.MemoryProvider/Add`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-marker": marker },
      body: `{"content": ${marker}`,
    });
    await fetch(`${server.ready["http"]}/${marker}?${marker}`);
    server.kill("SIGTERM");
    const { stderr } = await server.ended;
    expect(stderr).toContain("stopping");
    expect(stderr).not.toContain(marker);
  });
});

describe("serve refuses to start", () => {
  it("on a folder that another server uses", async () => {
    await serve();
    const second = await runServe(["--data", join(folder, "data")]);
    const { exitCode, stderr } = await second.ended;
    expect(exitCode).toBe(1);
    expect(lastLine(stderr)).toMatch(
      /^error: the data folder .* is in use by another process; stop that one first or choose another folder$/,
    );
  });

  it("on a folder that holds something else", async () => {
    await writeFile(join(folder, "thesis.tex"), "");
    const { exitCode, stderr } = await (await runServe(["--data", folder])).ended;
    expect(exitCode).toBe(1);
    expect(lastLine(stderr)).toMatch(/^error: .* holds 'thesis.tex', which is no data of this service; /);
  });

  it("on a damaged folder, says what is wrong, and goes on with what is left once that is accepted", async () => {
    const first = await serve();
    await ask(first, "add", "kept");
    first.kill("SIGTERM");
    await first.ended;
    const data = join(folder, "data");
    await truncate(join(data, "high-water-mark"), 3);
    for (let start = 0; start < 2; start++) {
      const { exitCode, stderr } = await (await runServe(["--data", data])).ended;
      expect(exitCode).toBe(1);
      expect(lastLine(stderr)).toMatch(/^error: the data is damaged and is not served: .*high-water-mark: .*--accept-data-loss/);
    }
    expect((await ask(await serve("--accept-data-loss"), "list")).stdout).toContain("kept");
  });

  it("on a port that is taken, and leaves the folder free", async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) =>
      other.listen(0, "127.0.0.1", () => resolve((other.address() as { port: number }).port)),
    );
    for (const flag of ["--grpc", "--http"]) {
      const { exitCode, stderr } = await (await runServe(["--data", join(folder, "data"), flag, `127.0.0.1:${port}`])).ended;
      expect(exitCode).toBe(1);
      expect(lastLine(stderr)).toBe(
        `error: cannot listen: EADDRINUSE: address already in use 127.0.0.1:${port}. Stop what listens there, or choose other addresses with --grpc and --http; port 0 takes any free one`,
      );
    }
    await new Promise((resolve) => other.close(resolve));
  });

  it("with a setting that is not allowed, with exit code 2", async () => {
    const { exitCode, stderr } = await (await runServe(["--provider", "postgres", "--log-level", "loud"])).ended;
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      "error: --provider: got 'postgres'; allowed: level, memory (postgres is known, not built yet)\n" +
        "error: --log-level: got 'loud'; allowed: trace, debug, info, warn, error, silent\n",
    );
  });

  it("with a certificate that cannot be read or used, with exit code 2", async () => {
    const missing = join(folder, "missing.pem");
    const first = await (await runServe(["--tls-cert", missing, "--tls-key", join(tls, "key.pem")])).ended;
    expect(first).toMatchObject({ exitCode: 2 });
    expect(first.stderr).toContain(`error: --tls-cert: cannot read '${missing}'`);
    const second = await (await runServe(["--tls-cert", join(tls, "cert.pem"), "--tls-key", join(tls, "README.md")])).ended;
    expect(second).toMatchObject({ exitCode: 2 });
    expect(second.stderr).toMatch(/^error: --tls-cert, --tls-key: /);
  });
});

/** Waits until the server takes no new connection. */
async function refusal(server: ServeProcess): Promise<void> {
  while ((await ask(server, "health")).exitCode === 0);
}

function lastLine(text: string): string | undefined {
  return text.trimEnd().split("\n").at(-1);
}
