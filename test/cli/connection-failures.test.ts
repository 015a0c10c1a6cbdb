import { once } from "node:events";
import { readFile } from "node:fs/promises";
import {
  constants,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { tlsFile } from "../e2e/harness/tls-client.js";
import { runCommand } from "./run-command.js";

const user = ["--user", "u", "--agent", "a"];

/** Starts a server until the test ends. Returns its port. */
async function portOf(server: Http2Server | Http2SecureServer): Promise<number> {
  server.on("session", (session) => session.on("error", () => undefined));
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** Starts a server that requires a client certificate. Returns its address. */
async function tlsAddress(): Promise<string> {
  const [key, cert, ca] = await Promise.all(
    ["key.pem", "cert.pem", "client-ca.pem"].map((name) => readFile(tlsFile(name))),
  );
  const server = createSecureServer({ key, cert, ca, requestCert: true, rejectUnauthorized: true });
  return `https://127.0.0.1:${await portOf(server)}`;
}

const throttled =
  /^error: http:\S+ refuses calls of this client for a while \(.+\)\. Retry later, with fewer calls at the same time\.\n$/;

it.each([
  [
    "refuses a stream",
    (stream: ServerHttp2Stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
    "UNAVAILABLE",
    /^error: http:\S+ did not begin the call \(.+\)\. Retry, or see the server log\.\n$/,
  ],
  [
    "answers ENHANCE_YOUR_CALM on a stream",
    (stream: ServerHttp2Stream) => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM),
    "RESOURCE_EXHAUSTED",
    throttled,
  ],
  [
    "answers ENHANCE_YOUR_CALM on a connection",
    ({ session }: ServerHttp2Stream) => session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0),
    "RESOURCE_EXHAUSTED",
    throttled,
  ],
  [
    "answers HTTP 429",
    (stream: ServerHttp2Stream) => {
      stream.respond({ ":status": 429 });
      stream.end();
    },
    "UNAVAILABLE",
    throttled,
  ],
])(
  "a command reports the code that gRPC prescribes, and what to do, if the server %s",
  async (_what, answer, code, text) => {
    const port = await portOf(
      createServer().on("stream", (stream) => {
        stream.on("error", () => undefined);
        answer(stream);
      }),
    );
    const list = ["list", "--server", `127.0.0.1:${port}`, ...user];
    const { exitCode, stderr } = await runCommand(list);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(text);
    expect(JSON.parse((await runCommand([...list, "--json"])).stderr)).toMatchObject({ code });
  },
);

it("a command that does not trust the certificate of the server names --tls-ca", async () => {
  const { exitCode, stderr } = await runCommand(["list", "--server", await tlsAddress(), ...user]);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^error: the certificate of https:\S+ is not trusted \(.+\)\. Give the certificate of its authority with --tls-ca\.\n$/,
  );
});

it("a command without the client certificate that the server requires names --tls-cert and --tls-key", async () => {
  const server = ["--server", await tlsAddress(), "--tls-ca", tlsFile("cert.pem")];
  const { exitCode, stderr } = await runCommand(["list", ...server, ...user]);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^error: https:\S+ refused the TLS connection \(.+\)\. If it requires a client certificate, give one with --tls-cert and --tls-key\.\n$/s,
  );
});

it.each([
  ["key.pem", "--tls-key: the key does not belong to the certificate of --tls-cert"],
  ["client-ca.pem", "--tls-cert, --tls-key: not a certificate and its unencrypted key in PEM: "],
])(
  "a command refuses a client certificate with the key file %s, and names the options",
  async (key, text) => {
    const identity = ["--tls-cert", tlsFile("client-cert.pem"), "--tls-key", tlsFile(key)];
    const { exitCode, stderr } = await runCommand([
      "list",
      "--server",
      "https://127.0.0.1:1",
      ...identity,
      ...user,
    ]);
    expect(exitCode).toBe(2);
    expect(stderr.startsWith(`error: ${text}`)).toBe(true);
  },
);
