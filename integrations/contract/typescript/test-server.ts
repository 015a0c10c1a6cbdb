import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findServer } from "./find-server.js";

/** Runs a server on free ports. The data survives restarts. */
export class TestServer {
  readonly #folder = mkdtempSync(join(tmpdir(), "vademecum-integration-"));
  #process: ChildProcess | undefined;
  #credentials: readonly string[] = [];
  /** Host and port of the HTTP listener. */
  address = "";

  /** @param flags further flags of `serve` */
  constructor(private readonly flags: readonly string[] = []) {}

  /**
   * Creates a key for all users and agents. From its next start on, the server refuses calls
   * without a key.
   *
   * @param roles the roles of the key, such as `writer`
   */
  createKey(roles: readonly string[]): string {
    this.#credentials = ["--credentials", join(this.#folder, "credentials.json")];
    const grants = roles.flatMap((role) => ["--role", role]);
    const { stdout } = spawnSync(
      process.execPath,
      [
        ...[findServer(), "keys", "create", "adapter", ...this.#credentials, ...grants],
        ...["--user", "*", "--agent", "*"],
      ],
      { encoding: "utf8" },
    );
    return stdout.trim();
  }

  async start(): Promise<void> {
    const listeners = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--log-level", "warn"];
    const server = spawn(
      process.execPath,
      [
        ...[findServer(), "serve", "--data", join(this.#folder, "data"), ...listeners],
        ...[...this.flags, ...this.#credentials],
      ],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    this.#process = server;
    for await (const line of createInterface({ input: server.stdout })) {
      const event = JSON.parse(line) as { event?: string; http?: string };
      if (event.event !== "ready" || event.http === undefined) continue;
      this.address = new URL(event.http).host;
      return;
    }
    throw new Error("the server ended before it was ready");
  }

  async kill(): Promise<void> {
    const server = this.#process;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    server.kill("SIGKILL");
    await once(server, "exit");
  }

  /** Stops the server and removes its data. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
