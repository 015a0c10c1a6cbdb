import { once } from "node:events";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { createClient } from "@connectrpc/connect";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { runCommand } from "../../cli/run-command.js";
import { failureOf } from "../harness/failure.js";
import { required } from "../harness/namespace-client.js";
import { nativeGrpc } from "../harness/protocols.js";
import { type ServerProcess, startServerProcess } from "../harness/server-process.js";
import { tlsClientOptions, tlsFile, tlsMemories } from "../harness/tls-client.js";

const namespace = { userId: "ann", agentId: "a" };
const readAgain = "read changed files again";
/** The server checks its files every 5 seconds. A busy machine may take longer. */
const nextCheck = { timeout: 60_000, interval: 100 };

let folder = "";
let server: ServerProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-changed-"));
});
afterEach(async () => {
  await server?.end("SIGKILL");
  server = undefined;
  await rm(folder, { recursive: true });
});

async function serve(...flags: readonly string[]): Promise<ServerProcess> {
  const common = ["--provider", "memory", "--embedder", "none"];
  server = await startServerProcess(join(folder, "data"), { flags: [...common, ...flags] });
  return server;
}

/** Sends SIGHUP, and resolves once the log has one more line with the text. */
async function refresh(text: string): Promise<void> {
  const running = required(server, "no server");
  const count = () => running.log().split(text).length;
  const before = count();
  running.signal("SIGHUP");
  await vi.waitFor(() => expect(count()).toBeGreaterThan(before), nextCheck);
}

/** Runs a command for the credentials file, and returns its output. */
async function keys(...args: readonly string[]): Promise<string> {
  const environment = { VADEMECUM_CREDENTIALS: join(folder, "credentials.json") };
  const { stdout, stderr, exitCode } = await runCommand(["keys", ...args], { environment });
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  return stdout.trim();
}

/** Returns a function that makes a call and returns "served" or the reason of the refusal. */
function callWith(running: ServerProcess): (credential: string) => Promise<string> {
  const connection = nativeGrpc.connect(running);
  onTestFinished(() => connection.close());
  const memories = createClient(MemoryProvider, connection.transport);
  return (credential) => {
    const call = memories.getAll(
      { namespace },
      { headers: { authorization: `Bearer ${credential}` } },
    );
    return call.then(
      () => "served",
      async () => (await failureOf(call)).reason ?? "no reason",
    );
  };
}

describe("the keys of a server process", () => {
  const create = () => keys("create", "ann", "--role", "reader", "--user", "ann", "--agent", "*");
  const flags = () => ["--credentials", join(folder, "credentials.json")];

  it("SIGHUP reads the keys again, and a broken file is logged and has no effect", async () => {
    const first = await create();
    const call = callWith(await serve(...flags()));
    const file = join(folder, "credentials.json");
    expect(await call(first)).toBe("served");
    const second = await keys("create", "bo", "--role", "reader", "--user", "*", "--agent", "*");
    await refresh(readAgain);
    expect(await call(second)).toBe("served");
    const sound = await readFile(file, "utf8");
    await writeFile(file, sound.slice(0, -20));
    await refresh("cannot use changed files");
    expect([await call(first), await call(second)]).toEqual(["served", "served"]);
    const line = required(server, "no server")
      .log()
      .split("\n")
      .find((text) => text.includes("cannot use changed files"));
    expect(JSON.parse(line ?? "")).toMatchObject({
      level: "error",
      files: [file],
      reason: expect.stringContaining("it is not JSON") as unknown,
    });
    await writeFile(file, sound.replace('"name": "ann"', '"disabled": true, "name": "ann"'));
    await refresh(readAgain);
    expect([await call(first), await call(second)]).toEqual(["CREDENTIALS_REFUSED", "served"]);
  });

  it("`keys rotate` and `keys revoke` take effect without a restart or a signal", async () => {
    const first = await create();
    const call = callWith(await serve(...flags()));
    const becomes = (key: string, outcome: string) =>
      vi.waitFor(async () => expect(await call(key)).toBe(outcome), nextCheck);
    const second = await keys("rotate", "ann", "--overlap", "1h");
    await becomes(second, "served");
    expect(await call(first)).toBe("served");
    // Only the newest key and the key before it are valid. So the third key ends the first one,
    // even though the hour of the first one is not over.
    const third = await keys("rotate", "ann", "--overlap", "1h");
    await becomes(third, "served");
    expect(await call(second)).toBe("served");
    expect(await call(first)).toBe("CREDENTIALS_REFUSED");
    await keys("revoke", third.slice(4, 20));
    await becomes(third, "CREDENTIALS_REFUSED");
    expect(await call(second)).toBe("served");
    await keys("revoke", "ann");
    await becomes(second, "CREDENTIALS_REFUSED");
  });
});

