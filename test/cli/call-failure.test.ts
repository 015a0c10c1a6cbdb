import { once } from "node:events";
import { createServer as createWebServer } from "node:http";
import { constants, createServer } from "node:http2";
import { type AddressInfo, createServer as createNetServer, type Server } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "./run-command.js";
import { useShells } from "./shell.js";

const createShell = useShells();

/** Returns a server that answers the HTTP/2 settings, and resets the connection at the call. */
function resettingServer(): Server {
  const http2 = createServer().on("sessionError", () => undefined);
  const server = createNetServer((socket) => {
    http2.emit("connection", socket);
    http2.once("stream", () => socket.resetAndDestroy());
  });
  return server;
}

describe("the failure of a command", () => {
  it("a failed command names the wrong field and the limit", async () => {
    const { exitCode, stderr } = await createShell()(["add", "x".repeat(65_537)]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: content: .*65.?536.*\(INVALID_ARGUMENT, \w+\)\n$/s);
  });

  it("a failed command names all wrong fields", async () => {
    const { stderr } = await createShell()(["add", "--importance", "7", "--kind", "", "text"]);
    expect(stderr).toContain("\n  importance: ");
    expect(stderr).toContain("\n  kind: ");
  });

  it("a failed command prints its error as JSON with --json", async () => {
    const { stderr, stdout } = await createShell()(["add", "--json", "--importance", "7", "text"]);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: [{ field: "importance" }],
    });
  });

  it("a command without a user names the missing option", async () => {
    const { exitCode, stderr } = await runCommand(["list", "--agent", "sommelier"]);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      "error: --user: missing. Memories belong to a user and an agent. " +
        "Give --user ID, or set VADEMECUM_USER.\n",
    );
  });

  it("a failed connection names the address and the command that starts a server", async () => {
    const { exitCode, stderr } = await runCommand([
      "list",
      "--server",
      "127.0.0.1:1",
      "--user",
      "u",
      "--agent",
      "a",
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: no server answers at http:\/\/127\.0\.0\.1:1 /);
    expect(stderr).toMatch(
      /\. Start one with `vademecum serve`, or give its address with --server\.\n$/,
    );
  });

  it.each([
    [
      "resets a connection immediately",
      () => createNetServer((socket) => socket.resetAndDestroy()),
    ],
    ["resets a connection during a call", () => resettingServer()],
    [
      "closes a connection during a call",
      () => createServer().on("stream", ({ session }) => session?.destroy()),
    ],
    [
      "cancels a call",
      () => createServer().on("stream", (stream) => stream.close(constants.NGHTTP2_CANCEL)),
    ],
  ])("a command reports UNAVAILABLE if the server %s", async (_what, create) => {
    const server = create();
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const list = ["list", "--server", address, "--user", "u", "--agent", "a"];
    const { exitCode, stderr } = await runCommand(list);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: the connection to http:\/\/[\d.:]+ broke \(UNAVAILABLE: /);
    expect(stderr).toMatch(/with https:\/\/ for a server with TLS\.\n$/);
    expect(JSON.parse((await runCommand([...list, "--json"])).stderr)).toMatchObject({
      code: "UNAVAILABLE",
    });
  });

  it("a command fails with exit code 1 if nothing listens at its https address", async () => {
    const { exitCode, stderr } = await runCommand([
      "list",
      "--server",
      "https://127.0.0.1:1",
      "--user",
      "u",
      "--agent",
      "a",
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: /);
  });

  it.each([
    ["a web server", (port: number) => `127.0.0.1:${port}`],
    ["a server without TLS, called with https", (port: number) => `https://127.0.0.1:${port}`],
  ])("a command names the address to check if it reaches %s", async (_what, addressOf) => {
    const server = createWebServer((_, response) => response.end("a page"));
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = addressOf((server.address() as AddressInfo).port);
    const user = ["--user", "u", "--agent", "a"];
    const { exitCode, stderr } = await runCommand(["list", "--server", address, ...user]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^error: the call to https?:.* failed: .+ \(\w+\)\. Check that --server is the gRPC address of Vademecum, with https:\/\/ for a server with TLS\.\n$/,
    );
  });

  it("a malformed server address is refused with exit code 2", async () => {
    const { exitCode, stderr } = await runCommand(["health", "--server", "nowhere"]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: --server: got 'nowhere'; allowed: HOST:PORT/);
  });
});
