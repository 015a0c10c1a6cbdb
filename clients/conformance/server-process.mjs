import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/**
 * Starts the built server on free ports, with a new data folder and with `flags`. Resolves when the
 * server is ready.
 */
export async function startServer(projectFolder, flags = []) {
  const folder = mkdtempSync(join(tmpdir(), "vademecum-clients-"));
  const serveArguments = [
    "--data",
    join(folder, "data"),
    "--grpc",
    "127.0.0.1:0",
    "--http",
    "127.0.0.1:0",
    "--log-level",
    "warn",
  ];
  const server = spawn(
    process.execPath,
    [join(projectFolder, "dist", "main.js"), "serve", ...serveArguments, ...flags],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  // Ends the server also if the runner fails.
  const kill = () => server.kill("SIGKILL");
  process.once("exit", kill);
  for await (const line of createInterface({ input: server.stdout })) {
    const { event, grpc, http } = JSON.parse(line);
    if (event !== "ready") continue;
    return {
      grpcAddress: grpc,
      httpAddress: new URL(http).host,
      async stop() {
        process.off("exit", kill);
        server.kill("SIGTERM");
        if (server.exitCode === null) await once(server, "exit");
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  throw new Error("the server ended before it was ready");
}