describe("the keys of an issuer of tokens", () => {
  it("added and removed keys of a token issuer take effect when their file changes", async () => {
    const issuer = "https://issuer.example";
    const pairs = await Promise.all(
      ["one", "two", "three"].map(async (kid) => ({ kid, ...(await generateKeyPair("ES256")) })),
    );
    const file = join(folder, "jwks.json");
    const publish = async (...kids: readonly string[]) => {
      const published = pairs
        .filter(({ kid }) => kids.includes(kid))
        .map(async ({ kid, publicKey }) => ({
          ...(await exportJWK(publicKey)),
          kid,
          alg: "ES256",
        }));
      await writeFile(file, JSON.stringify({ keys: await Promise.all(published) }));
    };
    const [one = "", two = "", three = ""] = await Promise.all(
      pairs.map(({ kid, privateKey }) =>
        new SignJWT({ vademecum: { roles: ["reader"], users: ["ann"], agents: ["*"] } })
          .setProtectedHeader({ alg: "ES256", kid })
          .setIssuer(issuer)
          .setAudience("vademecum")
          .setSubject("kim")
          .setExpirationTime("10m")
          .sign(privateKey),
      ),
    );
    await publish("one", "two");
    const tokenFlags = ["--jwt-jwks", file, "--jwt-issuer", issuer, "--jwt-audience", "vademecum"];
    const call = callWith(await serve(...tokenFlags));
    const outcomes = async () => [await call(one), await call(two), await call(three)];
    expect(await outcomes()).toEqual(["served", "served", "CREDENTIALS_REFUSED"]);
    // The server has verified the token of the key `one` before. Without the key, it must refuse
    // it.
    await publish("two", "three");
    await refresh(readAgain);
    expect(await outcomes()).toEqual(["CREDENTIALS_REFUSED", "served", "served"]);
    await writeFile(file, '{"keys": 1}');
    await refresh("cannot use changed files");
    expect(await outcomes()).toEqual(["CREDENTIALS_REFUSED", "served", "served"]);
  });
});

describe("the certificates of a server process", () => {
  const certFile = () => join(folder, "cert.pem");
  const keyFile = () => join(folder, "key.pem");
  const caFile = () => join(folder, "client-ca.pem");

  async function serveTls(...more: readonly string[]): Promise<ServerProcess> {
    await copyFile(tlsFile("cert.pem"), certFile());
    await copyFile(tlsFile("key.pem"), keyFile());
    return serve("--tls-cert", certFile(), "--tls-key", keyFile(), ...more);
  }

  it("changed certificates apply to new connections, and open connections continue", async () => {
    const { grpcUrl, httpUrl } = await serveTls();
    for (const url of [grpcUrl, httpUrl]) {
      const open = await tlsMemories(url);
      await open.getAll({ namespace });
      await copyFile(tlsFile("other-cert.pem"), certFile());
      // The new certificate does not match the old key, so the server keeps the old certificate.
      await refresh("cannot use changed files");
      await (await tlsMemories(url)).getAll({ namespace });
      await copyFile(tlsFile("other-key.pem"), keyFile());
      await refresh(readAgain);
      await (await tlsMemories(url, { server: "other-cert.pem" })).getAll({ namespace });
      await expect((await tlsMemories(url)).getAll({ namespace })).rejects.toThrow();
      await open.getAll({ namespace });
      await copyFile(tlsFile("cert.pem"), certFile());
      await copyFile(tlsFile("key.pem"), keyFile());
      await refresh(readAgain);
    }
  });

  it("changed client authorities apply to new connections, even to resumed TLS sessions", async () => {
    await copyFile(tlsFile("client-ca.pem"), caFile());
    const name = ["--certificate", "spiffe://example/planner"];
    const scope = ["--user", "*", "--agent", "*"];
    await keys("create", "planner", "--role", "reader", ...scope, ...name);
    const credentials = ["--credentials", join(folder, "credentials.json")];
    const required = ["--tls-client-ca", caFile(), "--tls-client-auth", "require"];
    const { grpcUrl } = await serveTls(...credentials, ...required);
    const before = { certificate: "client-cert.pem" };
    const after = { certificate: "other-client-uri.pem" };
    const call = async (shown: typeof before) =>
      (await tlsMemories(grpcUrl, shown)).getAll({ namespace });
    await call(before);
    await expect(call(after)).rejects.toThrow();
    const session = await sessionOf(grpcUrl, before);
    expect(await resumes(grpcUrl, before, session)).toBe(true);
    await copyFile(tlsFile("other-client-ca.pem"), caFile());
    await refresh(readAgain);
    await call(after);
    await expect(call(before)).rejects.toThrow();
    expect(await resumes(grpcUrl, before, session)).toBe(false);
  });
});

async function openTls(
  url: string,
  files: { readonly certificate: string },
  session?: Buffer,
): Promise<TLSSocket> {
  const options = { ...(await tlsClientOptions(files)), ALPNProtocols: ["h2"] };
  const { port } = new URL(url);
  const socket = connect({
    host: "localhost",
    port: Number(port),
    ...options,
    ...(session === undefined ? {} : { session }),
  });
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Returns a session that a later connection can resume. */
async function sessionOf(url: string, files: { readonly certificate: string }): Promise<Buffer> {
  const socket = await openTls(url, files);
  const [session] = (await once(socket, "session")) as [Buffer];
  socket.destroy();
  return session;
}

/** Whether the server resumes the TLS session, and then sends the first bytes of HTTP/2. */
async function resumes(
  url: string,
  files: { readonly certificate: string },
  session: Buffer,
): Promise<boolean> {
  const socket = await openTls(url, files, session);
  socket.on("error", () => undefined);
  const isServed = await Promise.race([
    once(socket, "data").then(() => true),
    once(socket, "close").then(() => false),
  ]);
  return isServed && socket.isSessionReused();
}
